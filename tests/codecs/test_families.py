"""Model families: what one model takes and another refuses, and how a wish to think is said to each."""

from __future__ import annotations

import itertools
import re
from typing import Any, Final, get_args

import pytest
from anthropic.types import Model
from openai.types import ChatModel

import docs_families
import interlingua as il
from interlingua.registry import room
from interlingua.rooms._shared.thinking import BUDGETS, effort_of, nearest
from interlingua.spi.families import found
from support.cost import grows_at_most
from support.rooms import ROWS
from support.tree import ROOT

SOURCES: Final = {word for word, _, _ in docs_families.sources(ROOT / "docs" / "family_sources.tsv")}
QUESTION: Final = {"role": "user", "content": "Why is the sky blue?"}
BEGUN: Final = {"role": "assistant", "content": "Because"}
LOOK: Final = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
PICTURE: Final = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}


def asked(*messages: Any, **members: Any) -> dict[str, Any]:
    """Return a request of Chat Completions."""
    return {"model": "gpt-5", "messages": [*messages] or [QUESTION], **members}


def told(encoded: il.Encoded) -> dict[str, str]:
    """Return path and severity of each loss."""
    return {loss.path: loss.severity for loss in encoded.losses}


def named_by(models: Any) -> list[str]:
    """Return the names in the type of an official client for models."""
    return [name for part in get_args(models) or [models] for name in get_args(part) or [part] if type(name) is str]


