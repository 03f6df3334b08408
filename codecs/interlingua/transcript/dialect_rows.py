"""Stored rows that are messages of a dialect -> documents of the current version.

Rows that follow each other are read as the messages of one request, since how a message is spelt may depend on the one
before. Each is read alone, too: a bad one must not cost the others, and each answers for what became of it.
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
    """Return the dialects of those documents that are to be read in one, by their places.

    `version` and `dialect` are the ones that the caller knows; where a version is known, no document is a dialect's.

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
    """Return the documents of the current version that the rows of dialects become, by the places of the rows.

    Of a row that cannot be read there is the error instead; its path leads into the row.
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
    """Yield the places of rows that follow each other and are of one dialect."""
    run: list[int] = []
    for index in sorted(dialects):
        if run and (index != run[-1] + 1 or dialects[index] != dialects[run[-1]]):
            yield run
            run = []
        run.append(index)
    if run:
        yield run


def _read(rows: Mapping[int, Any], lengths: Mapping[int, int], dialect: str) -> Mapping[int, list[Json] | DecodeError]:
    """Return what the rows become: read together, or each alone where that makes another number of messages."""
    together = _together([rows[index] for index in lengths], dialect) if len(lengths) > 1 else None
    if together is None or len(together) != sum(lengths.values()):
        return {index: _alone(rows[index], dialect) for index in lengths}
    raised = iter(_raised(together))
    return {index: [one for _ in range(length) for one in next(raised)] for index, length in lengths.items()}


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
    return [one for of_message in _raised(messages) for one in of_message]


def _chat(rows: list[Any], dialect: str) -> tuple[ChatMessage, ...]:
    """Return the chat messages of rows that are read as those of one request.

    Raises:
        DecodeError: they are not what their dialect says.
    """
    return decode_request({descriptor(dialect).messages: rows}, named(dialect)).messages


def _length(row: Any, dialect: str) -> int:
    """Return how many chat messages a row becomes.

    Raises:
        DecodeError: it is not what its dialect says.
    """
    return len(room(dialect).decode_request({descriptor(dialect).messages: [row]})["messages"])


def _raised(messages: Sequence[ChatMessage]) -> list[list[Json]]:
    """Return the documents that each chat message becomes; of one that becomes several, the later ones say `joins`."""
    raised: list[list[Json]] = []
    for message in from_chat(messages):
        document = message.model_dump(by_alias=True)
        if message.joins:
            raised[-1].append(document)
        else:
            raised.append([document])
    return raised


def _within_row(error: DecodeError) -> DecodeError:
    """Return an error whose path leads into the row, not into the request that it was read in."""
    path = error.path.removeprefix(pointer(descriptor(error.dialect).messages, 0))
    return DecodeError(error.dialect, path, error.reason)
