"""What the session store answers when something was written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.loss import Loss
    from interlingua.model import AnyMessage
    from interlingua.sessions.documents import Prepared
    from interlingua.sessions.jsonl import BadLine

__all__ = ["Appended", "Coverage", "Exported", "Imported", "Problem", "Redaction", "Saved", "redactions_of"]


@dataclass(frozen=True, slots=True)
class Redaction:
    """A secret that was taken out of a message before it was written, or left in where nobody may edit.

    `path` is a JSON Pointer into the message at that row; `is_kept` tells that it stands in what a provider signed or
    encrypted, and is still there.
    """

    branch: str
    position: int
    path: str
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class Appended:
    """Messages that were stored: as they are now, and the row of the first one in its branch."""

    branch: str
    position: int
    messages: tuple[AnyMessage, ...]
    redactions: tuple[Redaction, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """A transcript that was saved: how many changes were written."""

    session_id: str
    changes: int
    redactions: tuple[Redaction, ...] = ()


@dataclass(slots=True)
class Coverage:
    """What became of the records of one type.

    `mapped` became messages that are understood, `opaque` are kept as they are, `dropped` could not be kept.
    """

    seen: int = 0
    mapped: int = 0
    opaque: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Imported:
    """A file that was imported: the new session, what became of its records by their type, and what was left out.

    `doubtful` are the ids of the requests with a call whose result may be in what was left out. Such a call is stored
    as begun, without a moment, so that it does not run.
    """

    session_id: str
    messages: int
    coverage: Mapping[str, Coverage] = field(default_factory=dict[str, Coverage])
    bad: tuple[BadLine, ...] = ()
    redactions: tuple[Redaction, ...] = ()
    doubtful: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exported:
    """A session that was exported: how many documents were written, and what an older version has no place for."""

    documents: int
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong in a store: about a row of a session, one that is missing, a session, or the file."""

    reason: str
    session_id: str | None = None
    branch: str | None = None
    position: int | None = None


def redactions_of(messages: Iterable[tuple[str, int, Prepared | None]]) -> tuple[Redaction, ...]:
    """Return what was redacted in messages, each given with its branch and its position there."""
    return tuple(
        Redaction(branch, position, path, is_kept)
        for branch, position, message in messages
        if message is not None
        for paths, is_kept in ((message.redacted, False), (message.kept, True))
        for path in paths
    )
