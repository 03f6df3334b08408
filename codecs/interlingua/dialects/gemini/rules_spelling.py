"""Members of Gemini in both spellings, camelCase and snake_case, and lists that may be written as their one object."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.dialects._shared.ruling import objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.dialects._shared.ruling import Object

_CAPITAL: Final = re.compile(r"[A-Z]")


def spelt(value: Object, name: str) -> tuple[str, Any]:
    """Return a member and its name as it is spelt in the body; None where it is absent."""
    if name in value:
        return name, value[name]
    other = _snake(name)
    return (other, value[other]) if other in value else (name, None)


def within(value: Object, path: str, *names: str) -> tuple[str, Object]:
    """Return the object that the names lead to, with its path as it is spelt; an empty one where there is none."""
    for name in names:
        spelling, member = spelt(value, name)
        path = f"{path}/{spelling}"
        value = cast("Object", member) if type(member) is dict else {}
    return path, value


def each(value: Object, path: str, name: str) -> Iterator[tuple[str, Object]]:
    """Yield the objects of a list with their paths; the service takes its one object as well."""
    spelling, member = spelt(value, name)
    if type(member) is dict:
        yield f"{path}/{spelling}", cast("Object", member)
    else:
        yield from objects(member, f"{path}/{spelling}")


def parts_of(body: Object) -> Iterator[tuple[str, Object]]:
    """Yield the parts of all contents with their paths."""
    for path, content in each(body, "", "contents"):
        yield from each(content, path, "parts")


@cache
def _snake(name: str) -> str:
    return _CAPITAL.sub(lambda capital: f"_{capital.group().lower()}", name)
