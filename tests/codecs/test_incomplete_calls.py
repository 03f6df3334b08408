"""A call whose stream is cut while it is told: nobody may take it for whole and run half of it."""

from __future__ import annotations

import json
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


# Claude closes the JSON of a call that a stop sequence ends: nobody may take it for whole.

CLIPPED: Final = {"path": "hello.py", "contents": "import sys\n"}
STOPPED: Final = {"stop_reason": "stop_sequence", "stop_sequence": "print("}
ENDS_WITH_CALL: Final[dict[str, tuple[dict[str, Any], list[dict[str, Any]]]]] = {
    "claude": (
        {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m",
            "content": [
                {"type": "text", "text": "I write it."},
                {"type": "tool_use", "id": "toolu_1", "name": "write", "input": CLIPPED},
            ],
            **STOPPED,
            "usage": {"input_tokens": 3, "output_tokens": 2},
        },
        [
            {
                "type": "message_start",
                "message": {
                    "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [],
                    "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 3, "output_tokens": 1},
                },
            },
            {
                "type": "content_block_start", "index": 0,
                "content_block": {"type": "tool_use", "id": "toolu_1", "name": "write", "input": {}},
            },
            {
                "type": "content_block_delta", "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": '{"path": "hello.py"}'},
            },
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": STOPPED, "usage": {"output_tokens": 2}},
            {"type": "message_stop"},
        ],
    ),
    "bedrock_converse": (
        {
            "output": {"message": {"role": "assistant", "content": [
                {"toolUse": {"toolUseId": "tooluse_1", "name": "write", "input": CLIPPED}}
            ]}},
            "stopReason": "stop_sequence",
            "usage": {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5},
            "metrics": {"latencyMs": 1},
        },
        [
            {"messageStart": {"role": "assistant"}},
            {
                "contentBlockStart": {
                    "contentBlockIndex": 0, "start": {"toolUse": {"toolUseId": "tooluse_1", "name": "write"}}
                }
            },
            {
                "contentBlockDelta": {
                    "contentBlockIndex": 0, "delta": {"toolUse": {"input": '{"path": "hello.py"}'}}
                }
            },
            {"contentBlockStop": {"contentBlockIndex": 0}},
            {"messageStop": {"stopReason": "stop_sequence"}},
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("source", ENDS_WITH_CALL)
def test_a_call_that_a_stop_sequence_cut_off_is_no_answer_that_ended_for_its_calls(source: Any) -> None:
    body, frames = ENDS_WITH_CALL[source]
    assert il.encode_response(il.decode_response(body, source), source).body == body
    assert list(il.translate_stream(frames, source, source)) == frames
    whole = il.translate_response(body, source, "openai_chat").body["choices"][0]
    assert (whole["finish_reason"], len(whole["message"]["tool_calls"])) == ("length", 1)
    ends = [
        chunk["choices"][0]["finish_reason"]
        for chunk in il.translate_stream(frames, source, "openai_chat")
        if isinstance(chunk, dict) and chunk["choices"]
    ]
    assert [end for end in ends if end] == ["length"]
    responses = il.translate_response(body, source, "openai_responses").body
    assert (responses["status"], responses["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})


@pytest.mark.parametrize(("source", "target"), [("claude", "bedrock_converse"), ("bedrock_converse", "claude")])
def test_a_stop_sequence_within_a_call_is_kept_between_claude_and_bedrock(source: Any, target: Any) -> None:
    body, frames = ENDS_WITH_CALL[source]
    translated = il.translate_response(body, source, target).body
    assert translated.get("stopReason", translated.get("stop_reason")) == "stop_sequence"
    assert il.decode_response(translated, target).finish_reason == "length"
    assert '"stop_sequence"' in json.dumps([*il.translate_stream(frames, source, target)][-2])


@pytest.mark.parametrize("source", ENDS_WITH_CALL)
def test_a_text_that_a_stop_sequence_ends_is_whole(source: Any) -> None:
    body = json.loads(json.dumps(ENDS_WITH_CALL[source][0]))
    if source == "claude":
        del body["content"][1]
    else:
        body["output"]["message"]["content"] = [{"text": "I write it."}]
    assert il.translate_response(body, source, "openai_chat").body["choices"][0]["finish_reason"] == "stop"
