"""Results of tools that Gemini's clients put into an object: other models read the text that the tool gave."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

TEXT = 'def f():\n\treturn "7"\n'
DIALECTS = ["openai_chat", "openai_responses", "claude", "ollama", "vllm", "bedrock_converse"]


def asked(response: dict[str, Any], **beside: Any) -> dict[str, Any]:
    called = {"functionCall": {"id": "c1", "name": "read", "args": {}}}
    answered = {"functionResponse": {"id": "c1", "name": "read", "response": response, **beside}}
    turns = [("user", {"text": "Read it."}), ("model", called), ("user", answered)]
    return {
        "contents": [{"role": role, "parts": [part]} for role, part in turns],
        "tools": [{"functionDeclarations": [{"name": "read", "description": "Reads."}]}],
    }


def result(body: dict[str, Any], dialect: str) -> Any:
    [message] = [one for one in il.decode_request(body, dialect).messages if one.role == "tool"]
    return message.content


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "response",
    [{"name": "read", "content": TEXT}, {"result": TEXT}, {"return_value": TEXT}, {"response": TEXT}],
    ids=["vercel", "google", "pydantic", "others"],
)
def test_the_text_inside_a_clients_wrapper_object_is_the_result(response: dict[str, Any], dialect: str) -> None:
    encoded = il.translate_request(asked(response), "gemini", dialect, model="m")
    said = result(encoded.body, dialect)
    assert (said if isinstance(said, str) else said[0].text) == TEXT
    told = [(one.code, one.severity) for one in encoded.losses if one.path == "/messages/2/content"]
    assert told == [("content", "changed")]


def test_the_member_beside_the_tool_name_is_the_result() -> None:
    given = il.translate_request(asked({"name": "read", "content": {"lines": [1]}}), "gemini", "claude", model="m")
    assert result(given.body, "claude") == '{"lines":[1]}'


@pytest.mark.parametrize(
    "response",
    [
        {"name": "write", "content": TEXT},
        {"name": "read"},
        {"result": 7},
        {"result": TEXT, "more": True},
        {"lines": TEXT},
    ],
)
def test_an_object_with_further_members_is_the_result_as_a_whole(response: dict[str, Any]) -> None:
    encoded = il.translate_request(asked(response), "gemini", "claude", model="m")
    said = il.decode_request(encoded.body, "claude").messages[2]
    assert isinstance(said, il.ToolChatMessage)
    assert il.ToolCall(name="f", arguments=str(said.content)).arguments_object() == response
    assert "/messages/2/content" not in [one.path for one in encoded.losses]


def test_images_follow_the_text_of_their_result() -> None:
    picture = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}
    body = asked({"name": "read", "content": TEXT}, parts=[picture])
    encoded = il.translate_request(body, "gemini", "claude", model="m")
    text, image = result(encoded.body, "claude")
    assert (text.text, image.type) == (TEXT, "image")
    assert "/messages/2/content/0/text" in [one.path for one in encoded.losses]


def test_the_object_is_kept_for_gemini_even_with_an_unknown_source_dialect() -> None:
    body = asked({"name": "read", "content": TEXT})
    kept = il.decode_request(body, "gemini").model_copy(update={"dialect": None})
    assert il.encode_request(kept, "gemini").body["contents"][2] == body["contents"][2]
