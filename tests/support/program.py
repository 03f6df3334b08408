"""The command line as users run it: in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import interlingua
import interlingua_types
from support import warm_program

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# A warning about an unclosed file would be on standard error, where tests read every line.
PYTHON: Final = (sys.executable, "-W", "error::ResourceWarning")
COMMAND: Final = (*PYTHON, "-m", "interlingua.cli")
SECONDS: Final = 120
# Background processes of a script ignore SIGINT, and so do their children. The first of these prefixes makes a command
# interruptible nevertheless, the second starts it with SIGINT ignored.
INTERRUPTIBLE: Final = (
    *(sys.executable, "-I", "-S", "-c"),
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])",
)
IN_BACKGROUND: Final = ("/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh")
PACKAGES: Final = tuple(
    dict.fromkeys(str(Path(str(one.__file__)).parents[1]) for one in (interlingua, interlingua_types))
)
TO_CLAUDE: Final = ("translate", "--from", "openai_chat", "--to", "claude")
AT_HOME: Final = ("translate", "--from", "openai_chat", "--to", "openai_chat")


@dataclass(frozen=True)
class Ran:
    """The result of a run: its exit code, and its output."""

    code: int
    out: bytes
    err: str

    @property
    def bodies(self) -> list[Any]:
        """The lines of standard output as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def findings(self) -> list[str]:
        """The lines of standard error with findings."""
        return [line for line in self.err.splitlines() if line.startswith("interlingua: ")]

    @property
    def rows(self) -> list[list[str]]:
        """The rows of the table of losses without its header: body, severity, code, path and detail of each."""
        rows = [line.split("\t") for line in self.err.splitlines() if "\t" in line][1:]
        return [[body, *others] for _file, body, _concern, *others in rows]


def run(*arguments: str | Path, stdin: bytes = b"", **variables: str) -> Ran:
    """Run the command line until it ends, with additional environment variables if given.

    It runs in a process of its own: forked from a warm one if possible, since hundreds of tests do this. Otherwise, or
    if a variable affects Python's start, it is started anew.
    """
    words = [str(argument) for argument in arguments]
    if not hasattr(os, "fork") or any(name.startswith("PYTHON") for name in variables):
        done = subprocess.run(
            [*COMMAND, *words],
            input=stdin,
            capture_output=True,
            check=False,
            env=environment(variables),
            timeout=SECONDS,
        )
        return Ran(done.returncode, done.stdout, done.stderr.decode())
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, _given(stdin) as given:
        streams = (given, out.fileno(), err.fileno())
        code = warm_program.run(PYTHON, words, environment(variables), streams, SECONDS)
        out.seek(0)
        err.seek(0)
        return Ran(code, out.read(), err.read().decode())


@contextmanager
def ended(command: Sequence[str], *, before: Sequence[str] = (), **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Run a command that can be interrupted, and kill it if it does not end: no test waits for ever.

    `before` is the command that starts it.
    """
    with ExitStack() as clean_up, subprocess.Popen([*before, *INTERRUPTIBLE, *command], **options) as process:
        killer = threading.Timer(SECONDS, process.kill)
        killer.start()
        clean_up.callback(killer.cancel)  # when the process has ended
        try:
            yield process
        except BaseException:
            process.kill()
            raise


@contextmanager
def _given(data: bytes) -> Iterator[int]:
    """Provide the reading end of a pipe into which data is written."""
    reading, writing = os.pipe()
    writer = threading.Thread(target=_fill, args=(writing, data))
    writer.start()
    try:
        yield reading
    finally:
        os.close(reading)  # a writer gets an error then, and ends
        writer.join(SECONDS)


def _fill(writing: int, data: bytes) -> None:
    """Write data into a pipe and close it, unless nobody reads it."""
    with open(writing, "wb") as pipe, suppress(BrokenPipeError):
        pipe.write(data)


def environment(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment in which the packages under test can be imported from any folder.

    A given PYTHONPATH is searched, too.
    """
    given = dict(variables or {})
    path = [*PACKAGES, given.pop("PYTHONPATH", "")]
    kept = {name: value for name, value in os.environ.items() if name not in {"FORCE_COLOR", "PYTHONPATH"}}
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, path)), **given}


def body(text: str = "hi", **members: Any) -> bytes:
    """Return a small OpenAI chat request as one line."""
    request = {"model": "m", "messages": [{"role": "user", "content": text}], **members}
    return json.dumps(request).encode() + b"\n"
