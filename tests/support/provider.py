"""A provider on this machine: a real HTTP server that returns prepared responses."""

from __future__ import annotations

import json
import threading
from collections import deque
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from interlingua.frames import FrameEncoder, wire_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_TYPES = {"sse": "text/event-stream", "ndjson": "application/x-ndjson", "json": "application/json"}


class Provider:
    """The server: `answer` and `stream` set the next response, `url` is its address, `asked` holds its requests."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self._server = server
        self._answers: deque[tuple[int, dict[str, str], bytes]] = deque()
        self.asked: list[Any] = []
        self.is_waiting = threading.Event()
        self.is_over = threading.Event()

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, body: Any) -> None:
        """Set the body of the next response."""
        self._answers.append((200, {"Content-Type": _TYPES["json"]}, json.dumps(body).encode()))

    def fail(self, status: int, headers: Mapping[str, str], body: Any) -> None:
        """Let the next response be an error."""
        self._answers.append((status, {"Content-Type": _TYPES["json"], **headers}, json.dumps(body).encode()))

    def stream(self, dialect: str, frames: Iterable[Any]) -> None:
        """Set the frames of the next response, written as the dialect's provider does."""
        encoder = FrameEncoder(dialect)
        data = b"".join([*(encoder.feed(frame) for frame in frames), encoder.close()])
        self._answers.append((200, {"Content-Type": _TYPES[wire_of(dialect).form]}, data))

    def hold(self) -> None:
        """Hold the next response back; `is_waiting` is true once its request has arrived."""
        self._answers.append((0, {}, b""))

    def next(self, asked: bytes) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and bytes of the next response."""
        self.asked.append(json.loads(asked) if asked else None)
        return self._answers.popleft()


@contextmanager
def provider() -> Iterator[Provider]:
    """Run a provider while the context is open."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, headers, data = here.next(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            if not status:
                here.is_waiting.set()
                here.is_over.wait(600)
                return
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name is that of the base class
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    here = Provider(server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        here.is_over.set()
        server.shutdown()
        server.server_close()
        thread.join()
