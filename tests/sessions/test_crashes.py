"""What a process that is killed leaves behind, and what several that write at once do: nothing acknowledged is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Final

import pytest

import interlingua as il
from interlingua import tools
from interlingua.model import ToolResultMessage
from interlingua.sessions import SessionStore
from support import corpus
from support.sessions import Worker, contents, sql, started, text

# Python warns of a fork beside threads, from 3.12 on. That it works all the same is what is tested.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

RUNS: Final = 25 if corpus.whole() else 2
APPENDS: Final = 1000

Tell = Callable[[object], None]


def appending(path: Path, name: str, start: int, end: int, branch: str = "main") -> Callable[[Tell], None]:
    """Return the work of a process that appends, and tells the number of each message that was acknowledged."""

    def work(tell: Tell) -> None:
        store = SessionStore(path, timeout=60)
        for number in range(start, end):
            store.append("s", text(f"{name} {number}", id=f"{name}-{number}"), branch=branch)
            tell(number)

    return work


def saving(path: Path, start: int, end: int) -> Callable[[Tell], None]:
    """Return the work of a process that saves three changes at a time: two messages and a branch."""

    def work(tell: Tell) -> None:
        store = SessionStore(path, timeout=60)
        transcript = store.load("s").transcript
        for number in range(start, end):
            transcript.extend([text(f"{number} first"), text(f"{number} second")])
            transcript.fork(f"b{number}")
            store.save(transcript)
            tell(number)

    return work


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the file of a store with one empty session, s."""
    path = tmp_path / "sessions.db"
    with SessionStore(path) as store:
        store.create("s")
    return path


def killed_after(worker: Worker, lines: int, wait: float) -> int:
    """Kill a process some time after it has written some lines, and return how many it wrote in the end."""
    timer = threading.Timer(wait, worker.kill)
    count = 0
    for _line in worker.lines():
        count += 1
        if count == lines:
            timer.start()
    timer.cancel()
    if timer.ident is not None:
        timer.join()
    worker.wait()
    return count


@pytest.mark.parametrize("seed", range(RUNS))
def test_per_6_a_process_killed_during_a_thousand_appends_loses_no_acknowledged_one(path: Path, seed: int) -> None:
    moments = random.Random(seed)
    stored = 0
    while stored < APPENDS:
        process = Worker(appending(path, "m", stored, APPENDS))
        # Anywhere within an append, the last ones included.
        acknowledged = killed_after(process, moments.randint(1, APPENDS), moments.uniform(0, 0.004))
        with SessionStore(path, create=False) as store:
            assert store.check() == []
            found = contents(store.load("s").transcript)
        # One append may have been committed without its acknowledgement being heard.
        assert found == [f"m {number}" for number in range(len(found))]
        assert stored + acknowledged <= len(found) <= stored + acknowledged + 1
        stored = len(found)


@pytest.mark.parametrize("seed", range(RUNS))
def test_per_6_a_killed_save_is_stored_completely_or_not_at_all(path: Path, seed: int) -> None:
    moments = random.Random(seed)
    for _ in range(2):
        with SessionStore(path) as store:
            before = len(store.branches("s")) - 1
        process = Worker(saving(path, before, before + 200))
        acknowledged = killed_after(process, moments.randint(1, 40), moments.uniform(0, 0.004))
        with SessionStore(path) as store:
            assert store.check() == []
            transcript = store.load("s").transcript
        saved = len(transcript.branches) - 1
        assert before + acknowledged <= saved <= before + acknowledged + 1
        assert contents(transcript) == [f"{number} {word}" for number in range(saved) for word in ("first", "second")]
        assert [len(transcript.messages_of(f"b{number}")) for number in range(saved)] == [
            2 * number + 2 for number in range(saved)
        ]


@pytest.mark.parametrize("branches", [("main", "main"), ("main", "other")], ids=["one branch", "two branches"])
def test_per_6_two_processes_appending_to_one_session_lose_nothing(path: Path, branches: tuple[str, str]) -> None:
    with SessionStore(path) as store:
        store.fork("s", "other")
    count = 150
    named = list(zip("ab", branches, strict=True))
    writers = [Worker(appending(path, name, 0, count, branch)) for name, branch in named]
    acknowledged = [len(list(writer.lines())) for writer in writers]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert acknowledged == [count, count]
    with SessionStore(path) as store:
        transcript = store.load("s").transcript
        assert store.check() == []
    for name, branch in named:
        own = [content for content in contents(transcript.messages_of(branch)) if content.startswith(name)]
        assert own == [f"{name} {number}" for number in range(count)]


