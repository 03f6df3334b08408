"""Selects the part of a conversation that fits a limit: `select` by tokens, `window` by number of messages."""

from __future__ import annotations

import inspect
import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar, cast, overload

from interlingua.argument_checks import check_count, check_function, check_number, check_several, named, string_tuple
from interlingua.context.counter import HeuristicCounter
from interlingua.context.counting import MessageCounter
from interlingua.context.facts import Facts, facts_of
from interlingua.context.plan import OmissionReason, Plan, Resource, SelectionOptions, Weights, fill, timestamp_of
from interlingua.context.turns import divide_into_turns
from interlingua.errors import ContextBudgetError
from interlingua.model import ChatRequest, McpResourceMessage, MessageRole, TextData, TextMessage, UserChatMessage
from interlingua.transcript.compaction import compacted
from interlingua.transcript.stale_resources import stale_resources
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from interlingua.context.counter import TokenCounter
    from interlingua.context.turns import Layout
    from interlingua.model import ChatMessage, CompactionMessage
    from interlingua.transcript.kinds import AnyEntry

__all__ = ["Omission", "Selection", "Shortening", "Summarize", "select", "window"]

_LOGGER: Final = logging.getLogger("interlingua.context")
_HIDDEN: Final = Facts("silent")
_NO_TIME: Final = datetime.min.replace(tzinfo=UTC)

Entry = TypeVar("Entry", bound="AnyEntry")
Given_contra = TypeVar("Given_contra", bound="AnyEntry", contravariant=True)


class Summarize(Protocol[Given_contra]):
    """Summarises messages that were left out.

    Example:
        >>> def summary_of(messages, max_tokens):
        ...     return f"{len(messages)} messages were left out."
        >>> story = [il.messages.user("A story. " * 99), il.messages.assistant("Oh."), il.messages.user("And now?")]
        >>> counter = il.context.HeuristicCounter()
        >>> il.context.select(story, 60, counter, summarize=summary_of, summary_tokens=20).summary.text
        '2 messages were left out.'
    """

    def __call__(self, messages: tuple[Given_contra, ...], max_tokens: int, /) -> str | None:
        """Return a summary of the messages of at most `max_tokens`, or None."""
        ...


@dataclass(frozen=True, slots=True)
class Omission:
    """A message that was left out.

    `index` is its index in the input, `id` its id, `kind` its type or role, `reason` one of
    `interlingua.context.OMISSION_REASONS`, `tokens` its number of tokens.

    Example:
        >>> story = [il.messages.user("A story. " * 99), il.messages.assistant("Oh."), il.messages.user("And now?")]
        >>> chosen = il.context.select(story, 40, il.context.HeuristicCounter())
        >>> [(one.index, one.kind, one.reason) for one in chosen.omitted]
        [(0, 'text', 'limit'), (1, 'text', 'limit')]
    """

    index: int
    id: str | None
    kind: str
    reason: OmissionReason
    tokens: int


@dataclass(frozen=True, slots=True)
class Shortening:
    """A resource whose content was replaced by its summary: `tokens` instead of `tokens_before`.

    Example:
        >>> data = {"server_name": "docs", "resource_uri": "docs://api", "retrieved_at": "2026-01-01T00:00:00Z"}
        >>> data |= {"content": "# API " * 200, "summary": "Two calls."}
        >>> story = [il.McpResourceMessage(data=il.McpResourceData(**data)), il.messages.user("Hi")]
        >>> chosen = il.context.select(story, 100, il.context.HeuristicCounter())
        >>> [(one.index, one.tokens_before > one.tokens) for one in chosen.shortened]
        [(0, True)]
    """

    index: int
    id: str | None
    tokens_before: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Selection(Generic[Entry]):
    """The selected part of a conversation.

    `messages` are the kept messages in order, with the `summary` of the others if there is one; `tokens` is the total,
    including the rest of the request. `omitted` and `shortened` report the other messages, by index. `request` is the
    request with these messages, if a request was given.

    Example:
        >>> chosen = il.context.select([il.messages.user("Hi")], 40, il.context.HeuristicCounter())
        >>> len(chosen.messages), chosen.omitted
        (1, ())
    """

    messages: tuple[Entry, ...]
    omitted: tuple[Omission, ...]
    tokens: int
    shortened: tuple[Shortening, ...] = ()
    summary: Entry | None = None
    request: ChatRequest | None = field(default=None, repr=False)


