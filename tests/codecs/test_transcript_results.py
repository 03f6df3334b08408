"""Results of tools on their way to a model: formatted, associated and placed as each dialect wants them."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interlingua as il
from support.transcripts import call, mode, request, result, said, texts, transcript, user

DIALECTS: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm")
TOOLS: Final = tuple(
    il.ToolDefinition(name=name, description="Looks it up.", parameters={"type": "object", "properties": {}})
    for name in ("look_up", "read")
)
ANSWERS: Final = {"a": "31 degrees", "b": "12 degrees", "c": "40 degrees"}


def body_of(story: Any, dialect: str) -> Any:
    """Return the request that a transcript becomes."""
    told = il.ChatRequest(messages=tuple(il.to_chat(story)), tools=TOOLS, max_tokens=9)
    return il.encode_request(told, dialect, model="m").body


def answer(call_id: str, output: Any = None) -> il.ToolResultMessage:
    return result(call_id, ANSWERS[call_id] if output is None else output, name="look_up" if call_id != "c" else "read")


def asking() -> Any:
    """Return a transcript with two turns of calls: two side by side, and then one more."""
    return transcript(
        [
            said("system", "You look things up."),
            user("How warm is it?"),
            il.ReasoningMessage(data=il.ReasoningData(content="I look.")),
            said("assistant", "One moment.", joins=True),
            request(call("a", city="Rome"), call("b", city="Oslo"), status="approved", joins=True),
        ]
    )


def pairs(body: Any, dialect: str) -> list[tuple[Any, Any]]:
    """Return for each result of a body what it refers to, and its text: by id, or where there is none by order."""
    if dialect == "claude":
        blocks = [block for message in body["messages"] for block in message["content"] if isinstance(block, dict)]
        return [(one["tool_use_id"], one["content"]) for one in blocks if one["type"] == "tool_result"]
    if dialect == "gemini":
        parts = [part for content in body["contents"] for part in content["parts"]]
        found = [part["functionResponse"] for part in parts if "functionResponse" in part]
        return [(one["id"], one["response"]["output"]) for one in found]
    if dialect == "openai_responses":
        return [(one["call_id"], one["output"]) for one in body["input"] if one.get("type") == "function_call_output"]
    results = [one for one in body["messages"] if one["role"] == "tool"]
    return [(one.get("tool_call_id"), one["content"]) for one in results]


@pytest.mark.requirement("TYPE-5.3.1", "TYPE-5.3.2")
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("order", list(permutations("ab")))
def test_results_match_their_calls_in_any_order(dialect: str, order: tuple[str, ...]) -> None:
    story = asking()
    story.extend(answer(one) for one in order)
    body = body_of(story, dialect)
    assert il.check_request(body, dialect) == []
    found = pairs(body, dialect)
    assert sorted(text for _, text in found) == sorted(ANSWERS[one] for one in order)
    # Gemini takes the first result of a function for the first call of it, whatever their ids say; and the templates of
    # most models of Ollama and vLLM show no ids.
    kept = sorted(order) if dialect in {"gemini", "ollama", "vllm"} else [*order]
    assert [name for name, _ in found] in (kept, [None, None])
    assert [text for _, text in found] == [ANSWERS[name or one] for (name, _), one in zip(found, order, strict=True)]
    assert il.decode_request(body, dialect).model_dump_json().count("degrees") == 2


def test_a_result_without_an_error_has_no_error_member() -> None:
    story = asking()
    story.extend([answer("a"), answer("b")])
    told = il.ChatRequest(messages=tuple(il.to_chat(story)), tools=TOOLS, max_tokens=9)
    for dialect in DIALECTS:
        assert not [loss for loss in il.encode_request(told, dialect, model="m").losses if "is_error" in loss.path]


@pytest.mark.requirement("TYPE-5.3.1")
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("output", [{"degrees": 31, "dry": True, "wind": None}, [1, "two"], False, 2.5])
def test_a_non_text_output_is_written_in_the_form_of_each_api(dialect: str, output: Any) -> None:
    story = asking()
    story.extend([answer("a", output), answer("b")])
    body = body_of(story, dialect)
    assert il.check_request(body, dialect) == []
    _, told = pairs(body, dialect)[0]
    assert json.loads(told) == output


BETWEEN: Final[dict[str, Any]] = {
    "user text": user("Hurry up!"),
    "an instruction": said("system", "Be brief."),
    "a control message": mode("act"),
    "words of the assistant": said("assistant", "Still looking."),
    "an opaque message": il.OpaqueMessage(data=il.OpaqueData(dialect="acme", data={"type": "ping"})),
}


@pytest.mark.requirement("TYPE-5.3.3")
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("between", BETWEEN.values(), ids=list(BETWEEN))
@pytest.mark.parametrize("at", [0, 1])
def test_each_call_has_its_result_whatever_messages_are_in_between(dialect: str, between: Any, at: int) -> None:
    story = asking()
    messages: list[Any] = [answer("b"), answer("a")]
    messages.insert(at, between)
    story.extend(messages)
    story.append(user("And now?"))
    body = body_of(story, dialect)
    assert il.check_request(body, dialect) == []
    assert len(pairs(body, dialect)) == 2


@pytest.mark.requirement("TYPE-5.3.3")
def test_messages_between_a_call_and_its_results_follow_the_results_in_order() -> None:
    story = asking()
    story.extend([user("first"), answer("b"), mode("act"), said("system", "second"), answer("a"), user("third")])
    chat = il.to_chat(story)
    assert [message.role for message in chat] == [
        "system",
        "user",
        "assistant",
        "tool",
        "tool",
        "user",
        "system",
        "user",
    ]
    assert [message.call_id for message in chat if message.role == "tool"] == ["b", "a"]
    assert [message.model_dump()["content"] for message in chat[5:]] == ["first", "second", "third"]
    assert texts(story)[5:] == ["first", "tool_result", "system_control", "second", "tool_result", "third"]


@pytest.mark.requirement("TYPE-5.3.3")
def test_a_late_result_is_moved_to_the_turn_of_its_call() -> None:
    story = asking()
    story.append(answer("a"))
    story.append(user("meanwhile"))
    story.append(request(call("c", "read"), status="approved"))
    story.append(answer("c"))
    story.append(answer("b"))
    chat = il.to_chat(story)
    assert [getattr(message, "call_id", None) or message.role for message in chat][2:] == [
        "assistant",
        "a",
        "b",
        "user",
        "assistant",
        "c",
    ]
    for dialect in DIALECTS:
        assert il.check_request(body_of(story, dialect), dialect) == []


def test_results_without_ids_are_matched_and_placed() -> None:
    story = transcript([user(), request(call(None), call(None, "read"))])
    story.append(user("meanwhile"))
    story.append(result(None, "2", name="read"))
    story.append(result(None, "1", name="look_up"))
    for dialect in DIALECTS:
        body = body_of(story, dialect)
        assert il.check_request(body, dialect) == []
        assert [text for _, text in pairs(body, dialect)] in (["2", "1"], ["1", "2"])


@pytest.mark.requirement("TYPE-5.3.4")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_conversation_continues_with_the_results(dialect: str) -> None:
    story = asking()
    story.extend([answer("a"), answer("b")])
    spoken = il.ChatResponse(
        messages=(il.AssistantChatMessage(content="31 and 12. I check.", tool_calls=(call("c", "read"),)),),
        finish_reason="tool_calls",
    )
    wire = il.encode_response(spoken, dialect).body
    story.extend(il.from_chat(il.decode_response(wire, dialect).messages))
    asked = story[-1]
    assert asked.type == "tool_request"
    story.append(result(asked.data.calls[0].call.id, "40 degrees", name="read"))
    body = body_of(story, dialect)
    assert il.check_request(body, dialect) == []
    assert json.dumps(body).count("degrees") == 3
    assert json.dumps(body).count("31 and 12.") == 1


@pytest.mark.requirement("TYPE-5.3.4")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_model_gets_the_reason_of_a_tool_failure(dialect: str) -> None:
    story = asking()
    error = il.ToolFailure(code="tool", message="No such city.", recoverable=True, stack_trace="SECRET")
    failed = il.ToolResultData(call_id="b", name="look_up", status="error", error=error)
    story.extend([answer("a"), il.ToolResultMessage(data=failed)])
    body = body_of(story, dialect)
    assert il.check_request(body, dialect) == []
    told = json.dumps(body)
    assert told.count("No such city.") == 1
    assert "SECRET" not in told


def test_a_call_without_a_result_is_written_and_repair_adds_a_result() -> None:
    story = asking()
    story.extend([answer("a"), user("Never mind.")])
    chat = il.to_chat(story)
    assert [message.role for message in chat] == ["system", "user", "assistant", "tool", "user"]
    told = il.ChatRequest(messages=tuple(chat), tools=TOOLS, max_tokens=9)
    for dialect in ("openai_chat", "openai_responses", "claude", "gemini"):
        assert [one.code for one in il.check_request(body_of(story, dialect), dialect)] == ["dangling_call"]
        mended = il.repair_request(told, dialect)
        assert [one.code for one in mended.repairs] == ["unanswered_call"]
        body = il.encode_request(mended.request, dialect, model="m").body
        assert il.check_request(body, dialect) == []


def test_a_result_without_a_call_stays_in_its_place() -> None:
    story = transcript([user("a"), result("nobody"), user("b"), request(call("a")), answer("a"), answer("a", "again")])
    assert [message.role for message in il.to_chat(story)] == ["user", "tool", "user", "assistant", "tool", "tool"]


STEPS: Final = st.lists(
    st.sampled_from(["user", "system", "mode", "words", "ask", "answer", "answer last"]), max_size=20
)


@given(STEPS)
@settings(max_examples=60)
def test_any_interleaving_keeps_results_with_their_calls(steps: list[str]) -> None:
    story = transcript([user()])
    waiting: list[str] = []
    asked = 0
    for step in steps:
        if step == "ask":
            names = [f"call_{asked}", f"call_{asked + 1}"]
            asked += 2
            story.append(request(*map(call, names), status="approved"))
            waiting += names
        elif step.startswith("answer"):
            if waiting:
                story.append(result(waiting.pop(-1 if step == "answer last" else 0), name="look_up"))
        else:
            story.append(
                {"user": user(), "system": said("system"), "mode": mode("act"), "words": said("assistant")}[step]
            )
    story.extend([result(name, name="look_up") for name in waiting])
    story.append(user("go on"))
    for dialect in DIALECTS:
        assert il.check_request(body_of(story, dialect), dialect) == []
    told = [message.model_dump_json() for message in il.to_chat(story)]
    kept = [message for message in story if message.type != "system_control"]
    assert len(told) == len(kept)
