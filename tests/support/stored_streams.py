"""Streams as an earlier release stored them: one per line, a file for each dialect and release.

`tools/freeze.py` makes new files, `tests/laws/test_stored.py` reads all of them.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter

from interlingua.errors import DecodeError, StreamError
from interlingua.model import Event as AnyEvent
from interlingua.model_json import plain_json
from interlingua.registry import dialects
from interlingua.streaming import EventDecoder, EventEncoder, gather
from support.canonical import same

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Event = dict[str, Any]
Vector = dict[str, Any]

FOLDER: Final = Path(__file__).parents[1] / "vectors" / "stored"
STREAMS: Final = FOLDER / "streams"
ABROAD: Final = FOLDER / "abroad"
SEALS: Final = FOLDER / "SEALS.json"
EVENTS: Final[TypeAdapter[list[Any]]] = TypeAdapter(list[AnyEvent])


class NotFaithfulError(Exception):
    """A stream that does not round-trip cannot be stored permanently."""


def decoded(dialect: str, frames: Iterable[Any]) -> list[Event]:
    """Return the plain events of frames, up to the end of the stream. Raises `DecodeError`."""
    decoder = EventDecoder(dialect)
    events = [event for frame in frames for event in decoder.feed(frame)]
    return [*events, *decoder.close()]


def encoded(dialect: str, events: Iterable[Event]) -> tuple[list[Any], list[str]]:
    """Return the frames of plain events, and the losses in order."""
    encoder = EventEncoder(dialect)
    frames = [frame for event in events for frame in encoder.feed(event)]
    frames.extend(encoder.close())
    return frames, sorted(f"{loss.severity} {loss.code} {loss.path}" for loss in encoder.losses)


def reordered(came: Sequence[Any], go: Sequence[Any]) -> list[int]:
    """Return which frames are written with their members in another order."""
    return [at for at, (one, other) in enumerate(zip(came, go, strict=True)) if text(one) != text(other)]


def text(value: Any) -> str:
    """Return JSON as it is stored: in one line, members in their order."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def vector(dialect: str, stream: Vector) -> Vector:
    """Return the stored form of a stream given by `id`, `about` and `frames`.

    Raises:
        NotFaithfulError: the stream does not go out as it came.
    """
    frames = stream["frames"]
    try:
        events = json.loads(text(decoded(dialect, frames)))
    except DecodeError as error:
        raise NotFaithfulError(f"{stream['id']}: it cannot be read") from error
    go, losses = encoded(dialect, events)
    if losses or not same(frames, go) or not same(events, as_stored(events)):
        raise NotFaithfulError(f"{stream['id']}: it does not go out as it came")
    made = {**stream, "events": events, **collected(events)}
    places = reordered(frames, go)
    return {**made, "reordered": places} if places else made


def as_stored(events: list[Event]) -> list[Event]:
    """Return events as their models write them."""
    return [plain_json(event) for event in EVENTS.validate_python(events)]


def collected(events: list[Event]) -> Vector:
    """Return the response that events make, or the error in them; None if they make no response."""
    try:
        return {"answer": gather(events)}
    except StreamError as error:
        return {"error": {"code": error.code, "message": error.message, "partial": error.partial}}
    except DecodeError:
        return {}


def abroad(dialect: str, events: list[Event]) -> dict[str, Vector]:
    """Return the frames and the losses of events in every other dialect."""
    found: dict[str, Vector] = {}
    for target in dialects():
        if target != dialect:
            frames, losses = encoded(target, events)
            found[target] = {"frames": frames, "losses": losses}
    return found


def translated(path: Path) -> list[Vector]:
    """Return the streams of a file that are stored with their translations, too: the handwritten ones."""
    return [stream for stream in lines(path) if stream.get("abroad")]


def dialect_of(path: Path) -> str:
    """Return the dialect of a file of stored streams: its name without the number."""
    return path.stem.rpartition("_")[0]


def lines(path: Path) -> list[Vector]:
    """Return the objects of a file that has one in each line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def digest(path: Path) -> str:
    """Return the digest of a file, which shows that it is unchanged."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
