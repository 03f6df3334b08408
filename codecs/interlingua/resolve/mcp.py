"""Fetches resources of MCP servers as messages, caches them, and adds them to transcripts."""

from __future__ import annotations

import asyncio
import base64
import binascii
import inspect
import logging
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, Self, TypeAlias, get_args

from pydantic import ValidationError

from interlingua.argument_checks import check_function, check_kind_of, check_mapping, check_method, check_time_limit
from interlingua.clock import timestamp_text, utc_now
from interlingua.errors import ResourceError
from interlingua.model import Failure, McpResourceData, McpResourceMessage
from interlingua.resolve.mcp_connection import McpConnection
from interlingua.resolve.mcp_freshness import CachedResource, Freshness, ResourceCache
from interlingua.tools.blocking import OwnLoop, refuse_running_loop
from interlingua.transcript import Transcript
from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from datetime import datetime
    from types import TracebackType

    from interlingua.model import AnyMessage
    from interlingua.resolve.mcp_connection import McpServer
    from interlingua.resolve.mcp_freshness import ResourceKey

__all__ = ["McpResources", "ResourceLimits", "Summarizer", "touch_resource"]

_WhenUnavailable: TypeAlias = Literal["raise", "use_stale"]

_LOGGER: Final = logging.getLogger("interlingua.resolve")


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """Size and time limits for resources.

    `max_bytes` limits all contents of a resource together, `timeout_seconds` connecting and reading together. Texts of
    more than `summarize_above` characters are summarised, within `summary_timeout_seconds`.

    Raises:
        InvalidArgumentError: a time limit is not more than 0.

    Example:
        >>> il.resolve.ResourceLimits(timeout_seconds=5).max_bytes
        4000000
    """

    max_bytes: int = 4_000_000
    timeout_seconds: float = 30.0
    summarize_above: int = 20_000
    summary_timeout_seconds: float = 60.0

    def __post_init__(self) -> None:
        check_time_limit(self.timeout_seconds, "timeout_seconds")
        check_time_limit(self.summary_timeout_seconds, "summary_timeout_seconds")


class Summarizer(Protocol):
    r"""Summarises a large resource, for contexts where the whole does not fit; the method may be `async`.

    Example:
        >>> class FirstLine:
        ...     def summarize(self, resource):
        ...         return resource.data.content.partition("\n")[0]
        >>> il.McpResources({}, summarizer=FirstLine()).close() is None
        True
    """

    def summarize(self, resource: McpResourceMessage, /) -> str | Awaitable[str]:
        """Return the summary. Any exception means that there is none."""
        ...