def strings(value: Any) -> list[str]:
    """Return all texts in a JSON value."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in strings(one)]


def to(target: str, model: str, **members: Any) -> il.Encoded:
    """Translate a request of Chat Completions, or of Responses to Chat Completions, for a model that takes it then."""
    if target == "openai_chat":
        body = asked(**members)
        request = {**il.decode_request(body, "openai_chat").model_dump(mode="json"), "dialect": "openai_responses"}
        encoded = il.encode_request(request, target, model=model)
    else:
        encoded = il.translate_request(asked(**members), "openai_chat", target, model=model)
    profile = model if target == "gemini" else "auto"
    assert il.check_request(encoded.body, target, profile=profile) == []
    return encoded


@pytest.mark.parametrize("dialect", ROWS)
def test_every_family_is_found_by_a_typical_name_and_has_a_source(dialect: str) -> None:
    families = room(dialect).FAMILIES
    assert len({family.name for family in families}) == len(families)
    for family in families:
        assert family.pattern == "(?!)" or found(families, family.example) == family, family.name
        assert family.sources
        unknown = set(family.sources.split()) - SOURCES
        assert not unknown, f"{family.name}: docs/family_sources.tsv has no row for {unknown}"
        assert family.date >= "2026"


@pytest.mark.parametrize("dialect", ROWS)
def test_every_fact_and_every_verdict_on_a_setting_is_explained_on_the_page(dialect: str) -> None:
    page = (ROOT / "docs" / "families.md").read_text(encoding="utf-8").partition(docs_families.MARK)[0]
    first = [line.split("|")[1] for line in page.splitlines() if line.startswith("| ")]
    explained = {word for cell in first for word in re.findall(r"`([a-z_]+)", cell)}
    settings = {*il.ChatRequest.model_fields, "penalties"}
    verdicts = {cell.strip() for cell in first}
    for family in room(dialect).FAMILIES:
        assert family.facts.keys() - settings - explained == set(), family.name
        of_settings = {name for name in family.facts if name in settings - explained}
        said = {name: family.facts[name] for name in of_settings if isinstance(family.facts[name], str)}
        assert {name: verdict for name, verdict in said.items() if verdict not in verdicts} == {}, family.name


@pytest.mark.parametrize(
    ("dialect", "model", "family"),
    [
        ("claude", "us.anthropic.claude-opus-4-6-v1:0", "claude-opus-4.6"),
        ("claude", "ANTHROPIC/Claude-Opus-4.6", "claude-opus-4.6"),
        ("claude", "claude-sonnet-4@20250514", "claude-sonnet-4"),
        ("claude", "claude-7", "claude, any other (newer than this table)"),
        ("openai_chat", "openai.gpt-5-mini-2025-08-07", "gpt-5 (mini, nano)"),
        ("openai_chat", "openai/gpt-oss-120b", "gpt-oss, as Groq and others name it"),
        ("gemini", "publishers/google/models/gemini-2.5-flash-lite", "gemini-2.5-flash-lite"),
        ("ollama", "qwen3:4b", "qwen3"),
    ],
)
def test_names_are_found_after_prefixes_and_before_dates(dialect: str, model: str, family: str) -> None:
    match = found(room(dialect).FAMILIES, model)
    assert match is not None
    assert match.name == family


@pytest.mark.parametrize(
    ("dialect", "model", "same_as"),
    [
        ("openai_chat", "gpt-6.2-astra", "gpt-6-astra"),
        ("openai_chat", "openai/gpt-6.2-sol", "gpt-6.1-sol"),
        ("openai_chat", "gpt-7-sol", "gpt-6.1-sol"),
        ("openai_responses", "gpt-6.2-sol", "gpt-6.1-sol"),
        ("openai_responses", "gpt-6.2-astra-law", "gpt-6-astra"),
        ("openai_responses", "gpt-6.3-luna", "gpt-6-luna"),
        ("openai_responses", "gpt-6-sol-2026-09-20", "gpt-6-sol"),
        ("openai_responses", "gpt-7-terra", "gpt-6.1-terra"),
        ("bedrock_converse", "us.openai.gpt-6.2-sol", "openai.gpt-6.1-sol"),
        ("bedrock_converse", "openai.gpt-6.2-terra", "openai.gpt-6.1-terra"),
        ("claude", "claude-opus-5-6", "claude-opus-5-5"),
        ("claude", "claude-opus-6-20270301", "claude-opus-5-5"),
        ("claude", "claude-opus-5-20260801", "claude-opus-5"),
        ("claude", "claude-sonnet-5.10", "claude-sonnet-5-5"),
        ("claude", "claude-sonnet-5-4", "claude-sonnet-5"),
        ("claude", "claude-haiku-6", "claude-haiku-5-5"),
        ("claude", "claude-mythos-5-3", "claude-fable-5-2"),
        ("bedrock_converse", "eu.anthropic.claude-sonnet-6-v1:0", "anthropic.claude-sonnet-5-5"),
        ("gemini", "gemini-4-neon", "gemini-4-hydrogen"),
        ("gemini", "gemini-4.5-hydrogen", "gemini-4-hydrogen"),
        ("gemini", "gemini-3.8-flash-lite-tts", "gemini-3.8-flash-tts"),
        ("openai_chat", "grok-4.8", "grok-4.7"),
        ("openai_responses", "grok-5", "grok-4.7"),
        ("openai_chat", "deepseek-flash", "deepseek-v4.1-flash"),
        ("openai_chat", "deepseek-v5", "deepseek-flash"),
        ("claude", "deepseek-flash", "deepseek-v4-pro"),
        ("vllm", "deepseek-ai/DeepSeek-V5", "deepseek-ai/DeepSeek-V4.1-Flash"),
        ("openai_chat", "mistral-large-4", "mistral-small-latest"),
        ("openai_chat", "mistral-large-4-0", "mistral-small-latest"),
        ("openai_chat", "openai/o3-fast", "o3"),
        ("openai_chat", "kimi-k4", "kimi-k3"),
        ("openai_chat", "z-ai/glm-6", "z-ai/glm-5.3"),
        ("openai_chat", "qwen4-max", "qwen3.8-max"),
        ("openai_chat", "qwen72b-chat", "qwen-max"),
        ("ollama", "gemma5:12b", "gemma4:12b"),
        ("ollama", "glm-5.4:cloud", "glm-5.3:cloud"),
        ("vllm", "Qwen/Qwen-7B-Chat", "Qwen/Qwen-VL-Chat"),
    ],
)
def test_a_newer_model_counts_as_the_newest_known_one_of_its_line(dialect: str, model: str, same_as: str) -> None:
    match = found(room(dialect).FAMILIES, model)
    assert match is not None
    assert match == found(room(dialect).FAMILIES, same_as)


def test_an_unknown_maker_gets_nothing_that_only_openai_has() -> None:
    body = {"input": "Hello.", "store": True, "text": {"verbosity": "low"}, "max_output_tokens": 99}
    body |= {"tools": [{"type": "custom", "name": "patch"}], "instructions": "Be brief.", "prompt_cache_key": "k"}
    encoded = il.exchange(body, "openai_responses", "openai_chat", model="maker-of-2027/model-1")
    assert encoded.body.keys() == {"model", "messages", "max_tokens", "tools"}
    assert encoded.body["tools"][0]["type"] == "function"
    mine = il.exchange(body, "openai_responses", "openai_chat", model="my-deployment")
    assert mine.body["tools"][0]["type"] == "custom"


def test_every_model_that_the_official_clients_name_has_a_family() -> None:
    for dialect, names in (("openai_chat", named_by(ChatModel)), ("claude", named_by(Model))):
        families = room(dialect).FAMILIES
        assert [name for name in names if found(families, name) is None] == []
    assert len(named_by(Model)) > 20
    assert len(named_by(ChatModel)) > 90


def test_an_unknown_profile_is_an_error_that_lists_the_names() -> None:
    for ask in (
        lambda: il.check_request(asked(), "openai_chat", profile="no-such-model"),
        lambda: il.translate_request(asked(), "openai_chat", "openai_chat", profile="no-such-model"),
        lambda: il.translate_request(asked(), "openai_chat", "claude", profile="no-such-model"),
        lambda: il.encode_request({"messages": [QUESTION]}, "claude", profile="no-such-model"),
    ):
        with pytest.raises(il.UnknownProfileError, match="no-such-model") as error:
            ask()
        assert "gpt-4.1 (mini, nano)" in error.value.known or "claude-opus-5" in error.value.known


def test_a_model_name_of_another_provider_is_reported_once_and_selects_no_family() -> None:
    begun = il.translate_request(asked(QUESTION, BEGUN), "openai_chat", "claude")
    assert len(begun.body["messages"]) == 2
    body = asked(reasoning_effort="high")
    encoded = il.translate_request(body, "openai_chat", "claude")
    assert told(encoded)["/model"] == "changed"
    assert (encoded.body["thinking"], encoded.body["output_config"]) == ({"type": "adaptive"}, {"effort": "high"})
    assert "/model" not in told(il.translate_request(body, "openai_chat", "claude", model="claude-opus-5"))
    assert "/model" not in told(il.translate_request(body, "openai_chat", "claude", profile=None))
    assert "/model" not in told(il.translate_request(body, "openai_chat", "openai_responses"))


def test_a_model_served_by_several_providers_selects_the_family_of_the_target() -> None:
    body = {"model": "gemma-3-27b-it", "messages": [{"role": "system", "content": "Be brief."}, QUESTION]}
    encoded = il.translate_request(body, "openai_chat", "gemini")
    assert "systemInstruction" not in encoded.body
    assert encoded.body["contents"][0]["parts"][0] == {"text": "Be brief."}
    assert il.check_request(encoded.body, "gemini", profile="gemma-3-27b-it") == []


def test_within_a_dialect_no_family_changes_anything() -> None:
    body = asked(QUESTION, temperature=0, max_tokens=9, stop=["."], top_p=0.5)
    for profile in ("auto", None, "gpt-5 (mini, nano)"):
        encoded = il.translate_request(body, "openai_chat", "openai_chat", profile=profile)
        assert (encoded.body, encoded.losses) == (body, ())
    assert {one.path for one in il.check_request(body, "openai_chat")} == {
        "/temperature",
        "/max_tokens",
        "/stop",
        "/top_p",
    }
    assert il.check_request(body, "openai_chat", profile=None) == []


@pytest.mark.parametrize(
    ("model", "effort", "thinking", "depth"),
    [
        ("claude-opus-5", "high", {"type": "adaptive"}, "high"),
        ("claude-opus-5", "minimal", {"type": "adaptive"}, "low"),
        ("claude-opus-4-6", "xhigh", {"type": "adaptive"}, "max"),
        ("claude-opus-4-5", "xhigh", {"type": "enabled", "budget_tokens": 32768}, "high"),
        ("claude-haiku-4-5", "medium", {"type": "enabled", "budget_tokens": 8192}, None),
        ("claude-3-5-haiku-20241022", "medium", None, None),
        ("claude-opus-5", "none", {"type": "disabled"}, None),
        ("claude-sonnet-5-5", "none", {"type": "between_tools"}, None),
        ("claude-opus-5-5", "none", None, "low"),
        ("claude-3-haiku-20240307", "none", None, None),
        ("a-deployment-of-ours", "high", {"type": "adaptive"}, "high"),
    ],
)
def test_effort_enables_or_disables_thinking_in_the_form_of_the_claude_model(
    model: str, effort: str, thinking: Any, depth: str | None
) -> None:
    body = to("claude", model, reasoning_effort=effort).body
    assert (body.get("thinking"), body.get("output_config", {}).get("effort")) == (thinking, depth)


def test_a_filled_token_limit_includes_the_thinking_budget_and_a_given_one_limits_it() -> None:
    filled = to("claude", "claude-haiku-4-5", reasoning_effort="high")
    assert (filled.body["max_tokens"], told(filled)["/max_tokens"]) == (24576 + 4096, "filled")
    adaptive = to("claude", "claude-opus-5", reasoning_effort="high")
    assert (adaptive.body["thinking"], adaptive.body["max_tokens"]) == ({"type": "adaptive"}, 24576 + 4096)
    given = to("claude", "claude-haiku-4-5", reasoning_effort="high", max_completion_tokens=3000)
    assert (given.body["max_tokens"], given.body["thinking"]["budget_tokens"]) == (3000, 1500)
    least = to("claude", "claude-haiku-4-5", reasoning_effort="high", max_completion_tokens=500)
    assert "thinking" not in least.body
    assert told(least)["/reasoning/effort"] == "lost"
    long = to("claude", "claude-haiku-4-5", max_completion_tokens=100_000)
    assert (long.body["max_tokens"], told(long)["/max_tokens"]) == (64_000, "changed")


@pytest.mark.parametrize(
    ("tool", "effort"),
    [
        ({"type": "web_search_20260318", "name": "web_search"}, "high"),
        ({"type": "code_execution_20260120", "name": "code_execution"}, "high"),
        ({"type": "tool_of_next_year_20270101", "name": "next"}, "high"),
        ({"type": "bash_20250124", "name": "bash"}, "none"),
        ({"name": "look", "input_schema": {"type": "object", "properties": {}}}, "none"),
    ],
)
def test_only_tools_that_are_sent_switch_off_reasoning(tool: dict[str, Any], effort: str) -> None:
    body = {"model": "claude-opus-5-5", "max_tokens": 99, "messages": [QUESTION], "tools": [tool]}
    body |= {"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}}
    encoded = il.exchange(body, "claude", "openai_chat", model="gpt-5.6-sol")
    assert (encoded.body["reasoning_effort"], "tools" in encoded.body) == (effort, effort == "none")
    assert il.check_request(encoded.body, "openai_chat") == []


@pytest.mark.parametrize(
    ("model", "effort", "has_tools"),
    [
        ("gpt-6-astra", "high", False),
        ("gpt-5.6-sol", "none", True),
        ("openai/gpt-6-astra", "high", True),
        ("openai/gpt-6.2-sol", "high", True),
        ("openai/gpt-5.6-sol", "high", True),
        ("openai/gpt-5.4", "high", True),
        ("openai/gpt-4o-search-preview", None, False),
    ],
)
def test_gateways_accept_functions_beside_reasoning(model: str, effort: str | None, *, has_tools: bool) -> None:
    encoded = to("openai_chat", model, reasoning_effort="high", tools=[LOOK])
    assert (encoded.body.get("reasoning_effort"), "tools" in encoded.body) == (effort, has_tools)
    asked_directly = asked(reasoning_effort="high", tools=[LOOK]) | {"model": model}
    refused = {one.path for one in il.check_request(asked_directly, "openai_chat")}
    assert bool(refused & {"/tools", "/reasoning_effort"}) == (not has_tools or effort != "high")


def test_a_forced_tool_beside_thinking_disables_thinking_or_the_choice_as_the_model_requires() -> None:
    wish: dict[str, Any] = {"tools": [LOOK], "tool_choice": "required", "reasoning_effort": "high"}
    newest = to("claude", "claude-opus-5-5", **wish)
    assert (newest.body["tool_choice"], told(newest)["/tool_choice"]) == ({"type": "auto"}, "lost")
    older = to("claude", "claude-haiku-4-5", **wish)
    assert older.body["tool_choice"] == {"type": "any"}
    assert ("thinking" in older.body, told(older)["/reasoning/effort"]) == (False, "lost")
    between = to("claude", "claude-opus-4-6", **wish)
    assert (between.body["tool_choice"], between.body["thinking"]) == ({"type": "any"}, {"type": "adaptive"})


UNFORCED: Final = (
    ("claude", "claude-sonnet-5-5"),
    ("bedrock_converse", "anthropic.claude-sonnet-5-5-v1:0"),
    ("openai_chat", "kimi-k2.7-code"),
    ("ollama", "qwen3:8b"),
)


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("required", "Answer with a call of one of the tools."),
        ({"type": "function", "function": {"name": "look"}}, "Answer with a call of the tool look."),
        ("auto", None),
    ],
)
@pytest.mark.parametrize(("target", "model"), UNFORCED)
def test_a_call_is_requested_in_the_instructions_where_none_can_be_forced(
    target: str, model: str, choice: Any, said: str | None
) -> None:
    body = to(target, model, tools=[LOOK], tool_choice=choice).body
    wished = [one for one in strings(body) if one.startswith("Answer with a call")]
    assert wished == ([said] if said else [])


@pytest.mark.parametrize(
    ("target", "model"), [("openai_chat", "kimi-k3"), ("bedrock_converse", "mistral.mistral-large-2407-v1:0")]
)
def test_models_that_only_support_required_get_the_tool_name_in_the_instructions(target: str, model: str) -> None:
    named = to(target, model, tools=[LOOK], tool_choice={"type": "function", "function": {"name": "look"}}).body
    assert "Answer with a call of the tool look." in strings(named)
    assert not [
        one for one in strings(to(target, model, tools=[LOOK], tool_choice="required").body) if "call of" in one
    ]


@pytest.mark.parametrize(("target", "model"), UNFORCED)
@pytest.mark.parametrize("tool", [{"type": "file_search", "vector_store_ids": ["vs_1"]}, {"type": "web_search"}])
def test_no_call_is_requested_without_tools(target: str, model: str, tool: dict[str, Any]) -> None:
    asked_of = {"model": "m", "input": "Hi", "tools": [tool], "tool_choice": "required"}
    encoded = il.translate_request(asked_of, "openai_responses", target, model=model)
    is_offered = target == "claude" and tool["type"] == "web_search"
    assert ("tools" in encoded.body) is is_offered
    assert bool([text for text in strings(encoded.body) if "call of" in text]) is is_offered
    (lost,) = (loss for loss in encoded.losses if loss.path == "/tool_choice")
    assert lost.detail.endswith("the instructions ask for a call in words" if is_offered else "tool_choice needs tools")


def test_no_thinking_budget_is_set_after_calls_without_thinking() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages = [QUESTION, {"role": "assistant", "tool_calls": [call]}]
    messages.append({"role": "tool", "tool_call_id": "call_1", "content": "Blue."})
    body = asked(*messages, tools=[LOOK], reasoning_effort="high")
    encoded = il.translate_request(body, "openai_chat", "claude", model="claude-haiku-4-5")
    assert il.check_request(encoded.body, "claude") == []
    assert "thinking" not in encoded.body


@pytest.mark.parametrize("between", [[], [{"role": "assistant", "content": ""}]], ids=["at once", "after nothing"])
@pytest.mark.parametrize(
    ("target", "model"), [("claude", "claude-haiku-4-5"), ("bedrock_converse", "anthropic.claude-haiku-4-5-v1:0")]
)
def test_user_messages_after_results_do_not_end_a_turn_with_calls(target: Any, model: str, between: Any) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    result = {"role": "tool", "tool_call_id": "call_1", "content": "Blue."}
    called = [QUESTION, {"role": "assistant", "tool_calls": [call]}, result, *between, QUESTION]
    said = [*called, {"role": "assistant", "content": "It is blue."}, QUESTION]
    for messages, thinks in ((called, False), (said, True)):
        body = asked(*messages, tools=[LOOK], reasoning_effort="high")
        encoded = il.translate_request(body, "openai_chat", target, model=model)
        assert il.check_request(encoded.body, target) == []
        assert ("thinking" in encoded.body.get("additionalModelRequestFields", encoded.body)) is thinks


@pytest.mark.parametrize(("model", "role"), [("claude-opus-4-8", "system"), ("claude-haiku-4-5", "user")])
def test_instructions_among_the_messages_are_placed_where_the_model_accepts_them(model: str, role: str) -> None:
    body = asked(QUESTION, BEGUN, QUESTION, {"role": "developer", "content": "Be brief."})
    encoded = il.translate_request(body, "openai_chat", "claude", model=model)
    assert il.check_request(encoded.body, "claude") == []
    turns = encoded.body["messages"]
    assert [turn["role"] for turn in turns[2:]] == (["user", "system"] if role == "system" else ["user"])
    assert told(encoded)["/messages/3/role"] == "changed"


def test_gemini_gets_a_thinking_budget_or_a_level_but_never_both() -> None:
    def config(model: str, effort: str) -> Any:
        return to("gemini", model, reasoning_effort=effort).body["generationConfig"].get("thinkingConfig")

    assert config("gemini-2.5-pro", "high") == {"thinkingBudget": 24576}
    assert config("gemini-2.5-flash", "xhigh") == {"thinkingBudget": 24576}
    assert config("gemini-2.5-flash", "none") == {"thinkingBudget": 0}
    assert config("gemini-2.5-pro", "none") == {"thinkingBudget": 128}
    assert config("gemini-3-pro-preview", "medium") == {"thinkingLevel": "HIGH"}
    assert config("gemini-3-flash-preview", "none") == {"thinkingLevel": "MINIMAL"}
    assert config("gemini-4-argon", "minimal") == {"thinkingLevel": "LOW"}
    assert "generationConfig" not in to("gemini", "gemini-2.0-flash", reasoning_effort="high").body


@pytest.mark.parametrize(
    ("model", "config"),
    [
        ("gemini-2.5-computer-use-preview-10-2025", {"thinkingBudget": 24576}),
        ("gemini-robotics-er-1.5-preview", {"thinkingBudget": 24576}),
        ("gemma-4-31b-it", {"thinkingLevel": "HIGH"}),
    ],
)
def test_unlisted_gemini_models_use_the_thinking_form_of_their_generation(model: str, config: dict[str, Any]) -> None:
    assert to("gemini", model, reasoning_effort="high").body["generationConfig"] == {"thinkingConfig": config}


def test_gemma_4_has_a_long_output_limit_and_disables_thinking_with_the_lowest_level() -> None:
    config = to("gemini", "gemma-4-26b-a4b-it", reasoning_effort="none", max_tokens=20_000).body["generationConfig"]
    assert config == {"maxOutputTokens": 20_000, "thinkingConfig": {"thinkingLevel": "MINIMAL"}}
    assert to("gemini", "gemma-3-27b-it", max_tokens=20_000).body["generationConfig"]["maxOutputTokens"] == 8192


@pytest.mark.parametrize("model", ["nano-banana-pro-preview", "gemini-nano-banana-2.1"])
def test_image_models_get_no_functions(model: str) -> None:
    encoded = to("gemini", model, tools=[LOOK])
    assert "tools" not in encoded.body
    assert told(encoded)["/tools/0"] == "lost"


@pytest.mark.parametrize(
    ("name", "usual"),
    [
        ("claude-4-opus", "claude-opus-4"),
        ("claude-4.5-sonnet", "claude-sonnet-4-5"),
        ("claude-4.5-haiku", "claude-haiku-4-5"),
        ("claude-4.1-opus", "claude-opus-4-1"),
        ("claude-4.6-sonnet", "claude-sonnet-4-6"),
    ],
)
def test_claude_names_with_the_number_first_are_recognised(name: str, usual: str) -> None:
    for target in ("claude", "bedrock_converse", "openai_chat"):
        families = room(target).FAMILIES
        assert found(families, name) == found(families, usual)
        assert found(families, f"anthropic/{name}") == found(families, f"anthropic/{usual.replace('4-', '4.')}")


@pytest.mark.parametrize(
    ("dialect", "name", "usual"),
    [
        ("openai_chat", "databricks-gpt-5-5", "gpt-5.5"),
        ("openai_chat", "databricks-gpt-5-5-pro", "gpt-5.5-pro"),
        ("openai_chat", "databricks-gpt-5-3-codex", "gpt-5.3-codex"),
        ("openai_chat", "databricks-gpt-6-1-sol", "gpt-6.1-sol"),
        ("openai_chat", "databricks-gpt-6-1-terra", "gpt-6.1-terra"),
        ("openai_chat", "databricks-grok-4-7", "grok-4.7"),
        ("openai_chat", "databricks-gemini-2-5-pro", "gemini-2.5-pro"),
        ("openai_chat", "databricks-gemini-2-5-flash", "gemini-2.5-flash"),
        ("openai_chat", "accounts/fireworks/models/kimi-k2p6", "moonshotai/kimi-k2.6"),
        ("openai_chat", "accounts/fireworks/models/glm-5p3", "zai-org/GLM-5.3"),
        ("openai_chat", "accounts/fireworks/models/glm-4p5v", "zai-org/GLM-4.5V"),
        ("openai_chat", "accounts/fireworks/models/qwen3p8-max", "qwen3.8-max"),
        ("openai_chat", "accounts/fireworks/models/mimo-v2p5-pro", "mimo-v2.5-pro"),
        ("openai_chat", "accounts/fireworks/models/llama-v3p2-11b-vision-instruct", "llama-3.2-11b"),
        ("openai_responses", "databricks-gpt-5-5-pro", "gpt-5.5-pro"),
        ("openai_responses", "databricks-gpt-5-3-codex", "gpt-5.3-codex"),
        ("openai_responses", "databricks-gpt-5-5", "gpt-5.5"),
        ("openai_responses", "databricks-gpt-6-1-sol", "gpt-6.1-sol"),
        ("openai_responses", "gpt-4-1106-preview", "gpt-4-turbo"),
    ],
)
def test_names_with_other_separators_in_the_version_are_recognised(dialect: str, name: str, usual: str) -> None:
    families = room(dialect).FAMILIES
    assert found(families, usual) is not None
    assert found(families, name) == found(families, usual)


@pytest.mark.parametrize("model", ["chat-latest", "gpt-chat-latest", "azure/gpt-chat-latest"])
def test_chatgpt_latest_models_support_one_effort(model: str) -> None:
    assert to("openai_chat", model, reasoning_effort="high").body["reasoning_effort"] == "medium"
    assert to("openai_responses", model, reasoning_effort="low").body["reasoning"]["effort"] == "medium"


@pytest.mark.parametrize("model", ["muse-spark-1.3", "meta/muse-spark-1.2-contributor"])
def test_muse_always_reasons_and_supports_efforts_up_to_xhigh(model: str) -> None:
    for word, sent in (("none", "minimal"), ("minimal", "minimal"), ("high", "high"), ("max", "xhigh")):
        chat = to("openai_chat", model, reasoning_effort=word)
        responses = to("openai_responses", model, reasoning_effort=word)
        assert (chat.body["reasoning_effort"], responses.body["reasoning"]["effort"]) == (sent, sent)
        for encoded in (chat, responses):
            assert ("/reasoning/effort" in {loss.path for loss in encoded.losses}) == (sent != word)


@pytest.mark.parametrize("model", ["chat-latest", "gpt-chat-latest"])
def test_chatgpt_latest_models_get_no_sampling_settings(model: str) -> None:
    settings = {"temperature": 0.3, "top_p": 0.5, "max_tokens": 99}
    chat, responses = (to(target, model, **settings) for target in ("openai_chat", "openai_responses"))
    assert not {"temperature", "top_p", "max_tokens"} & chat.body.keys()
    assert not {"temperature", "top_p"} & responses.body.keys()
    assert chat.body["max_completion_tokens"] == responses.body["max_output_tokens"] == 99
    for encoded in (chat, responses):
        assert {"/temperature", "/top_p"} <= {loss.path for loss in encoded.losses if loss.severity == "lost"}


def test_grok_3_mini_has_no_medium_effort() -> None:
    for target, asked_for in (("openai_chat", "reasoning_effort"), ("openai_responses", "reasoning")):
        for model, word in (("grok-3-mini", "high"), ("grok-4.3", "medium")):
            said = to(target, model, reasoning_effort="medium").body[asked_for]
            assert (said if target == "openai_chat" else said["effort"]) == word


def test_the_first_gpt_4o_has_no_structured_output_and_a_small_output_limit() -> None:
    form = {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object", "properties": {}}}}
    for model, is_first in (("gpt-4o-2024-05-13", True), ("gpt-4o-2024-08-06", False)):
        chat = to("openai_chat", model, response_format=form, max_tokens=10_000)
        responses = to("openai_responses", model, response_format=form, max_tokens=10_000)
        assert chat.body["response_format"]["type"] == ("json_object" if is_first else "json_schema")
        assert responses.body["text"]["format"]["type"] == ("json_object" if is_first else "json_schema")
        assert responses.body["max_output_tokens"] == (4096 if is_first else 10_000)


def test_gpt_4_turbo_gets_images_from_responses_too() -> None:
    seen = {"role": "user", "content": [{"type": "text", "text": "What is it?"}, PICTURE]}
    for model, sees in (("gpt-4-turbo", True), ("gpt-4-0613", False)):
        encoded = to("openai_responses", model, messages=[seen])
        kinds = [part["type"] for part in encoded.body["input"][0]["content"]]
        assert kinds == (["input_text", "input_image"] if sees else ["input_text"])


@pytest.mark.parametrize("model", ["openai/o4-mini-high", "openai/o3:online"])
def test_reasoning_models_are_recognised_by_gateway_names(model: str) -> None:
    encoded = to("openai_chat", model, reasoning_effort="none", temperature=0.2)
    assert encoded.body["reasoning_effort"] == "low"
    assert "temperature" not in encoded.body


def test_gemini_before_version_3_gets_no_json_mode_beside_functions() -> None:
    form = {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object", "properties": {}}}}
    older = to("gemini", "gemini-2.5-flash", tools=[LOOK], response_format=form)
    assert ("generationConfig" in older.body, told(older)["/response_format"]) == (False, "lost")
    newer = to("gemini", "gemini-3-pro-preview", tools=[LOOK], response_format=form)
    assert newer.body["generationConfig"]["responseMimeType"] == "application/json"


def test_a_request_to_include_thoughts_is_translated() -> None:
    body = {"model": "gpt-5", "input": "Why?", "reasoning": {"effort": "high", "summary": "auto"}}
    claude = il.translate_request(body, "openai_responses", "claude", model="claude-opus-5").body
    assert claude["thinking"] == {"type": "adaptive", "display": "summarized"}
    gemini = il.translate_request(body, "openai_responses", "gemini", model="gemini-2.5-pro").body
    assert gemini["generationConfig"]["thinkingConfig"] == {"includeThoughts": True, "thinkingBudget": 24576}
    back = il.translate_request(gemini, "gemini", "openai_responses", model="gpt-5")
    assert back.body["reasoning"] == {"effort": "high", "summary": "auto"}
    assert told(back)["/reasoning/budget_tokens"] == "changed"


def test_efforts_and_budgets_are_mapped_by_one_table_in_both_directions() -> None:
    assert {effort_of(budget) for budget in BUDGETS.values()} == BUDGETS.keys()
    assert all(effort_of(budget) == effort for effort, budget in BUDGETS.items())
    assert (effort_of(1), effort_of(5000), effort_of(10**9)) == ("minimal", "medium", "max")
    assert (nearest("xhigh", ("low", "max")), nearest("minimal", ("none", "low")), nearest("none", ())) == (
        "max",
        "low",
        None,
    )
    assert nearest("none", ("low", "high")) == "low"


@pytest.mark.parametrize(
    ("budget", "effort"), [(0, "none"), (512, "minimal"), (5000, "medium"), (24576, "high"), (100000, "xhigh")]
)
def test_a_budget_becomes_an_effort_where_only_efforts_exist(budget: int, effort: str) -> None:
    thinking = {"type": "enabled", "budget_tokens": budget} if budget else {"type": "disabled"}
    body = {"model": "claude-haiku-4-5", "max_tokens": 128000, "messages": [QUESTION], "thinking": thinking}
    model = "gpt-5" if effort == "minimal" else "gpt-5.2"
    encoded = il.translate_request(body, "claude", "openai_chat", model=model)
    assert encoded.body["reasoning_effort"] == effort
    assert told(encoded).get("/reasoning/budget_tokens", "changed") == "changed"


@pytest.mark.parametrize(
    ("model", "tools", "effort", "written"),
    [
        ("gpt-5.6-luna", [LOOK], None, "none"),
        ("gpt-5.6-luna", [LOOK], "high", "none"),
        ("gpt-5.6-luna", None, "high", "high"),
        ("gpt-5.4", [LOOK], None, None),
        ("gpt-5.4", [LOOK], "high", "none"),
        ("gpt-4o", None, "high", None),
        ("gpt-5-mini", [LOOK], "xhigh", "high"),
        ("o3-mini", None, "max", "high"),
        ("qwen3.8-max", [LOOK], "high", None),
    ],
)
def test_the_effort_in_chat_is_lowered_to_what_the_model_supports_beside_tools(
    model: str, tools: Any, effort: str | None, written: str | None
) -> None:
    members: dict[str, Any] = {} if tools is None else {"tools": tools}
    if model == "qwen3.8-max":
        members["tool_choice"] = "required"
    if effort is not None:
        members["reasoning_effort"] = effort
    encoded = to("openai_chat", model, **members)
    assert encoded.body.get("reasoning_effort") == written
    assert ("/reasoning/effort" in told(encoded)) == (effort != written)


def test_settings_that_a_model_refuses_are_lost_and_each_is_reported() -> None:
    settings: dict[str, Any] = {"temperature": 0.5, "top_p": 0.9, "stop": ["."], "logprobs": True, "seed": 7}
    encoded = to("openai_chat", "o3", **settings, parallel_tool_calls=False, tools=[LOOK])
    lost = {"/temperature", "/top_p", "/stop", "/logprobs", "/parallel_tool_calls"}
    assert {path for path, severity in told(encoded).items() if severity == "lost"} == lost
    assert encoded.body["seed"] == 7
    assert told(to("openai_chat", "gpt-4.1", **settings)) == {}
    older = il.translate_request(
        asked(temperature=0.5, top_p=0.9), "openai_chat", "claude", model="claude-opus-4-5", api_version="2023-06-01"
    )
    assert (older.body["temperature"], "top_p" in older.body) == (0.5, False)


def test_media_that_a_model_does_not_accept_are_lost_content() -> None:
    message = {"role": "user", "content": [{"type": "text", "text": "What is it?"}, PICTURE]}
    for target, model in (("openai_chat", "gpt-3.5-turbo"), ("openai_responses", "gpt-4"), ("ollama", "llama3.2")):
        encoded = to(target, model, messages=[message]) if target != "openai_chat" else None
        encoded = encoded or il.translate_request(
            {"model": "m", "input": [{"role": "user", "content": [{"type": "input_text", "text": "What?"}, {
                "type": "input_image", "image_url": "https://example.org/a.png"}]}]},
            "openai_responses", target, model=model,
        )  # fmt: skip
        assert told(encoded)["/messages/0/content/1"] == "lost"


@pytest.mark.parametrize(
    "model", ["deepseek-chat", "mistral-large-latest", "kimi-k3", "glm-4.6", "qwen3.8-max", "command-a-03-2025"]
)
def test_other_hosts_get_system_messages_and_only_functions(model: str) -> None:
    tool = {"type": "custom", "custom": {"name": "patch", "description": "Changes a file."}}
    messages = [{"role": "developer", "content": "Be short."}, {"role": "user", "content": "hi"}]
    encoded = to("openai_chat", model, messages=messages, tools=[tool])
    assert encoded.body["messages"][0] == {"role": "system", "content": "Be short."}
    assert [one["type"] for one in encoded.body["tools"]] == ["function"]
    assert told(encoded)["/messages/0/role"] == "changed"
    said = [{"role": "developer", "content": "Be short."}, {"role": "user", "content": "hi"}]
    assert il.check_request({"model": model, "messages": said}, "openai_chat") == [], "some hosts take it"


def test_content_that_some_hosts_do_not_accept_is_lost() -> None:
    picture = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    content = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, picture]
    encoded = to("openai_chat", "groq/compound", messages=[{"role": "user", "content": content}])
    assert encoded.body["messages"] == [{"role": "user", "content": "a\n\nb"}], "one text, and no parts"
    assert told(encoded)["/messages/0/content/2"] == "lost"
    for model, reads in (("gpt-oss:20b", False), ("glm-5.2", False), ("glm-4.6v", True), ("llama-4-scout", True)):
        said = to("openai_chat", model, messages=[{"role": "user", "content": content}]).body["messages"][0]["content"]
        assert ("image_url" in str(said)) is reads


def test_models_without_thinking_get_no_effort() -> None:
    for effort in ("none", "high"):
        assert "reasoning_effort" not in to("openai_chat", "qwen3-coder", reasoning_effort=effort).body
    assert to("openai_chat", "kimi-k2.6", reasoning_effort="none").body["thinking"] == {"type": "disabled"}


def test_audio_models_get_an_audio_setting() -> None:
    body = {"model": "gpt-4o-audio-preview", "messages": [{"role": "user", "content": "hi"}]}
    assert [one.code for one in il.check_request(body, "openai_chat")] == ["required"]
    spoken = {**body, "modalities": ["text", "audio"], "audio": {"voice": "alloy", "format": "wav"}}
    assert il.check_request(spoken, "openai_chat") == []
    sound = {"type": "input_audio", "input_audio": {"data": "aGk=", "format": "wav"}}
    heard = {**body, "messages": [{"role": "user", "content": [sound]}]}
    assert il.check_request(heard, "openai_chat") == []
    asked_for = {**heard, "response_format": {"type": "json_object"}}
    assert "/response_format/type" in [one.path for one in il.check_request(asked_for, "openai_chat")]
    form = {"type": "json_object"}
    written = to("openai_chat", body["model"], messages=heard["messages"], response_format=form).body
    assert "response_format" not in written


def test_settings_required_by_a_responses_model_are_filled_and_checked() -> None:
    encoded = to("openai_responses", "computer-use-preview")
    assert encoded.body["truncation"] == "auto"
    assert told(encoded)["/truncation"] == "filled"
    lacking = {name: value for name, value in encoded.body.items() if name != "truncation"}
    assert [one.path for one in il.check_request(lacking, "openai_responses")] == ["/truncation"]
    body = {"model": "claude-opus-4-6", "messages": [QUESTION], "max_tokens": 4096}
    shown = {**body, "thinking": {"type": "adaptive", "display": "summarized"}}
    for model, shows in (("o1-pro", False), ("o3-pro", True)):
        written = il.translate_request(shown, "claude", "openai_responses", model=model).body
        assert ("summary" in written["reasoning"]) is shows


def test_the_number_of_stop_sequences_is_limited_as_the_server_requires() -> None:
    body = {"model": "claude-opus-4-6", "messages": [QUESTION], "max_tokens": 9, "stop_sequences": [*"abcdef"]}
    for target, model in (("openai_chat", "gpt-4.1"), ("vllm", "some/model")):
        encoded = il.translate_request(body, "claude", target, model=model)
        assert encoded.body["stop"] == [*"abcd"]
        assert [path for path in told(encoded) if path.startswith("/stop")] == ["/stop/4", "/stop/5"]
        assert il.check_request(encoded.body, target) == []


def test_a_single_instruction_becomes_the_user_message_for_responses() -> None:
    system = {"role": "system", "content": "Say hi."}
    written = to("openai_responses", "gpt-4.1", messages=[system]).body
    assert written["input"] == [system]
    assert "instructions" not in written


def test_added_instructions_use_a_role_that_the_model_supports() -> None:
    written = to("openai_chat", "o1-mini", response_format={"type": "json_object"}).body
    assert {message["role"] for message in written["messages"]} == {"user"}


def test_logprobs_and_top_logprobs_are_written_together() -> None:
    encoded = to("openai_responses", "gpt-5-mini", logprobs=True, top_logprobs=0)
    assert "top_logprobs" not in encoded.body
    assert {"/logprobs", "/top_logprobs"} <= told(encoded).keys()


def test_gemma_before_version_4_gets_no_instructions_and_no_functions() -> None:
    messages = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "hi"}]
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
    old = to("gemini", "gemma-3-27b-it", messages=messages, tools=[tool]).body
    assert not {"systemInstruction", "tools"} & old.keys()
    assert {"systemInstruction", "tools"} <= to("gemini", "gemma-4-31b-it", messages=messages, tools=[tool]).body.keys()


def test_schema_references_are_inlined_for_templates_that_do_not_resolve_them() -> None:
    inner = {"$defs": {"a": {"type": "string"}}, "type": "object", "properties": {"b": {"$ref": "#/$defs/a"}}}
    tool = {"type": "function", "function": {"name": "f", "parameters": inner}}
    written = to("vllm", "zai-org/GLM-5.3", tools=[tool]).body["tools"][0]["function"]["parameters"]
    assert written["properties"] == {"b": {"type": "string"}}


def test_third_party_servers_get_the_older_members_of_openai() -> None:
    tool = {**LOOK["function"], "strict": True}
    request = {
        "model": "any-model",
        "max_tokens": 99,
        "messages": [{"role": "developer", "content": "Be brief."}, QUESTION],
        "tools": [{"type": "function", **tool}],
        "prompt_cache_key": "k",
    }
    encoded = il.encode_request(request, "openai_chat", profile="compatible")
    assert il.check_request(encoded.body, "openai_chat", profile="compatible") == []
    assert (encoded.body["max_tokens"], encoded.body["messages"][0]["role"]) == (99, "system")
    assert "strict" not in encoded.body["tools"][0]["function"]
    assert {"/messages/0/role", "/tools/0/strict", "/prompt_cache_key"} <= told(encoded).keys()
    plain = il.encode_request(request, "openai_chat", profile=None).body
    found_wrong = {one.path for one in il.check_request(plain, "openai_chat", profile="compatible")}
    assert {"/max_completion_tokens", "/messages/0/role", "/tools/0/function/strict"} <= found_wrong


def test_ollama_and_vllm_get_thinking_as_an_instruction_or_a_member_as_the_model_requires() -> None:
    assert to("ollama", "gpt-oss:20b", reasoning_effort="minimal").body["think"] == "low"
    assert to("ollama", "gpt-oss:20b", reasoning_effort="none").body["think"] == "low"
    assert to("ollama", "qwen3:4b", reasoning_effort="high").body["think"] is True
    assert to("ollama", "qwen3.8:27b", reasoning_effort="medium").body["think"] == "medium"
    assert to("ollama", "deepseek-v4-flash:cloud", reasoning_effort="xhigh").body["think"] == "max"
    assert to("ollama", "kimi-k3:cloud", reasoning_effort="medium").body["think"] == "high"
    assert to("ollama", "glm-5.3", reasoning_effort="none").body["think"] is False
    assert to("ollama", "qwen3:4b", reasoning_effort="none").body["think"] is False
    assert "think" not in to("ollama", "llama3.2", reasoning_effort="high").body
    assert to("vllm", "openai/gpt-oss-20b", reasoning_effort="xhigh").body["reasoning_effort"] == "high"
    off = {"model": "claude-opus-4-8", "max_tokens": 9, "messages": [QUESTION], "thinking": {"type": "disabled"}}
    written = il.translate_request(off, "claude", "vllm", model="Qwen/Qwen3-8B").body
    assert written["chat_template_kwargs"] == {"enable_thinking": False}


def test_a_model_served_by_another_endpoint_is_reported() -> None:
    assert [one.path for one in il.check_request(asked() | {"model": "gpt-5-pro"}, "openai_chat")] == ["/model"]
    assert il.check_request({"model": "gpt-5-pro", "input": "Why?"}, "openai_responses") == []


@pytest.mark.parametrize("member", ["reasoning_content", "reasoning", None])
def test_an_answer_has_its_reasoning_in_the_clients_member(member: Any) -> None:
    answer = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
        "content": [{"type": "thinking", "thinking": "Air.", "signature": "s"}, {"type": "text", "text": "Blue."}],
    }  # fmt: skip
    encoded = il.translate_response(answer, "claude", "openai_chat", reasoning_member=member)
    message = encoded.body["choices"][0]["message"]
    assert {name: said for name, said in message.items() if name.startswith("reasoning")} == (
        {member: "Air."} if member else {}
    )
    assert told(encoded).get("/messages/0/reasoning") == (None if member else "lost")
    back: Any = il.decode_response(encoded.body, "openai_chat")
    assert [one.reasoning for one in back.messages] == ["Air." if member else None]
    through = il.encode_response(il.decode_response(answer, "claude"), "openai_chat", reasoning_member=member)
    assert through.body == encoded.body
    assert il.translate_response(answer, "claude", "claude", reasoning_member=member).body == answer


@pytest.mark.parametrize(
    ("target", "model"), [("openai_chat", "gpt-3.5-turbo"), ("openai_responses", "gpt-4"), ("ollama", "llama3.2")]
)
def test_losses_after_a_dropped_part_have_their_own_path(target: str, model: str) -> None:
    marked = [{"type": "text", "text": text, "cache": {"ttl": "9m"}} for text in ("One.", "Two.")]
    address = {"type": "image", "url": "https://example.org/a.png"}
    message = {"role": "user", "content": [address, marked[0], address, marked[1]]}
    request = {"messages": [message], "tools": [{"type": "custom", "name": "run"}]}  # lowered, where that is needed
    lost = {loss.path for loss in il.encode_request(request, target, model=model).losses if loss.severity == "lost"}
    places = {path.removeprefix("/messages/0/content/") for path in lost if path.startswith("/messages/0/content/")}
    assert {place.partition("/")[0] for place in places} == {"0", "1", "2", "3"}
    assert {"0", "2"} < places


def test_losses_after_a_dropped_tool_have_their_own_path() -> None:
    searches = {"type": "web_search"}
    look = {"type": "function", "name": "look", "parameters": {"type": "object"}, "cache": {"ttl": "5m"}}
    request = {"messages": [{"role": "user", "content": "Hello"}], "tools": [searches, look, searches]}
    encoded = il.encode_request(request, "gemini", model="gemini-2.5-flash")
    lost = {loss.path for loss in encoded.losses if loss.severity == "lost"}
    assert {path for path in lost if path.startswith("/tools")} == {"/tools/0", "/tools/1/cache", "/tools/2"}


@pytest.mark.parametrize(
    ("model", "reasoning"), [("gpt-4o", None), ("gpt-4.1", None), ("gpt-5", {"effort": "high", "summary": "auto"})]
)
def test_models_without_reasoning_get_no_summary_setting(model: str, reasoning: Any) -> None:
    thinking = {"type": "enabled", "budget_tokens": 20000, "display": "summarized"}
    messages = [{"role": "user", "content": "Hello"}]
    body = {"model": "claude-opus-4-6", "max_tokens": 30000, "thinking": thinking, "messages": messages}
    encoded = il.translate_request(body, "claude", "openai_responses", model=model)
    assert encoded.body.get("reasoning") == reasoning
    display = ["/reasoning/display"] if reasoning is None else []
    assert [
        loss.path for loss in encoded.losses if loss.path == "/reasoning/display" and loss.severity == "lost"
    ] == display
    asked = {**encoded.body, "reasoning": {"summary": "auto"}}
    found = [one.path for one in il.check_request(asked, "openai_responses")]
    assert found == (["/reasoning/summary"] if reasoning is None else [])


@pytest.mark.parametrize(
    ("model", "found"), [("gpt-4.1", ["/include/0"]), ("gpt-5-chat-latest", ["/include/0"]), ("o3", [])]
)
def test_models_without_reasoning_get_no_encrypted_reasoning_include(model: str, found: list[str]) -> None:
    body = {"model": model, "input": "Hi", "include": ["reasoning.encrypted_content"]}
    assert [one.path for one in il.check_request(body, "openai_responses")] == found


@pytest.mark.parametrize(
    ("model", "is_taken"),
    [("gemini-3-pro-preview", False), ("gemini-3.8-flash", False), ("gemini-3-flash-preview", True)],
)
def test_a_zero_budget_is_a_violation_for_models_that_always_think(model: str, is_taken: bool) -> None:
    contents = [{"role": "user", "parts": [{"text": "Hi"}]}]
    for budget, expected in ((0, is_taken), (512, True)):
        config = {"thinkingConfig": {"thinkingBudget": budget}}
        found = il.check_request({"model": model, "contents": contents, "generationConfig": config}, "gemini")
        assert (found == []) is expected


CACHED: Final[dict[str, Any]] = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 100,
    "cache_control": {"type": "ephemeral"},
    "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
    "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}}]}],
}


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize(("model", "is_taken"), [("gpt-4o", False), ("gpt-5.5", False), ("gpt-5.6", True)])
def test_cache_marks_are_written_for_models_that_support_them(target: il.Dialect, model: str, is_taken: bool) -> None:
    encoded = il.translate_request(CACHED, "claude", target, model=model)
    assert ("prompt_cache_options" in encoded.body) is is_taken
    assert ("prompt_cache_breakpoint" in str(encoded.body)) is is_taken
    lost = {loss.path for loss in encoded.losses if (loss.code, loss.severity) == ("cache", "lost")}
    assert ("/messages/1/content/0/cache" in lost) is not is_taken
    assert il.check_request(encoded.body, target) == []
    marked = il.translate_request(CACHED, "claude", target, model="gpt-5.6").body | {"model": model}
    found = [one.path for one in il.check_request(marked, target) if one.code == "cache"]
    assert found[:1] == ([] if is_taken else ["/prompt_cache_options"])
    assert len(found) == (0 if is_taken else 3)


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize(("model", "is_taken"), [("gpt-5.4", True), ("gpt-5.5", False), ("gpt-5.6-luna", False)])
@pytest.mark.parametrize("retention", ["in_memory", "24h"])
def test_a_short_cache_lifetime_is_written_for_models_that_support_it(
    target: str, model: str, retention: str, *, is_taken: bool
) -> None:
    request = {"messages": [{"role": "user", "content": "Hi."}], "prompt_cache_retention": retention}
    encoded = il.encode_request(request, target, model=model)
    is_sent = is_taken or retention == "24h"
    assert ("prompt_cache_retention" in encoded.body) is is_sent
    assert il.check_request(encoded.body, target) == []
    told = {loss.path: (loss.severity, loss.concern) for loss in encoded.losses}
    assert told.get("/prompt_cache_retention") == (None if is_sent else ("lost", "state"))
    body = {**encoded.body, "prompt_cache_retention": retention}
    assert [one.path for one in il.check_request(body, target)] == ([] if is_sent else ["/prompt_cache_retention"])


@pytest.mark.parametrize(
    ("store", "model", "is_sent"), [(None, "gpt-5.1", False), (True, "gpt-5.1", True), (None, "openai/gpt-5.1", True)]
)
def test_openai_gets_metadata_only_with_store(store: bool | None, model: str, is_sent: bool) -> None:
    body = {"model": "x", "input": "hi", "metadata": {"a": "b"}, **({} if store is None else {"store": store})}
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model=model)
    assert ("metadata" in encoded.body) is is_sent
    assert told(encoded).get("/metadata") == (None if is_sent else "lost")
    assert il.check_request(encoded.body, "openai_chat") == []
    unstored = {"model": "gpt-5.1", "messages": [QUESTION], "metadata": {"a": "b"}}
    assert [one.path for one in il.check_request(unstored, "openai_chat")] == ["/metadata"]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize(
    ("model", "said", "kept"),
    [
        ("gpt-4o-mini", "low", False),
        ("gpt-4.1", "high", False),
        ("o4-mini", "low", False),
        ("gpt-5-chat-latest", "low", False),
        ("gpt-4o-mini", "medium", True),
        ("gpt-5-nano", "low", True),
    ],
)
def test_only_newer_openai_models_get_a_verbosity(target: str, model: str, said: str, *, kept: bool) -> None:
    encoded = to(target, model, verbosity=said)
    assert (said in str(encoded.body.get("verbosity", encoded.body.get("text")))) == kept
    assert ("/verbosity" in told(encoded)) != kept
    member = {"text": {"verbosity": said}} if target == "openai_responses" else {"verbosity": said}
    path = "/text/verbosity" if target == "openai_responses" else "/verbosity"
    found_there = [one.path for one in il.check_request({**encoded.body, **member}, target)]
    assert (path in found_there) != kept


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize(("model", "kept"), [("gpt-4o", False), ("o3", False), ("gpt-4.1", True), ("gpt-5.1", True)])
def test_models_without_24_hour_caching_get_no_such_setting(target: str, model: str, *, kept: bool) -> None:
    encoded = to(target, model, prompt_cache_retention="24h")
    assert ("prompt_cache_retention" in encoded.body) == kept
    assert ("/prompt_cache_retention" in told(encoded)) != kept
    judged = il.check_request({**encoded.body, "prompt_cache_retention": "24h"}, target)
    assert ("/prompt_cache_retention" in [one.path for one in judged]) != kept


@pytest.mark.parametrize(("dialect", "unit"), [("bedrock_converse", "x"), ("ollama", "/")])
def test_a_name_that_is_too_long_for_a_model_is_looked_up_in_linear_time(dialect: str, unit: str) -> None:
    numbers = itertools.count()  # what was looked up is remembered by name

    def translate(length: int) -> None:
        body = {"model": f"{next(numbers)}{unit * length}", "messages": [{"role": "user", "content": "Hi"}]}
        il.translate_request(body, "vllm", dialect)

    translate(1)
    assert grows_at_most(lambda: translate(10_000), lambda: translate(40_000), 8)
