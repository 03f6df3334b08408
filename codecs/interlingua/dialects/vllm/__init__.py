"""vLLM (`POST /v1/chat/completions` of its server): a room of the `_chat_completions` family.

Source: reference/wire/vllm.md; https://docs.vllm.ai/en/stable/serving/openai_compatible_server
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlingua.dialects._shared.first_use import on_first_use
from interlingua.dialects.vllm.decode import decode_request, decode_response
from interlingua.dialects.vllm.encode import encode_request, encode_response
from interlingua.dialects.vllm.tables import API_VERSIONS, DIALECT, MESSAGES

if TYPE_CHECKING:
    from interlingua.dialects.vllm.rules import check_request
    from interlingua.dialects.vllm.stream_assembly import assemble_stream
    from interlingua.dialects.vllm.stream_decoder import decode_stream
    from interlingua.dialects.vllm.stream_encoder import encode_stream

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
