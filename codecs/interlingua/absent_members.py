"""Removes nulls that stand for absent members from call arguments, if the client's tool does not accept null.

OpenAI's strict tools require every member, so that a model gives null for an optional one. Source: docs/exchange.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.json_types import is_list, is_object
from interlingua.pointers import pointer_tokens
from interlingua.tool_arguments import arguments_object, arguments_text

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["HeldArguments", "without_absent"]

_ITEMS: Final = "*"


def without_absent(arguments: dict[str, Any] | str, places: Iterable[str]) -> dict[str, Any] | str:
    """Return arguments without the members at these places that are null; the same object if there are none.

    Text stays text, and unchanged if nothing is removed. Incomplete JSON is not changed.
    """
    told, is_faithful = arguments_object(arguments) if type(arguments) is str else (arguments, True)
    if not is_faithful or type(told) is not dict:
        return arguments
    out: Any = told
    for place in places:
        *way, name = pointer_tokens(place)
        out = _without(out, way, name)
    if out is told:
        return arguments
    return arguments_text(out) if type(arguments) is str else out


def _without(value: Any, way: list[str], name: str) -> Any:
    """Return a value without the member if that is null, as a modified copy; otherwise the same value."""
    if is_list(value):
        if way[:1] != [_ITEMS]:
            return value
        items = [_without(item, way[1:], name) for item in value]
        return items if any(made is not item for made, item in zip(items, value, strict=True)) else value
    if not is_object(value):
        return value
    if not way:
        is_absent = name in value and value[name] is None
        return {key: held for key, held in value.items() if key != name} if is_absent else value
    inner = _without(value.get(way[0]), way[1:], name)
    return value if inner is value.get(way[0]) else {**value, way[0]: inner}


class HeldArguments:
    """Holds back the arguments of a call until it has ended, since a null in them may stand for an absent member."""

    __slots__ = ("_pieces", "_places")

    def __init__(self, places: tuple[str, ...]) -> None:
        self._places = places
        self._pieces: list[str] = []

    def feed(self, piece: str) -> str:
        """Store a piece; return an empty text, since nothing can be written yet."""
        self._pieces.append(piece)
        return ""

    def rest(self) -> str:
        """Return the complete arguments, without the members that stand for absent ones."""
        text = "".join(self._pieces)
        return arguments_text(without_absent(text, self._places)) if text else ""
