"""The tables of a session store, and how its file is recognised, created and opened.

The file format has its own number (`PRAGMA user_version`), besides the schema version of each row. A file of a newer
format is refused before anything is written.
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
from interlingua.sessions.read_only_folder import SnapshotConnection, is_refused, open_snapshot
from interlingua.sessions.sqlite_errors import sqlite_errors_translated
from interlingua.sessions.writing import transaction

if TYPE_CHECKING:
    from pathlib import Path

FORMAT: Final = 1
"""The file format that this code writes."""

APPLICATION: Final = 0x494C5353
"""The application id of a session store: the letters ILSS."""

# A row of `places` gives a message its position in a branch; branches share the messages before their fork. `document`
# is the JSON of the message without its long base64 texts; a row of `media` says where one belongs and in which blob it
# is. `messages.media` is their number, so that a lost reference is noticed. Ids are stored in ASCII. `revision` counts
# the replaced messages of a session, `generation` how often its rows were rewritten.
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
_RETRY_SECONDS: Final = 0.01
_NOT_A_STORE: Final = "the file is another program's database"


def connect(path: Path, *, timeout: float, is_read_only: bool = False) -> sqlite3.Connection:
    """Return a connection to an existing file, configured for durability.

    Raises:
        SessionStoreError: the folder is not writable, and the file cannot be read either.
        sqlite3.Error: it cannot be opened.
    """
    connection = _connect_read_only(path, timeout) if is_read_only else _open(f"{path.as_uri()}?mode=rw", timeout)
    try:
        # Nothing in the file may run code, and deleted data is overwritten. Every commit waits for the disk.
        for pragma in ("trusted_schema=OFF", "synchronous=FULL", "fullfsync=ON", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_read_only(path: Path, timeout: float) -> SnapshotConnection:
    """Return a read-only connection, even if SQLite may not write beside the file.

    Raises:
        SessionStoreError: other processes keep writing, or there is no room for a copy.
        sqlite3.Error: it cannot be opened.
    """
    connection = _open(f"{path.as_uri()}?mode=ro", timeout)
    try:
        if not is_refused(connection):
            return connection
    except BaseException:
        connection.close()
        raise
    connection.close()
    return open_snapshot(path, lambda address: _open(address, timeout))


def _open(address: str, timeout: float) -> SnapshotConnection:
    return sqlite3.connect(
        address, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False, factory=SnapshotConnection
    )


def prepare(path: Path, *, timeout: float, may_create: bool, is_read_only: bool) -> str:
    """Create the file if it is missing, check that it is a store of a known format, and return its identity.

    Raises:
        SessionStoreError: or a subclass.
    """
    if may_create and not is_read_only:
        _create_empty_file(path)
    with sqlite_errors_translated():
        connection = connect(path, timeout=timeout, is_read_only=is_read_only)
        try:
            # Checked in one transaction, since another process may be creating the file right now.
            with transaction(connection, is_writing=False):
                is_store = _is_store(connection)
            if not is_store:
                if is_read_only:
                    raise SessionStoreFormatError("the file is empty, and not a session store")
                _create_tables(connection, timeout)
            return str(identity_of(connection))
        finally:
            connection.close()


def _create_empty_file(path: Path) -> None:
    """Create an empty file that only its owner can read, if there is none: conversations are private."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        pass
    except OSError as error:
        reason = f"no session store can be created at that path: {os.strerror(error.errno or 0)}"
        raise SessionStoreMissingError(reason) from None


def _is_store(connection: sqlite3.Connection) -> bool:
    """Tell whether the file is a session store; False if it is empty.

    Raises:
        SessionStoreFormatError: it is another kind of file, or has triggers or views, which would run code.
        SessionStoreVersionError: its format is newer.
    """
    application, version, tables, code_objects = (
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
        if code_objects:
            raise SessionStoreFormatError("the file has triggers or views, which no session store has")
        return True
    if application or version or tables:
        raise SessionStoreFormatError(_NOT_A_STORE)
    return False


def _create_tables(connection: sqlite3.Connection, timeout: float) -> None:
    """Create the tables in an empty file, all or nothing; another process may be doing the same."""
    connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    _enable_write_ahead_log(connection, timeout)
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _is_store(connection):
            for statement in _TABLES.split(";\n"):
                connection.execute(statement)
            connection.execute("INSERT INTO store VALUES (?)", (str(uuid.uuid4()),))
            connection.execute(f"PRAGMA application_id={APPLICATION}")
            connection.execute(f"PRAGMA user_version={FORMAT}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _enable_write_ahead_log(connection: sqlite3.Connection, timeout: float) -> None:
    """Switch to write-ahead logging, so that readers and a writer can work concurrently.

    SQLite does not wait if another process is changing the mode at the same time, so this function does.

    Raises:
        SessionStoreBusyError: it goes on for longer than `timeout`.
    """
    deadline = time.monotonic() + timeout
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        else:
            return
        if time.monotonic() > deadline:
            raise SessionStoreBusyError("another writer is using the store")
        time.sleep(_RETRY_SECONDS)
