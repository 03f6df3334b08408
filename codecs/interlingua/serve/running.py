"""Running the application as a process of its own: uvicorn, stopped in good order."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Final

import uvicorn

if TYPE_CHECKING:
    from starlette.types import ASGIApp

__all__ = ["bound", "run", "server"]

_GRACE: Final = 60


def bound(host: str, port: int) -> socket.socket:
    """Return a socket at an address; port 0 is any free one. Raises `OSError` where it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=2048)
    # Only where the protocol is named does asyncio send small frames at once; otherwise each may wait 40 ms for the
    # acknowledgement of the one before (Nagle's algorithm).
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, listening.detach())


def server(app: ASGIApp, *, grace: int = _GRACE) -> uvicorn.Server:
    """Return the server of an application.

    It logs no addresses, in which clients of Gemini may write their keys, and adds no headers of its own. Told to stop,
    it takes no more requests and finishes those that it has, for so many seconds at most.
    """
    return uvicorn.Server(
        uvicorn.Config(
            app,
            access_log=False,
            log_config=None,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=grace,
            timeout_keep_alive=75,
        )
    )


def run(app: ASGIApp, at: socket.socket, *, grace: int = _GRACE) -> None:
    """Serve an application at a socket until the process is told to stop."""
    server(app, grace=grace).run(sockets=[at])
