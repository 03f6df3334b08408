"""What goes wrong between the server and a provider, on real sockets, and what the client hears of it."""

from __future__ import annotations

import json
import re
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import formatdate
from typing import TYPE_CHECKING, Any, Final

import anthropic
import ollama
import openai
import pytest
from google.genai import errors as gemini_errors

import interlingua as il
from interlingua.frames import write_frames
from interlingua.serve import Limits
from support.clients import CLIENTS
from support.scripted import JSON, body_of, frames_of, text
from support.serving import SERVED, At, serving, stage
from support.web import answering, web
from support.wire import Held, ask, cut

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.server import BaseHTTPRequestHandler

    from support.serving import Stage

SDK_ERRORS: Final = (openai.APIError, anthropic.APIError, gemini_errors.APIError, ollama.ResponseError)
PROVIDERS: Final = {one: "openai_chat" if one != "openai_chat" else "claude" for one in SERVED}
SAID: Final = text("Seven degrees, and rain.")
# What must not come after an error: it would say that the answer is whole. vLLM ends with `[DONE]` all the same.
WHOLE: Final = (b"message_stop", b"[DONE]", b"response.completed", b'"done":true', b"finishReason", b'reason":"stop"')
STREAM: Final = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
CLIENT: Final = pytest.mark.parametrize("client", SERVED)


@pytest.fixture(name="here", scope="module")
def _here() -> Iterator[Stage]:
    with stage() as one:
        yield one


def answered(url: str, client: str, *, stream: bool) -> tuple[int, dict[str, str], Any]:
    """Return status, headers and JSON body of an answer."""
    with ask(url, client, stream=stream) as answer:
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, json.loads(answer.read())


def category(client: str, status: int, body: Any) -> str:
    """Return what kind of error a client of a dialect reads."""
    return il.decode_error(body, il.dialect(client), status=status).category


def broken_off(here: Stage, client: str) -> bytes:
    """Return the bytes of a stream that was broken off, which the official client must take for no whole answer."""
    url = here.at(client, PROVIDERS[client])
    with ask(url, client, stream=True) as answer:
        data = answer.read()
    assert answer.status == 200
    assert b"Seven" in data
    assert [sign for sign in WHOLE if sign in data and (client, sign) != ("vllm", b"[DONE]")] == []
    with pytest.raises(SDK_ERRORS):
        CLIENTS[client](At(url), stream=True)
    return data


