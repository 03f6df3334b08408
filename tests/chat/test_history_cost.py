"""What a history costs: counted in steps of the interpreter and in bytes, not in seconds."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.chat import (
    STRICT,
    Messages,
    create_assistant,
    create_system,
    create_tool_result,
    create_user,
    rules_of,
)
from support.cost import steps

SYSTEM: Final[Any] = create_system("s")
USER: Final[Any] = create_user("u")
ANSWER: Final[Any] = create_assistant("a")


def bytes_of(work: Callable[[], Any]) -> int:
    """Return how many bytes a piece of work needs at most at one time."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def long_history(turns: int, rules: Any = STRICT) -> il.ConversationHistory:
    """Return a history of that many turns of a user, an answer with a call, a result and an answer."""
    history = il.ConversationHistory(rules)
    history.add(SYSTEM)
    for number in range(turns):
        call = il.ToolCall(id=f"call_{number}", name="f", arguments={})
        history.add_turn([USER, create_assistant(None, [call]), create_tool_result(f"call_{number}", "r"), ANSWER])
    return history


@pytest.mark.requirement("NFR-004a-08", "NFR-004a-06")
@pytest.mark.parametrize("rules", [STRICT, rules_of("claude"), rules_of("openai_responses")], ids=lambda one: one.name)
def test_the_cost_of_adding_does_not_depend_on_the_length_of_the_history(rules: Any) -> None:
    def work(turns: int) -> list[int]:
        history = long_history(turns, rules)
        call = il.ToolCall(id="new", name="f", arguments={"a": [1]})
        turn = [USER, ANSWER, create_assistant(None, [call]), create_tool_result("new", "r")]

        def refused() -> None:
            with pytest.raises(il.ConversationOrderError):
                history.add(il.ToolChatMessage(call_id="none", content="x"))

        works: list[Callable[[], Any]] = [
            lambda: history.add(USER),
            lambda: history.add(ANSWER),
            lambda: history.add_turn(turn),
            history.get_messages,
            lambda: (history.count, history.last_message, history.open_calls),
            lambda: history.add(USER),
        ]
        return [steps(one) for one in ([*works, refused] if rules.known_calls else works)]

    work(2)  # what is imported and built on first use is no work of the history's
    assert work(2) == work(20) == work(1_000)


@pytest.mark.requirement("NFR-004a-08")
def test_adding_does_not_copy_existing_messages() -> None:
    history = long_history(2_000)
    history.add(USER)
    before = history.get_messages()
    # The list grows by an eighth now and then, which makes it O(1) in the long run: the least of many is what counts.
    least = min(bytes_of(lambda: history.add_turn([create_assistant("x"), USER])) for _ in range(20))
    assert least < 10_000
    assert bytes_of(history.get_messages) < 500
    assert len(before) == 8_002
    after = history.get_messages()
    assert all(after[place] is message for place, message in enumerate(before))


@pytest.mark.requirement("NFR-004a-06")
def test_the_cost_of_checking_a_message_depends_only_on_its_size() -> None:
    def work(calls: int) -> int:
        history = long_history(3)
        history.add(USER)
        listed = [il.ToolCall(id=f"new_{one}", name="f", arguments={"a": 1}) for one in range(calls)]
        message = create_assistant(None, listed)
        return steps(lambda: history.add(message))

    ten, twenty, forty = work(10), work(20), work(40)
    assert forty - twenty == 2 * (twenty - ten) > 0


@pytest.mark.requirement("NFR-004a-07")
def test_the_cost_of_comparing_messages_is_linear_in_their_length() -> None:
    def work(parts: int) -> int:
        one, other = (create_user([il.TextPart(text=f"{place}") for place in range(parts)]) for _ in range(2))
        assert one == other
        return steps(lambda: one == other)

    ten, twenty, forty = work(10), work(20), work(40)
    assert forty - twenty == 2 * (twenty - ten) > 0
    # Text is compared as text, in one step, and messages that differ at their beginning are done with there.
    long, same, different = (create_user(text * 100_000) for text in ("ab", "ab", "cb"))
    short, equal = create_user("ab"), create_user("ab")
    assert steps(lambda: long == same) == steps(lambda: short == equal)
    assert long != different
    assert bytes_of(lambda: long == same) < 1_000


def test_the_cost_of_an_answer_with_many_calls_is_linear() -> None:
    def work(calls: int) -> int:
        history = il.ConversationHistory(rules_of("gemini"))
        history.add(USER)
        history.add(create_assistant(None, [il.ToolCall(name="f", arguments={}) for _ in range(calls)]))
        results = [il.ToolChatMessage(content="r") for _ in range(calls)]
        return steps(lambda: [history.add(result) for result in results])

    ten, twenty, forty = work(10), work(20), work(40)
    assert abs((forty - twenty) - 2 * (twenty - ten)) <= 40


def test_a_long_history_is_encoded_without_copying_what_is_built() -> None:
    """PERF-2 of the collection of pains: no deep copies of the whole history a step."""
    texts = [f"what was said, number {number}" * 20 for number in range(10_000)]
    history = il.ConversationHistory()
    history.add(SYSTEM)
    for number, text in enumerate(texts):
        history.add(create_assistant(text) if number % 2 else create_user(text))
    built: list[Any] = list(history)
    copies = steps_named("deepcopy", "copy", "model_copy", "replace")

    def step() -> Any:
        history.add(USER)
        request = il.ChatRequest(model="m", messages=history.get_messages())  # type: ignore[arg-type]  # a sequence
        return request, il.encode_request(request, "openai_chat")

    with copies as counted:
        request, encoded = step()
    assert len(counted) < 20
    assert not {"deepcopy", "model_copy", "replace"} & set(counted)
    assert all(message is before for message, before in zip(request.messages, built, strict=False))
    assert len(request.messages) == 10_002
    for wire, message in zip(encoded.body["messages"], built, strict=False):
        assert wire["content"] is message.content
    # Beside the body, which is new, there is nothing as long as the history but lists of references.
    assert bytes_of(lambda: (history.add(ANSWER), history.get_messages())) < 200_000
    assert isinstance(history.get_messages(), Messages)


class steps_named:  # noqa: N801 - reads like the function that it stands beside
    """Notes which of some functions are called."""

    def __init__(self, *names: str) -> None:
        self._names = frozenset(names)
        self.called: list[str] = []

    def __enter__(self) -> list[str]:
        self._before = sys.getprofile()
        sys.setprofile(self._note)
        return self.called

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._before)

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        name = frame.f_code.co_name if event == "call" else getattr(argument, "__name__", "")
        if event in {"call", "c_call"} and name in self._names and "pydantic" not in frame.f_code.co_filename:
            self.called.append(name)
