"""A route: which dialect a client speaks, which one its provider speaks, and where that is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from interlingua.codec import encode_request
from interlingua.endpoints import ENDPOINTS
from interlingua.registry import check_api_version, descriptor
from interlingua.showing import USUAL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.endpoints import Endpoints
    from interlingua.loss_words import Strict
    from interlingua.registry import Dialect
    from interlingua.showing import ReasoningMember

__all__ = ["Route"]

_VERSION: Final = re.compile(r"/v\d+[a-z0-9]*(?=/|$)")
"""A version in the path of an address: whoever gives one has said the prefix of the dialect, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One way from clients to a provider.

    `speak` is the dialect of the clients, `backend` that of the provider, and `url` where the provider is, as its
    official client takes it: `https://api.anthropic.com`, `https://api.openai.com/v1`, `http://127.0.0.1:11434`.
    `model` is asked for instead of the model that the client names. `prefix` stands in front of the client's paths.
    The other members are those of `exchange`: `strict` refuses a request of which something would be lost,
    `api_version` is the version of the provider's interface, `reasoning_member` where clients look for reasoning,
    `defaults` are canonical members that a request gets where it has none: `{"cache": {}}` has Claude cache what the
    clients of a provider that caches unasked do not ask for. Within one dialect nothing is filled in, and bytes pass as
    they are, unless `fit` says that each request is fitted to its model there as well.

    Raises:
        ValueError: a dialect has no address of its own here, an address is no address, a prefix has no `/` in front.
        UnknownDialectError: nobody speaks a dialect.
        EncodeError: the provider's dialect has no such version, or a request no such default.
    """

    speak: Dialect
    backend: Dialect
    url: str
    model: str | None = None
    strict: Strict = False
    api_version: str | None = None
    reasoning_member: ReasoningMember = USUAL
    defaults: Mapping[str, Any] | None = None
    fit: bool = False
    prefix: str = ""

    def __post_init__(self) -> None:
        """Refuse what cannot be served."""
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
        """Whether both sides speak the same dialect, so that bytes pass as they are, or requests fitted to a model."""
        return self.speak == self.backend

    @property
    def client(self) -> Endpoints:
        """Where clients ask."""
        return ENDPOINTS[self.speak]

    @property
    def provider(self) -> Endpoints:
        """Where the provider is asked."""
        return ENDPOINTS[self.backend]

    def at(self, path: str) -> str:
        """Return the provider's address of a path of its dialect, which begins with the dialect's version."""
        base = self.url.rstrip("/")
        if _VERSION.search(urlsplit(base).path):
            path = _VERSION.sub("", path, count=1)
        return base + path
