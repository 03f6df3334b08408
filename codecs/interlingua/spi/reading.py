"""Tools for decoding untrusted wire JSON: the exception for malformed values, type checks, and unmapped members.

Inner functions know only their own position, so they raise `Malformed` with a relative path; each caller prepends its
own step, and the room's public function turns it into a `DecodeError`. No path is built for a well-formed body.
"""

from __future__ import annotations

from functools import wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeGuard, TypeVar, cast

from interlingua.errors import DecodeError
from interlingua.pointers import pointer
from interlingua.tool_arguments import arguments_object

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

__all__ = ["Malformed", "expect", "top_object"]

WORDS: Final[Mapping[type, str]] = {
    str: "text", int: "a whole number", float: "a number", bool: "true or false", dict: "an object", list: "a list"
}  # fmt: skip
NUMBER: Final[tuple[type, ...]] = (int, float)
TEXT: Final[tuple[type, ...]] = (str,)
INTEGER: Final[tuple[type, ...]] = (int,)
FLAG: Final[tuple[type, ...]] = (bool,)
OBJECT: Final[tuple[type, ...]] = (dict,)
_JSON: Final = (str, int, float, dict, list, tuple, type(None))
# Below this, a float distinguishes every integer from the next.
_EXACT: Final = 2.0**53

Decoded = TypeVar("Decoded")
# The canonical name of a setting, and its types.
Setting: TypeAlias = tuple[str, tuple[type, ...]]
_MARK: Final[Mapping[str, Setting]] = MappingProxyType({"ttl": ("ttl", (str,))})


class Malformed(Exception):  # noqa: N818  # internal to a room
    """A wire value of the wrong shape: `path` is relative to the function that raised it, `reason` has no content.

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
        """Return the same error with `tokens` prepended to its path."""
        return Malformed(pointer(*tokens) + self.path, self.reason)

    def error(self, dialect: str) -> DecodeError:
        """Return the `DecodeError` for users."""
        return DecodeError(dialect, self.path, self.reason)


def expect(value: Any, kinds: tuple[type, ...], *tokens: str | int) -> Any:
    """Return the value if its type is exactly one of `kinds`, else raise `Malformed` with a path of the tokens.

    Args:
        value: The value.
        kinds: The accepted types, such as `(str, list)`.
        tokens: The member names and list indexes of the path to it.

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
    raise Malformed(pointer(*tokens), f"expected {' or '.join(WORDS[kind] for kind in kinds)}")


def top_object(body: Any) -> dict[str, Any]:
    """Return the body if it is an object with string keys, else raise `Malformed`.

    Args:
        body: A wire body of any type.

    Example:
        >>> il.spi.top_object({"lines": []})
        {'lines': []}
    """
    if type(body) is not dict:
        raise Malformed("", "expected an object")
    return cast("dict[str, Any]", body)


def body_decoder(dialect: str) -> Callable[[Callable[[Any], Decoded]], Callable[[Any], Decoded]]:
    """Return a decorator that turns a function for objects into a room's decoder for any body.

    The decorated function raises `DecodeError` in place of `Malformed`.
    """

    def of_any_body(decode: Callable[[Any], Decoded]) -> Callable[[Any], Decoded]:
        @wraps(decode)
        def decode_body(body: Any) -> Decoded:
            try:
                return decode(top_object(body))
            except Malformed as malformed:
                raise malformed.error(dialect) from None

        return decode_body

    return of_any_body


