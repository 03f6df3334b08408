"""What goes by Chat Completions to models that others host: choices, sampling, efforts, instructions and turns."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

TOOL: Final[dict[str, Any]] = {"name": "look", "input_schema": {"type": "object", "properties": {}}}
HI: Final = {"role": "user", "content": "Hello"}


def sent(model: str, *messages: Any, **members: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what of a request of Claude goes to a model that refuses nothing of it, and the losses by their paths."""
    body = {"model": "claude-opus-4-8", "max_tokens": 900, "messages": [*(messages or (HI,))], **members}
    encoded = il.translate_request(body, "claude", "openai_chat", model=model)
    assert il.check_request(encoded.body, "openai_chat") == []
    return encoded.body, {loss.path: loss.severity for loss in encoded.losses}


def instructed(model: str, *items: Any) -> tuple[list[Any], dict[str, str]]:
    """Return the messages that a model gets of a request of Responses, and the losses by their paths."""
    body = {"model": "gpt-5", "input": [*items]}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model=model)
    assert il.check_request(encoded.body, "openai_chat") == []
    return encoded.body["messages"], {loss.path: loss.severity for loss in encoded.losses}


@pytest.mark.parametrize(
    ("model", "choice", "left", "thinking"),
    [
        ("kimi-k2.6", "required", "required", {"type": "disabled"}),
        ("kimi-k2.7-code", "required", "auto", None),
        ("kimi-k3", "required", "required", None),
        ("kimi-k3", "look", "required", None),
        ("glm-5.3", "required", "auto", None),
        ("glm-4.7", "look", "auto", None),
        ("z-ai/glm-5.3", "required", "auto", None),
        ("zai-org/GLM-5.2", "required", "required", None),
        ("moonshotai/kimi-k2.6", "required", "required", None),
    ],
)
def test_a_tool_is_forced_only_for_models_that_support_it(
    model: str, choice: str, left: str, thinking: dict[str, str] | None
) -> None:
    said = {"type": "any"} if choice == "required" else {"type": "tool", "name": choice}
    out, told = sent(model, tools=[TOOL], tool_choice=said)
    assert (out["tool_choice"], out.get("thinking")) == (left, thinking)
    assert ("/tool_choice" in told) == (left != choice)


@pytest.mark.parametrize(
    ("model", "is_word"),
    [
        ("meta-llama/Llama-3.3-70B-Instruct", True),
        ("Qwen/Qwen3-8B", True),
        ("qwen3-8b", False),
        ("gpt-oss-20b", True),
        ("google/gemma-3-27b-it", True),
        ("moonshotai/Kimi-K2-Instruct", True),
        ("moonshot-v1-128k", False),
        ("MiniMax-M2.5", False),
        ("gpt-4o", False),
    ],
)
def test_the_only_tool_is_forced_in_a_word_that_lm_studio_and_llama_cpp_know(model: str, *, is_word: bool) -> None:
    """LM Studio refuses an object, llama.cpp takes it for `auto`; Alibaba and Moonshot had no `required`."""
    named = {"type": "function", "function": {"name": "look"}}
    out, told = sent(model, tools=[TOOL], tool_choice={"type": "tool", "name": "look"})
    assert out["tool_choice"] == ("required" if is_word else named)
    assert told.get("/tool_choice") == ("changed" if is_word else None)
    assert [one["role"] for one in out["messages"]] == ["user"]
    out, told = sent(model, tools=[TOOL, {**TOOL, "name": "listen"}], tool_choice={"type": "tool", "name": "look"})
    assert (out["tool_choice"], "/tool_choice" in told) == (named, False)


@pytest.mark.parametrize("model", ["llama-3.3-70b", "Qwen/Qwen3-8B", "gpt-oss-20b", "nvidia/nemotron-3-nano"])
def test_hosts_of_open_models_get_the_parameters_of_each_function(model: str) -> None:
    """LM Studio refuses a function without the schema of an object, TGI one without parameters."""
    tools = [{"name": "look", "input_schema": {}}, {"name": "see", "input_schema": {"type": "object"}}]
    out, told = sent(model, tools=tools)
    assert [one["function"]["parameters"] for one in out["tools"]] == [{"type": "object", "properties": {}}] * 2
    assert told["/tools/0/parameters"] == "filled"
    bare = {"model": model, "messages": [HI], "tools": [{"type": "function", "function": {"name": "look"}}]}
    assert il.check_request(bare, "openai_chat") == []


def test_a_tool_choice_that_kimi_refuses_is_a_violation() -> None:
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
    body = {"messages": [HI], "tools": [tool], "tool_choice": "required"}
    named = {"type": "function", "function": {"name": "look"}}
    for model, choice, found in (
        ("kimi-k2.7-code", "required", ["/tool_choice"]),
        ("kimi-k2.6", "required", ["/tool_choice"]),
        ("kimi-k3", "required", []),
        ("kimi-k3", named, ["/tool_choice"]),
        ("glm-4.7", named, []),
    ):
        wrong = {**body, "model": model, "tool_choice": choice}
        assert [one.path for one in il.check_request(wrong, "openai_chat")] == found


