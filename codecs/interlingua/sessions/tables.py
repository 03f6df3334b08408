"""The tables of a session store, and how its file is known, made and opened.

The file format has a number of its own (`PRAGMA user_version`), beside the schema version that every row carries. A
format that is newer than this code is refused before anything is written.
"""

from __future__ import annotations

import os
import sqlite3
import time
import uuid
from typing import TYPE_CHECKING, Final

from interlingua.errors import (
    SessionStoreBusyError,
    SessionStoreFormatError,
    SessionStoreMissingError,
    SessionStoreVersionError,
)
from interlingua.sessions.queries import identity_of
from interlingua.sessions.read_only_folder import FixedConnection, is_refused, opened_fixed
from interlingua.sessions.sqlite_errors import translated
from interlingua.sessions.writing import transaction

if TYPE_CHECKING:
    from pathlib import Path

FORMAT: Final = 1
"""The file format that this code writes."""

APPLICATION: Final = 0x494C5353
"""What marks the file as a session store: the letters ILSS."""

# A row of `places` says which message stands where in a branch; branches share the messages before they part.
# `document` is the text of the message, in which long base64 texts are cut out; a row of `media` says where one belongs
# and in which blob it is. `messages.media` counts them, so that a lost reference shows. Ids are kept in ASCII.
# `revision` counts the messages of a session that were replaced, `generation` how often its rows were laid out anew.
_TABLES: Final = """
CREATE TABLE store (identity TEXT NOT NULL);
CREATE TABLE sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    branch TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0,
    generation INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE branches (
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions,
    name TEXT NOT NULL,
    UNIQUE (session, name)
);
CREATE TABLE messages (
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions,
    schema_version INTEGER NOT NULL,
    id TEXT,
    revision INTEGER NOT NULL DEFAULT 0,
    is_escaped INTEGER NOT NULL DEFAULT 0,
    media INTEGER NOT NULL DEFAULT 0,
    document TEXT NOT NULL
);
CREATE INDEX messages_of_session ON messages (session, id);
CREATE TABLE places (
    branch INTEGER NOT NULL REFERENCES branches,
    position INTEGER NOT NULL,
    message INTEGER NOT NULL REFERENCES messages,
    PRIMARY KEY (branch, position)
) WITHOUT ROWID;
CREATE INDEX places_of_message ON places (message);
CREATE TABLE blobs (
    number INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    data BLOB NOT NULL
);
CREATE TABLE media (
    message INTEGER NOT NULL REFERENCES messages,
    place TEXT NOT NULL,
    encoding TEXT NOT NULL,
    blob INTEGER NOT NULL REFERENCES blobs,
    PRIMARY KEY (message, place)
) WITHOUT ROWID;
CREATE INDEX media_of_blob ON media (blob);
"""
_PAUSE: Final = 0.01
_FOREIGN: Final = "the file is another program's database"


def connect(path: Path, *, timeout: float, is_read_only: bool = False) -> sqlite3.Connection:
    """Return a connection to a file that exists, set up to lose nothing.

    Raises:
        SessionStoreError: it can only be read, and not even that.
        sqlite3.Error: it cannot be opened.
    """
    connection = _readable(path, timeout) if is_read_only else _opened(f"{path.as_uri()}?mode=rw", timeout)
    try:
        # Nothing in the file may run code, and what is deleted is overwritten. The disk is waited for at every commit.
        for pragma in ("trusted_schema=OFF", "synchronous=FULL", "fullfsync=ON", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def _readable(path: Path, timeout: float) -> FixedConnection:
    """Return a connection that reads, where SQLite may not write beside the file too.

    Raises:
        SessionStoreError: others go on writing, or there is no room for a copy.
        sqlite3.Error: it cannot be opened.
    """
    connection = _opened(f"{path.as_uri()}?mode=ro", timeout)
    try:
        if not is_refused(connection):
            return connection
    except BaseException:
        connection.close()
        raise
    connection.close()
    return opened_fixed(path, lambda address: _opened(address, timeout))


def _opened(address: str, timeout: float) -> FixedConnection:
    return sqlite3.connect(
        address, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False, factory=FixedConnection
    )


def prepare(path: Path, *, timeout: float, is_made: bool, is_read_only: bool) -> str:
    """Make the file where there is none, check that it is a store of a format we know, and return its identity.

    Raises:
        SessionStoreError: or the class of it that fits.
    """
    if is_made and not is_read_only:
        _touch(path)
    with translated():
        connection = connect(path, timeout=timeout, is_read_only=is_read_only)
        try:
            # One look at all of it: another process may be making the file right now.
            with transaction(connection, is_writing=False):
                is_known = _is_known(connection)
            if not is_known:
                if is_read_only:
                    raise SessionStoreFormatError("the file is empty, and not a session store")
                _make(connection, timeout)
            return str(identity_of(connection))
        finally:
            connection.close()


def _touch(path: Path) -> None:
    """Make an empty file that only its owner can read, where there is none: conversations are nobody else's."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        pass
    except OSError as error:
        reason = f"no session store can be created at that path: {os.strerror(error.errno or 0)}"
        raise SessionStoreMissingError(reason) from None


def _is_known(connection: sqlite3.Connection) -> bool:
    """Tell whether the file is a store of ours, False if it is empty.

    Raises:
        SessionStoreFormatError: it is neither, or of a newer format, or it has code in it that would run when we write.
    """
    application, version, tables, code = (
        connection.execute(query).fetchone()[0]
        for query in (
            "PRAGMA application_id",
            "PRAGMA user_version",
            "SELECT count(*) FROM sqlite_master",
            "SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index')",
        )
    )
    if application == APPLICATION:
        if version > FORMAT:
            raise SessionStoreVersionError(version, FORMAT)
        if code:
            raise SessionStoreFormatError("the file has triggers or views, which no session store has")
        return True
    if application or version or tables:
        raise SessionStoreFormatError(_FOREIGN)
    return False


def _make(connection: sqlite3.Connection, timeout: float) -> None:
    """Make the tables in an empty file, all or nothing; another process may be doing the same."""
    connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    _write_ahead(connection, timeout)
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _is_known(connection):
            for statement in _TABLES.split(";\n"):
                connection.execute(statement)
            connection.execute("INSERT INTO store VALUES (?)", (str(uuid.uuid4()),))
            connection.execute(f"PRAGMA application_id={APPLICATION}")
            connection.execute(f"PRAGMA user_version={FORMAT}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _write_ahead(connection: sqlite3.Connection, timeout: float) -> None:
    """Let readers and a writer work side by side.

    SQLite does not wait when another process is changing the mode at the same time, so we do.

    Raises:
        SessionStoreBusyError: it goes on for longer than `timeout`.
    """
    end = time.monotonic() + timeout
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        else:
            return
        if time.monotonic() > end:
            raise SessionStoreBusyError("another writer is using the store")
        time.sleep(_PAUSE)
