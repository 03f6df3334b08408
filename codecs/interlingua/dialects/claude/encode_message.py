"""Canonical to Claude: the blocks of answers, calls and results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.arguments import arguments_object
from interlingua.dialects._shared.extra import lay, lay_own, lay_spelled, own_bag, report_foreign
from interlingua.dialects._shared.names import acceptable_64, acceptable_128, safe_name
from interlingua.dialects.claude.encode_part import encode_parts, lay_cache, report_empty
from interlingua.dialects.claude.tables import (
    DIALECT,
    ID_LIMIT,
    NAME_LIMIT,
)
from interlingua.loss import beyond, lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import AssistantChatMessage, ToolCall, ToolChatMessage


_PLAIN_TEXT: Final = frozenset({"type", "text"})
_NOTHING: Final[Mapping[str, Any]] = {}


def encode_result(message: ToolChatMessage, index: int, identifier: str | None, to: Target) -> dict[str, Any]:
    """Encode the result of a call as a `tool_result` block; `identifier` is the id of the call."""
    content = message.get("content")
    path = to.message(index)
    bag = own_bag(message, DIALECT)
    out: dict[str, Any] = {"type": "tool_result"}
    if identifier is not None:
        out["tool_use_id"] = identifier
    if content is not None:
        out["content"] = encode_parts(content, f"{path}/content", "tool", to)
    if "is_error" in message:
        out["is_error"] = message["is_error"]
    if "name" in message:
        to.log.lost("member", f"{path}/name", "results name their call only by its id")
    lay_cache(out, message, path, to)
    if bag:
        lay(out, bag.get("fields", _NOTHING))
        lay_spelled(out, bag.get("spelling", _NOTHING))
    if "id" in message and "call_id" in message:
        to.log.changed("local_id", f"{path}/id", "the wire has no place for the id of a message")
    if "extra" in message:
        report_foreign(message, DIALECT, path, to.log)
    return out


def finish_message(message: Any, index: int, to: Target) -> None:
    """Report the name, our own id and what other dialects said."""
    if "name" in message:
        to.log.lost("member", f"{to.message(index)}/name", "messages have no names")
    if "id" in message:
        to.log.changed("local_id", f"{to.message(index)}/id", "the wire has no place for the id of a message")
    if "extra" in message:
        report_foreign(message, DIALECT, to.message(index), to.log)


def usual_blocks(message: Any, content: Any, home: bool) -> list[Any] | None:
    """Return the blocks of a message of plain texts, plain calls, or both; None for any other message.

    Nearly all answers of an agent are such: they are encoded in one step. The longer ways give the same for them.
    """
    calls = message.get("tool_calls")
    if len(message) != (2 if content is None or calls is None else 3):
        return None
    if type(content) is str:
        if not content or content.isspace():
            return None
        blocks: list[Any] = [{"type": "text", "text": content}]
    elif content is None:
        blocks = []
    else:
        for part in content:
            said = part.get("text")
            if len(part) != 2 or part["type"] != "text" or not (home or (said and not said.isspace())):
                return None
        blocks = [*content]
    if calls is not None and not _add_usual_calls(blocks, calls, home):
        return None
    return blocks or None


def _add_usual_calls(blocks: list[Any], calls: Any, home: bool) -> bool:
    """Add calls that are plain, and tell whether all of them were; if not, none is added."""
    before = len(blocks)
    for call in calls:
        if len(call) != 3 or "id" not in call:
            break
        identifier, name, arguments = call["id"], call["name"], call["arguments"]
        if not (home or (acceptable_64(name) and acceptable_128(identifier))):
            break
        if type(arguments) is not dict:
            arguments, faithful = arguments_object(arguments)
            if not faithful:
                break
        blocks.append({"type": "tool_use", "id": identifier, "name": name, "input": arguments})
    else:
        return True
    del blocks[before:]
    return False


def encode_answer(message: AssistantChatMessage, index: int, to: Target) -> Any:
    """Encode an assistant message: its text where it says nothing else, else blocks in their order."""
    content = message.get("content")
    if type(content) is str and len(message) == 2 and (to.home or (content and not content.isspace())):
        return content
    path = to.message(index)
    bag = own_bag(message, DIALECT)
    blocks: list[Any] = []
    if "reasoning" in message or "thinking_blocks" in bag:
        _encode_reasoning(blocks, message, bag, path, to)
    if type(content) is str:
        if not blocks and to.home and "tool_calls" not in message:
            finish_message(message, index, to)
            return content
        if content and (to.home or not content.isspace()):
            content = [{"type": "text", "text": content}]
        else:
            report_empty(content, f"{path}/content", to)
            content = []
    if content is not None:
        blocks.extend(encode_parts(content, f"{path}/content", "assistant", to))
    if "refusal" in message:
        to.log.lost("refusal", f"{path}/refusal", "a refusal has no text here")
    calls = message.get("tool_calls", ())
    if not _add_usual_calls(blocks, calls, to.home):
        blocks.extend(encode_call(call, index, at, to) for at, call in enumerate(calls))
    finish_message(message, index, to)
    return blocks


def _encode_reasoning(
    blocks: list[Any], message: AssistantChatMessage, bag: Mapping[str, Any], path: str, to: Target
) -> None:
    """Write the thinking blocks that Claude signed; other reasoning only into answers, where nobody checks it."""
    reasoning = message.get("reasoning", [])
    if type(reasoning) is str:
        where, texts = [f"{path}/reasoning"], [reasoning]
    else:
        where, texts = _thoughts(reasoning, f"{path}/reasoning", to)
    taken = 0
    for at, kept in enumerate(bag.get("thinking_blocks", ())):
        out: dict[str, Any] = {"type": kept["type"]}
        if kept["type"] == "thinking":
            if taken == len(texts):
                to.log.lost("provider_state", f"{path}/extra/{DIALECT}/thinking_blocks/{at}", "its text is gone")
                continue
            out["thinking"] = texts[taken]
            taken += 1
        out.update({name: kept[name] for name in ("signature", "data") if name in kept})
        lay(out, kept.get("fields", _NOTHING))
        blocks.append(out)
    for at in range(taken, len(texts)):
        if to.answer:
            blocks.append({"type": "thinking", "thinking": texts[at], "signature": ""})
            to.log.filled(f"{path}/extra/{DIALECT}/thinking_blocks", "thinking is signed")
        else:
            to.log.lost("reasoning", where[at], "reasoning without Claude's signature is refused")


def _thoughts(reasoning: Any, path: str, to: Target) -> tuple[list[str], list[str]]:
    """Return where the texts of reasoning stand, and the texts; what else its parts hold has no place."""
    where: list[str] = []
    texts: list[str] = []
    for at, part in enumerate(reasoning):
        if part["type"] == "text":
            where.append(f"{path}/{at}")
            texts.append(part["text"])
            known = _PLAIN_TEXT
        else:
            known = frozenset[str]()
        lost_members(to.log, beyond(part, known), f"{path}/{at}", "reasoning", "thinking is plain text")
    return where, texts


def encode_call(call: ToolCall, index: int, at: int, to: Target) -> dict[str, Any]:
    """Encode a call as a `tool_use` block."""
    arguments = call["arguments"]
    name = call["name"]
    path = to.call(index, at)
    out: dict[str, Any] = {"type": "tool_use", "id": call_identifier(call, index, at, to), "name": name}
    if not to.home:
        out["name"] = safe_name(name, NAME_LIMIT, f"{path}/name", to.log)
    if call.get("kind") == "custom":
        out["input"] = {"input": arguments}
        to.log.changed("arguments", f"{path}/arguments", "free text becomes an object with the member input")
        to.log.changed("arguments", f"{path}/kind", "every call has an object")
    elif type(arguments) is str:
        out["input"], faithful = arguments_object(arguments)
        if not faithful:
            to.log.changed("arguments", f"{path}/arguments", "the text is not faithfully an object")
    else:
        out["input"] = arguments
    if "call_id" in call:
        to.log.lost("member", f"{path}/call_id", "a call has one id")
    lay_cache(out, call, path, to)
    lay_own(out, call, DIALECT, path, to.log)
    return out


def call_identifier(call: ToolCall, index: int, at: int, to: Target) -> str:
    """Return the id of a call: its own, made acceptable abroad, or one from its position."""
    if "id" not in call:
        to.log.filled(f"{to.call(index, at)}/id", "every call has an id")
        return f"call_{index}_{at}"
    if to.home:
        return call["id"]
    return safe_name(call["id"], ID_LIMIT, f"{to.call(index, at)}/id", to.log)
