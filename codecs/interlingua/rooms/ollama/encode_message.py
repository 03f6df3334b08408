"""Canonical to Ollama: messages and their calls.

At home they go out as they came. Abroad, consecutive assistant messages of one turn are joined, and results get the
name of their tool, which the models' chat templates need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.loss import lost_opaque, lost_other_role
from interlingua.rooms._shared.message_order import in_target_order
from interlingua.rooms._shared.refusals import with_refusal_as_text
from interlingua.rooms._shared.writing import ResultMatching, is_emptied, object_arguments, report_id, texts_of
from interlingua.rooms.ollama.encode_part import write_content
from interlingua.rooms.ollama.tables import DIALECT
from interlingua.spi.extra import NOTHING, merge_own_extra, own_extra, restore_opaque_calls, without_notes, write_role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossCode
    from interlingua.model_shapes import AssistantChatMessage, ChatMessage, ToolCall, ToolChatMessage
    from interlingua.rooms._shared.writing import Target


def encode_messages(messages: list[ChatMessage], to: Target) -> list[dict[str, Any]]:
    """Return the wire messages of a conversation, or of an answer."""
    if to.home:
        encoded = [encode_message(message, index, to) for index, message in enumerate(messages)]
        return [message for message in encoded if message is not None]
    return _answer(messages, to) if to.answer else _conversation(messages, to)


def _answer(messages: list[ChatMessage], to: Target) -> list[dict[str, Any]]:
    """Return the one message of an answer from abroad."""
    turn: list[tuple[int, dict[str, Any]]] = []
    calls = 0
    for index, message in enumerate(messages):
        if message["role"] != "assistant":
            lost_other_role(to.log, message, to.message(index))
            continue
        encoded = encode_assistant(message, index, calls, to)
        turn.append((index, encoded))
        calls += len(encoded.get("tool_calls") or ())
    return [_joined(turn, to)] if turn else []


def _conversation(messages: list[ChatMessage], to: Target) -> list[dict[str, Any]]:
    """Return the messages of a request from abroad."""
    out: list[dict[str, Any]] = []
    turn: list[tuple[int, dict[str, Any]]] = []
    calls = 0
    called: dict[str, str] = {}
    messages = without_notes(messages, DIALECT)
    answered = ResultMatching(messages)
    for index, message in in_target_order(messages, "turn", to, by_call=True):
        encoded = encode_message(message, index, to, first_call=calls)
        if encoded is None or is_emptied(message, encoded, index, to):
            continue
        if message["role"] == "assistant":
            asked = message.get("tool_calls")
            if asked:
                for at, call in enumerate(asked):
                    called[call["id"] if "id" in call else f"call_{index}_{at}"] = call["name"]  # noqa: SIM401  # most have one
            if "tool_calls" in encoded:
                calls += len(encoded["tool_calls"] or ())
            turn.append((index, encoded))
            continue
        if turn:
            out.append(turn[0][1] if len(turn) == 1 else _joined(turn, to))
            turn.clear()
            calls = 0
        if message["role"] == "tool" and "tool_name" not in encoded:
            name = called.get(message["call_id"]) if "call_id" in message else _name(message, index, called, answered)
            if name is not None:
                encoded["tool_name"] = name
                to.log.filled_in_message(index, "name", "each tool result needs tool_name")
        out.append(encoded)
    if turn:
        out.append(_joined(turn, to))
    return out


def _name(message: ToolChatMessage, index: int, called: Mapping[str, str], answered: ResultMatching) -> str | None:
    """Return the tool name for a result without a call id, by its own id or its position."""
    if "id" in message:
        return called.get(message["id"])
    asked = answered.by(index)
    return None if asked is None else asked.name


def _joined(turn: list[tuple[int, dict[str, Any]]], to: Target) -> dict[str, Any]:
    """Return the assistant messages of one turn as one: texts joined with blank lines, lists concatenated."""
    if len(turn) == 1:
        return turn[0][1]
    joined: dict[str, Any] = {}
    pictured: list[int] = []  # messages with images that no text has followed so far
    is_pictured = False
    for index, message in turn:
        for name, value in message.items():
            joined.setdefault(name, value)
        if is_pictured and message.get("content"):
            for one in (*pictured, index):
                to.log.changed(
                    "content", f"{to.message(one)}/content", "images are sent beside the text, not between its parts"
                )
            pictured.clear()
        if "images" in message:
            is_pictured = True
            pictured.append(index)
    for name in ("thinking", "content"):
        texts = [message[name] for _, message in turn if message.get(name)]
        if texts:
            joined[name] = "\n\n".join(texts)
    for name in ("images", "tool_calls"):
        lists = [message[name] for _, message in turn if message.get(name)]
        if len(lists) > 1:
            joined[name] = [one for some in lists for one in some]
    return joined


def encode_message(message: ChatMessage, index: int, to: Target, *, first_call: int = 0) -> dict[str, Any] | None:
    """Return the wire message of a chat message, or None if it has no place.

    `first_call` is the index of its first call in the turn.
    """
    if message["role"] == "system" or message["role"] == "user" or message["role"] == "developer":
        role = message["role"]
        if role == "developer" and not to.home:
            to.log.changed("role", f"{to.message(index)}/role", "the target has only one role for instructions")
            role = "system"
        out: dict[str, Any] = {"role": role}
        write_content(out, message, index, to)
        if "name" in message:
            to.log.lost("member", f"{to.message(index)}/name", "messages have no name there")
        _finish(out, message, index, to)
        return out
    if message["role"] == "assistant":
        return encode_assistant(message, index, first_call, to)
    if message["role"] == "tool":
        return _encode_result(message, index, to)
    if message["role"] == "opaque":
        data: Any = message["data"]
        if message["dialect"] == DIALECT and isinstance(data, dict):
            if len(message) > 3:  # more than role, dialect and data
                _finish({}, message, index, to)
            return message["data"]  # type: ignore[no-any-return]  # verbatim
        lost_opaque(to.log, to.message(index), "message")
        return None
    assert_never(message)


def encode_assistant(message: AssistantChatMessage, index: int, first_call: int, to: Target) -> dict[str, Any]:
    """Return the wire message of an assistant message; `first_call` is the index of its first call in the turn."""
    if "refusal" in message and not to.home:
        message = with_refusal_as_text(message, to.message(index), to)
    out: dict[str, Any] = {"role": "assistant"}
    write_content(out, message, index, to)
    if "reasoning" in message:
        _write_thinking(out, message["reasoning"], f"{to.message(index)}/reasoning", to)
    calls = message.get("tool_calls")
    if calls:
        out["tool_calls"] = [encode_call(call, index, at, first_call + at, to) for at, call in enumerate(calls)]
    elif calls is not None and to.home:
        out["tool_calls"] = []
    placed = own_extra(message, DIALECT).get("opaque_calls")
    if placed:
        out["tool_calls"] = restore_opaque_calls(out.get("tool_calls", ()), placed)
    if "refusal" in message:
        to.log.lost("refusal", f"{to.message(index)}/refusal", "Ollama has no member for a refusal")
    if "name" in message:
        to.log.lost("member", f"{to.message(index)}/name", "messages have no name there")
    _finish(out, message, index, to)
    return out


def _write_thinking(out: dict[str, Any], reasoning: Any, path: str, to: Target) -> None:
    """Write the reasoning as one text; it is not signed, so that of any provider is accepted."""
    if type(reasoning) is str:
        if reasoning or to.home:
            out["thinking"] = reasoning
        return
    said = texts_of(reasoning, path, "reasoning", "thinking is only plain text here", to.log)
    texts = [text for _, text in said if text]
    if texts:
        out["thinking"] = "\n\n".join(texts)
        if len(texts) > 1:
            to.log.changed("reasoning", path, "thinking is one text here: its parts were joined")


def _encode_result(message: ToolChatMessage, index: int, to: Target) -> dict[str, Any]:
    out: dict[str, Any] = {"role": "tool"}
    write_content(out, message, index, to)
    if "name" in message:
        out["tool_name"] = message["name"]
    if "call_id" in message:
        out["tool_call_id"] = message["call_id"]
    elif "id" in message:
        out["tool_call_id"] = message["id"]
        to.log.filled(f"{to.message(index)}/call_id", "the id of the message is sent as tool_call_id")
    if message.get("is_error"):
        to.log.lost("member", f"{to.message(index)}/is_error", "a tool result cannot say whether the tool failed")
    if "cache" in message:
        to.log.lost("cache", f"{to.message(index)}/cache", "cache marks are not allowed here")
    _finish(out, message, index, to)
    return out


def _finish(out: dict[str, Any], message: Any, index: int, to: Target) -> None:
    """Merge the `extra` members of this dialect, and report the message's id and members of other dialects."""
    if "extra" in message:
        merge_own_extra(out, message, DIALECT, to.message(index), to.log)
        write_role(out, own_extra(message, DIALECT))
    report_id(message, to.message(index), to.log)


