"""Converts chat messages to transcript messages: reasoning, content and tool calls become a message each.

The split is that of `migrate/upgrade_2_3.py`, on models of the current version. `to_chat` joins the messages again;
what it could not know is kept in notes (`chat_notes`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic import ConfigDict, TypeAdapter

from interlingua.argument_checks import check_several
from interlingua.chat.kinds import check_chat_message
from interlingua.model import (
    Answer,
    Approval,
    AssistantChatMessage,
    ChatMessage,
    ChatResponse,
    Message,
    OpaqueChatMessage,
    ToolChatMessage,
)
from interlingua.transcript.chat_notes import Notes, with_notes
from interlingua.transcript.kinds import parts_reader
from interlingua.transcript.result_placement import ResultPlacement
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from interlingua.migrate.pairing import Place

Members: TypeAlias = dict[str, Any]

_ANSWER_MEMBERS: Final = Answer.model_fields.keys() & ChatResponse.model_fields.keys()
_PENDING: Final = Approval(status="pending")
_APPROVED: Final = Approval(status="approved")


def from_chat(chat_messages: Iterable[ChatMessage] | ChatResponse) -> list[Message]:
    """Return the transcript messages for chat messages: one each, or up to three for an assistant message.

    For a response, the first message also has `answer`, with model, finish reason and usage. A call that has a result
    among the messages is `approved`, any other one `pending`. No ids or timestamps are added here; a transcript adds
    them when a message is appended. `to_chat` returns the same chat messages again.

    Args:
        chat_messages: Chat messages, in order, or a whole response.

    Raises:
        TypeError: a value is not a chat message of the current schema version.

    Example:
        >>> [one.type for one in il.from_chat([il.chat.create_user("Hi")])]
        ['text']
    """
    answer: Answer | None = None
    if isinstance(chat_messages, ChatResponse):
        answer, chat_messages = _answer(chat_messages), chat_messages.messages
    messages = _checked(chat_messages)
    placing = ResultPlacement(messages)
    produced: list[Members] = []
    for index, message in enumerate(messages):
        notes: Notes = {} if message.id is None else {"id": message.id}
        if isinstance(message, AssistantChatMessage):
            produced += _assistant(message, index, placing.answered, notes)
        elif isinstance(message, ToolChatMessage):
            if index in placing.late:
                notes["place"] = "kept"
            produced.append(_message("tool_result", _tool(message, notes), _envelope(message, notes)))
        elif isinstance(message, OpaqueChatMessage):
            data: Members = {"dialect": message.dialect, "data": message.data}
            produced.append(_message("opaque", data, _envelope(message, notes)))
        else:
            data = {"role": message.role, "content": message.content, "name": message.name}
            produced.append(_message("text", _without_absent(data), _envelope(message, notes)))
    if produced and answer is not None:
        data = produced[0].pop("data")
        produced[0] |= {"answer": answer, "data": data}
    return _reader().validate_python(produced)


@cache
def _reader() -> TypeAdapter[list[Message]]:
    """Return the type adapter that builds all messages at once, without validating the models inside again."""
    return TypeAdapter(list[Message], config=ConfigDict(hide_input_in_errors=True))


def _answer(response: ChatResponse) -> Answer | None:
    """Return the `answer` of a response: what a transcript stores beside its messages, or None."""
    members_set = _without_absent({name: getattr(response, name) for name in _ANSWER_MEMBERS})
    return Answer(**members_set) if members_set else None


def _checked(chat_messages: Iterable[ChatMessage]) -> tuple[ChatMessage, ...]:
    messages = tuple(check_several(chat_messages, "chat_messages"))
    for message in messages:
        check_chat_message(message)
    return messages


def _message(kind: str, data: Members, envelope: Members) -> Members:
    return {"schema_version": CURRENT, "type": kind, **envelope, "data": data}


def _without_absent(members: Members) -> Members:
    """Return the members that are not None."""
    return {name: value for name, value in members.items() if value is not None}


def _envelope(message: ChatMessage, notes: Notes) -> Members:
    """Return the members of the whole chat message, which go to the first of its transcript messages."""
    members: Members = {"id": message.id} if message.id else {}
    extra = with_notes(message.extra, notes)
    if extra is not None:
        members["extra"] = extra
    return members


def _assistant(message: AssistantChatMessage, index: int, answered: Collection[Place], notes: Notes) -> list[Members]:
    """Return an assistant's messages: at least one, in the order reasoning, content, tool calls."""
    produced: list[Members] = []
    envelope = _envelope(message, notes)
    later: Members = {"joins": True}
    reasoning, calls = message.reasoning, message.tool_calls
    if reasoning is not None:
        produced.append(_message("reasoning", {"content": reasoning}, envelope))
    members_set = _without_absent({"content": message.content, "refusal": message.refusal, "name": message.name})
    if members_set or (reasoning is None and calls is None):
        produced.append(_message("text", {"role": message.role, **members_set}, later if produced else envelope))
    if calls is not None:
        requested = [
            {"call": call, "approval": _APPROVED if (index, order) in answered else _PENDING}
            for order, call in enumerate(calls)
        ]
        produced.append(_message("tool_request", {"calls": requested}, later if produced else envelope))
    return produced


def _tool(message: ToolChatMessage, notes: Notes) -> Members:
    data = _without_absent({"call_id": message.call_id, "name": message.name, "cache": message.cache})
    if isinstance(message.content, str):
        data["output"] = message.content
    elif message.content is not None:
        data["output"] = parts_reader().dump_python(message.content, mode="json")
        data["output_form"] = "parts"
    if message.is_error is not None:
        data["status"] = "error" if message.is_error else "success"
        if not message.is_error:
            notes["is_error"] = False
    return data