@overload
def select(
    messages: ChatRequest,
    budget: int,
    counter: TokenCounter | MessageCounter,
    *,
    keep: Collection[str] = (),
    keep_last: int = 1,
    resource_limit: int | None = None,
    summarize: Summarize[ChatMessage] | None = None,
    summary_tokens: int | None = None,
) -> Selection[ChatMessage]: ...
@overload
def select(
    messages: Sequence[Entry],
    budget: int,
    counter: TokenCounter | MessageCounter,
    *,
    keep: Collection[str] = (),
    keep_last: int = 1,
    resource_limit: int | None = None,
    summarize: Summarize[Entry] | None = None,
    summary_tokens: int | None = None,
) -> Selection[Entry]: ...
def select(
    messages: ChatRequest | Sequence[Any],
    budget: int,
    counter: TokenCounter | MessageCounter,
    *,
    keep: Collection[str] = (),
    keep_last: int = 1,
    resource_limit: int | None = None,
    summarize: Summarize[Any] | None = None,
    summary_tokens: int | None = None,
) -> Selection[Any]:
    """Return the part of a conversation that fits a token budget.

    `messages` are transcript or chat messages, or a request, whose tools count as well. Newer turns have priority over
    older ones, and resources are ranked by last use. Always kept are instructions, the user's messages and the last
    step of the `keep_last` newest turns, and messages with an id in `keep`, with all that belongs to them. A call is
    kept with its results, and signed reasoning with what it led to, even if a user message directly follows results.
    Unless nothing is left out, the selection begins with a user message, if there is one.

    A resource that does not fit, or exceeds `resource_limit`, is replaced by its summary if it has one. A resource with
    a newer version of the same URI is left out, since models do not see it.

    `summarize` is called once to summarise what was left out; the summary is inserted before the oldest kept turn, as a
    user message, if it takes no more than `summary_tokens` (by default a tenth of the budget).

    Takes linear time, apart from sorting resources. The result is deterministic.

    Args:
        messages: The conversation, in order, or a request.
        budget: The maximum number of tokens.
        counter: A text counter, or a `MessageCounter`, which caches counts.
        keep: Ids of messages to keep.
        keep_last: How many of the newest turns to keep.
        resource_limit: The maximum number of tokens of a resource; None for no limit.
        summarize: Takes the omitted messages and a maximum number of tokens; returns a text or None.
        summary_tokens: The maximum number of tokens of the summary; None means a tenth of the budget.

    Raises:
        ContextBudgetError: what must be kept exceeds the budget.
        InvalidArgumentError: `keep` is a string instead of a collection of ids; `budget` is not a number; `counter` is
            not a counter; or `summarize` returns something other than a text or None.
        TypeError: a value is not a message of the current schema version.

    Example:
        >>> story = [il.messages.user("A story. " * 99), il.messages.assistant("Oh."), il.messages.user("And now?")]
        >>> chosen = il.context.select(story, 40, il.context.HeuristicCounter())
        >>> [message.text for message in chosen.messages], chosen.tokens
        (['And now?'], 10)
    """
    check_number(budget, "budget")
    keep_last = check_count(keep_last, "keep_last")
    for limit, what in ((resource_limit, "resource_limit"), (summary_tokens, "summary_tokens")):
        if limit is not None:
            check_number(limit, what)
    if summarize is not None:
        check_function(summarize, "summarize")
    if isinstance(counter, (str, bytes)) or not (
        isinstance(counter, MessageCounter) or callable(getattr(counter, "count", None))
    ):
        raise InvalidArgumentError(f"counter must count tokens, as HeuristicCounter() does, not {named(counter)}")
    counted = counter if isinstance(counter, MessageCounter) else MessageCounter(counter)
    selector = _Selector(messages, counted, SelectionOptions(keep_last, (), resource_limit), keep)
    plan = selector.plan(budget)
    summary: Any = None
    if summarize is not None and selector.omitted_for_budget(plan):
        room = max(0, budget // 10 if summary_tokens is None else summary_tokens)
        plan, summary = selector.summarized(plan, budget, room, summarize)
    return selector.selection(plan, summary)


@overload
def window(messages: ChatRequest, last: int) -> Selection[ChatMessage]: ...
@overload
def window(messages: Sequence[Entry], last: int) -> Selection[Entry]: ...
def window(messages: ChatRequest | Sequence[Any], last: int) -> Selection[Any]:
    """Return the newest messages of a conversation, at most `last` of them, and all instructions.

    As in `select`, nothing that belongs together is separated, so the newest turn's question and last step are kept
    even if they are more messages than that. The tokens of the selection are an estimate.

    Args:
        messages: The conversation, in order, or a request.
        last: The maximum number of messages.

    Raises:
        TypeError: a value is not a message of the current schema version.

    Example:
        >>> story = [il.messages.user("Hi"), il.messages.assistant("Hello"), il.messages.user("And now?")]
        >>> [message.text for message in il.context.window(story, 1).messages]
        ['And now?']
    """
    last = check_count(last, "last")
    selector = _Selector(messages, MessageCounter(HeuristicCounter()), SelectionOptions(), ())
    return selector.selection(selector.plan_by_number(last), None)


class _Selector:
    """The working state of one selection."""

    def __init__(
        self,
        given: ChatRequest | Sequence[Any],
        counter: MessageCounter,
        options: SelectionOptions,
        keep: Collection[str],
    ) -> None:
        self._request = given if isinstance(given, ChatRequest) else None
        listed = given.messages if isinstance(given, ChatRequest) else check_several(given, "messages")
        self._messages: tuple[Any, ...] = tuple(listed)
        self._counter = counter
        # Messages covered by a compaction are kept and cost nothing, since only its summary is sent.
        self._compacted = compacted(self._messages)
        hidden = self._compacted.hidden
        self._facts = [
            _HIDDEN if index in hidden else facts_of(message) for index, message in enumerate(self._messages)
        ]
        self._layout: Layout = divide_into_turns(
            self._facts,
            stale_resources(self._messages),
            [place for index, place in self._compacted.places.items() if _speaks_as_user(self._messages[index])],
            keeps_orphans=_has_server_state(self._request),
        )
        always = frozenset(string_tuple(keep, "keep"))
        kept = tuple(index for index, message in enumerate(self._messages) if _id_of(message) in always)
        self._wishes = SelectionOptions(options.last_turns, kept, options.resource_limit)
        self._tokens = [
            0 if index in hidden else counter.count_message(message) for index, message in enumerate(self._messages)
        ]
        self._base = counter.contents.costs.request if self._request is None else counter.count_overhead(self._request)

    def plan(self, budget: int) -> Plan:
        """Return the plan for a token budget."""
        return fill(self._facts, self._layout, self._weights(self._base, self._tokens), budget, self._wishes)

    def plan_by_number(self, last: int) -> Plan:
        """Return the plan for a number of messages; instructions and messages that no model sees do not count."""
        free = {*self._layout.prompts, *self._layout.silent}
        weights = self._weights(0, [0 if index in free else 1 for index in range(len(self._messages))])
        return fill(self._facts, self._layout, weights, last, self._wishes, may_overflow=True)

    def omitted_for_budget(self, plan: Plan) -> tuple[Any, ...]:
        """Return the omitted messages to summarise: without resources, which can be fetched again."""
        resources = set(self._layout.resources)
        return tuple(self._messages[at] for at in sorted(plan.left) if plan.left[at] == "limit" and at not in resources)

    def summarized(self, plan: Plan, budget: int, room: int, summarize: Summarize[Any]) -> tuple[Plan, Any]:
        """Return a plan with room for a summary, and the summary; or the original plan and None."""
        try:
            smaller = self.plan(budget - room)
        except ContextBudgetError:
            return plan, None
        words: Any = summarize(self.omitted_for_budget(smaller), room)  # the function may be untyped
        if not words:
            return plan, None
        if not isinstance(words, str):
            if inspect.iscoroutine(words):
                words.close()  # avoids Python's warning about a coroutine that was never awaited
            raise InvalidArgumentError("summarize must return text or None; it is not awaited")
        summary = self._summary(words)
        taken = self._counter.count_message(summary)
        if taken > room:
            _LOGGER.warning("a summary of %d tokens is left out: there is room for %d", taken, room)
            return plan, None
        return smaller, summary

    def selection(self, plan: Plan, summary: Any) -> Selection[Any]:
        """Return the selection with its report; removed resources are logged."""
        shortened: list[Shortening] = []
        messages: list[Any] = []
        tokens = self._base
        conversation = plan.kept.difference(self._layout.prompts, self._layout.silent, self._layout.resources)
        first = min(conversation, default=None)
        unbounded = self._unbounded(plan)
        for index in sorted(plan.kept - unbounded):
            message, taken = self._messages[index], self._tokens[index]
            if summary is not None and index == first:
                messages.append(summary)
                tokens += self._counter.count_message(summary)
            if index in plan.short:
                message = _shortened(message)
                shortened.append(Shortening(index, message.id, taken, self._counter.count_message(message)))
                taken = shortened[-1].tokens
            messages.append(message)
            tokens += taken
        omitted = tuple(
            self._omission(index, plan.left.get(index, "limit")) for index in sorted(plan.left.keys() | unbounded)
        )
        request = self._request
        return Selection(
            tuple(messages),
            omitted,
            tokens,
            tuple(shortened),
            summary,
            None if request is None else request.replace(messages=tuple(messages)),
        )

    def _unbounded(self, plan: Plan) -> set[int]:
        """Return the covered messages of compactions whose range has lost an end: models would see them again.

        An end is left out if it is a call or a result of which the other one is not covered, so that both are shown.
        """
        found: set[int] = set()
        for index, covered in self._compacted.ranges.items():
            data = self._messages[index].data
            ends = [end for end, name in ((0, data.first_id), (-1, data.last_id)) if name is not None]
            if covered and not plan.kept.issuperset(covered[end] for end in ends):
                found |= self._compacted.hidden.intersection(covered)
        return found

    def _omission(self, index: int, reason: OmissionReason) -> Omission:
        message: Any = self._messages[index]
        tokens = self._tokens[index]
        if isinstance(message, McpResourceMessage):
            server, identifier = message.data.server_name, message.id
            _LOGGER.info(
                "resource removed from the context (%s): server %r, message %s, %d tokens",
                reason,
                server,
                identifier,
                tokens,
            )
        kind: str = getattr(message, "role" if self._is_chat(message) else "type")
        return Omission(index, _id_of(message), str(kind), reason, tokens)

    def _weights(self, base: int, messages: list[int]) -> Weights:
        resources = {index: self._resource(self._messages[index]) for index in self._layout.resources}
        made_at = [timestamp_of(getattr(message, "created_at", None)) for message in self._messages]
        return Weights(base, messages, made_at if resources else (), resources)

    def _resource(self, message: McpResourceMessage) -> Resource:
        data = message.data
        used_at = timestamp_of(data.last_accessed_at) or timestamp_of(data.retrieved_at) or _NO_TIME
        short = None if data.summary is None else self._counter.count_message(_shortened(message))
        return Resource(used_at, short)

    def _summary(self, words: str) -> AnyEntry:
        """Return a user message with a summary, of the same kind as the other messages."""
        is_chat = self._request is not None or self._is_chat(self._messages[0])
        if is_chat:
            return UserChatMessage(content=words)
        return TextMessage(data=TextData(role=MessageRole.USER, content=words))

    @staticmethod
    def _is_chat(message: Any) -> bool:
        return not hasattr(message, "schema_version")


def _shortened(message: McpResourceMessage) -> McpResourceMessage:
    """Return a resource with its summary as its content."""
    data = message.data
    return message.replace(data=data.replace(content=data.summary, encoding=None, mime_type="text/plain"))


def _speaks_as_user(compaction: CompactionMessage) -> bool:
    """Tell whether the summary of a compaction is sent as a user message."""
    data = compaction.data
    return data.summary is not None and data.role in {None, MessageRole.USER}


def _id_of(message: Any) -> str | None:
    return cast("str | None", getattr(message, "id", None))


def _has_server_state(request: ChatRequest | None) -> bool:
    """Tell whether the provider's server holds an earlier part of the conversation, with the calls of some results."""
    extra = None if request is None else request.extra
    return extra is not None and extra.openai_responses is not None and bool(extra.openai_responses.server_state)
