"""Gemini (`models/{model}:generateContent`), the Developer API and the Agent Platform alike.

Source: reference/wire/gemini.md; https://ai.google.dev/api/generate-content
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlingua.dialects._shared.first_use import on_first_use
from interlingua.dialects.gemini.decode import decode_request
from interlingua.dialects.gemini.decode_answer import decode_response
from interlingua.dialects.gemini.encode import encode_request
from interlingua.dialects.gemini.encode_answer import encode_response
from interlingua.dialects.gemini.tables import API_VERSIONS, DIALECT, MESSAGES

if TYPE_CHECKING:
    from interlingua.dialects.gemini.rules import check_request
    from interlingua.dialects.gemini.stream_assembly import assemble_stream
    from interlingua.dialects.gemini.stream_decoder import decode_stream
    from interlingua.dialects.gemini.stream_encoder import encode_stream

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
