"""Vendors that speak Chat Completions with an accent: their reasoning is reasoning and goes back under its own name."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.rooms._chat_completions.vendor_extensions import FINISH_REASONS, REASONING
from interlingua.rooms._chat_completions.vendor_extensions import USAGE as VENDOR_USAGE

THOUGHT: Final = "The user wants a sum."
SIGNED: Final = {"type": "reasoning.text", "signature": "c2lnbmF0dXJl", "index": 0}
SAID: Final[dict[str, dict[str, Any]]] = {
    "reasoning_content": {"content": "4", "reasoning_content": THOUGHT},
    "reasoning": {"content": "4", "reasoning": THOUGHT},
    "reasoning_text": {"content": "4", "reasoning_text": THOUGHT},
    "reasoning_details": {"content": "4", "reasoning_details": [{**SIGNED, "text": THOUGHT}]},
    "part": {"content": [{"type": "thinking", "thinking": THOUGHT}, {"type": "text", "text": "4"}]},
    "parts": {
        "content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}], "closed": True},
            {"type": "text", "text": "4"},
        ]
    },
}


def answered(message: dict[str, Any], **choice: Any) -> dict[str, Any]:
    said = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop", **choice}
    return {"id": "i", "object": "chat.completion", "created": 1, "model": "m", "choices": [said]}


def first(answer: il.ChatResponse) -> Any:
    return answer.messages[0]


def thought(answer: il.ChatResponse) -> Any:
    return first(answer).reasoning


COPILOT: Final = [
    {"role": "assistant", "content": "", "reasoning_text": "The user "},
    {"reasoning_text": "wants a sum."},
    {"reasoning_opaque": "c3RhdGU="},
    {"content": "4"},
]


def chunks(deltas: list[dict[str, Any]]) -> list[Any]:
    labels: dict[str, Any] = {"id": "i", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    ends: list[tuple[dict[str, Any], str | None]] = [*((delta, None) for delta in deltas), ({}, "stop")]
    said = [{"index": 0, "delta": delta, "finish_reason": reason} for delta, reason in ends]
    return [*({**labels, "choices": [choice]} for choice in said), "[DONE]"]


def test_copilot_reasoning_reaches_claude_clients_and_its_state_is_reported_by_name() -> None:
    message = {"content": "4", "reasoning_text": THOUGHT, "reasoning_opaque": "c3RhdGU="}
    whole = il.translate_response(answered(message), "openai_chat", "claude")
    assert whole.body["content"][0]["thinking"] == THOUGHT
    stream = il.translate_stream(chunks(COPILOT), "openai_chat", "claude")
    written: list[Any] = list(stream)
    deltas = [frame["delta"] for frame in written if frame["type"] == "content_block_delta"]
    assert "".join(delta.get("thinking", "") for delta in deltas) == THOUGHT
    for losses in (whole.losses, stream.losses):
        told = [(loss.severity, loss.concern) for loss in losses if loss.detail.endswith(": reasoning_opaque")]
        assert told == [("lost", "state")]


def test_copilot_reasoning_round_trips_chunk_by_chunk() -> None:
    frames = chunks(COPILOT)
    events = list(il.decode_stream(frames, "openai_chat"))
    assert list(il.encode_stream(events, "openai_chat")) == frames
    whole = il.encode_response(il.collect(events), "openai_chat").body
    assert whole["choices"][0]["message"]["reasoning_text"] == THOUGHT


@pytest.mark.parametrize("other", ["reasoning", "reasoning_content"])
@pytest.mark.parametrize("said", ["", THOUGHT, "Something else."])
def test_copilot_reasoning_beside_other_reasoning_loses_neither(other: str, said: str) -> None:
    for message in ({"reasoning_text": said, other: THOUGHT}, {other: THOUGHT, "reasoning_text": said}):
        body = answered({"content": "4", **message})
        answer = il.decode_response(body, "openai_chat")
        assert thought(answer) in {said, THOUGHT} - {""}
        assert il.encode_response(answer, "openai_chat").body == body


def test_every_row_of_the_table_has_an_example() -> None:
    assert SAID.keys() == REASONING.keys()


@pytest.mark.parametrize("accent", REASONING)
def test_reasoning_in_any_vendor_form_is_read_and_round_trips(accent: str) -> None:
    body = answered(SAID[accent])
    answer = il.decode_response(body, "openai_chat")
    assert thought(answer) == THOUGHT
    encoded = il.encode_response(answer, "openai_chat")
    assert (encoded.body, encoded.losses) == (body, ())
    request = {"model": "m", "messages": [body["choices"][0]["message"]]}
    asked = il.encode_request(il.decode_request(request, "openai_chat"), "openai_chat")
    assert (asked.body, asked.losses) == (request, ())


@pytest.mark.parametrize("members", [("reasoning_content", "reasoning"), ("reasoning", "reasoning_content")])
@pytest.mark.parametrize("details", [False, True])
def test_an_empty_reasoning_member_does_not_hide_another(members: tuple[str, str], *, details: bool) -> None:
    said = {"reasoning_details": [{**SIGNED, "text": THOUGHT}]} if details else {members[1]: THOUGHT}
    body = answered({"content": "4", members[0]: "", **said})
    answer = il.decode_response(body, "openai_chat")
    assert thought(answer) == THOUGHT
    assert (il.encode_response(answer, "openai_chat").body) == body
    abroad = il.translate_response(body, "openai_chat", "claude")
    assert abroad.body["content"][0]["thinking"] == THOUGHT
    assert "/messages/0/extra/openai_chat" not in {loss.path for loss in abroad.losses}


@pytest.mark.parametrize("accent", REASONING)
def test_edited_reasoning_is_written_in_its_original_member(accent: str) -> None:
    answer = il.decode_response(answered(SAID[accent]), "openai_chat")
    edited = answer.replace(messages=[first(answer).replace(reasoning="Another thought.")])
    again = il.decode_response(il.encode_response(edited, "openai_chat").body, "openai_chat")
    assert thought(again) == "Another thought."
    assert first(again).extra == first(answer).extra


@pytest.mark.parametrize("accent", REASONING)
def test_reasoning_in_any_vendor_form_is_translated(accent: str) -> None:
    translated = il.translate_response(answered(SAID[accent]), "openai_chat", "ollama").body
    assert translated["message"] == {"role": "assistant", "content": "4", "thinking": THOUGHT}


def test_duplicated_reasoning_is_read_once() -> None:
    twice = {
        "content": "4",
        "reasoning": THOUGHT,
        "reasoning_content": THOUGHT,
        "reasoning_details": [{**SIGNED, "text": THOUGHT}],
    }
    answer = il.decode_response(answered(twice), "openai_chat")
    assert answer.model_dump_json().count(THOUGHT) == 1
    assert il.encode_response(answer, "openai_chat").body == answered(twice)


def test_details_of_several_texts_are_assigned_to_their_texts() -> None:
    details = [
        {"type": "reasoning.summary", "summary": "First.", "index": 0},
        {"type": "reasoning.encrypted", "data": "aGlkZGVu", "index": 1},
        {"type": "reasoning.text", "text": "Second.", "signature": "c2lnbmF0dXJl", "index": 2},
    ]
    body = answered({"content": "4", "reasoning_details": details})
    answer = il.decode_response(body, "openai_chat")
    assert [part.text for part in thought(answer)] == ["First.", "Second."]
    assert il.encode_response(answer, "openai_chat").body == body


@pytest.mark.parametrize(("said", "maker"), [("anthropic-claude-v1", "claude"), ("xai-responses-v1", "openai_chat")])
def test_signed_vendor_state_is_lost_in_other_dialects(said: str, maker: str) -> None:
    details = [{**SAID["reasoning_details"]["reasoning_details"][0], "format": said}]
    losses = il.translate_response(
        answered({"content": "4", "reasoning_details": details}), "openai_chat", "ollama"
    ).losses
    place = f"/messages/0/extra/{maker}"
    assert (place, "provider_state", "lost") in {(loss.path, loss.code, loss.severity) for loss in losses}


def test_contradictory_reasoning_members_lose_neither() -> None:
    body = answered({"content": "4", "reasoning": THOUGHT, "reasoning_content": "Something else."})
    assert il.encode_response(il.decode_response(body, "openai_chat"), "openai_chat").body == body


@pytest.mark.parametrize(("word", "reason"), FINISH_REASONS.items())
def test_a_vendor_finish_reason_round_trips_and_is_not_written_in_other_dialects(word: str, reason: str) -> None:
    body = answered({"content": "4"}, finish_reason=word)
    answer = il.decode_response(body, "openai_chat")
    assert answer.finish_reason == reason
    assert il.encode_response(answer, "openai_chat").body == body
    foreign = answer.replace(dialect="claude")
    assert il.encode_response(foreign, "openai_chat").body["choices"][0]["finish_reason"] != word


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("STOP", "stop"),
        ("LENGTH", "length"),
        ("MAX_TOKENS", "length"),
        ("max_tokens", "length"),
        ("end_turn", "stop"),
        ("SAFETY", "content_filter"),
        ("refusal", "refusal"),
        ("MALFORMED_FUNCTION_CALL", "error"),
        ("Nobody_Knows", "other"),
    ],
)
def test_native_finish_reasons_behind_a_gateway_are_read_case_insensitively(word: str, reason: str) -> None:
    body = answered({"content": "4"}, finish_reason=word)
    answer = il.decode_response(body, "openai_chat")
    assert (answer.finish_reason, answer.finish_reason_raw) == (reason, word)
    assert il.encode_response(answer, "openai_chat").body == body
    delta = {"index": 0, "delta": {"content": "4"}, "finish_reason": word}
    frames = [{"id": "i", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [delta]}, "[DONE]"]
    stream = il.translate_stream(frames, "openai_chat", "openai_chat")
    assert list(stream) == frames
    assert il.collect(il.decode_stream(frames, "openai_chat")).finish_reason == reason


@pytest.mark.parametrize(
    ("word", "told"), [("MAX_TOKENS", "max_tokens"), ("TOOL_USE", "end_turn"), ("STOP", "end_turn")]
)
def test_an_answer_with_a_native_reason_for_truncation_has_the_reason_length(word: str, told: str) -> None:
    body = answered({"content": "4"}, finish_reason=word)
    assert il.translate_response(body, "openai_chat", "claude").body["stop_reason"] == told


def test_vllm_has_its_own_members_and_no_vendor_forms() -> None:
    details = {"content": "4", "reasoning": "Well.", "reasoning_details": [{**SIGNED, "text": THOUGHT}]}
    body = answered(details, finish_reason="eos")
    answer = il.decode_response(body, "vllm")
    assert (answer.finish_reason, answer.finish_reason_raw) == ("other", "eos")
    assert thought(answer) == "Well."
    assert il.encode_response(answer, "vllm").body == body


APART: Final = {
    "prompt_tokens": 10,
    "completion_tokens": 35,
    "total_tokens": 420,
    "completion_tokens_details": {"reasoning_tokens": 375},
}


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize(
    ("change", "output"),
    [
        ({}, 410),
        ({"total_tokens": 45}, 35),
        ({"prompt_tokens": 385}, 35),
        ({"completion_tokens": 410}, 410),
        ({"completion_tokens": None, "total_tokens": 385}, None),
        ({"completion_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 45}, 35),
    ],
)
def test_reasoning_tokens_that_xai_excludes_from_output_are_added(dialect: str, change: Any, output: int) -> None:
    body = {**answered({"content": "4"}), "usage": {**APART, **change}}
    response = il.decode_response(body, dialect)
    assert response.usage is not None
    assert response.usage.output_tokens == output
    home = il.encode_response(response, dialect)
    assert (home.body, home.losses) == (body, ())


def test_other_dialects_get_the_total_output_tokens_of_xai() -> None:
    body = {**answered({"content": "4"}), "usage": APART}
    told = il.translate_response(body, "openai_chat", "claude").body["usage"]
    assert (told["input_tokens"], told["output_tokens"]) == (10, 410)
    told = il.translate_response(body, "openai_chat", "openai_responses").body["usage"]
    assert (told["output_tokens"], told["total_tokens"]) == (410, 420)
    told = il.translate_response(body, "openai_chat", "gemini").body["usageMetadata"]
    assert (told["candidatesTokenCount"], told["thoughtsTokenCount"], told["totalTokenCount"]) == (35, 375, 420)
    chunks: list[Any] = [
        {"id": "i", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices, **usage}
        for choices, usage in (
            ([{"index": 0, "delta": {"role": "assistant", "content": "4"}, "finish_reason": None}], {}),
            ([{"index": 0, "delta": {}, "finish_reason": "stop"}], {}),
            ([], {"usage": APART}),
        )
    ]
    assert list(il.encode_stream(il.decode_stream([*chunks, "[DONE]"], "openai_chat"), "openai_chat"))[:-1] == chunks
    frames: list[Any] = list(il.translate_stream([*chunks, "[DONE]"], "openai_chat", "claude"))
    assert frames[-2]["usage"]["output_tokens"] == 410


COUNTED: Final = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
BESIDE: Final = [*VENDOR_USAGE.items()]


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize(("member", "name"), BESIDE)
@pytest.mark.parametrize("value", [64, 0, None, "64"])
@pytest.mark.parametrize(
    "details", [{}, {"prompt_tokens_details": {"audio_tokens": 1}}, {"prompt_tokens_details": None}]
)
def test_a_count_beside_the_usage_details_is_read_and_round_trips(
    dialect: str, member: str, name: str, value: Any, details: dict[str, Any]
) -> None:
    body = {**answered({"content": "4"}), "usage": {**COUNTED, member: value, **details}}
    response = il.decode_response(body, dialect)
    assert getattr(response.usage, name) == (value if type(value) is int else None)
    home = il.encode_response(response, dialect)
    assert (home.body, home.losses) == (body, ())


def test_usage_details_take_precedence_over_a_count_beside_them() -> None:
    details = {"prompt_tokens_details": {"cached_tokens": 3}}
    body = {**answered({"content": "4"}), "usage": {**COUNTED, "cached_tokens": 64, **details}}
    response = il.decode_response(body, "openai_chat")
    assert response.usage is not None
    assert response.usage.cache_read_tokens == 3
    assert il.encode_response(response, "openai_chat").body == body


@pytest.mark.parametrize(
    ("member", "told"),
    [
        ("prompt_cache_hit_tokens", {"input_tokens": 36, "cache_read_input_tokens": 64}),
        ("cache_creation_input_tokens", {"input_tokens": 36, "cache_creation_input_tokens": 64}),
        ("reasoning_tokens", {"input_tokens": 100, "output_tokens_details": {"thinking_tokens": 64}}),
    ],
)
def test_such_a_count_is_translated_to_claude_without_a_loss(member: str, told: dict[str, Any]) -> None:
    body = {**answered({"content": "4"}), "usage": {**COUNTED, member: 64}}
    encoded = il.translate_response(body, "openai_chat", "claude")
    assert encoded.body["usage"] == {"output_tokens": 7, **told}
    assert not [loss for loss in encoded.losses if loss.path.startswith("/usage")]


@pytest.mark.parametrize("source", ["openai_chat", "vllm"])
@pytest.mark.parametrize("kind", ["json_schema", "json_object"])
@pytest.mark.parametrize("member", ["schema", "json_schema"])
def test_a_schema_in_a_vendor_form_is_a_response_format(source: Any, kind: str, member: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    form = {"type": kind, member: schema}
    body: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Go."}], "response_format": form}
    request = il.decode_request(body, source)
    assert request.response_format == il.ResponseFormat(type="json_schema", schema=schema)
    assert il.encode_request(request, source).body == body
    nested = {**body, "response_format": {"type": "json_schema", "json_schema": {"schema": schema}}}
    for target in ("openai_responses", "claude", "gemini", "ollama"):
        encoded, usual = (il.translate_request(one, source, target) for one in (body, nested))
        assert (encoded.body, encoded.losses) == (usual.body, usual.losses)
    fitted = il.exchange(body, source, source, fit=True, model="gpt-4.1").body
    assert fitted["response_format"]["json_schema"]["schema"] == schema


@pytest.mark.parametrize("beside", [{"name": "n"}, {"name": None}, {"strict": True, "x": 1}, {"description": 4}])
@pytest.mark.parametrize(
    "form",
    [
        {"type": "json_schema", "schema": {"type": "object"}},
        {"type": "json_object", "schema": {"type": "object"}},
        {"type": "json_object", "json_schema": {"type": "object"}},
        {"type": "json_object", "json_schema": {"schema": {"type": "object"}, "name": "n", "x": 1}},
        {"type": "json_object", "json_schema": {"name": "n"}},
        {"type": "json_object", "schema": "no schema"},
    ],
)
def test_members_beside_such_a_schema_round_trip(form: dict[str, Any], beside: dict[str, Any]) -> None:
    body: dict[str, Any] = {"model": "m", "messages": [], "response_format": {**form, **beside}}
    assert il.encode_request(il.decode_request(body, "openai_chat"), "openai_chat").body == body


def test_a_named_schema_in_json_mode_is_a_response_format_with_a_name() -> None:
    named = {"name": "n", "schema": {"type": "object", "properties": {}}}
    body: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Go."}]}
    body["response_format"] = {"type": "json_object", "json_schema": named}
    assert il.decode_request(body, "openai_chat").response_format == il.ResponseFormat(type="json_schema", **named)


def test_an_edited_schema_with_a_name_is_written_in_the_wrapped_form() -> None:
    body: dict[str, Any] = {"model": "m", "messages": []}
    body["response_format"] = {"type": "json_schema", "json_schema": {"type": "object"}}
    request = il.decode_request(body, "openai_chat")
    named = request.replace(response_format=request.response_format.replace(name="n"))  # type: ignore[union-attr]
    written = il.encode_request(named, "openai_chat").body["response_format"]
    assert written == {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}}}
