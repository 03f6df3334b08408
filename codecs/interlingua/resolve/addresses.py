"""Checks untrusted URLs: whether they are well formed, and whether their hosts may be reached.

A host is checked by its IP addresses, never by its name: a name is resolved once, every address is checked, and the
connection goes to a checked address (`fetching`). Sources: RFC 3986; RFC 6890 and IANA's registries of special-purpose
addresses; RFC 3056, RFC 4291, RFC 4380, RFC 6052.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import quote, urlsplit

from interlingua.resolve.image_failures import image_error

__all__ = ["IpAddress", "WebAddress", "check_url", "ip_literal", "is_public", "read_url"]

IpAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_MAX_LENGTH: Final = 8192
# Characters that browsers, libraries and servers interpret differently, and white space, which some of them drop.
_AMBIGUOUS: Final = re.compile(r"[\x00-\x20\x7f\\]")
_HOST: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?")
_PATH_CHARACTERS: Final = "%/:=&?~+!$,;'@()*[]|^`{}\""
_PORTS: Final[dict[str, int]] = {"http": 80, "https": 443}
# Names of this machine or this network, whatever DNS says: those without a dot, and those with these suffixes.
_LOCAL_NAMES: Final = re.compile(
    r"[^.]*\.?|.*\.(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa)\.?"
)
# IANA's registries of special-purpose addresses, and multicast. Listed here because Python versions differ in them.
# Globally reachable anycast services are included: the nearest node answers, which may be in this network, and none of
# them serves the web.
_SPECIAL_4: Final = tuple(
    map(
        ipaddress.IPv4Network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16"),
            *("192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        ),
    )
)
# The only IPv6 block allocated for the public internet; everything outside it is refused.
_UNICAST_6: Final = ipaddress.IPv6Network("2000::/3")
_SPECIAL_6: Final = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20")))
# Blocks whose addresses embed IPv4 addresses (mapped, NAT64, 6to4, Teredo), with the shift and XOR mask of each: Teredo
# embeds its server's address and, inverted, the client's.
_IP_4_BITS: Final = 0xFFFFFFFF
_EMBEDDING: Final = (
    (ipaddress.IPv6Network("::ffff:0:0/96"), ((0, 0),)),
    (ipaddress.IPv6Network("64:ff9b::/96"), ((0, 0),)),
    (ipaddress.IPv6Network("2002::/16"), ((80, 0),)),
    (ipaddress.IPv6Network("2001::/32"), ((64, 0), (0, _IP_4_BITS))),
)


@dataclass(frozen=True, slots=True)
class WebAddress:
    """The parts of a URL, parsed once, so that the checked URL is the one that is requested."""

    scheme: Literal["http", "https"]
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        """The value of the Host header: with the port if it is not the default one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def read_url(url: str) -> WebAddress:
    """Return the parts of a URL.

    Raises:
        ImageError: `url_refused`; the scheme is not http or https, it has a user name or password, or it is ambiguous.
    """
    given: Any = url  # callers may not be typed
    if not isinstance(given, str) or len(url) > _MAX_LENGTH or _AMBIGUOUS.search(url):
        raise image_error("url_refused", "It is not well formed.")
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
        if ":" not in host:
            host = host.encode("idna").decode("ascii").lower()
    except ValueError:
        raise image_error("url_refused", "It is not well formed.") from None
    if parts.scheme not in _PORTS:
        raise image_error("url_refused", "Only http and https are allowed.")
    if parts.username is not None or parts.password is not None:
        raise image_error("url_refused", "It contains a user name or a password.")
    if _HOST.fullmatch(host) is None and not _is_ip_6(host):
        raise image_error("url_refused", "Its host is not well formed.")
    path = quote(parts.path or "/", safe=_PATH_CHARACTERS)
    query = f"?{quote(parts.query, safe=_PATH_CHARACTERS)}" if parts.query else ""
    scheme: Literal["http", "https"] = "https" if parts.scheme == "https" else "http"
    return WebAddress(scheme, host, _PORTS[scheme] if port is None else port, path + query)


def check_url(url: str) -> None:
    """Refuse a URL that must not be fetched, as far as that is known without the network.

    A URL with a public host name passes; its addresses must be checked when it is fetched.

    Raises:
        ImageError: `url_refused`.
    """
    host = read_url(url).host
    number = ip_literal(host)
    if _LOCAL_NAMES.fullmatch(host) if number is None else not is_public(number):
        raise image_error("url_refused", "Its host is not public.")


def ip_literal(host: str) -> IpAddress | None:
    """Return the IP address that a host is, in any spelling that systems accept (`127.1`, `0x7f000001`), else None."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host.rstrip(".")))
    except OSError:
        return None


def is_public(address: IpAddress) -> bool:
    """Tell whether an address is on the public internet; for one that embeds IPv4 addresses, whether these are."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _SPECIAL_4)
    if address.scope_id is not None:
        return False
    if wrapped := _embedded_ipv4(address):
        return all(is_public(inner) for inner in wrapped)
    return address in _UNICAST_6 and not any(address in network for network in _SPECIAL_6)


def _embedded_ipv4(address: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """Return the IPv4 addresses that are embedded in an IPv6 address."""
    return [
        ipaddress.IPv4Address((int(address) >> shift & _IP_4_BITS) ^ mask)
        for network, places in _EMBEDDING
        if address in network
        for shift, mask in places
    ]


def _is_ip_6(host: str) -> bool:
    try:
        return "%" not in host and ipaddress.ip_address(host).version == 6
    except ValueError:
        return False
