"""The closed table of codes for refused files."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from interlingua.errors import FileAccessError
from interlingua_types._paths import PATH_PROBLEMS, PathProblem

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FILE_CODES", "FileCode", "FileRefusal", "file_error"]

FileCode = Literal[
    PathProblem,
    "bad_range",
    "binary",
    "changed",
    "hard_link",
    "io_error",
    "is_directory",
    "no_workspace",
    "not_found",
    "not_readable",
    "not_regular",
    "not_utf8",
    "outside_workspace",
    "permission_denied",
    "symlink",
    "too_large",
    "virtual_file",
]
"""The code of a `FileAccessError`.

Example:
    >>> from typing import get_args
    >>> set(get_args(il.resolve.FileCode)) == set(il.resolve.FILE_CODES)
    True
"""


class FileRefusal(NamedTuple):
    """What a code means, in words for people, and whether trying again may help.

    Example:
        >>> il.resolve.FILE_CODES["not_found"].reason
        'the file does not exist'
    """

    reason: str
    retryable: bool = False


_OF_PATHS: Final[Mapping[FileCode, FileRefusal]] = {code: FileRefusal(text) for code, text in PATH_PROBLEMS.items()}
_OF_FILES: Final[Mapping[FileCode, FileRefusal]] = {
    "bad_range": FileRefusal("the file does not have these lines"),
    "binary": FileRefusal("the file is not text: it contains NUL"),
    "changed": FileRefusal("the file changed while it was opened", retryable=True),
    "hard_link": FileRefusal("the file has a second hard link, which may be outside of the workspace"),
    "io_error": FileRefusal("the operating system could not read the file", retryable=True),
    "is_directory": FileRefusal("the path names a directory"),
    "no_workspace": FileRefusal("the path is relative, and no workspace is set"),
    "not_found": FileRefusal("the file does not exist"),
    "not_readable": FileRefusal("the operating system does not allow this program to read the file"),
    "not_regular": FileRefusal("the path names a device, a pipe or a socket"),
    "not_utf8": FileRefusal("the file is not text in UTF-8"),
    "outside_workspace": FileRefusal("the path is outside of the workspace"),
    "permission_denied": FileRefusal("the agent's role may not read this file"),
    "symlink": FileRefusal("the path contains a symbolic link"),
    "too_large": FileRefusal("the file is larger than the limit"),
    "virtual_file": FileRefusal("the path is a system file, such as one of /proc, and not an ordinary file"),
}
FILE_CODES: Final[Mapping[FileCode, FileRefusal]] = MappingProxyType({**_OF_PATHS, **_OF_FILES})
"""Every code of a `FileAccessError`, and what it means.

Example:
    >>> il.resolve.FILE_CODES["not_found"].retryable
    False
"""


def file_error(code: FileCode, path: str = "", reason: str | None = None) -> FileAccessError:
    """Return the error for a code; `reason` replaces the table's."""
    refusal = FILE_CODES[code]
    return FileAccessError(code, path, reason or refusal.reason, retryable=refusal.retryable)
