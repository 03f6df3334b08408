"""What a transcript did that has not been stored yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from interlingua.model import AnyMessage

ChangeKind: TypeAlias = Literal["append", "replace", "fork", "switch"]
"""What a step of a transcript does: a message is appended or replaced, a branch forked, or switched to.

Example:
    >>> from typing import get_args
    >>> get_args(il.ChangeKind)
    ('append', 'replace', 'fork', 'switch')
"""


@dataclass(frozen=True, slots=True)
class Change:
    """One step of a transcript. All its changes, in order, make an empty transcript into this one.

    `branch` is the one that changed; of a switch, the one that is active now. `position` is the place of the message in
    that branch, from 0; of a fork, how many messages the branch shares with its source; of a switch, 0. `message` is
    what stands there now, of an append or a replacement. `source` is the branch that a fork was taken from, or that was
    active before a switch.

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
