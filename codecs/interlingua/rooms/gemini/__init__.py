"""The Gemini dialect (`models/{model}:generateContent`), for the Developer API and the Agent Platform alike.

Source: docs/wire/gemini.md; https://ai.google.dev/api/generate-content
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.lazy_imports import CARRIED_STATE, SERVERS, lazy_getattr
from interlingua.rooms.gemini.tables import API_VERSIONS, BLOCK_WORDS, DIALECT, END_WORDS, HELD_BY_SERVER
from interlingua.spi.demands import Demands, Limit
from interlingua.spi.descriptor import Descriptor, FetchTool
from interlingua.spi.marks import Marks

if TYPE_CHECKING:
    from interlingua.rooms.gemini.carried_state import (
        CarriedInStream,
        with_carried_state,
        with_own_state,
        without_carried_state,
    )
    from interlingua.rooms.gemini.decode import decode_request
    from interlingua.rooms.gemini.decode_answer import decode_response
    from interlingua.rooms.gemini.detection import SIGNS
    from interlingua.rooms.gemini.encode import encode_request
    from interlingua.rooms.gemini.encode_answer import encode_response
    from interlingua.rooms.gemini.errors import decode_error, encode_error
    from interlingua.rooms.gemini.families import FAMILIES
    from interlingua.rooms.gemini.mcp_servers import servers_of, without_servers
    from interlingua.rooms.gemini.members import MEMBERS
    from interlingua.rooms.gemini.opaque_texts import texts_of_opaque
    from interlingua.rooms.gemini.rules import check_request
    from interlingua.rooms.gemini.stream_decoder import assemble_stream, decode_stream
    from interlingua.rooms.gemini.stream_encoder import encode_stream
    from interlingua.rooms.gemini.wrapped_results import with_results_unwrapped

__all__ = [
    "DESCRIPTOR", "FAMILIES", "MEMBERS", "SIGNS", "CarriedInStream", "assemble_stream", "check_request", "decode_error",
    "decode_request", "decode_response", "decode_stream", "encode_error", "encode_request", "encode_response",
    "encode_stream", "servers_of", "texts_of_opaque", "with_carried_state", "with_own_state", "with_results_unwrapped",
    "without_carried_state", "without_servers",
]  # fmt: skip

DESCRIPTOR: Final = Descriptor(
    dialect=DIALECT,
    title="Gemini (generateContent)",
    also_called=("google", "vertex", "generate_content"),
    api_versions=API_VERSIONS,
    messages="contents",
    media=frozenset({"image", "audio", "file"}),
    demands=Demands(
        tied_by_id=False,
        distinct_ids="nowhere",
        named_results="demanded",
        one_wire_message=True,
        user_before_calls=True,
        texts="filled",
        lists=True,
        names=Limit(64, also=".:", leads=True),
    ),
    fetch_tool=FetchTool(("urlContext", "url_context"), {"urlContext": {}}),
    names_servers=True,
    spoken_answers=True,
    wraps_results=True,
    held_by_server=HELD_BY_SERVER,
    signed_state="thought_signatures",
    placed_state="thought_signatures",
    carries_state=True,
    seals_state=True,
    marks=Marks(lists=dict.fromkeys((None, "user", "model", "function"), "parts")),
    end_words=(*(("candidate", *way) for way in END_WORDS), *(("fields", *way) for way in BLOCK_WORDS)),
    in_pieces=True,
    splits_texts=True,
    tells_opaque=True,
    enforces_schemas=True,
)


__getattr__ = lazy_getattr(
    __name__, texts_of_opaque="opaque_texts", with_results_unwrapped="wrapped_results", **SERVERS, **CARRIED_STATE
)
