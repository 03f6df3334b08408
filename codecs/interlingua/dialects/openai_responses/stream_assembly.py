"""The frames of a stream of Responses put together: what has been said so far, and the whole response at the end.

The writer keeps one of these over the frames that it has written, since most frames repeat what came before; so does
whoever reads. A frame that does not fit is passed over.
Source: reference/wire/openai_responses.md section 3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.dialects.openai_responses.stream_tables import (
    ANNOTATED,
    BEGINNINGS,
    CALLERS,
    DELTAS,
    ITEM_ADDED,
    ITEM_DONE,
    ITEM_HABITS,
    PART_HABITS,
    PARTS,
    PARTS_ADDED,
    SAYS,
    TERMINALS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.dialects._shared.stream import Frame
    from interlingua.dialects.openai_responses.stream_tables import Voice


class Part:
    """A text that grows, of a part or of a call; its pieces are joined when they are asked for."""

    __slots__ = ("annotations", "block", "closed", "index", "item", "logprobs", "pieces", "place", "voice", "wire")

    def __init__(self, item: Item, voice: Voice | None, place: str, index: int, wire: dict[str, Any]) -> None:
        self.item = item
        self.voice = voice
        self.place = place
        self.index = index
        self.wire = wire
        self.block: int | None = None
        self.closed = False
        given = wire.get(voice.member) if voice is not None else None
        self.pieces: list[str] = [given] if type(given) is str and given else []
        self.annotations: list[Any] = []
        self.logprobs: list[Any] = []

    def text(self) -> str:
        """Return what has been said so far."""
        if len(self.pieces) > 1:
            self.pieces[:] = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""

    def made(self) -> dict[str, Any]:
        """Return the part as it is now."""
        if self.voice is None:
            return self.wire
        out = {**self.wire, self.voice.member: self.text()}
        if self.annotations:
            out["annotations"] = list(self.annotations)
        if self.logprobs:
            out["logprobs"] = list(self.logprobs)
        return out


class Item:
    """An item of the output: as it was announced, with its parts; once it is done, as that frame said."""

    __slots__ = ("block", "closed", "done", "id", "index", "kind", "said", "wire", "_counts", "_parts")  # noqa: RUF023  # the private ones last

    def __init__(self, index: int, wire: dict[str, Any]) -> None:
        self.index = index
        self.wire = wire
        kind = wire.get("type", "message")
        self.kind: str = kind if type(kind) is str else ""
        self.id: Any = wire.get("id")
        self.block: int | None = None
        self.closed = False
        self.done = False
        self._parts: dict[str, dict[int, Part]] = {"content": {}, "summary": {}}
        self._counts = {"content": 0, "summary": 0}
        voice = CALLERS.get(self.kind)
        self.said = None if voice is None else Part(self, voice, "", 0, wire)

    def part(self, place: str, index: Any) -> Part | None:
        """Return a part by its place; for a call, the text of its arguments."""
        if not place:
            return self.said
        return self._parts[place].get(index) if type(index) is int else None

    def parts(self) -> list[Part]:
        """Return all parts in their order, those of the summary first."""
        if self.said is not None:
            return [self.said]
        return [*self.listed("summary"), *self.listed("content")]

    def listed(self, place: str) -> list[Part]:
        """Return the parts of a list in their order; the wire may count them otherwise."""
        parts = self._parts[place]
        return [parts[index] for index in sorted(parts)]

    def count(self, place: str) -> int:
        """Return how many parts a list has."""
        return self._counts[place]

    def begin(self, place: str, index: int, wire: dict[str, Any]) -> Part:
        """Begin a part."""
        kind = wire.get("type")
        voice = PARTS.get((self.kind, place, kind)) if type(kind) is str else None
        part = self._parts[place][index] = Part(self, voice, place, index, wire)
        self._counts[place] = max(self._counts[place], index + 1)
        return part

    def finish(self, wire: dict[str, Any]) -> None:
        """Take the item as it is when it is done."""
        self.wire, self.done = wire, True

    def made(self) -> dict[str, Any]:
        """Return the item as it is now."""
        if self.done:
            return self.wire
        out = dict(self.wire)
        for place, parts in self._parts.items():
            if parts:
                out[place] = [part.made() for part in self.listed(place)]
        if self.said is not None and self.said.voice is not None:
            member = self.said.voice.member
            if type(out.get(member, "")) is str:
                out[member] = self.said.text()
        return out

    def ended(self, status: str) -> dict[str, Any]:
        """Return the item as it will be when it is done; only what has a status gets the new one."""
        out = self.made()
        return {**out, "status": status} if out.get("status") == "in_progress" else out


class Assembly:
    """All that the frames of one stream have said so far. `opened` is what the last frames have begun."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.response: dict[str, Any] = {}
        self.items: dict[int, Item] = {}
        self.next_index = 0
        self.last: Item | None = None
        self.opened: Part | Item | None = None
        self._terminal = False

    def take(self, frame: dict[str, Any]) -> None:
        """Take a frame; a second `created` begins anew."""
        kind = frame.get("type")
        if type(kind) is not str:
            return
        if kind in DELTAS:
            self._delta(frame, DELTAS[kind])
        elif kind in PARTS_ADDED:
            self._part(frame, *PARTS_ADDED[kind])
        elif kind in {ITEM_ADDED, ITEM_DONE}:
            self._item(frame, done=kind == ITEM_DONE)
        elif kind == ANNOTATED:
            part = self.spoken(frame, SAYS)
            if part is not None and type(frame.get("annotation")) is dict:
                part.annotations.append(frame["annotation"])
        elif (kind in BEGINNINGS or kind in TERMINALS) and type(frame.get("response")) is dict:
            if kind == "response.created":
                self._begin()
            self.response, self._terminal = frame["response"], kind in TERMINALS

    def begin_frames(self) -> None:
        """Forget what earlier frames have begun."""
        self.opened = None

    def item(self, frame: dict[str, Any]) -> Item | None:
        """Return the item that a frame speaks of."""
        index = frame.get("output_index")
        return self.items.get(index) if type(index) is int else None

    def spoken(self, frame: dict[str, Any], voice: Voice) -> Part | None:
        """Return the open text that a frame speaks of."""
        item = self.item(frame)
        if item is None or item.done:
            return None
        part = item.part(voice.place, frame.get(voice.counter))
        return part if part is not None and part.voice is voice and not part.closed else None

    def unspoken(self, frame: dict[str, Any], voice: Voice) -> bool:
        """Tell whether a piece can begin a text that no frame has announced: in no item, or in the last one."""
        if not voice.place or type(frame.get("output_index")) is not int or type(frame.get(voice.counter)) is not int:
            return False
        item = self.item(frame)
        if item is None:
            return True
        return (
            item is self.last
            and not item.done
            and item.kind == voice.item
            and item.part(voice.place, frame[voice.counter]) is None
        )

    def begin(self, index: int, wire: dict[str, Any]) -> Item:
        """Begin an item."""
        item = self.last = self.opened = self.items[index] = Item(index, wire)
        self.next_index = max(self.next_index, index + 1)
        return item

    def output(self) -> list[dict[str, Any]]:
        """Return all items as they are now."""
        return [self.items[index].made() for index in sorted(self.items)]

    def body(self) -> dict[str, Any]:
        """Return the response as it is now. What the last frame says of the output counts, unless it is empty."""
        out = dict(self.response)
        said = out.get("output")
        if not (self._terminal and said and type(said) is list):
            out["output"] = self.output()
        return out

    def _delta(self, frame: dict[str, Any], voice: Voice) -> None:
        delta = frame.get("delta")
        part = self.spoken(frame, voice)
        if part is None and self.unspoken(frame, voice):
            item = self.item(frame)
            if item is None:
                item = self.begin(frame["output_index"], dict(ITEM_HABITS[voice.item]))
            part = self.opened = item.begin(voice.place, frame[voice.counter], dict(PART_HABITS[voice.part]))
        if part is None:
            return
        part.item.id = frame.get("item_id")
        if type(delta) is str:
            part.pieces.append(delta)
        if type(frame.get("logprobs")) is list:
            part.logprobs.extend(frame["logprobs"])

    def _part(self, frame: dict[str, Any], place: str, counter: str) -> None:
        item, index, wire = self.item(frame), frame.get(counter), frame.get("part")
        fits = item is not None and not item.done and type(index) is int and type(wire) is dict
        if fits and item.part(place, index) is None:  # type: ignore[union-attr]  # `fits` says that there is one
            self.opened = item.begin(place, index, wire)  # type: ignore[union-attr,arg-type]

    def _item(self, frame: dict[str, Any], *, done: bool) -> None:
        index, wire = frame.get("output_index"), frame.get("item")
        if type(index) is not int or type(wire) is not dict:
            return
        item = self.items.get(index)
        if item is None:
            item = self.begin(index, wire)
        if done:
            item.finish(wire)


def assemble_stream(frames: Iterable[Frame]) -> dict[str, Any]:
    """Return the response that the frames make; a second start begins anew. Frames are what our encoder wrote."""
    assembly = Assembly()
    for frame in frames:
        if type(frame) is dict:
            assembly.take(frame)
    return assembly.body()
