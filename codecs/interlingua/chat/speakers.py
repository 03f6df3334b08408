"""Rewrites a conversation of several assistants from the point of view of one of them.

Source: docs/pain.md, HIS-9. A model takes every assistant message for its own, so those of other assistants are
presented as user messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from interlingua.argument_checks import check_several
from interlingua.call_ids import answered_call_id, call_id_of
from interlingua.chat.kinds import check_chat_message
from interlingua.loss import LossLog
from interlingua.model import AssistantChatMessage, TextPart, ToolChatMessage, UserChatMessage
from interlingua.pointers import pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from interlingua.loss import Loss, LossCode
    from interlingua.model import ChatMessage, Content, Part

    Say: TypeAlias = Callable[[str, str], str]

__all__ = ["View", "attributed", "view_of"]

_SEVERAL_LINES: Final = "\n\n"


@dataclass(frozen=True, slots=True)
class View:
    """A conversation from one assistant's point of view, with its losses; paths lead into the list of messages.

    Example:
        >>> said = [il.UserChatMessage(content="Hi"), il.AssistantChatMessage(name="Ada", content="Hello")]
        >>> view = il.chat.view_of(said, "Bob")
        >>> [message.role for message in view.messages], len(view.losses)
        (['user', 'user'], 2)
    """

    messages: tuple[ChatMessage, ...]
    losses: tuple[Loss, ...] = ()


def attributed(speaker: str, text: str) -> str:
    """Return another assistant's text, prefixed with its name.

    Args:
        speaker: The name of the other assistant.
        text: Its text.

    Example:
        >>> il.chat.attributed("Ada", "It is late.")
        'Ada: It is late.'
    """
    return f"{speaker}: {text}"


def view_of(
    messages: Iterable[ChatMessage], speaker: str, *, say: Say = attributed, unnamed: str | None = None
) -> View:
    """Return a conversation from the point of view of the named assistant.

    Its own messages, and those that are not an assistant's, are the same objects, in the same order. A message of
    another assistant becomes a user message with its name, and with its text as `say` formats it. That assistant's tool
    calls and their results become text, since they are not this assistant's. Its reasoning and provider-specific data
    are left out. All of this is reported. `unnamed` is the speaker of assistant messages without a name; None means the
    assistant itself.

    Args:
        messages: The conversation, in order.
        speaker: The name of the assistant.
        say: Formats the name and the text of another assistant.
        unnamed: The speaker of assistant messages without a name; None means the assistant itself.

    Raises:
        TypeError: a value is not a chat message.

    Example:
        >>> said = [il.UserChatMessage(content="Hi"), il.AssistantChatMessage(name="Ada", content="Hello")]
        >>> [message.role for message in il.chat.view_of(said, "Ada").messages]
        ['user', 'assistant']
        >>> [message.role for message in il.chat.view_of(said, "Bob").messages]
        ['user', 'user']
    """
    log = LossLog()
    seen: list[ChatMessage] = []
    others: dict[str, tuple[str, str]] = {}  # call id -> (assistant, tool)
    for place, message in enumerate(check_several(messages, "messages")):
        check_chat_message(message)
        if isinstance(message, AssistantChatMessage):
            name = message.name or unnamed or speaker
            for call in message.tool_calls or ():
                identifier = call_id_of(call)
                if identifier is not None:
                    others.pop(identifier, None)
                    if name != speaker:
                        others[identifier] = (name, call.name)
            seen += [message] if name == speaker else _AttributedMessage(name, say, log, place).answer(message)
            continue
        caller = others.get(answered_call_id(message) or "") if isinstance(message, ToolChatMessage) else None
        if caller is None or not isinstance(message, ToolChatMessage):
            seen.append(message)
        else:
            seen += _AttributedMessage(caller[0], say, log, place).result(message, caller[1])
    return View(tuple(seen), log.losses())


class _AttributedMessage:
    """One message of another assistant, rewritten as a user message, with losses logged."""

    def __init__(self, speaker: str, say: Say, log: LossLog, place: int) -> None:
        self._speaker = speaker
        self._say = say
        self._log = log
        self._place = place
        self._parts: list[Part] = []

    def answer(self, message: AssistantChatMessage) -> list[ChatMessage]:
        """Return the user messages for an assistant message."""
        self._leave_out(message.reasoning, "reasoning", "reasoning", "another assistant's thoughts")
        self._add_content(message.content, "content")
        self._add_content(message.refusal, "refusal")
        if message.tool_calls:
            self._change("member", "tool_calls", "another assistant's calls become text")
        for order, call in enumerate(message.tool_calls or ()):
            self._text(f"(calls {call.name} with {call.arguments_text()})")
            self._leave_out(call.extra, "extra", f"tool_calls/{order}/extra", "of another assistant's provider")
        return self._user_message(message)

    def result(self, message: ToolChatMessage, tool: str) -> list[ChatMessage]:
        """Return the user messages for a tool result."""
        what = "error" if message.is_error else "result"
        if isinstance(message.content, str) or message.content is None:
            self._change("content", "content", "it says who asked for it")
            self._text(f"({what} of {tool}: {message.content or ''})")
        else:
            self._text(f"({what} of {tool}:)")
            self._add_content(message.content, "content")
        self._leave_out(message.cache, "cache", "cache", "a cache mark on what became text")
        return self._user_message(message)

    def _user_message(self, message: AssistantChatMessage | ToolChatMessage) -> list[ChatMessage]:
        self._change("role", "role", "another assistant's message becomes the user's")
        self._leave_out(message.extra, "extra", "extra", "of another assistant's provider")
        if not self._parts:
            self._leave_out(message.role, "message", "", "another assistant's message that only thinks")
            return []
        content: Content = tuple(self._parts)
        if all(isinstance(part, TextPart) for part in self._parts):
            content = _SEVERAL_LINES.join(part.text for part in self._parts if isinstance(part, TextPart))
        return [UserChatMessage(content=content, name=self._speaker, id=message.id)]

    def _add_content(self, content: Content | None, member: str) -> None:
        if content:
            self._change("content", member, "it says who said it")
        if isinstance(content, str):
            if content:
                self._text(content)
            return
        for order, part in enumerate(content or ()):
            where = f"{member}/{order}"
            if part.type == "opaque":
                self._leave_out(part.data, "part", where, "only another assistant's provider understands it")
            elif part.type == "text":
                self._text(part.text)
                self._leave_out(part.citations, "citation", f"{where}/citations", "a citation of what became text")
                self._leave_out(part.cache, "cache", f"{where}/cache", "a cache mark on what became text")
                self._leave_out(part.extra, "extra", f"{where}/extra", "of another assistant's provider")
            else:
                self._parts.append(part)

    def _text(self, text: str) -> None:
        self._parts.append(TextPart(text=self._say(self._speaker, text)))

    def _change(self, code: LossCode, where: str, detail: str) -> None:
        self._log.changed(code, self._path(where), detail)

    def _leave_out(self, value: Any, code: LossCode, where: str, detail: str) -> None:
        if value is not None:
            self._log.lost(code, self._path(where), detail)

    def _path(self, where: str) -> str:
        return pointer(self._place) + (f"/{where}" if where else "")
