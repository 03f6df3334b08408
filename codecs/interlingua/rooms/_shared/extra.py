"""Reading untrusted wire JSON, and `extra.<dialect>`, which gathers what has no canonical place.

The checks raise `Malformed`, beside those of `interlingua.spi.reading`. How `extra` is laid back stands in
`interlingua.spi.extra`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeGuard, cast

from interlingua.loss import pointer
from interlingua.spi.extra import (
    FOREIGN,
    NOTHING,
    merge_empty_members,
    merge_extra,
    merge_own_extra,
    own_extra,
    report_foreign,
)
from interlingua.spi.reading import Malformed, expect, top_object

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from interlingua.loss import LossLog

__all__ = [
    "FLAG",
    "FOREIGN",
    "NOTHING",
    "NUMBER",
    "OBJECT",
    "TEXT",
    "Malformed",
    "Setting",
    "Unmapped",
    "decode_list",
    "expect",
    "expect_integer",
    "is_integer",
    "lay_nulls",
    "lay_role",
    "merge_empty_members",
    "merge_extra",
    "merge_own_extra",
    "own_extra",
    "own_spelling",
    "read_calls",
    "read_mark",
    "read_setting",
    "read_text",
    "read_tools",
    "report_foreign",
    "report_members",
    "report_usage",
    "rest",
    "restore_opaque_calls",
    "take",
    "texts",
    "top_object",
    "without_notes",
]

# The canonical name of a setting, and the types that it has.
Setting: TypeAlias = tuple[str, tuple[type, ...]]
_WHOLE: Final[tuple[type, ...]] = (int,)
_MARK: Final[Mapping[str, Setting]] = MappingProxyType({"ttl": ("ttl", (str,))})


class Unmapped:
    """What one wire object holds beyond its canonical value: verbatim members, and notes on spelling."""

    __slots__ = ("fields", "spelling", "typed")

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}
        self.spelling: dict[str, Any] = {}
        self.typed: dict[str, Any] = {}

    def null(self, name: str) -> None:
        """Note that a known member was written as null, which says as much as absent."""
        self.spelling.setdefault("null", []).append(name)

    def empty(self, name: str) -> None:
        """Note that a known member was written as an empty list, which says as much as absent."""
        self.spelling.setdefault("empty", []).append(name)

    def keep(self, name: str, value: Any, malformed: Malformed) -> None:
        """Keep a member of another type than the dialect says, verbatim: all else can be read without it.

        Raises `Malformed` where the member is what it should be, and something that it holds is not.
        """
        if malformed.path != pointer(name):
            raise malformed
        self.fields[name] = value

    def absent(self, name: str) -> None:
        """Note that a member that the room writes by habit was left out."""
        self.spelling.setdefault("absent", []).append(name)

    def untyped(self, wire: Mapping[str, Any]) -> None:
        """Note that `type` was left out, or written as null."""
        if "type" in wire:
            self.null("type")
        else:
            self.spelling["type"] = "absent"

    def absent_habits(self, names: Iterable[str], wire: Mapping[str, Any]) -> None:
        """Note each habit that the wire object leaves out."""
        for name in names:
            if name not in wire:
                self.absent(name)

    def keep_nested(self, name: str, fields: Mapping[Any, Any]) -> None:
        """Keep leftovers of a nested object, under its name."""
        if fields:
            self.fields.setdefault(name, {}).update(fields)

    def attach(self, value: dict[str, Any], dialect: str) -> None:
        """Put what was gathered under `extra.<dialect>` of a canonical value that has just been made."""
        extra_of: dict[str, Any] = {}
        if self.fields:
            extra_of["fields"] = self.fields
        if self.spelling:
            extra_of["spelling"] = self.spelling
        if self.typed:
            extra_of.update(self.typed)
        if extra_of:
            value["extra"] = {dialect: extra_of}


def read_setting(request: dict[str, Any], key: str, value: Any, setting: Setting, left: Unmapped) -> None:
    """Read a setting: its canonical name and the types that it has; one of another type stays a leftover."""
    name, kinds = setting
    if value is None:
        left.null(key)
    elif type(value) in kinds or (kinds == _WHOLE and is_integer(value)):
        request[name] = value
    else:
        left.fields[key] = value


def read_text(value: dict[str, Any], name: str, wire: Mapping[str, Any], key: str, left: Unmapped) -> None:
    """Read a member that is text into a canonical one; one of another type stays a leftover."""
    text = wire.get(key)
    if type(text) is str:
        value[name] = text
    elif text is not None:
        left.fields[key] = text
    elif key in wire:
        left.null(key)


def read_tools(request: dict[str, Any], value: Any, left: Unmapped, decode: Callable[[Any], Any]) -> None:
    """Read the tools; an empty list says nothing."""
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
    """Read the calls of a message: `decode` takes one, its number and the context; None is one of an unknown type.

    Those of an unknown type keep their place among the others.
    """
    calls: list[dict[str, Any]] = []
    index = 0
    try:
        for index, one in enumerate(wire):
            call = decode(one, len(calls), context)
            if call is not None:
                calls.append(call)
            else:
                left.typed.setdefault("opaque_calls", []).append({"at": index, "data": one})
    except Malformed as malformed:
        raise malformed.under("tool_calls", index) from None
    if calls:
        message["tool_calls"] = calls


def take(wire: Mapping[str, Any], known: Mapping[str, Setting]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the known members of an object that are of their types, by their canonical names, and all others."""
    taken: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for key, value in wire.items():
        setting = known.get(key)
        if setting is not None and type(value) in setting[1]:
            taken[setting[0]] = value
        else:
            others[key] = value
    return taken, others


