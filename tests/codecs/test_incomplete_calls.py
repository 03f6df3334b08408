"""A call whose stream is cut while it is told: nobody may take it for whole and run half of it."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

HALF: Final = '{"command": "rm -r /tmp/x'
WHOLE: Final = '{"command": "ls"}'
PIECES: Final = {"function_call": "response.function_call_arguments.delta",
                 "custom_tool_call": "response.custom_tool_call_input.delta"}  # fmt: skip
TARGETS: Final = ["claude", "gemini", "ollama", "bedrock_converse"]


def cut(kind: str, told: str) -> list[dict[str, Any]]:
    """Return the frames of Responses of a call that is still open."""
    member = "input" if kind == "custom_tool_call" else "arguments"
    item = {"type": kind, "id": "it_1", "call_id": "c1", "name": "run", member: "", "status": "in_progress"}
    head: dict[str, Any] = {"id": "r", "object": "response", "created_at": 1, "model": "m", "status": "in_progress"}
    frames = [
        {"type": "response.created", "response": {**head, "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": PIECES[kind], "output_index": 0, "item_id": "it_1", "delta": told},
    ]
    return [{**frame, "sequence_number": number} for number, frame in enumerate(frames)]


def calls_of(target: Any, frames: list[Any]) -> list[Any]:
    """Return the calls that have ended, as a client hears them."""
    ended: set[int] = set()
    begun: dict[int, Any] = {}
    for event in il.decode_stream(frames, target):
        if isinstance(event, il.ToolCallStartEvent):
            begun[event.block] = event
        elif isinstance(event, il.BlockEndEvent):
            ended.add(event.block)
    return [event for block, event in begun.items() if block in ended or target in {"gemini", "ollama"}]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("kind", "told"), [("function_call", HALF), ("function_call", " "), ("custom_tool_call", "*** B")]
)
def test_a_call_in_a_truncated_stream_is_never_completed(kind: str, told: str, target: Any) -> None:
    stream = il.translate_stream(cut(kind, told), "openai_responses", target)
    assert calls_of(target, list(stream)) == []
    assert any(loss.path.startswith(("/1", "/2")) and loss.severity != "filled" for loss in stream.losses)


@pytest.mark.parametrize("target", ["gemini", "ollama", "bedrock_converse"])
def test_a_call_that_is_not_written_is_reported_as_lost(target: Any) -> None:
    stream = il.translate_stream(cut("function_call", HALF), "openai_responses", target)
    list(stream)
    told = [(loss.code, loss.path, loss.severity) for loss in stream.losses if loss.concern == "content"]
    assert told == [("message", "/1", "lost"), ("arguments", "/2/arguments", "lost")]


@pytest.mark.parametrize("target", TARGETS)
def test_a_call_with_complete_arguments_is_kept_if_its_server_sends_no_finish_reason(target: Any) -> None:
    stream = il.translate_stream(cut("function_call", WHOLE), "openai_responses", target)
    [call] = calls_of(target, list(stream))
    assert call.name == "run"


def test_the_block_of_an_incomplete_call_stays_open_for_claude_clients() -> None:
    frames: list[Any] = list(il.translate_stream(cut("custom_tool_call", "*** B"), "openai_responses", "claude"))
    assert frames[-1]["delta"] == {"type": "input_json_delta", "partial_json": '{"input":"*** B'}
