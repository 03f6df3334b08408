"""The names of sessions and branches."""

from __future__ import annotations

import re
from typing import Final

from interlingua_types._base import InvalidArgumentError

__all__ = ["checked_name", "is_written"]

_BAD: Final = re.compile("[\x00\ud800-\udfff]")
_UNWRITABLE: Final = re.compile("[\ud800-\udfff]")


def is_written(name: object) -> bool:
    """Tell whether a name is one that a file may hold, be it a damaged one: all others are in none."""
    return isinstance(name, str) and _UNWRITABLE.search(name) is None


def checked_name(name: object) -> str:
    """Return the name of a session or a branch.

    Raises:
        InvalidArgumentError: it is empty, or no text that can be written.
    """
    if not isinstance(name, str) or not name or _BAD.search(name):
        raise InvalidArgumentError("the name of a session or a branch must be valid Unicode text, and not empty")
    return name
