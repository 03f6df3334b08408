"""Reads the files that messages refer to, with the agent's permissions and only under the requested path.

The order of the checks is fixed: the path, the line range, the location, the role's permission; only then is the file
system accessed. Every refusal has a code of `FILE_CODES`.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import PurePath, PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

from interlingua.argument_checks import check_count, check_function, check_kind_of, check_method, check_path
from interlingua.clock import timestamp_text, utc_now
from interlingua.errors import FileAccessError
from interlingua.model import Failure, FileReferenceMessage
from interlingua.resolve import file_text
from interlingua.resolve.file_codes import file_error
from interlingua.resolve.file_policy import RolePolicy
from interlingua.resolve.safe_open import open_regular
from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import check_text
from interlingua_types._paths import check_lines, normal_path, path_problem

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from interlingua.resolve.file_policy import FilePolicy

__all__ = ["MAX_FILE_BYTES", "FileResolver"]

MAX_FILE_BYTES: Final = 1_000_000
"""The default limit for the bytes of a file.

Example:
    >>> il.resolve.MAX_FILE_BYTES
    1000000
"""

# Virtual file systems of the kernel: reading a file there may reveal secrets, never end, or have effects.
_VIRTUAL: Final = tuple(PurePosixPath(root) for root in ("/proc", "/sys", "/dev"))


class _Place(NamedTuple):
    """The location of a file: the path for the policy, and how it is opened."""

    requested_path: PurePosixPath
    anchor: str
    names: tuple[str, ...]


class FileResolver:
    """Reads the files that messages refer to.

    `workspace` is the directory of relative paths; links in its own path are followed once, here. `policy` decides who
    may read what; by default the roles of `READING_ROLES` may read in the workspace and nothing outside. `max_bytes`
    limits the size of a file. A hard link may point to a file outside, and is refused unless `allow_hard_links`. `now`
    is the clock.

    Raises:
        InvalidArgumentError: the workspace is empty or not a path, or `max_bytes` is not a positive number.

    Example:
        >>> from pathlib import Path
        >>> written = Path("plan.md").write_text("Read the sign.")
        >>> files = il.FileResolver(".")
        >>> files.resolve(il.messages.file("plan.md"), agent_role="planner").data.content
        'Read the sign.'
    """

    def __init__(
        self,
        workspace: str | os.PathLike[str] | None = None,
        policy: FilePolicy | None = None,
        *,
        max_bytes: int = MAX_FILE_BYTES,
        allow_hard_links: bool = False,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        if policy is not None:
            check_method(policy, "policy", "allows")
        check_function(now, "now")
        self._max_bytes = check_count(max_bytes, "max_bytes")
        if self._max_bytes < 1:
            raise InvalidArgumentError("max_bytes must be at least 1")
        self._roots = () if workspace is None else _roots(workspace)
        self._policy: FilePolicy = RolePolicy() if policy is None else policy
        self._allow_hard_links = allow_hard_links
        self._now = now

    def resolve(self, message: FileReferenceMessage, *, agent_role: str) -> FileReferenceMessage:
        """Return the message with the text of its file, or with the reason why it could not be read.

        A message that is already resolved or failed is returned as it is; `retry` tries again. A refusal of the file
        system or the policy is stored in the message: `status` failed, and `error` with a code of `FILE_CODES`.

        Raises:
            InvalidArgumentError: the role is not a string.
            TypeError: the message is not a file reference.
        """
        check_kind_of(message, FileReferenceMessage)
        return message if message.data.status == "failed" else self.retry(message, agent_role=agent_role)

    async def resolve_async(self, message: FileReferenceMessage, *, agent_role: str) -> FileReferenceMessage:
        """Do what `resolve` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.resolve, message, agent_role=agent_role)

    def retry(self, message: FileReferenceMessage, *, agent_role: str) -> FileReferenceMessage:
        """Return the message after another attempt, unless it is already resolved.

        `error.retryable` says whether this may help without a change of the file, the policy or the role.

        Raises:
            InvalidArgumentError: the role is not a string.
            TypeError: the message is not a file reference.
        """
        check_kind_of(message, FileReferenceMessage)
        data = message.data
        if data.status == "resolved" and data.content is not None:
            return message
        try:
            content = self.read(data.path, agent_role=agent_role, start_line=data.start_line, end_line=data.end_line)
        except FileAccessError as error:
            failure = Failure(code=error.code, message=error.reason, retryable=error.retryable)
            failed = data.replace(status="failed", error=failure, content=None, resolved_at=None)
            return message.replace(data=failed)
        moment = timestamp_text(self._now)
        return message.replace(data=data.replace(status="resolved", content=content, error=None, resolved_at=moment))

    async def retry_async(self, message: FileReferenceMessage, *, agent_role: str) -> FileReferenceMessage:
        """Do what `retry` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.retry, message, agent_role=agent_role)

    def read(self, path: str, *, agent_role: str, start_line: int | None = None, end_line: int | None = None) -> str:
        """Return the text of a file; with a range, only its lines, each prefixed with its number.

        Lines count from 1, and the range includes both ends; an omitted end is that of the file. The text of a whole
        file is returned unchanged, except for a byte order mark.

        Raises:
            FileAccessError: the file is not read; `code` is one of `FILE_CODES`.
            InvalidArgumentError: path or role is not a string.
        """
        try:
            check_lines(start_line, end_line)
        except InvalidArgumentError as error:
            refused = file_error("bad_range", path, str(error))
        else:
            return self._read_text(path, agent_role, start_line, end_line)
        raise refused

    async def read_async(
        self, path: str, *, agent_role: str, start_line: int | None = None, end_line: int | None = None
    ) -> str:
        """Do what `read` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.read, path, agent_role=agent_role, start_line=start_line, end_line=end_line)

    def read_bytes(self, path: str, *, agent_role: str, max_bytes: int | None = None) -> bytes:
        """Return the bytes of a file, under the same rules as `read`.

        `max_bytes` replaces the resolver's limit, since images are larger than text files.

        Raises:
            FileAccessError: the file is not read; `code` is one of `FILE_CODES`.
            InvalidArgumentError: path or role is not a string.
        """
        if max_bytes is not None:
            max_bytes = check_count(max_bytes, "max_bytes")
        return self._read(path, agent_role, None, max_bytes)

    async def read_bytes_async(self, path: str, *, agent_role: str, max_bytes: int | None = None) -> bytes:
        """Do what `read_bytes` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.read_bytes, path, agent_role=agent_role, max_bytes=max_bytes)

    def _read_text(self, path: str, agent_role: str, start_line: int | None, end_line: int | None) -> str:
        data = self._read(path, agent_role, end_line)
        try:
            text = file_text.decode(data)
            is_whole = start_line is None and end_line is None
            return text if is_whole else file_text.marked_lines(text, start_line, end_line)
        except FileAccessError as error:
            error.path = path
            raise

    def _read(self, path: str, agent_role: str, last_line: int | None, max_bytes: int | None = None) -> bytes:
        """Return the bytes of a file, or as many as include `last_line`.

        Raises:
            FileAccessError: the path is invalid, the policy refuses it, or the file cannot be read.
        """
        check_text(agent_role, "agent_role", may_be_empty=True)
        place = self._place(check_text(path, "path", may_be_empty=True))
        # Only True is a permission: a coroutine that was not awaited would be truthy.
        if self._policy.allows(agent_role, place.requested_path, "read") is not True:
            raise file_error("outside_workspace" if place.requested_path.is_absolute() else "permission_denied", path)
        try:
            return self._open_and_read(place, last_line, self._max_bytes if max_bytes is None else max_bytes)
        except FileAccessError as error:
            error.path = path
            raise

    def _open_and_read(self, place: _Place, last_line: int | None, max_bytes: int) -> bytes:
        descriptor = open_regular(place.anchor, place.names, allow_hard_links=self._allow_hard_links)
        try:
            return file_text.read_bytes(descriptor, max_bytes, last_line)
        except OSError:
            pass
        finally:
            os.close(descriptor)
        # Raised outside the handler: the cause would reveal more of the system than the code.
        raise file_error("io_error")

    def _place(self, path: str) -> _Place:
        """Return the location of a file, by its path alone.

        Raises:
            FileAccessError: the path is invalid, relative without a workspace, or in a virtual file system.
        """
        problem = path_problem(path)
        if problem is not None:
            raise file_error(problem, path)
        requested_path = PurePosixPath(normal_path(path))
        for root in self._roots:
            if requested_path.is_absolute() and requested_path.is_relative_to(root.as_posix()):
                requested_path = requested_path.relative_to(root.as_posix())
        if requested_path.is_absolute():
            return _Place(requested_path, "/", _path_names(requested_path, path))
        if not self._roots:
            raise file_error("no_workspace", path)
        root = self._roots[0]
        if not any(PurePosixPath(root.as_posix()).is_relative_to(virtual) for virtual in _VIRTUAL):
            _path_names(PurePosixPath(root.as_posix()) / requested_path, path)
        return _Place(requested_path, root.anchor, (*root.parts[1:], *requested_path.parts))


def _roots(workspace: str | os.PathLike[str]) -> tuple[PurePath, ...]:
    """Return the real path of the workspace, and its path as given.

    Raises:
        InvalidArgumentError: it is empty, or not a path.
    """
    check_path(workspace, "workspace")
    named = check_text(os.fspath(workspace), "workspace")
    if "\0" in named:
        raise InvalidArgumentError("workspace must not contain NUL")
    return PurePath(os.path.realpath(named)), PurePath(os.path.abspath(named))  # noqa: PTH100 - no file system is asked


def _path_names(absolute: PurePosixPath, path: str) -> tuple[str, ...]:
    """Return the names of an absolute path.

    Raises:
        FileAccessError: it is in a virtual file system.
    """
    if any(absolute.is_relative_to(virtual) for virtual in _VIRTUAL):
        raise file_error("virtual_file", path)
    return absolute.parts[1:]
