"""Opens files by untrusted paths without following links or opening devices, even if the tree changes meanwhile.

Where the system can open relative to an open directory (Linux, macOS, BSD), the path is walked from the root, one name
at a time, without following links, so there is no gap between check and use. Elsewhere (Windows) the path is checked,
opened and checked again, and the opened file must be the one of both checks. That defeats a link placed at any one
moment, but not a program that swaps directories back and forth several times at the right moments.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, Final

from interlingua.resolve.file_codes import file_error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.resolve.file_codes import FileCode

__all__ = ["CAN_WALK", "open_regular"]

CAN_WALK: Final[bool] = (
    os.open in os.supports_dir_fd
    and os.stat in os.supports_dir_fd
    and hasattr(os, "O_NOFOLLOW")
    and hasattr(os, "O_DIRECTORY")
)
"""Whether the system can open relative to an open directory."""

# Flags that a system does not have are 0. O_PATH opens a directory that may be entered but not listed; O_NONBLOCK keeps
# a pipe without a writer from blocking.
_NO_FOLLOW: Final[int] = getattr(os, "O_NOFOLLOW", 0)
_ENTER: Final[int] = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _NO_FOLLOW
_READ: Final[int] = (
    os.O_RDONLY
    | _NO_FOLLOW
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOINHERIT", 0)
)
_REPARSE_POINT: Final = 0x400  # on Windows: links, junctions, remote files

_CODES: Final[Mapping[int | None, FileCode]] = {
    errno.ENOENT: "not_found",
    errno.ENOTDIR: "not_found",
    errno.EINVAL: "not_found",  # a name that this file system cannot hold
    errno.EILSEQ: "not_found",
    errno.ENAMETOOLONG: "path_too_long",
    errno.ELOOP: "symlink",
    errno.EMLINK: "symlink",  # FreeBSD's error for a link
    errno.EACCES: "not_readable",
    errno.EPERM: "not_readable",
    errno.EISDIR: "is_directory",
    errno.ENXIO: "not_regular",
    errno.ENODEV: "not_regular",
}


def open_regular(anchor: str, names: Sequence[str], *, allow_hard_links: bool = False) -> int:
    """Return a descriptor of the regular file that the names lead to from the anchor (`/`); the caller closes it.

    Raises:
        FileAccessError: there is no such file, it must not be read, or there is a link in the path.
    """
    if not names:
        raise file_error("is_directory")
    try:
        descriptor = _walk(anchor, names) if CAN_WALK else _check_open_check(anchor, names)
    except OSError as error:
        refused = file_error(_CODES.get(error.errno, "io_error"))
    else:
        return _only_if_single_link(descriptor, allow_hard_links=allow_hard_links)
    # Raised outside the handler: the cause would repeat the path.
    raise refused


def _only_if_single_link(descriptor: int, *, allow_hard_links: bool) -> int:
    """Return the descriptor if the file has no other hard link or these are allowed; otherwise close it.

    Raises:
        FileAccessError: the file has several hard links, and that is not allowed.
    """
    if allow_hard_links or os.fstat(descriptor).st_nlink <= 1:
        return descriptor
    os.close(descriptor)
    raise file_error("hard_link")


def _walk(anchor: str, names: Sequence[str]) -> int:
    """Open each directory relative to the one before, and the file relative to the last, and follow no link.

    Raises:
        OSError: a name cannot be opened.
        FileAccessError: there is a link in the path, or the last name is not a regular file.
    """
    directory = os.open(anchor, _ENTER)
    try:
        for name in names[:-1]:
            inner = _enter(directory, name)
            os.close(directory)
            directory = inner
        # Opening a device may have effects, so the type is checked first, and again after opening.
        _refuse_special(os.stat(names[-1], dir_fd=directory, follow_symlinks=False))
        return _regular(os.open(names[-1], _READ, dir_fd=directory))
    finally:
        os.close(directory)


def _enter(directory: int, name: str) -> int:
    """Return a descriptor of a directory inside another one.

    Raises:
        OSError: it cannot be opened.
        FileAccessError: it is a link.
    """
    try:
        return os.open(name, _ENTER, dir_fd=directory)
    except NotADirectoryError:
        # Systems differ in the error for a link in place of a directory.
        found = os.stat(name, dir_fd=directory, follow_symlinks=False)
    raise file_error("symlink" if stat.S_ISLNK(found.st_mode) else "not_found")


def _regular(descriptor: int, expected: os.stat_result | None = None) -> int:
    """Return the descriptor if it is a regular file, and the expected one if given; otherwise close it.

    Raises:
        FileAccessError: it is something else.
    """
    try:
        found = os.fstat(descriptor)
        _refuse_special(found)
        _refuse_other(found, expected or found)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check_open_check(anchor: str, names: Sequence[str]) -> int:
    """Check every name of the path, open the file, and check again that it is the same one.

    Raises:
        OSError: a name cannot be opened.
        FileAccessError: there is a link in the path, the last name is not a regular file, or the tree changed
            meanwhile.
    """
    expected = _refuse_links(anchor, names)
    _refuse_special(expected)
    descriptor = _regular(os.open(os.path.join(anchor, *names), _READ), expected)  # noqa: PTH118 - pathlib folds names
    try:
        _refuse_other(_refuse_links(anchor, names), expected)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _refuse_links(anchor: str, names: Sequence[str]) -> os.stat_result:
    """Return the status of the last name, if there is no link in the path.

    Raises:
        OSError: a name cannot be looked up.
        FileAccessError: a name is that of a link.
    """
    path = anchor
    found = os.lstat(path)
    for name in names:
        path = os.path.join(path, name)  # noqa: PTH118 - pathlib folds names
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode) or getattr(found, "st_file_attributes", 0) & _REPARSE_POINT:
            raise file_error("symlink")
    return found


def _refuse_special(found: os.stat_result) -> None:
    """Check that this is a regular file.

    Raises:
        FileAccessError: it is not; the code says what it is.
    """
    if stat.S_ISREG(found.st_mode):
        return
    if stat.S_ISLNK(found.st_mode):
        raise file_error("symlink")
    raise file_error("is_directory" if stat.S_ISDIR(found.st_mode) else "not_regular")


def _refuse_other(found: os.stat_result, expected: os.stat_result) -> None:
    """Check that two results are of the same file.

    Raises:
        FileAccessError: they are not.
    """
    if not os.path.samestat(found, expected):
        raise file_error("changed")