def test_per_6_threads_appending_to_one_store_lose_nothing(path: Path) -> None:
    with SessionStore(path) as store:
        lengths: list[int] = []

        def write(name: str) -> None:
            for number in range(30):
                store.append("s", text(f"{name} {number}"))
                lengths.append(len(store.load_tail("s", 5).messages))

        threads = [threading.Thread(target=write, args=(str(number),)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = contents(store.load("s").transcript)
    assert len(lengths) == len(found) == 240
    for number in range(8):
        own = [content for content in found if content.startswith(f"{number} ")]
        assert own == [f"{number} {one}" for one in range(30)]


def test_threads_that_save_one_transcript_save_each_change_once(path: Path) -> None:
    with SessionStore(path) as store:
        transcript = store.load("s").transcript

        def write(name: str) -> None:
            for number in range(20):
                transcript.append(text(f"{name} {number}"))
                store.save(transcript)

        threads = [threading.Thread(target=write, args=(str(number),)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not transcript.is_dirty
        assert store.load("s").transcript.messages == transcript.messages
    assert len(transcript) == 120


def test_a_store_works_in_both_processes_after_a_fork(path: Path) -> None:
    with SessionStore(path, timeout=60) as store:
        store.append("s", text("before"))
        is_done = threading.Event()

        def write() -> None:
            number = 0
            while not is_done.is_set():
                store.append("s", text(f"thread {number}"))
                number += 1

        thread = threading.Thread(target=write)
        thread.start()
        workers = [Worker(lambda _tell, name=name: write_through(store, name)) for name in "xyz"]  # type: ignore[misc]
        statuses = [worker.wait() for worker in workers]
        is_done.set()
        thread.join()
        store.append("s", text("after"))
        found = contents(store.load("s").transcript)
        assert store.check() == []
    assert statuses == [0, 0, 0]
    for name in "xyz":
        assert [content for content in found if content.startswith(name)] == [f"{name} {one}" for one in range(20)]
    written = [content for content in found if content.startswith("thread")]
    assert written == [f"thread {number}" for number in range(len(written))]
    assert (found[0], found[-1]) == ("before", "after")


def test_no_connection_is_used_in_a_forked_process(path: Path) -> None:
    def tell_open_files(tell: Tell) -> None:
        for descriptor in Path("/proc/self/fd").iterdir():
            if descriptor.is_symlink() and descriptor.readlink().name.startswith(path.name):
                tell("open")

    with SessionStore(path) as store:
        store.append("s", text("one"))
        mine: list[object] = []
        tell_open_files(mine.append)
        worker = Worker(tell_open_files)
        assert (len(mine) > 0, list(worker.lines()), worker.wait()) == (True, [], 0)
        assert contents(store.load("s").transcript) == ["one"]


def write_through(store: SessionStore, name: str) -> None:
    """Append through the store of the parent."""
    for number in range(20):
        store.append("s", text(f"{name} {number}"))


STEPS: Final[dict[str, tuple[str, str]]] = {
    "before the decision is stored": ("ab", ""),
    "the decision is stored": ("ab", ""),
    "before the mark of a is stored": ("ab", ""),
    "the mark of a is stored": ("b", "a"),
    "a begins": ("b", "a"),
    "a has had its effect": ("ab", "a"),
    "before the result of a is stored": ("ab", "a"),
    "the result of a is stored": ("ab", ""),
    "before the mark of b is stored": ("ab", ""),
    "the mark of b is stored": ("a", "b"),
    "b begins": ("a", "b"),
    "b has had its effect": ("ab", "b"),
    "before the result of b is stored": ("ab", "b"),
    "the result of b is stored": ("ab", ""),
}
"""Every moment of a run of two calls: which have had their effect in the end if the run is killed there and another one
follows, each once, and which is answered as interrupted."""


def paying(path: Path, log: Path, fatal: str | None) -> Callable[[Tell], None]:
    """Return the work of a process that runs the calls of the session with a tool that writes; it dies at a step."""

    def work(_tell: Tell) -> None:
        steps = iter(STEPS)

        def reached() -> None:
            if next(steps, None) == fatal is not None:
                os.kill(os.getpid(), signal.SIGKILL)

        def pay(to: str) -> str:
            """Pay."""
            reached()
            with log.open("a") as file:
                file.write(to)
            reached()
            return "paid"

        with SessionStore(path) as store:

            def save(transcript: il.Transcript) -> None:
                reached()
                store.save(transcript)
                reached()

            executor = tools.ToolExecutor([tools.Tool(tools.define(pay), pay)])
            policy = tools.AllowTools(frozenset({"pay"}))
            il.run_tools(store.load("s").transcript, executor, policy=policy, save=save)

    return work


@pytest.mark.parametrize("fatal", STEPS)
def test_per_6_a_started_call_is_not_run_again_after_a_crash(path: Path, tmp_path: Path, fatal: str) -> None:
    log = tmp_path / "payments"
    log.touch()
    calls = [il.ToolCall(id=one, name="pay", arguments={"to": one}) for one in "ab"]
    with SessionStore(path) as store:
        store.append("s", tools.request(calls))
    assert Worker(paying(path, log, fatal)).wait() == -signal.SIGKILL
    assert Worker(paying(path, log, None)).wait() == 0
    with SessionStore(path) as store:
        found = store.load("s").transcript
    effects, interrupted = STEPS[fatal]
    assert log.read_text() == effects
    results = [one.data for one in found if isinstance(one, ToolResultMessage)]
    statuses = {one: "error" if one == interrupted else "success" for one in "ab"}
    assert [(one.call_id, one.status) for one in results] == list(statuses.items())


@pytest.mark.parametrize("failing", range(8))
def test_a_failed_save_during_a_run_is_repeated_and_nothing_runs_twice(path: Path, failing: int) -> None:
    runs: list[str] = []

    def pay(to: str) -> str:
        """Pay."""
        runs.append(to)
        return "paid"

    executor = tools.ToolExecutor([tools.Tool(tools.define(pay), pay)])
    policy = tools.AllowTools(frozenset({"pay"}))
    calls = [il.ToolCall(id=one, name="pay", arguments={"to": one}) for one in "abc"]
    transcript = il.Transcript([tools.request(calls)])
    saves = iter(range(8))
    with SessionStore(path) as store:

        def save(dirty: il.Transcript) -> None:
            if next(saves, None) == failing:
                raise TimeoutError
            store.save(dirty)

        # Seven saves: the decisions, and of each call the mark and the result.
        with pytest.raises(TimeoutError) if failing < 7 else nullcontext():
            il.run_tools(transcript, executor, policy=policy, save=save)
        il.run_tools(transcript, executor, policy=policy, save=save)
        assert (runs, transcript.is_dirty) == (["a", "b", "c"], False)
        loaded = store.load(transcript.id).transcript
    assert loaded.messages == transcript.messages
    assert [one.data.status for one in loaded if isinstance(one, ToolResultMessage)] == ["success"] * 3


def test_concurrent_processes_run_each_call_of_a_session_once(path: Path, tmp_path: Path) -> None:
    log = tmp_path / "payments"
    names = [f"c{number}" for number in range(6)]

    def pay(to: str) -> str:
        """Pay."""
        with log.open("a") as file:
            file.write(f"{to}\n")
        return "paid"

    def work(_tell: Tell) -> None:
        executor = tools.ToolExecutor([tools.Tool(tools.define(pay), pay)])
        policy = tools.AllowTools(frozenset({"pay"}))
        with SessionStore(path, timeout=60) as store:
            while True:
                transcript = store.load("s").transcript
                if all(transcript.result_of(name) for name in names):
                    return
                with suppress(il.SessionConflictError):
                    il.run_tools(transcript, executor, policy=policy, save=store.save)

    with SessionStore(path) as store:
        store.append("s", tools.request(il.ToolCall(id=one, name="pay", arguments={"to": one}) for one in names))
    workers = [Worker(work) for _ in range(4)]
    assert [worker.wait() for worker in workers] == [0] * 4
    ran = log.read_text().split()
    assert len(ran) == len(set(ran))
    with SessionStore(path) as store:
        results = {
            str(one.data.call_id): one.data for one in store.load("s").transcript if isinstance(one, ToolResultMessage)
        }
    assert sorted(results) == names
    assert {name for name, data in results.items() if data.status == "success"} <= set(ran)


def test_an_interpreter_that_exits_without_closing_the_store_loses_nothing(path: Path) -> None:
    process = started('il.SessionStore(sys.argv[1]).append("s", text("last")); sys.exit()', path)
    process.communicate()
    assert process.returncode == 0
    assert sql(path, "PRAGMA integrity_check") == [("ok",)]
    with SessionStore(path) as store:
        assert contents(store.load("s").transcript) == ["last"]


def test_processes_that_create_one_store_concurrently_share_it(tmp_path: Path) -> None:
    path = tmp_path / "new.db"

    def make(name: str) -> None:
        with SessionStore(path, timeout=60) as store:
            store.create(name)

    workers = [Worker(lambda _tell, name=f"s{number}": make(name)) for number in range(6)]  # type: ignore[misc]
    assert [worker.wait() for worker in workers] == [0] * 6
    with SessionStore(path) as store:
        assert sorted(info.id for info in store.sessions()) == [f"s{number}" for number in range(6)]


def test_importing_interlingua_does_not_import_sqlite3() -> None:
    program = "import sys, interlingua; sys.exit('sqlite3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
