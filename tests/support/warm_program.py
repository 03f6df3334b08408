"""The command line in processes that need not import it again: one is started, and forks itself for each run.

Each run is a process of its own, with its own standard streams, environment, folder and exit code; only the second that
the imports take is spent once. Run as a program, this module is that process: it gets a socket, and on it, for each
run, the three streams and a line of JSON; it answers with the exit code.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import socket
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STREAMS: Final = 3
LARGEST: Final = 1 << 17


@cache
def _server(command: tuple[str, ...], python_path: str) -> socket.socket:
    """Start the process that forks itself, and return the socket for requests to it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [*command, __file__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env={**os.environ, "PYTHONPATH": python_path},
            stdin=subprocess.DEVNULL,
        )

    def stop() -> None:
        ours.close()  # it reads the end of the stream, and ends
        process.wait(timeout=60)

    atexit.register(stop)
    return ours


def run(
    command: Sequence[str],
    arguments: Sequence[str],
    environment: Mapping[str, str],
    streams: Sequence[int],
    timeout: float,
) -> int:
    """Run the command line in a fork of a warm process, and return its exit code.

    Raises:
        TimeoutError: it has not ended in time.
    """
    server = _server(tuple(command), environment["PYTHONPATH"])
    server.settimeout(timeout)
    asked = {"arguments": list(arguments), "environment": dict(environment), "folder": str(Path.cwd())}
    socket.send_fds(server, [json.dumps(asked).encode()], list(streams))
    return int(server.recv(LARGEST))


def main() -> None:
    """Fork for each requested run, until the socket is closed."""
    _import_all()
    gc.freeze()  # existing objects are not collected any more, and so not copied by a fork
    with socket.socket(fileno=int(sys.argv[1])) as asking:
        while True:
            data, streams, _, _ = socket.recv_fds(asking, LARGEST, STREAMS)
            if not data:
                return
            child = os.fork()
            if not child:
                break
            for stream in streams:
                os.close(stream)
            _, status = os.waitpid(child, 0)
            asking.send(str(os.waitstatus_to_exitcode(status)).encode())
    _become(json.loads(data), streams)


def _import_all() -> None:
    """Import everything that a run may need, including installed packages of extras."""
    for package in ("interlingua", "interlingua_types"):
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if not module.name.endswith("__main__"):
                with suppress(ModuleNotFoundError):
                    importlib.import_module(module.name)
    for name in ("rich.progress", "rich.table", "typer.rich_utils"):
        importlib.import_module(name)


def _become(asked: Any, streams: Sequence[int]) -> None:
    """Become the requested run, until the process ends."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    sys.argv = ["interlingua", *asked["arguments"]]
    code: object = 0
    try:
        importlib.import_module("interlingua.cli").main()
    except SystemExit as leaving:
        code = leaving.code
    sys.stdout.flush()
    sys.stderr.flush()
    # Destroying all imported modules would take longer than the run.
    os._exit(code if isinstance(code, int) else code is not None)


if __name__ == "__main__":
    main()
