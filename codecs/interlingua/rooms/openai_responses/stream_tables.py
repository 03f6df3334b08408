"""Frame tables of Responses streams: which frames hold text, where it belongs, and what closes it.

Source: docs/wire/openai_responses.md, section 3.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.rooms.openai_responses.tables import CUSTOM_CALL, FUNCTION_CALL, REASONING_TEXT, SUMMARY_TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping


class TextFrames(NamedTuple):
    """The frames of a growing text: `delta` adds a piece of it, `done` repeats it whole.

    `item` is the type of its item, `place` the list in that item (empty: the item itself), `counter` the frame member
    that holds the index in that list, `event` the canonical event type, `member` the member that holds the text, `part`
    the type of the part.
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
FUNCTION_CALL_FRAMES: Final = _frames(
    "function_call_arguments", FUNCTION_CALL, "", "", "tool_call_delta", "arguments", ""
)
CUSTOM_CALL_FRAMES: Final = _frames("custom_tool_call_input", CUSTOM_CALL, "", "", "tool_call_delta", "input", "")

_TEXT_KINDS: Final = (
    OUTPUT_TEXT_FRAMES, REFUSAL_FRAMES, REASONING_SUMMARY_FRAMES, REASONING_TEXT_FRAMES, FUNCTION_CALL_FRAMES,
    CUSTOM_CALL_FRAMES,
)  # fmt: skip
DELTAS: Final[Mapping[str, TextFrames]] = MappingProxyType({text_kind.delta: text_kind for text_kind in _TEXT_KINDS})
DONES: Final[Mapping[str, TextFrames]] = MappingProxyType({text_kind.done: text_kind for text_kind in _TEXT_KINDS})
# The text frames of a part, by item type, list and part type.
PARTS: Final[Mapping[tuple[str, str, str], TextFrames]] = MappingProxyType(
    {(text_kind.item, text_kind.place, text_kind.part): text_kind for text_kind in _TEXT_KINDS if text_kind.place}
)
CALL_FRAMES: Final[Mapping[str, TextFrames]] = MappingProxyType(
    {text_kind.item: text_kind for text_kind in _TEXT_KINDS if not text_kind.place}
)
# Frames about a whole part: frame type -> (list, member with the index).
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

# Frame members: the frame's number, and padding that hides the length of a delta.
NUMBER: Final = "sequence_number"
PADDING: Final = "obfuscation"
ITEM_ADDED: Final = "response.output_item.added"
ITEM_DONE: Final = "response.output_item.done"
ANNOTATED: Final = "response.output_text.annotation.added"
# Frames about a place in the output -> the list in the item, and the member with the index in that list.
PLACES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    **{name: (text_kind.place, text_kind.counter) for kinds in (DELTAS, DONES) for name, text_kind in kinds.items()},
    **PARTS_ADDED, **PARTS_DONE, ANNOTATED: ("content", _CONTENT), **dict.fromkeys((ITEM_ADDED, ITEM_DONE), ("", "")),
})  # fmt: skip
# Frames with the whole response: at the start and at the end.
START_FRAMES: Final = frozenset({"response.created", "response.queued", "response.in_progress"})
TERMINALS: Final = frozenset({"response.completed", "response.incomplete", "response.failed"})

# Items of canonical types, as they are announced by habit.
ITEM_HABITS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({
    "message": {"type": "message", "role": "assistant", "status": "in_progress", "content": []},
    "reasoning": {"type": "reasoning", "summary": []},
    FUNCTION_CALL: {"type": FUNCTION_CALL, "status": "in_progress"},
    CUSTOM_CALL: {"type": CUSTOM_CALL, "status": "in_progress"},
})  # fmt: skip
# Parts as they are announced by habit.
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
