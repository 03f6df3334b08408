"""Fetches images from untrusted URLs without reaching anything but the public internet.

Nothing is fetched unless the application passes this fetcher, or its own, to the resolver (docs/pain.md, SEC-3).
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

from interlingua.argument_checks import check_count, check_function, check_several, check_time_limit
from interlingua.resolve.addresses import ip_literal, is_public, read_url
from interlingua.resolve.exchange import Deadline, ExchangeError, exchange, resolve_host
from interlingua.resolve.image_failures import image_error, status_is_retryable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from interlingua.errors import ImageError
    from interlingua.resolve.addresses import IpAddress, WebAddress
    from interlingua.resolve.exchange import Answer

__all__ = ["SafeFetcher"]

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_HEADERS: Final = {"User-Agent": "interlingua", "Accept": "image/png, image/jpeg, image/gif, image/webp, image/*;q=0.5"}
_PORTS: Final = frozenset({80, 443})


class SafeFetcher:
    """A `UrlFetcher` for http and https that reaches public hosts only.

    A host name is resolved once; the host is refused if any of its addresses is not public, and the connection goes to
    a checked address, so that DNS rebinding is impossible. Each redirect is checked in the same way. `timeout_seconds`
    limits the whole fetch, except for `lookup`, which waits as long as the system does.

    For networks with other rules, `allowed` replaces the check of an address, `ports` are the allowed ports, and
    `lookup` resolves a name.

    Raises:
        InvalidArgumentError: `timeout_seconds` is not more than 0.

    Example:
        >>> fetcher = il.SafeFetcher(timeout_seconds=5)
        >>> try:
        ...     fetcher.fetch("http://127.0.0.1/sign.png", max_bytes=1_000)
        ... except il.ImageError as error:
        ...     print(error.code)
        url_refused
    """

    def __init__(
        self,
        *,
        timeout_seconds: float = 20.0,
        max_redirects: int = 3,
        ports: Collection[int] = _PORTS,
        allowed: Callable[[IpAddress], bool] = is_public,
        lookup: Callable[[str, int], Sequence[str]] = resolve_host,
    ) -> None:
        self._timeout_seconds = check_time_limit(timeout_seconds, "timeout_seconds")
        self._max_redirects = check_count(max_redirects, "max_redirects")
        self._ports = frozenset(check_count(port, "ports") for port in check_several(ports, "ports"))
        check_function(allowed, "allowed")
        check_function(lookup, "lookup")
        self._allowed = allowed
        self._lookup = lookup

    def fetch(self, url: str, /, *, max_bytes: int) -> bytes:
        """Return the content of a URL, at most `max_bytes`.

        Raises:
            ImageError: `url_refused`, `fetch_failed`, `fetch_timeout` or `too_large`.
        """
        max_bytes = check_count(max_bytes, "max_bytes")
        deadline = Deadline(self._timeout_seconds)
        for _ in range(self._max_redirects + 1):
            address = read_url(url)
            answer = self._send_request(address, deadline, max_bytes)
            if answer.status == 200:
                return answer.body
            target = answer.headers.get("location")
            if answer.status not in _REDIRECTS or target is None:
                retryable = status_is_retryable(answer.status)
                raise image_error("fetch_failed", f"The server answered {answer.status}.", retryable=retryable)
            url = _redirected(url, target)
            if address.scheme == "https" and read_url(url).scheme != "https":
                raise image_error("url_refused", "It redirects from https to http.")
        raise image_error("fetch_failed", "It redirects too often.", retryable=False)

    def _send_request(self, address: WebAddress, deadline: Deadline, max_bytes: int) -> Answer:
        """Return one host's response, if the host is allowed.

        Raises:
            ImageError: as `fetch`.
        """
        if address.port not in self._ports:
            raise image_error("url_refused", "Its port is not allowed.")
        try:
            return exchange(address, self._checked_addresses(address), deadline, headers=_HEADERS, max_bytes=max_bytes)
        except ExchangeError as error:
            kind = error.kind
        raise _failure(kind, max_bytes)

    def _checked_addresses(self, address: WebAddress) -> list[str]:
        """Return the addresses of a host, all of which are allowed.

        Raises:
            ImageError: `url_refused`, or `fetch_failed` if the host is unknown.
        """
        literal = ip_literal(address.host)
        try:
            found = [str(literal)] if literal is not None else self._lookup(address.host, address.port)
            numbers = [ipaddress.ip_address(number) for number in found]
        except (OSError, ValueError):
            numbers = []
        if not numbers:
            raise image_error("fetch_failed", "Its host name cannot be resolved.")
        if not all(self._allowed(number) for number in numbers):
            raise image_error("url_refused", "Its host is not public.")
        return [str(number) for number in numbers]


def _redirected(url: str, target: str) -> str:
    """Return the target URL of a redirect.

    Raises:
        ImageError: `url_refused`; it is not well formed.
    """
    try:
        return urljoin(url, target)
    except ValueError:
        raise image_error("url_refused", "It redirects without an address.") from None


def _failure(kind: str, max_bytes: int) -> ImageError:
    if kind == "timeout":
        return image_error("fetch_timeout")
    if kind == "too_large":
        return image_error("too_large", f"{max_bytes} bytes are allowed.")
    return image_error("fetch_failed")
