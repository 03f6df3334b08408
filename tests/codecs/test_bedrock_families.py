"""What goes to Bedrock is what the very model takes: names, media types, schemas, stops, ids, earlier tools."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

DIALECT: Final = "bedrock_converse"
PNG: Final = "iVBORw0KGgo="
JPEG: Final = "/9j/4AAQSkZJRgABAQAAAQABAAD/2w=="
CLAUDE: Final = "anthropic.claude-opus-4-8-v1:0"
STRICT_CLAUDE: Final = "anthropic.claude-sonnet-4-6"
OLD_CLAUDE: Final = "anthropic.claude-3-5-haiku-20241022-v1:0"
NOVA: Final = "amazon.nova-pro-v1:0"
OMNI: Final = "amazon.nova-2-omni-v1:0"
CALL: Final[dict[str, Any]] = {
    "id": "functions.look:0", "type": "function", "function": {"name": "look at", "arguments": "{}"}
}  # fmt: skip
HISTORY: Final[list[dict[str, Any]]] = [
    {"role": "user", "content": "Look."},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "functions.look:0", "content": "Nothing."},
]


def sent(model: str, **members: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what goes to a model, which refuses nothing of it, and the losses by their paths."""
    body = {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}], **members}
    encoded = il.translate_request(body, "openai_chat", DIALECT, model=model)
    assert il.check_request(encoded.body, DIALECT) == []
    return encoded.body, {loss.path: loss.severity for loss in encoded.losses}


@pytest.mark.parametrize(
    ("kind", "media_type", "word"),
    [
        ("image", "image/jpg", "jpeg"),
        ("image", "image/pjpeg", "jpeg"),
        ("image", "IMAGE/X-PNG", "png"),
        ("audio", "audio/x-wav", "wav"),
        ("audio", "audio/mp3", "mp3"),
        ("file", "application/x-pdf", "pdf"),
        ("file", "text/x-markdown", "md"),
        ("file", "video/3gp", "three_gp"),
    ],
)
def test_an_alias_of_a_media_type_is_translated_to_its_format(kind: str, media_type: str, word: str) -> None:
    part = {"type": kind, "format": media_type, "data": JPEG if word == "jpeg" else PNG}
    request = {"model": OMNI, "messages": [{"role": "user", "content": [part]}]}
    encoded = il.encode_request(request, DIALECT)
    block = next(iter(encoded.body["messages"][0]["content"][0].values()))
    assert block["format"] == word
    assert ("/messages/0/content/0/format", "changed") in {(loss.path, loss.severity) for loss in encoded.losses}
    assert "lost" not in {loss.severity for loss in encoded.losses}


def test_a_pdf_by_another_name_arrives_at_openai() -> None:
    part = {"type": "file", "format": "application/x-pdf", "data": PNG, "name": "a.pdf"}
    request = {"model": "gpt-5", "messages": [{"role": "user", "content": [part]}]}
    chat = il.encode_request(request, "openai_chat").body["messages"][0]["content"][0]
    responses = il.encode_request(request, "openai_responses").body["input"][0]["content"][0]
    data = f"data:application/pdf;base64,{PNG}"
    assert (chat["file"]["file_data"], responses["file_data"]) == (data, data)


@pytest.mark.parametrize(
    ("given", "written"),
    [("a, b & c.pdf", "a b c pdf"), ("Q3 / results.pdf", "Q3 results pdf"), ("x  y", "x y"), ("x y", "x y")],
)
def test_document_names_have_single_spaces(given: str, written: str) -> None:
    file = {"type": "file", "file": {"filename": given, "file_data": "data:application/pdf;base64,aGk="}}
    content = [file, {"type": "text", "text": "What is it?"}]
    body = {"model": "m", "messages": [{"role": "user", "content": content}]}
    encoded = il.translate_request(body, "openai_chat", "bedrock_converse", model="us.amazon.nova-pro-v1:0")
    assert encoded.body["messages"][0]["content"][0]["document"]["name"] == written


def test_document_names_are_unique() -> None:
    names = ["a.pdf", "A.pdf", "a.pdf", "a pdf-2", None, "b.pdf"]
    parts = [{"type": "file", "format": "application/pdf", "data": PNG, "name": name} for name in names]
    del parts[4]["name"]
    messages = [
        {"role": "user", "content": parts[:3]},
        {"role": "assistant", "content": "Well."},
        {"role": "user", "content": parts[3:]},
    ]
    encoded = il.encode_request({"model": NOVA, "messages": messages}, DIALECT)
    written = [
        block["document"]["name"]
        for message in encoded.body["messages"]
        for block in message["content"]
        if "document" in block
    ]
    assert written == ["a pdf", "A pdf-2", "a pdf-3", "a pdf-2-2", "document2-1", "b pdf"]
    assert il.check_request(encoded.body, DIALECT) == []
    told = {loss.path: loss.severity for loss in encoded.losses}
    assert told["/messages/2/content/0/name"] == "changed"
    for message in encoded.body["messages"]:
        for block in message["content"]:
            block.get("document", {})["name"] = "One name"
    found = [(one.code, one.path) for one in il.check_request(encoded.body, DIALECT)]
    assert ("name", "/messages/2/content/2/document/name") in found


