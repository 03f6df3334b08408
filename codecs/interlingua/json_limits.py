"""Finds what JSON text in UTF-8 cannot hold: lone surrogates, NaN, infinity, too deep nesting.

Such a value cannot be sent, and a history that holds one is stuck for ever (docs/pain.md, VAL-1, VAL-2, SEC-5). It is
carried unchanged where it need not be read; where it must be, `undecodable` and `unencodable` make the error.
"""

# A value is `Any`; narrowing it to a dict or a list leaves its members unknown, as they are.
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
from interlingua.strict_json import LARGEST_INTEGER, MAX_DEPTH, is_deep

__all__ = [
    "DETAILS",
    "REPLACEMENT",
    "Failure",
    "Kind",
    "is_writable",
    "refuse_circular",
    "refuse_invalid_numbers",
    "replace_all_lone_surrogates",
    "replace_lone_surrogates",
    "undecodable",
    "unencodable",
    "unsendable",
    "unwritable",
    "without_json_form",
]

REPLACEMENT: Final = "\ufffd"
"""The Unicode replacement character, which replaces a lone surrogate."""

Kind = Literal["half_character", "half_name", "no_number", "depth", "no_name", "no_value"]
"""What JSON cannot hold: a lone surrogate in a string or in a member name, a number, too many levels.

Member names that are not strings and values of Python types can only come from a program, not from JSON text.
"""

DETAILS: Final = MappingProxyType[Kind, str]({
    "half_character": "a text contains half a surrogate pair",
    "half_name": "a member name contains half a surrogate pair",
    "no_number": "a number cannot be written as JSON: NaN, infinite or larger than a double",
    "depth": f"nested deeper than {MAX_DEPTH} levels",
    "no_name": "the name of a member is not text",
    "no_value": "a value cannot be written as JSON",
})  # fmt: skip

_MALFORMED: Final = "a member that was kept of a request of this dialect has another type than it should"

Failure: TypeAlias = "EncodeError | RecursionError | OverflowError | TypeError | AttributeError"
"""The errors that such a value causes in code that reads it; Python's own may also be bugs of this library."""

_PYTHON_KINDS: Final[frozenset[Kind]] = frozenset({"no_name", "no_value"})
_STOPPING: Final[frozenset[Kind]] = frozenset({"depth", "no_number"})
_QUICKLY: Final = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def is_writable(value: Any, option: int | None = None) -> bool:
    """Tell, by a quick check, whether a value can surely be written as JSON; False calls for a closer look."""
    try:
        written = orjson.dumps(value, option=option)
    except TypeError:
        return False
    # orjson silently writes NaN and infinity as null, so a null needs a closer look.
    return b"null" not in written


def unwritable(value: Any) -> Iterator[tuple[str, Kind]]:
    """Yield each value that cannot be written, by JSON Pointer and kind. Nothing is looked for below the depth limit.

    Dates and other values that have a JSON form are accepted.
    """
    if not is_writable(value):
        yield from _walk(value)


def unsendable(value: Any) -> Iterator[tuple[str, Kind]]:
    """Yield the same, and also values that are not plain JSON, such as dates: a body to send must not hold them."""
    if not is_writable(value, _QUICKLY) or is_deep(value):  # orjson writes a few levels more than the limit
        yield from _walk(value, is_json=True)


def _walk(value: Any, *, is_json: bool = False) -> Iterator[tuple[str, Kind]]:
    waiting: list[tuple[Any, tuple[Any, ...], tuple[int, ...]]] = [(value, (), ())]
    while waiting:
        found, path, above = waiting.pop()  # `above`: the objects that hold it
        if isinstance(found, str):
            if _LONE_SURROGATE.search(found):
                yield pointer(*path), "half_character"
        elif isinstance(found, (float, int)):
            if not _is_number(found):
                yield pointer(*path), "no_number"
        elif isinstance(found, (dict, list, tuple) if is_json else (Mapping, list, tuple)):
            if len(path) >= MAX_DEPTH or id(found) in above:
                yield pointer(*path), "depth"
                continue
            holder: Any = found
            items = holder.items() if isinstance(holder, Mapping) else enumerate(holder)
            inside = (*above, id(found))
            for step, member in reversed(list(items)):
                if isinstance(step, str) and _LONE_SURROGATE.search(step):
                    yield pointer(*path), "half_name"
                elif is_json and isinstance(holder, dict) and not isinstance(step, str):
                    yield pointer(*path), "no_name"
                else:
                    waiting.append((member, (*path, step), inside))
        elif is_json and found is not None:
            yield pointer(*path), "no_value"


