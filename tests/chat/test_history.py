"""The history of a conversation: counterparts of the tests that 004 lists for it, and what else it promises."""

from __future__ import annotations

import itertools
import json
import pickle
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.chat import (
    FREE,
    ORDER_RULES,
    STRICT,
    check_order,
    create_assistant,
    create_developer,
    create_system,
    create_tool_result,
    create_user,
    rules_of,
)
from interlingua_types import CURRENT

HIDDEN: Final = "correct-horse-battery"
Messages = Sequence[Any]


def listed(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.requirement(*(f"TEST-ConversationHistory.{name}" for name in names))


def history_of(*messages: Any, rules: Any = STRICT) -> il.ConversationHistory:
    history = il.ConversationHistory(rules)
    for message in messages:
        history.add(message)
    return history


def call(call_id: str | None = "call_123", name: str = "write_file", **arguments: Any) -> il.ToolCall:
    return il.ToolCall.create(name, arguments, call_id)


def refused(history: il.ConversationHistory, message: Any, words: str = "message") -> il.ConversationOrderError:
    """Return the error of a message that may not stand there; the history is as it was."""
    before, waiting = tuple(history.get_messages()), history.open_calls
    with pytest.raises(il.ConversationOrderError, match=words) as caught:
        history.add(message)
    assert (tuple(history.get_messages()), history.open_calls) == (before, waiting)
    assert (caught.value.index, caught.value.role) == (len(before), message.role)
    assert isinstance(caught.value, ValueError)
    return caught.value


SYSTEM: Final[Any] = create_system("System")
USER: Final[Any] = create_user("User")
ANSWER: Final[Any] = create_assistant("Assistant")
CALLING: Final[Any] = create_assistant(None, [call()])
RESULT: Final[Any] = create_tool_result("call_123", "Success")


# The tests that 004 lists.


@listed("Should_Start_Empty")
@pytest.mark.requirement("FR-004a-101")
def test_a_history_starts_empty() -> None:
    history = il.ConversationHistory()
    assert history.count == len(history) == 0
    assert list(history.get_messages()) == []
    assert history.last_message is None
    assert history.validate() == []
    # Beside one that is not empty, too: two histories share nothing.
    full = history_of(SYSTEM, USER)
    assert (list(il.ConversationHistory()), list(history)) == ([], [])
    history.add(create_system("Another"))
    assert list(full) == [SYSTEM, USER]


@listed("Should_Require_System_First")
@pytest.mark.requirement("FR-004a-105", "FR-004a-104")
def test_the_first_message_must_be_a_system_message() -> None:
    for message in (create_user("Hello"), create_assistant("Hi"), create_tool_result("call_1", "Result")):
        assert refused(il.ConversationHistory(), message, "system.*first").rule == "first_message"


@listed("Should_Accept_System_As_First_Message")
@pytest.mark.requirement("FR-004a-103", "FR-004a-105")
def test_a_system_message_is_accepted_first() -> None:
    history = history_of(create_system("You are helpful."))
    assert history.count == 1
    assert history.last_message is not None
    assert history.last_message.role == il.MessageRole.SYSTEM.value


@pytest.mark.requirement("FR-004a-103")
def test_add_appends_a_message_and_returns_it() -> None:
    history = il.ConversationHistory()
    kept = [history.add(message) for message in (SYSTEM, USER, create_assistant(None, [call(None)]))]
    kept.append(history.add(create_tool_result(history.open_calls[0], "Success")))
    assert all(one is other for one, other in zip(history, kept, strict=True))
    assert isinstance(kept[2], il.AssistantChatMessage)
    assert [one.id for one in kept[2].tool_calls or ()] == [history[3].call_id]  # type: ignore[union-attr]


@listed("Should_Reject_Second_System_Message")
def test_a_second_system_message_is_refused() -> None:
    assert refused(history_of(create_system("System 1")), create_system("System 2"), "system.*already").rule == (
        "second_system"
    )


@listed("Should_Validate_User_Assistant_Alternation")
@pytest.mark.requirement("FR-004a-106", "FR-004a-104")
def test_user_and_assistant_messages_alternate() -> None:
    history = history_of(SYSTEM, create_user("User 1"))
    assert refused(history, create_user("User 2"), "user.*assistant.*alternate").rule == "alternation"
    history.add(ANSWER)
    assert refused(history, create_assistant("Again"), "user.*assistant.*alternate").rule == "alternation"


@listed("Should_Accept_Valid_Alternation")
@pytest.mark.requirement("FR-004a-106")
def test_an_alternating_conversation_is_accepted() -> None:
    turns: Any = (
        create_user("User 1"),
        create_assistant("Assistant 1"),
        create_user("User 2"),
        create_assistant("A 2"),
    )
    assert history_of(SYSTEM, *turns).count == 5


@listed("Should_Allow_Tool_After_ToolCalls")
@pytest.mark.requirement("FR-004a-107", "FR-004a-106")
def test_a_result_follows_its_call_and_an_answer_or_the_user_follows_the_result() -> None:
    history = history_of(SYSTEM, create_user("Write a file"), CALLING, RESULT)
    assert history.count == 4
    assert history.last_message is not None
    assert history.last_message.role == il.MessageRole.TOOL.value
    history.add(create_assistant("Done."))
    assert history_of(SYSTEM, USER, CALLING, RESULT, create_user("Stop.")).count == 5
    more = create_assistant(None, [call("call_456")])
    assert history_of(SYSTEM, USER, CALLING, RESULT, more, create_tool_result("call_456", "")).count == 6


@listed("Should_Reject_Tool_Without_Preceding_ToolCalls")
@pytest.mark.requirement("FR-004a-107", "FR-004a-104")
def test_a_result_without_an_earlier_call_is_refused() -> None:
    for before in ([SYSTEM], [SYSTEM, USER], [SYSTEM, USER, ANSWER], [SYSTEM, USER, CALLING, RESULT, ANSWER]):
        assert refused(history_of(*before), RESULT, "tool.*tool_calls").rule == "orphan_result"


@listed("Should_Validate_ToolCallId_Matches")
@pytest.mark.requirement("FR-004a-59")
def test_a_result_must_refer_to_an_open_call() -> None:
    history = history_of(SYSTEM, create_user("Do something"), create_assistant(None, [call("call_abc", "my_tool")]))
    assert refused(history, create_tool_result("call_xyz", "Result"), "tool_call_id").rule == "unknown_call"
    assert refused(history, il.ToolChatMessage(content="Result"), "tool_call_id").rule == "unknown_call"
    history.add(create_tool_result("call_abc", "Result"))
    assert refused(history, create_tool_result("call_abc", "Result"), "tool_call_id").rule == "answered"


@listed("Should_Allow_Multiple_Tool_Results_For_Multiple_Calls")
def test_several_calls_have_several_results_in_any_order() -> None:
    for order in (("call_1", "call_2"), ("call_2", "call_1")):
        history = history_of(SYSTEM, USER, create_assistant(None, [call("call_1", "tool1"), call("call_2", "tool2")]))
        assert history.open_calls == ("call_1", "call_2")
        for call_id in order:
            history.add(create_tool_result(call_id, "Result"))
        assert history.count == 5
        assert not history.open_calls


@listed("Should_Track_Count")
@pytest.mark.requirement("FR-004a-111")
def test_count_is_the_number_of_messages() -> None:
    history = il.ConversationHistory()
    for expected, message in enumerate((SYSTEM, USER, ANSWER)):
        assert history.count == len(history) == expected
        history.add(message)
    assert history.count == 3


@listed("Should_Return_LastMessage")
@pytest.mark.requirement("FR-004a-112")
def test_last_message_is_the_message_added_last() -> None:
    history = il.ConversationHistory()
    assert history.last_message is None
    for message in (SYSTEM, create_user("Hello"), CALLING, RESULT, ANSWER):
        history.add(message)
        assert history.last_message is message


@listed("Should_Return_ImmutableList")
@pytest.mark.requirement("FR-004a-108", "FR-004a-109")
def test_the_messages_are_an_immutable_sequence() -> None:
    messages: Any = history_of(SYSTEM, USER).get_messages()
    assert isinstance(messages, Sequence)
    for name in ("append", "extend", "insert", "pop", "clear", "remove", "sort", "__setitem__", "__delitem__"):
        assert not hasattr(messages, name)
    assert list(messages) == [SYSTEM, USER]
    with pytest.raises(TypeError):
        messages[0] = USER
    with pytest.raises(TypeError):
        del messages[0]


@listed("Should_Support_Clear")
@pytest.mark.requirement("FR-004a-110")
def test_a_history_can_be_cleared() -> None:
    history = history_of(SYSTEM, USER)
    before = history.get_messages()
    history.clear()
    assert history.count == 0
    assert history.last_message is None
    assert list(before) == [SYSTEM, USER]


@listed("Should_Accept_System_After_Clear")
@pytest.mark.requirement("FR-004a-110")
def test_a_cleared_history_starts_from_the_beginning() -> None:
    history = history_of(create_system("System 1"), USER, CALLING)
    history.clear()
    assert history.open_calls == ()
    assert refused(history, USER).rule == "first_message"
    for message in (create_system("System 2"), USER, CALLING):
        history.add(message)
    assert history.count == 3


@listed("Should_Be_ThreadSafe_ConcurrentReads")
@pytest.mark.requirement("FR-004a-102")
def test_several_threads_can_read() -> None:
    history = history_of(SYSTEM, USER, ANSWER)
    barrier = threading.Barrier(20)

    def read(_: int) -> tuple[int, int, Any]:
        barrier.wait(60)
        return len(history.get_messages()), history.count, history.last_message

    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(read, range(100)))
    assert results == [(3, 3, ANSWER)] * 100


