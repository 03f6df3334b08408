"""Content that only the last frames of an item or a stream hold, and no delta had: a missing tail, or all of it.

Deltas take precedence: their text is not sent again. The events made here stand for no frame of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.rooms._shared.stream_notes import MORE, noted, spelled
from interlingua.rooms.openai_responses.decode_message import decode_call
from interlingua.rooms.openai_responses.decode_part import decode_citation, decode_part
from interlingua.rooms.openai_responses.finish_reasons import is_run_by_server
from interlingua.rooms.openai_responses.server_calls import decode_run
from interlingua.rooms.openai_responses.stream_encoder import closing_habit
from interlingua.rooms.openai_responses.stream_tables import ITEM_HABITS, PARTS, REASONING_TEXT_FRAMES
from interlingua.rooms.openai_responses.tables import CALLS, DIALECT, REASONING_TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.stream_writer import Event
    from interlingua.rooms.openai_responses.stream_items import Assembly, Item, Part
    from interlingua.rooms.openai_responses.stream_tables import TextFrames

_NEVER: Final = object()
_SAID: Final = frozenset({"role", "content", "summary", "call_id", "name", "arguments", "input"})
_PLACES: Final = ("summary", "content")
_NAMES: Final = ("call_id", "id")


def is_canonical(wire: Mapping[str, Any]) -> bool:
    """Return whether an item has a canonical form: an assistant message, reasoning, or a client tool's call."""
    kind = wire.get("type")
    if type(kind) is not str or is_run_by_server(wire):
        return False
    return kind == "reasoning" or kind in CALLS or (kind == "message" and wire.get("role") in (None, "assistant"))


def item_state(wire: Mapping[str, Any], *, typed: bool = False) -> dict[str, Any]:
    """Return the members of an item other than its texts, without those that every such item has."""
    kind = wire["type"]
    habits = ITEM_HABITS.get(kind, {})
    said = _SAID if habits else frozenset[str]()
    state = {
        name: value
        for name, value in wire.items()
        if (name not in said or value == []) and habits.get(name, _NEVER) != value
    }
    return {"type": kind, **state} if typed else state


def new_encrypted_content(item: Item, wire: Mapping[str, Any]) -> dict[str, Any]:
    """Return the encrypted content of a reasoning item that only its last frame has."""
    name = "encrypted_content"
    is_new = item.kind == "reasoning" and type(wire.get(name)) is str and wire[name] != item.wire.get(name)
    return {name: wire[name]} if is_new else {}


def piece(text_kind: TextFrames, block: int | None, text: str) -> Event:
    """Return the event of a delta."""
    return {
        "type": text_kind.event,
        "block": block,
        "arguments" if text_kind.event == "tool_call_delta" else "text": text,
    }


def opening(kind: str, place: str, wire: Mapping[str, Any], block: int) -> Event:
    """Return the event that opens a part of an item of a type; the part has been checked."""
    text_kind = PARTS.get((kind, place, wire["type"])) if type(wire.get("type")) is str else None
    if text_kind is None:
        return {"type": "part", "block": block, "part": decode_part(wire, "assistant", whole=True)}
    event = piece(text_kind, block, wire[text_kind.member])
    return spelled(event, DIALECT, "type", REASONING_TEXT) if text_kind is REASONING_TEXT_FRAMES else event


def call_opening(wire: dict[str, Any], block: int) -> Event:
    """Return the event that opens a call. Raises `Malformed`."""
    call = decode_call(wire, set())
    event: Event = {"type": "tool_call_start", "block": block}
    event |= {name: call[name] for name in ("id", "name", "kind") if name in call}
    if call["arguments"]:
        event["arguments"] = call["arguments"]
    if state := item_state(wire):
        noted(event, DIALECT, "item", state)
    return event


def silent(event: Event) -> Event:
    """Mark an event as one that stands for no frame of its own."""
    if "text" in event or event["type"] == "tool_call_delta":
        return spelled(event, DIALECT, "delta", "silent")
    return spelled(event, DIALECT, "frame", MORE)


def run_events(parts: list[dict[str, Any]], block: int) -> list[Event]:
    """Return the events of a run, from a block on; the last one stands for the frame that ends the item."""
    events: list[Event] = []
    for at, part in enumerate(parts):
        event: Event = {"type": "part", "block": block + at, "part": part}
        if at:
            spelled(event, DIALECT, "item", "same")
        events += [event, {"type": "block_end", "block": block + at}]
    for event in events[:-1]:
        spelled(event, DIALECT, "frame", MORE)
    return events


def missing_tail(part: Part, wire: Mapping[str, Any]) -> list[Event]:
    """Return the events of what a part has beyond its deltas."""
    text_kind = part.text_kind
    if text_kind is None:
        same = wire == part.wire or part.place == ""
        whole: Event = {"type": "part", "block": part.block}
        return [] if same else [silent(whole | {"part": decode_part(wire, "assistant", whole=True)})]
    events: list[Event] = []
    text = wire.get(text_kind.member)
    if type(text) is str:
        known = part.said()
        if len(text) > len(known) and text.startswith(known):
            events.append(silent(piece(text_kind, part.block, text[len(known) :])))
    if not part.wire.get("annotations"):
        events.extend(_citations(wire, len(part.annotations), part.block))
    return events