def refuse_circular(value: Any) -> None:
    """Raise `RecursionError` if an object or a list contains itself."""
    above: set[int] = set()
    waiting: list[tuple[Any, bool]] = [(value, False)]
    while waiting:
        one, is_left = waiting.pop()
        if is_left:
            above.discard(id(one))
        elif id(one) in above:
            raise RecursionError
        elif isinstance(one, (dict, list)):
            holder: Any = one
            above.add(id(holder))
            waiting.append((holder, True))
            waiting.extend((inner, False) for inner in (holder.values() if isinstance(holder, dict) else holder))


def without_json_form(value: Any) -> Iterator[str]:
    """Yield the JSON Pointers of values that have no JSON form: arbitrary objects, bytes that are not text.

    Dates and the like have one, as do member names that are not strings.
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
    """Tell whether Pydantic can write a value as JSON."""
    try:
        to_jsonable_python(value)
    except (PydanticSerializationError, RecursionError, ValueError):
        return False
    return True


def _is_number(value: float) -> bool:
    """Tell whether JSON parsers read a number back as the same number."""
    return -LARGEST_INTEGER <= value <= LARGEST_INTEGER if isinstance(value, int) else math.isfinite(value)


def undecodable(body: Any, dialect: str, error: Failure, place: str = "") -> Exception:
    """Return the `DecodeError` for an error that was raised while reading the wire value at `place`.

    An error that the value did not cause is returned as it is.
    """
    found = _cause_of(body, error)
    if found is None:
        return DecodeError(dialect, place, error.reason) if isinstance(error, EncodeError) else error
    return DecodeError(dialect, place + found[0], DETAILS[found[1]])


def unencodable(value: Any, dialect: str, error: Failure, place: str = "") -> Exception:
    """Return the `EncodeError` for an error that was raised while writing the canonical value at `place`.

    An error that the value did not cause is returned as it is. A value that was read from a body of the dialect, and is
    written anew, may hold malformed members of that body in its `extra`.
    """
    found = _cause_of(value, error)
    if found is not None:
        return EncodeError(dialect, place + found[0], DETAILS[found[1]])
    if isinstance(error, EncodeError):
        return EncodeError(dialect, place, error.reason)
    bags = dict(_bags(value, dialect)) if isinstance(error, (TypeError, AttributeError)) else {}
    likely = [path for path, has_fields in bags.items() if has_fields]
    return EncodeError(dialect, place + (likely[0] if len(likely) == 1 else ""), _MALFORMED) if bags else error


def _bags(value: Any, dialect: str) -> Iterator[tuple[str, bool]]:
    """Yield the JSON Pointer of each bag of the dialect in `extra`, and whether it holds members of a body."""
    waiting: list[tuple[Any, tuple[Any, ...]]] = [(value, ())]
    while waiting:
        found, path = waiting.pop()
        if len(path) >= MAX_DEPTH or not isinstance(found, (dict, list)):
            continue
        if path[-2:] == ("extra", dialect):
            yield pointer(*path), "fields" in found
            continue
        items = found.items() if isinstance(found, dict) else enumerate(found)
        waiting.extend((member, (*path, step)) for step, member in items)


def _cause_of(value: Any, error: Failure) -> tuple[str, Kind] | None:
    """Return the path and kind of the value that caused an error; call arguments are the likeliest place."""
    kinds = _PYTHON_KINDS if isinstance(error, (TypeError, AttributeError)) else _STOPPING
    if isinstance(error, EncodeError):
        kinds |= _PYTHON_KINDS
    found: list[tuple[str, Kind]] = [one for one in _walk(value, is_json=True) if one[1] in kinds]
    found.sort(key=lambda one: "/arguments" not in one[0])
    return found[0] if found else None


def refuse_invalid_numbers(value: Any, dialect: str) -> None:
    """Refuse NaN and infinity, which Pydantic writes by name, and integers that JSON parsers cannot read back.

    Raises:
        EncodeError: a number has no JSON form.
    """
    for path, kind in unwritable(value):
        if kind == "no_number":
            raise EncodeError(dialect, path, DETAILS[kind])


def replace_lone_surrogates(text: str) -> str:
    """Return a text with each lone surrogate replaced."""
    return _LONE_SURROGATE.sub(REPLACEMENT, text) if _LONE_SURROGATE.search(text) else text


def replace_all_lone_surrogates(value: Any) -> Any:
    """Return a plain JSON value, of few levels, with lone surrogates replaced in all its strings and names.

    Names of an object stay distinct: a name that would become a duplicate gets a number.
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
    """Return the new name of each member, all distinct."""
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
