"""Histories that one host has written are sent to the models of another host of the same dialect."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

QUESTION: dict[str, Any] = {"role": "user", "content": "Which file?"}
CALL = {"id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
RESULT = {"role": "tool", "tool_call_id": "call_1", "content": "a.py"}
TOOLS = [{"type": "function", "function": {"name": "find", "parameters": {"type": "object", "properties": {}}}}]
WHY = "It must be a.py."
DETAIL = {"type": "reasoning.text", "text": WHY, "index": 0, "format": None}
PLACES: dict[str, dict[str, Any]] = {
    "reasoning": {"reasoning": WHY},
    "reasoning_content": {"reasoning_content": WHY},
    "reasoning_text": {"reasoning_text": WHY},
    "details": {"reasoning": WHY, "reasoning_details": [DETAIL]},
    "part": {"content": [{"type": "thinking", "thinking": WHY}]},
    "parts": {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": WHY}], "closed": True}]},
}
EMPTY: dict[str, Any] = {
    "refusal": None, "annotations": [], "audio": None, "function_call": None, "tool_calls": [], "reasoning": None
}  # fmt: skip


def sent(said: dict[str, Any], model: str, *, calls: bool = True, fit: bool = True) -> tuple[dict[str, Any], Any]:
    """Return the assistant's message as it is sent to a model, and the exchange."""
    spoken = {"role": "assistant", "content": None, **({"tool_calls": [CALL]} if calls else {}), **said}
    messages = [QUESTION, spoken, *([RESULT] if calls else [QUESTION])]
    body: dict[str, Any] = {"model": "any", "messages": messages, **({"tools": TOOLS} if calls else {})}
    one = il.exchange(body, "openai_chat", "openai_chat", model=model, fit=fit)
    if fit:
        assert il.check_request(one.body, "openai_chat") == []
    return one.body["messages"][1], one


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("model", ["deepseek-chat", "kimi-k2-thinking", "glm-4.6", "mimo-v2.5"])
def test_reasoning_of_any_host_is_sent_where_the_models_own_host_has_it(model: str, place: str) -> None:
    message, one = sent(PLACES[place], model)
    assert message == {"role": "assistant", "content": None, "reasoning_content": WHY, "tool_calls": [CALL]}
    assert not [loss for loss in one.losses if loss.severity == "lost"]


@pytest.mark.parametrize("place", PLACES)
def test_reasoning_of_any_host_becomes_details_for_minimax(place: str) -> None:
    message, _ = sent(PLACES[place], "MiniMax-M2")
    assert [detail["text"] for detail in message["reasoning_details"]] == [WHY]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("model", ["gpt-5.1", "gemini-2.5-flash", "llama-3.3-70b-versatile"])
def test_reasoning_of_another_host_is_left_out_where_there_is_no_place_for_it(model: str, place: str) -> None:
    message, one = sent(PLACES[place], model)
    assert message == {"role": "assistant", "content": None, "tool_calls": [CALL]}
    assert [(loss.path, loss.code) for loss in one.losses if loss.severity == "lost"] == [
        ("/messages/1/reasoning", "reasoning")
    ]


@pytest.mark.parametrize("model", ["openai/gpt-5.1", "moonshotai/kimi-k3", "openai/gpt-oss-120b", "any-model"])
@pytest.mark.parametrize("place", ["reasoning", "reasoning_content", "reasoning_text", "details"])
def test_gateways_and_unknown_hosts_get_reasoning_back_as_they_wrote_it(place: str, model: str) -> None:
    message, one = sent(PLACES[place], model)
    assert {name: message[name] for name in PLACES[place]} == PLACES[place]
    assert one.losses == ()


def test_mistral_gets_its_own_reasoning_back() -> None:
    message, one = sent(
        {"content": [*PLACES["parts"]["content"], {"type": "text", "text": "a.py"}]},
        "magistral-medium-latest",
        calls=False,
    )
    assert message["content"][0] == PLACES["parts"]["content"][0]
    assert one.losses == ()


@pytest.mark.parametrize("model", ["gpt-5.1", "openai/gpt-5.1", "any-model", "deepseek-chat", "gemini-2.5-flash"])
def test_an_empty_list_of_calls_is_not_sent_to_another_host(model: str) -> None:
    message, one = sent({"content": "a.py", **EMPTY}, model, calls=False)
    assert "tool_calls" not in message
    assert (message["content"], one.losses) == ("a.py", ())
    assert sent({"content": "a.py", **EMPTY}, model, calls=False, fit=False)[0]["tool_calls"] == []


