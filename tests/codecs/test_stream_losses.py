"""Law 4 for streams that somebody made by hand: what an event says is in the frames, or a loss leads to that event."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
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
def test_the_content_of_an_event_is_written_or_a_loss_of_that_event(case: str, dialect: str) -> None:
    events = [START, *CASES[case]]
    frames, losses = write(dialect, events)
    marked = [at for at, event in enumerate(events) if MARK in written(event) or str(COUNT) in written(event)]
    assert len(marked) == 1
    told = MARK in written(frames) or str(COUNT) in written(frames)
    assert told or any(loss.path.startswith(f"/{marked[0]}/") for loss in losses if loss.severity != "filled")


@pytest.mark.parametrize("dialect", ["claude", "openai_responses", "ollama"])
def test_losses_of_another_alternative_have_paths_in_its_order(dialect: str) -> None:
    event = {"type": "finish", "reason": "other", "raw": "w", "stop_sequence": "s", "alternative": 1}
    _, losses = write(dialect, [START, event, FINISH, END])
    assert [loss.path for loss in losses if loss.code == "message"] == ["/1/reason", "/1/raw", "/1/stop_sequence"]


@pytest.mark.parametrize("dialect", ROWS)
def test_arguments_for_a_text_block_are_in_no_frame(dialect: str) -> None:
    frames, _ = write(dialect, [START, text("a"), arguments(MARK), FINISH, END])
    assert MARK not in written(frames)


def weighed(source: Any, target: Any, *frames: Any) -> set[tuple[str, str]]:
    """Return whom the losses of a stream touch, with their places; its first and last frames are of every stream."""
    stream = il.translate_stream(list(frames), source, target)
    list(stream)
    return {(loss.concern, loss.path) for loss in stream.losses}


def test_an_item_that_only_responses_has_is_a_content_loss_when_it_is_done() -> None:
    answer = {"id": "r", "object": "response", "created_at": 1, "model": "m", "output": [], "status": "in_progress"}
    item = {"type": "mcp_call", "id": "mcp_1", "name": "f", "server_label": "s", "arguments": "{}", "output": "aGk="}
    body = {**answer, "status": "completed", "output": [item]}
    told = weighed(
        "openai_responses",
        "openai_chat",
        {"type": "response.created", "response": answer},
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": body},
    )
    assert {path for concern, path in told if concern == "content"} == {"/2/data"}
    whole = il.translate_response(body, "openai_responses", "openai_chat")
    assert [loss.path for loss in whole.losses if loss.concern == "content"] == ["/messages/0"]


def test_timestamps_and_item_ids_are_bookkeeping_losses_in_streams_too() -> None:
    line = {"model": "m", "created_at": "2026-01-01T00:00:00.123456Z", "message": {"role": "assistant", "content": "A"}}
    told = weighed("ollama", "claude", {**line, "done": False}, {**line, "done": True, "done_reason": "stop"})
    assert {concern for concern, path in told if path == "/0/extra/ollama"} == {"bookkeeping"}
    answer = {"id": "r", "object": "response", "created_at": 1, "model": "m", "output": [], "status": "in_progress"}
    said = {"type": "output_text", "text": "Hi", "annotations": []}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [said]}
    told = weighed(
        "openai_responses",
        "claude",
        {"type": "response.created", "response": answer},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {**answer, "status": "completed", "output": [item]}},
    )
    assert {concern for concern, path in told if path.startswith("/1/")} == {"bookkeeping"}


def test_an_audio_answer_is_one_loss_however_many_fragments_it_has() -> None:
    def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}

    pieces = [chunk({"audio": {"id": "a", "data": "aGk=", "transcript": "Hi"}}) for _ in range(5)]
    told = weighed("openai_chat", "claude", chunk({"role": "assistant"}), *pieces, chunk({}, "stop"), "[DONE]")
    assert len([path for concern, path in told if concern in {"content", "state"}]) == 1
