"""The transcript of a conversation, with branches and unsaved changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast
from uuid import uuid4

from interlingua.argument_checks import check_count, check_function, check_mapping, check_several
from interlingua.call_ids import call_id_of
from interlingua.chat.admission import check_json
from interlingua.clock import utc_now
from interlingua.errors import TranscriptError
from interlingua.model import (
    BranchSwitchControl,
    SystemControlData,
    SystemControlMessage,
    ToolResultMessage,
    UnknownMessage,
)
from interlingua.transcript.answers import is_paired_alike
from interlingua.transcript.branch_tree import BranchTree
from interlingua.transcript.change import Change
from interlingua.transcript.completion import LEVELS, as_stored, completed, with_id
from interlingua.transcript.document import check_ids, read_document, written_document
from interlingua.transcript.kinds import check_kind
from interlingua.transcript.reading import TranscriptReading
from interlingua.transcript.replay import replayed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Self

    from interlingua.model import AnyMessage

AnyMessageT = TypeVar("AnyMessageT", bound="AnyMessage")


def _is_dumped_equally(new: AnyMessage, old: AnyMessage) -> bool:
    """Tell whether equal messages are the same JSON text: in Python True equals 1, and 1 equals 1.0."""
    return repr(new.model_dump()) == repr(old.model_dump())


def _new_id() -> str:
    return str(uuid4())


class Transcript(TranscriptReading):
    """The messages of a conversation, in order, on one or more branches.

    Messages are immutable; a change replaces one message by another. Branches share their common messages. Every change
    is recorded until it is marked as saved. Transcripts are thread-safe: each method is atomic, and `messages` is an
    immutable snapshot. A copy (`copy`, `deepcopy`, `pickle`) has all branches, all unsaved changes, and its own lock;
    `new_id` and `now` are copied too, so for pickling they must be module-level functions.

    Example:
        >>> story = il.Transcript([il.messages.user("Hi")])
        >>> story.fork("other")
        >>> switched = story.switch("other")
        >>> answer = story.append(il.messages.assistant("Hello"))
        >>> [message.type for message in story], story.branch
        (['text', 'system_control', 'text'], 'other')
    """

    def __init__(
        self,
        messages: Iterable[AnyMessage] = (),
        *,
        id: str | None = None,  # noqa: A002  # the schema's name
        branch: str = "main",
        metadata: Mapping[str, Any] | None = None,
        new_id: Callable[[], str] = _new_id,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Create a transcript with one branch; the given messages are unsaved changes.

        Raises:
            TranscriptError: two messages have the same id, or the branch name is empty.
            InvalidArgumentError: a value cannot be written as JSON.
        """
        check_function(new_id, "new_id")
        check_function(now, "now")
        if metadata is not None:
            check_mapping(metadata, "metadata")
            check_json(dict(metadata), LEVELS)
        super().__init__(new_id() if id is None else id, branch, metadata or {})
        self._new_id = new_id
        self._now = now
        self._changes: list[Change] = []
        self.extend(messages)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a copy."""
        with self._lock:
            return {**super().__getstate__(), "_changes": list(self._changes)}

    @classmethod
    def restore(
        cls,
        entries: Sequence[AnyMessage],
        branches: Mapping[str, Sequence[int]],
        *,
        branch: str,
        id: str | None = None,  # noqa: A002  # the schema's name
        metadata: Mapping[str, Any] | None = None,
        new_id: Callable[[], str] = _new_id,
        now: Callable[[], datetime] = utc_now,
    ) -> Self:
        """Return a transcript from stored entries, and the entry indexes of each branch.

        It has no unsaved changes. A message stored without an id gets one, which is not stored until the message is
        replaced.

        Raises:
            TranscriptError: the branches do not fit the entries, or each other.
        """
        transcript = cls(id=id, branch=branch, metadata=metadata, new_id=new_id, now=now)
        listed = tuple(check_several(entries, "entries"))
        for message in listed:
            check_kind(message)
        transcript._tree = BranchTree.of([with_id(message, new_id) for message in listed], branches, branch)
        return transcript

    @classmethod
    def from_document(
        cls,
        document: dict[str, Any] | str | bytes,
        *,
        new_id: Callable[[], str] = _new_id,
        now: Callable[[], datetime] = utc_now,
    ) -> Self:
        """Return the transcript stored by `to_document`. All of it counts as unsaved.

        Raises:
            JsonDecodeError: text or bytes are not JSON.
            MigrationError: it is not a transcript.
            TranscriptError: its branches do not fit its messages, or each other; two messages have the same id.
        """
        stored = read_document(document)
        entries = [completed(message, new_id, now) for message in stored.messages]
        check_ids(entries)
        transcript = cls.restore(
            entries,
            stored.places(),
            branch=stored.branch,
            id=stored.id,
            metadata=stored.metadata,
            new_id=new_id,
            now=now,
        )
        transcript._remember_all()  # noqa: SLF001  # an instance of this very class
        return transcript

    def to_document(self) -> dict[str, Any]:
        """Return the transcript as plain JSON, by the schema in `shared/transcript.json`.

        Raises:
            EncodeError: a value cannot be written as JSON.
        """
        with self._lock:
            entries, lineages, branch = tuple(self._tree.entries), self._tree.lineages(), self._branch
        return written_document(self._id, branch, entries, lineages, self._metadata)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The unsaved changes, in order."""
        with self._lock:
            return tuple(self._changes)

    def replay(self) -> tuple[Change, ...]:
        """Return the changes that turn an empty transcript into this one, as if nothing had been saved."""
        with self._lock:
            return tuple(replayed(self._tree, self._branch))

    @property
    def is_dirty(self) -> bool:
        """Whether there are unsaved changes."""
        return bool(self._changes)

    def __repr__(self) -> str:
        """Show names and counts; never content."""
        with self._lock:
            counts = f"messages={len(self)}, branches={len(self._tree.names)}, changes={len(self._changes)}"
        return f"Transcript(id={self._id!r}, branch={self._branch!r}, {counts})"

    def append(self, message: AnyMessageT, *, branch: str | None = None) -> AnyMessageT:
        """Append a message to a branch, by default the active one, and return it as it was stored.

        Missing ids and timestamps are filled in, and its calls get unique ids. Dates, tuples and the like in free-form
        JSON become what a store would give back. A result without a call id gets that of
        the call that it answers: the first open call of its tool, else the first open one. An unknown message is stored
        as it is.

        Raises:
            TranscriptError: there is already a message with that id, or no such branch.
            InvalidArgumentError: a value in it cannot be written as JSON, so that the transcript could not be stored.
            TypeError: it is not a message.
        """
        with self._lock:
            return cast("AnyMessageT", self._append(message, self._branch if branch is None else branch))

    def extend(self, messages: Iterable[AnyMessage]) -> tuple[AnyMessage, ...]:
        """Append messages to the active branch: all of them, or none if one is refused.

        Raises:
            TranscriptError: there is already a message with one of the ids.
            InvalidArgumentError: a value in one of them cannot be written as JSON.
            TypeError: a value is not a message.
        """
        listed = tuple(check_several(messages, "messages"))
        with self._lock:
            branch, before = self._branch, len(self._changes)
            try:
                return tuple([self._append(message, branch) for message in listed])
            except BaseException:
                self._tree.drop(branch, len(self._changes) - before)
                self._forget_answers()
                del self._changes[before:]
                raise

    def replace(self, message_id: str, message: AnyMessageT) -> AnyMessageT:
        """Replace a message on every branch that has it, and return the new one as it was stored.

        The id is kept, and so is the timestamp if the new message has none.

        Raises:
            TranscriptError: there is no message with that id; one of the two is an unknown message.
            InvalidArgumentError: a value in it cannot be written as JSON.
            TypeError: it is not a message.
        """
        return cast("AnyMessageT", self.update(message_id, lambda _old: message))

    def update(self, message_id: str, change: Callable[[AnyMessage], AnyMessage]) -> AnyMessage:
        """Replace a message by the result of `change`, atomically.

        No other thread can change the message in between, so two threads may decide two calls of one request. `change`
        is called once; if it raises, nothing changes.

        Raises:
            TranscriptError: `replace` would raise it.
            TypeError: `change` does not return a message.
        """
        check_function(change, "change")
        with self._lock:
            place = self._place(message_id)
            old = self._tree.entries[place]
            message = change(old)
            check_kind(message)
            message = message if message is old else as_stored(message, old)
            if isinstance(old, UnknownMessage) or isinstance(message, UnknownMessage):
                raise TranscriptError("unknown_message", message_id)
            kept: dict[str, Any] = {"id": message_id}
            if message.created_at is None and old.created_at is not None:
                kept["created_at"] = old.created_at
            new = completed(message.model_copy(update=kept), self._new_id, self._now)
            if new == old and (message is old or _is_dumped_equally(new, old)):
                return old
            self._tree.replace(place, new)
            if not is_paired_alike(old, new):
                self._forget_answers()
            branch, position = self._position(place)
            self._changes.append(Change("replace", branch, position, new))
            return new

    def fork(self, name: str, *, after: str | None = None) -> None:
        """Create a branch from the active one: with all its messages, or those up to the one with the id `after`.

        The new branch becomes active only by `switch`. Both share their common messages.

        Raises:
            TranscriptError: there is already a branch with that name, or the name is empty; the active branch has no
                message with that id.
        """
        with self._lock:
            shared = self._tree.length(self._branch)
            if after is not None:
                position = self._tree.position(self._branch, self._place(after))
                if position is None:
                    raise TranscriptError("unknown_id", after)
                shared = position + 1
            self._tree.fork(name, self._branch, shared)
            self._changes.append(Change("fork", name, shared, source=self._branch))

    def switch(self, name: str) -> SystemControlMessage | None:
        """Make another branch the active one, and append a control message about the switch to it.

        Returns the control message, or None if the branch is already active.

        Raises:
            TranscriptError: there is no such branch.
        """
        with self._lock:
            old = self._branch
            self._tree.length(name)  # raises for an unknown branch
            if name == old:
                return None
            control = BranchSwitchControl(old_branch=old, new_branch=name)
            message = completed(SystemControlMessage(data=SystemControlData(control=control)), self._new_id, self._now)
            self._branch = name
            self._changes.append(Change("switch", name, 0, source=old))
            return cast("SystemControlMessage", self._append(message, name))

    def mark_saved(self, count: int) -> None:
        """Mark the first `count` changes as saved.

        Raises:
            TranscriptError: there are fewer changes.
        """
        count = check_count(count, "count")
        with self._lock:
            if not 0 <= count <= len(self._changes):
                raise TranscriptError("bad_count", str(count))
            del self._changes[:count]

    def _remember_all(self) -> None:
        """Record everything as unsaved."""
        self._changes = replayed(self._tree, self._branch)

    def _append(self, message: AnyMessage, branch: str) -> AnyMessage:
        """Append a message to a branch. The lock must be held."""
        check_kind(message)
        message = as_stored(message)
        if isinstance(message, ToolResultMessage) and not message.data.call_id:
            message = self._associated(message, branch)
        message = completed(message, self._new_id, self._now, lambda call_id: self._answers_of(branch).is_open(call_id))
        if not isinstance(message, UnknownMessage) and self._tree.place(message.id or "") is not None:
            raise TranscriptError("duplicate_id", message.id or "")
        position = self._tree.append(branch, message)
        self._changes.append(Change("append", branch, position, message))
        return message

    def _associated(self, result: ToolResultMessage, branch: str) -> ToolResultMessage:
        """Return a result with the id of the call that it answers, if there is one. The lock must be held."""
        place = self._answers_of(branch).find(result.data.name)
        if place is None:
            return result
        position, order = place
        request: Any = self._tree.at(branch, position)
        call_id = call_id_of(request.data.calls[order].call)
        return result.model_copy(update={"data": result.data.model_copy(update={"call_id": call_id})})

    def _position(self, place: int) -> tuple[str, int]:
        """Return a branch that has an entry, preferably the active one, and the position there."""
        for branch in (self._branch, *self._tree.names):
            position = self._tree.position(branch, place)
            if position is not None:
                return branch, position
        raise AssertionError  # every entry is on a branch