@listed("Should_Be_ThreadSafe_ConcurrentAdds")
@pytest.mark.requirement("FR-004a-102")
def test_concurrent_adds_leave_a_valid_conversation() -> None:
    history = history_of(SYSTEM)
    barrier = threading.Barrier(10)

    def add(number: int) -> int:
        barrier.wait(60)
        taken = 0
        for message in (create_user(f"User {number}"), create_assistant(f"Assistant {number}")) * 20:
            try:
                history.add(message)
            except il.ConversationOrderError:
                continue
            taken += 1
        return taken

    with ThreadPoolExecutor(10) as pool:
        taken = sum(pool.map(add, range(10)))
    messages = history.get_messages()
    assert messages[0].role == il.MessageRole.SYSTEM.value
    assert len(messages) == taken + 1 > 1
    assert all(one.role != two.role for one, two in itertools.pairwise(messages))
    assert history.validate() == []


@listed("Should_Support_Enumeration")
@pytest.mark.requirement("FR-004a-113")
def test_a_history_is_iterated_in_order() -> None:
    history = history_of(SYSTEM, USER)
    assert [message.role for message in history] == [il.MessageRole.SYSTEM, il.MessageRole.USER]
    assert (history[0], history[-1], history[:1]) == (SYSTEM, USER, (SYSTEM,))
    assert USER in history


