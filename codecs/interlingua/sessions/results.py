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

    Example:
        >>> with il.SessionStore("sessions.db", redact=il.sessions.Redactor(["hunter2"])) as store:
        ...     saved = store.save(il.Transcript([il.messages.user("My password is hunter2.")], id="s1"))
        >>> [(one.position, one.path, one.is_kept) for one in saved.redactions]
        [(0, '/data/content', False)]
    """

    branch: str
    position: int
    path: str
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class Appended:
    """Messages that were stored: as they are now, and the row of the first one in its branch.

    Example:
        >>> with il.SessionStore("sessions.db") as store:
        ...     added = store.append(store.create("s1"), [il.messages.user("Hi")])
        >>> added.branch, added.position, len(added.messages)
        ('main', 0, 1)
    """

    branch: str
    position: int
    messages: tuple[AnyMessage, ...]
    redactions: tuple[Redaction, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """A transcript that was saved: how many changes were written.

    Example:
        >>> with il.SessionStore("sessions.db") as store:
        ...     print(store.save(il.Transcript([il.messages.user("Hi")], id="s1")))
        Saved(session_id='s1', changes=1, redactions=())
    """

    session_id: str
    changes: int
    redactions: tuple[Redaction, ...] = ()


@dataclass(slots=True)
class Coverage:
    """What became of the records of one type.

    `mapped` became messages that are understood, `opaque` are kept as they are, `dropped` could not be kept.

    Example:
        >>> il.sessions.Coverage(seen=3, mapped=2, opaque=1)
        Coverage(seen=3, mapped=2, opaque=1, dropped=0)
    """

    seen: int = 0
    mapped: int = 0
    opaque: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Imported:
    r"""A file that was imported: the new session, what became of its records by their type, and what was left out.

    `doubtful` are the ids of the requests with a call whose result may be in what was left out. Such a call is stored
    as begun, without a moment, so that it does not run.

    Example:
        >>> from pathlib import Path
        >>> written = Path("old.jsonl").write_text('{"role": "user", "content": "Hi"}\n')
        >>> with il.SessionStore("sessions.db") as store:
        ...     imported = store.import_jsonl("old.jsonl")
        >>> imported.messages, imported.bad
        (1, ())
    """

    session_id: str
    messages: int
    coverage: Mapping[str, Coverage] = field(default_factory=dict[str, Coverage])
    bad: tuple[BadLine, ...] = ()
    redactions: tuple[Redaction, ...] = ()
    doubtful: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exported:
    """A session that was exported: how many documents were written, and what an older version has no place for.

    Example:
        >>> with il.SessionStore("sessions.db") as store:
        ...     saved = store.save(il.Transcript([il.messages.user("Hi")], id="s1"))
        ...     exported = store.export_jsonl("s1", "s1.jsonl")
        >>> exported
        Exported(documents=1, losses=())
    """

    documents: int
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong in a store: about a row of a session, one that is missing, a session, or the file.

    Example:
        >>> import sqlite3
        >>> with il.SessionStore("sessions.db") as store:
        ...     saved = store.save(il.Transcript([il.messages.user("Hi")], id="s1"))
        >>> with sqlite3.connect("sessions.db") as file:
        ...     damaged = file.execute("update messages set document = '{'")
        >>> with il.SessionStore("sessions.db") as store:
        ...     problem = store.check()[0]
        >>> problem.session_id, problem.position
        ('s1', 0)
    """

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
