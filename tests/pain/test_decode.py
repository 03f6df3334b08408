"""What users suffered from where answers are read (docs/pain.md, Decoding, the first ten), each entry by its id."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il
from support.bodies import (
    DIALECTS,
    TEXT,
    answer,
    chat_answer,
    chat_call,
    claude_answer,
    claude_call,
    gemini_answer,
    gemini_call,
    ollama_answer,
    responses_answer,
    responses_call,
    responses_text,
)

NEVER_SEEN: Final = "never_seen"
# Words for the end of an answer, and what they mean: those that the pages of the dialects document.
ENDINGS: Final[dict[str, dict[str, str]]] = {
    "openai_chat": {
        "stop": "stop",
        "length": "length",
        "tool_calls": "tool_calls",
        "function_call": "tool_calls",
        "content_filter": "content_filter",
        "eos": "stop",
        "eos_token": "stop",
        "model_length": "length",
        "sensitive": "content_filter",
        "error": "error",
    },
    "vllm": {"stop": "stop", "length": "length", "tool_calls": "tool_calls", "error": "error"},
    "claude": {
        "end_turn": "stop",
        "stop_sequence": "stop",
        "max_tokens": "length",
        "model_context_window_exceeded": "length",
        "tool_use": "tool_calls",
        "pause_turn": "pause",
        "refusal": "refusal",
    },
    "gemini": {
        "STOP": "stop",
        "MAX_TOKENS": "length",
        "SAFETY": "content_filter",
        "RECITATION": "content_filter",
        "LANGUAGE": "content_filter",
        "BLOCKLIST": "content_filter",
        "PROHIBITED_CONTENT": "content_filter",
        "SPII": "content_filter",
        "IMAGE_SAFETY": "content_filter",
        "MALFORMED_FUNCTION_CALL": "error",
        "UNEXPECTED_TOOL_CALL": "error",
        "TOO_MANY_TOOL_CALLS": "error",
        "OTHER": "other",
        "FINISH_REASON_UNSPECIFIED": "other",
    },
    "ollama": {"stop": "stop", "length": "length"},
}


def again(body: dict[str, Any], dialect: str) -> il.ChatResponse:
    """Return the response of a body; it comes back as the body."""
    response = il.decode_response(body, dialect)
    encoded = il.encode_response(response, dialect)
    assert (encoded.body, encoded.losses) == (body, ())
    return response


def texts(content: Any) -> str:
    """Return the text of a content, as a user reads it: parts that are no text are passed over."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part.text for part in content if part.type == "text")


def said(response: il.ChatResponse) -> tuple[str, list[str]]:
    """Return the text of a response and the names of its calls."""
    messages = [message for message in response.messages if message.role == "assistant"]
    names = [call.name for message in messages for call in message.tool_calls or ()]
    return "".join(texts(message.content) for message in messages), names


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dec_1_an_unknown_word_loses_nothing_of_the_answer(dialect: str) -> None:
    response = again(answer(dialect, NEVER_SEEN), dialect)
    assert said(response) == (TEXT, ["look_up"])
    assert response.finish_reason in {"other", None}
    assert NEVER_SEEN in response.model_dump_json()
    if dialect != "openai_responses":  # its status is no reason
        assert response.finish_reason_raw == NEVER_SEEN


def test_dec_1_an_unknown_incomplete_reason_of_responses_is_kept() -> None:
    details = {"reason": NEVER_SEEN}
    body = responses_answer(responses_text(), status="incomplete", incomplete_details=details)
    response = again(body, "openai_responses")
    assert (response.finish_reason, response.finish_reason_raw) == ("other", NEVER_SEEN)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dec_1_an_unknown_count_and_service_tier_lose_nothing(dialect: str) -> None:
    body = answer(dialect)
    counts = {"openai_chat": "usage", "vllm": "usage", "openai_responses": "usage", "claude": "usage"}.get(dialect)
    (body[counts] if counts else body["usageMetadata"] if dialect == "gemini" else body)["new_count"] = {"deep": 7}
    body["service_tier"] = "on_demand"
    response = again(body, dialect)
    assert said(response) == (TEXT, ["look_up"])
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.output_tokens) == (5, 3)


