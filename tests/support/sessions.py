"""Messages for the tests of the session store, access to its file, and processes that write to it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import traceback
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from interlingua.model import MessageRole, TextData, TextMessage, UnknownMessage
from support.program import environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PROLOGUE: Final = """
import sys
import interlingua as il
from interlingua.model import TextData, TextMessage

def text(content, **members):
    return TextMessage(data=TextData(role="user", content=content), **members)

"""


def text(content: str, **members: Any) -> TextMessage:
    """Return a text of the user."""
    return TextMessage(data=TextData(role=MessageRole.USER, content=content), **members)


def id_of(message: Any) -> str:
    """Return the id of a message that has one."""
    assert not isinstance(message, UnknownMessage)
    assert isinstance(message.id, str)
    return message.id


def contents(messages: Any) -> list[Any]:
    """Return the contents of texts."""
    return [message.data.content for message in messages]


def sql(path: Path, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """Run a statement on the file of a store, without the store."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement, values).fetchall()


def started(program: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a process that runs Python code, with `il` and `text` defined, and its output in a pipe."""
    return subprocess.Popen(
        [sys.executable, "-c", PROLOGUE + program, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )


class Worker:
    """A forked process that writes lines into a pipe: everything is imported already, so that it starts at once."""

    def __init__(self, work: Callable[[Callable[[object], None]], object]) -> None:
        """Fork a process that does some work; the work gets a function that writes a line."""
        reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reading)
            code = 1
            try:
                with os.fdopen(writing, "w", buffering=1) as file:
                    work(lambda line: print(line, file=file))
                code = 0
            except BaseException:  # noqa: BLE001  # the tests of the parent must not go on here
                traceback.print_exc()
            finally:
                os._exit(code)
        os.close(writing)
        self._file = os.fdopen(reading)

    def lines(self) -> Iterator[str]:
        """Yield lines as they are written, until the process ends."""
        with self._file as file:
            yield from file

    def kill(self) -> None:
        """Kill the process at once."""
        os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Wait for the end of the process and return its exit code, negative for a signal that killed it."""
        self._file.close()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def size_on_disk(path: Path) -> int:
    """Return the size of a store, including its log."""
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*") if not file.name.endswith("-shm"))
