"""The connection to one MCP server, with the official SDK (extra `interlingua[mcp]`).

The SDK requires that the task which opens a connection also closes it, so each connection has its own task, and any
task may read through it.
"""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast
from urllib.parse import urlsplit

from pydantic import ValidationError

from interlingua.errors import MissingExtraError, ResourceError
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["McpConnection", "McpServer"]

McpServer: TypeAlias = "Any | Callable[[], Any]"
"""What the SDK's `Client` connects to (a `StdioServerParameters`, a URL, a server in this process), or a function that
returns such a `Client`, new for each connection: for headers, authorisation, roots."""

_CLOSED: Final = -32000
_TIMED_OUT: Final = -32001
_INTERNAL: Final = -32603
_UNREADABLE: Final = 0
"""Not a code of the protocol: the server's response was invalid."""
_CLOSING_SECONDS: Final = 10.0
"""How long closing waits for a server to end; the SDK itself kills a process that does not."""


class McpConnection:
    """One server, connected on first use and reconnected after the connection was lost."""

    def __init__(self, name: str, target: McpServer) -> None:
        """Create the connection of a server under a name; nothing is connected yet.

        Raises:
            InvalidArgumentError: it is a URL with a user or a query: keys in it would appear in the SDK's logs.
        """
        if isinstance(target, str) and ("@" in urlsplit(target).netloc or "?" in target):
            raise InvalidArgumentError(
                "the URL may have neither a user nor a query: use a function that returns a Client"
            )
        self._name = name
        self._target = target
        self._session: _Session | None = None
        self._leaving: Final[set[asyncio.Task[None]]] = set()

    async def read(self, uri: str) -> Any:
        """Return what the server answers: the SDK's `ReadResourceResult`.

        Raises:
            ResourceError: there is no connection, or it broke, or the server refused.
            MissingExtraError: the SDK is not installed.
        """
        sdk = _load()
        was_open = self._session is not None and self._session.is_open()
        try:
            return await self._read(sdk, uri)
        except ResourceError as error:
            # The server may have been restarted: ask once more.
            if not was_open or error.code != "unreachable":
                raise
        return await self._read(sdk, uri)

    async def close(self) -> None:
        """Close the connection and wait until the server is gone, but not for ever."""
        self._close_session()
        leaving = {task for task in self._leaving if task.get_loop() is asyncio.get_running_loop()}
        if leaving:
            _, late = await asyncio.wait(leaving, timeout=_CLOSING_SECONDS)
            for task in late:
                task.cancel()
        self._leaving.clear()

    async def _read(self, sdk: Any, uri: str) -> Any:
        session = self._open_session(sdk)
        try:
            client = await session.client()
        except asyncio.CancelledError:
            if self._session is session:
                self._close_session(cancel=True)
            raise
        except Exception:  # noqa: BLE001  # the SDK or a server may raise anything
            client = None
        if client is None:
            self._close_session()
            raise ResourceError("unreachable", self._name, retryable=True)
        return await self._ask(sdk, client, uri)

    async def _ask(self, sdk: Any, client: Any, uri: str) -> Any:
        """Return the answer of a connected server.

        Raises:
            ResourceError: it refused, or the connection broke.
        """
        code: int | None = None
        try:
            return await client.read_resource(uri, cache_mode="bypass")
        except sdk.MCPError as error:
            code = error.code
        except ValidationError:
            code = _UNREADABLE
        except Exception:  # noqa: BLE001, S110  # as above; raised below, since the cause would show content
            pass
        # Raised outside the handler: the server's message stays out of tracebacks.
        if code is None or code == _CLOSED:
            self._close_session()
            raise ResourceError("unreachable", self._name, retryable=True)
        if code == _UNREADABLE:
            raise ResourceError("bad_content", self._name)
        if code == _TIMED_OUT:
            raise ResourceError("timeout", self._name, retryable=True)
        raise ResourceError("refused", self._name, retryable=code == _INTERNAL)

    def _open_session(self, sdk: Any) -> _Session:
        """Return the connection, reopened if it is lost or belongs to a closed event loop."""
        if self._session is None or not self._session.is_open():
            self._session = _Session(sdk, self._target)
        return self._session

    def _close_session(self, *, cancel: bool = False) -> None:
        """Drop the connection; its task ends by itself, or is cancelled while it is still connecting."""
        session, self._session = self._session, None
        if session is None or session.task.get_loop().is_closed():
            return
        self._leaving.add(session.task)
        session.task.add_done_callback(self._leaving.discard)
        session.leave(cancel=cancel)


class _Session:
    """A connection in the task that opened it, until `leave` is called."""

    def __init__(self, sdk: Any, target: McpServer) -> None:
        loop = asyncio.get_running_loop()
        self._ready: Final[asyncio.Future[Any]] = loop.create_future()
        self._end: Final = asyncio.Event()
        self.task: Final = loop.create_task(self._run(sdk, target))

    def is_open(self) -> bool:
        """Tell whether the connection can be used from the current event loop."""
        return not self.task.done() and self.task.get_loop() is asyncio.get_running_loop()

    async def client(self) -> Any:
        """Return the connected client; cancelling this wait does not affect other callers."""
        return await asyncio.shield(self._ready)

    def leave(self, *, cancel: bool) -> None:
        """Close the connection, in its own task."""
        self._end.set()
        if cancel or not self._ready.done():
            self.task.cancel()

    async def _run(self, sdk: Any, target: McpServer) -> None:
        try:
            made: Any = cast("Any", target)() if callable(target) else sdk.Client(target, cache=None)
            async with made as client:
                self._ready.set_result(client)
                await self._end.wait()
        except Exception:  # noqa: BLE001  # reported to waiting callers
            self._fail()
        except asyncio.CancelledError:
            self._fail()
            raise

    def _fail(self) -> None:
        if not self._ready.done():
            self._ready.set_exception(ConnectionError())
            self._ready.exception()  # retrieved, since perhaps no caller waits any more


def _load() -> Any:
    """Return the SDK.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        return cast("Any", importlib.import_module("mcp"))
    except ModuleNotFoundError:
        raise MissingExtraError("mcp", "mcp") from None
