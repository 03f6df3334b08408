"""Factory functions for chat messages, with the validation rules of requirement document 004.

Each is the `create` class method of its class, under the name that 004 gives it. A message decoded from a provider
follows the provider's rules instead; the constructors enforce the schema alone.
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
    """Return a system message.

    `content` is text or a list of parts; it may be empty only with `allow_empty`. `members` are other members of the
    schema: `name`, `id`, `extra`.

    Args:
        content: Text or a list of parts.
        allow_empty: Whether the content may be empty.
        members: Other members of the message.

    Raises:
        InvalidArgumentError: the content is missing or empty, or a member does not match the schema.

    Example:
        >>> il.chat.create_system("You help.").role
        'system'
    """
    return SystemChatMessage.create(content, allow_empty=allow_empty, **members)


def create_developer(content: Said, *, allow_empty: bool = False, **members: Any) -> DeveloperChatMessage:
    """Return a developer message.

    `content` is text or a list of parts; it may be empty only with `allow_empty`. `members` are other members of the
    schema: `name`, `id`, `extra`.

    Args:
        content: Text or a list of parts.
        allow_empty: Whether the content may be empty.
        members: Other members of the message.

    Raises:
        InvalidArgumentError: the content is missing or empty, or a member does not match the schema.

    Example:
        >>> il.chat.create_developer("Be brief.").role
        'developer'
    """
    return DeveloperChatMessage.create(content, allow_empty=allow_empty, **members)


def create_user(content: Said, *, allow_empty: bool = False, **members: Any) -> UserChatMessage:
    """Return a user message.

    `content` is text or a list of parts; it may be empty only with `allow_empty`. `members` are other members of the
    schema: `name`, `id`, `extra`.

    Args:
        content: Text or a list of parts.
        allow_empty: Whether the content may be empty.
        members: Other members of the message.

    Raises:
        InvalidArgumentError: the content is missing or empty, or a member does not match the schema.

    Example:
        >>> il.chat.create_user("Hi").text
        'Hi'
    """
    return UserChatMessage.create(content, allow_empty=allow_empty, **members)


def create_assistant(
    content: Said | None = None, tool_calls: Calls | None = None, *, allow_empty: bool = False, **members: Any
) -> AssistantChatMessage:
    """Return an assistant message.

    It needs content, tool calls, or both. Content may be empty beside calls, or with `allow_empty`. Calls without an id
    get one when the message is added to a history. `members` are other members of the schema: `reasoning`, `refusal`
    (which counts as content), `name`, `id`, `extra`.

    Args:
        content: Text or a list of parts; None beside tool calls.
        tool_calls: The tool calls.
        allow_empty: Whether the content may be empty.
        members: Other members of the message.

    Raises:
        InvalidArgumentError: there is neither content nor a call, the content is empty, two calls have the same id, an
            id is empty, or a member does not match the schema.

    Example:
        >>> call = il.ToolCall.create("weather", {"city": "Rome"}, "call_1")
        >>> il.chat.create_assistant("I look.", [call]).tool_calls[0].name
        'weather'
    """
    return AssistantChatMessage.create(content, tool_calls, allow_empty=allow_empty, **members)


def create_tool_result(
    call_id: str, result: Said, is_error: bool = False, *, allow_empty: bool = False, **members: Any
) -> ToolChatMessage:
    """Return the result of a tool call, as a tool message.

    `result` is text, which may be empty, or a list of parts, which may be empty with `allow_empty`. `members` are other
    members of the schema: `name`, `cache`, `id`, `extra`.

    Args:
        call_id: The id of the call.
        result: The tool's output: text or a list of parts.
        is_error: Whether the tool failed.
        allow_empty: Whether the content may be empty.
        members: Other members of the message.

    Raises:
        InvalidArgumentError: the id is empty, there is no result, or a member does not match the schema.

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
    """Return a message of a role that is known only at run time; case does not matter.

    `content`, `tool_calls`, `call_id` and `members` are those of the role's factory. Only an assistant message has
    `tool_calls`, and only a tool message has `call_id`.

    Args:
        role: The role, in any case: "system", "developer", "user", "assistant" or "tool".
        content: Text or a list of parts; None beside tool calls.
        tool_calls: The tool calls of an assistant message.
        call_id: The id of the call that a tool message answers.
        members: Other members of the message.

    Raises:
        InvalidArgumentError: there is no such role, or the role's factory raises it.

    Example:
        >>> il.chat.create_message("USER", "Hi").role
        'user'
    """
    speaker = MessageRole.parse(role)
    if tool_calls is not None and speaker is not MessageRole.ASSISTANT:
        raise InvalidArgumentError("only an assistant message has tool_calls")
    if call_id is not None and speaker is not MessageRole.TOOL:
        raise InvalidArgumentError("only a tool message has a call_id")
    any_content: Any = content
    match speaker:
        case MessageRole.SYSTEM:
            return create_system(any_content, **members)
        case MessageRole.DEVELOPER:
            return create_developer(any_content, **members)
        case MessageRole.USER:
            return create_user(any_content, **members)
        case MessageRole.ASSISTANT:
            return create_assistant(any_content, tool_calls, **members)
        case MessageRole.TOOL:
            answered: Any = call_id
            return create_tool_result(answered, any_content, **members)
        case _:
            assert_never(speaker)
