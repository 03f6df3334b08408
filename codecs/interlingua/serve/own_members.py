"""Adds members that a dialect's own server writes in every response and that another dialect does not have.

Clients that validate responses by the published schema require them. Each has an empty value or repeats a value of the
request; only the response id, its start and end times, and durations are made up, which are the server's to assign.

Source: the OpenAPI descriptions of the dialects, as `llm-comply` brings them (tests/serve).
"""

from __future__ import annotations

import time
import uuid
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.frames import Frame

__all__ = ["OwnMembers"]

# Members that a response repeats from its request, with their defaults.
_REPEATED: Final[Mapping[str, Any]] = MappingProxyType({
    "background": False,
    "frequency_penalty": 0.0,
    "instructions": None,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "presence_penalty": 0.0,
    "previous_response_id": None,
    "prompt_cache_key": None,
    "reasoning": {"effort": None, "summary": None},
    "safety_identifier": None,
    "service_tier": "default",
    "temperature": 1.0,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_logprobs": 0,
    "top_p": 1.0,
    "truncation": "disabled",
})  # fmt: skip
_TOOL: Final = MappingProxyType({"description": None, "parameters": None, "strict": None})
_MESSAGE: Final = ("stop_sequence", "stop_details", "container")
_USAGE: Final[Mapping[str, Any]] = MappingProxyType({
    # Counts are never null at Anthropic: clients add them up (Mistral Vibe).
    "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "cache_creation": None, "inference_geo": None,
    "output_tokens_details": None, "server_tool_use": None, "service_tier": None,
})  # fmt: skip
# The member with a response's creation time, and its value if the provider sends none.
_MADE: Final[Mapping[str, tuple[str, Any]]] = MappingProxyType({
    "ollama": ("created_at", "1970-01-01T00:00:00Z"),
    "openai_chat": ("created", 0),
    "openai_responses": ("created_at", 0),
    "vllm": ("created", 0),
})  # fmt: skip
_BLOCKS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    # A list, not null: strict clients refuse null, and Claude never sends it.
    {"text": {"citations": []}, "tool_use": {"caller": {"type": "direct"}}}
)


class OwnMembers:
    """Adds the members to the response to one request, whole or frame by frame. Its input is not modified."""

    def __init__(self, dialect: str, request: Mapping[str, Any]) -> None:
        self._dialect = dialect
        self._request = request
        self._id = uuid.uuid4().hex
        self._began = datetime.now(UTC)
        self._clock = time.perf_counter_ns()
        self._waited: int | None = None  # time to the first frame, in nanoseconds

    def whole(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return a response with the members."""
        match self._dialect:
            case "claude":
                return _message(body)
            case "gemini":
                return {**body, "responseId": body.get("responseId") or self._id}
            case "openai_responses":
                return self._response(body)
            case "ollama":
                return self._timed(self._dated(body))
            case _:
                return self._dated(body)

    def frame(self, frame: Frame) -> Frame:
        """Return a frame of a streamed response with the members."""
        if not isinstance(frame, dict):
            return frame
        match self._dialect, frame.get("type"):
            case "claude", "message_start":
                return {**frame, "message": _message(frame["message"])}
            case "claude", "content_block_start":
                return {**frame, "content_block": _block(frame["content_block"])}
            case "gemini", _ if "error" not in frame:
                return self.whole(frame)
            case "openai_responses", _ if type(frame.get("response")) is dict:
                return {**frame, "response": self._response(frame["response"])}
            case "ollama", _:
                return self._timed(self._dated(frame), is_frame=True)
            case "openai_chat" | "vllm", _:
                return self._dated(frame)
            case _:
                return frame

    def _dated(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return a response with a creation time: that of the request if the provider sends none."""
        name, unsaid = _MADE[self._dialect]
        if body.get(name) != unsaid:
            return body
        moment = self._began.strftime("%Y-%m-%dT%H:%M:%SZ") if unsaid else int(self._began.timestamp())
        return {**body, name: moment}

    def _timed(self, body: dict[str, Any], *, is_frame: bool = False) -> dict[str, Any]:
        """Return a response in Ollama's format with durations at its end, which clients use.

        In a response without streaming the time for the prompt is unknown: the total time is used for both.
        """
        took = max(time.perf_counter_ns() - self._clock, 2)
        if is_frame and self._waited is None:
            self._waited = took - 1
        if body.get("done") is not True:
            return body
        read = took if self._waited is None else self._waited
        wrote = took if self._waited is None else took - self._waited
        durations = {"total": took, "load": 0, "prompt_eval": read, "eval": wrote}
        return {**{f"{name}_duration": value for name, value in durations.items()}, **body}

    def _response(self, body: dict[str, Any]) -> dict[str, Any]:
        said = {name: value for name in _REPEATED if (value := self._request.get(name)) is not None}
        said["text"] = {**_REPEATED["text"], **_dict(said.get("text"))}
        said["reasoning"] = {**_REPEATED["reasoning"], **_dict(said.get("reasoning"))}
        tools: list[Any] = said["tools"] if type(said.get("tools")) is list else []
        said["tools"] = [{**_TOOL, **one} if _dict(one).get("type") == "function" else one for one in tools]
        if said.get("service_tier") == "auto":
            del said["service_tier"]
        ended = int(time.time()) if body.get("status") == "completed" else None
        return {**_REPEATED, "completed_at": ended, "store": False, **self._dated(body), **said}


def _dict(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if type(value) is dict else {}


def _message(body: dict[str, Any]) -> dict[str, Any]:
    content = [_block(one) for one in body["content"]]
    usage = {**_USAGE, **body["usage"]}
    return {**body, **{name: body.get(name) for name in _MESSAGE}, "content": content, "usage": usage}


def _block(block: dict[str, Any]) -> dict[str, Any]:
    return {**_BLOCKS.get(block["type"], {}), **block}
