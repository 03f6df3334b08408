"""The session store: conversations in one SQLite file.

Writes are durable: a method that writes returns when its transaction is committed. Several threads and processes may
use one file; each write is one transaction, and writers wait for each other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import uuid4

from interlingua.argument_checks import check_count, check_function, check_kind_of, check_number, check_path
from interlingua.clock import timestamp_text, utc_now
from interlingua.errors import SessionConflictError, SessionDamagedError, SessionExistsError, SessionNotFoundError
from interlingua.sessions import importing, integrity, queries, reading, writing
from interlingua.sessions.bookmark import bookmark_of, set_bookmark
from interlingua.sessions.documents import ascii_text, downgraded_lines, exported_lines, prepared, stored_metadata
from interlingua.sessions.file import StoreFile
from interlingua.sessions.jsonl import write_lines
from interlingua.sessions.names import checked_name
from interlingua.sessions.paging import pages
from interlingua.sessions.results import Appended, Exported, Imported, redactions_of
from interlingua.sessions.transcripts import save_transcript
from interlingua.transcript.branch_tree import id_of
from interlingua.transcript.completion import completed
from interlingua.transcript.kinds import check_kind
from interlingua.transcript.transcript import Transcript
from interlingua_types import CURRENT
from interlingua_types._base import InterlinguaModel, InvalidArgumentError
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    import os
    import sqlite3
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path
    from types import TracebackType
    from typing import IO, Self

    from interlingua.model import AnyMessage
    from interlingua.registry import Dialect
    from interlingua.sessions.jsonl import Source
    from interlingua.sessions.reading import LoadedSession, Page, SessionInfo, SkippedRow
    from interlingua.sessions.redaction import Redact
    from interlingua.sessions.results import Problem, Saved

__all__ = ["SessionStore"]


def _new_id() -> str:
    return str(uuid4())


class SessionStore:
    """Conversations in one SQLite file.

    If the process is killed at any moment, the store still opens and has every message whose write had returned. All
    failures of the file are `SessionStoreError`s. Use it in a `with` block, or close it.

    Each method that accesses the file has an async form, such as `save_async` for `save`, which runs in a thread.
    Cancelling it stops the waiting, but not a write in progress.

    Example:
        >>> with il.SessionStore("sessions.db") as store:
        ...     saved = store.save(il.Transcript([il.messages.user("Hi")], id="s1"))
        ...     story = store.load("s1").transcript
        >>> story.messages[0].text
        'Hi'
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        read_only: bool = False,
        timeout: float = 5.0,
        redact: Redact | None = None,
        new_id: Callable[[], str] = _new_id,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Open a store. A new file can be read by its owner only.

        `create` creates the file if it is missing. `timeout` is how many seconds a writer waits for others. `redact`
        removes secrets from every text before it is written: it takes the text and the name of its member. It must not
        fork the process.

        Raises:
            SessionStoreMissingError: there is no file, and it cannot or must not be created.
            SessionStoreFormatError: the file is not a session store, or it is damaged.
            SessionStoreVersionError: a newer release wrote it.
            SessionStoreBusyError: other writers held it for longer than `timeout`.
            InvalidArgumentError: the path is SQLite's `:memory:`, since a store is a file.
        """
        check_path(path, "path")
        if path == ":memory:":  # would be a file of that name
            raise InvalidArgumentError("a session store is a file: use one in a temporary folder instead of :memory:")
        check_number(timeout, "timeout")
        check_function(new_id, "new_id")
        check_function(now, "now")
        if redact is not None:
            check_function(redact, "redact")
        self._file: Final = StoreFile(path, timeout=timeout, may_create=create, is_read_only=read_only)
        self._redact: Final = redact
        self._new_id: Final = new_id
        self._now: Final = now

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self._file.path

    def __enter__(self) -> Self:
        """Use the store in a block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the store."""
        self.close()

    def close(self) -> None:
        """Close the store."""
        self._file.close()

    async def close_async(self) -> None:
        """Do what `close` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        await asyncio.to_thread(self.close)

    def create(
        self, session_id: str | None = None, *, branch: str = "main", metadata: Mapping[str, Any] | None = None
    ) -> str:
        """Add an empty session, and return its id.

        Raises:
            SessionExistsError: there is already one with that id.
            InvalidArgumentError: the id or the branch name is empty, or not a string that can be stored.
            EncodeError: the metadata are not JSON.
        """
        identifier = checked_name(self._new_id() if session_id is None else session_id)
        text = stored_metadata(metadata or {}, self._redact)
        with self._file.writing() as connection:
            self._add(connection, identifier, checked_name(branch), text)
        return identifier

    async def create_async(
        self, session_id: str | None = None, *, branch: str = "main", metadata: Mapping[str, Any] | None = None
    ) -> str:
        """Do what `create` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.create, session_id, branch=branch, metadata=metadata)

    def append(
        self, session_id: str, messages: AnyMessage | Sequence[AnyMessage], *, branch: str | None = None
    ) -> Appended:
        """Append messages to a branch, by default the active one: all of them, or none.

        Missing ids and timestamps are filled in. Other writers wait meanwhile, so no message is lost, and none comes
        between the messages of one call.

        Raises:
            SessionNotFoundError: there is no such session, or no such branch.
            SessionConflictError: the session already has a message with one of the ids.
            EncodeError: a message cannot be written as JSON.
            TypeError: a value is not a message.
        """
        kind: type[Any] = type(messages)
        is_one = issubclass(kind, InterlinguaModel) or not issubclass(kind, Iterable)
        listed: tuple[AnyMessage, ...] = (cast("AnyMessage", messages),) if is_one else tuple(cast("Any", messages))
        for message in listed:
            check_kind(message)
        complete = tuple(completed(message, self._new_id, self._now) for message in listed)
        ready = [prepared(message, self._redact) for message in complete]
        with self._file.writing() as connection:
            session = queries.find_session(connection, session_id)
            name, number = queries.find_branch(connection, session, branch)
            _refuse_known(connection, session, name, complete)
            position = queries.length_of(connection, number)
            writing.add_messages(connection, session.number, number, position, ready)
            writing.touch(connection, session.number, timestamp_text(self._now))
        redactions = redactions_of((name, position + index, one) for index, one in enumerate(ready))
        return Appended(name, position, complete, redactions)

    async def append_async(
        self, session_id: str, messages: AnyMessage | Sequence[AnyMessage], *, branch: str | None = None
    ) -> Appended:
        """Do what `append` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.append, session_id, messages, branch=branch)

    def save(self, transcript: Transcript) -> Saved:
        """Save the changes of a transcript, all or nothing, and mark them as saved. Creates the session if it is new.

        Raises:
            SessionConflictError: another writer has changed the session since it was loaded. Nothing is written; load
                the session again.
            SessionNotFoundError: the session was deleted.
            InvalidArgumentError: the id of the transcript, or the name of a new branch, cannot be stored.
            EncodeError: a message cannot be written as JSON.
            TypeError: it is not a transcript.
        """
        check_kind_of(transcript, Transcript)
        known = bookmark_of(transcript, self._file.identity)
        if known is None:
            checked_name(transcript.id)
        for name in transcript.branches:
            if known is None or name not in known.branches:  # a damaged file is not the caller's mistake
                checked_name(name)
        return save_transcript(self._file, transcript, redact=self._redact, now=self._now)

    async def save_async(self, transcript: Transcript) -> Saved:
        """Do what `save` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.save, transcript)

    def load(self, session_id: str, *, branch: str | None = None, recover: bool = False) -> LoadedSession:
        """Return a session with all its branches, as a transcript, and the rows that could not be read.

        Rows of older versions become messages of the current one; messages of newer versions and unknown types are kept
        as they are. An unreadable row is reported and left in the file. It may have been the result of an earlier call
        without one: such a call is marked as started, and never runs. Missing rows and invalid metadata are reported in
        the same way. With `recover` this also holds for the first row of the branch and for a missing active branch,
        which otherwise are errors. `branch` selects the active branch, by default the stored one.

        Raises:
            SessionNotFoundError: there is no such session, or no such branch.
            SessionDamagedError: the first row cannot be read, or the active branch is missing.
        """
        identity = self._file.identity
        with self._file.reading() as connection:
            session = queries.find_session(connection, session_id)
            loaded, bookmark = reading.read_session(
                connection, identity, session, branch, is_recovered=recover, new_id=self._new_id, now=self._now
            )
            if not recover:
                reading.refuse_damaged_beginning(session_id, loaded.transcript.branch, loaded.skipped)
            set_bookmark(loaded.transcript, bookmark)
        return loaded

    async def load_async(self, session_id: str, *, branch: str | None = None, recover: bool = False) -> LoadedSession:
        """Do what `load` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.load, session_id, branch=branch, recover=recover)

    def load_tail(self, session_id: str, count: int, *, branch: str | None = None) -> Page:
        """Return the messages of the last `count` rows of a branch. Nothing else is read; do not run tools from them.

        Raises:
            SessionNotFoundError: there is no such session, or no such branch.
            InvalidArgumentError: `count` is not an integer.
        """
        wanted = check_count(count, "count")
        with self._file.reading() as connection:
            session = queries.find_session(connection, session_id)
            name, number = queries.find_branch(connection, session, branch)
            places = queries.last_places_of(connection, number, max(0, wanted))
            return reading.read_page(connection, name, number, places, None)

    async def load_tail_async(self, session_id: str, count: int, *, branch: str | None = None) -> Page:
        """Do what `load_tail` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.load_tail, session_id, count, branch=branch)

    def iterate(
        self, session_id: str, *, branch: str | None = None, on_skipped: Callable[[SkippedRow], None] | None = None
    ) -> Iterator[AnyMessage]:
        """Yield the messages of a branch in order, with one page in memory at a time.

        A session with rows of an older version is read at once, since the upgrade of a call depends on later rows.
        `on_skipped` is called for each unreadable row; without it such a row is an error. Do not run tools from these
        messages.

        Raises:
            SessionNotFoundError: there is no such session, or no such branch.
            SessionDamagedError: a row cannot be read, and `on_skipped` is not given.
        """
        if on_skipped is not None:
            check_function(on_skipped, "on_skipped")
        for page in pages(self._file, session_id, branch):
            for row in page.skipped:
                if on_skipped is None:
                    raise SessionDamagedError(session_id, row.branch, row.position, row.reason)
                on_skipped(row)
            yield from page.messages

    async def iterate_async(
        self, session_id: str, *, branch: str | None = None, on_skipped: Callable[[SkippedRow], None] | None = None
    ) -> AsyncIterator[AnyMessage]:
        """Yield what `iterate` yields, and raise what it raises; each message is read in a thread."""
        messages = self.iterate(session_id, branch=branch, on_skipped=on_skipped)
        while (message := await asyncio.to_thread(next, messages, None)) is not None:
            yield message

    def sessions(self) -> list[SessionInfo]:
        """Return the information about each session, without messages, the most recently written first."""
        with self._file.reading() as connection:
            return [reading.info_of(connection, session) for session in queries.all_sessions(connection)]

    async def sessions_async(self) -> list[SessionInfo]:
        """Do what `sessions` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.sessions)

    def info(self, session_id: str) -> SessionInfo:
        """Return the information about a session, without messages.

        Raises:
            SessionNotFoundError: there is no such session.
        """
        with self._file.reading() as connection:
            return reading.info_of(connection, queries.find_session(connection, session_id))

    async def info_async(self, session_id: str) -> SessionInfo:
        """Do what `info` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.info, session_id)

    def branches(self, session_id: str) -> tuple[str, ...]:
        """Return the branches of a session, in order of creation.

        Raises:
            SessionNotFoundError: there is no such session.
        """
        return tuple(self.info(session_id).branches)

    async def branches_async(self, session_id: str) -> tuple[str, ...]:
        """Do what `branches` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.branches, session_id)

    def fork(self, session_id: str, name: str, *, source: str | None = None, after: str | None = None) -> None:
        """Create a branch from another one, by default the active one.

        It begins with all messages of that branch, or with those up to the one with the id `after`.

        Raises:
            SessionNotFoundError: there is no such session or branch, or the branch has no message with that id.
            SessionExistsError: there is already a branch with that name.
            InvalidArgumentError: the name is empty, or not a string that can be stored.
        """
        checked_name(name)
        with self._file.writing() as connection:
            session = queries.find_session(connection, session_id)
            origin, number = queries.find_branch(connection, session, source)
            if queries.branch_number(connection, session.number, name) is not None:
                raise SessionExistsError(session_id, name, "there is already a branch of that name")
            if after is None:
                shared = queries.length_of(connection, number)
            else:
                wanted = ascii_text(check_text(after, "after", may_be_empty=True))
                position = queries.position_of(connection, number, wanted)
                if position is None:
                    raise SessionNotFoundError(session_id, origin, "the branch has no message with that id")
                shared = position + 1
            writing.add_branch(connection, session.number, name, number, shared)
            writing.touch(connection, session.number, timestamp_text(self._now))

    async def fork_async(
        self, session_id: str, name: str, *, source: str | None = None, after: str | None = None
    ) -> None:
        """Do what `fork` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        await asyncio.to_thread(self.fork, session_id, name, source=source, after=after)

    def switch(self, session_id: str, branch: str) -> None:
        """Make another branch the active one. `Transcript.switch` also adds a control message to the conversation.

        Raises:
            SessionNotFoundError: there is no such session, or no such branch.
        """
        with self._file.writing() as connection:
            session = queries.find_session(connection, session_id)
            name, _ = queries.find_branch(connection, session, branch)
            writing.set_active(connection, session.number, name)

    async def switch_async(self, session_id: str, branch: str) -> None:
        """Do what `switch` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        await asyncio.to_thread(self.switch, session_id, branch)

    def set_metadata(self, session_id: str, metadata: Mapping[str, Any]) -> None:
        """Replace the metadata of a session.

        Raises:
            SessionNotFoundError: there is no such session.
            EncodeError: they are not JSON.
        """
        text = stored_metadata(metadata, self._redact)
        with self._file.writing() as connection:
            writing.set_metadata(connection, queries.find_session(connection, session_id).number, text)

    async def set_metadata_async(self, session_id: str, metadata: Mapping[str, Any]) -> None:
        """Do what `set_metadata` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        await asyncio.to_thread(self.set_metadata, session_id, metadata)

    def delete(self, session_id: str) -> None:
        """Delete a session, and overwrite its data that no other session shares.

        Raises:
            SessionNotFoundError: there is no such session.
        """
        with self._file.queue() as connection:
            with writing.transaction(connection):
                writing.delete_session(connection, queries.find_session(connection, session_id).number)
            writing.free_disk_space(connection)

    async def delete_async(self, session_id: str) -> None:
        """Do what `delete` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        await asyncio.to_thread(self.delete, session_id)

    def check(self) -> list[Problem]:
        """Read the whole store and return its problems; an empty list if there are none. Nothing is changed."""
        with self._file.reading() as connection:
            return integrity.problems(connection)

    async def check_async(self) -> list[Problem]:
        """Do what `check` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.check)

    def export_jsonl(
        self,
        session_id: str,
        target: str | os.PathLike[str] | IO[bytes],
        *,
        branch: str | None = None,
        version: int = CURRENT,
    ) -> Exported:
        """Export the messages of a branch as JSONL. A file is written completely or not at all.

        Version 1 is the flat form, in which contents are always text. What an older version has no place for is
        reported.

        Raises:
            SessionNotFoundError: there is no such session, or no such branch.
            SessionDamagedError: a row cannot be read.
            UnknownVersionError: there is no such version.
            OSError: the file cannot be written.
        """
        messages = self.iterate(session_id, branch=branch)
        if version == CURRENT:
            return Exported(write_lines(target, exported_lines(messages)))
        lines, losses = downgraded_lines(messages, version)
        return Exported(write_lines(target, lines), losses)

    async def export_jsonl_async(
        self,
        session_id: str,
        target: str | os.PathLike[str] | IO[bytes],
        *,
        branch: str | None = None,
        version: int = CURRENT,
    ) -> Exported:
        """Do what `export_jsonl` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.export_jsonl, session_id, target, branch=branch, version=version)

    def import_jsonl(
        self,
        source: Source,
        *,
        session_id: str | None = None,
        branch: str = "main",
        metadata: Mapping[str, Any] | None = None,
        version: int | None = None,
        dialect: Dialect | None = None,
        recover: bool = False,
    ) -> Imported:
        """Create a session from a JSONL file of messages, loaded as by `il.load_messages`: all of it, or nothing.

        Missing ids are filled in. A record of an unknown type is kept. A line that is not a message is an error; with
        `recover` it is left out and reported with its byte offsets, and earlier calls without a result never run. The
        file is not modified.

        Raises:
            JsonLinesError: a line is not a message, and `recover` is not set.
            SessionExistsError, UnknownDialectError, UnknownVersionError: as their names say.
            OSError: the file cannot be read.
        """
        identifier = checked_name(self._new_id() if session_id is None else session_id)
        checked_name(branch)
        text = stored_metadata(metadata or {}, self._redact)
        found = importing.read_conversation(source, version, dialect, recover=recover)
        messages = [importing.with_generated_ids(message, self._new_id, self._now) for message in found.messages]
        doubtful = tuple(id_of(messages[place]) or "" for place in found.doubtful)
        ready = [prepared(message, self._redact) for message in messages]
        with self._file.writing() as connection:
            session, number = self._add(connection, identifier, branch, text)
            writing.add_messages(connection, session, number, 0, ready)
        redactions = redactions_of((branch, position, one) for position, one in enumerate(ready))
        return Imported(identifier, len(ready), found.coverage, found.bad, redactions, doubtful)

    async def import_jsonl_async(
        self,
        source: Source,
        *,
        session_id: str | None = None,
        branch: str = "main",
        metadata: Mapping[str, Any] | None = None,
        version: int | None = None,
        dialect: Dialect | None = None,
        recover: bool = False,
    ) -> Imported:
        """Do what `import_jsonl` does, and raise what it raises, in a thread: the event loop goes on meanwhile."""
        return await asyncio.to_thread(
            self.import_jsonl,
            source,
            session_id=session_id,
            branch=branch,
            metadata=metadata,
            version=version,
            dialect=dialect,
            recover=recover,
        )

    def _add(self, connection: sqlite3.Connection, identifier: str, branch: str, metadata: str) -> tuple[int, int]:
        """Add a session, and return its number and that of its branch."""
        if queries.is_known(connection, identifier):
            raise SessionExistsError(identifier, None, "there is already a session with that id")
        return writing.add_session(connection, identifier, branch, metadata, timestamp_text(self._now))


def _refuse_known(
    connection: sqlite3.Connection, session: queries.FoundSession, branch: str, messages: Sequence[AnyMessage]
) -> None:
    """Refuse messages that the session already has, so that a retry after an error does not store them twice.

    Raises:
        SessionConflictError: it has a message with one of the ids.
    """
    seen: set[str] = set()
    for message in messages:
        identifier = id_of(message)
        if identifier is not None:
            if identifier in seen or queries.has_message(connection, session.number, ascii_text(identifier)):
                raise SessionConflictError(session.id, branch, "the session already has a message with that id")
            seen.add(identifier)
