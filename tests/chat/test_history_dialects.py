"""The rules of a dialect take what real conversations hold, and refuse what its provider refuses."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interlingua as il
from interlingua.chat import HistoryRules, create_assistant, create_system, create_tool_result, create_user, rules_of
from support import corpus
from support.rooms import ROWS

# What is said of the order of messages.
ORDER: Final = frozenset({"dangling_call", "duplicate_id", "order", "orphan_result"})
SIZE: Final = 60


def numbered() -> Any:
    """Return a factory of ids."""
    return map("new_{}".format, itertools.count()).__next__


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", ROWS)
def test_recorded_conversations_are_accepted_completely_and_keep_their_meaning(dialect: str) -> None:
    row = ROWS[dialect]
    taken = 0
    for line in corpus.sample(row.folder, "request", SIZE):
        if line["id"] in row.unreadable or {found.code for found in il.check_request(line["body"], dialect)} & ORDER:
            continue
        request = il.decode_request(line["body"], dialect)
        history = il.ConversationHistory(rules_of(dialect), numbered())
        for message in request.messages:
            history.add(message)
        assert history.validate() == [], line["id"]
        again = il.ConversationHistory.from_json(history.to_json(), rules_of(dialect))
        assert again.get_messages() == history.get_messages()
        # Only ids were given: what lacked none is the very same message.
        for kept, message in zip(history, request.messages, strict=True):
            assert kept is message or kept.role in {"assistant", "tool"}
            assert il.normal_form([without_ids(kept)]) == il.normal_form([without_ids(message)])
        taken += bool(history)
    assert taken > 5


def without_ids(message: Any) -> Any:
    if message.role == "assistant" and message.tool_calls:
        return message.replace(tool_calls=[call.replace(id=None) for call in message.tool_calls])
    return message.replace(call_id=None) if message.role == "tool" else message


MESSAGES: Final[st.SearchStrategy[Any]] = st.one_of(
    st.just(create_system("s")),
    st.just(create_user("u")),
    st.just(create_assistant("a")),
    st.lists(st.sampled_from(("c1", "c2", "c3", "c4")), min_size=1, max_size=2, unique=True).map(
        lambda ids: create_assistant(None, [il.ToolCall(id=one, name="f", arguments="{}") for one in ids])
    ),
    st.sampled_from(("c1", "c2", "c3", "c4")).map(lambda one: create_tool_result(one, "r", name="f")),
)


@pytest.mark.parametrize("dialect", ["openai_chat", "claude", "gemini", "openai_responses", "ollama", "vllm"])
@given(data=st.data())
@settings(max_examples=30)
def test_a_history_with_the_rules_of_a_dialect_is_in_an_order_that_its_provider_accepts(
    dialect: str, data: st.DataObject
) -> None:
    # A body alone does not tell what a server remembers: here nothing.
    history = il.ConversationHistory(replace(rules_of(dialect), known_calls=True))
    history.add(create_user("u"))
    for message in data.draw(st.lists(MESSAGES, max_size=12)):
        try:
            history.add(message)
        except il.ConversationOrderError:
            continue
    for open_call in history.open_calls:
        history.add(create_tool_result(open_call, "r", name="f"))
    request = il.ChatRequest(model="m", messages=tuple(history))
    body = il.encode_request(request, dialect).body
    assert [found for found in il.check_request(body, dialect) if found.code in ORDER] == []


@pytest.mark.parametrize("dialect", ["openai_chat", "claude", "gemini"])
def test_calls_must_be_answered_if_the_provider_requires_it(dialect: str) -> None:
    calling = create_assistant(None, [il.ToolCall(id="c1", name="f", arguments="{}")])
    history = il.ConversationHistory(rules_of(dialect))
    history.add_turn([create_user("u"), calling])
    with pytest.raises(il.ConversationOrderError) as caught:
        history.add(create_user("What now?"))
    assert caught.value.rule == "dangling_call"
    late = il.ConversationHistory(rules_of("ollama"))
    late.add_turn([create_user("u"), calling, create_user("What now?"), create_tool_result("c1", "late")])
    with pytest.raises(il.ConversationOrderError) as caught:
        late.add(create_tool_result("c1", "twice"))
    assert caught.value.rule == "answered"


def test_a_result_may_refer_to_a_call_that_the_server_stores() -> None:
    history = il.ConversationHistory(rules_of("openai_responses"))
    history.add(create_tool_result("call_of_an_earlier_response", "r"))
    assert history.count == 1


def test_opaque_messages_are_accepted_anywhere_and_change_nothing() -> None:
    calling = create_assistant(None, [il.ToolCall(id="c1", name="f", arguments="{}")])
    opaque = il.OpaqueChatMessage(dialect="claude", data={})
    history = il.ConversationHistory(rules_of("claude"))
    history.add_turn([opaque, create_user("u"), calling, opaque, create_tool_result("c1", "r"), opaque])
    assert history.open_calls == ()
    assert history.validate() == []


def test_rule_sets_are_compared_by_value() -> None:
    assert rules_of("claude") == rules_of("claude") != rules_of("gemini")
    assert hash(HistoryRules("a")) == hash(HistoryRules("a"))
