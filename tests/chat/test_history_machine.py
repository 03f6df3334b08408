"""The history beside a simple model of 004's rules, and after an interruption at every single step of its work."""

from __future__ import annotations

import contextlib
import linecache
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final, Self

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import interlingua as il
from interlingua.chat import create_assistant, create_system, create_tool_result, create_user

IDS: Final = ("a", "b", "c", "d", "e", "f")
SYSTEM: Final[Any] = create_system("s")
USER: Final[Any] = create_user("u")

MESSAGES: Final[st.SearchStrategy[Any]] = st.one_of(
    st.just(SYSTEM),
    st.just(USER),
    st.just(create_assistant("x")),
    st.lists(st.sampled_from(IDS), min_size=1, max_size=3).map(
        lambda ids: il.AssistantChatMessage(
            tool_calls=tuple(il.ToolCall(id=one, name="f", arguments={}) for one in ids)
        )
    ),
    st.sampled_from(IDS).map(lambda one: create_tool_result(one, "r")),
    st.just(il.ToolChatMessage(content="r")),
    st.just(il.DeveloperChatMessage(content="d")),
    st.just(il.UserChatMessage()),
)


def fits(before: list[Any], message: Any, *, continues: bool) -> bool:
    """Say in 004's words, looking at everything again, whether a message may stand at the end of a conversation."""
    role = message.role
    if role == "developer" or (role != "assistant" and message.content is None):
        return False
    if not before or role == "system":
        return not before and role == "system"
    calls = [call.id for one in before for call in (one.tool_calls or () if one.role == "assistant" else ())]
    answered = [one.call_id for one in before if one.role == "tool"]
    waiting = [call_id for call_id in calls if call_id not in answered]
    if role == "tool":
        return message.call_id in waiting
    if continues:
        waiting = []
    if waiting or (before[-1].role == role and not continues):
        return False
    asked = [call.id for call in (message.tool_calls or ())] if role == "assistant" else []
    return len({*asked, *calls}) == len(asked) + len(calls)


class Machine(RuleBasedStateMachine):
    """Adds, adds whole turns, clears, stores; the model is a list that asks `fits`."""

    def __init__(self) -> None:
        super().__init__()
        self.history = il.ConversationHistory()
        self.model: list[Any] = []
        self.snapshots: list[tuple[Any, list[Any]]] = []

    def expect(self, turn: list[Any]) -> bool:
        """Take a turn into the model if all of it fits."""
        grown = list(self.model)
        for place, message in enumerate(turn):
            continues = place > 0 and message.role == "assistant" == turn[place - 1].role
            if not fits(grown, message, continues=continues):
                return False
            grown.append(message)
        self.model = grown
        return True

    def check(self, work: Callable[[], Any], *, fitting: bool) -> None:
        try:
            work()
        except il.ConversationOrderError:
            assert not fitting
        else:
            assert fitting

    @rule(message=MESSAGES)
    def add(self, message: Any) -> None:
        self.check(lambda: self.history.add(message), fitting=self.expect([message]))

    @rule(turn=st.lists(MESSAGES, max_size=5))
    def add_turn(self, turn: list[Any]) -> None:
        self.check(lambda: self.history.add_turn(turn), fitting=self.expect(turn))

    @rule(turn=st.sampled_from([[SYSTEM, USER], [USER, create_assistant("x")], [create_assistant("x"), USER]]))
    def add_a_turn_that_often_fits(self, turn: list[Any]) -> None:
        self.add_turn(turn)

    @precondition(lambda self: len(self.model) > 3)
    @rule()
    def clear(self) -> None:
        self.history.clear()
        self.model = []

    @rule()
    def store(self) -> None:
        self.history = il.ConversationHistory.from_json(self.history.to_json())

    @rule()
    def look(self) -> None:
        self.snapshots.append((self.history.get_messages(), list(self.model)))

    @invariant()
    def holds_what_the_model_holds(self) -> None:
        assert list(self.history) == self.model
        assert (self.history.count, self.history.last_message) == (
            len(self.model),
            self.model[-1] if self.model else None,
        )
        assert self.history.validate() == []
        assert all(list(messages) == expected for messages, expected in self.snapshots)


Machine.TestCase.settings = settings(max_examples=40, stateful_step_count=20)
TestAgainstTheModel = pytest.mark.requirement("FR-004a-104", "FR-004a-106", "FR-004a-107")(Machine.TestCase)


# Interruptions.


class Interrupt:
    """Raises KeyboardInterrupt before one line of the code of the history, counted from 0.

    The line that takes the lock and gives it back is left out: Python itself is not interrupted between the lock and
    the block that it guards, which a trace function can do.
    """

    def __init__(self, at: int) -> None:
        self.left = at

    def __enter__(self) -> Self:
        self.before = sys.gettrace()
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self.before)

    def _call(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        return self._step if "/interlingua/chat/" in frame.f_code.co_filename.replace("\\", "/") else None

    def _step(self, frame: FrameType, event: str, _argument: Any) -> Any:
        text = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
        if event == "line" and not text.strip().startswith("with "):
            self.left -= 1
            if self.left == -1:
                raise KeyboardInterrupt
        return self._step


def call(call_id: str) -> il.ToolCall:
    return il.ToolCall(id=call_id, name="f", arguments={})


BEGUN: Final[list[Any]] = [SYSTEM, USER, create_assistant("x", [call("a"), call("b")])]
TURN: Final[list[Any]] = [
    create_tool_result("b", "r"),
    create_tool_result("a", "r"),
    create_assistant("y", [call("c")]),
    create_assistant("z", [call("d")]),
    create_tool_result("c", "r"),
]
WORKS: Final[dict[str, Callable[[il.ConversationHistory], Any]]] = {
    "add": lambda history: history.add(create_tool_result("a", "r")),
    "add_turn": lambda history: history.add_turn(TURN),
    "clear": lambda history: history.clear(),
}


def after(work: str) -> list[Any]:
    """Return what a history holds when the work is done."""
    history = il.ConversationHistory()
    history.add_turn(BEGUN)
    WORKS[work](history)
    return list(history)


def interruptions(work: str) -> Iterator[il.ConversationHistory]:
    """Yield a history after the work was interrupted before its first line, its second one, and so on to its end."""
    for at in range(100_000):
        history = il.ConversationHistory()
        history.add_turn(BEGUN)
        with Interrupt(at) as interrupt, contextlib.suppress(KeyboardInterrupt):
            WORKS[work](history)
        yield history
        if interrupt.left >= 0:
            return
    pytest.fail("it never ends")


@pytest.mark.parametrize("work", WORKS)
def test_an_interrupted_write_leaves_the_history_before_or_after_the_change(work: str) -> None:
    outcomes = {len(BEGUN): 0, len(after(work)): 0}
    for history in interruptions(work):
        held = list(history)
        assert held in (BEGUN, after(work))
        outcomes[len(held)] += 1
        assert history.validate() == []
        # It goes on as if nothing had happened.
        if held:
            open_call = history.open_calls[-1]
            history.add_turn([create_tool_result(open_call, "r") for open_call in history.open_calls])
            with pytest.raises(il.ConversationOrderError):
                history.add(create_tool_result(open_call, "r"))
            history.add(create_assistant("Done."))
        else:
            with pytest.raises(il.ConversationOrderError):
                history.add(USER)
            history.add_turn(BEGUN)
        assert history.validate() == []
        assert il.ConversationHistory.from_json(history.to_json()).get_messages() == history.get_messages()
    assert min(outcomes.values()) > 0
    assert sum(outcomes.values()) > 3
