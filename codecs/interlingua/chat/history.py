"""The history of a conversation: chat messages in an order that is right, for any number of threads at once.

Source: 004 (FR-004a-101..115; docs/design.md, section 8). Writers wait for each other; readers never wait: what they
see is published whole, in one assignment, and never changes. Adding costs what is added, however long the history is.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Self, overload

from pydantic import ValidationError

from interlingua.chat.admission import admit, check_json
from interlingua.chat.history_rules import STRICT, HistoryRules
from interlingua.chat.order import Order, check_order
from interlingua.chat.reading import declared
from interlingua.chat.snapshot import Messages
from interlingua.errors import ConversationOrderError, EncodeError, JsonDecodeError, MigrationError
from interlingua.json_kinds import is_list, is_object
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


class _Snapshot(NamedTuple):
    """What is published. Both lists only grow; what stands beyond the counts belongs to a later moment.

    `continued` are the places of the messages that go on with the answer before them.
    """

    messages: Messages
    log: list[ChatMessage]
    continued: list[int]
    continued_count: int

    @classmethod
    def empty(cls) -> _Snapshot:
        """Return the beginning of a history."""
        log: list[ChatMessage] = []
        return cls(Messages.first(0, log), log, [], 0)

    def grown(self, kept: list[ChatMessage], continued: list[int]) -> _Snapshot:
        """Return the next moment. Costs what is added."""
        seen = len(self.messages)
        # What stands beyond was left by a writer that was interrupted: nobody has seen it.
        del self.log[seen:], self.continued[self.continued_count :]
        self.log.extend(kept)
        self.continued.extend(continued)
        messages = Messages.first(seen + len(kept), self.log)
        return _Snapshot(messages, self.log, self.continued, self.continued_count + len(continued))

    def continued_places(self) -> tuple[int, ...]:
        """Return the places of the messages that go on with the answer before them."""
        return tuple(self.continued[: self.continued_count])


def _new_uuid() -> str:
    return str(uuid.uuid4())


class ConversationHistory:
    """An ordered conversation that takes a message only where the rules let it stand.

    `rules` say which order is right: `STRICT` is that of 004, `rules_of(dialect)` that of a dialect. `new_id` gives an
    id to every call that is added without one. `id` and `metadata` are the application's and are stored beside the
    messages. All methods may be called from any thread. A copy (`copy`, `deepcopy`, `pickle`) holds what the history
    holds at that moment, with a lock of its own; `new_id` goes along, so that pickling wants a function of a module.

    Raises:
        InvalidArgumentError: the metadata are no JSON object, or the rules or `new_id` are none.

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
        id: str | None = None,  # noqa: A002  # the name that the schema has
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
        """Return what a copy needs: all but the lock, and what can be found anew."""
        now = self._now
        kept = {name: value for name, value in vars(self).items() if name not in {"_lock", "_now", "_order"}}
        return {**kept, "_now": (list(now.messages), list(now.continued_places()))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Become the copy of a history."""
        vars(self).update(state)
        self._lock = threading.Lock()
        self._now = _Snapshot.empty().grown(*state["_now"])
        self._order = Order(self.rules)  # the first writer brings it up to what is held

    def add(self, message: ChatMessage) -> ChatMessage:
        """Add a message at the end, and return it as it is kept: with the ids that it lacked.

        A call without an id gets a new one. Where the rules do not tie results by id, a result without one gets the id
        of the call that it answers.

        Raises:
            ConversationOrderError: it may not stand there. The history is as it was.
            InvalidArgumentError: it is no chat message, or holds a value that JSON cannot hold.
        """
        admitted = admit(message, self._new_id)
        with self._lock:
            order = self._sound_order()
            _refuse(order.violations(admitted))
            kept = order.take(admitted)
            self._now = self._now.grown([kept], [])
        return kept

    def add_turn(self, messages: Iterable[ChatMessage]) -> tuple[ChatMessage, ...]:
        """Add several messages, all or none, with no other thread's between them; return them as they are kept.

        Messages of the assistant that follow each other here are one answer, which speaks between its calls: they count
        as one turn, and results of all their calls may follow.

        Raises:
            ConversationOrderError: one of them may not stand there. The history is as it was.
            InvalidArgumentError: one is no chat message, or holds a value that JSON cannot hold.
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
        """Begin anew. Snapshots that were taken keep what they have."""
        with self._lock:
            self._now = _Snapshot.empty()
            self._order = Order(self.rules)

    def _sound_order(self) -> Order:
        """Return the order of what is published: a writer may have been interrupted on its way."""
        messages = self._now.messages
        if self._order.count != len(messages):
            continued = frozenset(self._now.continued_places())
            order = Order(self.rules)
            for place, message in enumerate(messages):
                order.take(message, continues=place in continued)
            self._order = order
        return self._order

    def get_messages(self) -> Messages:
        """Return what the history holds now: an immutable sequence that no later change touches. Copies nothing."""
        return self._now.messages

    @property
    def count(self) -> int:
        """How many messages there are."""
        return len(self._now.messages)

    @property
    def last_message(self) -> ChatMessage | None:
        """The last message, None where there is none."""
        messages = self._now.messages
        return messages[-1] if messages else None

    @property
    def open_calls(self) -> tuple[str, ...]:
        """The ids of the calls that wait for their results, in order.

        Where results must come next these are calls of the last answer, else of the whole history, which is looked
        through.
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
        """Return every message that stands where the rules do not let it: the history's own, or other ones.

        All messages are looked at anew. With the history's own rules the list is empty. Calls at the end that wait for
        their results are no violation: `open_calls` has them.
        """
        moment = self._now
        return check_order(moment.messages, rules or self.rules, continued=frozenset(moment.continued_places()))

    def to_conversation(self) -> Conversation:
        """Return what the history holds now as a value of the schema, which is what is stored."""
        moment = self._now
        messages, continued = tuple(moment.messages), moment.continued_places()
        return Conversation(id=self.id, messages=messages, continued=continued or None, metadata=self.metadata)

    def to_json(self) -> str:
        """Return what the history holds now as JSON text.

        Raises:
            EncodeError: a text cannot be written: it has a lone surrogate.
        """
        conversation = self.to_conversation()
        try:
            return conversation.model_dump_json()
        except ValueError:
            pass
        # Outside the handler: the cause would show the text.
        raise EncodeError("interlingua", "", "a text cannot be written as JSON: it contains half a surrogate pair")

    @classmethod
    def from_conversation(
        cls, conversation: Conversation, rules: HistoryRules = STRICT, new_id: Callable[[], str] = _new_uuid
    ) -> Self:
        """Return the history of a stored conversation.

        Raises:
            ConversationOrderError: a message may not stand where it stands; `check_order` tells all of them.
            InvalidArgumentError: it has a value that JSON cannot hold, or its `continued` names a place that has no
                answer before it.
        """
        if not isinstance(conversation, Conversation):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may not be typed
            raise InvalidArgumentError("expected a conversation")
        history = cls(rules, new_id, id=conversation.id, metadata=conversation.metadata)
        messages = conversation.messages
        continued = set(conversation.continued or ())
        if any(not _is_continued(messages, place) for place in continued):
            raise InvalidArgumentError("continued: a message goes on with no answer")
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
        """Return the history that `to_json` wrote. Its messages may be written as `chat.load` reads them.

        Raises:
            JsonDecodeError: the text is not JSON.
            MigrationError: it is not a conversation of the current version.
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
        # Outside the handler: the cause would hold the document.
        raise failure


def _conversation(document: Any) -> Conversation:
    """Return the conversation of a document, its messages as they are, or else as people write them.

    Raises:
        MigrationError: it is none of the current version.
    """
    document = current_frame(document, "Conversation")
    found = _validated(document)
    if isinstance(found, MigrationError) and is_object(document) and is_list(document.get("messages")):
        found = _validated({**document, "messages": [declared(message) for message in document["messages"]]})
    if isinstance(found, MigrationError):
        raise found
    return found


def _validated(document: Any) -> Conversation | MigrationError:
    """Return the conversation of a document, or what is wrong with it: the cause would hold the document."""
    try:
        return Conversation.model_validate(document)
    except ValidationError as error:
        place, reason = first_problem(error)
        return MigrationError(CURRENT, pointer(*place), reason)


def _free_form(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata that are JSON.

    Raises:
        InvalidArgumentError: they are none.
    """
    if not isinstance(metadata, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may not be typed
        raise InvalidArgumentError("metadata must be an object")
    free = dict(metadata)
    check_json(free)
    return free


def _is_continued(messages: tuple[ChatMessage, ...], place: int) -> bool:
    """Tell whether the message at a place can go on with the answer before it."""
    return 0 < place < len(messages) and messages[place].role == "assistant" == messages[place - 1].role


def _refuse(violations: Iterator[OrderViolation]) -> None:
    """Raise the first violation, if there is one."""
    for violation in violations:
        raise ConversationOrderError(violation.rule, violation.index, violation.role, violation.detail)
