"""Bedrock's errors: a message, a status code, and the name of the exception in a header.

Source: docs/wire/bedrock_converse.md, section 5; docs/provider_errors.md
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.api_errors import ErrorForm, Words
from interlingua.rooms.bedrock_converse.tables import DIALECT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import ApiError, ErrorCategory

__all__ = ["FORM", "decode_error", "encode_error"]

_WORDS: Final[Mapping[ErrorCategory, Words]] = MappingProxyType({
    "invalid_request": Words(400, "ValidationException"),
    "authentication": Words(401, "UnrecognizedClientException"),
    "permission": Words(403, "AccessDeniedException"),
    "not_found": Words(404, "ResourceNotFoundException"),
    "request_too_large": Words(413, "ValidationException"),
    "context_overflow": Words(400, "ValidationException"),
    "output_overflow": Words(400, "ValidationException"),
    "rate_limit": Words(429, "ThrottlingException"),
    "quota": Words(402, "ServiceQuotaExceededException"),
    "overloaded": Words(503, "ServiceUnavailableException"),
    "server_error": Words(500, "InternalServerException"),
    "timeout": Words(408, "ModelTimeoutException"),
    "content_filtered": Words(400, "ValidationException"),
    "cancelled": Words(499),
    "unavailable": Words(503, "ServiceUnavailableException"),
    "unknown": Words(500, "InternalServerException"),
})  # fmt: skip
_TOO_LONG: Final = "Input is too long for requested model."


def _message(error: ApiError) -> str:
    is_known = error["category"] != "context_overflow" or "too long for requested" in error["message"]
    return error["message"] if is_known else f"{_TOO_LONG} {error['message']}".rstrip()


FORM: Final = ErrorForm(
    dialect=DIALECT,
    words=_WORDS,
    headers=re.compile("x-amzn-errortype|x-amzn-requestid|retry-after"),
    request_id="x-amzn-requestid",
    type_header="x-amzn-errortype",
    envelope=lambda written: {"message": written.message},
    message=_message,
)

decode_error: Final = FORM.decode
encode_error: Final = FORM.encode
