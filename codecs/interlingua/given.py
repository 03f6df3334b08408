"""Mistakes of callers that Python lets pass: one text in the place of several, JSON that nobody has read yet."""

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
    "instead_within",
    "is_time_limit",
    "named",
    "texts_of",
]

_Several = TypeVar("_Several")
_TEXT: Final = (str, bytes, bytearray, memoryview)
# As the objects of the providers' own packages have them, their errors, and the answers of HTTP clients; the first that
# is there is the best.
_HELD: Final = ("body", "details", "response")
_WAYS: Final = ("to_dict", "to_json_dict", "model_dump", "json")
READ_FRAMES: Final = "read the bytes of a stream with interlingua.frames.read_frames"


def _invalid(reason: str) -> Exception:
    """Return the error of a mistake."""
    from interlingua_types._base import InvalidArgumentError  # noqa: PLC0415  # it is slow, and hardly any caller is wrong

    return InvalidArgumentError(reason)


def texts_of(texts: Iterable[str], what: str) -> tuple[str, ...]:
    """Return several texts, in order.

    Raises:
        InvalidArgumentError: it is one text, of which each letter would count as one of them, or holds something else.
    """
    if _is_several(texts) and not issubclass(type(texts), str):
        several = tuple(texts)
        if all(isinstance(text, str) for text in several):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may not be typed
            return several
    advice = ", not one text: put it into a list" if isinstance(texts, str) else ""
    raise _invalid(f"{what} must be a collection of texts{advice}")


def is_time_limit(seconds: float) -> bool:
    """Tell whether a number of seconds limits anything: more than 0; infinity does, by limiting nothing."""
    return seconds > 0


def check_time_limit(seconds: float, what: str) -> float:
    """Return a time limit.

    Raises:
        InvalidArgumentError: it is no number, or not more than 0.
    """
    check_number(seconds, what)
    if not is_time_limit(seconds):
        raise _invalid(f"{what} must be more than 0")
    return seconds


def instead(value: object) -> str:
    """Return what a caller gave in the place of a JSON object, and what to do: half a sentence."""
    if isinstance(value, str):
        return "this is text: parse it with json.loads"
    if isinstance(value, _TEXT):
        return "these are bytes: parse them with json.loads"
    if isinstance(value, (list, tuple)):
        return "this is a list: give the object that holds it, or its items one by one"
    this = f"this is {named(value)}"
    if inspect.isawaitable(value):
        return f"{this}: await it first"
    from interlingua_types._base import InterlinguaModel  # noqa: PLC0415  # it is slow, and hardly any caller is wrong

    if isinstance(value, InterlinguaModel):
        return f"{this} of interlingua: give the JSON of a provider, as encode_request and encode_response write it"
    if isinstance(value, Mapping):
        return f"{this}: give dict(...) of it"
    for name in _WAYS:
        if callable(getattr(value, name, None)):
            return f"{this}: give what its {name}() returns"
    held = next((name for name in _HELD if hasattr(value, name)), "")
    return f"{this}: give its {held}" if held else this


def instead_within(value: object) -> str:
    """Return what a caller gave in the place of a value within a JSON object, and what to do: half a sentence."""
    if isinstance(value, str):
        return f"this is {named(value)}: give plain text, such as its value"
    if isinstance(value, _TEXT):
        return "these are bytes, which JSON has no type for: encode them with base64.b64encode(...).decode()"
    kind = cast("type[Any]", type(value))
    is_several = issubclass(kind, Iterable) and not issubclass(kind, Mapping)
    if is_several and not any(hasattr(value, name) for name in _WAYS):
        return f"this is {named(value)}: give list(...) of it"
    return instead(value)


