"""`il.run_tools`: the calls of a transcript are decided, run once and answered, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import interlingua as il
from interlingua import tools
from support.transcripts import call, request, result, said, texts, transcript, user

if TYPE_CHECKING:
    from collections.abc import Callable


class Workshop:
    """Tools that count how often they ran, and an executor for them."""

    def __init__(self, **functions: Callable[..., Any]) -> None:
        self.runs: Counter[str] = Counter()
        defined = [self._tool(name, function) for name, function in functions.items()]
        self.executor = tools.ToolExecutor([self._tool("look_up", lambda: "found"), *defined])

    def _tool(self, name: str, function: Callable[..., Any]) -> tools.Tool:
        def run(**arguments: Any) -> Any:
            self.runs[name] += 1
            return function(**arguments)

        parameters = {"type": "object", "properties": {}}
        return tools.Tool(il.ToolDefinition(name=name, description="A tool.", parameters=parameters), run)


ALLOW = tools.AllowTools(frozenset({"look_up"}))


def statuses(story: Any) -> list[str]:
    return [one.approval.status for one in story[0].data.calls]


def outputs(story: Any) -> list[Any]:
    return [message.data.output for message in story if message.type == "tool_result"]


def test_approved_calls_run_and_their_results_are_added_to_the_branch() -> None:
    shop = Workshop()
    story = transcript([request(call("a"), call("b"), status="approved")])
    results = il.run_tools(story, shop.executor)
    assert shop.runs == {"look_up": 2}
    assert [one.data.call_id for one in results] == ["a", "b"]
    assert outputs(story) == ["found", "found"]
    assert [message.role for message in il.to_chat(story)] == ["assistant", "tool", "tool"]


def test_undecided_calls_do_not_run_and_denied_ones_are_answered() -> None:
    shop = Workshop()
    story = transcript([request(call("a"), call("b"), call("c"))])
    story.update(story[0].id, lambda message: tools.deny(message, "b", decided_by="ada"))
    il.run_tools(story, shop.executor)
    assert (dict(shop.runs), story.result_of("a"), story.result_of("c")) == ({}, None, None)
    assert story.result_of("b").data.status == "error"
    il.run_tools(story, shop.executor)
    assert len(story) == 2


@pytest.mark.requirement("TYPE-4.4.3", "TYPE-4.4.4")
def test_a_decision_is_stored_in_the_message_and_marks_the_transcript_as_changed() -> None:
    story = transcript([request(call("a"))])
    story.mark_saved(1)
    assert not story.is_dirty
    story.update(story[0].id, lambda message: tools.approve(message, "a", decided_by="ada", reason="safe"))
    approval = story[0].data.calls[0].approval
    assert (approval.status, approval.decided_by, approval.reason) == ("approved", "ada", "safe")
    assert story.is_dirty
    assert [(one.kind, one.position, one.message) for one in story.changes] == [("replace", 0, story[0])]


@pytest.mark.requirement("TYPE-4.4.3", "TYPE-4.4.4")
def test_policy_decisions_are_saved_before_anything_runs() -> None:
    seen: list[Any] = []
    shop = Workshop(other=lambda: "done")
    story = transcript([request(call("a"), call("b", "other"))])

    def save(saved: il.Transcript) -> None:
        seen.append(([change.kind for change in saved.changes], dict(shop.runs)))
        saved.mark_saved(len(saved.changes))

    il.run_tools(story, shop.executor, policy=ALLOW, save=save)
    assert seen == [(["append", "replace"], {}), (["replace"], {}), (["append"], {"look_up": 1})]
    assert (statuses(story), dict(shop.runs), story.is_dirty) == (["approved", "pending"], {"look_up": 1}, False)
    assert story[0].data.calls[0].execution.started_at is not None


# Never twice.


def test_a_call_that_was_executed_is_not_executed_again_after_a_migration() -> None:
    shop = Workshop()
    first: list[dict[str, Any]] = [
        {"role": "user", "content": "Look it up."},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "name": "look_up", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "a", "content": "found long ago"},
    ]
    second: list[dict[str, Any]] = [
        {"role": "assistant", "tool_calls": [
            {"call_id": "b", "name": "look_up", "arguments": "{}"},
            {"call_id": "c", "name": "look_up", "arguments": "{}"},
        ]},
        {"role": "tool", "call_id": "c", "content": [{"type": "text", "text": "found later"}]},
        {"role": "assistant", "tool_calls": [{"name": "look_up", "arguments": "{}"}]},
        {"role": "tool", "name": "look_up", "content": "found without an id"},
    ]  # fmt: skip
    story = transcript([*il.load_messages(first, version=1).messages, *il.load_messages(second, version=2).messages])
    results = il.run_tools(story, shop.executor, policy=ALLOW)
    assert [one.data.call_id for one in results] == ["b"]
    assert shop.runs == {"look_up": 1}
    assert il.run_tools(story, shop.executor, policy=ALLOW) == ()


class Crash(BaseException):
    """The end of the process."""


def test_a_started_call_is_not_executed_again_after_a_crash() -> None:
    stored: list[Any] = []

    def crash() -> str:
        raise Crash

    shop = Workshop(crash=crash)
    story = transcript([request(call("a"), call("b", "crash"), call("c"), status="approved")])
    with pytest.raises(Crash):
        il.run_tools(story, shop.executor, save=lambda saved: stored.append(saved.to_document()))
    # A process that dies stores no result for the call that killed it: the last document says that it was begun.
    begun = next(one for one in stored if "execution" in one["messages"][0]["data"]["calls"][1])
    again = il.Transcript.from_document(begun)
    before = dict(shop.runs)
    results = il.run_tools(again, shop.executor)
    assert dict(shop.runs) == {**before, "look_up": before["look_up"] + 1}
    assert [(one.data.call_id, one.data.status) for one in results] == [("b", "error"), ("c", "success")]
    interrupted: Any = results[0]
    assert (interrupted.data.error.code, interrupted.data.error.recoverable) == ("interrupted", False)
    assert il.run_tools(again, shop.executor) == ()


@pytest.mark.parametrize("is_fork_first", [True, False])
def test_a_call_that_was_executed_is_not_executed_again_after_a_switch_of_branches(is_fork_first: bool) -> None:
    shop = Workshop()
    story = transcript([user(), request(call("a"), call("b"), status="approved")])
    asked = story[1].id
    if is_fork_first:
        story.fork("try")
    il.run_tools(story, shop.executor)
    if not is_fork_first:
        story.fork("try", after=asked)
    story.switch("try")
    assert outputs(story) == []
    saved: list[int] = []
    results = il.run_tools(story, shop.executor, save=lambda one: saved.append(len(one)))
    assert shop.runs == {"look_up": 2}
    assert [(one.data.call_id, one.data.output) for one in results] == [("a", "found"), ("b", "found")]
    assert outputs(story) == outputs(story.messages_of("main")) == ["found", "found"]
    assert len({message.id for branch in story.branches for message in story.messages_of(branch)}) == 7
    assert saved == [4, 5]
    assert il.run_tools(story, shop.executor) == ()
    assert [message.role for message in il.to_chat(story)] == ["user", "assistant", "tool", "tool"]


def test_a_call_with_the_same_id_on_another_branch_is_separate() -> None:
    shop = Workshop()
    story = transcript([user()])
    story.fork("try")
    story.append(request(call("call_0"), status="approved"))
    il.run_tools(story, shop.executor)
    story.switch("try")
    story.append(request(call("call_0"), status="approved"))
    il.run_tools(story, shop.executor)
    assert shop.runs == {"look_up": 2}


def test_an_id_reused_in_every_turn_hides_no_call() -> None:
    shop = Workshop()
    story = transcript()
    for _ in range(3):
        story.append(request(call("call_0"), status="approved"))
        il.run_tools(story, shop.executor)
    assert shop.runs == {"look_up": 3}
    assert texts(story) == ["tool_request", "tool_result"] * 3


def test_a_result_without_an_id_answers_the_preceding_turn() -> None:
    shop = Workshop()
    documents: list[dict[str, Any]] = [
        {"role": "assistant", "tool_calls": [{"name": "look_up", "arguments": "{}"}]},
        {"role": "user", "content": "Not that. The other one."},
        {"role": "assistant", "tool_calls": [{"name": "look_up", "arguments": "{}"}]},
        {"role": "tool", "name": "look_up", "content": "found long ago"},
    ]
    messages = il.load_messages(documents, version=2).messages
    chat = il.from_chat(il.to_chat(messages))
    for story in (transcript(messages), transcript(chat)):
        states = [story[place].data.calls[0].approval.status for place in (0, 2)]
        assert states == ["pending", "approved"]
        assert story.answers() == {(2, 0): 3}
        assert il.run_tools(story, shop.executor) == ()
    assert shop.runs == {}


def test_two_open_calls_with_one_id_are_distinguished() -> None:
    shop = Workshop()
    story = transcript([request(call("call_0")), user(), request(call("call_0"), call("call_0"))])
    il.run_tools(story, shop.executor, policy=ALLOW)
    assert shop.runs == {"look_up": 3}
    assert il.run_tools(story, shop.executor, policy=ALLOW) == ()


def test_stored_calls_without_ids_get_ids_before_they_run() -> None:
    shop = Workshop()
    entries: list[Any] = [request(call(None), call(None), status="approved"), result(None, name="look_up")]
    story: Any = il.Transcript.restore(entries, {"main": [0, 1]}, branch="main")
    il.run_tools(story, shop.executor)
    assert shop.runs == {"look_up": 1}
    assert len({one.call.id for one in story[0].data.calls} - {None}) == 2
    assert il.run_tools(story, shop.executor) == ()


# What goes wrong.


class FullDiskError(Exception):
    """Saving failed."""


def test_nothing_runs_if_the_transcript_cannot_be_saved() -> None:
    shop = Workshop()
    story = transcript([request(call("a"), status="approved")])

    def save(_saved: il.Transcript) -> None:
        raise FullDiskError

    with pytest.raises(FullDiskError):
        il.run_tools(story, shop.executor, save=save)
    assert (dict(shop.runs), len(story), story[0].data.calls[0].execution) == ({}, 1, None)
    il.run_tools(story, shop.executor)
    assert outputs(story) == ["found"]


def test_a_result_that_cannot_be_saved_stays_in_the_transcript() -> None:
    shop = Workshop()
    story = transcript([request(call("a"), status="approved")])

    def save(saved: il.Transcript) -> None:
        if len(saved) > 1:
            raise FullDiskError

    with pytest.raises(FullDiskError):
        il.run_tools(story, shop.executor, save=save)
    assert outputs(story) == ["found"]
    assert il.run_tools(story, shop.executor) == ()
    assert shop.runs == {"look_up": 1}


def test_a_concurrent_decision_is_kept() -> None:
    story = transcript([request(call("a", "ask"), call("b"))])
    asked = story[0].id
    story.update(asked, lambda message: tools.approve(message, "a", decided_by="ada"))

    def ask() -> str:
        story.update(asked, lambda message: tools.deny(message, "b", decided_by="bob"))
        return "asked"

    shop = Workshop(ask=ask)
    il.run_tools(story, shop.executor)
    assert [(one.approval.status, one.approval.decided_by) for one in story[0].data.calls] == [
        ("approved", "ada"),
        ("denied", "bob"),
    ]
    assert story[0].data.calls[0].execution is not None
    il.run_tools(story, shop.executor)
    assert [one.data.status for one in story[1:]] == ["success", "error"]


@pytest.mark.parametrize("other", [user("never mind"), request(call("a"), status="approved")])
def test_no_call_of_a_replaced_request_runs(other: Any) -> None:
    story = transcript([request(call("a", "swap"), call("b"), status="approved")])
    asked = story[0].id

    def swap() -> str:
        story.replace(asked, other)
        return "swapped"

    shop = Workshop(swap=swap)
    with pytest.raises(il.TranscriptError) as refused:
        il.run_tools(story, shop.executor)
    assert (refused.value.code, refused.value.name) == ("unknown_id", asked)
    assert shop.runs == {"swap": 1}


def test_results_are_added_to_the_branch_of_their_calls_even_after_a_switch() -> None:
    story = transcript([request(call("a", "leave"), status="approved")])

    def leave() -> str:
        story.fork("elsewhere", after=story[0].id)
        story.switch("elsewhere")
        story.append(said("user", "meanwhile"))
        return "left"

    shop = Workshop(leave=leave)
    il.run_tools(story, shop.executor)
    assert outputs(story.messages_of("main")) == ["left"]
    assert texts(story) == ["tool_request", "system_control", "meanwhile"]
    il.run_tools(story, shop.executor)
    assert outputs(story) == ["left"]
    assert shop.runs == {"leave": 1}


def test_a_run_skips_a_request_that_another_run_is_executing() -> None:
    entered, leave = threading.Event(), threading.Event()

    def wait() -> str:
        entered.set()
        assert leave.wait(10)
        return "waited"

    shop = Workshop(wait=wait)
    story = transcript([request(call("a", "wait"), status="approved"), request(call("b"), status="approved")])
    other = threading.Thread(target=il.run_tools, args=(story, shop.executor))
    other.start()
    assert entered.wait(10)
    second = Workshop(wait=wait)
    results = il.run_tools(story, second.executor)
    assert [one.data.call_id for one in results] == ["b"]
    leave.set()
    other.join(10)
    assert (dict(shop.runs), dict(second.runs)) == ({"wait": 1}, {"look_up": 1})
    assert sorted(outputs(story)) == ["found", "waited"]


def test_a_cancelled_run_stores_its_progress_and_can_be_resumed() -> None:
    story = transcript([request(call("a"), call("b", "sleep"), call("c"), status="approved")])
    runs: Counter[str] = Counter()

    async def main() -> None:
        began = asyncio.Event()

        async def sleep() -> str:
            runs["sleep"] += 1
            began.set()
            await asyncio.Event().wait()
            return "never"

        parameters = {"type": "object", "properties": {}}
        definition = il.ToolDefinition(name="sleep", description="A tool.", parameters=parameters)
        shop = Workshop()
        executor = tools.ToolExecutor([tools.Tool(definition, sleep), *shop.executor.tools])
        running = asyncio.create_task(il.run_tools_async(story, executor))
        await began.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert [one.data.status for one in story[1:]] == ["success", "error"]
        assert story[0].data.calls[2].execution is None
        await il.run_tools_async(story, executor)
        assert runs == {"sleep": 1}
        assert shop.runs == {"look_up": 2}

    asyncio.run(main())
    assert [one.data.call_id for one in story[1:]] == ["a", "b", "c"]


def test_the_blocking_function_refuses_a_running_event_loop() -> None:
    story = transcript([request(call("a"), status="approved")])

    async def main() -> None:
        with pytest.raises(il.InterlinguaError):
            il.run_tools(story, Workshop().executor)

    asyncio.run(main())
    assert len(story) == 1
