"""A gateway on this machine: clients of one dialect use a provider of another one through exchanges.

`answer`, `stream` and `fail` set the next response of the provider, in its own dialect. `asked` holds the requests to
it. Every exchange is serialised to JSON and back, as in a stateless gateway.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import interlingua as il
from interlingua.frames import FrameEncoder, wire_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Said = Callable[[il.Exchange], "tuple[int, Mapping[str, str], bytes]"]

_TYPES = {"sse": "text/event-stream", "ndjson": "application/x-ndjson", "json": "application/json"}


class Gateway:
    """The server: `url` is its address; `client` and `provider` are the dialects of its two sides."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self._server = server
        self._answers: deque[Said] = deque()
        self.client = self.provider = ""
        self.model: str | None = None
        self.asked: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def between(self, client: str, provider: str, model: str | None = None) -> None:
        """Set the dialects of client and provider, and the model that the provider is asked for."""
        self.client, self.provider, self.model = client, provider, model
        self._answers.clear()
        self.asked.clear()

    def answer(self, body: Any) -> None:
        """Set the body of the provider's next response."""
        self._answers.append(lambda one: (200, {"Content-Type": _TYPES["json"]}, _text(one.response(body).body)))

    def fail(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        """Let the provider's next response be an error."""

        def said(one: il.Exchange) -> tuple[int, Mapping[str, str], bytes]:
            error = one.error(body, status=status, headers=headers)
            return error.status, {"Content-Type": _TYPES["json"], **error.headers}, _text(error.body)

        self._answers.append(said)

    def stream(self, frames: Sequence[Any]) -> None:
        """Let the provider's next response be a stream."""

        def said(one: il.Exchange) -> tuple[int, Mapping[str, str], bytes]:
            encoder, pushed = FrameEncoder(self.client), one.push()
            made = [*(frame for each in frames for frame in pushed.feed(each)), *pushed.close()]
            data = b"".join([*map(encoder.feed, made), encoder.close()])
            return 200, {"Content-Type": _TYPES[wire_of(self.client).form]}, data

        self._answers.append(said)

    def next(self, asked: bytes) -> tuple[int, Mapping[str, str], bytes]:
        """Return status, headers and bytes for the client."""
        one = il.exchange(json.loads(asked), il.dialect(self.client), il.dialect(self.provider), model=self.model)
        self.asked.append(one.body)
        return self._answers.popleft()(il.Exchange.from_json(one.to_json()))


def _text(body: Any) -> bytes:
    return json.dumps(body).encode()


@contextmanager
def gateway() -> Iterator[Gateway]:
    """Run a gateway while the context is open."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, headers, data = here.next(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name is that of the base class
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    here = Gateway(server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
