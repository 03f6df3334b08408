"""Reports the canonical members that rooms do not know yet.

Each room writes or reports by itself every member that version 3 of the schema has. A member of a later version is
reported here as lost, for every dialect whose descriptor does not list it in `newer_members`.
"""

from __future__ import annotations

from functools import cache
from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from interlingua.loss import is_empty_value
from interlingua.pointers import pointer
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.loss import LossLog

_KNOWN: Final[int] = 3
# Whether there may be any: false as long as the codecs use that version.
ARE_POSSIBLE: Final[bool] = CURRENT != _KNOWN
_VERBATIM: Final = "extra"
_NO_PLACE: Final = "the target has no place for this member"


class Kind(NamedTuple):
    """A type of the schema: its newer members, and the members or variants in which newer members may be."""

    newer: frozenset[str]
    members: Mapping[str, str]  # name -> type of the value, or of each item of a list
    tag: str = ""
    variants: Mapping[str, str] = MappingProxyType({})


def kinds_of(then: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Kind]:
    """Return the types of a schema that have a newer member, or hold one that does.

    Args:
        then: The definitions of the version that rooms know.
        now: The definitions of the version that is used.
    """
    kinds = {name: _kind(then.get(name), schema) for name, schema in now.items()}
    wanted = {name for name, kind in kinds.items() if kind.newer}
    while True:
        more = {name for name, kind in kinds.items() if wanted & {*kind.members.values(), *kind.variants.values()}}
        if more <= wanted:
            return {name: kinds[name] for name in sorted(wanted)}
        wanted |= more


def _kind(then: Any, now: Mapping[str, Any]) -> Kind:
    said: Mapping[str, Any] = now.get("properties", {})
    newer = frozenset(said) - frozenset(then.get("properties", ())) if then is not None else frozenset[str]()
    members = {name: kind for name, schema in said.items() if name != _VERBATIM and (kind := _held(schema))}
    if "discriminator" in now:
        mapping = now["discriminator"]["mapping"]
        variants = {tag: reference.rpartition("/")[2] for tag, reference in mapping.items()}
        return Kind(newer, members, now["discriminator"]["propertyName"], variants)
    items = next((kind for one in now.get("anyOf", ()) if (kind := _held(one))), "")
    return Kind(newer, members, "", {"": items} if items else {})


def _held(schema: Mapping[str, Any]) -> str:
    """Return the type of a member's value, or of the items of its list; empty if it is none of the schema's."""
    reference: str = schema.get("$ref") or schema.get("items", {}).get("$ref", "")
    return reference.rpartition("/")[2]


@cache
def _kinds() -> Mapping[str, Kind]:
    from interlingua.validation import bundle  # noqa: PLC0415  # not needed as long as no member is newer

    return kinds_of(bundle(_KNOWN)["$defs"], bundle(CURRENT)["$defs"])


def lost_newer_members(log: LossLog, kind: str, value: Any, written: frozenset[str], path: str = "") -> None:
    """Log as lost the newer members in a canonical value that a room does not write; `written` are those that it does.

    Args:
        log: Where the losses go.
        kind: The type of the value, such as `ChatRequest`.
        value: The canonical value.
        written: The newer members that the room writes, such as `TextPart.language`.
        path: The path of the value.
    """
    if ARE_POSSIBLE:
        _report(log, _kinds(), kind, value, written, path)


def reporting_newer_members(
    log: LossLog, written: frozenset[str], feed: Callable[[dict[str, Any]], list[Any]]
) -> Callable[[dict[str, Any]], list[Any]]:
    """Return a function that does what `feed` does, and logs the newer members of each event of a stream."""
    numbers = count()

    def feed_and_report(event: dict[str, Any]) -> list[Any]:
        lost_newer_members(log, "Event", event, written, f"/{next(numbers)}")
        return feed(event)

    return feed_and_report


def _report(log: LossLog, kinds: Mapping[str, Kind], name: str, value: Any, written: frozenset[str], path: str) -> None:
    kind = kinds.get(name)
    if kind is None:
        return
    if isinstance(value, list):
        for at, item in enumerate(cast("Any", value)):
            _report(log, kinds, kind.variants.get("", name), item, written, f"{path}/{at}")
    elif isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        if kind.tag:
            _report(log, kinds, kind.variants.get(members.get(kind.tag, ""), ""), members, written, path)
            return
        for member, held in members.items():
            if member in kind.newer and f"{name}.{member}" not in written and not is_empty_value(held):
                log.lost("member", path + pointer(member), _NO_PLACE)
            elif member in kind.members:
                _report(log, kinds, kind.members[member], held, written, path + pointer(member))
