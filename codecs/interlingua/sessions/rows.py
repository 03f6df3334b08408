"""Converts stored rows to messages. A row that cannot be read is reported and never rewritten.

Each row is fetched separately, so that a damaged page of the file affects only its own rows. Media are read with their
message, and only once even if several messages refer to them.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid5

from interlingua.errors import JsonDecodeError, MigrationError
from interlingua.migrate.versions import stated_version
from interlingua.model import UnknownMessage
from interlingua.sessions.documents import read_row
from interlingua.sessions.media import DamagedRowError, media_text, restore_media
from interlingua.sessions.queries import identity_of
from interlingua.transcript.completion import with_id
from interlingua.transcript.load import load_message, load_rows
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from interlingua.model import AnyMessage
    from interlingua.transcript.load import Failure

__all__ = ["ReadRows", "read_rows"]

_SELECT_ROW: Final = "SELECT schema_version, is_escaped, media, CAST(document AS BLOB) FROM messages WHERE number = ?"
_SELECT_MEDIA: Final = "SELECT place, encoding, blob FROM media WHERE message = ? ORDER BY place"
_SELECT_BLOB: Final = "SELECT digest, data FROM blobs WHERE number = ?"


@dataclass(frozen=True, slots=True)
class ReadRows:
    """The messages of each row, in order, and the reasons for rows that could not be read.

    `orphans` has, by the index of a failed row, the indexes of the rows with results for its calls. `old` has the
    indexes of the rows of an older version.
    """

    messages: Sequence[tuple[AnyMessage, ...]]
    failures: Mapping[int, str] = field(default_factory=dict[int, str])
    orphans: Mapping[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    old: frozenset[int] = frozenset()


def read_rows(connection: sqlite3.Connection, numbers: Sequence[int]) -> ReadRows:
    """Return the messages of the rows of one conversation, in order.

    Raises:
        sqlite3.Error: the file cannot be read.
    """
    reader = _Reader(connection)
    messages: list[tuple[AnyMessage, ...]] = []
    for number in numbers:
        message = _read_current(reader, number)
        if message is None:
            return _read_all(reader, numbers)
        messages.append(reader.with_ids(number, message))
    return ReadRows(messages)


def _read_current(reader: _Reader, number: int) -> tuple[AnyMessage, ...] | None:
    """Return the message of a row of the current or a newer version; None if it needs more work or cannot be read."""
    try:
        version, document = reader.document(number, is_plain=False)
        if version < CURRENT:
            return None
        # A newer document states its version; a document in a row of our version is of that version, whatever it looks
        # like.
        return load_message(document, version=CURRENT if version == CURRENT else None)
    except (DamagedRowError, JsonDecodeError, MigrationError):
        return None


def _read_all(reader: _Reader, numbers: Sequence[int]) -> ReadRows:
    """Return the messages of rows of any version; how a row is read may depend on the others."""
    plain: list[Any] = []
    versions: list[int | MigrationError] = []
    failures: dict[int, Failure] = {}
    reasons: dict[int, str] = {}
    for index, number in enumerate(numbers):
        version: int | MigrationError = CURRENT
        document: Any = None
        try:
            found, document = reader.document(number, is_plain=True)
            version = stated_version(document) or found
        except MigrationError as error:
            version = error
        except JsonDecodeError as error:
            failures[index] = error
        except DamagedRowError as error:
            failures[index] = JsonDecodeError("not read")
            reasons[index] = str(error)
        plain.append(document)
        versions.append(version)
    rows = load_rows(plain, versions, failures, is_look=False)
    reasons = {index: reasons.get(index, str(error)) for index, error in sorted(rows.failures.items())}
    old = {index for index, version in enumerate(versions) if type(version) is int and version < CURRENT}
    messages = [reader.with_ids(number, of_row) for number, of_row in zip(numbers, rows.messages, strict=True)]
    return ReadRows(messages, reasons, rows.orphans, frozenset(old - rows.failures.keys()))


class _Reader:
    """Reads the documents of rows, and caches the texts of their media."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection: Final = connection
        self._texts: Final[dict[tuple[int, str], str]] = {}
        self._identity: UUID | None = None

    def with_ids(self, number: int, messages: tuple[AnyMessage, ...]) -> tuple[AnyMessage, ...]:
        """Return the messages of a row with ids; generated ids are the same each time the row is read."""
        if all(isinstance(message, UnknownMessage) or message.id is not None for message in messages):
            return messages
        if self._identity is None:
            self._identity = identity_of(self._connection)
        names = [str(uuid5(self._identity, f"{number}/{index}")) for index in range(len(messages))]
        return tuple(with_id(message, repeat(name).__next__) for message, name in zip(messages, names, strict=True))

    def document(self, number: int, *, is_plain: bool) -> tuple[int, Any]:
        """Return the version of a row and its document; as unparsed text unless it must be plain, escaped or has media.

        Raises:
            DamagedRowError: the row or one of its media is damaged.
            JsonDecodeError: the document is not JSON.
        """
        row = self._fetch(_SELECT_ROW, number)
        if len(row) != 1:
            raise DamagedRowError("the row is missing")
        ((version, is_escaped, count, text),) = row
        if type(version) is not int or version < 1:
            raise DamagedRowError("the row has no version")
        if not (is_plain or is_escaped or count) and isinstance(text, bytes):
            return version, text
        document = read_row(text, is_escaped=bool(is_escaped))
        if count:
            media = self._fetch(_SELECT_MEDIA, number)
            if len(media) != count:
                raise DamagedRowError("some of its media are missing")
            restore_media(document, [(place, self._media_text(encoding, blob)) for place, encoding, blob in media])
        return version, document

    def _media_text(self, encoding: str, blob: int) -> str:
        """Return the text of a blob.

        Raises:
            DamagedRowError: it is missing or damaged.
        """
        text = self._texts.get((blob, encoding))
        if text is None:
            found = self._fetch(_SELECT_BLOB, blob)
            if len(found) != 1:
                raise DamagedRowError("some of its media are missing")
            ((digest, data),) = found
            text = media_text(encoding, data, digest)
            self._texts[blob, encoding] = text
        return text

    def _fetch(self, query: str, number: int) -> list[tuple[Any, ...]]:
        """Return the rows of a query.

        Raises:
            DamagedRowError: they are on a damaged page of the file.
        """
        try:
            return self._connection.execute(query, (number,)).fetchall()
        except sqlite3.DatabaseError as error:
            # An error without a code means text that is not UTF-8.
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF != sqlite3.SQLITE_CORRUPT:
                raise
        raise DamagedRowError("the file is damaged there")
