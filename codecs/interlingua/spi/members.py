"""Which members a request may have, so that a misspelt one is found."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Members"]

_NONE: Final[Mapping[str, frozenset[str]]] = MappingProxyType({})


class Members(NamedTuple):
    """The names of the members that a dialect's requests may have.

    Providers add members at any time: one that is not among them is no mistake, unless its name is nearly one of them.

    `known`: the names, by the place of their object: "" is the request, "tools/*/function" the function of each tool.
    `refuses_others`: whether the provider refuses a member that it does not know; else it passes over it in silence.

    Example:
        >>> il.spi.Members({"": frozenset({"bird", "heat", "lines"})}).refuses_others
        False
    """

    known: Mapping[str, frozenset[str]] = _NONE
    refuses_others: bool = False
