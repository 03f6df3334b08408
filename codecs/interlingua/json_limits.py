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
from typing import Any, Final, Literal, TypeAlias, cast

import orjson
from pydantic_core import PydanticSerializationError, to_jsonable_python

from interlingua.errors import DecodeError, EncodeError
from interlingua.pointers import pointer
from interlingua.strict_json import LARGEST_INTEGER, MAX_DEPTH

__all__ = [
    "DETAILS",
    "REPLACEMENT",
    "Failure",
    "Kind",
    "formless",
    "is_writable",
    "refuse_no_number",
    "replace_all_lone_surrogates",
    "replace_lone_surrogates",
    "undecodable",
    "unencodable",
    "unsendable",
    "unwritable",
]

REPLACEMENT: Final = "\ufffd"
"""What stands for half a surrogate pair: the replacement character of Unicode."""

Kind = Literal["half_character", "half_name", "no_number", "depth", "no_name", "no_value"]
"""What it is that JSON cannot hold: half a pair in a text, or in the name of a member; a number; too many levels.

A name that is no text and a value of a type of Python's own are what a program gives, and no JSON text.
"""

DETAILS: Final = MappingProxyType[Kind, str]({
    "half_character": "a text contains half a surrogate pair",
    "half_name": "a member name contains half a surrogate pair",
    "no_number": "a number cannot be written as JSON: NaN, infinite or larger than a double",
    "depth": f"nested deeper than {MAX_DEPTH} levels",
    "no_name": "the name of a member is not text",
    "no_value": "a value cannot be written as JSON",
})  # fmt: skip

Failure: TypeAlias = "EncodeError | RecursionError | OverflowError | TypeError | AttributeError"
"""What stops who must look into a value; Python's own errors may be those of a mistake of ours."""

_OF_PYTHON: Final[frozenset[Kind]] = frozenset({"no_name", "no_value"})
_STOPPING: Final[frozenset[Kind]] = frozenset({"depth", "no_number"})
_QUICKLY: Final = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def is_writable(value: Any, option: int | None = None) -> bool:
    """Tell whether a quick look finds that a value can be written; a value of which it is not sure is looked at."""
    try:
        written = orjson.dumps(value, option=option)
    except TypeError:
        return False
    # NaN and infinity are written as null without a word; a null is worth a second look.
    return b"null" not in written


def unwritable(value: Any) -> Iterator[tuple[str, Kind]]:
    """Yield what cannot be written, and its place as a JSON Pointer. Below what is nested too deeply nobody looks.

    Dates and other values that have some JSON form are not judged here.
    """
    if not is_writable(value):
        yield from _looked_through(value)


def unsendable(value: Any) -> Iterator[tuple[str, Kind]]:
    """Yield the same, and what a program gives that is no JSON yet: who sends a body writes no dates."""
    if not is_writable(value, _QUICKLY):
        yield from _looked_through(value, is_json=True)


def _looked_through(value: Any, *, is_json: bool = False) -> Iterator[tuple[str, Kind]]:
    waiting: list[tuple[Any, tuple[Any, ...]]] = [(value, ())]
    while waiting:
        found, path = waiting.pop()
        if isinstance(found, str):
            if _LONE_SURROGATE.search(found):
                yield pointer(*path), "half_character"
        elif isinstance(found, (float, int)):
            if not _is_number(found):
                yield pointer(*path), "no_number"
        elif isinstance(found, (dict, list, tuple) if is_json else (Mapping, list, tuple)):
            if len(path) >= MAX_DEPTH:
                yield pointer(*path), "depth"
                continue
            holder: Any = found
            items = holder.items() if isinstance(holder, Mapping) else enumerate(holder)
            for step, member in reversed(list(items)):
                if isinstance(step, str) and _LONE_SURROGATE.search(step):
                    yield pointer(*path), "half_name"
                elif is_json and isinstance(holder, dict) and not isinstance(step, str):
                    yield pointer(*path), "no_name"
                else:
                    waiting.append((member, (*path, step)))
        elif is_json and found is not None:
            yield pointer(*path), "no_value"


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


def undecodable(body: Any, dialect: str, error: Failure, place: str = "") -> Exception:
    """Return the documented form of an error of who must look into a wire value at a place, and cannot.

    What the value is not to blame for stays what it is.
    """
    found = _stopping(body, error)
    if found is None:
        return DecodeError(dialect, place, error.reason) if isinstance(error, EncodeError) else error
    return DecodeError(dialect, place + found[0], DETAILS[found[1]])


def unencodable(value: Any, dialect: str, error: Failure, place: str = "") -> Exception:
    """Return the same for a canonical value."""
    found = _stopping(value, error)
    if found is None:
        return EncodeError(dialect, place, error.reason) if isinstance(error, EncodeError) else error
    return EncodeError(dialect, place + found[0], DETAILS[found[1]])


def _stopping(value: Any, error: Failure) -> tuple[str, Kind] | None:
    """Return what stops who reads a value and writes it as text; arguments of calls are the likeliest place."""
    kinds = _OF_PYTHON if isinstance(error, (TypeError, AttributeError)) else _STOPPING
    if isinstance(error, EncodeError):
        kinds |= _OF_PYTHON
    found: list[tuple[str, Kind]] = [one for one in _looked_through(value, is_json=True) if one[1] in kinds]
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
