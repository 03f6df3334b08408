"""Settings that two dialects share: each arrives as the target says it, or is a loss; privacy never changes unsaid."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

ASKED: dict[str, dict[str, Any]] = {
    "openai_chat": {"model": "m", "messages": [{"role": "user", "content": "Hello"}]},
    "openai_responses": {"model": "m", "input": "Hello"},
    "claude": {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "Hello"}]}]},
    "ollama": {"model": "m", "stream": False, "messages": [{"role": "user", "content": "Hello"}]},
    "vllm": {"model": "m", "messages": [{"role": "user", "content": "Hello"}]},
    "bedrock_converse": {"messages": [{"role": "user", "content": [{"text": "Hello"}]}]},
}


def sent(source: str, target: str, **settings: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the translated body, and the severity of each loss of a setting by its path."""
    encoded = il.translate_request({**ASKED[source], **settings}, source, target)
    return encoded.body, {loss.path: loss.severity for loss in encoded.losses}


@pytest.mark.parametrize("target", il.dialects())
def test_store_false_is_translated(target: str) -> None:
    body, losses = sent("openai_chat", target, store=False)
    has_member = target in {"openai_chat", "openai_responses", "gemini"}
    assert body.get("store") == (False if has_member else None)
    assert "/store" not in losses


@pytest.mark.parametrize("source", sorted({*il.dialects()} - {"openai_responses"}))
def test_store_is_false_for_responses_if_the_source_dialect_stores_nothing(source: str) -> None:
    body, losses = sent(source, "openai_responses")
    assert body["store"] is False
    assert losses["/store"] == "filled"


def test_a_handwritten_request_uses_the_providers_default_for_store() -> None:
    request = il.decode_request(ASKED["openai_chat"], "openai_chat").replace(dialect=None)
    assert "store" not in il.encode_request(request, "openai_responses").body


@pytest.mark.parametrize(
    ("target", "severity"),
    [("openai_responses", None), ("gemini", None), ("claude", "lost"), ("ollama", "lost"), ("vllm", "lost")],
)
def test_store_true_is_a_loss_where_nothing_is_stored(target: str, severity: str | None) -> None:
    body, losses = sent("openai_chat", target, store=True)
    assert (body.get("store"), losses.get("/store")) == (True if severity is None else None, severity)


@pytest.mark.parametrize(
    ("source", "word", "target", "member", "expected", "severity"),
    [
        ("openai_chat", "flex", "openai_responses", "service_tier", "flex", None),
        ("openai_chat", "flex", "gemini", "serviceTier", "flex", None),
        ("openai_chat", "default", "gemini", "serviceTier", "standard", None),
        ("openai_chat", "default", "claude", "service_tier", "standard_only", None),
        ("openai_chat", "auto", "claude", "service_tier", "auto", None),
        ("openai_chat", "priority", "claude", "service_tier", "auto", "changed"),
        ("openai_chat", "flex", "claude", "service_tier", None, "lost"),
        ("openai_chat", "scale", "gemini", "serviceTier", "priority", "changed"),
        ("openai_chat", "flex", "ollama", "service_tier", None, "lost"),
        ("openai_chat", "auto", "ollama", "service_tier", None, None),
        ("openai_responses", "ultrafast", "openai_chat", "service_tier", "fast", "changed"),
        ("claude", "standard_only", "openai_responses", "service_tier", "default", None),
        ("openai_chat", "on_demand", "openai_responses", "service_tier", "default", "changed"),
        ("openai_chat", "on_demand", "claude", "service_tier", "standard_only", "changed"),
        ("openai_chat", "on_demand", "gemini", "serviceTier", "standard", "changed"),
        ("openai_chat", "on_demand", "ollama", "service_tier", None, None),
        ("openai_chat", "on_demand", "vllm", "service_tier", None, None),
        ("openai_chat", "on_demand", "bedrock_converse", "serviceTier", None, None),
        ("openai_chat", "performance", "openai_responses", "service_tier", "priority", "changed"),
        ("openai_chat", "performance", "claude", "service_tier", "auto", "changed"),
        ("openai_chat", "performance", "gemini", "serviceTier", "priority", "changed"),
    ],
)
def test_service_tiers_are_mapped(
    source: str, word: str, target: str, member: str, expected: str | None, severity: str | None
) -> None:
    body, losses = sent(source, target, service_tier=word)
    assert (body.get(member), losses.get("/service_tier")) == (expected, severity)


def test_the_gemini_service_tier_is_translated() -> None:
    assert sent("gemini", "openai_chat", serviceTier="standard")[0]["service_tier"] == "default"


