"""Requests of Chat Completions that ask for thinking in the words of other servers: they ask for it everywhere."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.rooms.openai_chat.thinking import THINKING_MEMBERS

ASKED: Final[dict[str, tuple[dict[str, Any], dict[str, Any]]]] = {
    "thinking": (
        {"thinking": {"type": "enabled", "budget_tokens": 2000, "display": "omitted"}},
        {"mode": "enabled", "budget_tokens": 2000, "display": "omitted"},
    ),
    "off": ({"thinking": {"type": "disabled", "clear_thinking": False}}, {"mode": "disabled"}),
    "reasoning": (
        {"reasoning": {"effort": "high", "max_tokens": 2000, "enabled": True, "exclude": True}},
        {"effort": "high", "budget_tokens": 2000, "mode": "enabled", "display": "omitted"},
    ),
    "shown": ({"reasoning": {"exclude": False}, "reasoning_effort": "low"}, {"display": "summarized", "effort": "low"}),
    "switch": ({"enable_thinking": False}, {"mode": "disabled"}),
    "budget": ({"enable_thinking": True, "thinking_budget": 500}, {"mode": "enabled", "budget_tokens": 500}),
    "template": ({"chat_template_kwargs": {"enable_thinking": False, "tools": []}}, {"mode": "disabled"}),
    "template, by another name": ({"chat_template_kwargs": {"thinking": True}}, {"mode": "enabled"}),
    "google": (
        {
            "extra_body": {
                "google": {
                    "cached_content": "c",
                    "thinking_config": {"thinking_level": "low", "thinking_budget": 700, "include_thoughts": True},
                }
            }
        },
        {"effort": "low", "budget_tokens": 700, "display": "summarized"},
    ),
    "include": ({"include_reasoning": False}, {"display": "omitted"}),
}


def asking(**members: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": "Hello"}], **members}


def settings(request: il.ChatRequest) -> dict[str, Any]:
    reasoning = request.reasoning
    return {} if reasoning is None else reasoning.model_dump(mode="json", exclude_none=True)


def at_home(request: il.ChatRequest) -> dict[str, Any]:
    encoded = il.encode_request(request, "openai_chat")
    assert encoded.losses == ()
    return encoded.body


def held(value: Any, path: tuple[str, ...]) -> bool:
    for name in path:
        if name not in value:
            return False
        value = value[name]
    return True


def test_every_row_of_the_table_has_an_example() -> None:
    wires = [wire for wire, _ in ASKED.values()]
    assert [place.path for place in THINKING_MEMBERS if not any(held(wire, place.path) for wire in wires)] == []


@pytest.mark.parametrize("name", ASKED)
def test_a_thinking_setting_in_a_vendor_form_is_read_and_round_trips(name: str) -> None:
    wire, meant = ASKED[name]
    request = il.decode_request(asking(**wire), "openai_chat")
    assert settings(request) == meant
    assert at_home(request) == asking(**wire)
    stored = il.ChatRequest.model_validate_json(request.model_dump_json())
    assert at_home(stored) == asking(**wire)


def test_a_thinking_setting_in_any_vendor_form_is_translated_to_claude_and_gemini() -> None:
    for wire in ({"thinking": {"type": "enabled", "budget_tokens": 2000}}, {"reasoning": {"max_tokens": 2000}}):
        claude = il.translate_request(asking(**wire), "openai_chat", "claude", model="claude-sonnet-4-5")
        assert claude.body["thinking"] == {"type": "enabled", "budget_tokens": 2000}
        gemini = il.translate_request(asking(**wire), "openai_chat", "gemini", model="gemini-2.5-flash")
        assert gemini.body["generationConfig"]["thinkingConfig"]["thinkingBudget"] == 2000
        lost = {loss.path for one in (claude, gemini) for loss in one.losses if loss.severity == "lost"}
        assert "/extra/openai_chat" not in lost


def test_disabled_thinking_stays_disabled() -> None:
    for wire in ({"thinking": {"type": "disabled"}}, {"enable_thinking": False}, {"reasoning": {"effort": "none"}}):
        claude = il.translate_request(asking(**wire), "openai_chat", "claude", model="claude-opus-5")
        assert claude.body["thinking"] == {"type": "disabled"}
        responses = il.translate_request(asking(**wire), "openai_chat", "openai_responses", model="gpt-5.2")
        assert responses.body["reasoning"] == {"effort": "none"}


def test_of_two_members_with_one_meaning_one_is_read_and_the_other_reported() -> None:
    wire = {"reasoning": {"effort": "high"}, "reasoning_effort": "low", "thinking": {"type": "disabled"}}
    for members in (wire, dict(reversed(wire.items()))):
        body = asking(**members, enable_thinking=True)
        request = il.decode_request(body, "openai_chat")
        assert settings(request) == {"effort": "low", "mode": "disabled"}
        assert at_home(request) == body
        encoded = il.translate_request(body, "openai_chat", "gemini", model="gemini-2.5-flash")
        assert ("/extra/openai_chat", "tuning") in {(loss.path, loss.concern) for loss in encoded.losses}


@pytest.mark.parametrize(
    "wire",
    [
        {"thinking": None},
        {"thinking": {}},
        {"thinking": {"type": None}},
        {"thinking": {"type": None}, "enable_thinking": True},
        {"thinking": {"type": 7, "budget_tokens": "many"}},
        {"thinking": "on", "reasoning": ["low"], "enable_thinking": 1, "extra_body": {"google": None}},
        {"thinking": {"type": "enabled", "budget_tokens": None}},
        {"enable_thinking": None, "thinking_budget": None},
    ],
)
def test_empty_or_malformed_settings_round_trip(wire: dict[str, Any]) -> None:
    assert at_home(il.decode_request(asking(**wire), "openai_chat")) == asking(**wire)


def test_an_edited_thinking_setting_is_written_in_its_original_member() -> None:
    wire = {"thinking": {"type": "enabled", "budget_tokens": 2000, "clear_thinking": False}, "enable_thinking": True}
    request = il.decode_request(asking(**wire), "openai_chat")
    less = request.replace(reasoning={"mode": "enabled", "budget_tokens": 1000})
    assert at_home(less)["thinking"] == {"type": "enabled", "budget_tokens": 1000, "clear_thinking": False}
    off = request.replace(reasoning={"mode": "disabled"})
    assert at_home(off)["thinking"] == {"type": "disabled", "clear_thinking": False}
    none = il.decode_request(asking(enable_thinking=True), "openai_chat").replace(reasoning=None)
    assert at_home(none) == asking()
    harder = il.decode_request(asking(reasoning={"effort": "low"}), "openai_chat").replace(reasoning={"effort": "high"})
    assert at_home(harder) == asking(reasoning={"effort": "high"})


def test_the_inputs_are_not_modified() -> None:
    body = asking(extra_body={"google": {"thinking_config": {"include_thoughts": True}}})
    request = il.decode_request(body, "openai_chat")
    before = request.model_dump_json()
    assert at_home(request) == asking(extra_body={"google": {"thinking_config": {"include_thoughts": True}}}) == body
    assert request.model_dump_json() == before
