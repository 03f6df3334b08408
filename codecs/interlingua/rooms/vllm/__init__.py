"""vLLM (`POST /v1/chat/completions` of its server): a room of the `_chat_completions` family.

Source: docs/wire/vllm.md; https://docs.vllm.ai/en/stable/serving/openai_compatible_server
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.rooms._chat_completions.tables import CALL_SPELLINGS
from interlingua.rooms._shared.lazy_imports import lazy_getattr
from interlingua.rooms.vllm.tables import DIALECT
from interlingua.spi.demands import Demands
from interlingua.spi.descriptor import Descriptor

if TYPE_CHECKING:
    from interlingua.rooms.vllm.decode import decode_request
    from interlingua.rooms.vllm.decode_answer import decode_response
    from interlingua.rooms.vllm.detection import SIGNS
    from interlingua.rooms.vllm.encode import encode_request
    from interlingua.rooms.vllm.encode_answer import encode_response
    from interlingua.rooms.vllm.errors import decode_error, encode_error
    from interlingua.rooms.vllm.families import FAMILIES
    from interlingua.rooms.vllm.members import MEMBERS
    from interlingua.rooms.vllm.rules import check_request
    from interlingua.rooms.vllm.stream_decoder import assemble_stream, decode_stream
    from interlingua.rooms.vllm.stream_encoder import encode_stream

__all__ = [
    "DESCRIPTOR", "FAMILIES", "MEMBERS", "SIGNS", "assemble_stream", "check_request", "decode_error", "decode_request",
    "decode_response", "decode_stream", "encode_error", "encode_request", "encode_response", "encode_stream",
]  # fmt: skip

DESCRIPTOR: Final = Descriptor(
    dialect=DIALECT,
    title="vLLM (/v1/chat/completions)",
    media=frozenset({"image", "audio"}),
    demands=Demands(results="unpaired", tied_by_id=False, distinct_ids="nowhere"),
    opaque_calls=True,
    spoken_answers=True,
    call_spellings=CALL_SPELLINGS,
    usage_on_request=True,
    reasoning_member="reasoning",
    request_id_header="x-request-id",
    enforces_schemas=True,
    pictures_of_user=True,
)

__getattr__ = lazy_getattr(__name__)
