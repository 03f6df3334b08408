"""Reads a branch page by page, each in its own transaction, so that no writer waits long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.sessions.layout import lost_rows
from interlingua.sessions.queries import LARGEST, find_branch, find_session, has_old_rows, places_of
from interlingua.sessions.reading import read_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.sessions.file import StoreFile
    from interlingua.sessions.reading import Page

__all__ = ["pages"]

_PAGE_ROWS: Final = 32
_LOWEST: Final = -LARGEST - 1


def pages(file: StoreFile, session_id: str, branch: str | None) -> Iterator[Page]:
    """Yield the pages of a branch in order; a session with rows of an older version is a single page.

    The whole session is examined only for the first page, so the cost of a page does not depend on the number of pages.

    Raises:
        SessionNotFoundError: there is no such session, or no such branch.
        SessionStoreError: or a subclass.
    """
    count, start, unplaced = _PAGE_ROWS, _LOWEST, list[int]()
    while True:
        with file.reading() as connection:
            session = find_session(connection, session_id)
            name, number = find_branch(connection, session, branch)
            if start == _LOWEST:
                unplaced = lost_rows(connection, session.number)
                count = LARGEST - 1 if has_old_rows(connection, session.number) else _PAGE_ROWS
            # One more row shows whether there is another page.
            places = places_of(connection, number, start, count + 1)
            page = read_page(connection, name, number, places[:count], max(0, start), unplaced)
        yield page
        if len(places) <= count:
            return
        branch, start, unplaced = name, places[count - 1][0] + 1, []
