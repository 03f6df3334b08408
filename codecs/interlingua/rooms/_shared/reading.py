"""Reading untrusted wire JSON: further checks that raise `Malformed`, beside those of `interlingua.spi.reading`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeGuard

from interlingua.loss import pointer
from interlingua.spi.reading import Malformed, expect, top_object

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "FLAG",
    "NUMBER",
    "OBJECT",
    "TEXT",
    "Malformed",
    "decode_list",
    "expect",
    "expect_integer",
    "is_integer",
    "texts",
    "top_object",
]

NUMBER: Final[tuple[type, ...]] = (int, float)
TEXT: Final[tuple[type, ...]] = (str,)
INTEGER: Final[tuple[type, ...]] = (int,)
FLAG: Final[tuple[type, ...]] = (bool,)
OBJECT: Final[tuple[type, ...]] = (dict,)


def is_integer(value: Any) -> TypeGuard[int | float]:
    """Tell whether a value is a whole number; JSON says that 5.0 is one."""
    return type(value) is int or (type(value) is float and value.is_integer())


def expect_integer(value: Any, *tokens: str | int) -> int | float:
    """Return a whole number; it stays as it is written."""
    if is_integer(value):
        return value
    raise Malformed(pointer(*tokens), "expected a whole number")


def texts(value: Any, name: str) -> list[str]:
    """Return a list of texts; if any entry is none, the list as a whole is not what it should be."""
    several: list[Any] = expect(value, (list,), name)
    if all(type(one) is str for one in several):
        return several
    raise Malformed(pointer(name), "expected a list of texts")


def decode_list(values: list[Any], name: str, decode: Callable[[Any], Any]) -> list[Any]:
    """Return each entry of a list decoded; `Malformed` tells the place of the one that cannot be read."""
    decoded: list[Any] = []
    try:
        for value in values:
            decoded.append(decode(value))  # noqa: PERF401  # how far it came is read when one is malformed
    except Malformed as malformed:
        raise malformed.under(name, len(decoded)) from None
    return decoded
