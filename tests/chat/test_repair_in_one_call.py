"""A conversation is repaired completely at once: what one repair changes decides what the next one would find."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il
from interlingua.chat import repair_plain_request
from interlingua.chat.repair_calls import UNANSWERED

PAIRING = frozenset({"dangling_call", "duplicate_id", "orphan_result"})


def calls(*identifiers: str | None) -> dict[str, Any]:
    made = [
        {"name": "look_up", "arguments": {}, **({} if identifier is None else {"id": identifier})}
        for identifier in identifiers
    ]
    return {"role": "assistant", "tool_calls": made}


def result(identifier: str | None, content: str) -> dict[str, Any]:
    return {"role": "tool", "content": content, **({} if identifier is None else {"call_id": identifier})}


def repaired(dialect: str, *messages: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the messages of a request of no dialect after one repair, which is all, and what is sent."""
    request: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": [*messages]}
    made, repairs = repair_plain_request(request, dialect)
    assert repairs != ()
    assert repair_plain_request(made, dialect) == (made, ())
    sent = il.encode_request(made, dialect).body
    assert [found for found in il.check_request(sent, dialect, profile=None) if found.code in PAIRING] == []
    return made["messages"], sent


def test_calls_that_become_one_turn_without_an_orphan_between_them_are_told_apart_by_ids() -> None:
    messages, sent = repaired("openai_responses", calls("a"), result("z", "lost"), calls(None), result("a", "31"))
    [made] = messages[1]["tool_calls"]
    assert [(one.get("call_id"), one.get("content")) for one in messages[2:]] == [(made["id"], UNANSWERED), ("a", "31")]
    assert [(one["type"], one["call_id"]) for one in sent["input"]] == [
        ("function_call", "a"), ("function_call", made["id"]),
        ("function_call_output", made["id"]), ("function_call_output", "a"),
    ]  # fmt: skip


def test_a_result_without_an_id_keeps_its_call_when_a_turn_joins_the_one_before_it() -> None:
    given = (calls("a"), result("z", "lost"), calls("b"), result("a", "of a"), result(None, "of b"))
    messages, _ = repaired("openai_responses", *given)
    assert [(one["call_id"], one["content"]) for one in messages[2:]] == [("a", "of a"), ("b", "of b")]


def test_a_result_for_a_gemini_call_without_an_id_is_not_sent_for_a_call_with_a_repeated_id() -> None:
    _, sent = repaired("gemini", calls("a", None), calls("a"), result("z", "of the second"))
    asked, answered = (content["parts"] for content in sent["contents"][-2:])
    second = asked[1]["functionCall"]["id"]
    said = {part["functionResponse"]["id"]: part["functionResponse"]["response"] for part in answered}
    assert said[second] == {"output": "of the second"}
    assert [said[part["functionCall"]["id"]] for part in (asked[0], asked[2])] == [{"error": UNANSWERED}] * 2


def test_a_result_keeps_its_call_without_an_id_although_an_earlier_call_got_the_same_id() -> None:
    messages, _ = repaired("gemini", calls(None, None), result("z", "first"), calls(None), result("z", "second"))
    assert [one.get("content") for one in messages if one["role"] == "tool"] == ["first", UNANSWERED, "second"]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_blank_text_among_blocks_of_the_system_prompt_is_dropped_for_claude(*, is_first: bool) -> None:
    parts = {"role": "system", "content": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Be kind."}]}
    blank = {"role": "system", "content": " \n"}
    messages = [*([blank, parts] if is_first else [parts, blank]), {"role": "user", "content": "Hi"}]
    request: dict[str, Any] = {"dialect": "claude", "model": "m", "max_tokens": 100, "messages": messages}
    assert [found.code for found in il.check_request(il.encode_request(request, "claude").body, "claude")] == [
        "empty_text"
    ]
    made, repairs = repair_plain_request(request, "claude")
    assert [(one.code, one.path) for one in repairs] == [("empty_text", f"/messages/{0 if is_first else 1}/content")]
    assert il.check_request(il.encode_request(made, "claude").body, "claude") == []
