"""What users suffered from with ids, names and arguments of calls (docs/pain.md), each entry by its id."""

from __future__ import annotations

import itertools
import json
from typing import Any, Final

import pytest

import interlingua as il
from support.bodies import DIALECTS

QUESTION: Final = {"role": "user", "content": "Go."}
# Ids as providers and gateways make them, and worse ones.
IDS: Final = (
    "toolu_01A09q90qw90lq917835lq9",
    "call_8qVhY1mS3k",
    "functions.bash:0",
    "functions_bash_0",
    "call_1|fc_1",
    "a.b",
    "a_b",
    "x" * 199 + "1",
    "x" * 199 + "2",
    "",
    " ",
    "\u00e9\U0001f642",
)
NAMES: Final = ("a.b", "a_b", "a-b", "x" * 64 + "1" * 16, "x" * 64 + "2" * 16, "$READFILE", "", "\u00e9", "look up")


def called(*calls: dict[str, Any], results: list[dict[str, Any]] | None = None, **members: Any) -> dict[str, Any]:
    """Return a canonical request: one turn of calls, and what they gave."""
    messages = [QUESTION, {"role": "assistant", "tool_calls": list(calls)}, *(results or [])]
    return {"model": "m", "max_tokens": 100, "messages": messages, **members}


def call(identifier: str, name: str = "f", **arguments: Any) -> dict[str, Any]:
    return {"id": identifier, "name": name, "arguments": arguments}


def result(identifier: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "call_id": identifier, "content": content}


