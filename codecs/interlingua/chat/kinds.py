"""The check that a value is a chat message."""

from __future__ import annotations

from typing import Any, Final, get_args

from interlingua.model import ChatMessage, Message

__all__ = ["check_chat_message"]

_KINDS: Final[tuple[type[Any], ...]] = get_args(get_args(ChatMessage)[0])
_ENTRIES: Final[tuple[type[Any], ...]] = get_args(get_args(Message)[0])


def check_chat_message(message: object) -> None:
    """Check that a value is a chat message.

    Raises:
        TypeError: it is not one of the current schema version.
    """
    if not isinstance(message, _KINDS):
        advice = "; convert a transcript with to_chat" if isinstance(message, _ENTRIES) else ""
        raise TypeError(f"expected a chat message of the current version, not {type(message).__name__}{advice}")