@pytest.mark.parametrize(
    ("model", "is_fixed"),
    [("kimi-k3", True), ("kimi-k2.6", True), ("moonshotai/kimi-k3", True), ("moonshotai/kimi-k2.6", False)],
)
def test_moonshot_models_get_no_sampling_settings(model: str, *, is_fixed: bool) -> None:
    out, told = sent(model, temperature=0.3)
    assert ("temperature" in out) is not is_fixed
    assert told.get("/temperature") == ("lost" if is_fixed else None)
    assert "/temperature" not in sent(model, temperature=1)[1]


@pytest.mark.parametrize(
    ("model", "effort", "written"),
    [
        ("kimi-k3", "medium", "high"),
        ("grok-4.6", "max", "xhigh"),
        ("grok-4.5", "max", "high"),
        ("grok-5", "low", "low"),
        ("grok-4.20-0309-reasoning", "high", None),
        ("grok-code-fast-1", "high", None),
        ("grok-4.3", "high", "high"),
        ("glm-5.2", "low", "low"),
        ("kimi-k2.7-code", "high", None),
    ],
)
def test_an_effort_is_mapped_to_one_that_the_model_supports(model: str, effort: str, written: str | None) -> None:
    out, told = sent(model, thinking={"type": "adaptive"}, output_config={"effort": effort})
    assert out.get("reasoning_effort") == written
    assert told.get("/reasoning/effort") == (None if written == effort else "changed" if written else "lost")
    if "grok" in model:
        body = {"model": "gpt-5", "messages": [HI], "reasoning_effort": effort}
        responses = il.translate_request(body, "openai_chat", "openai_responses", model=model).body
        assert responses.get("reasoning", {}).get("effort") == written


@pytest.mark.parametrize("model", ["zai-glm-4.7", "qwen-3.8-27b"])
def test_cerebras_gets_no_thinking_switch(model: str) -> None:
    out, told = sent(model, thinking={"type": "adaptive"})
    assert out.keys().isdisjoint({"thinking", "enable_thinking", "reasoning_effort"})
    assert told["/reasoning/mode"] == "lost"


@pytest.mark.parametrize(
    ("model", "is_one"),
    [
        ("MiniMax-M2.5", True),
        ("minimax/minimax-m2.5", False),
        ("gemini-3.5-flash", True),
        ("google/gemini-3.5-flash", True),
        ("gemini-2.5-pro", True),
        ("gemini-2.5-flash", True),
        ("gemini-2.0-flash", True),
    ],
)
def test_minimax_and_gemini_get_one_leading_instruction(model: str, *, is_one: bool) -> None:
    items = [{"role": "system", "content": "A"}, {"role": "developer", "content": "B"}, HI]
    messages, told = instructed(
        model, *items, {"role": "assistant", "content": "Hi."}, {"role": "system", "content": "C"}
    )
    roles = [message["role"] for message in messages]
    assert roles == (
        ["system", "user", "assistant", "user"] if is_one else [*["system"] * 2, "user", "assistant", "system"]
    )
    assert messages[0]["content"] == ("A\n\nB" if is_one else "A")
    assert told.get("/messages/4/role") == ("changed" if is_one else None)


def test_perplexity_gets_alternating_roles_and_a_final_user_message() -> None:
    messages, told = instructed(
        "sonar-pro",
        {"role": "system", "content": "A"},
        HI,
        {**HI, "content": "So?"},
        {"role": "assistant", "content": "Hi"},
    )
    assert [(one["role"], one["content"]) for one in messages] == [
        ("system", "A"),
        ("user", "Hello\n\nSo?"),
        ("assistant", "Hi"),
        ("user", "Continue."),
    ]
    assert (told["/messages"], told["/messages/4"]) == ("changed", "filled")


def test_glm_at_its_own_provider_gets_a_user_message() -> None:
    messages, told = instructed("glm-4.7", {"role": "system", "content": "Say hello."})
    assert messages == [{"role": "user", "content": "Say hello."}]
    assert told == {"/messages/0/role": "changed"}
    wrong = {"model": "glm-4.7", "messages": [{"role": "system", "content": "Say hello."}]}
    assert [one.code for one in il.check_request(wrong, "openai_chat")] == ["order"]


OF_OPENAI: Final[dict[str, Any]] = {
    "store": False,
    "metadata": {"a": "b"},
    "prompt_cache_key": "k",
    "prompt_cache_retention": "24h",
    "safety_identifier": "s",
}


@pytest.mark.parametrize(
    "model",
    [
        "openai/gpt-oss-120b",
        "qwen/qwen3.5-397b-a17b",
        "zai-org/GLM-5.2",
        "moonshotai/kimi-k3",
        "llama-3.3-70b",
        "nvidia/nemotron-3-super-120b-a12b",
        "gemini-3.5-flash",
    ],
)
def test_hosts_of_other_models_get_no_openai_only_settings(model: str) -> None:
    body = {"model": "gpt-5.5", "input": "Hello", "text": {"verbosity": "low"}, **OF_OPENAI}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model=model)
    assert encoded.body.keys() == {"model", "messages", "user"}
    assert encoded.body["user"] == "s"
    told = {loss.path: loss.severity for loss in encoded.losses}
    assert told == dict.fromkeys(("/metadata", "/prompt_cache_key", "/prompt_cache_retention", "/verbosity"), "lost")