def _citations(wire: Mapping[str, Any], first: int, block: int | None) -> list[Event]:
    annotations = wire.get("annotations")
    if type(annotations) is not list or not all(type(one) is dict for one in annotations):
        return []
    return [
        silent({"type": "citation", "block": block, "citation": decode_citation(one)}) for one in annotations[first:]
    ]


def missing_content(item: Item | None, wire: dict[str, Any], block: int, *, open_more: bool) -> list[Event]:
    """Return the events of what an item has beyond its deltas; `block` is the number of the next block.

    `open_more`: parts that no frame has announced may be opened.
    """
    if wire["type"] in CALLS:
        if item is None:
            return [silent(call_opening(wire, block))]
        return [] if item.whole.closed else missing_tail(item.whole, wire)
    events: list[Event] = []
    fresh = item is None
    for place in _PLACES:
        parts = wire.get(place)
        known_parts = [] if item is None else item.listed(place)
        for index, part in enumerate(parts if type(parts) is list else ()):
            known = known_parts[index] if index < len(known_parts) else None
            if known is not None:
                events.extend([] if known.closed or known.block is None else missing_tail(known, part))
            elif open_more and (place == "content" or wire["type"] == "reasoning"):
                event = opening(wire["type"], place, part, block)
                if fresh:
                    noted(event, DIALECT, "item", item_state(wire))
                else:
                    spelled(event, DIALECT, "item", "same")
                events.append(silent(event))
                if event["type"] == "content":
                    events.extend(_citations(part, 0, block))
                fresh = False
                block += 1
    if fresh:
        events.append(silent(noted({"type": "state", "block": block}, DIALECT, "item", item_state(wire, typed=True))))
    return events


def finishing_events(
    assembly: Assembly, item: Item | None, wire: dict[str, Any], last: Part | None, first: int
) -> list[Event]:
    """Return the events that finish an item: missing content, and the ends of its blocks, that of `last` at the end.

    `first` is the number of the next block. If all blocks have ended, the last event is a `state` of one of them; there
    is no event if the item never had a block.
    """
    events = missing_content(item, wire, first, open_more=item is None or item is assembly.last)
    opened = dict.fromkeys(event["block"] for event in events if event["block"] >= first)
    parts = [] if item is None else [part for part in item.parts() if part.block is not None]
    blocks = [part.block for part in parts if part is not last and not part.closed]
    blocks += [*opened, *([] if last is None else [last.block])]
    if not blocks and item is not None:
        blocks = [item.whole.block]
        if item.whole.block is None or item.whole.closed:
            told = parts[-1].block if parts else item.whole.block
            return [] if told is None else [*events, {"type": "state", "block": told}]
    ends: list[Event] = [{"type": "block_end", "block": block} for block in blocks]
    return [*events, *(silent(end) for end in ends[:-1]), *ends[-1:]]


def next_block(events: list[Event], first: int) -> int:
    """Return the number of the next block after events; before them it was `first`."""
    numbers: list[int] = [first, *(event["block"] + 1 for event in events)]
    return max(numbers)


def late_items(assembly: Assembly, output: list[Any], first: int) -> list[Event]:
    """Return the events of items, or of their missing content, that only the last frame has."""
    events: list[Event] = []
    expected = assembly.next_index
    # Some servers omit items at the end: items are matched by id, else by index.
    known = {name: item for item in assembly.items.values() for name in _item_keys(item.wire)}
    for index, wire in enumerate(output):
        item = next((known[name] for name in _item_keys(wire) if name in known), assembly.items.get(index))
        if item is None and index == expected:
            expected += 1
            run = decode_run(wire)
            if run is not None:
                events.extend(run_events(run, first))
            elif is_canonical(wire):
                events.extend(finishing_events(assembly, None, wire, None, first))
            else:
                events.append(noted({"type": "state", "block": first}, DIALECT, "item", wire))
        elif item is not None and not item.done and is_canonical(wire) and item.kind == wire["type"]:
            events.extend(
                event for event in finishing_events(assembly, item, wire, None, first) if event["type"] != "state"
            )
        first = next_block(events, first)
    return [silent(event) for event in events]


def announced_texts(assembly: Assembly, events: list[Event]) -> list[Event]:
    """Return the events of announced texts that no delta has repeated; `events` precede them."""
    told = {event.get("block") for event in events}
    return [
        silent(piece(part.text_kind, block, part.announced))
        for block, part in assembly.blocks.items()
        if part.announced and part.text_kind is not None and not part.closed and block not in told
    ]


def _item_keys(wire: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """Return the keys that identify an item among all others of its type."""
    return [(name, wire.get("type"), wire[name]) for name in _NAMES if type(wire.get(name)) is str and wire[name]]


class ClosingFrames(NamedTuple):
    """Held frames that close a part: their names, and the part as they have it."""

    part: Part
    names: list[str]
    frames: list[dict[str, Any]]
    said: dict[str, Any]

    def end(self) -> Event:
        """Return the event that ends the block."""
        event: Event = {"type": "block_end", "block": self.part.block}
        if tuple(self.names) == closing_habit(self.part):
            return event
        return spelled(event, DIALECT, "frames", self.names)
