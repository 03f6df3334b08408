"""Errors of session stores and JSONL imports."""

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
    """A session store operation failed, and nothing was written: `reason` says why.

    Example:
        >>> try:
        ...     il.SessionStore("missing/sessions.db")
        ... except il.SessionStoreError as error:
        ...     print(type(error).__name__)
        SessionStoreMissingError
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class SessionStoreMissingError(SessionStoreError):
    """There is no store at that path, and none is to be made; or it cannot be opened there.

    Example:
        >>> try:
        ...     il.SessionStore("sessions.db", create=False)
        ... except il.SessionStoreMissingError as error:
        ...     print(error.reason)
        the file does not exist, or may not be opened
    """


class SessionStoreBusyError(SessionStoreError):
    """Somebody else was writing for longer than the store waits. Trying again may help.

    Example:
        >>> import sqlite3
        >>> with il.SessionStore("sessions.db", timeout=0.01) as store:
        ...     other = sqlite3.connect("sessions.db", isolation_level=None)
        ...     writing = other.execute("begin immediate")
        ...     try:
        ...         store.create("s1")
        ...     except il.SessionStoreBusyError as error:
        ...         print(error.reason)
        ...     other.close()
        another writer is using the store
    """


class SessionStoreReadOnlyError(SessionStoreError):
    """The store is read-only.

    Example:
        >>> il.SessionStore("sessions.db").close()
        >>> with il.SessionStore("sessions.db", read_only=True) as store:
        ...     try:
        ...         store.create("s1")
        ...     except il.SessionStoreReadOnlyError as error:
        ...         print(error.reason)
        the store was opened for reading only
    """


class SessionStoreFullError(SessionStoreError):
    """There is no space left for the data to write.

    Example:
        >>> print(isinstance(il.SessionStoreFullError("the disk is full"), il.SessionStoreError))
        True
    """


class SessionStoreFormatError(SessionStoreError, ValueError):
    """The file is no session store, or it is damaged.

    Example:
        >>> from pathlib import Path
        >>> written = Path("notes.txt").write_text("This is no store. " * 100)
        >>> try:
        ...     il.SessionStore("notes.txt")
        ... except il.SessionStoreFormatError as error:
        ...     print(error.reason)
        the file is not a session store, or it is damaged
    """


class SessionStoreVersionError(SessionStoreFormatError):
    """A newer release wrote the store: its format is `found`, the newest supported one `known`. Nothing was changed.

    Example:
        >>> import sqlite3
        >>> il.SessionStore("sessions.db").close()
        >>> with sqlite3.connect("sessions.db") as file:
        ...     newer = file.execute("pragma user_version = 99")
        >>> try:
        ...     il.SessionStore("sessions.db")
        ... except il.SessionStoreVersionError as error:
        ...     print(error.found > error.known)
        True
    """

    def __init__(self, found: int, known: int) -> None:
        self.found = found
        self.known = known
        super().__init__(f"the store has file format {found}; this release reads {known} and older")


class _SessionError(SessionStoreError, ValueError):
    """An error about one session, `session_id`, and possibly one `branch` of it."""

    def __init__(self, session_id: str, branch: str | None, reason: str) -> None:
        self.session_id = session_id
        self.branch = branch
        super().__init__(reason)


class SessionNotFoundError(_SessionError):
    """There is no such session, or it has no such branch.

    Example:
        >>> with il.SessionStore("sessions.db") as store:
        ...     try:
        ...         store.load("s1")
        ...     except il.SessionNotFoundError as error:
        ...         print(error.session_id)
        s1
    """


class SessionExistsError(_SessionError):
    """A session with that id, or a branch with that name, already exists.

    Example:
        >>> with il.SessionStore("sessions.db") as store:
        ...     first = store.create("s1")
        ...     try:
        ...         store.create("s1")
        ...     except il.SessionExistsError as error:
        ...         print(error.session_id)
        s1
    """


class SessionConflictError(_SessionError):
    """Another writer has changed the session since the transcript was loaded. Load it again.

    Example:
        >>> with il.SessionStore("sessions.db") as store:
        ...     mine = il.Transcript([il.messages.user("Hi")], id="s1")
        ...     saved = store.save(mine)
        ...     theirs = store.load("s1").transcript
        ...     for one in (theirs, mine):
        ...         message = one.append(il.messages.user("Me first."))
        ...     saved = store.save(theirs)
        ...     try:
        ...         saved = store.save(mine)
        ...     except il.SessionConflictError as error:
        ...         print(error.session_id, error.branch)
        s1 main
    """


class SessionDamagedError(_SessionError):
    """Stored data of a session cannot be read: the row at `position` of the branch, from 0.

    The position is None if the session itself is damaged, or a message whose position is unknown.

    Example:
        >>> import sqlite3
        >>> with il.SessionStore("sessions.db") as store:
        ...     saved = store.save(il.Transcript([il.messages.user("Hi")], id="s1"))
        >>> with sqlite3.connect("sessions.db") as file:
        ...     damaged = file.execute("update messages set document = '{'")
        >>> with il.SessionStore("sessions.db") as store:
        ...     try:
        ...         store.load("s1")
        ...     except il.SessionDamagedError as error:
        ...         print(error.session_id, error.position)
        s1 0
    """

    def __init__(self, session_id: str, branch: str | None, position: int | None, reason: str) -> None:
        self.position = position
        super().__init__(session_id, branch, reason if position is None else f"row {position}: {reason}")


class JsonLinesError(InterlinguaError, ValueError):
    r"""A line of a JSONL file is not a message: `line` counts from 1, `start` and `end` are its byte offsets.

    Example:
        >>> import io
        >>> try:
        ...     list(il.sessions.read_jsonl(io.BytesIO(b'{"a": 1}\n{"a": \n')))
        ... except il.JsonLinesError as error:
        ...     print(error.line, error.start, error.end)
        2 9 14
    """

    def __init__(self, line: int, start: int, end: int, reason: str) -> None:
        self.line = line
        self.start = start
        self.end = end
        self.reason = reason
        super().__init__(f"line {line}, bytes {start} to {end}: {reason}")
