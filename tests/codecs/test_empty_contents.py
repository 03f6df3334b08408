"""What says nothing: answers without a text, and instructions of which nothing is left."""

from __future__ import annotations

from typing import Any, Final

import pytest
from google.genai.types import GenerateContentResponse, Part

import interlingua as il

SILENT: Final = {"content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": "STOP", "index": 0}
OPAQUE: Final = [{"type": "not_known", "x": 1}]


def chat(**message: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


@pytest.mark.parametrize("message", [{"content": ""}, {"content": None}, {"content": []}, {}])
def test_an_empty_answer_has_a_content_that_gemini_clients_can_read(message: dict[str, Any]) -> None:
    encoded = il.translate_response(chat(**message), "openai_chat", "gemini")
    assert encoded.body["candidates"] == [SILENT]
    assert encoded.losses == ()
    assert GenerateContentResponse.model_validate(encoded.body).text == ""
    assert il.translate_response(encoded.body, "gemini", "openai_chat").body["choices"][0]["message"]["content"] == ""


def test_an_answer_of_only_calls_has_no_empty_text_for_gemini_clients() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    body = il.translate_response(chat(content="", tool_calls=[call]), "openai_chat", "gemini").body
    (part,) = body["candidates"][0]["content"]["parts"]
    assert "functionCall" in part


@pytest.mark.parametrize("text", ["", "Hi"])
def test_the_last_chunk_for_gemini_clients_has_a_content(text: str) -> None:
    begun: dict[str, Any] = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    frames: list[Any] = [
        {**begun, "choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}]},
        {**begun, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        "[DONE]",
    ]
    *_, last = il.translate_stream(frames, "openai_chat", "gemini")
    assert isinstance(last, dict)
    assert last["candidates"] == [SILENT]


@pytest.mark.parametrize("target", ["openai_chat", "claude", "gemini", "ollama", "vllm", "bedrock_converse"])
@pytest.mark.parametrize("role", ["system", "developer"])
def test_an_instruction_without_remaining_content_is_not_sent(role: str, target: Any) -> None:
    user = {"role": "user", "content": "Hi"}
    emptied = {"role": role, "content": OPAQUE}
    body = {"model": "m", "input": [emptied, user, emptied, user]}
    encoded = il.translate_request(body, "openai_responses", target)
    alone = il.translate_request({"model": "m", "input": [user, user]}, "openai_responses", target)
    assert encoded.body == alone.body
    lost = [loss.path for loss in encoded.losses if loss.severity == "lost"]
    assert [path.split("/")[2] for path in lost] == ["0", "2"]
    assert il.check_request(encoded.body, target) == []


def test_responses_gets_no_empty_instruction() -> None:
    messages = [{"role": "system", "content": OPAQUE}, {"role": "user", "content": "Hi"}]
    encoded = il.translate_request({"model": "m", "messages": messages}, "openai_chat", "openai_responses")
    assert encoded.body["input"] == [{"role": "user", "content": "Hi"}]
    assert "instructions" not in encoded.body
    assert [loss.path for loss in encoded.losses if loss.code == "message"] == ["/messages/0"]


def test_an_originally_empty_instruction_is_unchanged() -> None:
    messages = [{"role": "system", "content": ""}, {"role": "user", "content": "Hi"}]
    body = il.translate_request({"model": "m", "messages": messages}, "openai_chat", "vllm").body
    assert body["messages"] == messages


@pytest.mark.parametrize("target", ["openai_responses", "claude", "gemini", "ollama", "vllm", "bedrock_converse"])
@pytest.mark.parametrize("before", [[], ["system"], ["user", "assistant"]])
def test_a_user_turn_without_remaining_content_contains_a_note(before: list[str], target: Any) -> None:
    said = [{"role": role, "content": "Hi"} for role in before]
    body = {"model": "m", "messages": [*said, {"role": "user", "content": OPAQUE}]}
    encoded = il.translate_request(body, "openai_chat", target, defaults={"max_tokens": 9})
    assert il.check_request(encoded.body, target) == []
    last = il.decode_request(encoded.body, target).messages[-1]
    assert isinstance(last, il.UserChatMessage)
    assert last.text == "(What the user sent here cannot be passed on.)"
    at = len(before)
    told = {(loss.path, loss.severity) for loss in encoded.losses if loss.path.startswith(f"/messages/{at}")}
    assert told == {(f"/messages/{at}", "changed"), (f"/messages/{at}/content/0", "lost")}
    with pytest.raises(il.LossError):
        il.translate_request(body, "openai_chat", target, strict=True)


# Who does not know ids of files of OpenAI's; and what is lost on the way to OpenAI, who does.
LOST: Final[dict[str, tuple[il.Dialect, dict[str, Any]]]] = {
    **{
        target: ("openai_chat", {"type": "file", "file": {"file_id": "file-abc"}})
        for target in ("claude", "gemini", "ollama", "vllm", "bedrock_converse")
    },
    **{
        target: ("claude", {"type": "container_upload", "file_id": "file_1"})
        for target in ("openai_chat", "openai_responses")
    },
}


@pytest.mark.parametrize("target", LOST)
def test_a_user_turn_with_only_an_empty_text_contains_a_note_of_the_lost_content(target: Any) -> None:
    source, part = LOST[target]
    body = {
        "model": "m",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": [{"type": "text", "text": ""}, part]}],
    }
    encoded = il.translate_request(body, source, target)
    assert il.decode_request(encoded.body, target).messages[-1].text == "(What the user sent here cannot be passed on.)"


@pytest.mark.parametrize("target", LOST)
def test_an_emptied_result_has_a_note_and_a_turn_with_text_has_none(target: Any) -> None:
    source, part = LOST[target]
    call: dict[str, Any] = {"type": "tool_use", "id": "c", "name": "f", "input": {}}
    called: dict[str, Any] = {"role": "assistant", "content": [call]}
    result: dict[str, Any] = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "c", "content": [part]}],
    }
    if source == "openai_chat":
        function = {"type": "function", "id": "c", "function": {"name": "f", "arguments": "{}"}}
        called = {"role": "assistant", "content": None, "tool_calls": [function]}
        result = {"role": "tool", "tool_call_id": "c", "content": [part]}
    asked = {"role": "user", "content": [{"type": "text", "text": "Look."}, part]}
    body = {"model": "m", "max_tokens": 9, "messages": [asked, called, result]}
    encoded = il.translate_request(body, source, target)
    assert str(encoded.body).count("cannot be passed on") == 1
    assert "(What the tool returned here cannot be passed on.)" in str(encoded.body)
    assert "Look." in str(encoded.body)
    assert ("/messages/2", "changed") in {(loss.path, loss.severity) for loss in encoded.losses}
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize(
    ("target", "model"),
    [("openai_chat", "deepseek-chat"), ("bedrock_converse", "amazon.nova-pro-v1:0"), ("openai_responses", "o3-mini")],
)
def test_a_user_turn_that_the_model_cannot_read_contains_a_note(target: Any, model: str) -> None:
    sound = {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "mp3"}}
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    content = [sound if target == "bedrock_converse" else picture]
    body = {"model": model, "messages": [{"role": "user", "content": "Look."}, {"role": "user", "content": content}]}
    encoded = il.exchange(body, "openai_chat", target, fit=True)
    assert il.check_request(encoded.body, target) == []
    assert "(What the user sent here cannot be passed on.)" in str(encoded.body)
    assert "/messages/1" in {loss.path for loss in encoded.losses if loss.severity == "changed"}


