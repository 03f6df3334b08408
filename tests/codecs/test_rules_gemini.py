"""What Gemini refuses: a body for every rule, and one beside it that breaks none."""

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.rooms._shared.sealed_state import MARK_OF_BYTES, sealed
from interlingua.rooms.gemini import check_request
from interlingua.rooms.gemini.rules import RULES
from support.ruling import Row, faults, untried

HELLO: Final = {"role": "user", "parts": [{"text": "Hello"}]}
GOOD: Final[dict[str, Any]] = {"contents": [HELLO]}
CALL: Final = {"functionCall": {"name": "f", "args": {}}}
RESULT: Final = {"functionResponse": {"name": "f", "response": {}}}
SIGNED: Final = {**CALL, "thoughtSignature": "c2ln"}
DECLARED: Final = {"name": "f", "description": "d"}


def named(part: dict[str, Any], identifier: str) -> dict[str, Any]:
    """Return a call or a result with an id."""
    return {kind: {**data, "id": identifier} for kind, data in part.items()}


def model(*parts: Any) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def talk(*contents: Any) -> dict[str, Any]:
    return {"contents": list(contents)}


def config(**members: Any) -> dict[str, Any]:
    return {"generationConfig": members}


def tools(*declared: Any) -> dict[str, Any]:
    return {"tools": [{"functionDeclarations": list(declared)}]}


def calling(**members: Any) -> dict[str, Any]:
    return {**tools(DECLARED), "toolConfig": {"functionCallingConfig": members}}


