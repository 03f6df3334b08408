"""Which members of arguments may be absent, and may not be null: what null stands for where all are required.

Source: docs/exchange.md; docs/wire/openai_chat.md, section 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.pointers import pointer, schema_at
from interlingua.rooms._shared.schema_traversal import is_of_type

if TYPE_CHECKING:
    from collections.abc import Iterator

ITEMS: Final = "/*"
"""The step of a place from a list to each of its items."""
_ALTERNATIVES: Final = ("anyOf", "oneOf", "allOf")
_TYPING: Final = frozenset({"type", "enum", "const"})
_MOST: Final = 10_000  # as many schemas are looked at: references may lead to more of them than anybody has written


def optional_places(schema: dict[str, Any]) -> tuple[str, ...]:
    """Return the places of all members that may be absent and may not be null, as pointers into the arguments.

    A place where one alternative takes null, or requires the member, is none.
    """
    optional: dict[str, None] = {}
    other: set[str] = set()
    waiting: list[tuple[dict[str, Any], str, tuple[str, ...]]] = [(schema, "", ())]
    seen = 0
    while waiting and seen < _MOST:
        one, place, followed = waiting.pop()
        seen += 1
        named, required = one.get("properties"), one.get("required")
        for name, member in named.items() if type(named) is dict else ():
            at = place + pointer(name)
            if (type(required) is list and name in required) or _may_be_null(member, schema):
                other.add(at)
            else:
                optional[at] = None
        waiting += _inner(one, place, followed, schema)
    return tuple(at for at in optional if at not in other)


def _inner(
    schema: dict[str, Any], place: str, followed: tuple[str, ...], root: dict[str, Any]
) -> Iterator[tuple[dict[str, Any], str, tuple[str, ...]]]:
    """Yield the schemas directly in one, each with the place of its values and the references that led there."""
    named, items, reference = schema.get("properties"), schema.get("items"), schema.get("$ref")
    if type(named) is dict:
        yield from ((one, place + pointer(name), followed) for name, one in named.items() if type(one) is dict)
    if type(items) is dict:
        yield items, place + ITEMS, followed
    for word in _ALTERNATIVES:
        if type(schema.get(word)) is list:
            yield from ((one, place, followed) for one in schema[word] if type(one) is dict)
    if type(reference) is str and reference not in followed:
        target = schema_at(reference, root)
        if type(target) is dict:
            yield target, place, (*followed, reference)


def _may_be_null(schema: Any, root: dict[str, Any]) -> bool:
    """Whether null may be one of the values of a schema, as far as its types, values and alternatives say it."""
    waiting, followed = [schema], set[str]()
    while waiting:
        one = waiting.pop()
        if type(one) is not dict:
            return True  # anything, or what nobody can read
        inner = [each for word in _ALTERNATIVES if type(one.get(word)) is list for each in one[word]]
        reference = one.get("$ref")
        if type(reference) is str and reference not in followed:
            followed.add(reference)
            inner.append(schema_at(reference, root))
        if _takes_null(one) if _TYPING & one.keys() else not (inner or reference):
            return True
        waiting += inner
    return False


def _takes_null(schema: dict[str, Any]) -> bool:
    """Whether null is among the values that a schema lists, or of the types that it names."""
    allowed = [schema["const"]] if "const" in schema else schema.get("enum")
    return None in allowed if type(allowed) is list else is_of_type(schema, "null")