@pytest.mark.requirement("FR-004a-113")
def test_iteration_ends_at_the_length_that_the_history_had_when_it_began() -> None:
    history = history_of(SYSTEM, USER)
    iteration = iter(history)
    seen = [next(iteration)]
    history.add(ANSWER)
    assert [*seen, *itertools.islice(iteration, 5)] == [SYSTEM, USER]


@listed("Should_Support_LINQ")
@pytest.mark.requirement("FR-004a-113")
def test_a_history_supports_in_and_other_iterable_operations() -> None:
    history = history_of(SYSTEM, create_user("User 1"), ANSWER, create_user("User 2"))
    assert len([message for message in history if message.role == il.MessageRole.USER.value]) == 2


@listed("Should_Serialize")
@pytest.mark.requirement("FR-004a-114")
def test_a_history_is_written_as_json_and_read_again() -> None:
    history = history_of(SYSTEM, USER, CALLING, RESULT)
    again = il.ConversationHistory.from_json(history.to_json())
    assert again.get_messages() == history.get_messages()
    assert again[0].role == il.MessageRole.SYSTEM.value
    assert again.to_json() == history.to_json()
    assert again.open_calls == ()
    # As 004 has it: the messages by themselves.
    plain = json.loads(json.dumps([message.model_dump(mode="json") for message in history.get_messages()]))
    assert il.Conversation.model_validate({"schema_version": CURRENT, "messages": plain}).messages == tuple(history)


@pytest.mark.requirement("MAN-3.7")
def test_the_ordering_scenario_of_004_holds() -> None:
    history = il.ConversationHistory()
    history.add(SYSTEM)
    history.add(USER)
    refused(history, create_user("Again"))
    history.add(ANSWER)
    assert history.count == 3


# What else is refused, and how it is said.

