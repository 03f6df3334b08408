"""Tools of Claude's that the client runs: functions elsewhere, whose calls come back by the same name."""

from __future__ import annotations

from typing import Any, Final

import jsonschema
import pytest

import interlingua as il
from interlingua.rooms.claude.client_tools import function_of_client_tool

TARGETS: Final = ("openai_chat", "openai_responses", "gemini", "ollama", "vllm", "bedrock_converse")
TOOLS: Final[list[dict[str, Any]]] = [
    {"type": "bash_20250124", "name": "bash"},
    {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool", "max_characters": 9000},
    {"type": "memory_20250818", "name": "memory"},
    {"type": "computer_20250124", "name": "computer", "display_width_px": 800, "display_height_px": 600},
]
# What models of Claude's have called these tools with, and what no such call says.
CALLS: Final[list[tuple[str, dict[str, Any], bool]]] = [
    ("bash", {"command": "ls"}, True),
    ("bash", {"restart": True}, True),
    ("str_replace_based_edit_tool", {"command": "view", "path": "/a", "view_range": [1, -1]}, True),
    ("str_replace_based_edit_tool", {"command": "undo_edit", "path": "/a"}, False),
    ("str_replace_based_edit_tool", {"command": "insert", "path": "/a", "insert_line": 0, "insert_text": "x"}, True),
    ("memory", {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/b"}, True),
    ("memory", {"path": "/memories"}, False),
    ("computer", {"action": "left_click", "coordinate": [10, 20]}, True),
    ("computer", {"action": "scroll", "coordinate": [1, 2], "scroll_direction": "down", "scroll_amount": 3}, True),
]


def asked(**members: Any) -> dict[str, Any]:
    question = {"role": "user", "content": "List the files."}
    return {"model": "claude-opus-4-6", "max_tokens": 100, "messages": [question], "tools": TOOLS, **members}


@pytest.mark.parametrize("target", TARGETS)
def test_client_tools_are_offered_as_functions_with_their_documented_parameters(target: str) -> None:
    encoded = il.translate_request(asked(), "claude", target)
    assert [tool.name for tool in il.decode_request(encoded.body, target).tools or () if tool.type == "function"] == [
        tool["name"] for tool in TOOLS
    ]
    told = {loss.path: (loss.severity, loss.detail) for loss in encoded.losses}
    assert [told[f"/tools/{at}"][0] for at in range(4)] == ["changed"] * 4
    assert told["/tools/1"][1].endswith("without max_characters")
    assert il.check_request(encoded.body, target) == []


def test_the_screen_size_is_described_where_no_member_exists() -> None:
    found = function_of_client_tool({**TOOLS[3], "display_number": 0})
    assert found is not None
    assert "800 x 600" in found[0]["description"]
    assert found[1] == ["display_number"]


@pytest.mark.parametrize(("name", "arguments", "is_right"), CALLS)
def test_the_function_parameters_match_the_calls_that_models_make(
    name: str, arguments: dict[str, Any], is_right: bool
) -> None:
    function = next(one[0] for tool in TOOLS if (one := function_of_client_tool(tool)) and one[0]["name"] == name)
    assert jsonschema.Draft202012Validator(function["parameters"]).is_valid(arguments) is is_right


def test_a_client_tool_can_be_chosen_and_keeps_its_name() -> None:
    body = asked(tool_choice={"type": "tool", "name": "bash"})
    exchange = il.exchange(body, "claude", "openai_chat", model="gpt-4o")
    assert exchange.body["tool_choice"] == {"type": "function", "function": {"name": "bash"}}
    call = {"id": "call_1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt-4o",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
    }
    [block] = exchange.response(answer).body["content"]
    assert block == {"type": "tool_use", "id": "call_1", "name": "bash", "input": {"command": "ls"}}


def test_changing_a_translated_body_does_not_affect_later_ones() -> None:
    first = il.translate_request(asked(), "claude", "openai_chat").body
    first["tools"][0]["function"]["parameters"]["properties"].clear()
    assert il.translate_request(asked(), "claude", "openai_chat").body["tools"][0]["function"]["parameters"][
        "properties"
    ]


def test_within_the_dialect_and_for_unknown_tools_nothing_is_added() -> None:
    toolset = {"type": "computer_toolset_20260801"}
    assert il.translate_request(asked(tools=[*TOOLS, toolset]), "claude", "claude").body["tools"] == [*TOOLS, toolset]
    assert function_of_client_tool(toolset) is None
    assert function_of_client_tool({"type": "advisor_20260301", "name": "advisor"}) is None
