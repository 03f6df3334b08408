"""What Claude refuses: a body for every rule, and one beside it that breaks none."""

from typing import Any, Final

import pytest

from interlingua.rooms._shared.sealed_state import UNSIGNED, sealed
from interlingua.rooms.claude import check_request
from interlingua.rooms.claude.rules import NEWEST_RULES, RULES
from interlingua.rooms.claude.tables import NEWEST
from support.ruling import Row, edited, faults, untried

HELLO: Final = {"role": "user", "content": "Hello"}
SYSTEM: Final = {"role": "system", "content": "Be brief"}
GOOD: Final[dict[str, Any]] = {"model": "m", "max_tokens": 4096, "messages": [HELLO]}
TOOL: Final = {"name": "f", "input_schema": {"type": "object"}}
USE: Final = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
RESULT: Final = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}
THINKING: Final = {"type": "thinking", "thinking": "Well.", "signature": "s"}
ENABLED: Final = {"type": "enabled", "budget_tokens": 2000}
MARK: Final = {"type": "ephemeral"}
SEARCH: Final = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
FOUND: Final = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
LOOSE: Final = {"type": "object", "properties": {"a": {"type": "object"}}, "additionalProperties": False}
CLOSED: Final = {"type": "object", "additionalProperties": False}
ROUND: Final = {"$defs": {"n": {"anyOf": [{"$ref": "#/$defs/n"}]}}, **CLOSED}
STRAIGHT: Final = {"$defs": {"n": {"anyOf": [{"$ref": "#/$defs/m"}]}, "m": {"type": "null"}}, **CLOSED}


def text(said: str, **members: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **members}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def talk(*messages: Any, **members: Any) -> dict[str, Any]:
    return {"messages": list(messages), **members}


def image(media_type: str) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": "AAAA"}}


def unions(count: int) -> dict[str, Any]:
    """Return settings with a strict tool that has so many members of several types."""
    named = {f"a{at}": {"type": ["string", "null"]} for at in range(count)}
    schema = {**CLOSED, "properties": named, "required": [*named]}
    return {"tools": [{"name": "f", "strict": True, "input_schema": schema}]}


def optional(count: int) -> dict[str, Any]:
    schema = {**CLOSED, "properties": {f"p{index}": {"type": "string"} for index in range(count)}}
    return {"tools": [{"name": "f", "strict": True, "input_schema": schema}]}


