"""Tools of free text and groups of tools: where a dialect has none they are functions, and come home as they were."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il

WITHOUT_FREE_TEXT: Final = ("claude", "gemini", "ollama", "vllm")
WITHOUT_GROUPS: Final = (*WITHOUT_FREE_TEXT, "openai_chat")
GRAMMAR: Final = {"syntax": "lark", "definition": "start: WORD"}
CUSTOM: Final[dict[str, Any]] = {
    "type": "custom",
    "name": "run",
    "description": "Runs a line.",
    "format": {"type": "grammar", **GRAMMAR},
}
CLOSE: Final[dict[str, Any]] = {
    "type": "function",
    "name": "close",
    "description": "Closes one.",
    "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
    "strict": False,
}
GROUP: Final[dict[str, Any]] = {
    "type": "namespace",
    "name": "agents",
    "description": "Other agents.",
    "tools": [CLOSE, {"type": "custom", "name": "say"}],
}
PLAIN: Final = {**CLOSE, "name": "plain"}
ASKED: Final = {"role": "user", "content": "Well?"}


def request(*tools: Any, history: Any = (), **members: Any) -> dict[str, Any]:
    return {"model": "the-model", "input": [ASKED, *history], "tools": list(tools), **members}


def offered(body: dict[str, Any], dialect: str) -> list[Any]:
    return [tool for tool in canonical(body, dialect).get("tools") or () if tool["type"] != "opaque"]


def canonical(body: dict[str, Any], dialect: str) -> dict[str, Any]:
    return il.decode_request(body, dialect).model_dump(mode="json")


def calls(value: Any) -> list[tuple[str, Any, Any]]:
    """Return name, kind and arguments of each call of a conversation."""
    normal = il.normal_form(value)
    return [
        (call["name"], call.get("kind"), call["arguments"])
        for message in normal["messages"]
        for call in message.get("tool_calls", ())
    ]


def answer(provider: str, *made: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "tool_calls": list(made)}
    response = {"id": "resp_1", "model": "m", "messages": [message], "finish_reason": "tool_calls"}
    return il.encode_response({**response, "usage": {"input_tokens": 1, "output_tokens": 1}}, provider).body


def stream(provider: str, name: str, *pieces: str) -> list[Any]:
    events: list[dict[str, Any]] = [
        {"type": "start", "id": "resp_1", "model": "m"},
        {"type": "tool_call_start", "block": 0, "id": "call_1", "name": name},
        *({"type": "tool_call_delta", "block": 0, "arguments": piece} for piece in pieces),
        {"type": "block_end", "block": 0},
        {"type": "finish", "reason": "tool_calls"},
        {"type": "end", "complete": True},
    ]
    return list(il.encode_stream(events, provider))


# --- requests ---------------------------------------------------------------------------------------------------------


def test_custom_tools_round_trip_from_responses_to_chat() -> None:
    encoded = il.translate_request(
        request(CUSTOM, {"type": "custom", "name": "any"}), "openai_responses", "openai_chat"
    )
    grammar = {"type": "grammar", "grammar": GRAMMAR}
    assert encoded.body["tools"] == [
        {"type": "custom", "custom": {"name": "run", "description": "Runs a line.", "format": grammar}},
        {"type": "custom", "custom": {"name": "any"}},
    ]
    assert [loss for loss in encoded.losses if loss.path.startswith("/tools")] == []
    back = il.translate_request(encoded.body, "openai_chat", "openai_responses").body
    assert back["tools"] == [CUSTOM, {"type": "custom", "name": "any"}]


FORMATS: Final = [
    pytest.param(None, id="null"),
    pytest.param({"type": "text"}, id="text"),
    pytest.param({"type": "text", "x": 1}, id="more than text"),
    pytest.param({"type": "grammar"}, id="no grammar"),
    pytest.param({"type": "grammar", **GRAMMAR, "x": 1}, id="more than a flat grammar"),
    pytest.param({"type": "grammar", "grammar": {**GRAMMAR, "x": 1}}, id="more than a nested grammar"),
    pytest.param({"type": "grammar", "grammar": GRAMMAR, "x": 1}, id="more beside a nested grammar"),
    pytest.param({"type": "new"}, id="unknown"),
    pytest.param("text", id="no object"),
]


@pytest.mark.parametrize("form", FORMATS)
def test_within_the_dialect_a_custom_tool_format_round_trips(form: Any) -> None:
    flat = {"type": "custom", "name": "run", "description": None, "format": form, "defer_loading": True}
    body = request(flat, {**GROUP, "tools": [flat], "x": 1})
    assert il.encode_request(il.decode_request(body, "openai_responses"), "openai_responses").body == body
    nested = {"type": "custom", "custom": {"name": "run", "format": form, "y": 2, "description": None}, "x": 1}
    marked = {**nested, "cache_control": {"type": "ephemeral", "ttl": "1h"}}
    chat = {"model": "m", "messages": [ASKED], "tools": [nested, marked]}
    assert il.encode_request(il.decode_request(chat, "openai_chat"), "openai_chat").body == chat


@pytest.mark.parametrize(
    "tool",
    [
        {"type": "custom"},
        {"type": "custom", "name": 1},
        {"type": "namespace", "name": "a"},
        {"type": "namespace", "tools": []},
        {"type": "namespace", "name": "a", "tools": {}},
    ],
)
def test_within_the_dialect_an_unreadable_tool_round_trips(tool: Any) -> None:
    body = request(tool)
    assert canonical(body, "openai_responses")["tools"][0]["type"] == "opaque"
    assert il.encode_request(il.decode_request(body, "openai_responses"), "openai_responses").body == body
    chat = {
        "model": "m",
        "messages": [ASKED],
        "tools": [{"type": "custom", "custom": tool if "name" in tool else None}],
    }
    assert il.encode_request(il.decode_request(chat, "openai_chat"), "openai_chat").body == chat


@pytest.mark.parametrize("odd", [1, {"type": "function"}, {"type": "function", "name": 1}])
def test_a_namespace_with_a_member_that_is_not_a_tool_is_opaque(odd: Any) -> None:
    body = request({**GROUP, "tools": [CLOSE, odd]})
    decoded = il.decode_request(body, "openai_responses")
    assert [tool.type for tool in decoded.tools or ()] == ["opaque"]
    assert il.encode_request(decoded, "openai_responses").body == body


@pytest.mark.parametrize("dialect", WITHOUT_FREE_TEXT)
def test_custom_tool_input_becomes_the_only_member_of_an_object_and_the_grammar_is_reported(dialect: str) -> None:
    encoded = il.translate_request(request(CUSTOM, PLAIN), "openai_responses", dialect)
    run, plain = offered(encoded.body, dialect)
    assert (run["type"], run["name"], run["description"]) == ("function", "run", "Runs a line.")
    [(name, schema)] = run["parameters"]["properties"].items()
    assert (name, schema["type"], run["parameters"]["required"]) == ("input", "string", ["input"])
    assert GRAMMAR["definition"] in schema["description"]
    assert plain["name"] == "plain"
    assert [(loss.code, loss.severity) for loss in encoded.losses if loss.path.startswith("/tools/0")] == [
        ("tool", "changed")
    ]
    assert il.check_request(encoded.body, dialect) == []


@pytest.mark.parametrize("dialect", WITHOUT_GROUPS)
def test_a_namespace_becomes_tools_with_its_name_as_prefix(dialect: str) -> None:
    encoded = il.translate_request(request(GROUP, PLAIN), "openai_responses", dialect)
    close, say, plain = offered(encoded.body, dialect)
    assert [close["name"], say["name"], plain["name"]] == ["agents__close", "agents__say", "plain"]
    assert close["description"] == "Other agents.\n\nCloses one."
    assert say["description"] == "Other agents."
    assert say["type"] == ("custom" if dialect == "openai_chat" else "function")
    assert [loss.severity for loss in encoded.losses if loss.path == "/tools/0"] == ["changed"]
    document = canonical(request(GROUP, PLAIN), "openai_responses")
    assert all(_resolves(document, loss.path) for loss in encoded.losses if loss.severity != "filled")
    assert il.check_request(encoded.body, dialect) == []


def _resolves(document: Any, path: str) -> bool:
    for step in path.split("/")[1:]:
        try:
            document = document[int(step)] if isinstance(document, list) else document[step]
        except (LookupError, ValueError):
            return False
    return True


HISTORY: Final = (
    {"type": "custom_tool_call", "call_id": "call_1", "name": "run", "input": 'say "a"\n'},
    {"type": "custom_tool_call_output", "call_id": "call_1", "output": "a"},
    {"type": "function_call", "call_id": "call_2", "name": "close", "namespace": "agents", "arguments": '{"n":1}'},
    {"type": "function_call_output", "call_id": "call_2", "output": "closed", "namespace": "agents", "name": "close"},
    {"type": "custom_tool_call", "call_id": "call_3", "name": "say", "namespace": "agents", "input": "Hi"},
    {"type": "custom_tool_call_output", "call_id": "call_3", "output": "said"},
)


@pytest.mark.parametrize("dialect", WITHOUT_GROUPS)
def test_calls_in_the_history_use_the_offered_tool_names(dialect: str) -> None:
    body = request(CUSTOM, GROUP, history=HISTORY)
    encoded = il.translate_request(body, "openai_responses", dialect)
    free = dialect == "openai_chat"
    assert calls(canonical(encoded.body, dialect)) == [
        ("run", "custom", 'say "a"\n') if free else ("run", None, {"input": 'say "a"\n'}),
        ("agents__close", None, {"n": 1}),
        ("agents__say", "custom", "Hi") if free else ("agents__say", None, {"input": "Hi"}),
    ]
    assert [tool["name"] for tool in offered(encoded.body, dialect)] == ["run", "agents__close", "agents__say"]
    names = [
        message.get("name") for message in canonical(encoded.body, dialect)["messages"] if message["role"] == "tool"
    ]
    assert set(names) <= {None, "run", "agents__close", "agents__say"}
    assert il.check_request(encoded.body, dialect) == []
    lost = [loss.path for loss in encoded.losses if loss.path.startswith("/messages") and loss.severity == "lost"]
    assert set(lost) <= {"/messages/4/name"}  # the result names its call by the id


@pytest.mark.parametrize(
    ("choice", "name"),
    [
        ({"type": "custom", "name": "run"}, "run"),
        ({"type": "function", "name": "close"}, "agents__close"),
        ({"type": "custom", "name": "say"}, "agents__say"),
        ({"type": "function", "name": "plain"}, "plain"),
    ],
)
@pytest.mark.parametrize("dialect", ["claude", "gemini", "vllm", "openai_chat"])
def test_a_tool_choice_uses_the_offered_tool_name(dialect: str, choice: Any, name: str) -> None:
    encoded = il.translate_request(request(CUSTOM, GROUP, PLAIN, tool_choice=choice), "openai_responses", dialect)
    made = canonical(encoded.body, dialect)["tool_choice"]
    assert made["name" if made["mode"] == "named" else "names"] in (name, [name])
    assert il.check_request(encoded.body, dialect) == []


def test_allowed_tools_use_the_offered_names() -> None:
    allowed = {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "close"}]}
    encoded = il.translate_request(request(GROUP, PLAIN, tool_choice=allowed), "openai_responses", "claude")
    assert [tool["name"] for tool in encoded.body["tools"]] == ["agents__close"]


ALLOWED: Final = [{"type": "custom", "name": "run"}, {"type": "function", "name": "plain"}]


def nested(tools: Any) -> list[Any]:
    return [{"type": one["type"], one["type"]: {"name": one["name"]}} for one in tools]


@pytest.mark.parametrize("tools", [[CUSTOM, PLAIN], [PLAIN], None])
def test_within_the_dialect_allowed_tools_round_trip(tools: Any) -> None:
    choice = {"type": "allowed_tools", "mode": "auto", "tools": ALLOWED}
    body = {**request(tool_choice=choice), "tools": tools}
    assert il.encode_request(il.decode_request(body, "openai_responses"), "openai_responses").body == body
    wanted = {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": nested(ALLOWED)}}
    for dialect in ("openai_chat", "vllm"):
        offered_here = nested([CUSTOM]) if tools == [CUSTOM, PLAIN] else []
        home = {"model": "m", "messages": [ASKED], "tools": offered_here, "tool_choice": wanted}
        assert il.encode_request(il.decode_request(home, dialect), dialect).body == home


@pytest.mark.parametrize("tools", [1, [1], [{"type": "custom", "name": []}]])
def test_malformed_allowed_tools_are_harmless(tools: Any) -> None:
    choice = {"type": "allowed_tools", "mode": "auto", "tools": ALLOWED}
    body = {"tool_choice": choice, **request(), "tools": tools}
    if tools != [1]:
        assert il.encode_request(il.decode_request(body, "openai_responses"), "openai_responses").body == body
        return
    with pytest.raises(il.DecodeError):
        il.decode_request(body, "openai_responses")


def test_allowed_tools_state_which_are_custom_tools() -> None:
    choice = {"type": "allowed_tools", "mode": "auto", "tools": ALLOWED}
    body = request(CUSTOM, PLAIN, tool_choice=choice)
    chat = il.translate_request(body, "openai_responses", "openai_chat").body
    assert chat["tool_choice"]["allowed_tools"]["tools"] == nested(ALLOWED)
    assert il.translate_request(chat, "openai_chat", "openai_responses").body["tool_choice"] == choice
    claude = il.translate_request(body, "openai_responses", "claude").body
    assert [tool["name"] for tool in claude["tools"]] == ["run", "plain"]


def test_a_namespaced_tool_never_gets_a_name_already_in_use() -> None:
    taken = {**PLAIN, "name": "agents__close"}
    two = {"type": "namespace", "name": "agents_", "description": "", "tools": [{**CLOSE, "name": "_close"}]}
    x = il.exchange(request(taken, GROUP, two), "openai_responses", "claude")
    names = [tool["name"] for tool in x.body["tools"]]
    assert len(set(names)) == len(names) == 4
    assert names[0] == "agents__close"
    made = [{"id": f"c{at}", "name": name, "arguments": {}} for at, name in enumerate(names)]
    heard = x.response(answer("claude", *made)).body["output"]
    assert [(item["name"], item.get("namespace")) for item in heard] == [
        ("agents__close", None), ("close", "agents"), ("say", "agents"), ("_close", "agents_")
    ]  # fmt: skip


@pytest.mark.parametrize("dialect", [*WITHOUT_FREE_TEXT, "bedrock_converse"])
def test_a_custom_tool_and_a_function_with_the_same_name_get_different_names(dialect: str) -> None:
    history = [
        {"type": "custom_tool_call", "call_id": "c1", "name": "run", "input": "ls"},
        {"type": "custom_tool_call_output", "call_id": "c1", "output": "a"},
        {"type": "function_call", "call_id": "c2", "name": "run", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c2", "output": "b"},
    ]
    brought = {"type": "additional_tools", "role": "developer", "tools": [CUSTOM]}
    body = request({**PLAIN, "name": "run"}, history=[brought, *history])
    exchange = il.exchange(body, "openai_responses", dialect, model="m")
    assert il.check_request(exchange.body, dialect) == []
    assert [tool["name"] for tool in offered(exchange.body, dialect)] == ["run", "run_2"]
    told = canonical(exchange.body, dialect)["messages"]
    named = [call["name"] for one in told for call in one.get("tool_calls") or ()]
    assert named == ["run_2", "run"]
    calling = [
        {"id": "c3", "name": "run_2", "arguments": {"input": "pwd"}},
        {"id": "c4", "name": "run", "arguments": {}},
    ]
    answer = {"messages": [{"role": "assistant", "tool_calls": calling}], "finish_reason": "tool_calls"}
    back = exchange.response(il.encode_response(answer, dialect).body).body["output"]
    assert [(item["type"], item["name"]) for item in back] == [("custom_tool_call", "run"), ("function_call", "run")]


@pytest.mark.parametrize("dialect", [*WITHOUT_FREE_TEXT, "bedrock_converse"])
def test_a_renamed_custom_tool_is_reported_wherever_it_is_named(dialect: str) -> None:
    value = {
        "model": "m",
        "max_tokens": 9,
        "messages": [
            {"role": "user", "content": "Well?"},
            {
                "role": "assistant",
                "tool_calls": [{"id": "c1", "name": "run", "kind": "custom", "arguments": "ls"}],
            },
            {"role": "tool", "call_id": "c1", "name": "run", "content": "a"},
        ],
        "tools": [
            {"type": "custom", "name": "run"},
            {"type": "function", "name": "run", "parameters": {"type": "object"}},
        ],
        "tool_choice": {"mode": "named", "name": "run", "kind": "custom"},
    }
    losses = il.encode_request(value, dialect).losses
    told = [loss for loss in losses if "a function and a custom tool had" in loss.detail]
    lost = {loss.path for loss in losses if loss.severity == "lost"}  # a choice, the name of a result
    places = {"/tools/0/name", "/messages/1/tool_calls/0/name", "/messages/2/name", "/tool_choice/name"}
    assert {loss.path for loss in told} == {one for one in places if lost.isdisjoint({one, one.rpartition("/")[0]})}
    assert {(loss.code, loss.severity) for loss in told} == {("name", "changed")}


@pytest.mark.parametrize("dialect", ["claude", "gemini", "bedrock_converse"])
def test_of_two_functions_with_the_same_name_the_first_is_offered_and_the_other_reported(dialect: str) -> None:
    tools = [{"type": "function", "function": {"name": "f", "description": word}} for word in ("one", "two")]
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi."}], "tools": tools}
    encoded = il.translate_request(body, "openai_chat", dialect, model="m")
    assert il.check_request(encoded.body, dialect) == []
    assert [tool["description"] for tool in offered(encoded.body, dialect)] == ["one"]
    assert ("/tools/1", "lost") in {(loss.path, loss.severity) for loss in encoded.losses}


def test_functions_for_gemini_are_in_one_tool_even_if_separated_by_others() -> None:
    body = request(PLAIN, {"type": "web_search"}, CLOSE)
    tools = il.translate_request(body, "openai_responses", "gemini", model="gemini-2.5-pro").body["tools"]
    named = [[one["name"] for one in tool["functionDeclarations"]] for tool in tools if "functionDeclarations" in tool]
    assert named == [["plain", "close"]]


def test_a_name_that_is_too_long_is_shortened_and_restored() -> None:
    long = {**GROUP, "name": "g" * 60, "tools": [{**CLOSE, "name": "t" * 60}]}
    x = il.exchange(request(long), "openai_responses", "openai_chat")
    [tool] = x.body["tools"]
    assert len(tool["function"]["name"]) <= 64
    call = {"id": "c1", "name": tool["function"]["name"], "arguments": "{}"}
    [item] = il.Exchange.from_json(x.to_json()).response(answer("openai_chat", call)).body["output"]
    assert (item["name"], item["namespace"]) == ("t" * 60, "g" * 60)


def test_a_call_of_a_tool_found_by_search_keeps_its_name() -> None:
    # A deferred function is called in a namespace of its own name.
    found = {"type": "function_call", "call_id": "call_1", "name": "plain", "namespace": "plain", "arguments": "{}"}
    result = {"type": "function_call_output", "call_id": "call_1", "output": "x"}
    encoded = il.translate_request(request(PLAIN, history=(found, result)), "openai_responses", "claude")
    assert calls(canonical(encoded.body, "claude")) == [("plain", None, {})]


def test_a_call_in_an_undefined_namespace_is_prefixed_with_it() -> None:
    encoded = il.translate_request(request(PLAIN, history=HISTORY[2:4]), "openai_responses", "claude")
    assert calls(canonical(encoded.body, "claude")) == [("agents__close", None, {"n": 1})]


def test_a_server_tool_in_a_namespace_is_reported_with_its_path() -> None:
    body = request({**GROUP, "tools": [{"type": "unheard_of"}, CLOSE]})
    encoded = il.translate_request(body, "openai_responses", "claude")
    assert [tool["name"] for tool in encoded.body["tools"]] == ["agents__close"]
    assert any(loss.path.startswith("/tools/0/tools/0") and loss.severity == "lost" for loss in encoded.losses)


@pytest.mark.parametrize("dialect", WITHOUT_FREE_TEXT)
def test_handwritten_tools_are_lowered_like_decoded_ones(dialect: str) -> None:
    tool = {"type": "custom", "name": "run", "grammar": GRAMMAR}
    group = {"type": "namespace", "name": "agents", "tools": [tool]}
    made = il.ChatRequest.model_validate({"messages": [ASKED], "tools": [tool, group], "model": "m"})
    encoded = il.encode_request(made, dialect)
    assert [one["name"] for one in offered(encoded.body, dialect)] == ["run", "agents__run"]


def test_the_description_of_a_handwritten_namespace_is_kept() -> None:
    group = {"type": "namespace", "name": "agents", "tools": [{"type": "function", "name": "close"}]}
    encoded = il.encode_request({"messages": [ASKED], "tools": [group], "model": "m"}, "openai_responses")
    assert encoded.body["tools"][0]["description"] == ""
    assert ("/tools/0/description", "filled") in [(loss.path, loss.severity) for loss in encoded.losses]
    assert il.check_request(encoded.body, "openai_responses") == []


# --- answers and streams ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("provider", WITHOUT_FREE_TEXT)
@pytest.mark.parametrize("client", ["openai_chat", "openai_responses"])
def test_an_answer_calls_a_custom_tool_with_its_text(client: str, provider: str) -> None:
    body = il.translate_request(request(CUSTOM), "openai_responses", client).body if client == "openai_chat" else None
    x = il.exchange(body or request(CUSTOM), client, provider)
    made = answer(provider, {"id": "call_1", "name": "run", "arguments": {"input": 'a "b"\n\u00e9'}})
    heard = il.decode_response(x.response(made).body, client).model_dump(mode="json")
    assert calls(heard) == [("run", "custom", 'a "b"\n\u00e9')]


PIECES: Final = [
    pytest.param(('{"input": "ls -l"}',), "ls -l", id="whole"),
    pytest.param(
        tuple('{ "input" : "a\\"b\\n\\u00e9\\ud83d\\ude00\\\\" }'), 'a"b\n\u00e9\U0001f600\\', id="a character each"
    ),
    pytest.param(('{"inp', 'ut"', ":", '"a', 'b"', "}"), "ab", id="cut anywhere"),
    pytest.param(('{"input":', '""}'), "", id="no text"),
    pytest.param(("{}",), "", id="no input"),
    pytest.param((), "", id="nothing"),
    pytest.param(('{"why":"x",', '"input":"ls"}'), "ls", id="another member first"),
    pytest.param(("ls ", "-l"), "ls -l", id="no JSON"),
    pytest.param(('["ls"]',), '["ls"]', id="no object"),
]


@pytest.mark.parametrize(("pieces", "text"), PIECES)
@pytest.mark.parametrize("client", ["openai_chat", "openai_responses"])
def test_custom_tool_text_is_extracted_from_argument_fragments(client: str, pieces: tuple[str, ...], text: str) -> None:
    body = il.translate_request(request(CUSTOM), "openai_responses", client).body if client == "openai_chat" else None
    x = il.exchange(body or request(CUSTOM), client, "vllm")
    frames = stream("vllm", "run", *pieces)
    heard = il.collect(il.decode_stream(list(x.stream(frames)), client)).model_dump(mode="json")
    assert calls(heard) == [("run", "custom", text)]
    whole = answer("vllm", {"id": "call_1", "name": "run", "arguments": "{}"})
    whole["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = "".join(pieces)
    assert calls(il.decode_response(x.response(whole).body, client)) == calls(heard)


def test_custom_tool_text_is_written_as_it_arrives() -> None:
    x = il.exchange(request(CUSTOM), "openai_responses", "claude")
    frames = stream("claude", "run", '{"input": "a', "b", "c\\", 'n"}')
    deltas = [frame["delta"] for frame in x.stream(frames) if "input.delta" in frame["type"]]  # type: ignore[index]  # frames
    assert deltas == ["a", "b", "c", "\n"]


def test_a_split_surrogate_pair_is_held_back_until_its_other_half_or_the_end() -> None:
    x = il.exchange(request(CUSTOM), "openai_responses", "claude")
    frames = stream("claude", "run", '{"input": "\\ud83d', "\\ude00 \\ud83d", 'x\\ud83d"}')
    heard = il.collect(il.decode_stream(list(x.stream(frames)), "openai_responses"))
    assert calls(heard.model_dump()) == [("run", "custom", "\U0001f600 \ud83dx\ud83d")]


@pytest.mark.parametrize("provider", WITHOUT_GROUPS)
def test_a_namespaced_tool_call_is_restored_into_its_namespace(provider: str) -> None:
    x = il.exchange(request(GROUP, CUSTOM), "openai_responses", provider)
    made = answer(provider, {"id": "call_1", "name": "agents__close", "arguments": '{"n":1}'})
    [item] = [item for item in x.response(made).body["output"] if item["type"] == "function_call"]
    assert (item["name"], item["namespace"], json.loads(item["arguments"])) == ("close", "agents", {"n": 1})
    frames: list[Any] = list(x.stream(stream(provider, "agents__close", '{"n":', "1}")))
    added = [frame["item"] for frame in frames if frame["type"] == "response.output_item.added"]
    assert [(one["name"], one["namespace"]) for one in added] == [("close", "agents")]
    heard = frames[-1]["response"]["output"]
    assert [(one["name"], one["namespace"], json.loads(one["arguments"])) for one in heard] == [
        ("close", "agents", {"n": 1})
    ]
    # What the client sends back names the same tool again.
    again = il.translate_request(request(GROUP, history=heard), "openai_responses", provider).body
    assert calls(canonical(again, provider)) == [("agents__close", None, {"n": 1})]


@pytest.mark.parametrize("kind", ["function", "custom"])
@pytest.mark.parametrize("dialect", WITHOUT_GROUPS)
def test_a_choice_with_a_namespace_names_the_tool_by_its_flat_name(dialect: str, kind: str) -> None:
    other = {**GROUP, "name": "others"}
    name = "close" if kind == "function" else "say"
    choice = {"type": kind, "name": name, "namespace": "others"}
    body = request({**PLAIN, "name": name}, GROUP, other, tool_choice=choice)
    encoded = il.exchange(body, "openai_responses", dialect)
    chosen = il.decode_request(encoded.body, dialect).tool_choice
    if dialect == "ollama":  # it has no choice
        assert chosen is None
    else:
        assert isinstance(chosen, il.NamedToolChoice)
        assert chosen.name == f"others__{name}"
    assert "/extra/openai_responses" not in {loss.path for loss in encoded.losses}


def test_a_choice_with_a_namespace_round_trips() -> None:
    body = request(GROUP, tool_choice={"type": "function", "name": "close", "namespace": "agents"})
    decoded = il.decode_request(body, "openai_responses")
    assert il.encode_request(decoded, "openai_responses").body["tool_choice"] == body["tool_choice"]
    freed = il.encode_request(decoded.replace(tool_choice={"mode": "auto"}), "openai_responses")
    assert freed.body["tool_choice"] == "auto"


def test_an_unknown_namespace_is_lost() -> None:
    body = request(GROUP, tool_choice={"type": "function", "name": "close", "namespace": "nobody"})
    encoded = il.translate_request(body, "openai_responses", "claude")
    assert ("lost", "/extra/openai_responses", "contract") in {
        (loss.severity, loss.path, loss.concern) for loss in encoded.losses
    }
