"""What of a conversation is told to a model, where not all of it fits: `select` by tokens, `window` by messages."""

from __future__ import annotations

import inspect
import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar, cast, overload

from interlingua.context.atoms import lay_out
from interlingua.context.counter import HeuristicCounter
from interlingua.context.counting import MessageCounter
from interlingua.context.facts import Facts, facts_of
from interlingua.context.plan import OmissionReason, Plan, Resource, SelectionOptions, Weights, fill, timestamp_of
from interlingua.errors import ContextBudgetError
from interlingua.given import check_count, check_function, check_number, check_several, named, texts_of
from interlingua.model import ChatRequest, McpResourceMessage, MessageRole, TextData, TextMessage, UserChatMessage
from interlingua.transcript.compaction import compacted
from interlingua.transcript.stale import stale_resources
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from interlingua.context.atoms import Layout
    from interlingua.context.counter import TokenCounter
    from interlingua.model import ChatMessage
    from interlingua.transcript.kinds import AnyEntry

__all__ = ["Omission", "Selection", "Shortening", "Summarize", "select", "window"]

_LOGGER: Final = logging.getLogger("interlingua.context")
_HIDDEN: Final = Facts("silent")
_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)

Entry = TypeVar("Entry", bound="AnyEntry")
Given_contra = TypeVar("Given_contra", bound="AnyEntry", contravariant=True)


class Summarize(Protocol[Given_contra]):
    """Says in few words what was left out.

    Example:
        >>> def summary_of(messages, max_tokens):
        ...     return f"{len(messages)} messages were left out."
        >>> story = [il.messages.user("A story. " * 99), il.messages.assistant("Oh."), il.messages.user("And now?")]
        >>> counter = il.context.HeuristicCounter()
        >>> il.context.select(story, 60, counter, summarize=summary_of, summary_tokens=20).summary.text
        '2 messages were left out.'
    """

    def __call__(self, messages: tuple[Given_contra, ...], max_tokens: int, /) -> str | None:
        """Return the words that stand for these messages, of at most so many tokens; None for none."""
        ...


