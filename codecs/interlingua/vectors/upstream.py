"""A fake provider for a proxy under test: it sends prepared responses and records requests."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.frames import wire_of, write_frames

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from interlingua.registry import Dialect
    from interlingua.vectors.files import Kind

__all__ = ["Upstream", "upstream"]

_TYPES: Final[Mapping[str, str]] = {"sse": "text/event-stream", "ndjson": "application/x-ndjson"}
_JSON: Final = "application/json"
_POLL: Final = 0.02  # seconds until the server sees that it is to end


@dataclass(slots=True)
class Upstream:
    """A fake provider of `dialect`. `asked` has the path and body of each request since `says` was called."""

    dialect: Dialect
    port: int = 0
    asked: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])
    _reply: tuple[int, dict[str, str], bytes] = (404, {}, b"{}")

    def says(self, kind: Kind, value: Mapping[str, Any]) -> None:
        """Set the response, stream or error with which all further requests are answered."""
        self.asked.clear()
        match kind:
            case "stream":
                data = b"".join(write_frames(value["frames"], self.dialect))
                self._reply = (200, {"content-type": _TYPES[wire_of(self.dialect).form]}, data)
            case "error":
                headers = {**value["headers"], "content-type": _JSON}
                self._reply = (value["status"], headers, json.dumps(value["body"]).encode())
            case _:
                self._reply = (200, {"content-type": _JSON}, json.dumps(value["body"]).encode())

    def answer(self, path: str, asked: bytes) -> tuple[int, dict[str, str], bytes]:
        """Record a request, and return the status, headers and bytes of the response."""
        try:
            body = json.loads(asked)
        except ValueError:
            body = None
        self.asked.append((path, body))
        return self._reply


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # buffered, so that headers and body are sent together without a delay by Nagle's algorithm

    def do_POST(self) -> None:
        here = cast("_Server", self.server).provider
        status, headers, data = here.answer(self.path, self.rfile.read(int(self.headers.get("content-length", 0))))
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name is that of the base class
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], provider: Upstream) -> None:
        super().__init__(address, _Handler)
        self.provider = provider


@contextmanager
def upstream(dialect: Dialect, host: str = "127.0.0.1", port: int = 0) -> Generator[Upstream]:
    """Run a fake provider while the context is open. Port 0 means any free port; `port` says which.

    Raises:
        OSError: the port is in use.
    """
    provider = Upstream(dialect)
    server = _Server((host, port), provider)
    provider.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(_POLL,), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
