"""Reading untrusted wire JSON: one signal for malformed shapes, and the checks that raise it.

Inner functions know only their own place, so they raise `Malformed` with a path relative to it; each caller puts its
own step in front, and the face of the room turns it into a `DecodeError`. No path is built for a body that is well
formed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.errors import DecodeError
from interlingua.loss import pointer

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Malformed", "expect", "top_object"]

_WORDS: Final[Mapping[type, str]] = {
    str: "text", int: "a whole number", float: "a number", bool: "true or false", dict: "an object", list: "a list"
}  # fmt: skip


class Malformed(Exception):  # noqa: N818  # a signal between the functions of a room, never seen outside
    """A known wire shape that is not what it should be: `path` relative to the raiser, `reason` free of content.

    Example:
        >>> error = il.spi.Malformed("/content", "expected a text").under("messages", 0)
        >>> error.path
        '/messages/0/content'
    """

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
    """Return the value if its type is exactly one of the kinds, else raise `Malformed` at the tokens.

    Args:
        value: What stands there.
        kinds: The types that it may be of, such as `(str, list)`.
        tokens: The names and numbers of the path to it.

    Example:
        >>> il.spi.expect({"seed": 7}, (dict,), "options")
        {'seed': 7}
        >>> try:
        ...     il.spi.expect("7", (int,), "options", "seed")
        ... except il.spi.Malformed as error:
        ...     print(error.path, error.reason)
        /options/seed expected a whole number
    """
    if type(value) in kinds:
        return value
    raise Malformed(pointer(*tokens), f"expected {' or '.join(_WORDS[kind] for kind in kinds)}")


def top_object(body: Any) -> dict[str, Any]:
    """Return the body if it is an object with text keys.

    Args:
        body: A wire body of any shape.

    Example:
        >>> il.spi.top_object({"lines": []})
        {'lines': []}
    """
    if type(body) is not dict:
        raise Malformed("", "expected an object")
    return cast("dict[str, Any]", body)
