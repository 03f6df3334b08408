"""The room `bedrock_converse`: bodies and streams, both ways. Source: docs/wire/bedrock_converse.md."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.registry import room
from interlingua.streaming import gather
from support.bedrock_types import refusal
from support.streams import read, write

DIALECT: Final = "bedrock_converse"
HELLO: Final[dict[str, Any]] = {"role": "user", "content": [{"text": "Hello"}]}
CALL: Final[dict[str, Any]] = {"toolUse": {"toolUseId": "call:1", "name": "look", "input": {"at": 1}}}
RESULT: Final[dict[str, Any]] = {"toolResult": {"toolUseId": "call:1", "content": [{"text": "Nothing."}]}}
TOOL: Final[dict[str, Any]] = {"toolSpec": {"name": "look", "inputSchema": {"json": {"type": "object"}}}}
PNG: Final = "iVBORw0KGgoAAAANSUhEUg=="


PROMPT: Final = "arn:aws:bedrock:us-east-1:123456789012:prompt/ABCDEFGHIJ:1"


def asked(*blocks: Any, role: str = "user", **members: Any) -> dict[str, Any]:
    """Return a body with one message."""
    return {"messages": [{"role": role, "content": list(blocks)}], **members}


def at_home(body: dict[str, Any]) -> dict[str, Any]:
    """Return the canonical request of a body, which comes back as it was, stored in between."""
    request = il.decode_request(body, DIALECT)
    stored = il.ChatRequest.model_validate_json(request.model_dump_json())
    encoded = il.encode_request(stored, DIALECT)
    assert (encoded.body, encoded.losses) == (body, ())
    return request.model_dump(mode="json", exclude_unset=True)


def abroad(target: str, body: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a body in another dialect, and the losses as path to severity."""
    encoded = il.translate_request(body, DIALECT, target)
    return encoded.body, {loss.path: loss.severity for loss in encoded.losses}


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [], "system": [], "inferenceConfig": {}},
        {"modelId": PROMPT, "promptVariables": {"city": {"text": "Oslo"}}},
        {"modelId": PROMPT, "messages": None},
        asked({"text": "Hello"}, inferenceConfig={"maxTokens": None, "temperature": 0.5, "topP": "much", "x_new": {}}),
        asked({"text": "Hello", "type": "text"}, {"text": 5}, {"hologram": {"rays": 7}}, "text"),
        asked({"text": "Hello"}, {"cachePoint": {"type": "default"}}, {"cachePoint": {"type": "default", "ttl": "1h"}}),
        asked({"cachePoint": {"type": "default"}}, {"text": "Hello"}, system=[{"text": "Be brief.", "x_new": 1}]),
        asked({"guardContent": {"text": {"text": "Hello", "qualifiers": ["query"]}}}),
        asked({"image": {"format": "png", "source": {"bytes": PNG}, "error": None}}),
        asked({"image": {"format": "svg", "source": {"bytes": PNG}}}, {"video": {"format": "mp4", "source": {}}}),
        asked(
            {"document": {"format": "txt", "name": "a", "source": {"text": "A text."}, "citations": {"enabled": True}}}
        ),
        asked({"document": {"name": "a", "source": {"content": [{"text": "One."}, {"text": "Two."}]}}}),
        asked(
            {
                "document": {
                    "format": "pdf",
                    "name": "a",
                    "source": {"s3Location": {"uri": "s3://a/b", "bucketOwner": "1"}},
                }
            }
        ),
        asked(
            RESULT,
            {"toolResult": {"toolUseId": "a", "content": [{"json": {"n": 1.0}}, {"json": [1]}], "status": "error"}},
        ),
        asked({"toolResult": {"toolUseId": "a", "content": [], "status": None, "x_new": 1}}, {"text": "Well?"}),
        asked(CALL, {"cachePoint": {"type": "default"}}, {"text": "Well."}, CALL, role="assistant"),
        asked({"toolUse": {**CALL["toolUse"], "type": "server_tool_use"}}, role="assistant"),
        asked({"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "c2ln"}}}, role="assistant"),
        asked({"reasoningContent": {"redactedContent": "ZGF0YQ==", "x_new": 1}}, {"text": "Well."}, role="assistant"),
        asked({"text": "Hello"}, role="system"),
        asked({"text": "Hello"}, role="referee"),
        {"messages": [HELLO, {**HELLO, "x_new": 1}, asked(RESULT, x_new=1)["messages"][0]]},
        asked(
            {"text": "Hello"},
            toolConfig={"tools": [TOOL, {"cachePoint": {"type": "default"}}], "toolChoice": {"any": {}}},
        ),
        asked(
            {"text": "Hello"},
            toolConfig={"tools": [{"systemTool": {"name": "a"}}, 5], "toolChoice": {"tool": {"name": "a"}}},
        ),
        asked(
            {"text": "Hello"},
            outputConfig={"textFormat": {"type": "json_schema", "structure": {"jsonSchema": {"schema": "{"}}}},
        ),
    ],
)
def test_a_body_round_trips_unchanged(body: dict[str, Any]) -> None:
    at_home(body)


