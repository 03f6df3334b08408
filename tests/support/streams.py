"""Streams as plain values: what the laws of streams read and write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.loss import LossLog
from interlingua.registry import room

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from interlingua.loss import Loss
    from interlingua.loss_consolidation import Note
    from support.corpus import Line

Event = dict[str, Any]
Frame = Any
# Recordings whose deltas and final content differ: events have the content of the deltas.
CONTRADICTORY = {"5dffc19f92d2405b": "the deltas of its text and the done frames hold different texts"}
# Types of events that hold the model's output.
SAYING = ("content", "reasoning", "refusal")


def frames(line: Line) -> list[Frame]:
    """Return the frames of a recorded stream."""
    return [event["data"] for event in line["events"]]


def read(dialect: str, came: Iterable[Frame]) -> list[Event]:
    """Return the plain events of frames, up to the end of the stream. Raises `DecodeError`."""
    reader = room(dialect).decode_stream()
    events = [event for frame in came for event in reader.feed(frame)]
    return [*events, *reader.close()]


def write(dialect: str, events: Iterable[Event]) -> tuple[list[Frame], Sequence[Loss]]:
    """Return the frames of plain events, and the losses."""
    made, log = _written(dialect, events)
    return made, log.losses()


def noted(dialect: str, events: Iterable[Event]) -> Sequence[Note]:
    """Return what the writer of plain events notes, value by value, before it becomes losses."""
    return _written(dialect, events)[1].notes()


def _written(dialect: str, events: Iterable[Event]) -> tuple[list[Frame], LossLog]:
    log = LossLog(is_answer=True)
    writer = room(dialect).encode_stream(log)
    made = [frame for event in events for frame in writer.feed(event)]
    return [*made, *writer.close()], log


def assembled(dialect: str, came: Iterable[Frame]) -> Any:
    """Return the canonical response of the body that frames add up to."""
    speaker = room(dialect)
    return speaker.decode_response(speaker.assemble_stream(came))


def said(events: Iterable[Event]) -> Iterator[tuple[int, str, str]]:
    """Yield the choice, the block and the text of all content in events."""
    for event in events:
        where = event.get("alternative", 0)
        if event["type"] in SAYING:
            yield where, event["type"], event["text"]
        elif event["type"] == "tool_call_delta":
            yield where, event["type"], event["arguments"]
        elif event["type"] == "tool_call_start":
            yield where, event["type"], event["name"]
