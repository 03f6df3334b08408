"""Determines a request's model family: chosen by the caller, or looked up by model name.

Each room has its table of families (`FAMILIES`; docs/families.md). Within one dialect nothing is looked up.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, Final, TypeGuard, cast

from interlingua.errors import UnknownProfileError
from interlingua.rooms._shared.model_owners import OWNERS
from interlingua.spi.families import found, named

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.spi.families import Family
    from interlingua.spi.room import Room

__all__ = ["AUTO", "family_of_body", "family_of_request"]

AUTO: Final = "auto"
_LONGEST_NAME: Final = 2048  # of all providers, Bedrock allows the longest names of models


def family_of_request(speaker: Room, profile: str | None, name: Any, log: LossLog, *, is_given: bool) -> Family | None:
    """Return the family that a request is encoded for, or None to apply the dialect's own rules alone.

    `name` is the model name; `is_given` says whether the caller gave it for this dialect. A name that belongs to other
    dialects is logged. An unknown name gets the family of the newest models. Raises `UnknownProfileError`.
    """
    if profile != AUTO:
        return _chosen(speaker, profile)
    if not _may_be_known(name):
        return None
    if not is_given and _is_foreign(name, speaker.DESCRIPTOR.dialect):
        log.changed(
            "member",
            "/model",
            "this is the name of another provider's model: nothing is known about the model that will be used",
        )
        return None
    return _found(speaker, name) or _newest(speaker)  # type: ignore[arg-type]  # a room is hashed by identity


def family_of_body(speaker: Room, profile: str | None, body: Any) -> Family | None:
    """Return the family whose rules a body is checked by: that of its model, unless another is chosen.

    Raises `UnknownProfileError`.
    """
    if profile != AUTO:
        return _chosen(speaker, profile)
    member = speaker.DESCRIPTOR.model_member
    name = cast("dict[str, Any]", body).get(member) if type(body) is dict else None
    return _found(speaker, name) if _may_be_known(name) else None  # type: ignore[arg-type]  # as above


def _may_be_known(name: object) -> TypeGuard[str]:
    """Tell whether a name may be one of a model: some patterns take quadratic time on a long text."""
    return type(name) is str and 0 < len(name) <= _LONGEST_NAME


@functools.lru_cache(maxsize=256)
def _found(speaker: Room, name: str) -> Family | None:
    return found(_families(speaker), name)


@functools.cache
def _newest(speaker: Room) -> Family | None:
    """Return a room's family for names that match no pattern."""
    return next((family for family in _families(speaker) if family.newest), None)


def _families(speaker: Room) -> tuple[Family, ...]:
    families: tuple[Family, ...] = getattr(speaker, "FAMILIES", ())
    return families


def _chosen(speaker: Room, profile: str | None) -> Family | None:
    if profile is None:
        return None
    families = _families(speaker)
    family = named(families, profile)
    if family is None:
        raise UnknownProfileError(profile, [family.name for family in families])
    return family


@functools.lru_cache(maxsize=256)
def _is_foreign(name: str, dialect: str) -> bool:
    """Tell whether a model name belongs to another provider and not to this dialect."""
    owners = next((owners for pattern, owners in OWNERS if re.search(pattern, name, re.IGNORECASE)), None)
    return owners is not None and dialect not in owners
