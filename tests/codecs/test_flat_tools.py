"""Tools in the form of Responses or of Claude in a Chat Completions request, as some clients (Cursor) send them."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

SCHEMA: Final = {"type": "object", "properties": {"path": {"type": "string"}}}
GRAMMAR: Final = {"syntax": "lark", "definition": "start: /.+/"}
READ: Final = {"type": "function", "name": "read", "description": "Reads a file.", "parameters": SCHEMA}
OF_CLAUDE: Final = {"name": "read", "description": "Reads a file.", "input_schema": SCHEMA}
FUNCTION: Final = {"type": "function", "name": "read", "description": "Reads a file.", "parameters": SCHEMA}
PATCH: Final = {"type": "custom", "name": "patch", "format": {"type": "grammar", **GRAMMAR}}
HALF: Final = {"type": "custom", "custom": {"name": "patch", "format": {"type": "grammar", **GRAMMAR}}}
OTHER_HALF: Final = {"type": "custom", "name": "patch", "format": {"type": "grammar", "grammar": GRAMMAR}}
FREE: Final = {"type": "custom", "name": "patch", "grammar": GRAMMAR}


def asked(*tools: Any, **members: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": "Fix it."}], "tools": [*tools], **members}


def known(value: dict[str, Any]) -> dict[str, Any]:
    return {name: said for name, said in value.items() if name != "extra"}


@pytest.mark.parametrize(
    ("tool", "canonical"),
    [(READ, FUNCTION), (OF_CLAUDE, FUNCTION), (PATCH, FREE), (HALF, FREE), (OTHER_HALF, FREE)],
)
def test_a_tool_in_the_flat_form_is_read(tool: Any, canonical: dict[str, Any]) -> None:
    request = il.decode_request(asked(tool), "openai_chat").model_dump(mode="json")
    assert [known(one) for one in request["tools"]] == [canonical]


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize(
    "tool",
    [
        READ,
        {**READ, "strict": True, "cache_control": {"type": "ephemeral"}, "more": 1},
        {"type": "function", "name": "read", "description": None, "parameters": None, "strict": None},
        {"type": "function", "name": "read", "parameters": SCHEMA, "input_schema": SCHEMA},
        {"type": "function", "name": "read", "function": None},
        {"type": "function", "name": 7},
        OF_CLAUDE,
        {**OF_CLAUDE, "type": None, "cache_control": {"type": "ephemeral", "ttl": "1h"}},
        {**OF_CLAUDE, "input_schema": 1},
        {**OF_CLAUDE, "type": "custom"},
        {"name": "read", "parameters": SCHEMA},
        PATCH,
        HALF,
        OTHER_HALF,
        {"type": "custom", "name": "patch", "format": {"type": "text"}, "description": None, "more": 1},
        {"type": "custom", "name": "patch", "format": {"type": "grammar", "syntax": 1}},
        {"type": "custom", "name": "patch", "custom": None},
    ],
    ids=str,
)
def test_a_tool_in_the_flat_form_round_trips(tool: Any, dialect: str) -> None:
    home = il.encode_request(il.decode_request(asked(tool), dialect), dialect)
    assert (home.body, home.losses) == (asked(tool), ())


@pytest.mark.parametrize("tool", [READ, OF_CLAUDE])
@pytest.mark.parametrize("choice", [{"type": "function", "name": "read"}, {"type": "tool", "name": "read"}])
def test_a_flat_tool_is_translated_and_can_be_chosen(tool: Any, choice: Any) -> None:
    sent = il.translate_request(asked(tool, tool_choice=choice), "openai_chat", "claude", model="claude-opus-4-8")
    assert (sent.body["tools"], sent.body["tool_choice"]) == ([OF_CLAUDE], {"type": "tool", "name": "read"})
    sent = il.translate_request(asked(tool, tool_choice=choice), "openai_chat", "openai_responses", model="gpt-5.2")
    assert sent.body["tools"] == [{**READ, "strict": False}]
    assert il.check_request(sent.body, "openai_responses") == []


def test_a_flat_custom_tool_can_be_chosen_too() -> None:
    body = asked(PATCH, tool_choice={"type": "custom", "name": "patch"})
    assert il.encode_request(il.decode_request(body, "openai_chat"), "openai_chat").body == body
    sent = il.translate_request(body, "openai_chat", "openai_responses", model="gpt-5.2")
    assert (sent.body["tools"], sent.body["tool_choice"]) == ([PATCH], {"type": "custom", "name": "patch"})
