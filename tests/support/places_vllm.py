"""The places of vLLM's variants in a body, and instances that its inventory does not describe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NotRequired

from openai.types import chat
from openai.types.shared_params import ResponseFormatJSONSchema, ResponseFormatText
from typing_extensions import TypedDict

from support.places import CHAT_PLACES, NOTHING
from support.vllm_types import VllmAddress

if TYPE_CHECKING:
    from collections.abc import Mapping

    from support.places import Place


class _NamedFunction(TypedDict):
    name: str


class _ErrorInfo(TypedDict):
    message: str
    type: str
    param: NotRequired[str | None]
    code: int


_OBJECT: Final = dict[str, str]
# Types that vLLM's types refer to, and fields whose annotation is not enough. A text is an annotation.
VLLM_TYPES: Final[Mapping[str, Any]] = {
    "AnyResponseFormat": ResponseFormatText | ResponseFormatJSONSchema,
    "AudioURL": VllmAddress,
    "ChatCompletionContentPartParam": chat.ChatCompletionContentPartTextParam,
    "ChatCompletionFunctionToolParam": chat.ChatCompletionFunctionToolParam,
    "ChatCompletionLogProbs": _OBJECT,
    "ChatCompletionMessageParam": chat.ChatCompletionUserMessageParam,
    "ChatCompletionMessageToolCallParam": chat.ChatCompletionMessageFunctionToolCallParam,
    "ChatCompletionNamedFunction": _NamedFunction,
    "ChatCompletionRequest.stream_interval": int,
    "ChatCompletionRequest.truncate_prompt_tokens": int,
    "ChatCompletionResponseChoice.index": Literal[0],
    "ChatCompletionResponseChoice.message": "ChatMessage",
    "ChatCompletionResponseStreamChoice.delta": "DeltaMessage",
    "ChatMessage.role": Literal["assistant"],
    "CustomChatCompletionMessageParam.role": Literal["user", "assistant", "tool"],
    "ErrorInfo": _ErrorInfo,
    "LegacyStructuralTag": _OBJECT,
    "Logprob": _OBJECT,
    "MMPayload": _OBJECT,
    "MultiModalEmbedsPayload": _OBJECT,
    "OpenAIAnnotation": _OBJECT,
    "OpenAIChatCompletionAudio": chat.ChatCompletionAudio,
    "PILImage": str,
    "PerRequestMetrics": _OBJECT,
    "ReasoningEffort": Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"],
    "RepetitionDetectionParams": _OBJECT,
    "StopParam": str | list[str],
    "StructuredOutputsParams.json": _OBJECT,
    "ThinkingTokenBudget": int,
    "TopLogprobsParam": int,
    "VideoURL": VllmAddress,
    "WeightVersionSpan": _OBJECT,
}
# Variants that are words, or that the inventory only names.
VLLM_MADE: Final[Mapping[str, tuple[Any, ...]]] = {
    "input_items/<harmony message>#OpenAIHarmonyMessage": (
        {"role": "assistant", "content": [{"type": "text", "text": "Hello"}], "channel": "final"},
    ),
    "input_content_parts/input_text": ({"type": "input_text", "text": "Hello"},),
    "input_content_parts/output_text": ({"type": "output_text", "text": "Hello"},),
    "input_content_parts/input_image": (
        {"type": "input_image", "image_url": "https://example.com/a.png"},
        {"type": "input_image", "image_url": "https://example.com/a.png", "detail": "low"},
    ),
    "input_content_parts/<bare string>": ("Hello",),
    "input_content_parts/file": ({"type": "file", "file": {"file_id": "file-1"}},),
    "reasoning_config/chat_template_kwargs": (
        {"chat_template_kwargs": {"enable_thinking": False}},
        {"chat_template_kwargs": {"enable_thinking": True, "add_date": True}},
    ),
}
# Variants of other endpoints of the server: those of openai_responses and claude.
VLLM_ELSEWHERE: Final = frozenset(
    {"ResponsesRequest", "ResponsesResponse", "AnthropicMessagesRequest", "AnthropicMessagesResponse"}
)


def _ask(*messages: Any, **members: Any) -> dict[str, Any]:
    said = list(messages) or [{"role": "user", "content": "Hello"}]
    return {"model": "m", "messages": said, **{key: value for key, value in members.items() if value is not NOTHING}}


def _ask_with(name: str, made: Any) -> dict[str, Any]:
    if made is NOTHING:
        return _ask(stream=True)
    return made if name == "ChatCompletionRequest" else _ask(stream=True, **{name: made})


def _part(name: str, made: Any) -> dict[str, Any]:
    role = "assistant" if name in {"refusal", "thinking", "output_text"} else "user"
    return _ask({"role": role, "content": [] if made is NOTHING else [made]})


def _tool(name: str, made: Any) -> dict[str, Any]:
    if made is NOTHING:
        return _ask()
    return _ask(tools=[made if name == "function" else {"type": "function", "function": made}])


def _format(name: str, made: Any) -> dict[str, Any]:
    if made is not NOTHING and name == "json_schema.json_schema":
        return _ask(response_format={"type": "json_schema", "json_schema": made})
    return _ask(response_format=made)


def _answer(message: Any = None, **choice: Any) -> dict[str, Any]:
    said = message or {"role": "assistant", "content": "Hello"}
    choices = [{"index": 0, "message": said, **{key: one for key, one in choice.items() if one is not NOTHING}}]
    return {"id": "i", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}


def _answer_part(_name: str, made: Any) -> dict[str, Any]:
    return _answer({"role": "assistant", "content": "Well.", **({} if made is NOTHING else made)})


def _answer_call(name: str, made: Any) -> dict[str, Any]:
    call = made if name == "function" else {"id": "c", "type": "function", "function": made}
    return _answer({"role": "assistant", "content": None, **({} if made is NOTHING else {"tool_calls": [call]})})


VLLM_PLACES: Final[Mapping[str, Place]] = {
    **{name: CHAT_PLACES[name] for name in ("input_items", "tool_choice", "finish_reasons", "usage", "response")},
    "request": ("request", _ask_with),
    "input_content_parts": ("request", _part),
    "output_items": ("response", lambda _name, made: _answer(None if made is NOTHING else made)),
    "output_content_parts": ("response", _answer_part),
    "output_tool_calls": ("response", _answer_call),
    "tools": ("request", _tool),
    "response_format": ("request", _format),
    "reasoning_config": ("request", lambda _name, made: _ask(**({} if made is NOTHING else made))),
}
