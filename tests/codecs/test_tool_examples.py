"""Claude's examples of a tool's input are in the tool's description for other dialects."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

SCHEMA: Final = {"type": "object", "properties": {"city": {"type": "string"}}}
EXAMPLES: Final = [{"city": "Oslo"}, {"city": "Rom", "unit": "C"}]
TOLD: Final = 'Input examples:\n{"city":"Oslo"}\n{"city":"Rom","unit":"C"}'
TARGETS: Final[list[il.Dialect]] = ["openai_chat", "openai_responses", "gemini", "ollama", "vllm", "bedrock_converse"]


def asked(**tool: Any) -> dict[str, Any]:
    tool = {"name": "get_weather", "input_schema": SCHEMA, **tool}
    return {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}], "tools": [tool]}


def described(body: dict[str, Any], target: il.Dialect) -> tuple[str | None, dict[str, str]]:
    """Return the description of the tool in another dialect, and the losses at the tool, with their severity."""
    encoded = il.translate_request(body, "claude", target)
    [tool] = il.decode_request(encoded.body, target).model_dump(mode="json")["tools"]
    told = {loss.path: loss.severity for loss in encoded.losses}
    return tool.get("description"), {
        path: told[path] for path in ("/tools/0/description", "/tools/0/extra/claude") if path in told
    }


@pytest.mark.parametrize("target", TARGETS)
def test_examples_of_the_input_are_added_to_the_description(target: il.Dialect) -> None:
    body = asked(description="Weather.", input_examples=EXAMPLES)
    assert described(body, target) == (f"Weather.\n\n{TOLD}", {"/tools/0/description": "changed"})
    assert described(asked(input_examples=EXAMPLES), target) == (TOLD, {"/tools/0/description": "filled"})
    more = asked(description="Weather.", input_examples=EXAMPLES, defer_loading=True)
    expected = {"/tools/0/description": "changed", "/tools/0/extra/claude": "lost"}
    assert described(more, target) == (f"Weather.\n\n{TOLD}", expected)


@pytest.mark.parametrize("examples", ["Oslo", ["Oslo"], [{"city": "Oslo"}, None]])
def test_malformed_examples_are_lost(examples: Any) -> None:
    body = asked(description="Weather.", input_examples=examples)
    assert described(body, "openai_chat") == ("Weather.", {"/tools/0/extra/claude": "lost"})
    assert il.translate_request(body, "claude", "claude").body == body


def test_examples_are_unchanged_within_the_dialect_and_the_input_is_not_edited() -> None:
    body = asked(description="Weather.", input_examples=EXAMPLES)
    assert il.translate_request(body, "claude", "claude").body == body
    il.translate_request(body, "claude", "gemini")
    assert body == asked(description="Weather.", input_examples=EXAMPLES)
