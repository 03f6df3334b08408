"""Canonical to Claude: the turns of a conversation.

Consecutive messages of one wire role are one turn (MAP-6.6), results of tools stand in the user's turn (MAP-6.3),
leading instructions in `system` (MAP-6.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._shared.extra import lay, own_bag
from interlingua.dialects._shared.names import acceptable_128, made_acceptable, safe_name
from interlingua.dialects._shared.pairing import Answered
from interlingua.dialects.claude.encode_message import encode_answer, encode_result, finish_message
from interlingua.dialects.claude.encode_part import encode_parts, encode_texts
from interlingua.dialects.claude.tables import (
    DIALECT,
    ID_LIMIT,
    NEWEST,
)
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import (
        ChatMessage,
        DeveloperChatMessage,
        SystemChatMessage,
        ToolChatMessage,
        UserChatMessage,
    )


_NOTHING: Final[Mapping[str, Any]] = {}

_INSTRUCTIONS: Final = frozenset({"system", "developer"})


def encode_conversation(out: dict[str, Any], messages: list[ChatMessage], to: Target) -> None:
    """Write leading instructions into `system`, and all other messages as turns."""
    if not to.home:
        messages = _trimmed(messages, to)
    first = 0
    for message in messages:
        if message["role"] not in _INSTRUCTIONS:
            break
        if "extra" in message and own_bag(message, DIALECT).get("spelling", _NOTHING).get("system") == "inline":
            break
        first += 1
    if first:
        _encode_system(out, messages[:first], to)
    out["messages"] = _encode_turns(messages, first, to)


def _trimmed(messages: list[ChatMessage], to: Target) -> list[ChatMessage]:
    """Return the messages; a last answer is without the white space at its end, which is refused (ENC-2)."""
    last: Any = messages[-1] if messages else _NOTHING
    content: Any = last.get("content")
    if last.get("role") != "assistant" or "tool_calls" in last or not content:
        return messages
    path = f"{to.message(len(messages) - 1)}/content"
    parts: list[Any] = [] if type(content) is str else content
    text: Any = content
    if parts:
        path = f"{path}/{len(parts) - 1}/text"
        text = parts[-1].get("text", "") if parts[-1]["type"] == "text" else ""
    trimmed = text.rstrip()
    if not trimmed or trimmed == text:
        return messages
    to.log.changed("content", path, "a last answer ends in no white space")
    said = [*parts[:-1], {**parts[-1], "text": trimmed}] if parts else trimmed
    shorter: Any = {**last, "content": said}
    return [*messages[:-1], shorter]


def _encode_system(out: dict[str, Any], messages: list[ChatMessage], to: Target) -> None:
    """Join instructions to the one `system` text, or to blocks where any carries more than text."""
    contents: list[Any] = []
    for index, message in enumerate(messages):
        content = message.get("content", "")
        if type(content) is not str:
            content = encode_texts(content, f"{to.message(index)}/content", to)
        _finish_instruction(message, index, to)
        if content or to.home:
            contents.append(content)
        elif "content" in message:
            to.log.changed("empty_text", f"{to.message(index)}/content", "an instruction that says nothing is left out")
    if len(contents) == 1:
        out["system"] = contents[0]
        return
    if all(type(content) is str or all(len(block) == 2 for block in content) for content in contents):
        texts = [
            content if type(content) is str else "".join(block["text"] for block in content) for content in contents
        ]
        out["system"] = "\n\n".join(texts)
    else:
        out["system"] = [
            block
            for content in contents
            for block in ([{"type": "text", "text": content}] if type(content) is str else content)
        ]
    if not out["system"]:
        del out["system"]


def _finish_instruction(message: Any, index: int, to: Target) -> None:
    """Report what an instruction says beyond its text."""
    if message["role"] == "developer":
        to.log.changed("role", f"{to.message(index)}/role", "the dialect has one kind of instruction")
    finish_message(message, index, to)


def _encode_turns(messages: list[ChatMessage], first: int, to: Target) -> list[dict[str, Any]]:
    turns = _Turns()
    home = to.home
    answered = Answered(messages)
    for index in range(first, len(messages)):
        message = messages[index]
        if message["role"] == "tool":
            result = _encode_result(message, index, answered, to)
            if turns.last == "user" and turns.blocks is not None and "extra" not in message:
                turns.blocks.append(result)
            else:
                turns.add(message, "user", [result])
        elif message["role"] == "opaque":
            _encode_opaque(turns, message, index, to)
        else:
            if message["role"] == "assistant":
                role = "assistant"
                content = encode_answer(message, index, to)
            else:
                role, content = _encode_said(message, index, to)
            if content or home:
                turns.add(message, role, content)
    return turns.close()


def _empty(text: str) -> bool:
    return not text or text.isspace()


def _encode_opaque(turns: _Turns, message: Any, index: int, to: Target) -> None:
    """Write a message of Claude's verbatim; nothing runs on from it."""
    if message["dialect"] == DIALECT and type(message["data"]) is dict:
        turns.made.append(message["data"])
        turns.last = ""
    else:
        lost_members(to.log, message, to.message(index), "message", "only its own dialect understands it")