class Unmapped:
    """What a wire object holds beyond its canonical value: `fields` and `spelling`."""

    __slots__ = ("fields", "spelling", "typed")

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}
        self.spelling: dict[str, Any] = {}
        self.typed: dict[str, Any] = {}

    def null(self, name: str) -> None:
        """Note that a known member was null, which means the same as absent."""
        self.spelling.setdefault("null", []).append(name)

    def empty(self, name: str) -> None:
        """Note that a known member was an empty list, which means the same as absent."""
        self.spelling.setdefault("empty", []).append(name)

    def keep(self, name: str, value: Any, malformed: Malformed) -> None:
        """Keep a member of an unexpected type verbatim, since the rest can be decoded without it.

        Raises `Malformed` if the member's own type is right and something inside it is wrong, and for a Python object
        that is not JSON.
        """
        if malformed.path != pointer(name) or not isinstance(value, _JSON):
            raise malformed
        self.fields[name] = value

    def absent(self, name: str) -> None:
        """Note that a member that the room writes by habit was absent."""
        self.spelling.setdefault("absent", []).append(name)

    def untyped(self, wire: Mapping[str, Any]) -> None:
        """Note that `type` was absent or null."""
        if "type" in wire:
            self.null("type")
        else:
            self.spelling["type"] = "absent"

    def absent_habits(self, names: Iterable[str], wire: Mapping[str, Any]) -> None:
        """Note each habit that the wire object does not have."""
        for name in names:
            if name not in wire:
                self.absent(name)

    def keep_nested(self, name: str, fields: Mapping[Any, Any]) -> None:
        """Keep the unmapped members of a nested object, under its name."""
        if fields:
            self.fields.setdefault(name, {}).update(fields)

    def attach(self, value: dict[str, Any], dialect: str) -> None:
        """Store what was collected under `extra.<dialect>` of a newly made canonical value."""
        extra_of: dict[str, Any] = {}
        if self.fields:
            extra_of["fields"] = self.fields
        if self.spelling:
            extra_of["spelling"] = self.spelling
        if self.typed:
            extra_of.update(self.typed)
        if extra_of:
            value["extra"] = {dialect: extra_of}


class InvalidInput(str):
    """A streamed call's argument text that is not a JSON object: cut off or invalid. It never occurs in a body."""

    __slots__ = ()


def read_input(text: str) -> dict[str, Any] | InvalidInput:
    """Return the arguments of a streamed call as an object; text that is cut off or is not an object stays text."""
    value, is_faithful = arguments_object(text)
    return InvalidInput(text) if not is_faithful and value == {"arguments": text} else value


def is_integer(value: Any) -> TypeGuard[int | float]:
    """Tell whether a value is an integer; in JSON 5.0 is one. A float too large to be exact is not."""
    return type(value) is int or (type(value) is float and -_EXACT < value < _EXACT and value.is_integer())


def expect_integer(value: Any, *tokens: str | int) -> int | float:
    """Return an integer, unconverted; raise `Malformed` for anything else."""
    if is_integer(value):
        return value
    raise Malformed(pointer(*tokens), "expected a whole number")


def texts(value: Any, name: str) -> list[str]:
    """Return a list of strings; if any item is not a string, raise `Malformed` for the whole list."""
    several: list[Any] = expect(value, (list,), name)
    if all(type(one) is str for one in several):
        return several
    raise Malformed(pointer(name), "expected a list of texts")


def decode_list(values: list[Any], name: str, decode: Callable[[Any], Any]) -> list[Any]:
    """Return each item of a list decoded; `Malformed` has the index of an item that cannot be decoded."""
    decoded: list[Any] = []
    try:
        for value in values:
            decoded.append(decode(value))  # noqa: PERF401  # its length is used on error
    except Malformed as malformed:
        raise malformed.under(name, len(decoded)) from None
    return decoded


def read_setting(request: dict[str, Any], key: str, value: Any, setting: Setting, left: Unmapped) -> None:
    """Decode a setting by its canonical name and types; a value of another type is kept unmapped."""
    name, kinds = setting
    if value is None:
        left.null(key)
    elif type(value) in kinds or (kinds == INTEGER and is_integer(value)):
        request[name] = value
    else:
        left.fields[key] = value


def read_text(
    value: dict[str, Any],
    name: str,
    wire: Mapping[str, Any],
    key: str,
    left: Unmapped,
    others: dict[str, Any] | None = None,
) -> None:
    """Decode a text member; a value of another type is kept unmapped, or in `others` if given."""
    text = wire.get(key)
    if type(text) is str:
        value[name] = text
    elif text is not None:
        (left.fields if others is None else others)[key] = text
    elif key in wire:
        left.null(key)


