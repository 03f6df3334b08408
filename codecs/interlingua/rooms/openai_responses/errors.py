"""Errors of Responses: those of Chat Completions, but for unknown models and the param of a too long input.

In a stream, an error frame with both forms of the error is followed by the failed response. Source:
docs/wire/openai_responses.md, section 5; docs/provider_errors.md
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.api_errors import encode_failure
from interlingua.rooms._shared.error_categories import overflow_of
from interlingua.rooms._shared.openai_errors import UNKNOWN_URL, openai_form, output_overflow
from interlingua.rooms.openai_responses.tables import DIALECT
from interlingua.tool_arguments import exact_text

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError
    from interlingua.rooms._shared.api_errors import Words

__all__ = ["FORM", "decode_error", "encode_error", "failure_frames"]

_OVERFLOW: Final = (
    "Your input exceeds the context window of this model. Please adjust your input and try again."
)  # fmt: skip


def _choose(error: ApiError, words: Words) -> Words:
    match error["category"]:
        case "context_overflow":
            return replace(words, param="input")
        case "output_overflow" if "used_tokens" not in error:
            return replace(words, code=None, param="max_output_tokens")
        case "not_found" if error.get("code") == words.code:
            return replace(words, status=400)
        case "not_found" if error.get("code") == UNKNOWN_URL:
            return replace(words, code=UNKNOWN_URL)
        case _:
            return words


def _message(error: ApiError) -> str:
    message = error["message"]
    match error["category"]:
        case "context_overflow":
            return _OVERFLOW
        case "output_overflow":
            found = overflow_of(message)
            is_said = found is not None and found.category == "output_overflow"
            return message if is_said else output_overflow(error) or message
        case _:
            return message


FORM: Final = openai_form(DIALECT, _choose, _message)

# Codes of a failed response by error type, if the error has none: clients retry unless the caller was at fault.
_CODES: Final = {"invalid_request_error": "invalid_prompt"}
_WAIT: Final = "try again in"

decode_error: Final = FORM.decode
encode_error: Final = FORM.encode


def failure_frames(error: ApiError, log: LossLog) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return an error in mid-stream: its frame, without a number, and the error of the failed response."""
    wait = error.get("retry_after")
    if error["category"] == "rate_limit" and wait is not None and _WAIT not in error["message"].lower():
        # Clients read the delay from the message.
        error = cast("ApiError", {**error, "message": f"{error['message']} Please {_WAIT} {wait}s.".lstrip()})
        log.changed("content", "/message", "the wait time was added to the error message")
    told = encode_failure(error, FORM, log)["error"]
    message = told.get("message", error["message"])
    code = told.get("code") or _CODES.get(exact_text(told.get("type")), "server_error")
    # Some clients pass over an error without a code.
    frame = {"type": "error", "code": code, "message": message, "param": told.get("param")}
    return {**frame, "error": told}, {"code": code, "message": message}
