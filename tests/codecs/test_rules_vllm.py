"""What vLLM refuses: a body for every rule, and one beside it that breaks none."""

from typing import Any, Final

import pytest

from interlingua.rooms.vllm import check_request
from interlingua.rooms.vllm.rules import RULES
from support.ruling import Row, faults, untried

GOOD: Final[dict[str, Any]] = {"messages": [{"role": "user", "content": "Hello"}]}
TOOL: Final = {"type": "function", "function": {"name": "f"}}
NAMED: Final = {"type": "function", "function": {"name": "f"}}
CUSTOM: Final = {"type": "custom", "custom": {"name": "f"}}


def content(*parts: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": list(parts)}]}


ROWS: Final = [
    Row("required_settings", {"messages": None}, "required", "/messages", {"messages": []}),
    Row("setting_types", {"stop": 1}, "shape", "/stop", {"stop": "a"}),
    Row("many_stops", {"stop": list("abcde")}, "limit", "/stop", {"stop": list("abcd")}),
    Row("logprobs_of_nothing", {"top_logprobs": 2}, "setting", "/top_logprobs", {"top_logprobs": 2, "logprobs": True}),
    Row(
        "stream_options_alone",
        {"stream_options": {}, "stream": False},
        "setting",
        "/stream_options",
        {"stream_options": {}, "stream": True},
    ),
    Row(
        "response_format_without_schema",
        {"response_format": {"type": "json_schema"}},
        "required",
        "/response_format/json_schema",
        {"response_format": {"type": "json_schema", "json_schema": {"name": "a"}}},
    ),
    Row(
        "named_beside_constraint",
        {"tools": [TOOL], "tool_choice": NAMED, "structured_outputs": {"regex": "a"}},
        "setting",
        "/structured_outputs",
        {"tools": [TOOL], "tool_choice": "auto", "structured_outputs": {"regex": "a"}},
    ),
    Row(
        "many_constraints",
        {"structured_outputs": {"regex": "a", "choice": ["a"]}},
        "setting",
        "/structured_outputs",
        {"structured_outputs": {"choice": ["a"]}},
    ),
    Row(
        "continuation_and_prompt",
        {"continue_final_message": True, "add_generation_prompt": True},
        "setting",
        "/continue_final_message",
        {"continue_final_message": True, "add_generation_prompt": False},
    ),
    Row("cache_salt", {"cache_salt": "a/b"}, "setting", "/cache_salt", {"cache_salt": "a-b"}),
    Row("own_setting_types", {"top_k": "many"}, "shape", "/top_k", {"top_k": 40}),
    Row("message_types", {"messages": [{"content": "x"}]}, "required", "/messages/0/role", {}),
    Row(
        "part_types",
        content({"type": "video_url", "video_url": {}}),
        "required",
        "/messages/0/content/0/video_url/url",
        content({"type": "video_url", "video_url": {"url": "u"}}),
    ),
    Row(
        "part_types",
        content({"type": "image_url", "image_url": {}}),
        "required",
        "/messages/0/content/0/image_url/url",
        content({"type": "image_url", "image_url": {}, "uuid": "known"}),
    ),
    Row(
        "refused_parts",
        content({"type": "file", "file": {"file_id": "f"}}),
        "part",
        "/messages/0/content/0",
        content({"type": "video_url", "video_url": {"url": "u"}}),
    ),
    Row("tool_types", {"tools": ["f"]}, "shape", "/tools/0", {"tools": [TOOL]}),
    Row("foreign_tools", {"tools": [CUSTOM]}, "tool", "/tools/0/type", {"tools": [TOOL]}),
    Row("empty_tools", {"tools": []}, "empty", "/tools", {}),
    Row("choice_without_tools", {"tool_choice": "auto"}, "setting", "/tool_choice", {"tool_choice": "none"}),
    Row(
        "foreign_choice",
        {"tools": [TOOL], "tool_choice": {"type": "allowed_tools"}},
        "setting",
        "/tool_choice/type",
        {"tools": [TOOL], "tool_choice": NAMED},
    ),
    Row(
        "foreign_choice",
        {"tools": [TOOL], "tool_choice": "any"},
        "setting",
        "/tool_choice",
        {"tools": [TOOL], "tool_choice": "required"},
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_body_violates_one_rule_and_its_corrected_form_none(row: Row) -> None:
    assert faults(row, GOOD, check_request, RULES) == []


def test_every_rule_has_a_body_that_violates_it() -> None:
    assert untried(ROWS, RULES) == set()
