"""Checks the order of a conversation, message by message, each in time independent of the conversation's length."""

from __future__ import annotations

from collections import ChainMap, OrderedDict
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.argument_checks import check_kind_of, check_several
from interlingua.call_ids import answered_call_id, call_id_of
from interlingua.chat.history_rules import STRICT, HistoryRules
from interlingua.chat.kinds import check_chat_message

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping

    from interlingua.chat.history_rules import OrderRule
    from interlingua.model import AssistantChatMessage, ChatMessage, ToolCall, ToolChatMessage

__all__ = ["Order", "OrderViolation", "check_order"]

_SPEAKERS: Final = frozenset({"user", "assistant", "tool"})
_MAY_PRECEDE_CALLS: Final = _SPEAKERS - {"assistant"}
_DETAILS: Final[Mapping[OrderRule, str]] = MappingProxyType({
    "alternation": "user and assistant messages must alternate",
    "answered": "the call with its tool_call_id already has a result",
    "content": "a message must not be empty",
    "dangling_call": "the tool calls of the previous assistant message must have their results first",
    "duplicate_id": "another call has the id of one of its tool_calls",
    "first_message": "a system message must come first",
    "orphan_result": "a tool message must follow an assistant message with tool_calls",
    "role": "the rules allow no message with this role",
    "second_system": "there is already a system message",
    "unasked_call": "tool_calls must directly follow a user message or a tool result",
    "unknown_call": "its tool_call_id belongs to no open call",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class OrderViolation:
    """A message in an invalid place: `rule` is one of `ORDER_RULES`, `index` counts from 0.

    Example:
        >>> broken = il.chat.check_order([il.chat.create_tool_result("call_1", "31")], il.chat.rules_of("claude"))[0]
        >>> broken.rule, broken.index, broken.role
        ('orphan_result', 0, 'tool')
    """

    rule: OrderRule
    index: int
    role: str
    detail: str


def check_order(
    messages: Iterable[ChatMessage], rules: HistoryRules = STRICT, *, continued: Collection[int] = ()
) -> list[OrderViolation]:
    """Return every violation of the order rules in a conversation.

    `continued` are the indexes of the messages that continue the answer before them. Calls at the end that have no
    result yet are not violations.

    Args:
        messages: The conversation, in order.
        rules: The order rules.
        continued: The indexes, from 0, of messages that continue the answer before them.

    Raises:
        TypeError: a value is not a chat message.

    Example:
        >>> broken = il.chat.check_order([il.chat.create_user("Hi"), il.chat.create_user("Anybody?")])
        >>> [(one.rule, one.index) for one in broken]
        [('first_message', 0), ('alternation', 1)]
    """
    check_kind_of(rules, HistoryRules)
    places = frozenset(check_several(continued, "continued"))
    order = Order(rules)
    found: list[OrderViolation] = []
    for index, message in enumerate(check_several(messages, "messages")):
        check_chat_message(message)
        continues = index in places
        found += order.violations(message, continues=continues)
        order.take(message, continues=continues)
    return found


@dataclass(slots=True)
class _Answer:
    """The calls of the current answer: `open` maps the id of each call without a result to its tool."""

    open: OrderedDict[str, str] = field(default_factory=OrderedDict[str, str])
    by_tool: dict[str, OrderedDict[str, None]] = field(default_factory=dict[str, "OrderedDict[str, None]"])
    answered: set[str] = field(default_factory=set[str])

    def copy(self) -> _Answer:
        """Return an independent copy."""
        by_tool = {tool: ids.copy() for tool, ids in self.by_tool.items()}
        return _Answer(self.open.copy(), by_tool, self.answered.copy())

    def has(self, identifier: str) -> bool:
        """Tell whether a call has this id."""
        return identifier in self.open or identifier in self.answered

    def add_call(self, identifier: str, tool: str) -> None:
        """Add a call."""
        self.open[identifier] = tool
        self.by_tool.setdefault(tool, OrderedDict())[identifier] = None

    def close(self, identifier: str) -> None:
        """Add the result of a call; nothing changes if the call is not open."""
        tool = self.open.pop(identifier, None)
        if tool is not None:
            del self.by_tool[tool][identifier]
            self.answered.add(identifier)

    def first_open(self, tool: str | None) -> str | None:
        """Return the id of the first open call of a tool, else of the first open call."""
        named = self.by_tool.get(tool) if tool is not None else None
        return next(iter(named or self.open), None)


class Order:
    """The state of a conversation: what may come next, and which calls have no result yet."""

    __slots__ = ("_answer", "_has_system", "_last", "_speaker", "_speaker_before_answer", "_waiting", "count", "rules")

    def __init__(self, rules: HistoryRules) -> None:
        self.rules = rules
        self.count = 0
        self._has_system = False
        # The last role; the last role apart from instructions; the role before the current answer.
        self._last = self._speaker = self._speaker_before_answer = ""
        self._answer = _Answer()
        # The number of open calls for each id.
        self._waiting: MutableMapping[str, int] = {}

    @property
    def open_calls(self) -> tuple[str, ...]:
        """The ids of the open calls, in order; if results must follow directly, only those of the current answer."""
        if self.rules.results == "next":
            return tuple(self._answer.open)
        return tuple(identifier for identifier, count in self._waiting.items() if count)

    def fork(self) -> Order:
        """Return an independent copy of the state, in time linear in the calls of the last answer."""
        fork = Order(self.rules)
        fork._adopt(self)
        fork._answer = self._answer.copy()
        fork._waiting = ChainMap({}, self._waiting)
        return fork

    def join(self, fork: Order) -> None:
        """Adopt the state of a fork of this order."""
        self._adopt(fork)
        self._answer = fork._answer
        if isinstance(fork._waiting, ChainMap):
            self._waiting.update(fork._waiting.maps[0])

    def _adopt(self, other: Order) -> None:
        self.count = other.count
        self._has_system = other._has_system
        self._last, self._speaker, self._speaker_before_answer = (
            other._last,
            other._speaker,
            other._speaker_before_answer,
        )

    def violations(self, message: ChatMessage, *, continues: bool = False) -> Iterator[OrderViolation]:
        """Yield the rules that a message would violate if it came next; `continues` as in `take`."""
        return (
            OrderViolation(rule, self.count, message.role, _DETAILS[rule])
            for rule in self._violated_rule(message, continues)
        )

    def take(self, message: ChatMessage, *, continues: bool = False) -> ChatMessage:
        """Add the next message, valid or not, and return it; a result gets the id of the call that it answers.

        `continues`: the message continues the answer before it.
        """
        # Counted first: a count that differs from that of the messages shows that this was interrupted.
        self.count += 1
        if message.role == "opaque":
            return message
        if message.role == "tool":
            message = self._close(message)
        elif message.role == "assistant":
            self._add_calls(message, continues)
        else:
            self._answer = _Answer()
        self._has_system = self._has_system or message.role == "system"
        self._last = message.role
        if message.role in _SPEAKERS:
            self._speaker = message.role
        return message

    def _add_calls(self, message: AssistantChatMessage, continues: bool) -> None:
        if not self._is_same_turn(continues):
            self._speaker_before_answer = self._speaker
            self._answer = _Answer()
        for call in message.tool_calls or ():
            identifier = call_id_of(call)
            if identifier is not None and not self._answer.has(identifier):
                self._answer.add_call(identifier, call.name)
                self._waiting[identifier] = self._waiting.get(identifier, 0) + 1

    def _close(self, message: ToolChatMessage) -> ToolChatMessage:
        identifier = answered_call_id(message)
        if identifier is None and not self.rules.tied_by_id:
            identifier = self._answer.first_open(message.name)
            message = message if identifier is None else message.replace(call_id=identifier)
        if identifier is not None:
            self._answer.close(identifier)
            self._waiting[identifier] = max(0, self._waiting.get(identifier, 0) - 1)
        return message

    def _is_same_turn(self, continues: bool) -> bool:
        """Tell whether an assistant message that came next would continue the answer before it."""
        return self._last == "assistant" and (continues or not self.rules.alternate)

    def _violated_rule(self, message: ChatMessage, continues: bool) -> Iterator[OrderRule]:
        rules = self.rules
        if message.role not in rules.roles:
            yield "role"
        if rules.content and not _has_content(message):
            yield "content"
        if rules.system_first and message.role == "system" and self._has_system:
            yield "second_system"
        elif rules.system_first and (message.role == "system") != (self.count == 0):
            yield "first_message"
        if message.role == "tool":
            yield from self._rule_violated_by_result(message)
        elif message.role == "assistant":
            yield from self._rule_violated_by_answer(message, continues)
        elif message.role != "opaque":
            if rules.alternate and message.role == self._speaker:
                yield "alternation"
            if rules.results == "next" and self._answer.open:
                yield "dangling_call"

    def _rule_violated_by_answer(self, message: AssistantChatMessage, continues: bool) -> Iterator[OrderRule]:
        rules, is_same_turn = self.rules, self._is_same_turn(continues)
        if rules.alternate and self._speaker == "assistant" and not is_same_turn:
            yield "alternation"
        if rules.results == "next" and self._answer.open and not is_same_turn:
            yield "dangling_call"
        calls = message.tool_calls or ()
        if calls and rules.user_before_calls:
            speaker_before = self._speaker_before_answer if is_same_turn else self._speaker
            if speaker_before not in _MAY_PRECEDE_CALLS:
                yield "unasked_call"
        if rules.results != "unchecked" and self._repeats_an_id(calls, is_same_turn):
            yield "duplicate_id"

    def _repeats_an_id(self, calls: Iterable[ToolCall], is_same_turn: bool) -> bool:
        ids = [identifier for call in calls if (identifier := call_id_of(call)) is not None]
        if len(set(ids)) < len(ids):
            return True
        taken = self._waiting if self.rules.unique_ids else ()
        return any(identifier in taken or (is_same_turn and self._answer.has(identifier)) for identifier in ids)

    def _rule_violated_by_result(self, message: ToolChatMessage) -> Iterator[OrderRule]:
        answer, identifier = self._answer, answered_call_id(message)
        if self.rules.results == "unchecked":
            return
        if self.rules.results == "anywhere":
            known, waits = identifier in self._waiting, bool(identifier and self._waiting.get(identifier))
            any_call = bool(self._waiting)
        else:
            known, waits = identifier is not None and answer.has(identifier), identifier in answer.open
            any_call = bool(answer.open or answer.answered)
        if identifier is None and not self.rules.tied_by_id:
            known, waits = any_call, bool(answer.open) or self.rules.results == "anywhere"
        if known and not waits:
            yield "answered"
        elif self.rules.known_calls and not known:
            yield "unknown_call" if any_call else "orphan_result"


def _has_content(message: ChatMessage) -> bool:
    """Tell whether a message has the content that 004 requires of its role."""
    if message.role == "opaque":
        return True
    if message.role == "assistant":
        return not (message.content is None and not message.tool_calls and message.refusal is None)
    return message.content is not None
