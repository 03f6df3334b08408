"""Ollama's models behind OpenAI's APIs, which their names tell by a tag, such as `qwen3:8b`."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

APIS: Final[tuple[il.Dialect, ...]] = ("openai_chat", "openai_responses")
PNG: Final = "iVBORw0KGgo="
PICTURE: Final = {"type": "image", "source": {"type": "url", "url": "https://a.b/c.png"}}
SENT_PICTURE: Final = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
TOOL: Final = {"name": "look", "input_schema": {"type": "object", "properties": {}}}


def asked(*parts: Any, **members: Any) -> dict[str, Any]:
    """Return a request of Claude."""
    content = [{"type": "text", "text": "Hello"}, *parts]
    return {"model": "m", "max_tokens": 4000, "messages": [{"role": "user", "content": content}], **members}


def sent(body: dict[str, Any], api: il.Dialect, model: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what goes to a model, which refuses nothing of it, and the losses by their paths."""
    encoded = il.translate_request(body, "claude", api, model=model)
    assert il.check_request(encoded.body, api) == []
    return encoded.body, {loss.path: loss.detail for loss in encoded.losses if loss.severity == "lost"}


def effort_in(body: dict[str, Any]) -> Any:
    """Return the effort of a body of either API."""
    return body.get("reasoning_effort", body.get("reasoning", {}).get("effort"))


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("model", "kind", "effort"),
    [
        ("qwen3:8b", {"type": "enabled", "budget_tokens": 2000}, None),
        ("qwen3:8b", {"type": "disabled"}, "none"),
        ("llama3.2:3b", {"type": "enabled", "budget_tokens": 2000}, None),
        ("llama3.2:3b", {"type": "disabled"}, None),
        ("gpt-oss:20b", {"type": "disabled"}, "low"),
        ("gpt-oss:120b-cloud", {"type": "enabled", "budget_tokens": 3000}, "medium"),
        ("qwen3.8:27b", {"type": "disabled"}, "none"),
        ("new-model:latest", {"type": "disabled"}, "none"),
    ],
)
def test_a_model_gets_only_an_effort_that_ollama_accepts_for_it(
    model: str, kind: dict[str, Any], effort: str | None, api: il.Dialect
) -> None:
    body, _ = sent(asked(thinking=kind), api, model)
    assert effort_in(body) == effort
    assert "enable_thinking" not in body


@pytest.mark.parametrize("api", APIS)
def test_images_are_sent_as_data_alone(api: il.Dialect) -> None:
    body, told = sent(asked(PICTURE, SENT_PICTURE), api, "llava:7b")
    assert told["/messages/0/content/1"] == "the server fetches no images: they must be given as data"
    assert str(body).count("data:image/png;base64") == 1
    assert "https://" not in str(body)


@pytest.mark.parametrize(
    ("api", "part"),
    [
        ("openai_chat", {"type": "image_url", "image_url": {"url": "https://a.b/c.png"}}),
        ("openai_responses", {"type": "input_image", "image_url": "https://a.b/c.png"}),
    ],
)
def test_an_image_by_url_is_a_violation(api: il.Dialect, part: dict[str, Any]) -> None:
    members = "messages" if api == "openai_chat" else "input"
    body = {"model": "gemma4:e2b", members: [{"role": "user", "content": [part]}]}
    (found,) = il.check_request(body, api)
    assert (found.code, found.path) == ("part", f"/{members}/0/content/0")
    assert il.check_request({**body, "model": "gpt-4o"}, api) == []


def test_models_without_tools_are_offered_none() -> None:
    body, told = sent(asked(tools=[TOOL]), "openai_chat", "gemma3:4b")
    assert "tools" not in body
    assert "/tools/0" in told or "/tools" in told


def test_documents_and_tools_of_free_text_reach_the_responses_endpoint_as_it_reads_them() -> None:
    document = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}}
    body, told = sent(asked(document), "openai_responses", "qwen3:8b")
    assert "input_file" not in str(body)
    assert "/messages/0/content/1" in told
    custom = {"model": "m", "input": "Hello", "tools": [{"type": "custom", "name": "patch"}]}
    encoded = il.exchange(custom, "openai_responses", "openai_responses", model="qwen3:8b", fit=True)
    assert [tool["type"] for tool in encoded.body["tools"]] == ["function"]


@pytest.mark.parametrize("model", ["ft:gpt-4o-2024-08-06:org::id", "qwen/qwen3-8b:free", "openai.gpt-oss-20b-1:0"])
def test_other_names_with_a_colon_are_no_tags_of_ollama(model: str) -> None:
    body, _ = sent(asked(PICTURE), "openai_responses", model)
    assert "https://a.b/c.png" in str(body) or "gpt-oss" in model


def test_a_result_that_is_a_single_text_is_a_string_in_responses() -> None:
    call = {"type": "tool_use", "id": "a", "name": "look", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "Dry"}]}
    turns = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    body = asked(tools=[TOOL])
    encoded = il.translate_request({**body, "messages": [*body["messages"], *turns]}, "claude", "openai_responses")
    assert encoded.body["input"][-1] == {"type": "function_call_output", "call_id": "a", "output": "Dry"}
