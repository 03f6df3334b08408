"""What OpenAI Chat Completions refuses: a body for every rule, and one beside it that breaks none."""

from typing import Any, Final

import pytest

from interlingua.rooms.openai_chat import check_request
from interlingua.rooms.openai_chat.rules import RULES
from support.ruling import Row, faults, untried

HELLO: Final = {"role": "user", "content": "Hello"}
GOOD: Final[dict[str, Any]] = {"model": "m", "messages": [HELLO]}
TOOL: Final = {"type": "function", "function": {"name": "f"}}
NAMED: Final = {"type": "function", "function": {"name": "g"}}
CLOSED: Final = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
OPEN: Final = {**CLOSED, "properties": {"a": {"type": "string"}}}


def call(identifier: str = "call_1", **function: Any) -> dict[str, Any]:
    return {"id": identifier, "type": "function", "function": {"name": "f", "arguments": "{}", **function}}


def asking(*calls: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def result(identifier: str = "call_1", content: Any = "done") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": identifier, "content": content}


def talk(*messages: Any, **members: Any) -> dict[str, Any]:
    return {"messages": list(messages), **members}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(parts)}


def data(media_type: str) -> str:
    return f"data:{media_type};base64,AAAA"


def form(**members: Any) -> dict[str, Any]:
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": CLOSED, **members}}}


