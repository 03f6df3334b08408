"""How many tokens a message takes in a request, by its kind."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, Final

from interlingua.context.contents import ContentCounter, Costs
from interlingua.errors import EncodeError, UnresolvedMessageError
from interlingua.given import check_kind_of, check_method
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
    """Counts messages, tools and requests with the counter of a text, and remembers what a message takes.

    Messages never change, so each is counted once as long as it lives. Members that no model reads (metadata, ids,
    approvals, control messages, recognitions, signatures) take nothing. Several threads may use one counter.

    Example:
        >>> counter = il.context.MessageCounter(il.context.HeuristicCounter())
        >>> counter.count_message(il.messages.user("What is the weather?"))
        9
    """

    def __init__(self, counter: TokenCounter, costs: Costs | None = None, *, takes_pictures: bool = True) -> None:
        """Take the counter of a text, what is added to it, and whether the model takes pictures, as `to_chat` does."""
        check_method(counter, "counter", "count")
        self._takes_pictures: Final = takes_pictures
        self.contents: Final = ContentCounter(counter, costs or Costs())
        # By identity: to compare two messages would cost more than to count one.
        self._known: Final[dict[int, tuple[weakref.ref[Any], int]]] = {}

    def count_message(self, message: AnyEntry) -> int:
        """Return how many tokens a message takes in a request.

        Raises:
            TypeError: it is no message of the current version.
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
        """Return how many tokens a request takes: its messages, and all else that a model is told."""
        return self.count_overhead(request) + sum(self.count_message(message) for message in request.messages)

    def count_overhead(self, request: ChatRequest) -> int:
        """Return how many tokens a request takes without its messages: tools, and the form that is asked for."""
        check_kind_of(request, ChatRequest)
        total = self.contents.costs.request + sum(self.contents.count_tool(tool) for tool in request.tools or ())
        form = request.response_format
        return total if form is None else total + self.contents.count_json(form.model_dump(mode="json"))


def _tokens(counts: ContentCounter, message: AnyEntry, *, takes_pictures: bool = True) -> int:
    """Return how many tokens a message takes; a new type is to be decided here."""
    match message:
        case AssistantChatMessage():
            return _answer(counts, message)
        case DeveloperChatMessage() | SystemChatMessage() | UserChatMessage():
            return _said(counts, message)
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
            return _told(counts, message, takes_pictures=takes_pictures)
        case SystemControlMessage() | UnknownMessage():
            return 0


def _said(counts: ContentCounter, message: DeveloperChatMessage | SystemChatMessage | UserChatMessage) -> int:
    return counts.costs.message + counts.count_name(message.name) + counts.count_content(message.content)


def _answer(counts: ContentCounter, message: AssistantChatMessage) -> int:
    said = sum(counts.count_content(one) for one in (message.reasoning, message.content, message.refusal))
    calls = sum(counts.count_call(call) for call in message.tool_calls or ())
    return counts.costs.message + counts.count_name(message.name) + said + calls


def _result(counts: ContentCounter, message: ToolChatMessage) -> int:
    return (
        counts.costs.message
        + counts.costs.result
        + counts.count_name(message.name)
        + counts.count_content(message.content)
    )


def _opaque_chat(counts: ContentCounter, message: OpaqueChatMessage) -> int:
    return counts.costs.message + counts.count_opaque(message.data)


def _told(counts: ContentCounter, message: Any, *, takes_pictures: bool) -> int:
    """Return what a model is told of a message of a transcript; one that has not been resolved is estimated."""
    try:
        chat = to_chat((message,), takes_pictures=takes_pictures)
    except UnresolvedMessageError:
        return counts.costs.message + counts.costs.picture
    except EncodeError:
        return counts.costs.message + counts.costs.result + counts.count_opaque(message.data.output)
    return sum(_tokens(counts, one) for one in chat)