EXAMPLES: Final[dict[str, tuple[il.chat.HistoryRules, Messages, Any]]] = {
    "alternation": (STRICT, [SYSTEM, USER], USER),
    "answered": (STRICT, [SYSTEM, USER, CALLING, RESULT], RESULT),
    "content": (STRICT, [SYSTEM], il.UserChatMessage()),
    "dangling_call": (STRICT, [SYSTEM, USER, CALLING], USER),
    "duplicate_id": (STRICT, [SYSTEM, USER, CALLING, RESULT], CALLING),
    "first_message": (STRICT, [], USER),
    "orphan_result": (STRICT, [SYSTEM, USER], RESULT),
    "role": (STRICT, [SYSTEM], create_developer("x")),
    "second_system": (STRICT, [SYSTEM], SYSTEM),
    "unasked_call": (rules_of("gemini"), [SYSTEM], CALLING),
    "unknown_call": (STRICT, [SYSTEM, USER, CALLING], create_tool_result("other", "x")),
}


@pytest.mark.parametrize("rule", sorted(ORDER_RULES))
def test_each_order_rule_has_a_conversation_that_violates_it(rule: str) -> None:
    rules, before, message = EXAMPLES[rule]
    history = history_of(*before, rules=rules)
    error = refused(history, message)
    assert error.rule == rule
    # The same conversation as a whole: one violation, of the same fields.
    (found, *_) = check_order([*before, message], rules)
    assert (found.rule, found.index, found.role, found.detail) == (error.rule, error.index, error.role, error.detail)


@pytest.mark.requirement("NFR-004a-21")
def test_an_order_error_shows_no_content() -> None:
    history = history_of(SYSTEM, create_user(HIDDEN))
    error = refused(history, create_user(HIDDEN))
    assert HIDDEN not in f"{error!r}{vars(error)}{history!r}{history.get_messages()!r}"
    assert repr(history) == "ConversationHistory(rules='strict', count=2)"


def test_only_results_are_accepted_while_calls_are_open() -> None:
    history = history_of(SYSTEM, USER, create_assistant(None, [call("a"), call("b")]), create_tool_result("a", ""))
    for message in (USER, ANSWER):
        assert "must have their results" in str(refused(history, message))
    assert history.open_calls == ("b",)


@pytest.mark.parametrize(
    "empty",
    [
        il.UserChatMessage(),
        il.AssistantChatMessage(),
        il.AssistantChatMessage(tool_calls=()),
        il.ToolChatMessage(call_id="call_123"),
    ],
)
def test_a_message_without_content_required_by_004_is_refused(empty: Any) -> None:
    before = [SYSTEM, USER, CALLING] if empty.role == "tool" else [SYSTEM]
    assert refused(history_of(*before), empty).rule == "content"


def test_two_calls_of_one_message_never_have_the_same_id() -> None:
    twice = il.AssistantChatMessage(tool_calls=(call("a"), call("a")))
    assert refused(history_of(SYSTEM, USER), twice).rule == "duplicate_id"
    assert refused(history_of(USER, rules=rules_of("vllm")), twice).rule == "duplicate_id"
    assert history_of(twice, rules=FREE).count == 1


@pytest.mark.requirement("NFR-004a-24")
@pytest.mark.parametrize("nothing", [None, 5, "text", {"role": "user", "content": "x"}, [None]])
def test_a_value_that_is_not_a_message_raises_an_error_of_the_library(nothing: Any) -> None:
    history = history_of(SYSTEM)
    for take in (history.add, history.add_turn):
        with pytest.raises(il.InvalidArgumentError):
            take(nothing)
    makes: tuple[Any, ...] = (
        lambda: il.ConversationHistory(nothing),
        lambda: il.ConversationHistory(new_id=nothing),
        lambda: il.ConversationHistory.from_conversation(nothing),
    )
    for make in makes:
        with pytest.raises(il.InvalidArgumentError):
            make()
    assert history.count == 1


@pytest.mark.parametrize("bad", [None, "", 5])
def test_an_id_factory_that_returns_no_id_raises_and_nothing_is_added(bad: Any) -> None:
    history = il.ConversationHistory(new_id=lambda: bad)
    history.add_turn([SYSTEM, USER])
    with pytest.raises(il.InvalidArgumentError, match="id"):
        history.add(create_assistant(None, [call(None)]))
    assert history.count == 2


# Ids.


def test_a_call_without_an_id_gets_one_when_it_is_added() -> None:
    history = il.ConversationHistory(new_id=iter(f"id_{number}" for number in range(9)).__next__)
    turn = history.add_turn([SYSTEM, USER, create_assistant(None, [call(None), call("mine"), call(None)])])
    assert turn[-1] is history.last_message
    assert history.open_calls == ("id_0", "mine", "id_1")
    default = history_of(SYSTEM, USER, create_assistant(None, [call(None)]))
    assert len(default.open_calls[0]) == 36


