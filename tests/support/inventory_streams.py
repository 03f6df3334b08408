"""Every event, chunk and delta that the official SDKs declare, put into a short stream: how it is read.

A frame is `mapped` if events express it (all but `opaque` ones, and `state`, which only has `extra`), `opaque` if an
event holds it unchanged, and `extra` if it is only in the notes of other events: it repeats earlier content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from interlingua.errors import DecodeError
from support import inventory
from support.canonical import difference, objects
from support.places_responses_streams import RESPONSES_STREAMS
from support.places_streams import CHAT_STREAMS, CLAUDE_STREAMS, GEMINI_STREAMS, OLLAMA_STREAMS
from support.streams import read, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from support.inventory import Fate
    from support.places_streams import Around, StreamPlace

CATEGORIES: Final = ("stream_events", "stream_deltas")
_PLACES: Final[Mapping[str, Mapping[str, StreamPlace]]] = {
    "openai_chat": CHAT_STREAMS,
    "openai_responses": RESPONSES_STREAMS,
    "claude": CLAUDE_STREAMS,
    "gemini": GEMINI_STREAMS,
    "ollama": OLLAMA_STREAMS,
    "vllm": CHAT_STREAMS,
}


@dataclass(frozen=True)
class Streamed:
    """A variant of a stream: instances of it, and a function that puts one of them among other frames."""

    dialect: str
    category: str
    name: str
    made: tuple[Any, ...]
    put: Callable[[str, Any], Around]

    @property
    def label(self) -> str:
        """The name of the variant in the committed list."""
        return f"{self.category}/{self.name.partition(' (')[0]}"

    @property
    def streams(self) -> list[Around]:
        """A stream for each instance."""
        return [self.put(self.name, one) for one in self.made]


def variants(dialect: str) -> Iterator[Streamed]:
    """Yield every variant of the streams of a dialect."""
    for category in CATEGORIES if dialect in _PLACES else ():
        for name, variant in inventory.inventory()[dialect].get(category, {}).items():
            yield Streamed(
                dialect,
                category,
                name,
                tuple(_made(dialect, category, name, variant)),
                _PLACES[dialect][category],
            )


def _made(dialect: str, category: str, name: str, variant: Mapping[str, Any]) -> Iterator[Any]:
    """Yield instances of a variant; one that contains an item is tried with items of all types."""
    if not name.startswith("response.output_item."):
        yield from inventory.made(dialect, category, name, variant)
        return
    for item, declared in inventory.inventory()[dialect]["output_items"].items():
        for made in inventory.made(dialect, "output_items", item, declared):
            yield {"type": name, "output_index": 0, "item": made}


def fate(variant: Streamed) -> Fate:
    """Return how a variant is read: `unknown` if one instance is dropped, else the best result of all instances."""
    fates = {_fate(variant.dialect, stream) for stream in variant.streams}
    order: tuple[Fate, ...] = ("unknown", "mapped", "opaque", "extra")
    return next(one for one in order if one in fates)


def _fate(dialect: str, stream: Around) -> Fate:
    try:
        events = read(dialect, stream.frames)
    except DecodeError:
        return "unknown"
    frames, losses = write(dialect, events)
    if losses or difference(stream.frames, frames):
        return "unknown"
    without = read(dialect, stream.without)
    if difference(_says(without), _says(events)):
        return "mapped"
    return "opaque" if difference(_opaque(without), _opaque(events)) else "extra"


def only_in_extra(variant: Streamed) -> list[str]:
    """Return the members of a variant that are only in `extra`: those of the frame, and those next to a value."""
    names: set[str] = set()
    for stream in variant.streams:
        without, whole = (read(variant.dialect, frames) for frames in (stream.without, stream.frames))
        names |= set(_aside(whole)) - set(_aside(without))
    return sorted(names)


def _aside(events: list[dict[str, Any]]) -> Iterator[str]:
    for event in events:
        for path, value in objects(event.get("extra", {})):
            if path and path[-1] in {"put", "fields"}:
                yield from value


def _says(events: list[dict[str, Any]]) -> list[Any]:
    """Return the content of events outside `extra`: not opaque events, and not events with nothing else."""
    server = _server_blocks(events)
    return [inventory.outside(event) for event in events if event["type"] != "state" and not _is_opaque(event, server)]


def _opaque(events: list[dict[str, Any]]) -> list[Any]:
    server = _server_blocks(events)
    return [inventory.outside(event) for event in events if _is_opaque(event, server)]


def _is_opaque(event: dict[str, Any], server: set[int]) -> bool:
    return event["type"] == "opaque" or event.get("block") in server


def _server_blocks(events: list[dict[str, Any]]) -> set[int]:
    """Return the blocks that are opaque parts: those of server tools."""
    return {event["block"] for event in events if event["type"] == "part" and event["part"]["type"] == "opaque"}
