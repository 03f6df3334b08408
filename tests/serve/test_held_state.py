"""What only the client's own provider holds: it is refused in words that clients act on, never left out."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import httpx
import pytest

import interlingua as il
from support.scripted import body_of, calls, scripted, text
from support.serving import SERVED, serving
from support.web import answering, web
from support.wire import asked_of

FOREIGN = [name for name in SERVED if name != "claude"]
HELD: list[tuple[str, dict[str, Any], int, tuple[str, ...]]] = [
    ("openai_responses", {"previous_response_id": "resp_1"}, 400, ("error", "code", "previous_response_not_found")),
    ("openai_responses", {"conversation": "conv_1"}, 404, ("error", "param", "conversation")),
    ("openai_responses", {"prompt": {"id": "pmpt_1"}}, 404, ("error", "param", "prompt")),
    ("claude", {"thread": {"type": "create"}}, 400, ("error", "details", "error_code", "thread_unsupported_request")),
    ("gemini", {"cachedContent": "cachedContents/1"}, 403, ("error", "status", "PERMISSION_DENIED")),
]


@pytest.mark.parametrize(("client", "member", "status", "said"), HELD, ids=lambda one: str(one)[:40])
def test_a_request_that_refers_to_unknown_state_gets_the_error_of_its_own_provider(
    client: str, member: dict[str, Any], status: int, said: tuple[str, ...]
) -> None:
    path, body = asked_of(client, stream=False)
    backend = "ollama"
    with web(answering(b"{}")) as there, serving(client, backend, there.url) as url:
        refused = httpx.post(url + path, json={**body, **member})
        assert refused.status_code == status
        told = refused.json()
        for name in said[:-1]:
            told = told[name]
        assert told == said[-1]
        # What is empty refers to nothing: the provider is asked, and what it says here is no answer.
        assert httpx.post(url + path, json={**body, **dict.fromkeys(member)}).status_code >= 500


@pytest.mark.parametrize(
    ("identifier", "refused"), [("msg_1", True), ("fc_1", True), ("rs_1", False)], ids=["a text", "a call", "reasoning"]
)
def test_items_stored_only_by_the_provider_are_refused_except_reasoning(identifier: str, refused: bool) -> None:
    asked = [{"role": "user", "content": "Name a city."}, {"type": "item_reference", "id": identifier}]
    goes_on = {"role": "user", "content": "Tell me more of it."}
    whole = json.dumps(body_of(text("It rains there."), "claude")).encode()
    with web(answering(whole)) as there, serving("openai_responses", "claude", there.url) as url:
        answer = httpx.post(f"{url}/v1/responses", json={"model": "m", "input": [*asked, goes_on]})
    assert answer.status_code == (404 if refused else 200)
    if refused:
        assert answer.json()["error"]["param"] == "input"
        assert "store" in answer.json()["error"]["message"]


@pytest.mark.parametrize("backend", FOREIGN)
def test_the_tool_runner_of_the_claude_sdk_sends_the_whole_conversation_without_server_state(backend: str) -> None:
    def script(request: Any) -> Any:
        results = [one for one in request.messages if one.role == "tool"]
        return text(f"It is {results[0].content}.") if results else calls(("call_1", "weather", {"city": "Bern"}))

    @anthropic.beta_tool
    def weather(city: str) -> str:
        """Tell the weather."""
        return f"seven degrees in {city}"

    with (
        scripted(backend, script) as there,
        serving("claude", backend, there.url) as url,
        anthropic.Anthropic(base_url=url, api_key="k", max_retries=0) as client,
    ):
        asked: list[Any] = [{"role": "user", "content": "How is the weather?"}]
        runner = client.beta.messages.tool_runner(model="m", max_tokens=99, messages=asked, tools=[weather])
        last = runner.until_done()
        assert json.loads(last.model_dump_json())["content"][-1]["text"] == "It is seven degrees in Bern."
        roles = [[one.role for one in il.decode_request(asked.body, backend).messages] for asked in there.asked]
        assert roles == [["user"], ["user", "assistant", "tool"]]


def test_the_first_turn_of_a_continued_thread_may_answer_calls_stored_by_the_provider() -> None:
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "7"}
    body: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": [result]}]}
    goes_on = {"thread": {"type": "continue", "previous_message_id": "msg_1"}}
    assert [one.code for one in il.check_request(body, "claude")] == ["orphan_result"]
    assert il.check_request({**body, **goes_on}, "claude") == []
    assert il.check_request({**body, **goes_on, "messages": []}, "claude") == []
    later = [*body["messages"], {"role": "assistant", "content": "Well."}, *body["messages"]]
    assert [one.code for one in il.check_request({**body, **goes_on, "messages": later}, "claude")] == ["orphan_result"]
    abroad = il.translate_request({**body, **goes_on}, "claude", "openai_chat")
    assert "content" in {loss.concern for loss in abroad.losses}