NEW_BLOCK: Final = {"type": "tool_addition", "tools": [{"name": "x", "note": None}], "n": 1.0}
NEW_PART: Final = {"newThing": {"note": None, "n": 1.0}}
KNOWN: Final = [{"type": "text", "text": "One."}, NEW_BLOCK, {"type": "text", "text": "Two."}]
PARTS: Final = [{"text": "One."}, NEW_PART, {"text": "Two."}]
CHAT_REQUEST: Final = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": KNOWN}]}


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        ("openai_chat", CHAT_REQUEST),
        ("vllm", CHAT_REQUEST),
        ("claude", CHAT_REQUEST),
        ("gemini", {"contents": [{"role": "user", "parts": PARTS}]}),
        (
            "openai_responses",
            {
                "model": "m",
                "input": [
                    {
                        "role": "user",
                        "content": [
                            {"type": "input_text", "text": "One."},
                            NEW_BLOCK,
                            {"type": "input_text", "text": "Two."},
                        ],
                    }
                ],
            },
        ),
    ],
)
def test_dec_2_an_unknown_part_between_two_known_ones_keeps_its_place_and_bytes(dialect: str, body: Any) -> None:
    request = il.decode_request(body, dialect)
    message: Any = request.messages[0]
    first, unknown, last = message.content
    assert (first.text, last.text) == ("One.", "Two.")
    assert isinstance(unknown, il.OpaquePart)
    assert (unknown.dialect, unknown.data) == (dialect, NEW_PART if dialect == "gemini" else NEW_BLOCK)
    encoded = il.encode_request(request, dialect)
    assert json.dumps(encoded.body, sort_keys=True) == json.dumps(body, sort_keys=True)
    assert encoded.losses == ()


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        ("claude", claude_answer({"type": "text", "text": TEXT}, NEW_BLOCK, claude_call(), reason="tool_use")),
        ("gemini", gemini_answer({"text": TEXT}, NEW_PART, gemini_call())),
        ("openai_responses", responses_answer(responses_text(), NEW_BLOCK, responses_call())),
    ],
)
def test_dec_2_an_unknown_part_of_an_answer_keeps_its_place(dialect: str, body: Any) -> None:
    assert said(again(body, dialect)) == (TEXT, ["look_up"])


@pytest.mark.parametrize(
    ("dialect", "body", "path"),
    [
        ("claude", claude_answer({"type": "tool_use", "name": "x", "input": {}}), "/content/0/id"),
        ("claude", claude_answer({"type": "tool_use", "id": "a", "name": "x"}), "/content/0/input"),
        ("claude", claude_answer({"type": "text"}), "/content/0/text"),
        (
            "openai_chat",
            chat_answer({"content": None, "tool_calls": [{"id": "a", "type": "function"}]}),
            "/choices/0/message/tool_calls/0/function",
        ),
        ("openai_chat", chat_answer({"content": [{"type": "text"}]}), "/choices/0/message/content/0/text"),
        ("vllm", chat_answer({"content": [{"type": "text", "text": 5}]}), "/choices/0/message/content/0/text"),
        (
            "openai_responses",
            responses_answer({"type": "function_call", "call_id": "a", "arguments": "{}"}),
            "/output/0/name",
        ),
        (
            "openai_responses",
            responses_answer(responses_text({"type": "output_text"})),
            "/output/0/content/0/text",
        ),
        ("gemini", gemini_answer({"functionCall": {"args": {}}}), "/candidates/0/content/parts/0/functionCall/name"),
        ("gemini", gemini_answer({"text": 5}), "/candidates/0/content/parts/0/text"),
        (
            "ollama",
            ollama_answer({"content": "", "tool_calls": [{"function": {"arguments": {}}}]}),
            "/message/tool_calls/0/function/name",
        ),
    ],
)
def test_dec_3_a_malformed_known_part_is_an_error_with_its_path(dialect: str, body: Any, path: str) -> None:
    with pytest.raises(il.DecodeError) as caught:
        il.decode_response(body, dialect)
    assert (caught.value.dialect, caught.value.path) == (dialect, path)


