"""Stored messages of any version -> the models of the current one.

Text and bytes are read strictly: no NaN, no lone surrogate, nothing behind the document. Integers keep their digits. Of
a member that stands twice in one object the last one counts, as every JSON reader has it.
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

from interlingua.errors import DecodeError, JsonDecodeError, MigrationError
from interlingua.given import check_several
from interlingua.json_kinds import is_list, is_object, is_text
from interlingua.migrate.between_1_2 import json_text
from interlingua.migrate.checks import adapter, known_reader, violation
from interlingua.migrate.steps import approve_answered, current_document, upgraded_document
from interlingua.migrate.versions import agree, detect_versions, known_version
from interlingua.model import UnknownMessage
from interlingua.strict_json import explained
from interlingua.transcript.dialect_rows import find_dialects, read_dialect_rows
from interlingua.transcript.doubt import mark_doubtful, message_places
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
    """A document that could not be loaded: `index` is its place in the list, `reason` free of content.

    `orphans` are the places of the results that answer a call of this document, and now answer none.

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
    """What the documents of one conversation became, each in its place, and why some became nothing.

    `orphans` has the places of the results that answer a call of a failed document, by the place of that document.
    `documents` has the documents of the current version, or of a newer one, that the messages were made of.
    """

    messages: Sequence[tuple[AnyMessage, ...]]
    failures: Mapping[int, Failure]
    orphans: Mapping[int, tuple[int, ...]]
    documents: Mapping[int, list[Json]]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The messages of a list of documents, in order, and what could not be loaded.

    `doubtful` are the places, among the messages, of the requests with a call whose result may have been skipped. Such
    a call is marked as begun, without a moment, so that it does not run again.

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
    """Return the messages that one stored document of any version becomes: one, or several for an old one.

    A document of a newer version, or of a type that nobody knows, is kept whole as an `UnknownMessage`; a warning is
    logged. Members that the current version does not declare are kept in `extra.unknown`. Old content that is neither
    text nor parts becomes its JSON text. A call of an old document is `pending`: alone, it has no result.

    `version` is the one that the caller knows, and wins. `dialect` is the one that a document without a stated version
    is written in: a message of OpenAI Chat Completions, an item of Responses. With neither the document is asked, or
    looked at; it is read in a dialect where that dialect alone writes such messages.

    Args:
        document: The document: plain JSON, or its text or bytes.
        version: The version of the document where it does not say it itself.
        dialect: Whose row it is; None means that it is found out.

    Raises:
        DecodeError: the document is not what its dialect says.
        JsonDecodeError: text or bytes are not JSON.
        MigrationError: the document is not what its version says, or says another version than `version`.
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
    raised = _upgraded(plain, agree(version, plain), is_look=version is None)
    return (_current(plain),) if raised is None else tuple(_read(one) for one in raised)


def load_messages(
    documents: Iterable[Document], *, version: int | None = None, dialect: Dialect | None = None
) -> Loaded:
    """Return the messages of one stored conversation, as `load_message` makes each of them.

    A call that has a result is `approved`, any other one of an old document `pending`. A document that cannot be loaded
    is skipped and reported together with the results that it orphans. It may have been the result of a call before it:
    such a call is marked as begun and never runs. The first document is never skipped: a conversation without its
    beginning is another one.

    Args:
        documents: The documents, in order: plain JSON, or the text or bytes of each.
        version: Their version where they do not say it themselves.
        dialect: Whose rows they are; None means that it is found out.

    Raises:
        DecodeError: the first document is not what its dialect says.
        JsonDecodeError: the first document is not JSON.
        MigrationError: the first document is not what its version says; or one document was given, not a list.
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
    """Return what each document of one conversation became; no document is refused but by its place in `failures`.

    `versions` has the version of each document, `is_look` tells whether that was found by looking, `failures` has the
    documents that could not be read, `dialects` the dialects of those that are read in one.
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
    """Return a document as plain JSON; what is no text is taken as it is.

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
    # Outside the handler: the cause would hold the document.
    raise JsonDecodeError(refused.detail, refused.line, refused.column)


def _every_digit(document: str | bytes) -> Any:
    """Return JSON text that is known to be strict, with whole numbers of any length."""
    try:
        return from_json(document)
    except ValueError:
        pass
    raise JsonDecodeError("nested too deeply")


def _all_known(documents: list[Document]) -> tuple[AnyMessage, ...] | None:
    """Return the messages of a list that says of each document that it is current, and is right; else None."""
    messages: list[AnyMessage] = []
    for document in documents:
        message = _known(document)
        if message is None:
            return None
        messages.append(message)
    return tuple(messages)


def _known(document: Document) -> AnyMessage | None:
    """Return the message of a document that says that it is current, and is right, else None: the short way.

    Text is checked by the strict reader, and then read and validated in one go by the one that keeps every digit.
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
    """What one document became; `messages` is empty as long as approvals may change, or nobody has looked.

    `is_fresh` says that its approvals were made up: it came from a form that has none.
    """

    index: int
    documents: list[Json]
    messages: list[AnyMessage]
    is_fresh: bool = True


def _row(index: int, document: Any, found: int | MigrationError, *, is_look: bool) -> _Row:
    raised = _upgraded(document, found, is_look=is_look)
    return (
        _Row(index, [document], [_current(document)], is_fresh=False)
        if raised is None
        else _Row(index, raised, [], is_fresh=found in SILENT)
    )


def _dialect_row(index: int, document: Json, found: int | MigrationError, read: list[Json] | DecodeError) -> _Row:
    """Return what a row of a dialect became; what its dialect refuses, and an older version accepts, is of that one."""
    if isinstance(read, list):
        return _Row(index, read, [])
    try:
        raised = upgraded_document(document, found, is_look=True)
    except MigrationError:
        raised = None
    if raised is None:
        raise read
    return _Row(index, raised, [])


def _upgraded(document: Any, found: int | MigrationError, *, is_look: bool) -> list[Json] | None:
    """Return what an older document becomes. Content that is neither text nor parts becomes JSON text, as 000 wants."""
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
    """Tell whether content is meant as parts: if they are refused, that is no reason to take them for text."""
    return is_list(content) and any(is_object(part) and is_text(part.get("type")) for part in content)


def _text_of(content: Any) -> str | None:
    """Return the JSON text of content that is no text, or None where there is none."""
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
    """Return the model of a document, or None where it has none: the cause would show the document."""
    try:
        message: AnyMessage = adapter(CURRENT).validate_python(document)
    except ValidationError:
        return None
    return message


def _warn(message: UnknownMessage) -> None:
    """Log that a message is kept unread: its version and its tag, where that is a plain word, and no content."""
    tag = message.type if message.type is not None and _PLAIN_TAG.fullmatch(message.type) else "?"
    _LOGGER.warning("kept a message unread: version %s, type %s", message.schema_version or "?", tag)


def _read_all(documents: Iterable[Document]) -> tuple[list[Any], dict[int, Failure]]:
    """Return the documents as plain JSON, None where that fails, and why it failed."""
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
    """Raise the error of the first document: it is never skipped."""
    if 0 in failures:
        raise failures[0]
