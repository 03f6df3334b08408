"""The same dialect on both sides, and requests fitted to their model (`--fit`)."""

from __future__ import annotations

import http.client
import json
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pytest

from support.serving import serving
from support.web import answer, web

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

HI: Final = {"role": "user", "content": "Hello"}
ASKED: Final[dict[str, Any]] = {
    "model": "claude-opus-4-8",
    "max_tokens": 32000,
    "thinking": {"type": "adaptive"},
    "output_config": {"effort": "high"},
    "temperature": 1,
    "stream": True,
    "messages": [HI],
}
HEADERS: Final = {
    "Anthropic-Beta": "one, two",
    "Anthropic-Version": "2023-06-01",
    "X-Api-Key": "sk",
    "Content-Type": "application/json",
}


class Provider:
    """A provider that remembers what came, and answers what it is told to."""

    def __init__(self, said: bytes) -> None:
        self.said = said
        self.came: list[tuple[dict[str, str], dict[str, Any]]] = []

    def __call__(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        headers = {name.lower(): value for name, value in handler.headers.items()}
        self.came.append((headers, json.loads(body)))
        answer(handler, self.said, 200, {"Content-Type": "application/json"})


def post(url: str, path: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
    """Ask, and return status, headers and bytes of the answer."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        connection.request("POST", path, body, HEADERS)
        reply = connection.getresponse()
        return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
    finally:
        connection.close()


def test_a_request_is_fitted_to_the_routes_model_and_headers_and_answer_pass_unchanged() -> None:
    provider = Provider(b"event: odd\ndata: { }\n\n")
    with web(provider) as there, serving("claude", "claude", there.url, model="claude-sonnet-4-5", fit=True) as url:
        status, headers, body = post(url, "/v1/messages?beta=true", json.dumps(ASKED).encode())
        post(url, "/v1/messages/count_tokens", b'{"model": "claude-opus-4-8", "messages": []}')
    assert (status, body) == (200, provider.said)
    assert headers["interlingua-losses"] == "tuning=2, bookkeeping=1"
    assert headers["interlingua-model"] == "claude-sonnet-4-5"
    (came_headers, came), (_, counted) = provider.came
    assert came == {
        **{name: value for name, value in ASKED.items() if name != "output_config"},
        "model": "claude-sonnet-4-5",
        "thinking": {"type": "enabled", "budget_tokens": 16000},
    }
    assert came_headers.items() >= {"anthropic-beta": "one, two", "x-api-key": "sk"}.items()
    assert counted == {"model": "claude-sonnet-4-5", "messages": []}


def test_without_fit_bytes_pass_unchanged() -> None:
    provider = Provider(b"{}")
    with web(provider) as there, serving("claude", "claude", there.url, model="claude-sonnet-4-5") as url:
        post(url, "/v1/messages", json.dumps(ASKED).encode())
    [(_, came)] = provider.came
    assert came == {**ASKED, "model": "claude-sonnet-4-5"}


@pytest.mark.parametrize("name", ["look", "21st_look"])
def test_tools_are_returned_with_their_own_names(name: str) -> None:
    def respond(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        came = json.loads(body)
        function = {"name": came["tools"][0]["function"]["name"], "arguments": "{}"}
        assert function["name"][0].isalpha()
        call = {"id": "t", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        said = {"model": came["model"], "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
        answer(handler, json.dumps(said).encode(), 200, {"Content-Type": "application/json"})

    tool = {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}}
    body = {"model": "m", "messages": [HI], "tools": [tool]}
    with web(respond) as there, serving("openai_chat", "openai_chat", there.url, model="kimi-k2.6", fit=True) as url:
        status, _, said = post(url, "/v1/chat/completions", json.dumps(body).encode())
    assert status == 200
    [call] = json.loads(said)["choices"][0]["message"]["tool_calls"]
    assert call["function"]["name"] == name


def test_an_invalid_request_gets_the_error_of_the_provider() -> None:
    provider = Provider(b"{}")
    with web(provider) as there, serving("claude", "claude", there.url, fit=True) as url:
        status, _, said = post(url, "/v1/messages", b"no JSON")
        assert (status, json.loads(said)["error"]["type"]) == (400, "invalid_request_error")
    assert provider.came == []


@pytest.mark.parametrize("name", ["look", "21st_look"])
def test_a_record_has_the_original_and_the_sent_request_once_each(name: str, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    provider = Provider(b'{"choices": []}')
    tool = {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}}
    body = {"model": "m", "messages": [HI], "tools": [tool]}
    with (
        web(provider) as there,
        serving("openai_chat", "openai_chat", there.url, model="kimi-k2.6", fit=True, record=record) as url,
    ):
        post(url, "/v1/chat/completions", json.dumps(body).encode())
    kinds = [json.loads(line)["kind"] for line in record.read_text(encoding="utf-8").splitlines()]
    assert (kinds.count("asked"), kinds.count("sent")) == (1, 1)
