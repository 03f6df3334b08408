"""What users suffered from where histories are cut to fit (docs/pain.md), each entry by its id."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import interlingua as il
from interlingua.context import HeuristicCounter, Selection, select, window
from interlingua.errors import ContextBudgetError
from support.conversations import DIALECTS, chats

Body = dict[str, Any]


def request_of(messages: list[Body], **members: Any) -> il.ChatRequest:
    return il.ChatRequest.model_validate({"model": "m", "max_tokens": 5000, "messages": messages, **members})


def remaining(selection: Selection[Any]) -> il.ChatRequest:
    assert selection.request is not None
    return selection.request


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=15)
@given(
    messages=chats(with_prompts_inside=True), budget=st.integers(0, 600), is_home=st.booleans(), thinks=st.booleans()
)
def test_his_2_an_accepted_request_stays_accepted_after_one_and_two_selections(
    dialect: str, messages: list[dict[str, Any]], budget: int, is_home: bool, thinks: bool
) -> None:
    reasoning = {"reasoning": {"mode": "enabled", "budget_tokens": 1024}} if thinks else {}
    request = request_of(messages, **reasoning)
    body = il.encode_request(request, dialect).body
    assume(il.check_request(body, dialect) == [])
    if is_home:
        request = il.decode_request(body, dialect)
    for room in (budget, budget // 2):
        try:
            request = remaining(select(request, room, HeuristicCounter()))
        except ContextBudgetError:
            return
        assert il.check_request(il.encode_request(request, dialect).body, dialect) == []


THINKING: Final = {"claude": {"thinking_blocks": [{"type": "thinking", "signature": "c2lnbmF0dXJl"}]}}


def step(name: str, **members: Any) -> list[Body]:
    """Return one answer with a call, and its result."""
    asked = {"role": "assistant", "tool_calls": [{"id": name, "name": "bash", "arguments": {}}], **members}
    return [asked, {"role": "tool", "call_id": name, "name": "bash", "content": f"result of {name}"}]


def user(words: str) -> Body:
    return {"role": "user", "content": words}


FIRST: Final = [user("Go."), *step("a", reasoning="Hm.", extra=THINKING)]
# Conversations in which the user speaks right behind results, with what must stay of them.
GOING_ON: Final[list[tuple[list[Body], tuple[int, ...]]]] = [
    ([*FIRST, user("Hurry."), *step("b")], (0, 1, 2, 3, 4, 5)),
    ([*FIRST, user("Hurry."), user("Please."), *step("b")], (0, 1, 2, 4, 5, 6)),
    ([*FIRST, *step("b"), user("Hurry."), *step("c")], (0, 1, 2, 5, 6, 7)),
    ([*FIRST, user("Hurry."), *step("b"), user("Now."), *step("c")], (0, 1, 2, 6, 7, 8)),
    ([*FIRST, {"role": "assistant", "content": "So."}, user("And?"), *step("b")], (4, 5, 6)),
    ([*FIRST, user("Hurry."), *step("b", reasoning="Oh.", extra=THINKING)], (3, 4, 5)),
    ([user("Hello."), *step("a"), user("Hurry."), *step("b")], (3, 4, 5)),
]


@pytest.mark.parametrize(("messages", "kept"), GOING_ON)
def test_his_2_calls_after_text_after_results_keep_the_thoughts_that_they_continue(
    messages: list[Body], kept: tuple[int, ...]
) -> None:
    request = request_of(messages, reasoning={"mode": "enabled", "budget_tokens": 1024})
    least = remaining(window(request, 0))
    assert least.messages == tuple(request.messages[at] for at in kept)
    assert remaining(window(least, 0)) == least
    for dialect in DIALECTS:
        if il.check_request(il.encode_request(request, dialect).body, dialect) == []:
            for size in range(len(messages)):
                body = il.encode_request(remaining(window(request, size)), dialect).body
                assert il.check_request(body, dialect) == []


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=10)
@given(messages=chats(), cut=st.integers(0, 30), sizes=st.lists(st.integers(0, 20), min_size=2, max_size=3))
def test_his_2_a_window_of_a_truncated_history_has_no_orphan_in_any_dialect(
    dialect: str, messages: list[dict[str, Any]], cut: int, sizes: list[int]
) -> None:
    rest = messages[min(cut, len(messages) - 1) :]
    assume(any(message["role"] == "user" for message in rest))
    request = request_of(rest)
    for size in sizes:
        request = remaining(window(request, size))
        body = il.encode_request(request, dialect).body
        assert [one for one in il.check_request(body, dialect) if one.code != "prefill"] == []


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=10)
@given(messages=chats(), size=st.integers(0, 12))
def test_his_2_a_truncated_transcript_has_no_orphan_in_any_dialect(
    dialect: str, messages: list[Body], size: int
) -> None:
    stored: Any = il.from_chat(request_of(messages).messages)
    told = il.to_chat(window(window(stored, size + 4).messages, size).messages)
    body = il.encode_request(request_of([]).replace(messages=tuple(told)), dialect).body
    assert il.check_request(body, dialect) == []


def item(kind: str, **members: Any) -> Body:
    return {"type": kind, **members}


THOUGHT: Final = item("reasoning", id="rs_1", summary=[], encrypted_content="gAAAA")
RESPONSES: Final[Body] = {
    "model": "m",
    "input": [
        item("message", role="user", content="Look it up."),
        THOUGHT,
        item("function_call", id="fc_1", call_id="call_1", name="look_up", arguments="{}"),
        item("function_call_output", call_id="call_1", output="31"),
        {**THOUGHT, "id": "rs_2"},
        item("computer_call", id="cu_1", call_id="call_2", action={"type": "screenshot"}, pending_safety_checks=[]),
        item("computer_call_output", call_id="call_2", output={"type": "computer_screenshot", "image_url": "data:,"}),
        {**THOUGHT, "id": "rs_3"},
        item(
            "message", id="msg_1", role="assistant", content=[{"type": "output_text", "text": "31", "annotations": []}]
        ),
        item("message", role="user", content="And in Oslo?"),
        {**THOUGHT, "id": "rs_4"},
        item("function_call", id="fc_2", call_id="call_3", name="look_up", arguments="{}"),
        item("function_call_output", call_id="call_3", output="12"),
    ],
}


def cuts(body: Body, dialect: str) -> list[Body]:
    """Return a body as it is after windows of all sizes, each cut once more."""
    request = il.decode_request(body, dialect)
    once = [remaining(window(request, size)) for size in range(len(request.messages) + 1)]
    again = [remaining(window(one, size)) for one in once for size in range(len(one.messages))]
    return [il.encode_request(one, dialect).body for one in (*once, *again)]


def test_rea_8_thoughts_and_their_following_items_are_kept_or_dropped_together() -> None:
    assert il.check_request(RESPONSES, "openai_responses") == []
    shorter = cuts(RESPONSES, "openai_responses")
    assert len({str(one) for one in shorter}) == 4  # all, two steps fewer, one by one, and the newest turn alone
    for body in shorter:
        assert il.check_request(body, "openai_responses") == []
        kinds = [one["type"] for one in body["input"]]
        assert all(after != "reasoning" for before, after in pairwise(kinds) if before == "reasoning")
        assert kinds[-1] != "reasoning"


def test_rea_10_encrypted_content_is_kept_unchanged_or_dropped_completely() -> None:
    for body in cuts(RESPONSES, "openai_responses"):
        assert all(one in RESPONSES["input"] for one in body["input"])


def test_rea_1_signed_thoughts_are_never_separated_from_their_turn() -> None:
    def thinking(name: str) -> list[Body]:
        return [
            {"type": "thinking", "thinking": "hm", "signature": f"c2ln{name}"},
            {"type": "tool_use", "id": f"toolu_{name}", "name": "look_up", "input": {}},
        ]

    def answered(name: str) -> Body:
        return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"toolu_{name}", "content": "r"}]}

    silent = [{"type": "tool_use", "id": "toolu_c", "name": "look_up", "input": {}}]
    body: Body = {
        "model": "m",
        "max_tokens": 5000,
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "messages": [
            {"role": "user", "content": "Go."},
            {"role": "assistant", "content": thinking("a")},
            answered("a"),
            {"role": "assistant", "content": thinking("b")},
            answered("b"),
            {"role": "assistant", "content": silent},
            answered("c"),
        ],
    }
    assert il.check_request(body, "claude") == []
    found = cuts(body, "claude")
    assert {len(one["messages"]) for one in found} == {5, 7}  # the last step goes on from the thoughts before it
    for one in found:
        assert il.check_request(one, "claude") == []
        assert all(message in body["messages"] for message in one["messages"])


def test_his_8_the_providers_compaction_item_survives_every_window() -> None:
    compaction = item("compaction", id="cmp_1", encrypted_content="gAAAA")
    body = {**RESPONSES, "input": [compaction, *RESPONSES["input"]]}
    for one in cuts(body, "openai_responses"):
        assert one["input"][0] == compaction