def test_xai_gets_no_settings_that_it_does_not_have() -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
    asked = {"user": "u", "logit_bias": {"1": 2}, "logprobs": True, "tools": [tool]}
    body = {"model": "m", "messages": [HI], **asked}
    later = il.translate_request(body, "vllm", "openai_chat", model="grok-4.6")
    assert later.body.keys() == {"model", "messages", "user", "tools"}
    told = {loss.path: loss.severity for loss in later.losses}
    assert told == dict.fromkeys(("/logit_bias", "/logprobs"), "lost")
    earlier = il.translate_request(body, "vllm", "openai_chat", model="grok-3").body
    assert earlier.keys() == {"model", "messages", "user", "tools", "logprobs"}


def test_xai_refuses_metadata_in_responses() -> None:
    body = {"model": "grok-4.6", "input": "Hello", "metadata": {"a": "b"}}
    assert [one.path for one in il.check_request(body, "openai_responses")] == ["/metadata"]
    fitted = il.exchange(body, "openai_responses", "openai_responses", fit=True)
    assert fitted.body.keys() == {"model", "input"}
    assert [(loss.path, loss.severity) for loss in fitted.losses] == [("/metadata", "lost")]


def test_store_is_reported_as_lost_where_the_host_stores_nothing() -> None:
    body = {"model": "gpt-5.5", "input": "Hello", "store": True}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model="qwen/qwen3.5-397b-a17b")
    assert [(loss.path, loss.severity) for loss in encoded.losses] == [("/store", "lost")]


@pytest.mark.parametrize(
    ("model", "stays"),
    [
        ("gpt-5.5", {*OF_OPENAI}),
        ("my-deployment", {*OF_OPENAI}),
        ("mistral-large-latest", {"metadata", "prompt_cache_key"}),
        ("grok-4.3", {"prompt_cache_key"}),
    ],
)
def test_hosts_that_support_openai_settings_get_them(model: str, stays: set[str]) -> None:
    body = {"model": "gpt-5.5", "input": "Hello", **OF_OPENAI}
    out = il.translate_request({**body, "store": True}, "openai_responses", "openai_chat", model=model).body
    assert out.keys() & OF_OPENAI.keys() == stays
    unstored = il.translate_request({**body, "store": False}, "openai_responses", "openai_chat", model=model).body
    assert unstored.keys() & OF_OPENAI.keys() == (stays - {"metadata"} if "store" in stays else stays)


@pytest.mark.parametrize("model", ["gpt-oss-120b", "google/gemini-3.5-flash", "nvidia/nemotron-3-super-120b-a12b"])
def test_hosts_of_other_models_get_no_cache_marks(model: str) -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    out, told = sent(model, {"role": "user", "content": [{"type": "text", "text": "Hello", **mark}]}, **mark)
    assert "prompt_cache" not in str(out)
    assert told["/messages/0/content/0/cache"] == "lost"


@pytest.mark.parametrize(
    "model", ["nvidia/nemotron-3-super-120b-a12b", "cohere/command-a-03-2025", "ibm/granite-4.0-h-small", "phi-4"]
)
def test_open_weight_models_get_instructions_as_system_messages(model: str) -> None:
    messages, _ = instructed(model, {"role": "developer", "content": "A"}, HI)
    assert messages == [{"role": "system", "content": "A"}, HI]
    assert sent(model)[0]["max_tokens"] == 900


@pytest.mark.parametrize(
    ("model", "is_signed"),
    [("gemini-3.5-flash", True), ("google/gemini-3.1-pro-preview", True), ("gemini-flash-latest", True),
     ("gemini-2.5-flash", False), ("gpt-5.5", False)],
)  # fmt: skip
def test_calls_of_other_models_get_the_placeholder_signature_for_gemini(model: str, *, is_signed: bool) -> None:
    calls = [{"type": "tool_use", "id": name, "name": "look", "input": {}} for name in ("toolu_1", "toolu_2")]
    results = [{"type": "tool_result", "tool_use_id": call["id"], "content": "Seen."} for call in calls]
    out, told = sent(
        model, HI, {"role": "assistant", "content": calls}, {"role": "user", "content": results}, tools=[TOOL]
    )
    signature = {"google": {"thought_signature": "skip_thought_signature_validator"}}
    written = [call.get("extra_content") for call in out["messages"][1]["tool_calls"]]
    assert written == [signature if is_signed else None, None]
    assert told.get("/messages/1/extra/gemini") == ("filled" if is_signed else None)


