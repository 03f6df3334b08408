"""Who begins a conversation, where the target refuses one that the user does not begin, or in which nobody asks."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.rooms._shared.user_messages import CONTINUE_TEXT

SYSTEM: Final = {"role": "system", "content": "Greet the guests."}
GREETING: Final = {"role": "assistant", "content": "Welcome!"}
QUESTION: Final = {"role": "user", "content": "Good morning."}
CALL: Final = {"id": "call_a1b2c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CALLING: Final = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT: Final = {"role": "tool", "tool_call_id": "call_a1b2c", "content": "31"}
LOOK: Final = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
# Dialects and models that refuse a conversation which the assistant begins, by greeting or by calling.
GREETED: Final = (
    ("bedrock_converse", "anthropic.claude-sonnet-4-5-20250929-v1:0"),
    ("bedrock_converse", "amazon.nova-pro-v1:0"),
    ("vllm", "mistralai/Mistral-7B-Instruct-v0.3"),
)
CALLED: Final = (*GREETED, ("gemini", "gemini-2.5-pro"))
# Models that begin anew behind a begun answer, and such that go on with it.
BEGUN_ANSWERS: Final = (
    *(("gemini", f"gemini-{one}") for one in ("3.5-flash-lite", "3.6-flash", "3.8-flash", "4-argon", "flash-latest")),
    ("bedrock_converse", "meta.llama3-8b-instruct-v1:0"),
    ("bedrock_converse", "us.meta.llama4-scout-17b-instruct-v1:0"),
    ("bedrock_converse", "anthropic.claude-opus-4-6-v1"),
    ("claude", "claude-opus-4-6"),
    ("claude", "claude-sonnet-4-5"),  # beside functions
)
GOES_ON: Final = (
    *(("gemini", f"gemini-{one}") for one in ("2.5-pro", "2.5-flash", "3-pro-preview", "3.1-pro-preview")),
    ("bedrock_converse", "amazon.nova-pro-v1:0"),
)
# Models whose template wants a message of the user.
QUERIED: Final = (
    ("vllm", "Qwen/Qwen3.5-27B"),
    ("vllm", "qwen3.8-32b"),
    ("ollama", "qwen3.8:32b"),
    ("ollama", "qwen3.5"),
    ("openai_chat", "qwen3-vl-plus"),
    ("openai_chat", "qwen3.8-max"),
    ("openai_chat", "qwen-max"),
)
BEGUN: Final = ("message", "/messages", "changed")


def translated(messages: list[Any], target: str, model: str = "m") -> tuple[Any, set[tuple[str, str, str]]]:
    """Return the body in another dialect, and its losses; no rule says that it would be refused."""
    body = {"model": "m", "max_tokens": 99, "messages": messages, "tools": [LOOK]}
    source = "vllm" if target == "openai_chat" else "openai_chat"
    encoded = il.translate_request(body, source, il.dialect(target), model=model)
    assert il.check_request(encoded.body, target) == []
    return encoded.body, {(loss.code, loss.path, loss.severity) for loss in encoded.losses}


def spoken(body: Any, dialect: str) -> list[tuple[str, str]]:
    """Return who says what, as Chat Completions reads it."""
    messages = il.translate_request(body, il.dialect(dialect), "openai_chat").body["messages"]
    return [(one["role"], text_of(one["content"])) for one in messages]


def text_of(content: Any) -> str:
    """Return a content of texts alone as one text."""
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def roles(body: Any) -> list[str]:
    """Return the roles of the turns."""
    return [turn["role"] for turn in body.get("messages", body.get("contents"))]


@pytest.mark.parametrize("lead", [[], [SYSTEM]])
@pytest.mark.parametrize(("target", "model"), GREETED)
def test_a_user_message_is_added_before_an_opening_assistant_message_where_required(
    target: str, model: str, lead: list[Any]
) -> None:
    body, losses = translated([*lead, GREETING, QUESTION], target, model)
    assert [role for role in roles(body) if role != "system"] == ["user", "assistant", "user"]
    assert BEGUN in losses
    assert spoken(body, target)[-2:] == [("assistant", "Welcome!"), ("user", "Good morning.")]


@pytest.mark.parametrize("lead", [[], [SYSTEM]])
@pytest.mark.parametrize(("target", "model"), CALLED)
def test_a_user_message_is_added_before_opening_calls_where_required(target: str, model: str, lead: list[Any]) -> None:
    body, losses = translated([*lead, CALLING, RESULT], target, model)
    assert next(role for role in roles(body) if role != "system") == "user"
    assert len(roles(body)) == 3 + bool(target == "vllm" and lead)
    assert BEGUN in losses


@pytest.mark.parametrize(("target", "model"), QUERIED)
def test_a_user_message_is_added_where_the_chat_template_requires_one(target: str, model: str) -> None:
    body, losses = translated([{**SYSTEM, "content": "Be brief."}, SYSTEM], target, model)
    assert [(one["role"], one["content"]) for one in body["messages"]] == [
        ("system", "Be brief."), ("user", SYSTEM["content"])
    ]  # fmt: skip
    assert ("role", "/messages/1/role", "changed") in losses
    for said in ([SYSTEM, CALLING, RESULT], [SYSTEM, GREETING]):
        body, losses = translated(said, target, model)
        assert [one["role"] for one in body["messages"]][:3] == ["system", "user", "assistant"]
        assert BEGUN in losses
        del body["messages"][1]
        assert [one.path for one in il.check_request(body, target)] == ["/messages"]
    body, losses = translated([SYSTEM, QUESTION], target, model)
    assert [one["role"] for one in body["messages"]] == ["system", "user"]
    assert not {path for _, path, _ in losses} & {"/messages", "/messages/0/role"}


@pytest.mark.parametrize("target", ["ollama", "vllm"])
def test_a_conversation_of_only_instructions_is_unchanged_for_models_that_accept_it(target: str) -> None:
    for model in ("qwen3:4b", "llama3.3", "Qwen/Qwen3-8B"):
        body, losses = translated([SYSTEM], target, model)
        assert [one["role"] for one in body["messages"]] == ["system"]
        assert not any(path == "/messages/0/role" for _, path, _ in losses)


@pytest.mark.parametrize(("target", "model"), BEGUN_ANSWERS)
def test_a_user_message_follows_a_prefilled_answer_where_prefill_is_not_supported(target: str, model: str) -> None:
    body, losses = translated([QUESTION, GREETING], target, model)
    assert roles(body)[-1] == "user"
    assert spoken(body, target) == [("user", "Good morning."), ("assistant", "Welcome!"), ("user", CONTINUE_TEXT)]
    assert ("required", "/messages/2", "filled") in losses
    del body["messages" if "messages" in body else "contents"][-1]
    found = il.check_request(body, target, profile=model if target == "gemini" else "auto")
    assert [one.code for one in found] == ["prefill"]


@pytest.mark.parametrize(("target", "model"), GOES_ON)
def test_a_prefilled_answer_stays_last_where_prefill_is_supported(target: str, model: str) -> None:
    body, losses = translated([QUESTION, GREETING], target, model)
    assert roles(body)[-1] in {"assistant", "model"}
    assert not any(path == "/messages/2" for _, path, _ in losses)
    assert il.check_request(body, target, profile=model if target == "gemini" else "auto") == []


@pytest.mark.parametrize(("target", "model"), BEGUN_ANSWERS)
def test_no_user_message_follows_calls_at_the_end(target: str, model: str) -> None:
    body = {"model": "m", "max_tokens": 99, "messages": [QUESTION, CALLING], "tools": [LOOK]}
    encoded = il.translate_request(body, "openai_chat", il.dialect(target), model=model)
    if "llama3-8b" not in model:  # whose calls are told in words
        assert roles(encoded.body)[-1] in {"assistant", "model"}


@pytest.mark.parametrize("target", ["claude", "gemini", "openai_responses", "ollama"])
def test_an_opening_assistant_message_is_unchanged_where_accepted(target: str) -> None:
    body, losses = translated([GREETING, QUESTION], target)
    assert BEGUN not in losses
    if target in {"claude", "gemini", "ollama"}:
        assert roles(body)[0] in {"assistant", "model"}


@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize("target", ["bedrock_converse", "claude", "gemini"])
def test_the_last_instruction_becomes_the_user_message_if_the_only_other_message_is_empty(
    target: str, role: str
) -> None:
    empty: list[Any] = ["", []] if role == "user" else [""]
    for content in [*empty, *([" \n"] if target != "gemini" else [])]:
        body, losses = translated(
            [{**SYSTEM, "content": "Be brief."}, SYSTEM, {"role": role, "content": content}], target
        )
        assert roles(body) == ["user"]
        assert ("role", "/messages/1/role", "changed") in losses
        assert spoken(body, target) == [("system", "Be brief."), ("user", SYSTEM["content"])]


@pytest.mark.parametrize("target", ["bedrock_converse", "claude", "gemini"])
def test_instructions_stay_instructions_if_there_is_another_message(target: str) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    for content in ("?", [picture], [{"type": "text", "text": " ?"}]):
        body, losses = translated([SYSTEM, {"role": "user", "content": content}], target)
        assert body.get("system") or body.get("systemInstruction")
        assert ("role", "/messages/0/role", "changed") not in losses


def test_a_conversation_that_does_not_begin_with_the_user_is_a_violation_for_bedrock() -> None:
    turn = {"role": "assistant", "content": [{"text": "Welcome!"}]}
    found = il.check_request({"modelId": "m", "messages": [turn]}, "bedrock_converse")
    assert [(one.code, one.path) for one in found] == [("order", "/messages/0")]
    found = il.check_request({"modelId": "m", "messages": [], "system": [{"text": "Be brief."}]}, "bedrock_converse")
    assert [(one.code, one.path) for one in found] == [("empty", "/messages")]
    prompt = {"modelId": "arn:aws:bedrock:eu-west-1:1:prompt/P1", "promptVariables": {"x": {"text": "y"}}}
    assert il.check_request({**prompt, "messages": [turn]}, "bedrock_converse") == []