def read_mark(value: dict[str, Any], name: str, mark: Any, sign: tuple[str, str], left: Unmapped) -> bool:
    """Read a mark for the cache and tell whether it is one: `sign` is the member, and its value, that makes it one."""
    if type(mark) is not dict or mark.get(sign[0]) != sign[1]:
        left.fields[name] = mark
        return False
    value["cache"], others = take(cast("dict[str, Any]", mark), _MARK)
    del others[sign[0]]
    left.keep_nested(name, others)
    return True


def rest(wire: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """Return the members of a wire object that are not known, verbatim."""
    if wire.keys() <= known:
        return {}
    return {key: value for key, value in wire.items() if key not in known}


def restore_opaque_calls(calls: Iterable[Any], placed: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Return calls with those of an unknown type back at their places."""
    out = [*calls]
    for one in placed:
        # Within the list: a number of more than 64 bits is no place for `insert`.
        out.insert(max(-len(out), min(one["at"], len(out))), one["data"])
    return out


def own_spelling(value: Mapping[str, Any], dialect: str) -> Mapping[str, Any]:
    """Return how the dialect wrote a canonical value, where that is not its habit."""
    spelling: Mapping[str, Any] = own_extra(value, dialect).get("spelling", NOTHING)
    return spelling


def without_notes(messages: Sequence[Any], dialect: str) -> list[Any]:
    """Return the messages of a request without what others noted on their own spelling, which is never a loss."""
    return [_without_notes(message, dialect) if "extra" in message else message for message in messages]


def _without_notes(message: Mapping[str, Any], dialect: str) -> Mapping[str, Any]:
    extra: Mapping[str, Any] = message["extra"]
    if dialect in extra or message["role"] == "opaque":
        return message
    for extra_of in extra.values():
        if type(extra_of) is not dict or len(cast("dict[str, Any]", extra_of)) != 1 or "spelling" not in extra_of:
            return message
    return {name: value for name, value in message.items() if name != "extra"}


def report_usage(usage: Mapping[str, Any], known: Collection[str], log: LossLog, detail: str) -> None:
    """Note the counts that have no place; 0 says nothing, and the sum of the others is told by them."""
    for name, count in usage.items():
        if name in known or name == "extra" or not count:
            continue
        if name != "total_tokens" or count != usage.get("input_tokens", 0) + usage.get("output_tokens", 0):
            log.lost("member", f"/usage/{name}", detail)


def lay_nulls(out: dict[str, Any], spelling: Mapping[str, Any], holder: str) -> None:
    """Write known members of a nested object that said nothing as null, where that is how they came."""
    for name in spelling.get("null", ()):
        outer, dot, inner = name.partition(".")
        if dot and outer == holder:
            out.setdefault(inner, None)


def lay_role(out: dict[str, Any], extra_of: Mapping[str, Any]) -> None:
    """Write the role of a message as it came, where it was no text."""
    spelling = extra_of.get("spelling", NOTHING)
    if "role" in spelling.get("null", ()):
        out["role"] = None
    elif "role" in spelling.get("absent", ()):
        fields = extra_of.get("fields", NOTHING)
        if "role" in fields:
            out["role"] = fields["role"]
        else:
            del out["role"]


def report_members(value: Iterable[str], path: str, log: LossLog, detail: str) -> None:
    """Note each named member as lost."""
    for name in value:
        log.lost("member", path + pointer(name), detail)


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
