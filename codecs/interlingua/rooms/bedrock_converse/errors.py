"""Errors of Bedrock: a text, a status, and the name of the exception in a header.

Source: docs/wire/bedrock_converse.md, section 5; docs/provider_errors.md
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.api_errors import ErrorForm, Words, decode_api_error, encode_api_error
from interlingua.rooms.bedrock_converse.tables import DIALECT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError, ErrorCategory

__all__ = ["FORM", "decode_error", "encode_error"]

_STATUSES: Final[Mapping[ErrorCategory, int]] = MappingProxyType({
    "invalid_request": 400, "authentication": 401, "permission": 403, "not_found": 404, "request_too_large": 413,
    "context_overflow": 400, "output_overflow": 400, "rate_limit": 429, "quota": 402, "overloaded": 503,
    "server_error": 500, "timeout": 408, "content_filtered": 400, "cancelled": 499, "unavailable": 503, "unknown": 500,
})  # fmt: skip
_TOO_LONG: Final = "Input is too long for requested model."


def _message(error: ApiError) -> str:
    is_known = error["category"] != "context_overflow" or "too long for requested" in error["message"]
    return error["message"] if is_known else f"{_TOO_LONG} {error['message']}".rstrip()


FORM: Final = ErrorForm(
    dialect=DIALECT,
    words=MappingProxyType({category: Words(status) for category, status in _STATUSES.items()}),
    headers=re.compile("x-amzn-errortype|x-amzn-requestid|retry-after"),
    request_id="x-amzn-requestid",
    envelope=lambda written: {"message": written.message},
    message=_message,
)


def decode_error(
    body: Any,
    status: int | None = None,
    headers: Mapping[str, Any] | None = None,
    now: datetime | float | None = None,
) -> ApiError:
    """Return the canonical error of a body. Raises `DecodeError`."""
    return decode_api_error(body, FORM, status, headers, now)


def encode_error(error: ApiError, log: LossLog) -> tuple[int, dict[str, str], Any]:
    """Return status, headers and body of a canonical error; what does not come along is noted in the log."""
    return encode_api_error(error, FORM, log)