ROWS: Final = [
    Row("setting_types", {"generationConfig": []}, "shape", "/generationConfig", config()),
    Row("setting_types", config(topP="1"), "shape", "/generationConfig/topP", config(topP=1)),
    Row("limits", config(temperature=2.5), "limit", "/generationConfig/temperature", config(temperature=2)),
    Row("limits", config(maxOutputTokens=0), "limit", "/generationConfig/maxOutputTokens", config(maxOutputTokens=1)),
    Row(
        "many_stops",
        {"generation_config": {"stop_sequences": list("abcdef")}},
        "limit",
        "/generation_config/stop_sequences",
        {"generation_config": {"stop_sequences": list("abcde")}},
    ),
    Row(
        "schemas_of_text",
        config(responseJsonSchema={}),
        "setting",
        "/generationConfig/responseJsonSchema",
        config(responseJsonSchema={}, responseMimeType="application/json"),
    ),
    Row("contents_and_roles", {"contents": None}, "required", "/contents", {}),
    Row("contents_and_roles", {"contents": []}, "empty", "/contents", {}),
    Row("contents_and_roles", talk({**HELLO, "role": "assistant"}), "role", "/contents/0/role", talk(HELLO)),
    Row(
        "unread_media",
        talk(user({"inlineData": {"mimeType": "image/svg+xml", "data": "AAAA"}})),
        "media_type",
        "/contents/0/parts/0/inlineData/mimeType",
        talk(user({"inlineData": {"mimeType": "image/avif", "data": "AAAA"}})),
    ),
    Row(
        "part_types",
        talk(user({"inlineData": {"data": "AAAA"}})),
        "required",
        "/contents/0/parts/0/inlineData/mimeType",
        talk(user({"inline_data": {"data": "AAAA", "mime_type": "image/png"}})),
    ),
    Row(
        "part_types",
        talk(HELLO, model({"functionCall": {"name": "f", "args": "{}"}}), user(RESULT)),
        "arguments",
        "/contents/1/parts/0/functionCall/args",
        talk(HELLO, model(CALL), user(RESULT)),
    ),
    Row("empty_parts", talk(user({"text": "a"}, {})), "empty", "/contents/0/parts/1", talk(user({"text": "a"}))),
    Row("empty_parts", talk(HELLO, model()), "empty", "/contents/1/parts", talk(HELLO)),
    Row(
        "parts_with_two_data_members",
        talk(user({"text": "a", "fileData": {"fileUri": "u"}})),
        "part",
        "/contents/0/parts/0",
        talk(user({"text": "a"}, {"fileData": {"fileUri": "u"}})),
    ),
    Row(
        "empty_texts",
        talk(user({"text": ""}, {"text": "a"})),
        "empty_text",
        "/contents/0/parts/0",
        talk(user({"text": "", "thoughtSignature": "c2ln"}, {"text": "a"})),
    ),
    Row(
        "output_members",
        talk(HELLO, model({"functionCall": {"name": "f", "willContinue": True}}), user(RESULT)),
        "member",
        "/contents/1/parts/0/functionCall/willContinue",
        talk(HELLO, model(CALL), user(RESULT)),
    ),
    Row(
        "calls_and_results",
        talk(HELLO, model(CALL, {"functionCall": {"name": "g"}}), user(RESULT)),
        "dangling_call",
        "/contents/1/parts/1",
        talk(HELLO, model(CALL, {"functionCall": {"name": "g"}}), user(RESULT, {"functionResponse": {"name": "g"}})),
    ),
    Row(
        "calls_and_results",
        talk(HELLO, model(CALL), user(RESULT, RESULT)),
        "orphan_result",
        "/contents/2/parts/1",
        talk(HELLO, model(CALL, CALL), user(RESULT, RESULT)),
    ),
    Row("calls_and_results", talk(HELLO, user(RESULT)), "orphan_result", "/contents/1/parts/0", talk(HELLO)),
    Row("calls_and_results", talk(HELLO, model(CALL)), "dangling_call", "/contents/1/parts/0", talk(HELLO)),
    Row(
        "echoed_ids",
        talk(HELLO, model(named(CALL, "1")), user(named(RESULT, "2"))),
        "orphan_result",
        "/contents/2/parts/0",
        talk(HELLO, model(named(CALL, "1")), user(named(RESULT, "1"))),
    ),
    Row(
        "results_first",
        talk(HELLO, model(CALL), user({"text": "Wait."}, RESULT)),
        "order",
        "/contents/2/parts/1",
        talk(HELLO, model(CALL), user(RESULT, {"text": "Wait."})),
    ),
    Row(
        "call_turns",
        talk(model(CALL), user(RESULT)),
        "order",
        "/contents/0",
        talk(HELLO, model(CALL), user(RESULT)),
    ),
    Row(
        "unsigned_calls",
        talk(HELLO, model(SIGNED), user(RESULT), model(CALL), user(RESULT)),
        "signature",
        "/contents/3/parts/0",
        talk(HELLO, model(SIGNED, CALL), user(RESULT, RESULT), model(SIGNED), user(RESULT)),
    ),
    Row(
        "foreign_signatures",
        talk(HELLO, model({**CALL, "thoughtSignature": sealed("claude", [], MARK_OF_BYTES)}), user(RESULT)),
        "signature",
        "/contents/1/parts/0",
        talk(HELLO, model(SIGNED), user(RESULT)),
    ),
    Row(
        "declarations", tools({"description": "d"}), "required", "/tools/0/functionDeclarations/0/name", tools(DECLARED)
    ),
    Row(
        "declarations",
        tools(DECLARED, DECLARED),
        "name",
        "/tools/0/functionDeclarations/1/name",
        tools(DECLARED, {**DECLARED, "name": "g"}),
    ),
    Row("names", tools({"name": "a b"}), "name", "/tools/0/functionDeclarations/0/name", tools({"name": "a.b"})),
    Row(
        "names",
        talk(HELLO, model({"function_call": {"name": "$f"}}), user(RESULT)),
        "name",
        "/contents/1/parts/0/function_call/name",
        talk(HELLO, model({"function_call": {"name": "f"}}), user(RESULT)),
    ),
    Row(
        "two_parameter_styles",
        tools({**DECLARED, "parameters": {"type": "OBJECT"}, "parametersJsonSchema": {}}),
        "setting",
        "/tools/0/functionDeclarations/0/parametersJsonSchema",
        tools({**DECLARED, "parametersJsonSchema": {}}),
    ),
    Row(
        "foreign_keywords",
        tools({**DECLARED, "parameters": {"type": "OBJECT", "properties": {"a": {"$ref": "#/$defs/a"}}}}),
        "schema",
        "/tools/0/functionDeclarations/0/parameters/properties/a",
        tools({**DECLARED, "parametersJsonSchema": {"properties": {"a": {"$ref": "#/$defs/a"}}}}),
    ),
    Row(
        "references",
        tools({**DECLARED, "parametersJsonSchema": {"properties": {"a": {"$ref": "#"}}, "required": ["a"]}}),
        "schema",
        "/tools/0/functionDeclarations/0/parametersJsonSchema/properties/a/$ref",
        tools({**DECLARED, "parametersJsonSchema": {"properties": {"a": {"$ref": "#"}}}}),
    ),
    Row(
        "allowed_names",
        calling(mode="AUTO", allowedFunctionNames=["f"]),
        "setting",
        "/toolConfig/functionCallingConfig/allowedFunctionNames",
        calling(mode="ANY", allowedFunctionNames=["f"]),
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_body_violates_one_rule_and_its_corrected_form_none(row: Row) -> None:
    assert faults(row, GOOD, check_request, RULES) == []


def test_every_rule_has_a_body_that_violates_it() -> None:
    assert untried(ROWS, RULES) == set()


@pytest.mark.parametrize(
    ("contents", "dangling", "orphan"),
    [
        ((model(CALL, CALL), user(RESULT), user(RESULT)), "/contents/1/parts/1", "/contents/3/parts/0"),
        ((model(CALL), HELLO, user(RESULT)), "/contents/1/parts/0", "/contents/3/parts/0"),
        ((model(CALL), model({"text": "Soon."}), user(RESULT)), "/contents/1/parts/0", "/contents/3/parts/0"),
    ],
)
def test_results_that_do_not_directly_follow_their_calls_are_violations(
    contents: tuple[dict[str, Any], ...], dangling: str, orphan: str
) -> None:
    found = check_request(talk(HELLO, *contents))
    assert {(one.code, one.path) for one in found} == {("dangling_call", dangling), ("orphan_result", orphan)}


def test_models_before_gemini_3_require_no_signatures() -> None:
    """A client that drops some signatures, as those of streams do that know no redacted thinking, is still answered."""
    half_signed = talk(HELLO, model(SIGNED), user(RESULT), model(CALL), user(RESULT))
    assert il.check_request(half_signed, "gemini", profile="gemini-2.5-flash") == []
    assert [one.code for one in il.check_request(half_signed, "gemini", profile="gemini-3-pro")] == ["signature"]
