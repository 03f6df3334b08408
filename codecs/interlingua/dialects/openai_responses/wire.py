"""The shapes of Responses as types only; every object may hold more.

Source: reference/wire/openai_responses.md; https://platform.openai.com/docs/api-reference/responses
"""

from __future__ import annotations

from typing import Any, TypedDict


class WirePart(TypedDict, total=False):
    """A content part of any type."""

    type: str
    text: str
    refusal: str
    annotations: list[dict[str, Any]]
    logprobs: list[dict[str, Any]]
    image_url: str | None
    file_id: str | None
    file_url: str | None
    file_data: str | None
    filename: str | None
    detail: str | None
    prompt_cache_breakpoint: dict[str, Any]


class WireItem(TypedDict, total=False):
    """An item of the input or the output: a message, reasoning, a call, a result, or what only the provider knows."""

    type: str
    id: str
    status: str | None
    role: str
    content: str | list[WirePart] | None
    phase: str | None
    summary: list[dict[str, Any]]
    encrypted_content: str | None
    call_id: str
    name: str
    arguments: str
    input: str
    output: str | list[WirePart]
    namespace: str


class WireRequest(TypedDict, total=False):
    """The body of `POST /v1/responses`."""

    model: str
    input: str | list[WireItem]
    instructions: str | None
    tools: list[dict[str, Any]]
    tool_choice: str | dict[str, Any]
    text: dict[str, Any]
    reasoning: dict[str, Any] | None
    include: list[str] | None
    previous_response_id: str | None
    stream: bool


class WireResponse(TypedDict, total=False):
    """A `response`; most of what it holds repeats the request."""

    id: str
    object: str
    created_at: int | float
    model: str
    status: str
    output: list[WireItem]
    error: dict[str, Any] | None
    incomplete_details: dict[str, Any] | None
    usage: dict[str, Any] | None
