"""Law 4 for streams by hand: what each dialect reports of an event, and that it is what the whole answer reports.

`nox -s mutants` takes every report out of the stream modules, one at a time, and wants one of these tests to miss it.
So they are light: they read no corpus and import no SDK.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from interlingua.events import accumulate
from interlingua.loss import LossLog
from interlingua.loss_consolidation import Note
from interlingua.registry import room
from support.stream_losses import silent
from support.streams import noted

# Streams by hand, and what each dialect reports of the events that they are about (`of`).
VECTORS: Final = sorted((Path(__file__).parents[1] / "vectors" / "streams").glob("*.json"))


def reported(vector: dict[str, Any], events: list[dict[str, Any]], dialect: str) -> list[str]:
    """Return what is noted of the events that a vector is about, value by value, as it writes them."""
    found = {
        f"{note.severity} {note.code} {note.path}"
        for note in noted(dialect, events)
        if int(note.path.split("/")[1]) in vector["of"]
    }
    return sorted(found)


def made_by(dialect: str, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return events as if a dialect had made them."""
    return [{**event, "dialect": dialect} if event["type"] == "start" else event for event in events]


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_each_dialect_reports_the_losses_of_the_vector_for_an_event(path: Path) -> None:
    vector = json.loads(path.read_text(encoding="utf-8"))
    events, losses, at_home = (vector.get(name, {}) for name in ("events", "losses", "at_home"))
    assert {dialect: reported(vector, events, dialect) for dialect in losses} == losses
    assert {dialect: reported(vector, made_by(dialect, events), dialect) for dialect in at_home} == at_home


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_the_stream_of_a_vector_reports_the_losses_of_the_whole_answer(path: Path) -> None:
    vector = json.loads(path.read_text(encoding="utf-8"))
    events = vector["events"]
    answer = accumulate(events)
    found = {dialect: unsaid(dialect, answer, events) for dialect in vector["losses"]}
    assert {dialect: told for dialect, told in found.items() if told} == {}


def unsaid(dialect: str, answer: dict[str, Any], events: list[dict[str, Any]]) -> list[Any]:
    """Return what is lost of an answer, or filled in, and is not reported by the stream of its events."""
    log = LossLog()
    room(dialect).encode_response(answer, log)
    return silent(log.notes(), answer, noted(dialect, events), events)


# An answer and its stream: what the whole one reports, and what the stream might have forgotten.
ANSWER: Final[dict[str, Any]] = {
    "id": "i",
    "created": 1,
    "messages": [{"role": "assistant", "content": "Good day.", "tool_calls": [{"name": "look", "arguments": "{}"}]}],
    "extra": {"openai_chat": {"fields": {"service_tier": "default"}}},
}
EVENTS: Final[list[dict[str, Any]]] = [
    {"type": "start", "id": "i", "created": 1, "extra": {"openai_chat": {"frame": {"put": {"service_tier": "d"}}}}},
    {"type": "content", "block": 0, "text": "Good day."},
    {"type": "tool_call_start", "block": 1, "name": "look"},
    {"type": "tool_call_delta", "block": 1, "arguments": "{}"},
    {"type": "end", "complete": True},
]
WHOLE: Final = (
    Note("member", "/created", "", "lost"),
    Note("required", "/messages/0/tool_calls/0/id", "", "filled"),
    Note("required", "/finish_reason", "", "filled"),
    Note("extra", "/extra/openai_chat/fields/service_tier", "", "lost"),
)
SAID: Final = (
    Note("member", "/0/created", "", "lost"),
    Note("required", "/2/id", "", "filled"),
    Note("required", "/4/reason", "", "filled"),
    Note("extra", "/0/extra/openai_chat/frame", "", "lost"),
)


def test_a_stream_with_the_reports_of_the_whole_answer_passes() -> None:
    assert silent(WHOLE, ANSWER, SAID, EVENTS) == []


@pytest.mark.parametrize("missing", range(len(SAID)))
def test_a_stream_that_omits_one_report_is_detected(missing: int) -> None:
    said = [loss for at, loss in enumerate(SAID) if at != missing]
    assert len(silent(WHOLE, ANSWER, said, EVENTS)) == 1


def test_a_report_with_another_code_severity_or_path_is_not_accepted() -> None:
    wrong = (
        Note("extra", "/0/created", "", "lost"),
        Note("name", "/2/id", "", "changed"),
        Note("required", "/0/model", "", "filled"),
        Note("extra", "/0/extra/openai_chat/moment", "", "lost"),
    )
    assert len(silent(WHOLE, ANSWER, wrong, EVENTS)) == len(WHOLE)


def test_a_truncated_stream_fills_nothing_and_reports_losses() -> None:
    cut = [*EVENTS[:-1], {"type": "end", "complete": False}]
    assert [told.severity for told in silent(WHOLE, ANSWER, (), cut)] == ["lost", "lost"]
