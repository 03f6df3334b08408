"""Addresses on the web that strangers give: which are well formed, and which hosts may be reached on their behalf.

A host is judged by the numbers that it stands for, never by its name: names are resolved once, every number is judged,
and the connection goes to a number that was judged (`fetching`). Sources: RFC 3986; RFC 6890 and IANA's registries of
special-purpose addresses; RFC 3056, RFC 4291, RFC 4380, RFC 6052.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import quote, urlsplit

from interlingua.resolve.image_failures import image_error

__all__ = ["IpAddress", "WebAddress", "check_url", "is_public", "literal_address", "read_url"]

IpAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_MAX_LENGTH: Final = 8192
# What browsers, libraries and servers read in different ways, and white space, which some of them drop.
_AMBIGUOUS: Final = re.compile(r"[\x00-\x20\x7f\\]")
_HOST: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?")
_PATH_CHARACTERS: Final = "%/:=&?~+!$,;'@()*[]|^`{}\""
_PORTS: Final[dict[str, int]] = {"http": 80, "https": 443}
# Names that mean this machine or this network, whatever a name server says: those without a dot, and these endings.
_LOCAL_NAMES: Final = re.compile(
    r"[^.]*\.?|.*\.(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa)\.?"
)
# IANA's registries of special-purpose addresses, and multicast. Written out, since each Python knows other ones.
# What a registry calls globally reachable stands here too where it is an anycast service: the nearest node answers,
# which may be one of this network, and none of them serves the web.
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
# Of IPv6 only this is handed out for the public internet; all special blocks outside it are refused with the rest.
_UNICAST_6: Final = ipaddress.IPv6Network("2000::/3")
_SPECIAL_6: Final = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20")))
# Blocks whose addresses stand for IPv4 addresses (mapped, NAT64, 6to4, Teredo), with how far right each of these lies
# and what it is combined with: Teredo has the address of its server, and, inverted, that of the client.
_IP_4_BITS: Final = 0xFFFFFFFF
_WRAPPING: Final = (
    (ipaddress.IPv6Network("::ffff:0:0/96"), ((0, 0),)),
    (ipaddress.IPv6Network("64:ff9b::/96"), ((0, 0),)),
    (ipaddress.IPv6Network("2002::/16"), ((80, 0),)),
    (ipaddress.IPv6Network("2001::/32"), ((64, 0), (0, _IP_4_BITS))),
)


@dataclass(frozen=True, slots=True)
class WebAddress:
    """The parts of an address, read once: what was judged is what is asked for."""

    scheme: Literal["http", "https"]
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        """The host as a request names it: with its port where that is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def read_url(url: str) -> WebAddress:
    """Return the parts of an address.

    Raises:
        ImageError: `url_refused`; the scheme is not http or https, a name or password stands in it, or it can be read
            in more than one way.
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
    """Refuse an address that nobody shall be asked to fetch, without asking the network anything.

    An address of which only a name server knows where it leads passes: it is for whoever fetches it to judge that.

    Raises:
        ImageError: `url_refused`.
    """
    host = read_url(url).host
    number = literal_address(host)
    if _LOCAL_NAMES.fullmatch(host) if number is None else not is_public(number):
        raise image_error("url_refused", "Its host is not public.")


def literal_address(host: str) -> IpAddress | None:
    """Return the number that a host is, in any spelling that systems read as one (`127.1`, `0x7f000001`), else None."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host.rstrip(".")))
    except OSError:
        return None


def is_public(address: IpAddress) -> bool:
    """Tell whether an address is of the public internet; one that stands for others is what these are."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _SPECIAL_4)
    if address.scope_id is not None:
        return False
    if wrapped := _wrapped(address):
        return all(is_public(inner) for inner in wrapped)
    return address in _UNICAST_6 and not any(address in network for network in _SPECIAL_6)


def _wrapped(address: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """Return the IPv4 addresses that an IPv6 address leads to, by mapping, translation or tunnel."""
    return [
        ipaddress.IPv4Address((int(address) >> shift & _IP_4_BITS) ^ mask)
        for network, places in _WRAPPING
        if address in network
        for shift, mask in places
    ]


def _is_ip_6(host: str) -> bool:
    try:
        return "%" not in host and ipaddress.ip_address(host).version == 6
    except ValueError:
        return False
