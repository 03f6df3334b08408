"""Bodies of vLLM: the types of OpenAI's SDK, which clients use, with the additional members of the server's types.

Source: https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/chat_completion/protocol.py
"""

from __future__ import annotations

from typing import Any, Literal, Required

from openai.types import chat
from openai.types.chat.chat_completion import Choice
from openai.types.completion_usage import CompletionUsage, PromptTokensDetails
from openai.types.shared_params import (
    ResponseFormatJSONObject,
    ResponseFormatJSONSchema,
    ResponseFormatText,
)
from typing_extensions import TypedDict


class VllmAddress(TypedDict):
    """An object with a URL, or with data in one."""

    url: str


class VllmAudio(TypedDict):
    """Audio by URL."""

    type: Literal["audio_url"]
    audio_url: VllmAddress


class VllmVideo(TypedDict):
    """A video by URL."""

    type: Literal["video_url"]
    video_url: VllmAddress


VllmPart = (
    chat.ChatCompletionContentPartTextParam
    | chat.ChatCompletionContentPartImageParam
    | chat.ChatCompletionContentPartInputAudioParam
    | VllmAudio
    | VllmVideo
)


class VllmMessage(TypedDict, total=False):
    """A message of any role; pictures and audio may be in results, too."""

    role: Required[Literal["system", "developer", "user", "assistant", "tool"]]
    content: str | list[VllmPart] | None
    name: str
    reasoning: str
    tool_call_id: str
    tool_calls: list[chat.ChatCompletionMessageFunctionToolCallParam]


class VllmRequest(TypedDict, total=False):
    """The body of `POST /v1/chat/completions`, without members that the server accepts and ignores."""

    messages: Required[list[VllmMessage]]
    model: str
    frequency_penalty: float
    logit_bias: dict[str, float]
    logprobs: bool
    top_logprobs: int
    max_tokens: int
    max_completion_tokens: int
    n: int
    presence_penalty: float
    response_format: ResponseFormatText | ResponseFormatJSONObject | ResponseFormatJSONSchema
    seed: int
    stop: str | list[str]
    stream: bool
    stream_options: dict[str, bool]
    temperature: float
    top_p: float
    tools: list[chat.ChatCompletionFunctionToolParam]
    tool_choice: Literal["none", "auto", "required"] | chat.ChatCompletionNamedToolChoiceParam
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
    thinking_token_budget: int
    include_reasoning: bool
    parallel_tool_calls: bool
    user: str
    top_k: int
    min_p: float
    repetition_penalty: float
    min_tokens: int
    stop_token_ids: list[int]
    skip_special_tokens: bool
    chat_template_kwargs: dict[str, Any]
    structured_outputs: dict[str, Any]


class VllmAnswerMessage(chat.ChatCompletionMessage):
    """The message of a response; older servers call its reasoning `reasoning_content`."""

    reasoning: str | None = None
    reasoning_content: str | None = None


class VllmChoice(Choice):
    """A choice; it names the stop word that ended it."""

    finish_reason: Literal["stop", "length", "tool_calls", "abort", "error", "repetition"]  # type: ignore[assignment]  # words of its own
    message: VllmAnswerMessage
    stop_reason: int | str | None = None
    token_ids: list[int] | None = None
    routed_experts: str | None = None


class VllmInputDetails(PromptTokensDetails):
    """The details of the input tokens."""

    created_cache_tokens: int | None = None


class VllmUsage(CompletionUsage):
    """The token usage of a response."""

    prompt_tokens_details: VllmInputDetails | None = None


class VllmResponse(chat.ChatCompletion):
    """A `chat.completion`."""

    usage: VllmUsage | None = None
    choices: list[VllmChoice]  # type: ignore[assignment]  # never written to
    prompt_logprobs: list[dict[str, Any] | None] | None = None
    prompt_token_ids: list[int] | None = None
    prompt_text: str | None = None
    kv_transfer_params: dict[str, Any] | None = None
    ec_transfer_params: dict[str, Any] | None = None
    metrics: dict[str, Any] | None = None
