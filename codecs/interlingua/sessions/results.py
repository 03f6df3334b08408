"""The results of the session store's write operations."""

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
    """A secret that was removed from a message before it was written, or kept where editing is not allowed.

    `path` is a JSON Pointer into the message at that row; `is_kept`: the secret is part of signed or encrypted provider
    data, and was not removed.

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
    """The result of an append: the messages as stored, and the position of the first one in its branch.

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
    """The result of a save: the number of changes written.

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
    """The import statistics for the records of one type.

    `mapped` became known messages, `opaque` were kept as they are, `dropped` could not be kept.

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
    r"""The result of an import: the new session, statistics by record type, and the lines that were left out.

    `doubtful` are the ids of tool requests with a call whose result may have been left out. Such a call is stored as
    started, without a time, so that it does not run.

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
    """The result of an export: the number of documents written, and the losses of the older version.

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
    """A problem in a store: of an existing or missing row, a session, or the file.

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
