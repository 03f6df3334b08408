"""Ollama (`POST /api/chat`), the native API; its OpenAI-compatible endpoint is `openai_chat`.

Source: docs/wire/ollama.md; https://docs.ollama.com/api/chat
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.lazy_imports import lazy_getattr
from interlingua.rooms.ollama.tables import DIALECT
from interlingua.spi.demands import Demands
from interlingua.spi.descriptor import Descriptor, Wire
from interlingua.spi.marks import Marks, NestedCall

if TYPE_CHECKING:
    from interlingua.rooms.ollama.decode import decode_request
    from interlingua.rooms.ollama.decode_answer import decode_response
    from interlingua.rooms.ollama.detection import SIGNS
    from interlingua.rooms.ollama.encode import encode_request
    from interlingua.rooms.ollama.encode_answer import encode_response
    from interlingua.rooms.ollama.errors import decode_error, encode_error
    from interlingua.rooms.ollama.families import FAMILIES
    from interlingua.rooms.ollama.members import MEMBERS
    from interlingua.rooms.ollama.rules import check_request
    from interlingua.rooms.ollama.stream_decoder import assemble_stream, decode_stream
    from interlingua.rooms.ollama.stream_encoder import encode_stream

__all__ = [
    "DESCRIPTOR", "FAMILIES", "MEMBERS", "SIGNS", "assemble_stream", "check_request", "decode_error", "decode_request",
    "decode_response", "decode_stream", "encode_error", "encode_request", "encode_response", "encode_stream",
]  # fmt: skip

DESCRIPTOR: Final = Descriptor(
    dialect=DIALECT,
    title="Ollama (/api/chat)",
    wire=Wire("ndjson"),
    media=frozenset({"image"}),
    demands=Demands(results="unpaired", tied_by_id=False, distinct_ids="nowhere", named_results="welcome"),
    opaque_calls=True,
    fails_silently=True,
    marks=Marks(
        lists={"user": "images"}, calls=(NestedCall("function", arguments="object"),), results={"tool_name": "any"}
    ),
    enforces_schemas=True,
)

__getattr__ = lazy_getattr(__name__)
