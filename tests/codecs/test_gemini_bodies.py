"""The room `gemini`: parts, spellings, tools and settings of requests, and bodies that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest

import interlingua as il
from interlingua.loss import LossLog
from interlingua.model import ChatRequest
from interlingua.rooms import gemini

Losses = dict[str, tuple[str, str]]
HELLO: Any = {"role": "user", "parts": [{"text": "hello"}]}
CHOICE = {"type": "string", "enum": ["yes", "no"]}


def encode_request(request: Any) -> tuple[dict[str, Any], Losses]:
    log = LossLog()
    return gemini.encode_request(request, log), {loss.path: (loss.code, loss.severity) for loss in log.losses()}


def messages_of(*contents: Any) -> Any:
    return gemini.decode_request({"contents": list(contents)})["messages"]


def contents_of(*messages: Any, **members: Any) -> Any:
    return encode_request({"messages": list(messages), **members})[0]["contents"]


def said(role: str, *parts: Any) -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


def asked(body: Any) -> Any:
    """Return a body after a whole round: decoded, stored as a model, loaded, encoded."""
    stored = ChatRequest.model_validate(gemini.decode_request(body)).model_dump_json()
    again, losses = encode_request(json.loads(stored))
    assert losses == {}
    return again


# Roles


@pytest.mark.parametrize("role", ["function", "tool"])
def test_results_in_a_content_of_a_role_for_tools_are_read_as_results(role: str) -> None:
    contents = [
        HELLO,
        said("model", {"functionCall": {"name": "f", "args": {}}}, {"functionCall": {"name": "g", "args": {}}}),
        said(role, *({"functionResponse": {"name": name, "response": {"output": name}}} for name in "gf")),
        HELLO,
    ]
    body = {"contents": contents}
    assert asked(body) == body
    sent = il.translate_request(body, "gemini", "openai_chat", model="gpt-4.1")
    assert [(one.get("tool_call_id"), one["content"]) for one in sent.body["messages"][2:]] == [
        ("call_1_1", "g"),
        ("call_1_0", "f"),
        (None, "hello"),
    ]
    assert [loss.path for loss in sent.losses if "/extra/" in loss.path] == []
    fitted = il.exchange(body, "gemini", "gemini", model="gemini-3.6-flash", fit=True)
    assert fitted.body["contents"][2:] == [{**contents[2], "role": "user"}, HELLO]


@pytest.mark.parametrize(
    ("model", "violations"), [("gemini-2.5-flash", []), ("gemini-3.6-flash", ["/contents/2/role"])]
)
@pytest.mark.parametrize("role", ["function", "tool"])
def test_only_older_models_accept_a_role_for_tools(role: str, model: str, violations: list[str]) -> None:
    call = said("model", {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2ln"})
    result = said(role, {"functionResponse": {"name": "f", "response": {"output": "7"}}})
    body = {"contents": [HELLO, call, result], "tools": [{"functionDeclarations": [{"name": "f"}]}]}
    assert [one.path for one in il.check_request(body, "gemini", profile=model)] == violations


# Parts


@pytest.mark.parametrize("written", [{}, {"text": ""}, {"thought": None}])
def test_a_part_without_data_is_an_empty_text(written: dict[str, Any]) -> None:
    # SDKs whose JSON leaves out empty values (Go) write the empty text that ends a stream without its text.
    contents = [
        said("user", {"text": "Hi"}),
        said("model", {"text": "Hello"}, {**written, "thoughtSignature": "c2ln"}),
        said("user", {"text": "Why?"}),
        said("model", {**written, "thought": True}, {"functionCall": {"name": "f", "args": {}}}, written),
        said("user", {"functionResponse": {"name": "f", "response": {"output": "7"}}}),
        said("model", written),
        said("user", written, {"text": "And?"}),
    ]
    body = {"contents": contents}
    assert asked(body) == body
    translated = il.translate_request(body, "gemini", "claude")
    losses = [(loss.code, loss.path, loss.severity) for loss in translated.losses if loss.code == "part"]
    assert losses == []
    assert {loss.concern for loss in translated.losses if loss.severity == "lost"} == {"state", "bookkeeping"}
    turns = [message["role"] for message in translated.body["messages"]]
    assert turns == ["user", "assistant", "user", "assistant", "user"]


def test_content_that_only_gemini_has_is_opaque() -> None:
    parts = [
        {"executableCode": {"language": "PYTHON", "code": "print(1)"}, "thoughtSignature": "c2ln"},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1\n"}},
        {"toolCall": {"toolType": "URL_CONTEXT", "id": "1"}},
        {"videoMetadata": {"startOffset": "2s"}},
        {"somethingNew": {"a": None}},
        {"text": "", "functionCall": {"name": "f"}},
    ]
    content = said("model", *parts)
    (message,) = messages_of(content)
    kinds = [part["type"] for part in message["content"]]
    assert kinds == ["server_call", "server_result", *["opaque"] * 4]
    assert asked({"contents": [content]}) == {"contents": [content]}


@pytest.mark.parametrize(
    ("wire", "part"),
    [
        (
            {"inlineData": {"mimeType": "image/png", "data": "AA=="}},
            {"type": "image", "format": "image/png", "data": "AA=="},
        ),
        (
            {"inlineData": {"mimeType": "audio/wav", "data": "AA=="}},
            {"type": "audio", "format": "audio/wav", "data": "AA=="},
        ),
        (
            {"fileData": {"mimeType": "video/mp4", "fileUri": "gs://a/b", "displayName": "b"}},
            {"type": "file", "format": "video/mp4", "url": "gs://a/b", "name": "b"},
        ),
        (
            {
                "inlineData": {"mimeType": "image/png", "data": "AA=="},
                "mediaResolution": {"level": "MEDIA_RESOLUTION_LOW"},
            },
            {"type": "image", "format": "image/png", "data": "AA==", "detail": "low"},
        ),
    ],
)
def test_images_audio_and_files_are_translated(wire: Any, part: Any) -> None:
    content = said("user", wire)
    assert messages_of(content) == [{"role": "user", "content": [part]}]
    assert contents_of({"role": "user", "content": [part]}) == [content]


@pytest.mark.parametrize(
    ("part", "media_type"),
    [
        ({"type": "image", "url": "https://example.com/cat.webp?size=1"}, "image/webp"),
        ({"type": "image", "data": "AA=="}, "image/jpeg"),
        ({"type": "file", "data": "AA==", "name": "notes.md"}, "text/markdown"),
        ({"type": "file", "data": "JVBERi0=", "name": "unnamed"}, "application/pdf"),
        ({"type": "audio", "data": "AA==", "name": "cat.png"}, "audio/wav"),
    ],
)
def test_a_missing_media_type_is_derived_from_the_name(part: Any, media_type: str) -> None:
    body, losses = encode_request({"messages": [{"role": "user", "content": [part]}]})
    (source,) = body["contents"][0]["parts"][0].values()
    assert source["mimeType"] == media_type
    assert losses == {"/messages/0/content/0/format": ("required", "filled")}


@pytest.mark.parametrize(("name", "media_type"), [("cat.png", "image/png"), ("clip.mp3", "audio/mpeg")])
def test_a_file_named_as_an_image_or_audio_is_one(name: str, media_type: str) -> None:
    part = {"type": "file", "url": f"https://example.com/{name}", "name": name}
    body, losses = encode_request({"messages": [{"role": "user", "content": [part]}]})
    assert body["contents"][0]["parts"][0]["fileData"]["mimeType"] == media_type
    assert losses == {
        "/messages/0/content/0/format": ("required", "filled"),
        "/messages/0/content/0/type": ("member", "changed"),
    }


def test_the_file_of_another_provider_is_lost() -> None:
    body, losses = encode_request({"messages": [{"role": "user", "content": [{"type": "image", "file_id": "file-1"}]}]})
    assert body["contents"] == [{"role": "user", "parts": [{"text": "(What the user sent here cannot be passed on.)"}]}]
    assert losses == {"/messages/0": ("message", "changed"), "/messages/0/content/0": ("part", "lost")}


# Spelling


@pytest.mark.parametrize(
    "body",
    [
        {"contents": [{"parts": [{"text": "no role"}]}]},
        {"contents": [{"role": None, "parts": [{"text": "null role"}], "more": 1}]},
        {"contents": HELLO},
        {"contents": [{"role": "user", "parts": {"text": "one part"}}]},
        {"contents": [{"role": "user"}, {"role": "user", "parts": []}, {"role": "user", "parts": None}]},
        {"contents": [said("user", {"text": "a", "thought": False}), said("model", {"text": "b", "thought": None})]},
        {"contents": [said("user", {"text": "a"}, {"text": "b", "thought": False, "partMetadata": {"c": None}})]},
        {"contents": [said("user", {"inline_data": {"mime_type": "image/png", "data": "AA=="}})]},
        {"contents": [said("user", {"fileData": {"mime_type": "image/png", "file_uri": "gs://a/b"}})]},
        {"contents": [said("user", {"inlineData": {"mimeType": "image/png", "mime_type": "image/gif", "data": ""}})]},
        {"contents": [said("model", {"function_call": {"name": "f", "args": {}}, "thought_signature": "c2ln"})]},
        {"contents": [said("model", {"functionCall": {"name": "f"}}, {"functionCall": {"name": "f", "args": None}})]},
        {"contents": [said("model", {"text": None, "functionCall": {"id": None, "name": "f", "args": {"a": 1}}})]},
        {"contents": [said("function", {"functionResponse": {"name": "f", "response": {"output": "x"}}})]},
        {"contents": [said("user", {"functionResponse": {"name": "f"}}, {"text": "and"})]},
        {"contents": [said("user", {"functionCall": {"name": "f", "args": {}}}, {"text": "mine"})]},
        {"contents": [said("user", {"text": "no thought of the model's", "thought": True})]},
        {"contents": [HELLO], "systemInstruction": {"role": "model", "parts": [{"text": "a", "thought": False}]}},
        {"contents": [HELLO], "system_instruction": {"parts": {"text": ""}, "role": "someone"}},
        {"contents": [HELLO], "systemInstruction": None, "generationConfig": None, "toolConfig": None, "tools": None},
        {"contents": [HELLO], "tools": {"function_declarations": [{"name": "f"}]}},
        {"contents": [HELLO], "tools": []},
        {"contents": [HELLO], "tools": [{"codeExecution": None, "functionDeclarations": [{"name": "f"}]}]},
        {"contents": [HELLO], "tools": [{"functionDeclarations": [{"name": "f"}, {"name": "g"}], "googleSearch": {}}]},
        {"contents": [HELLO], "tools": [{"functionDeclarations": [{"name": n}]} for n in "fg"] + [{"urlContext": {}}]},
        {"contents": [HELLO], "tools": [{"functionDeclarations": [{"name": "f", "response": {}, "parameters": None}]}]},
        {"contents": [HELLO], "toolConfig": {"functionCallingConfig": {"mode": "any", "allowedFunctionNames": ["f"]}}},
        {"contents": [HELLO], "toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}, "retrievalConfig": {}}},
        {"contents": [HELLO], "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": []}}},
        {"contents": [HELLO], "generationConfig": {"topK": 2.0, "seed": 1, "temperature": None, "speechConfig": {}}},
        {"contents": [HELLO], "generationConfig": {}},
        {"contents": [HELLO], "generation_config": {"thinking_config": {"thinking_level": "low"}, "top_p": 1}},
        {"contents": [HELLO], "generationConfig": {"thinkingConfig": {"thinkingBudget": None, "new": 1}}},
        {"contents": [HELLO], "generationConfig": {"thinkingConfig": {"thinkingLevel": "Low", "thinkingBudget": -7}}},
        {"contents": [HELLO], "generationConfig": {"responseMimeType": "text/x.enum", "responseSchema": {}}},
        {"contents": [HELLO], "generationConfig": {"responseMimeType": "text/x.enum", "responseSchema": CHOICE}},
        {"contents": [HELLO], "generationConfig": {"responseMimeType": "text/x.enum", "responseJsonSchema": CHOICE}},
        {
            "contents": [HELLO],
            "generationConfig": {
                "responseMimeType": "text/x.enum",
                "responseSchema": {"type": "STRING", "enum": ["yes"], "format": "enum"},
            },
        },
        {"contents": [HELLO], "generationConfig": {"responseSchema": {"type": "STRING"}, "responseJsonSchema": {}}},
        {"contents": [HELLO], "model": "models/gemini-2.0-flash", "labels": {"team": "a"}, "cachedContent": "c/1"},
        {"contents": []},
    ],
)
def test_a_request_round_trips(body: Any) -> None:
    before = json.dumps(body)
    assert json.dumps(asked(body), sort_keys=True) == json.dumps(body, sort_keys=True)
    assert json.dumps(body) == before


def test_snake_case_members_are_read() -> None:
    snake = said("user", {"inline_data": {"mime_type": "image/png", "data": "AA=="}})
    (message,) = messages_of(snake)
    assert message["content"][0]["format"] == "image/png"
    assert message["content"][0]["extra"] == {"gemini": {"spelling": {"snake": ["inlineData", "mimeType"]}}}


def test_a_note_on_the_only_text_keeps_the_content_a_string() -> None:
    (message,) = messages_of(said("user", {"text": "hello", "thought": False}))
    assert message["content"] == "hello"


# Tools and settings


def test_schemas_in_the_style_of_openapi_are_json_schema() -> None:
    schema = {
        "type": "OBJECT",
        "properties": {
            "type": {"type": "STRING", "enum": ["STRING"], "nullable": True},
            "many": {"type": "ARRAY", "items": {"anyOf": [{"type": "INTEGER"}, {"type": "NULL"}]}},
        },
    }
    body = {"contents": [HELLO], "tools": [{"functionDeclarations": [{"name": "f", "parameters": schema}]}]}
    request: Any = gemini.decode_request(body)
    (tool,) = request["tools"]
    assert tool["parameters"] == {
        "type": "object",
        "properties": {
            "type": {"type": ["string", "null"], "enum": ["STRING"], "nullable": True},
            "many": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
        },
    }
    assert asked(body) == body


def test_a_schema_with_mixed_styles_is_kept_verbatim() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "STRING"}}}
    body = {"contents": [HELLO], "tools": [{"functionDeclarations": [{"name": "f", "parameters": schema}]}]}
    request: Any = gemini.decode_request(body)
    (tool,) = request["tools"]
    assert tool["parameters"] == schema
    assert asked(body) == body


def test_a_deeply_nested_schema_is_accepted() -> None:
    schema: dict[str, Any] = {"type": "STRING"}
    for _ in range(500):
        schema = {"type": "ARRAY", "items": schema}
    body = {"contents": [HELLO], "tools": [{"functionDeclarations": [{"name": "f", "parameters": schema}]}]}
    log = LossLog()
    assert gemini.encode_request(gemini.decode_request(body), log) == body


def test_functions_are_in_one_tool_with_json_schemas() -> None:
    tools = [
        {"type": "function", "name": "f", "description": "d", "parameters": {"type": "object"}},
        {"type": "opaque", "dialect": "claude", "data": {"type": "web_search"}},
        {"type": "function", "name": "g"},
    ]
    body, losses = encode_request({"messages": [], "tools": tools})
    assert body["tools"] == [
        {
            "functionDeclarations": [
                {"name": "f", "description": "d", "parametersJsonSchema": {"type": "object"}},
                {"name": "g"},
            ]
        }
    ]
    assert set(losses) == {"/tools/1"}


@pytest.mark.parametrize(
    ("calling", "choice"),
    [
        ({"mode": "AUTO"}, {"mode": "auto"}),
        ({"mode": "NONE"}, {"mode": "none"}),
        ({"mode": "ANY"}, {"mode": "required"}),
        ({"mode": "ANY", "allowedFunctionNames": ["f"]}, {"mode": "named", "name": "f"}),
        (
            {"mode": "ANY", "allowedFunctionNames": ["f", "g"]},
            {"mode": "subset", "names": ["f", "g"], "required": True},
        ),
        ({"mode": "VALIDATED", "allowedFunctionNames": ["f"]}, {"mode": "subset", "names": ["f"], "required": False}),
    ],
)
def test_tool_choices_are_mapped(calling: Any, choice: Any) -> None:
    body = {"contents": [HELLO], "toolConfig": {"functionCallingConfig": calling}}
    assert gemini.decode_request(body)["tool_choice"] == choice
    tools = [{"type": "function", "name": name} for name in "fgh"]
    asked = {"messages": [], "tools": tools, "tool_choice": choice}
    assert encode_request(asked)[0]["toolConfig"] == body["toolConfig"]


@pytest.mark.parametrize("names", [[], ["gone"]])
@pytest.mark.parametrize("required", [False, True])
def test_a_choice_of_no_allowed_function_disables_calls(names: list[str], required: bool) -> None:
    choice = {"mode": "subset", "names": names, "required": required}
    asked = {"messages": [], "tools": [{"type": "function", "name": "f"}], "tool_choice": choice}
    body, losses = encode_request(asked)
    assert body["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}}
    assert losses["/tool_choice"] == ("setting", "changed")


def test_validated_mode_corresponds_to_strict_tools() -> None:
    body = {
        "contents": [HELLO],
        "tools": [{"functionDeclarations": [{"name": "f"}, {"name": "g"}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}},
    }
    request: Any = gemini.decode_request(body)
    assert request["tool_choice"] == {"mode": "auto"}
    assert [tool["strict"] for tool in request["tools"]] == [True, True]
    assert asked(body) == body
    request["tools"][1]["strict"] = False
    again, losses = encode_request(request)
    assert again["toolConfig"]["functionCallingConfig"]["mode"] == "AUTO"
    assert losses["/tools/0/strict"] == ("tool", "lost")


@pytest.mark.parametrize(
    ("thinking", "reasoning"),
    [
        ({"thinkingBudget": 0}, {"mode": "disabled"}),
        (
            {"thinkingBudget": 512, "includeThoughts": False},
            {"mode": "enabled", "budget_tokens": 512, "display": "omitted"},
        ),
        ({"thinkingLevel": "HIGH", "includeThoughts": True}, {"effort": "high", "display": "summarized"}),
        ({"includeThoughts": False}, {"display": "omitted"}),
    ],
)
def test_thinking_settings_are_mapped(thinking: Any, reasoning: Any) -> None:
    body = {"contents": [HELLO], "generationConfig": {"thinkingConfig": thinking}}
    assert gemini.decode_request(body)["reasoning"] == reasoning
    again, losses = encode_request({"messages": [{"role": "user", "content": "hello"}], "reasoning": reasoning})
    assert (again, losses) == (body, {})


@pytest.mark.parametrize(
    ("reasoning", "budget"), [({"mode": "adaptive"}, -1), ({"mode": "enabled", "budget_tokens": 512}, 512)]
)
def test_thoughts_that_other_dialects_always_include_are_requested(reasoning: Any, budget: int) -> None:
    body, losses = encode_request({"messages": [{"role": "user", "content": "hello"}], "reasoning": reasoning})
    assert body["generationConfig"]["thinkingConfig"] == {"thinkingBudget": budget, "includeThoughts": True}
    assert losses == {"/reasoning/display": ("required", "filled")}


def test_effort_none_disables_thinking_and_a_level_excludes_a_budget() -> None:
    off, losses = encode_request({"messages": [], "reasoning": {"effort": "none"}})
    assert (off["generationConfig"], losses) == ({"thinkingConfig": {"thinkingBudget": 0}}, {})
    both = {"effort": "max", "mode": "enabled", "budget_tokens": 2048}
    level, losses = encode_request({"messages": [], "reasoning": both})
    assert level["generationConfig"] == {"thinkingConfig": {"thinkingLevel": "XHIGH", "includeThoughts": True}}
    assert losses == {
        "/reasoning/display": ("required", "filled"),
        "/reasoning/effort": ("setting", "changed"),
        "/reasoning/mode": ("setting", "changed"),
        "/reasoning/budget_tokens": ("setting", "changed"),
    }


@pytest.mark.parametrize(
    ("config", "form"),
    [
        ({"responseMimeType": "application/json"}, {"type": "json_object"}),
        ({"responseMimeType": "text/plain"}, {"type": "text"}),
        (
            {"responseMimeType": "application/json", "responseJsonSchema": {"type": "object"}},
            {"type": "json_schema", "schema": {"type": "object"}},
        ),
        (
            {"responseMimeType": "application/json", "responseSchema": {"type": "OBJECT"}},
            {"type": "json_schema", "schema": {"type": "object"}},
        ),
        ({"responseSchema": {"type": "object"}}, {"type": "json_schema", "schema": {"type": "object"}}),
        (
            {"responseFormat": [{"text": {"mimeType": "application/json", "schema": {"type": "object"}}}]},
            {"type": "json_schema", "schema": {"type": "object"}},
        ),
    ],
)
def test_response_formats_are_mapped(config: Any, form: Any) -> None:
    body = {"contents": [HELLO], "generationConfig": config}
    assert gemini.decode_request(body)["response_format"] == form
    assert asked(body) == body


def test_model_and_stream_are_not_in_the_body() -> None:
    body, losses = encode_request({"model": "gemini-2.5-pro", "stream": True, "messages": []})
    assert body == {"contents": []}
    assert losses == {"/model": ("in_url", "changed"), "/stream": ("in_url", "changed")}


def test_settings_out_of_range_are_lost() -> None:
    settings = {"temperature": 2.5, "top_logprobs": 50, "stop": list("abcdefg"), "metadata": {"Team": "a", "b": "c"}}
    body, losses = encode_request({"messages": [], **settings})
    assert body == {"contents": [], "labels": {"b": "c"}, "generationConfig": {"stopSequences": list("abcde")}}
    assert set(losses) == {"/temperature", "/top_logprobs", "/stop/5", "/stop/6", "/metadata/Team"}


def test_instructions_alone_become_a_user_message_even_if_a_foreign_opaque_item_follows() -> None:
    told = {"role": "developer", "content": "Be brief."}
    body, losses = encode_request({"messages": [told, {"role": "opaque", "dialect": "another", "data": {}}]})
    assert body["contents"] == [said("user", {"text": "Be brief."})]
    assert losses["/messages/1"] == ("message", "lost")
