"""The error format that Chat Completions and Responses share: codes, envelope and headers.

Source: docs/provider_errors.md.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rate_limits import OPENAI
from interlingua.rooms._shared.api_errors import ErrorForm, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.model_shapes import ApiError, ErrorCategory
    from interlingua.rooms._shared.api_errors import Written

__all__ = ["FINAL", "UNKNOWN_URL", "WORDS", "envelope", "openai_form", "output_overflow", "without_numbers"]

_CALLER: Final = "invalid_request_error"
UNKNOWN_URL: Final = "unknown_url"  # the code for a path that does not exist, of the category `not_found`

WORDS: Final[Mapping[ErrorCategory, Words]] = MappingProxyType({
    "invalid_request": Words(400, _CALLER),
    "authentication": Words(401, _CALLER, "invalid_api_key"),
    "permission": Words(403, _CALLER),
    "not_found": Words(404, _CALLER, "model_not_found"),
    "request_too_large": Words(413, _CALLER),
    "context_overflow": Words(400, _CALLER, "context_length_exceeded"),
    "output_overflow": Words(400, _CALLER, "context_length_exceeded"),
    "rate_limit": Words(429, "rate_limit_error", "rate_limit_exceeded"),
    "quota": Words(429, "insufficient_quota", "insufficient_quota"),
    "overloaded": Words(503, "service_unavailable_error", "server_is_overloaded"),
    "server_error": Words(500, "server_error", "server_error"),
    "timeout": Words(504, "server_error"),
    "content_filtered": Words(400, _CALLER, "content_filter"),
    "cancelled": Words(499, _CALLER),
    "unavailable": Words(502, "server_error"),
    "unknown": Words(500, "server_error"),
})  # fmt: skip
_HEADERS: Final = re.compile(
    r"retry-after(?:-ms)?|x-ms-retry-after-ms|x-should-retry|x-request-id|x-ratelimit-[a-z-]{1,64}"
)
FINAL: Final[frozenset[ErrorCategory]] = frozenset({"quota"})  # a 429 would be tried again


def openai_form(
    dialect: str, choose: Callable[[ApiError, Words], Words], message: Callable[[ApiError], str]
) -> ErrorForm:
    """Return the error format of one of OpenAI's APIs."""
    return ErrorForm(
        dialect=dialect, words=WORDS, choose=choose, headers=_HEADERS, request_id="x-request-id", exact_retry=True,
        limits=OPENAI, envelope=envelope, message=message, final=FINAL, conflict=Words(409, _CALLER),
    )  # fmt: skip


def envelope(written: Written) -> dict[str, Any]:
    """Return the body, with all four members."""
    words = written.words
    return {"error": {"message": written.message, "type": words.type, "param": words.param, "code": words.code}}


def output_overflow(error: ApiError) -> str | None:
    """Return OpenAI's message for an output that exceeds the limit, None if the counts are not known."""
    limit, requested, used = error.get("limit_tokens"), error.get("requested_tokens"), error.get("used_tokens")
    if limit is None or requested is None:
        return None
    if used is None:
        return f"max_tokens is too large: {requested}. This model supports at most {limit} completion tokens."
    return (
        f"This model's maximum context length is {limit} tokens. However, you requested {used + requested} tokens "
        f"({used} in the messages, {requested} in the completion). Please reduce the length of the messages or "
        "completion."
    )


def without_numbers(message: str) -> str:
    """Return OpenAI's message for an input that is too long, if its length is unknown."""
    if "maximum context length" in message:
        return message
    sentence = "This model's maximum context length is exceeded. Please reduce the length of the messages."
    return f"{sentence} {message}".rstrip()