@dataclass(frozen=True, slots=True)
class Omission:
    """A message that was left out.

    `index` is its place among those given, `id` its id, `kind` its type or role, `reason` one of
    `interlingua.context.OMISSION_REASONS`, `tokens` what it would have taken.

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
    """What stays of a conversation.

    `messages` are those that stay, in their order, with the `summary` of the others where one was made; `tokens` is
    what they take, with all else of the request. `omitted` and `shortened` report the rest, by index. `request` is the
    request with these messages, where one was given.

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
    """Return what of a conversation fits into a budget of tokens.

    `messages` are those of a transcript or of a chat, or a request, of which the tools count as well. The newest turns
    go before older ones, resources by when they were used last. Instructions stay, and of the `keep_last` newest turns
    what the user said and the last step; so do messages with an id in `keep`, with what belongs to them. A call stays
    with its results, signed thoughts with what they led to, also where the user spoke right behind results. What stays
    begins with the user where the user says anything, unless nothing is left out.

    A resource that does not fit, or takes more than `resource_limit`, is replaced by its summary where it has one. One
    that is followed by a newer one of the same address is left out, as no model is told it.
    `summarize` is asked once for the words that stand for what was left out; they are put before the oldest turn that
    stays, as the user's, if they take no more than `summary_tokens` (a tenth of the budget).

    It takes time linear in the conversation, but for the sorting of resources. The same input gives the same result.

    Args:
        messages: The conversation, in order, or a request.
        budget: How many tokens it may take in all.
        counter: Counts tokens: that of a text, or a `MessageCounter` that remembers.
        keep: Ids of messages that stay.
        keep_last: How many of the newest turns stay.
        resource_limit: How many tokens a resource may take; None for no limit.
        summarize: Is given the messages that are left out, and how many tokens it may say; returns a text or None.
        summary_tokens: How many tokens the summary may take; None means a tenth of the budget.

    Raises:
        ContextBudgetError: what must stay is more than the budget.
        InvalidArgumentError: `keep` is one text, and no collection of ids; `budget` is no number, or `counter`
            counts nothing; or `summarize` returns something else.
        TypeError: something is no message of the current version.

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
    bench = _Bench(messages, counted, SelectionOptions(keep_last, (), resource_limit), keep)
    plan = bench.plan(budget)
    summary: Any = None
    if summarize is not None and bench.left_for_room(plan):
        room = max(0, budget // 10 if summary_tokens is None else summary_tokens)
        plan, summary = bench.summarized(plan, budget, room, summarize)
    return bench.selection(plan, summary)


@overload
def window(messages: ChatRequest, last: int) -> Selection[ChatMessage]: ...
@overload
def window(messages: Sequence[Entry], last: int) -> Selection[Entry]: ...
def window(messages: ChatRequest | Sequence[Any], last: int) -> Selection[Any]:
    """Return the newest messages of a conversation, at most `last` of them, and all instructions.

    Nothing is broken apart, as with `select`; so the newest turn's question and last step stay even where they are more
    messages than that. The tokens of the selection are an estimate.

    Args:
        messages: The conversation, in order, or a request.
        last: How many messages may stay.

    Raises:
        TypeError: something is no message of the current version.

    Example:
        >>> story = [il.messages.user("Hi"), il.messages.assistant("Hello"), il.messages.user("And now?")]
        >>> [message.text for message in il.context.window(story, 1).messages]
        ['And now?']
    """
    last = check_count(last, "last")
    bench = _Bench(messages, MessageCounter(HeuristicCounter()), SelectionOptions(), ())
    return bench.selection(bench.plan_by_number(last), None)


class _Bench:
    """A conversation while it is selected from."""

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
        # What was summarised is told by its summary; it stays where it is, and costs nothing.
        hidden = compacted(self._messages).hidden
        self._facts = [
            _HIDDEN if index in hidden else facts_of(message) for index, message in enumerate(self._messages)
        ]
        self._layout: Layout = lay_out(
            self._facts, stale_resources(self._messages), keeps_orphans=_has_server_state(self._request)
        )
        always = frozenset(texts_of(keep, "keep"))
        kept = tuple(index for index, message in enumerate(self._messages) if _id_of(message) in always)
        self._wishes = SelectionOptions(options.last_turns, kept, options.resource_limit)
        self._tokens = [
            0 if index in hidden else counter.count_message(message) for index, message in enumerate(self._messages)
        ]
        self._base = counter.contents.costs.request if self._request is None else counter.count_overhead(self._request)

    def plan(self, budget: int) -> Plan:
        """Return what stays under a budget of tokens."""
        return fill(self._facts, self._layout, self._weights(self._base, self._tokens), budget, self._wishes)

    def plan_by_number(self, last: int) -> Plan:
        """Return what stays of so many messages; instructions and what no model is told do not count."""
        free = {*self._layout.prompts, *self._layout.silent}
        weights = self._weights(0, [0 if index in free else 1 for index in range(len(self._messages))])
        return fill(self._facts, self._layout, weights, last, self._wishes, may_overflow=True)

    def left_for_room(self, plan: Plan) -> tuple[Any, ...]:
        """Return what was left out and has to be summarised: words, not resources, which are fetched again."""
        resources = set(self._layout.resources)
        return tuple(self._messages[at] for at in sorted(plan.left) if plan.left[at] == "limit" and at not in resources)

    def summarized(self, plan: Plan, budget: int, room: int, summarize: Summarize[Any]) -> tuple[Plan, Any]:
        """Return a plan that leaves room for a summary, and the summary; or the first plan and none."""
        try:
            smaller = self.plan(budget - room)
        except ContextBudgetError:
            return plan, None
        words: Any = summarize(self.left_for_room(smaller), room)  # functions may not be typed
        if not words:
            return plan, None
        if not isinstance(words, str):
            if inspect.iscoroutine(words):
                words.close()  # or Python would warn that nobody has awaited it
            raise InvalidArgumentError("summarize must return text or None; it is not awaited")
        summary = self._summary(words)
        taken = self._counter.count_message(summary)
        if taken > room:
            _LOGGER.warning("a summary of %d tokens is left out: there is room for %d", taken, room)
            return plan, None
        return smaller, summary

    def selection(self, plan: Plan, summary: Any) -> Selection[Any]:
        """Return what stays and the report of what does not; resources that are removed are logged."""
        shortened: list[Shortening] = []
        messages: list[Any] = []
        tokens = self._base
        said = plan.kept.difference(self._layout.prompts, self._layout.silent, self._layout.resources)
        first = min(said, default=None)
        for index in sorted(plan.kept):
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
        omitted = tuple(self._omission(index, plan.left[index]) for index in sorted(plan.left))
        request = self._request
        return Selection(
            tuple(messages),
            omitted,
            tokens,
            tuple(shortened),
            summary,
            None if request is None else request.replace(messages=tuple(messages)),
        )

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
        used_at = timestamp_of(data.last_accessed_at) or timestamp_of(data.retrieved_at) or _LONG_AGO
        short = None if data.summary is None else self._counter.count_message(_shortened(message))
        return Resource(used_at, short)

    def _summary(self, words: str) -> AnyEntry:
        """Return a message of the user's that holds a summary, of the kind that the others are."""
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


def _id_of(message: Any) -> str | None:
    return cast("str | None", getattr(message, "id", None))


def _has_server_state(request: ChatRequest | None) -> bool:
    """Tell whether the provider's server holds an earlier part of the conversation, with the calls of some results."""
    extra = None if request is None else request.extra
    return extra is not None and extra.openai_responses is not None and bool(extra.openai_responses.server_state)
