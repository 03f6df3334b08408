"""Requests within one dialect that are fitted to their model, as those of other dialects are."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.registry import room

HI: Final = {"role": "user", "content": "Hello"}
CLAUDE_CODE: Final[dict[str, Any]] = {
    "model": "claude-opus-4-8",
    "max_tokens": 32000,
    "thinking": {"type": "adaptive"},
    "output_config": {"effort": "high"},
    "metadata": {"user_id": "u"},
    "context_management": {"edits": []},
    "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
    "messages": [HI],
    "tools": [{"name": "look", "input_schema": {"type": "object"}, "eager_input_streaming": True}],
    "temperature": 1,
}


def test_a_claude_code_request_is_fitted_to_an_older_model() -> None:
    one = il.exchange(CLAUDE_CODE, "claude", "claude", model="claude-sonnet-4-5", fit=True, api_version="2023-06-01")
    changed = {"model", "thinking", "output_config"}
    assert {name: value for name, value in one.body.items() if name not in changed} == {
        name: value for name, value in CLAUDE_CODE.items() if name not in changed
    }
    assert one.body["thinking"] == {"type": "enabled", "budget_tokens": 16000}
    assert one.body["model"] == "claude-sonnet-4-5"
    assert il.check_request(one.body, "claude") == []
    assert {loss.path for loss in one.losses} == {"/reasoning/effort", "/reasoning/mode", "/reasoning/budget_tokens"}
    answer = {"type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [], "odd": 1}
    assert one.response(answer).body == {**answer, "model": "claude-opus-4-8"}


CLEAR_THINKING: Final = {"type": "clear_thinking_20251015", "keep": "all"}
CLEAR_TOOLS: Final = {"type": "clear_tool_uses_20250919"}


@pytest.mark.parametrize(
    ("model", "thinking", "edits", "kept"),
    [
        ("claude-3-5-haiku-20241022", {"type": "adaptive"}, [CLEAR_THINKING, CLEAR_TOOLS], {"edits": [CLEAR_TOOLS]}),
        ("claude-3-5-haiku-20241022", {"type": "adaptive"}, [CLEAR_THINKING], None),
        ("claude-opus-4-8", None, [CLEAR_THINKING], None),
        ("claude-opus-5", {"type": "disabled"}, [CLEAR_THINKING], None),
        ("claude-opus-5", None, [CLEAR_THINKING], {"edits": [CLEAR_THINKING]}),
        ("claude-sonnet-4-5", {"type": "adaptive"}, [CLEAR_THINKING], {"edits": [CLEAR_THINKING]}),
    ],
)
def test_thinking_is_only_cleared_from_the_context_while_it_is_on(
    model: str, thinking: Any, edits: list[Any], kept: Any
) -> None:
    body = {**CLAUDE_CODE, "max_tokens": 8000, "context_management": {"edits": edits}, "thinking": thinking}
    del body["output_config"]
    one = il.exchange(body, "claude", "claude", model=model, fit=True)
    assert one.body.get("context_management") == kept
    assert il.check_request(one.body, "claude") == []
    detail = "thinking that is off cannot be cleared from the context"
    assert ("/extra/claude" in {loss.path for loss in one.losses if loss.detail == detail}) is (
        kept != {"edits": edits}
    )
    asked = {**body, "model": model, "thinking": one.body.get("thinking")}
    found = {violation.path for violation in il.check_request(asked, "claude")}
    assert ("/context_management/edits/0" in found) is (kept != {"edits": edits})


def test_nothing_is_fitted_without_fit() -> None:
    one = il.exchange(CLAUDE_CODE, "claude", "claude", model="claude-sonnet-4-5")
    assert (one.body, one.losses) == ({**CLAUDE_CODE, "model": "claude-sonnet-4-5"}, ())


def test_a_request_that_the_model_accepts_is_unchanged() -> None:
    body = {"model": "gpt-5.2", "messages": [HI], "store": True, "odd": {"a": 1}, "max_completion_tokens": 9}
    one = il.exchange(body, "openai_chat", "openai_chat", fit=True)
    assert (one.body, one.losses) == (body, ())


@pytest.mark.parametrize(
    ("model", "name"),
    [("gpt-5.1", "max_completion_tokens"), ("gpt-4.1", "max_tokens"), ("openai/gpt-5.1", "max_tokens")],
)
def test_max_tokens_becomes_max_completion_tokens_for_models_that_refuse_it(model: str, name: str) -> None:
    body = {"model": "qwen3-coder-plus", "max_tokens": 8000, "messages": [HI]}
    one = il.exchange(body, "openai_chat", "openai_chat", model=model, fit=True)
    assert (one.body, one.losses) == ({"model": model, name: 8000, "messages": [HI]}, ())
    assert il.check_request(one.body, "openai_chat") == []


def test_of_two_output_limits_these_models_get_the_newer_one() -> None:
    body = {"model": "m", "max_tokens": 9, "max_completion_tokens": 8, "messages": [HI]}
    one = il.exchange(body, "openai_chat", "openai_chat", model="gpt-5.1", fit=True)
    assert one.body == {"model": "gpt-5.1", "max_completion_tokens": 8, "messages": [HI]}
    assert [(loss.code, loss.path, loss.severity) for loss in one.losses] == [("setting", "/extra/openai_chat", "lost")]


@pytest.mark.parametrize("others", [[], ["file_search_call.results"]])
def test_models_without_reasoning_get_no_encrypted_reasoning(others: list[str]) -> None:
    body = {"model": "gpt-5.5", "input": "Hello", "include": [*others, "reasoning.encrypted_content"]}
    one = il.exchange(body, "openai_responses", "openai_responses", model="gpt-4.1", fit=True)
    assert one.body == {"model": "gpt-4.1", "input": "Hello", **({"include": others} if others else {})}
    assert [(loss.path, loss.severity) for loss in one.losses] == [("/extra/openai_responses", "lost")]
    assert il.check_request(one.body, "openai_responses") == []
    own = il.exchange(body, "openai_responses", "openai_responses", model="gpt-5.2", fit=True)
    assert (own.body, own.losses) == ({**body, "model": "gpt-5.2"}, ())


def test_fitting_changes_nothing_if_the_dialects_differ() -> None:
    body = {"model": "gpt-5.2", "messages": [HI]}
    fitted = il.exchange(body, "openai_chat", "claude", model="claude-opus-5", fit=True)
    assert fitted.body == il.exchange(body, "openai_chat", "claude", model="claude-opus-5").body


CALL: Final = {"index": 0, "id": "t", "type": "function"}


@pytest.mark.parametrize("is_whole", [True, False])
def test_tools_renamed_for_a_model_are_returned_with_their_own_names(is_whole: bool) -> None:
    function = {"name": "21st_magic", "parameters": {"type": "object", "properties": {}}}
    body = {"model": "gpt-5.2", "messages": [HI], "tools": [{"type": "function", "function": function}]}
    one = il.exchange(body, "openai_chat", "openai_chat", model="kimi-k2.6", fit=True)
    name = one.body["tools"][0]["function"]["name"]
    assert name[0].isalpha()
    call = {**CALL, "function": {"name": name, "arguments": "{}"}}
    said = {"role": "assistant", "content": None, "tool_calls": [call], "odd": 1}
    if is_whole:
        answer = {"choices": [{"index": 0, "message": said, "finish_reason": "tool_calls"}]}
        again = il.Exchange.from_json(one.to_json()).response(answer).body
        assert again == one.response(answer).body
        [choice] = again["choices"]
        assert choice["message"]["tool_calls"][0]["function"]["name"] == "21st_magic"
        assert choice["message"]["odd"] == 1
        return
    frames = [
        {"id": "c", "model": "kimi-k2.6", "choices": [{"index": 0, "delta": said, "finish_reason": None}]},
        {"id": "c", "model": "kimi-k2.6", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
        "[DONE]",
    ]
    out = [*one.stream(frames)]
    assert out[0]["choices"][0]["delta"]["tool_calls"][0]["function"]["name"] == "21st_magic"
    assert [frame["model"] for frame in out[:-1]] == ["gpt-5.2"] * 2
    assert out[-1] == "[DONE]"


def test_a_custom_tool_becomes_a_function_where_required_and_is_restored() -> None:
    tool = {"type": "custom", "custom": {"name": "patch", "description": "Changes a file."}}
    body = {"model": "gpt-5.2", "messages": [HI], "tools": [tool]}
    one = il.exchange(body, "openai_chat", "openai_chat", model="glm-4.7", fit=True)
    assert [sent["type"] for sent in one.body["tools"]] == ["function"]
    call = {**CALL, "function": {"name": "patch", "arguments": '{"input": "+a"}'}}
    said = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = {"choices": [{"index": 0, "message": said, "finish_reason": "tool_calls"}]}
    [found] = one.response(answer).body["choices"][0]["message"]["tool_calls"]
    assert (found["type"], found["custom"]) == ("custom", {"name": "patch", "input": "+a"})


def test_grok_gets_no_search_parameters() -> None:
    search = {"type": "web_search", "external_web_access": True, "search_context_size": "low"}
    body = {"model": "gpt-5.6", "input": "Hello", "tools": [search]}
    one = il.exchange(body, "openai_responses", "openai_responses", model="grok-4.6", fit=True)
    assert one.body["tools"] == [{"type": "web_search", "search_context_size": "low"}]
    assert {loss.path: loss.severity for loss in one.losses}["/tools/0/external_web_access"] == "lost"
    assert il.check_request(one.body, "openai_responses") == []
    refused = il.check_request({**body, "model": "grok-4.6"}, "openai_responses")
    assert [one.path for one in refused] == ["/tools/0/external_web_access"]
    own = il.exchange(body, "openai_responses", "openai_responses", model="gpt-5.5", fit=True)
    assert own.body["tools"] == [search]


def test_grok_gets_the_codex_tools_as_functions_and_their_calls_are_restored() -> None:
    inner = {"type": "function", "name": "spawn", "parameters": {"type": "object", "properties": {}}, "strict": False}
    group = {"type": "namespace", "name": "agents", "description": "Other agents.", "tools": [inner]}
    patch = {"type": "custom", "name": "apply_patch", "description": "Changes files."}
    body = {"model": "gpt-5.6", "input": "Hello", "tools": [patch, group]}
    refused = il.check_request({**body, "model": "grok-4.6"}, "openai_responses")
    assert [(one.code, one.path) for one in refused] == [("tool", "/tools/0/type"), ("tool", "/tools/1/type")]
    one = il.exchange(body, "openai_responses", "openai_responses", model="grok-4.6", fit=True)
    assert [(tool["type"], tool["name"]) for tool in one.body["tools"]] == [
        ("function", "apply_patch"),
        ("function", "agents__spawn"),
    ]
    assert il.check_request(one.body, "openai_responses") == []
    called = {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "c1",
        "name": "apply_patch",
        "arguments": '{"input":"+a"}',
    }
    spawned = {"type": "function_call", "id": "fc_2", "call_id": "c2", "name": "agents__spawn", "arguments": "{}"}
    head = {"id": "r", "object": "response", "created_at": 1, "model": "grok-4.6", "status": "completed"}
    first, second = one.response({**head, "output": [called, spawned]}).body["output"]
    assert (first["type"], first["name"], first["input"]) == ("custom_tool_call", "apply_patch", "+a")
    assert (second["type"], second["namespace"], second["name"]) == ("function_call", "agents", "spawn")
    own = il.exchange(body, "openai_responses", "openai_responses", model="gpt-5.5", fit=True)
    assert [tool["type"] for tool in own.body["tools"]] == ["custom", "namespace"]


@pytest.mark.parametrize("value", [None, "x", 5, [], [None], {"a": None}])
@pytest.mark.parametrize("model", ["gpt-5.5", "gpt-4o", "kimi-k2.6", "mistral-large-latest", "glm-4.6"])
def test_members_of_any_kind_are_fitted_in_chat_completions(model: str, value: Any) -> None:
    body = {"model": "m", "messages": [HI], "thinking": value}
    for name in ("metadata", "logit_bias", "verbosity", "prompt_cache_retention", "moderation"):
        one = il.exchange({**body, name: value}, "openai_chat", "openai_chat", model=model, fit=True)
        assert one.body["messages"] == [HI]


@pytest.mark.parametrize("model", [family.example for family in room("openai_chat").FAMILIES])
def test_null_tools_are_fitted(model: str) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Hello"}], "tools": None}
    assert il.exchange(body, "openai_chat", "openai_chat", model=model, fit=True).body["model"] == model


@pytest.mark.parametrize("value", [None, "x", [], [None], {"a": None}])
@pytest.mark.parametrize("name", ["metadata", "max_output_tokens", "prompt_cache_retention", "moderation"])
def test_members_of_any_kind_are_fitted_in_responses(name: str, value: Any) -> None:
    body = {"model": "m", "input": "Hello", name: value}
    one = il.exchange(body, "openai_responses", "openai_responses", model="gpt-5.5", fit=True)
    assert one.body["input"] == "Hello"


@pytest.mark.parametrize("snake", [False, True])
def test_images_in_a_result_move_after_it_for_gemini_models_without_image_results(snake: bool) -> None:
    call, result, inline, kind = (
        ("function_call", "function_response", "inline_data", "mime_type")
        if snake
        else ("functionCall", "functionResponse", "inlineData", "mimeType")
    )
    picture = {inline: {kind: "image/png", "data": "iVBORw0KGgo="}}
    answered = {result: {"id": "c", "name": "f", "response": {"output": "ok"}, "parts": [picture]}}
    turns = [
        ("user", [{"text": "Hi"}]),
        ("model", [{call: {"id": "c", "name": "f", "args": {}}}]),
        ("user", [answered]),
    ]
    body = {
        "contents": [{"role": role, "parts": parts} for role, parts in turns],
        "tools": [{"functionDeclarations": [{"name": "f"}]}],
    }
    profile = "gemini-2.5-flash, robotics-er-1.5"
    one = il.exchange(body, "gemini", "gemini", model="gemini-2.5-flash", profile=profile, fit=True)
    assert il.check_request(one.body, "gemini", profile=profile) == []
    said, beside = one.body["contents"][-2:]
    assert said["parts"] == [{result: {"id": "c", "name": "f", "response": {"output": "ok"}}}]
    assert beside["parts"][1:] == [picture]
    assert ("/messages/2/content", "changed") in {(loss.path, loss.severity) for loss in one.losses}


def test_a_video_of_unknown_format_is_left_out_for_bedrock_models_without_video_input() -> None:
    film = {"video": {"format": "video/mp4", "source": {"bytes": "AAAA"}}}
    body = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "Look."}, film]}]}
    model = "anthropic.claude-sonnet-4-5-20250929-v1:0"
    one = il.exchange(body, "bedrock_converse", "bedrock_converse", model=model, fit=True)
    assert one.body["messages"][0]["content"] == [{"text": "Look."}]
    assert ("/messages/0/content/1", "lost") in {(loss.path, loss.severity) for loss in one.losses}
    assert il.check_request(one.body, "bedrock_converse") == []
    seen = il.exchange(body, "bedrock_converse", "bedrock_converse", model="amazon.nova-pro-v1:0", fit=True)
    assert seen.body["messages"] == body["messages"]


def test_mistral_gets_no_message_members_that_it_refuses() -> None:
    own = {"type": "thinking", "thinking": [{"type": "text", "text": "My own thought."}]}
    call = {"id": "toolu_1", "index": 0, "type": "function", "function": {"name": "look", "arguments": "{}"}}
    detail = {"type": "reasoning.text", "text": "Hm.", "signature": "c2ln", "format": "anthropic-claude-v1", "index": 0}
    source = {"url": "https://a.b", "title": "t", "start_index": 0, "end_index": 2}
    dumped = {"role": "assistant", "refusal": None, "annotations": [], "audio": None, "function_call": None}
    signed = {**call, "extra_content": {"google": {"thought_signature": "c2ln"}}}
    messages: list[dict[str, Any]] = [
        {**HI, "timestamp": 3},
        {"role": "assistant", "content": [own, {"type": "text", "text": "Hi."}]},
        {"role": "user", "content": [{"type": "text", "text": "Look.", "annotations": None}]},
        {**dumped, "content": None, "reasoning_content": "Hm.", "reasoning_details": [detail], "tool_calls": [signed]},
        {"role": "tool", "tool_call_id": "toolu_1", "content": "a tree", "status": "done"},
        {**dumped, "content": "A tree.", "annotations": [{"type": "url_citation", "url_citation": source}]},
        HI,
    ]
    one = il.exchange(
        {"model": "gpt-5.1", "messages": messages}, "openai_chat", "openai_chat", model="mistral-large-latest", fit=True
    )
    sent = one.body["messages"][3]["tool_calls"][0]["id"]
    assert one.body["messages"] == [  # else "Extra inputs are not permitted"
        HI,
        messages[1],
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": None, "tool_calls": [{**call, "id": sent}]},
        {"role": "tool", "tool_call_id": sent, "content": "a tree"},
        {"role": "assistant", "content": "A tree."},
        HI,
    ]
    assert {(loss.code, loss.path) for loss in one.losses if loss.severity == "lost"} == {
        ("extra", "/messages/0/extra/openai_chat"),
        ("reasoning", "/messages/3/reasoning"),
        ("provider_state", "/messages/3/extra/openai_chat"),
        ("provider_state", "/messages/3/extra/gemini"),
        ("extra", "/messages/4/extra/openai_chat"),
        ("citation", "/messages/5/content/0/citations"),
    }


def test_mistral_gets_no_reasoning_details_signed_by_claude() -> None:
    asked = {"model": "m", "messages": [HI]}
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    answer = {"type": "message", "role": "assistant", "content": [thought, {"type": "text", "text": "Hello."}]}
    said = il.exchange(asked, "openai_chat", "claude").response(answer).body["choices"][0]["message"]
    assert said["reasoning_details"][0]["signature"] == "c2ln"
    body = {**asked, "messages": [HI, said, HI]}
    one = il.exchange(body, "openai_chat", "openai_chat", model="mistral-large-latest", fit=True)
    assert one.body["messages"] == [HI, {"role": "assistant", "content": "Hello."}, HI]
    assert {("reasoning", "/messages/1/reasoning"), ("provider_state", "/messages/1/extra/claude")} <= {
        (loss.code, loss.path) for loss in one.losses
    }


@pytest.mark.parametrize("value", ["x", 1.5, True, [[]]])
def test_a_malformed_member_that_cannot_be_fitted_is_a_documented_error(value: Any) -> None:
    tools = [{"type": "function", "name": "f", "parameters": value, "strict": False}]
    body = {"model": "gpt-5.5", "input": "Hi", "tools": tools}
    assert il.exchange(body, "openai_responses", "openai_responses").body == body
    with pytest.raises(il.EncodeError) as caught:
        il.exchange(body, "openai_responses", "openai_responses", fit=True)
    assert (caught.value.dialect, caught.value.path) == ("openai_responses", "/tools/0/extra/openai_responses")


def test_malformed_messages_that_cannot_be_fitted_are_a_documented_error() -> None:
    messages = [HI, {"role": "assistant", "content": "Hi.", "tool_calls": 1.5}]
    with pytest.raises(il.EncodeError):
        il.exchange({"model": "qwen3", "messages": messages}, "ollama", "ollama", fit=True)


@pytest.mark.parametrize(
    ("model", "members", "sent"),
    [
        (
            "deepseek-v4-flash",
            {"reasoning_effort": "high", "thinking": {"type": "enabled"}},
            {"reasoning_effort": "high"},
        ),
        ("openai/o4-mini", {"reasoning": {"effort": "high"}}, {"reasoning_effort": "high"}),
        (
            "openai/o4-mini",
            {"reasoning": {"effort": "high", "x": 1}},
            {"reasoning_effort": "high", "reasoning": {"x": 1}},
        ),
        ("anthropic/claude-haiku-4.5", {"reasoning": {"max_tokens": 9000}}, {"reasoning_effort": "high"}),
        ("qwen3:8b", {"chat_template_kwargs": {"enable_thinking": False}}, {"reasoning_effort": "none"}),
    ],
)
def test_a_setting_that_moves_to_another_member_leaves_no_null_behind(
    model: str, members: dict[str, Any], sent: dict[str, Any]
) -> None:
    body = {"model": model, "messages": [HI]}
    one = il.exchange({**body, **members}, "openai_chat", "openai_chat", fit=True)
    assert one.body == {**body, **sent}


def test_a_model_that_a_gateway_names_is_known_without_being_named_again() -> None:
    body = {"model": "anthropic/claude-sonnet-4.5", "messages": [{"role": "developer", "content": "Be brief."}, HI]}
    one = il.exchange(body, "openai_chat", "openai_chat", fit=True)
    assert one.body["messages"] == [{"role": "system", "content": "Be brief."}, HI]
    assert "/model" not in [loss.path for loss in one.losses]


def test_tools_that_are_added_in_mid_conversation_are_kept() -> None:
    added = {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "look"}}
    messages = [HI, {"role": "assistant", "content": "Yes?"}, HI, {"role": "system", "content": [added]}]
    body = {"model": "claude-opus-4-8", "max_tokens": 9, "messages": messages}
    one = il.exchange(body, "claude", "claude", fit=True)
    assert (one.body, one.losses) == (body, ())


CLAUDE_ON_BEDROCK: Final = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
BEDROCK_HI: Final = {"role": "user", "content": [{"text": "Hello"}]}
STOP_AT_X: Final = {"maxTokens": 9, "stopSequences": ["x"]}
EFFORT: Final = {"output_config": {"effort": "low"}}


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        ("claude", {"model": "claude-opus-4-6", "max_tokens": 9, "messages": [HI], **EFFORT}),
        (
            "openai_responses",
            {"model": "gpt-5", "input": [HI], "tools": [{"type": "function", "name": "f", "parameters": {}}]},
        ),
        ("bedrock_converse", {"modelId": CLAUDE_ON_BEDROCK, "messages": [BEDROCK_HI], "inferenceConfig": STOP_AT_X}),
    ],
)
def test_what_only_clients_of_other_dialects_need_is_not_added(dialect: il.Dialect, body: dict[str, Any]) -> None:
    one = il.exchange(body, dialect, dialect, fit=True)
    assert (one.body, one.losses) == (body, ())


def test_thoughts_that_a_client_of_gemini_did_not_ask_for_are_not_shown() -> None:
    thinking = {"thinkingBudget": 2048}
    body = {"contents": [{"role": "user", "parts": [{"text": "x"}]}], "generationConfig": {"thinkingConfig": thinking}}
    one = il.exchange(body, "gemini", "gemini", model="gemini-2.5-flash", fit=True)
    assert one.body["generationConfig"]["thinkingConfig"] == thinking


def test_an_effort_alone_is_lost_for_models_of_claude_that_have_none() -> None:
    body = {"model": "claude-sonnet-4-20250514", "max_tokens": 9000, "messages": [HI], **EFFORT}
    one = il.exchange(body, "claude", "claude", fit=True)
    assert {"thinking", "output_config"}.isdisjoint(one.body)
    assert [(loss.severity, loss.path) for loss in one.losses] == [("lost", "/reasoning/effort")]


ITEM_METADATA: Final = {"internal_chat_message_metadata_passthrough": {"turn_id": "t1"}}


def of_codex(model: str) -> dict[str, Any]:
    """Return a request of Codex to OpenAI, whose items say in which turn they were made."""
    items: list[dict[str, Any]] = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Look."}]},
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "call_1", "output": "Nothing."},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}},
    ]
    return {"model": model, "input": [{**item, **ITEM_METADATA} for item in items]}


@pytest.mark.parametrize("model", ["grok-4.6", "deepseek-v4-flash", "gpt-oss-120b", "doubao-seed-2-0-pro", "glm-5.3"])
def test_the_metadata_of_codex_goes_to_openai_alone(model: str) -> None:
    body = of_codex(model)
    fitted = il.exchange(body, "openai_responses", "openai_responses", fit=True)
    assert [item for item in fitted.body["input"] if ITEM_METADATA.keys() & item.keys()] == []
    told = [(loss.path, loss.concern) for loss in fitted.losses if loss.code == "extra"]
    assert told == [("/messages", "bookkeeping")]
    assert body == of_codex(model)


def test_openais_models_get_the_metadata_of_codex() -> None:
    fitted = il.exchange(of_codex("gpt-5.5"), "openai_responses", "openai_responses", fit=True)
    assert fitted.body["input"] == of_codex("gpt-5.5")["input"]
    assert fitted.losses == ()


def test_the_metadata_of_codex_is_no_content_that_other_dialects_lose() -> None:
    body = of_codex("gpt-5.5")
    del body["input"][3]
    encoded = il.translate_request(body, "openai_responses", "claude", model="claude-opus-5", strict={"content"})
    assert {loss.concern for loss in encoded.losses if loss.code == "extra"} == {"bookkeeping"}


def test_reasoning_that_nothing_follows_is_lost_with_its_text() -> None:
    said = {"type": "summary_text", "text": "Let me look."}
    reasoning = {"type": "reasoning", "id": "rs_1", "summary": [said], "encrypted_content": "gAAAAABx"}
    asked = {"role": "user", "content": "Look."}
    body = {"model": "gpt-5.5", "input": [asked, reasoning, asked]}
    fitted = il.exchange(body, "openai_responses", "openai_responses", fit=True)
    assert fitted.body["input"] == [asked, asked]
    assert [(loss.path, loss.concern) for loss in fitted.losses] == [
        ("/messages/1/reasoning", "content"),
        ("/messages/1/extra/openai_responses/reasoning", "state"),
    ]