@pytest.mark.parametrize(
    ("model", "effort", "written"),
    [
        ("qwen/qwen3.6-27b", "high", None),
        ("qwen/qwen3.8-27b", "high", "high"),
        ("llama-3.3-70b-versatile", "high", None),
        ("meta-llama/llama-4-scout-17b-16e-instruct", "high", None),
        ("groq/compound", "high", None),
        ("kimi-for-coding", "none", "minimal"),
        ("openai/gpt-oss-120b", "high", "high"),
    ],
)
def test_groq_and_kimi_get_efforts_that_they_support(model: str, effort: str, written: str | None) -> None:
    body = {"model": "gpt-5.5", "input": "Hello", "reasoning": {"effort": effort}}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model=model)
    assert encoded.body.get("reasoning_effort") == written
    assert bool(encoded.losses) is (written != effort)
    assert il.check_request(encoded.body, "openai_chat") == []


SEARCHING: Final[list[tuple[str, bool]]] = [
    ("deepseek-v4-flash", False), ("glm-5.3", False), ("qwen3.7-max", False), ("kimi-k3", False), ("mimo-v2.5", False),
    ("sonar-pro", True), ("openrouter/deepseek/deepseek-v4", True), ("some-model", True),
]  # fmt: skip


@pytest.mark.parametrize(("model", "searches"), SEARCHING)
def test_a_web_search_is_lost_where_the_host_has_none(model: str, *, searches: bool) -> None:
    """Codex offers a search of the web in nearly every request."""
    body = {"model": "gpt-5.5", "input": "Hello", "tools": [{"type": "web_search"}]}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model=model)
    assert ("web_search_options" in encoded.body) == searches
    assert (("/tools/0", "lost") in [(loss.path, loss.severity) for loss in encoded.losses]) != searches


@pytest.mark.parametrize(
    ("target", "model", "detail"),
    [
        ("openai_chat", "gpt-5.5", "original"),
        ("openai_chat", "doubao-seed-2-1-pro", "high"),
        ("openai_chat", "kimi-k2.6", "high"),
        ("openai_chat", "some-model", "high"),
        ("vllm", "Qwen/Qwen3-VL-8B", "high"),
    ],
)
def test_image_detail_is_lowered_where_the_server_may_not_support_it(target: Any, model: str, detail: str) -> None:
    """Codex shows pictures as large as they are."""
    picture = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "original"}
    body = {"model": "gpt-5.5", "input": [{"role": "user", "content": [picture]}]}
    encoded = il.translate_request(body, "openai_responses", target, model=model)
    assert encoded.body["messages"][0]["content"][0]["image_url"]["detail"] == detail
    told = [(loss.path, loss.severity) for loss in encoded.losses]
    assert (("/messages/0/content/0/detail", "changed") in told) == (detail != "original")


@pytest.mark.parametrize("model", ["mimo-v2.5-pro", "xiaomi/mimo-v2.5"])
def test_mimo_gets_the_reasoning_of_its_calls_back(model: str) -> None:
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Look first."}]}
    call = {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"}
    result = {"type": "function_call_output", "call_id": "c", "output": "ok"}
    messages, _ = instructed(model, HI, thought, call, result)
    assert messages[1]["reasoning_content"] == "Look first."


THOUGHT_ALONE: Final = {"type": "thinking", "thinking": "", "signature": "c2ln"}


@pytest.mark.parametrize(
    ("model", "is_refused"),
    [("kimi-k2.6", True), ("kimi-k3", True), ("mistral-large-latest", True), ("gpt-5.5", False)],
)
@pytest.mark.parametrize("block", [THOUGHT_ALONE, {"type": "text", "text": ""}])
def test_an_empty_answer_is_left_out_where_it_is_refused(
    model: str, block: dict[str, Any], *, is_refused: bool
) -> None:
    looked = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}
    found = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}
    said = [
        {"role": "assistant", "content": [block]},
        {"role": "user", "content": "Go on."},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, looked]},
        {"role": "user", "content": [found]},
    ]
    out, told = sent(model, HI, *said, tools=[TOOL])
    empty = [one for one in out["messages"] if one["role"] == "assistant" and not one.get("tool_calls")]
    assert (len(empty) == 0) == is_refused
    assert (told.get("/messages/1") == "changed") == is_refused
    [calling] = [one for one in out["messages"] if one.get("tool_calls")]
    assert calling.get("reasoning_content", "Hm.") == "Hm."


def test_thoughts_of_an_answer_that_is_left_out_are_lost() -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    out, told = sent(
        "kimi-k2.6", HI, {"role": "assistant", "content": [thought]}, {"role": "user", "content": "Go on."}
    )
    assert [one["role"] for one in out["messages"]] == ["user", "user"]
    assert (told["/messages/1"], told["/messages/1/reasoning"]) == ("changed", "lost")


def test_a_declined_answer_is_not_left_out() -> None:
    declined = {"role": "assistant", "content": [{"type": "refusal", "refusal": "I cannot."}]}
    messages, _ = instructed("kimi-k3", HI, {"type": "message", **declined}, HI)
    assert "I cannot." in str(messages[1])


@pytest.mark.parametrize("model", ["glm-5.1", "z-ai/glm-4.7", "zai-org/GLM-4.6"])
def test_glm_gets_results_as_one_string(model: str) -> None:
    looked = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}
    parts = [{"type": "text", "text": "22.5"}, {"type": "text", "text": " C"}]
    found = {"type": "tool_result", "tool_use_id": "toolu_1", "content": parts}
    out, _ = sent(
        model, HI, {"role": "assistant", "content": [looked]}, {"role": "user", "content": [found]}, tools=[TOOL]
    )
    [result] = [one for one in out["messages"] if one["role"] == "tool"]
    assert (type(result["content"]), "22.5" in result["content"]) == (str, True)


