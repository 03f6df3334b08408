"""Canonical to Responses: messages. An assistant's becomes up to one reasoning item and one message, and its calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import lay, lay_spelled, own_bag, report_foreign
from interlingua.dialects.openai_responses.encode_call import encode_calls
from interlingua.dialects.openai_responses.encode_part import (
    encode_content,
    encode_parts,
    encode_refusals,
    plain_text,
)
from interlingua.dialects.openai_responses.encode_reasoning import encode_reasoning
from interlingua.dialects.openai_responses.tables import DIALECT, FILLS, STATE_MEMBERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import AssistantChatMessage


_NOTHING: Final[Mapping[str, Any]] = {}
_PLAIN_OUTPUT: Final = frozenset({"type", "text", "annotations", "logprobs"})


def finish_message(message: Any, path: str, to: Target) -> None:
    """Report the name, our own id and what other dialects said."""
    if "name" in message:
        to.log.lost("member", f"{path}/name", "messages have no names")
    if "id" in message:
        to.log.changed("local_id", f"{path}/id", "the wire has no place for the id of a message")
    if "extra" in message:
        report_foreign(message, DIALECT, path, to.log)


def encode_spoken(message: Any, index: int, to: Target) -> dict[str, Any]:
    """Return the item of a message of any role but assistant and tool."""
    content = message.get("content")
    path = to.message(index)
    bag = own_bag(message, DIALECT)
    out = _begun(message["role"], bag)
    if content is not None:
        out["content"] = encode_content(content, f"{path}/content", message["role"], to)
    elif not to.home and not bag:
        out["content"] = ""
        to.log.filled(f"{path}/content", "a message must say something")
    _lay_bag(out, bag)
    finish_message(message, path, to)
    return out


def _begun(role: str, bag: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message item with its type, where the habit or the spelling says it, its state and role."""
    spelling = bag.get("spelling", _NOTHING)
    out: dict[str, Any] = {}
    if spelling.get("type") == "message" or (
        "id" in bag and spelling.get("type") != "absent" and "type" not in spelling.get("null", ())
    ):
        out["type"] = "message"
    out["role"] = role
    for name in STATE_MEMBERS:
        if name in bag:
            out[name] = bag[name]
    return out


def _lay_bag(out: dict[str, Any], bag: Mapping[str, Any]) -> None:
    if "fields" in bag:
        lay(out, bag["fields"])
    if "spelling" in bag:
        lay_spelled(out, bag["spelling"])


def encode_answer(
    items: list[dict[str, Any]], message: AssistantChatMessage, index: int, custom: set[str], to: Target
) -> None:
    """Append the items of an assistant's message."""
    members, content, asked = len(message), message.get("content"), message.get("tool_calls")
    if type(content) is str and (to.home or not to.answer):
        if members == 2:
            items.append(message)  # type: ignore[arg-type]  # the wire form of a plain message is its canonical form
            return
        if members == 3 and content and asked is not None:
            items.append({"role": "assistant", "content": content})
            encode_calls(items, asked, index, custom, to)
            return
    if members == 2 and asked is not None:
        encode_calls(items, asked, index, custom, to)
        return
    path = to.message(index)
    bag = own_bag(message, DIALECT)
    if "reasoning" in message or "reasoning" in bag:
        thought = encode_reasoning(message, bag, index, to)
        if thought is not None:
            items.append(thought)
    said = _encode_said(message, bag, index, to)
    if said is not None:
        items.append(said)
    if asked is not None:
        encode_calls(items, asked, index, custom, to)
    finish_message(message, path, to)


def _encode_said(
    message: AssistantChatMessage, bag: Mapping[str, Any], index: int, to: Target
) -> dict[str, Any] | None:
    """Return the message item of what an assistant says, or None where it says nothing."""
    content, refusal = message.get("content"), message.get("refusal")
    known = any(name in bag for name in (*STATE_MEMBERS, "fields", "spelling"))
    if content is None and refusal is None:
        spelling = bag.get("spelling", _NOTHING)
        if "content" not in spelling.get("absent", ()) and "content" not in spelling.get("null", ()):
            return None
    elif not (to.home or known):
        return _encode_abroad(message, index, to)
    out = _begun("assistant", bag)
    if type(content) is str and refusal is None:
        out["content"] = content
    elif content is not None or refusal is not None:
        out["content"] = _encode_list(message, index, to, whole="id" in bag)
    _lay_bag(out, bag)
    return out


def _encode_list(message: AssistantChatMessage, index: int, to: Target, *, whole: bool) -> list[dict[str, Any]]:
    """Return the parts of what an assistant says and declines; a `whole` message writes them in full."""
    path = to.message(index)
    content: Any = message.get("content", [])
    parts = [{"type": "text", "text": content}] if type(content) is str else content
    encoded = encode_parts(parts, f"{path}/content", "assistant", to, whole=whole)
    if "refusal" in message:
        encoded.extend(encode_refusals(message["refusal"], f"{path}/refusal", to))
    return encoded


def _encode_abroad(message: AssistantChatMessage, index: int, to: Target) -> dict[str, Any] | None:
    """Return what an assistant of another dialect says: as text, or as a message of an answer.

    A request takes text without an id; citations, refusals and answers need a message with id and status.
    """
    path = to.message(index)
    content: Any = message.get("content", [])
    text = plain_text(content)
    if text == "" and "refusal" not in message and (message.get("tool_calls") or "reasoning" in message):
        if content != []:
            to.log.changed("empty_text", f"{path}/content", "an empty text beside calls says nothing")
        return None
    if text is not None and "refusal" not in message and not to.answer:
        if type(content) is list and not content:
            to.log.changed("content", f"{path}/content", "a list must hold something")
        return {"role": "assistant", "content": text}
    parts = _encode_list(message, index, to, whole=True)
    if not parts:
        return None
    if not to.answer and all(_is_plain_output(part) for part in parts):
        return {"role": "assistant", "content": "".join(part["text"] for part in parts)}
    to.log.filled(f"{path}/extra/{DIALECT}/id", "a message of an answer has an id")
    to.log.filled(f"{path}/extra/{DIALECT}/status", "a message of an answer has a status")
    return {
        "type": "message",
        "role": "assistant",
        "id": f"msg_{index}",
        "status": FILLS["status"],
        "content": parts,
    }


def _is_plain_output(part: Mapping[str, Any]) -> bool:
    return part.get("type") == "output_text" and not part.get("annotations") and part.keys() <= _PLAIN_OUTPUT
