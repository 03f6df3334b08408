"""What goes to models under the names that clouds give them: Bedrock, Databricks, Snowflake, Cloudflare, Volcengine."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.registry import room
from interlingua.spi.families import found

HI: Final = {"role": "user", "content": "Hello"}
TOOL: Final[dict[str, Any]] = {"name": "look", "input_schema": {"type": "object", "properties": {}}}
TWO_CALLS: Final[tuple[dict[str, Any], ...]] = (
    HI,
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I look twice."},
            {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}},
            {"type": "tool_use", "id": "toolu_2", "name": "look", "input": {}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "A tree."},
            {"type": "tool_result", "tool_use_id": "toolu_2", "content": "A bush."},
        ],
    },
)
ONE_CALL: Final = (
    HI,
    {**TWO_CALLS[1], "content": TWO_CALLS[1]["content"][1:2]},
    {**TWO_CALLS[2], "content": TWO_CALLS[2]["content"][:1]},
)
HARD: Final[dict[str, Any]] = {"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}}
OFF: Final[dict[str, Any]] = {"thinking": {"type": "disabled"}}
SWITCHES: Final = frozenset({"thinking", "enable_thinking", "reasoning_split"})


def sent(
    model: str, *messages: Any, target: str = "openai_chat", **members: Any
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what of a request of Claude goes to a model that refuses nothing of it, and the losses by their paths."""
    body = {"model": "claude-opus-4-8", "max_tokens": 900, "messages": [*(messages or (HI,))], **members}
    encoded = il.translate_request(body, "claude", target, model=model)
    assert il.check_request(encoded.body, target) == []
    return encoded.body, {loss.path: loss.severity for loss in encoded.losses}


@pytest.mark.parametrize(
    ("dialect", "model", "same_as"),
    [
        ("openai_chat", "openai-o4-mini", "o4-mini"),
        ("openai_responses", "openai-o3-mini", "o3-mini"),
        ("openai_chat", "minimax.minimax-m2.5", "minimax/minimax-m2.5"),
        ("openai_chat", "qwen.qwen3-32b-v1:0", "qwen/qwen3-max"),
        ("openai_chat", "qwen.qwen3-vl-235b-a22b", "qwen/qwen3-vl-235b-a22b-instruct"),
        ("openai_chat", "qwen2-5-72b-instruct", "qwen2.5-72b-instruct"),
        ("openai_chat", "qwen3.6-max-preview", "qwen3.7-max"),
        ("openai_chat", "qvq-max", "qwen-vl-max"),
        ("openai_chat", "doubao-1.5-thinking-pro", "step-3.7-flash"),
        ("openai_chat", "ep-20260101120000-abcde", "step-3.7-flash"),
        ("openai_chat", "MAI-DS-R1", "step-3.7-flash"),
        ("openai_chat", "dola-seed-2-1-turbo-260628", "doubao-seed-2-0-pro-260215"),
        ("openai_chat", "ByteDance-Seed/Seed-OSS-36B-Instruct", "step-3.7-flash"),
        ("openai_chat", "grok-4-20-reasoning", "grok-4.20-0309-reasoning"),
        ("openai_chat", "grok-4-20-non-reasoning", "grok-4.20-0309-non-reasoning"),
        ("openai_chat", "mimo-v2-flash", "mimo-v2.5-pro"),
        ("openai_chat", "k2p5", "kimi-for-coding"),
        ("claude", "k2p5", "kimi-for-coding"),
        ("claude", "doubao-seed-2.0-code", "glm-5.2"),
        ("claude", "step-3.7-flash", "glm-5.2"),
        ("claude", "hy3", "glm-5.2"),
    ],
)
def test_a_cloud_s_name_of_a_model_is_known(dialect: str, model: str, same_as: str) -> None:
    match = found(room(dialect).FAMILIES, model)
    assert match is not None
    assert match == found(room(dialect).FAMILIES, same_as)