@pytest.mark.parametrize("target", ["claude", "gemini", "ollama", "bedrock_converse"])
def test_an_originally_empty_user_turn_gets_no_text(target: Any) -> None:
    said = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    empty = {"role": "user", "content": [{"type": "text", "text": ""}]}
    body = {"model": "m", "messages": [*said, empty, {"role": "user", "content": "Well?"}]}
    assert "cannot be passed on" not in str(il.translate_request(body, "openai_chat", target).body)


def test_an_image_beside_an_empty_text_is_not_reported_as_lost_if_written() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    body = {"model": "m", "messages": [{"role": "user", "content": [picture]}]}
    [message] = il.translate_request(body, "openai_chat", "ollama").body["messages"]
    assert message == {"role": "user", "content": "", "images": ["iVBORw0KGgo="]}


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("claude", {"max_tokens": 5, "system": "", "messages": [{"role": "user", "content": "Hi"}]}),
        ("openai_responses", {"instructions": "", "input": "Hi"}),
        ("ollama", {"messages": [{"role": "system", "content": ""}, {"role": "user", "content": "Hi"}]}),
    ],
)
def test_empty_instructions_are_not_sent_to_servers_that_refuse_them(source: str, body: dict[str, Any]) -> None:
    sent = il.translate_request({"model": "m", **body}, source, "openai_chat", model="kimi-k2.6")
    assert sent.body["messages"] == [{"role": "user", "content": "Hi"}]
    assert not [loss for loss in sent.losses if loss.path.startswith("/messages")]


