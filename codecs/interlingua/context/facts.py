"""The facts about a message that selection needs: who speaks, its calls, and what it answers, but not its content."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from interlingua.call_ids import answered_call_id
from interlingua.model import (
    AssistantChatMessage,
    CompactionMessage,
    DeveloperChatMessage,
    FileReferenceMessage,
    ImageMessage,
    McpResourceMessage,
    MessageRole,
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
from interlingua.registry import known_descriptor
from interlingua.transcript.kinds import check_entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.model import ChatMessage, Extra, ToolCall
    from interlingua.spi.descriptor import Descriptor
    from interlingua.transcript.kinds import AnyEntry

__all__ = ["CallFacts", "Facts", "Speaker", "facts_of"]

Speaker = Literal["prompt", "user", "assistant", "result", "resource", "silent"]
"""Who speaks. A `prompt` is an instruction, a `result` is that of a tool, and `silent` is never sent to models."""

_SPEAKERS: Final[Mapping[str, Speaker]] = MappingProxyType(
    {"system": "prompt", "developer": "prompt", "user": "user", "assistant": "assistant", "tool": "result"}
)


@dataclass(frozen=True, slots=True)
class CallFacts:
    """A call: the ids by which a result may refer to it, and its tool name, if known."""

    ids: tuple[str, ...]
    name: str | None


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about one message.

    `calls` are its calls; `call_id` and `tool` say what a result answers. `has_reasoning`: it holds reasoning;
    `is_attached`: it belongs to the next message of the same speaker; `is_compaction`: it replaces everything before
    it; `joins`: it is folded into the message before it.
    """

    speaker: Speaker
    calls: tuple[CallFacts, ...] = ()
    call_id: str | None = None
    tool: str | None = None
    has_reasoning: bool = False
    is_attached: bool = False
    is_compaction: bool = False
    joins: bool = False


def facts_of(message: AnyEntry) -> Facts:
    """Return the facts of a message.

    Raises:
        TypeError: it is not a message of the current schema version.
    """
    check_entry(message)
    match message:
        case TextMessage():
            return _text(message)
        case ToolRequestMessage():
            return _request(message)
        case ToolResultMessage():
            return _result(message)
        case ReasoningMessage():
            return _reasoning(message)
        case FileReferenceMessage() | ImageMessage():
            return _media(message)
        case McpResourceMessage():
            return Facts("resource")
        case CompactionMessage():
            return Facts("prompt")
        case OpaqueMessage():
            return _opaque(message)
        case SystemControlMessage() | UnknownMessage():
            return Facts("silent")
        case _:
            return _chat_facts(message)


def _chat_facts(message: ChatMessage) -> Facts:
    match message:
        case AssistantChatMessage():
            return _chat_assistant(message)
        case ToolChatMessage():
            return _chat_result(message)
        case UserChatMessage():
            return _chat_user(message)
        case SystemChatMessage() | DeveloperChatMessage():
            return Facts("prompt")
        case OpaqueChatMessage():
            return _opaque_chat(message)


def _text(message: TextMessage) -> Facts:
    content = message.data.content if isinstance(message.data.content, tuple) else ()
    is_compaction = any(part.type == "opaque" and _is_compaction(part.data) for part in content)
    return Facts(
        _SPEAKERS[message.data.role],
        has_reasoning=_holds_reasoning(message.extra),
        is_compaction=is_compaction,
        joins=bool(message.joins),
    )


def _media(message: FileReferenceMessage | ImageMessage) -> Facts:
    speaker = _SPEAKERS[message.data.role or MessageRole.USER]
    return Facts(speaker, is_attached=True, joins=bool(message.joins))


def _reasoning(message: ReasoningMessage) -> Facts:
    return Facts("assistant", has_reasoning=True, joins=bool(message.joins))


