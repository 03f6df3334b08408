"""The same dialect on both sides: bytes and headers pass as they are, whatever they say."""

from __future__ import annotations

import gzip
import http.client
import json
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pytest

from interlingua.rooms._shared.sealed_state import sealed
from interlingua.serve.relaying import with_model
from support.serving import serving
from support.web import answer, web

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

ODD: Final = b'{ "model" : "one",\r\n  "n": 1e2, "dup": 1, "dup": 2.0, "text": "\\u00e4 \xc3\xa4" }\n'
SSE: Final = b": ping\r\n\r\nevent: message_start\r\ndata:{ }\r\n\r\ndata: half"
HEADERS: Final = {
    "Anthropic-Beta": "one, two",
    "X-Claude-Code-Session": "s-1",
    "Authorization": "Bearer sk-secret",
    "Content-Type": "application/json; odd=yes",
    "Accept-Encoding": "gzip",
}


def asked(url: str, path: str, body: bytes | None = ODD, method: str = "POST") -> tuple[int, dict[str, str], bytes]:
    """Ask with odd headers, and return status, headers and bytes of the answer."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        connection.request(method, path, body, HEADERS)
        reply = connection.getresponse()
        return reply.status, dict(reply.getheaders()), reply.read()
    finally:
        connection.close()


class Echo:
    """A provider that remembers what came, byte for byte, and answers what it is told to."""

    def __init__(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.said = (body, status, {name.replace("_", "-"): value for name, value in headers.items()})
        self.came: list[tuple[str, str, dict[str, str], bytes]] = []

    def __call__(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        self.came.append((handler.command, handler.path, dict(handler.headers.items()), body))
        answer(handler, *self.said)


@pytest.mark.parametrize("path", ["/v1/messages?beta=true", "/v1/files?limit=3&x=%2F", "/v1/messages/batches"])
def test_bytes_and_headers_pass_unchanged_in_both_directions(path: str) -> None:
    packed = gzip.compress(b'{"type":"message"}')
    echo = Echo(packed, Content_Encoding="gzip", Content_Type="application/json", X_Odd="Ä", Request_Id="req_1")
    with web(echo) as there, serving("claude", "claude", there.url) as url:
        status, headers, body = asked(url, path)
    assert (status, body) == (200, packed)
    assert {name.lower(): value for name, value in headers.items()}.items() >= {
        "content-encoding": "gzip", "x-odd": "Ä", "request-id": "req_1", "content-length": str(len(packed)),
    }.items()  # fmt: skip
    [(method, came_path, came, came_body)] = echo.came
    assert (method, came_path, came_body) == ("POST", path, ODD)
    lowered = {name.lower(): value for name, value in came.items()}
    assert lowered.items() >= {name.lower(): value for name, value in HEADERS.items()}.items()
    assert lowered.keys() - {name.lower() for name in HEADERS} == {"host", "content-length"}


@pytest.mark.parametrize("speak", ["openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm"])
@pytest.mark.parametrize("status", [200, 400, 429, 529])
def test_answers_pass_without_being_parsed(speak: str, status: int) -> None:
    paths = {"claude": "/v1/messages", "openai_responses": "/v1/responses", "ollama": "/api/chat"}
    path = paths.get(speak, "/v1/chat/completions")
    path = "/v1beta/models/m:streamGenerateContent?alt=sse&key=sk" if speak == "gemini" else path
    echo = Echo(SSE, status, Retry_After="3", Content_Type="text/event-stream")
    with web(echo) as there, serving(speak, speak, there.url) as url:
        found, headers, body = asked(url, path, b"\xff no JSON")
    assert (found, body, headers["Retry-After"]) == (status, SSE, "3")
    assert [one[1] for one in echo.came] == [path]
    assert not any(name.lower().startswith("interlingua") for name in headers)


SIGNED: Final = json.dumps({"type": "thinking", "thinking": "Hm.", "signature": "czE="})
SEALED: Final = json.dumps({"type": "thinking", "thinking": "Hm.", "signature": sealed("gemini", [])})


@pytest.mark.parametrize("thoughts", [[SEALED], [SIGNED, SEALED], [SIGNED], ["half", SEALED]])
def test_foreign_signatures_are_not_sent_to_a_provider(thoughts: list[str]) -> None:
    echo = Echo(b"{}")
    said = f'{{"role": "assistant", "content": [{", ".join(thoughts)}, {{"type": "text", "text": "Ä"}}]}}'
    body = f'{{ "model":"m", "messages": [{said}], "n": 1.50 }}'.encode()
    with web(echo) as there, serving("claude", "claude", there.url) as url:
        asked(url, "/v1/messages", body)
        asked(url, "/v1/messages/count_tokens", body)
    for *_, came in echo.came:
        if SEALED not in thoughts or "half" in thoughts:
            assert came == body
        else:
            own = [json.loads(one) for one in thoughts if one != SEALED]
            [message] = json.loads(came)["messages"]
            assert message["content"] == [*own, {"type": "text", "text": "Ä"}]
            assert json.loads(came) == {**json.loads(body), "messages": [message]}
    assert len(echo.came) == 2


def test_a_provider_url_may_include_its_version() -> None:
    echo = Echo(b"{}")
    with web(echo) as there, serving("openai_chat", "openai_chat", f"{there.url}/openai/v1") as url:
        asked(url, "/v1/chat/completions")
        asked(url, "/chat/completions")
        asked(url, "/v1/models", None, "GET")
    assert [one[1] for one in echo.came] == ["/openai/v1/chat/completions"] * 2 + ["/openai/v1/models"]


def test_a_client_may_omit_the_version() -> None:
    echo = Echo(b"{}")
    with web(echo) as there, serving("openai_responses", "openai_responses", there.url) as url:
        asked(url, "/responses")
        asked(url, "/responses/input_tokens")
        asked(url, "/models", None, "GET")
    assert [one[1] for one in echo.came] == ["/v1/responses", "/v1/responses/input_tokens", "/v1/models"]


def test_a_route_model_changes_only_the_model_member_and_is_reported() -> None:
    echo = Echo(b"{}")
    with web(echo) as there, serving("claude", "claude", there.url, model="two") as url:
        _, headers, _ = asked(url, "/v1/messages")
        asked(url, "/v1/messages/count_tokens")
        asked(url, "/v1/files")
    assert headers["interlingua-model"] == "two"
    assert [one[3] for one in echo.came] == [ODD.replace(b'"one"', b'"two"')] * 2 + [ODD]


def test_a_route_model_is_in_the_url_for_gemini() -> None:
    echo = Echo(b"{}")
    with web(echo) as there, serving("gemini", "gemini", there.url, model="two/2") as url:
        _, headers, _ = asked(url, "/v1/models/one:streamGenerateContent?alt=sse")
    assert headers["interlingua-model"] == "two/2"
    assert [one[1:4:2] for one in echo.came] == [("/v1/models/two%2F2:streamGenerateContent?alt=sse", ODD)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"{}", b'{"model":"x"}'),
        (b' {"a":[{"model":1}]}', b' {"model":"x","a":[{"model":1}]}'),
        (b'{"model":null,"a":"\\"model\\":1", "model" : 2 }', b'{"model":"x","a":"\\"model\\":1", "model" : "x" }'),
        (b"[1]", b"[1]"),
        (b'{"model":1', b'{"model":1'),
        (b"\xff", b"\xff"),
        (b"", b""),
        (b"[" * 100_000, b"[" * 100_000),
    ],
)
def test_only_the_model_of_a_request_is_changed(before: bytes, after: bytes) -> None:
    assert with_model(before, "x") == after


def test_a_truncated_answer_is_not_reported_as_complete() -> None:
    def respond(handler: Any, _asked: bytes) -> None:
        handler.close_connection = True
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")

    with (
        web(respond) as there,
        serving("claude", "claude", there.url) as url,
        pytest.raises(http.client.IncompleteRead),
    ):
        asked(url, "/v1/messages")