def test_a_conversation_with_calls_but_without_tools_gets_tool_definitions() -> None:
    body, told = sent(NOVA, messages=HISTORY)
    call = body["messages"][1]["content"][0]["toolUse"]
    assert [tool["toolSpec"]["name"] for tool in body["toolConfig"]["tools"]] == [call["name"]]
    assert "toolChoice" not in body["toolConfig"]
    assert told["/tools"] == "filled"
    del body["toolConfig"]
    assert [(one.code, one.path) for one in il.check_request(body, DIALECT)] == [("required", "/toolConfig")]


def test_no_tool_definitions_are_added_if_tools_are_given() -> None:
    offered = {"type": "function", "function": {"name": "other", "parameters": {"type": "object", "properties": {}}}}
    body, told = sent(NOVA, messages=HISTORY, tools=[offered])
    assert [tool["toolSpec"]["name"] for tool in body["toolConfig"]["tools"]] == ["other"]
    assert "/tools" not in told


@pytest.mark.parametrize(("model", "kept"), [(CLAUDE, ["END"]), (NOVA, ["\n", "END", " "])])
def test_whitespace_stop_sequences_are_written_only_where_accepted(model: str, kept: list[str]) -> None:
    body, told = sent(model, stop=["\n", "END", " "])
    assert body["inferenceConfig"]["stopSequences"] == kept
    lost = {path for path, severity in told.items() if severity == "lost"}
    assert lost == ({"/stop/0", "/stop/2"} if model == CLAUDE else set())
    again = {**body, "inferenceConfig": {"stopSequences": ["\n"]}}
    assert bool(il.check_request(again, DIALECT)) == (model == CLAUDE)


def test_stop_sequences_of_only_whitespace_leave_no_empty_list() -> None:
    body, told = sent(CLAUDE, stop="\n\n")
    assert "inferenceConfig" not in body
    assert told["/stop/0"] == "lost"


@pytest.mark.parametrize("model", [CLAUDE, NOVA])
def test_call_ids_have_a_form_that_the_model_accepts(model: str) -> None:
    body, told = sent(model, messages=HISTORY)
    asked = body["messages"][1]["content"][0]["toolUse"]["toolUseId"]
    answered = body["messages"][2]["content"][0]["toolResult"]["toolUseId"]
    assert asked == answered
    assert (asked == "functions.look:0") == (model == NOVA)
    assert ("/messages/1/tool_calls/0/id" in told, "/messages/2/call_id" in told) == (model == CLAUDE,) * 2


def test_media_types_that_claude_does_not_accept_are_lost() -> None:
    parts = [
        {"type": "text", "text": "Hear."},
        {"type": "audio", "format": "audio/wav", "data": PNG},
        {"type": "file", "format": "video/mp4", "data": PNG},
        {"type": "image", "format": "image/png", "data": PNG},
    ]
    request = {"model": CLAUDE, "messages": [{"role": "user", "content": parts}]}
    encoded = il.encode_request(request, DIALECT)
    assert [[*block] for block in encoded.body["messages"][0]["content"]] == [["text"], ["image"]]
    lost = [loss.path for loss in encoded.losses if loss.severity == "lost"]
    assert lost == ["/messages/0/content/1", "/messages/0/content/2"]
    other = il.encode_request({**request, "model": OMNI}, DIALECT)
    assert [[*block] for block in other.body["messages"][0]["content"]] == [["text"], ["audio"], ["video"], ["image"]]
    found = [one.path for one in il.check_request(other.body, DIALECT, profile=CLAUDE)]
    assert found == ["/messages/0/content/1", "/messages/0/content/2"]


SCHEMA: Final[dict[str, Any]] = {
    "type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]
}  # fmt: skip
STRICT: Final[dict[str, Any]] = {
    "tools": [{"type": "function", "function": {"name": "count", "strict": True, "parameters": SCHEMA}}],
    "response_format": {"type": "json_schema", "json_schema": {"name": "r", "strict": True, "schema": SCHEMA}},
}


