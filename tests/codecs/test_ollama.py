"""The room `ollama`: what `/api/chat` says in its own way, both ways."""

from __future__ import annotations

import copy
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.errors import DecodeError
from interlingua.loss import LossLog
from interlingua.model import ChatRequest, ChatResponse
from interlingua.rooms import claude, ollama, openai_chat

PNG: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
JPEG: Final = "/9j/4AAQSkZJRgABAQEAYABgAAD/2wBD"
WAV: Final = "UklGRiQAAABXQVZFZm10IBAAAAABAAEA"
MP3: Final = "//sQxAAAAAAAAAAAAAAAAAAAAAAAAAAA"
SCHEMA: Final[dict[str, Any]] = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER: Final[dict[str, Any]] = {"name": "weather", "description": "The weather.", "parameters": SCHEMA}
QUESTION: Final = {"role": "user", "content": "Hello"}


def asked(**members: Any) -> dict[str, Any]:
    """Return a body of a request."""
    return {"model": "llama3.2", "messages": [QUESTION], "stream": False, **members}


def answered(message: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return a body of a response."""
    moment = "2026-05-04T22:45:15.876154Z"
    return {
        "model": "llama3.2",
        "created_at": moment,
        "message": message,
        "done_reason": "stop",
        "done": True,
    } | members


def encoded(**members: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the body of a request made by hand, and the losses as path to severity."""
    log = LossLog()
    request: Any = {"model": "llama3.2", "messages": [QUESTION], "stream": False, **members}
    body = ollama.encode_request(request, log)
    return body, {loss.path: loss.severity for loss in log.losses()}


def wire_message(message: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the wire form of one message made by hand, and the losses."""
    body, losses = encoded(messages=[message])
    return body["messages"][0], losses


def translated(body: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a Chat Completions body in this dialect, and the losses."""
    log = LossLog()
    return ollama.encode_request(openai_chat.decode_request(body), log), {
        loss.path: loss.severity for loss in log.losses()
    }


def decoded(**members: Any) -> Any:
    return ollama.decode_request(asked(**members))


def reply(response: Any) -> dict[str, Any]:
    return ollama.encode_response(response, LossLog())


# What only a habit tells apart comes back as it was.
@pytest.mark.parametrize(
    "members",
    [
        {"messages": []},
        {"messages": None},
        {"stream": None},
        {"options": {}},
        {"options": None},
        {"options": {"temperature": 0, "top_p": 0.5, "top_k": 40, "seed": 7, "num_predict": 16, "stop": ["a", "b"]}},
        {"options": {"temperature": None, "mirostat": None, "num_ctx": 4096}},
        {"options": {"num_predict": -1, "top_k": 40.5, "stop": "a"}},
        {"format": "json"},
        {"format": ""},
        {"format": None},
        {"format": SCHEMA},
        {"format": "yaml"},
        {"think": True},
        {"think": False},
        {"think": "high"},
        {"think": None},
        {"keep_alive": "5m", "truncate": False, "shift": True, "logprobs": True, "top_logprobs": 2, "temperature": 0.5},
        {"tools": []},
        {"tools": None},
        {"tools": [{"type": "function", "function": WEATHER}]},
        {"tools": [{"function": {"name": "weather", "parameters": None, "strict": True}, "note": 1}]},
        {"tools": [{"type": "web_search"}]},
        {"messages": [{"role": "developer", "content": "Be brief."}, {"role": "control", "content": "thinking"}]},
        {"messages": [{"role": "user", "content": None}, {"role": "user"}, {"role": "user", "content": "", "x": None}]},
        {"messages": [{"role": "user", "images": [PNG]}, {"role": "user", "content": "Look", "images": [PNG, JPEG]}]},
        {"messages": [{"role": "user", "content": "", "images": []}, {"role": "user", "content": "a", "images": None}]},
        {"messages": [{"role": "user", "images": ["data:image/png;base64,QUFB", "https://a.b/c.png", "?", [1, 2]]}]},
        {"messages": [{"role": "assistant", "content": "", "tool_calls": []}]},
        {"messages": [{"role": "assistant", "thinking": "", "content": "a", "tool_calls": None}]},
        {"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "a", "arguments": {}}}]}]},
        {"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "a"}, "id": None}]}]},
        {"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "a", "arguments": '{"b": 1}'}}]}]},
        {
            "messages": [
                {
                    "role": "assistant",
                    "content": None,
                    "thinking": "Hm.",
                    "tool_calls": [
                        {"type": "function", "function": {"index": 0, "name": "a", "arguments": {"b": 1}}},
                        {"type": "surprise", "data": [1]},
                        {"id": "c", "function": {"index": 7, "name": "d", "arguments": None, "more": True}},
                    ],
                },
                {"role": "tool", "content": "1", "tool_name": "a"},
                {"role": "tool", "content": "2", "tool_name": "d", "tool_call_id": "c", "images": [PNG]},
                {"role": "tool", "content": "3"},
            ]
        },
    ],
)
def test_a_request_round_trips(members: dict[str, Any]) -> None:
    body = asked(**members)
    before = copy.deepcopy(body)
    canonical = ollama.decode_request(body)
    log = LossLog()
    assert ollama.encode_request(canonical, log) == before
    assert log.losses() == ()
    assert body == before
    model = ChatRequest.model_validate(canonical)
    assert ollama.encode_request(model.model_dump(mode="json"), LossLog()) == before


@pytest.mark.parametrize(
    "body",
    [
        answered({"role": "assistant", "content": "Hi!"}, total_duration=5, eval_count=3, prompt_eval_count=2),
        answered({"role": "assistant", "content": ""}, done_reason="load"),
        answered({"role": "assistant", "content": "Hi!"}, created_at="2023-08-04T08:52:19.385406455-07:00"),
        answered({"role": "assistant", "content": "Hi!"}, created_at="0001-01-01T00:00:00Z"),
        answered({"role": "assistant", "content": "Hi!"}, created_at="yesterday", eval_count=None, model=None),
        answered({"role": "assistant", "content": "Hi!"}, done=False, logprobs=[{"token": "Hi", "logprob": -1}]),
        answered({"content": "Hi!", "images": None, "tool_calls": None, "thinking": None}),
        answered({"role": None, "content": "Hi!"}),
        answered({"role": "assistant", "content": "Hi!", "thinking": "Hm.", "images": [PNG]}),
        {"model": "a", "message": {"role": "assistant", "content": "Hi!"}},
        answered(
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {"id": "call_1", "function": {"index": 0, "name": "a", "arguments": {}}},
                    {"function": {"name": "b", "arguments": {}}},
                ],
            }
        ),
    ],
)
def test_a_response_round_trips(body: dict[str, Any]) -> None:
    before = copy.deepcopy(body)
    canonical = ollama.decode_response(body)
    log = LossLog()
    assert ollama.encode_response(canonical, log) == before
    assert log.losses() == ()
    model = ChatResponse.model_validate(canonical)
    assert ollama.encode_response(model.model_dump(mode="json"), LossLog()) == before


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ([], ""),
        ({"model": "a"}, "/messages"),
        (asked(messages={}), "/messages"),
        (asked(messages=["Hello"]), "/messages/0"),
        (asked(messages=[{"content": "Hello"}]), "/messages/0/role"),
        (asked(messages=[{"role": "user", "content": [{"type": "text", "text": "a"}]}]), "/messages/0/content"),
        (asked(messages=[QUESTION, {"role": "user", "content": "a", "images": PNG}]), "/messages/1/images"),
        (
            asked(messages=[{"role": "assistant", "tool_calls": [{"function": {"name": "a", "arguments": 1}}]}]),
            "/messages/0/tool_calls/0/function/arguments",
        ),
        (asked(tools=[{"type": "function", "function": {"description": "a"}}]), "/tools/0/function/name"),
    ],
)
def test_a_malformed_known_member_raises_an_error_with_its_path(body: Any, path: str) -> None:
    with pytest.raises(DecodeError) as refused:
        ollama.decode_request(body)
    assert (refused.value.dialect, refused.value.path) == ("ollama", path)


def test_an_error_body_is_not_a_response() -> None:
    with pytest.raises(DecodeError) as refused:
        ollama.decode_response({"error": "model not found"})
    assert refused.value.path == "/message"


# Requests


@pytest.mark.requirement("TEST-SerializationCompatibility.Should_Match_Ollama_Format")
def test_a_user_message_has_role_and_content() -> None:
    assert wire_message({"role": "user", "content": "Write hello world"}) == (
        {"role": "user", "content": "Write hello world"},
        {},
    )


@pytest.mark.requirement("TEST-SerializationCompatibility.Should_Match_Ollama_ToolCall_Format")
def test_a_call_is_an_object_with_name_and_arguments() -> None:
    call = {"id": "call_1", "name": "write_file", "arguments": {"path": "test.cs", "content": "code"}}
    message, losses = wire_message({"role": "assistant", "tool_calls": [call]})
    function = {"name": "write_file", "arguments": {"path": "test.cs", "content": "code"}}
    assert message == {"role": "assistant", "content": "", "tool_calls": [{"id": "call_1", "function": function}]}
    assert losses == {}


def test_settings_are_in_options() -> None:
    body, losses = encoded(max_tokens=16, temperature=0, top_p=0.5, top_k=40, seed=7, stop=["a"], presence_penalty=1)
    assert body["options"] == {
        "num_predict": 16,
        "temperature": 0,
        "top_p": 0.5,
        "top_k": 40,
        "seed": 7,
        "presence_penalty": 1,
        "stop": ["a"],
    }
    assert losses == {}


def test_a_negative_limit_means_no_token_limit() -> None:
    request = decoded(options={"num_predict": -1, "num_ctx": 8})
    assert "max_tokens" not in request
    assert request["extra"]["ollama"]["fields"] == {"options": {"num_predict": -1, "num_ctx": 8}}


@pytest.mark.parametrize(
    "setting",
    [{"n": 2}, {"logit_bias": {"1": 2}}, {"user": "me"}, {"top_logprobs": 21}],
)
def test_settings_without_a_place_are_lost(setting: dict[str, Any]) -> None:
    body, losses = encoded(**setting)
    assert body == asked()
    assert losses == {f"/{name}": "lost" for name in setting}


def test_streaming_is_the_default_of_the_server() -> None:
    body = asked()
    del body["stream"]
    assert ollama.decode_request(body)["stream"] is True
    translation, losses = translated({"model": "a", "messages": [QUESTION]})
    assert translation["stream"] is False
    assert losses == {"/stream": "filled"}


@pytest.mark.parametrize(
    ("think", "settings"),
    [(True, {"mode": "adaptive"}), (False, {"mode": "disabled"}), ("max", {"effort": "max"})],
)
def test_think_is_a_boolean_or_an_effort(think: bool | str, settings: dict[str, str]) -> None:
    assert decoded(think=think)["reasoning"] == settings
    assert encoded(reasoning=settings) == (asked(think=think), {})


@pytest.mark.parametrize(
    ("settings", "think", "losses"),
    [
        ({"effort": "none"}, False, {}),
        ({"effort": "minimal"}, "low", {"/reasoning/effort": "changed"}),
        ({"effort": "xhigh"}, "max", {"/reasoning/effort": "changed"}),
        (
            {"mode": "enabled", "budget_tokens": 2048},
            "medium",
            {"/reasoning/mode": "changed", "/reasoning/budget_tokens": "changed", "/reasoning/effort": "filled"},
        ),
        (
            {"mode": "adaptive", "effort": "high", "display": "omitted"},
            "high",
            {"/reasoning/mode": "changed", "/reasoning/display": "lost"},
        ),
    ],
)
def test_foreign_settings_are_mapped_to_the_nearest_value(
    settings: dict[str, Any], think: bool | str, losses: dict[str, str]
) -> None:
    assert encoded(reasoning=settings) == (asked(think=think), losses)


def test_a_format_is_a_schema_or_the_word_json() -> None:
    wanted = {"type": "json_schema", "name": "place", "schema": SCHEMA, "strict": True}
    body, losses = encoded(response_format=wanted)
    assert body["format"] == SCHEMA
    assert losses == {"/response_format/name": "lost"}  # the server holds to it
    assert encoded(response_format={"type": "json_object"}) == (asked(format="json"), {})
    assert decoded(format=SCHEMA)["response_format"] == {"type": "json_schema", "schema": SCHEMA}
    assert encoded(response_format={"type": "text"}) == (asked(), {})


# Pictures


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (PNG, {"type": "image", "format": "image/png"}),
        (JPEG, {"type": "image", "format": "image/jpeg"}),
        ("R0lGODlhAQABAIAAAP", {"type": "image", "format": "image/gif"}),
        ("UklGRiIAAABXRUJQVlA4IBYA", {"type": "image", "format": "image/webp"}),
        (WAV, {"type": "audio", "format": "audio/wav"}),
        (MP3, {"type": "audio", "format": "audio/mpeg"}),
        ("SUQzBAAAAAAAI1RTU0UA", {"type": "audio", "format": "audio/mpeg"}),
        ("AAAA", {"type": "image"}),
        ("not base64", {"type": "image"}),
    ],
)
def test_the_media_type_of_an_image_is_detected_from_its_first_bytes(data: str, part: dict[str, str]) -> None:
    request = decoded(messages=[{"role": "user", "content": "Look", "images": [data]}])
    assert request["messages"][0]["content"] == [{"type": "text", "text": "Look"}, {**part, "data": data}]


