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
from interlingua.sessions.writing import delete_unused_blobs, insert_message

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence

    from interlingua.model import AnyMessage
    from interlingua.sessions.queries import Place

__all__ = ["rewrite_old_rows"]


def rewrite_old_rows(connection: sqlite3.Connection, session_id: str, bookmark: Bookmark) -> Bookmark:
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
    new_numbers: dict[int, list[int]] = {}
    # Every readable row gets a new number after all old ones, in the same order: row numbers keep the order of writing.
    last_number = last_row(connection)
    for index, number in enumerate(numbers):
        if index in rows.failures:
            continue
        if index in rows.old:
            new_numbers[number] = _split_row(connection, bookmark.session, number, rows.messages[index], last_number)
        else:
            new_numbers[number] = [last_number + 1]
            connection.execute("UPDATE messages SET number = ? WHERE number = ?", (last_number + 1, number))
            connection.execute("UPDATE media SET message = ? WHERE message = ?", (last_number + 1, number))
        last_number = new_numbers[number][-1]
    updated = _rewrite_places(connection, bookmark, new_numbers)
    delete_unused_blobs(connection)
    connection.execute("UPDATE sessions SET generation = generation + 1 WHERE number = ?", (bookmark.session,))
    return updated


def _split_row(
    connection: sqlite3.Connection, session: int, number: int, messages: tuple[AnyMessage, ...], last_number: int
) -> list[int]:
    """Replace an old row by one row for each of its messages."""
    connection.execute("DELETE FROM media WHERE message = ?", (number,))
    connection.execute("DELETE FROM messages WHERE number = ?", (number,))
    new_numbers = list(range(last_number + 1, last_number + 1 + len(messages)))
    for new_number, message in zip(new_numbers, messages, strict=True):
        insert_message(connection, session, prepared(message, None), new_number)
    return new_numbers


def _rewrite_places(connection: sqlite3.Connection, bookmark: Bookmark, new_numbers: dict[int, list[int]]) -> Bookmark:
    """Write the places of every branch again, and return the new bookmark of the transcript."""
    updated = bookmark.copy()
    updated.generation += 1
    updated.is_old = False
    for name, branch in branches_of(connection, bookmark.session):
        # A row at a negative position gets no place, and is reported as one that is on no branch.
        old = places_of(connection, branch, 0)
        places = list(_shifted_places(old, new_numbers))
        connection.execute("DELETE FROM places WHERE branch = ?", (branch,))
        connection.executemany(
            "INSERT INTO places VALUES (?, ?, ?)", ((branch, position, number) for position, number in places)
        )
        readable = (new_number for _, number in old for new_number in new_numbers.get(number, ()))
        if name in updated.branches:
            updated.branches[name] = BranchMark(branch, places[-1][0] + 1 if places else 0)
            updated.branches[name].rows.extend(readable)
    return updated


def _shifted_places(old: Sequence[Place], new_numbers: Mapping[int, Sequence[int]]) -> Iterator[Place]:
    """Yield the places of the new rows; gaps between the old ones remain."""
    shift = 0
    for position, number in old:
        new_number = new_numbers.get(number, (number,))
        yield from enumerate(new_number, position + shift)
        shift += len(new_number) - 1