def check_each(several: _Several, what: str) -> _Several:
    """Return frames or events, which come one by one.

    Raises:
        InvalidArgumentError: they can be read in no such way, or each letter or name would count as one of them.
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
    """Return what a caller gives several of, one by one.

    Raises:
        InvalidArgumentError: nothing comes of it one by one.
    """
    if not _is_several(several):
        raise _invalid(f"{what} must be a list, or another iterable, not {named(several)}")
    return several


def _is_several(value: object) -> bool:
    """Tell whether a value can be iterated over, without beginning to: a generator can be read once only.

    A class without `__iter__` whose items are had by their numbers is an iterable to Python, too.
    """
    kind: type[Any] = type(value)
    return issubclass(kind, Iterable) or hasattr(kind, "__getitem__")


def check_kind_of(value: object, kind: type[Any]) -> None:
    """Return if a value is of the kind that is wanted.

    Raises:
        TypeError: it is of another one.
    """
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIO" else "a"
        raise TypeError(f"expected {article} {kind.__name__}, not {type(value).__name__}")


def check_count(count: Any, what: str) -> int:
    """Return how many of something are wanted; the whole numbers of other packages, such as NumPy's, count as ours.

    Raises:
        InvalidArgumentError: it is no whole number.
    """
    if isinstance(count, int) and not isinstance(count, bool):
        return count
    if _is_real(count, "Integral"):
        return int(count)
    raise _invalid(f"{what} must be a whole number, not {named(count)}")


def check_status(status: Any) -> int | None:
    """Return an HTTP status.

    Raises:
        InvalidArgumentError: it is no whole number.
    """
    if status is not None and (not isinstance(status, int) or isinstance(status, bool)):
        raise _invalid(f"status must be a whole number such as 429, not {named(status)}")
    return status


def check_headers(headers: object) -> None:
    """Refuse headers that have no names. Those of `http.client` have, and are no mapping.

    Raises:
        InvalidArgumentError: they have none.
    """
    if headers is not None and not callable(getattr(headers, "items", None)):
        kind = cast("type[Any]", type(headers))
        advice = ": give dict(...) of it" if issubclass(kind, Iterable) and not issubclass(kind, _TEXT) else ""
        raise _invalid(f"headers must be a mapping of names, not {named(headers)}{advice}")


def check_mapping(value: Any, what: str) -> None:
    """Refuse what has no names.

    Raises:
        InvalidArgumentError: it is no mapping.
    """
    if not isinstance(value, Mapping):
        raise _invalid(f"{what} must be a mapping of names, not {named(value)}")


def check_number(value: Any, what: str) -> None:
    """Refuse what is no number. Those of other packages, such as NumPy's, and fractions are some.

    Raises:
        InvalidArgumentError: it is none, or a whole number beyond the largest double.
    """
    if not _is_number(value):
        raise _invalid(f"{what} must be a number, not {named(value)}")
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        raise _invalid(f"{what} is too large a number")


def _is_number(value: object) -> bool:
    """Tell whether a value is a number, and no truth value."""
    return (isinstance(value, int | float) and not isinstance(value, bool)) or _is_real(value, "Real")


def _is_real(value: object, kind: Literal["Integral", "Real"]) -> bool:
    """Tell whether a value is a number that Python's own tower of numbers knows, and no truth value."""
    import numbers  # noqa: PLC0415  # hardly any caller has such numbers

    return isinstance(value, getattr(numbers, kind)) and not isinstance(value, bool)


def check_path(path: Any, what: str) -> None:
    """Refuse what names no file.

    Raises:
        InvalidArgumentError: it is no path.
    """
    if not isinstance(os.fspath(path) if hasattr(path, "__fspath__") else path, str):
        raise _invalid(f"{what} must be a path, not {named(path)}")


def check_function(function: Any, what: str) -> None:
    """Refuse what cannot be called.

    Raises:
        InvalidArgumentError: it is no function.
    """
    if not callable(function):
        raise _invalid(f"{what} must be a function, not {named(function)}")


def check_method(value: Any, what: str, method: str) -> None:
    """Refuse what has not the method that it is given for.

    Raises:
        InvalidArgumentError: it has none.
    """
    if not callable(getattr(value, method, None)):
        raise _invalid(f"{what} must have the method {method}, which {named(value)} does not have")


def check_binary_file(value: Any, what: str, method: Literal["readline", "write"]) -> None:
    """Refuse what is given in the place of a path, and is no file.

    Raises:
        InvalidArgumentError: it has not the method that it is given for.
    """
    if not callable(getattr(value, method, None)):
        raise _invalid(f"{what} must be a path, or a file that was opened for bytes, not {named(value)}")


def check_exchange(exchange: Any) -> None:
    """Refuse what is no exchange; None stands for none.

    Raises:
        InvalidArgumentError: it is none.
    """
    if exchange is not None and not hasattr(exchange, "restoration"):
        raise _invalid(f"exchange must be what il.exchange returns, not {named(exchange)}")


def check_moment(moment: Any, what: str) -> None:
    """Refuse what is no moment; None stands for none.

    Raises:
        InvalidArgumentError: it is neither a datetime nor a number of seconds since 1970.
    """
    if moment is None or isinstance(moment, datetime):
        return
    if not _is_number(moment):
        raise _invalid(f"{what} must be a datetime, or a number of seconds since 1970, not {named(moment)}")
    check_number(moment, what)


def named(value: object) -> str:
    """Return the kind of a value: "a list"."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {name}"
