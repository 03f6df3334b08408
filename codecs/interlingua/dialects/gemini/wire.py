"""The shapes of Gemini as types only; every object may hold more, and every name may come in snake_case.

Source: reference/wire/gemini.md; https://ai.google.dev/api/generate-content
"""

from __future__ import annotations

from typing import Any, TypedDict


class WirePart(TypedDict, total=False):
    """A part: one of the members that hold data, and what modifies it."""

    text: str
    inlineData: dict[str, Any]
    fileData: dict[str, Any]
    functionCall: dict[str, Any]
    functionResponse: dict[str, Any]
    executableCode: dict[str, Any]
    codeExecutionResult: dict[str, Any]
    toolCall: dict[str, Any]
    toolResponse: dict[str, Any]
    thought: bool
    thoughtSignature: str


class WireContent(TypedDict, total=False):
    """A turn of `user` or `model`."""

    role: str
    parts: list[WirePart]


class WireRequest(TypedDict, total=False):
    """The body of `generateContent`; model and streaming stand in the address."""

    contents: list[WireContent]
    systemInstruction: WireContent
    tools: list[dict[str, Any]]
    toolConfig: dict[str, Any]
    generationConfig: dict[str, Any]
    safetySettings: list[dict[str, Any]]
    cachedContent: str
    labels: dict[str, str]


class WireCandidate(TypedDict, total=False):
    """One answer."""

    content: WireContent
    finishReason: str | int
    index: int


class WireResponse(TypedDict, total=False):
    """What `generateContent` answers."""

    candidates: list[WireCandidate]
    promptFeedback: dict[str, Any]
    usageMetadata: dict[str, Any]
    modelVersion: str
    responseId: str
    createTime: str
