"""Freshness rules for resources, and the cache of fetched resources."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from interlingua.argument_checks import check_count
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from interlingua.model import McpResourceData

__all__ = ["CachedResource", "Freshness", "ResourceCache", "ResourceKey"]

ResourceKey: TypeAlias = tuple[str, str]
"""The name of a server and the URI of a resource."""

_NOTHING: Final[Mapping[str, timedelta]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Freshness:
    """How long a fetched resource is reused without asking the server again.

    The first match applies: `by_mime_type` (`text/plain`, then `text/*`), `by_scheme` of the URI (`file`, `db`),
    `by_server`, `default`. With a time of zero or less the server is always asked, with `timedelta.max` only once.

    Example:
        >>> from datetime import timedelta
        >>> freshness = il.resolve.Freshness(by_scheme={"db": timedelta(0)})
        >>> freshness.lifetime("docs", "db://table", "text/plain") == timedelta(0)
        True
    """

    default: timedelta = timedelta(hours=1)
    by_mime_type: Mapping[str, timedelta] = field(default_factory=lambda: _NOTHING)
    by_scheme: Mapping[str, timedelta] = field(default_factory=lambda: _NOTHING)
    by_server: Mapping[str, timedelta] = field(default_factory=lambda: _NOTHING)

    def lifetime(self, server_name: str, uri: str, mime_type: str | None) -> timedelta:
        """Return how long a resource stays fresh."""
        check_text(server_name, "server_name", may_be_empty=True)
        check_text(uri, "uri", may_be_empty=True)
        kind = check_text(mime_type or "", "mime_type", may_be_empty=True).partition(";")[0].strip().lower()
        scheme = uri.partition(":")[0].lower()
        rows = (
            (self.by_mime_type, kind),
            (self.by_mime_type, f"{kind.partition('/')[0]}/*"),
            (self.by_scheme, scheme),
            (self.by_server, server_name),
        )
        return next((table[name] for table, name in rows if name in table), self.default)


@dataclass(frozen=True, slots=True)
class CachedResource:
    """The contents of a resource, and when they were fetched."""

    contents: tuple[McpResourceData, ...]
    retrieved_at: datetime

    def is_fresh(self, freshness: Freshness, now: datetime) -> bool:
        """Tell whether all contents are still fresh; those with a time in the future are not."""
        age = now - self.retrieved_at
        return all(
            timedelta(0) <= age <= lifetime and lifetime > timedelta(0)
            for lifetime in (
                freshness.lifetime(one.server_name, one.resource_uri, one.mime_type) for one in self.contents
            )
        )

    def size(self) -> int:
        """Return the number of characters."""
        return sum(len(one.content) + len(one.summary or "") for one in self.contents)


class ResourceCache:
    """A thread-safe LRU cache of resources by server and URI.

    Example:
        >>> cache = il.resolve.ResourceCache(max_entries=10)
        >>> resources = il.McpResources({}, cache=cache)
        >>> len(cache)
        0
    """

    def __init__(self, *, max_entries: int = 256, max_characters: int = 32_000_000) -> None:
        """Create a cache with limits; a resource that is larger than the whole cache is not kept."""
        self._max_entries = check_count(max_entries, "max_entries")
        self._max_characters = check_count(max_characters, "max_characters")
        self._entries: Final[OrderedDict[ResourceKey, CachedResource]] = OrderedDict()
        self._characters = 0
        self._lock: Final = Lock()

    def __len__(self) -> int:
        """Return the number of resources."""
        return len(self._entries)

    def get(self, key: ResourceKey) -> CachedResource | None:
        """Return a resource and mark it as used."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
            return entry

    def put(self, key: ResourceKey, entry: CachedResource) -> None:
        """Store a resource, replacing an earlier one."""
        with self._lock:
            self._remove(key)
            self._entries[key] = entry
            self._characters += entry.size()
            while len(self._entries) > self._max_entries or self._characters > self._max_characters:
                self._remove(next(iter(self._entries)))

    def discard(self, key: ResourceKey) -> None:
        """Remove a resource, if it is there."""
        with self._lock:
            self._remove(key)

    def clear(self) -> None:
        """Remove all resources."""
        with self._lock:
            self._entries.clear()
            self._characters = 0

    def _remove(self, key: ResourceKey) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._characters -= entry.size()
