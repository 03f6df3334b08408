"""The order that a target demands: results directly behind the turn of their calls, one a call, and no id twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from support.cost import grows_at_most

if TYPE_CHECKING:
    from collections.abc import Callable

PAIRING: Final = ("openai_chat", "claude", "gemini")  # the dialects that pair calls and results by their places
TOOLS: Final[list[dict[str, Any]]] = [
    {"type": "function", "name": name, "parameters": {"type": "object", "properties": {}}, "strict": False}
    for name in ("f", "g")
]


def call(identifier: str, name: str = "f") -> dict[str, Any]:
    return {"type": "function_call", "call_id": identifier, "name": name, "arguments": "{}"}


def result(identifier: str, output: str = "done") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": identifier, "output": output}


def said(text: str, role: str = "user") -> dict[str, Any]:
    return {"role": role, "content": text}


def request(*items: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "input": [said("Hi"), *items], "tools": TOOLS}


def translated(target: str, *items: dict[str, Any]) -> il.Encoded:
    body = request(*items)
    assert il.check_request(body, "openai_responses") == []
    return il.translate_request(body, "openai_responses", target)


def order(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the roles of a chat request, with the text or the ids that each message is known by."""
    known: list[tuple[str, str]] = []
    for message in body["messages"]:
        calls = [one["id"] for one in message.get("tool_calls", ())]
        known.append((message["role"], " ".join(calls) or message.get("tool_call_id") or message["content"]))
    return known


OUT_OF_ORDER: Final = {
    "a user between": [call("a"), said("wait"), result("a")],
    "a developer between": [call("a"), said("Be brief.", "developer"), result("a"), said("Well?")],
    "between two results": [call("a"), call("b"), result("a"), said("wait"), result("b")],
    "an answer between": [call("a"), call("b"), result("a"), said("Hm.", "assistant"), result("b")],
    "two turns": [call("a"), said("wait"), call("b"), result("a"), result("b")],
    "far away": [call("a"), said("y"), call("b"), result("b"), said("z"), call("c"), result("c"), result("a")],
    "one id for two calls": [call("a"), call("a", "g"), result("a", "1"), result("a", "2")],
    "one id in two turns": [call("a"), result("a", "1"), said("x"), call("a"), result("a", "2")],
    "one id in two turns, answered late": [call("a"), said("x"), call("a"), result("a", "1"), result("a", "2")],
    "two results of one call": [call("a"), result("a", "1"), result("a", "2")],
}  # fmt: skip


@pytest.mark.parametrize("target", PAIRING)
@pytest.mark.parametrize("items", OUT_OF_ORDER.values(), ids=list(OUT_OF_ORDER))
def test_a_responses_conversation_is_reordered_as_the_target_requires(items: list[dict[str, Any]], target: str) -> None:
    encoded = translated(target, *items)
    assert il.check_request(encoded.body, target) == []
    assert all(loss.severity != "lost" for loss in encoded.losses)


def test_messages_between_a_call_and_its_result_move_after_the_result_and_are_reported() -> None:
    encoded = translated("openai_chat", call("a"), said("wait"), said("Be brief.", "developer"), result("a"))
    assert order(encoded.body) == [
        ("user", "Hi"), ("assistant", "a"), ("tool", "a"), ("user", "wait"), ("developer", "Be brief.")
    ]  # fmt: skip
    assert [(loss.code, loss.path, loss.severity) for loss in encoded.losses] == [
        ("message", "/messages/2", "changed"),
        ("message", "/messages/3", "changed"),
    ]


def test_a_late_result_moves_to_the_turn_of_its_call_after_the_existing_results() -> None:
    items = [call("a"), call("b"), result("b"), said("x"), call("c"), result("c"), result("a")]
    assert order(translated("openai_chat", *items).body)[1:] == [
        ("assistant", "a b"), ("tool", "b"), ("tool", "a"), ("user", "x"), ("assistant", "c"), ("tool", "c")
    ]  # fmt: skip


def test_of_two_calls_with_one_id_the_second_is_renamed_and_its_result_follows() -> None:
    encoded = translated("claude", call("a"), call("a", "g"), result("a", "1"), result("a", "2"))
    asked, answered = encoded.body["messages"][1:]
    assert [(one["id"], one["name"]) for one in asked["content"]] == [("a", "f"), ("a_2", "g")]
    assert [(one["tool_use_id"], one["content"]) for one in answered["content"]] == [("a", "1"), ("a_2", "2")]
    assert [(loss.code, loss.path) for loss in encoded.losses if loss.severity == "changed"] == [
        ("name", "/messages/1/tool_calls/1/id"),
        ("name", "/messages/3/call_id"),
    ]


