"""Canonical to Responses: the messages of a conversation, as `instructions` and items.

The first instruction goes to `instructions` where it came from there, and abroad where it is plain text; all others
stay among the items, in their place and role.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._shared.extra import lay_own, own_bag, without_notes
from interlingua.dialects._shared.pairing import Answered
from interlingua.dialects.openai_responses.encode_call import encode_result
from interlingua.dialects.openai_responses.encode_message import encode_answer, encode_spoken, finish_message
from interlingua.dialects.openai_responses.encode_part import plain_text
from interlingua.dialects.openai_responses.tables import DIALECT, FUNCTION_RESULT, ID_LIMIT
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import ChatMessage


_NOTHING: Final[Mapping[str, Any]] = {}


def encode_conversation(
    out: dict[str, Any], messages: list[ChatMessage], spelling: Mapping[str, Any], to: Target
) -> None:
    """Write `instructions` and `input`; one text, or nothing, is written as it came."""
    if not to.home:
        messages = without_notes(messages, DIALECT)
    first = 0
    if messages:
        instructions = _instructions(messages[0], to)
        if instructions is not None:
            out["instructions"] = instructions
            finish_message(messages[0], to.message(0), to)
            first = 1
    items = encode_items(messages, first, to)
    form = spelling.get("input")
    if form == "string" and len(items) == 1 and _is_plain_question(items[0]):
        out["input"] = items[0]["content"]
    elif items or not (form == "absent" or "input" in spelling.get("null", ())):
        out["input"] = items


def _instructions(message: Any, to: Target) -> str | None:
    """Return the text of an instruction that has its place in `instructions`, else None."""
    if message["role"] != "system":
        return None
    bag = own_bag(message, DIALECT)
    if bag.get("spelling", _NOTHING).get("system") != "instructions" and (bag or to.home):
        return None
    content = message.get("content")
    return plain_text(content) if content or type(content) is str else None


def _is_plain_question(item: Mapping[str, Any]) -> bool:
    return len(item) == 2 and item.get("role") == "user" and type(item["content"]) is str


def encode_items(messages: list[ChatMessage], first: int, to: Target) -> list[dict[str, Any]]:
    """Return the items of the messages from the first one on."""
    items: list[dict[str, Any]] = []
    answered = Answered(messages)
    home, answer = to.home, to.answer and not to.home
    custom: set[str] = set()
    for index in range(first, len(messages)):
        message = messages[index]
        if answer and message["role"] not in {"assistant", "opaque"}:
            lost_members(to.log, message, to.message(index), "message", "an answer is the assistant's")
        elif message["role"] == "tool":
            content = message.get("content")
            identifier = message["call_id"] if "call_id" in message and len(message) == 3 else ""
            # Most results are one text that names its call; no function is called for each of them.
            if type(content) is str and not custom and identifier and (home or len(identifier) <= ID_LIMIT):
                items.append({"type": FUNCTION_RESULT, "call_id": identifier, "output": content})
            else:
                items.append(encode_result(message, index, answered, custom, to))
        elif message["role"] == "assistant":
            encode_answer(items, message, index, custom, to)
        elif message["role"] == "user" or message["role"] == "system" or message["role"] == "developer":
            if len(message) == 2 and type(message.get("content")) is str:
                items.append(message)  # type: ignore[arg-type]  # the wire form of a plain message is its canonical form
            else:
                items.append(encode_spoken(message, index, to))
        elif message["role"] == "opaque":
            _encode_opaque(items, message, index, to)
        else:
            assert_never(message)
    return items


def _encode_opaque(items: list[dict[str, Any]], message: Any, index: int, to: Target) -> None:
    """Write an item of this dialect verbatim."""
    path = to.message(index)
    if message["dialect"] != DIALECT or type(message["data"]) is not dict:
        lost_members(to.log, message, path, "message", "only its own dialect understands it")
        return
    items.append(message["data"])
    if "id" in message or "extra" in message:
        finish_message(message, path, to)
        lay_own({}, message, DIALECT, path, to.log)
