"""The server on a socket of this machine, in front of a scripted provider."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import interlingua as il
from interlingua.serve import Limits, Route, bound, create_app, server
from support.web import answering, web

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

    from support.web import Respond

__all__ = ["SERVED", "At", "Stage", "serving", "serving_routes", "stage"]

SERVED: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm")
"""The dialects that are tested as clients and as upstream."""


@dataclass(frozen=True)
class At:
    """The address for a client."""

    url: str


@contextmanager
def serving_routes(
    *routes: Route, limits: Limits | None = None, record: Path | None = None, origins: tuple[str, ...] = ()
) -> Iterator[str]:
    """Serve routes while the context is open, and return the address of the server."""
    here = bound("127.0.0.1", 0)
    running = server(create_app(routes, limits=limits, record=record, origins=origins), grace=5)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [here]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{here.getsockname()[1]}"
    finally:
        running.should_exit = True
        thread.join()
        here.close()


@contextmanager
def serving(
    speak: str, backend: str, url: str, *, limits: Limits | None = None, record: Path | None = None, **options: Any
) -> Iterator[str]:
    """Serve one route, whose other members are `options`."""
    route = Route(speak=il.dialect(speak), backend=il.dialect(backend), url=url, **options)
    with serving_routes(route, limits=limits, record=record) as address:
        yield address


class Stage:
    """Every client in front of every provider: `provider` plays all of them, with the response that is set."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.provider: Respond = answering()

    def at(self, client: str, provider: str) -> str:
        """Return the address at which a client of one dialect reaches a provider of another one."""
        return f"{self._url}/{client}/{provider}"


@contextmanager
def stage(limits: Limits | None = None) -> Iterator[Stage]:
    """Serve every ordered pair while the context is open."""

    def respond(handler: BaseHTTPRequestHandler, asked: bytes) -> None:
        here.provider(handler, asked)

    with web(respond) as there:
        routes = [
            Route(speak=il.dialect(one), backend=il.dialect(other), url=there.url, prefix=f"/{one}/{other}")
            for one, other in product(SERVED, SERVED)
        ]
        with serving_routes(*routes, limits=limits) as url:
            here = Stage(url)
            yield here
