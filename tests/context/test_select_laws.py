"""What holds for every selection, of every conversation and budget."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

import interlingua as il
from interlingua.context import HeuristicCounter, MessageCounter, Selection, select, window
from interlingua.errors import ContextBudgetError
from support.conversations import chats

COUNTER: Final = MessageCounter(HeuristicCounter())
BUDGETS: Final = st.integers(0, 600)


def request_of(messages: list[dict[str, Any]], **members: Any) -> il.ChatRequest:
    return il.ChatRequest.model_validate({"model": "m", "max_tokens": 5000, "messages": messages, **members})


def at_most(request: il.ChatRequest, budget: int) -> Selection[Any] | None:
    """Return a selection, or None where what must stay is more than the budget, as the error rightly says."""
    try:
        return select(request, budget, COUNTER)
    except ContextBudgetError as error:
        refused = error
    assert refused.budget == budget < refused.needed
    assert select(request, refused.needed, COUNTER).tokens == refused.needed
    return None


def orphans(messages: tuple[Any, ...]) -> list[str]:
    """Return the calls without a result and the results without a call."""
    asked = Counter(call.id for one in messages for call in getattr(one, "tool_calls", None) or ())
    answered = Counter(one.call_id for one in messages if one.role == "tool")
    return list((asked - answered) + (answered - asked))


@settings(max_examples=40)
@given(chats(with_prompts_inside=True), BUDGETS)
def test_a_selection_respects_budget_order_pairs_and_instructions(messages: list[dict[str, Any]], budget: int) -> None:
    request = request_of(messages)
    selection = at_most(request, budget)
    if selection is None:
        return
    assert selection.request is not None
    assert selection.tokens == COUNTER.count_request(selection.request) <= budget
    left = {one.index: one for one in selection.omitted}
    assert selection.messages == tuple(one for index, one in enumerate(request.messages) if index not in left)
    assert sorted(left) == [one.index for one in selection.omitted]
    assert all(COUNTER.count_message(request.messages[one.index]) == one.tokens for one in selection.omitted)
    assert orphans(selection.messages) == []
    assert not any(request.messages[index].role == "system" for index in left)
    first = next(one for one in selection.messages if one.role != "system")
    assert first.role == "user"
    users = [index for index, one in enumerate(request.messages) if one.role == "user"]
    assert users[-1] not in left


@settings(max_examples=40)
@given(chats(), BUDGETS, st.integers(0, 200))
def test_a_larger_budget_drops_nothing_that_a_smaller_one_kept(
    messages: list[dict[str, Any]], budget: int, more: int
) -> None:
    request = request_of(messages)
    smaller, larger = at_most(request, budget), at_most(request, budget + more)
    if smaller is not None:
        assert larger is not None
        assert {one.index for one in larger.omitted} <= {one.index for one in smaller.omitted}


@settings(max_examples=40)
@given(chats())
def test_nothing_is_dropped_if_everything_fits_exactly(messages: list[dict[str, Any]]) -> None:
    request = request_of(messages)
    selection = select(request, COUNTER.count_request(request), COUNTER)
    assert [one for one in selection.omitted if one.reason == "limit"] == []


@settings(max_examples=40)
@given(st.data(), BUDGETS, st.integers(0, 200))
def test_a_larger_budget_never_gives_fewer_tokens_with_resources(data: st.DataObject, budget: int, more: int) -> None:
    messages: list[Any] = il.from_chat(request_of(data.draw(chats())).messages)
    for number in range(data.draw(st.integers(1, 4))):
        hour = data.draw(st.integers(10, 20))
        held = il.McpResourceData(
            server_name="docs",
            resource_uri=f"docs://{number}",
            content="w" * data.draw(st.integers(1, 400)),
            retrieved_at=f"2026-01-01T{hour}:00:00Z",
            summary=data.draw(st.sampled_from([None, "in short"])),
        )
        resource = il.McpResourceMessage(id=f"r{number}", data=held)
        messages.insert(data.draw(st.integers(0, len(messages))), resource)
    found = []
    for room in (budget, budget + more):
        try:
            selection = select(messages, room, COUNTER)
        except ContextBudgetError:
            return
        assert selection.tokens <= room
        assert len(selection.messages) + len(selection.omitted) == len(messages)
        assert {one.index for one in selection.omitted}.isdisjoint(one.index for one in selection.shortened)
        whole = {*(message.id for message in selection.messages), *(one.id for one in selection.omitted)}
        assert {message.id for message in messages} == whole
        found.append(selection)
    assert found[0].tokens <= found[1].tokens


@settings(max_examples=50)
@given(chats(), st.randoms(use_true_random=False), BUDGETS)
def test_any_message_order_gives_a_selection_without_orphans_or_another_error(
    messages: list[dict[str, Any]], random: Any, budget: int
) -> None:
    random.shuffle(messages)
    del messages[: random.randrange(len(messages))]
    request = request_of(messages)
    for selection in (at_most(request, budget), window(request, budget // 30)):
        if selection is not None:
            asked = {call.id for one in selection.messages for call in getattr(one, "tool_calls", None) or ()}
            answered = {getattr(one, "call_id", None) for one in selection.messages if one.role == "tool"}
            assert answered <= asked
            assert len(selection.messages) + len(selection.omitted) == len(messages)
