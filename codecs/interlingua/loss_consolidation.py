"""Consolidates the notes of a `LossLog` into losses: one for each lost value, at its path, and no path twice.

Source: docs/laws.md, law 4. A dialect's `extra` is one loss, at the path of the `extra`, and so are details of usage.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from interlingua.concerns import CONCERNS, concern_of
from interlingua.pointers import pointer_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.loss_types import Concern, LossCode, Severity

__all__ = ["HOLDERS", "SETTING_GROUPS", "LossFields", "Note", "consolidate"]

# Codes of values that may be in a dialect's `extra`; state on the provider's server is always a loss of its own.
_IN_BAGS: Final = frozenset({"echo", "extra", "provider_state", "required"})
_SERVER_STATE: Final = "server_state"
SETTING_GROUPS: Final = frozenset({"generationConfig", "output_config", "text", "options"})
"""Members of requests that hold settings of several concerns."""
HOLDERS: Final = frozenset({"candidate", "choice", "fields", "frame", "item"})
"""Our own members, in `extra`, that hold the provider's."""
_BAG: Final = re.compile(
    r"(?P<bag>(?:/(?!parameters/|schema/)[^/]*)*?/extra/[^/]+)"
    rf"/(?:(?:{'|'.join(sorted(HOLDERS))})/)?(?P<member>.*)"
)
_USAGE: Final = re.compile(r"(?P<bag>(?:/\d+|/alternatives/\d+)?/usage)/(?:extra/[^/]+/)?(?:fields/)?(?P<member>.*)")
_SEVERITIES: Final[tuple[Severity, ...]] = ("lost", "changed", "filled")
_LONGEST_NAME: Final = 40
_LONGEST_LIST: Final = 130


class Note(NamedTuple):
    """What an encoder logged about one value; several notes may become one loss."""

    code: LossCode
    path: str
    detail: str
    severity: Severity


class LossFields(NamedTuple):
    """The fields of a `Loss`."""

    code: LossCode
    path: str
    detail: str
    severity: Severity
    concern: Concern


class _NotedMember(NamedTuple):
    """A note about a value or one of its members; `member` is empty if it is about the value itself."""

    code: LossCode
    detail: str
    severity: Severity
    concern: Concern
    member: str


def consolidate(notes: Iterable[Note], foreign: str, *, is_answer: bool) -> tuple[LossFields, ...]:
    """Return the losses made of notes, in the order in which their paths were first noted.

    `foreign` is the detail of values in another dialect's `extra`, which is lost as a whole.
    """
    things: dict[str, list[_NotedMember]] = {}
    for note in notes:
        path, member = _reported_at(note, foreign)
        concern = concern_of(note.code, note.path, note.severity, is_answer=is_answer)
        things.setdefault(path, []).append(_NotedMember(note.code, note.detail, note.severity, concern, member))
    losses = {path: _loss_at(path, said) for path, said in things.items()}
    return tuple(_without_covered(losses).values()) if len(losses) > 1 else tuple(losses.values())


def _reported_at(note: Note, foreign: str) -> tuple[str, str]:
    """Return the path at which a note is reported, and the member of that value that it is about."""
    if "/usage/" in note.path and note.severity != "filled":
        found = _USAGE.fullmatch(note.path)
        if found is not None:
            return found["bag"], found["member"].partition("/")[0]
    if note.code in _IN_BAGS and "/extra/" in note.path and (note.severity == "filled" or note.detail == foreign):
        found = _BAG.fullmatch(note.path)
        if found is not None:
            return found["bag"], _named(found["member"])
    return note.path, ""


def _named(member: str) -> str:
    """Return the name of a member of a bag, given its path there; that of a setting in a group has both names."""
    name, _, inner = member.partition("/")
    return f"{name}.{inner.partition('/')[0]}" if inner and name in SETTING_GROUPS else name


def _loss_at(path: str, said: list[_NotedMember]) -> LossFields:
    """Return the loss for the notes at a path: the worst severity and, among its notes, the most serious concern."""
    severity: Severity = next(grave for grave in _SEVERITIES if any(one.severity == grave for one in said))
    grave = [one for one in said if one.severity == severity]
    weighty = min(grave, key=lambda one: CONCERNS.index(one.concern))
    if weighty.code == "setting" and severity == "lost" and any(one.severity == "filled" for one in said):
        severity = "changed"  # replaced by another value
    weights = {one.member: CONCERNS.index(one.concern) for one in reversed(said)}
    order = sorted(weights, key=lambda member: (weights[member], member))
    names = [token for member in order for token in pointer_tokens(f"/{member}") if token]
    detail = weighty.detail
    if names:
        detail = f"{detail}: {_listed(names)}"
    return LossFields(weighty.code, path, detail, severity, weighty.concern)


def _listed(names: list[str]) -> str:
    """Return the first names, as many as fit in a detail, and the number of others."""
    told, size = 0, 0
    for name in names:
        size += len(name) + len(", ")
        if told and size > _LONGEST_LIST:
            break
        told += 1
    listed = ", ".join(name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..." for name in names[:told])
    return f"{listed} and {len(names) - told} more" if told < len(names) else listed


def _without_covered(losses: dict[str, LossFields]) -> dict[str, LossFields]:
    """Return the losses without those of a lost parent, which takes over the most serious concern."""
    kept = dict(losses)
    for path, loss in losses.items():
        if loss.code == _SERVER_STATE:
            continue
        above = _parent(path, losses)
        if above is None:
            continue
        del kept[path]
        parent = kept[above]
        if loss.severity != "filled" and CONCERNS.index(loss.concern) < CONCERNS.index(parent.concern):
            kept[above] = LossFields(parent.code, parent.path, parent.detail, parent.severity, loss.concern)
    return kept


def _parent(path: str, losses: dict[str, LossFields]) -> str | None:
    """Return the outermost path above a loss that is itself lost."""
    end = path.find("/", 1)
    while end > 0:
        above = losses.get(path[:end])
        if above is not None and above.severity == "lost":
            return path[:end]
        end = path.find("/", end + 1)
    return None
