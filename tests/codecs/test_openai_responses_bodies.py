"""The room `openai_responses`: settings, tools and answers, and bodies that are neither request nor response."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import interlingua as il
from interlingua.errors import DecodeError
from interlingua.loss import Loss, LossLog
from interlingua.model import ChatRequest, ChatResponse
from interlingua.rooms import openai_responses as room

OWN = "openai_responses"
CALL: dict[str, Any] = {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": '{"at": "sky"}'}
RESULT: dict[str, Any] = {"type": "function_call_output", "call_id": "call_1", "output": "It is blue."}
SAID: dict[str, Any] = {
    "type": "message",
    "id": "msg_1",
    "status": "completed",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "It is blue.", "annotations": [], "logprobs": []}],
}
THOUGHT: dict[str, Any] = {
    "type": "reasoning",
    "id": "rs_1",
    "encrypted_content": "Z29vZA==",
    "summary": [{"type": "summary_text", "text": "I look up."}],
}
ANSWER: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1_760_000_000,
    "model": "m",
    "status": "completed",
    "error": None,
    "incomplete_details": None,
    "output": [SAID],
}


def decoded(**body: Any) -> Any:
    return room.decode_request(body)


def encoded(request: Any) -> tuple[dict[str, Any], tuple[Loss, ...]]:
    log = LossLog()
    return room.encode_request(request, log), log.losses()


def answered(response: Any) -> tuple[dict[str, Any], tuple[Loss, ...]]:
    log = LossLog()
    return room.encode_response(response, log), log.losses()


def told(losses: tuple[Loss, ...]) -> set[tuple[str, str, str]]:
    return {(loss.severity, loss.code, loss.path) for loss in losses}


def same_at_home(body: dict[str, Any]) -> bool:
    """Tell whether a request comes back as it came, through the model too, without a loss and unchanged itself."""
    before = copy.deepcopy(body)
    canonical = room.decode_request(body)
    stored = ChatRequest.model_validate(canonical).model_dump(mode="json")
    return encoded(canonical) == (before, ()) == encoded(stored) and body == before


# Requests


def test_references_to_stored_objects_are_reported_once_in_other_dialects() -> None:
    body = {"previous_response_id": "resp_0", "conversation": {"id": "conv_1"}, "input": "Hello"}
    request = decoded(**body)
    assert request["extra"][OWN]["server_state"] == {"previous_response_id": "resp_0", "conversation": {"id": "conv_1"}}
    assert same_at_home(body)
    assert same_at_home({**body, "conversation": None})


def test_a_function_is_flat_and_states_strict_in_other_dialects() -> None:
    tool = {"type": "function", "name": "f", "description": "Does it.", "parameters": {"type": "object"}}
    assert decoded(tools=[tool])["tools"] == [tool]
    assert same_at_home({"input": "x", "tools": [tool, {**tool, "strict": None, "parameters": None, "async": True}]})
    tools = [{"type": "function", "name": "f"}]
    body, losses = encoded({"dialect": "openai_chat", "model": "m", "messages": [], "tools": tools})
    assert body["tools"] == [{"type": "function", "name": "f", "parameters": None, "strict": False}]
    assert told(losses) == {("filled", "required", "/tools/0/strict"), ("filled", "required", "/store")}


@pytest.mark.parametrize(
    ("wire", "choice"),
    [
        ("auto", {"mode": "auto"}),
        ("none", {"mode": "none"}),
        ("required", {"mode": "required"}),
        ({"type": "function", "name": "f"}, {"mode": "named", "name": "f"}),
        ({"type": "custom", "name": "f"}, {"mode": "named", "name": "f", "kind": "custom"}),
        (
            {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "f"}]},
            {"mode": "subset", "names": ["f"], "required": True},
        ),
        ({"type": "web_search_preview"}, None),
        ({"type": "mcp", "server_label": "s"}, None),
        ({"type": "allowed_tools", "mode": "auto", "tools": [{"type": "mcp", "server_label": "s"}]}, None),
    ],
)
def test_tool_choices_are_mapped(wire: Any, choice: Any) -> None:
    assert decoded(tool_choice=wire).get("tool_choice") == choice
    assert same_at_home({"input": "x", "tool_choice": wire, "tools": [{"type": "function", "name": "f"}]})


def test_a_choice_of_undefined_tools_is_lost() -> None:
    tools = [{"type": "opaque", "dialect": "claude", "data": {"type": "web_search_20250305", "name": "web_search"}}]
    request = {"dialect": "claude", "model": "m", "messages": [], "tools": tools, "tool_choice": {"mode": "required"}}
    body, losses = encoded(request)
    assert body.keys() & {"tools", "tool_choice"} == set()
    assert ("lost", "setting", "/tool_choice") in told(losses)


def test_settings_have_their_canonical_names() -> None:
    body = {
        "input": "x",
        "max_output_tokens": 100,
        "safety_identifier": "user_1",
        "prompt_cache_key": "k",
        "prompt_cache_options": {"mode": "explicit", "ttl": "30m", "prewarm": True},
        "text": {
            "verbosity": "low",
            "format": {"type": "json_schema", "name": "n", "schema": {"type": "object"}, "strict": None},
        },
        "reasoning": {"effort": "low", "summary": "auto", "mode": "pro"},
    }
    request = decoded(**body)
    assert request["max_tokens"] == 100
    assert request["user"] == "user_1"
    assert request["prompt_cache_key"] == "k"
    assert request["cache"] == {"mode": "explicit", "ttl": "30m"}
    assert request["verbosity"] == "low"
    assert request["response_format"] == {"type": "json_schema", "name": "n", "schema": {"type": "object"}}
    assert request["reasoning"] == {"effort": "low", "display": "summarized"}
    assert request["extra"][OWN]["fields"]["reasoning"] == {"mode": "pro"}
    assert same_at_home(body)


@pytest.mark.parametrize(
    "body",
    [
        {"user": "u"},
        {"user": "u", "safety_identifier": "s"},
        {"reasoning": {}},
        {"reasoning": {"effort": None, "generate_summary": "concise"}},
        {"reasoning": {"summary": "summarized"}},
        {"text": {}},
        {"text": {"format": {"type": "grammar"}}},
        {"text": {"format": {"type": "text", "name": "n"}}},
        {"include": []},
        {"include": ["reasoning.encrypted_content"]},
        {"include": ["message.output_text.logprobs", "reasoning.encrypted_content"]},
        {"include": ["a", "message.output_text.logprobs", "b"], "top_logprobs": 2},
        {"tools": [], "metadata": None, "instructions": None, "previous_response_id": None},
    ],
)
def test_an_unusual_setting_round_trips(body: dict[str, Any]) -> None:
    assert same_at_home({"input": "x", **body})


def test_logprobs_are_requested_with_include() -> None:
    request = decoded(include=["a", "message.output_text.logprobs", "b"])
    assert request["logprobs"] is True
    request["logprobs"] = False
    assert encoded(request)[0]["include"] == ["a", "b"]
    assert encoded({"model": "m", "messages": [], "logprobs": True})[0]["include"] == ["message.output_text.logprobs"]


def test_unsupported_settings_are_lost_and_a_limit_that_is_too_low_is_raised() -> None:
    request = {
        "dialect": "openai_chat",
        "model": "m",
        "messages": [],
        "max_tokens": 5,
        "stop": ["."],
        "seed": 1,
        "n": 2,
    }
    body, losses = encoded(request)
    assert body == {"model": "m", "max_output_tokens": 16, "input": [], "store": False}
    assert told(losses) == {
        ("changed", "setting", "/max_tokens"),
        ("filled", "required", "/store"),
        ("lost", "setting", "/stop"),
        ("lost", "setting", "/seed"),
        ("lost", "setting", "/n"),
    }


# Responses


def test_request_members_repeated_in_a_response_are_kept_under_one_name() -> None:
    body = {**ANSWER, "tools": [], "tool_choice": "auto", "instructions": None, "billing": {"payer": "us"}}
    response: Any = room.decode_response(body)
    assert response["extra"][OWN] == {
        "response": {"tools": [], "tool_choice": "auto", "instructions": None},
        "fields": {"billing": {"payer": "us"}},
    }
    assert answered(response) == (body, ())


@pytest.mark.parametrize(
    ("changes", "reason", "raw"),
    [
        ({}, "stop", None),
        ({"output": [CALL]}, "tool_calls", None),
        ({"output": [{**SAID, "content": [{"type": "refusal", "refusal": "No."}]}]}, "refusal", None),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "length", None),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter", "x": 1}}, "content_filter", None),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_messages"}}, "length", "max_messages"),
        ({"status": "incomplete", "incomplete_details": {"reason": "steered"}}, "other", "steered"),
        ({"status": "incomplete", "incomplete_details": {"reason": "cancelled"}}, "other", "incomplete"),
        ({"status": "incomplete"}, "length", "incomplete"),
        ({"status": "cancelled"}, "cancelled", None),
        ({"status": "failed", "error": {"code": "server_error", "message": "x"}, "output": []}, "error", None),
        ({"status": "queued", "output": []}, None, None),
        ({"status": "in_progress", "usage": None}, None, None),
        ({"status": None}, "stop", None),
        ({"status": ["odd"]}, None, None),
    ],
)
def test_status_and_output_determine_the_finish_reason(
    changes: dict[str, Any], reason: str | None, raw: str | None
) -> None:
    body = {**ANSWER, **changes}
    response = room.decode_response(body)
    assert (response.get("finish_reason"), response.get("finish_reason_raw")) == (reason, raw)
    assert answered(response) == (body, ())
    assert answered(ChatResponse.model_validate(response).model_dump(mode="json")) == (body, ())


@pytest.mark.parametrize(
    ("reason", "status", "details", "faithful"),
    [
        ("stop", "completed", None, True),
        ("length", "incomplete", {"reason": "max_output_tokens"}, True),
        ("content_filter", "incomplete", {"reason": "content_filter"}, True),
        ("error", "failed", None, True),
        ("refusal", "incomplete", {"reason": "content_filter"}, False),
        ("tool_calls", "completed", None, False),
        ("pause", "completed", None, False),
    ],
)
def test_a_foreign_finish_reason_is_written_or_reported(
    reason: str, status: str, details: Any, *, faithful: bool
) -> None:
    response = {"dialect": "claude", "messages": [{"role": "assistant", "content": "Hm."}], "finish_reason": reason}
    body, losses = answered(response)
    assert (body["status"], body["incomplete_details"]) == (status, details)
    assert (("changed", "finish_reason", "/finish_reason") in told(losses)) is not faithful


def test_a_foreign_answer_is_translated_completely() -> None:
    message = {"role": "assistant", "content": "Blue.", "tool_calls": [{"id": "c", "name": "f", "arguments": {"a": 1}}]}
    body, losses = answered({"dialect": "claude", "id": "x", "messages": [message], "usage": {"input_tokens": 3}})
    part = {"type": "output_text", "text": "Blue.", "annotations": [], "logprobs": []}
    assert body == {
        "id": "x",
        "object": "response",
        "created_at": 0,
        "model": "",
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "output": [
            {
                "type": "message",
                "id": "msg_2d711642b726_0",
                "role": "assistant",
                "status": "completed",
                "content": [part],
            },
            {
                "type": "function_call",
                "call_id": "c",
                "name": "f",
                "arguments": '{"a":1}',
                "id": "fc_2d711642b726_1",
                "status": "completed",
            },
        ],
        "usage": {
            "input_tokens": 3,
            "output_tokens": 0,
            "total_tokens": 3,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    assert {loss.severity for loss in losses} == {"filled"}


def test_usage_counts_include_cached_and_reasoning_tokens() -> None:
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": None},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 2, "tool_output_tokens": 1},
        "total_tokens": 15,
        "cost": 0.1,
    }
    response: Any = room.decode_response({**ANSWER, "usage": usage})
    canonical = {name: count for name, count in response["usage"].items() if name != "extra"}
    assert canonical == {
        "input_tokens": 10,
        "output_tokens": 5,
        "total_tokens": 15,
        "cache_read_tokens": 4,
        "reasoning_tokens": 2,
    }
    assert answered(response)[0]["usage"] == usage


@pytest.mark.parametrize(("created", "text"), [(1.0, "It is blue."), (1.5, "Another text."), (1, None)])
def test_vendor_additions_and_spellings_round_trip(created: float, text: str | None) -> None:
    body = {**ANSWER, "created_at": created, "output_text": text}
    response = room.decode_response(body)
    encoded_again, losses = answered(ChatResponse.model_validate(response).model_dump(mode="json"))
    assert encoded_again == body
    assert type(encoded_again["created_at"]) is type(created)
    assert losses == ()


def test_output_text_equals_the_joined_texts() -> None:
    response: Any = room.decode_response({**ANSWER, "output_text": "It is blue."})
    response["messages"][0]["content"][0]["text"] = "It is grey."
    assert answered(response)[0]["output_text"] == "It is grey."


# What is no request and no response


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ([], ""),
        ({"input": 1}, "/input"),
        ({"input": ["Hello"]}, "/input/0"),
        ({"input": [{"type": "message", "content": "x"}]}, "/input/0/role"),
        ({"input": [{"type": 1}]}, "/input/0/type"),
        ({"input": [{"role": "user", "content": {}}]}, "/input/0/content"),
        ({"input": [{"role": "user", "content": ["x"]}]}, "/input/0/content/0"),
        ({"input": [{"role": "user", "content": [{"type": "input_text"}]}]}, "/input/0/content/0/text"),
        ({"input": [{"role": "assistant", "content": [{"type": "refusal"}]}]}, "/input/0/content/0/refusal"),
        ({"input": [CALL, {**CALL, "name": None}]}, "/input/1/name"),
        ({"input": [{**CALL, "arguments": 1}]}, "/input/0/arguments"),
        ({"input": [{**RESULT, "output": {}}]}, "/input/0/output"),
        ({"input": [{**THOUGHT, "content": [{"type": "reasoning_text"}]}]}, "/input/0/content/0/text"),
        ({"instructions": []}, "/instructions"),
    ],
)
def test_a_malformed_request_raises_an_error_with_its_path(body: Any, path: str) -> None:
    with pytest.raises(DecodeError) as refused:
        room.decode_request(body)
    assert (refused.value.dialect, refused.value.path) == (OWN, path)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"error": {"message": "x"}}, "/output"),
        ({**ANSWER, "output": {}}, "/output"),
        ({**ANSWER, "output": [None]}, "/output/0"),
    ],
)
def test_a_malformed_response_raises_an_error_with_its_path(body: Any, path: str) -> None:
    with pytest.raises(DecodeError) as refused:
        room.decode_response(body)
    assert (refused.value.dialect, refused.value.path) == (OWN, path)


@pytest.mark.parametrize(("said", "found"), [("string", [{"role": "user", "content": "Hi."}]), ("absent", [])])
def test_an_instruction_for_json_precedes_the_input_in_any_form(said: str, found: list[Any]) -> None:
    value = {
        "dialect": "a_dialect_of_another_package",
        "model": "m",
        "messages": found,
        "response_format": {"type": "json_object"},
        "extra": {"openai_responses": {"spelling": {"input": said}}},
    }
    body = il.encode_request(value, "openai_responses").body
    assert body["input"] == [{"role": "system", "content": "Answer with JSON alone."}, *found]


def test_a_document_without_text_is_written_by_its_title_without_a_loss_of_text() -> None:
    document = {"type": "file", "text": "", "title": "Notes"}
    encoded = il.encode_response({"messages": [{"role": "assistant", "content": [document]}]}, "openai_responses")
    assert encoded.body["output"][0]["content"][0]["text"] == "Title: Notes\n\n"
    assert [loss.code for loss in encoded.losses if loss.path.startswith("/messages/0/content")] == ["part"]


def test_an_image_without_a_format_in_an_answer_is_png() -> None:
    picture = {"type": "image", "data": "AAECAw=="}
    encoded = il.encode_response({"messages": [{"role": "assistant", "content": [picture]}]}, "openai_responses")
    assert "output_format" not in encoded.body["output"][0]
    told = {loss.path: loss.severity for loss in encoded.losses}
    assert told["/messages/0/content/0/format"] == "filled"
    read: Any = il.decode_response(encoded.body, "openai_responses").model_dump(mode="json")
    assert read["messages"][0]["content"][0]["format"] == "image/png"


def test_losses_of_a_thought_after_an_empty_one_have_their_own_path() -> None:
    thoughts = [{"type": "text", "text": ""}, {"type": "text", "text": "So.", "cache": {}}]
    answer = {"messages": [{"role": "assistant", "reasoning": thoughts}]}
    encoded = il.encode_response(answer, "openai_responses")
    assert encoded.body["output"][0]["summary"] == [{"type": "summary_text", "text": "So."}]
    told = {loss.path for loss in encoded.losses if loss.path.startswith("/messages/0/reasoning")}
    assert told == {"/messages/0/reasoning/1/cache"}


def test_a_limit_that_is_too_low_is_raised_in_any_number_form() -> None:
    for limit in (5, 5.0):
        body = {"model": "m", "max_completion_tokens": limit, "messages": [{"role": "user", "content": "Hi"}]}
        encoded = il.translate_request(body, "openai_chat", "openai_responses")
        assert encoded.body["max_output_tokens"] == 16
        assert il.check_request(encoded.body, "openai_responses") == []


# Messages of an answer without a role, as some servers write them


def _roleless(said: dict[str, Any]) -> dict[str, Any]:
    item = {name: value for name, value in SAID.items() if name != "role"} | said
    counts = {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5}
    return {**ANSWER, "output": [item], "usage": counts}


@pytest.mark.parametrize("said", [{}, {"role": None}])
def test_a_message_without_a_role_in_an_answer_is_the_assistants(said: dict[str, Any]) -> None:
    body = _roleless(said)
    decoded = il.decode_response(body, "openai_responses")
    assert decoded.text == "It is blue."
    assert il.encode_response(decoded, "openai_responses").body == body
    asked = {"messages": [one.model_dump(mode="json") for one in decoded.messages]}
    assert il.encode_request(asked, "openai_responses", model="gpt-5.1").body["input"][0]["role"] == "assistant"
    with pytest.raises(il.DecodeError):  # in a request it may be anyone's
        il.decode_request({"model": "m", "input": body["output"]}, "openai_responses")


@pytest.mark.parametrize("frames", [[0, 1, 2, 3, 4], [0, 2, 4], [0, 3, 4], [0, 1, 4], [0, 4]])
def test_a_message_without_a_role_in_a_stream_is_the_assistants(frames: list[int]) -> None:
    body = _roleless({})
    [item] = body["output"]
    at = {"output_index": 0, "content_index": 0, "item_id": "msg_1"}
    every: list[Any] = [
        {"type": "response.created", "response": {**body, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}},
        {"type": "response.output_text.delta", **at, "delta": "It is blue."},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": body},
    ]
    stream = [every[number] for number in frames]
    assert list(il.translate_stream(stream, "openai_responses", "openai_responses")) == stream
    collected = il.collect(il.decode_stream(stream, "openai_responses"))
    assert collected.text == "It is blue."
    assert il.encode_response(collected, "openai_responses").body["output"] == [item]