@pytest.mark.parametrize(
    "settings",
    [
        {"prompt_cache_retention": "24h"},
        {"prompt_cache_key": "k"},
        {"moderation": {"model": "m"}},
        {"user": "u", "safety_identifier": "s"},
        {"stream": True, "stream_options": {"include_obfuscation": False}},
    ],
)
def test_shared_settings_of_the_two_openai_dialects_are_translated(settings: dict[str, Any]) -> None:
    body, losses = sent("openai_chat", "openai_responses", **settings)
    assert {name: body.get(name) for name in settings} == settings
    assert not {"/" + name for name in settings} & losses.keys()
    back, losses = sent("openai_responses", "openai_chat", **settings)
    assert {name: back[name] for name in settings if name != "stream_options"}.items() <= settings.items()


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm", "openai_responses"])
def test_both_user_ids_round_trip(dialect: str) -> None:
    body = {**ASKED[dialect], "user": "u", "safety_identifier": "s"}
    request = il.decode_request(body, dialect)
    assert (request.user, request.safety_identifier) == ("u", "s")
    assert il.encode_request(request, dialect).body == body


def test_the_user_id_of_claude_is_translated() -> None:
    body, losses = sent("openai_chat", "claude", user="u", safety_identifier="s")
    assert body["metadata"] == {"user_id": "u"}
    assert losses["/safety_identifier"] == "lost"


@pytest.mark.parametrize("source", ["claude", "openai_responses", "ollama"])
@pytest.mark.parametrize("target", ["openai_chat", "vllm"])
def test_usage_is_requested_in_a_chat_stream_for_clients_that_always_get_it(source: str, target: str) -> None:
    body, losses = sent(source, target, stream=True)
    assert body["stream_options"] == {"include_usage": True}
    assert losses["/stream_usage"] == "filled"
    assert "stream_options" not in sent(source, target, stream=False)[0]


@pytest.mark.parametrize("wanted", [True, False])
def test_include_usage_is_translated_between_chat_dialects(wanted: bool) -> None:  # what the wire says
    options = {"include_usage": wanted}
    assert il.decode_request({**ASKED["vllm"], "stream_options": options}, "vllm").stream_usage is wanted
    assert sent("vllm", "openai_chat", stream=True, stream_options=options)[0]["stream_options"] == options
    assert "stream_options" not in sent("vllm", "openai_chat", stream=True)[0]


def test_stream_options_are_written_only_with_stream() -> None:
    body, losses = sent("openai_chat", "vllm", stream_options={"include_usage": True})
    assert "stream_options" not in body
    assert losses["/stream_usage"] == "lost"


@pytest.mark.parametrize(
    ("modalities", "target", "expected", "severity"),
    [
        (["TEXT"], "openai_chat", None, None),
        (["TEXT", "IMAGE"], "openai_chat", None, "lost"),
        (["AUDIO"], "openai_chat", None, "lost"),
        (["TEXT"], "claude", None, None),
        (["TEXT", "IMAGE"], "claude", None, "lost"),
    ],
)
def test_output_modalities_are_translated(
    modalities: list[str], target: str, expected: list[str] | None, severity: str | None
) -> None:
    body, losses = sent("gemini", target, generationConfig={"responseModalities": modalities})
    assert (body.get("modalities"), losses.get("/modalities")) == (expected, severity)


@pytest.mark.parametrize("asked", [["TEXT", "IMAGE"], ["IMAGE"]])
def test_text_only_models_get_no_modalities(asked: list[str]) -> None:
    said = [word.lower() for word in asked]
    spoken = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "modalities": said}
    encoded = il.translate_request(spoken, "openai_chat", "gemini", model="gemini-2.5-flash")
    assert encoded.body.get("generationConfig", {}) == ({"responseModalities": ["TEXT"]} if "TEXT" in asked else {})
    assert "/modalities" in [loss.path for loss in encoded.losses if loss.severity == "lost"]
    painted = il.translate_request(spoken, "openai_chat", "gemini", model="gemini-2.5-flash-image")
    assert painted.body["generationConfig"]["responseModalities"] == asked
    judged = il.check_request(painted.body, "gemini", profile="gemini-2.5-flash")
    assert [one.path for one in judged] == ["/generationConfig/responseModalities"]


@pytest.mark.parametrize("asked", [["Text", "Image"], ["audio"]])
def test_modalities_in_another_case_are_dropped_for_a_model_that_only_writes_text(asked: list[str]) -> None:
    body = {"contents": [{"parts": [{"text": "Hi"}]}], "generationConfig": {"responseModalities": asked}}
    fitted = il.exchange(body, "gemini", "gemini", model="gemini-3.5-flash", fit=True)
    assert "generationConfig" not in fitted.body
    assert "/extra/gemini/fields/generationConfig/responseModalities" in [loss.path for loss in fitted.losses]
    assert il.check_request(fitted.body, "gemini", profile="gemini-3.5-flash") == []
    kept = il.exchange(body, "gemini", "gemini", model="gemini-2.5-flash-image", fit=True)
    assert kept.body["generationConfig"] == body["generationConfig"]


