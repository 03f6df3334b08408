"""The room `openai_responses`: items and messages, and what becomes of those of other dialects."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import interlingua as il
from interlingua.loss import Loss, LossLog
from interlingua.model import ChatRequest
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


def decoded(**body: Any) -> Any:
    return room.decode_request(body)


def messages_of(*items: Any) -> list[Any]:
    return list(room.decode_request({"input": list(items)})["messages"])


def encoded(request: Any) -> tuple[dict[str, Any], tuple[Loss, ...]]:
    log = LossLog()
    body = room.encode_request(request, log)
    return body, tuple(loss for loss in log.losses() if loss.path != "/store")  # told by tests of its own


def answered(response: Any) -> tuple[dict[str, Any], tuple[Loss, ...]]:
    log = LossLog()
    return room.encode_response(response, log), log.losses()


def items_of(*messages: Any, dialect: str = "claude") -> list[Any]:
    """Return the items that messages of another dialect become."""
    body, _ = encoded({"dialect": dialect, "model": "m", "messages": list(messages)})
    return list(body["input"])


def told(losses: tuple[Loss, ...]) -> set[tuple[str, str, str]]:
    return {(loss.severity, loss.code, loss.path) for loss in losses}


def same_at_home(body: dict[str, Any]) -> bool:
    """Tell whether a request comes back as it came, through the model too, without a loss and unchanged itself."""
    before = copy.deepcopy(body)
    canonical = room.decode_request(body)
    stored = ChatRequest.model_validate(canonical).model_dump(mode="json")
    return encoded(canonical) == (before, ()) == encoded(stored) and body == before


# Items and messages


@pytest.mark.requirement("MAP-4.1")
def test_roles_are_unchanged() -> None:
    asked = [{"role": role, "content": "Hello"} for role in ("system", "developer", "user", "assistant")]
    messages = messages_of(*asked, RESULT)
    assert [message["role"] for message in messages] == ["system", "developer", "user", "assistant", "tool"]
    assert messages[:4] == asked
    written = [*asked[:3], {"type": "message", **asked[3]}]
    assert items_of({"role": "user", "content": "Hello"}, *asked) == [{"role": "user", "content": "Hello"}, *written]


@pytest.mark.requirement("MAP-4.2")
def test_a_result_refers_to_its_call_by_call_id_or_else_by_id() -> None:
    by_call = {"role": "tool", "call_id": "call_1", "id": "m7", "content": "It is blue."}
    by_id = {"role": "tool", "id": "call_1", "content": "It is blue."}
    assert items_of(by_call) == [RESULT]
    assert items_of(by_id) == [RESULT]


def test_reasoning_text_and_calls_are_one_message() -> None:
    (message,) = messages_of(THOUGHT, SAID, CALL, {**CALL, "call_id": "call_2"})
    assert list(message) == ["role", "reasoning", "content", "tool_calls", "extra"]
    assert message["reasoning"] == "I look up."
    assert message["content"] == [{"type": "text", "text": "It is blue."}]
    assert [call["id"] for call in message["tool_calls"]] == ["call_1", "call_2"]
    assert message["extra"][OWN] == {
        "id": "msg_1",
        "status": "completed",
        "reasoning": {"id": "rs_1", "encrypted_content": "Z29vZA=="},
    }


@pytest.mark.parametrize(
    ("items", "count"),
    [
        ([THOUGHT, CALL, THOUGHT, SAID], 2),
        ([THOUGHT, THOUGHT], 2),
        ([SAID, SAID], 2),
        ([SAID, THOUGHT], 2),
        ([CALL, SAID], 2),
        ([CALL, CALL], 1),
        ([CALL, RESULT, CALL], 3),
    ],
)
def test_an_item_out_of_order_starts_the_next_message(items: list[Any], count: int) -> None:
    assert len(messages_of(*items)) == count
    assert same_at_home({"input": items})


@pytest.mark.parametrize(
    "item",
    [
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "x"}},
        {"type": "compaction", "id": "cmp_1", "encrypted_content": "Z29vZA=="},
        {"type": "custom_tool_call", "call_id": "xs_call_1", "name": "x_keyword_search", "input": "{}"},
        {"type": "custom_tool_call_output", "call_id": "xs_call_1", "output": "found"},
        {"type": "additional_tools", "role": "developer", "tools": []},
        {"type": "of_tomorrow", "anything": None},
        {"id": "msg_9"},
        {"type": "message", "role": "critic", "content": "Well."},
    ],
)
def test_an_item_without_a_canonical_form_is_a_separate_opaque_message(item: dict[str, Any]) -> None:
    messages = messages_of(THOUGHT, item, SAID)
    assert messages[1] == {"role": "opaque", "dialect": OWN, "data": item}
    assert same_at_home({"input": [THOUGHT, item, SAID]})


def test_opaque_items_of_other_dialects_are_lost_and_those_of_this_one_kept() -> None:
    item = {"type": "compaction", "encrypted_content": "Z29vZA=="}
    theirs = {"role": "opaque", "dialect": "gemini", "data": {"parts": []}}
    body, losses = encoded({"dialect": "claude", "model": "m", "messages": [messages_of(item)[0], theirs]})
    assert body["input"] == [item]
    assert told(losses) == {("lost", "message", "/messages/1")}


def test_instructions_are_the_leading_system_message() -> None:
    body = {"instructions": "Be brief.", "input": "Hello"}
    messages = decoded(**body)["messages"]
    assert [message["role"] for message in messages] == ["system", "user"]
    assert messages[0]["content"] == "Be brief."
    assert same_at_home(body)
    assert same_at_home({"input": [{"role": "system", "content": "Be brief."}]})


def test_in_other_dialects_the_first_plain_instruction_becomes_instructions_and_others_stay() -> None:
    system = {"role": "system", "content": [{"type": "text", "text": "Be brief."}]}
    later = {"role": "system", "content": "Be kind."}
    body, losses = encoded({"model": "m", "messages": [system, {"role": "user", "content": "Hello"}, later]})
    assert body["instructions"] == "Be brief."
    assert body["input"] == [{"role": "user", "content": "Hello"}, later]
    assert losses == ()
    marked = {"role": "system", "content": [{"type": "text", "text": "Be brief.", "cache": {}}]}
    body, losses = encoded({"model": "m", "messages": [marked]})
    assert "instructions" not in body
    assert body["input"][0]["content"][0]["prompt_cache_breakpoint"] == {"mode": "explicit"}


def test_in_other_dialects_no_instruction_is_lost_moved_or_joined() -> None:
    user = {"role": "user", "content": "Hello"}
    first, second = {"role": "system", "content": "A."}, {"role": "developer", "content": "B."}
    body, losses = encoded({"model": "m", "messages": [first, second, first, user]})
    assert (body["instructions"], body["input"], losses) == ("A.", [second, first, user], ())
    body, losses = encoded({"model": "m", "messages": [second, first, user]})
    assert ("instructions" in body, body["input"], losses) == (False, [second, first, user], ())
    blocks = {"role": "system", "content": [{"type": "text", "text": "A."}, {"type": "text", "text": "B."}]}
    body, losses = encoded({"model": "m", "messages": [blocks, user]})
    texts = [{"type": "input_text", "text": "A."}, {"type": "input_text", "text": "B."}]
    assert ("instructions" in body, losses) == (False, ())
    assert body["input"] == [{"role": "system", "content": texts}, user]
    assert same_at_home({"instructions": "I.", "input": [first, second, user]})


@pytest.mark.parametrize("body", [{"input": "Hello"}, {"input": []}, {"prompt": {"id": "p_1"}}, {"input": None}])
def test_input_round_trips(body: dict[str, Any]) -> None:
    assert same_at_home(body)


def test_a_text_that_is_no_longer_the_only_content_becomes_a_list() -> None:
    request = decoded(input="Hello")
    request["messages"].append({"role": "user", "content": "Anyone?"})
    assert [item["content"] for item in encoded(request)[0]["input"]] == ["Hello", "Anyone?"]


@pytest.mark.parametrize(
    "item",
    [
        {"role": "assistant"},
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": []},
        {"role": "user", "content": "Hi", "type": None},
        {"role": "user", "content": "Hi", "id": "msg_2"},
        {"type": "message", "role": "user", "content": "Hi", "id": "msg_2", "status": None, "x": 1},
        {"role": "assistant", "content": [{"type": "output_text", "text": "Hi"}], "phase": "commentary"},
        {"role": "assistant", "content": [{"type": "input_text", "text": "Hi"}]},
        {"role": "user", "content": [{"type": "text", "text": "Hi", "prompt_cache_breakpoint": {"mode": "explicit"}}]},
        {"role": "assistant", "content": [{"type": "output_text", "text": "Hi", "annotations": None, "logprobs": []}]},
        {"role": "user", "content": [{"type": "input_image", "image_url": None, "file_id": "f", "detail": None}]},
        {"role": "user", "content": [{"type": "input_image", "image_url": "https://x/y.png", "file_id": "f"}]},
        {"role": "user", "content": [{"type": "input_file", "file_url": "data:text/plain;base64,aGk="}]},
        {"role": "user", "content": [{"type": "input_file", "filename": "nothing.pdf"}]},
        {"role": "user", "content": [{"type": ["input_text"]}]},
        {"role": "user", "content": [{"type": "input_text", "text": "Hi", "x": None}]},
        {**SAID, "type": "message", "content": [{**SAID["content"][0], "logprobs": [{"token": "It"}]}]},
        {"type": "reasoning", "summary": []},
        {"type": "reasoning", "id": "rs_1", "encrypted_content": None, "content": []},
        {"type": "reasoning", "summary": None, "content": [{"type": "text", "text": "Hm."}], "format": "v1"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm.", "x": 1}, {"type": "y"}]},
        {"type": "function_call", "call_id": None, "name": "f", "arguments": {"a": 1}},
        {"type": "function_call", "name": "f", "status": None, "caller": {"type": "direct"}},
        {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": None},
        {"type": "custom_tool_call_output", "call_id": "nobody", "output": "x"},
        {"type": "function_call_output", "output": None, "name": "f", "namespace": "n", "caller": None},
    ],
)
def test_an_unusual_item_round_trips(item: dict[str, Any]) -> None:
    assert same_at_home({"input": [item, CALL]})


# Reasoning


def test_reasoning_summary_and_content_are_read_without_duplicates() -> None:
    item = {**THOUGHT, "content": [{"type": "reasoning_text", "text": "Blue is short."}]}
    (message,) = messages_of(item)
    texts = [part["text"] for part in message["reasoning"]]
    assert texts == ["I look up.", "Blue is short."]
    assert message["extra"][OWN]["reasoning"] == {"id": "rs_1", "encrypted_content": "Z29vZA==", "content": 1}
    message["reasoning"][1]["text"] = "Blue is long."
    body, _ = encoded({"dialect": OWN, "messages": [message]})
    assert body["input"][0]["summary"] == item["summary"]
    assert body["input"][0]["content"] == [{"type": "reasoning_text", "text": "Blue is long."}]


def test_encrypted_reasoning_is_kept_without_a_text() -> None:
    (message,) = messages_of({**THOUGHT, "summary": []})
    assert "reasoning" not in message
    assert message["extra"][OWN]["reasoning"]["encrypted_content"] == "Z29vZA=="
    assert same_at_home({"input": [{**THOUGHT, "summary": []}, SAID]})


def test_state_of_this_provider_is_returned_to_it_in_a_history_of_another_dialect() -> None:
    history = [*messages_of({"role": "user", "content": "What is above?"}, THOUGHT, SAID, CALL, RESULT)]
    assert items_of(*history) == [{"role": "user", "content": "What is above?"}, THOUGHT, SAID, CALL, RESULT]


def test_foreign_reasoning_is_lost_in_a_request_and_a_summary_in_an_answer() -> None:
    message = {"role": "assistant", "reasoning": "Hm.", "content": "Blue."}
    body, losses = encoded({"dialect": "claude", "model": "m", "messages": [message]})
    assert body["input"] == [{"type": "message", "role": "assistant", "content": "Blue."}]
    assert told(losses) == {("lost", "reasoning", "/messages/0/reasoning")}
    body, losses = answered({"dialect": "claude", "messages": [message]})
    assert body["output"][0] == {
        "type": "reasoning",
        "id": "rs_01ba4719c80b_0",
        "summary": [{"type": "summary_text", "text": "Hm."}],
    }
    assert ("filled", "required", f"/messages/0/extra/{OWN}") in told(losses)


# What an assistant says


def test_foreign_text_is_written_as_text_of_a_message_with_its_type() -> None:
    """The type may be missing; without it llama.cpp refuses a message of the assistant (ggml-org/llama.cpp#26394)."""
    said = {"type": "message", "role": "assistant"}
    parts = [{"type": "text", "text": "It is "}, {"type": "text", "text": "blue.", "extra": {"claude": {"fields": {}}}}]
    assert items_of({"role": "assistant", "content": parts}) == [{**said, "content": "It is blue."}]
    assert items_of({"role": "assistant", "content": "Blue."}) == [{**said, "content": "Blue."}]


def test_foreign_citations_and_refusals_require_an_output_message() -> None:
    cited = {"type": "text", "text": "Blue.", "citations": [{"kind": "url", "url": "https://x.example", "title": "X"}]}
    message = {"role": "assistant", "content": [cited], "refusal": "No more."}
    body, losses = encoded({"dialect": "claude", "model": "m", "messages": [message]})
    annotation = {"type": "url_citation", "url": "https://x.example", "title": "X", "start_index": 0, "end_index": 5}
    assert body["input"] == [
        {
            "type": "message",
            "role": "assistant",
            "id": "msg_0",
            "status": "completed",
            "content": [
                {"type": "output_text", "text": "Blue.", "annotations": [annotation], "logprobs": []},
                {"type": "refusal", "refusal": "No more."},
            ],
        }
    ]
    assert told(losses) == {
        ("filled", "required", f"/messages/0/extra/{OWN}"),
        ("filled", "required", "/messages/0/content/0/citations/0/start_index"),
        ("filled", "required", "/messages/0/content/0/citations/0/end_index"),
    }


@pytest.mark.parametrize(
    ("annotation", "citation"),
    [
        (
            {"type": "url_citation", "url": "https://x.example", "title": "X", "start_index": 0, "end_index": 2},
            {"kind": "url", "url": "https://x.example", "title": "X", "start_index": 0, "end_index": 2},
        ),
        (
            {"type": "file_citation", "file_id": "f", "filename": "x.pdf", "index": 3},
            {"kind": "file", "file_id": "f", "name": "x.pdf", "extra": {OWN: {"fields": {"index": 3}}}},
        ),
        (
            {"type": "container_file_citation", "container_id": "c", "file_id": "f", "start_index": 0},
            {
                "kind": "container_file",
                "file_id": "f",
                "start_index": 0,
                "extra": {OWN: {"fields": {"container_id": "c"}}},
            },
        ),
        (
            {"type": "file_path", "file_id": "f", "index": 0},
            {"kind": "file_path", "file_id": "f", "extra": {OWN: {"fields": {"index": 0}}}},
        ),
        (
            {"type": "of_tomorrow", "x": 1},
            {"kind": "opaque", "extra": {OWN: {"fields": {"type": "of_tomorrow", "x": 1}}}},
        ),
    ],
)
def test_annotations_are_citations(annotation: dict[str, Any], citation: dict[str, Any]) -> None:
    item = {**SAID, "content": [{**SAID["content"][0], "annotations": [annotation]}]}
    (message,) = messages_of(item)
    assert message["content"] == [{"type": "text", "text": "It is blue.", "citations": [citation]}]
    assert same_at_home({"input": [item]})


def test_refusals_at_the_end_are_the_refusal() -> None:
    refusal = {"type": "refusal", "refusal": "No."}
    (message,) = messages_of({**SAID, "content": [*SAID["content"], refusal]})
    assert (message["content"], message["refusal"]) == ([{"type": "text", "text": "It is blue."}], "No.")
    (message,) = messages_of({**SAID, "content": [refusal, {**refusal, "x": 1}]})
    assert "content" not in message
    assert [part["text"] for part in message["refusal"]] == ["No.", "No."]
    for content in ([refusal], [refusal, *SAID["content"]], [*SAID["content"], refusal, {**refusal, "x": 1}]):
        assert same_at_home({"input": [{**SAID, "content": content}]})


def test_an_empty_text_beside_calls_is_not_written_in_other_dialects() -> None:
    message = {"role": "assistant", "content": "", "tool_calls": [{"id": "call_1", "name": "f", "arguments": "{}"}]}
    body, losses = encoded({"dialect": "openai_chat", "model": "m", "messages": [message]})
    assert [item["type"] for item in body["input"]] == ["function_call"]
    assert losses == ()


# Calls and results


def test_the_call_id_identifies_a_call_and_the_item_id_is_provider_state() -> None:
    item = {**CALL, "id": "fc_1", "status": "completed", "namespace": "sky"}
    (message,) = messages_of(item)
    (call,) = message["tool_calls"]
    assert call["id"] == "call_1"
    assert call["arguments"] == '{"at": "sky"}'
    assert call["extra"][OWN] == {"id": "fc_1", "status": "completed", "namespace": "sky"}
    assert same_at_home({"input": [item]})


def test_the_result_of_a_custom_call_has_its_own_type() -> None:
    call = {"type": "custom_tool_call", "call_id": "call_1", "name": "shell", "input": "ls"}
    result = {"type": "custom_tool_call_output", "call_id": "call_1", "output": "x.txt"}
    asked, answer = messages_of(call, result)
    assert asked["tool_calls"] == [{"id": "call_1", "name": "shell", "arguments": "ls", "kind": "custom"}]
    assert answer == {"role": "tool", "call_id": "call_1", "content": "x.txt"}
    assert items_of(asked, answer) == [call, result]
    assert same_at_home({"input": [call, {**RESULT, "call_id": "call_1"}]})


def test_a_result_may_have_images_and_files() -> None:
    parts = [
        {"type": "input_text", "text": "Look:"},
        {"type": "input_image", "image_url": "data:image/png;base64,aGk="},
        {"type": "input_file", "file_data": "data:application/pdf;base64,aGk=", "filename": "x.pdf"},
    ]
    (message,) = messages_of({**RESULT, "output": parts})
    assert message["content"] == [
        {"type": "text", "text": "Look:"},
        {"type": "image", "format": "image/png", "data": "aGk="},
        {"type": "file", "format": "application/pdf", "data": "aGk=", "name": "x.pdf"},
    ]
    assert items_of(message) == [{**RESULT, "output": parts}]


def test_a_result_without_an_id_answers_the_first_open_call_of_its_name_or_else_the_first() -> None:
    calls = [{"name": "sun", "arguments": {}}, {"name": "moon", "arguments": {"full": True}}]
    results = [{"role": "tool", "name": "moon", "content": "up"}, {"role": "tool", "content": "down"}]
    messages = [{"role": "assistant", "tool_calls": calls}, *results]
    body, losses = encoded({"dialect": "gemini", "model": "m", "messages": messages})
    assert body["input"] == [
        {"type": "function_call", "call_id": "call_0_0", "name": "sun", "arguments": "{}"},
        {"type": "function_call", "call_id": "call_0_1", "name": "moon", "arguments": '{"full":true}'},
        {"type": "function_call_output", "call_id": "call_0_1", "output": "up", "name": "moon"},
        {"type": "function_call_output", "call_id": "call_0_0", "output": "down"},
    ]
    assert ("filled", "required", "/messages/1/call_id") in told(losses)


def test_only_the_length_of_an_id_is_limited_and_a_long_one_is_replaced_consistently() -> None:
    long = "x" * 65
    calls = [{"id": "functions.f:0", "name": "f", "arguments": "{}"}, {"id": long, "name": "f.g", "arguments": "{}"}]
    called, _, first, second = encoded({"dialect": "openai_chat", "model": "m", "messages": [
        {"role": "assistant", "tool_calls": calls},
        {"role": "tool", "call_id": "functions.f:0", "content": ""},
        {"role": "tool", "call_id": long, "content": ""},
    ]})[0]["input"]  # fmt: skip
    assert called["call_id"] == first["call_id"] == "functions.f:0"
    assert len(second["call_id"]) == 64
    assert _["call_id"] == second["call_id"]
    assert _["name"].startswith("f_g_")


def test_a_result_uses_the_offered_tool_name() -> None:
    asked = {
        "contents": [
            {"role": "user", "parts": [{"text": "Hi"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "f.x", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "f.x", "response": {"output": "1"}}}]},
        ],
        "tools": [{"functionDeclarations": [{"name": "f.x", "parametersJsonSchema": {"type": "object"}}]}],
    }
    encoded = il.translate_request(asked, "gemini", "openai_responses", model="gpt-5.6")
    (tool,) = encoded.body["tools"]
    assert [item["name"] for item in encoded.body["input"] if "name" in item] == [tool["name"], tool["name"]]