@pytest.mark.parametrize(
    "model",
    ["zai.glm-4.7", "moonshotai.kimi-k2.5", "qwen.qwen3-32b-v1:0", "minimax.minimax-m2.5", "FW-GLM-5.1"],
)
def test_a_cloud_gets_an_effort_and_no_switch_that_only_the_maker_knows(model: str) -> None:
    for asked, word in ((HARD, "high"), (OFF, "none")):
        out, _ = sent(model, **asked)
        assert out.keys().isdisjoint(SWITCHES)
        assert out["reasoning_effort"] == word


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        (HARD, {"reasoning_effort": "high"}),
        (OFF, {"thinking": {"type": "disabled"}}),
        ({**HARD, "output_config": {"effort": "max"}}, {"reasoning_effort": "high"}),
        ({}, {}),
    ],
)
def test_doubao_thinks_unless_it_is_told_not_to(asked: dict[str, Any], written: dict[str, Any]) -> None:
    out, _ = sent("doubao-seed-2-0-pro-260215", **asked)
    assert {name: out[name] for name in ("thinking", "reasoning_effort") if name in out} == written
    assert out["max_completion_tokens"] == 900


def test_the_responses_of_volcengine_get_no_member_that_only_openai_has() -> None:
    body = {
        "model": "gpt-5.6-sol", "messages": [HI], "reasoning_effort": "high", "verbosity": "low", "logprobs": True,
        "tools": [{"type": "custom", "custom": {"name": "patch"}}], "metadata": {"a": "b"}, "store": True,
    }  # fmt: skip
    encoded = il.exchange(body, "openai_chat", "openai_responses", model="doubao-seed-2-0-pro-260215")
    assert encoded.body.keys() == {"model", "input", "reasoning", "tools", "store"}
    assert encoded.body["tools"][0]["type"] == "function"
    assert encoded.body["reasoning"] == {"effort": "high"}
    shown, told = sent(
        "doubao-seed-2-0-pro-260215", target="openai_responses",
        thinking={"type": "adaptive", "display": "summarized"}, output_config={"effort": "low"},
    )  # fmt: skip
    assert shown["reasoning"] == {"effort": "low"}
    assert told["/reasoning/display"] == "lost"


@pytest.mark.parametrize(
    "model", ["doubao-seed-2-0-pro-260215", "grok-4.6", "deepseek-v4-pro", "moonshotai.kimi-k3", "glm-5.3"]
)
def test_the_responses_of_other_makers_get_no_cache_mark_of_openai(model: str) -> None:
    marked = {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}
    out, told = sent(model, target="openai_responses", system=[marked])
    assert "prompt_cache_breakpoint" not in str(out)
    assert told["/messages/0/content/0/cache"] == "lost"
    assert "prompt_cache_breakpoint" in str(sent("gpt-5.6-sol", target="openai_responses", system=[marked])[0])


def test_databricks_gets_one_call_at_a_time_and_no_member_that_it_does_not_know() -> None:
    out, told = sent(
        "databricks-gpt-oss-120b", *TWO_CALLS, tools=[TOOL], metadata={"user_id": "u"}, stream=True, **HARD,
        tool_choice={"type": "auto", "disable_parallel_tool_use": True},
    )  # fmt: skip
    assert out.keys() == {"model", "messages", "max_tokens", "tools", "tool_choice", "stream", "reasoning_effort"}
    said = [
        (one["role"], one["content"], one.get("tool_call_id"), len(one.get("tool_calls", ())))
        for one in out["messages"]
    ]
    assert said == [
        ("user", "Hello", None, 0),
        ("assistant", "I look twice.", None, 1),
        ("tool", "A tree.", "toolu_1", 0),
        ("assistant", None, None, 1),
        ("tool", "A bush.", "toolu_2", 0),
    ]
    assert told["/messages/1/tool_calls"] == "changed"
    one, told = sent("databricks-gpt-oss-120b", *ONE_CALL, tools=[TOOL])
    assert [message["role"] for message in one["messages"]] == ["user", "assistant", "tool"]
    assert told.keys() == set()


def test_other_open_weights_of_databricks_get_no_effort() -> None:
    out, told = sent("databricks-meta-llama-3-3-70b-instruct", **HARD)
    assert out.keys() == {"model", "messages", "max_tokens"}
    assert told["/reasoning/effort"] == "lost"


