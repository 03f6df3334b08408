"""OpenAI Chat Completions (`POST /v1/chat/completions`): a room of the `_chat_completions` family.

Source: reference/wire/openai_chat.md; https://platform.openai.com/docs/api-reference/chat
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlingua.dialects._shared.first_use import on_first_use
from interlingua.dialects.openai_chat.decode import decode_request, decode_response
from interlingua.dialects.openai_chat.encode import encode_request, encode_response
from interlingua.dialects.openai_chat.tables import API_VERSIONS, DIALECT, MESSAGES

if TYPE_CHECKING:
    from interlingua.dialects.openai_chat.rules import check_request
    from interlingua.dialects.openai_chat.stream_assembly import assemble_stream
    from interlingua.dialects.openai_chat.stream_decoder import decode_stream
    from interlingua.dialects.openai_chat.stream_encoder import encode_stream

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
