"""Messages -> plain JSON, as they are stored: members that were not said are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, from_json

from interlingua.errors import EncodeError
from interlingua.json_limits import refuse_no_number
from interlingua.strict_json import may_hold_beyond

if TYPE_CHECKING:
    from interlingua.model import AnyMessage

_STORED: Final = "interlingua"
_DEEP: Final = "a value cannot be written as JSON: half a surrogate pair, or nested too deeply"
# With fewer objects and lists no text is nested too deeply to be read again: the reader goes to 200 levels.
_MAX_DIRECT_DEPTH: Final = 200
# Each level has two brackets: no shorter text has so many.
_SHORT: Final = 2 * _MAX_DIRECT_DEPTH
_N, _I = b"NI"


def dump_message(message: AnyMessage) -> dict[str, Any]:
    """Return a message as plain JSON. An unknown message comes back as it was read.

    Args:
        message: The message.

    Raises:
        EncodeError: a value inside cannot be written as JSON: NaN, a number beyond the largest, half a surrogate pair
            in a name; or it is nested too deeply, or of a type of Python's own.
        TypeError: it is no message.

    Example:
        >>> il.dump_message(il.messages.user("Hi"))["data"]
        {'role': 'user', 'content': 'Hi'}
    """
    _check_model(message)
    try:
        plain = message.model_dump(mode="json", by_alias=True)
    except (PydanticSerializationError, RecursionError, ValueError):
        plain = None
    if plain is None:
        raise _unwritable(_DEEP)
    refuse_no_number(plain, _STORED)
    return plain


def dump_message_json(message: AnyMessage) -> bytes:
    """Return a message as the bytes of its JSON, in UTF-8 and on one line.

    Args:
        message: The message.

    Raises:
        EncodeError: a value inside cannot be written as JSON: a lone surrogate, NaN, a number beyond the largest, or it
            is nested too deeply.
        TypeError: it is no message.

    Example:
        >>> b'"type":"system_control"' in il.dump_message_json(il.messages.mode_change("plan", "act"))
        True
    """
    _check_model(message)
    try:
        written = message.__pydantic_serializer__.to_json(message, by_alias=True)
    except (PydanticSerializationError, RecursionError, ValueError):
        written = b""
    if not written or (len(written) > _SHORT and not _is_readable(written)):
        raise _unwritable(_DEEP)
    # A byte is found, or not, ten times sooner than a word.
    if (_N in written and b"NaN" in written) or (_I in written and b"Infinity" in written) or may_hold_beyond(written):
        refuse_no_number(message.model_dump(by_alias=True), _STORED)
    return written


def _check_model(message: object) -> None:
    """Raise `TypeError` for what is no message."""
    if not isinstance(message, BaseModel):
        raise TypeError(f"expected a message, not {type(message).__name__}; read a document with load_message")


def _is_readable(written: bytes) -> bool:
    """Tell whether JSON text is not nested more deeply than it can be read: writing goes deeper than reading."""
    if written.count(b"{") + written.count(b"[") < _MAX_DIRECT_DEPTH:
        return True
    try:
        from_json(written)
    except ValueError:
        return False
    return True


def _unwritable(reason: str) -> EncodeError:
    """Return the error, built outside the handler: the cause would show the value."""
    return EncodeError(_STORED, "", reason)
