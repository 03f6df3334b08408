"""OpenAI Responses (`POST /v1/responses`).

Source: reference/wire/openai_responses.md; https://platform.openai.com/docs/api-reference/responses
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlingua.dialects._shared.first_use import on_first_use
from interlingua.dialects.openai_responses.decode import decode_request
from interlingua.dialects.openai_responses.decode_answer import decode_response
from interlingua.dialects.openai_responses.encode import encode_request
from interlingua.dialects.openai_responses.encode_answer import encode_response
from interlingua.dialects.openai_responses.tables import API_VERSIONS, DIALECT, MESSAGES

if TYPE_CHECKING:
    from interlingua.dialects.openai_responses.rules import check_request
    from interlingua.dialects.openai_responses.stream_assembly import assemble_stream
    from interlingua.dialects.openai_responses.stream_decoder import decode_stream
    from interlingua.dialects.openai_responses.stream_encoder import encode_stream

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
