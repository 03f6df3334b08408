"""Notes about chat messages that a transcript cannot express, which make the round trip exact.

The notes are kept under `extra.interlingua`, like a dialect's own state, on the first transcript message of a chat
message:

- `id`: the chat message had this id. An id without this note was assigned by the transcript, and is not sent to models.
- `is_error`: the chat message stated that the tool had not failed. Without this note nothing was stated.
- `place`: the result did not follow its call, and is left in its place.
- `own`: members that the chat message itself had under names reserved for notes.
- `is_empty`: the chat message had an `extra` without members.

The notes of an upgrade under `extra.interlingua_v2` are about the old document, and are not sent to models either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.json_types import is_object
from interlingua.migrate.extras import OWN as UPGRADE
from interlingua.model import Extra

if TYPE_CHECKING:
    from collections.abc import Mapping

OWN: Final = "interlingua"
_OWN_NOTES: Final = frozenset({OWN, UPGRADE})

Notes: TypeAlias = dict[str, Any]


def with_notes(extra: Extra | None, notes: Notes) -> Extra | None:
    """Return the `extra` of a transcript message: that of the chat message, and the notes."""
    if extra is not None:
        others = extra.__pydantic_extra__ or {}
        own_notes = {name: others[name] for name in others if name in _OWN_NOTES}
        if own_notes:
            notes = {**notes, "own": own_notes}
        elif notes and extra == Extra():
            notes = {**notes, "is_empty": True}
    if not notes:
        return extra
    return (extra or Extra()).model_copy(update={OWN: notes})


def notes_of(extra: Extra | None) -> Notes:
    """Return the notes of a transcript message; empty where there are none."""
    bag: Any = None if extra is None else (extra.__pydantic_extra__ or {}).get(OWN)
    return bag if is_object(bag) else {}


def without_notes(extra: Extra | None, notes: Mapping[str, Any]) -> Extra | None:
    """Return the `extra` of the chat message, without the notes."""
    if extra is None or _OWN_NOTES.isdisjoint(extra.__pydantic_extra__ or ()):
        return extra
    members = {name: value for name, value in extra.__dict__.items() if value is not None}
    members |= {name: value for name, value in (extra.__pydantic_extra__ or {}).items() if name not in _OWN_NOTES}
    own = notes.get("own")
    if is_object(own):
        members |= {name: value for name, value in own.items() if name in _OWN_NOTES}
    return Extra(**members) if members or notes.get("is_empty") else None
