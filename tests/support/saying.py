"""The content of a wire body, found without the code of the dialects: texts, calls, results and descriptions.

Law 10 looks for each of them in the canonical value outside `extra` and opaque parts. Only known shapes count: the
content of a block, tool or message of another type may be opaque.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from support.canonical import leaves

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SPEAKERS: Final = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_GEMINI_SPEAKERS: Final = frozenset({None, "user", "model", "function", "system"})
_ITEM_TEXTS: Final = frozenset({"input_text", "output_text", "reasoning_text", "refusal", "summary_text", "text"})


def openai_chat_says(kind: str, body: Any) -> Iterator[str]:
    """Yield the content of a Chat Completions body."""
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
    """Yield the content of a Claude body."""
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


def openai_responses_says(kind: str, body: Any) -> Iterator[str]:
    """Yield the content of a Responses body."""
    if kind == "request" and isinstance(body.get("instructions"), str):
        yield body["instructions"]
    items = body["output"] if kind == "response" else body.get("input") or ()
    if isinstance(items, str):
        yield items
        return
    for item in items:
        yield from _item(item)
    for tool in body.get("tools") or () if kind == "request" else ():
        if tool.get("type") == "function":
            yield from _described(tool)


def _item(item: Any) -> Iterator[str]:
    kind = item.get("type") or "message"
    if kind == "message":
        if item.get("role") in _SPEAKERS:
            yield from _item_texts(item.get("content"))
    elif kind == "reasoning":
        yield from _item_texts(item.get("summary"))
        yield from _item_texts(item.get("content"))
    elif kind in {"function_call", "custom_tool_call"}:
        yield item["name"]
        yield item["arguments" if kind == "function_call" else "input"]
    elif kind in {"function_call_output", "custom_tool_call_output"}:
        yield from _item_texts(item.get("output"))


def _item_texts(content: Any) -> Iterator[str]:
    """Yield content that is text, or the texts of its parts: the member of a refusal is `refusal`, of others `text`."""
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list) else ():
        if part.get("type") in _ITEM_TEXTS:
            yield part["refusal" if part["type"] == "refusal" else "text"]


def gemini_says(kind: str, body: Any) -> Iterator[str]:
    """Yield the content of a Gemini body; its members have two spellings."""
    contents = body["contents"] if kind == "request" else [one.get("content") for one in body.get("candidates") or ()]
    instructions = _spelt(body, "systemInstruction", "system_instruction") if kind == "request" else None
    for content in (*_listed(contents), instructions):
        if isinstance(content, str):
            yield content
        elif content and content.get("role", "user") in _GEMINI_SPEAKERS:
            for part in _listed(content.get("parts")):
                yield from [part] if isinstance(part, str) else _gemini_part(part)
    for tool in _listed(body.get("tools")) if kind == "request" else ():
        for function in _listed(_spelt(tool, "functionDeclarations", "function_declarations")):
            yield from _described(function)


def _gemini_part(part: Any) -> Iterator[str]:
    if isinstance(part.get("text"), str):
        yield part["text"]
    call = _spelt(part, "functionCall", "function_call")
    if call:
        yield call["name"]
        yield from (leaf for _, leaf in leaves(call.get("args") or {}) if isinstance(leaf, str))
    result = _spelt(part, "functionResponse", "function_response")
    response = result.get("response") if result else None
    if isinstance(response, dict) and response.keys() in ({"output"}, {"error"}):
        yield from (said for said in response.values() if isinstance(said, str))


def _spelt(value: Any, camel: str, snake: str) -> Any:
    return value.get(camel, value.get(snake))


def _listed(value: Any) -> Iterable[Any]:
    """Return the items of a list, and a single value as one."""
    return () if value is None else value if isinstance(value, list) else (value,)


def ollama_says(kind: str, body: Any) -> Iterator[str]:
    """Yield the content of an Ollama body."""
    for message in (body.get("messages") or ()) if kind == "request" else [body["message"]]:
        if message.get("role", "assistant") in _SPEAKERS:
            yield from (message[name] for name in ("content", "thinking") if isinstance(message.get(name), str))
            for call in message.get("tool_calls") or ():
                yield call["function"]["name"]
                said = leaves(call["function"].get("arguments") or {})
                yield from (leaf for _, leaf in said if isinstance(leaf, str))
    for tool in body.get("tools") or () if kind == "request" else ():
        if tool.get("type", "function") == "function":
            yield from _described(tool["function"])


def bedrock_converse_says(kind: str, body: Any) -> Iterator[str]:
    """Yield the content of a Bedrock Converse body: the only member of a block is its kind."""
    messages = body["messages"] if kind == "request" else [body["output"]["message"]]
    for block in (
        *(body.get("system", ()) if kind == "request" else ()),
        *(one for message in messages if message["role"] in _SPEAKERS for one in message["content"]),
    ):
        yield from (block["text"] for _ in "x" if isinstance(block.get("text"), str))
        thought = block.get("reasoningContent", {}).get("reasoningText", {})
        yield from (thought["text"] for _ in "x" if "text" in thought)
        if "toolUse" in block and block["toolUse"].get("type") != "server_tool_use":
            yield block["toolUse"]["name"]
            yield from (leaf for _, leaf in leaves(block["toolUse"]["input"]) if isinstance(leaf, str))
        if "toolResult" in block and "type" not in block["toolResult"]:
            yield from (one["text"] for one in block["toolResult"]["content"] if "text" in one)
    for tool in body.get("toolConfig", {}).get("tools", ()) if kind == "request" else ():
        if "toolSpec" in tool:
            yield from _described(tool["toolSpec"])


def vllm_says(kind: str, body: Any) -> Iterator[str]:
    """Yield the content of a body of vLLM's Chat Completions, which has reasoning next to the content."""
    yield from openai_chat_says(kind, body)
    messages = body["messages"] if kind == "request" else [choice["message"] for choice in body["choices"]]
    for message in messages:
        if message.get("role", "assistant") in _SPEAKERS:
            said = message.get("reasoning", message.get("reasoning_content"))
            yield from [said] if isinstance(said, str) else []


def _texts(content: Any, kinds: tuple[str, ...]) -> Iterator[str]:
    """Yield content that is text, or the texts of its blocks of some types; the member is named after the type."""
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
