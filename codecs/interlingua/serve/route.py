"""Routes: the dialect of the clients, the dialect of the provider, and the provider's URL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from interlingua.codec import encode_request
from interlingua.endpoints import ENDPOINTS
from interlingua.registry import check_api_version, descriptor
from interlingua.response_options import REASONING_CONTENT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.endpoints import Endpoints
    from interlingua.loss_types import Strict
    from interlingua.registry import Dialect
    from interlingua.response_options import ReasoningMember

__all__ = ["Route"]

_VERSION: Final = re.compile(r"/v\d+[a-z0-9]*(?=/|$)")
"""A version in the path of a URL: a URL with one already includes the dialect's path prefix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A route from clients to a provider.

    `speak` is the dialect of the clients, `backend` that of the provider, and `url` the provider's base URL, as its
    official client takes it: `https://api.anthropic.com`, `https://api.openai.com/v1`, `http://127.0.0.1:11434`.
    `model` replaces the model that the client names. `prefix` is put before the paths of the dialect. The other members
    are those of `exchange`: `strict` refuses a request of which something would be lost, `api_version` is the
    provider's API version, `reasoning_member` the member in which clients expect reasoning, and `defaults` are values
    for canonical members that a request does not set: with `{"cache": {}}` Claude caches prompts of clients whose own
    provider caches without being asked. Within one dialect nothing is filled in and bytes pass unchanged, unless `fit`
    adapts each request to its model there, too.

    Raises:
        ValueError: a dialect is not served, a URL is invalid, or a prefix does not begin with `/`.
        UnknownDialectError: there is no such dialect.
        EncodeError: the provider's dialect has no such API version, or a request has no such default.
    """

    speak: Dialect
    backend: Dialect
    url: str
    model: str | None = None
    strict: Strict = False
    api_version: str | None = None
    reasoning_member: ReasoningMember = REASONING_CONTENT
    defaults: Mapping[str, Any] | None = None
    fit: bool = False
    prefix: str = ""

    def __post_init__(self) -> None:
        """Validate the route."""
        for name in (self.speak, self.backend):
            descriptor(name)
            if name not in ENDPOINTS:
                raise ValueError(f"{name} is not served; choose one of: {', '.join(ENDPOINTS)}")
        parts = urlsplit(self.url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("a provider's URL must begin with http:// or https:// and name a host")
        if parts.query or parts.fragment or parts.username or parts.password:
            raise ValueError("a provider's URL may not have a user, a query or a fragment")
        if self.prefix and (not self.prefix.startswith("/") or self.prefix.endswith("/")):
            raise ValueError("a prefix must begin with / and not end with it")
        check_api_version(self.backend, self.api_version)
        if self.defaults:
            encode_request({"messages": [], **self.defaults}, self.backend)

    @property
    def is_home(self) -> bool:
        """Whether both sides have the same dialect, so that requests are relayed or only adapted to the model."""
        return self.speak == self.backend

    @property
    def client(self) -> Endpoints:
        """The endpoints for clients."""
        return ENDPOINTS[self.speak]

    @property
    def provider(self) -> Endpoints:
        """The endpoints of the provider."""
        return ENDPOINTS[self.backend]

    def at(self, path: str) -> str:
        """Return the provider's URL for a path of its dialect, which begins with the dialect's version."""
        base = self.url.rstrip("/")
        if _VERSION.search(urlsplit(base).path):
            path = _VERSION.sub("", path, count=1)
        return base + path