class McpResources:
    """A client for the resources of several MCP servers.

    A resource is fetched once and reused while it is fresh. A server is connected on first use and stays connected
    until `close` or `close_async`, which `with` and `async with` call. One object may be used by many tasks of one
    event loop; concurrent requests for the same resource fetch it once. The blocking methods (`get`, `get_all`,
    `inject`) have their own connections in their own thread, and share the cache. Nothing waits longer than its time
    limit, and logs contain neither URIs, which may hold secrets, nor content.

    Example:
        >>> with il.McpResources({"docs": lambda: None}, when_unavailable="use_stale") as resources:
        ...     try:
        ...         resources.get("doc", "docs://api")
        ...     except il.ResourceError as error:
        ...         print(error.code)
        unknown_server
    """

    def __init__(
        self,
        servers: Mapping[str, McpServer],
        *,
        cache: ResourceCache | None = None,
        freshness: Freshness | None = None,
        when_unavailable: _WhenUnavailable = "raise",
        limits: ResourceLimits | None = None,
        summarizer: Summarizer | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Create a client for servers, by the names that messages use.

        `when_unavailable` says what to do if a stale resource cannot be fetched again: `use_stale` returns the old
        content, with the failure in `error`. With a `summarizer`, large texts get a `summary`.

        Raises:
            InvalidArgumentError: the URL of a server has a user or a query, which may hold credentials, or
                `when_unavailable` is invalid.
        """
        if when_unavailable not in get_args(_WhenUnavailable):
            raise InvalidArgumentError("when_unavailable must be 'raise' or 'use_stale'")
        check_mapping(servers, "servers")
        for value, kind in ((cache, ResourceCache), (freshness, Freshness), (limits, ResourceLimits)):
            if value is not None:
                check_kind_of(value, kind)
        if summarizer is not None:
            check_method(summarizer, "summarizer", "summarize")
        check_function(now, "now")
        self._targets: Final = dict(servers)
        self._servers: Final = {name: McpConnection(name, target) for name, target in servers.items()}
        self._blocking: tuple[OwnLoop, McpResources] | None = None
        self._starting: Final = Lock()
        self._cache = ResourceCache() if cache is None else cache
        self._freshness = freshness or Freshness()
        self._when_unavailable: Final = when_unavailable
        self._limits = limits or ResourceLimits()
        self._summarizer = summarizer
        self._now = now
        self._fetching: Final[dict[ResourceKey, asyncio.Task[CachedResource]]] = {}

    def get(self, server_name: str, uri: str, *, refresh: bool = False) -> McpResourceMessage:
        """Return a resource as a message, from the cache if it is fresh; `refresh` always asks the server.

        Several texts of one resource become one text, each under its own URI. Use `get_async` in a running event loop.

        Raises:
            ResourceError: it cannot be fetched; `several` if some of its contents are not text: use `get_all`.
            RunningLoopError: an event loop is running here, which the call would block.
            MissingExtraError: the SDK is not installed.
            InvalidArgumentError: the URI is empty.
        """
        refuse_running_loop("get_async")
        loop, resources = self._blocking_resources()
        return loop.wait(resources.get_async(server_name, uri, refresh=refresh))

    def get_all(self, server_name: str, uri: str, *, refresh: bool = False) -> tuple[McpResourceMessage, ...]:
        """Return each content of a resource as a separate message, with its own URI.

        A content with the URI of the one before it joins that message: models see both or neither. Use `get_all_async`
        in a running event loop.

        Raises:
            ResourceError: it cannot be fetched.
            RunningLoopError: an event loop is running here, which the call would block.
            MissingExtraError: the SDK is not installed.
            InvalidArgumentError: the URI is empty.
        """
        refuse_running_loop("get_all_async")
        loop, resources = self._blocking_resources()
        return loop.wait(resources.get_all_async(server_name, uri, refresh=refresh))

    def inject(
        self, transcript: Transcript, server_name: str, uri: str, *, refresh: bool = False
    ) -> McpResourceMessage:
        """Add a resource to the active branch of a transcript, and return the message there.

        If the branch already has the same content for this URI, that message is only marked as used now. An older
        content stays as history, and models see only the new one. Use `inject_async` in a running event loop.

        Raises:
            ResourceError: it cannot be fetched; the transcript is unchanged.
            RunningLoopError: an event loop is running here, which the call would block.
            MissingExtraError: the SDK is not installed.
            InvalidArgumentError: the URI is empty.
        """
        refuse_running_loop("inject_async")
        return _injected(transcript, self.get(server_name, uri, refresh=refresh))

    def close(self) -> None:
        """Close the connections of the blocking methods. The cache is kept, and later calls connect again.

        The connections of the async methods belong to their event loop: `close_async` closes them, and these, too.
        """
        with self._starting:
            blocking, self._blocking = self._blocking, None
        if blocking is not None:
            loop, resources = blocking
            loop.close(resources.close_async())

    def _blocking_resources(self) -> tuple[OwnLoop, McpResources]:
        """Return the event loop of the blocking methods, and the client that they use there."""
        with self._starting:
            if self._blocking is None:
                resources = McpResources(
                    self._targets,
                    cache=self._cache,
                    freshness=self._freshness,
                    when_unavailable=self._when_unavailable,
                    limits=self._limits,
                    summarizer=self._summarizer,
                    now=self._now,
                )
                self._blocking = (OwnLoop(), resources)
            return self._blocking

    async def get_async(self, server_name: str, uri: str, *, refresh: bool = False) -> McpResourceMessage:
        """Return a resource as a message, from the cache if it is fresh; `refresh` always asks the server.

        Several texts of one resource become one text, each under its own URI.

        Raises:
            ResourceError: it cannot be fetched; `several` if some of its contents are not text: use
                `get_all_async`.
            MissingExtraError: the SDK is not installed.
            InvalidArgumentError: the URI is empty.
        """
        contents = await self._contents(server_name, uri, refresh=refresh)
        if len(contents) == 1:
            return McpResourceMessage(data=contents[0])
        if any(one.encoding == "base64" for one in contents):
            raise ResourceError("several", server_name)
        joined = "\n\n".join(f"{one.resource_uri}\n{one.content}" for one in contents)
        members: dict[str, Any] = {"resource_uri": uri, "content": joined, "mime_type": "text/plain", "summary": None}
        return McpResourceMessage(data=contents[0].replace(**members))

    async def get_all_async(
        self, server_name: str, uri: str, *, refresh: bool = False
    ) -> tuple[McpResourceMessage, ...]:
        """Return each content of a resource as a separate message, with its own URI.

        A content with the URI of the one before it joins that message: models see both or neither.

        Raises:
            ResourceError: it cannot be fetched.
            MissingExtraError: the SDK is not installed.
            InvalidArgumentError: the URI is empty.
        """
        contents = await self._contents(server_name, uri, refresh=refresh)
        before = (None, *(one.resource_uri for one in contents))
        return tuple(
            McpResourceMessage(data=one, joins=True if one.resource_uri == address else None)
            for one, address in zip(contents, before, strict=False)
        )

    async def inject_async(
        self, transcript: Transcript, server_name: str, uri: str, *, refresh: bool = False
    ) -> McpResourceMessage:
        """Add a resource to the active branch of a transcript, and return the message there.

        If the branch already has the same content for this URI, that message is only marked as used now. An older
        content stays as history, and models see only the new one.

        Raises:
            ResourceError: it cannot be fetched; the transcript is unchanged.
            MissingExtraError: the SDK is not installed.
            InvalidArgumentError: the URI is empty.
        """
        return _injected(transcript, await self.get_async(server_name, uri, refresh=refresh))

    async def close_async(self) -> None:
        """Close all connections.

        The cache is kept, and later calls connect again. Callers that are waiting get the error `unreachable`.
        """
        if self._blocking is not None:
            await asyncio.to_thread(self.close)
        here = asyncio.get_running_loop()
        fetching = [task for task in self._fetching.values() if task.get_loop() is here]
        for task in fetching:
            task.cancel()
        await asyncio.gather(*fetching, *(server.close() for server in self._servers.values()), return_exceptions=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close_async()

    async def _contents(self, server_name: str, uri: str, *, refresh: bool) -> tuple[McpResourceData, ...]:
        """Return the contents of a resource, marked as used now.

        Raises:
            ResourceError: it cannot be fetched.
        """
        if check_text(server_name, "server_name", may_be_empty=True) not in self._servers:
            raise ResourceError("unknown_server", server_name)
        check_text(uri, "uri")
        key = (server_name, uri)
        known = self._cache.get(key)
        failure: Failure | None = None
        if refresh or known is None or not known.is_fresh(self._freshness, self._now()):
            try:
                known = await self._fetched(key)
            except ResourceError as error:
                if known is None or self._when_unavailable == "raise" or not error.retryable:
                    raise
                failure = Failure(code=error.code, message=str(error), retryable=True)
                _LOGGER.warning("a stale resource of the server %r is used: %s", server_name, error.code)
        used_at = timestamp_text(self._now)
        return tuple(one.replace(last_accessed_at=used_at, error=failure) for one in known.contents)

    async def _fetched(self, key: ResourceKey) -> CachedResource:
        """Return a resource from its server; concurrent callers share one fetch.

        Raises:
            ResourceError: it cannot be fetched.
        """
        task = self._fetching.get(key)
        if task is None or task.done() or task.get_loop() is not asyncio.get_running_loop():
            task = asyncio.get_running_loop().create_task(self._fetch(key))
            self._fetching[key] = task
            task.add_done_callback(lambda done: self._forget(key, done))
        try:
            # Shielded: a cancelled caller must not cancel it for the others; the task has its own time limit.
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            waiting = asyncio.current_task()
            if not task.cancelled() or (waiting is not None and waiting.cancelling()):
                raise
        # `close` has cancelled the fetch, but not this caller.
        raise ResourceError("unreachable", key[0], retryable=True)

    def _forget(self, key: ResourceKey, task: asyncio.Task[CachedResource]) -> None:
        if self._fetching.get(key) is task:
            del self._fetching[key]
        _retrieve_exception(task)

    async def _fetch(self, key: ResourceKey) -> CachedResource:
        """Fetch a resource from its server, and cache it.

        Raises:
            ResourceError: it cannot be fetched.
        """
        server_name, uri = key
        result = await self._within_time(server_name, self._servers[server_name].read(uri))
        retrieved_at = self._now()
        contents = self._checked(server_name, uri, result, timestamp_text(lambda: retrieved_at))
        if self._summarizer is not None:
            contents = tuple([await self._summarized(self._summarizer, one) for one in contents])
        entry = CachedResource(contents, retrieved_at)
        self._cache.put(key, entry)
        return entry

    async def _within_time(self, server_name: str, reading: Any) -> Any:
        """Return the result of reading, or give up in time, even if the SDK ignores cancellation.

        Raises:
            ResourceError: it cannot be fetched, or not in time.
        """
        task = asyncio.ensure_future(reading)
        task.add_done_callback(_retrieve_exception)
        try:
            done, _ = await asyncio.wait({task}, timeout=self._limits.timeout_seconds)
        finally:
            task.cancel()
        if done:
            return task.result()
        raise ResourceError("timeout", server_name, retryable=True)

    def _checked(self, server_name: str, uri: str, result: Any, retrieved_at: str) -> tuple[McpResourceData, ...]:
        """Return the contents of a response.

        Raises:
            ResourceError: there are none, they are too large, or they are not resources.
        """
        contents = list(result.contents)
        if not contents:
            raise ResourceError("empty", server_name)
        size = sum(_size(one) for one in contents)
        if size > self._limits.max_bytes:
            raise ResourceError("too_large", server_name)
        try:
            return tuple(
                _content(one, server_name, uri if len(contents) == 1 else str(one.uri) or uri, retrieved_at)
                for one in contents
            )
        except (ValidationError, binascii.Error, ValueError):
            pass
        # Raised outside the handler: the cause would show the content.
        raise ResourceError("bad_content", server_name)

    async def _summarized(self, summarizer: Summarizer, data: McpResourceData) -> McpResourceData:
        """Return a large text with its summary; without one if summarising fails."""
        if data.encoding == "base64" or len(data.content) <= self._limits.summarize_above:
            return data
        try:
            made = summarizer.summarize(McpResourceMessage(data=data))
            summary = (
                await asyncio.wait_for(made, self._limits.summary_timeout_seconds)
                if inspect.isawaitable(made)
                else made
            )
            return data.replace(summary=summary)
        except Exception as error:  # noqa: BLE001  # a summary is optional
            _LOGGER.warning("no summary for a resource of the server %r: %s", data.server_name, type(error).__name__)
        return data


def touch_resource(
    transcript: Transcript, message_id: str, *, now: Callable[[], datetime] = utc_now
) -> McpResourceMessage:
    """Mark a resource in a transcript as used now, so that selection keeps it longer; return the new message.

    Args:
        transcript: The transcript, which is modified.
        message_id: The id of the resource message.
        now: The clock: returns a datetime with a time zone.

    Raises:
        TranscriptError: there is no message with that id.
        InvalidArgumentError: it is not a resource.

    Example:
        >>> resource = il.messages.resource("docs", "docs://api", "# API", retrieved_at="2026-01-01T00:00:00Z")
        >>> story = il.Transcript([resource])
        >>> touched = il.resolve.touch_resource(story, story.messages[0].id)
        >>> touched.data.last_accessed_at is not None
        True
    """
    check_kind_of(transcript, Transcript)
    message = transcript.get(message_id)
    if not isinstance(message, McpResourceMessage):
        raise InvalidArgumentError("the message is not a resource")
    return _replaced(transcript, message, message.data.replace(last_accessed_at=timestamp_text(now)))


def _injected(transcript: Transcript, message: McpResourceMessage) -> McpResourceMessage:
    """Add a resource to a transcript, or mark an equal message as used now."""
    present = _newest(transcript, message.data)
    if present is not None and not present.joins and _is_same(present.data, message.data):
        return _replaced(transcript, present, message.data)
    return _resource(transcript.append(message))


def _retrieve_exception(task: asyncio.Future[Any]) -> None:
    """Retrieve a task's exception, which the event loop would report if no caller waits for it."""
    if not task.cancelled():
        task.exception()


def _newest(transcript: Transcript, data: McpResourceData) -> McpResourceMessage | None:
    """Return the last message of the branch with the URI of a resource."""
    address = (data.server_name, data.resource_uri)
    for present in reversed(transcript.messages):
        if isinstance(present, McpResourceMessage) and (present.data.server_name, present.data.resource_uri) == address:
            return present
    return None


def _is_same(present: McpResourceData, data: McpResourceData) -> bool:
    return (present.encoding, present.content) == (data.encoding, data.content)


def _replaced(transcript: Transcript, message: McpResourceMessage, data: McpResourceData) -> McpResourceMessage:
    """Replace the data of a message in a transcript."""
    if message.id is None:
        return message
    return _resource(transcript.replace(message.id, message.replace(data=data)))


def _resource(message: AnyMessage) -> McpResourceMessage:
    if not isinstance(message, McpResourceMessage):
        raise TypeError(f"expected the resource that was added, and got {type(message).__name__}")
    return message


def _size(content: Any) -> int:
    """Return a lower bound for the bytes of a content, without encoding or decoding it."""
    text = getattr(content, "text", None)
    return len(text) if text is not None else len(content.blob) * 3 // 4


def _content(content: Any, server_name: str, uri: str, retrieved_at: str) -> McpResourceData:
    """Return a content of the SDK as `McpResourceData`.

    Raises:
        ValidationError, ValueError: it is not a valid content.
    """
    members: dict[str, Any] = {"server_name": server_name, "resource_uri": uri, "retrieved_at": retrieved_at}
    if content.mime_type:
        members["mime_type"] = content.mime_type
    text = getattr(content, "text", None)
    if text is not None:
        return McpResourceData(**members, content=text)
    base64.b64decode(content.blob, validate=True)
    return McpResourceData(**members, content=content.blob, encoding="base64")