def test_images_follow_all_text() -> None:
    picture = {"type": "image", "format": "image/png", "data": PNG}
    say = [{"type": "text", "text": "One"}, picture, {"type": "text", "text": "Two"}]
    assert wire_message({"role": "user", "content": say[:2]}) == (
        {"role": "user", "content": "One", "images": [PNG]},
        {},
    )
    message, losses = wire_message({"role": "user", "content": say})
    assert message == {"role": "user", "content": "One\n\nTwo", "images": [PNG]}
    assert losses == {"/messages/0/content": "changed"}


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image", "url": "https://a.b/c.png"},
        {"type": "file", "format": "application/pdf", "data": "JVBE"},
        {"type": "audio", "format": "audio/flac", "data": "ZkxhQw=="},
    ],
)
def test_an_image_without_data_or_of_unknown_type_is_lost(part: dict[str, str]) -> None:
    message, found = wire_message({"role": "user", "content": [{"type": "text", "text": "Look"}, part]})
    assert message == {"role": "user", "content": "Look"}
    assert found == {"/messages/0/content/1": "lost"}


def test_a_media_type_that_contradicts_the_bytes_is_changed() -> None:
    _, losses = wire_message({"role": "user", "content": [{"type": "image", "format": "image/gif", "data": PNG}]})
    assert losses == {"/messages/0/content/0/format": "changed"}