class _Turns:
    """The turns that are being made: `last` is the role that the next message may run on from.

    `blocks` are those of the last turn where they are a list of our own, which may grow; input is never changed.
    """

    __slots__ = ("_joined", "blocks", "last", "made")

    def __init__(self) -> None:
        self.made: list[dict[str, Any]] = []
        self.last = ""
        self.blocks: list[Any] | None = None
        self._joined: Blocks | None = None

    def add(self, message: ChatMessage, role: str, content: Any) -> None:
        """Add what a message says to the last turn, or as the next one."""
        bag = own_bag(message, DIALECT) if "extra" in message else _NOTHING
        if role == self.last and role != "system" and not (bag and bag.get("spelling", _NOTHING).get("turn") == "new"):
            self._extend(role, content)
        else:
            if self._joined is not None:
                self._joined.close()
                self._joined = None
            self.last = role
            self.blocks = None if type(content) is str else content
            if self.blocks is not None or role == "system":
                silent = role == "system" and "content" not in message
                self.made.append({"role": role} if silent else {"role": role, "content": content})
            else:
                plain = len(message) == 2 and role == message["role"] and "content" in message
                self.made.append(message if plain else {"role": role, "content": content})  # type: ignore[arg-type]  # the wire form of a plain message is its canonical form
        if bag:
            lay(self.made[-1], bag.get("message" if message["role"] == "tool" else "fields", _NOTHING))

    def _extend(self, role: str, content: Any) -> None:
        if self.blocks is None:
            self.blocks = as_blocks(self.made[-1]["content"])
            self.made[-1] = {**self.made[-1], "content": self.blocks}
        if role == "user":
            self.blocks.extend(as_blocks(content))
        else:
            self._joined = self._joined or Blocks(self.blocks)
            self._joined.add(as_blocks(content))

    def close(self) -> list[dict[str, Any]]:
        """Return the turns, which are whole now."""
        if self._joined is not None:
            self._joined.close()
        return self.made


def _encode_result(message: ToolChatMessage, index: int, answered: Answered, to: Target) -> dict[str, Any]:
    """Encode the result of a call, which names it by an id."""
    identifier = message.get("call_id")
    if identifier is not None and (to.home or acceptable_128(identifier)):
        content = message.get("content")
        if len(message) == 3 and type(content) is str:
            return {"type": "tool_result", "tool_use_id": identifier, "content": content}
    else:
        identifier = _result_identifier(message, index, answered, to)
    return encode_result(message, index, identifier, to)


def _encode_said(
    message: UserChatMessage | SystemChatMessage | DeveloperChatMessage, index: int, to: Target
) -> tuple[str, Any]:
    """Return the wire role and content of what a user says, or of an instruction; a list is always a new one."""
    content: Any = message.get("content")
    if message["role"] == "user" and len(message) == 2 and type(content) is str and (to.home or not _empty(content)):
        return "user", content
    if message["role"] == "user":
        content = encode_parts(message.get("content", []), f"{to.message(index)}/content", "user", to)
        if type(content) is str and not to.home and not content.strip():
            note = to.log.lost if content else to.log.changed
            note("empty_text", f"{to.message(index)}/content", "a text that says nothing is refused")
            content = ""
        finish_message(message, index, to)
        return "user", content
    if message["role"] == "system" or message["role"] == "developer":
        _finish_instruction(message, index, to)
        content = encode_texts(message.get("content", ""), f"{to.message(index)}/content", to)
        if to.version in {"", NEWEST}:
            return "system", content
        to.log.changed("role", f"{to.message(index)}/role", "this API version has instructions only at the top")
        return "user", content
    assert_never(message)


def _result_identifier(message: Any, index: int, answered: Answered, to: Target) -> str | None:
    """Return the id of the call that a result answers; one without id pairs by name, then by order."""
    identifier: str | None = message.get("call_id", message.get("id"))
    if to.home:
        return identifier
    path = f"{to.message(index)}/{'id' if 'call_id' not in message and identifier is not None else 'call_id'}"
    if identifier is None:
        to.log.filled(path, "a result names its call")
        asked = answered.by(index)
        identifier = f"call_{index}" if asked is None else asked.id
        return identifier if acceptable_128(identifier) else made_acceptable(identifier, ID_LIMIT)
    return safe_name(identifier, ID_LIMIT, path, to.log)


class Blocks:
    """The growing blocks of an answer of several messages, in a list of our own: `made`, whole after `close`."""

    __slots__ = ("_texts", "made")

    def __init__(self, made: list[Any]) -> None:
        self.made = made
        self._texts: list[str] = []  # what the last block grows to, joined once: long turns stay linear

    def add(self, more: list[Any]) -> None:
        """Add the blocks of the next message; adjacent texts have a blank line between them."""
        if self.made and more and _plain(self.made[-1]) and _plain(more[0]):
            self._texts = self._texts or [self.made[-1]["text"]]
            self._texts.append(more[0]["text"])
            more = more[1:]
        if more:
            self.close()
            self.made.extend(more)

    def close(self) -> None:
        """Write what the last block has grown to."""
        if self._texts:
            self.made[-1] = {"type": "text", "text": "\n\n".join(self._texts)}
            self._texts = []


def _plain(block: Any) -> bool:
    return len(block) == 2 and block.get("type") == "text"


def as_blocks(content: Any) -> list[Any]:
    """Return content as blocks."""
    if type(content) is str:
        return [{"type": "text", "text": content}] if content else []
    return content  # type: ignore[no-any-return]  # text or a list
