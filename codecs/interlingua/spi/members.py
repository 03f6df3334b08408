"""The members that a request may have, so that misspelt ones can be found."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Members"]

_NONE: Final[Mapping[str, frozenset[str]]] = MappingProxyType({})


class Members(NamedTuple):
    """The names of the members that a dialect's requests may have.

    Providers add members at any time: an unknown member is a mistake only if its name nearly equals a known one.

    `known`: the names, by the place of their object: "" is the request, "tools/*/function" the function of each tool.
    `refuses_others`: whether the provider refuses unknown members; otherwise it ignores them silently.

    Example:
        >>> il.spi.Members({"": frozenset({"bird", "heat", "lines"})}).refuses_others
        False
    """

    known: Mapping[str, frozenset[str]] = _NONE
    refuses_others: bool = False
