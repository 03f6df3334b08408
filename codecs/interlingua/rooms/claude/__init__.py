"""The Claude dialect (`POST /v1/messages`), both API versions.

Source: docs/wire/claude.md; https://platform.claude.com/docs/en/api/messages
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.lazy_imports import CARRIED_STATE, SERVERS, lazy_getattr
from interlingua.rooms.claude.tables import (
    API_VERSIONS,
    ASIDE,
    DIALECT,
    END_WORDS,
    HELD_BY_SERVER,
    RATE_LIMIT_HEADERS,
    REQUEST_ID_HEADER,
    TOLD_PARTS,
)
from interlingua.spi.demands import Demands, Limit
from interlingua.spi.descriptor import Descriptor, FetchTool, Wire
from interlingua.spi.marks import Marks

if TYPE_CHECKING:
    from interlingua.rooms.claude.carried_state import (
        CarriedInStream,
        with_carried_state,
        with_own_state,
        without_carried_state,
    )
    from interlingua.rooms.claude.client_tools import function_of_client_tool
    from interlingua.rooms.claude.decode import decode_request
    from interlingua.rooms.claude.decode_answer import decode_response
    from interlingua.rooms.claude.detection import SIGNS
    from interlingua.rooms.claude.encode import encode_request
    from interlingua.rooms.claude.encode_answer import encode_response
    from interlingua.rooms.claude.errors import decode_error, encode_error
    from interlingua.rooms.claude.families import FAMILIES
    from interlingua.rooms.claude.mcp_servers import servers_of, without_servers
    from interlingua.rooms.claude.members import MEMBERS
    from interlingua.rooms.claude.opaque_texts import texts_of_opaque
    from interlingua.rooms.claude.rules import check_request
    from interlingua.rooms.claude.stream_decoder import assemble_stream, decode_stream
    from interlingua.rooms.claude.stream_encoder import encode_stream

__all__ = [
    "DESCRIPTOR", "FAMILIES", "MEMBERS", "SIGNS", "CarriedInStream", "assemble_stream", "check_request", "decode_error",
    "decode_request", "decode_response", "decode_stream", "encode_error", "encode_request", "encode_response",
    "encode_stream", "function_of_client_tool", "servers_of", "texts_of_opaque", "with_carried_state", "with_own_state",
    "without_carried_state", "without_servers",
]  # fmt: skip

DESCRIPTOR: Final = Descriptor(
    dialect=DIALECT,
    title="Claude (Anthropic Messages)",
    also_called=("anthropic", "messages"),
    api_versions=API_VERSIONS,
    wire=Wire(is_named=True),
    media=frozenset({"image", "file"}),
    demands=Demands(
        distinct_ids="conversation",
        texts="spoken",
        blocks_on_top=True,
        unbegun_answer=True,
        lists=True,
        failed_results=True,
        placed_instructions=True,
        trimmed_end=True,
        signed=True,
        paired_server_results=True,
        ids=Limit(None),
        names=Limit(128),
    ),
    signed_state="thinking_blocks",
    hides_reasoning=True,
    carries_state=True,
    seals_state=True,
    thinks_if_asked=True,
    chooses_served=True,
    fetch_tool=FetchTool(
        ("web_fetch_2",),
        {"type": "web_fetch_20250910", "name": "web_fetch"},
        frozenset({"allowed_domains", "blocked_domains", "max_uses", "max_content_tokens"}),
    ),
    names_servers=True,
    client_tools=True,
    request_id_header=REQUEST_ID_HEADER,
    rate_limit_headers=RATE_LIMIT_HEADERS,
    held_by_server=HELD_BY_SERVER,
    aside=ASIDE,
    told_parts=TOLD_PARTS,
    fails_silently=True,
    tool_examples="input_examples",
    end_words=tuple(("fields", *way) for way in END_WORDS),
    marks=Marks(
        parts=frozenset({"tool_use", "tool_result", "server_tool_use", "thinking", "redacted_thinking", "document"}),
        part_members={"image": "source"},
    ),
    tells_opaque=True,
    enforces_schemas=True,
    pictures_of_user=True,
)


__getattr__ = lazy_getattr(
    __name__, texts_of_opaque="opaque_texts", function_of_client_tool="client_tools", **CARRIED_STATE, **SERVERS
)
