"""One history and many threads: no update is lost, no reader sees half of one, the order is never broken."""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.chat import STRICT, check_order, create_assistant, create_system, create_tool_result, create_user

WRITERS: Final = 22
READERS: Final = 10
SECONDS: Final = 2.0
SYSTEM: Final = create_system("s")


@pytest.fixture(autouse=True)
def _threads_that_take_turns_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def turn(writer: int, number: int) -> list[Any]:
    """Return a turn that says whose it is, with calls that wait for an id of the history's."""
    name = f"{writer}.{number}"
    calls = [il.ToolCall(id=f"{name}.{one}", name="f", arguments={}) for one in range(2)]
    return [
        create_user(name),
        create_assistant("a", calls[:1], name=name),
        create_assistant("b", calls[1:], name=name),
        create_tool_result(calls[1].id or "", name),
        create_tool_result(calls[0].id or "", name),
        create_assistant("Done.", name=name),
    ]


class Slow(str):
    """A word of the rules that takes so long to compare that every other thread gets its turn meanwhile.

    A history looks at it between the rule of alternation and the message that is kept: where writers do not wait for
    each other, the next one finds the order as this one found it.
    """

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        for _ in range(5_000):
            pass
        return str.__eq__(self, other)


def said_by(message: Any) -> str:
    """Return whose message it is."""
    return str(message.name if message.role == "assistant" else message.content)


class Crowd:
    """The threads, what each of them did, and what went wrong in any of them."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.failures: list[BaseException] = []
        self.end = 0.0

    def run(self, *works: Any) -> None:
        start = threading.Barrier(len(works) + 1)
        threads = [threading.Thread(target=self._guarded, args=(work, start)) for work in works]
        for thread in threads:
            thread.start()
        self.end = time.monotonic() + self.seconds
        start.wait(60)
        for thread in threads:
            thread.join()
        assert self.failures == []

    def _guarded(self, work: Any, start: threading.Barrier) -> None:
        start.wait(60)
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test must tell
            self.failures.append(error)

    def is_open(self) -> bool:
        return time.monotonic() < self.end and not self.failures


@pytest.mark.requirement("NFR-004a-32", "FR-004a-102", "NFR-004a-23")
def test_32_threads_lose_no_message_and_break_no_rule() -> None:
    history = il.ConversationHistory()
    history.add(SYSTEM)
    crowd = Crowd(SECONDS)
    accepted: Counter[int] = Counter()
    refused: Counter[int] = Counter()
    looks: Counter[int] = Counter()

    def write(writer: int) -> None:
        while crowd.is_open() or not accepted[writer]:
            number = accepted[writer]
            assert len(history.add_turn(turn(writer, number))) == 6
            accepted[writer] += 1
            # Turns that are wrong at their end, and single messages that are wrong wherever they would stand.
            for bad in ([*turn(writer, -1), SYSTEM], [create_user("never")] * 2):
                try:
                    history.add_turn(bad)
                except il.ConversationOrderError:
                    refused[writer] += 1
            for message in (SYSTEM, create_tool_result("none", "never"), create_assistant("never")):
                try:
                    history.add(message)
                except il.ConversationOrderError:
                    refused[writer] += 1

    def read(reader: int) -> None:
        before: list[Any] = []
        while crowd.is_open() or not looks[reader]:
            messages = history.get_messages()
            seen = list(messages)
            assert len(seen) == len(messages) >= len(before)
            assert all(one is other for one, other in zip(before, seen, strict=False))
            assert history.count >= len(messages)
            # Turns are published whole, each by one writer.
            assert len(seen) % 6 == 1
            for begin in range(max(1, len(before)), len(seen), 6):
                assert len({said_by(message) for message in seen[begin : begin + 6]}) == 1
            if looks[reader] % 8 == reader % 8:
                continued = set(range(3, len(seen), 6))
                assert check_order(seen, continued=continued) == []
                assert history.validate() == []
            before = seen
            looks[reader] += 1

    writers = [lambda writer=writer: write(writer) for writer in range(WRITERS)]
    readers = [lambda reader=reader: read(reader) for reader in range(READERS)]
    crowd.run(*writers, *readers)
    turns = sum(accepted.values())
    assert history.count == 1 + 6 * turns
    assert history.validate() == []
    names = [said_by(message) for message in history][1::6]
    # Every turn that was taken is there once, and each writer's in its order.
    for writer in range(WRITERS):
        own = [name for name in names if name.startswith(f"{writer}.")]
        assert own == [f"{writer}.{number}" for number in range(accepted[writer])]
        assert refused[writer] == 5 * accepted[writer]
    assert min(accepted[writer] for writer in range(WRITERS)) > 0
    assert min(looks[reader] for reader in range(READERS)) > 0


@pytest.mark.requirement("NFR-004a-32", "FR-004a-102")
@pytest.mark.parametrize("whole_turns", [False, True], ids=["add", "add_turn"])
def test_checking_the_order_and_adding_the_message_are_one_atomic_step(*, whole_turns: bool) -> None:
    history = il.ConversationHistory(replace(STRICT, results=Slow("next")))  # type: ignore[arg-type]  # it is "next"
    history.add(SYSTEM)
    crowd = Crowd(SECONDS)
    rounds, writers = 20, 8
    taken: Counter[str] = Counter()

    def write(writer: int) -> None:
        for number in range(rounds):
            for role, message in (("u", create_user(f"{number}")), ("a", create_assistant(f"{number}"))):
                try:
                    kept = history.add_turn([message])[0] if whole_turns else history.add(message)
                except il.ConversationOrderError:
                    continue
                assert kept is message
                taken[f"{writer}.{role}"] += 1

    crowd.run(*[lambda writer=writer: write(writer) for writer in range(writers)])
    roles = [message.role for message in history]
    assert roles == ["system", *itertools.islice(itertools.cycle(["user", "assistant"]), len(roles) - 1)]
    assert len(roles) - 1 == taken.total() >= 2
    assert history.validate() == check_order(history) == []


@pytest.mark.requirement("NFR-004a-32")
def test_threads_always_see_a_valid_conversation_while_others_clear_it() -> None:
    history = il.ConversationHistory(new_id=lambda: f"{threading.get_ident()}.{time.perf_counter_ns()}")
    crowd = Crowd(SECONDS / 2)
    taken: Counter[str] = Counter()

    def write() -> None:
        while crowd.is_open():
            for message in (SYSTEM, create_user("u"), create_assistant("a")):
                try:
                    history.add(message)
                    taken["adds"] += 1
                except il.ConversationOrderError:
                    taken["refusals"] += 1

    def clear() -> None:
        while crowd.is_open() or not taken["clears"]:
            history.clear()
            taken["clears"] += 1

    def read() -> None:
        while crowd.is_open():
            messages = history.get_messages()
            roles = [message.role for message in messages]
            assert roles[:1] in ([], ["system"])
            assert "system" not in roles[1:]
            assert all(one != other for one, other in itertools.pairwise(roles))
            assert history.validate() == []
            stored = il.ConversationHistory.from_json(history.to_json())
            assert stored.validate() == []

    crowd.run(*[write] * 4, *[clear] * 2, *[read] * 4)
    assert taken["adds"] > 0 < taken["clears"]
