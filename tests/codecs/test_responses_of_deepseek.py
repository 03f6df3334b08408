"""DeepSeek's Responses endpoint pairs calls and results by their places, and wants the reasoning before calls back."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

MODEL: Final = "deepseek-v4-flash"
TOOL: Final = {"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}, "strict": False}
QUESTION: Final[dict[str, Any]] = {"role": "user", "content": "Look."}
SAID: Final = {"type": "message", "role": "assistant", "content": "I look."}
HINT: Final = {"role": "developer", "content": "Be quick."}


def call(name: str) -> dict[str, Any]:
    return {"type": "function_call", "call_id": name, "name": "look", "arguments": "{}"}


def result(name: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": name, "output": "A tree."}


def thought(place: str, text: str = "Hm.") -> dict[str, Any]:
    return {
        "type": "reasoning", "id": place, "summary": [], "content": [{"type": "reasoning_text", "text": text}]
    }  # fmt: skip


def fitted(*items: Any, model: str = MODEL) -> Any:
    body = {"model": "gpt-5", "input": [QUESTION, *items], "tools": [TOOL]}
    return il.exchange(body, "openai_responses", "openai_responses", model=model, fit=True)


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (["r1", "a", "r2", "b", "A", "B"], ["r1", "r2", "a", "b", "A", "B"]),
        (["r1", "a", "said", "A"], ["r1", "said", "a", "A"]),
        (["r1", "a", "hint", "A"], ["r1", "a", "A", "hint"]),
        (["r1", "a", "A", "r2", "b", "said", "B"], ["r1", "a", "A", "r2", "said", "b", "B"]),
        (["r1", "a", "b", "B", "hint", "A"], ["r1", "a", "b", "B", "A", "hint"]),
        (["r1", "said", "a", "b", "A", "B", "hint"], None),
        (["r1", "a", "said"], None),
    ],
)
def test_calls_stand_side_by_side_with_their_results_directly_behind_them(given: Any, sent: Any) -> None:
    items = {
        "a": call("a"), "b": call("b"), "A": result("a"), "B": result("b"), "said": SAID, "hint": HINT,
        "r1": thought("rs_1"), "r2": thought("rs_2"),
    }  # fmt: skip
    exchange = fitted(*(items[one] for one in given))
    assert exchange.body["input"] == [QUESTION, *(items[one] for one in sent or given)]
    moved = [loss.path for loss in exchange.losses if "moved" in loss.detail]
    assert moved == ["/messages"] * (sent is not None)
    found = il.check_request({"model": MODEL, "input": [QUESTION, *(items[one] for one in given)]}, "openai_responses")
    assert [one.code for one in found if one.code == "order"] == ["order"] * (sent is not None)


def test_openai_and_other_hosts_pair_results_by_their_ids() -> None:
    items = [thought("rs_1"), {**call("a"), "id": "fc_a"}, SAID, result("a")]
    for model in ("gpt-5", "deepseek/deepseek-v4-pro"):
        assert fitted(*items, model=model).body["input"] == [QUESTION, *items]


def test_the_reasoning_that_other_clients_send_back_is_sent_to_deepseek() -> None:
    asked = {"model": "m", "messages": [QUESTION]}
    output = [thought("99b", "I must look."), {**call("c1"), "id": "fc_1", "status": "completed"}]
    answer = {"id": "resp_1", "object": "response", "model": MODEL, "status": "completed", "output": output}
    for client, limit in (("openai_chat", {}), ("claude", {"max_tokens": 99})):
        said = il.exchange({**asked, **limit}, client, "openai_responses", model=MODEL).response(answer).body
        begun: dict[str, Any] = {"role": "assistant", "content": said.get("content")}
        found: Any = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "A tree."}]}
        if client == "openai_chat":
            begun, found = (
                said["choices"][0]["message"],
                {"role": "tool", "tool_call_id": "c1", "content": "A tree."},
            )
        body = {**asked, **limit, "messages": [QUESTION, begun, found]}
        sent = il.exchange(body, client, "openai_responses", model=MODEL)
        assert sent.body["input"] == [QUESTION, thought("rs_1", "I must look."), call("c1"), result("c1")]
        assert not [loss for loss in sent.losses if loss.severity == "lost" and loss.concern == "content"]


def test_calls_of_other_models_get_an_empty_thought() -> None:
    calls = [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]
    history = [
        QUESTION,
        {"role": "assistant", "content": "I look.", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "c1", "content": "A tree."},
    ]
    encoded = il.translate_request({"model": MODEL, "messages": history}, "openai_chat", "openai_responses")
    assert encoded.body["input"] == [QUESTION, thought("rs_1", ""), SAID, call("c1"), result("c1")]
    assert ("filled", "/messages/1/reasoning") in [(loss.severity, loss.path) for loss in encoded.losses]
    calm = {"model": MODEL, "messages": history, "reasoning_effort": "none"}
    assert il.translate_request(calm, "openai_chat", "openai_responses").body["input"][1] == SAID


@pytest.mark.parametrize(("model", "sees"), [(MODEL, False), ("deepseek-flash", True)])
def test_only_the_later_models_see(model: str, *, sees: bool) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    content = [{"type": "text", "text": "Look."}, picture]
    body = {"model": model, "messages": [{"role": "user", "content": content}]}
    encoded = il.translate_request(body, "openai_chat", "openai_responses")
    assert ("input_image" in str(encoded.body["input"])) == sees