_CALL_LOSSES: Final[tuple[tuple[str, LossCode], ...]] = (("call_id", "member"), ("cache", "cache"))


def encode_call(call: ToolCall, index: int, at: int, position: int, to: Target) -> dict[str, Any]:
    """Return the wire form of a tool call, with an index in an answer."""
    bag = own_extra(call, DIALECT)
    spelling = bag.get("spelling", NOTHING)
    out: dict[str, Any] = {}
    if "type" in spelling:
        out["type"] = "function"
    if "id" in call:
        out["id"] = call["id"]
    function: dict[str, Any] = {}
    numbered = "index" not in spelling.get("absent", ()) if to.answer else "index" in spelling
    if numbered and "index" not in bag.get("fields", NOTHING).get("function", NOTHING):
        function["index"] = position
    function["name"] = call["name"]
    arguments, form = call["arguments"], spelling.get("arguments")
    if form == "text" and type(arguments) is str and call.get("kind") != "custom":
        function["arguments"] = arguments
    elif form == "null" and arguments == {}:
        function["arguments"] = None
    elif form != "absent" or arguments != {}:
        function["arguments"] = object_arguments(call, index, at, to)
    out["function"] = function
    if len(call) > (3 if "id" in call else 2):  # more than id, name and arguments
        path = to.call(index, at)
        for name, code in _CALL_LOSSES:
            if name in call:
                to.log.lost(code, f"{path}/{name}", f"a call has no {name} there")
        merge_own_extra(out, call, DIALECT, path, to.log)
    return out