@pytest.mark.parametrize("target", [*PAIRING, "openai_responses", "ollama"])
def test_results_without_ids_answer_calls_with_the_same_id_in_order(target: str) -> None:
    calls = [{"id": "a", "name": name, "arguments": {}} for name in ("f", "g", "h")]
    told = [{"role": "tool", "content": text} for text in ("1", "2", "3")]
    request = {"model": "m", "messages": [said("Hi"), {"role": "assistant", "tool_calls": calls}, *told]}
    assert il.repair_request(request, target).repairs == ()
    encoded = il.encode_request(request, target, defaults={"max_tokens": 9})
    assert il.check_request(encoded.body, target) == []
    again = il.decode_request(encoded.body, target)
    made = {call.id: call.name for message in again.messages for call in getattr(message, "tool_calls", None) or ()}
    results = [one for one in again.messages if isinstance(one, il.ToolChatMessage)]
    answered = [(made.get(one.call_id, one.name), one.text) for one in results]
    assert answered == [("f", "1"), ("g", "2"), ("h", "3")]


def test_a_generated_id_is_never_equal_to_another_id() -> None:
    encoded = translated("claude", call("a"), call("a"), call("a_2"), result("a"), result("a"), result("a_2"))
    assert [one["id"] for one in encoded.body["messages"][1]["content"]] == ["a", "a_3", "a_2"]


def test_an_id_reused_in_a_later_turn_is_kept_where_the_target_accepts_it() -> None:
    items = [call("functions.f:0"), result("functions.f:0"), said("x"), call("functions.f:0"), result("functions.f:0")]
    identifiers = {one for _, one in order(translated("openai_chat", *items).body) if one.startswith("functions")}
    assert len(identifiers) == 1


def test_a_result_with_a_repeated_id_answers_the_latest_call_without_a_result() -> None:
    encoded = translated("gemini", call("a"), said("x"), call("a", "g"), result("a"))
    answered = [part for content in encoded.body["contents"] for part in content["parts"] if "functionResponse" in part]
    assert [part["functionResponse"]["name"] for part in answered] == ["g"]


def test_two_results_of_one_call_are_joined() -> None:
    encoded = translated("openai_chat", call("a"), result("a", "1"), result("a", "2"))
    assert encoded.body["messages"][-1] == {"role": "tool", "tool_call_id": "a", "content": "1\n\n2"}
    assert [(loss.code, loss.path, loss.severity) for loss in encoded.losses] == [("message", "/messages/3", "changed")]


@pytest.mark.parametrize("target", [*PAIRING, "openai_responses"])
def test_a_result_without_an_id_answers_its_call_despite_user_messages_in_between(target: str) -> None:
    calls: Any = [{"function": {"name": name, "arguments": {}}} for name in ("f", "g")]
    messages: Any = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "tool", "content": "2", "tool_name": "g"},
        {"role": "user", "content": "wait"},
        {"role": "tool", "content": "1", "tool_name": "f"},
    ]
    body = il.translate_request({"model": "m", "messages": messages}, "ollama", target).body
    assert il.check_request(body, target) == []


def test_an_id_generated_from_a_position_is_never_equal_to_another_id() -> None:
    given: Any = {"id": "call_3_0", "function": {"name": "f", "arguments": {}}}
    unnamed: Any = {"function": {"name": "g", "arguments": {}}}
    messages: Any = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "", "tool_calls": [given]},
        {"role": "tool", "content": "1", "tool_call_id": "call_3_0"},
        {"role": "assistant", "content": "", "tool_calls": [unnamed]},
        {"role": "tool", "content": "2"},
    ]
    encoded = il.translate_request({"model": "m", "messages": messages}, "ollama", "claude")
    assert il.check_request(encoded.body, "claude") == []
    assert encoded.body["messages"][-1]["content"][0]["tool_use_id"] == "call_3_0_2"


def test_within_a_dialect_the_order_is_unchanged() -> None:
    body = request(call("a"), said("wait"), call("a"), result("a"), result("a"))
    assert il.encode_request(il.decode_request(body, "openai_responses"), "openai_responses").body == body


def test_reordering_takes_time_linear_in_the_conversation() -> None:
    def arranging(turns: int) -> Callable[[], Any]:
        items = [one for at in range(turns) for one in (call("a"), call(f"b{at}"), said("x"), result("a"))]
        body = request(*items, *(result(f"b{at}") for at in range(turns)))
        return lambda: il.translate_request(body, "openai_responses", "claude")

    assert grows_at_most(arranging(100), arranging(16 * 100), 80)


def test_vllm_templates_get_results_directly_after_their_calls() -> None:
    encoded = translated("vllm", call("a"), call("b"), result("a"), said("wait"), result("b"), said("Go."))
    assert order(encoded.body) == [
        ("user", "Hi"), ("assistant", "a b"), ("tool", "a"), ("tool", "b"), ("user", "wait"), ("user", "Go.")
    ]  # fmt: skip
    assert [(loss.path, loss.severity) for loss in encoded.losses] == [("/messages/3", "changed")]
    asked = il.translate_request(encoded.body, "vllm", "openai_chat")
    assert order(asked.body) == order(encoded.body)
    kept = {**encoded.body, "messages": [*encoded.body["messages"][:2], said("wait"), *encoded.body["messages"][2:4]]}
    assert il.translate_request(kept, "vllm", "vllm").body == kept