@pytest.mark.parametrize(("model", "kind"), [("glm-5.1", "json_object"), ("zai-org/GLM-4.6", "json_schema")])
def test_z_ai_gets_a_schema_in_the_instructions(model: str, kind: str) -> None:
    schema = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
    form = {"type": "json_schema", "schema": {**schema, "additionalProperties": False}}
    out, told = sent(model, output_config={"format": form})
    assert out["response_format"]["type"] == kind
    assert ("title" in str(out["messages"])) == (kind == "json_object")
    assert any(path.startswith("/response_format") for path in told)


@pytest.mark.parametrize(
    ("model", "effort", "written"),
    [
        ("mistral-small-latest", "low", "high"),
        ("mistral-medium-latest", "xhigh", "high"),
        ("mistral-large-latest", "high", None),
        ("ministral-14b-latest", "low", None),
    ],
)
def test_mistral_gets_efforts_that_it_supports(model: str, effort: str, written: str | None) -> None:
    out, _ = sent(model, thinking={"type": "adaptive"}, output_config={"effort": effort})
    assert out.get("reasoning_effort") == written


@pytest.mark.parametrize(
    ("model", "thinking", "effort", "out"),
    [
        ("gemini-2.5-pro", "disabled", None, "low"),
        ("gemini-3.1-pro-preview", "disabled", None, "low"),
        ("google/gemini-3.7-flash", "adaptive", "max", "high"),
        ("gemini-2.5-flash", "disabled", None, "none"),
        ("gemini-2.5-flash", "adaptive", "max", "high"),
        ("gemini-2.0-flash", "adaptive", "high", None),
        ("command-a-reasoning-08-2025", "adaptive", "medium", "high"),
        ("command-r-08-2024", "adaptive", "medium", None),
        ("moonshot-v1-8k", "adaptive", "high", None),
        ("moonshotai/kimi-k2-instruct", "adaptive", "high", None),
        ("mistral-medium-3-5", "adaptive", "medium", "high"),
        ("magistral-small-latest", "disabled", None, "none"),
        ("mimo-v2.5", "adaptive", "max", "high"),
        ("mimo-v2.5-pro", "disabled", None, None),
    ],
)
def test_a_model_gets_an_effort_that_it_supports(
    model: str, thinking: str, effort: str | None, out: str | None
) -> None:
    said: dict[str, Any] = {"thinking": {"type": thinking}}
    if effort is not None:
        said["output_config"] = {"effort": effort}
    body, told = sent(model, **said)
    assert body.get("reasoning_effort") == out
    assert [path for path in told if path.startswith("/reasoning")] or out == "none" or "thinking" in body
    if model.startswith("mimo"):
        assert body["thinking"] == {"type": "disabled" if thinking == "disabled" else "enabled"}


@pytest.mark.parametrize(
    ("model", "most"), [("glm-4.6", 1), ("glm-5.2", 1), ("mistral-large-latest", 1.5), ("zai-org/GLM-4.6", 2)]
)
def test_a_temperature_is_limited_to_the_maximum_of_the_provider(model: str, most: float) -> None:
    body = {"contents": [{"role": "user", "parts": [{"text": "x"}]}], "generationConfig": {"temperature": 2}}
    encoded = il.translate_request(body, "gemini", "openai_chat", model=model)
    assert encoded.body["temperature"] == most
    assert [one.severity for one in encoded.losses if one.path == "/temperature"] == ["changed"] * (most < 2)
    assert il.check_request(encoded.body, "openai_chat") == []
    hot = [one.path for one in il.check_request({**encoded.body, "temperature": 2}, "openai_chat")]
    assert hot == ["/temperature"] * (most < 2)


@pytest.mark.parametrize("model", ["mistral-tiny", "mistral-medium", "open-mistral-nemo", "mistral-medium-3-5"])
def test_the_mistral_provider_is_recognised_by_each_of_its_names(model: str) -> None:
    body = {"model": "x", "input": "x", "stream": True, "user": "u"}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model=model)
    assert encoded.body.keys() == {"model", "messages", "stream"}


def test_perplexity_gets_calls_as_text_and_no_functions() -> None:
    call = {"type": "tool_use", "id": "t", "name": "look", "input": {"a": 1}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "seen"}
    conversation = (HI, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]})
    body, told = sent("sonar-pro", *conversation, tools=[TOOL], tool_choice={"type": "any"})
    assert [one["role"] for one in body["messages"]] == ["user", "assistant", "user"]
    assert "Called look" in body["messages"][1]["content"]
    assert "seen" in body["messages"][2]["content"]
    assert {"tools", "tool_choice"}.isdisjoint(body)
    assert (told["/tools/0"], told["/messages/1/tool_calls/0"], told["/messages/2"]) == ("lost", "changed", "changed")
    asked = {"model": "sonar", "messages": [HI, {"role": "tool", "tool_call_id": "t", "content": "x"}]}
    assert "/messages/1" in [one.path for one in il.check_request(asked, "openai_chat")]
    config = {"responseMimeType": "application/json"}
    wanted = {"contents": [{"role": "user", "parts": [{"text": "x"}]}], "generationConfig": config}
    encoded = il.translate_request(wanted, "gemini", "openai_chat", model="sonar")
    assert "response_format" not in encoded.body
    assert "JSON" in encoded.body["messages"][0]["content"]


