"""The shapes of Claude as types only; every object may hold more.

Source: reference/wire/claude.md; https://platform.claude.com/docs/en/api/messages
"""

from __future__ import annotations

from typing import Any, TypedDict


class BrokenInput(str):
    """Arguments of a call that a stream told and that make no object: cut off, or written wrong. No body has them."""

    __slots__ = ()


class WireBlock(TypedDict, total=False):
    """A content block of any type."""

    type: str
    text: str
    id: str
    name: str
    input: dict[str, Any]
    tool_use_id: str
    content: str | list[Any]
    source: dict[str, Any]
    thinking: str
    signature: str
    data: str
    citations: list[dict[str, Any]] | dict[str, Any] | None
    cache_control: dict[str, Any] | None


class WireMessage(TypedDict, total=False):
    """A message: `user`, `assistant`, or `system` since 2026-10-21."""

    role: str
    content: str | list[WireBlock]


class WireRequest(TypedDict, total=False):
    """The body of `POST /v1/messages`."""

    model: str
    max_tokens: int
    messages: list[WireMessage]
    system: str | list[WireBlock]
    tools: list[dict[str, Any]]
    tool_choice: dict[str, Any]
    stream: bool


class WireResponse(TypedDict, total=False):
    """A message of the model."""

    id: str
    type: str
    role: str
    model: str
    content: list[WireBlock]
    stop_reason: str | None
    stop_sequence: str | None
    usage: dict[str, Any]
