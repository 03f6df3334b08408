"""Laws 1, 2, 7 and 10 for streams: a stream goes out frame for frame as it came, also when it was cut or is strange."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from support import corpus
from support.canonical import difference, written
from support.figures import FIGURES
from support.mutations import everywhere
from support.rooms import ROWS, Row
from support.streams import CONTRADICTORY, assembled, frames, read, said, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = [pytest.mark.corpus, pytest.mark.laws]

STREAMS = [
    pytest.param(row, folder, id=f"{folder}-as-{row.dialect}")
    for row in ROWS.values()
    for folder in (row.folder, *row.compatible)
    if corpus.root() is not None and any(corpus.lines(folder, "stream"))
]
# Of a stream of n frames, this many prefixes are read where not the whole corpus is asked for.
CUTS: Final = 3


def streams(row: Row, folder: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield id and frames of each stream of a folder that is whole."""
    for line in corpus.lines(folder, "stream"):
        if line["id"] not in row.unstreamable:
            yield line["id"], frames(line)


def compared(came: list[Any], go: list[Any]) -> str:
    """Return where the first frame differs, or how many there are; nothing where they are the same."""
    if len(came) != len(go):
        return f"{len(came)} frames came, {len(go)} go"
    for at, (one, other) in enumerate(zip(came, go, strict=True)):
        if where := difference(one, other):
            return f"frame {at}: {where}"
    return ""


@pytest.mark.parametrize(("row", "folder"), STREAMS)
def test_a_stream_round_trips_frame_by_frame_without_losses(
    row: Row, folder: str, record_property: Callable[[str, object], None]
) -> None:
    found = {}
    total = 0
    for identifier, came in streams(row, folder):
        total += 1
        before = written(came)
        go, losses = write(row.dialect, read(row.dialect, came))
        where = compared(came, go) or (f"{len(losses)} losses" if losses else "")
        if where:
            found[identifier] = where
        assert written(came) == before, "reading has changed what was read"
    record_property(FIGURES, [row.dialect, folder, "stream", total - len(found), total])
    assert found == {}


@pytest.mark.parametrize(("row", "folder"), STREAMS)
def test_a_stream_round_trips_through_models_and_storage(row: Row, folder: str) -> None:
    found = {}
    for line in corpus.sample(folder, "stream", 12):
        if line["id"] in row.unstreamable:
            continue
        came = frames(line)
        events = list(il.decode_stream(came, row.dialect))
        stored = [json.loads(event.model_dump_json()) for event in events]
        where = compared(came, list(il.encode_stream(stored, row.dialect)))
        if where:
            found[line["id"]] = where
    assert found == {}


@pytest.mark.parametrize(("row", "folder"), STREAMS)
def test_a_stream_collects_to_the_response_of_its_whole_body(row: Row, folder: str) -> None:
    found = {}
    for line in corpus.sample(folder, "stream", 30):
        if line["id"] in row.unstreamable:
            continue
        came = frames(line)
        if not any(event["type"] == "start" for event in read(row.dialect, came)):
            continue  # frames of no known kind alone: they come home, and make no response
        try:
            collected = il.collect(il.decode_stream(came, row.dialect))
        except il.StreamError as error:
            collected = error.partial
        if collected != il.ChatResponse.model_validate(assembled(row.dialect, came)):
            found[line["id"]] = "another response"
    assert found == {}


@pytest.mark.parametrize(("row", "folder"), STREAMS)
def test_the_content_of_a_stream_is_in_its_events_outside_extra(row: Row, folder: str) -> None:
    found = {}
    for identifier, came in streams(row, folder):
        if identifier in CONTRADICTORY:
            continue
        events = last(read(row.dialect, came))
        whole = assembled(row.dialect, came)
        for kind, member in (("content", "content"), ("reasoning", "reasoning"), ("refusal", "refusal")):
            told = "".join(text for where, event, text in said(events) if event == kind and where == 0)
            if told != "".join(_texts(whole["messages"], member)):
                found[identifier] = f"another {member}"
    assert found == {}


def last(events: list[Any]) -> list[Any]:
    """Return the events from the last start on: a second start begins anew."""
    starts = [at for at, event in enumerate(events) if event["type"] == "start"]
    return events[starts[-1] :] if starts else events


def _texts(messages: list[Any], member: str) -> Iterator[str]:
    for message in messages:
        if message["role"] == "tool":  # what a server tool answered, not what the model says
            continue
        value = message.get(member, "")
        if isinstance(value, str):
            yield value
        else:
            yield from (part["text"] for part in value if part["type"] == "text")


@pytest.mark.parametrize(("row", "folder"), STREAMS)
def test_a_frame_patch_repeats_no_text_of_its_events(row: Row, folder: str) -> None:
    found = {}
    for identifier, came in streams(row, folder):
        for at, event in enumerate(read(row.dialect, came)):
            patch = event.get("extra", {}).get(row.dialect, {}).get("frame")
            text = event.get("text") or event.get("arguments")
            if patch and isinstance(text, str) and len(text) > 20 and written(text)[1:-1] in written(patch):
                found[identifier] = f"event {at}"
    assert found == {}


@pytest.mark.parametrize(("row", "folder"), STREAMS)
def test_unknown_members_of_frames_round_trip(row: Row, folder: str) -> None:
    found = {}
    for line in corpus.sample(folder, "stream", 12):
        if line["id"] in row.unstreamable:
            continue
        came = [everywhere(frame, at) for at, frame in enumerate(frames(line))]
        events = read(row.dialect, came)
        where = compared(came, write(row.dialect, events)[0])
        plain = [one for one in said(read(row.dialect, frames(line))) if one[2]]
        if not where and [one for one in said(events) if one[2]] != plain:
            where = "the events say something else"
        if where:
            found[line["id"]] = where
    assert found == {}


@pytest.mark.parametrize(("row", "folder"), STREAMS)
def test_a_truncated_stream_round_trips_and_is_marked(row: Row, folder: str) -> None:
    found = {}
    chance = random.Random(folder)
    for line in corpus.sample(folder, "stream", 12):
        whole = frames(line)
        if line["id"] in row.unstreamable:
            continue
        cuts = range(len(whole)) if corpus.whole() and len(whole) < 200 else chance.choices(range(len(whole)), k=CUTS)
        for cut in cuts:
            events = read(row.dialect, whole[:cut])
            where = compared(whole[:cut], write(row.dialect, events)[0])
            if not where and events[-1]["type"] != "end":
                where = "no end"
            finished = any(event["type"] == "finish" for event in events)
            if not where and events[-1]["complete"] and not finished:
                where = "complete without a finish"
            if where:
                found[line["id"], cut] = where
    assert found == {}
