"""Law 4 for streams: what a whole answer loses, and what is filled in, its stream reports at the same place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from interlingua.error_translation import is_error_body
from interlingua.loss import LossLog
from interlingua.registry import room
from support import corpus
from support.answer_events import events_of
from support.rooms import HAS_LOGPROBS, PAIRS, ROWS, as_given, decode
from support.stream_losses import Told, silent
from support.streams import CONTRADICTORY, frames, noted, read

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.corpus, pytest.mark.laws]

# The answer that a stream makes, and its events.
Streamed = tuple[str, dict[str, Any], list[dict[str, Any]]]


def recorded_streams(dialect: str) -> Iterator[Streamed]:
    """Yield id, answer and events of the recorded streams of a dialect and of the vendors that speak it."""
    row = ROWS[dialect]
    for folder in (row.folder, *row.compatible):
        for line in corpus.sample(folder, "stream", 12):
            if line["id"] not in row.unstreamable and line["id"] not in CONTRADICTORY:
                came = frames(line)
                body = room(dialect).assemble_stream(came)
                if not is_error_body(body, dialect):  # one that failed is no answer of another dialect
                    yield line["id"], decode(dialect, "response", body), read(dialect, came)


def recorded_answers(dialect: str) -> Iterator[Streamed]:
    """Yield id, answer and events of the recorded answers, as the events that say the same."""
    row = ROWS[dialect]
    for folder in (row.folder, *row.compatible):
        for line in corpus.sample(folder, "response", 12):
            if line["id"] not in row.unreadable:
                answer = decode(dialect, "response", line["body"])
                yield line["id"], answer, events_of(answer)


def unsaid(answer: dict[str, Any], events: list[dict[str, Any]], target: str) -> list[Told]:
    """Return what is lost of an answer, or filled in, in a dialect, and is not said by the stream of its events."""
    log = LossLog(is_answer=True)
    room(target).encode_response(as_given(answer, target, log), log)
    unsaid = silent(log.notes(), answer, noted(target, events), events)
    # What stands beside log probabilities may be lost where they are written (`tests/codecs/test_logprobs.py`).
    return [told for told in unsaid if not (target in HAS_LOGPROBS and told.place[-1] == "logprobs")]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_translated_stream_reports_the_losses_of_its_translated_answer(source: str, target: str) -> None:
    found = {name: unsaid(answer, events, target) for name, answer, events in recorded_streams(source)}
    assert {name: told for name, told in found.items() if told} == {}


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_an_answer_written_as_a_stream_reports_the_losses_of_the_whole_one(source: str, target: str) -> None:
    found = {name: unsaid(answer, events, target) for name, answer, events in recorded_answers(source)}
    assert {name: told for name, told in found.items() if told} == {}