def test_a_text_document_becomes_text() -> None:
    message, losses = wire_message({"role": "user", "content": [{"type": "file", "text": "All of it", "title": "T"}]})
    assert message == {"role": "user", "content": "Title: T\n\nAll of it"}
    assert losses == {"/messages/0/content/0": "changed"}


# Tools


def test_schema_keywords_that_the_server_ignores_are_reported() -> None:
    schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "city": {"type": "string", "default": "Rome", "enum": ["Rome"]},
            "where": {"anyOf": [{"type": "string", "pattern": "a+"}, {"type": "null"}]},
            "box": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}},
            "list": {"type": "array", "items": {"type": "string", "format": "date"}},
            "place": {"$ref": "#/$defs/Place"},
        },
        "$defs": {"Place": {"type": "string", "const": "here"}},
    }
    body, losses = encoded(tools=[{"type": "function", "name": "weather", "parameters": schema, "strict": True}])
    (tool,) = body["tools"]
    assert tool["function"]["parameters"] == {
        **schema,
        "properties": {
            "city": {"type": "string", "default": "Rome", "enum": ["Rome"], "description": 'Default: "Rome"'},
            "where": {
                "anyOf": [
                    {"type": "string", "pattern": "a+", "description": 'Limits: pattern "a+"'},
                    {"type": "null"},
                ]
            },
            "box": {
                "type": "object",
                "properties": {"size": {"type": "integer", "minimum": 1, "description": "Limits: minimum 1"}},
            },
            "list": {"type": "array", "items": {"type": "string", "format": "date"}},
            "place": {"type": "string", "enum": ["here"]},
        },
        "$defs": {"Place": {"type": "string", "enum": ["here"]}},
    }
    inside = "/tools/0/parameters"
    assert losses == {
        f"{inside}/additionalProperties": "changed",
        f"{inside}/properties/city": "changed",
        f"{inside}/properties/where/anyOf/0": "changed",
        f"{inside}/properties/box/properties/size": "changed",
        f"{inside}/properties/place": "changed",
        f"{inside}/$defs/Place": "changed",
        "/tools/0/strict": "lost",
    }


