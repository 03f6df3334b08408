"""What a Python value holds that JSON text in UTF-8 cannot: half a surrogate pair, NaN, infinity, too many levels.

Such a value cannot be sent, and a history that holds one is stuck for ever (PAIN.md VAL-1, VAL-2, SEC-5).
"""

# A value is any; narrowing it to dict or list leaves its members unknown, which is the truth about them.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, cast

import orjson

from interlingua.errors import EncodeError
from interlingua.loss import pointer
from interlingua.strict_json import MAX_DEPTH

__all__ = [
    "DETAILS",
    "REPLACEMENT",
    "Kind",
    "is_writable",
    "mended_text",
    "mended_texts",
    "refuse_no_number",
    "unwritable",
]

REPLACEMENT: Final = "\ufffd"
"""What stands for half a surrogate pair: the replacement character of Unicode."""

Kind = Literal["half_character", "half_name", "no_number", "depth"]
"""What it is that JSON cannot hold: half a pair in a text, or in the name of a member; a number; too many levels."""

DETAILS: Final = MappingProxyType[Kind, str]({
    "half_character": "a text holds half a surrogate pair",
    "half_name": "a name: a text holds half a surrogate pair",
    "no_number": "a number is none that JSON has",
    "depth": f"nested deeper than {MAX_DEPTH} levels",
})  # fmt: skip

_HALF: Final = re.compile("[\ud800-\udfff]")


def is_writable(value: Any) -> bool:
    """Tell whether a quick look finds that a value can be written; a value of which it is not sure is looked at."""
    try:
        written = orjson.dumps(value)
    except TypeError:
        return False
    # NaN and infinity are written as null without a word; a null is worth a second look.
    return b"null" not in written


def unwritable(value: Any) -> Iterator[tuple[str, Kind]]:
    """Yield what cannot be written, and its place as a JSON Pointer. Below what is nested too deeply nobody looks.

    Whole numbers of any length, dates and other values that have some JSON form are not judged here.
    """
    if is_writable(value):
        return
    waiting: list[tuple[Any, tuple[Any, ...]]] = [(value, ())]
    while waiting:
        found, path = waiting.pop()
        if isinstance(found, str):
            if _HALF.search(found):
                yield pointer(*path), "half_character"
        elif isinstance(found, float):
            if not math.isfinite(found):
                yield pointer(*path), "no_number"
        elif isinstance(found, (Mapping, list, tuple)):
            if len(path) >= MAX_DEPTH:
                yield pointer(*path), "depth"
                continue
            holder: Any = found
            items = holder.items() if isinstance(holder, Mapping) else enumerate(holder)
            for step, member in reversed(list(items)):
                if isinstance(step, str) and _HALF.search(step):
                    yield pointer(*path), "half_name"
                else:
                    waiting.append((member, (*path, step)))


def refuse_no_number(value: Any, dialect: str) -> None:
    """Refuse NaN and infinity, which Pydantic writes by these names.

    Raises:
        EncodeError: a number is none that JSON has.
    """
    for path, kind in unwritable(value):
        if kind == "no_number":
            raise EncodeError(dialect, path, DETAILS[kind])


def mended_text(text: str) -> str:
    """Return a text with each half of a surrogate pair replaced; itself where there is none."""
    return _HALF.sub(REPLACEMENT, text) if _HALF.search(text) else text


def mended_texts(value: Any) -> Any:
    """Return a plain value, known to be of few levels, with the same done to all its texts and names.

    Two names of one object stay two: the later one gets a number where they would become the same.
    """
    if isinstance(value, str):
        return mended_text(value)
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        names = _mended_names(members)
        return {names[name]: mended_texts(member) for name, member in members.items()}
    if isinstance(value, list):
        return [mended_texts(member) for member in value]
    return value


def _mended_names(members: Mapping[str, Any]) -> dict[str, str]:
    """Return the mended name of each member, no two the same."""
    taken = set(members)
    made: dict[str, str] = {}
    numbers: dict[str, int] = {}
    for name in members:
        base = new = mended_text(name)
        while new != name and new in taken:
            numbers[base] = numbers.get(base, 1) + 1
            new = f"{base}_{numbers[base]}"
        taken.add(new)
        made[name] = new
    return made
