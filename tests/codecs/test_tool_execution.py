"""Running approved calls: what runs, in which order and together with what, and the result that each call gets."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import logging
import math
import threading
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, BaseModel, field_validator

import interlingua as il
from interlingua.errors import RunningLoopError, ToolError, ToolRequestError, ToolSetupError
from interlingua.model import Execution, ToolCall, ToolDefinition, ToolRequestMessage, ToolResultMessage
from interlingua.tools import FAILURES, ExecutionLimits, Tool, ToolExecutor, approve, deny, request
from interlingua_types._base import InvalidArgumentError
from support.calls import Ticks, approved, codes, failure_of, outputs

WAIT = 10.0
"""Longer than anything here takes: what waits so long has failed."""
HIDDEN = "for-the-tool-alone"
asker: contextvars.ContextVar[str] = contextvars.ContextVar("who asks", default="nobody")


def add(left: int, right: int = 1) -> int:
    """Add two numbers."""
    return left + right


async def double(number: float) -> float:
    """Double a number."""
    await asyncio.sleep(0)
    return number * 2


def fail(kind: str) -> None:
    """Fail in a way."""
    if kind == "tool":
        raise ToolError("The disk is full.", recoverable=False)
    if kind == "retry":
        raise ToolError("Try later.")
    raise FileNotFoundError("no such file: a.txt")


def who() -> str:
    """Say who asks."""
    return asker.get()


ADD, DOUBLE, FAIL = (Tool.from_function(one) for one in (add, double, fail))


@pytest.mark.requirement(
    "TYPE-1.5.5", "TYPE-4.2.2", "TYPE-4.2.3", "TYPE-4.2.4", "TYPE-5.1.1", "TYPE-5.1.2", "TYPE-5.1.3", "TYPE-5.1.4"
)
@pytest.mark.parametrize(
    ("name", "arguments", "output"),
    [("add", {"left": 2}, 3), ("add", {"left": -1}, 0), ("double", {"number": 2.5}, 5.0), ("rest", {}, None)],
)
def test_an_approved_call_runs_and_its_result_has_output_time_and_duration(
    name: str, arguments: dict[str, Any], output: Any
) -> None:
    ticks = Ticks()
    rest = Tool.from_function(lambda: None, name="rest", description="Do nothing.")
    executor = ToolExecutor([ADD, DOUBLE, rest], now=ticks.now, clock=ticks.clock)
    (result,) = executor.run(approved((name, arguments)))
    assert isinstance(result, ToolResultMessage)
    assert result.data.call_id == "c0"
    assert result.data.name == name
    assert result.data.status == "success"
    assert result.data.output == output
    assert result.data.error is None
    assert result.data.execution == Execution(
        started_at="2026-01-02T12:00:01Z", finished_at="2026-01-02T12:00:04Z", duration_ms=1000.0
    )
    assert il.load_message(il.dump_message_json(result)) == (result,)


@pytest.mark.requirement("TYPE-1.5.2", "TYPE-5.1.1", "TYPE-5.2.1")
@pytest.mark.parametrize(
    ("ids", "answered"),
    [
        ({"id": "a"}, "a"),
        ({"call_id": "b"}, "b"),
        ({"id": "", "call_id": "b"}, "b"),
        ({"id": "a", "call_id": "b"}, "a"),
    ],
)
@pytest.mark.parametrize(
    ("name", "arguments"), [("add", {"left": 2}), ("fail", {"kind": "tool"}), ("add", {}), ("x", {})]
)
def test_a_result_has_the_id_of_its_call(
    ids: dict[str, str], answered: str, name: str, arguments: dict[str, Any]
) -> None:
    message = approve(request([ToolCall(**ids, name=name, arguments=arguments)]), answered, decided_by="ada")
    (result,) = ToolExecutor([ADD, FAIL]).run(message)
    assert result.data.call_id == answered


@pytest.mark.requirement("TYPE-4.2.1", "TYPE-4.3.2")
def test_only_approved_calls_run() -> None:
    ran: list[int] = []
    executor = ToolExecutor([Tool.from_function(noting(ran), name="note")])
    message = request([ToolCall(id=f"c{number}", name="note", arguments={"number": number}) for number in range(4)])
    message = deny(approve(message, "c1", decided_by="ada"), "c2", decided_by="ada", reason=HIDDEN)
    results = executor.run(message)
    assert ran == [1]
    assert [one.data.call_id for one in results] == ["c1", "c2"]
    assert codes(results) == [None, "denied"]
    assert results[1].data.error is not None
    assert results[1].data.error.recoverable is False
    assert HIDDEN not in results[1].data.error.message
    assert results[1].data.execution is None


def noting(ran: list[int]) -> Any:
    def note(number: int) -> int:
        """Note a number."""
        ran.append(number)
        return number

    return note


@pytest.mark.requirement("TYPE-4.3.1", "TYPE-4.3.4")
def test_unsafe_calls_run_alone_and_in_order() -> None:
    ran: list[int] = []
    at_work: list[int] = []

    async def note(number: int) -> int:
        """Note a number."""
        at_work.append(number)
        for _ in range(5):
            await asyncio.sleep(0)
        assert at_work == [number]
        at_work.remove(number)
        ran.append(number)
        return number

    def note_in_thread(number: int) -> int:
        """Note a number."""
        assert at_work == []
        ran.append(number)
        return number

    executor = ToolExecutor([Tool.from_function(note), Tool.from_function(note_in_thread)])
    results = executor.run(approved(*((("note", "note_in_thread")[at % 2], {"number": at}) for at in range(20))))
    assert ran == outputs(results) == list(range(20))
    assert [one.data.call_id for one in results] == [f"c{at}" for at in range(20)]


@pytest.mark.requirement("TYPE-4.3.3")
def test_adjacent_safe_calls_run_concurrently_and_results_keep_the_order() -> None:
    # All of them must be at work at the same time, or the barrier breaks; each ends when the next one's result is told.
    barrier = threading.Barrier(3)
    gates = [threading.Event() for _ in range(4)]
    gates[3].set()

    def meet(number: int) -> int:
        """Meet the others."""
        barrier.wait(WAIT)
        assert gates[number + 1].wait(WAIT)
        return number

    async def greet(number: int) -> int:
        """Meet the others."""
        return await asyncio.to_thread(meet, number)

    def tell(result: ToolResultMessage) -> None:
        told.append(result.data.output)
        gates[told[-1]].set()

    safe = [Tool.from_function(one, is_concurrency_safe=True) for one in (meet, greet)]
    told: list[Any] = []
    message = approved(("meet", {"number": 0}), ("greet", {"number": 1}), ("meet", {"number": 2}))
    assert outputs(ToolExecutor(safe).run(message, on_result=tell)) == [0, 1, 2]
    assert told == [2, 1, 0]


@pytest.mark.requirement("TYPE-4.3.1", "TYPE-4.3.3")
def test_an_unsafe_call_waits_for_earlier_safe_calls_and_later_calls_wait_for_it() -> None:
    barrier = asyncio.Barrier(2)
    at_work: set[str] = set()
    seen: list[set[str]] = []

    async def look(name: str) -> None:
        """Look around."""
        at_work.add(name)
        await asyncio.wait_for(barrier.wait(), WAIT)
        seen.append(set(at_work))
        await asyncio.wait_for(barrier.wait(), WAIT)
        at_work.remove(name)

    async def change(name: str) -> None:
        """Change something."""
        at_work.add(name)
        await asyncio.sleep(0)
        seen.append(set(at_work))
        at_work.remove(name)

    tools = [Tool.from_function(look, is_concurrency_safe=True), Tool.from_function(change)]
    names = ["look a", "look b", "change c", "change d", "look e", "look f"]
    calls = [(name.split()[0], {"name": name.split()[1]}) for name in names]
    results = ToolExecutor(tools).run(approved(*calls))
    assert codes(results) == [None] * 6
    assert seen == [{"a", "b"}, {"a", "b"}, {"c"}, {"d"}, {"e", "f"}, {"e", "f"}]


def test_a_call_that_does_not_run_does_not_separate_safe_calls() -> None:
    barrier = threading.Barrier(2)

    def meet() -> None:
        """Meet the other."""
        barrier.wait(WAIT)

    executor = ToolExecutor([Tool.from_function(meet, is_concurrency_safe=True)])
    assert codes(executor.run(approved(("meet", {}), ("nobody", {}), ("meet", "{}")))) == [
        None,
        "unknown_tool",
        None,
    ]


def test_the_limit_of_concurrent_calls_is_kept() -> None:
    at_work: set[int] = set()
    most: list[int] = []

    async def work(number: int) -> None:
        """Work."""
        at_work.add(number)
        most.append(len(at_work))
        for _ in range(4):
            await asyncio.sleep(0)
        at_work.remove(number)

    tool = Tool.from_function(work, is_concurrency_safe=True)
    executor = ToolExecutor([tool], limits=ExecutionLimits(concurrent_calls=3))
    results = executor.run(approved(*(("work", {"number": number}) for number in range(12))))
    assert codes(results) == [None] * 12
    assert max(most) == 3


@pytest.mark.requirement("TYPE-5.2.1", "TYPE-5.2.2", "TYPE-5.2.3", "TYPE-5.2.4", "TYPE-5.2.5")
@pytest.mark.parametrize(
    ("kind", "code", "message", "recoverable"),
    [
        ("tool", "tool", "The disk is full.", False),
        ("retry", "tool", "Try later.", True),
        ("other", "exception", "FileNotFoundError: no such file: a.txt", False),
    ],
)
@pytest.mark.parametrize("is_async", [False, True])
def test_a_failure_has_its_message_stack_trace_and_recoverability(
    kind: str, code: str, message: str, recoverable: bool, is_async: bool
) -> None:
    async def fail_later(kind: str) -> None:
        """Fail in a way."""
        fail(kind)

    tool = Tool.from_function(fail_later, name="fail") if is_async else FAIL
    (result,) = ToolExecutor([tool]).run(approved(("fail", {"kind": kind})))
    assert (result.data.call_id, result.data.status) == ("c0", "error")
    assert result.data.output is None
    failure = failure_of([result])
    assert (failure.code, failure.message, failure.recoverable) == (code, message, recoverable)
    assert failure.stack_trace is not None
    assert failure.stack_trace.startswith("Traceback (most recent call last):\n")
    assert "in fail\n" in failure.stack_trace
    assert "running.py" not in failure.stack_trace
    assert result.data.execution is not None
    assert result.data.execution.started_at is not None
    assert result.data.execution.duration_ms is not None


def test_the_stack_trace_and_code_of_a_failure_are_never_sent_to_a_model() -> None:
    message = approved(("fail", {"kind": "tool"}))
    (result,) = ToolExecutor([FAIL]).run(message)
    body = il.encode_request({"messages": [one.model_dump() for one in il.to_chat([message, result])]}, "claude").body
    said = str(body)
    assert "The disk is full." in said
    assert "Traceback" not in said
    assert "test_tool_execution" not in said


def test_the_text_about_exceptions_for_the_model_can_be_customised() -> None:
    executor = ToolExecutor([FAIL], describe=lambda error: f"It broke ({type(error).__name__}).")
    assert failure_of(executor.run(approved(("fail", {"kind": ""})))).message == "It broke (FileNotFoundError)."


def test_an_exception_whose_str_raises_is_an_ordinary_failure() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def say() -> None:
        """Raise."""
        raise MuteError

    failure = failure_of(ToolExecutor([Tool.from_function(say)]).run(approved(("say", {}))))
    assert (failure.code, failure.message) == ("exception", "MuteError")


def test_a_tool_error_subclass_without_super_init_is_an_ordinary_failure() -> None:
    class DiskError(ToolError):
        def __init__(self, free: int) -> None:
            self.free = free

    def write() -> None:
        """Write a file."""
        raise DiskError(3)

    (result,) = ToolExecutor([Tool.from_function(write)]).run(approved(("write", {})))
    failure = failure_of([result])
    assert (failure.code, failure.message, failure.recoverable) == ("tool", "3", False)


def test_any_failure_text_can_be_stored() -> None:
    def say(text: str) -> None:
        """Raise."""
        raise ToolError(text * 20_000 + "\udc80 end")

    failure = failure_of(ToolExecutor([Tool.from_function(say)]).run(approved(("say", {"text": "ab"}))))
    assert failure.message.startswith("abab")
    assert failure.message.endswith("\ufffd end")
    assert len(failure.message) < 11_000
    assert failure.stack_trace is not None
    assert len(failure.stack_trace) < 51_000


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"left": "two"}, "/left"),
        ({"right": 2}, "/left: "),
        ({"left": 2, HIDDEN: 3}, "1 member(s)"),
        ('{"left": 2', "not a JSON object"),
        ('{"left": 2, "left": 3}', "not a JSON object"),
        ("[1]", "not a JSON object"),
    ],
)
def test_invalid_arguments_are_reported_without_values_and_nothing_runs(arguments: Any, why: str) -> None:
    ran: list[int] = []

    def add(left: int, right: int = 1) -> None:
        """Add."""
        ran.append(left + right)

    result = ToolExecutor([Tool.from_function(add)]).run(approved(("add", arguments)))
    failure = failure_of(result)
    assert (failure.code, failure.recoverable) == ("arguments", True)
    assert why in failure.message
    assert not any(hidden in failure.message for hidden in ("two", HIDDEN))
    assert ran == []
    assert result[0].data.execution is None


def test_an_unknown_tool_is_reported_as_recoverable() -> None:
    failure = failure_of(ToolExecutor([ADD]).run(approved(("Add", {"left": 1}))))
    assert (failure.code, failure.recoverable) == ("unknown_tool", True)


class Trip(BaseModel):
    """A trip."""

    to: str
    day: date


@dataclass
class Pair:
    """Two numbers."""

    left: int
    right: int


def test_arguments_are_converted_to_the_annotated_types() -> None:
    def plan(trip: Trip, days: list[date], note: str | None = None) -> str:
        """Plan a trip."""
        return f"{type(trip).__name__} {trip.day.year} {days[0].day} {note}"

    executor = ToolExecutor([Tool.from_function(plan)])
    arguments = {"trip": {"to": "Oslo", "day": "2026-05-17"}, "days": ["2026-05-18"]}
    assert outputs(executor.run(approved(("plan", arguments)))) == ["Trip 2026 18 None"]
    wrong = {"trip": {"to": "Oslo", "day": "17 May"}, "days": []}
    assert codes(executor.run(approved(("plan", wrong)))) == ["arguments"]


def in_2030(day: date) -> date:
    if day.year < 2030:
        raise ValueError("give a day from 2030 on")
    return day


class Stay(BaseModel):
    """A stay."""

    nights: list[Annotated[date, AfterValidator(in_2030)]]
    until: datetime


@pytest.mark.parametrize("has_type", [False, True])
def test_the_model_reads_which_argument_a_type_refuses_and_why(has_type: bool) -> None:
    def book(stay: Stay) -> None:
        """Book."""

    definition = ToolDefinition.from_type(Stay, name="book", description="Book.")
    tool = Tool(definition, book, argument_type=Stay) if has_type else Tool.from_function(book)
    stay = {"nights": ["2031-05-17", "2029-05-17"], "until": "tonight"}
    message = failure_of(ToolExecutor([tool]).run(approved(("book", stay if has_type else {"stay": stay})))).message
    at = "" if has_type else "/stay"
    assert f"{at}/nights/1: ValueError: give a day from 2030 on; {at}/until: datetime_" in message
    assert "tonight" not in message

    discreet = ToolExecutor([tool], describe=lambda error: type(error).__name__)
    message = failure_of(discreet.run(approved(("book", stay if has_type else {"stay": stay})))).message
    assert f"{at}/nights/1: ValueError; " in message


@pytest.mark.parametrize("kind", [Trip, Pair])
def test_a_tool_made_from_a_type_gets_one_value_of_it(kind: Any) -> None:
    definition = ToolDefinition.from_type(kind, name="take", description="Take one value.")
    taken: list[Any] = []

    async def take(value: Any) -> None:
        taken.append(value)

    arguments = {Trip: {"to": "Oslo", "day": "2026-05-17"}, Pair: {"left": 1, "right": 2}}[kind]
    executor = ToolExecutor([Tool(definition, take, argument_type=kind)])
    assert codes(executor.run(approved(("take", arguments)))) == [None]
    assert [type(one) for one in taken] == [kind]
    assert codes(executor.run(approved(("take", {})))) == ["arguments"]


def test_a_function_without_annotations_gets_json_values_for_its_parameters() -> None:
    definition = ToolDefinition.create("join", "Join.", {"type": "object"})

    def join(first, second=()):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202  # which is what is tried
        return [first, second]

    executor = ToolExecutor([Tool(definition, join)])
    assert outputs(executor.run(approved(("join", {"first": {"a": [1]}})))) == [[{"a": [1]}, []]]
    failure = failure_of(executor.run(approved(("join", {"first": 1, HIDDEN: 1}))))
    assert failure.code == "arguments"
    assert HIDDEN not in failure.message


def test_a_function_may_modify_its_arguments_without_changing_the_request() -> None:
    definition = ToolDefinition.create("grow", "Grow.", {"type": "object"})

    def grow(**arguments: Any) -> int:
        arguments["list"].append(1)
        return len(arguments["list"])

    message = approved(("grow", {"list": []}))
    executor = ToolExecutor([Tool(definition, grow)])
    assert outputs(executor.run(message)) == outputs(executor.run(message)) == [1]
    assert message.data.calls[0].call.arguments == {"list": []}


def test_methods_partials_and_callable_objects_are_tools_too() -> None:
    class Counter:
        """Counts."""

        def __init__(self) -> None:
            self.count = 0

        def up(self, by: int) -> int:
            """Count up."""
            self.count += by
            return self.count

        async def __call__(self, by: int) -> int:
            """Count up."""
            return self.up(by)

    counter = Counter()
    tools = [
        Tool.from_function(counter.up, name="method"),
        Tool.from_function(functools.partial(add, right=10), name="part"),
        Tool.from_function(counter, name="object"),
        Tool.from_function(functools.partial(double), name="async_part"),
    ]
    calls = [("method", {"by": 2}), ("part", {"left": 1}), ("object", {"by": 3}), ("async_part", {"number": 1})]
    assert outputs(ToolExecutor(tools).run(approved(*calls))) == [2, 11, 5, 2]


def decorated(function: Any) -> Any:
    @functools.wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        return function(*given, **named)

    return call


def test_a_decorated_async_function_is_awaited_even_if_not_declared_async() -> None:
    definition = DOUBLE.definition
    said = Tool(definition, decorated(double), is_async=True)
    plain = Tool(definition, lambda number: number * 2, is_async=True)
    for tool in (said, plain, Tool(definition, decorated(double)), Tool.from_function(decorated(double))):
        assert outputs(ToolExecutor([tool]).run(approved(("double", {"number": 2})))) == [4]


def test_an_exception_of_a_decorated_async_function_is_a_failure_of_its_call() -> None:
    async def fail() -> None:
        """Fail."""
        raise ToolError("Ask for another one.", recoverable=True)

    failure = failure_of(ToolExecutor([Tool.from_function(decorated(fail))]).run(approved(("fail", {}))))
    assert (failure.code, failure.message, failure.recoverable) == ("tool", "Ask for another one.", True)


def test_a_custom_call_passes_its_text_to_a_tool_with_a_text_parameter() -> None:
    definition = ToolDefinition(name="run")
    message = request([ToolCall(id="a", name="run", arguments="ls -l", kind="custom")])
    message = approve(message, "a", decided_by="ada")
    assert outputs(ToolExecutor([Tool(definition, str.upper, argument_type=str)]).run(message)) == ["LS -L"]
    assert codes(ToolExecutor([Tool(definition, lambda: None)]).run(message)) == ["arguments"]


@pytest.mark.parametrize("levels", [400, 900, 100_000])
def test_arguments_nested_too_deeply_fail_only_their_call(levels: int) -> None:
    deep: Any = 1
    for _ in range(levels):
        deep = [deep]
    take = Tool(ToolDefinition.create("take", "Take.", {"type": "object"}), lambda value: value is None)
    executor = ToolExecutor([take, ADD])
    text = '{"value": ' + "[" * levels + "]" * levels + "}"
    results = executor.run(approved(("take", {"value": deep}), ("take", text), ("add", {"left": 1})))
    assert codes(results)[1:] == ["arguments", None]
    assert codes(results)[0] in ({None, "arguments"} if levels == 400 else {"arguments"})


def test_a_type_whose_validation_raises_fails_only_its_call() -> None:
    class Odd(BaseModel):
        """Fails where it should refuse."""

        name: str

        @field_validator("name")
        @classmethod
        def _look_up(cls, name: str) -> str:
            return {"a": "b"}[name]

    definition = ToolDefinition.from_type(Odd, name="odd", description="Take it.")
    executor = ToolExecutor([Tool(definition, lambda value: value, argument_type=Odd), ADD])
    message = approved(("odd", {"name": "c"}), ("odd", {"name": "a"}), ("add", {"left": 1}))
    assert codes(executor.run(message)) == ["exception", None, None]


def test_threads_and_tasks_inherit_context_variables_and_do_not_leak_theirs() -> None:
    async def who_async() -> str:
        """Say who asks."""
        found = asker.get()
        asker.set("a tool")
        return found

    executor = ToolExecutor([Tool.from_function(who), Tool.from_function(who_async)])
    mark = asker.set("ada")
    try:
        assert outputs(executor.run(approved(("who_async", {}), ("who", {})))) == ["ada", "ada"]
        assert asker.get() == "ada"
    finally:
        asker.reset(mark)


@pytest.mark.parametrize("code", ["interrupted", "denied", "cancelled", "time_limit", "exception", "output"])
def test_a_call_that_may_have_run_is_not_recoverable_unless_the_tool_says_so(code: Any) -> None:
    assert FAILURES[code][1] is False


def test_a_started_call_without_a_result_never_runs_again() -> None:
    ran: list[int] = []
    executor = ToolExecutor([Tool.from_function(noting(ran), name="note")])
    message = approved(("note", {"number": 0}), ("note", {"number": 1}))
    stored: list[ToolRequestMessage] = []
    executor.run(message, on_start=stored.append)
    assert ran == [0, 1]
    # The marks come group by group: at a crash in the first call, the second one would not be marked.
    assert [[one.execution is not None for one in each.data.calls] for each in stored] == [[True, False], [True, True]]
    (loaded,) = il.load_message(il.dump_message_json(stored[0]))
    assert isinstance(loaded, ToolRequestMessage)
    results = executor.run(loaded)
    assert ran == [0, 1, 1]
    assert codes(results) == ["interrupted", None]
    assert results[0].data.error is not None
    assert results[0].data.error.recoverable is False
    assert "unknown" in results[0].data.error.message
    assert results[0].data.execution == loaded.data.calls[0].execution


def test_a_call_is_marked_as_started_before_it_runs_and_nothing_runs_if_storing_the_mark_fails() -> None:
    ran: list[int] = []
    order: list[str] = []

    def store(message: ToolRequestMessage) -> None:
        order.append(f"stored {sum(one.execution is not None for one in message.data.calls)}, ran {len(ran)}")
        if len(ran) == 1:
            raise OSError("no space left")

    executor = ToolExecutor([Tool.from_function(noting(ran), name="note")])
    told: list[ToolResultMessage] = []
    with pytest.raises(OSError, match="no space left"):
        executor.run(approved(*[("note", {"number": 1})] * 3), on_start=store, on_result=told.append)
    assert order == ["stored 1, ran 0", "stored 2, ran 1"]
    assert ran == [1]
    assert [one.data.call_id for one in told] == ["c0"]


def test_a_call_that_cannot_run_is_not_marked_as_started() -> None:
    stored: list[ToolRequestMessage] = []
    ToolExecutor([ADD]).run(approved(("nobody", {}), ("add", {})), on_start=stored.append)
    assert stored == []


def test_answered_calls_are_unchanged() -> None:
    ran: list[int] = []
    executor = ToolExecutor([Tool.from_function(noting(ran), name="note")])
    message = approved(("note", {"number": 0}), ("nobody", {}), ("note", {"number": 2}))
    results = executor.run(message, answered={"c0", "c1"})
    assert (ran, [one.data.call_id for one in results]) == ([2], ["c2"])


@pytest.mark.parametrize(("ids", "code"), [(["a", "b", "a"], "duplicate_id"), (["a", "b", None], "missing_id")])
def test_a_request_with_duplicate_call_ids_is_refused_before_anything_runs(ids: list[str | None], code: str) -> None:
    ran: list[int] = []
    message = request([ToolCall(id=one, name="note", arguments={"number": 1}) for one in ids])
    calls = tuple(one.replace(approval={"status": "approved"}) for one in message.data.calls)
    executor = ToolExecutor([Tool.from_function(noting(ran), name="note")])
    with pytest.raises(ToolRequestError) as caught:
        executor.run(message.replace(data=message.data.replace(calls=calls)))
    assert (caught.value.code, caught.value.position) == (code, 2)
    assert ran == []


def test_the_blocking_function_refuses_a_running_event_loop_with_advice() -> None:
    executor = ToolExecutor([ADD])

    async def main() -> tuple[ToolResultMessage, ...]:
        with pytest.raises(RunningLoopError, match=r"await executor\.run"):
            executor.run(approved(("add", {"left": 1})))
        return await executor.run_async(approved(("add", {"left": 1})))

    assert outputs(asyncio.run(main())) == [2]


@pytest.mark.parametrize("seconds", [0, -1, math.nan])
def test_invalid_tools_and_limits_are_refused(seconds: float) -> None:
    with pytest.raises(ToolSetupError):
        Tool.from_function(add, timeout_seconds=seconds)
    with pytest.raises(ToolSetupError):
        ExecutionLimits(timeout_seconds=seconds)
    with pytest.raises(ToolSetupError):
        ExecutionLimits(output_bytes=0)
    with pytest.raises(ToolSetupError):
        ToolExecutor([ADD, Tool.from_function(double, name="add")])
    with pytest.raises(ToolSetupError):
        Tool(ADD.definition, lambda left, /: left)
    with pytest.raises(InvalidArgumentError):
        Tool(ADD.definition, reads_no_json)


def reads_no_json(left: threading.Event) -> None:
    """Read what JSON cannot say."""


def test_repr_logs_and_warnings_contain_no_arguments_or_outputs(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)

    def tell(text: str) -> str:
        """Tell or raise."""
        if text.startswith("!"):
            raise ValueError(text)
        return text

    executor = ToolExecutor([Tool.from_function(tell)])
    message = approved(("tell", {"text": HIDDEN}), ("tell", {"text": "!" + HIDDEN}), ("tell", {"text": [HIDDEN]}))
    results = executor.run(message)
    assert codes(results) == [None, "exception", "arguments"]
    shown = [repr(one) for one in [*results, message, executor, *executor.tools, results[1].data.error]]
    captured = capfd.readouterr()
    assert not any(HIDDEN in text for text in [*shown, caplog.text, captured.out, captured.err])
    assert HIDDEN in str(results[1].data.model_dump())


def test_a_thousand_calls_run_and_keep_their_order() -> None:
    executor = ToolExecutor([Tool.from_function(add, is_concurrency_safe=True), DOUBLE])
    calls = [("add", {"left": at}) if at % 3 else ("double", {"number": at}) for at in range(1000)]
    marks: list[int] = []
    results = executor.run(approved(*calls), on_start=lambda message: marks.append(len(message.data.calls)))
    assert outputs(results) == [at + 1 if at % 3 else at * 2 for at in range(1000)]
    assert set(marks) == {1000}
