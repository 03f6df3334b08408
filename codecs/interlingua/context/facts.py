"""What selection has to know of a message: who speaks, what it asks for, what it answers. Nothing of what it says."""

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

__all__ = ["Asked", "Facts", "Speaker", "facts_of"]

Speaker = Literal["prompt", "user", "assistant", "result", "resource", "silent"]
"""Who speaks. A `prompt` is an instruction, a `result` that of a tool, and `silent` what no model is ever told."""

_SPEAKERS: Final[Mapping[str, Speaker]] = MappingProxyType(
    {
        "system": "prompt",
        "developer": "prompt",
        "user": "user",
        "assistant": "assistant",
        "tool": "result",
    }
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A call: the ids by which a result may name it, and the name of its tool, as far as they are known."""

    ids: tuple[str, ...]
    name: str | None


@dataclass(frozen=True, slots=True)
class Facts:
    """What one message is to the selection.

    `calls` is what it asks for; `call_id` and `tool` say what it answers, if it is a result. `has_reasoning` tells
    whether thoughts stand in it, `is_attached` that it belongs to the words of the same speaker that follow it,
    `is_compaction` that it stands for all that was before it, `joins` that it is folded into the message before it.
    """

    speaker: Speaker
    calls: tuple[Asked, ...] = ()
    call_id: str | None = None
    tool: str | None = None
    has_reasoning: bool = False
    is_attached: bool = False
    is_compaction: bool = False
    joins: bool = False


def facts_of(message: AnyEntry) -> Facts:
    """Return the facts of a message.

    Raises:
        TypeError: it is no message of the current version.
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
    calls = tuple(_asked(one.call) for one in message.data.calls)
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
    calls = tuple(_asked(call) for call in message.tool_calls or ())
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


def _asked(call: ToolCall) -> Asked:
    return Asked(tuple(identifier for identifier in (call.id, call.call_id) if identifier), call.name)


def _holds_reasoning(extra: Extra | None) -> bool:
    """Tell whether signed or encrypted thoughts without a readable text stand in a message."""
    if extra is None:
        return False
    return any(
        one.hides_reasoning and one.signed_state is not None and bool(_held(bag, one.signed_state))
        for one, bag in _bags(extra)
    )


def _bags(extra: Extra) -> Iterator[tuple[Descriptor, Any]]:
    """Yield what a message holds for each dialect that is known here."""
    for name, bag in extra:
        described = None if bag is None else known_descriptor(name)
        if described is not None:
            yield described, bag


def _held(bag: Any, name: str) -> Any:
    """Return a member of what a message holds for a dialect: a model, or plain JSON for one of a third party."""
    return cast("dict[str, Any]", bag).get(name) if isinstance(bag, dict) else getattr(bag, name, None)


def _opaque_calls(extra: Extra | None) -> tuple[Asked, ...]:
    """Return the calls of a type that only the dialect knows."""
    if extra is None:
        return ()
    placed = (call for one, bag in _bags(extra) if one.opaque_calls for call in _held(bag, "opaque_calls") or ())
    identifiers = (_member(_held(call, "data"), "id") for call in placed)
    return tuple(Asked((identifier,), None) for identifier in identifiers if identifier is not None)


def _opaque_facts(data: Any, *, joins: bool = False) -> Facts:
    """Return the facts of an item that only its dialect understands; calls and outputs of Responses go in pairs."""
    if _is_compaction(data):
        return Facts("prompt")
    call_id = _member(data, "call_id")
    if call_id is None:
        return Facts("assistant", joins=joins)
    if (_member(data, "type") or "").endswith("_output"):
        return Facts("result", call_id=call_id, joins=joins)
    return Facts("assistant", (Asked((call_id,), None),), joins=joins)


def _is_compaction(data: Any) -> bool:
    """Tell whether a part or item of a dialect is the provider's own summary of what was before (HIS-8)."""
    return (_member(data, "type") or "").startswith("compaction")


def _member(data: Any, name: str) -> str | None:
    """Return a text member of a value that may be any."""
    value = cast("dict[str, Any]", data).get(name) if isinstance(data, dict) else None
    return value if isinstance(value, str) else None