@pytest.mark.parametrize("text", ['{"type":"object"}', '{"type": "object"}'])
def test_the_response_schema_is_read_with_any_whitespace(text: str) -> None:
    form = {"type": "json_schema", "structure": {"jsonSchema": {"schema": text, "name": "city"}}}
    request = at_home(asked({"text": "Hello"}, outputConfig={"textFormat": form}))
    assert request["response_format"] == {"type": "json_schema", "name": "city", "schema": {"type": "object"}}


THINKING: Final = {"type": "enabled", "budget_tokens": 2000}


@pytest.mark.parametrize(
    ("fields", "reasoning"),
    [
        ({"thinking": THINKING, "anthropic_beta": ["x"]}, {"mode": "enabled", "budget_tokens": 2000}),
        ({"thinking": {"type": "disabled"}, "top_k": 3}, {"mode": "disabled"}),
        (
            {"thinking": {"type": "adaptive", "display": "omitted"}, "output_config": {"effort": "high", "x": 1}},
            {"mode": "adaptive", "display": "omitted", "effort": "high"},
        ),
        ({"output_config": {"effort": "low"}}, {"effort": "low"}),
        ({"thinking": {**THINKING, "budget_tokens": "many"}}, {"mode": "enabled"}),
        ({"thinking": {"type": "oddly"}, "output_config": "high"}, None),
        ({"thinking": None, "reasoning_effort": "high"}, None),
        ({}, None),
        (None, None),
    ],
)
def test_a_thinking_setting_is_read_and_written_unchanged(fields: Any, reasoning: Any) -> None:
    assert at_home(asked({"text": "Hello"}, additionalModelRequestFields=fields)).get("reasoning") == reasoning


@pytest.mark.parametrize(
    ("fields", "effort"),
    [
        ({}, "high"),
        ({"thinking": {"type": "adaptive"}}, "high"),
        ({"reasoning": {"effort": "low"}}, "low"),
        ({"output_config": {"effort": "low"}}, "low"),
    ],
)
def test_the_output_effort_is_read_if_the_model_fields_have_none(fields: Any, effort: str) -> None:
    body = asked({"text": "Hello"}, outputConfig={"effort": "high", "x": 1}, additionalModelRequestFields=fields)
    request = at_home(body)
    assert request["reasoning"]["effort"] == effort
    changed = il.ChatRequest.model_validate(request | {"reasoning": {"effort": "max"}})
    again = il.decode_request(il.encode_request(changed, DIALECT).body, DIALECT)
    assert again.reasoning is not None
    assert again.reasoning.effort == "max"


