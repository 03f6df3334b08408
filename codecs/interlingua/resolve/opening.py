"""Opening a file by names that a stranger gave, so that no link and no device is followed, whoever changes the tree.

Where the system can open relative to a directory that is open (Linux, macOS, BSD), the path is walked from the root,
one name at a time, each without following links: what is opened is what the names say at that moment, and nothing is
looked at first and opened later. Elsewhere (Windows) the path is checked, opened and checked again, and what is opened
must be the file that both looks showed. That defeats a link that is put there at any one moment; not a program that
swaps directories there and back several times, each at the right moment.
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
"""Whether the system opens relative to an open directory."""

# Flags that a system does not have are 0 there. O_PATH opens a directory that may be entered and not be listed;
# O_NONBLOCK keeps a pipe without a writer from holding us up.
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
_REPARSE_POINT: Final = 0x400  # of Windows: links, junctions, files that are elsewhere

_CODES: Final[Mapping[int | None, FileCode]] = {
    errno.ENOENT: "not_found",
    errno.ENOTDIR: "not_found",
    errno.EINVAL: "not_found",  # a name that this file system cannot hold
    errno.EILSEQ: "not_found",
    errno.ENAMETOOLONG: "path_too_long",
    errno.ELOOP: "symlink",
    errno.EMLINK: "symlink",  # what FreeBSD says of a link
    errno.EACCES: "not_readable",
    errno.EPERM: "not_readable",
    errno.EISDIR: "is_directory",
    errno.ENXIO: "not_regular",
    errno.ENODEV: "not_regular",
}


def open_regular(anchor: str, names: Sequence[str], *, allow_hard_links: bool = False) -> int:
    """Return a descriptor of the regular file that the names lead to from the anchor (`/`); the caller closes it.

    Raises:
        FileAccessError: there is no such file, it is none that may be read, or a link stands on the way.
    """
    if not names:
        raise file_error("is_directory")
    try:
        descriptor = _walk(anchor, names) if CAN_WALK else _check_around(anchor, names)
    except OSError as error:
        refused = file_error(_CODES.get(error.errno, "io_error"))
    else:
        return _only_if_single_link(descriptor, allow_hard_links=allow_hard_links)
    # Outside the handler: the cause would repeat the path.
    raise refused


def _only_if_single_link(descriptor: int, *, allow_hard_links: bool) -> int:
    """Return the descriptor of a file that has one name only; that of any other file is closed.

    Raises:
        FileAccessError: the file has several names, and may not.
    """
    if allow_hard_links or os.fstat(descriptor).st_nlink <= 1:
        return descriptor
    os.close(descriptor)
    raise file_error("hard_link")


def _walk(anchor: str, names: Sequence[str]) -> int:
    """Open each directory relative to the one before, and the file relative to the last, and follow no link.

    Raises:
        OSError: a name cannot be opened.
        FileAccessError: a link stands on the way, or the last name is no regular file's.
    """
    directory = os.open(anchor, _ENTER)
    try:
        for name in names[:-1]:
            inner = _enter(directory, name)
            os.close(directory)
            directory = inner
        # A device may act when it is merely opened, so the kind is asked first; what was opened is asked again.
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
        # Systems differ in what they say of a link where a directory is wanted.
        found = os.stat(name, dir_fd=directory, follow_symlinks=False)
    raise file_error("symlink" if stat.S_ISLNK(found.st_mode) else "not_found")


def _regular(descriptor: int, expected: os.stat_result | None = None) -> int:
    """Return the descriptor of a regular file, the expected one where one is; that of anything else is closed.

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


def _check_around(anchor: str, names: Sequence[str]) -> int:
    """Check every name on the way, open the file, and check again that it is the one that was checked.

    Raises:
        OSError: a name cannot be opened.
        FileAccessError: a link stands on the way, the last name is no regular file's, or the tree changed meanwhile.
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
    """Return what the last name stands for, if no link stands on the way.

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
    """Return if this is a regular file.

    Raises:
        FileAccessError: it is not; the code says what it is.
    """
    if stat.S_ISREG(found.st_mode):
        return
    if stat.S_ISLNK(found.st_mode):
        raise file_error("symlink")
    raise file_error("is_directory" if stat.S_ISDIR(found.st_mode) else "not_regular")


def _refuse_other(found: os.stat_result, expected: os.stat_result) -> None:
    """Return if two looks showed one file.

    Raises:
        FileAccessError: they showed two.
    """
    if not os.path.samestat(found, expected):
        raise file_error("changed")