@pytest.mark.parametrize("model", ["MiniMax-M2.5", "mistral-large-latest", "mistral-small-latest"])
def test_models_that_need_parameters_get_them_for_each_function(model: str) -> None:
    body = {
        "contents": [{"role": "user", "parts": [{"text": "x"}]}],
        "tools": [{"functionDeclarations": [{"name": "list_agents"}]}],
    }
    encoded = il.translate_request(body, "gemini", "openai_chat", model=model)
    [tool] = encoded.body["tools"]
    assert tool["function"]["parameters"] == {"type": "object", "properties": {}}
    assert {loss.path: loss.severity for loss in encoded.losses}["/tools/0/parameters"] == "filled"
    assert il.check_request(encoded.body, "openai_chat") == []
    bare = {**encoded.body, "tools": [{"type": "function", "function": {"name": "list_agents"}}]}
    assert [one.path for one in il.check_request(bare, "openai_chat")] == ["/tools/0/function/parameters"]


@pytest.mark.parametrize("model", ["MiniMax-M2.5", "mistral-large-latest"])
def test_added_parameters_of_a_strict_function_are_closed_and_told_at_the_tool(model: str) -> None:
    body = {
        "contents": [{"role": "user", "parts": [{"text": "x"}]}],
        "tools": [{"urlContext": {}}, {"functionDeclarations": [{"name": "now"}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}},
    }
    encoded = il.translate_request(body, "gemini", "openai_chat", model=model)
    [tool] = encoded.body["tools"]
    assert tool["function"]["strict"] is True
    assert tool["function"]["parameters"] == {"type": "object", "properties": {}, "additionalProperties": False}
    told = {loss.path: loss.severity for loss in encoded.losses}
    assert (told["/tools/0"], told["/tools/1/parameters"]) == ("lost", "filled")
    assert il.check_request(encoded.body, "openai_chat") == []


@pytest.mark.parametrize(("model", "strict"), [("zai-glm-4.7", [None, None]), ("gpt-5.2", [True, False])])
def test_tools_for_cerebras_are_all_strict_or_none(model: str, strict: list[bool | None]) -> None:
    closed = {"type": "object", "properties": {}, "additionalProperties": False}
    tools = [{"type": "function", "name": name, "parameters": closed, "strict": name == "f"} for name in ("f", "g")]
    encoded = il.translate_request(
        {"model": "x", "input": "x", "tools": tools}, "openai_responses", "openai_chat", model=model
    )
    assert [tool["function"].get("strict") for tool in encoded.body["tools"]] == strict
    assert il.check_request(encoded.body, "openai_chat") == []
    mixed = [
        {"type": "function", "function": {"name": name, "strict": name == "f", "parameters": closed}} for name in "fg"
    ]
    found = il.check_request({"model": model, "messages": [HI], "tools": mixed}, "openai_chat")
    assert [one.path for one in found] == (["/tools"] if model == "zai-glm-4.7" else [])


def test_moonshot_gets_schemas_and_names_that_its_validator_accepts() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "string", "anyOf": [{"enum": ["x"]}, {"type": "string"}]},
            "b": {"type": "integer", "oneOf": [{"minimum": 1}, {"maximum": -1}]},
            "c": True,
            "d": {"$ref": "#/$defs/D", "description": "outer"},
        },
        "$defs": {"D": {"type": "object", "description": "inner", "properties": {}}},
    }
    body = {
        "model": "c",
        "max_tokens": 9,
        "messages": [HI],
        "tools": [{"name": "21st_magic", "input_schema": schema}],
        "tool_choice": {"type": "tool", "name": "21st_magic"},
    }
    one = il.exchange(body, "claude", "openai_chat", model="kimi-k2.6")
    function = one.body["tools"][0]["function"]
    assert function["parameters"]["properties"] == {
        "a": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "string"}]},
        "b": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "integer", "maximum": -1}]},
        "c": {},
        "d": {"type": "object", "description": "outer", "properties": {}},
    }
    name = function["name"]
    assert name[0].isalpha()
    assert one.body["tool_choice"]["function"]["name"] == name
    assert il.check_request(one.body, "openai_chat") == []
    call = {"id": "t", "type": "function", "function": {"name": name, "arguments": "{}"}}
    answer = {
        "choices": [{"index": 0, "message": {"role": "assistant", "tool_calls": [call]}, "finish_reason": "tool_calls"}]
    }
    assert one.response(answer).body["content"][0]["name"] == "21st_magic"