def test_the_output_effort_is_translated_and_kept_beside_a_schema() -> None:
    form = {"type": "json_schema", "structure": {"jsonSchema": {"schema": '{"type":"object"}', "name": "city"}}}
    body = asked({"text": "Hello"}, outputConfig={"effort": "high", "textFormat": form})
    at_home(body)
    chat = il.translate_request(body, DIALECT, "openai_chat", model="gpt-5.5")
    assert chat.body["reasoning_effort"] == "high"
    assert {loss.severity for loss in chat.losses} <= {"changed"}
    found = il.check_request(
        body | {"outputConfig": {"effort": "max"}, "modelId": "anthropic.claude-opus-4-5"}, DIALECT
    )
    assert [one.path for one in found] == ["/outputConfig/effort"]


def test_the_server_tools_of_nova_are_translated() -> None:
    names = ("nova_grounding", "nova_code_interpreter", "nova_new")
    tools = [{"systemTool": {"name": name}} for name in names]
    body = asked({"text": "Hello"}, toolConfig={"tools": tools})
    assert [tool["type"] for tool in at_home(body)["tools"]] == ["web_search", "code_execution", "opaque"]
    sent, losses = abroad("claude", body)
    assert [tool["name"] for tool in sent["tools"]] == ["web_search", "code_execution"]
    assert losses["/tools/2"] == "lost"
    fitted = il.exchange(body, DIALECT, DIALECT, model="amazon.nova-2-lite-v1:0", fit=True).body
    assert fitted["toolConfig"]["tools"] == tools


def test_a_thinking_setting_is_translated() -> None:
    body = asked(
        {"text": "Hello"}, inferenceConfig={"maxTokens": 4000}, additionalModelRequestFields={"thinking": THINKING}
    )
    claude = il.translate_request(body, DIALECT, "claude", model="claude-sonnet-4-5")
    assert (claude.body["thinking"], claude.losses) == (THINKING, ())
    chat = il.translate_request(body, DIALECT, "openai_chat", model="gpt-5.5")
    assert chat.body["reasoning_effort"] == "medium"
    again = il.translate_request(claude.body, "claude", DIALECT, model="anthropic.claude-sonnet-4-5")
    assert again.body["additionalModelRequestFields"] == {"thinking": THINKING}
    assert [loss.severity for loss in again.losses] == ["filled"]  # the count of thoughts is asked for


QUESTION: Final[dict[str, Any]] = {"role": "user", "content": "Hello"}


@pytest.mark.parametrize(
    ("model", "members", "fields", "config"),
    [
        (
            "us.anthropic.claude-haiku-4-5-20251001-v1:0",
            {"reasoning_effort": "high"},
            {"thinking": {"type": "enabled", "budget_tokens": 24576}},
            {"maxTokens": 28672},
        ),
        (
            "global.anthropic.claude-opus-4-6-v1",
            {"reasoning_effort": "low", "temperature": 0.2},
            {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}},
            {"maxTokens": 5120},
        ),
        ("anthropic.claude-opus-4-6-v1", {"reasoning_effort": "none"}, {"thinking": {"type": "disabled"}}, None),
        ("anthropic.claude-opus-4-5-20251101-v1:0", {"temperature": 0.2}, None, {"temperature": 0.2}),
        ("anthropic.claude-opus-4-8-v1:0", {"temperature": 0.2, "top_p": 0.9}, None, None),
        (  # a budget is refused beside a forced tool, and so is no thinking worth a refusal
            "anthropic.claude-sonnet-4-5-20250929-v1:0",
            {
                "reasoning_effort": "high",
                "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}],
                "tool_choice": "required",
            },
            None,
            None,
        ),
        ("amazon.nova-pro-v1:0", {"reasoning_effort": "high", "temperature": 0.2}, None, {"temperature": 0.2}),
    ],
)
def test_a_thinking_setting_is_written_in_the_form_of_the_claude_model(
    model: str, members: dict[str, Any], fields: Any, config: Any
) -> None:
    body = {"model": "gpt-5", "messages": [QUESTION], **members}
    encoded = il.translate_request(body, "openai_chat", DIALECT, model=model)
    assert encoded.body.get("additionalModelRequestFields") == fields
    assert encoded.body.get("inferenceConfig") == config
    lost = {loss.path for loss in encoded.losses if loss.severity == "lost"}
    assert bool(lost & {"/reasoning", "/reasoning/effort"}) == ("reasoning_effort" in members and fields is None)