def test_schema_keywords_that_the_server_refuses_are_rewritten() -> None:
    schema: dict[str, Any] = {"properties": {"any": True, "either": {"anyOf": [True, {"type": "string"}]}}}
    before = copy.deepcopy(schema)
    body, losses = encoded(
        tools=[{"type": "function", "name": "a", "parameters": schema}, {"type": "function", "name": "b"}]
    )
    assert [tool["function"]["parameters"] for tool in body["tools"]] == [
        {"type": "object", "properties": {"any": {}, "either": {"anyOf": [{}, {"type": "string"}]}}},
        {"type": "object", "properties": {}},
    ]
    assert losses == {
        "/tools/0/parameters/type": "filled",
        "/tools/0/parameters/properties/any": "changed",
        "/tools/0/parameters/properties/either/anyOf/0": "changed",
        "/tools/1/parameters": "filled",
    }
    assert schema == before


def test_a_schema_of_any_depth_is_read() -> None:
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(1_500):
        schema = {"type": "object", "properties": {"a": schema}, "minProperties": 1}
    _, losses = encoded(tools=[{"type": "function", "name": "a", "parameters": schema}])
    assert len(losses) == 65  # what stands deeper is written as it is


@pytest.mark.parametrize(
    ("choice", "offered", "losses"),
    [
        ({"mode": "auto"}, ["a", "b"], {}),
        ({"mode": "required"}, ["a", "b"], {"/tool_choice": "lost"}),
        ({"mode": "named", "name": "a"}, ["a", "b"], {"/tool_choice": "lost"}),
        ({"mode": "subset", "names": ["b"]}, ["b"], {"/tool_choice": "changed", "/tools/0": "lost"}),
        (
            {"mode": "subset", "names": ["b"], "required": True},
            ["b"],
            {"/tool_choice": "lost", "/tools/0": "lost"},
        ),
    ],
)
def test_a_tool_choice_other_than_none_is_lost(
    choice: dict[str, Any], offered: list[str], losses: dict[str, str]
) -> None:
    tools = [{"type": "function", "name": name, "parameters": SCHEMA} for name in ("a", "b")]
    body, found = encoded(tools=tools, tool_choice=choice)
    assert [tool["function"]["name"] for tool in body["tools"]] == offered
    assert found == losses
    assert "tool_choice" not in body


