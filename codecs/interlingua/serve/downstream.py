"""The response to the client, whole or as a stream, with pings during silence."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping

    from starlette.types import Receive, Send

    from interlingua.serve.headers import RawHeaders

__all__ = ["Downstream", "raw", "while_client_stays"]


class Downstream:
    """The response to one client. Nothing is buffered: a `write` returns when the connection has taken the bytes.

    `status` is the status code, or None before the response has begun.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._lock = asyncio.Lock()  # serialises the response and the pings
        self._spoke = monotonic()
        self._promised: Callable[[], RawHeaders] | None = None
        self.status: int | None = None

    async def whole(self, status: int, headers: RawHeaders, body: bytes) -> None:
        """Send a complete response."""
        async with self._lock:
            self._promised = None
            await self._begin(status, [*headers, (b"content-length", str(len(body)).encode())])
            await self._send({"type": "http.response.body", "body": body, "more_body": False})

    async def begin(self, status: int, headers: RawHeaders) -> None:
        """Begin a response with the given status and headers."""
        async with self._lock:
            await self._begin(status, headers)

    async def write(self, make: Callable[[], bytes]) -> None:
        """Send the bytes that `make` returns under the lock, so that they stay in order; begins a prepared stream."""
        async with self._lock:
            await self._write(make)

    async def end(self, make: Callable[[], bytes] = bytes) -> None:
        """End the response."""
        async with self._lock:
            await self._begin_promised()
            await self._send({"type": "http.response.body", "body": make(), "more_body": False})
            self._promised = None

    @asynccontextmanager
    async def stream(
        self, promised: Callable[[], RawHeaders], ping: Callable[[], bytes], every: float
    ) -> AsyncGenerator[None]:
        """Prepare a stream: its headers are requested and sent with its first bytes.

        After `every` seconds without output, a ping is sent.
        """
        self._promised = promised
        self._spoke = monotonic()
        pinger = asyncio.create_task(self._keep_alive(ping, every))
        try:
            yield
        finally:
            pinger.cancel()
            await asyncio.gather(pinger, return_exceptions=True)

    async def _begin(self, status: int, headers: RawHeaders) -> None:
        self.status = status
        await self._send({"type": "http.response.start", "status": status, "headers": headers})

    async def _begin_promised(self) -> None:
        if self.status is None and self._promised is not None:
            await self._begin(200, self._promised())

    async def _write(self, make: Callable[[], bytes]) -> None:
        await self._begin_promised()
        await self._send({"type": "http.response.body", "body": make(), "more_body": True})
        self._spoke = monotonic()

    async def _keep_alive(self, ping: Callable[[], bytes], every: float) -> None:
        while True:
            await asyncio.sleep(max(0.0, self._spoke + every - monotonic()))
            async with self._lock:
                if self._promised is None:
                    return
                if monotonic() - self._spoke >= every:
                    await self._write(ping)


def raw(headers: Mapping[str, str]) -> RawHeaders:
    """Return headers in ASGI form."""
    return [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers.items()]


async def while_client_stays(receive: Receive, work: Awaitable[None]) -> None:
    """Run the work, and cancel it if the client disconnects. The request must have been read."""

    async def leave() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    task = asyncio.ensure_future(work)
    gone = asyncio.create_task(leave())
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        if not task.done():
            task.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)
    if not task.cancelled():
        task.result()
