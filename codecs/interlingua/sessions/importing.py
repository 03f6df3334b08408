"""Reads the messages of a JSONL file, with statistics for every record."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from interlingua.errors import JsonDecodeError, JsonLinesError
from interlingua.json_types import is_object, is_text
from interlingua.migrate.versions import detect_versions, known_version
from interlingua.model import OpaqueMessage, UnknownMessage
from interlingua.sessions.jsonl import BadLine, Record, records
from interlingua.sessions.results import Coverage
from interlingua.transcript.completion import completed
from interlingua.transcript.dialect_rows import find_dialects
from interlingua.transcript.doubtful_calls import mark_doubtful, message_places
from interlingua.transcript.load import load_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from interlingua.model import AnyMessage
    from interlingua.sessions.jsonl import Source
    from interlingua.transcript.load import Failure

__all__ = ["Conversation", "read_conversation", "with_generated_ids"]

_PLAIN_WORD: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_UNKNOWN_TYPE: Final = "?"


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages of a file, the import statistics by record type, and the lines that were left out.

    `doubtful` are the positions of the requests that have a call whose result may be in such a line; that call is
    marked as started.
    """

    messages: tuple[AnyMessage, ...]
    coverage: Mapping[str, Coverage]
    bad: tuple[BadLine, ...]
    doubtful: tuple[int, ...] = ()


def read_conversation(source: Source, version: int | None, dialect: str | None, *, recover: bool) -> Conversation:
    """Return the messages of a file, the import statistics by record type, and the lines that were left out.

    A line that is not JSON counts under the type "?", and so does a record with neither a type nor a role that is a
    plain word.

    Raises:
        JsonLinesError: a line is not a message, and `recover` is not set.
        UnknownDialectError: there is no such dialect.
        UnknownVersionError: there is no such version.
        OSError: the file cannot be read.
    """
    known = None if version is None else known_version(version)
    find_dialects((), known, dialect)  # an unknown name is reported before the file is read
    found: list[Record | BadLine] = []
    unreadable: dict[int, Failure] = {}
    for one in records(source):
        if isinstance(one, BadLine):
            _refuse(one, recover=recover)
            unreadable[len(found)] = JsonDecodeError(one.reason)
        found.append(one)
    plain = [one.document if isinstance(one, Record) else None for one in found]
    dialects = find_dialects(plain, known, dialect)
    rows = load_rows(plain, detect_versions(plain, known), unreadable, is_look=known is None, dialects=dialects)
    bad: list[BadLine] = []
    for index, error in sorted(rows.failures.items()):
        one = found[index]
        bad.append(one if isinstance(one, BadLine) else BadLine(one.line, one.start, one.end, str(error)))
        _refuse(bad[-1], recover=recover)
    marked, doubtful = mark_doubtful(rows.messages, rows.failures)
    messages = tuple(message for of_record in marked for message in of_record)
    places = message_places(marked, doubtful)
    return Conversation(messages, _coverage(plain, rows.messages, rows.failures), tuple(bad), places)


def with_generated_ids(message: AnyMessage, new_id: Callable[[], str], now: Callable[[], datetime]) -> AnyMessage:
    """Return a message with ids for itself and its calls; the time of the import is not used as its timestamp."""
    if isinstance(message, UnknownMessage):
        return message
    return completed(message, new_id, now).model_copy(update={"created_at": message.created_at})


def _coverage(
    plain: Sequence[Any], messages: Sequence[tuple[AnyMessage, ...]], failures: Mapping[int, object]
) -> dict[str, Coverage]:
    coverage: dict[str, Coverage] = {}
    for index, (document, loaded) in enumerate(zip(plain, messages, strict=True)):
        of_type = coverage.setdefault(_record_type(document), Coverage())
        of_type.seen += 1
        if index in failures:
            of_type.dropped += 1
        elif any(isinstance(message, (UnknownMessage, OpaqueMessage)) for message in loaded):
            of_type.opaque += 1
        else:
            of_type.mapped += 1
    return coverage


def _record_type(document: Any) -> str:
    """Return the type of a record, or its role, if it is a plain word: any other value may be content."""
    if is_object(document):
        for name in ("type", "role"):
            word = document.get(name)
            if is_text(word) and _PLAIN_WORD.fullmatch(word):
                return word
    return _UNKNOWN_TYPE


def _refuse(line: BadLine, *, recover: bool) -> None:
    if not recover:
        raise JsonLinesError(line.line, line.start, line.end, line.reason)
