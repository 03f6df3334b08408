"""vLLM (`POST /v1/chat/completions` of its server): a room of the `_chat_completions` family.

Source: reference/wire/vllm.md; https://docs.vllm.ai/en/stable/serving/openai_compatible_server
"""

from __future__ import annotations

from interlingua.dialects.vllm.decode import decode_request, decode_response
from interlingua.dialects.vllm.encode import encode_request, encode_response
from interlingua.dialects.vllm.tables import API_VERSIONS, DIALECT

__all__ = ["API_VERSIONS", "DIALECT", "decode_request", "decode_response", "encode_request", "encode_response"]