@pytest.mark.parametrize("model", ["snowflake-llama-3.3-70b", "openai-gpt-oss-120b", "openai-gpt-5.5"])
def test_snowflake_gets_the_limit_that_it_reads(model: str) -> None:
    out, _ = sent(model)
    assert out["max_completion_tokens"] == 900


@pytest.mark.parametrize(
    ("model", "content"),
    [
        ("@cf/zai-org/glm-4.7-flash", ""),
        ("workers-ai/@cf/moonshotai/kimi-k2.6", ""),
        ("grok-4.6", ""),
        ("x-ai/grok-4.6", None),
        ("zai-org/GLM-4.7", None),
    ],
)
def test_cloudflare_gets_an_empty_text_beside_calls(model: str, content: str | None) -> None:
    out, _ = sent(model, *ONE_CALL, tools=[TOOL])
    assert out["messages"][1]["content"] == content


def test_multi_agent_grok_is_only_served_by_responses() -> None:
    model = "grok-4.20-multi-agent-0309"
    assert [one.path for one in il.check_request({"model": model, "messages": [HI]}, "openai_chat")] == ["/model"]
    asked = {"thinking": {"type": "adaptive"}, "output_config": {"effort": "max"}}
    assert sent(model, target="openai_responses", **asked)[0]["reasoning"] == {"effort": "xhigh"}


def _summary(text: str, **others: Any) -> dict[str, Any]:
    return {"type": "reasoning", "summary": [{"type": "summary_text", "text": text, **others}]}


def test_the_thoughts_in_an_answer_of_databricks_are_reasoning() -> None:
    said = [_summary("I think.", signature="c2ln"), {"type": "text", "text": "Hi."}]
    body = {
        "id": "c", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4},
    }  # fmt: skip
    response = il.decode_response(body, "openai_chat")
    assert response.messages[0].reasoning == "I think."
    assert il.encode_response(response, "openai_chat").body == body
    changed = response.replace(messages=[response.messages[0].replace(reasoning="I thought."), *response.messages[1:]])
    again = il.encode_response(changed, "openai_chat").body["choices"][0]["message"]["content"]
    assert again == [_summary("I thought.", signature="c2ln"), said[1]]
    claude = il.translate_response(body, "openai_chat", "claude").body["content"]
    assert [part["type"] for part in claude] == ["thinking", "text"]


@pytest.mark.parametrize(
    "odd",
    [
        _summary("a") | {"id": "rs_1"},
        {"type": "reasoning", "summary": []},
        {"type": "reasoning", "summary": [*_summary("a")["summary"], *_summary("b")["summary"]]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": 1}]},
        {"type": "reasoning", "summary": "a"},
        {"type": "reasoning"},
    ],
)
def test_another_form_of_a_summary_is_kept_as_it_is(odd: dict[str, Any]) -> None:
    body = {"model": "m", "messages": [HI, {"role": "assistant", "content": [odd, {"type": "text", "text": "Hi."}]}]}
    request = il.decode_request(body, "openai_chat")
    assert request.messages[1].reasoning is None
    assert il.encode_request(request, "openai_chat").body == body


def test_the_streamed_thoughts_of_databricks_are_reasoning() -> None:
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": [_summary("I ", signature="")]},
        {"content": [_summary("think.", signature="")]},
        {"content": [_summary("", signature="c2ln")]},
        {"content": [{"type": "text", "text": "Hi."}]},
    ]
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    frames: list[Any] = [{**head, "choices": [{"index": 0, "delta": one, "finish_reason": None}]} for one in deltas]
    frames += [{**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}, "[DONE]"]
    events = list(il.decode_stream(frames, "openai_chat"))
    assert list(il.encode_stream(events, "openai_chat")) == frames
    assert il.collect(events).messages[0].reasoning == "I think."
    claude = list(il.translate_stream(frames, "openai_chat", "claude"))
    thoughts = [frame["delta"]["thinking"] for frame in claude if "thinking" in frame.get("delta", {})]
    assert "".join(thoughts) == "I think."
