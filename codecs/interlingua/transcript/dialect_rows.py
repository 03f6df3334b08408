"""Converts stored rows in a dialect's message format to documents of the current version.

Adjacent rows are decoded as the messages of one request, since the spelling of a message may depend on the one before.
Each is decoded alone, too, so that an invalid row does not affect the others, and to count its messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from interlingua.codec import decode_request
from interlingua.errors import DecodeError
from interlingua.migrate.roles import with_plain_role
from interlingua.pointers import pointer
from interlingua.registry import descriptor, room, unknown_dialect
from interlingua.registry import dialect as named
from interlingua.transcript.chat_in import from_chat
from interlingua.transcript.dialect_marks import dialect_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from interlingua.model import ChatMessage

__all__ = ["find_dialects", "read_dialect_rows"]

Json: TypeAlias = dict[str, Any]


def find_dialects(documents: Sequence[Any], version: int | None, dialect: str | None) -> dict[int, str]:
    """Return the dialects of the documents that are in a dialect's format, by index.

    `version` and `dialect` are the caller's; with a version, no document is in a dialect's format.

    Raises:
        UnknownDialectError: there is no such dialect.
    """
    if dialect is not None:
        _check_known(dialect)
    if version is not None:
        return {}
    found = ((index, dialect_of(document, dialect)) for index, document in enumerate(documents))
    return {index: of_row for index, of_row in found if of_row is not None}


def read_dialect_rows(documents: Sequence[Any], dialects: Mapping[int, str]) -> dict[int, list[Json] | DecodeError]:
    """Return the documents of the current version for rows in dialects, by the index of the row.

    For a row that cannot be decoded it returns the error, whose path leads into the row.
    """
    made: dict[int, list[Json] | DecodeError] = {}
    rows = {index: with_plain_role(documents[index]) for index in dialects}
    for run in _runs(dialects):
        dialect = dialects[run[0]]
        lengths: dict[int, int] = {}
        for index in run:
            try:
                lengths[index] = _length(rows[index], dialect)
            except DecodeError as error:
                made[index] = _within_row(error)
        made.update(_read(rows, lengths, dialect))
    return made


def _check_known(dialect: object) -> None:
    if not isinstance(dialect, str):
        raise unknown_dialect(dialect)
    room(dialect)


def _runs(dialects: Mapping[int, str]) -> Iterator[list[int]]:
    """Yield the indexes of each run of adjacent rows of one dialect."""
    run: list[int] = []
    for index in sorted(dialects):
        if run and (index != run[-1] + 1 or dialects[index] != dialects[run[-1]]):
            yield run
            run = []
        run.append(index)
    if run:
        yield run


def _read(rows: Mapping[int, Any], lengths: Mapping[int, int], dialect: str) -> Mapping[int, list[Json] | DecodeError]:
    """Return the documents of rows: decoded together, or each alone if that gives another number of messages."""
    together = _together([rows[index] for index in lengths], dialect) if len(lengths) > 1 else None
    if together is None or len(together) != sum(lengths.values()):
        return {index: _alone(rows[index], dialect) for index in lengths}
    upgraded = iter(_upgraded(together))
    return {index: [one for _ in range(length) for one in next(upgraded)] for index, length in lengths.items()}


def _together(rows: list[Any], dialect: str) -> tuple[ChatMessage, ...] | None:
    try:
        return _chat(rows, dialect)
    except DecodeError:
        return None


def _alone(row: Any, dialect: str) -> list[Json] | DecodeError:
    try:
        messages = _chat([row], dialect)
    except DecodeError as error:
        return _within_row(error)
    return [one for of_message in _upgraded(messages) for one in of_message]


def _chat(rows: list[Any], dialect: str) -> tuple[ChatMessage, ...]:
    """Return the chat messages of rows, decoded as one request.

    Raises:
        DecodeError: they are not valid in their dialect.
    """
    return decode_request({descriptor(dialect).messages: rows}, named(dialect)).messages


def _length(row: Any, dialect: str) -> int:
    """Return the number of chat messages in a row.

    Raises:
        DecodeError: it is not valid in its dialect.
    """
    return len(room(dialect).decode_request({descriptor(dialect).messages: [row]})["messages"])


def _upgraded(messages: Sequence[ChatMessage]) -> list[list[Json]]:
    """Return the documents for each chat message; if there are several, the later ones have `joins`."""
    upgraded: list[list[Json]] = []
    for message in from_chat(messages):
        document = message.model_dump(by_alias=True)
        if message.joins:
            upgraded[-1].append(document)
        else:
            upgraded.append([document])
    return upgraded


def _within_row(error: DecodeError) -> DecodeError:
    """Return an error whose path leads into the row instead of the request."""
    path = error.path.removeprefix(pointer(descriptor(error.dialect).messages, 0))
    return DecodeError(error.dialect, path, error.reason)