def answered(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings whose answer has the schema of a tool."""
    schema = settings["tools"][0]["input_schema"]
    return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}


def strict(count: int) -> dict[str, Any]:
    return {"tools": [{"name": f"f{index}", "strict": True, "input_schema": CLOSED} for index in range(count)]}


ROWS: Final = [
    Row("required_settings", {"max_tokens": None}, "required", "/max_tokens", {}),
    Row("required_settings", {"model": None}, "required", "/model", {"model": None, "anthropic_version": "v"}),
    Row("setting_types", {"stream": "yes"}, "shape", "/stream", {"stream": True}),
    Row(
        "empty_stops",
        {"stop_sequences": ["END", "\n "]},
        "empty_text",
        "/stop_sequences/1",
        {"stop_sequences": ["END"]},
    ),
    Row("limits", {"temperature": 1.5}, "limit", "/temperature", {"temperature": 1}),
    Row("foreign_settings", {"seed": 1}, "member", "/seed", {}),
    Row(
        "thinking_budget",
        {"thinking": {"type": "enabled", "budget_tokens": 1023}},
        "limit",
        "/thinking/budget_tokens",
        {"thinking": {"type": "enabled", "budget_tokens": 1024}},
    ),
    Row(
        "thinking_budget",
        {"thinking": ENABLED, "max_tokens": 2000},
        "limit",
        "/thinking/budget_tokens",
        {"thinking": ENABLED},
    ),
    Row(
        "thinking_budget",
        {"thinking": {"type": "enabled"}},
        "required",
        "/thinking/budget_tokens",
        {"thinking": ENABLED},
    ),
    Row(
        "forced_choice",
        {"thinking": ENABLED, "tools": [TOOL], "tool_choice": {"type": "any"}},
        "setting",
        "/tool_choice",
        {"thinking": ENABLED, "tools": [TOOL], "tool_choice": {"type": "auto"}},
    ),
    Row("messages_and_roles", {"messages": []}, "empty", "/messages", {}),
    Row("messages_and_roles", talk({"role": "tool", "content": "x"}), "role", "/messages/0/role", talk(HELLO)),
    Row("messages_and_roles", talk("Hello"), "shape", "/messages/0", talk(HELLO)),
    Row(
        "calls_and_results",
        talk(HELLO, assistant(USE), user(text("Well?"))),
        "dangling_call",
        "/messages/1/content/0",
        talk(HELLO, assistant(USE), user(RESULT, text("Well?"))),
    ),
    Row("calls_and_results", talk(HELLO, assistant(USE)), "dangling_call", "/messages/1/content/0", talk(HELLO)),
    Row(
        "calls_and_results",
        talk(HELLO, assistant(text("Hm.")), user(RESULT)),
        "orphan_result",
        "/messages/2/content/0",
        talk(HELLO, assistant(text("Hm."), USE), user(RESULT)),
    ),
    Row(
        "calls_and_results",
        talk(HELLO, assistant(USE), user(RESULT, RESULT)),
        "duplicate_id",
        "/messages/2/content/1",
        talk(HELLO, assistant(USE), user(RESULT)),
    ),
    Row(
        "repeated_ids",
        talk(HELLO, assistant(USE), user(RESULT), assistant(USE), user(RESULT)),
        "duplicate_id",
        "/messages/3/content/0",
        talk(HELLO, assistant(USE), user(RESULT), assistant({**USE, "id": "b"}), user({**RESULT, "tool_use_id": "b"})),
    ),
    Row(
        "late_results",
        talk(HELLO, assistant(USE), user(text("Well?"), RESULT)),
        "order",
        "/messages/2/content/1",
        talk(HELLO, assistant(USE), user(RESULT), user(text("Well?"))),
    ),
    Row(
        "refused_ids",
        talk({"role": "user", "content": "Hi"}, assistant({**SEARCH, "id": "s1"})),
        "id",
        "/messages/1/content/0/id",
        talk({"role": "user", "content": "Hi"}, assistant(SEARCH)),
    ),
    Row(
        "server_results",
        talk(HELLO, assistant(FOUND, text("So."))),
        "orphan_result",
        "/messages/1/content/0",
        talk(HELLO, assistant(SEARCH, FOUND, text("So."))),
    ),
    Row(
        "ends_in_white_space",
        talk(HELLO, assistant(text("So \n"))),
        "trailing_space",
        "/messages/1/content/0/text",
        talk(HELLO, assistant(text("So \n")), HELLO),
    ),
    Row(
        "refused_prefill",
        talk(HELLO, assistant(text("So")), thinking=ENABLED),
        "prefill",
        "/messages/1",
        talk(HELLO, assistant(text("So")), HELLO, thinking=ENABLED),
    ),
    Row(
        "thinking_before_calls",
        talk(HELLO, assistant(USE), user(RESULT), thinking=ENABLED),
        "reasoning",
        "/messages/1/content",
        talk(HELLO, assistant(THINKING, USE), user(RESULT), thinking=ENABLED),
    ),
    Row("block_types", talk(user({"text": "Hi"})), "required", "/messages/0/content/0/type", talk(user(text("Hi")))),
    Row(
        "block_types",
        talk(HELLO, assistant({**USE, "input": "{}"}), user(RESULT)),
        "arguments",
        "/messages/1/content/0/input",
        talk(HELLO, assistant(USE), user(RESULT)),
    ),
    Row(
        "block_types",
        talk(user({"type": "image", "source": {"type": "url"}})),
        "required",
        "/messages/0/content/0/source/url",
        talk(user({"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}})),
    ),
    Row(
        "block_types",
        talk(user({"type": "search_result", "source": "s", "content": [text("a")]})),
        "required",
        "/messages/0/content/0/title",
        talk(user({"type": "search_result", "source": "s", "title": "t", "content": [text("a")]})),
    ),
    Row("block_types", talk(user(text("a"), 1)), "shape", "/messages/0/content/1", talk(user(text("a")))),
    Row(
        "misplaced_blocks",
        talk(user(THINKING)),
        "part",
        "/messages/0/content/0",
        talk(HELLO, assistant(THINKING), HELLO),
    ),
    Row("empty_texts", talk(user(text("a"), text(""))), "empty_text", "/messages/0/content/1", talk(user(text("a")))),
    Row("empty_texts", talk(user(text(" \n"))), "empty_text", "/messages/0/content/0", talk(user(text("a \n")))),
    Row("empty_texts", talk(user()), "empty", "/messages/0/content", talk(HELLO)),
    Row("empty_texts", talk({"role": "user", "content": ""}), "empty_text", "/messages/0/content", talk(HELLO)),
    Row("empty_texts", {"system": [text(" ")]}, "empty_text", "/system/0", {"system": " "}),
    Row(
        "empty_texts",
        talk(HELLO, assistant(USE), user({**RESULT, "content": [text("")]})),
        "empty_text",
        "/messages/2/content/0/content/0",
        talk(HELLO, assistant(USE), user({**RESULT, "content": [text(" ")]})),
    ),
    Row(
        "empty_failures",
        talk(HELLO, assistant(USE), user({**RESULT, "content": "", "is_error": True})),
        "empty",
        "/messages/2/content/0/content",
        talk(HELLO, assistant(USE), user({**RESULT, "content": "", "is_error": False})),
    ),
    Row(
        "unsigned_thinking",
        talk(HELLO, assistant({"type": "thinking", "thinking": "Well."}), HELLO),
        "signature",
        "/messages/1/content/0",
        talk(HELLO, assistant(THINKING), HELLO),
    ),
    Row(
        "foreign_signatures",
        talk(HELLO, assistant({**THINKING, "signature": sealed("gemini", [])}), HELLO),
        "signature",
        "/messages/1/content/0",
        talk(HELLO, assistant(THINKING), HELLO),
    ),
    Row(
        "foreign_signatures",
        talk(HELLO, assistant({"type": "redacted_thinking", "data": UNSIGNED}, text("a")), HELLO),
        "signature",
        "/messages/1/content/0",
        talk(HELLO, assistant({"type": "redacted_thinking", "data": "aGlk"}, text("a")), HELLO),
    ),
    Row(
        "foreign_media",
        talk(user(image("image/tiff"))),
        "media_type",
        "/messages/0/content/0/source/media_type",
        talk(user(image("image/png"))),
    ),
    Row(
        "many_cache_marks",
        talk(user(*(text("a", cache_control=MARK) for _ in range(5)))),
        "cache",
        "/messages/0/content/4/cache_control",
        talk(user(*(text("a", cache_control=MARK) for _ in range(4)))),
    ),
    Row(
        "cache_places",
        talk(HELLO, assistant({**THINKING, "cache_control": MARK}), HELLO),
        "cache",
        "/messages/1/content/0/cache_control",
        talk(HELLO, assistant(THINKING, text("a", cache_control=MARK)), HELLO),
    ),
    Row(
        "cache_places",
        {"tools": [{**TOOL, "defer_loading": True, "cache_control": MARK}]},
        "cache",
        "/tools/0/cache_control",
        {"tools": [{**TOOL, "cache_control": MARK}]},
    ),
    Row(
        "cache_times",
        talk(user(text("a", cache_control=MARK), text("b", cache_control={**MARK, "ttl": "1h"}))),
        "cache",
        "/messages/0/content/1/cache_control/ttl",
        talk(user(text("a", cache_control={**MARK, "ttl": "1h"}), text("b", cache_control=MARK))),
    ),
    Row("tool_names", {"tools": [{**TOOL, "name": "a.b"}]}, "name", "/tools/0/name", {"tools": [TOOL]}),
    Row("tool_names", {"tools": [TOOL, TOOL]}, "name", "/tools/1/name", {"tools": [TOOL, {**TOOL, "name": "g"}]}),
    Row(
        "tool_names",
        talk(HELLO, assistant({**USE, "name": "$f"}), user(RESULT)),
        "name",
        "/messages/1/content/0/name",
        talk(HELLO, assistant(USE), user(RESULT)),
    ),
    Row("tool_schemas", {"tools": [{"name": "f"}]}, "required", "/tools/0/input_schema", {"tools": [TOOL]}),
    Row(
        "tool_schemas",
        {"tools": [{**TOOL, "input_schema": True}]},
        "schema",
        "/tools/0/input_schema",
        {"tools": [TOOL]},
    ),
    Row(
        "tool_schemas",
        {"tools": [{**TOOL, "input_schema": {}}]},
        "schema",
        "/tools/0/input_schema/type",
        {"tools": [TOOL]},
    ),
    Row(
        "loose_schemas",
        {"output_config": {"format": {"type": "json_schema", "schema": LOOSE}}},
        "schema",
        "/output_config/format/schema/properties/a",
        {"output_config": {"format": {"type": "json_schema", "schema": CLOSED}}},
    ),
    Row(
        "circular_schemas",
        {"tools": [{"name": "f", "strict": True, "input_schema": ROUND}]},
        "schema",
        "/tools/0/input_schema",
        {"tools": [{"name": "f", "strict": True, "input_schema": STRAIGHT}]},
    ),
    Row("many_optional_members", optional(25), "limit", "/tools", optional(24)),
    Row(
        "many_optional_members", answered(optional(25)), "limit", "/output_config/format/schema", answered(optional(24))
    ),
    Row(
        "many_optional_members",
        {**answered(optional(20)), **optional(5)},
        "limit",
        "/tools",
        {**answered(optional(20)), **optional(4)},
    ),
    Row("many_unions", unions(17), "limit", "/tools", unions(16)),
    Row("many_unions", answered(unions(17)), "limit", "/output_config/format/schema", answered(unions(16))),
    Row("many_unions", {**answered(unions(9)), **unions(8)}, "limit", "/tools", {**answered(unions(9)), **unions(7)}),
    Row("misplaced_instructions", talk(SYSTEM, HELLO), "role", "/messages/0/role", talk(HELLO, SYSTEM)),
    Row(
        "misplaced_instructions",
        talk(HELLO, SYSTEM, HELLO, SYSTEM),
        "role",
        "/messages/1/role",
        talk(HELLO, SYSTEM, SYSTEM, assistant(text("a")), HELLO),
    ),
    Row(
        "misplaced_instructions",
        talk(HELLO, assistant(text("a")), SYSTEM),
        "role",
        "/messages/2/role",
        talk(HELLO, assistant(text("a")), HELLO, SYSTEM),
    ),
    Row(
        "loose_schemas",
        {"tools": [{"name": "f", "strict": True, "input_schema": {**CLOSED, "maxProperties": 1}}]},
        "schema",
        "/tools/0/input_schema/maxProperties",
        {"tools": [{"name": "f", "input_schema": {**CLOSED, "maxProperties": 1}}]},
    ),
    Row(
        "tool_schemas",
        {"tools": [{"name": "f", "input_schema": {**CLOSED, "anyOf": [CLOSED]}}]},
        "schema",
        "/tools/0/input_schema/anyOf",
        {"tools": [{"name": "f", "input_schema": CLOSED}]},
    ),
    Row("many_strict_tools", strict(21), "limit", "/tools/20/strict", strict(20)),
    Row(
        "choice_and_tools",
        {"tool_choice": {"type": "auto"}},
        "setting",
        "/tool_choice",
        {"tool_choice": {"type": "auto"}, "tools": [TOOL]},
    ),
    Row(
        "choice_and_tools",
        {"tool_choice": {"type": "tool"}, "tools": [TOOL]},
        "required",
        "/tool_choice/name",
        {"tool_choice": {"type": "tool", "name": "f"}, "tools": [TOOL]},
    ),
    Row(
        "choice_and_tools",
        {"tool_choice": {"type": "none", "disable_parallel_tool_use": True}, "tools": [TOOL]},
        "member",
        "/tool_choice/disable_parallel_tool_use",
        {"tool_choice": {"type": "none"}, "tools": [TOOL]},
    ),
    Row(
        "tool_references",
        talk(
            HELLO,
            assistant(USE),
            user({**RESULT, "content": [{"type": "tool_reference", "tool_name": "g"}]}),
            tools=[TOOL],
        ),
        "name",
        "/messages/2/content/0/content/0/tool_name",
        talk(
            HELLO,
            assistant(USE),
            user({**RESULT, "content": [{"type": "tool_reference", "tool_name": "f"}]}),
            tools=[TOOL],
        ),
    ),
    Row(
        "domains",
        {"tools": [{"type": "web_search_20250305", "name": "s", "allowed_domains": ["a"], "blocked_domains": ["b"]}]},
        "setting",
        "/tools/0/blocked_domains",
        {"tools": [{"type": "web_search_20250305", "name": "s", "allowed_domains": ["a"]}]},
    ),
    Row("sampling", {"temperature": 1}, "member", "/temperature", {}, NEWEST),
    Row(
        "assistant_documents",
        talk(HELLO, assistant({"type": "document", "source": {"type": "url", "url": "u"}}), HELLO),
        "part",
        "/messages/1/content/0",
        talk(HELLO, assistant(text("a")), user({"type": "document", "source": {"type": "url", "url": "u"}})),
        NEWEST,
    ),
    Row(
        "user_citations",
        talk(user(text("a", citations=[{"type": "char_location"}]))),
        "member",
        "/messages/0/content/0/citations",
        talk(HELLO, assistant(text("a", citations=[{"type": "char_location"}])), HELLO),
        NEWEST,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_body_violates_one_rule_and_its_corrected_form_none(row: Row) -> None:
    assert faults(row, GOOD, check_request, NEWEST_RULES if row.api_version else RULES) == []


def test_every_rule_has_a_body_that_violates_it() -> None:
    assert untried(ROWS, NEWEST_RULES) == set()


@pytest.mark.parametrize("row", [row for row in ROWS if row.api_version], ids=str)
def test_a_body_refused_by_one_api_version_is_valid_in_the_others(row: Row) -> None:
    for version in (None, "2023-06-01"):
        assert check_request(edited(GOOD, row.broken), version) == []


def test_his_1_each_unanswered_call_is_reported() -> None:
    calls = [{**USE, "id": f"toolu_{index}"} for index in range(3)]
    body = {**GOOD, "messages": [HELLO, assistant(*calls), user({**RESULT, "tool_use_id": "toolu_1"})]}
    assert [(one.code, one.path) for one in check_request(body)] == [
        ("dangling_call", "/messages/1/content/0"),
        ("dangling_call", "/messages/1/content/2"),
    ]


def test_tool_1_foreign_ids_are_reported_in_calls_and_results() -> None:
    use, result = {**USE, "id": "functions.x:0"}, {**RESULT, "tool_use_id": "functions.x:0"}
    found = check_request({**GOOD, "messages": [HELLO, assistant(use), user(result)]})
    assert [(one.code, one.path) for one in found] == [
        ("id", "/messages/1/content/0/id"),
        ("id", "/messages/2/content/0/tool_use_id"),
    ]


@pytest.mark.parametrize(
    "name", ["stop", "max_completion_tokens", "response_format", "reasoning_effort", "parallel_tool_calls"]
)
def test_settings_of_openai_are_refused_by_name(name: str) -> None:
    found = check_request({**GOOD, name: "x"})
    assert [(one.code, one.path) for one in found] == [("member", f"/{name}")]
