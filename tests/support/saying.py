"""What a wire body says, found without the rooms: texts, calls, arguments, results and descriptions of tools.

Law 10 looks for each of them in the canonical value outside `extra` and opaque parts. Only known shapes count: what
stands inside a block, tool or message of another type may be opaque.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from support.canonical import leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPEAKERS: Final = frozenset({"system", "developer", "user", "assistant", "tool", "function"})


def openai_chat_says(kind: str, body: Any) -> Iterator[str]:
    """Yield what a Chat Completions body says."""
    messages = body["messages"] if kind == "request" else [choice["message"] for choice in body["choices"]]
    for message in messages:
        if message.get("role", "assistant") in _SPEAKERS:
            yield from _texts(message.get("content"), ("text",))
            if isinstance(message.get("refusal"), str):
                yield message["refusal"]
            for call in message.get("tool_calls") or ():
                yield from _call(call)
    for tool in body.get("tools") or ():
        if tool.get("type") == "function":
            yield from _described(tool["function"])


def _call(call: Any) -> Iterator[str]:
    for shape, said in (("function", "arguments"), ("custom", "input")):
        if call.get("type") == shape:
            yield call[shape]["name"]
            if isinstance(call[shape].get(said), str):
                yield call[shape][said]


def claude_says(kind: str, body: Any) -> Iterator[str]:
    """Yield what a Claude body says."""
    if kind == "response":
        yield from _blocks(body["content"])
        return
    yield from _blocks(body.get("system"))
    for message in body["messages"]:
        if message["role"] in _SPEAKERS:
            yield from _blocks(message["content"])
    for tool in body.get("tools") or ():
        if tool.get("type", "custom") in {"custom", None}:
            yield from _described(tool)


def _blocks(content: Any) -> Iterator[str]:
    yield from _texts(content, ("text", "thinking"))
    for block in content if isinstance(content, list) else ():
        if block.get("type") == "tool_use":
            yield block["name"]
            yield from (leaf for _, leaf in leaves(block["input"]) if isinstance(leaf, str))
        elif block.get("type") == "tool_result":
            yield from _texts(block.get("content"), ("text",))


def _texts(content: Any, kinds: tuple[str, ...]) -> Iterator[str]:
    """Yield content that is text, or the texts of its blocks of some types; a block's text has the name of its type."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        yield from (block[block["type"]] for block in content if block.get("type") in kinds)


def _described(tool: Any) -> Iterator[str]:
    yield tool["name"]
    if isinstance(tool.get("description"), str):
        yield tool["description"]


def outside(value: Any) -> Iterator[str]:
    """Yield the texts of a canonical value outside `extra` and opaque values."""
    if isinstance(value, dict):
        if "opaque" not in (value.get("type"), value.get("role")) or "data" not in value:
            for key, inner in value.items():
                if key != "extra":
                    yield from outside(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from outside(inner)
    elif isinstance(value, str):
        yield value