@pytest.mark.parametrize("model", ["glm-4.7", "groq/compound"])
def test_joined_texts_are_separated(model: str) -> None:
    two = [{"type": "text", "text": "file1.txt"}, {"type": "text", "text": "file2.txt"}]
    body, told = sent(model, {"role": "user", "content": two}, system=two)
    assert [one["content"] for one in body["messages"]] == ["file1.txt\n\nfile2.txt"] * 2
    assert told["/messages"] == "changed"


def test_joined_texts_of_a_result_for_gemini_are_separated() -> None:
    two = [{"type": "text", "text": "file1.txt"}, {"type": "text", "text": ""}, {"type": "text", "text": "file2.txt"}]
    call = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": two}
    messages = [HI, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    body = {"model": "c", "max_tokens": 50, "messages": messages, "tools": [TOOL]}
    encoded = il.translate_request(body, "claude", "gemini", model="gemini-3-pro-preview")
    [part] = encoded.body["contents"][2]["parts"]
    assert part["functionResponse"]["response"] == {"output": "file1.txt\n\nfile2.txt"}
    assert {loss.path: loss.severity for loss in encoded.losses}["/messages/2/content"] == "changed"


def test_deepseek_gets_unique_tool_names() -> None:
    tool = {"type": "function", "name": "x", "parameters": {"type": "object", "properties": {}}, "strict": False}
    body = {"model": "m", "input": "hi", "tools": [tool, tool, {**tool, "name": "y"}]}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model="deepseek-v4-flash")
    assert [one["function"]["name"] for one in encoded.body["tools"]] == ["x", "y"]
    assert {loss.path: loss.severity for loss in encoded.losses}["/tools/1"] == "lost"
    twice = {**encoded.body, "tools": encoded.body["tools"] * 2}
    assert [one.path for one in il.check_request(twice, "openai_chat")] == [
        "/tools/2/function/name",
        "/tools/3/function/name",
    ]


PICTURE: Final = {
    "type": "image",
    "source": {"type": "url", "url": "https://example.org/a.png"},
}


@pytest.mark.parametrize(
    ("model", "sees"),
    [
        ("Qwen/Qwen3-8B", False),
        ("Qwen/Qwen3-VL-8B-Instruct", True),
        ("Qwen/Qwen2.5-Coder-32B-Instruct", False),
        ("Qwen/Qwen2.5-VL-7B-Instruct", True),
        ("openai/gpt-oss-120b", False),
        ("deepseek-ai/DeepSeek-V3.1", False),
        ("deepseek-ai/deepseek-vl2", True),
        ("meta-llama/Llama-3.3-70B-Instruct", False),
        ("meta-llama/Llama-3.2-11B-Vision-Instruct", True),
        ("zai-org/GLM-4.6", False),
        ("zai-org/GLM-4.6V", True),
        ("moonshotai/Kimi-K2.6", True),
    ],
)
def test_images_are_sent_through_vllm_to_models_with_image_input(model: str, sees: bool) -> None:
    call = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [PICTURE]}
    messages = [
        {"role": "user", "content": [PICTURE, {"type": "text", "text": "x"}]},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]
    body = {"model": "x", "max_tokens": 9, "messages": messages, "tools": [TOOL]}
    encoded = il.translate_request(body, "claude", "vllm", model=model)
    assert ("image_url" in str(encoded.body)) is sees
    told = {loss.path: loss.severity for loss in encoded.losses}
    assert (told.get("/messages/0/content/0") == "lost") is not sees
    assert il.check_request(encoded.body, "vllm") == []
    if not sees:
        shown = {
            "model": model,
            "messages": [
                {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}]}
            ],
        }
        assert [one.path for one in il.check_request(shown, "vllm")] == ["/messages/0/content/0"]


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("deepseek-ai/DeepSeek-V3.1", "thinking"),
        ("moonshotai/Kimi-K2.5", "thinking"),
        ("ibm-granite/granite-3.2-8b-instruct", "thinking"),
        ("Hcompany/Holo2-8B", "thinking"),
        ("Qwen/Qwen3-8B", "enable_thinking"),
        ("ibm-granite/granite-4.2-8b", "enable_thinking"),
    ],
)
@pytest.mark.parametrize("is_on", [True, False])
def test_the_thinking_switch_has_the_name_that_the_chat_template_reads(model: str, name: str, is_on: bool) -> None:
    thinking = {"type": "enabled", "budget_tokens": 2000} if is_on else {"type": "disabled"}
    body = {"model": "x", "max_tokens": 9000, "thinking": thinking, "messages": [HI]}
    encoded = il.translate_request(body, "claude", "vllm", model=model)
    assert encoded.body["chat_template_kwargs"] == {name: is_on}


@pytest.mark.parametrize("name", ["thinking", "enable_thinking"])
def test_a_chat_client_switches_thinking_with_a_chat_template_argument(name: str) -> None:
    body = {"model": "deepseek-ai/DeepSeek-V3.1", "messages": [HI], "chat_template_kwargs": {name: False, "odd": 1}}
    assert il.translate_request(body, "openai_chat", "openai_chat").body == body
    encoded = il.translate_request(body, "openai_chat", "claude", model="claude-sonnet-4-5")
    assert encoded.body["thinking"] == {"type": "disabled"}


