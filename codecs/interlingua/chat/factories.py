"""Chat messages made by hand, under the rules of 004.

Each factory is the `create` of its class under the name that 004 gives it. What a provider sent is decoded and follows
the provider's rules instead; a value made with the constructor follows the schema alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from interlingua.model import (
    AssistantChatMessage,
    DeveloperChatMessage,
    MessageRole,
    SystemChatMessage,
    ToolChatMessage,
    UserChatMessage,
)
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from interlingua.model import ChatMessage, Content, Part, ToolCall

    Said: TypeAlias = Content | Sequence[Part | Mapping[str, Any]]
    Calls: TypeAlias = Sequence[ToolCall | Mapping[str, Any]]

__all__ = [
    "create_assistant",
    "create_developer",
    "create_message",
    "create_system",
    "create_tool_result",
    "create_user",
]


def create_system(content: Said, *, allow_empty: bool = False, **members: Any) -> SystemChatMessage:
    """Return an instruction for the model.

    `content` is text or a list of parts that says something; empty content is taken if `allow_empty`. `members` are
    others that the schema gives the message: `name`, `id`, `extra`.

    Args:
        content: What is said: text, or a list of parts.
        allow_empty: Whether it may say nothing.
        members: Other members that such a message has, by name.

    Raises:
        InvalidArgumentError: there is no content, it is empty, or a member is not what the schema says.

    Example:
        >>> il.chat.create_system("You help.").role
        'system'
    """
    return SystemChatMessage.create(content, allow_empty=allow_empty, **members)


def create_developer(content: Said, *, allow_empty: bool = False, **members: Any) -> DeveloperChatMessage:
    """Return an instruction of the developer for the model.

    `content` is text or a list of parts that says something; empty content is taken if `allow_empty`. `members` are
    others that the schema gives the message: `name`, `id`, `extra`.

    Args:
        content: What is said: text, or a list of parts.
        allow_empty: Whether it may say nothing.
        members: Other members that such a message has, by name.

    Raises:
        InvalidArgumentError: there is no content, it is empty, or a member is not what the schema says.

    Example:
        >>> il.chat.create_developer("Be brief.").role
        'developer'
    """
    return DeveloperChatMessage.create(content, allow_empty=allow_empty, **members)


def create_user(content: Said, *, allow_empty: bool = False, **members: Any) -> UserChatMessage:
    """Return what a person said.

    `content` is text or a list of parts that says something; empty content is taken if `allow_empty`. `members` are
    others that the schema gives the message: `name`, `id`, `extra`.

    Args:
        content: What is said: text, or a list of parts.
        allow_empty: Whether it may say nothing.
        members: Other members that such a message has, by name.

    Raises:
        InvalidArgumentError: there is no content, it is empty, or a member is not what the schema says.

    Example:
        >>> il.chat.create_user("Hi").text
        'Hi'
    """
    return UserChatMessage.create(content, allow_empty=allow_empty, **members)


def create_assistant(
    content: Said | None = None, tool_calls: Calls | None = None, *, allow_empty: bool = False, **members: Any
) -> AssistantChatMessage:
    """Return what the model said.

    It has content, calls, or both. Beside calls the content may be empty, alone only if `allow_empty`. Calls without an
    id get one when the message is added to a history. `members` are others that the schema gives the message:
    `reasoning`, `refusal` (which is something said), `name`, `id`, `extra`.

    Args:
        content: What is said: text, a list of parts, or None beside calls.
        tool_calls: The calls of the answer.
        allow_empty: Whether it may say nothing.
        members: Other members that such a message has, by name.

    Raises:
        InvalidArgumentError: there is neither content nor a call, the content is empty, two calls have the same id, an
            id is empty, or a member is not what the schema says.

    Example:
        >>> call = il.ToolCall.create("weather", {"city": "Rome"}, "call_1")
        >>> il.chat.create_assistant("I look.", [call]).tool_calls[0].name
        'weather'
    """
    return AssistantChatMessage.create(content, tool_calls, allow_empty=allow_empty, **members)


def create_tool_result(
    call_id: str, result: Said, is_error: bool = False, *, allow_empty: bool = False, **members: Any
) -> ToolChatMessage:
    """Return the result of the call with that id.

    `result` is text, which may be empty, or a list of parts, which may be empty if `allow_empty`. That the tool failed
    is written where `is_error`. `members` are others that the schema gives the message: `name`, `cache`, `id`, `extra`.

    Args:
        call_id: The id of the call.
        result: What the tool gave: text, or a list of parts.
        is_error: Whether the tool failed.
        allow_empty: Whether it may say nothing.
        members: Other members that such a message has, by name.

    Raises:
        InvalidArgumentError: the id is empty, there is no result, or a member is not what the schema says.

    Example:
        >>> il.chat.create_tool_result("call_1", "31 degrees").call_id
        'call_1'
    """
    return ToolChatMessage.create(call_id, result, is_error, allow_empty=allow_empty, **members)


def create_message(
    role: MessageRole | str,
    content: Said | None = None,
    *,
    tool_calls: Calls | None = None,
    call_id: str | None = None,
    **members: Any,
) -> ChatMessage:
    """Return a message of a role that is known only when the program runs, in any case of its letters.

    `content`, `tool_calls`, `call_id` and `members` are those of the factory of the role. Only an assistant calls
    tools, and only a tool names a call.

    Args:
        role: Who speaks, in any case: "system", "developer", "user", "assistant" or "tool".
        content: What is said; None beside calls.
        tool_calls: The calls of an answer.
        call_id: The id of the call that a result answers.
        members: Other members that such a message has, by name.

    Raises:
        InvalidArgumentError: there is no such role, or what its factory raises.

    Example:
        >>> il.chat.create_message("USER", "Hi").role
        'user'
    """
    speaker = MessageRole.parse(role)
    if tool_calls is not None and speaker is not MessageRole.ASSISTANT:
        raise InvalidArgumentError("only an assistant message has tool_calls")
    if call_id is not None and speaker is not MessageRole.TOOL:
        raise InvalidArgumentError("only a tool message has a call_id")
    said: Any = content
    match speaker:
        case MessageRole.SYSTEM:
            return create_system(said, **members)
        case MessageRole.DEVELOPER:
            return create_developer(said, **members)
        case MessageRole.USER:
            return create_user(said, **members)
        case MessageRole.ASSISTANT:
            return create_assistant(said, tool_calls, **members)
        case MessageRole.TOOL:
            answered: Any = call_id
            return create_tool_result(answered, said, **members)
        case _:
            assert_never(speaker)
