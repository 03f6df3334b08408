"""Sends requests to providers and reports connection failures.

The httpx transport is used without its client, which would share cookies between callers, follow redirects with
credentials, and log URLs, which may hold the keys of Gemini clients.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from interlingua.model import ApiError
from interlingua.serve.call import LOG
from interlingua.strict_json import RefusedError, parse

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from interlingua.serve.limits import Limits

__all__ = ["Upstream", "UpstreamError", "parsed", "text_or_json"]

_EVERYBODY: Final = httpx.Limits(max_connections=None, max_keepalive_connections=256, keepalive_expiry=30)


class UpstreamError(Exception):
    """The provider cannot be reached, or its response is incomplete: `error` is the error for the client."""

    def __init__(self, error: ApiError) -> None:
        super().__init__(error)
        self.error = error

    def __str__(self) -> str:
        return self.error.category


class Upstream:
    """Sends requests to providers. Only connections are kept between requests."""

    def __init__(self, limits: Limits, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._limits = limits
        self._given = transport
        self._own: dict[tuple[str, str], httpx.AsyncHTTPTransport] = {}

    @asynccontextmanager
    async def asked(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | Sequence[tuple[bytes, bytes]],
        content: bytes | None = None,
    ) -> AsyncGenerator[httpx.Response]:
        """Send a request to a provider; the response is closed at the end of the block, even if it was not read.

        Raises:
            UpstreamError: it cannot be reached, takes too long, or breaks off, also while its response is read.
        """
        request = httpx.Request(method, url, headers=headers, content=content)
        request.extensions["timeout"] = self._limits.timeout()
        try:
            reply = await self._answered(request)
            try:
                yield reply
            finally:
                # Shielded: closing a socket is quick, and must happen even if the client has disconnected.
                await asyncio.shield(reply.aclose())
        # Agents recognise a failure in mid-stream only by its text, and retry if official clients use that text.
        except httpx.TimeoutException as error:
            raise UpstreamError(
                ApiError(category="timeout", message="Timeout: the provider did not answer in time.")
            ) from error
        except httpx.HTTPError as error:
            # Messages of other errors may quote content.
            reason = f": {error}" if isinstance(error, (httpx.ConnectError, httpx.ProxyError)) else ""
            LOG.warning("the provider failed: %s%s", type(error).__name__, reason)
            message = "Connection error: the provider cannot be reached, or broke off its answer."
            raise UpstreamError(ApiError(category="unavailable", message=message)) from error

    async def _answered(self, request: httpx.Request) -> httpx.Response:
        """Return the response, before its body is read.

        A provider may close an idle connection just as it is used again. That is not an error, and no part of a
        response has arrived, so the request is sent once more. A failure on a new connection is not retried.
        """
        transport = self._given or self._opened(str(request.url))
        steps: set[str] = set()

        async def trace(step: str, _facts: Any) -> None:
            steps.add(step.partition(".")[2])

        request.extensions["trace"] = trace
        try:
            return await transport.handle_async_request(request)
        except (httpx.NetworkError, httpx.RemoteProtocolError):
            if "send_request_headers.started" not in steps or "connect_tcp.started" in steps:
                raise
        return await transport.handle_async_request(request)

    async def read(self, reply: httpx.Response) -> bytes:
        """Return the whole body of a response. Raises `UpstreamError` if it exceeds the limit."""
        pieces: list[bytes] = []
        size = 0
        async for piece in reply.aiter_bytes():
            size += len(piece)
            if size > self._limits.body:
                message = "The provider's answer is larger than the limit."
                raise UpstreamError(ApiError(category="unavailable", message=message))
            pieces.append(piece)
        return b"".join(pieces)

    async def aclose(self) -> None:
        """Close the kept connections; a transport given by the caller stays open."""
        while self._own:
            await self._own.popitem()[1].aclose()

    def _opened(self, url: str) -> httpx.AsyncHTTPTransport:
        origin = urlsplit(url)[:2]
        if origin not in self._own:
            self._own[origin] = httpx.AsyncHTTPTransport(limits=_EVERYBODY, proxy=_proxy_of(url))
        return self._own[origin]


def _proxy_of(url: str) -> str | None:
    """Return the proxy that the environment sets for a URL, as official clients use it; none for this machine."""
    scheme, host = urlsplit(url).scheme, urlsplit(url).hostname or ""
    if _is_here(host) or proxy_bypass(host):
        return None
    named = getproxies()
    proxy = named.get(scheme) or named.get("all")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def parsed(data: bytes) -> Any:
    """Return the JSON value of a response. Raises `UpstreamError` if it is not JSON."""
    try:
        return parse(data)
    except RefusedError:
        raise UpstreamError(ApiError(category="unavailable", message="The provider's answer is not JSON.")) from None


def text_or_json(data: bytes) -> Any:
    """Return the JSON value of an error body, or its text, since proxies respond in HTML."""
    try:
        return parse(data)
    except RefusedError:
        return data.decode("utf-8", "replace")
