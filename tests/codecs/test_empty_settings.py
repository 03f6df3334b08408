"""Settings that hold nothing: no stops, which LangChain sends to Gemini, or a user without a name, as of LlamaIndex."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

ASKED: Final = [{"role": "user", "content": "Hello"}]
BODIES: Final[dict[str, dict[str, Any]]] = {
    "openai_chat": {
        "model": "m",
        "messages": ASKED,
        "stop": [],
        "tools": [],
        "logit_bias": {},
        "metadata": {},
        "user": "",
    },
    "openai_responses": {"model": "m", "input": ASKED, "tools": [], "user": "", "prompt_cache_key": ""},
    "claude": {
        "model": "m",
        "max_tokens": 9,
        "messages": ASKED,
        "stop_sequences": [],
        "tools": [],
        "metadata": {"user_id": ""},
    },
    "gemini": {
        "contents": [{"role": "user", "parts": [{"text": "Hello"}]}],
        "generationConfig": {"stopSequences": [], "responseModalities": []},
        "labels": {},
    },
    "ollama": {"model": "m", "messages": ASKED, "options": {"stop": []}, "stream": False},
}
PAIRS: Final = [(source, target) for source in BODIES for target in il.dialects() if source != target]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_an_empty_setting_is_not_written_in_other_dialects(source: str, target: str) -> None:
    encoded = il.translate_request(BODIES[source], source, target, model="m")
    settings = {name: value for name, value in encoded.body.items() if name not in {"messages", "contents", "input"}}
    assert not [value for value in settings.values() if value in ([], {}, "", {"user_id": ""})]
    assert "stop" not in str(settings).lower()
    assert not [one for one in encoded.losses if one.severity == "lost" and one.path != "/model"]


@pytest.mark.parametrize("dialect", BODIES)
def test_an_empty_setting_round_trips(dialect: str) -> None:
    assert il.encode_request(il.decode_request(BODIES[dialect], dialect), dialect).body == BODIES[dialect]


@pytest.mark.parametrize(("target", "limit"), [("openai_chat", 4), ("vllm", 4), ("gemini", 5), ("bedrock_converse", 9)])
def test_empty_stop_sequences_do_not_exclude_others(target: str, limit: int) -> None:
    told = ["", "A", "A", "B", "", "C", "D", "E", "F", "A"]
    body = {"model": "m", "max_tokens": 9, "messages": ASKED, "stop_sequences": told}
    encoded = il.translate_request(body, "claude", target, model="m")
    places = {"gemini": ("generationConfig", "stopSequences"), "bedrock_converse": ("inferenceConfig", "stopSequences")}
    sent: Any = encoded.body
    for member in places.get(target, ("stop",)):
        sent = sent[member]
    assert sent == ["A", "B", "C", "D", "E", "F"][:limit]
    losses = {one.path: one.severity for one in encoded.losses if one.path.startswith("/stop")}
    empty, repeated = ({"/stop/0": "lost", "/stop/4": "lost"}, {"/stop/2": "changed", "/stop/9": "changed"})
    beyond = {"/stop/7": "lost", "/stop/8": "lost"} if limit == 4 else {"/stop/8": "lost"} if limit == 5 else {}
    assert losses == {**empty, **repeated, **beyond}
    assert il.check_request(encoded.body, target) == []


def test_only_empty_stop_sequences_count_as_none() -> None:
    body = {"model": "gpt-4o", "messages": ASKED, "stop": ["", ""]}
    for target in il.dialects():
        if target != "openai_chat":
            encoded = il.translate_request(body, "openai_chat", target, model="m")
            assert "stop" not in str(encoded.body).lower()
            assert {one.severity for one in encoded.losses if one.path.startswith("/stop")} == {"lost"}