def test_a_result_without_an_id_gets_the_id_of_its_call_if_the_rules_allow() -> None:
    calls = [call("a", "read"), call("b", "write"), call("c", "read")]
    history = history_of(USER, create_assistant(None, calls), rules=rules_of("gemini"))
    answers = [il.ToolChatMessage(content="x", name=name) for name in ("write", "read", "read")]
    kept = [history.add(answer) for answer in answers]
    assert [message.call_id for message in kept if isinstance(message, il.ToolChatMessage)] == ["b", "a", "c"]
    assert [answer.call_id for answer in answers] == [None] * 3
    assert refused(history, answers[0]).rule == "answered"
    by_order = history_of(USER, create_assistant(None, calls), rules=rules_of("ollama"))
    assert by_order.add(il.ToolChatMessage(content="x")) == create_tool_result("a", "x")


# Turns.


@pytest.mark.requirement("FR-004a-114")
def test_an_answer_with_text_between_calls_is_one_turn() -> None:
    said: list[Any] = [
        create_assistant("First this.", [call("a")]),
        create_assistant("Then that.", [call("b")]),
        create_tool_result("b", "2"),
        create_tool_result("a", "1"),
        create_assistant("Done."),
    ]
    history = history_of(SYSTEM, USER)
    history.add_turn(said)
    assert history.validate() == []
    again = il.ConversationHistory.from_json(history.to_json())
    assert again.validate() == []
    assert again.to_conversation().continued == (3,)
    assert again.get_messages() == history.get_messages()
    # One by one they are two answers.
    one_by_one = history_of(SYSTEM, USER, said[0])
    assert refused(one_by_one, said[1]).rule == "alternation"
    assert [found.rule for found in check_order(history)] == ["alternation", "dangling_call", "unknown_call"]


def test_a_turn_is_added_completely_or_not_at_all() -> None:
    history = history_of(SYSTEM, USER)
    for bad in (RESULT, SYSTEM, il.UserChatMessage()):
        with pytest.raises(il.ConversationOrderError) as caught:
            history.add_turn([CALLING, RESULT, create_assistant("x"), bad])
        assert (caught.value.index, caught.value.role) == (5, bad.role)
        assert history.count == 2
        assert history.open_calls == ()
    history.add_turn([])
    assert [message.role for message in history.add_turn([CALLING, RESULT])] == ["assistant", "tool"]
    assert history.count == 4
    # The ids of the turns that were refused are free; those of this one are not.
    assert refused(history, create_assistant(None, [call()])).rule == "duplicate_id"


def test_a_turn_can_continue_the_previous_one() -> None:
    history = il.ConversationHistory()
    history.add_turn([SYSTEM, USER, create_assistant(None, [call("a"), call("b")])])
    with pytest.raises(il.ConversationOrderError):
        history.add_turn([ANSWER])
    history.add_turn([create_tool_result("a", "1")])
    history.add_turn(message for message in (create_tool_result("b", "2"), ANSWER))
    with pytest.raises(il.ConversationOrderError):
        history.add_turn([create_assistant("Another answer is none that goes on.")])
    assert history.validate() == []


# Snapshots.


def test_a_snapshot_never_changes() -> None:
    history = history_of(SYSTEM, USER)
    early = history.get_messages()
    early_hash = hash(early)
    history.add(ANSWER)
    late = history.get_messages()
    history.clear()
    history.add(create_system("Another"))
    assert early == [SYSTEM, USER] == list(early)
    assert hash(early) == early_hash == hash((SYSTEM, USER))
    assert late == (SYSTEM, USER, ANSWER)
    assert early != late
    assert (late[-1], late[1:], late[::-1], early[-1]) == (ANSWER, (USER, ANSWER), (ANSWER, USER, SYSTEM), USER)
    assert (late.index(USER), late.count(USER), list(reversed(early))) == (1, 1, [USER, SYSTEM])
    assert early != 5
    with pytest.raises(IndexError):
        early[2]
    assert pickle.loads(pickle.dumps(early)) == early  # noqa: S301 - our own bytes
    assert repr(late) == "Messages(count=3)"


