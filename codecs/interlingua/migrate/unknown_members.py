"""Sets unknown members aside if the next version gives their name a meaning, and puts them back.

Versions 1 and 2 are open: a document may have members that its schema does not declare. A version 1 member called
`name` means nothing; in version 2 it would be the sender's name. So an upgrade to 2 moves it to `unknown.name`, and in
3, where all unknown members are in `extra.unknown`, it is among them. Both directions are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeGuard

from interlingua.json_types import is_object

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

ASIDE: Final = "unknown"
_EXTRA: Final = "extra"


def set_aside(document: Mapping[str, Any], taken: AbstractSet[str]) -> dict[str, Any]:
    """Return a copy in which members whose names the next version uses are moved under `unknown`."""
    if ASIDE not in document and taken.isdisjoint(document):
        return dict(document)
    moved = {name: document[name] for name in document if name in taken}
    if ASIDE in document and (moved or is_aside(document[ASIDE], taken)):
        moved[ASIDE] = document[ASIDE]
    if not moved:
        return dict(document)
    kept = {name: value for name, value in document.items() if name not in moved}
    kept[ASIDE] = moved
    return kept


def put_back(document: Mapping[str, Any], taken: AbstractSet[str]) -> dict[str, Any]:
    """Return a copy in which what `set_aside` moved is back in its place."""
    if ASIDE not in document:
        return dict(document)
    moved = document.get(ASIDE)
    if not is_aside(moved, taken):
        return dict(document)
    kept = {name: value for name, value in document.items() if name != ASIDE}
    return {**kept, **moved}


def is_aside(value: Any, taken: AbstractSet[str]) -> TypeGuard[dict[str, Any]]:
    """Tell whether a value was made by `set_aside`, rather than being a member called `unknown`."""
    while is_object(value) and value and value.keys() <= (taken | {ASIDE}):
        if value.keys() & taken:
            return True
        value = value[ASIDE]
    return False


def add_unknown(value: dict[str, Any], unknown: dict[str, Any]) -> None:
    """Add members to `extra.unknown` of a newly made value, without replacing any.

    Does nothing if `extra` or `unknown` is not an object: the value is invalid, and will be refused.
    """
    extra = value.get(_EXTRA)
    if extra is None:
        value[_EXTRA] = {ASIDE: unknown}
        return
    known = extra.get(ASIDE, unknown) if is_object(extra) else None
    if not is_object(extra) or not is_object(known):
        return
    merged = {} if known is unknown else dict(known)
    for name, member in unknown.items():
        free = name
        while free in merged:
            free = f"/{free}"
        merged[free] = member
    value[_EXTRA] = {**extra, ASIDE: merged}
