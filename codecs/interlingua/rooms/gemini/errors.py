"""Gemini's errors: the status codes of Google's APIs, with details about the reason and the retry delay.

Source: docs/wire/gemini.md, section 5; docs/provider_errors.md
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import pointer
from interlingua.rooms._shared.api_errors import ErrorForm, Words
from interlingua.rooms._shared.error_headers import is_wait
from interlingua.rooms.gemini.tables import DIALECT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ApiError, ErrorCategory
    from interlingua.rooms._shared.api_errors import Written

__all__ = ["FORM", "decode_error", "encode_error"]

_WORDS: Final[Mapping[ErrorCategory, Words]] = MappingProxyType({
    "invalid_request": Words(400, "INVALID_ARGUMENT"),
    "authentication": Words(401, "UNAUTHENTICATED"),
    "permission": Words(403, "PERMISSION_DENIED"),
    "not_found": Words(404, "NOT_FOUND"),
    "request_too_large": Words(413, "INVALID_ARGUMENT"),
    "context_overflow": Words(400, "INVALID_ARGUMENT"),
    "output_overflow": Words(400, "INVALID_ARGUMENT"),
    "rate_limit": Words(429, "RESOURCE_EXHAUSTED"),
    "quota": Words(402, "RESOURCE_EXHAUSTED"),
    "overloaded": Words(503, "UNAVAILABLE"),
    "server_error": Words(500, "INTERNAL"),
    "timeout": Words(504, "DEADLINE_EXCEEDED"),
    "content_filtered": Words(400, "INVALID_ARGUMENT"),
    "cancelled": Words(499, "CANCELLED"),
    "unavailable": Words(503, "UNAVAILABLE"),
    "unknown": Words(500, "UNKNOWN"),
})  # fmt: skip
_HEADERS: Final = re.compile("retry-after")
_RETRY_INFO: Final = "type.googleapis.com/google.rpc.RetryInfo"
_HEAD: Final = re.compile(r"\* GenerateContentRequest\.(\w+(?:\.\w+|\[\d+\])*):", re.ASCII)
_LIMIT: Final = "exceeds the maximum number of tokens allowed"


def _param(message: str) -> str | None:
    """Return the JSON Pointer of the request member that an error message begins with."""
    found = _HEAD.match(message)
    return pointer(*re.findall(r"\w+", found[1])) if found else None


def _message(error: ApiError) -> str:
    message, limit, used = error["message"], error.get("limit_tokens"), error.get("used_tokens")
    if error["category"] != "context_overflow":
        return message
    if limit is None or used is None:
        return f"The input token count {_LIMIT}. {message}".rstrip()
    return f"The input token count ({used}) {_LIMIT} ({limit})."


def _envelope(written: Written) -> dict[str, Any]:
    error: dict[str, Any] = {"code": written.words.status, "message": written.message, "status": written.words.type}
    wait = written.error.get("retry_after")
    if wait is not None and is_wait(wait):
        seconds = str(wait) if wait == int(wait) else f"{wait:.9f}".rstrip("0")
        error["details"] = [{"@type": _RETRY_INFO, "retryDelay": f"{seconds.removesuffix('.0')}s"}]
    return {"error": error}


FORM: Final = ErrorForm(
    dialect=DIALECT, words=_WORDS, headers=_HEADERS, envelope=_envelope, message=_message, param=_param
)

decode_error: Final = FORM.decode
encode_error: Final = FORM.encode
