"""Ollama (`POST /api/chat`), the native form; its OpenAI-compatible address speaks `openai_chat`.

Source: reference/wire/ollama.md; https://docs.ollama.com/api/chat
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlingua.dialects._shared.first_use import on_first_use
from interlingua.dialects.ollama.decode import decode_request
from interlingua.dialects.ollama.decode_answer import decode_response
from interlingua.dialects.ollama.encode import encode_request
from interlingua.dialects.ollama.encode_answer import encode_response
from interlingua.dialects.ollama.tables import API_VERSIONS, DIALECT, MESSAGES

if TYPE_CHECKING:
    from interlingua.dialects.ollama.rules import check_request
    from interlingua.dialects.ollama.stream_assembly import assemble_stream
    from interlingua.dialects.ollama.stream_decoder import decode_stream
    from interlingua.dialects.ollama.stream_encoder import encode_stream

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
