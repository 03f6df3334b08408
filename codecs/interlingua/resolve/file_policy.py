"""Who may read which file: the question, and a ready answer."""

from __future__ import annotations

import unicodedata
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

from interlingua.given import check_mapping, texts_of
from interlingua_types._base import InvalidArgumentError
from interlingua_types._paths import checked_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

__all__ = ["READING_ROLES", "FileAction", "FilePolicy", "RolePolicy"]

FileAction: TypeAlias = Literal["read"]
"""What may be done with a file.

Example:
    >>> from typing import get_args
    >>> get_args(il.resolve.FileAction)
    ('read',)
"""

READING_ROLES: Final[Mapping[str, frozenset[FileAction]]] = MappingProxyType(
    {role: frozenset({"read"}) for role in ("planner", "actor", "coder", "executor", "reviewer")}
)
"""What each role may do where nobody says otherwise: the planner reads, and so do those who act on the plan.

Example:
    >>> sorted(il.resolve.READING_ROLES)
    ['actor', 'coder', 'executor', 'planner', 'reviewer']
"""


class FilePolicy(Protocol):
    """Says who may do what with a file. It is asked before the file is opened or even looked for.

    Example:
        >>> class NoSecrets:
        ...     def allows(self, role, path, action):
        ...         return action == "read" and not path.name.startswith(".")
        >>> files = il.FileResolver(".", NoSecrets())
        >>> files.resolve(il.messages.file(".env"), agent_role="planner").data.error.code
        'permission_denied'
    """

    def allows(self, role: str, path: PurePosixPath, action: FileAction) -> bool:
        """Tell whether a role may do this.

        `path` is sound and in its normal form. It is relative where the file is in the workspace, however it was
        referred to, and absolute where it is outside. Links are not followed when it is opened, so that the file is
        where the path says. Only `True` is a permission.
        """
        ...


class RolePolicy:
    """A table of roles: what each may do in the workspace, and where outside of it.

    `grants` names the actions of each role, in lower case; another role may do nothing. `outside` are absolute
    directories whose files the same roles may read; none is the default. `hidden` are patterns such as `.env` or
    `*.pem`: a file below or of a name that fits one is nobody's to read. Patterns do not look at upper and lower case,
    because file systems may not.

    Raises:
        InvalidArgumentError: a directory of `outside` is no sound path, or is not absolute; one text stands where
            several belong.

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
        texts_of(grants, "grants")
        self._grants = {role.lower(): frozenset(texts_of(actions, "grants")) for role, actions in grants.items()}
        self._outside = tuple(_absolute(directory) for directory in texts_of(outside, "outside"))
        self._hidden = tuple(_folded(pattern) for pattern in texts_of(hidden, "hidden"))

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
    """Return text in the one form of all those that some file system takes for the same name."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
