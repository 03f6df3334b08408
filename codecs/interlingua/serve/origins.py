"""Which web pages may use the server: the origins that browsers send with a request."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from interlingua.argument_checks import string_tuple
from interlingua.model import ApiError

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.datastructures import Headers

__all__ = ["FOREIGN_PAGE", "checked_origins", "is_foreign_page"]

FOREIGN_PAGE: Final = ApiError(
    category="permission",
    message="This server is not open to web pages of other sites. Allow their origin where the server is started.",
)

_ORIGIN: Final = re.compile(r"\*|null|[a-z][a-z0-9+.-]*://[^/?#\s]+")
_WEB: Final = frozenset({"http", "https"})


def checked_origins(origins: Collection[str]) -> tuple[str, ...]:
    """Return allowed origins.

    Raises:
        ValueError: one of them is not what browsers send.
    """
    allowed = string_tuple(origins, "origins")
    if not all(map(_ORIGIN.fullmatch, allowed)):
        raise ValueError("an origin is a scheme and a host, such as http://localhost:3000, without a path, or *")
    return allowed


def is_foreign_page(headers: Headers, allowed: Collection[str]) -> bool:
    """Whether a browser sends a request for a page of another site that is not allowed.

    Browsers send some requests, such as a POST of plain text, without asking first (CORS). The page cannot read the
    answer, but the provider would be asked. Programs send no origin. Desktop applications and browser extensions have
    schemes of their own, which no site can have; pages of this machine are its user's.
    """
    origin = headers.get("origin")
    if origin is None or "*" in allowed or origin in allowed:
        return False
    scheme, _, place = origin.partition("://")
    if scheme not in _WEB:
        return origin == "null"
    return place != headers.get("host") and not _is_this_machine(origin)


def _is_this_machine(origin: str) -> bool:
    try:
        host = urlsplit(origin).hostname or ""
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
