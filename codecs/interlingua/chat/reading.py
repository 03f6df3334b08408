"""Reads chat messages from JSON, including the variants that 004 allows.

The schema is closed and has one name for each member. This reader also accepts `tool_call_id` in results, roles in any
case, and undeclared members, which are kept in `extra.unknown`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from interlingua.errors import JsonDecodeError, MigrationError
from interlingua.json_types import is_object
from interlingua.migrate.roles import with_plain_role
from interlingua.migrate.undeclared import without_undeclared
from interlingua.model import ChatMessage
from interlingua.strict_json import RefusedError, parse
from interlingua.validation import validate
from interlingua_types import CURRENT

__all__ = ["declared", "load"]

Json: TypeAlias = dict[str, Any]

_SHAPE = "ChatMessage"
_OTHER_NAME = "tool_call_id"


def load(document: Json | str | bytes) -> ChatMessage:
    """Return the chat message in a document.

    A result may name its call by `tool_call_id`, and roles may be in any case. Members that the schema does not declare
    are kept in `extra.unknown`.

    Args:
        document: The message: plain JSON, or JSON text or bytes.

    Raises:
        JsonDecodeError: text or bytes are not JSON.
        MigrationError: it is not a chat message of the current schema version.

    Example:
        >>> il.chat.load('{"role": "USER", "content": "Hi"}').text
        'Hi'
    """
    plain = _parsed(document) if isinstance(document, (str, bytes)) else document
    message = _read(plain)
    if message is None:
        plain = declared(plain)
        message = _read(plain)
    if message is None:
        raise _violation(plain)
    return message


def declared(message: Any) -> Any:
    """Return a chat message with undeclared members moved to `extra.unknown`."""
    if not is_object(message):
        return message
    plain = with_plain_role(message)
    if _OTHER_NAME in plain:
        plain = _with_call_id(plain)
    return without_undeclared(plain, _SHAPE)


def _with_call_id(message: Json) -> Json:
    """Return a message with `tool_call_id` renamed to `call_id`, unless it already has another `call_id`."""
    named, known = message[_OTHER_NAME], message.get("call_id")
    if named is None or named == known:
        return {name: value for name, value in message.items() if name != _OTHER_NAME}
    if message.get("role") != "tool" or known is not None:
        return message
    return {("call_id" if name == _OTHER_NAME else name): value for name, value in message.items() if name != "call_id"}


def _read(document: Any) -> ChatMessage | None:
    """Return the model of a document, or None if it is invalid, since the exception would show the document."""
    try:
        return _reader().validate_python(document)
    except ValidationError:
        return None


def _violation(document: Any) -> MigrationError:
    """Return the first schema error of a document."""
    found = validate(document, CURRENT, "chat_message")
    path, reason = (found[0].path, found[0].detail) if found else ("", "not a chat message of this version")
    return MigrationError(CURRENT, path, reason)


def _parsed(text: str | bytes) -> Any:
    try:
        return parse(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    except RefusedError as error:
        refused = JsonDecodeError(error.detail, error.line, error.column)
    raise refused


@cache
def _reader() -> TypeAdapter[ChatMessage]:
    return TypeAdapter(ChatMessage)
