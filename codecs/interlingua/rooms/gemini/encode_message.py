"""Encode conversations for Gemini: `contents` and `systemInstruction`.

Leading instructions stand in `systemInstruction` (MAP-5.1). Consecutive messages of one wire role are one content, and
tool results stand in the user's: all results of a turn must be in one content. A later instruction becomes a user
content, since the dialect has no other place for it. Source: docs/wire/gemini.md, sections 1.1 and 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.loss import is_empty_value, lost_opaque
from interlingua.rooms._shared.instructions import texts_apart
from interlingua.rooms._shared.media import ATTACHED, ATTACHMENT
from interlingua.rooms._shared.message_order import in_target_order
from interlingua.rooms._shared.refusals import with_refusal_as_text
from interlingua.rooms._shared.server_calls import with_server_calls_as_text
from interlingua.rooms._shared.thinking import NO_SIGNATURE
from interlingua.rooms._shared.user_messages import (
    CONTINUE_TEXT,
    OPENING,
    append_user_message,
    insert_user_message,
    with_last_instruction_as_user,
)
from interlingua.rooms._shared.writing import INSTRUCTIONS, ResultMatching, report_id, text_for_emptied
from interlingua.rooms.gemini.encode_part import (
    SIGNATURE,
    accepted_name,
    encode_call,
    encode_part,
    encode_parts,
    encode_result,
    function_name,
    text_member,
    with_own_members,
)
from interlingua.rooms.gemini.server_calls import written_runs
from interlingua.rooms.gemini.tables import DIALECT, FILLS, FUNCTION, MODEL, ROLES_READ, SYSTEM_ROLES, USER
from interlingua.spi.extra import NOTHING, merge_extra, own_extra, report_foreign, without_notes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.model_shapes import ChatMessage, OpaqueChatMessage, ToolChatMessage
    from interlingua.rooms._shared.writing import Target


_SIGNATURES: Final = "thought_signatures"

Signatures = dict[str, tuple[int, str]]
"""The signatures of a message that are still to be written: place -> (index, signature)."""


def encode_conversation(
    out: dict[str, Any], messages: Sequence[ChatMessage], to: Target, *, alone: bool, facts: Mapping[str, Any] = NOTHING
) -> None:
    """Write leading instructions into `systemInstruction`, and all other messages into `contents`.

    `alone`: a single content is written without a list. `facts` are those of the model family.
    """
    if not to.home:
        messages = with_last_instruction_as_user(without_notes(messages, DIALECT), DIALECT, to.log, allows_blank=True)
    first = _count_leading(messages, to)
    if first:
        _encode_system(out, messages[:first], to)
    turns = Turns(messages, to, signs=facts.get("signed_calls", True))
    for index, message in enumerate(messages) if to.home else in_target_order(messages, "turn", to, by_call=True):
        if index >= first:
            turns.take(message, index)
    contents = turns.close()
    if not to.home and contents and _has_calls(contents[0]):
        insert_user_message(contents, {"role": USER, "parts": [{"text": OPENING}]}, to.log)
    if not to.home and facts.get("assistant_prefill") == "refuse":
        question = {"role": USER, "parts": [{"text": CONTINUE_TEXT}]}
        append_user_message(contents, question, to.message(len(messages)), to.log)
    if facts.get("media_in_results") is False:
        contents = [one for content in contents for one in _with_media_beside(content)]
    out["contents"] = contents[0] if alone and len(contents) == 1 else contents


def _count_leading(messages: Sequence[ChatMessage], to: Target) -> int:
    """Return the number of leading messages that are instructions, or of another dialect, and so are left out."""
    for index, message in enumerate(messages):
        is_left_out = message["role"] == "opaque" and not to.home and message["dialect"] != DIALECT
        if not is_left_out and message["role"] not in INSTRUCTIONS:
            return index
    return len(messages)


def _has_calls(content: Mapping[str, Any]) -> bool:
    """Return whether a content has function calls, which must follow a content of the user."""
    parts: Any = content.get("parts")
    return content.get("role") == MODEL and type(parts) is list and any("functionCall" in part for part in parts)


def _with_media_beside(content: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a content, followed by one with the media of its tool results, each introduced by its result's id."""
    parts: list[dict[str, Any]] = []
    beside: list[dict[str, Any]] = []
    said: Any = content.get("parts")
    for part in said if type(said) is list else ():
        name = "function_response" if type(part) is dict and "function_response" in part else "functionResponse"
        result: Any = part.get(name) if type(part) is dict else None
        if type(result) is not dict or type(result.get("parts")) is not list:
            parts.append(part)
            continue
        beside += [{"text": ATTACHMENT.format(result.get("id", result.get("name")))}, *result["parts"]]
        result = {member: value for member, value in result.items() if member != "parts"}
        result["response"] = result.get("response") or {"output": ATTACHED}
        parts.append({**part, name: result})
    return [{**content, "parts": parts}, {"role": USER, "parts": beside}] if beside else [content]


