"""Type checks for transcript and chat messages."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, get_args

from pydantic import TypeAdapter

from interlingua.model import AudioPart, ChatMessage, FilePart, ImagePart, Message, Part, UnknownMessage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model import AnyMessage

AnyEntry: TypeAlias = "AnyMessage | ChatMessage"
"""A transcript message or a chat message."""

MEDIA: Final[Mapping[str, type[AudioPart | FilePart | ImagePart]]] = MappingProxyType(
    {"audio": AudioPart, "file": FilePart, "image": ImagePart}
)
_KINDS: Final[tuple[type[Any], ...]] = (*get_args(get_args(Message)[0]), UnknownMessage)
_EXACT: Final = frozenset(_KINDS)
_ENTRIES: Final = _EXACT | frozenset(get_args(get_args(ChatMessage)[0]))


def check_kind(message: AnyMessage) -> None:
    """Check that a value is a transcript message.

    Raises:
        TypeError: it is not one of the current schema version.
    """
    if type(message) not in _EXACT and not isinstance(message, _KINDS):
        raise _wrong(message)


def check_entry(message: AnyEntry) -> None:
    """Check that a value is a transcript or chat message.

    Raises:
        TypeError: it is not one of the current schema version.
    """
    if type(message) not in _ENTRIES:
        raise _wrong(message)


@cache
def parts_reader() -> TypeAdapter[tuple[Part, ...]]:
    """Return the type adapter for a list of parts."""
    return TypeAdapter(tuple[Part, ...])


def _wrong(value: object) -> TypeError:
    name, advice = type(value).__name__, ""
    if isinstance(value, get_args(get_args(ChatMessage)[0])):
        advice = "; convert chat messages with from_chat"
    elif isinstance(value, (dict, str, bytes)):
        advice = "; read a document with load_message, or make a message from text with il.messages.user"
    return TypeError(f"expected a message of the current version, not {name}{advice}")
