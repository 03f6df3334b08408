"""Law 8 for streams: any frames give events or one documented error; any events give frames."""

from __future__ import annotations

import json
import random
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import interlingua as il
from interlingua.streaming import gather
from interlingua_types import CURRENT
from support import corpus
from support.canonical import difference, edited, leaves, lists, objects
from support.rooms import ROWS
from support.strategies import Documents, json_values
from support.streams import frames, read, write

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.laws]

BUNDLE: Final = json.loads(resources.files(f"interlingua_types.v{CURRENT}").joinpath("schema.json").read_text("utf-8"))
ENOUGH: Final = settings(
    max_examples=600 if corpus.whole() else 25,
    phases=[Phase.explicit, Phase.generate],  # what fails is found again at once; shrinking it takes minutes
)
EVENTS: Final = st.lists(Documents(BUNDLE).of("Event"), max_size=8)
OTHERS: Final[tuple[Any, ...]] = (None, True, 0, 1.5, "word", [], {}, [None], {"type": "text"}, [[]], [{}])


def judge(dialect: str, came: list[Any]) -> None:
    """Fail where frames are neither refused properly nor come back as they were."""
    try:
        events = read(dialect, came)
    except il.DecodeError as error:
        documented(error, dialect)
        return
    go, losses = write(dialect, events)
    assert difference(came, go) == ""
    assert losses == ()
    try:
        gather(events, refused=False)
    except il.DecodeError as error:
        documented(error, dialect)


@pytest.mark.parametrize("dialect", ROWS)
def test_any_json_as_frames_round_trips_or_raises_a_documented_error(dialect: str) -> None:
    @ENOUGH
    @given(st.lists(json_values, max_size=4))
    def check(came: list[Any]) -> None:
        judge(dialect, came)

    check()


def documented(error: il.DecodeError, dialect: str) -> None:
    """Fail where an error does not name its dialect, the frame and a reason."""
    assert error.dialect == dialect
    assert error.path.startswith("/")
    assert error.reason


def confused(came: list[Any], chance: random.Random) -> Iterator[list[Any]]:
    """Yield frames with one value replaced by one of another type, or with frames out of their order."""
    places = [path for find in (leaves, lists, objects) for path, _ in find(came) if path]
    for path in chance.sample(places, min(60, len(places))):
        yield edited(came, path, chance.choice(OTHERS))
    for _ in range(5):
        yield chance.sample(came, len(came))
        yield [*came, *came]
        at = chance.randrange(len(came))
        yield [*came[:at], *came[at + 1 :]]


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", ROWS)
def test_shuffled_frames_round_trip_or_raise_a_documented_error(dialect: str) -> None:
    chance = random.Random(dialect)
    for line in corpus.sample(ROWS[dialect].folder, "stream", 3):
        came = frames(line)
        for strange in confused(came[:60], chance):
            judge(dialect, strange)


@pytest.mark.corpus
@pytest.mark.parametrize("target", ROWS)
@pytest.mark.parametrize("source", ROWS)
def test_shuffled_frames_cause_no_crash_in_other_dialects(source: str, target: str) -> None:
    chance = random.Random(source + target)
    for line in corpus.sample(ROWS[source].folder, "stream", 2):
        for strange in confused(frames(line)[:40], chance):
            try:
                events = read(source, strange)
            except il.DecodeError:
                continue
            read(target, write(target, events)[0])


@pytest.mark.parametrize("dialect", ROWS)
def test_any_events_give_readable_frames(dialect: str) -> None:
    @ENOUGH
    @given(EVENTS)
    def check(events: list[Any]) -> None:
        made, losses = write(dialect, events)
        for loss in losses:
            assert loss.path.startswith("/")
        foreign = [event for event in events if event["type"] not in {"opaque", "start"} and "extra" not in event]
        if len(foreign) == len(events):  # what is ours by its name alone may hold anything
            read(dialect, made)

    check()
