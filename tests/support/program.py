"""The command line as people run it: a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import interlingua
import interlingua_types

if TYPE_CHECKING:
    from collections.abc import Mapping

# A warning about a file that nobody closed would stand on standard error, where tests read every line.
COMMAND: Final = (sys.executable, "-W", "error::ResourceWarning", "-m", "interlingua.cli")
PACKAGES: Final = tuple(
    dict.fromkeys(str(Path(str(one.__file__)).parents[1]) for one in (interlingua, interlingua_types))
)
TO_CLAUDE: Final = ("translate", "--from", "openai_chat", "--to", "claude")
AT_HOME: Final = ("translate", "--from", "openai_chat", "--to", "openai_chat")


@dataclass(frozen=True)
class Ran:
    """How a run went: its exit code, and what it wrote."""

    code: int
    out: bytes
    err: str

    @property
    def bodies(self) -> list[Any]:
        """The lines of standard output as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def findings(self) -> list[str]:
        """The lines of standard error that tell a finding."""
        return [line for line in self.err.splitlines() if line.startswith("interlingua: ")]

    @property
    def rows(self) -> list[list[str]]:
        """The rows of the table of losses, without its header."""
        return [line.split("\t") for line in self.err.splitlines() if "\t" in line][1:]


def run(*arguments: str | Path, stdin: bytes = b"", **variables: str) -> Ran:
    """Run the command line to its end, with more environment variables where they are given."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        env=environment(variables),
        timeout=120,
    )
    return Ran(done.returncode, done.stdout, done.stderr.decode())


def environment(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment in which the packages under test are found from any folder.

    A PYTHONPATH that is given is searched, too.
    """
    given = dict(variables or {})
    path = [*PACKAGES, given.pop("PYTHONPATH", "")]
    kept = {name: value for name, value in os.environ.items() if name not in {"FORCE_COLOR", "PYTHONPATH"}}
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, path)), **given}


def body(text: str = "hi", **members: Any) -> bytes:
    """Return a small OpenAI chat request as one line."""
    request = {"model": "m", "messages": [{"role": "user", "content": text}], **members}
    return json.dumps(request).encode() + b"\n"
