"""The room `gemini`: conversations, there and back, and what becomes of those of other dialects."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.loss import LossLog
from interlingua.model import ChatRequest, ChatResponse
from interlingua.rooms import gemini

Losses = dict[str, tuple[str, str]]
CALL: Any = {"id": "call_1", "name": "get_weather", "arguments": '{"city": "Paris"}'}
HELLO: Any = {"role": "user", "parts": [{"text": "hello"}]}


def encode_request(request: Any) -> tuple[dict[str, Any], Losses]:
    log = LossLog()
    return gemini.encode_request(request, log), {loss.path: (loss.code, loss.severity) for loss in log.losses()}


def encode_response(response: Any) -> tuple[dict[str, Any], Losses]:
    log = LossLog()
    return gemini.encode_response(response, log), {loss.path: (loss.code, loss.severity) for loss in log.losses()}


def messages_of(*contents: Any) -> Any:
    return gemini.decode_request({"contents": list(contents)})["messages"]


QUESTION: Final = {"role": "user", "content": "What is the weather like?"}


def contents_of(*messages: Any, **members: Any) -> Any:
    return encode_request({"messages": list(messages), **members})[0]["contents"]


def said(role: str, *parts: Any) -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


def answer(*parts: Any, **members: Any) -> dict[str, Any]:
    candidate = {"content": said("model", *parts), "finishReason": "STOP", "index": 0, **members}
    return {"candidates": [candidate], "modelVersion": "gemini-2.5-flash"}


def asked(body: Any) -> Any:
    """Return a body after a whole round: decoded, stored as a model, loaded, encoded."""
    stored = ChatRequest.model_validate(gemini.decode_request(body)).model_dump_json()
    again, losses = encode_request(json.loads(stored))
    assert losses == {}
    return again


def answered(body: Any) -> Any:
    """Return an answer after a whole round, as `asked` does."""
    stored = ChatResponse.model_validate(gemini.decode_response(body)).model_dump_json()
    again, losses = encode_response(json.loads(stored))
    assert losses == {}
    return again


# Roles


@pytest.mark.requirement("MAP-5.1")
def test_system_and_developer_are_extracted_into_system_instruction() -> None:
    body, losses = encode_request(
        {
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "developer", "content": "Speak French."},
                {"role": "user", "content": "hello"},
            ]
        }
    )
    assert body["systemInstruction"] == {"parts": [{"text": "Be brief.\n\nSpeak French."}]}
    assert body["contents"] == [HELLO]
    assert losses == {"/messages/1/role": ("role", "changed")}


def test_a_later_instruction_becomes_a_user_message() -> None:
    body, losses = encode_request(
        {
            "messages": [
                {"role": "user", "content": "hello"},
                {"role": "assistant", "content": "hi"},
                {"role": "system", "content": "Be brief."},
            ]
        }
    )
    assert "systemInstruction" not in body
    assert body["contents"][2] == said("user", {"text": "Be brief."})
    assert losses == {"/messages/2/role": ("role", "changed")}


@pytest.mark.requirement("MAP-5.2")
def test_user_stays_user_and_assistant_becomes_model() -> None:
    contents = [HELLO, said("model", {"text": "hi"})]
    messages = messages_of(*contents)
    assert messages == [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]
    assert contents_of(*messages) == contents


@pytest.mark.requirement("MAP-5.2")
@pytest.mark.parametrize("role", ["model", "user", "function", "narrator", None])
def test_decoding_an_answer_always_produces_assistant(role: str | None) -> None:
    body = answer({"text": "hi"})
    body["candidates"][0]["content"]["role"] = role
    message: Any = gemini.decode_response(body)["messages"][0]
    assert (message["role"], message["content"]) == ("assistant", "hi")
    assert answered(body) == body


def test_a_content_of_an_unknown_role_is_an_opaque_message() -> None:
    content = said("narrator", {"text": "Once upon a time"})
    assert messages_of(content) == [{"role": "opaque", "dialect": "gemini", "data": content}]
    assert asked({"contents": [content]}) == {"contents": [content]}


def test_consecutive_contents_of_one_role_are_separate_within_the_dialect_and_joined_in_others() -> None:
    body = {"contents": [HELLO, HELLO]}
    assert asked(body) == body
    plain = [{"role": "user", "content": "hello"}, {"role": "user", "content": "hello"}]
    assert contents_of(*plain) == [said("user", {"text": "hello"}, {"text": "hello"})]


def test_texts_of_two_answers_in_one_turn_are_separated_by_a_blank_line() -> None:
    contents = contents_of({"role": "assistant", "content": "one"}, {"role": "assistant", "content": "two"})
    assert contents == [said("model", {"text": "one\n\ntwo"})]


# Thoughts and signatures


@pytest.mark.requirement("MAP-5.3")
def test_reasoning_is_thought_parts() -> None:
    body = answer({"text": "Let me see.", "thought": True}, {"text": "It is 4."})
    response = gemini.decode_response(body)
    assert response["messages"] == [{"role": "assistant", "reasoning": "Let me see.", "content": "It is 4."}]
    assert answered(body) == body
    elsewhere: Any = {"messages": response["messages"], "finish_reason": "stop"}
    assert encode_response(elsewhere)[0]["candidates"][0]["content"] == body["candidates"][0]["content"]


def test_thoughts_of_another_model_are_lost_in_a_request() -> None:
    body, losses = encode_request({"messages": [{"role": "assistant", "reasoning": "Let me see.", "content": "4"}]})
    assert body["contents"] == [said("model", {"text": "4"})]
    assert losses == {"/messages/0/reasoning": ("reasoning", "lost")}


SIGNED = said(
    "model",
    {"text": "Let me see.", "thought": True, "thoughtSignature": "czE="},
    {"text": "I will look.", "thoughtSignature": "czI="},
    {"functionCall": {"name": "look", "args": {}}, "thoughtSignature": "czM="},
    {"functionCall": {"name": "look", "args": {}}},
    {"functionCall": {"name": "find", "args": {}}, "thoughtSignature": "czQ="},
)


@pytest.mark.requirement("MAP-5.4")
def test_thought_signatures_are_sent_back_with_their_parts() -> None:
    (message,) = messages_of(SIGNED)
    assert message["extra"]["gemini"]["thought_signatures"] == [
        {"at": "/reasoning", "signature": "czE="},
        {"at": "/content", "signature": "czI="},
        {"at": "/tool_calls/0", "signature": "czM="},
        {"at": "/tool_calls/2", "signature": "czQ="},
    ]
    assert asked({"contents": [HELLO, SIGNED]}) == {"contents": [HELLO, SIGNED]}


@pytest.mark.requirement("MAP-5.4")
def test_signatures_in_a_handwritten_history_are_written() -> None:
    assert contents_of(*messages_of(HELLO, SIGNED)) == [HELLO, SIGNED]


@pytest.mark.requirement("MAP-7.1")
def test_extra_gemini_is_typed() -> None:
    request = ChatRequest.model_validate(gemini.decode_request({"contents": [SIGNED]}))
    extra = request.messages[0].extra
    assert extra is not None
    assert extra.gemini is not None
    signatures = extra.gemini.thought_signatures
    assert signatures is not None
    assert [(one.at, one.signature) for one in signatures][2:] == [("/tool_calls/0", "czM="), ("/tool_calls/2", "czQ=")]


def test_a_signature_on_an_empty_text_is_kept() -> None:
    content = said("model", {"text": "Done."}, {"text": "", "thoughtSignature": "c2ln"})
    assert contents_of(*messages_of(content)) == [content]


def test_a_signature_whose_part_is_dropped_is_reported() -> None:
    (message,) = messages_of(SIGNED)
    del message["tool_calls"]
    body, losses = encode_request({"messages": [message]})
    gone = "/messages/0/extra/gemini/thought_signatures"
    assert losses == {f"{gone}/2": ("provider_state", "lost"), f"{gone}/3": ("provider_state", "lost")}
    assert "czM=" not in json.dumps(body)


def test_the_first_call_of_another_model_gets_the_documented_placeholder_signature() -> None:
    calls = {"role": "assistant", "tool_calls": [CALL, {**CALL, "id": "call_2"}]}
    body, losses = encode_request({"messages": [QUESTION, calls]})
    first, second = body["contents"][1]["parts"]
    assert first["thoughtSignature"] == "skip_thought_signature_validator"
    assert "thoughtSignature" not in second
    assert losses == {"/messages/1/extra/gemini": ("required", "filled")}


def test_a_signature_of_another_provider_is_never_written() -> None:
    claude = {"thinking_blocks": [{"type": "thinking", "signature": "c2VjcmV0"}]}
    message = {"role": "assistant", "reasoning": "hm", "content": "4", "extra": {"claude": claude}}
    body, losses = encode_request({"messages": [message]})
    assert "c2VjcmV0" not in json.dumps(body)
    assert losses["/messages/0/extra/claude"] == ("provider_state", "lost")


# Calls and results


def test_a_call_is_an_object_and_its_result_names_the_function() -> None:
    contents = contents_of(
        QUESTION, {"role": "assistant", "tool_calls": [CALL]}, {"role": "tool", "call_id": "call_1", "content": "sunny"}
    )
    assert contents[1]["parts"][0]["functionCall"] == {"id": "call_1", "name": "get_weather", "args": {"city": "Paris"}}
    response = {"id": "call_1", "name": "get_weather", "response": {"output": "sunny"}}
    assert contents[2] == said("user", {"functionResponse": response})


def test_results_without_an_id_pair_by_name_then_by_order() -> None:
    calls = [{"name": "a", "arguments": {}}, {"name": "b", "arguments": {}}]
    results = [{"role": "tool", "content": "1"}, {"role": "tool", "content": "2"}]
    contents = contents_of(QUESTION, {"role": "assistant", "tool_calls": calls}, *results)
    assert [part["functionResponse"]["name"] for part in contents[2]["parts"]] == ["a", "b"]


def test_results_are_in_a_separate_content() -> None:
    calls = {"role": "assistant", "tool_calls": [{"id": one, "name": one, "arguments": {}} for one in ("a", "b")]}
    results = [{"role": "tool", "call_id": one, "content": one} for one in ("a", "b")]
    reminder = {"role": "system", "content": "Be brief."}
    contents = contents_of(QUESTION, calls, *results, QUESTION, reminder)
    kinds = [(content["role"], [next(iter(part)) for part in content["parts"]]) for content in contents[1:]]
    assert kinds == [
        ("model", ["functionCall", "functionCall"]),
        ("user", ["functionResponse", "functionResponse"]),
        ("user", ["text", "text"]),
    ]


@pytest.mark.parametrize("model", ["gemini-2.5-flash", "gemini-3.8-flash"])
def test_images_of_results_are_not_attached_to_other_results(model: str) -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "x"}, picture]}
    turns = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]},
        {"role": "user", "content": [result, {"type": "text", "text": "Well?"}]},
    ]
    body = {"model": "m", "max_tokens": 9, "messages": turns}
    contents = il.translate_request(body, "claude", "gemini", model=model).body["contents"]
    for content in contents:
        assert len({"functionResponse" in part for part in content["parts"]}) == 1
    assert "iVBORw0KGgo=" in json.dumps(contents)
    assert contents[-1]["parts"][-1] == {"text": "Well?"}


def test_all_results_of_a_turn_are_in_one_content() -> None:
    results = [{"role": "tool", "call_id": f"call_{at}", "content": "x"} for at in range(3)]
    (content,) = contents_of(*results)
    assert [part["functionResponse"]["id"] for part in content["parts"]] == ["call_0", "call_1", "call_2"]


@pytest.mark.parametrize(
    ("response", "content", "is_error"),
    [
        ({"output": "sunny"}, "sunny", None),
        ({"error": "no such city"}, "no such city", True),
        ({"output": {"sky": "clear"}}, '{"sky":"clear"}', None),
        ({"output": None}, "null", None),
        ({"error": [1, 2]}, "[1,2]", True),
        ({"sky": "clear", "degrees": 21}, '{"sky":"clear","degrees":21}', None),
        ({"output": "sunny", "degrees": 21}, '{"output":"sunny","degrees":21}', None),
        ({"big": 123456789012345678901234567890}, '{"big":123456789012345678901234567890}', None),
        ({"lone": "\ud800"}, '{"lone":"\\ud800"}', None),
        ({}, None, None),
    ],
)
def test_a_result_in_any_form_is_translated_to_text(response: Any, content: str | None, is_error: bool | None) -> None:
    wire = said("user", {"functionResponse": {"name": "look", "response": response}})
    (message,) = messages_of(wire)
    assert (message["role"], message.get("content"), message.get("is_error")) == ("tool", content, is_error)
    body, losses = encode_request({"dialect": "gemini", "messages": [message]})
    assert (body["contents"], losses) == ([wire], {})


def test_an_edited_result_is_written_as_text_if_it_is_no_longer_an_object() -> None:
    (message,) = messages_of(said("user", {"functionResponse": {"name": "look", "response": {"sky": "clear"}}}))
    message["content"] = "cloudy"
    assert contents_of(message)[0]["parts"][0]["functionResponse"]["response"] == {"output": "cloudy"}


def test_images_of_a_result_are_in_its_parts() -> None:
    picture = {"inlineData": {"mimeType": "image/png", "data": "iVBORw=="}}
    response = {"name": "draw", "response": {"output": "done"}, "parts": [picture]}
    (message,) = messages_of(said("user", {"functionResponse": response}))
    assert message["content"] == [
        {"type": "text", "text": "done"},
        {"type": "image", "format": "image/png", "data": "iVBORw=="},
    ]
    assert contents_of(message) == [said("user", {"functionResponse": response})]


def test_a_refused_name_is_replaced_consistently() -> None:
    body, losses = encode_request(
        {
            "messages": [
                QUESTION,
                {"role": "assistant", "tool_calls": [{"id": "c", "name": "9 lives", "arguments": {}}]},
                {"role": "tool", "call_id": "c", "content": "x"},
            ],
            "tools": [{"type": "function", "name": "9 lives"}],
            "tool_choice": {"mode": "named", "name": "9 lives"},
        }
    )
    name = body["tools"][0]["functionDeclarations"][0]["name"]
    assert name[0] == "_"
    assert body["contents"][1]["parts"][0]["functionCall"]["name"] == name
    assert body["contents"][2]["parts"][0]["functionResponse"]["name"] == name
    assert body["toolConfig"]["functionCallingConfig"]["allowedFunctionNames"] == [name]
    assert losses["/tools/0/name"] == ("name", "changed")


def test_a_call_answered_by_a_server_tool_in_the_same_content_is_not_open() -> None:
    body = answer(
        {"functionCall": {"name": "look", "args": {}}},
        {"functionResponse": {"name": "look", "response": {"output": "x"}}},
        {"text": "It says x."},
    )
    response = gemini.decode_response(body)
    assert [message["role"] for message in response["messages"]] == ["assistant", "tool", "assistant"]
    assert response["finish_reason"] == "stop"
    assert answered(body) == body


# Abroad


def test_unrepresentable_members_are_reported_one_by_one() -> None:
    request = {
        "messages": [
            {"role": "user", "name": "Ann", "id": "m1", "content": [{"type": "text", "text": "hello", "cache": {}}]},
            {"role": "assistant", "refusal": "no", "content": ""},
            {"role": "tool", "call_id": "c", "name": "f", "content": "x", "is_error": False},
        ],
        "user": "u",
        "logit_bias": {"1": 2},
        "tools": [{"type": "function", "name": "f"}],
        "parallel_tool_calls": False,
        "verbosity": "low",
    }
    _, losses = encode_request(request)
    assert losses == {
        "/messages/0/name": ("member", "lost"),
        "/messages/0/id": ("local_id", "changed"),
        "/messages/0/content/0/cache": ("cache", "lost"),
        "/messages/1/refusal": ("refusal", "changed"),
        "/user": ("setting", "lost"),
        "/logit_bias": ("setting", "lost"),
        "/parallel_tool_calls": ("setting", "lost"),
        "/verbosity": ("setting", "lost"),
    }


def test_an_opaque_message_of_another_dialect_is_lost_and_the_turn_continues() -> None:
    opaque = {"role": "opaque", "dialect": "openai_responses", "data": {"type": "web_search_call"}}
    contents = contents_of({"role": "user", "content": "a"}, opaque, {"role": "user", "content": "b"})
    assert contents == [said("user", {"text": "a"}, {"text": "b"})]


def test_a_result_pairs_with_the_first_open_call_of_its_name() -> None:
    calls = [{"id": "1", "name": "a", "arguments": {}}, *({"name": name, "arguments": {}} for name in "aba")]
    results = [
        {"role": "tool", "call_id": "1", "content": "by id"},
        {"role": "tool", "name": "b", "content": "by name"},
        {"role": "tool", "content": "by order"},
        {"role": "tool", "content": "by order"},
        {"role": "tool", "content": "which belongs to the result before it"},
    ]
    contents = contents_of(QUESTION, {"role": "assistant", "tool_calls": calls}, *results)
    told = [part["functionResponse"] for part in contents[2]["parts"]]
    assert [one["name"] for one in told] == ["a", "a", "b", "a"]
    *said, last = [one["response"]["output"] for one in told]
    assert said == ["by id", "by order", "by name"]
    assert last.startswith("by order")
    assert last.endswith("which belongs to the result before it")