def test_vllm_accepts_one_id_for_two_calls_and_gets_their_results_in_order() -> None:
    items = [call("a"), call("a", "g"), said("wait"), result("a", "1"), result("a", "2")]
    encoded = translated("vllm", *items)
    calls, *results = encoded.body["messages"][1:4]
    assert [one["id"] for one in calls["tool_calls"]] == ["a", "a"]
    assert [one["content"] for one in results] == ["1", "2"]
    assert [(loss.path, loss.severity) for loss in encoded.losses] == [("/messages/2", "changed")]


def test_gemini_gets_the_results_of_a_turn_in_the_order_of_the_calls() -> None:
    items = (call("a"), call("b"), call("c", "g"), result("b", "second"), result("c", "third"), result("a", "first"))
    encoded = translated("gemini", *items, said("And?"))
    (answered,) = [one for one in encoded.body["contents"] if any("functionResponse" in part for part in one["parts"])]
    told = [part["functionResponse"] for part in answered["parts"] if "functionResponse" in part]
    assert [(one["id"], one["response"]["output"]) for one in told] == [("a", "first"), ("b", "second"), ("c", "third")]
    moved = {loss.path for loss in encoded.losses if loss.code == "message"}
    assert moved == {"/messages/2", "/messages/3", "/messages/4"}
    assert il.check_request(encoded.body, "gemini") == []


@pytest.mark.parametrize("target", ["ollama", "vllm"])
def test_results_are_in_the_order_of_the_calls_where_a_template_shows_no_ids(target: str) -> None:
    wait = {"role": "user", "content": "Wait."}
    encoded = translated(target, call("a"), call("b"), result("b"), wait, result("a"))
    told = [message for message in encoded.body["messages"] if message["role"] in {"tool", "user"}]
    assert [message.get("tool_call_id") for message in told[-3:]] == ["a", "b", None]
    moved = {loss.path for loss in encoded.losses if loss.code == "message" and loss.severity == "changed"}
    assert len(moved) == 3
    in_order = translated(target, call("a"), call("b"), result("a"), result("b"))
    assert not [loss for loss in in_order.losses if loss.code == "message"]


@pytest.mark.parametrize("target", ["openai_chat", "claude", "bedrock_converse"])
def test_results_keep_their_order_for_targets_that_match_by_id(target: str) -> None:
    encoded = translated(target, call("a"), call("b"), result("b"), result("a"))
    assert not [loss for loss in encoded.losses if loss.code == "message"]


@pytest.mark.parametrize("target", ["claude", "bedrock_converse"])
def test_calls_follow_the_text_of_their_answer(target: str) -> None:
    """Haystack writes the text of an answer behind its calls; Claude then misses the results, or sees a prefill."""
    says = [said(text, "assistant") for text in ("Let me look.", "One moment.")]
    body = translated(target, call("a"), call("b"), *says, result("a"), result("b")).body
    [_, answer, results] = body["messages"]
    kinds = [one.get("type") or next(iter(one)) for one in answer["content"]]
    assert kinds[-2:] == (["tool_use"] * 2 if target == "claude" else ["toolUse"] * 2)
    assert "".join(one["text"] for one in answer["content"][:-2]) == "Let me look.\n\nOne moment."
    assert len(results["content"]) == 2


def test_calls_stay_before_a_signed_thought_that_follows_them() -> None:
    blocks = [
        {"type": "thinking", "thinking": "First.", "signature": "s1"},
        {"type": "tool_use", "id": "a", "name": "look", "input": {}},
        {"type": "thinking", "thinking": "Then.", "signature": "s2"},
        {"type": "tool_use", "id": "b", "name": "look", "input": {}},
    ]
    results = [{"type": "tool_result", "tool_use_id": name, "content": "7"} for name in ("a", "b")]
    messages = [{"role": "user", "content": "Look."}, {"role": "assistant", "content": blocks}]
    body = {
        "model": "claude-sonnet-4-5",
        "max_tokens": 99,
        "messages": [*messages, {"role": "user", "content": results}],
    }
    canonical = il.decode_request(body, "claude")
    abroad = il.encode_request(canonical.replace(dialect=None), "claude").body
    assert abroad["messages"][1]["content"] == blocks


@pytest.mark.parametrize("target", ["claude", "gemini", "openai_chat", "openai_responses", "bedrock_converse", "vllm"])
def test_a_result_without_an_id_is_joined_to_the_result_before_it(target: il.Dialect) -> None:
    """Strands writes each part of a result as a message of its own for Ollama."""
    calls = [{"function": {"name": name, "arguments": {}}} for name in ("f", "g")]
    results = [{"role": "tool", "content": text} for text in ("1", "2", "3")]
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "", "tool_calls": calls}, *results]
    encoded = il.translate_request({"model": "m", "messages": messages}, "ollama", target)
    assert il.check_request(encoded.body, target) == []
    assert [loss.path for loss in encoded.losses if "joined" in loss.detail] == ["/messages/4"]
    told = [message for message in il.decode_request(encoded.body, target).messages if message.role == "tool"]
    assert [one.content if isinstance(one.content, str) else one.content[0].text for one in told] == ["1", "2\n\n3"]
