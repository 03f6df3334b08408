"""The normal form of a conversation, which is equal for two dialects that express the same thing differently.

Source: docs/laws.md, law 3. Adjacent system and user messages are merged, adjacent plain texts are joined, a list of
one plain text becomes a string, the messages and the reasoning of one answer are joined with a blank line, and argument
text is parsed. `extra` and `dialect` are left out, and so are empty texts and ids, counts of 0, and defaults that all
dialects share (tool choice auto, a tool that is not strict, a result that is not an error, an image without special
detail). A missing total is the sum of its counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from interlingua.model_json import plain_json
from interlingua.tool_arguments import arguments_object

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["normal_form"]

_LEFT_OUT: Final = frozenset({"extra", "dialect", "schema_version"})
# The default tool choice.
_AUTOMATIC: Final[Mapping[str, Any]] = MappingProxyType({"mode": "auto"})
_PARTED: Final = ("reasoning", "content", "refusal")
# The separator between two messages of one answer, and between two reasoning texts.
_PARAGRAPH_BREAK: Final = "\n\n"


def normal_form(value: BaseModel | Mapping[str, Any] | Sequence[Any]) -> Any:
    """Return the normal form of a request, a response or a list of chat messages, as plain JSON.

    Takes models or plain JSON.

    Args:
        value: A request, a response, or a list of chat messages: models or plain JSON.

    Raises:
        TypeError: the value is none of these.

    Example:
        >>> il.normal_form(il.UserChatMessage(content=[il.TextPart(text="Hi")]))
        {'role': 'user', 'content': [{'type': 'text', 'text': 'Hi'}]}
    """
    if isinstance(value, BaseModel):
        value = plain_json(value)
    if isinstance(value, (list, tuple)):
        messages = [plain_json(one) if isinstance(one, BaseModel) else one for one in value]
        for message in messages:
            _refuse_other(message)
        return _messages(messages)
    _refuse_other(value)
    conversation: Any = value
    normal = _without(conversation)
    if "messages" in normal:
        normal["messages"] = _messages(normal["messages"])
    if "alternatives" in normal:
        normal["alternatives"] = [normal_form(one) for one in normal["alternatives"]]
    if "tools" in normal:
        normal["tools"] = [_tool(tool) for tool in normal["tools"]]
    if normal.get("tool_choice") == _AUTOMATIC:
        del normal["tool_choice"]
    if "usage" in normal:
        normal["usage"] = _counts(normal["usage"])
        if not normal["usage"]:
            del normal["usage"]
    return normal


def _refuse_other(value: object) -> None:
    """Raise `TypeError` for a value that is not a JSON object."""
    if not isinstance(value, Mapping):
        raise TypeError(f"expected a request, a response or a list of messages, not {type(value).__name__}")


def _tool(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a tool without `strict` if it is false."""
    if tool["type"] == "opaque":
        return tool
    one = {name: said for name, said in _without(tool).items() if name != "strict" or said is not False}
    return {**one, "tools": [_tool(inner) for inner in one["tools"]]} if "tools" in one else one


def _counts(usage: Mapping[str, Any]) -> dict[str, Any]:
    """Return usage with its total, and without counts of 0, which mean the same as their absence."""
    total = usage.get("total_tokens", usage.get("input_tokens", 0) + usage.get("output_tokens", 0))
    counts = {**_without(usage), "total_tokens": total}
    return {name: count for name, count in counts.items() if count != 0}


def _without(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: content for name, content in value.items() if name not in _LEFT_OUT}


def _messages(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    normal: list[dict[str, Any]] = []
    for message in messages:
        one = dict(message) if message["role"] == "opaque" else _message(message)
        last = normal[-1] if normal else {}
        if one["role"] == last.get("role") and one["role"] in {"system", "user", "assistant"}:
            normal[-1] = _joined(last, one)
        else:
            normal.append(one)
    return [_closed(message) for message in normal]


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    one = _without(message)
    if one.get("is_error") is False:
        del one["is_error"]
    for name in _PARTED:
        if name in one:
            content = one[name]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            one[name] = _joined_texts(parts, _PARAGRAPH_BREAK if name == "reasoning" else "")
    if "tool_calls" in one:
        one["tool_calls"] = [_call(call) for call in one["tool_calls"]]
    return one


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    one = _without(call)
    if one.get("id") == "":
        del one["id"]
    if isinstance(one["arguments"], str) and one.get("kind") != "custom":
        parsed, faithful = arguments_object(one["arguments"])
        if faithful:
            one["arguments"] = parsed
    return one


def _plain(part: Mapping[str, Any]) -> bool:
    return part["type"] == "text" and len(part) == 2


def _joined_texts(parts: Sequence[Mapping[str, Any]], gap: str) -> list[dict[str, Any]]:
    """Return parts with adjacent plain texts joined by `gap`; an empty text needs no gap."""
    joined: list[dict[str, Any]] = []
    for part in parts:
        one = dict(part) if part["type"] == "opaque" else _without(part)
        if one.get("detail") == "auto":
            del one["detail"]
        if one.get("exit_code") == 0:  # success is the default
            del one["exit_code"]
        if "citations" in one:
            one["citations"] = [_without(citation) for citation in one["citations"]]
        if _plain(one) and not one["text"]:
            continue
        if joined and _plain(one) and _plain(joined[-1]):
            before, after = joined[-1]["text"], one["text"]
            joined[-1] = {"type": "text", "text": f"{before}{gap if before and after else ''}{after}"}
        else:
            joined.append(one)
    return joined


def _joined(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Return two adjacent messages of one role joined; instructions and answers with a blank line between them."""
    joined = {**second, **first}
    gap = "" if first["role"] == "user" else _PARAGRAPH_BREAK
    for name in _PARTED:
        if first.get(name) and second.get(name):
            joined[name] = _joined_texts([*first[name], *second[name]], gap)
        elif name in joined:
            joined[name] = first.get(name) or second.get(name)
    if "tool_calls" in joined:
        joined["tool_calls"] = [*first.get("tool_calls", ()), *second.get("tool_calls", ())]
    return joined


def _closed(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message with a single plain text as a string, and without empty members."""
    if message["role"] == "opaque":
        return message
    closed: dict[str, Any] = {}
    for name, content in message.items():
        if name in _PARTED:
            if not content:
                continue
            closed[name] = content[0]["text"] if len(content) == 1 and _plain(content[0]) else content
        elif name != "tool_calls" or content:
            closed[name] = content
    return closed
