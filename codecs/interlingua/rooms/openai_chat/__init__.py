"""OpenAI Chat Completions (`POST /v1/chat/completions`): a room of the `_chat_completions` family.

Source: docs/wire/openai_chat.md; https://platform.openai.com/docs/api-reference/chat
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.rooms._chat_completions.tables import CALL_SPELLINGS
from interlingua.rooms._shared.lazy_imports import lazy_getattr
from interlingua.rooms.openai_chat.tables import DIALECT, RATE_LIMIT_HEADERS, REQUEST_ID_HEADER
from interlingua.spi.demands import Demands, Limit
from interlingua.spi.descriptor import Descriptor, FetchTool
from interlingua.spi.marks import Marks, NestedCall

if TYPE_CHECKING:
    from interlingua.rooms.openai_chat.decode import decode_request
    from interlingua.rooms.openai_chat.decode_answer import decode_response
    from interlingua.rooms.openai_chat.detection import SIGNS
    from interlingua.rooms.openai_chat.encode import encode_request
    from interlingua.rooms.openai_chat.encode_answer import encode_response
    from interlingua.rooms.openai_chat.errors import decode_error, encode_error
    from interlingua.rooms.openai_chat.families import FAMILIES
    from interlingua.rooms.openai_chat.members import MEMBERS
    from interlingua.rooms.openai_chat.rules import check_request
    from interlingua.rooms.openai_chat.stream_decoder import assemble_stream, decode_stream
    from interlingua.rooms.openai_chat.stream_encoder import encode_stream

__all__ = [
    "DESCRIPTOR", "FAMILIES", "MEMBERS", "SIGNS", "assemble_stream", "check_request", "decode_error", "decode_request",
    "decode_response", "decode_stream", "encode_error", "encode_request", "encode_response", "encode_stream",
]  # fmt: skip

DESCRIPTOR: Final = Descriptor(
    dialect=DIALECT,
    title="OpenAI Chat Completions",
    also_called=("openai", "chat_completions", "azure"),
    media=frozenset({"image", "audio", "file"}),
    demands=Demands(
        results="after_message", lists=True, ids=Limit(40, any_character=True), names=Limit(64), speakers=64
    ),
    opaque_calls=True,
    spoken_answers=True,
    tools=frozenset({"function", "custom"}),
    fetch_tool=FetchTool(("openrouter:web_fetch",)),
    call_spellings=CALL_SPELLINGS,
    fails_silently=True,
    usage_on_request=True,
    reasoning_member="reasoning_content",
    carries_state=True,
    request_id_header=REQUEST_ID_HEADER,
    rate_limit_headers=RATE_LIMIT_HEADERS,
    marks=Marks(
        parts=frozenset({"image_url", "input_audio", "refusal"}),
        part_members={"file": "file"},
        roles={"function": "name"},
        call="function_call",
        calls=(NestedCall("function", arguments="other"), NestedCall("custom", type="custom")),
        results={"tool_call_id": "list"},
    ),
    strict_schemas=True,
    pictures_of_user=True,
)

__getattr__ = lazy_getattr(__name__)
