"""Loads stored messages of any version as models of the current one.

Text and bytes are parsed strictly: no NaN, no lone surrogates, nothing after the document. Integers are exact. Of
duplicate members the last one wins, as in every JSON parser.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import orjson
from pydantic import ValidationError
from pydantic_core import from_json

from interlingua.argument_checks import check_several
from interlingua.errors import DecodeError, JsonDecodeError, MigrationError
from interlingua.json_types import is_list, is_object, is_text
from interlingua.migrate.between_1_2 import json_text
from interlingua.migrate.checks import adapter, known_reader, violation
from interlingua.migrate.steps import approve_answered, current_document, upgraded_document
from interlingua.migrate.versions import agree, detect_versions, known_version
from interlingua.model import UnknownMessage
from interlingua.strict_json import explained
from interlingua.transcript.dialect_rows import find_dialects, read_dialect_rows
from interlingua.transcript.doubtful_calls import mark_doubtful, message_places
from interlingua.transcript.orphans import orphaned
from interlingua_types import CURRENT
from interlingua_types.unions import SILENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interlingua.model import AnyMessage
    from interlingua.registry import Dialect

Json: TypeAlias = dict[str, Any]
Document: TypeAlias = Json | str | bytes
Failure: TypeAlias = DecodeError | JsonDecodeError | MigrationError

_LOGGER: Final = logging.getLogger("interlingua.transcript")
_NO_DIALECTS: Final[Mapping[int, str]] = MappingProxyType({})
_PLAIN_TAG: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A document that could not be loaded: `index` is its index in the list, `reason` has no content.

    `orphans` are the indexes of the results of calls in this document, which now have no call.

    Example:
        >>> loaded = il.load_messages([{"role": "user", "content": "Hi"}, {"schema_version": 1}])
        >>> [(one.index, one.reason) for one in loaded.skipped]
        [(1, 'version 1: at /role: `role` must name one of the variants')]
    """

    index: int
    reason: str
    orphans: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedRows:
    """The messages of each document of a conversation, by index, and the failures.

    `orphans` maps the index of a failed document to the indexes of the results of its calls. `documents` are the
    documents of the current or a newer version from which the messages were made.
    """

    messages: Sequence[tuple[AnyMessage, ...]]
    failures: Mapping[int, Failure]
    orphans: Mapping[int, tuple[int, ...]]
    documents: Mapping[int, list[Json]]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The messages of a list of documents, in order, and the documents that could not be loaded.

    `doubtful` are the indexes, among the messages, of tool requests with a call whose result may have been skipped.
    Such a call is marked as started, without a time, so that it does not run again.

    Example:
        >>> loaded = il.load_messages([{"role": "user", "content": "Hi"}])
        >>> loaded.messages[0].type, loaded.skipped, loaded.doubtful
        ('text', (), ())
    """

    messages: tuple[AnyMessage, ...]
    skipped: tuple[Skipped, ...] = ()
    doubtful: tuple[int, ...] = ()


def load_message(
    document: Document, *, version: int | None = None, dialect: Dialect | None = None
) -> tuple[AnyMessage, ...]:
    """Return the messages of one stored document of any version: one, or several for an old document.

    A document of a newer version or an unknown type is kept whole as an `UnknownMessage`, and a warning is logged.
    Members that the current version does not declare are kept in `extra.unknown`. Old content that is neither text nor
    parts becomes its JSON text. A call in an old document is `pending`, since it has no result here.

    `version` overrides detection. `dialect` is the format of a document without a stated version, such as a message of
    OpenAI Chat Completions or an item of Responses. With neither, the version is the stated or detected one; a document
    is read in a dialect if only that dialect writes such messages.

    Args:
        document: The document: plain JSON, or JSON text or bytes.
        version: The schema version, if the document does not state it.
        dialect: The dialect of the document; None to detect it.

    Raises:
        DecodeError: the document is not valid in its dialect.
        JsonDecodeError: text or bytes are not JSON.
        MigrationError: the document is not valid in its version, or states another version than `version`.
        UnknownDialectError: there is no such dialect.
        UnknownVersionError: there is no such version.

    Example:
        >>> il.load_message({"role": "user", "content": "Hi"})[0].data.role.value
        'user'
    """
    if dialect is None and (version is None or version == CURRENT):
        message = _known(document)
        if message is not None:
            return (message,)
    plain = read_json(document)
    dialects = find_dialects((plain,), version, dialect)
    if dialects:
        rows = load_rows((plain,), detect_versions((plain,), None), {}, is_look=True, dialects=dialects)
        _refuse_first(rows.failures)
        return rows.messages[0]
    upgraded = _upgraded(plain, agree(version, plain), is_look=version is None)
    return (_current(plain),) if upgraded is None else tuple(_read(one) for one in upgraded)


def load_messages(
    documents: Iterable[Document], *, version: int | None = None, dialect: Dialect | None = None
) -> Loaded:
    """Return the messages of one stored conversation, each loaded as by `load_message`.

    In old documents a call that has a result is `approved`, any other one `pending`. A document that cannot be loaded
    is skipped, and reported with the results that it orphans. It may have been the result of an earlier call: such a
    call is marked as started and never runs. The first document is never skipped: without its beginning, a conversation
    has another meaning.

    Args:
        documents: The documents, in order: plain JSON, or JSON text or bytes each.
        version: The schema version, if the documents do not state it.
        dialect: The dialect of the documents; None to detect it.

    Raises:
        DecodeError: the first document is not valid in its dialect.
        JsonDecodeError: the first document is not JSON.
        MigrationError: the first document is not valid in its version, or a single document was given instead of a
            list.
        UnknownDialectError: there is no such dialect.
        UnknownVersionError: there is no such version.

    Example:
        >>> il.load_messages(['{"role": "user", "content": "Hi"}', "{"]).skipped[0].index
        1
    """
    if isinstance(documents, (dict, str, bytes)):
        raise MigrationError(CURRENT, "", "expected a list of documents")
    known = None if version is None else known_version(version)
    documents = list(check_several(documents, "documents"))
    if known is None and dialect is None:
        current = _all_known(documents)
        if current is not None:
            return Loaded(current)
    plain, failures = _read_all(documents)
    dialects = find_dialects(plain, known, dialect)
    _refuse_first(failures)
    rows = load_rows(plain, detect_versions(plain, known), failures, is_look=known is None, dialects=dialects)
    _refuse_first(rows.failures)
    marked, doubtful = mark_doubtful(rows.messages, rows.failures)
    messages = tuple(message for of_row in marked for message in of_row)
    reasons = ((index, str(error)) for index, error in sorted(rows.failures.items()))
    skipped = tuple(Skipped(index, reason, rows.orphans.get(index, ())) for index, reason in reasons)
    return Loaded(messages, skipped, message_places(marked, doubtful))


def load_rows(
    plain: Sequence[Any],
    versions: Sequence[int | MigrationError],
    failures: Mapping[int, Failure],
    *,
    is_look: bool,
    dialects: Mapping[int, str] = _NO_DIALECTS,
) -> LoadedRows:
    """Return the messages of each document of one conversation; invalid documents are reported in `failures`.

    `versions` has the version of each document, `is_look` says whether versions were detected, `failures` has the
    documents that could not be parsed, `dialects` the dialects of documents in a dialect's format.
    """
    failed = dict(failures)
    of_dialects = read_dialect_rows(plain, dialects) if dialects else {}
    rows: list[_Row] = []
    for index, found in enumerate(versions):
        if index in failed:
            continue
        try:
            if index in of_dialects:
                rows.append(_dialect_row(index, plain[index], found, of_dialects[index]))
            else:
                rows.append(_row(index, plain[index], found, is_look=is_look))
        except (DecodeError, MigrationError) as error:
            failed[index] = error
    _approve(rows)
    messages: list[tuple[AnyMessage, ...]] = [()] * len(versions)
    loaded: dict[int, list[Json]] = {}
    for row in rows:
        try:
            messages[row.index] = tuple(row.messages or [_read(one) for one in row.documents])
            loaded[row.index] = row.documents
        except MigrationError as error:
            failed[row.index] = error
    return LoadedRows(messages, failed, orphaned(plain, failed, loaded) if failed else {}, loaded)


def read_json(document: Document) -> Any:
    """Return a document as plain JSON, parsed if it is text or bytes.

    Raises:
        JsonDecodeError: the text is not JSON.
    """
    if not isinstance(document, (str, bytes)):
        return document
    try:
        orjson.loads(document)
    except orjson.JSONDecodeError as error:
        refused = explained(document, error)
    else:
        return _every_digit(document)
    # Raised outside the handler: the cause would hold the document.
    raise JsonDecodeError(refused.detail, refused.line, refused.column)


def _every_digit(document: str | bytes) -> Any:
    """Parse JSON text that is known to be strict, with integers of any length."""
    try:
        return from_json(document)
    except ValueError:
        pass
    raise JsonDecodeError("nested too deeply")


def _all_known(documents: list[Document]) -> tuple[AnyMessage, ...] | None:
    """Return the messages of documents if all state the current version and are valid; else None."""
    messages: list[AnyMessage] = []
    for document in documents:
        message = _known(document)
        if message is None:
            return None
        messages.append(message)
    return tuple(messages)


def _known(document: Document) -> AnyMessage | None:
    """Return the message of a document if it states the current version and is valid; else None.

    Text is checked by the strict parser, and then parsed and validated in one step by one that keeps integers exact.
    """
    text = document if isinstance(document, (str, bytes)) else None
    try:
        plain = document if text is None else orjson.loads(text)
        if not is_object(plain) or plain.get("schema_version") != CURRENT:
            return None
        reader = known_reader()
        message: AnyMessage = reader.validate_python(plain) if text is None else reader.validate_json(text)
    except (ValidationError, orjson.JSONDecodeError):
        return None
    return message


@dataclass(slots=True)
class _Row:
    """The result of one document; `messages` is empty until approvals are final and it is needed.

    `is_fresh`: its approvals were made up, since its original form has none.
    """

    index: int
    documents: list[Json]
    messages: list[AnyMessage]
    is_fresh: bool = True


def _row(index: int, document: Any, found: int | MigrationError, *, is_look: bool) -> _Row:
    upgraded = _upgraded(document, found, is_look=is_look)
    return (
        _Row(index, [document], [_current(document)], is_fresh=False)
        if upgraded is None
        else _Row(index, upgraded, [], is_fresh=found in SILENT)
    )


def _dialect_row(index: int, document: Json, found: int | MigrationError, read: list[Json] | DecodeError) -> _Row:
    """Return the result of a row in a dialect, or, if its dialect refuses it, in an older version that accepts it."""
    if isinstance(read, list):
        return _Row(index, read, [])
    try:
        upgraded = upgraded_document(document, found, is_look=True)
    except MigrationError:
        upgraded = None
    if upgraded is None:
        raise read
    return _Row(index, upgraded, [])


def _upgraded(document: Any, found: int | MigrationError, *, is_look: bool) -> list[Json] | None:
    """Return an older document upgraded. Content that is neither text nor parts becomes JSON text, as 000 requires."""
    try:
        return upgraded_document(document, found, is_look=is_look)
    except MigrationError as error:
        refused = error
    if not is_object(document) or (is_look and _has_parts(document.get("content"))):
        raise refused
    text = _text_of(document.get("content"))
    if text is None:
        raise refused
    return upgraded_document({**document, "content": text}, found, is_look=is_look)


def _has_parts(content: Any) -> bool:
    """Tell whether content is meant to be parts, so that invalid ones are not taken for text."""
    return is_list(content) and any(is_object(part) and is_text(part.get("type")) for part in content)


def _text_of(content: Any) -> str | None:
    """Return the JSON text of content that is not a string, or None if it has none."""
    if content is None or is_text(content):
        return None
    try:
        return json_text(content)
    except ValueError:
        return None


def _approve(rows: list[_Row]) -> None:
    """Approve the calls of old documents that have a result."""
    documents = [one for row in rows for one in row.documents]
    fresh = [row.is_fresh for row in rows for _ in row.documents]
    if any(fresh):
        approve_answered(documents, fresh)


def _current(document: Json) -> AnyMessage:
    """Return the model of a document that is not older than the current version."""
    message = _model(document)
    if message is None:
        message = _read(current_document(document))
    if isinstance(message, UnknownMessage):
        _warn(message)
    return message


def _read(document: Json) -> AnyMessage:
    """Return the model of a document of the current version.

    Raises:
        MigrationError: it is not one.
    """
    message = _model(document)
    if message is None:
        raise violation(document, CURRENT)
    return message


def _model(document: Json) -> AnyMessage | None:
    """Return the model of a document, or None if it is invalid, since the exception would show the document."""
    try:
        message: AnyMessage = adapter(CURRENT).validate_python(document)
    except ValidationError:
        return None
    return message


def _warn(message: UnknownMessage) -> None:
    """Log that an unknown message is kept: its version, and its type if that is a plain word, but no content."""
    tag = message.type if message.type is not None and _PLAIN_TAG.fullmatch(message.type) else "?"
    _LOGGER.warning("kept a message unread: version %s, type %s", message.schema_version or "?", tag)


def _read_all(documents: Iterable[Document]) -> tuple[list[Any], dict[int, Failure]]:
    """Return the documents as plain JSON, with None and an error for those that are not JSON."""
    plain: list[Any] = []
    failures: dict[int, Failure] = {}
    for index, document in enumerate(documents):
        try:
            plain.append(read_json(document))
        except JsonDecodeError as error:
            failures[index] = error
            plain.append(None)
    return plain, failures


def _refuse_first(failures: Mapping[int, Failure]) -> None:
    """Raise the error of the first document, which is never skipped."""
    if 0 in failures:
        raise failures[0]
