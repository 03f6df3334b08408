"""The room `vllm`: what it says otherwise than its family, both ways."""

from __future__ import annotations

import copy
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.errors import DecodeError
from interlingua.loss import LossLog
from interlingua.model import ChatRequest, ChatResponse
from interlingua.rooms import openai_chat, vllm

PNG: Final = "iVBORw0KGgoAAAANSUhEUg=="
SCHEMA: Final[dict[str, Any]] = {"type": "object", "properties": {"city": {"type": "string"}}}
QUESTION: Final = {"role": "user", "content": "Hello"}


def asked(**members: Any) -> dict[str, Any]:
    """Return a body of a request."""
    return {"model": "qwen", "messages": [QUESTION], **members}


def said(*parts: Any, role: str = "user") -> dict[str, Any]:
    """Return members with one message of some parts."""
    return {"messages": [{"role": role, "content": list(parts)}]}


def answered(message: dict[str, Any], **choice: Any) -> dict[str, Any]:
    """Return a body of a response."""
    choices = [{"index": 0, "message": message, "finish_reason": "stop", **choice}]
    return {"id": "a", "object": "chat.completion", "created": 1, "model": "qwen", "choices": choices}


def encoded(room: Any = vllm, **members: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the body of a request made by hand, and the losses as path to severity."""
    log = LossLog()
    body = room.encode_request({"model": "qwen", "messages": [QUESTION], **members}, log)
    return body, {loss.path: loss.severity for loss in log.losses()}


def decoded(**members: Any) -> Any:
    return vllm.decode_request(asked(**members))


@pytest.mark.parametrize(
    "members",
    [
        {"top_k": 20, "min_p": 0.1, "repetition_penalty": 1.1, "stop_token_ids": [1], "max_tokens": 8, "user": "me"},
        {"safety_identifier": "me", "metadata": {"a": "b"}, "verbosity": "low", "prompt_cache_key": "k"},
        {"user": "me", "safety_identifier": "you"},
        {"chat_template_kwargs": {"enable_thinking": False}},
        {"chat_template_kwargs": {"thinking": True, "lang": "en"}},
        {"chat_template_kwargs": {"thinking": None}},
        {"chat_template_kwargs": {"thinking": True, "enable_thinking": False}},
        {"chat_template_kwargs": {"enable_thinking": True, "lang": "en"}, "reasoning_effort": "low"},
        {"chat_template_kwargs": {"enable_thinking": 1}, "thinking_token_budget": 64, "include_reasoning": False},
        {"chat_template_kwargs": {}, "include_reasoning": True, "thinking_token_budget": None},
        {"structured_outputs": {"json": SCHEMA, "disable_any_whitespace": True}},
        {"structured_outputs": {"json_object": True}},
        {"structured_outputs": {"regex": "a+"}},
        {"structured_outputs": {"json": SCHEMA}, "response_format": {"type": "json_object"}},
        {"structured_outputs": {"choice": ["yes", "no"], "disable_any_whitespace": True}},
        {"structured_outputs": {"choice": []}},
        {"structured_outputs": {"choice": ["yes"]}, "response_format": {"type": "text"}},
        {"guided_json": SCHEMA, "tools": [], "tool_choice": "auto"},
        {"guided_json": '{"type": "object"}'},
        {"guided_json": SCHEMA, "structured_outputs": {"json": SCHEMA}},
        {"guided_json": SCHEMA, "guided_choice": None},
        {"guided_choice": ["yes", "no"], "guided_decoding_backend": "xgrammar"},
        {"guided_choice": ["yes", 1]},
        {"guided_choice": ["yes", "no"], "guided_regex": "[a-z]+"},
        said("Hello", {"type": "input_text", "text": "you"}, {"type": "output_text", "text": "!", "x": 1}),
        said({"image_url": "https://a.b/c.png", "uuid": "u"}, {"audio_url": "https://a.b/c.wav"}),
        said({"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "low"}),
        said({"type": "audio_url", "audio_url": {"url": "data:audio/wav;base64,UklG"}}, {"video_url": "https://a.b/c"}),
        said({"type": "video_url", "video_url": {"url": "https://a.b/c.mp4?d=e", "fps": 1}, "uuid": "u"}),
        said({"type": "video_url", "video_url": {"url": "https://a.b/c"}}),
        said({"type": "video_url", "video_url": {"url": "data:video/mp4;base64,AAAA"}}, {"type": "video_url"}),
        said({"type": "file", "file": {"filename": "a.mp4", "file_data": "data:video/mp4;base64,AAAA"}}),
        said({"type": "input_audio", "input_audio": {"data": "ZkxhQw==", "format": "flac"}}, {"type": "image_embeds"}),
        said({"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Hi!"}, role="assistant"),
        said({"type": "thinking", "thinking": "Hm.", "closed": True}, role="assistant"),
        {"messages": [{"role": "assistant", "reasoning": "Hm.", "content": "Hi!"}]},
        {"messages": [{"role": "assistant", "reasoning_content": "Hm.", "content": None}]},
        {"messages": [{"role": "assistant", "reasoning": "Hm.", "reasoning_content": "Hm.", "content": "Hi!"}]},
        {"messages": [{"role": "critic", "content": "Boo."}, {"role": "developer", "content": "a", "tools": []}]},
        {"messages": [{"role": "function", "name": "a", "content": "1"}]},
    ],
)
def test_a_request_round_trips(members: dict[str, Any]) -> None:
    body = asked(**members)
    before = copy.deepcopy(body)
    canonical = vllm.decode_request(body)
    log = LossLog()
    assert vllm.encode_request(canonical, log) == before
    assert log.losses() == ()
    assert body == before
    model = ChatRequest.model_validate(canonical)
    assert vllm.encode_request(model.model_dump(mode="json"), LossLog()) == before


@pytest.mark.parametrize(
    "body",
    [
        answered({"role": "assistant", "content": "Hi!", "reasoning": "Hm.", "refusal": None, "tool_calls": []}),
        answered({"role": "assistant", "content": None, "reasoning_content": "Hm."}, stop_reason=None, token_ids=None),
        answered({"role": "assistant", "content": "Hi!"}, stop_reason="END", logprobs=None),
        answered({"role": "assistant", "content": "Hi!"}, stop_reason=151643),
        answered({"role": "assistant", "content": "Hi!"}, finish_reason="abort"),
        answered({"role": "assistant", "content": "Hi!"}, finish_reason="content_filter"),
        {
            **answered({"role": "assistant", "content": "Hi!"}),
            "usage": {
                "prompt_tokens": 3,
                "completion_tokens": 2,
                "total_tokens": 5,
                "prompt_tokens_details": {
                    "cached_tokens": 1,
                    "created_cache_tokens": 2,
                    "multimodal_tokens": {"image": 1},
                },
            },
            "prompt_logprobs": None,
            "kv_transfer_params": None,
        },
    ],
)
def test_a_response_round_trips(body: dict[str, Any]) -> None:
    before = copy.deepcopy(body)
    canonical = vllm.decode_response(body)
    log = LossLog()
    assert vllm.encode_response(canonical, log) == before
    assert log.losses() == ()
    model = ChatResponse.model_validate(canonical)
    assert vllm.encode_response(model.model_dump(mode="json"), LossLog()) == before


@pytest.mark.parametrize(
    ("members", "path"),
    [
        (said(1), "/messages/0/content/0"),
    ],
)
def test_a_malformed_known_member_raises_an_error_with_its_path(members: dict[str, Any], path: str) -> None:
    with pytest.raises(DecodeError) as refused:
        decoded(**members)
    assert (refused.value.dialect, refused.value.path) == ("vllm", path)


@pytest.mark.requirement("TEST-SerializationCompatibility.Should_Match_vLLM_Format")
def test_an_assistant_message_has_role_and_content() -> None:
    body, losses = encoded(messages=[{"role": "assistant", "content": "Here is your code."}])
    assert body["messages"] == [{"role": "assistant", "content": "Here is your code."}]
    assert losses == {}


# Reasoning


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
def test_reasoning_has_two_member_names(name: str) -> None:
    response = vllm.decode_response(answered({"role": "assistant", "content": "Hi!", name: "Hm."}))
    assert response["messages"][0].get("reasoning") == "Hm."


def test_reasoning_of_any_model_is_written_under_the_new_name() -> None:
    message = {"role": "assistant", "reasoning": [{"type": "text", "text": "Hm."}], "content": "Hi!"}
    body, losses = encoded(messages=[message])
    assert body["messages"] == [{"role": "assistant", "content": "Hi!", "reasoning": "Hm."}]
    assert losses == {}


def test_reasoning_of_one_turn_is_joined() -> None:
    body, _ = encoded(
        messages=[
            {"role": "assistant", "reasoning": "Hm.", "content": "One"},
            {"role": "assistant", "reasoning": "So.", "content": "Two"},
        ]
    )
    assert body["messages"] == [{"role": "assistant", "content": "One\n\nTwo", "reasoning": "Hm.\n\nSo."}]


@pytest.mark.parametrize(
    ("members", "settings"),
    [
        ({"reasoning_effort": "none"}, {"effort": "none"}),
        ({"chat_template_kwargs": {"enable_thinking": False}}, {"mode": "disabled"}),
        ({"chat_template_kwargs": {"enable_thinking": True}}, {"mode": "adaptive"}),
        ({"thinking_token_budget": 64, "reasoning_effort": "low"}, {"budget_tokens": 64, "effort": "low"}),
        ({"include_reasoning": False}, {"display": "omitted"}),
    ],
)
def test_reasoning_settings_are_mapped_in_both_directions(members: dict[str, Any], settings: dict[str, Any]) -> None:
    assert decoded(**members)["reasoning"] == settings
    assert encoded(reasoning=settings) == (asked(**members), {})


def test_foreign_reasoning_settings_are_mapped_to_the_nearest_value() -> None:
    body, losses = encoded(reasoning={"mode": "enabled", "display": "summarized", "effort": "ultra"})
    assert body == asked(chat_template_kwargs={"enable_thinking": True})
    assert losses == {
        "/reasoning/mode": "changed",
        "/reasoning/display": "changed",
        "/reasoning/effort": "lost",
    }


# Settings


def test_top_k_and_min_p_are_settings_and_min_tokens_is_kept_in_extra() -> None:
    request = decoded(top_k=20, min_p=0.1, repetition_penalty=1.1, min_tokens=3)
    assert (request["top_k"], request["min_p"], request["repetition_penalty"]) == (20, 0.1, 1.1)
    assert request["extra"]["vllm"]["fields"] == {"min_tokens": 3}
    assert encoded(openai_chat, top_k=20)[1] == {"/top_k": "lost"}


@pytest.mark.parametrize(
    "setting", [{"metadata": {"a": "b"}}, {"verbosity": "low"}, {"prompt_cache_key": "k"}, {"cache": {}}]
)
def test_settings_that_the_server_ignores_are_losses(setting: dict[str, Any]) -> None:
    assert encoded(**setting) == (asked(), {f"/{name}": "lost" for name in setting})


def test_the_user_id_has_the_older_member_name() -> None:
    assert encoded(user="me") == (asked(user="me"), {})
    assert encoded(openai_chat, user="me")[0] == asked(safety_identifier="me")


def test_a_structured_output_is_a_response_format() -> None:
    wanted = {"type": "json_schema", "schema": SCHEMA}
    request = decoded(structured_outputs={"json": SCHEMA})
    assert request["response_format"] == wanted
    body, losses = encoded(response_format=wanted)
    assert body["response_format"] == {"type": "json_schema", "json_schema": {"name": "response", "schema": SCHEMA}}
    assert losses == {"/response_format/name": "filled"}


@pytest.mark.parametrize("member", ["guided_json", "guided_choice"])
def test_an_older_constraint_of_the_answer_is_a_response_format(member: str) -> None:
    values = {
        "guided_json": (SCHEMA, {"type": "json_schema", "schema": SCHEMA}),
        "guided_choice": (["yes", "no"], {"type": "text", "schema": {"type": "string", "enum": ["yes", "no"]}}),
    }
    value, wanted = values[member]
    assert decoded(**{member: value})["response_format"] == wanted
    assert "response_format" not in decoded(**{member: value}, guided_regex="a+")


def test_an_answer_that_is_one_of_several_texts_is_a_choice() -> None:
    form = {"type": "text", "schema": {"type": "string", "enum": ["yes", "no"], "title": "Verdict"}}
    body, losses = encoded(response_format=form)
    assert body["structured_outputs"] == {"choice": ["yes", "no"]}
    assert "response_format" not in body
    assert losses == {"/response_format/schema/title": "lost"}


# Parts


@pytest.mark.parametrize(
    ("part", "canonical"),
    [
        ("Hello", {"type": "text", "text": "Hello"}),
        ({"type": "input_text", "text": "Hello"}, {"type": "text", "text": "Hello"}),
        ({"image_url": "https://a.b/c.png"}, {"type": "image", "url": "https://a.b/c.png"}),
        (
            {"type": "audio_url", "audio_url": {"url": "https://a.b/c.wav"}},
            {"type": "audio", "url": "https://a.b/c.wav"},
        ),
        (
            {"type": "video_url", "video_url": {"url": "https://a.b/c.webm"}},
            {"type": "file", "format": "video/webm", "url": "https://a.b/c.webm"},
        ),
        (
            {"type": "video_url", "video_url": {"url": "data:video/mp4;base64,AAAA"}},
            {"type": "file", "format": "video/mp4", "data": "AAAA"},
        ),
    ],
)
def test_vllm_specific_parts_are_canonical(part: Any, canonical: dict[str, Any]) -> None:
    made = dict(decoded(**said(part))["messages"][0]["content"][0])
    made.pop("extra", None)
    assert made == canonical


@pytest.mark.parametrize(
    ("part", "wire"),
    [
        (
            {"type": "audio", "url": "https://a.b/c.wav"},
            {"type": "audio_url", "audio_url": {"url": "https://a.b/c.wav"}},
        ),
        (
            {"type": "audio", "format": "audio/flac", "data": "ZkxhQw=="},
            {"type": "audio_url", "audio_url": {"url": "data:audio/flac;base64,ZkxhQw=="}},
        ),
        (
            {"type": "audio", "format": "audio/wav", "data": "UklG"},
            {"type": "input_audio", "input_audio": {"data": "UklG", "format": "wav"}},
        ),
        (
            {"type": "file", "format": "video/mp4", "data": "AAAA"},
            {"type": "video_url", "video_url": {"url": "data:video/mp4;base64,AAAA"}},
        ),
    ],
)
def test_audio_and_video_urls_are_supported(part: dict[str, Any], wire: dict[str, Any]) -> None:
    body, losses = encoded(**said(part))
    assert body["messages"][0]["content"] == [wire]
    assert losses == {}


def test_the_media_type_of_a_url_is_derived_from_its_extension() -> None:
    video = {"type": "file", "format": "video/mp4"}
    _, losses = encoded(**said({**video, "url": "https://a.b/c"}, {**video, "url": "https://a.b/c.webm"}))
    assert losses == {"/messages/0/content/0/format": "changed", "/messages/0/content/1/format": "changed"}


def test_files_are_not_supported_and_lost() -> None:
    body, losses = encoded(
        **said({"type": "text", "text": "Read"}, {"type": "file", "format": "application/pdf", "data": "JVBE"})
    )
    assert body["messages"] == [{"role": "user", "content": "Read"}]
    assert losses == {"/messages/0/content/1": "lost"}


def test_a_cache_mark_is_lost() -> None:
    body, losses = encoded(**said({"type": "text", "text": "Long", "cache": {}}))
    assert body["messages"] == [{"role": "user", "content": "Long"}]
    assert losses == {"/messages/0/content/0/cache": "lost"}


# Tools


def test_a_result_may_have_an_image_and_the_name_of_its_tool() -> None:
    content = [{"type": "text", "text": "See"}, {"type": "image", "format": "image/png", "data": PNG}]
    body, losses = encoded(messages=[{"role": "tool", "call_id": "c", "name": "shot", "content": content}])
    assert body["messages"][0] == {
        "role": "tool",
        "tool_call_id": "c",
        "name": "shot",
        "content": [
            {"type": "text", "text": "See"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
        ],
    }
    assert losses == {}


def test_names_and_ids_are_not_limited() -> None:
    name, identifier = "files.read/" + "x" * 80, "functions.read:0" + "y" * 60
    call = {"id": identifier, "name": name, "arguments": "{}"}
    body, losses = encoded(
        tools=[{"type": "function", "name": name}],
        tool_choice={"mode": "named", "name": name},
        messages=[{"role": "assistant", "tool_calls": [call]}, {"role": "tool", "call_id": identifier, "content": "1"}],
    )
    assert losses == {}
    assert body["tools"][0]["function"]["name"] == name
    assert body["tool_choice"] == {"type": "function", "function": {"name": name}}
    assert body["messages"][0]["tool_calls"][0]["id"] == body["messages"][1]["tool_call_id"] == identifier


@pytest.mark.parametrize(
    ("call", "text", "losses"),
    [
        ({"arguments": '{"a":1}'}, '{"a":1}', set[str]()),
        ({"arguments": {"a": 1}}, '{"a":1}', set[str]()),
        ({"arguments": "a = 1"}, '{"arguments":"a = 1"}', {"arguments"}),
        ({"arguments": "ls -l", "kind": "custom"}, '{"input":"ls -l"}', {"arguments", "kind"}),
    ],
)
def test_arguments_that_are_not_an_object_are_wrapped_because_the_server_would_drop_them(
    call: dict[str, Any], text: str, losses: set[str]
) -> None:
    body, found = encoded(messages=[{"role": "assistant", "tool_calls": [{"id": "c", "name": "run", **call}]}])
    function = {"name": "run", "arguments": text}
    assert body["messages"][0]["tool_calls"] == [{"id": "c", "type": "function", "function": function}]
    assert found == {f"/messages/0/tool_calls/0/{name}": "changed" for name in losses}


def test_an_allowed_tools_choice_offers_only_those_tools() -> None:
    tools = [{"type": "function", "name": name} for name in ("a", "b")]
    body, losses = encoded(tools=tools, tool_choice={"mode": "subset", "names": ["b"], "required": True})
    assert body["tools"] == [{"type": "function", "function": {"name": "b"}}]
    assert body["tool_choice"] == "required"
    assert losses == {"/tool_choice": "changed", "/tools/0": "lost"}


@pytest.mark.parametrize("room", [vllm, openai_chat])
def test_an_allowed_tools_choice_without_tools_is_lost(room: Any) -> None:
    foreign = {"type": "opaque", "dialect": "claude", "data": {"type": "web_search_20250305"}}
    body, losses = encoded(room, tools=[foreign], tool_choice={"mode": "required"})
    assert body == asked()
    assert losses["/tool_choice"] == "lost"
    assert encoded(room, tools=[], tool_choice={"mode": "none"}) == (asked(), {})


def test_a_refusal_is_a_member_in_answers_and_text_in_requests() -> None:
    message = {"role": "assistant", "refusal": "No."}
    body, losses = encoded(messages=[message])
    assert body["messages"] == [{"role": "assistant", "content": "No."}]
    assert losses["/messages/0/refusal"] == "changed"
    log = LossLog()
    response: Any = {"id": "a", "model": "b", "created": 1, "messages": [message], "finish_reason": "stop"}
    assert vllm.encode_response(response, log)["choices"][0]["message"]["refusal"] == "No."
    assert log.losses() == ()


# Responses


def test_a_stop_text_is_kept_and_a_stop_token_id_kept_in_extra() -> None:
    word: Any = vllm.decode_response(answered({"role": "assistant", "content": "Hi!"}, stop_reason="END"))
    assert word["stop_sequence"] == "END"
    token: Any = vllm.decode_response(answered({"role": "assistant", "content": "Hi!"}, stop_reason=151643))
    assert "stop_sequence" not in token
    assert token["extra"]["vllm"]["choice"] == {"stop_reason": 151643}


@pytest.mark.parametrize(
    ("word", "reason", "raw"),
    [
        ("stop", "stop", None),
        ("error", "error", None),
        ("abort", "cancelled", None),
        ("repetition", "other", "repetition"),
    ],
)
def test_vllm_has_its_own_finish_reasons(word: str, reason: str, raw: str | None) -> None:
    response = vllm.decode_response(answered({"role": "assistant", "content": "Hi!"}, finish_reason=word))
    assert (response.get("finish_reason"), response.get("finish_reason_raw")) == (reason, raw)


def test_there_is_no_finish_reason_for_a_content_filter() -> None:
    log = LossLog()
    message = {"role": "assistant", "content": "Hi!"}
    response: Any = {"id": "a", "model": "b", "created": 1, "messages": [message], "finish_reason": "content_filter"}
    assert vllm.encode_response(response, log)["choices"][0]["finish_reason"] == "stop"
    assert {loss.path: loss.severity for loss in log.losses()} == {"/finish_reason": "changed"}


def test_counts_without_a_place_are_lost() -> None:
    log = LossLog()
    usage = {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5, "cache_write_tokens": 1, "input_audio_tokens": 1}
    response: Any = {"id": "a", "model": "b", "created": 1, "messages": [], "finish_reason": "stop", "usage": usage}
    assert vllm.encode_response(response, log)["usage"] == {
        "prompt_tokens": 3,
        "completion_tokens": 2,
        "total_tokens": 5,
        "prompt_tokens_details": {"created_cache_tokens": 1},
    }
    assert {loss.path for loss in log.losses()} == {"/usage"}


def test_an_answer_for_another_dialect_is_not_modified() -> None:
    response: Any = {"messages": [{"role": "assistant", "content": "Hi!"}]}
    before = copy.deepcopy(response)
    vllm.encode_response(response, LossLog())
    openai_chat.encode_response(response, LossLog())
    assert response == before


def test_the_thinking_switch_has_the_name_that_the_chat_template_reads() -> None:
    body = {"model": "deepseek-ai/DeepSeek-V3.1", **asked(chat_template_kwargs={"thinking": True, "lang": "en"})}

    def arguments(model: str) -> Any:
        return il.exchange(body, "vllm", "vllm", model=model, fit=True).body.get("chat_template_kwargs")

    assert arguments("deepseek-ai/DeepSeek-V3.1") == {"thinking": True, "lang": "en"}
    assert arguments("Qwen/Qwen3-8B") == {"enable_thinking": True, "lang": "en"}
    request = il.decode_request(body, "vllm").model_dump(mode="json", exclude_unset=True)
    assert request["reasoning"] == {"mode": "adaptive"}
    assert il.encode_request({**request, "reasoning": {"mode": "disabled"}}, "vllm").body["chat_template_kwargs"] == {
        "thinking": False,
        "lang": "en",
    }
    del request["reasoning"]
    assert il.encode_request(request, "vllm").body["chat_template_kwargs"] == {"lang": "en"}