def test_no_thinking_budget_is_set_in_a_turn_whose_calls_have_no_thinking() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    history = [
        QUESTION,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "Nothing."},
    ]
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
    body = {"model": "gpt-5", "messages": history, "reasoning_effort": "high", "tools": [tool]}
    found = [
        il.translate_request(body, "openai_chat", DIALECT, model=f"anthropic.claude-{model}").body
        for model in ("haiku-4-5", "opus-4-6-v1")
    ]
    fields = [one.get("additionalModelRequestFields") for one in found]
    assert fields == [None, {"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}}]


def test_a_user_message_follows_a_prefilled_answer_if_the_model_refuses_prefill() -> None:
    body = {"messages": [QUESTION, {"role": "assistant", "content": "Well"}]}
    models = ("anthropic.claude-opus-4-6-v1", "anthropic.claude-3-haiku-20240307-v1:0", "amazon.nova-pro-v1:0")
    found = [il.translate_request(body, "openai_chat", DIALECT, model=model).body["messages"] for model in models]
    assert [[one["role"] for one in messages] for messages in found] == [
        ["user", "assistant", "user"],
        ["user", "assistant"],
        ["user", "assistant"],
    ]


def test_a_json_tool_result_is_text_in_other_dialects() -> None:
    body = {"messages": [HELLO, asked(CALL, role="assistant")["messages"][0], HELLO]}
    body["messages"][2] = asked({"toolResult": {"toolUseId": "call:1", "content": [{"json": {"n": 1}}]}})["messages"][0]
    at_home(body)
    assert abroad("openai_chat", body)[0]["messages"][2]["content"] in (
        '{"n":1}',
        [{"type": "text", "text": '{"n":1}'}],
    )


def test_a_cache_point_is_a_cache_mark_on_the_preceding_part() -> None:
    body, _ = abroad("claude", asked({"text": "Hello"}, {"cachePoint": {"type": "default", "ttl": "1h"}}))
    mark = {"type": "ephemeral", "ttl": "1h"}
    assert body["messages"][0]["content"] == [{"type": "text", "text": "Hello", "cache_control": mark}]
    again = il.translate_request(body, "claude", DIALECT).body
    assert again["messages"][0]["content"] == [{"text": "Hello"}, {"cachePoint": {"type": "default", "ttl": "1h"}}]


def test_members_required_by_the_service_are_filled() -> None:
    part = {"type": "file", "data": "JVBERi0xLjQK"}
    call = {"id": "call/1", "name": "look at", "arguments": "at 1"}
    messages = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [part, {**part, "name": "a_b.pdf"}]},
        {"role": "assistant", "content": " ", "tool_calls": [call]},
        {"role": "tool", "call_id": "call/1", "content": "Nothing."},
    ]
    given = {"model": "m", "messages": messages, "tools": [{"type": "function", "name": "look at"}]}
    encoded = il.encode_request(given, DIALECT)
    assert refusal(encoded.body, "ConverseRequest") == ""
    assert il.check_request(encoded.body, DIALECT) == []
    names = [block["document"]["name"] for block in encoded.body["messages"][0]["content"] if "document" in block]
    assert names == ["document1-0", "a b pdf"]
    assert {loss.path: loss.severity for loss in encoded.losses} == {
        "/messages": "changed",
        "/messages/0/role": "changed",
        "/messages/1/content/0/name": "filled",
        "/messages/1/content/0/format": "filled",
        "/messages/1/content/1/name": "changed",
        "/messages/1/content/1/format": "filled",
        "/messages/2/content": "lost",
        "/messages/2/tool_calls/0/id": "changed",
        "/messages/2/tool_calls/0/name": "changed",
        "/messages/2/tool_calls/0/arguments": "changed",
        "/messages/3/call_id": "changed",
        "/tools/0/name": "changed",
        "/tools/0/parameters": "filled",
    }


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (asked(), [("empty", "/messages/0/content")]),
        (asked({"text": ""}), [("empty_text", "/messages/0/content/0/text")]),
        (asked({"text": "Hello"}, role="referee"), [("role", "/messages/0/role")]),
        (asked({"text": "Hello"}, inferenceConfig={"topP": 2}), [("limit", "/inferenceConfig/topP")]),
        (asked(RESULT), [("orphan_result", "/messages/0/content/0/toolResult")]),
        (
            asked(CALL, role="assistant"),
            [
                ("order", "/messages/0"),
                ("dangling_call", "/messages/0/content/0/toolUse"),
                ("required", "/toolConfig"),
            ],
        ),
        (asked({"text": "Hello"}, toolConfig={"tools": []}), [("required", "/toolConfig/tools")]),
        ({"modelId": "m"}, [("required", "/messages")]),
        ({"modelId": PROMPT}, []),
    ],
)
def test_requests_that_the_service_refuses_are_violations(body: dict[str, Any], found: list[tuple[str, str]]) -> None:
    assert [(one.code, one.path) for one in il.check_request(body, DIALECT)] == found


