"""Raw HTTP, byte by byte: a provider that writes what a test says, when it says so, and a client that reads bytes."""

from __future__ import annotations

import http.client
import json
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from interlingua.frames import FrameEncoder, wire_of
from support.scripted import STREAMED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from http.server import BaseHTTPRequestHandler

    from support.web import Respond

__all__ = ["PATHS", "Held", "ask", "asked_of", "cut", "piece", "stream_head"]

PATHS = {
    "openai_chat": "/v1/chat/completions",
    "vllm": "/v1/chat/completions",
    "openai_responses": "/v1/responses",
    "claude": "/v1/messages",
    "gemini": "/v1beta/models/some-model:generateContent",
    "ollama": "/api/chat",
}
_BODIES: dict[str, dict[str, Any]] = {
    "openai_responses": {"model": "some-model", "input": "Well?"},
    "claude": {"model": "some-model", "max_tokens": 99, "messages": [{"role": "user", "content": "Well?"}]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "Well?"}]}]},
}
_CHAT: dict[str, Any] = {"model": "some-model", "messages": [{"role": "user", "content": "Well?"}]}


def asked_of(dialect: str, *, stream: bool) -> tuple[str, dict[str, Any]]:
    """Return path and body of a small request of a dialect."""
    body = dict(_BODIES.get(dialect, _CHAT))
    if dialect == "gemini":
        operation = "streamGenerateContent?alt=sse" if stream else "generateContent"
        return PATHS[dialect].replace("generateContent", operation), body
    return PATHS[dialect], {**body, "stream": stream}


@contextmanager
def ask(
    url: str, dialect: str, *, stream: bool, headers: dict[str, str] | None = None
) -> Iterator[http.client.HTTPResponse]:
    """Send a small request to a server, and return its response as it arrives; leaving closes the connection."""
    path, body = asked_of(dialect, stream=stream)
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
    try:
        told = {"content-type": "application/json", **(headers or {})}
        connection.request("POST", parts.path + path, json.dumps(body), told)
        yield connection.getresponse()
    finally:
        connection.close()


def stream_head(dialect: str) -> bytes:
    """Return the head of a streamed response, whose body is chunked."""
    kind = STREAMED[wire_of(dialect).form]
    return f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()


def piece(data: bytes) -> bytes:
    """Return bytes as one chunk."""
    return b"%x\r\n%s\r\n" % (len(data), data)


class Held:
    """A provider that streams some frames, waits, and streams the others: `respond` is its handler.

    With `before` None, not even the head of its response is sent before. `go_on` lets it continue, `is_asked` is set
    when it waits, `has_left` when the client has disconnected.
    """

    def __init__(self, dialect: str, before: Sequence[Any] | None, after: Sequence[Any] = ()) -> None:
        self._dialect = dialect
        self._before = before
        self._after = after
        self.go_on = threading.Event()
        self.is_asked = threading.Event()
        self.has_left = threading.Event()

    def respond(self, handler: BaseHTTPRequestHandler, _asked: bytes) -> None:
        """Answer."""
        handler.close_connection = True
        encoder = FrameEncoder(self._dialect)
        out = handler.wfile
        if self._before is not None:
            out.write(stream_head(self._dialect))
            out.writelines(piece(encoder.feed(frame)) for frame in self._before)
            out.flush()
        self.is_asked.set()
        if not self._waited(handler):
            self.has_left.set()
            return
        if self._before is None:
            out.write(stream_head(self._dialect))
        out.writelines(piece(encoder.feed(frame)) for frame in self._after)
        out.write(b"0\r\n\r\n")

    def _waited(self, handler: BaseHTTPRequestHandler) -> bool:
        """Wait until it may continue; False if the other side closes its connection first."""
        handler.connection.settimeout(0.02)
        while not self.go_on.is_set():
            try:
                if handler.connection.recv(1) == b"":
                    return False
            except TimeoutError:
                continue
            except OSError:
                return False
        handler.connection.settimeout(None)
        return True


def cut(dialect: str, frames: Sequence[Any], rest: bytes, *, is_whole: bool) -> Respond:
    """Return a handler that streams some frames and other bytes, and ends the response properly or in its middle."""

    def respond(handler: BaseHTTPRequestHandler, _asked: bytes) -> None:
        handler.close_connection = True
        encoder = FrameEncoder(dialect)
        data = b"".join(map(encoder.feed, frames)) + rest
        handler.wfile.write(stream_head(dialect) + piece(data) + (b"0\r\n\r\n" if is_whole else b""))

    return respond