def test_a_tool_choice_without_tools_is_omitted() -> None:
    body, losses = encoded(tools=[{"type": "function", **WEATHER}], tool_choice={"mode": "none"})
    assert body == asked()
    assert losses.keys() == {"/tools/0"}  # without a tool none is called


# Calls and results


@pytest.mark.parametrize(
    ("text", "arguments", "faithful"),
    [
        ('{"a": 1}', {"a": 1}, True),
        ("", {}, True),
        ("a = 1", {"arguments": "a = 1"}, False),
        ('{"a": 1, "a": 2}', {"a": 2}, False),
    ],
)
def test_argument_text_becomes_an_object(text: str, arguments: dict[str, Any], faithful: bool) -> None:
    message, losses = wire_message({"role": "assistant", "tool_calls": [{"name": "a", "arguments": text}]})
    assert message["tool_calls"] == [{"function": {"name": "a", "arguments": arguments}}]
    assert losses == ({} if faithful else {"/messages/0/tool_calls/0/arguments": "changed"})


def test_a_result_has_the_name_of_its_tool() -> None:
    calls = [{"id": f"call_{at}", "name": name, "arguments": {}} for at, name in enumerate(("a", "b"))]
    body, losses = encoded(
        messages=[
            {"role": "assistant", "tool_calls": calls},
            {"role": "tool", "call_id": "call_1", "content": "2"},
            {"role": "tool", "content": "1"},
            {"role": "tool", "call_id": "call_9", "content": "?"},
        ]
    )
    assert body["messages"][1:] == [
        {"role": "tool", "content": "1", "tool_name": "a"},
        {"role": "tool", "content": "2", "tool_name": "b", "tool_call_id": "call_1"},
        {"role": "tool", "content": "?", "tool_call_id": "call_9"},
    ]
    moved = {"/messages/1": "changed", "/messages/2": "changed"}  # into the order of the calls
    assert losses == {**moved, "/messages/1/name": "filled", "/messages/2/name": "filled"}


