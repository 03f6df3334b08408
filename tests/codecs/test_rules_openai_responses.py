"""What OpenAI Responses refuses: a body for every rule, and one beside it that breaks none."""

from typing import Any, Final

import pytest

from interlingua.rooms._shared.sealed_state import UNSIGNED
from interlingua.rooms.openai_responses import check_request
from interlingua.rooms.openai_responses.rules import RULES
from support.ruling import Row, faults, untried

HELLO: Final = {"role": "user", "content": "Hello"}
GOOD: Final[dict[str, Any]] = {"model": "m", "input": "Hello"}
CALL: Final = {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}"}
OUTPUT: Final = {"type": "function_call_output", "call_id": "call_1", "output": "done"}
CUSTOM: Final = {"type": "custom_tool_call", "name": "look", "input": "x"}
REASONING: Final = {"type": "reasoning", "id": "rs_1", "summary": []}
ANSWER: Final = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "Hi"}],
}
TOOL: Final = {"type": "function", "name": "f", "parameters": None, "strict": False}
CLOSED: Final = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def talk(*items: Any, **members: Any) -> dict[str, Any]:
    return {"input": list(items), **members}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(parts)}


def form(**members: Any) -> dict[str, Any]:
    return {"text": {"format": {"type": "json_schema", "name": "a", "schema": CLOSED, **members}}}


def file(media_type: str) -> dict[str, Any]:
    return {"type": "input_file", "filename": "f", "file_data": f"data:{media_type};base64,AAAA"}