def test_enforced_schemas_have_no_unsupported_keywords() -> None:
    body, told = sent(STRICT_CLAUDE, **STRICT)
    spec = body["toolConfig"]["tools"][0]["toolSpec"]
    closed = {**SCHEMA, "properties": {"n": {"type": "integer", "description": "Limits: minimum 1"}}}
    assert spec["strict"] is True
    assert spec["inputSchema"]["json"] == {**closed, "additionalProperties": False}
    assert "minimum 1" in body["outputConfig"]["textFormat"]["structure"]["jsonSchema"]["schema"]
    assert told["/tools/0/parameters/properties/n"] == "changed"
    assert told["/response_format/schema/properties/n"] == "changed"
    spec["inputSchema"] = {"json": SCHEMA}
    where = "/toolConfig/tools/0/toolSpec/inputSchema/json"
    assert {one.path for one in il.check_request(body, DIALECT)} == {where, f"{where}/properties/n/minimum"}


def test_models_without_structured_output_get_no_schema() -> None:
    body, told = sent(OLD_CLAUDE, **STRICT)
    assert "outputConfig" not in body
    assert body["system"][-1]["text"].startswith("Answer with JSON alone, of this schema: {")
    assert body["toolConfig"]["tools"][0]["toolSpec"] == {"name": "count", "inputSchema": {"json": SCHEMA}}
    assert (told["/response_format"], told["/tools/0/strict"]) == ("lost", "lost")
    strict, _ = sent(STRICT_CLAUDE, **STRICT)
    found = [one.path for one in il.check_request(strict, DIALECT, profile=OLD_CLAUDE)]
    assert found == ["/outputConfig/textFormat", "/toolConfig/tools/0/toolSpec/strict"]


@pytest.mark.parametrize(
    "model",
    ["us.mistral.pixtral-large-2502-v1:0", "mistral.ministral-3-14b-instruct", "mistral.mistral-large-2402-v1:0"],
)
def test_call_ids_for_mistral_have_nine_characters_and_still_match(model: str) -> None:
    calls = [
        {"id": name, "type": "function", "function": {"name": "f", "arguments": "{}"}} for name in ("a", "aaaaaaaa1")
    ]
    results = [{"role": "tool", "tool_call_id": name, "content": name} for name in ("aaaaaaaa1", "a")]
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "tool_calls": calls}, *results]
    body, told = sent(model, messages=messages, tools=[{"type": "function", "function": {"name": "f"}}])
    asked = [block["toolUse"]["toolUseId"] for block in body["messages"][1]["content"]]
    answered = {
        block["toolResult"]["toolUseId"]: block["toolResult"]["content"] for block in body["messages"][2]["content"]
    }
    assert all(len(one) == 9 and one.isalnum() for one in asked)
    assert asked[1] == "aaaaaaaa1"
    assert answered == {asked[0]: [{"text": "a"}], asked[1]: [{"text": "aaaaaaaa1"}]}
    assert told["/messages/1/tool_calls/0/id"] == told["/messages/3/call_id"] == "changed"


def test_ids_generated_for_mistral_have_nine_characters_too() -> None:
    calls = [{"function": {"name": "f", "arguments": {"at": at}}} for at in range(2)]
    results = [{"role": "tool", "content": str(at)} for at in range(2)]
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "", "tool_calls": calls}, *results]
    body = {"model": "qwen3", "messages": messages}
    encoded = il.translate_request(body, "ollama", DIALECT, model="mistral.mistral-large-2402-v1:0")
    asked = [block["toolUse"] for block in encoded.body["messages"][1]["content"]]
    answered = [block["toolResult"] for block in encoded.body["messages"][2]["content"]]
    assert all(len(one["toolUseId"]) == 9 and one["toolUseId"].isalnum() for one in asked)
    assert len({one["toolUseId"] for one in asked}) == 2
    assert [one["toolUseId"] for one in answered] == [one["toolUseId"] for one in asked]
    told = [loss.path for loss in encoded.losses if loss.severity == "filled"]
    assert told[:2] == ["/messages/1/tool_calls/0/id", "/messages/1/tool_calls/1/id"]


@pytest.mark.parametrize("model", ["us.xai.grok-4.7", "us.moonshotai.kimi-k3", "global.openai.gpt-6-sol"])
def test_lookaround_patterns_are_left_out_for_models_that_refuse_them(model: str) -> None:
    schema = {"type": "object", "properties": {"to": {"type": "string", "pattern": "^(?!\\.)[a-z]+$"}}}
    tools = [{"type": "function", "function": {"name": "send", "parameters": schema}}]
    body, told = sent(model, tools=tools)
    spec = body["toolConfig"]["tools"][0]["toolSpec"]
    assert spec["inputSchema"]["json"]["properties"]["to"]["description"] == 'Limits: pattern "^(?!\\\\.)[a-z]+$"'
    assert told["/tools/0/parameters/properties/to"] == "changed"
    spec["inputSchema"] = {"json": schema}
    found = [one.path for one in il.check_request(body, DIALECT, profile=model)]
    assert found == ["/toolConfig/tools/0/toolSpec/inputSchema/json/properties/to/pattern"]
    kept, _ = sent(CLAUDE, tools=tools)
    assert kept["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"] == schema


