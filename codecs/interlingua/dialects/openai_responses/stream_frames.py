"""The frames of Responses: each made of what has been said so far, numbered, and taken note of.

Source: reference/wire/openai_responses.md section 3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.dialects.openai_responses.stream_assembly import Assembly, Item, Part
from interlingua.dialects.openai_responses.stream_tables import (
    ANNOTATED,
    DONE,
    INDEXES,
    ITEM_ADDED,
    ITEM_DONE,
    PART_DONE,
    PART_FRAMES,
    SAYS,
    TEXT_DONE,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.dialects._shared.stream import Frame
    from interlingua.dialects.openai_responses.stream_tables import Voice


class FrameMaker:
    """Makes frames, and learns from those that are written: their numbers, and how this provider writes pieces."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Begin anew."""
        self.assembly = Assembly()
        self.sequence: int | None = 0  # of the next frame; None: frames have no number
        self.logprobs = True  # whether pieces of text have a list of these
        self.opening: int | None = None  # the block that the next part or item is
        self.blocks: dict[int, Part | Item] = {}

    def learn(self, frames: Iterable[Frame]) -> None:
        """Take note of frames as they are written."""
        assembly = self.assembly
        assembly.begin_frames()
        for frame in frames:
            if type(frame) is not dict:
                continue
            assembly.take(frame)
            number = frame.get("sequence_number")
            self.sequence = number + 1 if type(number) is int else None
            if frame.get("type") == SAYS.delta:
                self.logprobs = "logprobs" in frame
        if self.opening is not None and assembly.opened is not None:
            self.bind(self.opening, assembly.opened)
        self.opening = None

    def bind(self, block: int, opened: Part | Item) -> None:
        """Say which block a part or an item is; a call is the text of its arguments."""
        if isinstance(opened, Item) and opened.said is not None:
            opened = opened.said
        self.blocks[block] = opened
        opened.block = block

    def number(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Give a frame its number."""
        if self.sequence is not None:
            frame["sequence_number"] = self.sequence
            self.sequence += 1
        return frame

    def lifecycle(self, name: str, response: dict[str, Any]) -> dict[str, Any]:
        """Return a frame that holds the whole response."""
        return self.number({"type": f"response.{name}", "response": response})

    def item_added(self, index: int, wire: dict[str, Any]) -> dict[str, Any]:
        """Return the frame that announces an item."""
        return self.number({"type": ITEM_ADDED, "output_index": index, "item": wire})

    def part_added(self, item: tuple[int, Any], place: str, index: int, part: dict[str, Any]) -> dict[str, Any]:
        """Return the frame that announces a part of an item, which is given by its index and id."""
        return self._placed(f"{PART_FRAMES[place]}.added", item, INDEXES[place], index, {"part": part})

    def delta(self, voice: Voice, item: tuple[int, Any], index: int, text: str) -> dict[str, Any]:
        """Return a piece of a text."""
        said: dict[str, Any] = {"delta": text}
        if voice is SAYS and self.logprobs:
            said["logprobs"] = []
        return self._placed(voice.delta, item, voice.counter, index, said)

    def piece(self, part: Part, voice: Voice, text: str) -> dict[str, Any]:
        """Return a piece of an open text, and take note of it: nearly all frames are such pieces."""
        item = part.item
        frame: dict[str, Any] = {"type": voice.delta, "item_id": item.id, "output_index": item.index}
        if item.id is None:
            del frame["item_id"]
        if voice.counter:
            frame[voice.counter] = part.index
        frame["delta"] = text
        if voice is SAYS and self.logprobs:
            frame["logprobs"] = []
        if self.sequence is not None:
            frame["sequence_number"] = self.sequence
            self.sequence += 1
        part.pieces.append(text)
        return frame

    def annotated(self, part: Part, annotation: dict[str, Any]) -> dict[str, Any]:
        """Return the frame of an annotation of a text."""
        said = {"annotation_index": len(part.annotations), "annotation": annotation}
        return self._placed(ANNOTATED, _address(part), SAYS.counter, part.index, said)

    def closing(self, block: Part | Item, name: str, status: str = "completed") -> list[Frame]:
        """Return a frame that closes a part, or its item, by its name."""
        part = block if isinstance(block, Part) else None
        item = block if isinstance(block, Item) else block.item
        if name == DONE:
            return [self.number({"type": ITEM_DONE, "output_index": item.index, "item": item.ended(status)})]
        return [] if part is None else self._closing_part(part, name)

    def _closing_part(self, part: Part, name: str) -> list[Frame]:
        voice = part.voice
        if name == TEXT_DONE and voice is not None:
            said: dict[str, Any] = {voice.member: part.text()}
            if voice is SAYS and self.logprobs:
                said["logprobs"] = list(part.logprobs)
            return [self._placed(voice.done, _address(part), voice.counter, part.index, said)]
        if name == PART_DONE and part.place:
            kind = f"{PART_FRAMES[part.place]}.done"
            return [self._placed(kind, _address(part), INDEXES[part.place], part.index, {"part": part.made()})]
        return []

    def _placed(
        self, kind: str, item: tuple[int, Any], counter: str, index: int, said: dict[str, Any]
    ) -> dict[str, Any]:
        """Return a frame about a place in an item."""
        frame: dict[str, Any] = {"type": kind, "output_index": item[0]}
        if item[1] is not None:
            frame["item_id"] = item[1]
        if counter:
            frame[counter] = index
        return self.number(frame | said)


def _address(part: Part) -> tuple[int, Any]:
    return part.item.index, part.item.id
