"""What the work on a transcript costs: twice as much for twice as many, counted in calls and not by the clock."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import pytest

import interlingua as il
from interlingua.model import ToolCall, ToolRequestMessage, ToolResultData, ToolResultMessage
from interlingua.tools import DecideBy, Tool, ToolExecutor, apply_policy, approve, request
from support.cost import steps
from support.transcripts import user

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.model import AnyMessage

COUNT: Final = 60
YES: Final = DecideBy(lambda _call: True)


async def ping() -> int:
    """Answer."""
    return 1


def requested(number: int) -> ToolRequestMessage:
    made = request([ToolCall(id=f"call_{number}", name="ping", arguments={})])
    return made.replace(id=f"request_{number}")


def waiting(count: int) -> il.Transcript:
    """Return a transcript of requests that wait for a decision."""
    return il.Transcript([requested(number) for number in range(count)])


def run_undecided(count: int) -> Callable[[], object]:
    transcript, executor = waiting(count), ToolExecutor([Tool.from_function(ping)])
    return lambda: il.run_tools(transcript, executor, policy=YES, save=saved)


def run_without_ids(count: int) -> Callable[[], object]:
    """Run what an old store has: calls without ids."""
    messages: list[AnyMessage] = []
    for number in range(count):
        approved = apply_policy(requested(number), YES)
        (only,) = approved.data.calls
        bare = only.replace(call=ToolCall(name="ping", arguments={}))
        messages.append(approved.replace(data=approved.data.replace(calls=(bare,))))
    transcript = il.Transcript.restore(messages, {"main": range(count)}, branch="main")
    executor = ToolExecutor([Tool.from_function(ping)])
    return lambda: il.run_tools(transcript, executor, save=saved)


def run_what_another_branch_has(count: int) -> Callable[[], object]:
    executor = ToolExecutor([Tool.from_function(ping)])
    transcript = waiting(count)
    transcript.fork("other")
    il.run_tools(transcript, executor, policy=YES)
    transcript.switch("other")
    return lambda: il.run_tools(transcript, executor, save=saved)


def saved(transcript: il.Transcript) -> None:
    transcript.mark_saved(len(transcript.changes))


def answer_and_look(count: int) -> Callable[[], object]:
    """Append each result, and look it up in every way there is."""
    transcript = waiting(count)

    def work() -> None:
        for number in range(count):
            result = ToolResultMessage(data=ToolResultData(call_id=f"call_{number}", status="success", output=1))
            transcript.append(result)
            assert list(transcript.results_for(f"request_{number}")) == [0]
            assert transcript.result_of(f"call_{number}") is not None
            assert transcript.result_of("nobody") is None
            assert transcript.position_of(f"request_{number}") == number

    return work


def replace_each(count: int) -> Callable[[], object]:
    transcript = il.Transcript([user(str(number), id=str(number)) for number in range(count)])

    def work() -> None:
        for number in range(count):
            transcript.replace(str(number), user(f"{number} again"))
            assert transcript.get(str(number)).id == str(number)
            assert transcript.is_dirty
            assert transcript.results_for(str(number)) == {}

    return work


WORK: Final[Mapping[str, Callable[[int], Callable[[], object]]]] = MappingProxyType(
    {
        "run undecided": run_undecided,
        "run calls without ids": run_without_ids,
        "take results over": run_what_another_branch_has,
        "answer and look": answer_and_look,
        "replace": replace_each,
    }
)


def test_result_of_returns_the_last_result_on_the_active_branch() -> None:
    transcript = waiting(2)
    transcript.fork("other")

    def add(output: str, branch: str) -> ToolResultMessage:
        data = ToolResultData(call_id="call_0", status="success", output=output)
        return transcript.append(ToolResultMessage(data=data), branch=branch)

    added = [add("a", "main"), add("b", "main"), add("c", "other")]
    assert transcript.result_of("call_0") == added[1]
    transcript.switch("other")
    assert transcript.result_of("call_0") == added[2]
    assert added[2].id is not None
    transcript.update(added[2].id, lambda old: old.model_copy(update={"data": old.data.replace(call_id="call_1")}))
    assert transcript.result_of("call_0") == added[1]
    assert transcript.results_for("request_1") == {0: transcript.get(added[2].id)}
    assert transcript.results_for("request_1", branch="main") == {}
    assert transcript.results_for("request_0", branch="main") == {0: added[0]}


@pytest.mark.parametrize("work", WORK)
def test_the_cost_of_requests_is_linear(work: str) -> None:
    steps(WORK[work](COUNT))  # what is done only once has been done
    once, twice, fourfold = (steps(WORK[work](times * COUNT)) for times in (1, 2, 4))
    assert 1.6 < twice / once < 2.4
    assert 1.6 < fourfold / twice < 2.4


def test_marking_one_of_many_calls_does_not_walk_the_others() -> None:
    calls = [ToolCall(id=f"call_{number}", name="ping", arguments={"a": [1] * 100}) for number in range(COUNT)]
    transcript = il.Transcript()
    adding = steps(lambda: transcript.append(request(calls).replace(id="request")))

    stored = transcript.get("request")
    assert isinstance(stored, ToolRequestMessage)
    approved = approve(stored, "call_1", decided_by="Ada")
    assert steps(lambda: transcript.replace("request", approved)) < adding / 10
