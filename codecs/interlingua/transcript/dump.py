"""Dumps messages to plain JSON for storage; absent members are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, from_json

from interlingua.errors import EncodeError
from interlingua.json_limits import refuse_invalid_numbers
from interlingua.strict_json import may_hold_beyond

if TYPE_CHECKING:
    from interlingua.model import AnyMessage

_STORED: Final = "interlingua"
_DEEP: Final = "a value cannot be written as JSON: half a surrogate pair, or nested too deeply"
# Text with fewer objects and lists cannot be nested too deeply for the reader, whose limit is 200 levels.
_MAX_DIRECT_DEPTH: Final = 200
# Each level has two brackets, so a shorter text cannot nest that deep.
_SHORT: Final = 2 * _MAX_DIRECT_DEPTH
_N, _I = b"NI"


def dump_message(message: AnyMessage) -> dict[str, Any]:
    """Return a message as plain JSON. An unknown message is returned as it was read.

    Args:
        message: The message.

    Raises:
        EncodeError: a value cannot be written as JSON: NaN, a number beyond the largest double, a lone surrogate in a
            member name, too deep nesting, or another Python type.
        TypeError: it is not a message.

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
    refuse_invalid_numbers(plain, _STORED)
    return plain


def dump_message_json(message: AnyMessage) -> bytes:
    """Return a message as JSON bytes, in UTF-8 and on one line.

    Args:
        message: The message.

    Raises:
        EncodeError: a value cannot be written as JSON: a lone surrogate, NaN, a number beyond the largest double, or
            too deep nesting.
        TypeError: it is not a message.

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
    # Searching for a single byte is ten times as fast as for a word.
    if (_N in written and b"NaN" in written) or (_I in written and b"Infinity" in written) or may_hold_beyond(written):
        refuse_invalid_numbers(message.model_dump(by_alias=True), _STORED)
    return written


def _check_model(message: object) -> None:
    """Raise `TypeError` for a value that is not a message."""
    if not isinstance(message, BaseModel):
        raise TypeError(f"expected a message, not {type(message).__name__}; read a document with load_message")


def _is_readable(written: bytes) -> bool:
    """Tell whether JSON text is within the nesting limit of the reader, which is lower than the writer's."""
    if written.count(b"{") + written.count(b"[") < _MAX_DIRECT_DEPTH:
        return True
    try:
        from_json(written)
    except ValueError:
        return False
    return True


def _unwritable(reason: str) -> EncodeError:
    """Return an error; it is raised outside the handler, since the cause would show the value."""
    return EncodeError(_STORED, "", reason)