def delta(index: int, **said: Any) -> dict[str, Any]:
    """Return a frame that says a piece of a block."""
    return {"contentBlockDelta": {"contentBlockIndex": index, "delta": said, "p": "abc"}}


STREAM: Final[list[Any]] = [
    {"messageStart": {"role": "assistant"}},
    delta(0, reasoningContent={"text": "Hm."}),
    delta(0, reasoningContent={"signature": "c2ln"}),
    {"contentBlockStop": {"contentBlockIndex": 0}},
    *(delta(1, text=text) for text in ("It ", "is", " warm.")),
    delta(1, citation={"title": "A page", "location": {"web": {"url": "https://a.example", "domain": "a.example"}}}),
    {"contentBlockStop": {"contentBlockIndex": 1}},
    {"contentBlockStart": {"contentBlockIndex": 2, "start": {"toolUse": {"toolUseId": "c1", "name": "look"}}}},
    *(delta(2, toolUse={"input": piece}) for piece in ('{"at"', ":1}")),
    {"contentBlockStop": {"contentBlockIndex": 2}},
    {"messageStop": {"stopReason": "tool_use"}},
    {"metadata": {"usage": {"inputTokens": 5, "outputTokens": 3, "totalTokens": 8}, "metrics": {"latencyMs": 7}}},
]


def test_a_stream_round_trips_frame_by_frame_and_collects_to_the_whole_answer() -> None:
    events = read(DIALECT, STREAM)
    assert write(DIALECT, events) == (STREAM, ())
    body = il.encode_response(il.ChatResponse.model_validate(gather(events)), DIALECT).body
    assert refusal(body, "ConverseResponse") == ""
    assert [[*block] for block in body["output"]["message"]["content"]] == [
        ["reasoningContent"], ["citationsContent"], ["toolUse"]
    ]  # fmt: skip
    assert body["output"]["message"]["content"][2]["toolUse"]["input"] == {"at": 1}


@pytest.mark.parametrize("source", ["openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm"])
def test_a_translated_stream_is_one_that_the_service_could_send(source: str) -> None:
    frames, _ = write(
        source, [{**event, "extra": {}} for event in read(DIALECT, STREAM) if event["type"] != "citation"]
    )
    translated = [*il.translate_stream(frames, source, DIALECT)]
    for frame in translated:
        assert isinstance(frame, dict)
        assert refusal(frame, "ConverseStreamOutput") == ""
    assert gather(read(DIALECT, translated))["finish_reason"] == "tool_calls"


