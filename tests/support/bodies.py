"""The smallest useful bodies of every dialect: a response with a text and a call, and a question."""

from __future__ import annotations

from typing import Any, Final

# The dialects that the reports of problems in practice are about.
DIALECTS: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm")
TEXT: Final = "It is warm."
ARGUMENTS: Final[dict[str, Any]] = {"city": "Rome"}
ARGUMENT_TEXT: Final = '{"city":"Rome"}'


def chat_answer(message: dict[str, Any], reason: Any = "stop", **members: Any) -> dict[str, Any]:
    """Return a Chat Completions response with one choice."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m"}
    usage = {"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8}
    return {**head, "choices": [choice], "usage": usage, **members}


def chat_call(arguments: str = ARGUMENT_TEXT, identifier: str = "call_1") -> dict[str, Any]:
    """Return a Chat Completions call."""
    return {"id": identifier, "type": "function", "function": {"name": "look_up", "arguments": arguments}}


def responses_answer(*output: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return a Responses response with these items."""
    usage = {"input_tokens": 5, "output_tokens": 3, "total_tokens": 8}
    head = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed"}
    return {**head, "output": list(output), "usage": usage, **members}


def responses_text(*parts: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return the message item of a response; with one text if no parts are given."""
    content = list(parts) or [{"type": "output_text", "text": TEXT, "annotations": []}]
    head = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
    return {**head, "content": content, **members}


def responses_call(arguments: str = ARGUMENT_TEXT, identifier: str = "call_1") -> dict[str, Any]:
    """Return a call item."""
    head = {"type": "function_call", "id": "fc_1", "call_id": identifier, "name": "look_up"}
    return {**head, "arguments": arguments, "status": "completed"}


def claude_answer(*content: dict[str, Any], reason: Any = "end_turn", **members: Any) -> dict[str, Any]:
    """Return a Claude response with these blocks."""
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m"}
    ending = {"stop_reason": reason, "stop_sequence": None, "usage": {"input_tokens": 5, "output_tokens": 3}}
    return {**head, "content": list(content), **ending, **members}


def claude_call(arguments: dict[str, Any] | None = None, identifier: str = "toolu_1") -> dict[str, Any]:
    """Return a Claude call."""
    given = dict(ARGUMENTS) if arguments is None else arguments
    return {"type": "tool_use", "id": identifier, "name": "look_up", "input": given}


def gemini_answer(*parts: dict[str, Any], reason: Any = "STOP", **members: Any) -> dict[str, Any]:
    """Return a Gemini response with one candidate of these parts."""
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": reason, "index": 0}
    usage = {"promptTokenCount": 5, "candidatesTokenCount": 3, "totalTokenCount": 8}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m", "responseId": "r", **members}


def gemini_call(arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a Gemini call."""
    return {"functionCall": {"name": "look_up", "args": dict(ARGUMENTS) if arguments is None else arguments}}


def ollama_answer(message: dict[str, Any], reason: Any = "stop", **members: Any) -> dict[str, Any]:
    """Return an Ollama response."""
    head = {"model": "m", "created_at": "2026-01-02T03:04:05Z", "message": {"role": "assistant", **message}}
    return {**head, "done": True, "done_reason": reason, "prompt_eval_count": 5, "eval_count": 3, **members}


def ollama_call(arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return an Ollama call."""
    given = dict(ARGUMENTS) if arguments is None else arguments
    return {"id": "call_1", "function": {"index": 0, "name": "look_up", "arguments": given}}


def answer(dialect: str, reason: Any = None) -> dict[str, Any]:
    """Return a response of a dialect with one text and one call; `reason` is the dialect's finish reason."""
    if dialect in {"openai_chat", "vllm"}:
        return chat_answer({"content": TEXT, "tool_calls": [chat_call()]}, reason or "tool_calls")
    if dialect == "openai_responses":
        return responses_answer(responses_text(), responses_call(), **({"status": reason} if reason else {}))
    if dialect == "claude":
        return claude_answer({"type": "text", "text": TEXT}, claude_call(), reason=reason or "tool_use")
    if dialect == "gemini":
        return gemini_answer({"text": TEXT}, gemini_call(), reason=reason or "STOP")
    return ollama_answer({"content": TEXT, "tool_calls": [ollama_call()]}, reason or "stop")
