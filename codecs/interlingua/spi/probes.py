"""Minimal conversations with one additional value each, which a room must either encode or report as lost."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["EVENT_PROBES", "MEDIA_PROBES", "REQUEST_PROBES", "RESPONSE_PROBES", "Probe"]


@dataclass(frozen=True, slots=True)
class Probe:
    """A canonical value, and the path of its additional value.

    `is_foreign`: whether only another dialect understands that value, so that it must be lost.
    """

    path: str
    value: Any
    is_foreign: bool = False


_HELLO: Final = MappingProxyType({"role": "user", "content": "Hello"})
_TOOL: Final = MappingProxyType({
    "type": "function",
    "name": "read_file",
    "description": "Reads a file.",
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
})  # fmt: skip
_CALL: Final = MappingProxyType({"id": "call_1", "name": "read_file", "arguments": {"path": "a.txt"}})
_FOREIGN: Final = MappingProxyType({"some_other_dialect": {"fields": {"x_probe": 1}}})
_PICTURE: Final = "iVBORw0KGgo="

_SETTINGS: Final[Mapping[str, Any]] = MappingProxyType({
    "model": "some-model",
    "max_tokens": 100,
    "temperature": 0.5,
    "top_p": 0.5,
    "top_k": 10,
    "stop": ["END"],
    "seed": 7,
    "n": 2,
    "frequency_penalty": 0.5,
    "presence_penalty": 0.5,
    "logprobs": True,
    "top_logprobs": 2,
    "logit_bias": {"5": 1},
    "stream": True,
    "metadata": {"topic": "files"},
    "user": "user-1",
    "reasoning": {"effort": "low"},
    "response_format": {"type": "json_object"},
    "verbosity": "low",
    "prompt_cache_key": "key-1",
    "prompt_cache_retention": "24h",
    "min_p": 0.125,
    "repetition_penalty": 1.25,
    "stream_usage": False,
    "stream_obfuscation": True,
    "safety_identifier": "person-1",
    "store": True,
    "service_tier": "flex",
    "moderation": {"model": "some-model"},
    "modalities": ["text", "video"],
    "cache": {"ttl": "5m"},
})  # fmt: skip
_WITH_TOOLS: Final[Mapping[str, Any]] = MappingProxyType({
    "tools": [dict(_TOOL)],
    "tool_choice": {"mode": "required"},
    "parallel_tool_calls": False,
})  # fmt: skip
# What a user message may hold beside text.
_PARTS: Final[tuple[Mapping[str, Any], ...]] = (
    {"type": "text", "text": "And this."},
    {"type": "image", "url": "https://example.com/a.png"},
    {"type": "image", "format": "image/png", "data": _PICTURE},
    {"type": "audio", "format": "audio/wav", "data": "UklGRg=="},
    {"type": "file", "format": "application/pdf", "name": "a.pdf", "data": "JVBERi0="},
    {"type": "opaque", "dialect": "some_other_dialect", "data": {"type": "x_probe"}},
)
_ANSWERS: Final[Mapping[str, Any]] = MappingProxyType({
    "content": "Hi!",
    "reasoning": "They greet me.",
    "refusal": "I will not.",
    "tool_calls": [dict(_CALL)],
})  # fmt: skip
_CITED: Final = MappingProxyType({
    "type": "text",
    "text": "Hi!",
    "citations": [{"kind": "url", "url": "https://example.com", "title": "Example"}],
})  # fmt: skip


def _request(*messages: Mapping[str, Any], **settings: Any) -> dict[str, Any]:
    return {"messages": [dict(message) for message in messages], **settings}


def _with_part(part: Mapping[str, Any]) -> Probe:
    content = [{"type": "text", "text": "Look"}, dict(part)]
    return Probe("/messages/0/content/1", _request({"role": "user", "content": content}))


def _of_requests() -> tuple[Probe, ...]:
    settings = [Probe(f"/{name}", _request(_HELLO, **{name: value})) for name, value in _SETTINGS.items()]
    tools = [
        Probe(f"/{name}", _request(_HELLO, **{"tools": _WITH_TOOLS["tools"], name: value}))
        for name, value in _WITH_TOOLS.items()
    ]
    parts = [_with_part(part) for part in _PARTS]
    answers = [
        Probe(f"/messages/1/{name}", _request(_HELLO, {"role": "assistant", name: value}, _HELLO))
        for name, value in _ANSWERS.items()
        if name != "tool_calls"
    ]
    asked = {"role": "assistant", "tool_calls": [dict(_CALL)]}
    result = {"role": "tool", "call_id": "call_1", "content": "done"}
    others = [
        Probe("/messages/0", _request({"role": "system", "content": "Be brief."}, _HELLO)),
        Probe("/messages/1", _request(_HELLO, {"role": "system", "content": "Be brief."})),
        Probe("/messages/0", _request({"role": "developer", "content": "Be brief."}, _HELLO)),
        Probe("/messages", _request(_HELLO, asked, result, tools=_WITH_TOOLS["tools"])),
        Probe("/messages/0/name", _request({**_HELLO, "name": "Ada"})),
        Probe(
            "/messages/1",
            _request(_HELLO, {"role": "opaque", "dialect": "some_other_dialect", "data": {}}),
            is_foreign=True,
        ),
        Probe("/extra", _request(_HELLO, extra=dict(_FOREIGN)), is_foreign=True),
        Probe("/messages/0/extra", _request({**_HELLO, "extra": dict(_FOREIGN)}), is_foreign=True),
    ]
    return (Probe("/messages", _request(_HELLO)), *settings, *tools, *parts, *answers, *others)


def _response(message: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    return {"messages": [{"role": "assistant", **message}], **members}


def _of_responses() -> tuple[Probe, ...]:
    hi = {"content": "Hi!"}
    answers = [
        Probe(f"/messages/0/{name}", _response({name: value}, finish_reason="stop"))
        for name, value in _ANSWERS.items()
        if name != "tool_calls"
    ]
    reasons = ("stop", "length", "tool_calls", "content_filter", "refusal", "pause", "error", "cancelled", "other")
    finishes = [Probe("/finish_reason", _response(hi, finish_reason=reason)) for reason in reasons]
    usage = {"input_tokens": 12, "output_tokens": 3, "total_tokens": 15, "cache_read_tokens": 4, "reasoning_tokens": 1}
    said = {"id": "answer-1", "model": "some-model", "created": 1_700_000_000, "stop_sequence": "END", "usage": usage}
    members = [Probe(f"/{name}", _response(hi, finish_reason="stop", **{name: value})) for name, value in said.items()]
    other = [{"messages": [{"role": "assistant", "content": "Hello!"}], "finish_reason": "stop"}]
    others = [
        Probe("/messages/0/tool_calls", _response({"tool_calls": [dict(_CALL)]}, finish_reason="tool_calls")),
        Probe("/messages/0/content", _response({"content": [dict(_CITED)]}, finish_reason="stop")),
        Probe("/alternatives", _response(hi, finish_reason="stop", alternatives=other)),
        Probe("/extra", _response(hi, finish_reason="stop", extra=dict(_FOREIGN)), is_foreign=True),
    ]
    return (*answers, *finishes, *members, *others)


def _stream(*events: Mapping[str, Any], reason: str = "stop") -> list[dict[str, Any]]:
    return [
        {"type": "start", "id": "answer-1", "model": "some-model"},
        *map(dict, events),
        {"type": "finish", "reason": reason},
        {"type": "end", "complete": True},
    ]


def _of_events() -> tuple[Probe, ...]:
    text = {"type": "content", "block": 0, "text": "Hi"}
    ended = {"type": "block_end", "block": 0}
    call = {"type": "tool_call_start", "block": 0, "id": "call_1", "name": "read_file"}
    arguments = {"type": "tool_call_delta", "block": 0, "arguments": '{"path": "a.txt"}'}
    return (
        Probe("/1", _stream(text, {**text, "text": "!"}, ended)),
        Probe("/1", _stream({"type": "reasoning", "block": 0, "text": "They greet me."}, ended)),
        Probe("/1", _stream({"type": "refusal", "block": 0, "text": "I will not."}, ended)),
        Probe("", _stream(call, arguments, ended, reason="tool_calls")),
        Probe("/3", _stream(text, ended, {"type": "usage", "usage": {"input_tokens": 12, "output_tokens": 3}})),
        Probe("/3", _stream(text, ended, reason="length")),
        Probe("/1/extra", _stream({**text, "extra": dict(_FOREIGN)}, ended), is_foreign=True),
    )


REQUEST_PROBES: Final = _of_requests()
MEDIA_PROBES: Final = MappingProxyType(
    {part["type"]: _with_part(part) for part in _PARTS if "data" in part and "format" in part}
)
RESPONSE_PROBES: Final = _of_responses()
EVENT_PROBES: Final = _of_events()