@pytest.mark.parametrize(
    ("dialect", "part", "place"),
    [
        ("openai_chat", {"type": "image_url", "image_url": {}}, "/image_url/url"),
        ("openai_chat", {"type": "input_audio", "input_audio": {"format": "wav"}}, "/input_audio/data"),
        ("openai_chat", {"type": "file", "file": {}}, "/file"),
        ("vllm", {"type": "audio_url", "audio_url": {}}, "/audio_url/url"),
        ("openai_responses", {"type": "input_image", "detail": "auto"}, ""),
        ("openai_responses", {"type": "input_text"}, "/text"),
        ("claude", {"type": "image", "source": {}}, "/source/type"),
        ("claude", {"type": "document", "source": {"type": "file"}}, "/source/file_id"),
        ("bedrock_converse", {"image": {"format": "png"}}, "/image/source"),
        ("bedrock_converse", {"document": {"format": "pdf", "name": "a", "source": {}}}, "/document/source"),
        ("bedrock_converse", {}, ""),
    ],
)
def test_dec_3_a_malformed_known_part_of_a_request_is_an_error_with_its_path(
    dialect: str, part: dict[str, Any], place: str
) -> None:
    name = "input" if dialect == "openai_responses" else "messages"
    body: dict[str, Any] = {"model": "m", "max_tokens": 9, name: [{"role": "user", "content": [part]}]}
    if dialect in {"bedrock_converse", "openai_responses"}:
        del body["max_tokens"]
    if dialect == "bedrock_converse":
        body["modelId"] = body.pop("model")
        body[name][0]["content"].append({"text": "Look."})  # a document alone would be refused for that
    assert [one.path for one in il.check_request(body, dialect)] == [f"/{name}/0/content/0{place}"]


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        ("claude", claude_answer(NEW_BLOCK, {"type": "text", "text": TEXT}, claude_call(), reason="tool_use")),
        ("gemini", gemini_answer(NEW_PART, {"text": TEXT}, gemini_call())),
        ("openai_responses", responses_answer(NEW_BLOCK, responses_text(), responses_call())),
    ],
)
def test_dec_4_unknown_content_does_not_affect_readers_and_writers(dialect: str, body: Any, target: str) -> None:
    response = il.decode_response(body, dialect)
    assert said(response) == (TEXT, ["look_up"])
    assert TEXT not in repr(response) + str(response)
    assert hash(response) == hash(il.decode_response(body, dialect))
    assert TEXT in json.dumps(il.normal_form(response))
    there = il.decode_response(il.encode_response(response, target).body, target)
    assert said(there) == (TEXT, ["look_up"])
    request = il.encode_request({"messages": [{"role": "user", "content": "?"}, *response.messages]}, target)
    assert TEXT in json.dumps(request.body)


@pytest.mark.parametrize(
    "candidate",
    [
        {"finishReason": "MALFORMED_FUNCTION_CALL"},
        {"finishReason": "MALFORMED_FUNCTION_CALL", "content": {}},
        {"finishReason": "MALFORMED_FUNCTION_CALL", "content": {"role": "model"}},
        {"finishReason": "MALFORMED_FUNCTION_CALL", "content": {"role": "model", "parts": []}},
        {"finishReason": "MALFORMED_FUNCTION_CALL", "content": {"role": "model", "parts": [{"thought": True}]}},
    ],
)
def test_dec_5_an_empty_candidate_is_an_empty_answer(candidate: dict[str, Any]) -> None:
    body = {"candidates": [candidate]}
    response = again(body, "gemini")
    assert said(response) == ("", [])
    assert response.finish_reason == "error"
    written: Any = il.encode_response(response, "gemini").body
    assert written["candidates"][0]["finishReason"] == "MALFORMED_FUNCTION_CALL"
    streamed = il.collect(il.decode_stream([body], "gemini"))
    assert said(streamed) == ("", [])
    assert streamed.finish_reason == "error"


def test_dec_6_every_part_of_a_chunk_is_read_in_order() -> None:
    parts: list[dict[str, Any]] = [
        {"text": "Hm.", "thought": True},
        {"text": TEXT},
        gemini_call({"city": "Rome"}),
        gemini_call({"city": "Oslo"}),
    ]
    body = gemini_answer(*parts)
    for response in (again(body, "gemini"), il.collect(il.decode_stream([body], "gemini"))):
        (message,) = response.messages
        assert isinstance(message, il.AssistantChatMessage)
        assert texts(message.reasoning) == "Hm."
        assert texts(message.content) == TEXT
        assert [call.arguments for call in message.tool_calls or ()] == [{"city": "Rome"}, {"city": "Oslo"}]
        written: Any = il.encode_response(response, "gemini").body
        assert written["candidates"][0]["content"]["parts"] == parts