def test_a_schema_for_opus_4_7_is_requested_in_the_instructions() -> None:
    body, told = sent("us.anthropic.claude-opus-4-7", **STRICT)
    assert "outputConfig" not in body
    assert told["/response_format"] == "lost"


@pytest.mark.parametrize("model", [CLAUDE, "us.anthropic.claude-opus-5", "global.anthropic.claude-sonnet-5"])
def test_claude_models_that_refuse_strict_get_the_schema_unchanged(model: str) -> None:
    body, told = sent(model, **STRICT)
    assert body["toolConfig"]["tools"][0]["toolSpec"] == {"name": "count", "inputSchema": {"json": SCHEMA}}
    assert "outputConfig" in body
    assert told["/tools/0/strict"] == "lost"
    strict, _ = sent(STRICT_CLAUDE, **STRICT)
    found = [one.path for one in il.check_request(strict, DIALECT, profile=model)]
    assert found == ["/toolConfig/tools/0/toolSpec/strict"]


@pytest.mark.parametrize("model", [CLAUDE, OLD_CLAUDE, "amazon.nova-pro-v1:0"])
def test_response_format_constraints_that_are_not_enforced_are_requested_in_the_instructions(model: str) -> None:
    body, told = sent(model, response_format={"type": "json_object"})
    assert body["system"][-1] == {"text": "Answer with JSON alone."}
    assert told["/response_format/type"] == "lost"
    anything = {"type": "object", "additionalProperties": {"type": "string"}}
    form = {"type": "json_schema", "json_schema": {"name": "r", "schema": anything}}
    body, told = sent(model, response_format=form)
    assert '"additionalProperties": {"type": "string"}' in body["system"][-1]["text"]
    assert told["/response_format"] == "lost"
    body, told = sent(model, response_format={"type": "text"})
    assert "system" not in body
    assert not any(path.startswith("/response_format") for path in told)


def test_a_tool_schema_is_always_an_object_schema() -> None:
    union = {"anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "object"}]}
    body, told = sent(CLAUDE, tools=[{"type": "function", "function": {"name": "any", "parameters": union}}])
    schema = body["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"]
    assert (schema["type"], "anyOf" in schema) == ("object", False)
    assert told["/tools/0/parameters/anyOf"] == "changed"


@pytest.mark.parametrize(
    ("members", "model", "found"),
    [
        ({"inferenceConfig": {"temperature": 0.2}}, CLAUDE, ["/inferenceConfig/temperature"]),
        ({"inferenceConfig": {"maxTokens": 9000}}, OLD_CLAUDE, ["/inferenceConfig/maxTokens"]),
        (
            {"additionalModelRequestFields": {"thinking": {"type": "enabled"}, "output_config": {"effort": "vast"}}},
            CLAUDE,
            [f"/additionalModelRequestFields/{one}" for one in ("thinking/type", "output_config/effort")],
        ),
        (
            {"messages": [{"role": role, "content": [{"text": "Well"}]} for role in ("user", "assistant")]},
            CLAUDE,
            ["/messages/1"],
        ),
        ({"inferenceConfig": {"temperature": 0.2}}, NOVA, []),
    ],
)
def test_settings_that_the_model_refuses_are_reported(members: dict[str, Any], model: str, found: list[str]) -> None:
    body = {"modelId": model, "messages": [{"role": "user", "content": [{"text": "Hello"}]}], **members}
    assert [one.path for one in il.check_request(body, DIALECT)] == found


FUNCTION: Final = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
ONE_CALL: Final = {"type": "auto", "disable_parallel_tool_use": True}


@pytest.mark.parametrize(
    ("model", "choice", "is_heeded"),
    [
        (CLAUDE, None, True),
        (CLAUDE, "auto", True),
        (CLAUDE, "required", False),
        (OLD_CLAUDE, "auto", False),
        (NOVA, "auto", False),
    ],
)
def test_disabled_parallel_calls_are_written_for_models_that_support_it(
    model: str, choice: str | None, *, is_heeded: bool
) -> None:
    said: dict[str, Any] = {"tools": [FUNCTION], "parallel_tool_calls": False}
    body, losses = sent(model, **said, **({"tool_choice": choice} if choice else {}))
    fields = body.get("additionalModelRequestFields", {})
    assert fields.get("tool_choice") == (ONE_CALL if is_heeded else None)
    assert ("toolChoice" in body["toolConfig"]) is (choice is not None and not is_heeded)
    assert losses.get("/parallel_tool_calls") == (None if is_heeded else "lost")
    read = il.decode_request(body, DIALECT)
    assert read.parallel_tool_calls is (False if is_heeded else None)
    assert il.encode_request(read, DIALECT).body == body


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        (OLD_CLAUDE, {"top_k": 5}),
        (CLAUDE, None),
        (NOVA, {"inferenceConfig": {"topK": 5}}),
        ("qwen.qwen3-32b-v1:0", None),
    ],
)
def test_a_top_k_is_written_for_models_that_support_it(model: str, fields: dict[str, Any] | None) -> None:
    body = {
        "model": "claude-3-5-haiku-latest",
        "max_tokens": 9,
        "top_k": 5,
        "messages": [{"role": "user", "content": "Hi."}],
    }
    encoded = il.translate_request(body, "claude", DIALECT, model=model)
    assert encoded.body.get("additionalModelRequestFields") == fields
    assert ("/top_k" in {loss.path for loss in encoded.losses}) == (fields is None)
    assert il.check_request(encoded.body, DIALECT) == []
    if fields is not None:
        back = il.translate_request(encoded.body, DIALECT, "claude", api_version="2023-06-01")
        assert back.body["top_k"] == 5
    refused = {**encoded.body, "additionalModelRequestFields": {"top_k": 5}}
    paths = ["/additionalModelRequestFields/top_k"] if model == CLAUDE else []
    assert [one.path for one in il.check_request(refused, DIALECT)] == paths


