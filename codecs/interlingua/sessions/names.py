"""Names of sessions and branches."""

from __future__ import annotations

import re
from typing import Final

from interlingua_types._base import InvalidArgumentError

__all__ = ["checked_name", "is_written"]

_BAD: Final = re.compile("[\x00\ud800-\udfff]")
_UNWRITABLE: Final = re.compile("[\ud800-\udfff]")


def is_written(name: object) -> bool:
    """Tell whether a name can be stored in a file at all, even in a damaged one."""
    return isinstance(name, str) and _UNWRITABLE.search(name) is None


def checked_name(name: object) -> str:
    """Return the name of a session or branch after checking it.

    Raises:
        InvalidArgumentError: it is empty, or not a string that can be stored.
    """
    if not isinstance(name, str) or not name or _BAD.search(name):
        raise InvalidArgumentError("the name of a session or a branch must be valid Unicode text, and not empty")
    return name