@pytest.mark.parametrize("target", [openai_chat, claude])
def test_results_without_ids_are_matched_in_other_dialects(target: Any) -> None:
    calls = [{"function": {"name": name, "arguments": {}}} for name in ("a", "b")]
    results = [{"role": "tool", "content": name, "tool_name": name} for name in ("b", "a")]
    request = decoded(messages=[QUESTION, {"role": "assistant", "content": "", "tool_calls": calls}, *results])
    back = target.decode_request(target.encode_request(request, LossLog()))
    ids = [call["id"] for call in back["messages"][1]["tool_calls"]]
    assert [message["call_id"] for message in back["messages"][2:]] == list(reversed(ids))
    assert len(set(ids)) == 2


def test_the_error_flag_of_a_result_is_lost() -> None:
    message, losses = wire_message({"role": "tool", "call_id": "c", "name": "a", "content": "no", "is_error": True})
    assert message == {"role": "tool", "content": "no", "tool_name": "a", "tool_call_id": "c"}
    assert losses == {"/messages/0/is_error": "lost"}


def test_messages_of_one_turn_are_joined() -> None:
    body, losses = encoded(
        messages=[
            QUESTION,
            {"role": "assistant", "reasoning": "Hm.", "content": "One"},
            {"role": "assistant", "reasoning": "So.", "content": "Two", "tool_calls": [{"name": "a", "arguments": {}}]},
            {"role": "tool", "name": "a", "content": "1"},
        ]
    )
    assert body["messages"][1] == {
        "role": "assistant",
        "content": "One\n\nTwo",
        "thinking": "Hm.\n\nSo.",
        "tool_calls": [{"function": {"name": "a", "arguments": {}}}],
    }
    assert losses == {}


def test_a_developer_message_becomes_a_system_message() -> None:
    message, losses = wire_message({"role": "developer", "content": "Be brief.", "name": "boss"})
    assert message == {"role": "system", "content": "Be brief."}
    assert losses == {"/messages/0/role": "changed", "/messages/0/name": "lost"}


def test_thinking_of_any_model_is_accepted_and_a_refusal_is_text() -> None:
    message, losses = wire_message({"role": "assistant", "reasoning": "Hm.", "refusal": "No."})
    assert message == {"role": "assistant", "content": "No.", "thinking": "Hm."}
    assert losses == {"/messages/0/refusal": "changed"}


# Responses


def test_an_empty_answer_has_no_content() -> None:
    body = answered({"role": "assistant", "content": "", "thinking": "Hm."})
    assert ollama.decode_response(body)["messages"] == [{"role": "assistant", "reasoning": "Hm."}]


def test_created_at_has_whole_seconds_and_round_trips_with_decimals() -> None:
    response: Any = ollama.decode_response(answered({"role": "assistant", "content": "Hi!"}))
    assert response["created"] == 1777934715
    assert response["extra"]["ollama"]["created_at"] == ".876154Z"
    assert reply({**response, "created": 0})["created_at"] == "1970-01-01T00:00:00.876154Z"
    assert reply({"messages": [], "created": 10**15})["created_at"] == "1970-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("word", "calls", "reason"),
    [("stop", False, "stop"), ("stop", True, "tool_calls"), ("length", True, "length"), ("unload", False, "other")],
)
def test_an_answer_with_calls_ends_with_stop(word: str, calls: bool, reason: str) -> None:
    message: dict[str, Any] = {"role": "assistant", "content": "Hi!"}
    if calls:
        message["tool_calls"] = [{"function": {"index": 0, "name": "a", "arguments": {}}}]
    response = ollama.decode_response(answered(message, done_reason=word))
    assert response.get("finish_reason") == reason
    assert response.get("finish_reason_raw") == ("unload" if reason == "other" else None)


