"""What templates of chats on vLLM refuse or pass over: requests for their models are written so that all is read.

The templates were rendered with the translated requests of the corpus (docs/families.md, source Wct), and requests for
Mistral's models read by mistral-common (Wmc).
"""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

import interlingua as il

LLAMA: Final = "meta-llama/Llama-3.3-70B-Instruct"
OLD_MISTRAL: Final = "mistralai/Mistral-7B-Instruct-v0.3"
MISTRAL: Final = "mistralai/Mistral-Small-3.2-24B-Instruct-2506"
NEW_MISTRAL: Final = "mistralai/Ministral-3-14B-Reasoning-2512"
WEATHER: Final = {"name": "weather", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}
PICTURE: Final = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}


def use(identifier: str, city: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": identifier, "name": "weather", "input": {"city": city}}


def result(identifier: str, content: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": identifier, "content": content}


def talk(answer: list[Any], back: list[Any], **members: Any) -> dict[str, Any]:
    messages = [
        {"role": "user", "content": "Rome or Oslo?"},
        {"role": "assistant", "content": answer},
        {"role": "user", "content": back},
    ]
    return {"model": "claude-haiku-4-5", "max_tokens": 99, "messages": messages, "tools": [WEATHER], **members}


def translated(body: dict[str, Any], model: str) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    done = il.translate_request(body, "claude", "vllm", model=model)
    return done.body["messages"], [(loss.severity, loss.path) for loss in done.losses]


def text_of(content: Any) -> Any:
    """Return the texts of a message, whose content is one text or a list of parts."""
    parts: list[dict[str, Any]] = [] if type(content) is str or content is None else content
    return " | ".join(part["text"] for part in parts) if parts else content


def said(messages: list[dict[str, Any]]) -> list[tuple[str, Any, list[str]]]:
    """Return each message as its role, its text, and the ids of its calls or of the call that it answers."""
    return [
        (
            one["role"],
            text_of(one["content"]),
            [call["id"] for call in one.get("tool_calls", ())]
            or [one[name] for name in ("tool_call_id",) if name in one],
        )
        for one in messages
    ]


PARALLEL: Final = talk(
    [{"type": "text", "text": "I look."}, use("a", "Rome"), use("b", "Oslo")],
    [result("b", "snow"), result("a", "sun"), {"type": "text", "text": "So?"}],
)


def test_llama_3_gets_each_call_with_its_result_and_the_text_before_them() -> None:
    messages, losses = translated(PARALLEL, LLAMA)
    assert said(messages[1:]) == [
        ("assistant", "I look.", []),
        ("assistant", None, ["a"]),
        ("tool", "sun", ["a"]),
        ("assistant", None, ["b"]),
        ("tool", "snow", ["b"]),
        ("user", "So?", []),
    ]
    assert ("changed", "/messages/1/tool_calls") in losses


def test_llama_3_gets_text_beside_a_call_as_a_separate_message_before_it() -> None:
    body = talk([{"type": "text", "text": "I look."}, use("a", "Rome")], [result("a", "sun")])
    messages, losses = translated(body, LLAMA)
    assert [role for role, _, _ in said(messages)] == ["user", "assistant", "assistant", "tool"]
    assert ("changed", "/messages/1/content") in losses


def test_responses_call_items_are_separate_for_llama_3_and_reported_once() -> None:
    call = {"type": "function_call", "name": "weather", "arguments": "{}"}
    items = [
        {"role": "user", "content": "Rome or Oslo?"},
        {**call, "call_id": "a"},
        {**call, "call_id": "b"},
        {"type": "function_call_output", "call_id": "a", "output": "sun"},
        {"type": "function_call_output", "call_id": "b", "output": "snow"},
    ]
    done = il.translate_request({"model": "gpt-5.2", "input": items}, "openai_responses", "vllm", model=LLAMA)
    assert [ids for _, _, ids in said(done.body["messages"])] == [[], ["a"], ["a"], ["b"], ["b"]]
    assert sum("one call per message" in loss.detail for loss in done.losses) == 1


@pytest.mark.parametrize("model", ["meta-llama/Llama-4-Scout-17B-16E-Instruct", "Qwen/Qwen3-8B", "any-model"])
def test_models_that_support_parallel_calls_get_them_together(model: str) -> None:
    messages, _ = translated(PARALLEL, model)
    assert said(messages)[1] == ("assistant", "I look.", ["a", "b"])


THOUGHT: Final = {"type": "thinking", "thinking": "Which city is warmer?", "signature": "c2ln"}
THINKING: Final = {"type": "enabled", "budget_tokens": 1024}


@pytest.mark.parametrize(
    ("model", "words", "is_thought"),
    [(OLD_MISTRAL, None, False), (MISTRAL, "I look.", False), (NEW_MISTRAL, "I look.", True)],
)
def test_mistral_models_get_only_answer_content_that_they_accept(model: str, words: Any, is_thought: Any) -> None:
    body = talk(
        [THOUGHT, {"type": "text", "text": "I look."}, use("a", "Rome")], [result("a", "sun")], thinking=THINKING
    )
    messages, losses = translated(body, model)
    assert messages[1]["content"] == words
    assert ("reasoning" in messages[1]) is is_thought
    assert (("lost", "/messages/1/reasoning") in losses) is not is_thought
    assert (("lost", "/messages/1/content") in losses) is (words is None)


@pytest.mark.parametrize("model", [OLD_MISTRAL, MISTRAL])
def test_an_answer_with_only_reasoning_is_left_out_for_mistral_and_user_messages_are_joined(model: str) -> None:
    body = talk([THOUGHT], [{"type": "text", "text": "And?"}], thinking=THINKING)
    messages, losses = translated(body, model)
    assert said(messages) == [("user", "Rome or Oslo?\n\nAnd?", [])]
    assert ("lost", "/messages/1/reasoning") in losses


def test_an_empty_answer_is_left_out_for_mistral_and_reported() -> None:
    messages = [
        {"role": role, "content": text} for role, text in (("user", "Hi"), ("assistant", ""), ("user", "Hello?"))
    ]
    done = il.translate_request({"model": "gpt-4.1", "messages": messages}, "openai_chat", "vllm", model=MISTRAL)
    assert said(done.body["messages"]) == [("user", "Hi\n\nHello?", [])]
    assert ("empty_text", "/messages/1") in [(loss.code, loss.path) for loss in done.losses]


def test_an_answer_of_empty_texts_is_left_out_for_mistral_but_not_a_refusal() -> None:
    empty = {"role": "assistant", "content": [{"type": "text", "text": ""}]}
    refused = {"role": "assistant", "content": None, "refusal": "I cannot."}
    user = {"role": "user", "content": "Hi"}
    body = {"model": "gpt-4.1", "messages": [user, empty, user, refused, user]}
    done = il.translate_request(body, "openai_chat", "vllm", model=MISTRAL)
    assert said(done.body["messages"]) == [("user", "Hi\n\nHi", []), ("assistant", "I cannot.", []), ("user", "Hi", [])]
    assert [loss.path for loss in done.losses if loss.code == "empty_text"] == ["/messages/1"]


def test_images_of_results_follow_them_for_mistral() -> None:
    body = talk([use("a", "Rome")], [result("a", [PICTURE])])
    messages, _ = translated(body, MISTRAL)
    assert [one["role"] for one in messages] == ["user", "assistant", "tool", "assistant", "user"]
    assert "image_url" in str(messages[4]["content"])
    assert "image_url" not in str(messages[2]["content"])


@pytest.mark.parametrize(
    "model",
    ["NousResearch/Hermes-3-Llama-3.1-8B", "deepseek-ai/DeepSeek-V3.1", "ByteDance-Seed/Seed-OSS-36B-Instruct"],
)
def test_tools_get_the_members_that_a_template_requires(model: str) -> None:
    tools: list[dict[str, Any]] = [
        {"type": "web_search"},  # vLLM has none, so the others move up
        {"type": "function", "function": {"name": "now"}},
        {"type": "function", "function": {"name": "x", "parameters": {}}},
    ]
    body = {"model": "gpt-4.1", "messages": [{"role": "user", "content": "Hi"}], "tools": tools}
    done = il.translate_request(body, "openai_chat", "vllm", model=model)
    for tool in done.body["tools"]:
        assert tool["function"]["description"] == ""
        assert tool["function"]["parameters"] == {"type": "object", "properties": {}}
    paths = {loss.path for loss in done.losses if loss.severity == "filled"}
    assert paths >= {"/tools/1/description", "/tools/2/description", "/tools/2/parameters/properties"}


@pytest.mark.parametrize("model", ["Qwen/Qwen3.5-27B", "Qwen/Qwen3-8B", LLAMA, MISTRAL])
def test_an_instruction_of_several_texts_is_joined(model: str) -> None:
    system = [{"type": "text", "text": "Be polite."}, {"type": "text", "text": "Be brief."}]
    messages, _ = translated(
        talk([{"type": "text", "text": "Oslo."}], [{"type": "text", "text": "Why?"}], system=system), model
    )
    assert said(messages)[0] == ("system", "Be polite.\n\nBe brief.", [])


def test_qwen_3_5_gets_later_instructions_as_user_messages() -> None:
    turns = [("system", "a"), ("user", "b"), ("assistant", "c"), ("system", "d")]
    body = {"model": "gpt-4.1", "messages": [{"role": role, "content": text} for role, text in turns]}
    done = il.translate_request(body, "openai_chat", "vllm", model="Qwen/Qwen3.5-27B")
    assert [one["role"] for one in done.body["messages"]] == ["system", "user", "assistant", "user"]


@pytest.mark.parametrize(
    ("model", "effort", "written"),
    [
        ("moonshotai/Kimi-K3", "medium", "high"),
        ("moonshotai/Kimi-K3", "xhigh", "max"),
        ("moonshotai/Kimi-K3", "none", "none"),
        ("deepseek-ai/DeepSeek-V4.1", "medium", "high"),
        ("deepseek-ai/DeepSeek-V4.1", "minimal", "low"),
    ],
)
def test_an_effort_is_mapped_to_the_nearest_supported_by_the_renderer(model: str, effort: str, written: str) -> None:
    body = {"model": "gpt-5.2", "messages": [{"role": "user", "content": "Hi"}], "reasoning_effort": effort}
    assert il.translate_request(body, "openai_chat", "vllm", model=model).body["reasoning_effort"] == written


@pytest.mark.parametrize(
    ("effort", "written"),
    [("high", "high"), ("xhigh", "high"), ("medium", "high"), ("low", "low"), ("none", None)],
)
def test_hy3_gets_one_of_its_own_efforts_or_none(effort: str, written: str | None) -> None:
    body = {"model": "gpt-5.2", "messages": [{"role": "user", "content": "Hi"}], "reasoning_effort": effort}
    done = il.translate_request(body, "openai_chat", "vllm", model="tencent/Hy3").body
    assert done.get("reasoning_effort") == written
    if written is None:
        assert done["chat_template_kwargs"] == {"enable_thinking": False}


@pytest.mark.parametrize(
    ("effort", "written"), [("high", "xhigh"), ("max", "xhigh"), ("medium", "medium"), ("low", "low")]
)
def test_qwen_gets_efforts_that_its_template_supports(effort: str, written: str) -> None:
    """The effort of Claude Code is high unless it says another one; the template raises an exception for that."""
    asked = {"model": "m", "max_tokens": 900, "messages": [{"role": "user", "content": "Hello"}]}
    thinking = {"thinking": {"type": "adaptive"}, "output_config": {"effort": effort}}
    body = il.translate_request({**asked, **thinking}, "claude", "vllm", model="Qwen/Qwen3.8-27B").body
    assert body["reasoning_effort"] == written


@pytest.mark.parametrize("model", [OLD_MISTRAL, MISTRAL, NEW_MISTRAL])
@pytest.mark.parametrize("name", ["get.weather:now", "wetter für heute", "mcp__files__" + "x" * 60])
def test_tool_names_are_adapted_for_mistral_and_restored_for_the_client(name: str, model: str) -> None:
    ask = {"type": "function", "function": {"name": name, "description": "d", "parameters": {"type": "object"}}}
    messages = [
        {"role": "user", "content": "Rome?"},
        {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": name, "arguments": {}}}]},
        {"role": "tool", "content": "rain", "tool_name": name},
    ]
    done = il.exchange({"model": "m", "messages": messages, "tools": [ask]}, "ollama", "vllm", model=model)
    [tool] = done.body["tools"]
    written = tool["function"]["name"]
    assert re.fullmatch("[a-zA-Z0-9_-]{1,64}", written)  # mistral-common: InvalidFunctionCallException
    [called] = [one for one in done.body["messages"] if "tool_calls" in one]
    [back] = [one for one in done.body["messages"] if one["role"] == "tool"]
    assert (called["tool_calls"][0]["function"]["name"], back["name"]) == (written, written)
    assert ("changed", "/tools/0/name") in {(loss.severity, loss.path) for loss in done.losses}
    call = {"id": "abcdefghi", "type": "function", "function": {"name": written, "arguments": "{}"}}
    answer = {"choices": [{"index": 0, "message": {"role": "assistant", "tool_calls": [call]}}]}
    assert done.response(answer).body["message"]["tool_calls"][0]["function"]["name"] == name
    other = il.translate_request({"messages": messages, "tools": [ask]}, "ollama", "vllm", model="Qwen/Qwen3-32B")
    assert other.body["tools"][0]["function"]["name"] == name


def test_losses_of_texts_in_a_turn_with_calls_have_the_path_of_their_message() -> None:
    items: list[dict[str, Any]] = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Before."},
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
        {"type": "mcp_call", "id": "m1", "server_label": "s", "name": "roll", "arguments": "{}", "output": "4"},
        {"role": "assistant", "content": "After."},
        {"type": "function_call_output", "call_id": "c1", "output": "x"},
        {"role": "assistant", "content": "Alone."},
        {"role": "user", "content": "Go on."},
    ]
    body = {"model": "m", "input": items}
    encoded = il.translate_request(body, "openai_responses", "vllm", model="mistralai/Mistral-7B-Instruct-v0.3")
    lost = [loss.path for loss in encoded.losses if loss.severity == "lost" and loss.concern == "content"]
    assert sorted(lost) == ["/messages/1/content", "/messages/2", "/messages/3/content"]
    assert [one["content"] for one in encoded.body["messages"] if one["role"] == "assistant"] == [None, "Alone."]
