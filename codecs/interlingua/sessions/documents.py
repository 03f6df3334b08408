"""Converts messages to stored JSON, and stored JSON to plain values.

Stored JSON is strict, in UTF-8, on one line. A message with a lone surrogate, which UTF-8 cannot hold, is stored with
the escapes of `safe_text`; the row is marked as escaped, and the message is restored exactly.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

from interlingua.argument_checks import check_mapping
from interlingua.errors import EncodeError, JsonDecodeError
from interlingua.json_limits import DETAILS, Kind, unsendable
from interlingua.migrate.steps import downgrade
from interlingua.migrate.versions import stated_version
from interlingua.model import UnknownMessage
from interlingua.sessions.media import Medium, extract_media, may_hold_media
from interlingua.sessions.redaction import redact_free_json, redacted
from interlingua.sessions.safe_text import restore_text, safe_text
from interlingua.strict_json import LARGEST_INTEGER
from interlingua.transcript.branch_tree import id_of
from interlingua.transcript.dump import dump_message_json
from interlingua.transcript.load import read_json
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from interlingua.loss import Loss
    from interlingua.model import AnyMessage
    from interlingua.sessions.redaction import Redact

__all__ = [
    "Prepared",
    "ascii_text",
    "exported_lines",
    "prepared",
    "read_row",
    "read_tolerant",
    "stored_id",
    "stored_metadata",
]

# The largest integer that SQLite can store; a larger version number still counts as newer than ours.
_MAX_INTEGER: Final = 2**63 - 1
_SEPARATORS: Final = ((b"\xe2\x80\xa8", b"\\u2028"), (b"\xe2\x80\xa9", b"\\u2029"), (b"\xc2\x85", b"\\u0085"))
# Everything that is written must be readable: the reader accepts 200 levels, the JSON writer more.
_MAX_DEPTH: Final = 190
# Lone surrogates are stored as escapes, and the path to what is nested too deeply would be as long.
_WITHOUT_PLACE: Final[frozenset[Kind]] = frozenset({"depth", "half_character", "half_name"})
_NOT_WRITABLE: Final = "a value cannot be written as JSON, or is nested too deeply"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A message ready to be stored: its JSON without the media, and the paths of redactions."""

    version: int
    id: str | None
    text: bytes
    is_escaped: bool = False
    media: tuple[Medium, ...] = ()
    redacted: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def prepared(message: AnyMessage, redact: Redact | None) -> Prepared:
    """Return the stored form of a message.

    Raises:
        EncodeError: a value inside cannot be written as JSON.
        Exception: whatever `redact` raises.
    """
    stated_number = stated_version(message.document) if isinstance(message, UnknownMessage) else None
    version, identifier = min(stated_number or CURRENT, _MAX_INTEGER), stored_id(message)
    text = _text(message)
    if text is not None and redact is None and not may_hold_media(text):
        return Prepared(version, identifier, text)
    document = _document(message) if text is None else read_json(text)  # a dumped message can always be parsed
    redacted_paths: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    if redact is not None:
        result = redacted(document, redact)
        document, redacted_paths, kept = result.document, result.redacted, result.kept
    document, media = extract_media(document)
    if text is not None and not media and not redacted_paths:
        return Prepared(version, identifier, text, kept=kept)
    stored_text, is_escaped = _serialized(document)
    return Prepared(version, identifier, stored_text, is_escaped, media, redacted_paths, kept)


def stored_id(message: AnyMessage) -> str | None:
    """Return the id of a message in ASCII, the form in which the store compares ids."""
    identifier = id_of(message)
    return None if identifier is None else ascii_text(identifier)


def ascii_text(text: str) -> str:
    """Return a text in ASCII, the form in which the store compares ids."""
    return json.dumps(text)[1:-1]


def stored_metadata(metadata: Mapping[str, Any], redact: Redact | None) -> str:
    """Return metadata as ASCII JSON, with secrets removed by the hook if there is one.

    Raises:
        InvalidArgumentError: it is not a mapping.
        EncodeError: a value is not JSON, or is nested too deeply.
        Exception: whatever `redact` raises.
    """
    check_mapping(metadata, "metadata")
    plain = _plain_json(dict(metadata))
    return json.dumps(plain if redact is None else redact_free_json(plain, redact).document, separators=(",", ":"))