@pytest.mark.parametrize(
    ("tier", "expected", "severity"),
    [
        ("flex", {"type": "flex"}, None),
        ("priority", {"type": "priority"}, None),
        ("scale", {"type": "priority"}, "changed"),
        ("auto", None, None),
        ("default", None, None),
        ("another", None, "lost"),
    ],
)
def test_a_service_tier_is_translated_to_bedrocks_names(tier: str, expected: Any, severity: str | None) -> None:
    body, losses = sent(NOVA, service_tier=tier)
    assert (body.get("serviceTier"), losses.get("/service_tier")) == (expected, severity)


@pytest.mark.parametrize(
    "tier", [{"type": "flex"}, {"type": "default"}, {"type": "reserved"}, {}, {"type": "flex", "a": 1}]
)
def test_within_the_dialect_a_service_tier_is_unchanged(tier: Any) -> None:
    body = {"modelId": NOVA, "messages": [{"role": "user", "content": [{"text": "Hi."}]}], "serviceTier": tier}
    assert il.encode_request(il.decode_request(body, DIALECT), DIALECT).body == body
    word = tier.get("type") if tier.get("type") in {"flex", "default"} else None
    assert il.translate_request(body, DIALECT, "openai_chat").body.get("service_tier") == word


BEGUN: Final[dict[str, Any]] = {"role": "assistant", "content": "The answer is \n"}


def test_trailing_whitespace_of_a_prefilled_answer_is_removed_for_claude_only() -> None:
    asked = {"role": "user", "content": "Well?"}
    body, told = sent(OLD_CLAUDE, messages=[asked, BEGUN])
    assert body["messages"][-1]["content"] == [{"text": "The answer is"}]
    assert told["/messages/1/content"] == "changed"
    body, told = sent(NOVA, messages=[asked, BEGUN])
    assert body["messages"][-1]["content"] == [{"text": "The answer is \n"}]
    assert "/messages/1/content" not in told


def test_trailing_whitespace_of_a_prefilled_answer_is_a_violation_where_it_is_refused() -> None:
    messages = [{"role": "user", "content": [{"text": "Well?"}]}, {"role": "assistant", "content": [{"text": "So "}]}]
    for model, named in ((OLD_CLAUDE, [("trailing_space", "/messages/1/content/0/text")]), (NOVA, [])):
        found = il.check_request({"modelId": model, "messages": messages}, DIALECT)
        assert [(one.code, one.path) for one in found] == named


TITAN: Final = "amazon.titan-text-premier-v1:0"
LLAMA: Final = "us.meta.llama3-3-70b-instruct-v1:0"
MISTRAL: Final = "mistral.mistral-large-2407-v1:0"
DEEPSEEK: Final = "us.deepseek.r1-v1:0"
LOOK: Final[dict[str, Any]] = {"type": "function", "function": {"name": "look_at", "parameters": {"type": "object"}}}


