"""Converts tool call arguments between their two forms: JSON text and object.

Text that is not a JSON object has no faithful form where the target wants an object (MAPPING, trap 1).
"""

from __future__ import annotations

import json
from math import isinf
from typing import TYPE_CHECKING, Any, Final, cast

import orjson

from interlingua.errors import EncodeError

if TYPE_CHECKING:
    from collections.abc import Iterable

# The nesting that Python 3.11 can write. Later versions allow more, but the result must not depend on the version.
WRITABLE_LEVELS: Final = 900


class UnwritableError(EncodeError):
    """Arguments that cannot be written as JSON; a caller that knows the path and the dialect adds both."""

    def __init__(self, reason: str) -> None:
        super().__init__("json", "", reason)


class _RepeatedError(ValueError):
    """An object with a duplicate member name."""


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _RepeatedError
    return value


def exact_text(value: Any) -> str:
    """Return `str(value)`; an integer with more digits than `str` allows is written in hexadecimal."""
    try:
        return str(value)
    except ValueError:  # beyond `sys.get_int_max_str_digits()`
        return hex(value)


def is_blank(arguments: dict[str, Any] | str) -> bool:
    """Tell whether arguments are a text that says none: of nothing, of white space, or JSON's null (Llama on Groq)."""
    return type(arguments) is str and arguments.strip() in _NONE


def first_piece(text: str) -> str:
    """Return the first piece of the text of arguments as clients read it: they want an object where it is null."""
    return "{}" if text.strip() == "null" else text


def arguments_text(arguments: dict[str, Any] | str) -> str:
    """Return arguments as JSON text; text stays as it is written.

    Raises:
        UnwritableError: a value has no JSON form (NaN, a set), is nested too deeply, or two member names become the
            same.
    """
    if type(arguments) is str:
        return arguments
    try:
        text = orjson.dumps(arguments)
    except TypeError:  # integers beyond 64 bits, lone surrogates, and member names that are not strings
        return text_without_duplicates(_strict_text(arguments))
    # orjson silently writes NaN and infinity as null, so a null calls for the stricter encoder.
    return _strict_text(arguments) if b"null" in text else text.decode()


def _strict_text(arguments: Any) -> str:
    if is_deeper(arguments, WRITABLE_LEVELS):
        raise UnwritableError("a value is nested too deeply to be written as JSON")
    try:
        return json.dumps(arguments, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise UnwritableError("a number cannot be written as JSON (NaN or infinity)") from None
    except TypeError:
        raise UnwritableError("a value cannot be written as JSON") from None
    except RecursionError:
        raise UnwritableError("a value is nested too deeply to be written as JSON") from None


def text_without_duplicates(text: str) -> str:
    """Return JSON text after checking for duplicate members: the names 1 and "1" are written alike.

    Raises:
        UnwritableError: an object has a duplicate member.
    """
    try:
        _STRICT.decode(text)
    except _RepeatedError:
        raise UnwritableError("two member names become the same name in JSON") from None
    return text


def is_deeper(value: Any, levels: int) -> bool:
    """Tell whether a value is nested deeper than `levels`."""
    layer: list[Any] = [value]
    for _ in range(levels):
        # A shared object is visited once per level.
        below: dict[int, Any] = {}
        for holder in layer:
            below.update((id(member), member) for member in _members(holder))
        if not below:
            return False
        layer = list(below.values())
    return True


def _members(holder: Any) -> Iterable[Any]:
    kind = cast("type[object]", type(holder))
    if kind is dict:
        return cast("dict[Any, Any]", holder).values()
    return cast("list[Any]", holder) if kind is list else ()


def are_whole(text: str) -> bool:
    """Tell whether argument text is complete JSON; blank text means no arguments and is complete."""
    try:
        orjson.loads(text or "{}")
    except ValueError:
        return not text.strip()
    return True


def arguments_object(text: str) -> tuple[dict[str, Any], bool]:
    """Return argument text as an object, and whether that is faithful.

    Blank text and null mean no arguments. A repeated member keeps its last value; text that is no JSON object, or has a
    number beyond the largest, is kept whole as the member `arguments`; both are not faithful.
    """
    value, faithful = json_object(text)
    return (value, faithful) if faithful or not is_blank(text) else ({}, True)


def json_object(text: str) -> tuple[dict[str, Any], bool]:
    """Return text as an object, and whether that is faithful: as `arguments_object`, but null is none."""
    value: dict[str, Any]  # or any other JSON value, until it is checked
    try:
        value = orjson.loads(text)
        if type(value) is dict:
            # Fast path: as many colons as members means that no member is repeated and nothing is nested.
            if text.count(":") == len(value):
                for member in value.values():
                    if type(member) is not str and type(member) not in _PLAIN:
                        break
                else:
                    return value, True
            # A duplicate member, or a number that was read inexactly, does not survive being written again.
            written = orjson.dumps(value).decode()
            if written == text or written.replace(" ", "") == text.replace(" ", ""):
                return value, True
    except (ValueError, TypeError):  # not JSON, or beyond the limits of orjson
        pass
    return _strictly_read(text)


def _strictly_read(text: str) -> tuple[dict[str, Any], bool]:
    """Return what `json_object` returns, for text that may not be faithful, or not even JSON."""
    faithful = True
    value: Any
    try:
        value = _STRICT.decode(text)
        if is_deeper(value, WRITABLE_LEVELS):
            return {"arguments": text}, False
    except _RepeatedError:
        value, faithful = _lenient_value(text), False
    except (ValueError, RecursionError):
        return ({"arguments": text}, False) if text.strip() else ({}, True)
    return (cast("dict[str, Any]", value), faithful) if type(value) is dict else ({"arguments": text}, False)


def _lenient_value(text: str) -> Any:
    """Return the value of JSON text, taking the last of duplicate members; return invalid text as it is."""
    try:
        return _LENIENT.decode(text)
    except ValueError:
        return text


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _finite(digits: str) -> float:
    """Return a number; one beyond the largest double is refused, since JSON has no infinity."""
    number = float(digits)
    if isinf(number):
        raise ValueError(digits)
    return number


_NONE: Final = frozenset({"", "null"})  # texts of arguments that say none
# Types, beside text, that are read exactly as written; a float may have been an integer beyond 64 bits.
_PLAIN: Final = frozenset({int, bool, type(None)})
_LENIENT: Final = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse_constant)
_STRICT: Final = json.JSONDecoder(
    object_pairs_hook=_unique_members, parse_float=_finite, parse_constant=_refuse_constant
)
