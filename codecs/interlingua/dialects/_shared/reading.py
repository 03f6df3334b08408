"""Reading untrusted wire JSON: one internal signal for malformed shapes, and the checks that raise it.

Inner functions know only their own place, so they raise `Malformed` with a path relative to it; each caller puts its
own step in front, and the room's face turns it into a `DecodeError`. No path is built for a body that is well formed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeGuard, cast

from interlingua.errors import DecodeError
from interlingua.loss import pointer

if TYPE_CHECKING:
    from collections.abc import Mapping

NUMBER: Final[tuple[type, ...]] = (int, float)
TEXT: Final[tuple[type, ...]] = (str,)
FLAG: Final[tuple[type, ...]] = (bool,)
OBJECT: Final[tuple[type, ...]] = (dict,)

_WORDS: Final[Mapping[type, str]] = {
    str: "text", int: "a whole number", float: "a number", bool: "true or false", dict: "an object", list: "a list"
}  # fmt: skip


class Malformed(Exception):  # noqa: N818  # a signal between the functions of a room, never seen outside
    """A known wire shape that is not what it should be: `path` relative to the raiser, `reason` free of content."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(path, reason)

    def under(self, *tokens: str | int) -> Malformed:
        """Return the same finding as seen from further out."""
        return Malformed(pointer(*tokens) + self.path, self.reason)

    def error(self, dialect: str) -> DecodeError:
        """Return the error that users see."""
        return DecodeError(dialect, self.path, self.reason)


def expect(value: Any, kinds: tuple[type, ...], *tokens: str | int) -> Any:
    """Return the value if its type is exactly one of the kinds, else raise `Malformed` at the tokens."""
    if type(value) in kinds:
        return value
    raise Malformed(pointer(*tokens), f"expected {' or '.join(_WORDS[kind] for kind in kinds)}")


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


def top_object(body: Any) -> dict[str, Any]:
    """Return the body if it is an object with text keys."""
    if type(body) is not dict:
        raise Malformed("", "expected an object")
    return cast("dict[str, Any]", body)
