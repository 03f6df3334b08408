"""What users suffered from where answers are read (docs/pain.md), each entry by its id."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il
from support.bodies import (
    DIALECTS,
    TEXT,
    chat_answer,
    chat_call,
    claude_answer,
    claude_call,
    gemini_answer,
    gemini_call,
    ollama_answer,
    ollama_call,
    responses_answer,
    responses_call,
    responses_text,
)

CHUNK: Final = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
QUESTION: Final = {"role": "user", "content": "?"}


def again(body: dict[str, Any], dialect: str) -> il.ChatResponse:
    """Return the response of a body; it comes back as the body, stored and loaded in between."""
    response = il.decode_response(body, dialect)
    stored = il.ChatResponse.model_validate_json(response.model_dump_json())
    assert stored == response
    encoded = il.encode_response(stored, dialect)
    assert (json.dumps(encoded.body, sort_keys=True), encoded.losses) == (json.dumps(body, sort_keys=True), ())
    return response


def assistant(response: il.ChatResponse) -> il.AssistantChatMessage:
    """Return the one message of a response."""
    message = response.messages[0]
    assert len(response.messages) == 1
    assert isinstance(message, il.AssistantChatMessage)
    return message


def only_call(response: il.ChatResponse) -> il.ToolCall:
    """Return the one call of a response."""
    calls = assistant(response).tool_calls
    assert calls is not None
    assert len(calls) == 1
    return calls[0]


def chunks(*deltas: dict[str, Any], reason: str = "stop") -> list[Any]:
    """Return the frames of a stream of Chat Completions."""
    frames = [{**CHUNK, "choices": [{"index": 0, "delta": one, "finish_reason": None}]} for one in deltas]
    return [*frames, {**CHUNK, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}, "[DONE]"]


CUSTOM_CALL: Final = {"id": "call_1", "type": "custom", "custom": {"name": "patch", "input": "*** Begin\n- a\n+ b"}}


def test_dec_11_a_custom_tool_call_round_trips() -> None:
    chat = chat_answer({"content": None, "tool_calls": [CUSTOM_CALL]}, "tool_calls")
    item = {"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1", "name": "patch"}
    responses = responses_answer({**item, "input": "*** Begin\n- a\n+ b"})
    for body, dialect in ((chat, "openai_chat"), (responses, "openai_responses")):
        call = only_call(again(body, dialect))
        assert (call.kind, call.name, call.arguments) == ("custom", "patch", "*** Begin\n- a\n+ b")


@pytest.mark.parametrize("target", ["claude", "gemini", "ollama", "vllm"])
def test_dec_11_a_custom_tool_call_is_wrapped_and_reported_where_there_are_none(target: str) -> None:
    body = chat_answer({"content": None, "tool_calls": [CUSTOM_CALL]}, "tool_calls")
    there = il.translate_response(body, "openai_chat", target)
    assert "/messages/0/tool_calls/0/arguments" in {loss.path for loss in there.losses}
    call = only_call(il.decode_response(there.body, target))
    assert call.name == "patch"
    assert list(call.arguments_object().values()) == ["*** Begin\n- a\n+ b"]


def test_dec_12_a_message_with_text_and_calls_round_trips_through_items() -> None:
    message = {"content": TEXT, "refusal": None, "tool_calls": [chat_call()]}
    there = il.translate_response(chat_answer(message, "tool_calls"), "openai_chat", "openai_responses")
    items: Any = there.body["output"]
    assert [item["type"] for item in items] == ["message", "function_call"]
    back: Any = il.translate_response(there.body, "openai_responses", "openai_chat").body
    assert back["choices"][0]["message"] == {"role": "assistant", **message}
    assert back["choices"][0]["finish_reason"] == "tool_calls"


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "reasoning_details"])
def test_dec_13_reasoning_under_any_name_is_read_and_written_under_its_own_name(name: str) -> None:
    said: Any = "Hm, warm."
    if name == "reasoning_details":
        said = [{"type": "reasoning.text", "text": said, "signature": "c2ln", "index": 0, "format": "f"}]
    body = chat_answer({"content": TEXT, name: said})
    response = again(body, "openai_chat")
    assert "Hm, warm." in json.dumps(assistant(response).model_dump(mode="json")["reasoning"])
    assert response.dialect == "openai_chat"
    assert name in response.model_dump_json()  # where it came from is told, unless it is the habit
    frames = chunks({"role": "assistant", "content": "", name: said}, {"content": TEXT})
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
    streamed = il.collect(il.decode_stream(frames, "openai_chat"))
    assert (
        assistant(streamed).model_dump(mode="json")["reasoning"]
        == assistant(response).model_dump(mode="json")["reasoning"]
    )


TAGGED: Final = (
    "<think>Hm.</think>It is warm.",
    "Hm.</think>It is warm.",
    "Write it so:\n```html\n<think>no</think>\n```\n",
)


@pytest.mark.parametrize("text", TAGGED)
def test_dec_14_a_text_with_tags_is_unchanged_however_it_is_fragmented(text: str) -> None:
    assert assistant(again(chat_answer({"content": text}), "openai_chat")).content == text
    for at in range(1, len(text)):
        frames = chunks({"role": "assistant", "content": text[:at]}, {"content": text[at:]})
        message = assistant(il.collect(il.decode_stream(frames, "openai_chat")))
        assert (message.content, message.reasoning) == (text, None)


SAID: Final = {"role": "assistant", "content": "It is"}
ERRORS: Final[dict[str, tuple[list[Any], str, str]]] = {
    "claude": (
        [
            {
                "type": "message_start",
                "message": {**claude_answer(reason=None), "usage": {"input_tokens": 5, "output_tokens": 1}},
            },
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "It is"}},
            {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        ],
        "overloaded_error",
        "Overloaded",
    ),
    "openai_chat": (
        [
            *chunks({"role": "assistant", "content": "It is"})[:1],
            {"error": {"message": "Overloaded", "type": "server_error", "code": "busy"}},
        ],
        "busy",
        "Overloaded",
    ),
    "vllm": (
        [
            *chunks({"role": "assistant", "content": "It is"})[:1],
            {"error": {"message": "Overloaded", "type": "server_error", "code": 500}},
        ],
        "server_error",
        "Overloaded",
    ),
    "openai_responses": (
        [
            {"type": "response.created", "response": responses_answer(status="in_progress"), "sequence_number": 0},
            {
                "type": "response.output_item.added",
                "output_index": 0,
                "item": {**responses_text(status="in_progress"), "content": []},
                "sequence_number": 1,
            },
            {
                "type": "response.content_part.added",
                "item_id": "msg_1",
                "output_index": 0,
                "content_index": 0,
                "part": {"type": "output_text", "text": "", "annotations": []},
                "sequence_number": 2,
            },
            {
                "type": "response.output_text.delta",
                "item_id": "msg_1",
                "output_index": 0,
                "content_index": 0,
                "delta": "It is",
                "sequence_number": 3,
            },
            {"type": "error", "code": "busy", "message": "Overloaded", "param": None, "sequence_number": 4},
        ],
        "busy",
        "Overloaded",
    ),
    "ollama": (
        [
            {"model": "m", "created_at": "2026-01-02T03:04:05Z", "message": SAID, "done": False},
            {"error": "Overloaded"},
        ],
        "",
        "Overloaded",
    ),
}


@pytest.mark.parametrize("dialect", ERRORS)
def test_dec_15_an_error_within_a_stream_is_an_error_with_the_partial_answer(dialect: str) -> None:
    frames, code, message = ERRORS[dialect]
    events = list(il.decode_stream(frames, dialect))
    end = events[-1]
    assert isinstance(end, il.EndEvent)
    assert not end.complete
    with pytest.raises(il.StreamError) as caught:
        il.collect(events)
    assert (caught.value.code or "", caught.value.message) == (code, message)
    partial = caught.value.partial
    assert isinstance(partial, il.ChatResponse)
    assert partial.finish_reason is None
    assert "It is" in partial.model_dump_json()
    assert "It is" not in str(caught.value)


SEARCH: Final = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "code_execution", "input": {"code": "1 + 1"}}
CONTAINER: Final = {"id": "container_1", "expires_at": "2026-01-02T03:04:05Z"}


def test_dec_16_a_pending_server_tool_is_verbatim_and_its_container_id_is_kept() -> None:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": TEXT}, SEARCH, claude_call()]
    body = claude_answer(*blocks, reason="tool_use", container=CONTAINER)
    response = again(body, "claude")
    assert response.extra is not None
    container = response.model_dump(mode="json")["extra"]["claude"]["fields"]["container"]
    assert container == CONTAINER
    result = {"role": "tool", "call_id": "toolu_1", "content": "31"}
    request = {"dialect": "claude", "model": "m", "max_tokens": 9, "messages": [QUESTION, *response.messages, result]}
    sent: Any = il.encode_request(
        {**request, "extra": {"claude": {"fields": {"container": container["id"]}}}}, "claude"
    )
    assert sent.body["messages"][1]["content"] == blocks
    assert sent.body["container"] == "container_1"
    assert sent.losses == ()


def test_dec_16_a_streamed_container_id_is_kept() -> None:
    start = {**claude_answer(reason=None), "usage": {"input_tokens": 5, "output_tokens": 1}}
    call = claude_call({})
    frames: list[Any] = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": SEARCH},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": call},
        {"type": "content_block_stop", "index": 1},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use", "stop_sequence": None, "container": CONTAINER},
            "usage": {"output_tokens": 3},
        },
        {"type": "message_stop"},
    ]
    response = il.collect(il.decode_stream(frames, "claude"))
    body: Any = il.encode_response(response, "claude").body
    assert body["container"] == CONTAINER
    assert body["content"] == [SEARCH, call]


def test_dec_17_a_paused_turn_is_marked_and_can_be_sent_back_unchanged() -> None:
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "Rome"}}
    blocks: list[dict[str, Any]] = [{"type": "text", "text": TEXT}, search]
    response = again(claude_answer(*blocks, reason="pause_turn"), "claude")
    assert response.finish_reason == "pause"
    request = {"dialect": "claude", "model": "m", "max_tokens": 9, "messages": [QUESTION, *response.messages]}
    sent: Any = il.encode_request(request, "claude").body
    assert sent["messages"][1] == {"role": "assistant", "content": blocks}
    assert il.check_request(sent, "claude") == []
    mended = il.repair_request(request, "claude")
    assert mended.repairs == ()
    assert il.encode_request(mended.request, "claude").body == sent


@pytest.mark.parametrize("phase", ["commentary", "final_answer", None, "reverie"])
def test_dec_18_the_phase_of_a_message_is_kept_and_readable(phase: str | None) -> None:
    first = responses_text({"type": "output_text", "text": "I look it up.", "annotations": []}, phase=phase)
    last = responses_text(phase="final_answer") | {"id": "msg_2"}
    response = again(responses_answer(first, responses_call(), last), "openai_responses")
    request = {"dialect": "openai_responses", "model": "m", "messages": [QUESTION, *response.messages]}
    sent: Any = il.encode_request(request, "openai_responses").body["input"]
    assert [item.get("phase", "absent") for item in sent[1:] if item["type"] == "message"] == [phase, "final_answer"]
    messages = response.model_dump(mode="json")["messages"]
    answers = [one for one in messages if one["extra"]["openai_responses"].get("phase") == "final_answer"]
    assert json.dumps(answers).count(TEXT) == 1
    assert ("I look it up." in json.dumps(answers)) == (phase == "final_answer")


REQUIRED: Final[dict[str, tuple[dict[str, Any], tuple[str, ...]]]] = {
    "openai_chat": (chat_answer({"content": TEXT, "refusal": None}), ("id", "created", "model", "object", "usage")),
    "vllm": (chat_answer({"content": TEXT, "refusal": None}), ("id", "created", "model", "object", "usage")),
    "openai_responses": (responses_answer(responses_text()), ("id", "created_at", "model", "object", "usage")),
    "claude": (claude_answer({"type": "text", "text": TEXT}), ("id", "model", "type", "usage", "stop_sequence")),
    "gemini": (gemini_answer({"text": TEXT}), ("responseId", "modelVersion", "usageMetadata")),
    "ollama": (ollama_answer({"content": TEXT}), ("model", "created_at", "done_reason", "eval_count")),
}


@pytest.mark.parametrize(
    ("dialect", "name"), [(dialect, name) for dialect, (_, names) in REQUIRED.items() for name in names]
)
def test_dec_19_an_absent_or_null_member_is_accepted_and_round_trips(dialect: str, name: str) -> None:
    whole = REQUIRED[dialect][0]
    for body in ({one: value for one, value in whole.items() if one != name}, {**whole, name: None}):
        assert TEXT in again(body, dialect).model_dump_json()


def test_dec_19_a_choice_without_an_index_or_with_null_logprobs_is_accepted() -> None:
    message = {"role": "assistant", "content": TEXT}
    for choice in (
        {"message": message, "finish_reason": "stop"},
        {"message": message, "finish_reason": "stop", "index": 0, "logprobs": None},
        {"message": message, "finish_reason": "stop", "index": None},
        {"message": message, "index": 0, "logprobs": {"content": None, "refusal": None}},
        {"message": message, "index": 0, "finish_reason": None, "logprobs": {"content": [{"logprob": None}]}},
    ):
        assert assistant(again({"choices": [choice]}, "openai_chat")).content == TEXT


ODD_ARGUMENTS: Final = (
    '{"n": 9007199254740993}',
    '{"n":1.0}',
    '{"n": 1e400}',
    '{"n": -0.0, "m": 1E5}',
    '{"n": 10000000000000000000000001}',
)


@pytest.mark.parametrize("text", ODD_ARGUMENTS)
@pytest.mark.parametrize("dialect", ["openai_chat", "vllm", "openai_responses"])
def test_dec_20_argument_text_keeps_every_digit(dialect: str, text: str) -> None:
    calls = {"content": None, "tool_calls": [chat_call(text)]}
    whole = responses_answer(responses_call(text)) if dialect == "openai_responses" else chat_answer(calls)
    call = only_call(again(whole, dialect))
    assert call.arguments == text


@pytest.mark.parametrize("numbers", [{"n": 2**53 + 1}, {"n": 1.0}, {"n": -0.0}, {"n": 10**15 + 1, "m": 1e300}])
@pytest.mark.parametrize("dialect", ["claude", "gemini", "ollama"])
def test_dec_20_object_arguments_keep_every_number(dialect: str, numbers: dict[str, Any]) -> None:
    whole = {
        "claude": claude_answer(claude_call(numbers), reason="tool_use"),
        "gemini": gemini_answer(gemini_call(numbers)),
        "ollama": ollama_answer({"content": "", "tool_calls": [ollama_call(numbers)]}),
    }[dialect]
    call = only_call(again(whole, dialect))
    assert json.dumps(call.arguments) == json.dumps(numbers)


@pytest.mark.parametrize("target", ["claude", "gemini", "ollama"])
@pytest.mark.parametrize("text", ODD_ARGUMENTS)
def test_dec_20_a_number_that_an_object_cannot_represent_is_reported(target: str, text: str) -> None:
    body = chat_answer({"content": None, "tool_calls": [chat_call(text)]}, "tool_calls")
    there = il.translate_response(body, "openai_chat", target)
    call = only_call(il.decode_response(there.body, target))
    is_same = json.dumps(json.loads(text)) == json.dumps(call.arguments_object())
    losses = {(loss.code, loss.path) for loss in there.losses}
    assert is_same or ("arguments", "/messages/0/tool_calls/0/arguments") in losses


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dec_20_a_count_given_as_a_whole_float_is_a_count(dialect: str) -> None:
    whole = dict(REQUIRED[dialect][0])
    if dialect == "ollama":
        whole["prompt_eval_count"] = 4475.0
    else:
        key = "usageMetadata" if dialect == "gemini" else "usage"
        name = {"gemini": "promptTokenCount", "claude": "input_tokens", "openai_responses": "input_tokens"}
        whole[key] = {**whole[key], name.get(dialect, "prompt_tokens"): 4475.0}
    response = il.decode_response(whole, dialect)
    assert response.usage is not None
    assert response.usage.input_tokens == 4475
    assert isinstance(response.usage.input_tokens, int)