def test_an_empty_text_is_no_loss_and_neither_is_how_it_was_written() -> None:
    blank = {"type": "text", "text": "", "citations": None}
    held: Any = {"role": "assistant", "content": [blank, {"type": "text", "text": "Hello"}]}
    hi = {"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "text", "text": ""}]}
    body = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [hi, held, {"role": "user", "content": "Why?"}]}
    sent = il.translate_request(body, "claude", "bedrock_converse", strict=True)
    assert [len(message["content"]) for message in sent.body["messages"]] == [1, 1, 1]
    assert [loss for loss in sent.losses if loss.code == "empty_text"] == []


def test_a_turn_with_an_empty_role_round_trips() -> None:
    body = {"messages": [{"role": "", "content": [{"text": "Hi"}]}, {"role": "user", "content": [{"text": "Hi"}]}]}
    assert il.encode_request(il.decode_request(body, "bedrock_converse"), "bedrock_converse").body == body


@pytest.mark.parametrize("odd", ["odd", None, True, [], {}])
def test_unknown_content_after_a_call_round_trips(odd: Any) -> None:
    body = {"messages": [HELLO, {"role": "assistant", "content": [CALL, odd, {"text": "So."}]}]}
    assert il.encode_request(il.decode_request(body, DIALECT), DIALECT).body == body


def test_a_refusal_without_a_finish_reason_gets_one() -> None:
    answer = il.encode_response({"messages": [{"role": "assistant", "refusal": "No."}]}, DIALECT)
    assert answer.body["stopReason"] == "content_filtered"
    events = [{"type": "refusal", "block": 0, "text": "No."}, {"type": "end", "complete": True}]
    frames, losses = write(DIALECT, events)
    assert {"messageStop": {"stopReason": "content_filtered"}} in frames
    for told, path in ((answer.losses, "/finish_reason"), (losses, "/1/reason")):
        assert [loss.severity for loss in told if loss.path == path] == ["filled"]


