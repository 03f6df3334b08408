"""Canonical to Gemini: the contents of a conversation.

Leading instructions stand in `systemInstruction` (MAP-5.1). Consecutive messages of one wire role are one content, and
results of tools stand in the user's: all results of a turn must be in one content. Where an instruction stands further
back, the user says it, since the dialect has no other place for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.dialects._shared.extra import lay, own_bag, report_foreign, without_notes
from interlingua.dialects._shared.pairing import Answered
from interlingua.dialects.gemini.encode_call import accepted_name, encode_result, function_name
from interlingua.dialects.gemini.encode_message import encode_answer, encode_answered, encode_said
from interlingua.dialects.gemini.encode_usual import NAMELESS, sign, usual_instruction, walk
from interlingua.dialects.gemini.tables import DIALECT, FILLS, MODEL, SPEAKERS, SYSTEM_ROLES, USER
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import (
        AssistantChatMessage,
        ChatMessage,
        DeveloperChatMessage,
        OpaqueChatMessage,
        SystemChatMessage,
        ToolChatMessage,
        UserChatMessage,
    )


_NOTHING: Final[Mapping[str, Any]] = {}

_INSTRUCTIONS: Final = frozenset({"system", "developer"})


def encode_conversation(out: dict[str, Any], messages: Sequence[ChatMessage], to: Target, *, alone: bool) -> None:
    """Write leading instructions into `systemInstruction`, and all other messages into `contents`.

    `alone` tells that a single content is not in a list.
    """
    if not to.home:
        messages = without_notes(messages, DIALECT)
    first = 0
    while first < len(messages) and messages[first]["role"] in _INSTRUCTIONS:
        first += 1
    if first:
        instruction = usual_instruction(messages[0]) if first == 1 else None
        if instruction is None:
            _encode_system(out, messages[:first], to)
        else:
            out["systemInstruction"] = instruction
    turns = Turns(messages, to)
    turns.take_all(messages, first)
    contents = turns.close()
    out["contents"] = contents[0] if alone and len(contents) == 1 else contents


def _encode_system(out: dict[str, Any], messages: Sequence[ChatMessage], to: Target) -> None:
    """Write instructions as one content: plain texts of several joined, parts one after the other."""
    encoded: list[list[dict[str, Any]]] = []
    for index, message in enumerate(messages):
        if message["role"] == "developer":
            to.log.changed("role", f"{to.message(index)}/role", "the dialect has one kind of instruction")
        parts = encode_said(message, index, to)
        if parts or to.home:
            encoded.append(parts)
    if not encoded:
        return
    if len(encoded) > 1 and all(_plain(part) for parts in encoded for part in parts):
        texts = ["".join(part["text"] for part in parts) for parts in encoded]
        encoded = [[{"text": "\n\n".join(texts)}]]
    bag = own_bag(messages[0], DIALECT)
    spelling = bag.get("spelling", _NOTHING)
    content = _content(None, [part for parts in encoded for part in parts], spelling)
    if spelling.get("role") in SYSTEM_ROLES:
        content["role"] = spelling["role"]
    elif spelling.get("role") == "null":
        content["role"] = None
    lay(content, bag.get("content", _NOTHING))
    out["systemInstruction"] = content


def _content(role: str | None, parts: list[dict[str, Any]], spelling: Mapping[str, Any]) -> dict[str, Any]:
    """Return a content as it is written: `parts` is a list but for the notes that fit."""
    content: dict[str, Any] = {} if role is None else {"role": role}
    form = spelling.get("parts")
    if form == "object" and len(parts) == 1:
        content["parts"] = parts[0]
    elif form == "null" and not parts:
        content["parts"] = None
    elif form != "absent" or parts:
        content["parts"] = parts
    return content


def _plain(part: Mapping[str, Any]) -> bool:
    return len(part) == 1 and isinstance(part.get("text"), str)


def _thought(part: Mapping[str, Any]) -> bool:
    return len(part) == 2 and part.get("thought") is True and isinstance(part.get("text"), str)


def _joinable(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Tell whether two parts are both plain texts, or both plain thoughts."""
    return (_plain(first) and _plain(second)) or (_thought(first) and _thought(second))