@pytest.mark.parametrize(
    ("dialect", "model"), [("openai_chat", "gpt-5.1"), ("openai_chat", "openai/gpt-5.1"), ("vllm", "Qwen/Qwen3-8B")]
)
def test_messages_of_one_turn_with_members_without_a_value_are_joined(dialect: il.Dialect, model: str) -> None:
    empty = {
        **dict.fromkeys([*EMPTY, "annotations", "tool_calls", "reasoning_details", "images", "name"]),
        "role": "assistant",
    }
    messages = [QUESTION, {**empty, "content": "a.py"}, {**empty, "content": "b.py"}, QUESTION]
    one = il.exchange({"model": "any", "messages": messages}, dialect, dialect, model=model, fit=True)
    assert one.body["messages"][1]["content"] == "a.py\n\nb.py"


def test_only_openai_and_gateways_are_sent_members_without_a_value() -> None:
    kept = {name: value for name, value in EMPTY.items() if name != "tool_calls"}
    for model in ("gpt-5.1", "openai/gpt-5.1"):
        assert sent({"content": "a.py", **EMPTY}, model, calls=False)[0] == {
            "role": "assistant", "content": "a.py", **kept
        }  # fmt: skip
    for model in ("gemini-2.5-flash", "llama-3.3-70b-versatile", "mistral-large-latest"):
        assert sent({"content": "a.py", **EMPTY}, model, calls=False)[0] == {"role": "assistant", "content": "a.py"}


def test_annotations_of_an_answer_are_sent_to_openai_alone() -> None:
    source = {"url": "https://example.com", "title": "Example", "start_index": 0, "end_index": 4}
    said = {"content": "a.py", "annotations": [{"type": "url_citation", "url_citation": source}]}
    assert sent(said, "gpt-5.1", calls=False)[0]["annotations"] == said["annotations"]
    message, one = sent(said, "deepseek-chat", calls=False)
    assert message == {"role": "assistant", "content": "a.py"}
    assert [loss.path for loss in one.losses] == ["/messages/1/content/0/citations"]


def test_what_a_gateway_passed_on_signed_is_reported_where_no_host_reads_it() -> None:
    detail = {"type": "reasoning.encrypted", "data": "c2lnbmVk", "index": 0, "format": "xai-responses-v1"}
    message, one = sent({"reasoning_details": [detail]}, "deepseek-chat")
    assert "reasoning_details" not in message
    assert ("/messages/1/extra/openai_chat", "provider_state") in [(loss.path, loss.code) for loss in one.losses]


@pytest.mark.parametrize("model", ["gpt-5.1", "grok-4", "gemini-2.5-flash", "deepseek-chat"])
def test_calls_of_other_hosts_are_written_in_full(model: str) -> None:
    calls = [
        {"id": "call_1", "function": {"name": "find", "arguments": {"in": "src"}}, "index": 0},
        {"id": "call_2", "type": None, "function": {"name": "find", "arguments": "{}"}, "index": 1},
    ]
    messages = [
        QUESTION,
        {"role": "assistant", "content": "", "tool_calls": calls},
        RESULT,
        {**RESULT, "tool_call_id": "call_2"},
    ]
    body = {"model": "any", "messages": messages, "tools": TOOLS}
    one = il.exchange(body, "openai_chat", "openai_chat", model=model, fit=True)
    assert one.body["messages"][1]["tool_calls"] == [
        {"id": "call_1", "type": "function", "function": {"name": "find", "arguments": '{"in":"src"}'}, "index": 0},
        {"id": "call_2", "type": "function", "function": {"name": "find", "arguments": "{}"}, "index": 1},
    ]
    assert il.check_request(one.body, "openai_chat") == []


def test_a_stored_answer_is_sent_to_another_host_like_a_request_within_the_dialect() -> None:
    answer = il.decode_response(
        {"id": "c", "model": "m", "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {
            "role": "assistant", "content": None, "reasoning": WHY, "tool_calls": [CALL]}}]}, "openai_chat"
    )  # fmt: skip
    story = [
        il.UserChatMessage(content="Which file?"),
        *answer.messages,
        il.ToolChatMessage(call_id="call_1", content="a.py"),
    ]
    encoded = il.encode_request(il.ChatRequest(model="deepseek-chat", messages=story), "openai_chat")
    assert encoded.body["messages"][1]["reasoning_content"] == WHY


