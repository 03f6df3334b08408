"""Claude's errors. Only the message text says that a prompt is too long, and clients act on that text.

Source: docs/wire/claude.md, section 5; docs/provider_errors.md
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import pointer
from interlingua.rooms._shared.api_errors import ErrorForm, Words
from interlingua.rooms.claude.tables import DIALECT, RATE_LIMIT_HEADERS, REQUEST_ID_HEADER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ApiError, ErrorCategory
    from interlingua.rooms._shared.api_errors import Written

__all__ = ["FORM", "decode_error", "encode_error"]

_WORDS: Final[Mapping[ErrorCategory, Words]] = MappingProxyType({
    "invalid_request": Words(400, "invalid_request_error"),
    "authentication": Words(401, "authentication_error"),
    "permission": Words(403, "permission_error"),
    "not_found": Words(404, "not_found_error"),
    "request_too_large": Words(413, "request_too_large"),
    "context_overflow": Words(400, "invalid_request_error"),
    "output_overflow": Words(400, "invalid_request_error"),
    "rate_limit": Words(429, "rate_limit_error"),
    "quota": Words(402, "billing_error"),  # a 429 would be retried
    "overloaded": Words(529, "overloaded_error"),
    "server_error": Words(500, "api_error"),
    "timeout": Words(504, "timeout_error"),
    "content_filtered": Words(400, "invalid_request_error"),
    "cancelled": Words(499, "invalid_request_error"),
    "unavailable": Words(502, "api_error"),
    "unknown": Words(500, "api_error"),
})  # fmt: skip
_HEADERS: Final = re.compile(
    r"request-id|retry-after(?:-ms)?|x-should-retry|anthropic-ratelimit-[a-z0-9-]{1,64}", re.ASCII
)
# A client told to lower `max_tokens` keeps a margin of 1,000 tokens and gives up below 3,000 output tokens.
_LEAST_ROOM: Final = 4_000
_TOO_LONG: Final = "prompt is too long"
_HEAD: Final = re.compile(r"([a-z_]+(?:\.\w+)*): ", re.ASCII)
_MEMBERS: Final = frozenset({
    "context_management", "max_tokens", "messages", "metadata", "model", "output_config", "output_format",
    "service_tier", "stop_sequences", "stream", "system", "temperature", "thinking", "tool_choice", "tools",
    "top_k", "top_p",
})  # fmt: skip


def _param(message: str) -> str | None:
    """Return the JSON Pointer of the request member that an error message begins with.

    The step after the index of a tool or a block may be the name of its type, which is not a member.
    """
    found = _HEAD.match(message)
    steps = found[1].split(".") if found else [""]
    if steps[0] not in _MEMBERS:
        return None
    kept = [
        step
        for at, step in enumerate(steps)
        if not (at > 1 and steps[at - 1].isdecimal() and steps[at - 2] in {"tools", "content"})
    ]
    return pointer(*kept)


def _message(error: ApiError) -> str:
    message, limit, used = error["message"], error.get("limit_tokens"), error.get("used_tokens")
    match error["category"]:
        case "context_overflow" if limit is not None and used is not None:
            return f"{_TOO_LONG}: {used} tokens > {limit} maximum"
        case "context_overflow":
            return message if _TOO_LONG in message.lower() else f"{_TOO_LONG}: {message}".removesuffix(": ")
        case "output_overflow" if limit is not None:
            return _output_overflow(message, limit, used, error.get("requested_tokens"))
        case _:
            return message


def _output_overflow(message: str, limit: int, used: int | None, requested: int | None) -> str:
    """Return a message that makes clients lower `max_tokens`, or shorten the prompt if too little room is left."""
    if requested is None:
        return message
    if used is None:
        return f"max_tokens: {requested} > {limit}, which is the maximum allowed number of output tokens"
    if limit - used < _LEAST_ROOM and requested < limit:
        return f"{_TOO_LONG}: {used} tokens > {limit - requested} maximum"
    return (
        f"input length and `max_tokens` exceed context limit: {used} + {requested} > {limit}, decrease input length or "
        "`max_tokens` and try again"
    )


def _envelope(written: Written) -> dict[str, Any]:
    body: dict[str, Any] = {"type": "error", "error": {"type": written.words.type, "message": written.message}}
    request_id = written.error.get("request_id")
    return body | ({"request_id": request_id} if request_id else {})


FORM: Final = ErrorForm(
    dialect=DIALECT,
    words=_WORDS,
    headers=_HEADERS,
    request_id=REQUEST_ID_HEADER,
    exact_retry=True,
    limits=RATE_LIMIT_HEADERS,
    envelope=_envelope,
    message=_message,
    param=_param,
    conflict=Words(409, "conflict_error"),
)

decode_error: Final = FORM.decode
encode_error: Final = FORM.encode