class Turns:
    """The contents that are being made of messages, one after the other. An answer has one content, the model's."""

    def __init__(self, messages: Sequence[ChatMessage], to: Target) -> None:
        self.contents: list[dict[str, Any]] = []
        self.to = to
        self._home = to.home
        # The names, as written, of all functions that were called with an id; and whom results without an id answer.
        self.called: dict[str | None, str] = {}
        self._messages = messages
        self._answered: Answered | None = None
        self.role: str | None = None
        # The parts of the last content, a list of our own that may grow; whether it stands in the content as this list;
        # and whether a call in it has been signed.
        self.parts: list[dict[str, Any]] = []
        self.is_list = True
        self.signed = False
        # Parts of our own, and the texts that each grows to, joined once: long turns stay linear.
        self._grown: list[tuple[dict[str, Any], list[str]]] = []

    def close(self) -> list[dict[str, Any]]:
        """Return the contents, which are whole now."""
        for part, texts in self._grown:
            part["text"] = "\n\n".join(texts)
        return self.contents

    def take_all(self, messages: Sequence[ChatMessage], first: int) -> None:
        """Write the messages of a request from the given one on: the usual ones in one walk, any other by itself."""
        index = first
        while index < len(messages):
            if self.is_list:
                index = walk(self, messages, index)
            if index < len(messages):
                self.take(messages[index], index)
                index += 1

    def take(self, message: ChatMessage, index: int) -> None:
        """Write the next message."""
        if message["role"] == "tool":
            self._take_result(message, index)
        elif message["role"] == "assistant":
            parts = encode_answer(message, index, self.to)
            if parts or self._home:
                self._add(message, parts, MODEL)
                if not self._home and "tool_calls" in message:
                    self._call(message, index)
        elif message["role"] == "opaque":
            self._take_opaque(message, index)
        else:
            parts = self._encode_said(message, index)
            if parts or self._home:
                self._add(message, parts, MODEL if self.to.answer else USER)

    def _take_result(self, message: ToolChatMessage, index: int) -> None:
        """Write the result of a call."""
        to = self.to
        role = MODEL if to.answer else USER
        name = message.get("name") if self._home else self._name(message, index)
        if "extra" in message:
            self._add(message, encode_answered(message, index, name, to), role)
            return
        self._add(message, [encode_result(message, index, name, to, None)], role)

    def _add(self, message: ChatMessage, parts: list[dict[str, Any]], role: str) -> None:
        """Add the parts of a message to the last content, or as the next one."""
        if "extra" in message:
            self._place(parts, role, own_bag(message, DIALECT), result=message["role"] == "tool")
        elif role != self.role:
            self._begin({"role": role, "parts": parts}, parts, role)
        else:
            self._extend(parts, role)

    def _place(self, parts: list[dict[str, Any]], role: str, bag: Mapping[str, Any], *, result: bool) -> None:
        """Put the parts of a message where its notes say."""
        spelling = bag.get("spelling", _NOTHING)
        said: str | None = role
        noted = spelling.get("role")
        if noted in SPEAKERS:
            said = noted
            role = role if self.to.answer else noted
        elif noted in {"absent", "null"}:
            said = None
            role = role if self.to.answer else USER
        if role == self.role and (self.to.answer or spelling.get("turn") != "new"):
            self._extend(parts, role)
        else:
            self._begin(_content(said, parts, spelling), parts, role)
            self.is_list = self.contents[-1].get("parts") is parts
            if noted == "null":
                self.contents[-1]["role"] = None
        lay(self.contents[-1], bag.get("content", _NOTHING))
        if not result:
            lay(self.contents[-1], bag.get("fields", _NOTHING))

    def _begin(self, content: dict[str, Any], parts: list[dict[str, Any]], role: str) -> None:
        self.contents.append(content)
        self.role, self.parts, self.is_list, self.signed = role, parts, True, False

    def _extend(self, parts: list[dict[str, Any]], role: str) -> None:
        """Add parts to the last content; adjacent texts and thoughts of two answers have a blank line between them."""
        own = self.parts
        if role == MODEL and own and parts and _joinable(own[-1], parts[0]):
            if not self._grown or self._grown[-1][0] is not own[-1]:
                own[-1] = {**own[-1]}
                self._grown.append((own[-1], [own[-1]["text"]]))
            self._grown[-1][1].append(parts[0]["text"])
            parts = parts[1:]
        own.extend(parts)
        if not self.is_list:
            self.contents[-1]["parts"] = own
            self.is_list = True

    def _take_opaque(self, message: OpaqueChatMessage, index: int) -> None:
        """Write a content of Gemini's verbatim; nothing runs on from it."""
        path = self.to.message(index)
        data: Any = message["data"]
        if message["dialect"] != DIALECT or type(data) is not dict:
            lost_members(self.to.log, message, path, "message", "only its own dialect understands it")
            return
        self.contents.append(cast("dict[str, Any]", data))
        self.role = None
        if "id" in message:
            self.to.log.changed("local_id", f"{path}/id", "the wire has no place for the id of a message")
        if "extra" in message:
            report_foreign(message, DIALECT, path, self.to.log)

    def _encode_said(
        self, message: UserChatMessage | SystemChatMessage | DeveloperChatMessage, index: int
    ) -> list[dict[str, Any]]:
        """Return the parts of a message of the user, or of an instruction that stands further back."""
        if message["role"] != "user":
            path = f"{self.to.message(index)}/role"
            self.to.log.changed("role", path, "the dialect has instructions only at the top")
        return encode_said(message, index, self.to)

    def _name(self, message: ToolChatMessage, index: int) -> str:
        """Return the name of the function that a result answers: its own, else that of the call."""
        if "name" in message:
            return function_name(message["name"], f"{self.to.message(index)}/name", self.to)
        self.to.log.filled(f"{self.to.base}/messages/{index}/name", NAMELESS)
        identifier = message.get("call_id")
        if identifier is None:
            identifier = message.get("id")
        if identifier in self.called:
            return self.called[identifier]
        asked = None
        if identifier is None:
            self._answered = self._answered or Answered(self._messages)
            asked = self._answered.by(index)
        return accepted_name(FILLS["name"] if asked is None else asked.name)

    def _call(self, message: AssistantChatMessage, index: int) -> None:
        """Note who was called.

        Sign the first call of a content that another provider's model made: Gemini 3 demands a signature there.
        """
        calls = message.get("tool_calls")
        if not calls:
            return
        # The calls are the last parts, each one part that has just been made.
        first = len(self.parts) - len(calls)
        for at, call in enumerate(calls, first):
            if "id" in call:
                part = self.parts[at]  # in a mixed history, a part of Gemini's own may be in snake case
                self.called[call["id"]] = (part.get("functionCall") or part["function_call"])["name"]
        if self.signed or self.to.answer:
            return
        self.signed = True
        if "extra" not in message or "thought_signatures" not in own_bag(message, DIALECT):
            sign(self.parts[first], index, self.to.log)
