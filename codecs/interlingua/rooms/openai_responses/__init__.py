"""The OpenAI Responses dialect (`POST /v1/responses`).

Source: docs/wire/openai_responses.md; https://platform.openai.com/docs/api-reference/responses
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.lazy_imports import CARRIED_STATE, lazy_getattr
from interlingua.rooms.openai_responses.tables import (
    CLIENT_TOOL,
    DIALECT,
    HELD_BY_SERVER,
    HELD_ITEMS,
    RATE_LIMIT_HEADERS,
    REQUEST_ID_HEADER,
)
from interlingua.spi.demands import Demands, Limit
from interlingua.spi.descriptor import Descriptor, Wire
from interlingua.spi.marks import Marks

if TYPE_CHECKING:
    from interlingua.rooms.openai_responses.carried_state import (
        CarriedInStream,
        with_carried_state,
        with_own_state,
        without_carried_state,
    )
    from interlingua.rooms.openai_responses.client_tools import (
        function_of_client_tool,
        is_of_client_call,
        message_of_client_item,
        whole_item,
    )
    from interlingua.rooms.openai_responses.decode import decode_request, tools_of_item
    from interlingua.rooms.openai_responses.decode_answer import decode_response
    from interlingua.rooms.openai_responses.detection import SIGNS
    from interlingua.rooms.openai_responses.encode import encode_request
    from interlingua.rooms.openai_responses.encode_answer import encode_response
    from interlingua.rooms.openai_responses.errors import decode_error, encode_error
    from interlingua.rooms.openai_responses.families import FAMILIES
    from interlingua.rooms.openai_responses.mcp_servers import tool_of_server
    from interlingua.rooms.openai_responses.members import MEMBERS
    from interlingua.rooms.openai_responses.opaque_texts import texts_of_opaque
    from interlingua.rooms.openai_responses.rules import check_request
    from interlingua.rooms.openai_responses.stream_decoder import assemble_stream, decode_stream
    from interlingua.rooms.openai_responses.stream_encoder import encode_stream

__all__ = [
    "DESCRIPTOR", "FAMILIES", "MEMBERS", "SIGNS", "CarriedInStream", "assemble_stream", "check_request", "decode_error",
    "decode_request", "decode_response", "decode_stream", "encode_error", "encode_request", "encode_response",
    "encode_stream", "function_of_client_tool", "is_of_client_call", "message_of_client_item", "texts_of_opaque",
    "tool_of_server", "tools_of_item", "whole_item", "with_carried_state", "with_own_state", "without_carried_state",
]  # fmt: skip

# Call items that the client answers -> the items that answer them.
_ANSWERED: Final = MappingProxyType(
    {call: f"{call}_output" for call in ("computer_call", "shell_call", "local_shell_call", "apply_patch_call")}
)
# Item types that identify the dialect by their name alone.
_OWN_ITEMS: Final = (
    *_ANSWERED,
    *_ANSWERED.values(),
    "code_interpreter_call",
    "file_search_call",
    "image_generation_call",
    "item_reference",
    "mcp_approval_request",
    "mcp_approval_response",
    "mcp_call",
    "mcp_list_tools",
    "tool_search_call",
    "tool_search_output",
    "web_search_call",
)

DESCRIPTOR: Final = Descriptor(
    dialect=DIALECT,
    title="OpenAI Responses",
    unfinished=("queued", "in_progress"),
    also_called=("openai", "responses"),
    held_by_server=HELD_BY_SERVER,
    held_items=HELD_ITEMS,
    messages="input",
    wire=Wire(is_named=True),
    media=frozenset({"image", "file"}),
    demands=Demands(
        results="anywhere",
        several_results=True,
        distinct_ids="nowhere",
        followed_reasoning=True,
        item_ids=MappingProxyType({"message": "msg", "reasoning": "rs", "call": "fc", "custom": "ctc"}),
        answered_items=_ANSWERED,
        ids=Limit(64, any_character=True),
        names=Limit(128),
    ),
    signed_state="reasoning",
    carries_state=True,
    seals_state=True,
    state_on_request=True,
    hides_reasoning=True,
    explains_failures=True,
    remembers_calls=True,
    tools=frozenset({"function", "custom", "namespace"}),
    call_group="namespace",
    chooses_served=True,
    client_tools=True,
    takes_servers=True,
    call_tool=CLIENT_TOOL,
    request_id_header=REQUEST_ID_HEADER,
    rate_limit_headers=RATE_LIMIT_HEADERS,
    marks=Marks(
        parts=frozenset({"input_text", "input_image", "input_file", "output_text"}),
        items={
            "function_call": ("call_id", "name"),
            "function_call_output": ("call_id",),
            "custom_tool_call": ("call_id", "name"),
            "custom_tool_call_output": ("call_id",),
            **dict.fromkeys(_OWN_ITEMS, ()),
        },
        listed_items={"reasoning": "summary"},
    ),
    tells_opaque=True,
    strict_schemas=True,
    pictures_of_user=True,
)

_CLIENT_TOOLS: Final = dict.fromkeys(
    ("function_of_client_tool", "is_of_client_call", "message_of_client_item", "whole_item"), "client_tools"
)

__getattr__ = lazy_getattr(
    __name__,
    texts_of_opaque="opaque_texts",
    tools_of_item="decode",
    tool_of_server="mcp_servers",
    **_CLIENT_TOOLS,
    **CARRIED_STATE,
)
