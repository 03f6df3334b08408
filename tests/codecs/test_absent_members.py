"""Optional members of strict tools: OpenAI wants all of them, so that null says which is absent. Clients hear none."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il

TEXT: Final[dict[str, Any]] = {"type": "string"}
PLACE: Final[dict[str, Any]] = {"type": "object", "properties": {"city": TEXT, "zip": TEXT}, "required": ["city"]}
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "where": {"$ref": "#/$defs/place"},
        "stops": {"type": "array", "items": {"$ref": "#/$defs/place"}},
        "days": {"type": "integer", "default": 3},
        "unit": {"enum": ["C", "F"]},
        "note": {"anyOf": [TEXT, {"type": "null"}]},
        "either": {"anyOf": [PLACE, {"type": "object", "properties": {"at": TEXT}}]},
    },
    "required": ["where"],
    "$defs": {"place": PLACE},
}
TOOL: Final[dict[str, Any]] = {"name": "weather", "input_schema": SCHEMA, "strict": True}
ASKED: Final[dict[str, Any]] = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 100,
    "messages": [{"role": "user", "content": "Weather?"}],
    "tools": [TOOL],
}
SAID: Final[dict[str, Any]] = {
    "where": {"city": "Oslo", "zip": None},
    "stops": [{"city": "Rome", "zip": None}, {"city": "Bonn", "zip": "53111"}],
    "days": None,
    "unit": None,
    "note": None,
    "either": {"city": "Paris", "zip": None},
}
HEARD: Final[dict[str, Any]] = {
    "where": {"city": "Oslo"},
    "stops": [{"city": "Rome"}, {"city": "Bonn", "zip": "53111"}],
    "note": None,
    "either": {"city": "Paris"},
}


def chat_answer(arguments: str, name: str = "weather") -> dict[str, Any]:
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "gpt-4.1", "choices": [choice]}


def chat_frames(*pieces: str) -> list[dict[str, Any]]:
    first = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "weather", "arguments": ""}}
    calls = [first, *({"index": 0, "function": {"arguments": piece}} for piece in pieces)]
    shared = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt-4.1"}
    deltas = [({"role": "assistant", "tool_calls": [call]}, None) for call in calls]
    ended: list[tuple[dict[str, Any], str | None]] = [*deltas, ({}, "tool_calls")]
    return [{**shared, "choices": [{"index": 0, "delta": said, "finish_reason": why}]} for said, why in ended]


def streamed_input(frames: list[Any]) -> str:
    return "".join(frame["delta"].get("partial_json", "") for frame in frames if "delta" in frame)


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
def test_null_arguments_are_removed_where_the_tool_schema_refuses_null(target: Any) -> None:
    exchange = il.exchange(ASKED, "claude", target, model="gpt-4.1")
    answer: dict[str, Any] = chat_answer(json.dumps(SAID))
    if target == "openai_responses":
        answer = il.translate_response(answer, "openai_chat", "openai_responses").body
    [block] = exchange.response(answer).body["content"]
    assert block["input"] == HEARD


def test_null_arguments_are_removed_in_streams_wherever_the_fragments_end() -> None:
    exchange = il.exchange(ASKED, "claude", "openai_chat", model="gpt-4.1")
    text = json.dumps(SAID)
    for size in (1, 7, len(text)):
        frames = chat_frames(*(text[at : at + size] for at in range(0, len(text), size)))
        assert json.loads(streamed_input(list(exchange.stream(frames)))) == HEARD


def test_fragments_of_a_truncated_stream_are_written_unchanged() -> None:
    exchange = il.exchange(ASKED, "claude", "openai_chat", model="gpt-4.1")
    cut = '{"where": {"city": "Oslo", "zip": null}, "da'
    assert streamed_input(list(exchange.stream(chat_frames(cut)[:-1]))) == cut


def test_null_arguments_are_removed_for_gemini_with_validated_calls() -> None:
    declared = {"name": "weather", "parametersJsonSchema": SCHEMA}
    asked = {
        "contents": [{"role": "user", "parts": [{"text": "Weather?"}]}],
        "tools": [{"functionDeclarations": [declared]}],
        "toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}},
    }
    exchange = il.exchange(asked, "gemini", "openai_chat", model="gpt-4.1")
    [candidate] = exchange.response(chat_answer(json.dumps(SAID))).body["candidates"]
    assert candidate["content"]["parts"][0]["functionCall"]["args"] == HEARD


def test_arguments_without_such_nulls_are_written_unchanged() -> None:
    tool = {"toolSpec": {"name": "weather", "inputSchema": {"json": SCHEMA}, "strict": True}}
    asked = {"messages": [{"role": "user", "content": [{"text": "?"}]}], "toolConfig": {"tools": [tool]}}
    exchange = il.exchange(asked, "bedrock_converse", "openai_chat", model="gpt-4.1")
    text = '{ "where": {"city":"Oslo"},  "note" :null}'
    frames = list(exchange.stream(chat_frames(text)))
    said = [frame["contentBlockDelta"]["delta"]["toolUse"]["input"] for frame in frames if "contentBlockDelta" in frame]
    assert "".join(said) == text


def test_arguments_of_a_tool_that_is_not_strict_are_unchanged() -> None:
    loose = {name: value for name, value in TOOL.items() if name != "strict"}
    exchange = il.exchange({**ASKED, "tools": [loose]}, "claude", "openai_chat", model="gpt-4.1")
    [block] = exchange.response(chat_answer(json.dumps(SAID))).body["content"]
    assert block["input"] == SAID


def test_a_recursive_schema_is_followed_to_the_depth_of_the_arguments() -> None:
    tree: dict[str, Any] = {"type": "object", "properties": {"name": TEXT, "child": {"$ref": "#/$defs/tree"}}}
    schema = {"type": "object", "properties": {"root": {"$ref": "#/$defs/tree"}}, "$defs": {"tree": tree}}
    asked = {**ASKED, "tools": [{**TOOL, "input_schema": schema}]}
    exchange = il.exchange(asked, "claude", "openai_chat", model="gpt-4.1")
    said = {"root": {"name": "a", "child": {"name": "b", "child": {"name": "c", "child": None}}}}
    [block] = exchange.response(chat_answer(json.dumps(said))).body["content"]
    assert block["input"] == {"root": {"name": "a", "child": {"name": "b", "child": {"name": "c"}}}}


@pytest.mark.parametrize(
    ("shape", "heard"),
    [
        ({"kind": "circle", "size": None, "note": None}, {"kind": "circle", "note": None}),
        ({"kind": "square", "size": None, "note": None}, {"kind": "square", "size": None}),
    ],
)
def test_a_null_is_judged_by_the_matching_alternative_of_a_union(shape: dict[str, Any], heard: dict[str, Any]) -> None:
    number, nullable = {"type": "number"}, {"type": ["string", "null"]}
    circle = {"properties": {"kind": {"const": "circle"}, "size": number, "note": nullable}, "required": ["kind"]}
    square = {
        "properties": {"kind": {"const": "square"}, "size": {"type": ["number", "null"]}, "note": TEXT},
        "required": ["kind"],
    }
    shapes = {"anyOf": [{"type": "object", **circle}, {"type": "object", **square}]}
    schema = {"type": "object", "properties": {"shape": shapes}, "required": ["shape"]}
    exchange = il.exchange(
        {**ASKED, "tools": [{**TOOL, "input_schema": schema}]}, "claude", "openai_chat", model="gpt-4.1"
    )
    [block] = exchange.response(chat_answer(json.dumps({"shape": shape}))).body["content"]
    assert block["input"] == {"shape": heard}
    # A client that runs the tool with this library reads the same arguments.
    definition = il.ToolDefinition(name="weather", parameters=schema, strict=True)
    call = il.ToolCall(id="call_1", name="weather", arguments={"shape": shape})
    assert il.tools.read_arguments(call, definition) == {"shape": heard}


def test_null_arguments_of_a_renamed_tool_are_removed_by_its_own_schema() -> None:
    name = "weather." + "x" * 60
    exchange = il.exchange({**ASKED, "tools": [{**TOOL, "name": name}]}, "claude", "openai_chat", model="gpt-4.1")
    sent = exchange.body["tools"][0]["function"]["name"]
    assert sent != name
    [block] = exchange.response(chat_answer(json.dumps(SAID), sent)).body["content"]
    assert (block["name"], block["input"]) == (name, HEARD)


def test_the_tool_schemas_are_kept_in_the_json_form_of_the_exchange() -> None:
    exchange = il.exchange(ASKED, "claude", "openai_chat", model="gpt-4.1")
    again = il.Exchange.from_json(exchange.to_json())
    assert again == exchange
    [block] = again.response(chat_answer(json.dumps(SAID))).body["content"]
    assert block["input"] == HEARD
    members = json.loads(exchange.to_json())
    members["tools"]["weather"]["schema"] = "/days"
    with pytest.raises(il.JsonDecodeError):
        il.Exchange.from_json(json.dumps(members))
