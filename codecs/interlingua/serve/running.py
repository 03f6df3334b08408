"""Runs the application with uvicorn, with graceful shutdown."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Final

import uvicorn

if TYPE_CHECKING:
    from starlette.types import ASGIApp

__all__ = ["bound", "run", "server"]

_GRACE: Final = 60


def bound(host: str, port: int) -> socket.socket:
    """Return a bound socket; port 0 means any free one. Raises `OSError` if it cannot be bound."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=2048)
    # asyncio sets TCP_NODELAY only if the protocol is named; otherwise a small frame may wait 40 ms for the
    # acknowledgement of the one before (Nagle's algorithm).
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, listening.detach())


def server(app: ASGIApp, *, grace: int = _GRACE) -> uvicorn.Server:
    """Return a uvicorn server for an application.

    It logs no URLs, which may hold the keys of Gemini clients, and adds no headers. On shutdown it accepts no more
    requests and finishes current ones, for at most `grace` seconds.
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
    """Serve an application on a socket until the process is asked to stop."""
    server(app, grace=grace).run(sockets=[at])