def test_a_snapshot_can_be_used_in_a_request() -> None:
    messages = history_of(SYSTEM, USER).get_messages()
    request = il.ChatRequest(model="m", messages=messages)  # type: ignore[arg-type]  # any sequence is taken
    assert request.messages[0] is SYSTEM
    assert il.encode_request({"model": "m", "messages": messages}, "openai_chat").body["messages"] == [
        {"role": "system", "content": "System"},
        {"role": "user", "content": "User"},
    ]


# The state as a whole.


@pytest.mark.requirement("FR-004a-115")
def test_validate_checks_all_messages() -> None:
    history = history_of(USER, USER, RESULT, create_assistant(None, [call("a")]), USER, rules=FREE)
    assert history.validate() == []
    found = history.validate(STRICT)
    assert [(violation.index, violation.rule) for violation in found] == [
        (0, "first_message"),
        (1, "alternation"),
        (2, "orphan_result"),
        (4, "dangling_call"),
    ]
    assert [violation.rule for violation in history.validate(rules_of("ollama"))] == ["orphan_result"]


@pytest.mark.requirement("FR-004a-115", "FR-004a-114")
def test_a_stored_conversation_that_violates_the_order_is_refused() -> None:
    bad = il.Conversation(messages=(SYSTEM, USER, USER))
    with pytest.raises(il.ConversationOrderError) as caught:
        il.ConversationHistory.from_conversation(bad)
    assert (caught.value.rule, caught.value.index) == ("alternation", 2)
    assert il.ConversationHistory.from_conversation(bad, FREE).count == 3
    for place in (1, 2, 3, 9):
        lying = bad.replace(continued=(place,))
        with pytest.raises(il.InvalidArgumentError, match="continued"):
            il.ConversationHistory.from_conversation(lying, FREE)


@pytest.mark.requirement("FR-004a-114", "MAN-3.5")
def test_application_data_next_to_the_messages_is_stored() -> None:
    history = il.ConversationHistory(id="c1", metadata={"title": "T", "nothing": None})
    history.add(SYSTEM)
    again = il.ConversationHistory.from_json(history.to_json().encode())
    assert (again.id, again.metadata) == ("c1", {"title": "T", "nothing": None})
    assert again.to_conversation() == history.to_conversation()
    assert il.validate(json.loads(history.to_json()), union="conversation") == []


@pytest.mark.requirement("NFR-004a-26")
@pytest.mark.parametrize("text", ["", "{", "[NaN]", "\ud800", b"\xff", '{"schema_version":3}', "[]", "null", "5"])
def test_an_invalid_stored_conversation_raises_an_error_of_the_library(text: Any) -> None:
    with pytest.raises((il.JsonDecodeError, il.MigrationError)) as caught:
        il.ConversationHistory.from_json(text)
    assert caught.value.__context__ is None
    hiding = json.dumps({"schema_version": CURRENT, "messages": [{"role": HIDDEN}]})
    with pytest.raises(il.MigrationError) as caught:
        il.ConversationHistory.from_json(hiding)
    assert HIDDEN not in repr(caught.value)


@pytest.mark.parametrize(
    "number", [int(sys.float_info.max), -int(sys.float_info.max), 2**64 + 1], ids=["max", "min", "long"]
)
def test_accepted_integers_are_read_back_and_larger_ones_are_refused(number: int) -> None:
    history = il.ConversationHistory(il.chat.FREE)
    history.add(il.AssistantChatMessage(tool_calls=(il.ToolCall(name="f", arguments={"n": number}),)))
    again = il.ConversationHistory.from_json(history.to_json(), il.chat.FREE)
    assert again.get_messages() == history.get_messages()
    with pytest.raises(il.InvalidArgumentError, match="/tool_calls/0/arguments/n"):
        history.add(il.AssistantChatMessage(tool_calls=(il.ToolCall(name="f", arguments={"n": number**20}),)))


@pytest.mark.requirement("NFR-004a-30")
def test_text_that_is_not_valid_unicode_raises_when_it_is_written() -> None:
    history = history_of(create_system("\ud800"))
    with pytest.raises(il.EncodeError) as caught:
        history.to_json()
    assert caught.value.__context__ is None


def test_custom_rules_are_a_modified_copy_of_a_rule_set() -> None:
    lenient = replace(STRICT, name="lenient", unique_ids=False)
    assert history_of(SYSTEM, USER, CALLING, RESULT, CALLING, RESULT, rules=lenient).count == 6


def test_the_rules_of_an_unknown_dialect_are_an_error() -> None:
    with pytest.raises(il.UnknownDialectError):
        rules_of("klingon")
