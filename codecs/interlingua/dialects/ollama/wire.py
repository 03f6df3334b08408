"""The shapes of Ollama as types only; every object may hold more.

Source: reference/wire/ollama.md; https://github.com/ollama/ollama/blob/main/api/types.go
"""

from __future__ import annotations

from typing import Any, TypedDict


class WireFunction(TypedDict, total=False):
    """What `function` of a call holds: `arguments` is an object."""

    index: int
    name: str
    arguments: dict[str, Any]


class WireCall(TypedDict, total=False):
    """A tool call."""

    id: str
    function: WireFunction


class WireMessage(TypedDict, total=False):
    """A message of any role; `images` are bare base64."""

    role: str
    content: str
    thinking: str
    images: list[str]
    tool_calls: list[WireCall]
    tool_name: str
    tool_call_id: str


class WireRequest(TypedDict, total=False):
    """The body of `POST /api/chat`."""

    model: str
    messages: list[WireMessage]
    tools: list[dict[str, Any]]
    format: str | dict[str, Any]
    think: bool | str
    stream: bool
    options: dict[str, Any]
    keep_alive: str | int
    logprobs: bool
    top_logprobs: int


class WireResponse(TypedDict, total=False):
    """The whole answer, and each line of a stream; durations are in nanoseconds."""

    model: str
    created_at: str
    message: WireMessage
    done: bool
    done_reason: str
    logprobs: list[dict[str, Any]]
    total_duration: int
    load_duration: int
    prompt_eval_count: int
    prompt_eval_duration: int
    eval_count: int
    eval_duration: int
