"""Functions for `extra.<dialect>`: writing a dialect's own extra back, and reporting other dialects' as losses.

Encoding first writes what the canonical value says, then merges in the members of `fields` that are still missing
(objects merge, lists never), then writes the room's habits for members that are still missing.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.loss import FOREIGN, is_empty_value
from interlingua.loss_consolidation import SETTING_GROUPS
from interlingua.pointers import pointer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from interlingua.loss import LossCode, LossLog

__all__ = ["merge_extra", "merge_own_extra", "own_extra", "report_foreign"]

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
"""The empty mapping, for a missing `extra`."""

# Typed members of an `extra` that are not provider state.
_UNREAD: Final = "/groundingMetadata/groundingSupports"
# What these members of requests say is done without them, too, and by all others.
_DEFAULTS: Final[Mapping[str, Any]] = MappingProxyType({
    "background": False, "truncation": "disabled", "speed": "standard", "truncate": True, "shift": True
})  # fmt: skip
_STORED: Final = "what its provider stores cannot be sent: an earlier conversation, or a prompt"
_CODES: Final[Mapping[str, LossCode]] = MappingProxyType({"response": "echo", "server_state": "server_state"})


def merge_extra(out: dict[str, Any], fields: Mapping[str, Any]) -> None:
    """Add verbatim members that are missing in a newly made wire object.

    Objects are merged into new objects, since the input may be shared; lists never are.

    Args:
        out: The wire object, which is modified.
        fields: The members, by name.

    Example:
        >>> wire = {"says": "Hi"}
        >>> il.spi.merge_extra(wire, {"says": "Hello", "mood": "fine"})
        >>> wire
        {'says': 'Hi', 'mood': 'fine'}
    """
    for key, value in fields.items():
        if key not in out:
            out[key] = value
        elif isinstance(value, dict) and isinstance(out[key], dict):
            merged: dict[str, Any] = {**out[key]}
            merge_extra(merged, cast("dict[str, Any]", value))
            out[key] = merged


def merge_empty_members(out: dict[str, Any], spelling: Mapping[str, Any]) -> None:
    """Write known empty members as null or an empty list, if that is how they were decoded.

    A name with a dot belongs to a nested object and is left to the code that writes that object.
    """
    for name in spelling.get("null", ()):
        if "." not in name:
            out.setdefault(name, None)
    for name in spelling.get("empty", ()):
        out.setdefault(name, [])


def own_extra(value: Mapping[str, Any], dialect: str) -> Mapping[str, Any]:
    """Return `extra.<dialect>` of a canonical value, or an empty mapping.

    Args:
        value: A canonical value as plain JSON.
        dialect: The name of the dialect.

    Example:
        >>> dict(il.spi.own_extra({"extra": {"parley": {"mood": "fine"}}}, "parley"))
        {'mood': 'fine'}
    """
    extra = value.get("extra")
    if extra is None:
        return NOTHING
    bag: Mapping[str, Any] = extra.get(dialect, NOTHING)
    return bag


def with_extras(value: Mapping[str, Any], bags: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return a canonical value with some dialects' `extra` replaced; empty members and empty extras are left out."""
    given = {owner: {name: held for name, held in bag.items() if held} for owner, bag in bags.items()}
    extra = {**value.get("extra", NOTHING), **given}
    return {**value, "extra": {owner: bag for owner, bag in extra.items() if bag}}


