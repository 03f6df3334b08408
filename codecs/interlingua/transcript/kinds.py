"""What counts as a message of a transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

from interlingua.model import Message, UnknownMessage

if TYPE_CHECKING:
    from interlingua.model import AnyMessage

_KINDS: Final[tuple[type[Any], ...]] = (*get_args(get_args(Message)[0]), UnknownMessage)
_EXACT: Final = frozenset(_KINDS)


def check_kind(message: AnyMessage) -> None:
    """Return if a value is a message of a transcript.

    Raises:
        TypeError: it is none of the current version.
    """
    if type(message) not in _EXACT and not isinstance(message, _KINDS):
        raise TypeError(f"a message of the current version is wanted, not {type(message).__name__}")
