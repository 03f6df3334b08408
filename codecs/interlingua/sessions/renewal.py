"""Rewrites the old rows of a session in the current version, with one row per message.

Loading never does this: a session of an older version is only read. It happens when a transcript that was loaded from
old rows replaces a message or forks, which requires a row per message. Unreadable rows stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlingua.errors import SessionConflictError
from interlingua.sessions.bookmark import Bookmark, BranchMark
from interlingua.sessions.documents import prepared
from interlingua.sessions.queries import branches_of, last_row, length_of, places_of, row_numbers
from interlingua.sessions.rows import read_rows
from interlingua.sessions.writing import collect, insert_message

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence

    from interlingua.model import AnyMessage
    from interlingua.sessions.queries import Place

__all__ = ["renewed"]


def renewed(connection: sqlite3.Connection, session_id: str, bookmark: Bookmark) -> Bookmark:
    """Rewrite the old rows of a session, and return the transcript's new bookmark.

    Raises:
        SessionConflictError: another writer has changed the session.
        EncodeError: a message cannot be written.
    """
    for name, mark in bookmark.branches.items():
        if length_of(connection, mark.number) != mark.length:
            raise SessionConflictError(session_id, name, "another writer has changed the session")
    numbers = row_numbers(connection, bookmark.session)
    rows = read_rows(connection, numbers)
    connection.execute("PRAGMA defer_foreign_keys=ON")
    new: dict[int, list[int]] = {}
    # Every readable row gets a new number after all old ones, in the same order: row numbers keep the order of writing.
    last = last_row(connection)
    for index, number in enumerate(numbers):
        if index in rows.failures:
            continue
        if index in rows.old:
            new[number] = _split(connection, bookmark.session, number, rows.messages[index], last)
        else:
            new[number] = [last + 1]
            connection.execute("UPDATE messages SET number = ? WHERE number = ?", (last + 1, number))
            connection.execute("UPDATE media SET message = ? WHERE message = ?", (last + 1, number))
        last = new[number][-1]
    found = _placed(connection, bookmark, new)
    collect(connection)
    connection.execute("UPDATE sessions SET generation = generation + 1 WHERE number = ?", (bookmark.session,))
    return found


def _split(
    connection: sqlite3.Connection, session: int, number: int, messages: tuple[AnyMessage, ...], last: int
) -> list[int]:
    """Replace an old row by one row for each of its messages."""
    connection.execute("DELETE FROM media WHERE message = ?", (number,))
    connection.execute("DELETE FROM messages WHERE number = ?", (number,))
    new = list(range(last + 1, last + 1 + len(messages)))
    for fresh, message in zip(new, messages, strict=True):
        insert_message(connection, session, prepared(message, None), fresh)
    return new


def _placed(connection: sqlite3.Connection, bookmark: Bookmark, new: dict[int, list[int]]) -> Bookmark:
    """Write the places of every branch again, and return the new bookmark of the transcript."""
    found = bookmark.copy()
    found.generation += 1
    found.is_old = False
    for name, branch in branches_of(connection, bookmark.session):
        # A row at a negative position gets no place, and is reported as one that is on no branch.
        old = places_of(connection, branch, 0)
        places = list(_shifted(old, new))
        connection.execute("DELETE FROM places WHERE branch = ?", (branch,))
        connection.executemany(
            "INSERT INTO places VALUES (?, ?, ?)", ((branch, position, number) for position, number in places)
        )
        readable = (fresh for _, number in old for fresh in new.get(number, ()))
        if name in found.branches:
            found.branches[name] = BranchMark(branch, places[-1][0] + 1 if places else 0)
            found.branches[name].rows.extend(readable)
    return found


def _shifted(old: Sequence[Place], new: Mapping[int, Sequence[int]]) -> Iterator[Place]:
    """Yield the places of the new rows; gaps between the old ones remain."""
    shift = 0
    for position, number in old:
        fresh = new.get(number, (number,))
        yield from enumerate(fresh, position + shift)
        shift += len(fresh) - 1
