"""Bodies of requests for which the official SDK only declares the content, or another form."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required

import ollama
from google.genai import types
from pydantic import Field
from typing_extensions import TypedDict


class OllamaFunction(TypedDict, total=False):
    """The function of a call."""

    name: Required[str]
    arguments: Required[dict[str, Any]]
    index: int


class OllamaCall(TypedDict, total=False):
    """A call of a tool."""

    id: str
    function: Required[OllamaFunction]


class OllamaMessage(TypedDict, total=False):
    """A message as it is sent: the SDK accepts any mapping, and has no ids."""

    role: Required[str]
    content: str
    thinking: str
    images: list[str]
    tool_calls: list[OllamaCall]
    tool_name: str
    tool_call_id: str


class OllamaRequest(TypedDict, total=False):
    """The body of `POST /api/chat`."""

    model: Required[Annotated[str, Field(min_length=1)]]
    messages: Required[list[OllamaMessage]]
    tools: list[ollama.Tool]
    format: Literal["", "json"] | dict[str, Any]
    options: ollama.Options
    stream: bool
    think: bool | str
    keep_alive: float | str
    logprobs: bool
    top_logprobs: int


class GeminiRequest(TypedDict, total=False):
    """The body of `generateContent`: the SDK builds it from these, and only names its parts."""

    contents: Required[list[types.Content]]
    systemInstruction: types.Content
    tools: list[types.Tool]
    toolConfig: types.ToolConfig
    safetySettings: list[types.SafetySetting]
    generationConfig: types.GenerationConfig
    cachedContent: str
    labels: dict[str, str]
    serviceTier: types.ServiceTier
    store: bool
    modelArmorConfig: types.ModelArmorConfig
