"""What Vertex AI takes of Gemini's requests otherwise than the Gemini API (docs/wire/gemini.md, section 8)."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CALLS: Final = [{"id": name, "type": "function", "function": {"name": "f", "arguments": "{}"}} for name in ("a", "b")]
BODY: Final[dict[str, Any]] = {
    "model": "gemini-3.8-flash",
    "messages": [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": None, "tool_calls": CALLS},
        {"role": "tool", "tool_call_id": "b", "content": "second"},
        {"role": "tool", "tool_call_id": "a", "content": "first"},
    ],
    "tools": [{"type": "function", "function": {"name": "f"}}],
}


def test_calls_and_results_for_vertex_have_no_ids_and_match_by_order() -> None:
    done = il.translate_request(BODY, "openai_chat", "gemini", api_version="vertex")
    _, calls, results = done.body["contents"]
    assert [part["functionCall"] for part in calls["parts"]] == [{"name": "f", "args": {}}] * 2
    said = [part["functionResponse"] for part in results["parts"]]
    assert said == [{"name": "f", "response": {"output": text}} for text in ("first", "second")]
    told = {loss.path for loss in done.losses if loss.code == "local_id"}
    assert told == {
        "/messages/1/tool_calls/0/id",
        "/messages/1/tool_calls/1/id",
        "/messages/2/call_id",
        "/messages/3/call_id",
    }
    assert il.check_request(done.body, "gemini", api_version="vertex") == []


def test_the_gemini_api_gets_the_ids_that_vertex_refuses() -> None:
    body = il.translate_request(BODY, "openai_chat", "gemini").body
    assert body == il.translate_request(BODY, "openai_chat", "gemini", api_version="v1beta").body
    assert il.check_request(body, "gemini") == []
    assert [(one.code, one.path) for one in il.check_request(body, "gemini", api_version="vertex")] == [
        ("member", "/contents/1/parts/0/functionCall/id"),
        ("member", "/contents/1/parts/1/functionCall/id"),
        ("member", "/contents/2/parts/0/functionResponse/id"),
        ("member", "/contents/2/parts/1/functionResponse/id"),
    ]


def test_ids_are_removed_from_a_gemini_request_for_vertex_if_requested() -> None:
    body = il.translate_request(BODY, "openai_chat", "gemini").body
    request = il.decode_request(body, "gemini")
    assert il.encode_request(request, "gemini").body == body
    written = il.encode_request(request, "gemini", api_version="vertex")
    assert il.check_request(written.body, "gemini", api_version="vertex") == []
    assert {loss.code for loss in written.losses} == {"local_id"}


@pytest.mark.parametrize(("store", "severity"), [(True, "lost"), (False, "changed")])
def test_store_is_not_written_for_vertex(*, store: bool, severity: str) -> None:
    body = {**BODY, "store": store}
    assert il.translate_request(body, "openai_chat", "gemini").body["store"] is store
    done = il.translate_request(body, "openai_chat", "gemini", api_version="vertex")
    assert "store" not in done.body
    assert [loss.severity for loss in done.losses if loss.path == "/store"] == [severity]
    found = il.check_request({**done.body, "store": store}, "gemini", api_version="vertex")
    assert [one.path for one in found] == ["/store"]


def test_server_tool_invocations_are_requested_only_from_the_gemini_api() -> None:
    search = {"type": "web_search_20250305", "name": "web_search"}
    function = {"name": "f", "description": "d", "input_schema": {"type": "object", "properties": {}}}
    body = {"model": "gemini-3.8-flash", "max_tokens": 9, "tools": [search, function]}
    body["messages"] = [{"role": "user", "content": "Hi"}]
    asked = {
        version: il.translate_request(body, "claude", "gemini", api_version=version).body.get("toolConfig", {})
        for version in ("v1beta", "vertex")
    }
    assert asked["v1beta"]["includeServerSideToolInvocations"] is True
    assert "includeServerSideToolInvocations" not in asked["vertex"]
    broken = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}], "toolConfig": asked["v1beta"]}
    found = [one.path for one in il.check_request(broken, "gemini", api_version="vertex")]
    assert "/toolConfig/includeServerSideToolInvocations" in found
