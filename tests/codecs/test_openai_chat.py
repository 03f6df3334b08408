"""The room of OpenAI Chat Completions: what each thing on the wire means, and what is written for each meaning."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CALL: Final = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at":"sky"}'}}
QUESTION: Final = {"role": "user", "content": "Why is the sky blue?"}


def request(*messages: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages) or [QUESTION], **members}


def response(message: dict[str, Any], **members: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    return {"id": "i", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], **members}


def decoded(*messages: dict[str, Any], **members: Any) -> dict[str, Any]:
    return il.decode_request(request(*messages, **members), "openai_chat").model_dump(mode="json")


def at_home(body: dict[str, Any]) -> dict[str, Any]:
    encoded = il.encode_request(il.decode_request(body, "openai_chat"), "openai_chat")
    assert encoded.losses == ()
    return encoded.body


def written(*messages: dict[str, Any], **members: Any) -> il.Encoded:
    """Return the body of a request that was made by hand."""
    return il.encode_request({"model": "m", "messages": list(messages), **members}, "openai_chat")


def losses(encoded: il.Encoded) -> list[tuple[str, str, str]]:
    return [(loss.severity, loss.code, loss.path) for loss in encoded.losses]


@pytest.mark.requirement("MAP-4.1")
@pytest.mark.parametrize("role", ["system", "developer", "user", "assistant"])
@pytest.mark.parametrize("more", [{}, {"name": "ada"}])
def test_roles_are_unchanged(role: str, more: dict[str, Any]) -> None:
    message = {"role": role, "content": "Hello", **more}
    assert decoded(message)["messages"] == [message]
    assert written(message).body["messages"] == [message]


@pytest.mark.requirement("MAP-4.1", "MAP-4.2")
def test_a_tool_message_refers_to_its_call_by_id() -> None:
    result = {"role": "tool", "tool_call_id": "call_1", "content": "Rayleigh"}
    assert decoded(result)["messages"] == [{"role": "tool", "call_id": "call_1", "content": "Rayleigh"}]
    assert written({"role": "tool", "call_id": "call_1", "content": "Rayleigh"}).body["messages"] == [result]


@pytest.mark.requirement("MAP-4.2")
def test_a_tool_message_without_a_call_id_uses_its_own_id() -> None:
    answered = written({"role": "tool", "id": "call_1", "content": "Rayleigh"})
    assert answered.body["messages"] == [{"role": "tool", "tool_call_id": "call_1", "content": "Rayleigh"}]
    both = written({"role": "tool", "call_id": "call_1", "id": "ours", "content": "Rayleigh"})
    assert both.body["messages"] == answered.body["messages"]
    assert losses(both) == [("changed", "local_id", "/messages/0/id")]


def test_a_message_of_an_unknown_role_is_opaque() -> None:
    strange = {"role": "narrator", "content": "Meanwhile", "mood": None}
    assert decoded(QUESTION, strange)["messages"][1] == {"role": "opaque", "dialect": "openai_chat", "data": strange}
    assert at_home(request(QUESTION, strange, QUESTION)) == request(QUESTION, strange, QUESTION)


@pytest.mark.requirement("NORM-2.1.1", "NORM-2.1.2", "NORM-2.1.3")
def test_an_empty_content_next_to_calls_is_kept() -> None:
    said = {"role": "assistant", "content": "", "tool_calls": [CALL]}
    assert decoded(said)["messages"][0]["content"] == ""
    assert at_home(request(said)) == request(said)
    by_hand = {"role": "assistant", "content": "", "tool_calls": decoded(said)["messages"][0]["tool_calls"]}
    assert written(by_hand).body["messages"] == [said]


@pytest.mark.requirement("NORM-2.2.1", "NORM-2.2.2")
def test_content_without_calls_is_unchanged() -> None:
    said = {"role": "assistant", "content": "Because of \n the air. "}
    assert decoded(said)["messages"] == [said]
    assert written(said).body["messages"] == [said]


@pytest.mark.parametrize("content", [{"content": None}, {}, {"content": ""}, {"content": []}])
def test_null_absent_empty_text_and_empty_list_beside_calls_round_trip(content: dict[str, Any]) -> None:
    body = request({"role": "assistant", **content, "tool_calls": [CALL]})
    assert at_home(body) == body


def test_a_handwritten_message_has_null_content_beside_calls_and_empty_text_otherwise() -> None:
    calls = [{"id": "call_1", "name": "look", "arguments": '{"at":"sky"}'}]
    assert written({"role": "assistant", "tool_calls": calls}).body["messages"] == [
        {"role": "assistant", "content": None, "tool_calls": [CALL]}
    ]
    silent = written({"role": "assistant"})
    assert silent.body["messages"] == [{"role": "assistant", "content": ""}]
    assert losses(silent) == [("filled", "required", "/messages/0/content")]


def test_argument_text_is_unchanged() -> None:
    spelt = '{ "big" : 12345678901234567890123, "one": 1.0,\n "one": 2 }'
    call = {**CALL, "function": {"name": "look", "arguments": spelt}}
    said = {"role": "assistant", "content": None, "tool_calls": [call]}
    assert decoded(said)["messages"][0]["tool_calls"][0]["arguments"] == spelt
    assert at_home(request(said)) == request(said)


def test_object_arguments_are_written_as_text() -> None:
    call = {"id": "call_1", "name": "look", "arguments": {"at": "sky", "é": "ü"}}
    body = written({"role": "assistant", "tool_calls": [call]}).body
    assert body["messages"][0]["tool_calls"][0]["function"]["arguments"] == '{"at":"sky","é":"ü"}'


def test_a_call_without_an_id_gets_a_generated_id_and_its_result_the_same() -> None:
    encoded = written(
        QUESTION,
        {"role": "assistant", "tool_calls": [{"name": "look", "arguments": "{}"}, {"name": "hear", "arguments": "{}"}]},
        {"role": "tool", "name": "hear", "content": "silence"},
        {"role": "tool", "content": "blue"},
    )
    assert [call["id"] for call in encoded.body["messages"][1]["tool_calls"]] == ["call_1_0", "call_1_1"]
    assert [message["tool_call_id"] for message in encoded.body["messages"][2:]] == ["call_1_1", "call_1_0"]
    assert ("filled", "required", "/messages/1/tool_calls/0/id") in losses(encoded)
    assert ("filled", "required", "/messages/3/call_id") in losses(encoded)


def test_a_refused_name_is_replaced_consistently_and_reported() -> None:
    name = "functions.look:0"
    encoded = written(
        QUESTION,
        {"role": "assistant", "tool_calls": [{"id": "functions.look:0", "name": name, "arguments": "{}"}]},
        {"role": "tool", "call_id": "functions.look:0", "content": "blue"},
        tools=[{"type": "function", "name": name}],
        tool_choice={"mode": "named", "name": name},
    )
    call = encoded.body["messages"][1]["tool_calls"][0]
    new = call["function"]["name"]
    assert new.replace("_", "").replace("-", "").isalnum()
    assert encoded.body["tools"][0]["function"]["name"] == new
    assert encoded.body["tool_choice"]["function"]["name"] == new
    assert encoded.body["messages"][2]["tool_call_id"] == call["id"]
    assert {loss.code for loss in encoded.losses} == {"name"}


def test_messages_of_one_turn_are_joined_so_that_results_follow_their_calls() -> None:
    first = {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "a", "name": "look", "arguments": "{}"}]}
    second = {
        "role": "assistant",
        "content": "And hear.",
        "tool_calls": [{"id": "b", "name": "hear", "arguments": "{}"}],
    }
    results = [{"role": "tool", "call_id": identifier, "content": "."} for identifier in ("a", "b")]
    messages = written(QUESTION, first, second, *results).body["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool"]
    assert messages[1]["content"] == "I look.\n\nAnd hear."
    assert [call["id"] for call in messages[1]["tool_calls"]] == ["a", "b"]


def test_images_audio_and_files_have_media_types() -> None:
    parts = [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA==", "detail": "low"}},
        {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
        {"type": "input_audio", "input_audio": {"data": "AA==", "format": "mp3"}},
        {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,AA=="}},
    ]
    message = {"role": "user", "content": parts}
    assert decoded(message)["messages"][0]["content"] == [
        {"type": "image", "format": "image/png", "data": "AA==", "detail": "low"},
        {"type": "image", "url": "https://example.com/a.png"},
        {"type": "audio", "format": "audio/mpeg", "data": "AA=="},
        {"type": "file", "format": "application/pdf", "name": "a.pdf", "data": "AA=="},
    ]
    assert at_home(request(message)) == request(message)


def test_a_part_of_an_unknown_type_is_kept_between_known_ones() -> None:
    parts = [
        {"type": "text", "text": "See"},
        {"type": "hologram", "shape": [1, 2.0, None]},
        {"type": "text", "text": "this"},
    ]
    message = {"role": "user", "content": parts}
    kinds = [part["type"] for part in decoded(message)["messages"][0]["content"]]
    assert kinds == ["text", "opaque", "text"]
    assert at_home(request(message)) == request(message)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (request({"role": "user", "content": [{"type": "text"}]}), "/messages/0/content/0/text"),
        (request({"role": "user", "content": 7}), "/messages/0/content"),
        (request({"role": 7, "content": "Hello"}), "/messages/0/role"),
        (request({"role": "tool", "tool_call_id": 7, "content": "Hello"}), "/messages/0/tool_call_id"),
        (
            request({"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {}}]}),
            "/messages/0/tool_calls/0/function/name",
        ),
        ({"model": "m"}, "/messages"),
    ],
)
def test_a_malformed_known_member_raises_an_error_with_its_path(body: dict[str, Any], path: str) -> None:
    with pytest.raises(il.DecodeError) as refused:
        il.decode_request(body, "openai_chat")
    assert (refused.value.dialect, refused.value.path) == ("openai_chat", path)


def test_settings_have_their_canonical_names() -> None:
    settings = {
        "max_completion_tokens": 9,
        "stop": ["."],
        "reasoning_effort": "low",
        "safety_identifier": "u",
        "seed": 1,
    }
    request_ = decoded(**settings)
    assert request_["max_tokens"] == 9
    assert request_["stop"] == ["."]
    assert request_["reasoning"] == {"effort": "low"}
    assert request_["user"] == "u"
    assert at_home(request(**settings)) == request(**settings)


@pytest.mark.parametrize(
    "older", [{"max_tokens": 9}, {"stop": "."}, {"user": "u"}, {"temperature": 1}, {"temperature": 1.0}]
)
def test_an_older_or_shorter_form_round_trips(older: dict[str, Any]) -> None:
    assert at_home(request(**older)) == request(**older)
    assert [type(value) for value in at_home(request(**older)).values()] == [
        type(value) for value in request(**older).values()
    ]


@pytest.mark.parametrize(
    ("wire", "canonical"),
    [
        ("auto", {"mode": "auto"}),
        ("none", {"mode": "none"}),
        ("required", {"mode": "required"}),
        ({"type": "function", "function": {"name": "f"}}, {"mode": "named", "name": "f"}),
        ({"type": "custom", "custom": {"name": "f"}}, {"mode": "named", "name": "f", "kind": "custom"}),
        (
            {
                "type": "allowed_tools",
                "allowed_tools": {"mode": "required", "tools": [{"type": "function", "function": {"name": "f"}}]},
            },
            {"mode": "subset", "names": ["f"], "required": True},
        ),
    ],
)
def test_a_tool_choice_is_an_object_with_a_mode(wire: Any, canonical: dict[str, Any]) -> None:
    body = request(tools=[{"type": "function", "function": {"name": "f"}}], tool_choice=wire)
    assert il.decode_request(body, "openai_chat").model_dump(mode="json")["tool_choice"] == canonical
    assert at_home(body) == body


def test_usage_counts_include_cached_and_reasoning_tokens() -> None:
    usage = {
        "prompt_tokens": 130,
        "completion_tokens": 20,
        "total_tokens": 150,
        "prompt_tokens_details": {"cached_tokens": 30},
        "completion_tokens_details": {"reasoning_tokens": 8},
    }
    body = response({"content": "Hi"}, usage=usage)
    answer = il.decode_response(body, "openai_chat")
    assert answer.usage is not None
    assert answer.usage.model_dump() == {
        "input_tokens": 130,
        "output_tokens": 20,
        "total_tokens": 150,
        "cache_read_tokens": 30,
        "reasoning_tokens": 8,
    }
    assert il.encode_response(answer, "openai_chat").body == body


@pytest.mark.parametrize(
    ("word", "reason", "raw"),
    [
        ("stop", "stop", None),
        ("length", "length", None),
        ("tool_calls", "tool_calls", None),
        ("content_filter", "content_filter", None),
        ("function_call", "tool_calls", "function_call"),
        ("eos_token", "stop", "eos_token"),
        ("abort", "cancelled", "abort"),
        ("unheard_of", "other", "unheard_of"),
    ],
)
def test_a_finish_reason_is_normalised_and_its_raw_value_kept(word: str, reason: str, raw: str | None) -> None:
    body = response({"content": "Hi"})
    body["choices"][0]["finish_reason"] = word
    answer = il.decode_response(body, "openai_chat")
    assert (answer.finish_reason, answer.finish_reason_raw) == (reason, raw)
    assert il.encode_response(answer, "openai_chat").body == body


def test_a_raw_finish_reason_is_ignored_once_the_reason_is_edited() -> None:
    body = response({"content": "Hi"})
    body["choices"][0]["finish_reason"] = "eos_token"
    edited = il.decode_response(body, "openai_chat").replace(finish_reason="length")
    assert il.encode_response(edited, "openai_chat").body["choices"][0]["finish_reason"] == "length"


def test_a_refusal_is_not_content() -> None:
    body = response({"content": None, "refusal": "I will not."})
    answer = il.decode_response(body, "openai_chat")
    assert answer.messages[0].refusal == "I will not."
    assert answer.messages[0].content is None
    assert il.encode_response(answer, "openai_chat").body == body


def test_further_choices_are_alternatives() -> None:
    body = response({"content": "Hi"})
    body["choices"].append({"index": 1, "message": {"role": "assistant", "content": "Ho"}, "finish_reason": "length"})
    answer = il.decode_response(body, "openai_chat")
    assert [message.content for message in answer.messages] == ["Hi"]
    assert answer.alternatives is not None
    assert [(one.messages[0].content, one.finish_reason) for one in answer.alternatives] == [("Ho", "length")]
    assert il.encode_response(answer, "openai_chat").body == body


def test_a_finish_reason_and_other_members_are_filled_for_a_handwritten_answer() -> None:
    encoded = il.encode_response({"messages": [{"role": "assistant", "content": "Hi"}]}, "openai_chat")
    assert encoded.body == {
        "id": "chatcmpl-01ba4719c80b",
        "object": "chat.completion",
        "created": 0,
        "model": "",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "Hi", "refusal": None},
                "finish_reason": "stop",
                "logprobs": None,
            }
        ],
    }
    assert {(loss.severity, loss.path) for loss in encoded.losses} == {
        ("filled", "/id"),
        ("filled", "/created"),
        ("filled", "/model"),
        ("filled", "/finish_reason"),
    }


def test_an_answer_message_without_a_role_is_the_assistants_and_has_no_role_within_the_dialect() -> None:
    for message in ({"content": "Hi"}, {"content": "Hi", "refusal": None}, {"role": None, "content": "Hi"}):
        body = response({})
        body["choices"][0]["message"] = dict(message)
        answer = il.decode_response(body, "openai_chat")
        assert answer.messages[0].role == "assistant"
        assert il.encode_response(answer, "openai_chat").body == body
        assert body["choices"][0]["message"] == message
