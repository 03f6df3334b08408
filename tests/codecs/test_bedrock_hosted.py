"""What goes to the models that Bedrock serves for others: efforts, cache points, documents, media in results."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il

if TYPE_CHECKING:
    from interlingua.registry import Dialect

DIALECT: Final = "bedrock_converse"
FIELDS: Final = "additionalModelRequestFields"
NOVA: Final = "amazon.nova-pro-v1:0"
NOVA_2: Final = "amazon.nova-2-lite-v1:0"
GPT_OSS: Final = "openai.gpt-oss-120b-1:0"
GPT: Final = "us.openai.gpt-5.6-sol"
CLAUDE: Final = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
OLD_CLAUDE: Final = "anthropic.claude-sonnet-4-20250514-v1:0"
QWEN: Final = "qwen.qwen3-32b-v1:0"
SEEING_QWEN: Final = "qwen.qwen3-vl-235b-a22b"
PIXTRAL: Final = "us.mistral.pixtral-large-2502-v1:0"
PALMYRA: Final = "writer.palmyra-x5-v1:0"
PNG: Final = "iVBORw0KGgo="
PDF: Final = "JVBERi0xLjQK"
PICTURE: Final = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
FILE: Final = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}}
NOTE: Final = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "It rains."}}
CALLED: Final[dict[str, Any]] = {"type": "tool_use", "id": "a", "name": "look", "input": {}}
TOOL: Final[dict[str, Any]] = {"name": "look", "input_schema": {"type": "object", "properties": {}}}
MARK: Final = {"type": "ephemeral", "ttl": "1h"}


def asked(*messages: Any, **members: Any) -> dict[str, Any]:
    """Return a request of Claude."""
    said = messages or ({"role": "user", "content": "Hello"},)
    return {"model": "claude-sonnet-4-5", "max_tokens": 1000, "messages": [*said], **members}


def answered(*content: Any, beside: tuple[Any, ...] = (), **members: Any) -> dict[str, Any]:
    """Return a request of Claude with a result and what stands beside it."""
    result = {"type": "tool_result", "tool_use_id": "a", "content": [*content], **members}
    messages = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": [CALLED]},
        {"role": "user", "content": [result, *beside]},
    ]
    return asked(*messages, tools=[TOOL])


def sent(body: dict[str, Any], model: str, source: Dialect = "claude") -> tuple[dict[str, Any], dict[str, str]]:
    """Return what goes to a model, which refuses nothing of it, and the losses by their paths."""
    encoded = il.translate_request(body, source, DIALECT, model=model)
    assert il.check_request(encoded.body, DIALECT) == []
    return encoded.body, {loss.path: loss.severity for loss in encoded.losses}


def kinds(content: list[Any]) -> list[str]:
    """Return the kind of each block."""
    return [next(iter(block)) for block in content]


@pytest.mark.parametrize(
    ("model", "effort", "fields"),
    [
        (GPT_OSS, "high", {"reasoning_effort": "high"}),
        (GPT_OSS, "none", {"reasoning_effort": "low"}),
        (GPT, "xhigh", {"reasoning": {"effort": "xhigh"}}),
        (GPT, "none", {"reasoning": {"effort": "none"}}),
        (GPT, "minimal", {"reasoning": {"effort": "low"}}),
        ("openai.gpt-6-astra", "none", {"reasoning": {"effort": "low"}}),
        ("xai.grok-4.6", "max", {"reasoning": {"effort": "xhigh"}}),
        (NOVA_2, "medium", {"reasoningConfig": {"type": "enabled", "maxReasoningEffort": "medium"}}),
        (NOVA_2, "none", {"reasoningConfig": {"type": "disabled"}}),
        (NOVA, "high", None),
        (QWEN, "high", {"reasoning_config": "high"}),
        (QWEN, "none", {"reasoning_config": "none"}),
        ("qwen.qwen3-coder-30b-a3b-v1:0", "high", None),
        ("deepseek.v3.2", "low", {"reasoning_effort": "high"}),
        ("zai.glm-4.7", "medium", {"reasoning_effort": "high"}),
        ("zai.glm-5.3", "medium", {"reasoning_effort": "medium"}),
        ("moonshotai.kimi-k2.5", "medium", {"reasoning_effort": "high"}),
        ("moonshotai.kimi-k2.5", "none", None),
        ("moonshot.kimi-k2-thinking", "none", {"reasoning_effort": "low"}),
        ("minimax.minimax-m2.5", "high", None),
    ],
)
def test_the_effort_is_written_where_the_model_reads_it(model: str, effort: str, fields: dict[str, Any] | None) -> None:
    body = {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}], "reasoning_effort": effort}
    out, told = sent(body, model, "openai_chat")
    assert out.get(FIELDS) == fields
    is_same = fields is not None and effort in str(fields)
    assert bool(told) == (not is_same and (model, effort) != (NOVA_2, "none"))
    again = il.decode_request(out, DIALECT)
    assert il.encode_request(again, DIALECT).body == out


def test_a_claude_thinking_budget_becomes_an_effort() -> None:
    body = asked(thinking={"type": "enabled", "budget_tokens": 5000}, max_tokens=8000)
    out, told = sent(body, GPT_OSS)
    assert out[FIELDS] == {"reasoning_effort": "medium"}
    assert told["/reasoning/budget_tokens"] == "changed"


@pytest.mark.parametrize(
    "fields",
    [
        {"reasoning_effort": "high", "seed": 7},
        {"reasoning": {"effort": "low"}},
        {"reasoning_config": "high"},
        {"reasoning_config": {"type": "enabled", "budget_tokens": 2000}},
        {"reasoningConfig": {"type": "enabled", "maxReasoningEffort": "low"}},
        {"reasoningConfig": {"type": "disabled", "maxReasoningEffort": None}},
        {"inferenceConfig": {"topK": 10}, "thinking": {"type": "adaptive"}},
        {"thinking": {"type": "adaptive"}, "output_config": {"effort": "max"}, "reasoning_effort": "high"},
    ],
)
def test_reasoning_settings_of_each_maker_round_trip(fields: dict[str, Any]) -> None:
    body = {"messages": [{"role": "user", "content": [{"text": "Hello"}]}], FIELDS: fields}
    request = il.decode_request(body, DIALECT)
    assert request.reasoning is not None or request.top_k is not None
    assert il.encode_request(request, DIALECT).body == body
    silent = request.model_copy(update={"reasoning": None, "top_k": None})
    assert "high" not in str(il.encode_request(silent, DIALECT).body.get(FIELDS, {}).get("reasoning_config"))


def test_an_effort_on_bedrock_is_translated() -> None:
    body = {"modelId": GPT_OSS, "messages": [{"role": "user", "content": [{"text": "Hello"}]}]}
    encoded = il.translate_request({**body, FIELDS: {"reasoning_effort": "high"}}, DIALECT, "openai_chat")
    assert encoded.body["reasoning_effort"] == "high"
    assert encoded.losses == ()


def test_nova_2_gets_no_sampling_settings_and_no_limit_with_the_highest_effort() -> None:
    body = {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}], "temperature": 0.5, "top_p": 0.5}
    body |= {"max_completion_tokens": 900}
    high, told = sent({**body, "reasoning_effort": "high"}, NOVA_2, "openai_chat")
    assert "inferenceConfig" not in high
    assert {path for path, severity in told.items() if severity == "lost"} == {"/temperature", "/top_p", "/max_tokens"}
    medium, told = sent({**body, "reasoning_effort": "medium"}, NOVA_2, "openai_chat")
    assert medium["inferenceConfig"] == {"maxTokens": 900, "temperature": 0.5, "topP": 0.5}
    assert told == {}
    wrong = {**high, "inferenceConfig": {"maxTokens": 900}}
    assert [(one.code, one.path) for one in il.check_request(wrong, DIALECT)] == [
        ("setting", "/inferenceConfig/maxTokens")
    ]


CACHED_WHOLE: Final = {"max_tokens": 9, "cache_control": {"type": "ephemeral", "ttl": "1h"}, "system": "Be brief."}


@pytest.mark.parametrize(
    ("model", "point"),
    [
        (CLAUDE, {"type": "default", "ttl": "1h"}),
        (NOVA, {"type": "default"}),
        ("us.meta.llama3-3-70b-instruct-v1:0", None),
    ],
)
def test_a_request_that_claude_caches_as_a_whole_gets_a_cache_point_at_its_end(
    model: str, point: dict[str, str] | None
) -> None:
    messages = [{"role": role, "content": "So?"} for role in ("user", "assistant", "user")]
    body = {"model": "m", **CACHED_WHOLE, "messages": messages}
    encoded = il.translate_request(body, "claude", "bedrock_converse", model=model)
    points = [] if point is None else [{"cachePoint": point}]
    assert encoded.body["messages"][-1]["content"] == [{"text": "So?"}, *points]
    assert str(encoded.body).count("cachePoint") == len(points)
    told = {loss.path: loss.severity for loss in encoded.losses if loss.code == "cache"}
    assert told.pop("/cache/ttl", "changed") == "changed"
    assert told == {"/cache": "lost" if point is None else "changed"}
    assert il.check_request(encoded.body, "bedrock_converse") == []


def test_the_cache_mark_of_the_last_part_of_a_result_is_a_cache_point_behind_the_result() -> None:
    said = [{"type": "text", "text": "Sunny"}, {"type": "text", "text": "Dry", "cache_control": MARK}]
    body, told = sent(answered(*said), CLAUDE)
    result, point = body["messages"][2]["content"]
    assert result["toolResult"]["content"] == [{"text": "Sunny"}, {"text": "Dry"}]
    assert point == {"cachePoint": {"type": "default", "ttl": "1h"}}
    assert told == {"/messages/2/content/1/cache": "changed"}


def test_the_cache_mark_of_an_earlier_part_of_a_result_is_reported_as_lost() -> None:
    said = [{"type": "text", "text": "Sunny", "cache_control": MARK}, {"type": "text", "text": "Dry"}]
    body, told = sent(answered(*said), CLAUDE)
    assert [*body["messages"][2]["content"][-1]] == ["toolResult"]
    assert told == {"/messages/2/content/0/cache": "lost"}


def test_a_cache_point_for_the_whole_request_is_the_last_of_four() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    marked = [{"type": "text", "text": str(at), **mark} for at in range(4)]
    body = {"model": "m", **CACHED_WHOLE, **mark, "messages": [{"role": "user", "content": marked}]}
    same = il.translate_request(body, "claude", "bedrock_converse", model=CLAUDE)
    assert kinds(same.body["messages"][0]["content"]) == ["text", "cachePoint"] * 4
    body["messages"] = [{"role": "user", "content": [*marked, {"type": "text", "text": "So?"}]}]
    moved = il.translate_request(body, "claude", "bedrock_converse", model=CLAUDE)
    assert kinds(moved.body["messages"][0]["content"]) == ["text", *["text", "cachePoint"] * 4]
    assert {loss.path: loss.severity for loss in moved.losses if loss.code == "cache"} == {
        "/cache": "changed",
        "/messages/1/content/0/cache": "lost",
    }


@pytest.mark.parametrize(("model", "is_short"), [(GPT, True), ("xai.grok-4.6", True), (GPT_OSS, False)])
def test_settings_that_openai_and_xai_models_refuse_on_bedrock_are_lost(model: str, *, is_short: bool) -> None:
    out, told = sent(asked(stop_sequences=["END"], temperature=0.5, max_tokens=1), model)
    config = out["inferenceConfig"]
    assert "stopSequences" not in config
    assert told["/stop"] == "lost"
    assert ("temperature" in config) is not is_short
    assert config["maxTokens"] == (16 if is_short else 1)
    wrong = {**out, "inferenceConfig": {"maxTokens": 1, "stopSequences": ["END"]}}
    assert len(il.check_request(wrong, DIALECT)) == (2 if is_short else 1)


def test_cache_points_are_written_only_for_models_that_support_them() -> None:
    question = {"role": "user", "content": [{"type": "text", "text": "Hello", "cache_control": MARK}]}
    system = [{"type": "text", "text": "Be brief.", "cache_control": MARK}]
    body = asked(question, system=system, tools=[{**TOOL, "cache_control": MARK}])
    for model in (GPT_OSS, GPT, QWEN, "nvidia.nemotron-super-3-120b", "meta.llama3-3-70b-instruct-v1:0"):
        out, told = sent(body, model)
        assert "cachePoint" not in str(out)
        paths = ("/tools/0/cache", "/messages/0/content/0/cache", "/messages/1/content/0/cache")
        assert [told[path] for path in paths] == ["lost"] * 3
    out, told = sent(body, NOVA)
    assert kinds(out["toolConfig"]["tools"]) == ["toolSpec"]
    assert [out["system"][1], out["messages"][0]["content"][1]] == [{"cachePoint": {"type": "default"}}] * 2
    assert (told["/tools/0/cache"], told["/messages/0/content/0/cache/ttl"]) == ("lost", "changed")
    point = {"cachePoint": {"type": "default", "ttl": "1h"}}
    out, told = sent(body, CLAUDE)
    assert [out["toolConfig"]["tools"][1], out["system"][1], out["messages"][0]["content"][1]] == [point] * 3
    out, told = sent(body, OLD_CLAUDE)
    assert out["system"][1] == {"cachePoint": {"type": "default"}}


@pytest.mark.parametrize(("model", "paths"), [(QWEN, 3), (NOVA, 3), (OLD_CLAUDE, 3), (CLAUDE, 0), (GPT, 0)])
def test_cache_points_that_a_model_refuses_are_violations(model: str, paths: int) -> None:
    point = {"cachePoint": {"type": "default", "ttl": "1h"}}
    spec: dict[str, Any] = {"toolSpec": {"name": "look", "inputSchema": {"json": {"type": "object", "properties": {}}}}}
    body: dict[str, Any] = {
        "modelId": model,
        "toolConfig": {"tools": [spec, point]},
        "system": [{"text": "Be brief."}, point],
        "messages": [{"role": "user", "content": [{"text": "Hello"}, point]}],
    }
    assert [one.code for one in il.check_request(body, DIALECT)] == ["cache"] * paths


def test_no_cache_point_directly_follows_a_text_document() -> None:
    marked = {**NOTE, "cache_control": {"type": "ephemeral"}}
    pages = {**FILE, "cache_control": {"type": "ephemeral"}}
    out, told = sent(asked({"role": "user", "content": [marked, {"type": "text", "text": "So?"}, pages]}), CLAUDE)
    assert kinds(out["messages"][0]["content"]) == ["document", "text", "document", "cachePoint"]
    assert told["/messages/0/content/0/cache"] == "lost"
    alone, told = sent(asked({"role": "user", "content": [marked]}), CLAUDE)
    assert kinds(alone["messages"][0]["content"]) == ["document", "text", "cachePoint"]
    assert "/messages/0/content/0/cache" not in told
    content = [*out["messages"][0]["content"][:1], {"cachePoint": {"type": "default"}}, {"text": "So?"}]
    wrong = {**out, "messages": [{"role": "user", "content": content}]}
    assert [(one.code, one.path) for one in il.check_request(wrong, DIALECT)] == [("cache", "/messages/0/content/1")]


def test_a_document_with_text_content_is_sent_as_bytes_and_accompanied_by_a_text() -> None:
    parts = {"type": "content", "content": [{"type": "text", "text": "It rains."}, {"type": "text", "text": "Still."}]}
    pieces = {"type": "document", "title": "News", "source": parts}
    out, told = sent(asked({"role": "user", "content": [NOTE, pieces]}), NOVA)
    first, second, said = out["messages"][0]["content"]
    assert base64.b64decode(first["document"]["source"]["bytes"]) == b"It rains."
    assert base64.b64decode(second["document"]["source"]["bytes"]) == b"It rains.\n\nStill."
    assert (first["document"]["format"], second["document"]["format"], list(said)) == ("txt", "txt", ["text"])
    assert [told[path] for path in ("/messages", "/messages/0/content/0", "/messages/0/content/1")] == ["changed"] * 3


def test_a_document_without_an_accompanying_text_is_a_violation() -> None:
    document: dict[str, Any] = {"format": "txt", "name": "a", "source": {"text": "It rains."}}
    body: dict[str, Any] = {"messages": [{"role": "user", "content": [{"document": document}]}]}
    assert [(one.code, one.path) for one in il.check_request(body, DIALECT)] == [
        ("required", "/messages/0/content"),
        ("part", "/messages/0/content/0/document/source"),
    ]
    document["citations"] = {"enabled": True}
    body["messages"][0]["content"].append({"text": "So?"})
    assert il.check_request(body, DIALECT) == []


def test_videos_are_sent_only_to_nova() -> None:
    film = {"inlineData": {"mimeType": "video/mp4", "data": "AAAA"}}
    body = {"contents": [{"role": "user", "parts": [{"text": "See."}, film]}]}
    for model in (PIXTRAL, SEEING_QWEN, "moonshotai.kimi-k3", GPT, "nvidia.nemotron-nano-12b-v2"):
        out, told = sent(body, model, "gemini")
        assert kinds(out["messages"][0]["content"]) == ["text"]
        assert told["/messages/0/content/1"] == "lost"
    assert kinds(sent(body, NOVA_2, "gemini")[0]["messages"][0]["content"]) == ["text", "video"]


def test_audio_is_sent_to_models_with_audio_input() -> None:
    sound = {"inlineData": {"mimeType": "audio/mpeg", "data": "AAAA"}}
    body = {"contents": [{"role": "user", "parts": [{"text": "Hear."}, sound]}]}
    for model in (NOVA, NOVA_2, PIXTRAL, GPT, "us.xai.grok-4.6", "moonshotai.kimi-k3", "google.gemma-3-27b-it"):
        out, told = sent(body, model, "gemini")
        assert kinds(out["messages"][0]["content"]) == ["text"]
        assert told["/messages/0/content/1"] == "lost"
    for model in ("mistral.voxtral-small-24b-2507", "us.amazon.nova-2-omni-v1:0", "any-maker.any-model"):
        assert kinds(sent(body, model, "gemini")[0]["messages"][0]["content"]) == ["text", "audio"]


def test_images_are_not_sent_to_models_that_only_write_code_or_reason() -> None:
    body = asked({"role": "user", "content": [{"type": "text", "text": "See."}, PICTURE]})
    for model, sees in (
        ("mistral.devstral-2-123b", False),
        ("nvidia.nemotron-super-3-120b", False),
        ("nvidia.nemotron-nano-12b-v2", True),
        ("mistral.mistral-large-3-675b-instruct", True),
    ):
        assert kinds(sent(body, model)[0]["messages"][0]["content"]) == (["text", "image"] if sees else ["text"])


@pytest.mark.parametrize(
    ("model", "held", "turns"),
    [
        (CLAUDE, ["text", "image", "document"], [["toolResult"]]),
        (NOVA, ["text", "image"], [["toolResult", "text", "document"]]),
        (SEEING_QWEN, ["text"], [["toolResult", "text", "image", "document"]]),
        (GPT, ["text", "document"], [["toolResult", "text", "image"]]),
        ("global.openai.gpt-6-astra", ["text", "document"], [["toolResult", "text", "image"]]),
        ("us.xai.grok-4.6", ["text", "document"], [["toolResult", "text", "image"]]),
        ("google.gemma-3-27b-it", ["text", "document"], [["toolResult", "text", "image"]]),
        ("mistral.mistral-large-3-675b-instruct", ["text", "document"], [["toolResult"], ["text"], ["text", "image"]]),
        (PIXTRAL, ["text", "document"], [["toolResult"], ["text"], ["text", "image"]]),
    ],
)
def test_results_contain_only_content_that_the_model_reads_there(
    model: str, held: list[str], turns: list[list[str]]
) -> None:
    out, told = sent(answered({"type": "text", "text": "Seen."}, PICTURE, FILE), model)
    assert [kinds(turn["content"]) for turn in out["messages"][2:]] == turns
    assert kinds(out["messages"][2]["content"][0]["toolResult"]["content"]) == held
    assert ("/messages/2/content" in told) == (model != CLAUDE)


def test_a_document_beside_claude_results_moves_into_a_result() -> None:
    out, told = sent(
        answered({"type": "text", "text": "Seen."}, beside=(FILE, {"type": "text", "text": "So?"})), CLAUDE
    )
    assert kinds(out["messages"][2]["content"]) == ["toolResult", "text"]
    assert kinds(out["messages"][2]["content"][0]["toolResult"]["content"]) == ["text", "document"]
    assert told["/messages"] == "changed"
    document = out["messages"][2]["content"][0]["toolResult"]["content"].pop()
    out["messages"][2]["content"].append(document)
    assert [(one.code, one.path) for one in il.check_request(out, DIALECT)] == [("part", "/messages/2/content/2")]


def test_palmyra_gets_no_content_beside_results_and_no_result_status() -> None:
    body = answered({"type": "text", "text": "No."}, beside=({"type": "text", "text": "So?"},), is_error=True)
    out, told = sent(body, PALMYRA)
    result = {"toolUseId": "a", "content": [{"text": "No."}, {"text": "So?"}]}
    assert out["messages"][2]["content"] == [{"toolResult": result}]
    assert told["/messages/2/is_error"] == "lost"
    wrong: Any = {**out, "messages": [*out["messages"][:2], {"role": "user", "content": [{"toolResult": {**result}}]}]}
    wrong["messages"][2]["content"][0]["toolResult"]["status"] = "error"
    assert [one.code for one in il.check_request(wrong, DIALECT)] == ["member"]


@pytest.mark.parametrize(
    ("model", "is_held"),
    [
        (NOVA, False),
        (PIXTRAL, False),
        (PALMYRA, False),
        ("xai.grok-4.6", False),
        ("anthropic.claude-fable-5-1", False),
        ("anthropic.claude-mythos-5-1", True),
        ("anthropic.claude-opus-4-1-20250805-v1:0", False),
        (CLAUDE, True),
        (GPT_OSS, True),
        (QWEN, True),
    ],
)
def test_a_schema_is_enforced_by_models_that_support_it_and_requested_in_words_from_others(
    model: str, *, is_held: bool
) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    form = {"type": "json_schema", "json_schema": {"name": "it", "schema": schema, "strict": True}}
    tool = {"type": "function", "function": {"name": "look", "parameters": schema, "strict": True}}
    body = {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}], "response_format": form}
    out, told = sent({**body, "tools": [tool]}, model, "openai_chat")
    assert ("outputConfig" in out, "strict" in out["toolConfig"]["tools"][0]["toolSpec"]) == (is_held, is_held)
    assert ("system" in out) is not is_held
    assert told.get("/response_format") == (None if is_held else "lost")
