"""Unsaved changes of a transcript."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from interlingua.model import AnyMessage

ChangeKind: TypeAlias = Literal["append", "replace", "fork", "switch"]
"""The kind of a change: a message is appended or replaced, a branch forked or switched to.

Example:
    >>> from typing import get_args
    >>> get_args(il.ChangeKind)
    ('append', 'replace', 'fork', 'switch')
"""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a transcript. Applied in order, all changes turn an empty transcript into this one.

    `branch` is the branch that changed; for a switch, the new active one. `position` is the position of the message in
    that branch, from 0; for a fork, the number of messages shared with its source; for a switch, 0. `message` is the
    new message of an append or a replacement. `source` is the source branch of a fork, or the branch that was active
    before a switch.

    Example:
        >>> story = il.Transcript([il.messages.user("Hi")])
        >>> [(change.kind, change.branch, change.position) for change in story.changes]
        [('append', 'main', 0)]
    """

    kind: ChangeKind
    branch: str
    position: int
    message: AnyMessage | None = None
    source: str | None = None
