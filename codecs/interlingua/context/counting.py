"""Token counts of messages and requests."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, Final

from interlingua.argument_checks import check_kind_of, check_method
from interlingua.context.contents import ContentCounter, Costs
from interlingua.errors import EncodeError, UnresolvedMessageError
from interlingua.model import (
    AssistantChatMessage,
    ChatRequest,
    CompactionMessage,
    DeveloperChatMessage,
    FileReferenceMessage,
    ImageMessage,
    McpResourceMessage,
    OpaqueChatMessage,
    OpaqueMessage,
    ReasoningMessage,
    SystemChatMessage,
    SystemControlMessage,
    TextMessage,
    ToolChatMessage,
    ToolRequestMessage,
    ToolResultMessage,
    UnknownMessage,
    UserChatMessage,
)
from interlingua.transcript.chat_out import to_chat
from interlingua.transcript.kinds import check_entry

if TYPE_CHECKING:
    from interlingua.context.counter import TokenCounter
    from interlingua.transcript.kinds import AnyEntry

__all__ = ["MessageCounter"]


class MessageCounter:
    """Counts the tokens of messages, tools and requests with a text counter, and caches the counts of messages.

    Messages are immutable, so each object is counted once. Members that no model reads (metadata, ids, approvals,
    control messages, recognitions, signatures) cost nothing. Thread-safe.

    Example:
        >>> counter = il.context.MessageCounter(il.context.HeuristicCounter())
        >>> counter.count_message(il.messages.user("What is the weather?"))
        9
    """

    def __init__(self, counter: TokenCounter, costs: Costs | None = None, *, takes_pictures: bool = True) -> None:
        """Create a counter from a text counter, costs, and whether the model accepts images, as in `to_chat`."""
        check_method(counter, "counter", "count")
        self._takes_pictures: Final = takes_pictures
        self.contents: Final = ContentCounter(counter, costs or Costs())
        # By identity: comparing two messages would cost more than counting one.
        self._known: Final[dict[int, tuple[weakref.ref[Any], int]]] = {}

    def count_message(self, message: AnyEntry) -> int:
        """Return the tokens of a message in a request.

        Raises:
            TypeError: it is not a message of the current schema version.
        """
        key = id(message)
        known = self._known.get(key)
        if known is not None and known[0]() is message:
            return known[1]
        check_entry(message)
        tokens = _tokens(self.contents, message, takes_pictures=self._takes_pictures)
        self._known[key] = (weakref.ref(message, lambda _: self._known.pop(key, None)), tokens)
        return tokens

    def count_request(self, request: ChatRequest) -> int:
        """Return the tokens of a request: its messages, and everything else that a model sees."""
        return self.count_overhead(request) + sum(self.count_message(message) for message in request.messages)

    def count_overhead(self, request: ChatRequest) -> int:
        """Return the tokens of a request without its messages: tools and response format."""
        check_kind_of(request, ChatRequest)
        total = self.contents.costs.request + sum(self.contents.count_tool(tool) for tool in request.tools or ())
        form = request.response_format
        return total if form is None else total + self.contents.count_json(form.model_dump(mode="json"))


def _tokens(counts: ContentCounter, message: AnyEntry, *, takes_pictures: bool = True) -> int:
    """Return the tokens of a message; a new type must be decided here."""
    match message:
        case AssistantChatMessage():
            return _answer(counts, message)
        case DeveloperChatMessage() | SystemChatMessage() | UserChatMessage():
            return _chat_tokens(counts, message)
        case ToolChatMessage():
            return _result(counts, message)
        case OpaqueChatMessage():
            return _opaque_chat(counts, message)
        case (
            CompactionMessage()
            | FileReferenceMessage()
            | ImageMessage()
            | McpResourceMessage()
            | OpaqueMessage()
            | ReasoningMessage()
            | TextMessage()
            | ToolRequestMessage()
            | ToolResultMessage()
        ):
            return _transcript_tokens(counts, message, takes_pictures=takes_pictures)
        case SystemControlMessage() | UnknownMessage():
            return 0


def _chat_tokens(counts: ContentCounter, message: DeveloperChatMessage | SystemChatMessage | UserChatMessage) -> int:
    return counts.costs.message + counts.count_name(message.name) + counts.count_content(message.content)


def _answer(counts: ContentCounter, message: AssistantChatMessage) -> int:
    content_tokens = sum(counts.count_content(one) for one in (message.reasoning, message.content, message.refusal))
    calls = sum(counts.count_call(call) for call in message.tool_calls or ())
    return counts.costs.message + counts.count_name(message.name) + content_tokens + calls


def _result(counts: ContentCounter, message: ToolChatMessage) -> int:
    return (
        counts.costs.message
        + counts.costs.result
        + counts.count_name(message.name)
        + counts.count_content(message.content)
    )


def _opaque_chat(counts: ContentCounter, message: OpaqueChatMessage) -> int:
    return counts.costs.message + counts.count_opaque(message.data)


def _transcript_tokens(counts: ContentCounter, message: Any, *, takes_pictures: bool) -> int:
    """Return the tokens of what a model sees of a transcript message; an unresolved one is estimated."""
    try:
        chat = to_chat((message,), takes_pictures=takes_pictures)
    except UnresolvedMessageError:
        return counts.costs.message + counts.costs.picture
    except EncodeError:
        return counts.costs.message + counts.costs.result + counts.count_opaque(message.data.output)
    return sum(_tokens(counts, one) for one in chat)