def test_an_empty_tool_call_list_does_not_require_tools() -> None:
    request = {
        "messages": [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hi.", "tool_calls": []}],
        "tools": [{"type": "function", "name": "look"}],
        "tool_choice": {"mode": "none"},
    }
    assert "toolConfig" not in il.encode_request(request, DIALECT).body


def test_metadata_pairs_that_the_service_refuses_are_lost_and_the_others_kept() -> None:
    refused = {"": "a", "a b!": "c", "name": "é", "long": "x" * 257}
    metadata = {"team": "one/2", **refused, "empty": ""}
    encoded = il.encode_request({"model": "m", "messages": [], "metadata": metadata}, DIALECT)
    assert encoded.body["requestMetadata"] == {"team": "one/2", "empty": ""}
    assert {loss.path for loss in encoded.losses} == {f"/metadata/{name}" for name in refused}
    many = il.encode_request({"model": "m", "messages": [], "metadata": {f"k{at}": "v" for at in range(18)}}, DIALECT)
    assert refusal({**many.body, "modelId": "m"}, "ConverseRequest") == ""
    assert [loss.path for loss in many.losses] == ["/metadata/k16", "/metadata/k17"]


def test_empty_stop_sequences_are_lost_and_the_others_kept() -> None:
    encoded = il.encode_request({"model": "m", "messages": [], "stop": ["", "END", ""]}, DIALECT)
    assert encoded.body["inferenceConfig"] == {"stopSequences": ["END"]}
    assert [loss.path for loss in encoded.losses] == ["/stop/0", "/stop/2"]
    assert "inferenceConfig" not in il.encode_request({"model": "m", "messages": [], "stop": [""]}, DIALECT).body


def cited(name: str) -> dict[str, Any]:
    """Return a citation as Nova's grounding writes it."""
    return {"location": {"web": {"url": f"https://{name}.example/", "domain": name}}}


def streamed_blocks(blocks: list[list[dict[str, Any]]]) -> list[Any]:
    """Return the frames of an answer of these blocks, each as its deltas."""
    frames: list[Any] = [{"messageStart": {"role": "assistant"}}]
    for index, deltas in enumerate(blocks):
        frames += [{"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}} for delta in deltas]
        frames.append({"contentBlockStop": {"contentBlockIndex": index}})
    return [*frames, {"messageStop": {"stopReason": "end_turn"}}]


# What Nova's grounding says: docs/wire/bedrock_converse.md.
NOVA_CITES: Final[list[dict[str, Any]]] = [
    {"text": "Ruby is 4.0"},
    {"citationsContent": {"citations": [cited("a")]}},
    {"citationsContent": {"citations": [cited("a")]}},
    {"text": "."},
]
NOVA_STREAMS: Final = streamed_blocks(
    [[{"text": "Ruby is 4.0"}], [{"citation": cited("a")}], [{"citation": cited("a")}], [{"text": "."}]]
)


def test_citations_that_follow_their_text_are_translated() -> None:
    body = {
        "output": {"message": {"role": "assistant", "content": NOVA_CITES}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
        "metrics": {"latencyMs": 1},
    }
    assert il.encode_response(il.decode_response(body, "bedrock_converse"), "bedrock_converse").body == body
    message = il.translate_response(body, "bedrock_converse", "openai_chat").body["choices"][0]["message"]
    assert message["content"] == "Ruby is 4.0."
    assert [one["url_citation"]["url"] for one in message["annotations"]] == ["https://a.example/"] * 2
    collected = il.collect(il.decode_stream(NOVA_STREAMS, "bedrock_converse"))
    assert collected.messages == il.decode_response(body, "bedrock_converse").messages


def test_citations_after_a_text_reach_claude_and_gemini_whole_and_streamed() -> None:
    body = {"output": {"message": {"role": "assistant", "content": NOVA_CITES}}, "stopReason": "end_turn"}
    whole = il.translate_response(body, DIALECT, "claude")
    streamed = room("claude").assemble_stream([*il.translate_stream(NOVA_STREAMS, DIALECT, "claude")])
    for answer in (whole.body, streamed):
        assert [one["text"] for one in answer["content"]] == ["Ruby is 4.0", "."]
        assert [one["url"] for one in answer["content"][0]["citations"]] == ["https://a.example/"] * 2
    lost = [loss.path for loss in whole.losses if loss.severity == "lost"]
    assert lost == [f"/messages/0/content/{at}/citations/0/extra/bedrock_converse" for at in (1, 2)]
    whole = il.translate_response(body, DIALECT, "gemini")
    streamed = room("gemini").assemble_stream([*il.translate_stream(NOVA_STREAMS, DIALECT, "gemini")])
    for answer in (whole.body, streamed):
        grounded = answer["candidates"][0]["groundingMetadata"]
        assert [one["segment"]["text"] for one in grounded["groundingSupports"]] == ["Ruby is 4.0"]


def test_citations_after_a_text_are_joined_with_the_citations_of_that_text() -> None:
    frames = streamed_blocks([[{"text": "Once."}, {"citation": cited("a")}], [{"citation": cited("b")}]])
    streamed = room("claude").assemble_stream([*il.translate_stream(frames, DIALECT, "claude")])
    whole = il.translate_response(room(DIALECT).assemble_stream(frames), DIALECT, "claude").body
    for answer in (whole, streamed):
        urls = [[one["url"] for one in block["citations"]] for block in answer["content"]]
        assert urls == [["https://a.example/", "https://b.example/"]]


def test_citations_before_the_first_fragment_of_their_text_stay_with_it() -> None:
    frames = streamed_blocks([[{"text": "Once. "}], [{"citation": cited("a")}, {"text": "Twice."}]])
    answer = room("claude").assemble_stream([*il.translate_stream(frames, DIALECT, "claude")])
    assert [(one["text"], "citations" in one) for one in answer["content"]] == [("Once. ", False), ("Twice.", True)]
