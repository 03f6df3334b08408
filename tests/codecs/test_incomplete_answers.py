"""Answers of Responses that were cut: why they ended is understood where the server says it in part."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

SAID: Final[dict[str, Any]] = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Hi", "annotations": []}],
}
CUT: Final = {"reason": "max_output_tokens"}
FILTERED: Final = {"reason": "content_filter"}
# What the answer says of its end, and what a client of Chat Completions is told.
ENDS: Final[list[tuple[dict[str, Any], str]]] = [
    ({"status": "incomplete", "incomplete_details": CUT}, "length"),
    ({"incomplete_details": CUT}, "length"),
    ({"status": None, "incomplete_details": CUT}, "length"),
    ({"incomplete_details": {**CUT, "more": 1}}, "length"),
    ({"incomplete_details": FILTERED}, "content_filter"),
    ({"status": "incomplete"}, "length"),
    ({"status": "incomplete", "incomplete_details": None}, "length"),
    ({"status": "incomplete", "incomplete_details": {}}, "length"),
    ({"status": "incomplete", "incomplete_details": {"reason": None}}, "length"),
    ({"status": "incomplete", "incomplete_details": {"reason": "incomplete"}}, "length"),
    ({"status": "incomplete", "incomplete_details": {"reason": "max_tokens"}}, "length"),
    ({"incomplete_details": {"reason": "length"}}, "length"),
    ({"incomplete_details": {}}, "stop"),
    ({"incomplete_details": {"reason": "incomplete"}}, "stop"),
    ({"status": None, "incomplete_details": None}, "stop"),
    ({"status": "completed", "incomplete_details": CUT}, "stop"),
]


def response(**members: Any) -> dict[str, Any]:
    return {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "error": None, **members}


def streamed(name: str, last: dict[str, Any]) -> list[dict[str, Any]]:
    place = {"item_id": "msg_1", "output_index": 0}
    part = {**place, "content_index": 0}
    return [
        {"type": "response.created", "response": response(status="in_progress", output=[])},
        {"type": "response.output_item.added", "output_index": 0, "item": {**SAID, "content": []}},
        {"type": "response.content_part.added", **part, "part": {**SAID["content"][0], "text": ""}},
        {"type": "response.output_text.delta", **part, "delta": "Hi"},
        {"type": "response.output_text.done", **part, "text": "Hi"},
        {"type": "response.content_part.done", **part, "part": SAID["content"][0]},
        {"type": "response.output_item.done", "output_index": 0, "item": SAID},
        {"type": f"response.{name}", "response": last},
    ]


@pytest.mark.parametrize(("end", "reason"), ENDS)
def test_incomplete_details_are_translated(end: dict[str, Any], reason: str) -> None:
    body = response(output=[SAID], **end)
    home = il.encode_response(il.decode_response(body, "openai_responses"), "openai_responses")
    assert (home.body, home.losses) == (body, ())
    assert il.translate_response(body, "openai_responses", "openai_chat").body["choices"][0]["finish_reason"] == reason


@pytest.mark.parametrize("name", ["incomplete", "completed"])
@pytest.mark.parametrize(("end", "reason"), ENDS)
def test_incomplete_details_of_a_stream_are_translated_from_its_last_frame(
    name: str, end: dict[str, Any], reason: str
) -> None:
    frames = streamed(name, response(output=[SAID], **end))
    assert list(il.encode_stream(il.decode_stream(frames, "openai_responses"), "openai_responses")) == frames
    chunks: list[Any] = list(il.translate_stream(frames, "openai_responses", "openai_chat"))
    reasons = [one["finish_reason"] for chunk in chunks if chunk != "[DONE]" for one in chunk.get("choices", ())]
    is_named = name == "incomplete" and end.get("status") is None and reason == "stop"
    assert [one for one in reasons if one is not None] == ["length" if is_named else reason]


def test_changed_details_are_written_with_their_new_value() -> None:
    decoded = il.decode_response(response(output=[SAID], incomplete_details=CUT), "openai_responses")
    for reason, end in (
        ("stop", {"incomplete_details": None}),
        ("content_filter", {"incomplete_details": FILTERED}),
        ("cancelled", {"status": "cancelled", "incomplete_details": None}),
    ):
        body = il.encode_response(decoded.replace(finish_reason=reason), "openai_responses").body
        assert {name: body.get(name) for name in ("status", "incomplete_details")} == {"status": None, **end}


def test_a_stored_answer_with_an_unknown_reason_round_trips() -> None:
    stored = il.ChatResponse.model_validate(
        {
            "dialect": "openai_responses",
            "id": "resp_1",
            "messages": [{"role": "assistant", "content": "Hi"}],
            "finish_reason": "other",
            "finish_reason_raw": "incomplete",
        }
    )
    encoded = il.encode_response(stored, "openai_responses")
    assert (encoded.body["status"], encoded.losses) == ("incomplete", ())


@pytest.mark.parametrize(
    ("arguments", "reason", "status"),
    [
        ('{"command": "rm -rf /tmp/x', "length", "incomplete"),
        ('{"command": "ls"}', "length", "completed"),
        ('{"command": "ls"}', "tool_calls", "completed"),
    ],
)
def test_an_interrupted_call_is_not_marked_as_complete(arguments: str, reason: str, status: str) -> None:
    """So says OpenAI's own stream; a client that runs such a call runs half a command."""
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "run", "arguments": arguments}}
    chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    deltas: list[tuple[dict[str, Any], str | None]] = [({"tool_calls": [call]}, None), ({}, reason)]
    frames = [{**chunk, "choices": [{"index": 0, "delta": said, "finish_reason": word}]} for said, word in deltas]
    heard: list[Any] = list(il.translate_stream([*frames, "[DONE]"], "openai_chat", "openai_responses"))
    done = [frame["item"] for frame in heard if frame["type"] == "response.output_item.done"]
    assert [item["status"] for item in done] == [status]
    assert heard[-1]["response"]["output"] == done

    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": reason}
    body = {**chunk, "object": "chat.completion", "choices": [choice]}
    assert il.translate_response(body, "openai_chat", "openai_responses").body["output"][-1]["status"] == status


