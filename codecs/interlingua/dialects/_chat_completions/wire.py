"""The shapes of Chat Completions as types only; every object may hold more.

Source: reference/wire/openai_chat.md; https://platform.openai.com/docs/api-reference/chat
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class WireFunction(TypedDict, total=False):
    """What `function` of a call holds: `arguments` is JSON text."""

    name: str
    arguments: str


class WireCall(TypedDict, total=False):
    """A tool call."""

    id: str
    type: Literal["function", "custom"]
    function: WireFunction
    custom: dict[str, str]


class WireMessage(TypedDict, total=False):
    """A message of any role."""

    role: str
    content: str | list[dict[str, Any]] | None
    name: str
    refusal: str | None
    tool_calls: list[WireCall]
    tool_call_id: str
    audio: dict[str, Any] | None
    annotations: list[dict[str, Any]]


class WireRequest(TypedDict, total=False):
    """The body of `POST /v1/chat/completions`."""

    model: str
    messages: list[WireMessage]
    tools: list[dict[str, Any]]
    tool_choice: str | dict[str, Any]
    stream: bool


class WireChoice(TypedDict, total=False):
    """One answer."""

    index: int
    message: WireMessage
    finish_reason: str | None
    logprobs: dict[str, Any] | None


class WireResponse(TypedDict, total=False):
    """A `chat.completion`."""

    id: str
    object: str
    created: int
    model: str
    choices: list[WireChoice]
    usage: dict[str, Any]