@pytest.mark.parametrize("model", [TITAN, DEEPSEEK, "meta.llama3-8b-instruct-v1:0", "meta.llama3-2-1b-instruct-v1:0"])
def test_calls_and_results_become_text_for_models_without_tools(model: str) -> None:
    messages = [*HISTORY, {"role": "user", "content": "And now?"}]
    body, losses = sent(model, messages=messages, tools=[LOOK], tool_choice="required")
    assert "toolConfig" not in body
    assert [turn["content"] for turn in body["messages"]] == [
        [{"text": "Look."}],
        [{"text": "Called look at: {}"}],
        [{"text": "Result of look at:\nNothing."}, {"text": "And now?"}],
    ]
    assert losses["/tools/0"] == "lost"
    assert losses["/messages/1/tool_calls/0"] == losses["/messages/2"] == "changed"


@pytest.mark.parametrize("content", ["", None, [], " ", [{"type": "text", "text": ""}]])
@pytest.mark.parametrize("model", ["nvidia.nemotron-super-3-120b", "us.amazon.nova-micro-v1:0", NOVA, "m"])
def test_a_result_without_content_has_an_empty_text_which_all_models_accept(content: Any, model: str) -> None:
    messages = [*HISTORY[:2], {**HISTORY[2], "content": content}]
    body, losses = sent(model, messages=messages)
    result = body["messages"][2]["content"][0]["toolResult"]
    assert result["content"] == [{"text": ""}]
    assert ("/messages/2/content" in losses) == (content == " ")
    assert il.check_request(body, DIALECT) == []


@pytest.mark.parametrize("model", ["nvidia.nemotron-super-3-120b", "us.amazon.nova-micro-v1:0"])
def test_an_empty_list_as_result_is_refused_by_some_models_and_fitted_to_them(model: str) -> None:
    sent_before, _ = sent(NOVA, messages=HISTORY)
    turns = sent_before["messages"]
    turns[2]["content"][0]["toolResult"]["content"] = []
    spec = {"name": "look", "inputSchema": {"json": {"type": "object"}}}
    body = {"modelId": model, "messages": turns, "toolConfig": {"tools": [{"toolSpec": spec}]}}
    assert [one.code for one in il.check_request(body, DIALECT)] == ["empty"]
    fitted = il.exchange(body, DIALECT, DIALECT, fit=True).body
    assert fitted["messages"][2]["content"][0]["toolResult"]["content"] == [{"text": ""}]


def test_content_of_a_result_beside_text_follows_the_text_of_the_call() -> None:
    call = {"role": "assistant", "content": "Wait.", "tool_calls": [{"id": "a", "name": "see", "arguments": {"n": 1}}]}
    parts = [{"type": "text", "text": "Here:"}, {"type": "file", "format": "text/plain", "text": "x", "name": "a"}]
    result = {"role": "tool", "call_id": "a", "content": parts, "is_error": True}
    request = {"model": DEEPSEEK, "messages": [{"role": "user", "content": "Go."}, call, result]}
    body = il.encode_request(request, DIALECT).body
    assert body["messages"][1]["content"] == [{"text": 'Wait.\n\nCalled see: {"n":1}'}]
    heading, text, document = body["messages"][2]["content"]
    assert (heading, text) == ({"text": "Error of see:\n"}, {"text": "Here:"})
    assert "document" in document


def test_system_messages_become_user_messages_for_models_without_them() -> None:
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}]
    body, losses = sent(TITAN, messages=messages)
    assert "system" not in body
    assert body["messages"] == [{"role": "user", "content": [{"text": "Be brief."}, {"text": "Hello"}]}]
    assert losses["/messages/0/role"] == "changed"