ROWS: Final = [
    Row("setting_types", {"model": None}, "required", "/model", {"model": None, "prompt": {"id": "p"}}),
    Row("setting_types", {"input": {}}, "shape", "/input", {"input": []}),
    Row("limits", {"max_output_tokens": 15}, "limit", "/max_output_tokens", {"max_output_tokens": 16}),
    Row("metadata", {"metadata": {"k" * 65: "v"}}, "limit", "/metadata", {"metadata": {"k" * 64: "v"}}),
    Row(
        "conversation_and_previous_response",
        {"previous_response_id": "resp_1", "conversation": "conv_1"},
        "setting",
        "/previous_response_id",
        {"conversation": "conv_1"},
    ),
    Row("foreign_settings", {"stop": ["a"]}, "member", "/stop", {}),
    Row(
        "json_without_the_word",
        {"text": {"format": {"type": "json_object"}}},
        "setting",
        "/text/format",
        {"text": {"format": {"type": "json_object"}}, "instructions": "Answer in JSON."},
    ),
    Row(
        "item_types",
        talk(HELLO, {"type": "reasoning", "encrypted_content": "e"}, ANSWER),
        "required",
        "/input/1/summary",
        talk(HELLO, {"type": "reasoning", "encrypted_content": "e", "summary": []}, ANSWER),
    ),
    Row(
        "item_types",
        talk(HELLO, {"type": "function_call_output", "output": "x"}),
        "required",
        "/input/1",
        talk(HELLO, {"type": "function_call_output", "output": "x", "name": "goal_objective", "namespace": "agent"}),
    ),
    Row("item_types", talk(HELLO, "Hello"), "shape", "/input/1", talk(HELLO)),
    Row(
        "part_types",
        talk(user({"type": "input_text"})),
        "required",
        "/input/0/content/0/text",
        talk(user({"type": "input_text", "text": "Hi"})),
    ),
    Row(
        "part_types",
        talk(user({"type": "input_file", "filename": "a.pdf"})),
        "required",
        "/input/0/content/0",
        talk(user({"type": "input_file", "file_url": "https://example.com/a.pdf"})),
    ),
    Row(
        "part_types",
        talk(user({"type": "input_image", "image_url": {"url": "u"}, "detail": "auto"})),
        "shape",
        "/input/0/content/0/image_url",
        talk(user({"type": "input_image", "image_url": "u", "detail": "auto"})),
    ),
    Row(
        "filenames",
        talk(user({"type": "input_file", "filename": "a.pdf", "file_url": "https://example.com/a"})),
        "member",
        "/input/0/content/0/filename",
        talk(user({"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,AAAA"})),
    ),
    Row("roles", talk({"role": "tool", "content": "x"}), "role", "/input/0/role", talk(HELLO)),
    Row(
        "misplaced_parts",
        talk({"role": "assistant", "content": [{"type": "input_text", "text": "Hi"}]}),
        "part",
        "/input/0/content/0",
        talk(user({"type": "input_text", "text": "Hi"})),
    ),
    Row(
        "foreign_media",
        talk(user(file("audio/mpeg"))),
        "media_type",
        "/input/0/content/0/file_data",
        talk(user(file("text/plain"))),
    ),
    Row(
        "foreign_media",
        talk(user({"type": "input_image", "image_url": "data:image/tiff;base64,AAAA", "detail": "auto"})),
        "media_type",
        "/input/0/content/0/image_url",
        talk(user({"type": "input_image", "image_url": "data:image/webp;base64,AAAA", "detail": "auto"})),
    ),
    Row(
        "large_values",
        talk(CALL, {**OUTPUT, "output": "x" * 10_485_761}),
        "limit",
        "/input/1/output",
        talk(CALL, {**OUTPUT, "output": "x" * 10_485_760}),
    ),
    Row("arguments", talk({**CALL, "arguments": {}}, OUTPUT), "arguments", "/input/0/arguments", talk(CALL, OUTPUT)),
    Row("calls_and_results", talk(HELLO, CALL), "dangling_call", "/input/1", talk(HELLO, CALL, OUTPUT)),
    Row("calls_and_results", talk(HELLO, CALL), "dangling_call", "/input/1", talk(HELLO, {**CALL, "async": True})),
    Row(
        "calls_and_results",
        talk(HELLO, {**CUSTOM, "call_id": "call_1"}),
        "dangling_call",
        "/input/1",
        talk(HELLO, {**CUSTOM, "call_id": "xs_call_1"}),
    ),
    Row(
        "calls_and_results",
        talk(HELLO, OUTPUT),
        "orphan_result",
        "/input/1",
        talk(OUTPUT, previous_response_id="resp_1"),
    ),
    Row("calls_and_results", talk(OUTPUT), "orphan_result", "/input/0", talk(CALL, HELLO, OUTPUT)),
    Row(
        "lone_reasoning", talk(HELLO, REASONING, HELLO), "reasoning", "/input/1", talk(HELLO, REASONING, ANSWER, HELLO)
    ),
    Row(
        "lone_reasoning",
        talk(HELLO, REASONING, {"type": "message", **HELLO}),
        "reasoning",
        "/input/1",
        talk(HELLO, REASONING, {"role": "assistant", "content": "Hi"}),
    ),
    Row(
        "foreign_reasoning",
        talk(HELLO, {**REASONING, "encrypted_content": UNSIGNED}, ANSWER, HELLO),
        "signature",
        "/input/1",
        talk(HELLO, {**REASONING, "encrypted_content": "ZW5j"}, ANSWER, HELLO),
    ),
    Row("lone_reasoning", talk(HELLO, REASONING), "reasoning", "/input/1", talk(HELLO, REASONING, CALL, OUTPUT)),
    Row(
        "ids",
        talk({**CALL, "call_id": "", "async": True}),
        "id",
        "/input/0/call_id",
        talk(CALL, OUTPUT),
    ),
    Row("item_ids", talk({**CALL, "id": "call_1"}, OUTPUT), "id", "/input/0/id", talk({**CALL, "id": "fc_1"}, OUTPUT)),
    Row("repeated_ids", talk(ANSWER, ANSWER), "duplicate_id", "/input/1/id", talk(ANSWER, {**ANSWER, "id": "msg_2"})),
    Row(
        "late_triggers",
        talk({"type": "compaction_trigger"}, HELLO),
        "order",
        "/input/0",
        talk(HELLO, {"type": "compaction_trigger"}),
    ),
    Row("names", {"tools": [{**TOOL, "name": "a.b"}]}, "name", "/tools/0/name", {"tools": [TOOL]}),
    Row("names", form(name="a b"), "name", "/text/format/name", form()),
    Row("tool_types", {"tools": [{"type": "function"}]}, "required", "/tools/0/name", {"tools": [TOOL]}),
    Row(
        "choice_of_unknown_tool",
        {"tools": [TOOL], "tool_choice": {"type": "function", "name": "g"}},
        "name",
        "/tool_choice/name",
        {"tools": [TOOL], "tool_choice": {"type": "function", "name": "f"}},
    ),
    Row(
        "strict_schemas",
        form(strict=True, schema={"type": "object"}),
        "schema",
        "/text/format/schema",
        form(strict=True),
    ),
    Row(
        "function_schemas",
        {
            "tools": [
                {
                    "type": "function",
                    "name": "f",
                    "parameters": {"type": "object", "properties": {"a": {"type": "array"}}},
                    "strict": False,
                }
            ]
        },
        "schema",
        "/tools/0/parameters/properties/a/items",
        {
            "tools": [
                {
                    "type": "function",
                    "name": "f",
                    "parameters": {"type": "object", "properties": {"a": {"type": "array", "items": {}}}},
                    "strict": False,
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
                    "name": "f",
                    "parameters": {"type": "object", "anyOf": [{"type": "object"}]},
                    "strict": False,
                }
            ]
        },
        "schema",
        "/tools/0/parameters/anyOf",
        {
            "tools": [
                {"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}, "strict": False}
            ]
        },
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_body_violates_one_rule_and_its_corrected_form_none(row: Row) -> None:
    assert faults(row, GOOD, check_request, RULES) == []


def test_every_rule_has_a_body_that_violates_it() -> None:
    assert untried(ROWS, RULES) == set()


@pytest.mark.parametrize(
    "name", ["max_tokens", "response_format", "reasoning_effort", "messages", "logprobs", "functions"]
)
def test_settings_of_chat_completions_are_refused_by_name(name: str) -> None:
    found = check_request({"model": "m", "input": "Hi", name: "x"})
    assert [(one.code, one.path) for one in found] == [("member", f"/{name}")]