ROWS: Final = [
    Row("required_settings", {"model": None}, "required", "/model", {}),
    Row("setting_types", {"n": "1"}, "shape", "/n", {"n": 1}),
    Row("limits", {"temperature": 2.5}, "limit", "/temperature", {"temperature": 2}),
    Row("limits", {"n": 0}, "limit", "/n", {"n": 1}),
    Row(
        "metadata",
        {"metadata": {f"k{index}": "v" for index in range(17)}},
        "limit",
        "/metadata",
        {"metadata": {f"k{index}": "v" for index in range(16)}},
    ),
    Row("metadata", {"metadata": {"k": "v" * 513}}, "limit", "/metadata", {"metadata": {"k": "v" * 512}}),
    Row("many_stops", {"stop": list("abcde")}, "limit", "/stop", {"stop": list("abcd")}),
    Row("logprobs_of_nothing", {"top_logprobs": 2}, "setting", "/top_logprobs", {"top_logprobs": 2, "logprobs": True}),
    Row(
        "stream_options_alone",
        {"stream_options": {"include_usage": True}},
        "setting",
        "/stream_options",
        {"stream_options": {"include_usage": True}, "stream": True},
    ),
    Row(
        "audio_settings",
        {"modalities": ["text", "audio"]},
        "required",
        "/audio",
        {"modalities": ["text", "audio"], "audio": {"voice": "alloy", "format": "wav"}},
    ),
    Row(
        "response_format_without_schema",
        {"response_format": {"type": "json_schema"}},
        "required",
        "/response_format/json_schema",
        form(),
    ),
    Row(
        "json_without_the_word",
        {"response_format": {"type": "json_object"}},
        "setting",
        "/response_format",
        talk({"role": "user", "content": "Say it in JSON."}, response_format={"type": "json_object"}),
    ),
    Row("no_messages", {"messages": []}, "empty", "/messages", {}),
    Row("message_types", talk(HELLO, 1), "shape", "/messages/1", talk(HELLO)),
    Row("message_types", talk({"content": "Hello"}), "required", "/messages/0/role", talk(HELLO)),
    Row("roles", talk({"role": "bot", "content": "Hi"}), "role", "/messages/0/role", talk(HELLO)),
    Row(
        "missing_content",
        talk(HELLO, {"role": "assistant", "content": None}),
        "required",
        "/messages/1/content",
        talk(HELLO, {"role": "assistant", "content": ""}),
    ),
    Row("missing_content", talk({"role": "user"}), "required", "/messages/0/content", talk(HELLO)),
    Row("empty_content", talk(user()), "empty", "/messages/0/content", talk(HELLO)),
    Row(
        "empty_content",
        talk(HELLO, {"role": "assistant", "content": "Hi", "tool_calls": []}),
        "empty",
        "/messages/1/tool_calls",
        talk(HELLO, {"role": "assistant", "content": "Hi"}),
    ),
    Row(
        "part_types",
        talk(user({"type": "text"})),
        "required",
        "/messages/0/content/0/text",
        talk(user({"type": "text", "text": "Hi"})),
    ),
    Row(
        "part_types",
        talk(user({"type": "image_url", "image_url": {"detail": "low"}})),
        "required",
        "/messages/0/content/0/image_url/url",
        talk(user({"type": "image_url", "image_url": {"url": "u", "detail": "low"}})),
    ),
    Row(
        "part_types",
        talk(user({"type": "file", "file": {"filename": "a.pdf"}})),
        "required",
        "/messages/0/content/0/file",
        talk(user({"type": "file", "file": {"file_id": "f"}})),
    ),
    Row(
        "misplaced_parts",
        talk(HELLO, asking(call()), result(content=[{"type": "image_url", "image_url": {"url": "u"}}])),
        "part",
        "/messages/2/content/0",
        talk(HELLO, asking(call()), result(), user({"type": "image_url", "image_url": {"url": "u"}})),
    ),
    Row(
        "foreign_media",
        talk(user({"type": "file", "file": {"file_data": data("audio/flac")}})),
        "media_type",
        "/messages/0/content/0/file/file_data",
        talk(user({"type": "file", "file": {"file_data": data("application/pdf")}})),
    ),
    Row(
        "foreign_media",
        talk(user({"type": "file", "file": {"file_data": "https://example.com/a.pdf"}})),
        "media_type",
        "/messages/0/content/0/file/file_data",
        talk(user({"type": "file", "file": {"file_data": data("application/pdf")}})),
    ),
    Row(
        "foreign_media",
        talk(user({"type": "image_url", "image_url": {"url": data("image/tiff")}})),
        "media_type",
        "/messages/0/content/0/image_url/url",
        talk(user({"type": "image_url", "image_url": {"url": data("image/png")}})),
    ),
    Row(
        "foreign_media",
        talk(user({"type": "input_audio", "input_audio": {"data": "AAAA", "format": "ogg"}})),
        "media_type",
        "/messages/0/content/0/input_audio/format",
        talk(user({"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}})),
    ),
    Row(
        "call_types",
        talk(HELLO, asking(call(arguments={})), result()),
        "arguments",
        "/messages/1/tool_calls/0/function/arguments",
        talk(HELLO, asking(call()), result()),
    ),
    Row(
        "call_types",
        talk(HELLO, asking({"id": "call_1", "function": {"name": "f", "arguments": ""}}), result()),
        "required",
        "/messages/1/tool_calls/0/type",
        talk(HELLO, asking(call(arguments="")), result()),
    ),
    Row(
        "unnamed_results",
        talk(HELLO, {"role": "tool", "content": "done"}),
        "required",
        "/messages/1/tool_call_id",
        talk(HELLO),
    ),
    Row(
        "calls_and_results",
        talk(HELLO, asking(call(), call("call_2")), result()),
        "dangling_call",
        "/messages/1/tool_calls/1",
        talk(HELLO, asking(call(), call("call_2")), result("call_2"), result()),
    ),
    Row(
        "calls_and_results",
        talk(HELLO, result()),
        "orphan_result",
        "/messages/1",
        talk(HELLO, asking(call()), result()),
    ),
    Row(
        "calls_and_results",
        talk(HELLO, asking(call()), result(), result()),
        "duplicate_id",
        "/messages/3",
        talk(HELLO, asking(call()), result()),
    ),
    Row(
        "ids",
        talk({**HELLO, "tool_call_id": "i" * 41}),
        "id",
        "/messages/0/tool_call_id",
        talk(HELLO, asking(call("i" * 40)), result("i" * 40)),
    ),
    Row("names", {"tools": [{"type": "function", "function": {"name": "a.b"}}]}, "name", "/tools/0/function/name", {}),
    Row(
        "names",
        talk(HELLO, asking(call(name="$READFILE")), result()),
        "name",
        "/messages/1/tool_calls/0/function/name",
        talk(HELLO, asking(call(name="READFILE")), result()),
    ),
    Row("names", form(name="a b"), "name", "/response_format/json_schema/name", form(name="a_b")),
    Row(
        "participant_names",
        talk({**HELLO, "name": "Ada L"}),
        "name",
        "/messages/0/name",
        talk({**HELLO, "name": "Ada.L"}),
    ),
    Row("tool_types", {"tools": [{"type": "function"}]}, "required", "/tools/0/function", {"tools": [TOOL]}),
    Row("tool_counts", {"tools": []}, "empty", "/tools", {"tools": [TOOL]}),
    Row("tool_counts", {"tools": [TOOL] * 129}, "limit", "/tools", {"tools": [TOOL] * 128}),
    Row(
        "choice_without_tools",
        {"tool_choice": "auto"},
        "setting",
        "/tool_choice",
        {"tool_choice": "auto", "tools": [TOOL]},
    ),
    Row("choice_without_tools", {"parallel_tool_calls": True}, "setting", "/parallel_tool_calls", {}),
    Row(
        "choice_of_unknown_tool",
        {"tools": [TOOL], "tool_choice": NAMED},
        "name",
        "/tool_choice/function/name",
        {"tools": [TOOL, NAMED], "tool_choice": NAMED},
    ),
    Row(
        "strict_schemas",
        form(strict=True, schema={"type": "object"}),
        "schema",
        "/response_format/json_schema/schema",
        form(strict=True),
    ),
    Row(
        "strict_schemas",
        form(strict=True, schema=OPEN),
        "schema",
        "/response_format/json_schema/schema",
        form(strict=False, schema=OPEN),
    ),
    Row(
        "strict_schemas",
        {"tools": [{"type": "function", "function": {"name": "f", "strict": True, "parameters": {"type": "string"}}}]},
        "schema",
        "/tools/0/function/parameters",
        {"tools": [{"type": "function", "function": {"name": "f", "strict": True, "parameters": CLOSED}}]},
    ),
    Row(
        "function_schemas",
        {
            "tools": [
                {
                    "type": "function",
                    "function": {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "array"}}}},
                }
            ]
        },
        "schema",
        "/tools/0/function/parameters/properties/a/items",
        {
            "tools": [
                {
                    "type": "function",
                    "function": {
                        "name": "f",
                        "parameters": {"type": "object", "properties": {"a": {"type": "array", "items": {}}}},
                    },
                }
            ]
        },
    ),
    Row(
        "function_schemas",
        {
            "tools": [
                {
                    "type": "function",
                    "function": {"name": "f", "parameters": {"type": "object", "anyOf": [{"type": "object"}]}},
                }
            ]
        },
        "schema",
        "/tools/0/function/parameters/anyOf",
        {
            "tools": [
                {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
            ]
        },
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_body_violates_one_rule_and_its_corrected_form_none(row: Row) -> None:
    assert faults(row, GOOD, check_request, RULES) == []


def test_every_rule_has_a_body_that_violates_it() -> None:
    assert untried(ROWS, RULES) == set()