@pytest.mark.parametrize(("reason", "calls"), [("content_filter", False), ("tool_calls", False), ("stop", True)])
def test_an_unmapped_finish_reason_is_changed(reason: str, calls: bool) -> None:
    message: dict[str, Any] = {"role": "assistant", "content": "Hi!"}
    if calls:
        message["tool_calls"] = [{"name": "a", "arguments": {}}]
    log = LossLog()
    response: Any = {"model": "a", "created": 0, "messages": [message], "finish_reason": reason}
    assert ollama.encode_response(response, log)["done_reason"] == "stop"
    assert [(loss.path, loss.severity) for loss in log.losses()] == [("/finish_reason", "changed")]


def test_an_answer_is_one_message_with_numbered_calls() -> None:
    log = LossLog()
    response: Any = {
        "id": "msg_1",
        "model": "a",
        "created": 1,
        "messages": [
            {"role": "assistant", "content": "One", "tool_calls": [{"id": "c", "name": "a", "arguments": "{}"}]},
            {"role": "assistant", "content": "Two", "tool_calls": [{"id": "d", "name": "b", "arguments": {}}]},
        ],
        "finish_reason": "tool_calls",
        "usage": {"input_tokens": 2, "output_tokens": 3, "total_tokens": 5, "cache_read_tokens": 1},
    }
    assert ollama.encode_response(response, log) == {
        "model": "a",
        "created_at": "1970-01-01T00:00:01Z",
        "message": {
            "role": "assistant",
            "content": "One\n\nTwo",
            "tool_calls": [
                {"id": "c", "function": {"index": 0, "name": "a", "arguments": {}}},
                {"id": "d", "function": {"index": 1, "name": "b", "arguments": {}}},
            ],
        },
        "done_reason": "stop",
        "prompt_eval_count": 2,
        "eval_count": 3,
        "done": True,
    }
    assert {loss.path: loss.severity for loss in log.losses()} == {
        "/usage": "lost",
        "/id": "lost",
    }


def test_durations_are_lost_in_other_dialects() -> None:
    log = LossLog()
    body = answered({"role": "assistant", "content": "Hi!"}, total_duration=5, eval_count=3, prompt_eval_count=2)
    translation = openai_chat.encode_response(ollama.decode_response(body), log)
    assert translation["usage"] == {"prompt_tokens": 2, "completion_tokens": 3, "total_tokens": 5}
    lost = {loss.path for loss in log.losses() if loss.severity == "lost"}
    assert lost == {"/extra/ollama"}


def test_a_message_of_an_answer_can_be_sent_back_unchanged() -> None:
    call = {"id": "call_1", "function": {"index": 0, "name": "a", "arguments": {"b": 1}}}
    message = {"role": "assistant", "content": "", "thinking": "Hm.", "tool_calls": [call]}
    response = ollama.decode_response(answered(message))
    sent, losses = wire_message(dict(response["messages"][0]))
    assert sent == {**message, "tool_calls": [{"id": "call_1", "function": {"name": "a", "arguments": {"b": 1}}}]}
    assert losses == {}


def test_images_moved_before_later_texts_of_a_turn_are_reported_at_their_original_path() -> None:
    image = {"type": "image", "data": PNG}
    log = LossLog()
    turn: Any = [{"role": "assistant", "content": [image]}, {"role": "assistant", "content": "There."}]
    body = ollama.encode_request({"messages": turn}, log)
    assert [(one["content"], one["images"]) for one in body["messages"]] == [("There.", [PNG])]
    told = {loss.path for loss in log.losses() if loss.code == "content"}
    assert told == {"/messages/0/content", "/messages/1/content"}


def test_a_keyword_that_ollama_ignores_is_reported_at_its_own_path_whatever_its_name() -> None:
    tool = {"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}, "a/b": {"c": 1}}}
    request: dict[str, Any] = {"model": "m", "messages": [], "tools": [tool]}
    losses = il.encode_request(request, "ollama").losses
    assert "/tools/0/parameters/a~1b" in [loss.path for loss in losses]
