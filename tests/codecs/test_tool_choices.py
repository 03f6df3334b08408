"""Which tools may be called, as other servers of Chat Completions than OpenAI take it, and their clients say it."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

TOOL: Final = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
REQUIRED: Final = {"mode": "required"}
NAMED: Final = {"mode": "named", "name": "look"}
SAID: Final[list[tuple[Any, dict[str, Any]]]] = [
    ("any", REQUIRED),
    ({"type": "any"}, REQUIRED),
    ({"type": "required"}, REQUIRED),
    ({"type": "auto"}, {"mode": "auto"}),
    ({"type": "none"}, {"mode": "none"}),
    ({"function": {"name": "look"}}, NAMED),
    ({"type": "function", "name": "look"}, NAMED),
    ({"type": "tool", "name": "look"}, NAMED),
]


def asked(choice: Any) -> dict[str, Any]:
    question = {"role": "user", "content": "What is in the sky?"}
    return {"model": "mistral-large-latest", "messages": [question], "tools": [TOOL], "tool_choice": choice}


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize(("said", "meant"), SAID)
def test_a_tool_choice_in_a_vendor_form_is_read_and_round_trips(dialect: str, said: Any, meant: dict[str, Any]) -> None:
    request = il.decode_request(asked(said), dialect)
    assert request.model_dump(mode="json")["tool_choice"] == meant
    assert request.model_dump(mode="json").get("extra", {}).get(dialect, {}).keys() == {"spelling"}
    home = il.encode_request(request, dialect)
    assert (home.body, home.losses) == (asked(said), ())


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize(
    ("said", "elsewhere"),
    [("any", {"type": "any"}), ({"type": "tool", "name": "look"}, {"type": "tool", "name": "look"})],
)
def test_a_forced_tool_choice_in_a_vendor_form_is_translated(dialect: str, said: Any, elsewhere: Any) -> None:
    encoded = il.translate_request(asked(said), dialect, "claude", model="claude-opus-4-8", strict=True)
    assert encoded.body["tool_choice"] == elsewhere


@pytest.mark.parametrize("said", [said for said, _ in SAID])
def test_a_changed_tool_choice_is_written_with_its_new_value(said: Any) -> None:
    request = il.decode_request(asked(said), "openai_chat")
    for choice in (NAMED, REQUIRED, {"mode": "auto"}, {"mode": "subset", "names": ["look"], "required": True}):
        changed = request.replace(tool_choice=choice)
        body = il.encode_request(changed, "openai_chat").body
        assert il.decode_request(body, "openai_chat").model_dump(mode="json")["tool_choice"] == choice
    without = il.encode_request(request.replace(tool_choice=None), "openai_chat").body
    assert "tool_choice" not in without


@pytest.mark.parametrize("said", [{"type": "any", "more": 1}, {"type": "tool"}, {"type": "tool", "name": 7}, "some"])
def test_an_unknown_tool_choice_is_lost(said: Any) -> None:
    request = il.decode_request(asked(said), "openai_chat")
    assert request.tool_choice is None
    assert il.encode_request(request, "openai_chat").body == asked(said)
    losses = il.translate_request(asked(said), "openai_chat", "claude", model="claude-opus-4-8").losses
    assert ("/extra/openai_chat", "contract") in [(loss.path, loss.concern) for loss in losses]