def _encode_system(out: dict[str, Any], messages: Sequence[ChatMessage], to: Target) -> None:
    """Write instructions as one content: plain texts as `texts_apart` does, other parts one after the other."""
    encoded: list[list[dict[str, Any]]] = []
    for index, message in enumerate(messages):
        if message["role"] == "opaque":
            lost_opaque(to.log, to.message(index), "message")
            continue
        if message["role"] == "developer":
            to.log.changed("role", f"{to.message(index)}/role", "the target has only one role for instructions")
        parts = _encode_message(message, index, to)
        if parts or to.home:
            encoded.append(parts)
    if not encoded:
        return
    if len(encoded) > 1 and all(_is_plain_text(part) for parts in encoded for part in parts):
        encoded = [texts_apart(encoded)]
    bag = own_extra(next(one for one in messages if one["role"] != "opaque"), DIALECT)
    spelling = bag.get("spelling", NOTHING)
    role = spelling.get("role")
    content = _content(None, [part for parts in encoded for part in parts], spelling)
    if role in SYSTEM_ROLES or role == "null":
        content["role"] = None if role == "null" else role
    merge_extra(content, bag.get("content", NOTHING))
    out["systemInstruction"] = content


def _content(role: str | None, parts: list[dict[str, Any]], spelling: Mapping[str, Any]) -> dict[str, Any]:
    """Return a content; `parts` is written as a list unless the spelling says otherwise."""
    content: dict[str, Any] = {} if role is None else {"role": role}
    form = spelling.get("parts")
    if form == "object" and len(parts) == 1:
        content["parts"] = parts[0]
    elif form == "null" and not parts:
        content["parts"] = None
    elif form != "absent" or parts:
        content["parts"] = parts
    return content


def _is_plain_text(part: Mapping[str, Any]) -> bool:
    return len(part) == 1 and isinstance(part.get("text"), str)


def _is_plain_thought(part: Mapping[str, Any]) -> bool:
    return len(part) == 2 and part.get("thought") is True and isinstance(part.get("text"), str)


