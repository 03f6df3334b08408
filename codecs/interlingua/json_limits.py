"""What a Python value holds that JSON text in UTF-8 cannot: half a surrogate pair, NaN, infinity, too many levels.

Such a value cannot be sent, and a history that holds one is stuck for ever (docs/pain.md, VAL-1, VAL-2, SEC-5). It is
carried where nobody must look into it; `undecodable` and `unencodable` are the answer where somebody must.
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
from pydantic_core import PydanticSerializationError, to_jsonable_python

from interlingua.errors import DecodeError, EncodeError
from interlingua.loss import pointer
from interlingua.strict_json import LARGEST_INTEGER, MAX_DEPTH

__all__ = [
    "DETAILS",
    "REPLACEMENT",
    "Kind",
    "formless",
    "is_writable",
    "refuse_no_number",
    "replace_all_lone_surrogates",
    "replace_lone_surrogates",
    "undecodable",
    "unencodable",
    "unwritable",
]

REPLACEMENT: Final = "\ufffd"
"""What stands for half a surrogate pair: the replacement character of Unicode."""

Kind = Literal["half_character", "half_name", "no_number", "depth"]
"""What it is that JSON cannot hold: half a pair in a text, or in the name of a member; a number; too many levels."""

DETAILS: Final = MappingProxyType[Kind, str]({
    "half_character": "a text holds half a surrogate pair",
    "half_name": "a name: a text holds half a surrogate pair",
    "no_number": "a number is none that JSON has, or beyond the largest",
    "depth": f"nested deeper than {MAX_DEPTH} levels",
})  # fmt: skip

_STOPPING: Final[frozenset[Kind]] = frozenset({"depth", "no_number"})
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


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

    Dates and other values that have some JSON form are not judged here.
    """
    if is_writable(value):
        return
    waiting: list[tuple[Any, tuple[Any, ...]]] = [(value, ())]
    while waiting:
        found, path = waiting.pop()
        if isinstance(found, str):
            if _LONE_SURROGATE.search(found):
                yield pointer(*path), "half_character"
        elif isinstance(found, (float, int)):
            if not _is_number(found):
                yield pointer(*path), "no_number"
        elif isinstance(found, (Mapping, list, tuple)):
            if len(path) >= MAX_DEPTH:
                yield pointer(*path), "depth"
                continue
            holder: Any = found
            items = holder.items() if isinstance(holder, Mapping) else enumerate(holder)
            for step, member in reversed(list(items)):
                if isinstance(step, str) and _LONE_SURROGATE.search(step):
                    yield pointer(*path), "half_name"
                else:
                    waiting.append((member, (*path, step)))


def formless(value: Any) -> Iterator[str]:
    """Yield the places, as JSON Pointers, of values that have no form in JSON: objects of a program, bytes of no text.

    Dates and the like have one, and so have names that are no texts.
    """
    if is_writable(value):
        return
    waiting: list[tuple[Any, tuple[Any, ...]]] = [(value, ())]
    while waiting:
        found, path = waiting.pop()
        if isinstance(found, (Mapping, list, tuple)):
            holder: Any = found
            items = holder.items() if isinstance(holder, Mapping) else enumerate(holder)
            if len(path) < MAX_DEPTH:
                waiting.extend((member, (*path, step)) for step, member in reversed(list(items)))
        elif found is not None and not isinstance(found, (str, int, float)) and not _has_form(found):
            yield pointer(*path)


def _has_form(value: Any) -> bool:
    """Tell whether Pydantic knows how a value is written as JSON."""
    try:
        to_jsonable_python(value)
    except (PydanticSerializationError, RecursionError, ValueError):
        return False
    return True


def _is_number(value: float) -> bool:
    """Tell whether what reads JSON takes a number for the one that it is."""
    return -LARGEST_INTEGER <= value <= LARGEST_INTEGER if isinstance(value, int) else math.isfinite(value)


def undecodable(body: Any, dialect: str, error: EncodeError | RecursionError, place: str = "") -> Exception:
    """Return the documented form of an error of who must look into a wire value at a place, and cannot.

    A recursion that the value is not to blame for stays what it is.
    """
    found = _first_unwritable(body)
    if found is None:
        return error if isinstance(error, RecursionError) else DecodeError(dialect, place, error.reason)
    return DecodeError(dialect, place + found[0], DETAILS[found[1]])


def unencodable(
    value: Any, dialect: str, error: EncodeError | RecursionError | OverflowError, place: str = ""
) -> Exception:
    """Return the same for a canonical value."""
    found = _first_unwritable(value)
    if found is None:
        return EncodeError(dialect, place, error.reason) if isinstance(error, EncodeError) else error
    return EncodeError(dialect, place + found[0], DETAILS[found[1]])


def _first_unwritable(value: Any) -> tuple[str, Kind] | None:
    """Return what stops who reads a value and writes it as text; arguments of calls are the likeliest place."""
    found: list[tuple[str, Kind]] = [(path, kind) for path, kind in unwritable(value) if kind in _STOPPING]
    found.sort(key=lambda one: "/arguments" not in one[0])
    return found[0] if found else None


def refuse_no_number(value: Any, dialect: str) -> None:
    """Refuse NaN and infinity, which Pydantic writes by these names, and whole numbers that nothing reads again.

    Raises:
        EncodeError: a number is none that JSON has.
    """
    for path, kind in unwritable(value):
        if kind == "no_number":
            raise EncodeError(dialect, path, DETAILS[kind])


def replace_lone_surrogates(text: str) -> str:
    """Return a text with each half of a surrogate pair replaced; itself where there is none."""
    return _LONE_SURROGATE.sub(REPLACEMENT, text) if _LONE_SURROGATE.search(text) else text


def replace_all_lone_surrogates(value: Any) -> Any:
    """Return a plain value, known to be of few levels, with the same done to all its texts and names.

    Two names of one object stay two: the later one gets a number where they would become the same.
    """
    if isinstance(value, str):
        return replace_lone_surrogates(value)
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        names = _names_without_lone_surrogates(members)
        return {names[name]: replace_all_lone_surrogates(member) for name, member in members.items()}
    if isinstance(value, list):
        return [replace_all_lone_surrogates(member) for member in value]
    return value


def _names_without_lone_surrogates(members: Mapping[str, Any]) -> dict[str, str]:
    """Return the mended name of each member, no two the same."""
    taken = set(members)
    made: dict[str, str] = {}
    numbers: dict[str, int] = {}
    for name in members:
        base = new = replace_lone_surrogates(name)
        while new != name and new in taken:
            numbers[base] = numbers.get(base, 1) + 1
            new = f"{base}_{numbers[base]}"
        taken.add(new)
        made[name] = new
    return made
