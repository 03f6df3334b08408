"""The peers: other translating libraries, each in its own environment, measured with the same bodies.

`INTERLINGUA_PEERS` is the folder of their environments, as created by `run.py` beside the adapters. The adapters are in
`../shared/bench_peers` beside the checkout, or in `INTERLINGUA_PEER_ADAPTERS`. Without them nothing is compared.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Final, cast

from benchmark.bodies import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

WORKER: Final = Path(__file__).resolve().parent / "peer_worker.py"
ENVIRONMENTS: Final[Mapping[str, str]] = MappingProxyType({
    "llm_rosetta": "venv",
    "lm15": "venv",
    "divyam": "venv",
    "litellm": "venv-litellm",
    "langchain": "venv-langchain",
    "pydantic_ai": "venv-agents",
    "inspect": "venv-agents",
    "anyllm": "venv-anyllm",
})  # fmt: skip


class Peer:
    """A peer running in its own process."""

    def __init__(self, name: str, process: subprocess.Popen[str]) -> None:
        self.name = name
        self._process = process

    def load(self, operation: str, body: bytes) -> Any:
        """Select the operation; return the peer's output for the body, or None if it fails."""
        return self._ask({"do": "load", "operation": operation, "body": body.decode()}).get("output")

    def run(self, calls: int) -> float:
        """Return the seconds for that many runs."""
        seconds = self._ask({"do": "run", "calls": calls}).get("seconds", float("inf"))
        return float(seconds)

    def _ask(self, command: dict[str, Any]) -> dict[str, Any]:
        try:
            cast("IO[str]", self._process.stdin).write(json.dumps(command) + "\n")
            cast("IO[str]", self._process.stdin).flush()
        except BrokenPipeError:  # its adapter could not be imported
            with suppress(BrokenPipeError):
                cast("IO[str]", self._process.stdin).close()
            return {}
        except ValueError:  # closed, since it cannot be reached
            return {}
        line = cast("IO[str]", self._process.stdout).readline()
        return json.loads(line) if line else {}


@contextmanager
def running() -> Generator[list[Peer]]:
    """Start the peers whose environments exist, and stop them at the end."""
    named = os.environ.get("INTERLINGUA_PEERS")
    adapters = Path(os.environ.get("INTERLINGUA_PEER_ADAPTERS") or ROOT.parent / "shared" / "bench_peers")
    with ExitStack() as stack:
        peers: list[Peer] = []
        for name, environment in ENVIRONMENTS.items():
            python = Path(named or "", environment, "bin", "python")
            if named and python.is_file() and (adapters / f"bench_{name}.py").is_file():
                process = subprocess.Popen(
                    [python.absolute(), WORKER, f"bench_{name}"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    cwd=adapters,
                    text=True,
                )
                stack.enter_context(process)  # closes the pipes, which ends the worker, and waits for it
                peers.append(Peer(name, process))
        yield peers


def converting(
    peers: list[Peer], operation: str, body: bytes, is_right: Callable[[Any], bool]
) -> tuple[list[Peer], str]:
    """Return the peers that convert a body correctly, ready to run, and a note on the others."""
    right: list[Peer] = []
    wrong: list[str] = []
    for peer in peers:
        output = peer.load(operation, body)
        if output is not None and is_right(output):
            right.append(peer)
        elif output is not None:
            wrong.append(peer.name)
    return right, f"not right: {', '.join(wrong)}" if wrong else ""