def _joinable(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Return whether two parts are both plain texts, or both plain thoughts."""
    return (_is_plain_text(first) and _is_plain_text(second)) or (
        _is_plain_thought(first) and _is_plain_thought(second)
    )


class Turns:
    """The contents being built from messages. An answer has a single content, the model's."""

    def __init__(self, messages: Sequence[ChatMessage], to: Target, *, signs: bool = True) -> None:
        self.to = to
        self.contents: list[dict[str, Any]] = []
        self._role: str | None = None
        self._answers = False  # whether the last content holds tool results
        self._parts: list[dict[str, Any]] = []
        self._is_list = True
        self._home = to.home
        self._called: dict[str, str] = {}  # call id -> name as written
        self._messages = messages
        self._answered: ResultMatching | None = None
        self._grown: list[tuple[dict[str, Any], list[str]]] = []
        self._signed = False  # whether the last content's first call has been checked for a signature
        self._signs = signs  # whether the models require signed calls

    def close(self) -> list[dict[str, Any]]:
        """Return the finished contents."""
        for part, texts in self._grown:
            part["text"] = "\n\n".join(texts)
        return self.contents

    def take(self, message: ChatMessage, index: int) -> None:
        """Encode the next message."""
        if message["role"] == "opaque":
            self._take_opaque(message, index)
            return
        role = MODEL if message["role"] == "assistant" or self.to.answer else USER
        if message["role"] == "tool":
            message = self._linked(message, index)
            parts = [_encode_tool_result(message, index, self._name(message, index), self.to)]
        else:
            if message["role"] in INSTRUCTIONS:
                path = f"{self.to.message(index)}/role"
                self.to.log.changed("role", path, "the target accepts instructions only at the top")
            parts = _encode_message(message, index, self.to)
        if not parts and not self._home:
            text = text_for_emptied(message, index, self.to)
            if not text:
                return
            parts = [{"text": text}]
        if "extra" in message:
            self._place(parts, role, own_extra(message, DIALECT), result=message["role"] == "tool")
        elif self._continues_content(role, result=message["role"] == "tool"):
            self._extend(parts, role)
        else:
            self._begin({"role": role, "parts": parts}, parts, role)
        self._answers = message["role"] == "tool"
        if "tool_calls" in message and not self._home:
            self._note_calls(message, index)

    def _continues_content(self, role: str, *, result: bool) -> bool:
        """Return whether a message is merged into the last content; Vertex AI refuses results and text in one."""
        return role == self._role and (self._home or role == MODEL or result == self._answers)

    def _place(self, parts: list[dict[str, Any]], role: str, bag: Mapping[str, Any], *, result: bool) -> None:
        """Add the parts of a message that has an `extra` bag, as its notes say."""
        spelling = bag.get("spelling", NOTHING)
        said: str | None = role
        noted = spelling.get("role")
        content = bag.get("content", NOTHING)
        if not self._home and (noted == FUNCTION or "role" in content):
            noted = role  # models from Gemini 3.6 on refuse these roles
        if noted in ROLES_READ:
            said = noted
            role = role if self.to.answer else noted
        elif noted in {"absent", "null"}:
            said = None
            role = role if self.to.answer else USER
        if self._continues_content(role, result=result) and (self.to.answer or spelling.get("turn") != "new"):
            self._extend(parts, role)
        else:
            self._begin(_content(said, parts, spelling), parts, role)
            if noted == "null":
                self.contents[-1]["role"] = None
        if content:
            merge_extra(self.contents[-1], content)
        if "fields" in bag and not result:
            merge_extra(self.contents[-1], bag["fields"])

    def _begin(self, content: dict[str, Any], parts: list[dict[str, Any]], role: str) -> None:
        self.contents.append(content)
        self._role, self._parts, self._signed = role, parts, False
        self._is_list = content.get("parts") is parts

    def _extend(self, parts: list[dict[str, Any]], role: str) -> None:
        """Add parts to the last content; adjacent texts, and thoughts, of two answers are joined with a blank line."""
        own = self._parts
        if role == MODEL and own and parts and _joinable(own[-1], parts[0]):
            if not self._grown or self._grown[-1][0] is not own[-1]:
                own[-1] = {**own[-1]}
                self._grown.append((own[-1], [own[-1]["text"]]))
            self._grown[-1][1].append(parts[0]["text"])
            parts = parts[1:]
        own.extend(parts)
        if not self._is_list:
            self.contents[-1]["parts"] = own
            self._is_list = True

    def _take_opaque(self, message: OpaqueChatMessage, index: int) -> None:
        """Write one of Gemini's own contents verbatim; nothing is merged with it."""
        path = self.to.message(index)
        data: Any = message["data"]
        if message["dialect"] != DIALECT or type(data) is not dict:
            lost_opaque(self.to.log, path, "message")
            return
        self.contents.append(cast("dict[str, Any]", data))
        self._role = None
        _report_message_losses(message, path, self.to)

    def _linked(self, message: ToolChatMessage, index: int) -> ToolChatMessage:
        """Return a tool result with the id of its call, if that has one: Gemini 3.5 and newer require it."""
        if self._home or "call_id" in message or "id" in message:
            return message
        self._answered = self._answered or ResultMatching(self._messages)
        asked = self._answered.by(index)
        if asked is None or asked.id not in self._called:
            return message
        self.to.log.filled(f"{self.to.base}/messages/{index}/call_id", "a tool result needs the id of its call")
        return {**message, "call_id": asked.id}

    def _name(self, message: ToolChatMessage, index: int) -> str | None:
        """Return the function name of a tool result: its own, or abroad that of its call."""
        if self._home:
            return message.get("name")
        if "name" in message:
            return function_name(message["name"], f"{self.to.message(index)}/name", self.to)
        self.to.log.filled(
            f"{self.to.base}/messages/{index}/name", "each functionResponse needs the name of its function"
        )
        identifier = message.get("call_id")
        if identifier is None:
            identifier = message.get("id")
        if identifier in self._called:
            return self._called[identifier]
        asked = None
        if identifier is None:
            self._answered = self._answered or ResultMatching(self._messages)
            asked = self._answered.by(index)
        return accepted_name(FILLS["name"] if asked is None else asked.name)

    def _note_calls(self, message: Any, index: int) -> None:
        """Remember the names of the calls.

        The first call of a content that another provider's model made is given a placeholder signature: Gemini 3
        requires one.
        """
        calls = message["tool_calls"]
        if not calls:
            return
        # The calls are the last parts, one for each call.
        first = len(self._parts) - len(calls)
        for at, call in enumerate(calls, first):
            if "id" in call:
                part = self._parts[at]  # in a mixed history, one of Gemini's own parts may be in snake_case
                self._called[call["id"]] = (part.get("functionCall") or part["function_call"])["name"]
        if self._signed or self.to.answer or not self._signs:
            return
        self._signed = True
        if "extra" not in message or _SIGNATURES not in own_extra(message, DIALECT):
            self._parts[first][SIGNATURE] = NO_SIGNATURE
            detail = "Gemini needs a thoughtSignature at the first functionCall of a turn: a placeholder was added"
            self.to.log.filled_in_message(index, f"extra/{DIALECT}/{_SIGNATURES}", detail)


def _encode_message(message: Any, index: int, to: Target) -> list[dict[str, Any]]:
    """Return the parts of a message: thoughts, content, calls."""
    if len(message) == 2 and isinstance(message.get("content"), str) and message["content"]:
        return [{"text": message["content"]}]
    path = to.message(index)
    if "refusal" in message and not to.home:
        message = with_refusal_as_text(message, path, to)
    bag = own_extra(message, DIALECT) if "extra" in message else NOTHING
    signatures = _signatures_of(bag)
    parts: list[dict[str, Any]] = []
    if "reasoning" in message:
        if to.home or to.answer or bag:
            parts.extend(_encode_content(message, "reasoning", path, NOTHING, signatures, to))
        elif not is_empty_value(message["reasoning"]):
            to.log.lost("reasoning", f"{path}/reasoning", "Gemini uses only its own thoughts")
    if "content" in message:
        spelling = bag.get("spelling", NOTHING)
        parts.extend(_encode_content(message, "content", path, spelling, signatures, to))
    if "refusal" in message:
        to.log.lost("refusal", f"{path}/refusal", "a refusal has no text of its own there")
    for at, call in enumerate(message.get("tool_calls", ())):
        parts.append(
            encode_call(call, index, at, to, _pop_signature(signatures, f"/tool_calls/{at}") if signatures else None)
        )
    if "name" in message:
        to.log.lost("member", f"{path}/name", "messages have no name there")
    _report_message_losses(message, path, to)
    if signatures:
        _report_unplaced(signatures, path, to)
    return parts


def _encode_tool_result(message: ToolChatMessage, index: int, name: str | None, to: Target) -> dict[str, Any]:
    """Return the part of a tool result; `name` is that of the called function."""
    if "extra" not in message:
        return encode_result(message, index, name, to, None)
    signatures = _signatures_of(own_extra(message, DIALECT))
    part = encode_result(message, index, name, to, _pop_signature(signatures, ""))
    _report_unplaced(signatures, to.message(index), to)
    return part


def _encode_content(
    message: Any, member: str, path: str, spelling: Mapping[str, Any], signatures: Signatures, to: Target
) -> list[dict[str, Any]]:
    """Return the parts of reasoning or content, each with its signature."""
    content = message[member]
    path = f"{path}/{member}"
    thought: dict[str, Any] = {"thought": True} if member == "reasoning" else {}
    if isinstance(content, str):
        marks: Mapping[str, Any] = thought | _signature_member(signatures, f"/{member}", f"/{member}/0")
        if not content and not to.home and SIGNATURE not in marks:
            return []
        return [with_own_members({**text_member(content, spelling, to), **marks}, NOTHING, spelling)]
    role = "system" if message["role"] in INSTRUCTIONS else message["role"]
    if not signatures and not thought:
        return encode_parts(content, path, role, to)
    parts: list[dict[str, Any]] = []
    for at, part in enumerate(with_server_calls_as_text(content, path, to, written_runs(to))):
        places = (f"/{member}/{at}",) if len(content) > 1 else (f"/{member}/0", f"/{member}")
        marks = NOTHING if part["type"] == "opaque" else thought | _signature_member(signatures, *places)
        parts.extend(encode_part(part, f"{path}/{at}", role, to, marks))
    return parts


def _signatures_of(bag: Mapping[str, Any]) -> Signatures:
    """Return the signatures of a message; a second one for the same place gets a key that fits nowhere."""
    signatures: Signatures = {}
    for k, one in enumerate(bag.get(_SIGNATURES, ())):
        place = one["at"] if one["at"] not in signatures else f"#{k}"
        signatures[place] = (k, one["signature"])
    return signatures


def _pop_signature(signatures: Signatures, *places: str) -> str | None:
    """Remove and return the signature of the first of the places that has one."""
    for place in places:
        if place in signatures:
            return signatures.pop(place)[1]
    return None


def _signature_member(signatures: Signatures, *places: str) -> dict[str, str]:
    """Return the `thoughtSignature` member for the first of the places that has a signature, else an empty object."""
    signature = _pop_signature(signatures, *places) if signatures else None
    return {} if signature is None else {SIGNATURE: signature}


def _report_message_losses(message: Any, path: str, to: Target) -> None:
    """Report a message's own id, and what it holds for other dialects."""
    report_id(message, path, to.log)
    if "extra" in message:
        report_foreign(message, DIALECT, path, to.log)


def _report_unplaced(signatures: Signatures, path: str, to: Target) -> None:
    for index, _ in signatures.values():
        where = f"{path}/extra/{DIALECT}/{_SIGNATURES}/{index}"
        to.log.lost("provider_state", where, "what it belongs to is not sent")
