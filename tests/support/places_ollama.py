"""The places of Ollama's variants in a body, and instances that their inventory does not describe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from support.places import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from support.places import Place

# The fields of Ollama's types whose Go type is not enough.
OLLAMA_TYPES: Final[Mapping[str, Any]] = {
    "ChatRequest.options": dict[str, int],
    "ChatResponse.done": Literal[True],
    "ChatResponse.created_at": Literal["2026-01-01T00:00:00.123456789Z"],
    "DebugInfo": dict[str, str],
    "Duration": int,
    "ImageData": Literal["iVBORw0KGgoAAAANSUhEUg=="],
    "Message.role": Literal["user"],
    "PropertyType": str,
    "RawMessage": Literal["json"],
    "ThinkValue": bool | Literal["low"],
    "ToolCallFunctionArguments": dict[str, int],
    "ToolFunctionParameters.type": Literal["object"],
    "ToolPropertiesMap": dict[str, dict[str, str]],
    "Tool.type": Literal["function"],
    "Tools": list[dict[str, dict[str, str]]],
}


def _ask(*messages: Any, **members: Any) -> dict[str, Any]:
    said = list(messages) or [{"role": "user", "content": "Hello"}]
    given = {key: value for key, value in members.items() if value is not NOTHING}
    return {"model": "m", "messages": said, "stream": False, **given}


def _ask_with(name: str, made: Any) -> dict[str, Any]:
    if made is NOTHING:
        return _ask()
    return _ask(options=made) if name.startswith("options") else {**made, "tools": []}


def _item(name: str, made: Any) -> dict[str, Any]:
    return _ask() if made is NOTHING else _ask({**made, "role": name})


def _message(name: str, made: Any) -> dict[str, Any]:
    role = "assistant" if name in {"thinking", "tool_calls"} else "tool" if name.startswith("tool_") else "user"
    return _ask({"role": role, "content": "Hello", **({} if made is NOTHING else made)})


def _call(made: Any) -> list[Any]:
    return [] if made is NOTHING else [made if "function" in made else {"function": made}]


def _tool(name: str, made: Any) -> dict[str, Any]:
    if made is NOTHING:
        return _ask()
    inside = {"parameters": {"type": "object", "properties": {}}}
    if name.endswith("*"):
        inside = {"parameters": {"type": "object", "properties": {"city": made}}}
    elif name.endswith("parameters"):
        inside = {"parameters": made}
    elif name.endswith("function.function"):
        return _ask(tools=[{"type": "function", "function": made}])
    else:
        return _ask(tools=[made])
    return _ask(tools=[{"type": "function", "function": {"name": "f", **inside}}])


def _answer(**members: Any) -> dict[str, Any]:
    answer = {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant", "content": "Hello"}}
    return {**answer, "done": True, **{key: value for key, value in members.items() if value is not NOTHING}}


def _answer_part(_name: str, made: Any) -> dict[str, Any]:
    return _answer(message={"role": "assistant", "content": "Well.", **({} if made is NOTHING else made)})


OLLAMA_PLACES: Final[Mapping[str, Place]] = {
    "request": ("request", _ask_with),
    "input_items": ("request", _item),
    "input_content_parts": ("request", _message),
    "input_tool_calls": (
        "request",
        lambda _name, made: _ask({"role": "assistant", "content": "Well.", "tool_calls": _call(made)}),
    ),
    "output_items": (
        "response",
        lambda _name, made: _answer(message=NOTHING if made is NOTHING else {**made, "role": "assistant"}),
    ),
    "output_content_parts": ("response", _answer_part),
    "tools": ("request", _tool),
    "tool_choice": ("request", lambda _name, _made: _ask()),
    "response_format": ("request", lambda _name, made: _ask(format=made)),
    "reasoning_config": ("request", lambda _name, made: _ask(think=made)),
    "response": ("response", lambda _name, made: _answer() if made is NOTHING else made),
    "finish_reasons": ("response", lambda _name, made: _answer(done_reason=made)),
    "usage": ("response", lambda _name, made: _answer(**({} if made is NOTHING else made))),
    "logprobs": ("response", lambda _name, made: _answer(logprobs=NOTHING if made is NOTHING else [made])),
}
# Variants that are words, or that the inventory only names.
OLLAMA_MADE: Final[Mapping[str, tuple[Any, ...]]] = {
    "response_format/<json schema object>": ({"type": "object", "properties": {"city": {"type": "string"}}},),
    "reasoning_config/think=true": (True,),
    "reasoning_config/think=false": (False,),
}