def test_empty_instructions_are_sent_where_they_replace_the_templates_default() -> None:
    body = {"model": "m", "max_tokens": 5, "system": "", "messages": [{"role": "user", "content": "Hi"}]}
    told = {"role": "system", "content": ""}
    assert il.translate_request(body, "claude", "vllm").body["messages"][0] == told
    assert il.translate_request(body, "claude", "ollama").body["messages"][0] == told


@pytest.mark.parametrize(("target", "model"), [("ollama", "qwen3"), ("vllm", "qwen3"), ("openai_chat", "deepseek-v4")])
def test_empty_members_of_a_thought_dumped_by_an_sdk_are_no_loss(target: str, model: str) -> None:
    parts = [Part(text="Hm.", thought=True).model_dump(mode="json"), {"text": "Hi."}]
    said = [{"role": "user", "parts": [{"text": "Hello"}]}, {"role": "model", "parts": parts}]
    body = {"contents": [*said, said[0]]}
    assert il.translate_request(body, "gemini", target, model=model, strict=True).losses == tuple(
        loss for loss in il.translate_request(body, "gemini", target, model=model).losses if loss.severity != "lost"
    )
    parts[0]["part_metadata"] = {"a": 1}
    lost = [
        loss for loss in il.translate_request(body, "gemini", target, model=model).losses if loss.severity == "lost"
    ]
    assert [(loss.code, loss.path) for loss in lost] == [("extra", "/messages/1/reasoning/0/extra/gemini")]


@pytest.mark.parametrize("target", sorted({*il.dialects()} - {"openai_responses"}))
def test_the_default_detail_of_an_image_is_no_loss(target: str) -> None:
    picture = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto"}
    call = {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"}
    result = {"type": "function_call_output", "call_id": "c", "output": [picture]}
    body = {"model": "m", "input": [{"role": "user", "content": [picture]}, call, result]}
    losses = il.translate_request(body, "openai_responses", target, profile=None).losses
    assert not [loss for loss in losses if loss.path.endswith("/detail")]


def failed(content: Any) -> dict[str, Any]:
    """Return a request to Claude with the result of a failed call."""
    result: dict[str, Any] = {"type": "tool_result", "tool_use_id": "toolu_1", "is_error": True}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "run", "input": {}}]},
        {"role": "user", "content": [result if content is None else {**result, "content": content}]},
    ]
    tools = [{"name": "run", "input_schema": {"type": "object", "properties": {}}}]
    return {"model": "claude-opus-4-8", "max_tokens": 9, "messages": messages, "tools": tools}


@pytest.mark.parametrize("content", ["", [], None, [{"type": "text", "text": ""}]])
def test_the_result_of_a_failed_call_has_content_for_claude(content: Any) -> None:
    body = failed(content)
    assert {one.code for one in il.check_request(body, "claude")} <= {"empty", "empty_text"} != set()
    gemini = il.translate_request(body, "claude", "gemini").body
    for encoded in (
        il.exchange(body, "claude", "claude", fit=True),
        il.exchange(body, "claude", "bedrock_converse", model="us.anthropic.claude-opus-4-8"),
        il.translate_request(gemini, "gemini", "claude", model="claude-opus-4-8"),
        il.translate_request(body, "claude", "bedrock_converse", model="amazon.nova-micro-v1:0"),
    ):
        target: Any = "claude" if "model" in encoded.body else "bedrock_converse"
        result = il.decode_request(encoded.body, target).messages[-1]
        assert result.text == "(The result is empty.)"
        assert [loss.severity for loss in encoded.losses if loss.path == "/messages/2/content"] == ["filled"]
        assert il.check_request(encoded.body, target) == []


def test_other_results_without_content_stay_empty_for_claude() -> None:
    body = failed("")
    del body["messages"][2]["content"][0]["is_error"]
    assert il.check_request(body, "claude") == []
    fitted = il.exchange(body, "claude", "claude", fit=True)
    assert fitted.body["messages"][2]["content"] == body["messages"][2]["content"]


def test_other_models_behind_claudes_endpoint_are_not_judged_by_its_rule() -> None:
    assert il.check_request({**failed(""), "model": "deepseek-chat"}, "claude") == []
