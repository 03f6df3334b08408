"""Canonical to Claude: the turns of a conversation.

Consecutive messages of one wire role are one turn (MAP-6.6), results of tools stand in the user's turn (MAP-6.3),
leading instructions in `system` (MAP-6.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never, cast

from interlingua.dialects._shared.extra import lay, own_bag, without_notes
from interlingua.dialects._shared.names import acceptable_128, made_acceptable, safe_name
from interlingua.dialects._shared.pairing import Answered
from interlingua.dialects.claude.encode_message import encode_answer, encode_result, finish_message, usual_blocks
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

_PLAIN: Final = frozenset({"role", "content"})
_SPEAKERS: Final = frozenset({"user", "assistant"})
_INSTRUCTIONS: Final = frozenset({"system", "developer"})


def encode_conversation(out: dict[str, Any], messages: list[ChatMessage], to: Target) -> None:
    """Write leading instructions into `system`, and all other messages as turns."""
    if not to.home:
        messages = _trimmed(without_notes(messages, DIALECT), to)
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
    only: Any = messages[0]
    if len(messages) == 1 and len(only) == 2 and only["role"] == "system":
        content = only.get("content")
        if type(content) is str and (content or to.home):
            out["system"] = content
            return
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
    """Return the turns.

    Plain texts, results and calls are nearly all that a long conversation costs: they are added in the loop itself,
    without anything in between. `_add_any` has the longer way for all messages, which gives the same.
    """
    turns = _Turns()
    made, home = turns.made, to.home
    answered = Answered(messages)
    message: Any
    for index, message in enumerate(messages[first:], first):
        role, content = message["role"], message.get("content")
        if role == "tool":
            identifier = message.get("call_id")
            if (
                len(message) == 3
                and type(content) is str
                and identifier is not None
                and (home or acceptable_128(identifier))
            ):
                result = {"type": "tool_result", "tool_use_id": identifier, "content": content}
                if turns.last != "user":
                    turns.last, turns.blocks = "user", [result]
                    made.append({"role": "user", "content": turns.blocks})
                    continue
                if turns.blocks is not None:
                    turns.blocks.append(result)
                    continue
        elif len(message) == 2 and type(content) is str and content and not content.isspace() and role in _SPEAKERS:
            if turns.last != role:
                turns.last, turns.blocks = role, None
                made.append(message)  # the wire form of a plain message is its canonical form
                continue
            if role == "user" and turns.blocks is not None:
                turns.blocks.append({"type": "text", "text": content})
                continue
        elif role in _SPEAKERS and turns.last != role:
            blocks = usual_blocks(message, content, home)
            if blocks is not None:
                turns.last, turns.blocks = role, blocks
                made.append({"role": role, "content": blocks})
                continue
        _add_any(turns, message, index, answered, to)
    return turns.close()


def _add_any(turns: _Turns, message: Any, index: int, answered: Answered, to: Target) -> None:
    """Add a message of any shape."""
    role = message["role"]
    if role == "opaque":
        _encode_opaque(turns, message, index, to)
    elif role == "tool":
        turns.add(message, "user", [_encode_result(message, index, answered, to)])
    else:
        if role == "assistant":
            content = encode_answer(message, index, to)
        else:
            role, content = _encode_said(message, index, to)
        if content or to.home:
            turns.add(message, role, content)


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
        self._joined: list[Blocks] = []

    def add(self, message: ChatMessage, role: str, content: Any) -> None:
        """Add what a message says to the last turn, or as the next one."""
        if role == self.last and role != "system" and not _is_apart(message):
            self._extend(role, content)
        else:
            plain = type(content) is str
            self.last = role
            self.blocks = None if plain else content
            self.made.append(_plain_turn(message, role, content) if plain else {"role": role, "content": content})
        if "extra" in message:
            fields = own_bag(message, DIALECT).get("message" if message["role"] == "tool" else "fields", _NOTHING)
            lay(self.made[-1], fields)

    def _extend(self, role: str, content: Any) -> None:
        if self.blocks is None:
            self.blocks = as_blocks(self.made[-1]["content"])
            self.made[-1] = {**self.made[-1], "content": self.blocks}
        if role == "user":
            self.blocks.extend(as_blocks(content))
        else:
            if not self._joined or self._joined[-1].made is not self.blocks:
                self._joined.append(Blocks(self.blocks))
            self._joined[-1].add(as_blocks(content))

    def close(self) -> list[dict[str, Any]]:
        """Return the turns, which are whole now."""
        for joined in self._joined:
            joined.close()
        return self.made


def _plain_turn(message: ChatMessage, role: str, content: str) -> dict[str, Any]:
    """Return a message of text, or an instruction that says nothing, as a turn."""
    if role == "system" and "content" not in message:
        return {"role": role}
    if role == message["role"] != "system" and message.keys() == _PLAIN:
        return cast("dict[str, Any]", message)  # the wire form of a plain message is its canonical form
    return {"role": role, "content": content}


def _is_apart(message: ChatMessage) -> bool:
    """Tell whether a message began a turn of its own on the wire, though its role was that of the one before."""
    return "extra" in message and own_bag(message, DIALECT).get("spelling", _NOTHING).get("turn") == "new"


def _encode_result(message: ToolChatMessage, index: int, answered: Answered, to: Target) -> dict[str, Any]:
    """Encode the result of a call, which names it by an id."""
    identifier = message.get("call_id")
    if identifier is None or not (to.home or acceptable_128(identifier)):
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
