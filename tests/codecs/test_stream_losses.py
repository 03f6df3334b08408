"""Law 4 for streams that somebody made by hand: what an event says is in the frames, or a loss leads to that event."""

from __future__ import annotations

from typing import Any, Final

import pytest

from support.canonical import written
from support.rooms import ROWS
from support.streams import write

MARK: Final = "MARKER"
COUNT: Final = 987654321
START: Final[dict[str, Any]] = {"type": "start", "id": "i", "model": "m", "created": 1}
FINISH: Final[dict[str, Any]] = {"type": "finish", "reason": "stop"}
END: Final[dict[str, Any]] = {"type": "end", "complete": True}
CUT: Final[dict[str, Any]] = {"type": "end", "complete": False}
CALL: Final[dict[str, Any]] = {"type": "tool_call_start", "block": 0, "id": "a", "name": "f"}
CITED: Final[dict[str, Any]] = {"type": "citation", "block": 0, "citation": {"kind": "url", "url": MARK, "title": "t"}}


def text(said: str, block: int = 0, **members: Any) -> dict[str, Any]:
    return {"type": "content", "block": block, "text": said, **members}


def arguments(said: str, block: int = 0, **members: Any) -> dict[str, Any]:
    return {"type": "tool_call_delta", "block": block, "arguments": said, **members}


def ended(block: int = 0) -> dict[str, Any]:
    return {"type": "block_end", "block": block}


def part(said: str) -> dict[str, Any]:
    return {"type": "part", "block": 0, "part": {"type": "text", "text": said}}


# The events between start and end; one of them holds MARK, or COUNT.
CASES: Final[dict[str, list[dict[str, Any]]]] = {
    "arguments without a call": [arguments(MARK), FINISH, END],
    "arguments behind the end of their call": [CALL, ended(), arguments(MARK), FINISH, END],
    "arguments for a text": [text("a"), arguments(MARK), FINISH, END],
    "a text behind the end of its block": [text("a"), ended(), text(MARK), FINISH, END],
    "a part that replaces another": [part("first"), part(MARK), FINISH, END],
    "a citation without a text": [CITED, FINISH, END],
    "a citation behind the end of its text": [text("a"), ended(), CITED, FINISH, END],
    "another answer's text": [text("a"), text(MARK, 1, alternative=1), FINISH, END],
    "another answer's call": [{**CALL, "name": MARK, "alternative": 1}, arguments("{}", alternative=1), FINISH, END],
    "a refusal": [{"type": "refusal", "block": 0, "text": MARK}, FINISH, END],
    "a citation of a cut stream": [text("a"), CITED, CUT],
    "arguments of a cut stream": [CALL, arguments('{"x":"' + MARK), CUT],
    "counts of a cut stream": [{"type": "usage", "usage": {"input_tokens": COUNT}}, CUT],
    "the reason of a cut stream": [{"type": "finish", "reason": "other", "raw": MARK}, CUT],
    "what a call holds for this dialect or another": [
        {**CALL, "arguments": {}, "extra": {"gemini": {"fields": {"k": MARK}}}}, ended(), FINISH, END,
    ],
    "what nobody knows": [{"type": "state", "block": 0, "extra": {"elsewhere": {"secret": MARK}}}, FINISH, END],
}  # fmt: skip


@pytest.mark.parametrize("dialect", ROWS)
@pytest.mark.parametrize("case", CASES)
def test_what_an_event_says_is_written_or_is_a_loss_of_that_event(case: str, dialect: str) -> None:
    events = [START, *CASES[case]]
    frames, losses = write(dialect, events)
    marked = [at for at, event in enumerate(events) if MARK in written(event) or str(COUNT) in written(event)]
    assert len(marked) == 1
    told = MARK in written(frames) or str(COUNT) in written(frames)
    assert told or any(loss.path.startswith(f"/{marked[0]}/") for loss in losses if loss.severity != "filled")


@pytest.mark.parametrize("dialect", ["claude", "openai_responses", "ollama"])
def test_losses_of_another_answer_lead_to_what_it_says_in_its_order(dialect: str) -> None:
    event = {"type": "finish", "reason": "other", "raw": "w", "stop_sequence": "s", "alternative": 1}
    _, losses = write(dialect, [START, event, FINISH, END])
    assert [loss.path for loss in losses if loss.code == "message"] == ["/1/reason", "/1/raw", "/1/stop_sequence"]


@pytest.mark.parametrize("dialect", ROWS)
def test_arguments_for_a_text_stand_in_no_frame(dialect: str) -> None:
    frames, _ = write(dialect, [START, text("a"), arguments(MARK), FINISH, END])
    assert MARK not in written(frames)