SEARCH: Final[dict[str, Any]] = {"type": "web_search_20250305", "name": "web_search"}


@pytest.mark.parametrize(
    ("model", "is_asked"),
    [
        ("openai/gpt-oss-120b", False),
        ("gpt-oss-120b", False),
        ("qwen/qwen3-32b", False),
        ("moonshotai/kimi-k2-instruct-0905", False),
        ("meta-llama/llama-4-scout-17b-16e-instruct", False),
        ("accounts/fireworks/models/kimi-k3", False),
        ("deepseek-ai/DeepSeek-V4-Pro", False),
        ("grok-4.6", False),
        ("x-ai/grok-4.6", True),
        ("z-ai/glm-5.2", True),
        ("deepseek/deepseek-v4-pro", True),
    ],
)
def test_hosts_without_web_search_get_no_web_search(model: str, is_asked: bool) -> None:
    body, losses = sent(model, tools=[TOOL, SEARCH])
    assert ("web_search_options" in body, "/tools/1" in losses) == (is_asked, not is_asked)


def test_minimax_gets_reasoning_split_and_its_own_thinking_setting() -> None:
    thinking, _ = sent("MiniMax-M3", output_config={"effort": "xhigh"})
    assert (thinking["thinking"], thinking["reasoning_split"]) == ({"type": "adaptive"}, True)
    assert "reasoning_effort" not in thinking
    assert sent("MiniMax-M3", thinking={"type": "disabled"})[0]["thinking"] == {"type": "disabled"}
    older, losses = sent("MiniMax-M2.7", output_config={"effort": "high"})
    assert older.keys().isdisjoint({"thinking", "reasoning_effort"})
    assert (older["reasoning_split"], losses["/reasoning/effort"], losses["/reasoning/display"]) == (
        True,
        "lost",
        "filled",
    )
    assert "reasoning_split" not in sent("minimax/minimax-m3")[0]


def test_qwen_gets_the_requested_thinking_budget() -> None:
    assert sent("qwen3.8-max", output_config={"effort": "xhigh"})[0]["reasoning_effort"] == "xhigh"
    off, _ = sent("qwen3.8-max", thinking={"type": "disabled"})
    assert (off["enable_thinking"], "reasoning_effort" in off) == (False, False)
    older, _ = sent("qwen3.7-max", output_config={"effort": "xhigh"})
    assert (older["enable_thinking"], "reasoning_effort" in older) == (True, False)


DETAIL: Final = {"type": "reasoning.text", "id": "reasoning-text-1", "format": "MiniMax-response-v1", "index": 0}


@pytest.mark.parametrize(
    ("model", "members"),
    [
        ("glm-4.7", {"reasoning_content": "Look first."}),
        ("glm-5.3", {"reasoning_content": "Look first."}),
        ("glm-4.6v", {"reasoning_content": "Look first."}),
        ("MiniMax-M2.5", {"reasoning_details": [{**DETAIL, "text": "Look first."}]}),
        ("MiniMax-M3", {"reasoning_details": [{**DETAIL, "text": "Look first."}]}),
        ("zai-org/GLM-4.6", {}),
        ("minimax/minimax-m2.5", {}),
    ],
)
def test_makers_that_take_reasoning_back_get_it_with_the_calls(model: str, members: dict[str, Any]) -> None:
    thought = {"type": "thinking", "thinking": "Look first.", "signature": "c2ln"}
    call: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "Nothing."}
    bare = {"role": "assistant", "content": [{**call, "id": "toolu_2"}]}
    messages = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": [thought, call]},
        {"role": "user", "content": [result]},
        bare,
        {"role": "user", "content": [{**result, "tool_use_id": "toolu_2"}]},
    ]
    tools = [{"name": "look", "description": "Looks.", "input_schema": {"type": "object", "properties": {}}}]
    body = {"model": "m", "max_tokens": 100, "messages": messages, "tools": tools}
    encoded = il.translate_request(body, "claude", "openai_chat", model=model)
    calling = [message for message in encoded.body["messages"] if "tool_calls" in message]
    names = {"role", "content", "tool_calls"}
    assert [{name: one[name] for name in one.keys() - names} for one in calling] == [members, {}]
    lost = "/messages/1/reasoning" in {loss.path for loss in encoded.losses}
    assert lost is not bool(members)
    assert il.check_request(encoded.body, "openai_chat") == []


def test_the_search_that_moonshot_runs_itself_is_sent_as_it_is_and_no_violation() -> None:
    tool = {"type": "builtin_function", "function": {"name": "$web_search"}}
    body = {"model": "kimi-k2.6", "messages": [{"role": "user", "content": "News?"}], "tools": [tool]}
    assert il.exchange(body, "openai_chat", "openai_chat", fit=True).body == body
    assert il.check_request(body, "openai_chat") == []
    named = {"type": "function", "function": {"name": "$web_search"}}
    paths = {one.path for one in il.check_request({**body, "tools": [named]}, "openai_chat")}
    assert paths == {"/tools/0/function/name"}
