"""File permissions: the policy protocol, and a policy by roles."""

from __future__ import annotations

import unicodedata
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

from interlingua.argument_checks import check_mapping, string_tuple
from interlingua_types._base import InvalidArgumentError
from interlingua_types._paths import checked_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

__all__ = ["READING_ROLES", "FileAction", "FilePolicy", "RolePolicy"]

FileAction: TypeAlias = Literal["read"]
"""The actions on a file.

Example:
    >>> from typing import get_args
    >>> get_args(il.resolve.FileAction)
    ('read',)
"""

READING_ROLES: Final[Mapping[str, frozenset[FileAction]]] = MappingProxyType(
    {role: frozenset({"read"}) for role in ("planner", "actor", "coder", "executor", "reviewer")}
)
"""The default permissions: the roles that may read.

Example:
    >>> sorted(il.resolve.READING_ROLES)
    ['actor', 'coder', 'executor', 'planner', 'reviewer']
"""


class FilePolicy(Protocol):
    """Decides who may do what with a file. It is called before the file system is accessed.

    Example:
        >>> class NoSecrets:
        ...     def allows(self, role, path, action):
        ...         return action == "read" and not path.name.startswith(".")
        >>> files = il.FileResolver(".", NoSecrets())
        >>> files.resolve(il.messages.file(".env"), agent_role="planner").data.error.code
        'permission_denied'
    """

    def allows(self, role: str, path: PurePosixPath, action: FileAction) -> bool:
        """Tell whether a role may perform an action on a path.

        `path` is valid and normalized. It is relative if the file is in the workspace, however it was referred to, and
        absolute otherwise. Links are not followed when it is opened, so the file is where the path says. Only `True`
        grants permission.
        """
        ...


class RolePolicy:
    """A policy by roles: what each may do in the workspace, and in which directories outside.

    `grants` maps each role, in lower case, to its actions; other roles may do nothing. `outside` are absolute
    directories whose files the same roles may read, by default none. `hidden` are patterns such as `.env` or `*.pem`:
    no role may read a file that matches one, or is below a directory that does. Patterns ignore case, because file
    systems may.

    Raises:
        InvalidArgumentError: a directory of `outside` is invalid or not absolute, or a string was given for a
            collection.

    Example:
        >>> from pathlib import PurePosixPath
        >>> policy = il.RolePolicy(hidden=[".env"])
        >>> [policy.allows("planner", PurePosixPath(path), "read") for path in ("src/main.py", ".env")]
        [True, False]
    """

    def __init__(
        self,
        grants: Mapping[str, Collection[FileAction]] = READING_ROLES,
        *,
        outside: Iterable[str] = (),
        hidden: Iterable[str] = (),
    ) -> None:
        check_mapping(grants, "grants")
        string_tuple(grants, "grants")
        self._grants = {role.lower(): frozenset(string_tuple(actions, "grants")) for role, actions in grants.items()}
        self._outside = tuple(_absolute(directory) for directory in string_tuple(outside, "outside"))
        self._hidden = tuple(_folded(pattern) for pattern in string_tuple(hidden, "hidden"))

    def allows(self, role: str, path: PurePosixPath, action: FileAction) -> bool:
        """Tell whether the role has the action, and the path is in the workspace or in a directory of `outside`."""
        if action not in self._grants.get(role.lower(), frozenset()):
            return False
        if path.is_absolute() and not any(path.is_relative_to(directory) for directory in self._outside):
            return False
        names = [_folded(name) for name in path.parts]
        return not any(fnmatchcase(name, pattern) for name in names for pattern in self._hidden)


def _absolute(directory: str) -> PurePosixPath:
    path = PurePosixPath(checked_path(directory))
    if not path.is_absolute():
        raise InvalidArgumentError("a directory outside of the workspace must be absolute")
    return path


def _folded(text: str) -> str:
    """Return text in a form that is equal for all names that some file system treats as the same."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
