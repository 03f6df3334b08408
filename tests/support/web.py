"""A web server on this machine that responds as a test says, also in hostile ways, and records its requests."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, TypeAlias

CERTIFICATE: Final = Path(__file__).with_name("pictures_example.pem")
"""A self-signed certificate for `pictures.example` with its key, for tests only."""

Respond: TypeAlias = Callable[[BaseHTTPRequestHandler, bytes], None]


@dataclass
class Web:
    """The server: its `host` and `port`, the paths and headers of requests in `asked`, and an event that ends waits."""

    host: str
    port: int
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list[tuple[str, dict[str, str]]])
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://{self.host}:{self.port}"


@contextmanager
def web(respond: Respond, host: str = "127.0.0.1", port: int = 0, *, is_secret: bool = False) -> Iterator[Web]:
    """Run a server while the context is open; `respond` writes each response, given the body of the request.

    With `is_secret` it uses TLS with `CERTIFICATE`.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            here.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                respond(self, body)
            except ConnectionError:
                self.close_connection = True

        do_POST = do_GET  # noqa: N815  # the name is that of the base class

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name is that of the base class
            """Log nothing."""

    server = ThreadingHTTPServer((host, port), Handler)
    server.daemon_threads = True
    server.socket.listen(256)  # hundreds may arrive at once
    if is_secret:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    here = Web(host, server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        here.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


def answer(
    handler: BaseHTTPRequestHandler, body: bytes = b"", status: int = 200, headers: dict[str, str] | None = None
) -> None:
    """Write one ordinary response."""
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def answering(body: bytes = b"", status: int = 200, headers: dict[str, str] | None = None) -> Respond:
    """Return a function that always writes the same response."""
    return lambda handler, _asked: answer(handler, body, status, headers)
