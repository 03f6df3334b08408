"""Canonical to Claude: the turns of a conversation.

Consecutive messages of one wire role are one turn (MAP-6.6), results of tools stand in the user's turn (MAP-6.3),
leading instructions in `system` (MAP-6.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._shared.extra import lay, own_bag, report_foreign
from interlingua.dialects._shared.names import acceptable_128, made_acceptable, safe_name
from interlingua.dialects._shared.pairing import Pairing
from interlingua.dialects.claude.encode_message import encode_answer, encode_result
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
    from interlingua.model_shapes import ChatMessage


_NOTHING: Final[Mapping[str, Any]] = {}

_INSTRUCTIONS: Final = frozenset({"system", "developer"})


def encode_conversation(out: dict[str, Any], messages: list[ChatMessage], to: Target) -> None:
    """Write leading instructions into `system`, and all other messages as turns."""
    first = 0
    for message in messages:
        if message["role"] not in _INSTRUCTIONS:
            break
        if own_bag(message, DIALECT).get("spelling", _NOTHING).get("system") == "inline":
            break
        first += 1
    if first:
        _encode_system(out, messages[:first], to)
    out["messages"] = _encode_turns(messages, first, to)


def _encode_system(out: dict[str, Any], messages: list[ChatMessage], to: Target) -> None:
    """Join instructions to the one `system` text, or to blocks where any carries more than text."""
    contents: list[Any] = []
    for index, message in enumerate(messages):
        content = encode_texts(message.get("content", ""), f"{to.message(index)}/content", to)
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


def finish_message(message: Any, index: int, to: Target) -> None:
    """Report the name, our own id and what other dialects said."""
    if "name" in message:
        to.log.lost("member", f"{to.message(index)}/name", "messages have no names")
    if "id" in message:
        to.log.changed("local_id", f"{to.message(index)}/id", "the wire has no place for the id of a message")
    if "extra" in message:
        report_foreign(message, DIALECT, to.message(index), to.log)


def _encode_turns(messages: list[ChatMessage], first: int, to: Target) -> list[dict[str, Any]]:
    turns: list[dict[str, Any]] = []
    last = ""
    # The blocks of the last turn where they are a list of our own, which may grow; input is never changed.
    blocks: Blocks | None = None
    answered = _Answered(messages)
    for index in range(first, len(messages)):
        message = messages[index]
        if message["role"] == "opaque":
            last = _encode_opaque(turns, message, index, last, to)
            continue
        role, content = _encode_message(message, index, answered, to)
        if not content and not to.home:
            continue
        bag = own_bag(message, DIALECT) if "extra" in message else _NOTHING
        if role != last or role == "system" or bag.get("spelling", _NOTHING).get("turn") == "new":
            if blocks is not None:
                blocks.close()
            blocks = None if type(content) is str else Blocks(content)
            last = role
            if blocks is None and len(message) == 2 and role == message["role"] and "content" in message:
                turns.append(message)  # type: ignore[arg-type]  # the wire form of a plain message is its canonical form
                continue
            silent = role == "system" and "content" not in message
            turns.append({"role": role} if silent else {"role": role, "content": content})
        else:
            if blocks is None:
                blocks = Blocks(as_blocks(turns[-1]["content"]))
                turns[-1] = {**turns[-1], "content": blocks.made}
            blocks.add(as_blocks(content), role)
        if bag:
            lay(turns[-1], bag.get("message" if message["role"] == "tool" else "fields", _NOTHING))
    if blocks is not None:
        blocks.close()
    return turns


def _empty(text: str) -> bool:
    return not text or text.isspace()


def _encode_opaque(turns: list[dict[str, Any]], message: Any, index: int, last: str, to: Target) -> str:
    """Write a message of Claude's verbatim; return the role that the next message may run on from."""
    if message["dialect"] == DIALECT and type(message["data"]) is dict:
        turns.append(message["data"])
        return ""
    lost_members(to.log, message, to.message(index), "message", "only its own dialect understands it")
    return last


def _encode_message(message: ChatMessage, index: int, answered: _Answered, to: Target) -> tuple[str, Any]:
    """Return the wire role and content of a message; a list of blocks is always a new one."""
    content: Any = message.get("content")
    if message["role"] == "user" and len(message) == 2 and type(content) is str and (to.home or not _empty(content)):
        return "user", content
    if message["role"] == "tool":
        identifier = message.get("call_id")
        if identifier is None or not (to.home or acceptable_128(identifier)):
            identifier = _result_identifier(message, index, answered, to)
        return "user", [encode_result(message, index, identifier, to)]
    if message["role"] == "assistant":
        content = encode_answer(message, index, to)
        finish_message(message, index, to)
        return "assistant", content
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
    if message["role"] == "opaque":
        return "", None  # written by the caller
    assert_never(message)


def _result_identifier(message: Any, index: int, answered: _Answered, to: Target) -> str | None:
    """Return the id of the call that a result answers; one without id pairs by name, then by order."""
    identifier: str | None = message.get("call_id", message.get("id"))
    if to.home:
        return identifier
    path = f"{to.message(index)}/{'id' if 'call_id' not in message and identifier is not None else 'call_id'}"
    if identifier is None:
        to.log.filled(path, "a result names its call")
        identifier = answered.by(index)
        return identifier if acceptable_128(identifier) else made_acceptable(identifier, ID_LIMIT)
    return safe_name(identifier, ID_LIMIT, path, to.log)


class _Answered:
    """Which calls the results answer that do not say so; worked out when the first of them asks."""

    __slots__ = ("_calls", "_messages")

    def __init__(self, messages: list[ChatMessage]) -> None:
        self._messages = messages
        self._calls: dict[int, str] | None = None

    def by(self, index: int) -> str:
        """Return the id of the call that the result at `index` answers; where none is open, one from its place."""
        if self._calls is None:
            pairing = Pairing()
            followed = enumerate(pairing.follow(message, place) for place, message in enumerate(self._messages))
            self._calls = {place: asked.id for place, asked in followed if asked is not None}
        return self._calls.get(index, f"call_{index}")


class Blocks:
    """The growing blocks of one turn, in a list of our own: `made`, which is whole after `close`."""

    __slots__ = ("_texts", "made")

    def __init__(self, made: list[Any]) -> None:
        self.made = made
        self._texts: list[str] = []  # what the last block grows to, joined once: long turns stay linear

    def add(self, more: list[Any], role: str) -> None:
        """Add the blocks of the next message; adjacent texts of an answer have a blank line between them."""
        if role == "assistant" and self.made and more and _plain(self.made[-1]) and _plain(more[0]):
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