@pytest.mark.parametrize("first", [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello"}])
def test_json_output_is_requested_in_a_user_message_for_models_without_system_messages(first: dict[str, Any]) -> None:
    messages = [first, {"role": "user", "content": "Who are you?"}]
    body, _ = sent(TITAN, messages=messages, response_format={"type": "json_object"})
    assert "system" not in body
    turn = body["messages"][0]
    assert turn["role"] == "user"
    assert "JSON" in turn["content"][0]["text"]


@pytest.mark.parametrize(
    ("model", "choice", "expected", "severity"),
    [
        (LLAMA, "required", None, "lost"),
        (LLAMA, {"type": "function", "function": {"name": "look_at"}}, None, "lost"),
        (LLAMA, "auto", None, None),
        (MISTRAL, "required", {"any": {}}, None),
        (MISTRAL, {"type": "function", "function": {"name": "look_at"}}, {"any": {}}, "changed"),
        (NOVA, {"type": "function", "function": {"name": "look_at"}}, {"tool": {"name": "look_at"}}, None),
    ],
)
def test_a_tool_choice_is_weakened_to_what_the_model_supports(
    model: str, choice: Any, expected: Any, severity: Any
) -> None:
    body, losses = sent(model, tools=[LOOK], tool_choice=choice)
    assert body["toolConfig"].get("toolChoice") == expected
    assert losses.get("/tool_choice") == severity


def test_a_tool_schema_for_nova_has_only_supported_top_level_keywords() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "title": "Place",
        "properties": {"at": {"$ref": "#/$defs/point"}, "near": {"type": "string", "title": "Near"}},
        "required": ["at"],
        "additionalProperties": False,
        "$defs": {"point": {"type": "number"}},
    }
    tool = {"type": "function", "function": {"name": "go", "parameters": schema}}
    body, losses = sent(NOVA, tools=[tool])
    assert body["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"] == {
        "type": "object",
        "properties": {"at": {"type": "number"}, "near": {"type": "string", "title": "Near"}},
        "required": ["at"],
        "additionalProperties": False,
    }
    assert {path for path in losses if path.startswith("/tools")} == {
        "/tools/0/parameters", "/tools/0/parameters/$schema", "/tools/0/parameters/title"
    }  # fmt: skip
    elsewhere, _ = sent(LLAMA, tools=[tool])
    assert elsewhere["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"] == schema


@pytest.mark.parametrize(("model", "is_alone"), [(LLAMA, True), (MISTRAL, True), (NOVA, False), (CLAUDE, False)])
def test_content_beside_results_is_limited_to_what_the_model_accepts(model: str, *, is_alone: bool) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "look_at", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "Nothing."},
        {"role": "user", "content": "Look again."},
    ]
    body, losses = sent(model, messages=messages, tools=[LOOK])
    turn = body["messages"][2]["content"]
    said = [{"text": "Nothing."}, {"text": "Look again."}]
    assert turn[0]["toolResult"]["content"] == (said if is_alone else said[:1])
    assert turn[1:] == ([] if is_alone else said[1:])
    assert losses.get("/messages/3") == ("changed" if is_alone else None)


@pytest.mark.parametrize(("model", "is_alone"), [(LLAMA, True), (MISTRAL, True), (NOVA, False), (CLAUDE, False)])
def test_content_beside_calls_is_limited_to_what_the_model_accepts(model: str, *, is_alone: bool) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "look_at", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": "I look.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "Nothing."},
    ]
    body, losses = sent(model, messages=messages, tools=[LOOK])
    turns = [(turn["role"], [next(iter(block)) for block in turn["content"]]) for turn in body["messages"]]
    apart = [("assistant", ["text"]), ("user", ["text"]), ("assistant", ["toolUse"])]
    together = [("assistant", ["text", "toolUse"])]
    assert turns == [("user", ["text"]), *(apart if is_alone else together), ("user", ["toolResult"])]
    assert il.check_request(body, DIALECT) == []
    assert losses.get("/messages") == ("changed" if is_alone else None)
    mixed = [{**turn} for turn in body["messages"]]
    if is_alone:
        mixed[1:4] = [{"role": "assistant", "content": [*mixed[1]["content"], *mixed[3]["content"]]}]
    found = il.check_request({**body, "messages": mixed}, DIALECT)
    assert [one.path for one in found] == (["/messages/1/content/0"] if is_alone else [])


def test_top_level_alternatives_of_a_schema_for_nova_keep_their_members() -> None:
    schema = {
        "type": "object",
        "description": "A place.",
        "anyOf": [
            {"type": "object", "properties": {"name": {"type": "string"}}},
            {"type": "object", "properties": {"code": {"type": "integer"}}},
        ],
    }
    body, losses = sent(NOVA, tools=[{"type": "function", "function": {"name": "go", "parameters": schema}}])
    written = body["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"]
    assert written["properties"].keys() == {"name", "code"}
    assert body["toolConfig"]["tools"][0]["toolSpec"]["description"] == "A place."
    assert losses["/tools/0/parameters/description"] == "changed"
    assert losses["/tools/0/description"] == "filled"


def test_which_arguments_of_a_tool_belong_together_is_described_to_nova() -> None:
    parts = [{"type": "object", "properties": {name: {"type": "string"}}, "required": [name]} for name in "xy"]
    function = {"name": "go", "description": "Goes.", "parameters": {"type": "object", "anyOf": parts}}
    body, losses = sent(NOVA, tools=[{"type": "function", "function": function}])
    described = body["toolConfig"]["tools"][0]["toolSpec"]["description"]
    assert described == "Goes.\n\nGive one of these sets of arguments: x; y"
    assert losses["/tools/0/description"] == "changed"


