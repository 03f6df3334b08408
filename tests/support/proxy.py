"""A small proxy on this machine: it serves clients of one dialect with a provider of another one."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import interlingua as il
from interlingua.frames import read_frames, write_frames
from interlingua.vectors.addresses import asked_value, path_of
from interlingua.vectors.making import MODEL_IN_ADDRESS, whole_body

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Spoil = Callable[[bytes], bytes]


def unspoilt(data: bytes) -> bytes:
    return data


@contextmanager
def proxy(client: il.Dialect, provider: il.Dialect, port: int, spoil: Spoil = unspoilt) -> Iterator[str]:
    """Run a proxy in front of the provider that listens on a port of this machine; `spoil` changes its responses."""

    class Handler(BaseHTTPRequestHandler):
        wbufsize = -1  # headers and body are sent together

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            status, data = answered(client, provider, port, self.path, asked)
            data = spoil(data)
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name is that of the base class
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def answered(client: il.Dialect, provider: il.Dialect, port: int, path: str, asked: Any) -> tuple[int, bytes]:
    """Return status and bytes for a client, after the request to the provider."""
    request = asked_value(client, path, asked)
    is_stream = bool(request.get("stream") or asked.get("stream", client == "ollama"))
    defaults = {"stream": True} if request.get("stream") else None
    one = il.exchange(whole_body(request, client), client, provider, defaults=defaults)
    address = {"model": request.get("model", asked.get("model", "")), **({"stream": True} if is_stream else {})}
    body = {name: value for name, value in one.body.items() if name != MODEL_IN_ADDRESS.get(provider)}
    link = HTTPConnection("127.0.0.1", port)
    try:
        link.request("POST", path_of(provider, {**address, "body": body}), json.dumps(body).encode())
        reply = link.getresponse()
        data = reply.read()
    finally:
        link.close()
    if reply.status >= 400:
        error = one.error(json.loads(data), status=reply.status, headers=dict(reply.getheaders()))
        return error.status, json.dumps(error.body).encode()
    if is_stream:
        return 200, b"".join(write_frames(one.stream(read_frames([data])), client))
    return 200, json.dumps(one.response(json.loads(data)).body).encode()
