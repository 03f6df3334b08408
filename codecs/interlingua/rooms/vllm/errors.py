"""Errors of vLLM: class names as types, and the status as code.

Source: docs/wire/vllm.md, section 5; docs/provider_errors.md
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.api_errors import ErrorForm, Words
from interlingua.rooms._shared.openai_errors import FINAL, WORDS, envelope, without_numbers
from interlingua.rooms.vllm.tables import DIALECT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ApiError, ErrorCategory
    from interlingua.rooms._shared.api_errors import Written

__all__ = ["FORM", "decode_error", "encode_error"]

_CALLER: Final = "BadRequestError"
_SERVER: Final = "InternalServerError"
_WORDS: Final[Mapping[ErrorCategory, Words]] = MappingProxyType({
    **{category: Words(words.status, _CALLER if words.status < 500 else _SERVER) for category, words in WORDS.items()},
    "authentication": Words(401, "AuthenticationError"),
    "permission": Words(403, "PermissionDeniedError"),
    "not_found": Words(404, "NotFoundError", param="model"),
    "context_overflow": Words(400, _CALLER, param="input_tokens"),
    "output_overflow": Words(400, _CALLER, param="max_tokens"),
    "rate_limit": Words(429, "RateLimitError"),
    "quota": Words(429, "insufficient_quota"),
    "overloaded": Words(503, "ServiceUnavailableError"),
})  # fmt: skip
_HEADERS: Final = re.compile(r"retry-after(?:-ms)?|x-should-retry|x-request-id")


def _message(error: ApiError) -> str:
    message, limit, used = error["message"], error.get("limit_tokens"), error.get("used_tokens")
    requested = error.get("requested_tokens")
    match error["category"]:
        case "context_overflow" if limit is not None and used is not None:
            return (
                f"This model's maximum context length is {limit} tokens. However, your request has {used} input "
                "tokens. Please reduce the length of the input messages."
            )
        case "context_overflow":
            return without_numbers(message)
        case "output_overflow" if limit is not None and used is not None and requested is not None:
            return (
                f"'max_tokens' or 'max_completion_tokens' is too large: {requested}. This model's maximum context "
                f"length is {limit} tokens and your request has {used} input tokens ({requested} > {limit} - {used})."
            )
        case _:
            return message


def _envelope(written: Written) -> dict[str, Any]:
    return {"error": {**envelope(written)["error"], "code": written.words.status}}


FORM: Final = ErrorForm(
    dialect=DIALECT,
    words=_WORDS,
    headers=_HEADERS,
    exact_retry=True,
    envelope=_envelope,
    message=_message,
    checks=frozenset({"/input_tokens", "/input_text"}),
    final=FINAL,
    conflict=Words(409, _CALLER),
)

decode_error: Final = FORM.decode
encode_error: Final = FORM.encode
