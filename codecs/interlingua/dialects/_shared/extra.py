"""`extra.<dialect>`: gathering what has no canonical place, and laying it back.

Source: DESIGN section 2. Encoding writes first what the canonical value says, then lays `fields` over what is still
missing (objects merge, lists never), then the room's habits where a key is still missing.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.dialects._shared.reading import is_integer
from interlingua.loss import lost_members, pointer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interlingua.dialects._shared.reading import Malformed
    from interlingua.loss import LossCode, LossLog


# Typed members of a bag that are something other than the state of their provider.
_CODES: Final[Mapping[str, LossCode]] = MappingProxyType({"response": "echo", "server_state": "server_state"})

# The canonical name of a setting, and the types that it has.
Setting: TypeAlias = tuple[str, tuple[type, ...]]
_WHOLE: Final[tuple[type, ...]] = (int,)

_FOREIGN: Final = "only its own dialect understands it"


class Leftovers:
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

    def absent_of(self, names: Iterable[str], wire: Mapping[str, Any]) -> None:
        """Note each habit that the wire object leaves out."""
        for name in names:
            if name not in wire:
                self.absent(name)

    def nest(self, name: str, fields: Mapping[str, Any]) -> None:
        """Keep leftovers of a nested object, under its name."""
        if fields:
            self.fields.setdefault(name, {}).update(fields)

    def attach(self, value: dict[str, Any], dialect: str) -> None:
        """Put what was gathered under `extra.<dialect>` of a canonical value that has just been made."""
        bag: dict[str, Any] = {}
        if self.fields:
            bag["fields"] = self.fields
        if self.spelling:
            bag["spelling"] = self.spelling
        if self.typed:
            bag.update(self.typed)
        if bag:
            value["extra"] = {dialect: bag}


def read_setting(request: dict[str, Any], key: str, value: Any, setting: Setting, left: Leftovers) -> None:
    """Read a setting: its canonical name and the types that it has; one of another type stays a leftover."""
    name, kinds = setting
    if value is None:
        left.null(key)
    elif type(value) in kinds or (kinds == _WHOLE and is_integer(value)):
        request[name] = value
    else:
        left.fields[key] = value


def read_text(value: dict[str, Any], name: str, wire: Mapping[str, Any], key: str, left: Leftovers) -> None:
    """Read a member that is text into a canonical one; one of another type stays a leftover."""
    text = wire.get(key)
    if type(text) is str:
        value[name] = text
    elif text is not None:
        left.fields[key] = text
    elif key in wire:
        left.null(key)


def rest(wire: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """Return the members of a wire object that are not known, verbatim."""
    if wire.keys() <= known:
        return {}
    return {key: value for key, value in wire.items() if key not in known}


def lay(out: dict[str, Any], fields: Mapping[str, Any]) -> None:
    """Lay verbatim members over what is still missing in a wire object that has just been made.

    Objects merge into new objects (the input may be shared), lists never.
    """
    for key, value in fields.items():
        if key not in out:
            out[key] = value
        elif isinstance(value, dict) and isinstance(out[key], dict):
            merged: dict[str, Any] = {**out[key]}
            lay(merged, cast("dict[str, Any]", value))
            out[key] = merged


def lay_spelled(out: dict[str, Any], spelling: Mapping[str, Any]) -> None:
    """Write known members that said nothing as null or as an empty list, where that is how they came.

    A name with a dot is that of a nested object and is left to whoever writes it.
    """
    for name in spelling.get("null", ()):
        if "." not in name:
            out.setdefault(name, None)
    for name in spelling.get("empty", ()):
        out.setdefault(name, [])


def put_back(calls: Iterable[Any], placed: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Return calls with those of an unknown type back at their places."""
    out = [*calls]
    for one in placed:
        # Within the list: a number of more than 64 bits is no place for `insert`.
        out.insert(max(-len(out), min(one["at"], len(out))), one["data"])
    return out


def own_bag(value: Mapping[str, Any], dialect: str) -> Mapping[str, Any]:
    """Return `extra.<dialect>` of a canonical value, or an empty mapping."""
    extra = value.get("extra")
    if extra is None:
        return {}
    bag: Mapping[str, Any] | None = extra.get(dialect)
    return {} if bag is None else bag


def report_foreign(value: Mapping[str, Any], dialect: str, path: str, log: LossLog) -> None:
    """Note as lost what a canonical value holds for other dialects; a `spelling` is never a loss."""
    for owner, bag in value["extra"].items():
        if owner == dialect:
            continue
        if not isinstance(bag, dict):
            log.lost("extra", f"{path}/extra{pointer(owner)}", _FOREIGN)
            continue
        for name, content in cast("dict[str, Any]", bag).items():
            if name == "spelling":
                continue
            where = f"{path}/extra{pointer(owner, name)}"
            if name == "fields" and isinstance(content, dict):
                lost_members(log, cast("dict[str, Any]", content), where, "extra", _FOREIGN)
            elif name == "fields" or owner == "unknown":
                log.lost("extra", where, _FOREIGN)
            else:
                log.lost(_CODES.get(name, "provider_state"), where, _FOREIGN)


def without_notes(messages: Sequence[Any], dialect: str) -> list[Any]:
    """Return the messages of a request without what other dialects noted on their own spelling, which is never a loss.

    Most answers that come from elsewhere are plain then, and take the short ways.
    """
    return [_without_notes(message, dialect) if "extra" in message else message for message in messages]


def _without_notes(message: Mapping[str, Any], dialect: str) -> Mapping[str, Any]:
    extra: Mapping[str, Any] = message["extra"]
    if dialect in extra or message["role"] == "opaque":
        return message
    for bag in extra.values():
        if type(bag) is not dict or len(cast("dict[str, Any]", bag)) != 1 or "spelling" not in bag:
            return message
    return {name: value for name, value in message.items() if name != "extra"}


def report_members(value: Iterable[str], path: str, log: LossLog, detail: str) -> None:
    """Note each named member as lost."""
    for name in value:
        log.lost("member", path + pointer(name), detail)


def lay_own(out: dict[str, Any], value: Any, dialect: str, path: str, log: LossLog) -> None:
    """Lay what the dialect said beyond a canonical value over its wire form, and report what other dialects said."""
    extra = value.get("extra")
    if extra is None:
        return
    bag = extra.get(dialect)
    if bag is not None:
        if "fields" in bag:
            lay(out, bag["fields"])
        if "spelling" in bag:
            lay_spelled(out, bag["spelling"])
    if bag is None or len(extra) > 1:
        report_foreign(value, dialect, path, log)
