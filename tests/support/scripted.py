"""A scripted provider of any dialect: it reads requests, and returns the responses of a test, on a real socket.

Responses are canonical, so that one script works for every dialect. The provider keeps the requests, as canonical ones,
and their raw paths, headers and bodies.
"""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import interlingua as il
from interlingua.frames import FrameEncoder, wire_of
from support.web import answer, web

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from http.server import BaseHTTPRequestHandler

    Script = Callable[[Any], Mapping[str, Any]]
    """From the canonical request to the canonical response."""

STREAMED: Final = MappingProxyType(
    {"sse": "text/event-stream", "ndjson": "application/x-ndjson", "json_array": "application/json"}
)
JSON: Final = MappingProxyType({"Content-Type": "application/json"})


@dataclass
class Asked:
    """A request: its path, the headers with names in lower case, and the body."""

    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Scripted:
    """The provider: its `url`, its `dialect`, and all requests in `asked`."""

    url: str
    dialect: str
    asked: list[Asked] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


def text(said: str, **more: Any) -> dict[str, Any]:
    """Return a response with a text."""
    usage = {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18}
    message = {"role": "assistant", "content": said}
    return {"id": "r1", "model": "scripted", "messages": [message], "finish_reason": "stop", "usage": usage, **more}


def thinking(said: str, thought: str) -> dict[str, Any]:
    """Return a response with reasoning and a text."""
    [message] = text(said)["messages"]
    return {**text(said), "messages": [{**message, "reasoning": thought}]}


def calls(*named: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    """Return a response that calls tools: id, name and arguments of each."""
    made = [{"id": key, "name": name, "arguments": arguments} for key, name, arguments in named]
    message = {"role": "assistant", "tool_calls": made}
    return {**text(""), "messages": [message], "finish_reason": "tool_calls"}


def body_of(response: Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return a response as the provider of a dialect writes it."""
    return il.encode_response(dict(response), il.dialect(dialect)).body


def frames_of(response: Mapping[str, Any], dialect: str) -> list[Any]:
    """Return a response as the frames of a dialect, converted from a chat server's frames with small deltas."""
    if dialect == "openai_chat":
        return list(_chat_frames(response))
    return list(il.translate_stream(_chat_frames(response), "openai_chat", il.dialect(dialect)))


def _chat_frames(response: Mapping[str, Any]) -> Iterator[Any]:
    chunk = {"id": "r1", "object": "chat.completion.chunk", "created": 1, "model": response.get("model", "scripted")}
    [message] = response["messages"]

    def said(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        return {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}

    yield said({"role": "assistant"})
    if thought := message.get("reasoning"):
        yield said({"reasoning_content": thought})
    content = message.get("content") or ""
    for at in range(0, len(content), 5):
        yield said({"content": content[at : at + 5]})
    for index, call in enumerate(message.get("tool_calls", ())):
        arguments = json.dumps(call["arguments"])
        begun = {"index": index, "id": call["id"], "type": "function"}
        yield said({"tool_calls": [{**begun, "function": {"name": call["name"], "arguments": ""}}]})
        for at in range(0, len(arguments), 7):
            piece = {"index": index, "function": {"arguments": arguments[at : at + 7]}}
            yield said({"tool_calls": [piece]})
    yield said({}, response.get("finish_reason", "stop"))
    usage = response["usage"]
    counted = {
        "prompt_tokens": usage["input_tokens"],
        "completion_tokens": usage["output_tokens"],
        "total_tokens": usage["total_tokens"],
    }
    yield {**chunk, "choices": [], "usage": counted}
    yield "[DONE]"


def wants_stream(asked: Asked, dialect: str) -> bool:
    """Return whether a request asks for a stream."""
    if dialect == "gemini":
        return ":streamGenerateContent" in asked.path
    return asked.body.get("stream", dialect == "ollama") is True


@contextmanager
def scripted(dialect: str, script: Script) -> Iterator[Scripted]:
    """Run a provider of a dialect that responds as a script says, while the context is open.

    It refuses requests that break a rule of the dialect.
    """

    def respond(handler: BaseHTTPRequestHandler, data: bytes) -> None:
        headers = {name.lower(): value for name, value in handler.headers.items()}
        asked = Asked(handler.path, headers, json.loads(data) if data else None)
        with here.lock:
            here.asked.append(asked)
        if refused := il.check_request(asked.body, il.dialect(dialect), profile=None):
            message = "; ".join(f"{one.path}: {one.code}" for one in refused)
            error = il.encode_error(il.ApiError(category="invalid_request", message=message), il.dialect(dialect))
            answer(handler, json.dumps(error.body).encode(), error.status, {**JSON, **error.headers})
            return
        said = script(il.decode_request(asked.body, il.dialect(dialect)))
        if wants_stream(asked, dialect):
            encoder = FrameEncoder(dialect)
            data = b"".join([*map(encoder.feed, frames_of(said, dialect)), encoder.close()])
            answer(handler, data, headers={"Content-Type": STREAMED[wire_of(dialect).form]})
        else:
            answer(handler, json.dumps(body_of(said, dialect)).encode(), headers=dict(JSON))

    with web(respond) as server:
        here = Scripted(server.url, dialect)
        yield here