def test_openai_gets_items_of_other_servers_without_ids_of_another_form() -> None:
    message = {"type": "message", "role": "assistant", "id": "d7c6", "status": "completed",
               "content": [{"type": "output_text", "text": "Wait.", "annotations": []}]}  # fmt: skip
    sealed = {"type": "reasoning", "id": "tco_1", "summary": [], "encrypted_content": "gAAAAA"}
    called = {"type": "function_call", "id": "call_1", "call_id": "call_1", "name": "find", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "call_1", "output": "a.py"}
    lone = {"type": "reasoning", "id": "84cf", "summary": [], "content": [{"type": "reasoning_text", "text": WHY}]}
    tools = [{"type": "function", "name": "find", "parameters": {"type": "object", "properties": {}}, "strict": False}]
    body = {
        "model": "any",
        "tools": tools,
        "input": [{"role": "user", "content": "Which?"}, sealed, message, lone, called, output],
    }
    one = il.exchange(body, "openai_responses", "openai_responses", model="gpt-5.1", fit=True)
    assert il.check_request(one.body, "openai_responses") == []
    assert [(item.get("type", "message"), "id" in item) for item in one.body["input"]] == [
        ("message", False), ("reasoning", False), ("message", False), ("function_call", False),
        ("function_call_output", False),
    ]  # fmt: skip
    assert {(loss.code, loss.severity) for loss in one.losses} == {("provider_state", "lost")}
    body["input"].remove(lone)
    one = il.exchange(body, "openai_responses", "openai_responses", model="gpt-5.1", fit=True)
    assert {(loss.code, loss.severity) for loss in one.losses} == {("local_id", "changed")}
    kept = il.exchange(body, "openai_responses", "openai_responses", model="deepseek-v4-flash", fit=True)
    assert [item.get("id") for item in kept.body["input"]] == [None, "tco_1", "d7c6", "call_1", None]


@pytest.mark.parametrize("signature", [{}, {"signature": ""}])
def test_claude_gets_no_thinking_that_another_maker_has_not_signed(signature: dict[str, str]) -> None:
    thought = {"type": "thinking", "thinking": WHY, **signature}
    spoken = {"role": "assistant", "content": [thought, {"type": "text", "text": "a.py"}]}
    body = {"model": "any", "max_tokens": 100, "messages": [QUESTION, spoken, QUESTION]}
    one = il.exchange(body, "claude", "claude", model="claude-sonnet-4-5", fit=True)
    assert il.check_request(one.body, "claude") == []
    assert one.body["messages"][1]["content"] == [{"type": "text", "text": "a.py"}]
    assert [loss.path for loss in one.losses] == ["/messages/1/reasoning"]


SUMMARY = {"type": "reasoning", "summary": [{"type": "summary_text", "text": WHY}]}
SAID = {"type": "message", "role": "assistant", "content": "a.py"}


def refused(items: list[Any], model: str = "gpt-5.1") -> list[str]:
    body = {"model": model, "input": [QUESTION, *items, QUESTION]}
    return [one.path for one in il.check_request(body, "openai_responses") if one.code == "order"]


def test_reasoning_is_not_sent_to_openai_with_its_id_before_an_item_without_one() -> None:
    linked = {**SUMMARY, "id": "rs_1", "encrypted_content": "gAAAA"}
    body = {"model": "gpt-5.1", "input": [QUESTION, linked, SAID, {**SUMMARY, "id": "rs_2"}, SAID, QUESTION]}
    one = il.exchange(body, "openai_responses", "openai_responses", fit=True)
    assert one.body["input"] == [QUESTION, {**SUMMARY, "encrypted_content": "gAAAA"}, SAID, SAID, QUESTION]
    assert [(loss.path, loss.code) for loss in one.losses] == [("/messages", "provider_state")]
    assert il.check_request(one.body, "openai_responses") == []


def test_openai_refuses_reasoning_with_an_id_before_an_item_without_one() -> None:
    linked, named = {**SUMMARY, "id": "rs_1", "encrypted_content": "gAAAA"}, {**SAID, "id": "msg_1"}
    assert refused([linked, SAID]) == ["/input/1"]
    assert refused([linked, {**linked, "id": "rs_2"}, SAID]) == ["/input/1", "/input/2"]
    assert refused([linked, named]) == []
    assert refused([{**SUMMARY, "encrypted_content": "gAAAA"}, SAID]) == []
    assert refused([linked, SAID], "grok-4") == refused([linked, SAID], "openai/gpt-5.1") == []