@STREAM
def test_refused_connections_are_a_provider_error(stream: bool, caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with serving("claude", "openai_chat", f"http://127.0.0.1:{port}") as url:
        status, headers, body = answered(url, "claude", stream=stream)
        with pytest.raises(anthropic.InternalServerError):
            CLIENTS["claude"](At(url), stream=stream)
    assert (status, body["type"]) == (502, "error")
    assert headers["content-type"] == "application/json"
    assert "the provider failed: ConnectError: All connection attempts failed" in caplog.text


class Keeping:
    """A provider that keeps a connection after its first answer, and leaves the second request on it with `rest`."""

    def __init__(self, rest: bytes = b"") -> None:
        self._rest = rest
        self._known: set[Any] = set()
        self.asked = 0

    def __call__(self, handler: BaseHTTPRequestHandler, _asked: bytes) -> None:
        self.asked += 1
        handler.close_connection = handler.client_address in self._known
        self._known.add(handler.client_address)
        body = json.dumps(body_of(SAID, "openai_chat")).encode()
        whole = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        handler.wfile.write(self._rest if handler.close_connection else whole)


@pytest.mark.parametrize("client", ["claude", "openai_chat"])
def test_a_kept_alive_connection_closed_by_the_provider_is_retried(client: str) -> None:
    provider = Keeping()
    with web(provider) as there, serving(client, "openai_chat", there.url) as url:
        assert [answered(url, client, stream=False)[0] for _ in range(3)] == [200] * 3
    assert provider.asked == 5  # the second and the third request are sent twice


def test_a_request_is_not_retried_after_its_answer_has_begun() -> None:
    provider = Keeping(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
    with web(provider) as there, serving("claude", "openai_chat", there.url) as url:
        assert [answered(url, "claude", stream=False)[0] for _ in range(2)] == [200, 502]
    assert provider.asked == 2


def test_a_request_that_breaks_a_new_connection_is_not_retried() -> None:
    with web(lambda handler, _: handler.wfile.flush()) as there, serving("claude", "openai_chat", there.url) as url:
        assert answered(url, "claude", stream=False)[0] == 502
        assert len(there.asked) == 1


def test_the_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    body = json.dumps(body_of(SAID, "openai_chat")).encode()
    for name in ("http_proxy", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with web(answering(body)) as proxy, web(answering(body)) as near:
        monkeypatch.setenv("HTTP_PROXY", f"127.0.0.1:{proxy.port}")
        for url in ("http://provider.invalid", "http://left.invalid", near.url):
            monkeypatch.setenv("no_proxy", "left.invalid")
            with serving("claude", "openai_chat", url) as here:
                assert answered(here, "claude", stream=False)[0] == (502 if "left" in url else 200)
        assert [path for path, _ in proxy.asked] == ["http://provider.invalid/v1/chat/completions"]
        assert [path for path, _ in near.asked] == ["/v1/chat/completions"]


@STREAM
def test_a_provider_that_hangs_times_out(stream: bool) -> None:
    with stage(Limits(silence=0.1)) as here:
        here.provider = Held("openai_chat", None).respond
        status, _, body = answered(here.at("claude", "openai_chat"), "claude", stream=stream)
    assert (status, body["error"]["type"]) == (504, "timeout_error")


@CLIENT
def test_a_provider_that_stops_within_a_frame_interrupts_the_stream(client: str, here: Stage) -> None:
    provider = PROVIDERS[client]
    here.provider = cut(provider, frames_of(SAID, provider)[:4], b'data: {"id":', is_whole=False)
    broken_off(here, client)


@CLIENT
@pytest.mark.parametrize("rest", [b"data: {nonsense\n\n", b'data: {"id":', b"data: [1]\n\n", b'data: {"\xff": 1}\n\n'])
def test_invalid_data_after_frames_interrupts_the_stream(client: str, rest: bytes, here: Stage) -> None:
    provider = PROVIDERS[client]
    here.provider = cut(provider, frames_of(SAID, provider)[:4], rest, is_whole=True)
    broken_off(here, client)


@CLIENT
def test_a_provider_that_stops_between_frames_interrupts_the_stream(client: str, here: Stage) -> None:
    provider = PROVIDERS[client]
    here.provider = cut(provider, frames_of(SAID, provider)[:4], b"", is_whole=True)
    broken_off(here, client)


@CLIENT
@pytest.mark.parametrize("is_whole", [False, True])
def test_an_interrupted_stream_has_an_error_that_agents_retry(client: str, is_whole: bool, here: Stage) -> None:
    provider = PROVIDERS[client]
    here.provider = cut(provider, frames_of(SAID, provider)[:4], b"", is_whole=is_whole)
    assert b"Connection error" in broken_off(here, client)


@CLIENT
@pytest.mark.parametrize("provider", SERVED)
def test_an_empty_answer_is_a_complete_stream(client: str, provider: str, here: Stage) -> None:
    silent = {**SAID, "messages": [{"role": "assistant"}]}
    here.provider = cut(provider, frames_of(silent, provider), b"", is_whole=True)
    with ask(here.at(client, provider), client, stream=True) as answer:
        data = answer.read()
    assert answer.status == 200
    assert any(sign in data for sign in WHOLE)
    assert CLIENTS[client](At(here.at(client, provider)), stream=True)


@CLIENT
@pytest.mark.parametrize(("provider", "body"), [("openai_chat", b'{"choices": []}'), ("gemini", b'{"candidates": []}')])
def test_an_answer_without_message_and_end_is_an_error(client: str, provider: str, body: bytes, here: Stage) -> None:
    if client == provider:
        return
    here.provider = answering(body, 200, JSON)
    status, _, said = answered(here.at(client, provider), client, stream=False)
    assert category(client, status, said) in {"unavailable", "overloaded"}


@STREAM
@CLIENT
@pytest.mark.parametrize("garbage", [b"<html>Bad gateway</html>", b"\xff\xfe", b"", b"[1]", b'{"well": 1}'])
def test_a_provider_that_sends_only_invalid_data_is_an_error(
    client: str, garbage: bytes, stream: bool, here: Stage
) -> None:
    here.provider = answering(garbage)
    status, headers, body = answered(here.at(client, PROVIDERS[client]), client, stream=stream)
    assert status in {502, 503}
    assert headers["content-type"] == "application/json"
    assert category(client, status, body) in {"unavailable", "overloaded"}


@STREAM
def test_a_redirect_of_the_provider_is_not_followed_and_reported(stream: bool, here: Stage) -> None:
    here.provider = answering(b"<html>Moved</html>", 308, {"location": "http://127.0.0.1:9/secret"})
    status, _, body = answered(here.at("claude", "openai_chat"), "claude", stream=stream)
    assert (status, body["error"]["type"]) == (502, "api_error")
    assert "status 308" in body["error"]["message"]
    assert "secret" not in json.dumps(body)


@CLIENT
@pytest.mark.parametrize("at", [0, 4])
def test_an_error_after_status_200_is_in_the_stream(client: str, at: int, here: Stage) -> None:
    provider = PROVIDERS[client]
    error = list(il.encode_error_stream(il.ApiError(category="overloaded", message="Later."), il.dialect(provider)))
    here.provider = cut(provider, [*frames_of(SAID, provider)[:at], *error], b"", is_whole=True)
    if at:
        assert b"Later." in broken_off(here, client)
        return
    status, _, body = answered(here.at(client, provider), client, stream=True)
    assert category(client, status, body) == "overloaded"
    assert "Later." in json.dumps(body)


OPENED: Final[dict[str, Any]] = {"id": "r", "object": "response", "model": "m", "created_at": 1, "output": []}
LIMIT: Final = {"code": "rate_limit_exceeded", "message": "Slow down. Please try again in 7s."}
# The frames with which a provider opens a stream, and an error behind them.
FAILING: Final[dict[str, list[Any]]] = {
    "openai_responses": [
        {"type": "response.created", "response": {**OPENED, "status": "in_progress"}},
        {"type": "response.in_progress", "response": {**OPENED, "status": "in_progress"}},
        {"type": "response.failed", "response": {**OPENED, "status": "failed", "error": LIMIT}},
    ],
    "openai_chat": [*frames_of(SAID, "openai_chat")[:1], {"error": LIMIT}],
    "claude": [
        *frames_of(SAID, "claude")[:1],
        {"type": "error", "error": {"type": "rate_limit_error", "message": LIMIT["message"]}},
    ],
}


@CLIENT
@pytest.mark.parametrize("provider", FAILING)
@pytest.mark.parametrize("is_cut", [False, True])
def test_a_stream_that_fails_before_its_first_event_has_an_error_status(
    client: str, provider: str, is_cut: bool, here: Stage
) -> None:
    if client == provider:
        return
    frames = FAILING[provider]
    here.provider = cut(provider, frames[:-1] if is_cut else frames, b"", is_whole=not is_cut)
    status, headers, body = answered(here.at(client, provider), client, stream=True)
    if is_cut:
        assert category(client, status, body) in {"unavailable", "overloaded"}
    else:
        assert (status, headers["retry-after"]) == (429, "7")
        assert category(client, status, body) == "rate_limit"


@CLIENT
def test_an_error_with_status_200_instead_of_a_stream_gets_its_own_status(client: str, here: Stage) -> None:
    here.provider = answering(b'{"error": {"message": "Slow down.", "code": 429}}', 200, JSON)
    status, headers, body = answered(here.at(client, PROVIDERS[client]), client, stream=True)
    assert (status, headers["content-type"]) == (429, "application/json")
    assert category(client, status, body) == "rate_limit"


@pytest.mark.parametrize("client", [one for one in SERVED if one != "gemini"])
@pytest.mark.parametrize("at", [0, 3])
def test_an_unframed_error_at_the_end_of_a_stream_is_reported(client: str, at: int, here: Stage) -> None:
    error = json.dumps({"error": {"code": 503, "message": "High demand.", "status": "UNAVAILABLE"}}, indent=2).encode()
    here.provider = cut("gemini", frames_of(SAID, "gemini")[:at], error, is_whole=True)
    with ask(here.at(client, "gemini"), client, stream=True) as answer:
        data = answer.read()
    assert answer.status == (200 if at else 529 if client == "claude" else 503)
    assert b"High demand." in data


@pytest.mark.parametrize("client", [one for one in SERVED if one != "openai_chat"])
def test_a_whole_answer_of_a_provider_without_streaming_becomes_a_stream(client: str, here: Stage) -> None:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Seven degrees."}}
    whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    here.provider = answering(json.dumps(whole).encode(), 200, JSON)
    assert CLIENTS[client](At(here.at(client, PROVIDERS[client])), stream=True)


@STREAM
@CLIENT
@pytest.mark.parametrize(("provider", "status"), [("claude", 429), ("claude", 529), ("openai_chat", 429)])
def test_an_overloaded_provider_is_reported_with_its_status(
    client: str, provider: str, status: int, stream: bool, here: Stage
) -> None:
    kind: Any = "overloaded" if status == 529 else "rate_limit"
    error = il.encode_error(il.ApiError(category=kind, message="Slow down.", retry_after=7), il.dialect(provider))
    here.provider = answering(json.dumps(error.body).encode(), status, {**JSON, **error.headers})
    found, headers, body = answered(here.at(client, provider), client, stream=stream)
    expected = il.translate_error(error.body, il.dialect(provider), il.dialect(client), status=status)
    assert (found, headers["retry-after"]) == (expected.status, "7")
    assert category(client, found, body) == kind
    assert "Slow down." in json.dumps(body)


@STREAM
@pytest.mark.parametrize("client", ["openai_chat", "openai_responses", "gemini", "vllm"])
def test_a_retry_time_given_as_a_date_is_translated(client: str, stream: bool, here: Stage) -> None:
    body = b'{"type": "error", "error": {"type": "rate_limit_error", "message": "Slow down."}}'
    moments = (
        {"retry-after": formatdate(time.time() + 40, usegmt=True)},
        {
            "anthropic-ratelimit-tokens-remaining": "0",
            "anthropic-ratelimit-tokens-reset": (datetime.now(UTC) + timedelta(seconds=40)).isoformat(),
        },
    )
    for said in moments:
        here.provider = answering(body, 429, {**JSON, **said})
        status, headers, _ = answered(here.at(client, "claude"), client, stream=stream)
        assert status == 429
        assert 1 <= int(headers["retry-after"]) <= 41


MADE: Final = re.compile(rb'"created(?:_at)?":"?(1970-[^"]*|0\b)')


@STREAM
@pytest.mark.parametrize("client", ["openai_chat", "openai_responses", "ollama", "vllm"])
def test_an_answer_has_a_creation_time_even_if_the_provider_sends_none(client: str, stream: bool, here: Stage) -> None:
    said = {name: value for name, value in SAID.items() if name != "created"}
    whole = json.dumps(body_of(said, "claude")).encode()
    here.provider = cut("claude", frames_of(said, "claude"), b"", is_whole=True) if stream else answering(whole)
    with ask(here.at(client, "claude"), client, stream=stream) as answer:
        data = answer.read()
    assert b'"created' in data
    assert MADE.findall(data) == []


@STREAM
def test_an_ollama_client_gets_the_duration_of_an_answer(stream: bool, here: Stage) -> None:
    whole = json.dumps(body_of(SAID, "claude")).encode()
    here.provider = cut("claude", frames_of(SAID, "claude"), b"", is_whole=True) if stream else answering(whole)
    with ask(here.at("ollama", "claude"), "ollama", stream=stream) as answer:
        end = json.loads(answer.read().splitlines()[-1])
    assert end["done"] is True
    assert 0 < end["eval_duration"] <= end["total_duration"]
    assert 0 < end["prompt_eval_duration"] <= end["total_duration"]
    assert type(end["load_duration"]) is int


@STREAM
def test_a_text_for_claude_clients_has_a_list_of_citations(stream: bool, here: Stage) -> None:
    whole = json.dumps(body_of(SAID, "openai_chat")).encode()
    here.provider = (
        cut("openai_chat", frames_of(SAID, "openai_chat"), b"", is_whole=True) if stream else answering(whole)
    )
    with ask(here.at("claude", "openai_chat"), "claude", stream=stream) as answer:
        data = answer.read()
    assert re.findall(rb'"citations":\s*([^,}]*)', data) == [b"[]"]


@CLIENT
def test_a_text_with_unicode_line_separators_is_complete(client: str, here: Stage) -> None:
    said = "One.\u2028Two.\u2029Three.\u0085Four."
    provider = PROVIDERS[client]
    here.provider = cut(provider, frames_of(text(said), provider), b"", is_whole=True)
    body = CLIENTS[client](At(here.at(client, provider)), stream=True)
    assert json.dumps(said)[1:-1] in json.dumps(body)


@STREAM
def test_rate_limit_headers_are_translated_for_successful_answers_too(stream: bool, here: Stage) -> None:
    message = {"role": "assistant", "content": "Seven."}
    whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    body = json.dumps({**whole, "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}).encode()
    frames = b"".join(write_frames(frames_of(SAID, "openai_chat"), "openai_chat"))
    kind = {"content-type": "text/event-stream"} if stream else JSON
    here.provider = answering(frames if stream else body, 200, {**kind, "x-ratelimit-remaining-tokens": "12"})
    with ask(here.at("claude", "openai_chat"), "claude", stream=stream) as answer:
        assert answer.status == 200
        assert answer.headers["anthropic-ratelimit-tokens-remaining"] == "12"


@pytest.mark.parametrize("moment", ["before the first token", "between two tokens", "without a stream"])
@pytest.mark.parametrize("provider", ["openai_chat", "claude"])
def test_a_client_disconnect_cancels_the_provider_request(moment: str, provider: str, here: Stage) -> None:
    has_begun = moment == "between two tokens"
    held = Held(provider, frames_of(SAID, provider)[:4] if has_begun else None)
    here.provider = held.respond
    path = here.at("claude", provider).partition("//")[2]
    host, _, prefix = path.partition("/")
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Well?"}]}
    data = json.dumps({**body, "stream": moment != "without a stream"}).encode()
    with socket.create_connection(("127.0.0.1", int(host.partition(":")[2]))) as client:
        head = f"POST /{prefix}/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: {len(data)}\r\n\r\n"
        client.sendall(head.encode() + data)
        assert held.is_asked.wait(20)
        if has_begun:
            assert client.recv(10)
    assert held.has_left.wait(20)
