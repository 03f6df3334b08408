"""Messages -> plain JSON, as they are stored: members that were not said are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticSerializationError

from interlingua.errors import EncodeError

if TYPE_CHECKING:
    from interlingua.model import AnyMessage

_STORED = "interlingua"


def dump_message(message: AnyMessage) -> dict[str, Any]:
    """Return a message as plain JSON. An unknown message comes back as it was read.

    Raises:
        EncodeError: a value inside cannot be written as JSON: it is nested too deeply, or of a type of Python's own.
    """
    try:
        return message.model_dump(mode="json", by_alias=True)
    except (PydanticSerializationError, RecursionError, ValueError):
        pass
    raise _unwritable()


def dump_message_json(message: AnyMessage) -> bytes:
    """Return a message as the bytes of its JSON, in UTF-8 and on one line.

    Raises:
        EncodeError: a value inside cannot be written as JSON: a lone surrogate, or it is nested too deeply.
    """
    try:
        return message.__pydantic_serializer__.to_json(message, by_alias=True)
    except (PydanticSerializationError, RecursionError, ValueError):
        pass
    raise _unwritable()


def _unwritable() -> EncodeError:
    """Return the error, built outside the handler: the cause would show the value."""
    return EncodeError(_STORED, "", "a value cannot be written as JSON: a lone surrogate, or nested too deeply")