def exported_lines(messages: Iterable[AnyMessage]) -> Iterator[bytes]:
    """Yield the JSON of each message on one line.

    U+2028, U+2029 and U+0085, which some readers take for line ends, are escaped. So are lone surrogates.

    Raises:
        EncodeError: a value cannot be written as JSON.
    """
    for message in messages:
        text = _text(message)
        yield _json_line(_document(message)) if text is None else _with_escaped_separators(text)


def downgraded_lines(messages: Iterable[AnyMessage], version: int) -> tuple[list[bytes], tuple[Loss, ...]]:
    """Return the lines of messages in an older version, and the losses.

    Raises:
        EncodeError: a value cannot be written as JSON.
        UnknownVersionError: there is no such version.
    """
    result = downgrade([_document(message) for message in messages], to=version)
    return [_json_line(document) for document in result.documents], result.losses


def _json_line(document: Any) -> bytes:
    """Return plain JSON on one line; in ASCII if it has a lone surrogate."""
    try:
        return _with_escaped_separators(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8"))
    except UnicodeEncodeError:
        return json.dumps(document, separators=(",", ":")).encode("ascii")


def _with_escaped_separators(text: bytes) -> bytes:
    for separator, escape in _SEPARATORS:
        text = text.replace(separator, escape)
    return text


def read_row(text: Any, *, is_escaped: bool) -> Any:
    """Return the plain JSON of a stored document.

    Raises:
        JsonDecodeError: it is not JSON, or not text.
    """
    if not isinstance(text, bytes):
        raise JsonDecodeError("there is no text")
    document = read_json(text)
    return restore_text(document) if is_escaped else document


def read_tolerant(text: bytes) -> Any:
    """Return the plain JSON of a line from another program; escaped lone surrogates are accepted.

    Raises:
        JsonDecodeError: it is not JSON.
    """
    try:
        return read_json(text)
    except JsonDecodeError as error:
        refused = error
    try:
        return json.loads(text, parse_constant=_refuse_number)
    except (ValueError, RecursionError):
        pass
    # Raised outside the handler: the cause would contain the text.
    raise JsonDecodeError(refused.reason, refused.line, refused.column)


def _text(message: AnyMessage) -> bytes | None:
    """Return the JSON of a message; None if it cannot be written, or not in UTF-8."""
    try:
        return dump_message_json(message)
    except EncodeError:
        return None


def _document(message: AnyMessage) -> Any:
    """Return a message as plain JSON values; texts are not changed.

    Raises:
        EncodeError: a value is not JSON, or is nested too deeply.
    """
    try:
        value = message.model_dump(by_alias=True)
    except (ValueError, RecursionError):
        value = None
    if value is None:
        raise EncodeError("interlingua", "", _NOT_WRITABLE)
    return _plain_json(value)


def _plain_json(value: Any) -> Any:
    """Return a value as plain JSON values that can be written and read again.

    Raises:
        EncodeError: it is not JSON, or is nested too deeply.
    """
    try:
        plain = _plain(value)
        json.dumps(plain, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        pass
    else:
        return plain
    path, kind = next((one for one in unsendable(value) if one[1] not in _WITHOUT_PLACE), ("", None))
    raise EncodeError("interlingua", path, DETAILS[kind] if kind else _NOT_WRITABLE)


def _plain(value: Any, levels: int = _MAX_DEPTH) -> Any:
    """Return a dumped value with lists instead of tuples and strings instead of string enumerations.

    Raises:
        TypeError: a member name is not a string.
        ValueError: the value is nested deeper than `levels`, or has a number that is too large.
    """
    if not levels:
        raise ValueError
    if isinstance(value, dict):
        members = cast("dict[object, Any]", value)
        if not all(isinstance(name, str) for name in members):
            raise TypeError
        return {str(name): _plain(member, levels - 1) for name, member in members.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, levels - 1) for item in cast("Sequence[Any]", value)]
    if isinstance(value, int) and not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
        raise ValueError
    return str(value) if isinstance(value, str) else value


def _serialized(document: Any) -> tuple[bytes, bool]:
    """Return the JSON of plain values on one line, and whether it is escaped.

    Raises:
        EncodeError: it is nested too deeply.
    """
    try:
        text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        try:
            return text.encode("utf-8"), False
        except UnicodeEncodeError:
            safe = safe_text(document)
            return json.dumps(safe, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8"), True
    except (ValueError, RecursionError):
        pass
    raise EncodeError("interlingua", "", _NOT_WRITABLE)


def _refuse_number(_word: str) -> NoReturn:
    """Refuse NaN and Infinity.

    Raises:
        ValueError: always.
    """
    raise ValueError
