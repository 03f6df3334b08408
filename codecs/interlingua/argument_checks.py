"""Checks the arguments of public functions for mistakes that Python would let pass, such as a string for a list."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import AsyncIterable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final, Literal, TypeVar, cast

__all__ = [
    "READ_FRAMES",
    "check_binary_file",
    "check_count",
    "check_each",
    "check_exchange",
    "check_function",
    "check_headers",
    "check_kind_of",
    "check_mapping",
    "check_method",
    "check_moment",
    "check_number",
    "check_path",
    "check_several",
    "check_status",
    "check_time_limit",
    "instead",
    "is_time_limit",
    "misuse_within_json",
    "named",
    "string_tuple",
]

_Several = TypeVar("_Several")
_TEXT: Final = (str, bytes, bytearray, memoryview)
# Attributes and methods by which SDK objects, SDK errors and HTTP responses give their JSON, the best one first.
_JSON_ATTRIBUTES: Final = ("body", "details", "response")
_JSON_METHODS: Final = ("to_dict", "to_json_dict", "model_dump", "json")
READ_FRAMES: Final = "read the bytes of a stream with interlingua.frames.read_frames"


def _invalid(reason: str) -> Exception:
    """Return an `InvalidArgumentError`."""
    from interlingua_types._base import InvalidArgumentError  # noqa: PLC0415  # slow, and rarely needed

    return InvalidArgumentError(reason)


def string_tuple(texts: Iterable[str], what: str) -> tuple[str, ...]:
    """Return a collection of strings as a tuple.

    Raises:
        InvalidArgumentError: it is a single string, whose letters would count as items, or holds something else.
    """
    if _is_several(texts) and not issubclass(type(texts), str):
        several = tuple(texts)
        if all(isinstance(text, str) for text in several):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may not be typed
            return several
    advice = ", not one text: put it into a list" if isinstance(texts, str) else ""
    raise _invalid(f"{what} must be a collection of texts{advice}")


def is_time_limit(seconds: float) -> bool:
    """Tell whether a number of seconds is a valid time limit: more than 0; infinity means no limit."""
    return seconds > 0


def check_time_limit(seconds: float, what: str) -> float:
    """Return a time limit.

    Raises:
        InvalidArgumentError: it is not a number, or not more than 0.
    """
    check_number(seconds, what)
    if not is_time_limit(seconds):
        raise _invalid(f"{what} must be more than 0")
    return seconds


def instead(value: object) -> str:
    """Return half a sentence: what a caller passed instead of a JSON object, and what to do about it."""
    if isinstance(value, str):
        return "this is text: parse it with json.loads"
    if isinstance(value, _TEXT):
        return "these are bytes: parse them with json.loads"
    if isinstance(value, (list, tuple)):
        return "this is a list: give the object that holds it, or its items one by one"
    this = f"this is {named(value)}"
    if inspect.isawaitable(value):
        return f"{this}: await it first"
    from interlingua_types._base import InterlinguaModel  # noqa: PLC0415  # slow, and rarely needed

    if isinstance(value, InterlinguaModel):
        return f"{this} of interlingua: give the JSON of a provider, as encode_request and encode_response write it"
    if isinstance(value, Mapping):
        return f"{this}: give dict(...) of it"
    for name in _JSON_METHODS:
        if callable(getattr(value, name, None)):
            return f"{this}: give what its {name}() returns"
    held = next((name for name in _JSON_ATTRIBUTES if hasattr(value, name)), "")
    return f"{this}: give its {held}" if held else this


def misuse_within_json(value: object) -> str:
    """Return half a sentence: what stands in a JSON object instead of a JSON value, and what to do about it."""
    if isinstance(value, str):
        return f"this is {named(value)}: give plain text, such as its value"
    if isinstance(value, _TEXT):
        return "these are bytes, which JSON has no type for: encode them with base64.b64encode(...).decode()"
    kind = cast("type[Any]", type(value))
    is_several = issubclass(kind, Iterable) and not issubclass(kind, Mapping)
    if is_several and not any(hasattr(value, name) for name in _JSON_METHODS):
        return f"this is {named(value)}: give list(...) of it"
    return instead(value)


def check_each(several: _Several, what: str) -> _Several:
    """Return frames or events that can be iterated, synchronously or asynchronously.

    Raises:
        InvalidArgumentError: it is not iterable, or it is a string or mapping whose letters or names would count as
            items.
    """
    kind: type[Any] = type(several)
    if issubclass(kind, (Iterable, AsyncIterable)) and not issubclass(kind, (*_TEXT, Mapping)):
        return several
    advice = ""
    if inspect.isawaitable(several):
        advice = "; await it first"
    elif what == "frames" and issubclass(kind, _TEXT):
        advice = f"; {READ_FRAMES}"
    elif what == "frames" and issubclass(kind, Mapping):
        advice = "; for a complete response use decode_response or translate_response"
    wanted = f"{what} must be an iterable or an async iterable of {what}"
    raise _invalid(f"{wanted}, not {named(several)}{advice}")


def check_several(several: _Several, what: str) -> _Several:
    """Return an iterable.

    Raises:
        InvalidArgumentError: it is not iterable, or a mapping, of which only the names would be read, or a model, of
            which the members would be read.
    """
    if hasattr(type(several), "model_fields"):
        raise _invalid(f"{what} must be a list, or another iterable, not {named(several)}: put it into a list")
    if not _is_several(several) or issubclass(type(several), Mapping):
        raise _invalid(f"{what} must be a list, or another iterable, not {named(several)}")
    return several


def _is_several(value: object) -> bool:
    """Tell whether a value is iterable, without starting to iterate: a generator can be read only once.

    An object without `__iter__` but with `__getitem__` is iterable, too.
    """
    kind: type[Any] = type(value)
    return issubclass(kind, Iterable) or hasattr(kind, "__getitem__")


def check_kind_of(value: object, kind: type[Any]) -> None:
    """Check that a value is an instance of a type.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIO" else "a"
        raise TypeError(f"expected {article} {kind.__name__}, not {type(value).__name__}")


