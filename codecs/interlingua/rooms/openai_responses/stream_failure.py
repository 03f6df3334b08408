"""An error in mid-stream as Responses tells it: a frame with both forms of the error, then the response that failed.

Source: docs/wire/openai_responses.md, section 5; docs/provider_errors.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.api_errors import encode_failure

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError
    from interlingua.rooms._shared.api_errors import ErrorForm

__all__ = ["failure_frames"]

# What a response that failed says where the error has no code: clients try again unless it was the caller's mistake.
_CODES: Final = {"invalid_request_error": "invalid_prompt"}
_WAIT: Final = "try again in"


def failure_frames(error: ApiError, form: ErrorForm, log: LossLog) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the frame of an error, without its number, and the error of the response that failed."""
    wait = error.get("retry_after")
    if error["category"] == "rate_limit" and wait is not None and _WAIT not in error["message"].lower():
        # Its clients read from the text how long to wait.
        error = cast("ApiError", {**error, "message": f"{error['message']} Please {_WAIT} {wait}s.".lstrip()})
        log.changed("content", "/message", "the message of the error also says how long to wait")
    told = encode_failure(error, form, log)["error"]
    message = told.get("message", error["message"])
    frame = {"type": "error", "code": told.get("code"), "message": message, "param": told.get("param")}
    code = told.get("code") or _CODES.get(str(told.get("type")), "server_error")
    return {**frame, "error": told}, {"code": code, "message": message}
