"""What users suffered from with schemas and results of tools (docs/pain.md), each entry by its id."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il
from support.bodies import DIALECTS, chat_answer

ABROAD: Final = tuple(dialect for dialect in DIALECTS if dialect != "claude")
QUESTION: Final = {"role": "user", "content": "Go."}


def called(*calls: dict[str, Any], results: list[dict[str, Any]] | None = None, **members: Any) -> dict[str, Any]:
    """Return a canonical request: one turn of calls, and what they gave."""
    messages = [QUESTION, {"role": "assistant", "tool_calls": list(calls)}, *(results or [])]
    return {"model": "m", "max_tokens": 100, "messages": messages, **members}


def call(identifier: str, name: str = "f", **arguments: Any) -> dict[str, Any]:
    return {"id": identifier, "name": name, "arguments": arguments}


# --- schemas ----------------------------------------------------------------------------------------------------------

NODE: Final = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
# As servers of MCP write them: beyond what the OpenAPI subset of Gemini has.
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "$defs": {"node": NODE},
    "properties": {
        "list": {"$ref": "#/$defs/node", "description": "beside a reference"},
        "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "either": {"type": ["string", "null"]},
        "fixed": {"const": 1},
        "$ref": {"type": "string"},
    },
    "additionalProperties": False,
}


def test_tool_10_any_schema_is_written_in_the_gemini_member_that_supports_it() -> None:
    tools = [{"type": "function", "name": "f", "parameters": SCHEMA}]
    form = {"type": "json_schema", "schema": SCHEMA}
    encoded = il.encode_request(called(tools=tools, response_format=form), "gemini")
    (declaration,) = encoded.body["tools"][0]["functionDeclarations"]
    assert declaration == {"name": "f", "parametersJsonSchema": SCHEMA}
    # The schema of an answer has fewer words, and a reference stands alone there.
    alone = {"anyOf": [{"$ref": "#/$defs/node"}], "description": "beside a reference"}
    properties = {**SCHEMA["properties"], "list": alone, "fixed": {"enum": [1]}}
    assert encoded.body["generationConfig"]["responseJsonSchema"] == {**SCHEMA, "properties": properties}
    assert il.check_request(encoded.body, "gemini") == []
    told = {loss.path: loss.severity for loss in encoded.losses if not loss.path.startswith("/messages")}
    below = "/response_format/schema/properties"
    assert told.items() >= {f"{below}/list/$ref": "changed", f"{below}/fixed": "changed"}.items()
    assert not any(path.startswith("/tools") for path in told)


def test_tool_10_a_keyword_unsupported_by_the_older_member_is_reported_with_its_path() -> None:
    declaration = {"name": "f", "parameters": SCHEMA}
    body = {
        "contents": [{"role": "user", "parts": [{"text": "Go."}]}],
        "tools": [{"functionDeclarations": [declaration]}],
    }
    places = {one.path for one in il.check_request(body, "gemini") if one.code == "schema"}
    base = "/tools/0/functionDeclarations/0/parameters"
    assert places == {base, f"{base}/properties/list", f"{base}/properties/fixed", f"{base}/$defs/node/properties/next"}


def test_tool_10_schema_keywords_that_ollama_ignores_are_reported_with_their_path() -> None:
    tools = [{"type": "function", "name": "f", "parameters": SCHEMA}]
    losses = il.encode_request(called(tools=tools), "ollama").losses
    places = {loss.path.removeprefix("/tools/0/parameters") for loss in losses if loss.path.startswith("/tools")}
    assert places == {"/additionalProperties", "/properties/list", "/properties/fixed"}


@pytest.mark.parametrize("wrapped", [True, False], ids=["text", "object"])
def test_tool_11_a_schema_in_a_result_is_sent_to_gemini_as_text(*, wrapped: bool) -> None:
    schema = json.dumps({"$ref": "#/$defs/node", "$defs": {"node": NODE}})
    content: Any = [{"type": "text", "text": schema}] if wrapped else schema
    request = called(call("a"), results=[{"role": "tool", "call_id": "a", "content": content}])
    body = il.encode_request(request, "gemini").body
    (part,) = body["contents"][2]["parts"]
    assert part["functionResponse"]["response"] == {"output": schema}
    assert il.check_request(body, "gemini") == []


LOOSE: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "needed": {"type": "string"},
        "optional": {"type": "string"},
        "union": {"anyOf": [{"type": "object", "properties": {"in": {"type": "string"}}}, {"type": "null"}]},
    },
    "required": ["needed"],
}
STRICT: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "needed": {"type": "string"},
        "optional": {"type": ["string", "null"]},
        "union": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"in": {"type": ["string", "null"]}},
                    "required": ["in"],
                    "additionalProperties": False,
                },
                {"type": "null"},
            ]
        },
    },
    "required": ["needed", "optional", "union"],
    "additionalProperties": False,
}
MAP: Final[dict[str, Any]] = {"type": "object", "additionalProperties": {"type": "integer"}}
STRICT_HOMES: Final = pytest.mark.parametrize(
    ("dialect", "within"), [("openai_chat", "function"), ("openai_responses", "")]
)


@STRICT_HOMES
def test_tool_12_a_strict_schema_is_closed_at_every_depth_and_each_change_is_reported(
    dialect: str, within: str
) -> None:
    tool = {"type": "function", "name": "f", "parameters": LOOSE, "strict": True}
    encoded = il.encode_request({"messages": [QUESTION], "model": "m", "tools": [tool]}, dialect)
    (wire,) = encoded.body["tools"]
    function = wire[within] if within else wire
    assert (function["parameters"], function["strict"]) == (STRICT, True)
    assert il.check_request(encoded.body, dialect) == []
    told = [(loss.path.removeprefix("/tools/0/parameters"), loss.severity) for loss in encoded.losses]
    inner = "/properties/union/anyOf/0"
    assert told == [
        ("/additionalProperties", "filled"),
        ("/required", "changed"),
        ("/properties/optional", "changed"),
        (f"{inner}/additionalProperties", "filled"),
        (f"{inner}/required", "filled"),
        (f"{inner}/properties/in", "changed"),
    ]


@STRICT_HOMES
def test_tool_12_a_schema_with_a_map_is_not_made_partly_strict(dialect: str, within: str) -> None:
    schema = {**LOOSE, "properties": {**LOOSE["properties"], "map": MAP}}
    tool = {"type": "function", "name": "f", "parameters": schema, "strict": True}
    request = {"messages": [QUESTION], "model": "m", "tools": [tool]}
    encoded = il.encode_request(request, dialect)
    (wire,) = encoded.body["tools"]
    function = wire[within] if within else wire
    # To Responses, null means to try: with this schema it comes to nothing.
    assert (function["parameters"], function.get("strict")) == (schema, None)
    assert il.check_request(encoded.body, dialect) == []
    assert [(loss.path, loss.severity) for loss in encoded.losses] == [("/tools/0/strict", "lost")]
    with pytest.raises(il.LossError):
        il.encode_request(request, dialect, strict=True)


@STRICT_HOMES
def test_tool_12_a_partly_strict_schema_is_a_violation(dialect: str, within: str) -> None:
    tool = {"type": "function", "name": "f", "parameters": {**LOOSE, "properties": {"map": MAP}}, "strict": False}
    body = il.encode_request({"messages": [QUESTION], "model": "m", "tools": [tool]}, dialect).body
    assert il.check_request(body, dialect) == []
    (wire,) = body["tools"]
    (wire[within] if within else wire)["strict"] = True
    base = f"/tools/0{f'/{within}' if within else ''}/parameters"
    told = [(one.path.removeprefix(base), one.detail.split()[0]) for one in il.check_request(body, dialect)]
    assert told == [("", "additionalProperties"), ("/properties/map", "additionalProperties"), ("", "every")]


# --- results ----------------------------------------------------------------------------------------------------------


def referring(name: str) -> dict[str, Any]:
    """Return a request of Claude whose history found a tool."""
    use = {"type": "tool_use", "id": "a", "name": "search", "input": {}}
    found = {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "tool_reference", "tool_name": name}]}
    schema = {"type": "object"}
    return {
        "model": "m",
        "max_tokens": 9,
        "messages": [QUESTION, {"role": "assistant", "content": [use]}, {"role": "user", "content": [found]}],
        "tools": [
            {"name": "search", "input_schema": schema},
            {"name": "later", "input_schema": schema, "defer_loading": True},
        ],
    }


def test_tool_13_a_reference_to_a_missing_tool_is_reported() -> None:
    assert il.check_request(referring("later"), "claude") == []
    told = [(one.code, one.path) for one in il.check_request(referring("gone"), "claude")]
    assert told == [("name", "/messages/2/content/0/content/0/tool_name")]


@pytest.mark.parametrize("dialect", ABROAD)
def test_tool_13_a_tool_reference_round_trips_and_is_text_in_other_dialects(dialect: str) -> None:
    body = referring("later")
    request = il.decode_request(body, "claude")
    assert il.encode_request(request, "claude").body == body
    encoded = il.encode_request(request, dialect)
    assert il.check_request(encoded.body, dialect) == []
    assert "tool_reference" not in json.dumps(encoded.body)
    assert json.dumps(encoded.body).count("later") == 2, "the tool, and what the search found"
    told = {loss.path: loss.severity for loss in encoded.losses}
    assert (told["/messages/2/content/0"], told["/tools/1/extra/claude"]) == ("changed", "lost")


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_tool_15_the_results_of_one_turn_are_in_one_turn(dialect: str, count: int) -> None:
    calls = [call(f"call_{at}", n=at) for at in range(count)]
    results = [{"role": "tool", "call_id": f"call_{at}", "content": str(at)} for at in range(count)]
    request = called(*calls, results=results)
    body = il.encode_request(request, dialect).body
    assert il.check_request(body, dialect) == []
    turns = body.get("messages") or body.get("contents") or body["input"]
    if dialect == "claude":
        assert [block["content"] for block in turns[2]["content"]] == [str(at) for at in range(count)]
        assert len(turns) == 3
    elif dialect == "gemini":
        answers = [part["functionResponse"]["response"]["output"] for part in turns[2]["parts"]]
        assert answers == [str(at) for at in range(count)]
        assert len(turns) == 3
    else:
        answers = [turn.get("content", turn.get("output")) for turn in turns[-count:]]
        assert answers == [str(at) for at in range(count)]


@pytest.mark.parametrize(
    ("again", "said"), [('{"city": "Rome"}', 1), ('{"city":"Rome"}', 1), ('{"city": "Oslo"}', 2), ('{"city": ', 2)]
)
def test_tool_16_a_delta_that_repeats_all_arguments_is_used_once(again: str, said: int) -> None:
    whole = '{"city": "Rome"}'
    fragments: list[dict[str, Any]] = [
        {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}},
        *({"index": 0, "function": {"arguments": piece}} for piece in ('{"city": ', '"Rome"}', again)),
    ]
    chunks: list[Any] = [
        {"choices": [{"index": 0, "delta": {"tool_calls": [one]}, "finish_reason": None}]} for one in fragments
    ]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    answer = il.collect(il.decode_stream(chunks, "vllm"))
    (made,) = answer.messages[0].tool_calls or ()  # type: ignore[union-attr]  # the assistant's message
    assert made.arguments_text() == "".join((whole, again)[:said])
    stream = il.translate_stream(chunks, "vllm", "claude")
    assert list(stream)
    is_told = ("changed", "arguments") in {(loss.severity, loss.code) for loss in stream.losses}
    assert is_told is (said == 2)


def test_tool_16_arguments_corrupted_by_a_server_are_reported_as_invalid_json() -> None:
    function = {"name": "f", "arguments": '{"city": "Rome"}' * 2}
    body = chat_answer({"content": None, "tool_calls": [{"id": "a", "type": "function", "function": function}]})
    (made,) = il.decode_response(body, "openai_chat").messages[0].tool_calls or ()  # type: ignore[union-attr]  # the assistant's message
    with pytest.raises(ValueError, match="JSON"):
        made.arguments_object()
    losses = il.translate_response(body, "openai_chat", "claude").losses
    assert ("changed", "arguments") in {(loss.severity, loss.code) for loss in losses}