def plain(body: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Return the canonical request that a body says."""
    return il.decode_request(body, dialect).model_dump(mode="json")


def calls_and_results(request: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    messages = request["messages"]
    calls = [one for message in messages for one in message.get("tool_calls", ())]
    return calls, [message for message in messages if message["role"] == "tool"]


# --- ids --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_tool_1_ids_of_any_form_become_valid_pair_and_stay_unique(dialect: str) -> None:
    calls = [call(identifier, n=at) for at, identifier in enumerate(IDS)]
    request = called(*calls, results=[result(identifier, str(at)) for at, identifier in enumerate(IDS)])
    before = json.dumps(request)
    encoded = il.encode_request(request, dialect)
    assert il.check_request(encoded.body, dialect) == []
    assert il.encode_request(request, dialect) == encoded
    assert json.dumps(request) == before
    made, results = calls_and_results(plain(encoded.body, dialect))
    identifiers = [one.get("id", "") for one in made]  # an empty one is left out where calls need none
    assert len(set(identifiers)) == len(IDS)
    assert [one.get("call_id", "") for one in results] == identifiers
    renamed = {at for at, (old, new) in enumerate(zip(IDS, identifiers, strict=True)) if old != new}
    told = {f"/messages/1/tool_calls/{at}/id" for at in renamed} | {f"/messages/{at + 2}/call_id" for at in renamed}
    assert {loss.path for loss in encoded.losses if loss.path.endswith(("/id", "/call_id"))} == told


@pytest.mark.parametrize("source", [dialect for dialect in DIALECTS if dialect != "openai_responses"])
def test_tool_2_foreign_items_get_no_item_ids(source: str) -> None:
    request = called(call("call_1", n=1), results=[result("call_1", "one")])
    request["messages"][1]["content"] = "I look."
    body = il.encode_request(request, source).body
    items = il.translate_request(body, source, "openai_responses").body["input"]
    assert not any("id" in item for item in items)
    (asked,) = (item for item in items if item.get("type") == "function_call")
    (answered,) = (item for item in items if item.get("type") == "function_call_output")
    assert asked["call_id"] == answered["call_id"]


def test_tool_2_item_ids_stay_with_their_items_separate_from_call_ids() -> None:
    items = [
        {**QUESTION, "type": "message", "id": "msg_0"},
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []},
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "f", "arguments": "{}"},
        {"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_2", "name": "g", "input": "x"},
    ]
    body = {"model": "m", "input": items}
    request = il.decode_request(body, "openai_responses")
    stored = il.ChatRequest.model_validate_json(request.model_dump_json())
    assert il.encode_request(stored, "openai_responses").body == body
    made, _ = calls_and_results(stored.model_dump(mode="json"))
    assert [one["id"] for one in made] == ["call_1", "call_2"]


@pytest.mark.parametrize("identifier", ["same", "", None], ids=["equal", "blank", "absent"])
@pytest.mark.parametrize("dialect", ["openai_chat", "openai_responses", "claude"])
def test_tool_3_calls_with_the_same_id_become_two_that_pair_by_order(dialect: str, identifier: str | None) -> None:
    calls: list[dict[str, Any]] = [
        {"type": "function", "function": {"name": "f", "arguments": f'{{"n":{at}}}'}} for at in (0, 1)
    ]
    results: list[dict[str, Any]] = [{"role": "tool", "content": str(at)} for at in (0, 1)]
    if identifier is not None:
        calls = [{"id": identifier, **one} for one in calls]
        results = [{"tool_call_id": identifier, **one} for one in results]
    body = {"model": "m", "messages": [QUESTION, {"role": "assistant", "content": None, "tool_calls": calls}, *results]}
    request = il.decode_request(body, "openai_chat")
    assert il.encode_request(request, "openai_chat").body == body  # what came is kept
    again = il.encode_request(il.repair_request(request, dialect).request, dialect).body
    assert il.check_request(again, dialect) == []
    made, answers = calls_and_results(plain(again, dialect))
    assert len({one["id"] for one in made}) == 2
    assert [(one["call_id"], one["content"]) for one in answers] == [(made[0]["id"], "0"), (made[1]["id"], "1")]


def test_tool_3_calls_with_the_same_id_are_unchanged_where_accepted() -> None:
    dialect = "vllm"
    calls = [call("same", "f", n=at) for at in (0, 1)]
    request = called(*calls, results=[result("same", str(at)) for at in (0, 1)])
    repaired = il.repair_request(request, dialect)
    assert repaired.repairs == ()
    again = il.encode_request(repaired.request, dialect).body
    assert il.check_request(again, dialect) == []
    made, answers = calls_and_results(plain(again, dialect))
    assert [(one["id"], one["arguments"]) for one in made] == [("same", '{"n":0}'), ("same", '{"n":1}')]
    assert [(one["call_id"], one["content"]) for one in answers] == [("same", "0"), ("same", "1")]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_tool_4_results_of_one_tool_match_their_calls_in_any_order(order: tuple[int, ...]) -> None:
    calls = [call(f"call_{at}", "search", q=at) for at in range(3)]
    request = called(*calls, results=[result(f"call_{at}", f"found {at}") for at in order])
    body = il.encode_request(request, "gemini").body
    made, answers = calls_and_results(plain(body, "gemini"))
    asked = {one["id"]: one["arguments"]["q"] for one in made}
    # They are put into the order of the calls: Gemini takes the first result for the first call.
    assert [(asked[one["call_id"]], one["content"]) for one in answers] == [(at, f"found {at}") for at in range(3)]


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_tool_5_refused_names_become_valid_and_stay_different(dialect: str) -> None:
    tools = [{"type": "function", "name": name, "description": str(at)} for at, name in enumerate(NAMES)]
    encoded = il.encode_request(called(tools=tools), dialect)
    assert [one.path for one in il.check_request(encoded.body, dialect) if one.code == "name"] == []
    made = plain(encoded.body, dialect)["tools"]
    assert len({one["name"] for one in made}) == len(NAMES)
    assert [one["description"] for one in made] == [tool["description"] for tool in tools]
    changed = {f"/tools/{at}/name" for at, one in enumerate(made) if one["name"] != NAMES[at]}
    assert {loss.path for loss in encoded.losses if loss.code == "name"} == changed


@pytest.mark.parametrize("dialect", DIALECTS)
def test_tool_5_calls_of_an_answer_have_their_original_tool_names(dialect: str) -> None:
    encoded = il.encode_request(called(tools=[{"type": "function", "name": name} for name in NAMES]), dialect)
    written = [tool["name"] for tool in plain(encoded.body, dialect)["tools"]]
    calls = [{"id": f"call_{at}", "name": name, "arguments": {}} for at, name in enumerate(written)]
    answer = {"messages": [{"role": "assistant", "tool_calls": calls}], "finish_reason": "tool_calls"}
    heard = il.decode_response(il.encode_response(answer, dialect).body, dialect)
    restored = il.restore_names(heard, encoded.renamed).model_dump(mode="json")
    assert [one["name"] for message in restored["messages"] for one in message["tool_calls"]] == list(NAMES)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_tool_6_a_refused_name_in_the_history_is_that_of_its_tool_and_reported(dialect: str) -> None:
    tools = [{"type": "function", "name": name} for name in NAMES]
    calls = [call(f"call_{at}", name) for at, name in enumerate(NAMES)]
    request = called(*calls, results=[result(one["id"], "x") for one in calls], tools=tools)
    encoded = il.encode_request(request, dialect)
    assert il.check_request(encoded.body, dialect) == []
    again = plain(encoded.body, dialect)
    made, _ = calls_and_results(again)
    assert [one["name"] for one in made] == [one["name"] for one in again["tools"]]
    changed = {at for at, one in enumerate(made) if one["name"] != NAMES[at]}
    told = {loss.path for loss in encoded.losses if loss.code == "name" and loss.path.startswith("/messages/1/")}
    assert told == {f"/messages/1/tool_calls/{at}/name" for at in changed}


# --- arguments --------------------------------------------------------------------------------------------------------

_ABSENT: Final = object()


@pytest.mark.parametrize(
    "arguments", ["", "  \n", "null", None, _ABSENT], ids=["empty", "white space", "text of null", "null", "absent"]
)
def test_tool_7_empty_arguments_are_kept_and_an_empty_object_where_an_object_is_required(arguments: Any) -> None:
    function = {"name": "f"} if arguments is _ABSENT else {"name": "f", "arguments": arguments}
    asked = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "a", "type": "function", "function": function}],
    }
    answered = {"role": "tool", "tool_call_id": "a", "content": "1"}
    body = {"model": "m", "messages": [QUESTION, asked, answered]}
    request = il.decode_request(body, "openai_chat")
    assert il.encode_request(request, "openai_chat").body == body
    for dialect in ("claude", "gemini", "ollama"):
        encoded = il.encode_request(request, dialect)
        made, _ = calls_and_results(plain(encoded.body, dialect))
        assert made[0]["arguments"] == {}
        assert not any("arguments" in loss.path for loss in encoded.losses)


@pytest.mark.parametrize("reason", ["tool_calls", None])
def test_tool_7_a_call_without_arguments_is_complete_only_if_the_stream_says_so(reason: str | None) -> None:
    fragment = {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}}
    chunks = [{"choices": [{"index": 0, "delta": {"tool_calls": [fragment]}, "finish_reason": reason}]}]
    events = list(il.decode_stream(chunks, "openai_chat"))
    answer = il.collect(events)
    assert (events[-1].complete, answer.finish_reason) == (reason is not None, reason)  # type: ignore[union-attr]  # the last event is an end
    assert answer.model_dump()["messages"][0]["tool_calls"][0]["arguments"] == ""


@pytest.mark.parametrize("client", ["openai_chat", "openai_responses", "claude", "vllm", "bedrock_converse", "gemini"])
@pytest.mark.parametrize("blank", ["", "  ", "\n"])
def test_tool_7_whitespace_arguments_are_an_empty_object_for_clients_that_parse_them(client: str, blank: str) -> None:
    source = "vllm" if client == "openai_chat" else "openai_chat"
    function = {"name": "f", "arguments": blank}
    told = {"index": 0, "id": "a", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [told]}
    whole = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    encoded = il.translate_response(whole, source, client)
    (called_once,) = il.decode_response(encoded.body, client).tool_calls
    assert called_once.arguments_object() == {}
    assert not [loss for loss in encoded.losses if loss.code == "arguments"]
    chunks = [{"choices": [{"index": 0, "delta": {"tool_calls": [told]}, "finish_reason": None}]}]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    stream = il.translate_stream(chunks, source, client)
    (streamed,) = il.collect(il.decode_stream(stream, client)).tool_calls
    assert streamed.arguments in ({}, f"{blank}{{}}") or (client in {"claude", "bedrock_converse"} and not blank)
    assert not [loss for loss in stream.losses if loss.code == "arguments"]


@pytest.mark.parametrize(
    "client", ["openai_chat", "openai_responses", "claude", "ollama", "bedrock_converse", "gemini"]
)
def test_tool_7_null_arguments_are_an_empty_object_for_clients_whole_and_streamed(client: str) -> None:
    source = "vllm" if client == "openai_chat" else "openai_chat"
    told = {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "null"}}
    later = {"index": 1, "id": "b", "type": "function", "function": {"name": "f", "arguments": ""}}
    pieces = [{"index": 1, "function": {"arguments": "null"}}]
    both = [told, {**later, "function": {"name": "f", "arguments": "null"}}]
    message = {"role": "assistant", "content": None, "tool_calls": both}
    encoded = il.translate_response({"choices": [{"index": 0, "message": message}]}, source, client)
    assert [one.arguments_object() for one in il.decode_response(encoded.body, client).tool_calls] == [{}, {}]
    deltas = [{"tool_calls": calls} for calls in ([told], [later], pieces)]
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    stream = il.translate_stream(chunks, source, client)
    streamed = il.collect(il.decode_stream(stream, client)).tool_calls
    assert all(
        one.arguments in ({}, "{}") or (one.arguments == "" and client == "bedrock_converse") for one in streamed
    )
    assert len(streamed) == 2
    assert not [loss for loss in [*encoded.losses, *stream.losses] if loss.code == "arguments"]


def test_tool_7_custom_tool_text_null_is_kept() -> None:
    asked = {"id": "a", "type": "custom", "custom": {"name": "f", "input": "null"}}
    answered = {"role": "tool", "tool_call_id": "a", "content": "1"}
    messages = [QUESTION, {"role": "assistant", "content": None, "tool_calls": [asked]}, answered]
    encoded = il.translate_request({"model": "m", "messages": messages}, "openai_chat", "claude")
    made, _ = calls_and_results(plain(encoded.body, "claude"))
    assert made[0]["arguments"] == {"input": "null"}
    chunks = [
        {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, **asked}]}, "finish_reason": "tool_calls"}]}
    ]
    for client, whole in (("openai_responses", "null"), ("claude", '{"input":"null"}')):
        (call,) = il.collect(il.decode_stream(il.translate_stream(chunks, "openai_chat", client), client)).tool_calls
        assert call.arguments in (whole, {"input": "null"})


def test_tool_8_doubly_encoded_arguments_are_never_unwrapped_or_wrapped_again() -> None:
    twice = json.dumps(json.dumps({"a": 1}))
    asked = {"id": "a", "type": "function", "function": {"name": "f", "arguments": twice}}
    body: dict[str, Any] = {"model": "m", "messages": [{"role": "assistant", "content": None, "tool_calls": [asked]}]}
    request = il.decode_request(body, "openai_chat")
    for _ in range(3):
        request = il.ChatRequest.model_validate_json(request.model_dump_json())
        body = il.encode_request(request, "openai_chat").body
        request = il.decode_request(body, "openai_chat")
    made, _ = calls_and_results(request.model_dump(mode="json"))
    assert made[0]["arguments"] == twice
    with pytest.raises(ValueError, match="JSON object"):
        il.ToolCall.model_validate(made[0]).arguments_object()
    encoded = il.encode_request(request, "claude")
    assert ("changed", "/messages/0/tool_calls/0/arguments") in {(one.severity, one.path) for one in encoded.losses}


WHOLE: Final = '{"path": "/tmp/\u00e9", "force": true}'


def told_calls(dialect: str, text: str, *, ended: bool) -> list[Any]:
    """Return frames of a call whose arguments were cut; `ended` where the provider says that it was the length."""
    events: list[dict[str, Any]] = [
        {"type": "start", "dialect": dialect, "id": "x", "model": "m"},
        {"type": "tool_call_start", "block": 0, "id": "a", "name": "delete"},
        {"type": "tool_call_delta", "block": 0, "arguments": text},
    ]
    if ended:
        events += [{"type": "block_end", "block": 0}, {"type": "finish", "reason": "length"}]
    return list(il.encode_stream([*events, {"type": "end", "complete": ended}], dialect))


@pytest.mark.parametrize("ended", [True, False], ids=["length", "just stops"])
@pytest.mark.parametrize("dialect", ["openai_chat", "openai_responses", "claude", "vllm"])
def test_tool_9_truncated_arguments_are_never_completed(dialect: str, *, ended: bool) -> None:
    for length in range(1, len(WHOLE)):
        cut = WHOLE[:length]
        answer = il.collect(il.decode_stream(told_calls(dialect, cut, ended=ended), dialect))
        (made,) = answer.messages[0].tool_calls or ()  # type: ignore[union-attr]  # the assistant's message
        assert made.arguments_text() == cut
        with pytest.raises(ValueError, match="JSON"):
            made.arguments_object()
        assert answer.finish_reason == ("length" if ended else None)


# --- a member that is said twice --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ['{"path": "a", "path": "b"}', '{"at": [{"path": "a", "path": "b"}]}'])
def test_val_5_a_duplicate_argument_is_reported_and_never_parsed(text: str) -> None:
    asked = {"id": "a", "type": "function", "function": {"name": "f", "arguments": text}}
    body: dict[str, Any] = {"model": "m", "messages": [{"role": "assistant", "content": None, "tool_calls": [asked]}]}
    request = il.decode_request(body, "openai_chat")
    made, _ = calls_and_results(request.model_dump(mode="json"))
    call = il.ToolCall.model_validate(made[0])
    assert call.arguments_text() == text
    for read in (
        call.arguments_object,
        lambda: call.arguments_as(dict[str, Any]),
        lambda: call.get_argument("at", list),
    ):
        with pytest.raises(ValueError, match="once"):
            read()
    assert call.try_get_argument("path", str) == (False, None)
    with pytest.raises(ValueError, match="once"):
        il.ToolCall.create("f", text)
    definition = il.ToolDefinition.create("f", "F.", {"type": "object"})
    assert [(one.code, one.path) for one in il.tools.check_arguments(call, definition)] == [("arguments", "")]
    # It goes back as it came, and a target that wants an object hears that it was not faithful.
    assert il.encode_request(request, "openai_chat").body == body
    losses = il.encode_request(request, "claude").losses
    assert ("changed", "/messages/0/tool_calls/0/arguments") in {(one.severity, one.path) for one in losses}
