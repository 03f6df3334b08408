"""What makes the server trusted: credentials, limits, addresses, counts, lists of models, losses, records."""

from __future__ import annotations

import gzip
import http.client
import json
import logging
import os
import socket
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import openai
import pytest
import zstandard
from starlette.datastructures import Headers, QueryParams

import interlingua as il
from interlingua.serve import Limits, Route, create_app
from interlingua.serve.headers import provider_headers
from support.scripted import JSON, body_of, frames_of, scripted, text
from support.serving import SERVED, serving, serving_routes
from support.web import answer, answering, web
from support.wire import asked_of

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

SECRET: Final = "sk-very-secret"  # noqa: S105  # nobody's
SAID: Final = text("Seven degrees, and rain.")
FORMS: Final = {
    "openai_chat": {"authorization": f"Bearer {SECRET}"},
    "openai_responses": {"authorization": f"Bearer {SECRET}"},
    "claude": {"x-api-key": SECRET},
    "gemini": {"x-goog-api-key": SECRET},
    "ollama": {"authorization": f"Bearer {SECRET}"},
    "vllm": {"authorization": f"Bearer {SECRET}"},
}


def call(
    url: str, path: str, body: Any = None, headers: dict[str, str] | None = None, method: str = ""
) -> tuple[int, dict[str, str], Any]:
    """Ask, and return status, headers by their names in lower case, and the JSON of the answer."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=60)
    try:
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method or ("GET" if body is None else "POST"), parts.path + path, data, headers or {})
        reply = connection.getresponse()
        told = {name.lower(): value for name, value in reply.getheaders()}
        said = reply.read()
        return reply.status, told, json.loads(said) if said else None
    finally:
        connection.close()


class Provider:
    """A provider that answers by path, and keeps what it was asked."""

    def __init__(self, **said: Any) -> None:
        self.said = said
        self.asked: list[tuple[str, dict[str, str], Any]] = []

    def __call__(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        headers = {name.lower(): value for name, value in handler.headers.items()}
        self.asked.append((handler.path, headers, json.loads(body) if body else None))
        answer(handler, json.dumps(self.said["body"]).encode(), self.said.get("status", 200), dict(JSON))


@pytest.mark.parametrize("provider", SERVED)
def test_credentials_are_sent_only_to_the_provider_in_its_form(
    provider: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    record = tmp_path / "record.jsonl"
    clients = [one for one in SERVED if one != provider]
    with scripted(provider, lambda _: SAID) as there:
        backend = il.dialect(provider)
        routes = [Route(speak=il.dialect(one), backend=backend, url=there.url, prefix=f"/{one}") for one in clients]
        with serving_routes(*routes, record=record) as url:
            for client in clients:
                path, body = asked_of(client, stream=False)
                assert call(f"{url}/{client}", path, body, FORMS[client])[0] == 200
            if "gemini" in clients:
                path, body = asked_of("gemini", stream=False)
                assert call(f"{url}/gemini", f"{path}?key={SECRET}", body)[0] == 200
    bearer = FORMS["openai_chat"] if provider == "claude" else {}  # servers other than Anthropic's read one of the two
    keys = {"authorization", "x-api-key", "x-goog-api-key"}
    for asked in there.asked:
        assert {one: asked.headers[one] for one in keys if one in asked.headers} == FORMS[provider] | bearer
        assert SECRET not in asked.path
    assert SECRET not in caplog.text
    assert SECRET not in record.read_text(encoding="utf-8")
    assert record.stat().st_mode & 0o077 == 0


def test_anthropic_gets_a_key_only_in_its_own_header() -> None:
    route = Route(speak="openai_chat", backend="claude", url="https://api.anthropic.com")
    told = provider_headers(route, Headers(FORMS["openai_chat"]), QueryParams())
    assert {name: told.get(name) for name in ("authorization", "x-api-key")} == {
        "authorization": None, "x-api-key": SECRET
    }  # fmt: skip


@pytest.mark.parametrize("provider", ["openai_responses", "claude"])
def test_organisation_headers_are_sent_only_to_openai(provider: str) -> None:
    account = {"openai-organization": "org-1", "openai-project": "proj_1"}
    with scripted(provider, lambda _: SAID) as there, serving("openai_chat", provider, there.url) as url:
        assert call(url, *asked_of("openai_chat", stream=False), account)[0] == 200
    [asked] = there.asked
    told = {name: asked.headers[name] for name in account if name in asked.headers}
    assert told == (account if provider == "openai_responses" else {})


@pytest.mark.parametrize("client", ["openai_chat", "openai_responses"])
def test_azure_clients_use_the_azure_paths(client: str) -> None:
    with scripted("claude", lambda _: SAID) as there, serving(client, "claude", there.url) as url:
        own = openai.OpenAI(base_url=f"{url}/openai/v1", api_key=SECRET)
        for one in (own, openai.AzureOpenAI(azure_endpoint=url, api_version="2025-04-01-preview", api_key=SECRET)):
            with one:
                if client == "openai_chat":
                    one.chat.completions.create(model="opus", messages=[{"role": "user", "content": "Well?"}])
                else:
                    one.responses.create(model="opus", input="Well?")
        if client == "openai_chat":
            body = {"messages": [{"role": "user", "content": "Well?"}]}
            assert call(url, "/openai/deployments/opus/chat/completions", body)[0] == 200
    assert {one.body["model"] for one in there.asked} == {"opus"}
    assert {one.headers.get("x-api-key") for one in there.asked[:2]} == {SECRET}


def test_a_chat_completions_agent_works_with_vertex_ai() -> None:
    said = {"content": {"role": "model", "parts": [{"text": "Seven degrees."}]}, "finishReason": "STOP"}
    provider = Provider(body={"candidates": [said]})
    call_made = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    body = {
        "model": "gemini-3.8-flash",
        "messages": [
            {"role": "user", "content": "How warm is it?"},
            {"role": "assistant", "content": None, "tool_calls": [call_made]},
            {"role": "tool", "tool_call_id": "c1", "content": "7"},
        ],
        "tools": [{"type": "function", "function": {"name": "weather"}}],
    }
    project = "/v1/projects/p/locations/global/publishers/google"
    with web(provider) as there:
        route = Route(speak="openai_chat", backend="gemini", url=there.url + project, api_version="vertex")
        with serving_routes(route) as url:
            status, _, reply = call(url, "/v1/chat/completions", body, {"authorization": "Bearer ya29.token"})
    assert (status, reply["choices"][0]["message"]["content"]) == (200, "Seven degrees.")
    [(path, headers, asked)] = provider.asked
    assert path == f"{project}/models/gemini-3.8-flash:generateContent"
    assert headers["authorization"] == "Bearer ya29.token"
    assert "x-goog-api-key" not in headers
    assert il.check_request(asked, "gemini", api_version="vertex") == []


def test_a_route_fills_absent_settings() -> None:
    """Who speaks Responses asks for no cache, since OpenAI's models have one unasked; Claude has none then."""
    defaults = {"cache": {}, "max_tokens": 77}
    body = {"model": "m", "input": "How warm is it?"}
    with (
        scripted("claude", lambda _: SAID) as there,
        serving("openai_responses", "claude", there.url, defaults=defaults) as url,
    ):
        call(url, "/v1/responses", body)
        call(url, "/v1/responses", {**body, "max_output_tokens": 55})
    assert [asked.body["max_tokens"] for asked in there.asked] == [77, 55]
    assert [asked.body["cache_control"] for asked in there.asked] == [{"type": "ephemeral"}] * 2


