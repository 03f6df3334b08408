"""No test waits for ever: the limit ends every kind of wait."""

from __future__ import annotations

import asyncio
import os
import queue
import select
import signal
import subprocess
import sys
import threading
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import pytest

from support.time_limit import limited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

NEVER: Final = (sys.executable, "-I", "-S", "-c", "import threading; threading.Event().wait()")


def hanging_thread() -> threading.Thread:
    thread = threading.Thread(target=threading.Event().wait, daemon=True)
    thread.start()
    return thread


def held_lock() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    return lock


def in_a_context() -> None:
    """Leave the context of a process by an error: it waits for its end, too."""
    with subprocess.Popen(NEVER, stdout=subprocess.PIPE) as process:
        CHILDREN.append(process)
        process.wait()


def child(**streams: int) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(NEVER, **streams)  # type: ignore[call-overload]
    CHILDREN.append(process)
    return process  # type: ignore[no-any-return]


def read_pipe() -> None:
    reading, writing = os.pipe()
    try:
        os.read(reading, 1)
    finally:
        os.close(reading)
        os.close(writing)


def select_pipe() -> None:
    reading, writing = os.pipe()
    try:
        select.select([reading], [], [])
    finally:
        os.close(reading)
        os.close(writing)


CHILDREN: Final[list[subprocess.Popen[bytes]]] = []
WAITS: Final[Mapping[str, Callable[[], object]]] = MappingProxyType(
    {
        "an event": lambda: threading.Event().wait(),
        "a barrier": lambda: threading.Barrier(2).wait(),
        "a lock": lambda: held_lock().acquire(),
        "a thread": lambda: hanging_thread().join(),
        "a queue": lambda: queue.Queue[int]().get(),
        "an event loop": lambda: asyncio.run(asyncio.Event().wait()),
        "a pipe": read_pipe,
        "several pipes": select_pipe,
        "the end of a process": lambda: child().wait(),
        "its exit code": lambda: os.waitpid(child().pid, 0),
        "its output": lambda: child(stdout=subprocess.PIPE).communicate(),
        "its context": in_a_context,
    }
)


@pytest.fixture
def _killed() -> Iterator[None]:
    """Kill what is left of the processes."""
    yield
    while CHILDREN:
        process = CHILDREN.pop()
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.usefixtures("_killed")
@pytest.mark.parametrize("wait", WAITS)
def test_a_test_without_an_end_is_ended_and_reported(wait: str) -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(pytest.fail.Exception, match="waited"), limited(0.2, 0.2):
        WAITS[wait]()
    assert signal.getsignal(signal.SIGALRM) is before


def test_a_test_that_ends_in_time_is_unaffected_and_an_outer_limit_still_applies() -> None:
    ended: list[str] = []

    def work() -> None:
        with limited(0.5):
            with limited(60):
                ended.append("in time")
            threading.Event().wait()

    with pytest.raises(pytest.fail.Exception, match=r"more than 0\.5 "):
        work()
    assert ended == ["in time"]


def test_every_test_runs_under_the_limit() -> None:
    seconds, again = signal.getitimer(signal.ITIMER_REAL)
    assert 0 < seconds <= 3600
    assert again > 0
