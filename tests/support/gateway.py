"""A gateway on this machine: clients of one dialect talk through exchanges to a provider of another one.

`answer`, `stream` and `fail` say what the provider says next, in its own dialect. What the gateway asked it is in
`asked`. Every exchange goes through its JSON form, as in a gateway without memory.
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
    """The server: `url` is where it is; `client` and `provider` are the dialects of its two sides."""

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
        """Stand between a client and a provider, which may be asked for another model."""
        self.client, self.provider, self.model = client, provider, model
        self._answers.clear()
        self.asked.clear()

    def answer(self, body: Any) -> None:
        """Let the provider answer the next request with a body."""
        self._answers.append(lambda one: (200, {"Content-Type": _TYPES["json"]}, _text(one.response(body).body)))

    def fail(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        """Let the provider answer the next request with an error."""

        def said(one: il.Exchange) -> tuple[int, Mapping[str, str], bytes]:
            error = one.error(body, status=status, headers=headers)
            return error.status, {"Content-Type": _TYPES["json"], **error.headers}, _text(error.body)

        self._answers.append(said)

    def stream(self, frames: Sequence[Any]) -> None:
        """Let the provider answer the next request with a stream."""

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
    """Run a gateway for as long as the context is open."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, headers, data = here.next(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name is that of the base class
            """Keep quiet."""

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