def test_a_client_without_credentials_sends_none() -> None:
    with scripted("claude", lambda _: SAID) as there, serving("openai_chat", "claude", there.url) as url:
        call(url, *asked_of("openai_chat", stream=False))
    assert not {"authorization", "x-api-key"} & there.asked[0].headers.keys()


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_the_record_has_requests_and_answers_of_both_sides(stream: bool, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    with scripted("claude", lambda _: SAID) as there, serving("openai_chat", "claude", there.url, record=record) as url:
        path, body = asked_of("openai_chat", stream=stream)
        connection = http.client.HTTPConnection(urlsplit(url).netloc)
        connection.request("POST", path, json.dumps(body))
        connection.getresponse().read()
        connection.close()
    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    kinds = list(dict.fromkeys(line["kind"] for line in lines))
    assert kinds == ["asked", "sent", "said", "answer"]
    assert lines[0]["body"] == body
    assert lines[1]["body"] == there.asked[0].body
    said = [line["body"] for line in lines if line["kind"] == "said"]
    assert said == (frames_of(SAID, "claude") if stream else [body_of(SAID, "claude")])


@pytest.mark.parametrize("backend", ["claude", "openai_chat"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_a_record_that_cannot_be_written_any_more_is_logged_once_and_stops_no_request(
    stream: bool, backend: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    record = tmp_path / "record"
    os.mkfifo(record)
    reader = os.open(record, os.O_RDONLY | os.O_NONBLOCK)
    with (
        caplog.at_level(logging.ERROR, logger="interlingua.serve"),
        scripted(backend, lambda _: SAID) as there,
        serving("openai_chat", backend, there.url, record=record) as url,
    ):
        os.close(reader)  # writing fails from now on, as on a full disk
        answers: list[tuple[int, bool]] = []
        for _ in range(2):
            path, body = asked_of("openai_chat", stream=stream)
            connection = http.client.HTTPConnection(urlsplit(url).netloc)
            connection.request("POST", path, json.dumps(body))
            answer_ = connection.getresponse()
            answers.append((answer_.status, b'"finish_reason"' in answer_.read()))
            connection.close()
    assert answers == [(200, True)] * 2
    assert [one.getMessage() for one in caplog.records] == ["nothing is recorded any more: Broken pipe"]


@pytest.mark.parametrize("client", SERVED)
def test_every_response_is_json_in_the_clients_dialect(client: str) -> None:
    provider = "claude" if client != "claude" else "openai_chat"
    with web(answering()) as there, serving(client, provider, there.url, limits=Limits(body=500)) as url:
        path, body = asked_of(client, stream=False)
        found = {
            404: call(url, "/no/such/path", {}),
            400: call(url, path, b"{nonsense"),
            413: call(url, path, {**body, "more": "x" * 600}),
        }
        refused = [
            call(url, path, body, method="PUT"),
            call(url, path, body, {"content-encoding": "gzip"}),
            call(url, path, b"[1]"),
        ]
        assert call(url, "/", None, method="HEAD")[0] == 200
        assert call(url, "/")[2]["name"] == "interlingua"
    assert {expected: one[0] for expected, one in found.items()} == {one: one for one in found}
    assert [one[0] for one in refused] == [400, 400, 400]
    for status, headers, said in (*found.values(), *refused):
        assert headers["content-type"] == "application/json"
        assert il.decode_error(said, il.dialect(client), status=status).message


PACKED: Final = {"gzip": gzip.compress, "zstd": zstandard.ZstdCompressor().compress}


@pytest.mark.parametrize("coding", PACKED)
@pytest.mark.parametrize("client", ["openai_responses", "openai_chat"])
def test_a_compressed_request_is_decompressed(client: str, coding: str) -> None:
    path, body = asked_of(client, stream=False)
    packed = PACKED[coding](json.dumps(body).encode())
    with scripted("openai_chat", lambda _: SAID) as there, serving(client, "openai_chat", there.url, model="x") as url:
        assert call(url, path, packed, {"content-encoding": coding})[0] == 200
        assert call(url, path, packed, {"content-encoding": coding.upper()})[0] == 200
    assert [one.body["model"] for one in there.asked] == ["x", "x"]
    assert not any("content-encoding" in one.headers for one in there.asked)


@pytest.mark.parametrize("coding", PACKED)
def test_the_size_limit_applies_to_the_decompressed_request(coding: str) -> None:
    path, body = asked_of("claude", stream=False)
    large, cut = ({**body, "more": "x" * 10_000_000}, PACKED[coding](json.dumps(body).encode())[:-20])
    with web(answering()) as there, serving("claude", "vllm", there.url, limits=Limits(body=50_000)) as url:
        found = [
            call(url, path, data, {"content-encoding": name})[0]
            for data, name in ((PACKED[coding](json.dumps(large).encode()), coding), (cut, coding), (b"{}", "br"))
        ]
        assert there.asked == []
    assert found == [413, 400, 400]


def test_a_compressed_request_passes_unchanged_within_one_dialect() -> None:
    packed = PACKED["zstd"](b'{"model": "one"}')
    came: list[tuple[str | None, bytes]] = []

    def respond(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        came.append((handler.headers["content-encoding"], body))
        answer(handler, b"{}")

    with web(respond) as there, serving("openai_responses", "openai_responses", there.url) as url:
        call(url, "/v1/responses", packed, {"content-encoding": "zstd"})
    assert came == [("zstd", packed)]


def test_a_slow_request_times_out() -> None:
    limits = Limits(request=0.05)
    with (
        web(answering()) as there,
        serving("claude", "openai_chat", there.url, limits=limits) as url,
        socket.create_connection(("127.0.0.1", urlsplit(url).port or 0)) as client,
    ):
        client.sendall(b"POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{")
        assert client.recv(100).startswith(b"HTTP/1.1 504 ")


def test_a_request_with_disallowed_losses_is_refused() -> None:
    body = {**asked_of("openai_chat", stream=False)[1], "seed": 3, "stop": [" "]}
    with scripted("claude", lambda _: SAID) as there, serving("openai_chat", "claude", there.url, strict=True) as url:
        status, _, said = call(url, "/v1/chat/completions", body)
    assert (status, there.asked) == (400, [])
    assert "/seed (tuning)" in said["error"]["message"]


def test_losses_are_in_a_header_and_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "interlingua.serve")
    body = {**asked_of("openai_chat", stream=False)[1], "seed": 3}
    with scripted("claude", lambda _: SAID) as there, serving("openai_chat", "claude", there.url) as url:
        _, headers, _ = call(url, "/v1/chat/completions", body)
    assert headers["interlingua-losses"].startswith("contract=1, tuning=1")
    assert "tuning: lost setting at /seed" in caplog.text
    assert "Well?" not in caplog.text


@pytest.mark.parametrize("provider", [one for one in SERVED if one != "claude"])
def test_the_first_frame_of_a_claude_stream_has_the_prompt_tokens(provider: str) -> None:
    with scripted(provider, lambda _: SAID) as there, serving("claude", provider, there.url) as url:
        path, body = asked_of("claude", stream=True)
        connection = http.client.HTTPConnection(urlsplit(url).netloc)
        connection.request("POST", f"{path}?beta=true", json.dumps(body))
        reply = connection.getresponse()
        frames = [json.loads(line[6:]) for line in reply.read().splitlines() if line.startswith(b"data: ")]
        connection.close()
    assert reply.headers["interlingua-tokens"] == "estimate"
    assert reply.headers["x-accel-buffering"] == "no"
    begun = frames[0]["message"]["usage"]
    assert begun["input_tokens"] > 0
    # Mistral Vibe adds them up, and fails on null, which Anthropic never sends there.
    assert begun["cache_creation_input_tokens"] == begun["cache_read_input_tokens"] == 0
    assert frames[-2]["usage"]["input_tokens"] == SAID["usage"]["input_tokens"]


COUNTS: Final = {
    "claude": ("/v1/messages/count_tokens", "input_tokens"),
    "gemini": ("/v1beta/models/m:countTokens", "totalTokens"),
    "openai_responses": ("/v1/responses/input_tokens", "input_tokens"),
}


@pytest.mark.parametrize("client", COUNTS)
@pytest.mark.parametrize("provider", SERVED)
def test_tokens_are_counted_by_the_provider_or_estimated(client: str, provider: str) -> None:
    if client == provider:
        return
    played = Provider(body={"input_tokens": 42, "totalTokens": 42})
    path, name = COUNTS[client]
    body = asked_of(client, stream=False)[1]
    body.pop("max_tokens", None)
    body.pop("stream", None)
    with web(played) as there, serving(client, provider, there.url) as url:
        status, headers, said = call(url, path, body)
    assert status == 200
    if provider in COUNTS:
        assert said[name] == 42
        assert "interlingua-tokens" not in headers
        [(asked_path, _, asked)] = played.asked
        assert asked_path == COUNTS[provider][0].replace("models/m:", f"models/{body.get('model', 'm')}:")
        assert "max_tokens" not in json.dumps(asked)
    else:
        assert 0 < said[name] < 30
        assert headers["interlingua-tokens"] == "estimate"
        assert played.asked == []


def test_a_provider_without_token_counting_is_no_error() -> None:
    played = Provider(body={"error": {"message": "Not here."}}, status=404)
    with web(played) as there, serving("claude", "gemini", there.url) as url:
        body = asked_of("claude", stream=False)[1]
        status, headers, said = call(url, "/v1/messages/count_tokens", body)
    assert (status, headers["interlingua-tokens"]) == (200, "estimate")
    assert said["input_tokens"] > 0


LISTS: Final[dict[str, Any]] = {
    "openai_chat": {"object": "list", "data": [{"id": "m1", "object": "model", "created": 5, "owned_by": "me"}]},
    "claude": {
        "data": [{"type": "model", "id": "m1", "display_name": "One", "created_at": "2026-01-02T00:00:00Z"}],
        "has_more": False,
    },
    "gemini": {"models": [{"name": "models/m1", "displayName": "One", "inputTokenLimit": 1000}]},
    "ollama": {"models": [{"name": "m1", "model": "m1", "modified_at": "2026-01-02T00:00:00Z", "size": 1}]},
    "vllm": {"object": "list", "data": [{"id": "m1", "object": "model", "max_model_len": 1000}]},
}
LISTS["openai_responses"] = LISTS["openai_chat"]


@pytest.mark.parametrize("provider", SERVED)
@pytest.mark.parametrize("client", SERVED)
def test_models_are_listed_and_shown_in_the_dialect(client: str, provider: str) -> None:
    if client == provider:
        return
    played = Provider(body=LISTS[provider])
    with web(played) as there, serving(client, provider, there.url) as url:
        path = {"gemini": "/v1beta/models", "ollama": "/api/tags"}.get(client, "/v1/models")
        _, _, listed = call(url, path)
        played.said = {"body": next(iter(LISTS[provider].get("data") or LISTS[provider].get("models")))}
        one = call(url, "/api/show", {"model": "m1"}) if client == "ollama" else call(url, f"{path}/m1")
    rows = listed.get("data") or listed.get("models")
    assert [row.get("id") or row["name"].removeprefix("models/") for row in rows] == ["m1"]
    assert one[0] == 200
    assert "m1" in json.dumps(one[2])
    if provider in {"gemini", "vllm"}:
        assert "1000" in json.dumps(one[2])


@pytest.mark.parametrize(
    ("provider", "whole"), [("claude", "/v1/models?limit=1000"), ("gemini", "/v1beta/models?pageSize=1000")]
)
def test_a_model_list_includes_all_pages_of_the_provider(provider: str, whole: str) -> None:
    with web(Provider(body=LISTS[provider])) as there, serving("openai_chat", provider, there.url) as url:
        call(url, "/v1/models")
    assert [path for path, _ in there.asked] == [whole]


@pytest.mark.parametrize("client", ["openai_chat", "openai_responses", "vllm"])
def test_openai_clients_may_omit_the_version_in_every_path(client: str) -> None:
    played = Provider(body=LISTS["claude"])
    with web(played) as there, serving(client, "claude", there.url) as url:
        listed = call(url, "/models")
        played.said = {"body": LISTS["claude"]["data"][0]}
        shown = call(url, "/models/m1")
    assert (listed[0], listed[2]["data"][0]["id"]) == (200, "m1")
    assert (shown[0], shown[2]["id"]) == (200, "m1")


def test_ollama_clients_get_a_version() -> None:
    with web(answering()) as there, serving("ollama", "claude", there.url) as url:
        assert call(url, "/api/version")[2]["version"].count(".") == 2


def test_several_dialects_share_one_server() -> None:
    names: tuple[il.Dialect, ...] = ("openai_chat", "openai_responses", "claude", "gemini", "ollama")
    with scripted("vllm", lambda _: SAID) as there:
        routes = [Route(speak=one, backend="vllm", url=there.url) for one in names]
        with serving_routes(*routes) as url:
            for name in names:
                assert call(url, *asked_of(name, stream=False))[0] == 200


def test_an_unknown_path_gets_an_error_in_the_dialect_of_its_prefix() -> None:
    names: tuple[il.Dialect, ...] = ("openai_chat", "claude", "gemini", "ollama")
    with web(answering()) as there:
        routes = [Route(speak=one, backend="vllm", url=there.url, prefix=f"/{one}") for one in names]
        with serving_routes(*routes) as url:
            found = {name: call(url, f"/{name}/no/such/path", {}) for name in names}
    unknown = il.ApiError(category="not_found", code="unknown_url", message="M")
    told = {name: il.encode_error(unknown, name).body for name in names}
    assert told["openai_chat"]["error"]["code"] == "unknown_url"
    assert {name: status for name, (status, _, _) in found.items()} == dict.fromkeys(names, 404)
    said = {
        name: json.loads(json.dumps(body).replace("There is no such path.", "M"))
        for name, (_, _, body) in found.items()
    }
    assert said == told


@pytest.mark.parametrize("client", ["openai_chat", "openai_responses", "claude", "ollama"])
def test_a_path_may_end_with_a_slash_and_accepts_only_its_methods(client: str) -> None:
    path, body = asked_of(client, stream=False)
    with scripted("vllm", lambda _: SAID) as there, serving(client, "vllm", there.url) as url:
        assert call(url, f"{path}/", body)[0] == 200
        _, headers, said = call(url, path)
    assert headers["allow"] == "POST"
    assert "This path does not accept GET." in json.dumps(said)


def test_an_origin_that_no_browser_sends_is_refused() -> None:
    route = Route(speak="openai_chat", backend="claude", url="http://a.example")
    for origin in ("localhost:3000", "http://localhost:3000/", "http://", "http://a.example/chat", "page.example", ""):
        with pytest.raises(ValueError, match="an origin is a scheme and a host, such as http://localhost:3000"):
            create_app([route], origins=[origin])
    with pytest.raises(ValueError, match="not one text: put it into a list"):
        create_app([route], origins="http://localhost:3000")
    create_app([route], origins=["*", "null", "http://localhost:3000", "app://obsidian.md", "http://[::1]:8080"])


@pytest.mark.parametrize("client", ["openai_chat", "claude"])
def test_web_pages_of_allowed_origins_are_served(client: str) -> None:
    path, body = asked_of(client, stream=False)
    told = "access-control-allow-origin"
    wish = {"access-control-request-method": "POST", "access-control-request-headers": "x-api-key, content-type"}
    theirs = json.dumps(body_of(SAID, "claude")).encode()
    with web(answering(theirs, 200, {**JSON, told: "https://own.example"})) as there:
        route = Route(speak=il.dialect(client), backend="claude", url=there.url)
        with serving_routes(route, origins=("http://page.example",)) as url:
            found = {}
            for origin in ("http://page.example", "http://other.example"):
                parts = urlsplit(url)
                connection = http.client.HTTPConnection(parts.netloc, timeout=60)
                connection.request("OPTIONS", path, None, {"origin": origin, **wish})
                before = connection.getresponse()
                before.read()
                connection.request("POST", path, json.dumps(body), {"origin": origin})
                after = connection.getresponse()
                after.read()
                connection.close()
                found[origin] = (before.status, before.headers.get_all(told), after.headers.get_all(told))
                assert before.headers["access-control-allow-headers"] == "x-api-key, content-type"
        with serving_routes(route) as url:
            status, headers, _ = call(url, path, body, {"origin": "http://page.example"})
    own = None if client == "openai_chat" else ["https://own.example"]
    assert found == {
        "http://page.example": (200, ["http://page.example"], ["http://page.example"]),
        "http://other.example": (400, None, own),
    }
    assert (status, headers.get(told)) == ((200, own[0]) if own else (403, None))


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        ("https://page.example", 403),
        ("http://localhost.page.example", 403),
        ("http://[page", 403),
        ("null", 403),
        ("https://allowed.example", 200),
        ("http://localhost:3000", 200),
        ("http://chat.localhost", 200),
        ("http://127.0.0.1:5173", 200),
        ("http://[::1]:8080", 200),
        ("file://", 200),
        ("app://obsidian.md", 200),
        ("vscode-webview://1a2b", 200),
        ("chrome-extension://abcdef", 200),
    ],
)
def test_a_page_of_another_site_cannot_make_the_server_ask_its_provider(origin: str | None, status: int) -> None:
    path, body = asked_of("openai_chat", stream=False)
    asked: list[Any] = []

    def answer(request: Any) -> Any:
        asked.append(request)
        return SAID

    with scripted("claude", answer) as there:
        route = Route(speak="openai_chat", backend="claude", url=there.url)
        with serving_routes(route, origins=("https://allowed.example",)) as url:
            # What a browser sends without a preflight request: plain text.
            headers = {"content-type": "text/plain", **({"origin": origin} if origin else {})}
            found, _, said = call(url, path, body, headers)
    assert found == status
    assert len(asked) == (status == 200)
    if status == 403:
        assert "not open to web pages of other sites" in said["error"]["message"]


def test_a_page_of_the_server_s_own_address_is_served() -> None:
    path, body = asked_of("claude", stream=False)
    with scripted("openai_chat", lambda _: SAID) as there, serving("claude", "openai_chat", there.url) as url:
        own = {"host": "chat.example", "origin": "https://chat.example"}
        assert call(url, path, body, own)[0] == 200
        assert call(url, path, body, {**own, "origin": "https://chat.example.evil"})[0] == 403


UNSERVED: Final[list[Any]] = [
    {"backend": "bedrock_converse", "url": "http://x"},
    {"backend": "nobody", "url": "http://x"},
    {"backend": "claude", "url": "claude.example"},
    {"backend": "claude", "url": "http://user:secret@claude.example"},
    {"backend": "claude", "url": "http://claude.example?key=1"},
    {"backend": "claude", "url": "http://claude.example", "prefix": "one/"},
    {"backend": "claude", "url": "http://claude.example", "api_version": "1999"},
    {"backend": "claude", "url": "http://claude.example", "defaults": {"max_tokens": "many"}},
]


def test_an_invalid_route_is_refused_when_it_is_created() -> None:
    for one in UNSERVED:
        with pytest.raises(ValueError):  # noqa: PT011  # each says it in its own words
            Route(speak="openai_chat", **one)
    same = Route(speak="openai_chat", backend="claude", url="http://claude.example")
    with pytest.raises(ValueError, match="two routes"):
        create_app([same, Route(speak="vllm", backend="gemini", url="http://gemini.example")])
    with pytest.raises(ValueError, match="no route"):
        create_app([])