def read_tools(request: dict[str, Any], value: Any, left: Unmapped, decode: Callable[[Any], Any]) -> None:
    """Decode the tools; an empty list means the same as absent."""
    tools: list[Any] = expect(value, (list,), "tools")
    if tools:
        request.setdefault("tools", []).extend(decode_list(tools, "tools", decode))
    else:
        left.empty("tools")


def read_calls(
    message: dict[str, Any],
    wire: list[Any],
    left: Unmapped,
    decode: Callable[[Any, int, Any], dict[str, Any] | None],
    context: Any,
) -> None:
    """Decode a message's calls: `decode` takes a call, its index and the context, and returns None for an unknown type.

    Calls of unknown types are kept with their place among the others.
    """
    calls: list[dict[str, Any]] = []
    index = 0
    try:
        for index, one in enumerate(wire):
            call = decode(one, len(calls), context)
            if call is not None:
                calls.append(call)
            elif isinstance(one, _JSON):
                left.typed.setdefault("opaque_calls", []).append({"at": index, "data": one})
            else:
                expect(one, OBJECT)
    except Malformed as malformed:
        raise malformed.under("tool_calls", index) from None
    if calls:
        message["tool_calls"] = calls


def take(wire: Mapping[str, Any], known: Mapping[str, Setting]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return an object's known members of the right types, by canonical name, and all other members."""
    taken: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for key, value in wire.items():
        setting = known.get(key)
        if setting is not None and type(value) in setting[1]:
            taken[setting[0]] = value
        else:
            others[key] = value
    return taken, others


def read_usage(
    wire: Mapping[str, Any],
    counts: Mapping[str, str],
    details: Mapping[str, Mapping[str, str]],
    left: Unmapped,
    accents: Collection[str] = (),
) -> dict[str, Any]:
    """Return the counts of a usage and those of its details, by their canonical names; all else is left.

    `accents` are further members that may be null and say nothing then.
    """
    usage: dict[str, Any] = {}
    for key, value in wire.items():
        inner = details.get(key)
        if key in counts and is_integer(value):
            usage[counts[key]] = value
        elif inner is not None and type(value) is dict:
            nested: dict[str, Any] = {}
            for name, count in cast("dict[str, Any]", value).items():
                if name in inner and type(count) is int:
                    usage[inner[name]] = count
                elif name in inner and count is None:
                    left.null(f"{key}.{name}")
                else:
                    nested[name] = count
            if nested or not value:
                left.fields[key] = nested
        elif value is None and (key in counts or inner is not None or key in accents):
            left.null(key)
        else:
            left.fields[key] = value
    return usage


def read_mark(value: dict[str, Any], name: str, mark: Any, sign: tuple[str, str], left: Unmapped) -> bool:
    """Decode a cache mark, and tell whether it is one: `sign` is the member and value that make it one."""
    if type(mark) is not dict or cast("dict[str, Any]", mark).get(sign[0]) != sign[1]:
        left.fields[name] = mark
        return False
    value["cache"], others = take(cast("dict[str, Any]", mark), _MARK)
    del others[sign[0]]
    left.keep_nested(name, others)
    return True


def answer_list(body: Mapping[str, Any], name: str, label: tuple[str, str], left: Unmapped) -> list[Any]:
    """Return the list that holds what an answer says; null, as gateways written in Go send it, is an empty one.

    That is so only if `label`, a member and its value, says that the body is an answer, and the body tells no error.
    """
    if name in body and body[name] is None and body.get(label[0]) == label[1] and not body.get("error"):
        left.null(name)
        return []
    return cast("list[Any]", expect(body.get(name), (list,), name))


def rest(wire: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """Return the unknown members of a wire object, verbatim."""
    if wire.keys() <= known:
        return {}
    return {key: value for key, value in wire.items() if key not in known}
