"""A thread-safe conversation history that enforces the order of its messages.

Source: 004 (FR-004a-101..115; docs/design.md, section 8). Writers take a lock; readers never wait, because each state
is published in one assignment and never changes. Adding takes time linear in what is added, however long the history
is.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar, cast, overload

from pydantic import ValidationError

from interlingua.chat.admission import admit, check_json
from interlingua.chat.history_rules import STRICT, HistoryRules
from interlingua.chat.order import Order, check_order
from interlingua.chat.reading import declared
from interlingua.chat.snapshot import Messages
from interlingua.errors import ConversationOrderError, EncodeError, JsonDecodeError, MigrationError
from interlingua.json_types import is_list, is_object
from interlingua.migrate.steps import current_frame
from interlingua.model import Conversation
from interlingua.pointers import pointer
from interlingua.strict_json import RefusedError, parse
from interlingua_types import CURRENT
from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import check_text, first_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from interlingua.chat.order import OrderViolation
    from interlingua.model import ChatMessage

__all__ = ["ConversationHistory"]

ChatMessageT = TypeVar("ChatMessageT", bound="ChatMessage")


class _Snapshot(NamedTuple):
    """A published state. Both lists only grow; items beyond the counts belong to a later state.

    `continued` are the indexes of the messages that continue the answer before them.
    """

    messages: Messages
    log: list[ChatMessage]
    continued: list[int]
    continued_count: int

    @classmethod
    def empty(cls) -> _Snapshot:
        """Return the state of an empty history."""
        log: list[ChatMessage] = []
        return cls(Messages.first(0, log), log, [], 0)

    def grown(self, kept: list[ChatMessage], continued: list[int]) -> _Snapshot:
        """Return the next state, in time linear in what is added."""
        seen = len(self.messages)
        # Items beyond the counts were left by an interrupted writer, and were never published.
        del self.log[seen:], self.continued[self.continued_count :]
        self.log.extend(kept)
        self.continued.extend(continued)
        messages = Messages.first(seen + len(kept), self.log)
        return _Snapshot(messages, self.log, self.continued, self.continued_count + len(continued))

    def continued_places(self) -> tuple[int, ...]:
        """Return the indexes of the messages that continue the answer before them."""
        return tuple(self.continued[: self.continued_count])


def _new_uuid() -> str:
    return str(uuid.uuid4())


class ConversationHistory:
    """A conversation that accepts a message only where the rules allow it.

    `rules` define the valid order: `STRICT` is that of requirement document 004, `rules_of(dialect)` that of a dialect.
    `new_id` makes an id for every tool call that is added without one. `id` and `metadata` are the application's own,
    and are stored with the messages. All methods may be called from any thread. A copy (`copy`, `deepcopy`, `pickle`)
    holds the current messages and has its own lock; `new_id` is copied too, so for pickling it must be a module-level
    function.

    Raises:
        InvalidArgumentError: `metadata` is not a JSON object, or `rules` or `new_id` is of the wrong type.

    Example:
        >>> history = il.ConversationHistory(il.chat.rules_of("claude"))
        >>> first = history.add(il.chat.create_user("Hi"))
        >>> history.count, history.last_message.text
        (1, 'Hi')
    """

    def __init__(
        self,
        rules: HistoryRules = STRICT,
        new_id: Callable[[], str] = _new_uuid,
        *,
        id: str | None = None,  # noqa: A002  # the schema's name
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        given: tuple[Any, Any] = (rules, new_id)  # callers may not be typed
        if not isinstance(given[0], HistoryRules) or not callable(given[1]):
            raise InvalidArgumentError("rules must be HistoryRules, and new_id a function that returns ids")
        self.rules = rules
        self.id = None if id is None else check_text(id, "id", may_be_empty=True)
        self.metadata = None if metadata is None else _free_form(metadata)
        self._new_id = new_id
        self._lock = threading.Lock()
        self._now = _Snapshot.empty()
        self._order = Order(rules)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a copy: all but the lock and what can be recomputed."""
        now = self._now
        kept = {name: value for name, value in vars(self).items() if name not in {"_lock", "_now", "_order"}}
        return {**kept, "_now": (list(now.messages), list(now.continued_places()))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state of a copy."""
        vars(self).update(state)
        self._lock = threading.Lock()
        self._now = _Snapshot.empty().grown(*state["_now"])
        self._order = Order(self.rules)  # the first writer brings it up to date

    def add(self, message: ChatMessageT) -> ChatMessageT:
        """Append a message, and return it as it is stored, with missing ids filled in.

        A tool call without an id gets a new one. If the rules do not require results to name their call, a result
        without a call id gets the id of the call that it answers.

        Raises:
            ConversationOrderError: the rules do not allow it here. The history is unchanged.
            InvalidArgumentError: it is not a chat message, or holds a value that is not JSON.
        """
        admitted = admit(message, self._new_id)
        with self._lock:
            order = self._sound_order()
            _refuse(order.violations(admitted))
            kept = order.take(admitted)
            self._now = self._now.grown([kept], [])
        return cast("ChatMessageT", kept)

    def add_turn(self, messages: Iterable[ChatMessage]) -> tuple[ChatMessage, ...]:
        """Append several messages atomically, and return them as they are stored.

        Consecutive assistant messages among them are one answer, with text between its calls: they count as one turn,
        and the results of all their calls may follow.

        Raises:
            ConversationOrderError: the rules do not allow one of them. The history is unchanged.
            InvalidArgumentError: one is not a chat message, or holds a value that is not JSON.
        """
        if not isinstance(messages, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may not be typed
            raise InvalidArgumentError("a turn must be a list of messages")
        admitted = [admit(message, self._new_id) for message in messages]
        with self._lock:
            fork = self._sound_order().fork()
            begin = fork.count
            kept: list[ChatMessage] = []
            continued: list[int] = []
            for place, message in enumerate(admitted):
                continues = place > 0 and message.role == "assistant" == admitted[place - 1].role
                _refuse(fork.violations(message, continues=continues))
                kept.append(fork.take(message, continues=continues))
                if continues:
                    continued.append(begin + place)
            self._order.join(fork)
            self._now = self._now.grown(kept, continued)
        return tuple(kept)

    def clear(self) -> None:
        """Remove all messages. Snapshots taken before keep theirs."""
        with self._lock:
            self._now = _Snapshot.empty()
            self._order = Order(self.rules)

    def _sound_order(self) -> Order:
        """Return the order state of the published messages, rebuilt if a writer was interrupted."""
        messages = self._now.messages
        if self._order.count != len(messages):
            continued = frozenset(self._now.continued_places())
            order = Order(self.rules)
            for place, message in enumerate(messages):
                order.take(message, continues=place in continued)
            self._order = order
        return self._order

    def get_messages(self) -> Messages:
        """Return the current messages as an immutable snapshot. Copies nothing."""
        return self._now.messages

    @property
    def count(self) -> int:
        """The number of messages."""
        return len(self._now.messages)

    @property
    def last_message(self) -> ChatMessage | None:
        """The last message, or None."""
        messages = self._now.messages
        return messages[-1] if messages else None

    @property
    def open_calls(self) -> tuple[str, ...]:
        """The ids of the calls that have no result yet, in order.

        If the rules require results to follow directly, only the last answer is searched, otherwise the whole history.
        """
        with self._lock:
            return self._sound_order().open_calls

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[ChatMessage]:
        return iter(self._now.messages)

    @overload
    def __getitem__(self, place: int) -> ChatMessage: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[ChatMessage, ...]: ...
    def __getitem__(self, place: int | slice) -> ChatMessage | tuple[ChatMessage, ...]:
        return self._now.messages[place]

    def __repr__(self) -> str:
        return f"ConversationHistory(rules={self.rules.name!r}, count={self.count})"

    def validate(self, rules: HistoryRules | None = None) -> list[OrderViolation]:
        """Return every violation of the given rules, by default the history's own.

        All messages are checked again; with the history's own rules the list is empty. Calls at the end that have no
        result yet are not violations: see `open_calls`.
        """
        moment = self._now
        return check_order(moment.messages, rules or self.rules, continued=frozenset(moment.continued_places()))

    def to_conversation(self) -> Conversation:
        """Return the current history as a `Conversation`, the schema's form for storage."""
        moment = self._now
        messages, continued = tuple(moment.messages), moment.continued_places()
        return Conversation(id=self.id, messages=messages, continued=continued or None, metadata=self.metadata)

    def to_json(self) -> str:
        """Return the current history as JSON text.

        Raises:
            EncodeError: a string has a lone surrogate and cannot be written.
        """
        conversation = self.to_conversation()
        try:
            return conversation.model_dump_json()
        except ValueError:
            pass
        # Raised outside the handler: the cause would show the text.
        raise EncodeError("interlingua", "", "a text cannot be written as JSON: it contains half a surrogate pair")

    @classmethod
    def from_conversation(
        cls, conversation: Conversation, rules: HistoryRules = STRICT, new_id: Callable[[], str] = _new_uuid
    ) -> Self:
        """Return the history of a stored conversation.

        Raises:
            ConversationOrderError: a message is in an invalid place; `check_order` returns all such messages.
            InvalidArgumentError: it has a value that is not JSON, or its `continued` has an index without an answer
                before it.
        """
        if not isinstance(conversation, Conversation):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may not be typed
            raise InvalidArgumentError("expected a conversation")
        history = cls(rules, new_id, id=conversation.id, metadata=conversation.metadata)
        messages = conversation.messages
        continued = set(conversation.continued or ())
        if any(not _is_continued(messages, place) for place in continued):
            raise InvalidArgumentError("continued must have indexes of messages that continue an answer")
        begin = 0
        for place in range(1, len(messages) + 1):
            if place in continued:
                continue
            if place == begin + 1:
                history.add(messages[begin])
            else:
                history.add_turn(messages[begin:place])
            begin = place
        return history

    @classmethod
    def from_json(cls, text: str | bytes, rules: HistoryRules = STRICT, new_id: Callable[[], str] = _new_uuid) -> Self:
        """Return the history stored by `to_json`. Its messages may be in any form that `chat.load` reads.

        Raises:
            JsonDecodeError: the text is not JSON.
            MigrationError: it is not a conversation of the current schema version.
            ConversationOrderError, InvalidArgumentError: as `from_conversation`.
        """
        if not isinstance(text, (str, bytes)):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may not be typed
            raise InvalidArgumentError("expected text or bytes")
        try:
            document = parse(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
        except RefusedError as error:
            failure = JsonDecodeError(error.detail, error.line, error.column)
        else:
            return cls.from_conversation(_conversation(document), rules, new_id)
        # Raised outside the handler: the cause would hold the document.
        raise failure


def _conversation(document: Any) -> Conversation:
    """Return the conversation in a document, whose messages may be in any form that `chat.load` reads.

    Raises:
        MigrationError: it is not a conversation of the current schema version.
    """
    document = current_frame(document, "Conversation")
    found = _validated(document)
    if isinstance(found, MigrationError) and is_object(document) and is_list(document.get("messages")):
        found = _validated({**document, "messages": [declared(message) for message in document["messages"]]})
    if isinstance(found, MigrationError):
        raise found
    return found


def _validated(document: Any) -> Conversation | MigrationError:
    """Return the conversation in a document, or the error, whose cause would hold the document if it were raised."""
    try:
        return Conversation.model_validate(document)
    except ValidationError as error:
        place, reason = first_problem(error)
        return MigrationError(CURRENT, pointer(*place), reason)


def _free_form(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata after checking that they are JSON.

    Raises:
        InvalidArgumentError: they are not.
    """
    if not isinstance(metadata, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may not be typed
        raise InvalidArgumentError("metadata must be an object")
    free = dict(metadata)
    check_json(free)
    return free


def _is_continued(messages: tuple[ChatMessage, ...], place: int) -> bool:
    """Tell whether the message at an index can continue an answer before it."""
    return 0 < place < len(messages) and messages[place].role == "assistant" == messages[place - 1].role


def _refuse(violations: Iterator[OrderViolation]) -> None:
    """Raise the first violation, if there is one."""
    for violation in violations:
        raise ConversationOrderError(violation.rule, violation.index, violation.role, violation.detail)
