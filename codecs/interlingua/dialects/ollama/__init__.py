"""Ollama (`POST /api/chat`), the native form; its OpenAI-compatible address speaks `openai_chat`.

Source: reference/wire/ollama.md; https://docs.ollama.com/api/chat
"""

from __future__ import annotations

from interlingua.dialects.ollama.decode import decode_request
from interlingua.dialects.ollama.decode_answer import decode_response
from interlingua.dialects.ollama.encode import encode_request
from interlingua.dialects.ollama.encode_answer import encode_response
from interlingua.dialects.ollama.tables import API_VERSIONS, DIALECT

__all__ = ["API_VERSIONS", "DIALECT", "decode_request", "decode_response", "encode_request", "encode_response"]
