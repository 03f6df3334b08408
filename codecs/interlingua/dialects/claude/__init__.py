"""Claude (`POST /v1/messages`), both API versions.

Source: reference/wire/claude.md; https://platform.claude.com/docs/en/api/messages
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlingua.dialects._shared.first_use import on_first_use
from interlingua.dialects.claude.decode import decode_request
from interlingua.dialects.claude.decode_answer import decode_response
from interlingua.dialects.claude.encode import encode_request
from interlingua.dialects.claude.encode_answer import encode_response
from interlingua.dialects.claude.tables import API_VERSIONS, DIALECT, MESSAGES

if TYPE_CHECKING:
    from interlingua.dialects.claude.rules import check_request
    from interlingua.dialects.claude.stream_assembly import assemble_stream
    from interlingua.dialects.claude.stream_decoder import decode_stream
    from interlingua.dialects.claude.stream_encoder import encode_stream

__all__ = [
    "API_VERSIONS",
    "DIALECT",
    "MESSAGES",
    "assemble_stream",
    "check_request",
    "decode_request",
    "decode_response",
    "decode_stream",
    "encode_request",
    "encode_response",
    "encode_stream",
]

__getattr__ = on_first_use(__name__)
