"""What is wrong with a store of sessions, or with what is read into it."""

from __future__ import annotations

from interlingua.errors.base import InterlinguaError

__all__ = [
    "JsonLinesError",
    "SessionConflictError",
    "SessionDamagedError",
    "SessionExistsError",
    "SessionNotFoundError",
    "SessionStoreBusyError",
    "SessionStoreError",
    "SessionStoreFormatError",
    "SessionStoreFullError",
    "SessionStoreMissingError",
    "SessionStoreReadOnlyError",
    "SessionStoreVersionError",
]


class SessionStoreError(InterlinguaError):
    """A session store cannot do what it was asked to, and wrote nothing: `reason` says why."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class SessionStoreMissingError(SessionStoreError):
    """There is no store at that path, and none is to be made; or it cannot be opened there."""


class SessionStoreBusyError(SessionStoreError):
    """Somebody else was writing for longer than the store waits. Trying again may help."""


class SessionStoreReadOnlyError(SessionStoreError):
    """The store may only be read."""


class SessionStoreFullError(SessionStoreError):
    """There is no room left for what was to be written."""


class SessionStoreFormatError(SessionStoreError, ValueError):
    """The file is no session store, or it is damaged."""


class SessionStoreVersionError(SessionStoreFormatError):
    """A newer release made the store: its file format is `found`, and ours is `known`. Nothing was changed."""

    def __init__(self, found: int, known: int) -> None:
        self.found = found
        self.known = known
        super().__init__(f"the store has the file format {found}; this release knows {known} and older ones")


class _SessionError(SessionStoreError, ValueError):
    """About one session: `session_id`, and the `branch` where it is about one."""

    def __init__(self, session_id: str, branch: str | None, reason: str) -> None:
        self.session_id = session_id
        self.branch = branch
        super().__init__(reason)


class SessionNotFoundError(_SessionError):
    """There is no such session, or it has no such branch."""


class SessionExistsError(_SessionError):
    """There is a session of that id already, or it has a branch of that name."""


class SessionConflictError(_SessionError):
    """Another writer was there first: the session is not where the transcript takes it to be. Load it anew."""


class SessionDamagedError(_SessionError):
    """What is stored of a session cannot be read: the row at `position` of the branch, from 0.

    The position is None where it is about the session, or about a message of which nobody knows where it stood.
    """

    def __init__(self, session_id: str, branch: str | None, position: int | None, reason: str) -> None:
        self.position = position
        super().__init__(session_id, branch, reason if position is None else f"row {position}: {reason}")


class JsonLinesError(InterlinguaError, ValueError):
    """A line of a JSONL file is no message: `line` counts from 1, `start` and `end` are its bytes in the file."""

    def __init__(self, line: int, start: int, end: int, reason: str) -> None:
        self.line = line
        self.start = start
        self.end = end
        self.reason = reason
        super().__init__(f"line {line}, bytes {start} to {end}: {reason}")