def check_count(count: Any, what: str) -> int:
    """Return a count as an int; integers of other packages, such as NumPy's, are accepted.

    Raises:
        InvalidArgumentError: it is not an integer.
    """
    if isinstance(count, int) and not isinstance(count, bool):
        return count
    if _is_real(count, "Integral"):
        return int(count)
    raise _invalid(f"{what} must be a whole number, not {named(count)}")


def check_status(status: Any) -> int | None:
    """Return an HTTP status code.

    Raises:
        InvalidArgumentError: it is not an integer.
    """
    if status is not None and (not isinstance(status, int) or isinstance(status, bool)):
        raise _invalid(f"status must be a whole number such as 429, not {named(status)}")
    return status


def check_headers(headers: object) -> None:
    """Refuse headers without named items. Those of `http.client` have them, although they are not a mapping.

    Raises:
        InvalidArgumentError: they have none.
    """
    if headers is not None and not callable(getattr(headers, "items", None)):
        kind = cast("type[Any]", type(headers))
        advice = ": give dict(...) of it" if issubclass(kind, Iterable) and not issubclass(kind, _TEXT) else ""
        raise _invalid(f"headers must be a mapping of names, not {named(headers)}{advice}")


def check_mapping(value: Any, what: str) -> None:
    """Refuse a value that is not a mapping.

    Raises:
        InvalidArgumentError: it is not a mapping.
    """
    if not isinstance(value, Mapping):
        raise _invalid(f"{what} must be a mapping of names, not {named(value)}")


def check_number(value: Any, what: str) -> None:
    """Refuse a value that is not a number. Fractions and numbers of other packages, such as NumPy's, are accepted.

    Raises:
        InvalidArgumentError: it is not a number, or is an integer beyond the largest double.
    """
    if not _is_number(value):
        raise _invalid(f"{what} must be a number, not {named(value)}")
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        raise _invalid(f"{what} is too large a number")


def _is_number(value: object) -> bool:
    """Tell whether a value is a number and not a boolean."""
    return (isinstance(value, int | float) and not isinstance(value, bool)) or _is_real(value, "Real")


def _is_real(value: object, kind: Literal["Integral", "Real"]) -> bool:
    """Tell whether a value is a number of the given abstract type in `numbers`, and not a boolean."""
    import numbers  # noqa: PLC0415  # hardly any caller has such numbers

    return isinstance(value, getattr(numbers, kind)) and not isinstance(value, bool)


def check_path(path: Any, what: str) -> None:
    """Refuse a value that is not a path.

    Raises:
        InvalidArgumentError: it is not a path.
    """
    if not isinstance(os.fspath(path) if hasattr(path, "__fspath__") else path, str):
        raise _invalid(f"{what} must be a path, not {named(path)}")


def check_function(function: Any, what: str) -> None:
    """Refuse a value that is not callable.

    Raises:
        InvalidArgumentError: it is not callable.
    """
    if not callable(function):
        raise _invalid(f"{what} must be a function, not {named(function)}")


def check_method(value: Any, what: str, method: str) -> None:
    """Refuse a value that lacks the method it is needed for.

    Raises:
        InvalidArgumentError: it does not have the method.
    """
    if not callable(getattr(value, method, None)):
        raise _invalid(f"{what} must have the method {method}, which {named(value)} does not have")


def check_binary_file(value: Any, what: str, method: Literal["readline", "write"]) -> None:
    """Refuse a value that was passed instead of a path and is not a binary file.

    Raises:
        InvalidArgumentError: it does not have the method.
    """
    if not callable(getattr(value, method, None)):
        raise _invalid(f"{what} must be a path, or a file that was opened for bytes, not {named(value)}")


def check_exchange(exchange: Any) -> None:
    """Refuse a value that is neither an exchange nor None.

    Raises:
        InvalidArgumentError: it is neither.
    """
    if exchange is not None and not hasattr(exchange, "restoration"):
        raise _invalid(f"exchange must be what il.exchange returns, not {named(exchange)}")


def check_moment(moment: Any, what: str) -> None:
    """Refuse a value that is neither a time nor None.

    Raises:
        InvalidArgumentError: it is neither a datetime nor a number of seconds since 1970.
    """
    if moment is None or isinstance(moment, datetime):
        return
    if not _is_number(moment):
        raise _invalid(f"{what} must be a datetime, or a number of seconds since 1970, not {named(moment)}")
    check_number(moment, what)


def named(value: object) -> str:
    """Return the type of a value with an article: "a list"."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {name}"