SIGNED_PARTS: Final[list[list[dict[str, Any]]]] = [
    [{"text": TEXT}, {"text": "", "thoughtSignature": "c2ln"}],
    [{"text": "", "thoughtSignature": "c2ln"}, {"text": TEXT}],
    [{"text": "One."}, {"text": "", "thoughtSignature": "c2ln"}, {"text": "Two."}],
    [{"text": "Hm.", "thought": True}, {"text": "", "thoughtSignature": "c2ln"}, gemini_call()],
]


@pytest.mark.parametrize("parts", SIGNED_PARTS)
def test_dec_7_a_signature_without_a_text_keeps_its_place(parts: list[dict[str, Any]]) -> None:
    response = again(gemini_answer(*parts), "gemini")
    stored = il.ChatResponse.model_validate_json(response.model_dump_json())
    history = [{"role": "user", "content": "?"}, *stored.messages]
    sent: Any = il.encode_request({"dialect": "gemini", "messages": history}, "gemini").body
    assert sent["contents"][1]["parts"] == parts


REFUSAL: Final = "I cannot help with that."


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        ("openai_chat", chat_answer({"content": None, "refusal": REFUSAL})),
        ("openai_responses", responses_answer(responses_text({"type": "refusal", "refusal": REFUSAL}))),
    ],
)
def test_dec_8_a_refusal_is_a_refusal_or_a_text_and_never_an_empty_message(
    dialect: str, body: Any, target: str
) -> None:
    response = again(body, dialect)
    (message,) = response.messages
    assert isinstance(message, il.AssistantChatMessage)
    assert texts(message.refusal) == REFUSAL
    assert texts(message.content) == ""
    history = [{"role": "user", "content": "?"}, *response.messages, {"role": "user", "content": "And?"}]
    sent = il.encode_request({"model": "m", "max_tokens": 9, "messages": history}, target)
    assert il.check_request(sent.body, target) == []
    assert REFUSAL in json.dumps(sent.body)
    told = [(loss.severity, loss.path) for loss in sent.losses if loss.code == "refusal"]
    has_place = target in {"openai_chat", "openai_responses"}
    assert told == ([] if has_place else [("changed", "/messages/1/refusal")])


def test_dec_8_a_streamed_refusal_equals_the_whole_one() -> None:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    deltas = [{"role": "assistant", "content": None}, {"refusal": "I cannot "}, {"refusal": "help with that."}]
    frames: list[Any] = [{**head, "choices": [{"index": 0, "delta": one, "finish_reason": None}]} for one in deltas]
    frames += [{**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}, "[DONE]"]
    for dialect in ("openai_chat", "openai_responses"):
        there = list(il.translate_stream(frames, "openai_chat", dialect))
        (message,) = il.collect(il.decode_stream(there, dialect)).messages
        assert isinstance(message, il.AssistantChatMessage)
        assert texts(message.refusal) == REFUSAL
        assert not texts(message.content)


@pytest.mark.parametrize(
    ("dialect", "word", "meaning"), [(name, *pair) for name, words in ENDINGS.items() for pair in words.items()]
)
def test_dec_9_the_raw_finish_reason_and_its_meaning_are_kept(dialect: str, word: str, meaning: str) -> None:
    if dialect in {"openai_chat", "vllm"}:
        calls = {"tool_calls": [chat_call()]} if meaning == "tool_calls" else {}
        body = chat_answer({"content": TEXT, **calls}, word)
    elif dialect == "claude":
        body = claude_answer({"type": "text", "text": TEXT}, reason=word)
    elif dialect == "gemini":
        body = gemini_answer({"text": TEXT}, reason=word)
    else:
        body = ollama_answer({"content": TEXT}, word)
    assert again(body, dialect).finish_reason == meaning


@pytest.mark.parametrize("dialect", ["claude", "openai_chat"])
def test_dec_9_a_declined_or_truncated_answer_keeps_its_calls(dialect: str) -> None:
    words = ("refusal", "model_context_window_exceeded") if dialect == "claude" else ("content_filter", "length")
    for word in words:
        assert said(again(answer(dialect, word), dialect)) == (TEXT, ["look_up"])


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm", "gemini", "ollama", "claude"])
def test_dec_10_calls_are_read_even_if_the_finish_reason_is_stop(dialect: str) -> None:
    word = {"gemini": "STOP", "claude": "end_turn"}.get(dialect, "stop")
    response = again(answer(dialect, word), dialect)
    assert said(response) == (TEXT, ["look_up"])
    client: Any = il.encode_response(response, "vllm" if dialect == "openai_chat" else "openai_chat").body
    assert client["choices"][0]["finish_reason"] == "tool_calls"
