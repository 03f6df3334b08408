"""One transcript in the hands of many threads: nothing is lost, nothing is torn, and every change is told once."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

import interlingua as il
from interlingua import tools
from support.transcripts import call, request, result, user

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

THREADS = 8
EACH = 150


@pytest.fixture(autouse=True)
def _switching() -> Iterator[None]:
    """Let threads take turns as often as Python can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(*jobs: Callable[[], None]) -> None:
    """Run jobs in a thread each, and raise what one of them raised."""
    errors: list[BaseException] = []
    gate = threading.Barrier(len(jobs))

    def run(job: Callable[[], None]) -> None:
        try:
            gate.wait(10)
            job()
        except BaseException as error:  # noqa: BLE001  # raised again in the thread of the test
            errors.append(error)

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    if errors:
        raise errors[0]


def test_concurrent_threads_lose_no_message_and_see_consistent_snapshots() -> None:
    story = il.Transcript()
    done = threading.Event()

    def write(number: int) -> Callable[[], None]:
        def job() -> None:
            for count in range(EACH):
                story.append(user(f"{number}/{count}"))

        return job

    def read() -> None:
        before: tuple[Any, ...] = ()
        while not done.is_set():
            now = story.messages
            assert now[: len(before)] == before
            assert len(story.changes) >= len(now)
            before = now

    reader = threading.Thread(target=read)
    reader.start()
    together(*(write(number) for number in range(THREADS)))
    done.set()
    reader.join(60)
    texts = [message.model_dump()["data"]["content"] for message in story]
    assert len(texts) == len(set(texts)) == THREADS * EACH
    for number in range(THREADS):
        own = [text for text in texts if text.startswith(f"{number}/")]
        assert own == [f"{number}/{count}" for count in range(EACH)]
    assert [change.message for change in story.changes] == list(story.messages)
    assert len({message.model_dump()["id"] for message in story}) == len(story)


def test_one_id_can_be_used_by_only_one_thread() -> None:
    story = il.Transcript()
    taken: list[int] = []
    codes: set[str] = set()

    def job(number: int) -> Callable[[], None]:
        def take() -> None:
            for count in range(EACH):
                try:
                    story.append(user(str(number), id=str(count)))
                    taken.append(count)
                except il.TranscriptError as refused:
                    codes.add(refused.code)

        return take

    together(*(job(number) for number in range(4)))
    assert codes == {"duplicate_id"}
    assert sorted(taken) == list(range(EACH))
    assert len(story) == EACH


def test_concurrent_decisions_on_one_request_are_all_kept() -> None:
    story: Any = il.Transcript([request(*(call(str(number)) for number in range(THREADS * 8)))])
    asked = story[0].id

    def decide(number: int) -> Callable[[], None]:
        def job() -> None:
            for count in range(8):
                name = str(number * 8 + count)
                story.update(asked, lambda message, name=name: tools.approve(message, name, decided_by=name))

        return job

    together(*(decide(number) for number in range(THREADS)))
    assert [one.approval.decided_by for one in story[0].data.calls] == [str(number) for number in range(THREADS * 8)]


def test_branches_can_be_written_while_others_are_forked_and_saved() -> None:
    story = il.Transcript([user("root")])
    saved: list[il.Change] = []

    def write(name: str) -> Callable[[], None]:
        def job() -> None:
            story.fork(name)
            for count in range(EACH):
                story.append(user(f"{name}{count}"), branch=name)

        return job

    def save() -> None:
        while len(saved) < 1 + 4 * (EACH + 1):
            changes = story.changes
            saved.extend(changes)
            story.mark_saved(len(changes))

    together(*(write(name) for name in "abcd"), save)
    assert not story.is_dirty
    for name in "abcd":
        texts = [message.model_dump()["data"]["content"] for message in story.messages_of(name)]
        assert texts == ["root", *(f"{name}{count}" for count in range(EACH))]
        told = [change for change in saved if change.branch == name and change.kind == "append"]
        assert [change.position for change in told] == list(range(1, EACH + 1))
        assert [change.message for change in told] == list(story.messages_of(name)[1:])


def test_concurrent_runs_execute_each_call_once() -> None:
    ran: list[str] = []

    def look_up(city: str) -> str:
        """Look something up."""
        ran.append(city)
        return city

    definition = tools.define(look_up)
    story = il.Transcript([request(call(str(count), city=str(count)), status="approved") for count in range(30)])
    together(*(lambda: run(story, tools.ToolExecutor([tools.Tool(definition, look_up)])) for _ in range(4)))
    run(story, tools.ToolExecutor([tools.Tool(definition, look_up)]))
    assert sorted(ran, key=int) == [str(count) for count in range(30)]
    outputs = [message.model_dump()["data"]["output"] for message in story if message.type == "tool_result"]
    assert sorted(outputs, key=int) == [str(count) for count in range(30)]


def run(story: il.Transcript, executor: tools.ToolExecutor) -> None:
    il.run_tools(story, executor)


def test_concurrent_results_without_call_ids_each_find_a_call() -> None:
    story: Any = il.Transcript([request(*(call(None) for _ in range(THREADS * 10)))])

    def job() -> None:
        for _ in range(10):
            story.append(result(None))

    together(*(job for _ in range(THREADS)))
    ids = {one.call.id for one in story[0].data.calls}
    assert {message.data.call_id for message in story[1:]} == ids