def _request(message: ToolRequestMessage) -> Facts:
    calls = tuple(_call_facts(one.call) for one in message.data.calls)
    return Facts(
        "assistant",
        (*calls, *_opaque_calls(message.extra)),
        has_reasoning=_holds_reasoning(message.extra),
        joins=bool(message.joins),
    )


def _result(message: ToolResultMessage) -> Facts:
    return Facts("result", call_id=message.data.call_id or None, tool=message.data.name, joins=bool(message.joins))


def _opaque(message: OpaqueMessage) -> Facts:
    return _opaque_facts(message.data.data, joins=bool(message.joins))


def _opaque_chat(message: OpaqueChatMessage) -> Facts:
    return _opaque_facts(message.data)


def _chat_user(message: UserChatMessage) -> Facts:
    content = message.content
    is_attached = isinstance(content, tuple) and not any(part.type == "text" for part in content)
    return Facts("user", is_attached=is_attached)


def _chat_assistant(message: AssistantChatMessage) -> Facts:
    calls = tuple(_call_facts(call) for call in message.tool_calls or ())
    has_reasoning = message.reasoning is not None or _holds_reasoning(message.extra)
    content = message.content if isinstance(message.content, tuple) else ()
    return Facts(
        "assistant",
        (*calls, *_opaque_calls(message.extra)),
        has_reasoning=has_reasoning,
        is_compaction=any(part.type == "opaque" and _is_compaction(part.data) for part in content),
    )


def _chat_result(message: ToolChatMessage) -> Facts:
    return Facts("result", call_id=answered_call_id(message), tool=message.name)


def _call_facts(call: ToolCall) -> CallFacts:
    return CallFacts(tuple(identifier for identifier in (call.id, call.call_id) if identifier), call.name)


def _holds_reasoning(extra: Extra | None) -> bool:
    """Tell whether a message holds signed or encrypted reasoning without readable text."""
    if extra is None:
        return False
    return any(
        one.hides_reasoning and one.signed_state is not None and bool(_extra_member(bag, one.signed_state))
        for one, bag in _known_extras(extra)
    )


def _known_extras(extra: Extra) -> Iterator[tuple[Descriptor, Any]]:
    """Yield the `extra` of each known dialect."""
    for name, bag in extra:
        described = None if bag is None else known_descriptor(name)
        if described is not None:
            yield described, bag


def _extra_member(bag: Any, name: str) -> Any:
    """Return a member of a dialect's `extra`, which is a model, or plain JSON for a third-party dialect."""
    return cast("dict[str, Any]", bag).get(name) if isinstance(bag, dict) else getattr(bag, name, None)


def _opaque_calls(extra: Extra | None) -> tuple[CallFacts, ...]:
    """Return the calls of types that only the dialect knows."""
    if extra is None:
        return ()
    placed = (
        call
        for one, bag in _known_extras(extra)
        if one.opaque_calls
        for call in _extra_member(bag, "opaque_calls") or ()
    )
    identifiers = (_member(_extra_member(call, "data"), "id") for call in placed)
    return tuple(CallFacts((identifier,), None) for identifier in identifiers if identifier is not None)


def _opaque_facts(data: Any, *, joins: bool = False) -> Facts:
    """Return the facts of an opaque item; calls and outputs of Responses come in pairs."""
    if _is_compaction(data):
        return Facts("prompt")
    call_id = _member(data, "call_id")
    if call_id is None:
        return Facts("assistant", joins=joins)
    if (_member(data, "type") or "").endswith("_output"):
        return Facts("result", call_id=call_id, joins=joins)
    return Facts("assistant", (CallFacts((call_id,), None),), joins=joins)


def _is_compaction(data: Any) -> bool:
    """Tell whether an opaque part or item is the provider's own summary of everything before it (HIS-8)."""
    return (_member(data, "type") or "").startswith("compaction")


def _member(data: Any, name: str) -> str | None:
    """Return a string member of any value, or None."""
    value = cast("dict[str, Any]", data).get(name) if isinstance(data, dict) else None
    return value if isinstance(value, str) else None
