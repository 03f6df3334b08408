"""The vocabulary of the stream of Responses: which frames speak, where what they say stands, and what closes it.

Source: docs/wire/openai_responses.md, section 3.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.rooms.openai_responses.tables import CUSTOM_CALL, FUNCTION_CALL, REASONING_TEXT, SUMMARY_TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping


class TextFrames(NamedTuple):
    """A text that grows by frames of its own: `delta` brings a piece of it, `done` repeats it whole.

    `item` is the type of the item that it stands in, `place` the list of that item (empty: the item itself), `counter`
    the member of frames that counts in that list, `event` the canonical event, `member` the member that holds the text,
    `part` the type of the part.
    """

    delta: str
    done: str
    item: str
    place: str
    counter: str
    event: str
    member: str
    part: str


_CONTENT, _SUMMARY = "content_index", "summary_index"


def _frames(name: str, *said: str) -> TextFrames:
    return TextFrames(f"response.{name}.delta", f"response.{name}.done", *said)


OUTPUT_TEXT_FRAMES: Final = _frames("output_text", "message", "content", _CONTENT, "content", "text", "output_text")
REFUSAL_FRAMES: Final = _frames("refusal", "message", "content", _CONTENT, "refusal", "refusal", "refusal")
REASONING_SUMMARY_FRAMES: Final = _frames(
    "reasoning_summary_text", "reasoning", "summary", _SUMMARY, "reasoning", "text", SUMMARY_TEXT
)
REASONING_TEXT_FRAMES: Final = _frames(
    "reasoning_text", "reasoning", "content", _CONTENT, "reasoning", "text", REASONING_TEXT
)
CALLS_FUNCTION: Final = _frames("function_call_arguments", FUNCTION_CALL, "", "", "tool_call_delta", "arguments", "")
CALLS_CUSTOM: Final = _frames("custom_tool_call_input", CUSTOM_CALL, "", "", "tool_call_delta", "input", "")

_VOICES: Final = (
    OUTPUT_TEXT_FRAMES,
    REFUSAL_FRAMES,
    REASONING_SUMMARY_FRAMES,
    REASONING_TEXT_FRAMES,
    CALLS_FUNCTION,
    CALLS_CUSTOM,
)
DELTAS: Final[Mapping[str, TextFrames]] = MappingProxyType({voice.delta: voice for voice in _VOICES})
DONES: Final[Mapping[str, TextFrames]] = MappingProxyType({voice.done: voice for voice in _VOICES})
# The text of a part, by the type of its item, the list that it stands in, and its own type.
PARTS: Final[Mapping[tuple[str, str, str], TextFrames]] = MappingProxyType(
    {(voice.item, voice.place, voice.part): voice for voice in _VOICES if voice.place}
)
CALLERS: Final[Mapping[str, TextFrames]] = MappingProxyType({voice.item: voice for voice in _VOICES if not voice.place})
# Frames about a whole part: type of the frame -> (list, member that counts in it).
PARTS_ADDED: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "response.content_part.added": ("content", _CONTENT),
    "response.reasoning_summary_part.added": ("summary", _SUMMARY),
})  # fmt: skip
PARTS_DONE: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {name.replace("added", "done"): value for name, value in PARTS_ADDED.items()}
)
PART_FRAMES: Final[Mapping[str, str]] = MappingProxyType(
    {place: name.removesuffix(".added") for name, (place, _) in PARTS_ADDED.items()}
)
INDEXES: Final[Mapping[str, str]] = MappingProxyType(dict(PARTS_ADDED.values()))

# Members of frames: what counts them, and a text of any length that hides how long a piece is.
NUMBER: Final = "sequence_number"
PADDING: Final = "obfuscation"
ITEM_ADDED: Final = "response.output_item.added"
ITEM_DONE: Final = "response.output_item.done"
ANNOTATED: Final = "response.output_text.annotation.added"
# Frames that hold the whole response: those that begin it, and those that end it.
START_FRAMES: Final = frozenset({"response.created", "response.queued", "response.in_progress"})
TERMINALS: Final = frozenset({"response.completed", "response.incomplete", "response.failed"})

# What an item of a canonical type looks like when it is announced.
ITEM_HABITS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({
    "message": {"type": "message", "role": "assistant", "status": "in_progress", "content": []},
    "reasoning": {"type": "reasoning", "summary": []},
    FUNCTION_CALL: {"type": FUNCTION_CALL, "status": "in_progress"},
    CUSTOM_CALL: {"type": CUSTOM_CALL, "status": "in_progress"},
})  # fmt: skip
# What a part looks like when it is announced.
PART_HABITS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({
    "output_text": {"type": "output_text", "text": "", "annotations": [], "logprobs": []},
    "refusal": {"type": "refusal", "refusal": ""},
    SUMMARY_TEXT: {"type": SUMMARY_TEXT, "text": ""},
    REASONING_TEXT: {"type": REASONING_TEXT, "text": ""},
})  # fmt: skip

# The names of frames in `spelling.frames`.
ADDED, PART_ADDED, DELTA, TEXT_DONE, PART_DONE, DONE = (
    "item.added", "part.added", "delta", "text.done", "part.done", "item.done"
)  # fmt: skip
