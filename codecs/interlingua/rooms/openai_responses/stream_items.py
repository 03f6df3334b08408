"""The state of a Responses stream: its items so far, and the whole response at the end.

The writer keeps one of these for the frames that it has written, since most frames repeat what came before; so does a
reader. A frame that does not fit is ignored. Source: docs/wire/openai_responses.md, section 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from interlingua.rooms.openai_responses.stream_tables import (
    ANNOTATED,
    CALL_FRAMES,
    DELTAS,
    ITEM_ADDED,
    ITEM_DONE,
    ITEM_HABITS,
    NUMBER,
    OUTPUT_TEXT_FRAMES,
    PART_HABITS,
    PARTS,
    PARTS_ADDED,
    PLACES,
    START_FRAMES,
    TERMINALS,
)
from interlingua.rooms.openai_responses.tables import FUNCTION_CALL
from interlingua.tool_arguments import are_whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.rooms._shared.stream_writer import Frame
    from interlingua.rooms.openai_responses.stream_tables import TextFrames


class Announced(NamedTuple):
    """An item that a frame has announced, without a part so far: the frame as it came, its place in the output."""

    frame: dict[str, Any]
    place: int
    item: dict[str, Any]


class Part:
    """A block: a part, or a whole item (`place` is empty). Its pieces are joined when they are needed.

    `text_kind` are the frames of its text: None for a part without a known text, and for an item that is not a call.
    `announced` is the text that the part was announced with, until a delta comes: proxies repeat it in deltas.
    """

    __slots__ = (
        "annotations",
        "announced",
        "block",
        "closed",
        "index",
        "item",
        "logprobs",
        "pieces",
        "place",
        "text_kind",
        "wire",
    )

    def __init__(self, item: Item, text_kind: TextFrames | None, place: str, index: int, wire: dict[str, Any]) -> None:
        self.item = item
        self.text_kind = text_kind
        self.place = place
        self.index = index
        self.wire = wire
        self.block: int | None = None
        self.closed = False
        given = wire.get(text_kind.member) if text_kind is not None else None
        self.announced: str = given if type(given) is str else ""
        self.pieces: list[str] = []
        self.annotations: list[Any] = []
        self.logprobs: list[Any] = []

    def text(self) -> str:
        """Return the text so far."""
        return self.announced or self.said()

    def said(self) -> str:
        """Return the text of the deltas so far."""
        if len(self.pieces) > 1:
            self.pieces[:] = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""

    def unsaid(self, text: str) -> str:
        """Return the announced text if a delta continues it, or "" if the deltas repeat it."""
        is_again = self.announced.startswith(text) or text.startswith(self.announced)
        return "" if is_again or (self.item.kind == FUNCTION_CALL and are_whole(self.announced)) else self.announced

    def add(self, text: str) -> None:
        """Add a delta."""
        if text and self.announced:
            self.pieces.append(self.unsaid(text))
            self.announced = ""
        self.pieces.append(text)

    def made(self) -> dict[str, Any]:
        """Return the part as it is now."""
        if self.text_kind is None:
            return self.wire
        out = {**self.wire, self.text_kind.member: self.text()}
        for name, said in (("annotations", self.annotations), ("logprobs", self.logprobs)):
            if said:
                out[name] = list(said)
        return out


class Item:
    """An output item: as announced, with its parts; once done, as its last frame has it."""

    __slots__ = ("done", "id", "index", "kind", "wire", "whole", "_counts", "_parts")  # noqa: RUF023  # the private ones last

    def __init__(self, index: int, wire: dict[str, Any]) -> None:
        self.index = index
        self.wire = wire
        kind = wire.get("type", "message")
        self.kind: str = kind if type(kind) is str else ""
        self.id: Any = wire.get("id")
        self.done = False
        self._parts: dict[str, dict[int, Part]] = {"summary": {}, "content": {}}
        self._counts = {"summary": 0, "content": 0}
        self.whole = Part(self, CALL_FRAMES.get(self.kind), "", 0, wire)

    def part(self, place: str, index: Any) -> Part | None:
        """Return a part by its place."""
        if not place:
            return self.whole
        return self._parts[place].get(index) if type(index) is int else None

    def parts(self) -> list[Part]:
        """Return all parts in order, those of the summary first; a call is a single one."""
        return [self.whole] if self.whole.text_kind is not None else [*self.listed("summary"), *self.listed("content")]

    def listed(self, place: str) -> list[Part]:
        """Return the parts of a list in order; their indexes on the wire may have gaps."""
        parts = self._parts[place]
        return [parts[index] for index in sorted(parts)]

    def count(self, place: str) -> int:
        """Return the number of parts in a list."""
        return self._counts[place]

    def begin(self, place: str, index: int, wire: dict[str, Any]) -> Part:
        """Begin a part."""
        kind = wire.get("type")
        text_kind = PARTS.get((self.kind, place, kind)) if type(kind) is str else None
        part = self._parts[place][index] = Part(self, text_kind, place, index, wire)
        self._counts[place] = max(self._counts[place], index + 1)
        return part

    def made(self) -> dict[str, Any]:
        """Return the item as it is now."""
        if self.done:
            return self.wire
        out = dict(self.wire)
        for place, parts in self._parts.items():
            if parts:
                out[place] = [part.made() for part in self.listed(place)]
        text_kind = self.whole.text_kind
        if text_kind is not None and type(out.get(text_kind.member, "")) is str:
            out[text_kind.member] = self.whole.text()
        return out

    def ended(self, status: str) -> dict[str, Any]:
        """Return the item as it is when done, with `status` in place of "in_progress"."""
        out = self.made()
        return {**out, "status": status} if out.get("status") == "in_progress" else out


class Assembly:
    """All that the frames of one stream have said so far: the items, and how this provider writes deltas.

    `sequence` is the number of the next frame, None if frames have none; `logprobs`: text deltas have a list of these;
    `opening` is the block of the next part or item, `opened` what the last frames have begun.
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Reset the state."""
        self.sequence: int | None = 0
        self.logprobs = True
        self.opening: int | None = None
        self.blocks: dict[int, Part] = {}
        self._begin_response()

    def _begin_response(self) -> None:
        self.response: dict[str, Any] = {}
        self.items: dict[int, Item] = {}
        self._moved: dict[tuple[Any, Any], int] = {}
        self.next_index = 0
        self.last: Item | None = None
        self.opened: Part | None = None
        self._terminal = False

    def learn(self, frames: Iterable[Frame]) -> None:
        """Take frames as they are written."""
        for frame in frames:
            if type(frame) is not dict:
                continue
            self.take(frame)
            number = frame.get(NUMBER)
            self.sequence = number + 1 if type(number) is int else None
            if frame.get("type") == OUTPUT_TEXT_FRAMES.delta:
                self.logprobs = "logprobs" in frame
        if self.opening is not None and self.opened is not None:
            self.blocks[self.opening] = self.opened
            self.opened.block = self.opening
        self.opening = self.opened = None

    def take(self, frame: dict[str, Any]) -> None:
        """Take a frame; a second `created` starts again."""
        kind = frame.get("type")
        if type(kind) is not str:
            return
        if "output_index" not in frame:
            frame = self.with_indexes(frame)
        if kind in DELTAS:
            self._delta(frame, DELTAS[kind])
        elif kind in PARTS_ADDED:
            self._part(frame, *PARTS_ADDED[kind])
        elif kind in {ITEM_ADDED, ITEM_DONE}:
            self._item(frame, done=kind == ITEM_DONE)
        elif kind == ANNOTATED:
            part = self.open_text(frame, OUTPUT_TEXT_FRAMES)
            if part is not None and type(frame.get("annotation")) is dict:
                part.annotations.append(frame["annotation"])
        elif (kind in START_FRAMES or kind in TERMINALS) and type(frame.get("response")) is dict:
            if kind == "response.created":
                self._begin_response()
            self.response, self._terminal = frame["response"], kind in TERMINALS

    def with_indexes(self, frame: dict[str, Any], announced: Announced | None = None) -> dict[str, Any]:
        """Return a frame of llama.cpp, which omits indexes, with those that its id and the order of frames tell.

        `announced` is an item that has not been taken yet.
        """
        kind, wire = frame["type"], frame.get("item")
        if kind not in PLACES:
            return frame
        place, counter = PLACES[kind]
        identifier = wire.get("id") if type(wire) is dict else frame.get("item_id")
        index, count = self.next_index, 0
        if announced is not None and identifier in (None, announced.item.get("id")):
            index = announced.place
        elif (item := self._item_meant(kind, identifier)) is not None:
            index, count = item.index, item.count(place) if place else 0
        last = count if kind in PARTS_ADDED else max(count - 1, 0)
        return {**({counter: last} if counter else {}), **frame, "output_index": index}

    def _item_meant(self, kind: str, identifier: Any) -> Item | None:
        """Return the unfinished item that a frame without indexes is about; without an id, the last one."""
        if kind == ITEM_ADDED:
            return None
        items = self.items.values() if kind == ITEM_DONE else reversed(self.items.values())
        default = None if kind == ITEM_DONE else self.last
        return next((item for item in items if item.id == identifier and not item.done), default)

    def item(self, frame: dict[str, Any]) -> Item | None:
        """Return the item that a frame refers to."""
        index = self.place(frame)
        return self.items.get(index) if type(index) is int else None

    def place(self, frame: dict[str, Any]) -> Any:
        """Return the index of the item that a frame refers to: the wire's, unless that belongs to another item.

        Gateways begin items at an index that is taken, and end them at another than they began. They are told apart by
        their ids; a frame without a known id refers to the last item begun at that index.
        """
        index, item = frame.get("output_index"), frame.get("item")
        identifier = item.get("id") if type(item) is dict else frame.get("item_id")
        if type(index) is not int or (identifier is not None and type(identifier) is not str):
            return index
        if self._moved:
            index = self._moved.get((index, identifier), self._moved.get((index, None), index))
        taken = self.items.get(index)
        if type(item) is not dict or (taken is not None and identifier is not None and taken.id == identifier):
            return index
        is_end = frame.get("type") == ITEM_DONE
        place: int = index
        if taken is not None:
            is_named = identifier is not None and type(taken.id) is str
            is_other = taken.kind != item.get("type", "message")
            if not is_other and not (taken.done and is_named if is_end else taken.done or is_named):
                return index
            place = self.next_index
        found = (one.index for one in self.items.values() if is_end and one.id == identifier and not one.done)
        return next(found, place) if identifier else place

    def _move(self, index: int, identifier: Any, place: int) -> None:
        """Note that an item is kept at another index than the wire's, which is taken."""
        before = self._moved.get((index, None), index)
        known = self.items[before].id
        self._moved |= {(index, known if type(known) is str else None): before, (index, identifier): place}
        self._moved[index, None] = place

    def open_item(self, identifier: Any) -> int:
        """Return the index of the unfinished item with an id, or the next free index."""
        found = (item.index for item in self.items.values() if item.id == identifier and not item.done)
        return next(found, self.next_index)

    def part(self, frame: dict[str, Any], place: str, counter: str) -> Part | None:
        """Return the part of an unfinished item that a frame refers to."""
        item = self.item(frame)
        return None if item is None or item.done else item.part(place, frame.get(counter))

    def open_text(self, frame: dict[str, Any], text_kind: TextFrames) -> Part | None:
        """Return the open text that a frame refers to."""
        part = self.part(frame, text_kind.place, text_kind.counter)
        return part if part is not None and part.text_kind is text_kind and not part.closed else None

    def can_begin_text(self, frame: dict[str, Any], text_kind: TextFrames) -> bool:
        """Return whether a delta can begin a text that no frame has announced: in a new item, or in the last one."""
        if (
            not text_kind.place
            or type(frame.get("output_index")) is not int
            or type(frame.get(text_kind.counter)) is not int
        ):
            return False
        item = self.item(frame)
        return item is None or (
            item.kind == text_kind.item and self.is_free(item, text_kind.place, frame[text_kind.counter])
        )

    def is_free(self, item: Item, place: str, index: int) -> bool:
        """Return whether a part can begin at a place of an item: the item must be the last one, and unfinished."""
        return item is self.last and not item.done and item.part(place, index) is None

    def _begin_item(self, index: int, wire: dict[str, Any]) -> Item:
        item = self.last = self.items[index] = Item(index, wire)
        self.opened = item.whole
        self.next_index = max(self.next_index, index + 1)
        return item

    def output(self) -> list[dict[str, Any]]:
        """Return all items as they are now."""
        return [self.items[index].made() for index in sorted(self.items)]

    def body(self) -> dict[str, Any]:
        """Return the response as it is now. The output in the last frame is used, unless it is empty."""
        said = self.response.get("output")
        if self._terminal and said and type(said) is list:
            return self.response
        return {**self.response, "output": self.output()}

    def _delta(self, frame: dict[str, Any], text_kind: TextFrames) -> None:
        delta = frame.get("delta")
        part = self.open_text(frame, text_kind)
        if part is None and self.can_begin_text(frame, text_kind):
            item = self.item(frame)
            if item is None:
                item = self._begin_item(self.place(frame), dict(ITEM_HABITS[text_kind.item]))
            part = self.opened = item.begin(
                text_kind.place, frame[text_kind.counter], dict(PART_HABITS[text_kind.part])
            )
        if part is None:
            return
        part.item.id = frame.get("item_id")
        if type(delta) is str:
            part.add(delta)
        if type(frame.get("logprobs")) is list:
            part.logprobs.extend(frame["logprobs"])

    def _part(self, frame: dict[str, Any], place: str, counter: str) -> None:
        item, index, wire = self.item(frame), frame.get(counter), frame.get("part")
        if item is None or item.done or type(index) is not int or type(wire) is not dict:
            return
        if item.part(place, index) is None:
            self.opened = item.begin(place, index, wire)

    def _item(self, frame: dict[str, Any], *, done: bool) -> None:
        index, wire = self.place(frame), frame.get("item")
        if type(index) is not int or type(wire) is not dict:
            return
        item = self.items.get(index)
        if item is None:
            if index != frame["output_index"]:
                self._move(frame["output_index"], wire.get("id"), index)
            item = self._begin_item(index, wire)
        if done:
            item.wire, item.done = wire, True


class FrameCounter:
    """Counts the delta frames that are read or written by a template."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly

    def append(self, _text: str, /) -> None:
        """Count a delta."""
        if self._assembly.sequence is not None:
            self._assembly.sequence += 1