def with_fields_moved(
    value: Mapping[str, Any], giver: str, taken: Collection[str], taker: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a canonical value with members of one dialect's `fields` replaced by members of another's."""
    bag, own = value["extra"][giver], own_extra(value, taker)
    left = {name: held for name, held in bag["fields"].items() if name not in taken}
    fields = {**own.get("fields", NOTHING), **given}
    return with_extras(value, {giver: {**bag, "fields": left}, taker: {**own, "fields": fields}})


def merge_own_extra(out: dict[str, Any], value: Any, dialect: str, path: str, log: LossLog) -> None:
    """Add the dialect's own extra members to a wire object, and report other dialects' as losses.

    Args:
        out: The wire object, which is modified.
        value: The canonical value that it was made from.
        dialect: The dialect that is being encoded.
        path: The JSON Pointer of the value in the request or response.
        log: The log for the losses.

    Example:
        >>> wire, log = {"says": "Hi"}, il.spi.LossLog()
        >>> message = {"extra": {"parley": {"fields": {"mood": "fine"}}}}
        >>> il.spi.merge_own_extra(wire, message, "parley", "/messages/0", log)
        >>> wire, log.losses()
        ({'says': 'Hi', 'mood': 'fine'}, ())
    """
    extra = value.get("extra")
    if extra is None:
        return
    bag = extra.get(dialect)
    if bag is not None:
        if "fields" in bag:
            merge_extra(out, bag["fields"])
        if "spelling" in bag:
            merge_empty_members(out, bag["spelling"])
    if bag is None or len(extra) > 1:
        report_foreign(value, dialect, path, log)


# How some clients of Gemini write the role of tool results, which says nothing more than they do.
_ROLE_OF_RESULTS: Final = {"role": "tool"}


def report_foreign(value: Mapping[str, Any], dialect: str | None, path: str, log: LossLog) -> None:
    """Log as lost what a canonical value's `extra` holds for other dialects; a `spelling` is never a loss.

    Neither are empty values: null, empty strings and containers, and in usage a count of 0.

    Args:
        value: A canonical value as plain JSON.
        dialect: The dialect that is being encoded; None if all that `extra` holds is lost.
        path: The JSON Pointer of the value in the request or response.
        log: The log for the losses.

    Example:
        >>> log = il.spi.LossLog()
        >>> il.spi.report_foreign({"extra": {"parley": {"fields": {"mood": "fine"}}}}, "claude", "/messages/0", log)
        >>> [loss.path for loss in log.losses()]
        ['/messages/0/extra/parley']
    """
    extra = value["extra"]
    if len(extra) == 1 and dialect in extra:
        return
    is_count = path.endswith("/usage")
    for owner, bag in extra.items():
        if owner == dialect:
            continue
        if not isinstance(bag, dict):
            if not is_empty_value(bag):
                log.lost("extra", f"{path}/extra{pointer(owner)}", FOREIGN)
            continue
        for name, content in cast("dict[str, Any]", bag).items():
            if name == "fields" and isinstance(content, dict):
                _report_fields(cast("dict[str, Any]", content), owner, path, log, is_count=is_count)
                continue
            if name == "spelling" or is_empty_value(content, is_count=is_count):
                continue
            where = f"{path}/extra{pointer(owner, name)}"
            code = "extra" if name == "fields" or owner == "unknown" else _CODES.get(name, "provider_state")
            detail = _STORED if code == "server_state" else FOREIGN
            for inner in _members_within(name, content):
                log.lost(code, where + inner, detail)
            if name == "candidate" and not is_empty_value(_unread(content)):
                log.lost(code, where + _UNREAD, FOREIGN)


def _members_within(name: str, content: Any) -> Iterable[str]:
    """Return the paths of the provider's members within one of our own; an empty one is that member itself."""
    if name == "content" and content == _ROLE_OF_RESULTS:
        return ()
    if name in {"candidate", "choice"} and isinstance(content, dict):
        members = cast("dict[str, Any]", content).items()
        return [pointer(inner) for inner, value in members if not is_empty_value(value)]
    return ("",)


def _unread(candidate: Any) -> Any:
    """Return the grounding supports of a Gemini candidate that could not be decoded as citations."""
    metadata: Any = cast("dict[str, Any]", candidate).get("groundingMetadata") if isinstance(candidate, dict) else None
    return cast("dict[str, Any]", metadata).get("groundingSupports") if isinstance(metadata, dict) else None


def _report_fields(fields: Mapping[str, Any], owner: str, path: str, log: LossLog, *, is_count: bool) -> None:
    """Log as lost the non-empty members of `fields`; of a group of settings, each setting."""
    for name, held in fields.items():
        if name in SETTING_GROUPS and isinstance(held, dict):
            for inner, one in cast("dict[str, Any]", held).items():
                if not is_empty_value(one, is_count=is_count):
                    log.lost("extra", f"{path}/extra{pointer(owner, 'fields', name, inner)}", FOREIGN)
        elif not (
            is_empty_value(held, is_count=is_count) or (not path and name in _DEFAULTS and held == _DEFAULTS[name])
        ):
            log.lost("extra", f"{path}/extra{pointer(owner, 'fields', name)}", FOREIGN)


def own_spelling(value: Mapping[str, Any], dialect: str) -> Mapping[str, Any]:
    """Return the dialect's `spelling` of a canonical value."""
    spelling: Mapping[str, Any] = own_extra(value, dialect).get("spelling", NOTHING)
    return spelling


# The spelling of a request that a client of the same dialect sends, and that is only fitted to its model.
SAME_CLIENT: Final = ("client", "same")


def has_same_client(request: Mapping[str, Any], dialect: str) -> bool:
    """Tell whether a request is only fitted to its model: a client of the same dialect reads the answer."""
    name, word = SAME_CLIENT
    return "extra" in request and own_spelling(request, dialect).get(name) == word


def restore_opaque_calls(calls: Iterable[Any], placed: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Return calls with those of unknown types inserted at their original places."""
    out = [*calls]
    for one in placed:
        # Clamped to the list, since `insert` refuses an index beyond 64 bits.
        out.insert(max(-len(out), min(one["at"], len(out))), one["data"])
    return out


def without_notes(messages: Sequence[Any], dialect: str) -> list[Any]:
    """Return messages without other dialects' spellings, which are never a loss."""
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
    """Log the counts that have no place, except 0 and a total that follows from the other counts."""
    for name, count in usage.items():
        if name in known or name == "extra" or not count:
            continue
        if name != "total_tokens" or count != usage.get("input_tokens", 0) + usage.get("output_tokens", 0):
            log.lost("member", f"/usage/{name}", detail)


def write_nulls(out: dict[str, Any], spelling: Mapping[str, Any], holder: str) -> None:
    """Write known empty members of a nested object as null, if that is how they were decoded."""
    for name in spelling.get("null", ()):
        outer, dot, inner = name.partition(".")
        if dot and outer == holder:
            out.setdefault(inner, None)


def write_role(out: dict[str, Any], extra_of: Mapping[str, Any]) -> None:
    """Write the role of a message as it was decoded, if it was not a string."""
    spelling = extra_of.get("spelling", NOTHING)
    if "role" in spelling.get("null", ()):
        out["role"] = None
    elif "role" in spelling.get("absent", ()):
        fields = extra_of.get("fields", NOTHING)
        if "role" in fields:
            out["role"] = fields["role"]
        else:
            del out["role"]
