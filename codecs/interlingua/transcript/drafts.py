"""Chat messages under construction, from one or more transcript messages."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pydantic import ConfigDict, TypeAdapter

from interlingua.model import ChatMessage, TextPart

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.model import Extra

_RANKS: Final[Mapping[str, int]] = MappingProxyType({"reasoning": 0, "content": 1, "refusal": 2, "tool_calls": 3})
_UNFOLDED: Final = frozenset({"opaque", "tool"})


class Draft:
    """A chat message under construction: its role, and its members by name. `is_kept`: it keeps its position."""

    __slots__ = ("is_kept", "members", "role")

    def __init__(self, role: str, members: dict[str, Any]) -> None:
        self.role: Final = role
        self.members: Final = members
        self.is_kept = False

    def fold(self, other: Draft) -> bool:
        """Merge a draft that joins this one, and tell whether that was possible.

        It is possible for the same speaker if the other's members come later in the order of a message: reasoning,
        content, refusal, tool calls. More content of the same speaker becomes parts.
        """
        own, its = self.members, other.members
        if self.role != other.role or self.role in _UNFOLDED:
            return False
        if "name" in its and own.get("name", its["name"]) != its["name"]:
            return False
        here = max((rank for name, rank in _RANKS.items() if name in own), default=-1)
        there = min((rank for name, rank in _RANKS.items() if name in its), default=len(_RANKS))
        if here > there or (here == there != _RANKS["content"]):
            return False
        for name, value in its.items():
            if name == "content" and name in own:
                own[name] = (*_parts(own[name]), *_parts(value))
            elif name == "extra" and name in own:
                own[name] = _merged(own[name], value)
            else:
                own.setdefault(name, value)
        return True


def finished(drafts: Iterable[Draft]) -> list[ChatMessage]:
    """Return the chat messages, without validating the models inside again."""
    return _reader().validate_python([{"role": draft.role, **draft.members} for draft in drafts])


@cache
def _reader() -> TypeAdapter[list[ChatMessage]]:
    return TypeAdapter(list[ChatMessage], config=ConfigDict(hide_input_in_errors=True))


def _parts(content: Any) -> tuple[Any, ...]:
    """Return content as parts; an empty tuple for an empty text."""
    if isinstance(content, str):
        return (TextPart(text=content),) if content else ()
    return tuple(content)


def _merged(first: Extra, later: Extra) -> Extra:
    """Return the merged `extra` of both; for a dialect in both, the first one's."""
    own = {name for name, value in first if value is not None}
    return first.model_copy(update={name: value for name, value in later if value is not None and name not in own})