def test_a_call_that_ended_before_the_stream_was_interrupted_is_complete() -> None:
    call = {"type": "tool_use", "id": "toolu_1", "name": "run", "input": {}}
    frames: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "model": "m", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": call},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"a": 1}'}},
        {"type": "content_block_stop", "index": 0},
    ]
    for count, status in ((4, "completed"), (3, "incomplete")):
        heard: list[Any] = list(il.translate_stream(frames[:count], "claude", "openai_responses"))
        done = [frame["item"] for frame in heard if frame["type"] == "response.output_item.done"]
        assert [item["status"] for item in done] == [status]


@pytest.mark.parametrize(
    ("arguments", "count", "done"),
    [
        ('{"input": "*** Be', 3, []),  # cut within the text
        ('{"input": "*** Be', 6, []),  # the limit of tokens broke it off, and the server ends the block
        ('{"input": "ls"}', 4, ["ls"]),
        ('{"input": "ls"}', 5, ["ls"]),
    ],
)
def test_an_interrupted_custom_tool_input_is_never_marked_as_complete(
    arguments: str, count: int, done: list[str]
) -> None:
    """Its item has no status, and Codex runs what is done at once: half a patch, half a script."""
    tool = {"type": "custom", "name": "patch", "description": "Edits.", "format": {"type": "text"}}
    asked = {"model": "gpt-5", "input": "Go.", "stream": True, "tools": [tool]}
    exchange = il.exchange(asked, "openai_responses", "claude", model="claude-sonnet-4-5")
    name = exchange.body["tools"][0]["name"]
    reason = "tool_use" if done else "max_tokens"
    frames: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "model": "m", "content": []}},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "tool_use", "id": "toolu_1", "name": name, "input": {}},
        },
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": arguments}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"},
    ]
    heard: list[Any] = list(exchange.stream(frames[:count]))
    told = [frame["item"]["input"] for frame in heard if frame["type"] == "response.output_item.done"]
    assert told == done
    assert [frame["input"] for frame in heard if frame["type"] == "response.custom_tool_call_input.done"] == done
    answer = il.collect(il.decode_stream(heard, "openai_responses")).messages[0]
    assert isinstance(answer, il.AssistantChatMessage)
    assert [call.arguments for call in answer.tool_calls or ()] == (done or ["*** Be"])


@pytest.mark.parametrize("status", ["queued", "in_progress"])
def test_a_response_that_the_provider_has_not_begun_is_refused_for_clients_of_other_dialects(status: str) -> None:
    waiting = response(status=status, incomplete_details=None, background=True, output=[])
    targets: list[il.Dialect] = ["claude", "openai_chat", "gemini", "ollama", "vllm", "bedrock_converse"]
    for target in targets:
        with pytest.raises(il.DecodeError) as error:
            il.translate_response(waiting, "openai_responses", target)
        assert (error.value.path, error.value.looks_like) == ("/status", None)
        assert error.value.partial is not None
    assert il.translate_response(waiting, "openai_responses", "openai_responses").body == waiting
    begun = il.translate_response({**waiting, "output": [SAID]}, "openai_responses", "claude").body
    assert begun["content"] == [{"type": "text", "text": "Hi"}]
    one = il.exchange(
        {"max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}, "claude", "openai_responses", model="m"
    )
    with pytest.raises(il.DecodeError):
        one.response(waiting)
