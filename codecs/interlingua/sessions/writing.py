"""The single write operations, each inside a transaction of the caller."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Generator, Iterable

    from interlingua.sessions.documents import Prepared
    from interlingua.sessions.media import Medium

__all__ = [
    "add_branch",
    "add_message",
    "add_messages",
    "add_session",
    "delete_session",
    "delete_unused_blobs",
    "free_disk_space",
    "insert_message",
    "set_active",
    "set_metadata",
    "touch",
    "transaction",
    "update_message",
]

_INSERT: Final = (
    "INSERT INTO messages (number, session, schema_version, id, is_escaped, media, document)"
    " VALUES (?, ?, ?, ?, ?, ?, CAST(? AS TEXT))"
)
_UPDATE: Final = (
    "UPDATE messages SET schema_version = ?, id = ?, is_escaped = ?, media = ?, document = CAST(? AS TEXT),"
    " revision = ? WHERE number = ?"
)


@contextmanager
def transaction(connection: sqlite3.Connection, *, is_writing: bool = True) -> Generator[None]:
    """Run the block in a transaction, which is committed at the end or rolled back on an error."""
    connection.execute("BEGIN IMMEDIATE" if is_writing else "BEGIN")
    try:
        yield
        if is_writing:
            connection.execute("COMMIT")
    finally:
        # A read has nothing to commit, and SQLite would refuse to commit after reading a damaged page. After a full
        # disk SQLite has already rolled back.
        connection.rollback()


def add_session(
    connection: sqlite3.Connection, identifier: str, branch: str, metadata: str, moment: str
) -> tuple[int, int]:
    """Add a session with one branch, and return the numbers of both."""
    session = _added(
        connection,
        "INSERT INTO sessions (id, branch, metadata, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
        (identifier, branch, metadata, moment, moment),
    )
    return session, add_branch(connection, session, branch)


def add_branch(
    connection: sqlite3.Connection, session: int, name: str, source: int | None = None, shared: int = 0
) -> int:
    """Add a branch that begins with the first `shared` messages of another, and return its number."""
    branch = _added(connection, "INSERT INTO branches (session, name) VALUES (?, ?)", (session, name))
    if source is not None:
        connection.execute(
            "INSERT INTO places SELECT ?, position, message FROM places WHERE branch = ? AND position < ?",
            (branch, source, shared),
        )
    return branch


def add_message(connection: sqlite3.Connection, session: int, branch: int, position: int, message: Prepared) -> int:
    """Add a message at a position, and return its number."""
    number = insert_message(connection, session, message)
    connection.execute("INSERT INTO places VALUES (?, ?, ?)", (branch, position, number))
    return number


def add_messages(
    connection: sqlite3.Connection, session: int, branch: int, position: int, messages: Iterable[Prepared]
) -> None:
    """Add messages from a position on."""
    for index, message in enumerate(messages):
        add_message(connection, session, branch, position + index, message)


def insert_message(connection: sqlite3.Connection, session: int, message: Prepared, number: int | None = None) -> int:
    """Insert the row of a message, with the given or the next number, and return the number."""
    values = (number, session, message.version, message.id, message.is_escaped, len(message.media), message.text)
    number = _added(connection, _INSERT, values)
    for medium in message.media:
        _add_medium(connection, number, medium)
    return number


def update_message(connection: sqlite3.Connection, number: int, message: Prepared, revision: int) -> None:
    """Replace a message, on every branch that has it."""
    blobs = _blobs_of(connection, "message = ?", number)
    connection.execute("DELETE FROM media WHERE message = ?", (number,))
    connection.execute(
        _UPDATE, (message.version, message.id, message.is_escaped, len(message.media), message.text, revision, number)
    )
    for medium in message.media:
        _add_medium(connection, number, medium)
    delete_unused_blobs(connection, blobs)


def delete_session(connection: sqlite3.Connection, session: int) -> None:
    """Delete a session, and the media that no other session refers to."""
    own = "message IN (SELECT number FROM messages WHERE session = ?)"
    blobs = _blobs_of(connection, own, session)
    for statement in (
        "DELETE FROM places WHERE branch IN (SELECT number FROM branches WHERE session = ?)",
        f"DELETE FROM media WHERE {own}",  # noqa: S608  # the text stands above
        "DELETE FROM messages WHERE session = ?",
        "DELETE FROM branches WHERE session = ?",
        "DELETE FROM sessions WHERE number = ?",
    ):
        connection.execute(statement, (session,))
    delete_unused_blobs(connection, blobs)


def free_disk_space(connection: sqlite3.Connection) -> None:
    """Free the space of deleted data, and truncate the log, unless readers still use it."""
    for pragma in ("incremental_vacuum", "wal_checkpoint(TRUNCATE)"):
        connection.execute(f"PRAGMA {pragma}").fetchall()


def delete_unused_blobs(connection: sqlite3.Connection, blobs: Collection[int] | None = None) -> int:
    """Delete the blobs, of those given or of all, that no message refers to, and return their number."""
    unused = "DELETE FROM blobs WHERE NOT EXISTS (SELECT 1 FROM media WHERE media.blob = blobs.number)"
    if blobs is None:
        return connection.execute(unused).rowcount
    return sum(connection.execute(f"{unused} AND number = ?", (blob,)).rowcount for blob in blobs)


def set_active(connection: sqlite3.Connection, session: int, branch: str) -> None:
    """Make a branch the active one."""
    connection.execute("UPDATE sessions SET branch = ? WHERE number = ?", (branch, session))


def set_metadata(connection: sqlite3.Connection, session: int, metadata: str) -> None:
    """Replace the metadata of a session."""
    connection.execute("UPDATE sessions SET metadata = ? WHERE number = ?", (metadata, session))


def touch(connection: sqlite3.Connection, session: int, moment: str) -> None:
    """Record when a session was last written."""
    connection.execute("UPDATE sessions SET updated_at = ? WHERE number = ?", (moment, session))


def _add_medium(connection: sqlite3.Connection, message: int, medium: Medium) -> None:
    """Refer to media bytes, which are stored once. Damaged stored bytes are replaced."""
    row = connection.execute(
        "SELECT number, data = ? FROM blobs WHERE digest = ?", (medium.data, medium.digest)
    ).fetchone()
    if row is None:
        blob = _added(connection, "INSERT INTO blobs (digest, data) VALUES (?, ?)", (medium.digest, medium.data))
    else:
        blob, is_whole = row
        if not is_whole:
            connection.execute("UPDATE blobs SET data = ? WHERE number = ?", (medium.data, blob))
    connection.execute("INSERT INTO media VALUES (?, ?, ?, ?)", (message, medium.place, medium.encoding, blob))


def _blobs_of(connection: sqlite3.Connection, condition: str, value: int) -> set[int]:
    query = f"SELECT DISTINCT blob FROM media WHERE {condition}"  # noqa: S608  # the conditions stand above
    return {blob for (blob,) in connection.execute(query, (value,))}


def _added(connection: sqlite3.Connection, statement: str, values: tuple[Any, ...]) -> int:
    number = connection.execute(statement, values).lastrowid
    if number is None:
        raise AssertionError  # a successful INSERT has a row id
    return number