def test_cache_marks_without_a_place_are_reported_and_those_beside_results_kept() -> None:
    mark: dict[str, Any] = {"mode": "explicit"}
    call = {"id": "a", "name": "see", "arguments": {}, "cache": mark, "extra": {"parley": {"fields": {"mood": 1}}}}
    result = {"role": "tool", "call_id": "a", "content": "x", "cache": mark}
    said = {"role": "user", "content": "And?"}
    question = {"role": "user", "content": "Go."}
    request = {"model": DEEPSEEK, "messages": [question, {"role": "assistant", "tool_calls": [call]}, result, said]}
    lost = {loss.path for loss in il.encode_request(request, DIALECT).losses if loss.severity == "lost"}
    place = "/messages/1/tool_calls/0"
    assert lost == {f"{place}/cache", "/messages/2/cache", f"{place}/extra/parley"}
    turn = il.encode_request({**request, "model": CLAUDE}, DIALECT).body["messages"][2]["content"]
    assert [next(iter(block)) for block in turn] == ["toolResult", "cachePoint", "text"]


def test_text_before_results_without_a_call_moves_into_the_first_result() -> None:
    messages = [{"role": "user", "content": "Look."}, {"role": "tool", "tool_call_id": "a", "content": "Nothing."}]
    body = {"model": "gpt-5", "messages": messages, "tools": [LOOK]}
    encoded = il.translate_request(body, "openai_chat", DIALECT, model=LLAMA)
    [turn] = encoded.body["messages"]
    assert [block["toolResult"]["content"] for block in turn["content"]] == [[{"text": "Look."}, {"text": "Nothing."}]]
    assert [one.code for one in il.check_request(encoded.body, DIALECT)] == ["orphan_result"]


@pytest.mark.parametrize(
    ("model", "members", "found"),
    [
        (TITAN, {"system": [{"text": "Be brief."}]}, ["/system"]),
        (
            DEEPSEEK,
            {"toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}]}},
            ["/toolConfig"],
        ),
        (
            NOVA,
            {
                "toolConfig": {
                    "tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object", "$defs": {}}}}}]
                }
            },
            ["/toolConfig/tools/0/toolSpec/inputSchema/json/$defs"],
        ),
    ],
)
def test_requests_that_other_makers_models_refuse_are_violations(
    model: str, members: dict[str, Any], found: list[str]
) -> None:
    body = {"modelId": model, "messages": [{"role": "user", "content": [{"text": "Hello"}]}], **members}
    assert [one.path for one in il.check_request(body, DIALECT)] == found
    assert il.translate_request(body, DIALECT, DIALECT).body == body


@pytest.mark.parametrize("model", [LLAMA, DEEPSEEK])
def test_result_turns_that_other_makers_models_refuse_are_violations(model: str) -> None:
    use = {"toolUse": {"toolUseId": "a", "name": "f", "input": {}}}
    result = {"toolResult": {"toolUseId": "a", "content": [{"text": "x"}]}}
    messages = [
        {"role": "user", "content": [{"text": "Go."}]},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [result, {"text": "And?"}]},
    ]
    tools = {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}]}
    found = [
        one.path for one in il.check_request({"modelId": model, "messages": messages, "toolConfig": tools}, DIALECT)
    ]
    expected = ["/messages/2/content/1"] if model == LLAMA else [
        "/toolConfig", "/messages/1/content/0", "/messages/2/content/0"
    ]  # fmt: skip
    assert found == expected


@pytest.mark.parametrize("model", [LLAMA, DEEPSEEK, MISTRAL, "openai.gpt-oss-120b-1:0", "qwen.qwen3-32b-v1:0"])
def test_other_makers_models_are_recognised_by_their_bedrock_ids(model: str) -> None:
    body = {"model": model, "messages": [{"role": "user", "content": "Hello"}]}
    for target, is_told in ((DIALECT, False), ("claude", True)):
        encoded = il.translate_request(body, "openai_chat", il.dialect(target))
        assert ("/model" in {loss.path for loss in encoded.losses}) is is_told


@pytest.mark.parametrize(
    ("model", "most"), [(NOVA, 10_000), ("us.amazon.nova-micro-v1:0", 10_000), ("amazon.nova-2-lite-v1:0", 50_000)]
)
def test_first_generation_nova_models_have_an_output_limit(model: str, most: int) -> None:
    body, losses = sent(model, max_completion_tokens=50_000)
    assert body["inferenceConfig"]["maxTokens"] == most
    assert losses.get("/max_tokens") == ("changed" if most == 10_000 else None)
    judged = il.check_request({**body, "inferenceConfig": {"maxTokens": 50_000}}, DIALECT)
    assert [one.path for one in judged] == (["/inferenceConfig/maxTokens"] if most == 10_000 else [])
