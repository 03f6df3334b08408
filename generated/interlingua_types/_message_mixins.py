# Copied from schema/compiler/runtime/message_mixins.py. Do not edit: edit that file and run `nox -s generate`.
"""Methods of messages and responses: `create`, `text` and `tool_calls`.

The rules for values made by hand (004) stand in the `create` classmethods. No error repeats a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from interlingua_types._base import InterlinguaModel, InvalidArgumentError
from interlingua_types._checks import check_call_ids, check_content, check_list, check_text, made

if TYPE_CHECKING:
    from interlingua_types.current import ToolCall


def _words(content: Any) -> str:
    """Return the text of content: a string itself, or the text parts joined without a separator."""
    if isinstance(content, str):
        return content
    return "".join(part.text for part in content or () if part.type == "text")


class _ContentMixin(InterlinguaModel):
    """A message with content."""

    if TYPE_CHECKING:
        content: Any

    @property
    def text(self) -> str:
        """The words that the message says: its plain texts, one after the other; "" where it has none.

        Thoughts, refusals, pictures and files are no words.
        """
        return _words(self.content)


class SpokenMessageMixin(_ContentMixin):
    """A message to the model: from the system, a developer or a user."""

    @classmethod
    def create(cls, content: str | Sequence[Any], *, allow_empty: bool = False, **members: Any) -> Self:
        """Return a message made by hand, under the rules of 004 (FR-004a-20, 21, 28, 29).

        `content` is text or a list of parts, `members` are others of the schema, such as `name`. Empty content is
        refused unless `allow_empty`.

        Raises:
            InvalidArgumentError: there is no content, it is empty, or a member is not what the schema says.
        """
        return made(cls, {"content": check_content(content, may_be_empty=allow_empty), **members})


class AssistantMessageMixin(_ContentMixin):
    """A message of a model."""

    if TYPE_CHECKING:
        tool_calls: Any

    @classmethod
    def create(
        cls,
        content: str | Sequence[Any] | None = None,
        tool_calls: Sequence[Any] | None = None,
        *,
        allow_empty: bool = False,
        **members: Any,
    ) -> Self:
        """Return a message made by hand, under the rules of 004 (FR-004a-19, 30).

        It says something, calls tools, or both; beside calls the content may be empty. `members` are others of the
        schema, such as `reasoning`; a `refusal` is something said. An empty list of calls means none.

        Raises:
            InvalidArgumentError: there is neither content nor a call, the content is empty, two calls have the same id,
                an id is empty, or a member is not what the schema says.
        """
        if tool_calls is not None:
            check_list(tool_calls, "tool_calls")
        if content is None and not tool_calls and not members.get("refusal"):
            message = "an assistant message must have content or tool_calls"
            raise InvalidArgumentError(message)
        if content is not None:
            members["content"] = check_content(content, may_be_empty=allow_empty or bool(tool_calls))
        if tool_calls:
            members["tool_calls"] = list(tool_calls)
        answer = made(cls, members)
        check_call_ids(answer.tool_calls or ())
        return answer


class ToolMessageMixin(_ContentMixin):
    """A message that answers a tool call."""

    if TYPE_CHECKING:
        call_id: str | None

    @property
    def tool_call_id(self) -> str | None:
        """The id of the call that is answered: 004's name for `call_id`."""
        return self.call_id

    @classmethod
    def create(
        cls,
        call_id: str,
        result: str | Sequence[Any],
        is_error: bool = False,
        *,
        allow_empty: bool = False,
        **members: Any,
    ) -> Self:
        """Return a result made by hand, under the rules of 004 (FR-004a-17, 22, 31).

        `result` is text, which may be empty (FR-004a-62), or a list of parts, which may be empty if `allow_empty`.
        `is_error` is written where it is true: not every dialect has a place for it.

        Raises:
            InvalidArgumentError: the id is empty, there is no result, or a member is not what the schema says.
        """
        members["call_id"] = check_text(call_id, "call_id")
        members["content"] = check_content(result, "result", may_be_empty=allow_empty or isinstance(result, str))
        if is_error is not False:
            members["is_error"] = is_error
        return made(cls, members)


class OpaqueChatMessageMixin(InterlinguaModel):
    """A message that only one dialect understands."""

    @property
    def text(self) -> str:
        """An empty text: only the dialect can interpret the message. Every chat message has a `text`."""
        return ""


class TextMessageMixin(InterlinguaModel):
    """A text message of a transcript."""

    if TYPE_CHECKING:
        data: Any

    @property
    def text(self) -> str:
        """The words that the message says: its plain texts, one after the other; "" where it has none."""
        return _words(self.data.content)


class ChatResponseMixin(InterlinguaModel):
    """The response of a model, in one or more messages."""

    if TYPE_CHECKING:
        messages: Any

    @property
    def text(self) -> str:
        """The text of the response: those of all assistant messages, separated by blank lines."""
        texts = [message.text for message in self.messages if message.role == "assistant"]
        return "\n\n".join(one for one in texts if one)

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls of all assistant messages, in order."""
        answers = [message for message in self.messages if message.role == "assistant"]
        return tuple(call for answer in answers for call in answer.tool_calls or ())