def test_image_output_is_requested_from_gateways() -> None:
    asked = {"contents": [{"parts": [{"text": "Hi"}]}], "generationConfig": {"responseModalities": ["TEXT", "IMAGE"]}}
    encoded = il.translate_request(asked, "gemini", "openai_chat", model="google/gemini-2.5-flash-image")
    assert encoded.body["modalities"] == ["text", "image"]
    assert (
        il.translate_request(encoded.body, "openai_chat", "gemini").body["generationConfig"]
        == asked["generationConfig"]
    )
    assert "modalities" not in il.translate_request(asked, "gemini", "vllm", model="google/gemma-3").body


def test_an_audio_setting_keeps_its_voice_within_the_dialect_and_is_translated_to_gemini() -> None:
    spoken = {"modalities": ["text", "audio"], "audio": {"format": "wav", "voice": "alloy"}}
    assert sent("openai_chat", "openai_chat", **spoken)[0] == {**ASKED["openai_chat"], **spoken}
    assert sent("openai_chat", "gemini", **spoken)[0]["generationConfig"] == {"responseModalities": ["TEXT", "AUDIO"]}


def test_local_servers_share_sampling_settings() -> None:
    body, _ = sent("vllm", "ollama", min_p=0.05, repetition_penalty=1.1)
    assert body["options"] == {"min_p": 0.05, "repeat_penalty": 1.1}
    body, _ = sent("ollama", "vllm", options={"min_p": 0.05, "repeat_penalty": 1.1})
    assert (body["min_p"], body["repetition_penalty"]) == (0.05, 1.1)


@pytest.mark.parametrize("dialect", il.dialects())
def test_values_that_older_code_stored_in_fields_are_still_written(dialect: str) -> None:
    wire = {
        "openai_chat": {"store": True, "service_tier": "flex", "stream_options": {"include_usage": True}},
        "openai_responses": {"store": False, "service_tier": "flex", "prompt_cache_retention": "24h"},
        "claude": {"service_tier": "auto"},
        "gemini": {"store": True, "serviceTier": "flex"},
        "ollama": {"options": {"min_p": 0.1}},
        "vllm": {"min_p": 0.1, "stream_options": {"include_usage": True}},
        "bedrock_converse": {"serviceTier": {"type": "flex"}},
    }[dialect]
    stored = il.decode_request(ASKED[dialect], dialect).model_dump(mode="json")
    extra = stored.setdefault("extra", {}).setdefault(dialect, {})
    extra["fields"] = {**extra.get("fields", {}), **wire}
    request = type(il.decode_request(ASKED[dialect], dialect)).model_validate(stored)
    assert il.encode_request(request, dialect).body == {**ASKED[dialect], **wire}


@pytest.mark.parametrize(
    ("dialect", "settings"),
    [
        ("openai_chat", {"store": "no", "service_tier": 1, "stream_options": {"include_usage": None}, "moderation": 1}),
        ("openai_chat", {"stream_options": None, "modalities": ["text", 1], "user": 1, "safety_identifier": "s"}),
        ("openai_responses", {"store": None, "stream_options": {"x": 1}, "safety_identifier": 1, "user": "u"}),
        ("claude", {"service_tier": "another"}),
        ("gemini", {"store": "no", "serviceTier": "another", "generationConfig": {"responseModalities": ["VIDEO"]}}),
        ("gemini", {"generation_config": {"response_modalities": ["TEXT"]}, "service_tier": "flex"}),
        ("gemini", {"generationConfig": {"responseModalities": None}, "store": None}),
        ("ollama", {"options": {"min_p": None, "repeat_penalty": 1}}),
    ],
)
def test_malformed_settings_round_trip(dialect: str, settings: dict[str, Any]) -> None:
    body = {**ASKED[dialect], **settings}
    assert il.encode_request(il.decode_request(body, dialect), dialect).body == body


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
def test_a_user_id_too_long_for_openai_is_replaced_by_a_stable_digest(target: str) -> None:
    written = [sent("claude", target, metadata={"user_id": f"user_{'a' * 90}{one}"}) for one in "112"]
    ids = [body["safety_identifier"] for body, _ in written]
    assert [len(one) for one in ids] == [64, 64, 64]
    assert ids[0] == ids[1] != ids[2], "the same for a user, another for another one"
    assert written[0][1]["/user"] == "changed"
    kept, losses = sent("claude", target, metadata={"user_id": "a" * 64})
    assert kept["safety_identifier"] == "a" * 64
    assert "/user" not in losses
