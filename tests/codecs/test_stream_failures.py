"""An error in mid-stream ends the stream as the target's provider ends it: nothing looks finished, nothing follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import anthropic
import ollama
import openai
import pytest
from google.genai import errors as gemini_errors

import interlingua as il
from interlingua.streaming import EventDecoder, EventEncoder
from support.clients import CLIENTS
from support.errors import CATEGORIES, DIALECTS, READ_OTHERWISE
from support.provider import Provider, provider

MESSAGE: Final = "It failed."
START: Final = {"type": "start", "id": "a", "model": "m", "created": 1}
TEXT: Final = {"type": "content", "block": 0, "text": "Hel"}
ENDED: Final = {"type": "block_end", "block": 0}
CALL: Final = {"type": "tool_call_start", "block": 1, "id": "c", "name": "look"}
CUT: Final = {"type": "tool_call_delta", "block": 1, "arguments": '{"a'}
BEHIND: Final[list[dict[str, Any]]] = [
    {"type": "block_end", "block": 1},
    {"type": "finish", "reason": "error"},
    {"type": "usage", "usage": {"input_tokens": 3, "output_tokens": 2}},
    {"type": "end", "complete": True},
]
# What says that a text, an item or an answer is whole.
FINISHING: Final = frozenset(
    {
        "content_block_stop",
        "message_delta",
        "message_stop",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.function_call_arguments.done",
        "response.completed",
        "response.incomplete",
    }
)


def error_of(category: str = "overloaded", **members: Any) -> dict[str, Any]:
    return {"type": "error", "category": category, "message": MESSAGE, **members}


def written(dialect: str, events: list[dict[str, Any]]) -> tuple[list[Any], tuple[il.Loss, ...]]:
    writer = EventEncoder(dialect)
    frames = [frame for event in events for frame in writer.feed(event)]
    assert writer.close() == []
    return frames, writer.losses


def finishes(frame: Any) -> bool:
    """Tell whether a frame says that something is whole."""
    if type(frame) is str:
        return False
    answers = [*frame.get("choices", ()), *frame.get("candidates", ())]
    reasons = [one.get("finish_reason") or one.get("finishReason") for one in answers]
    return bool(frame.get("type") in FINISHING or frame.get("done") is True or any(reasons) or "usageMetadata" in frame)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_error_ends_the_stream_without_a_finish_reason(dialect: str) -> None:
    frames, _ = written(dialect, [START, TEXT, ENDED, CALL, CUT, error_of(), *BEHIND])
    writer = EventEncoder(dialect)
    before = [frame for event in (START, TEXT, ENDED, CALL, CUT) for frame in writer.feed(event)]
    added = [frame for frame in frames if frame not in before]
    assert not any(map(finishes, added))
    if dialect == "vllm":
        assert frames.pop() == "[DONE]"
    last = frames[-1]
    match dialect:
        case "claude":
            assert last == {"type": "error", "error": {"type": "overloaded_error", "message": MESSAGE}}
        case "openai_responses":
            told, failed = frames[-2:]
            words = {"message": MESSAGE, "code": "server_is_overloaded", "param": None}
            number = told["sequence_number"]
            nested = {"type": "service_unavailable_error", **words}
            assert told == {"type": "error", **words, "error": nested, "sequence_number": number}
            assert (failed["type"], failed["sequence_number"]) == ("response.failed", number + 1)
            response = failed["response"]
            assert (response["status"], response["id"]) == ("failed", "a")
            assert response["error"] == {"code": "server_is_overloaded", "message": MESSAGE}
            assert [(item["type"], item["status"]) for item in response["output"]] == [
                ("message", "completed"),
                ("function_call", "incomplete"),
            ]
        case "bedrock_converse":
            assert last == {"serviceUnavailableException": {"message": MESSAGE}}
        case "gemini":
            assert last == {"error": {"code": 503, "message": MESSAGE, "status": "UNAVAILABLE"}}
            assert next(iter(last["error"])) == "code"
        case "ollama":
            assert last == {"error": MESSAGE}
        case "vllm":
            assert last == {
                "error": {"message": MESSAGE, "type": "ServiceUnavailableError", "param": None, "code": 503}
            }
        case _:
            words = {"type": "service_unavailable_error", "code": "server_is_overloaded"}
            assert last == {"error": {"message": MESSAGE, **words, "param": None}}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_events_after_an_error_are_not_written_and_reported(dialect: str) -> None:
    late = {"type": "content", "block": 2, "text": "late"}
    frames, losses = written(dialect, [START, TEXT, error_of(), late, *BEHIND])
    assert frames == written(dialect, [START, TEXT, error_of()])[0]
    paths = {loss.path for loss in losses if loss.severity == "lost"}
    assert {"/3/text", "/6/usage"} <= paths
    assert not any(path.startswith("/5") for path in paths)  # that the answer ended with an error has been said


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_error_category_is_preserved_or_reported(dialect: str) -> None:
    for category in CATEGORIES:
        writer = EventEncoder(dialect)
        frames = [frame for event in (START, TEXT, error_of(category)) for frame in writer.feed(event)]
        reader = EventDecoder(dialect)
        [told] = [event for frame in frames for event in reader.feed(frame) if event["type"] == "error"]
        lost = {loss.path for loss in writer.losses}
        assert (told["category"] == category) != ("/2/category" in lost)
        assert MESSAGE in told["message"] or category == "context_overflow"
        if dialect != "ollama" and (dialect, category) in READ_OTHERWISE:
            assert told["category"] == READ_OTHERWISE[dialect, category]


def test_the_retry_delay_is_written_where_the_client_reads_it() -> None:
    frames, _ = written("openai_responses", [START, error_of("rate_limit", retry_after=7)])
    assert frames[-1]["response"]["error"]["message"] == f"{MESSAGE} Please try again in 7s."
    frames, losses = written("claude", [START, error_of("rate_limit", retry_after=7)])
    assert "/1/retry_after" in {loss.path for loss in losses}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_stream_that_fails_immediately_contains_only_the_error(dialect: str) -> None:
    encoded = il.encode_error_stream({"category": "overloaded", "message": MESSAGE}, dialect)
    frames = list(encoded)
    kinds: list[str | None] = [frame if isinstance(frame, str) else frame.get("type") for frame in frames]
    begun: list[str | None] = ["response.created", "response.in_progress", "error", "response.failed"]
    expected: dict[str, list[str | None]] = {"claude": ["error"], "openai_responses": begun, "vllm": [None, "[DONE]"]}
    assert kinds == expected.get(dialect, [None])
    with pytest.raises(il.StreamError) as failed:
        il.collect(il.decode_stream(frames, dialect))
    assert failed.value.message == MESSAGE
    assert failed.value.category == ("unknown" if dialect == "ollama" else "overloaded")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_error_body_is_written_unchanged_into_a_stream_of_its_dialect(dialect: str) -> None:
    body = il.encode_error({"category": "permission", "message": MESSAGE}, dialect).body
    error = il.decode_error(body, dialect, status=403)
    frames = [frame for frame in il.encode_error_stream(error, dialect) if isinstance(frame, dict)]
    if dialect == "openai_responses":
        assert frames[-2]["error"] == body["error"]
    elif dialect == "bedrock_converse":  # a frame is the exception by its name
        assert frames == [{"validationException": body}]
    else:
        assert frames == [body]


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("source", DIALECTS)
def test_an_interrupted_stream_is_interrupted_in_other_dialects(source: str, target: str) -> None:
    frames, _ = written(source, [START, TEXT, error_of("server_error")])
    translated = list(il.translate_stream(frames, source, target))
    if source == target:
        assert translated == frames
        return
    with pytest.raises(il.StreamError) as failed:
        il.collect(il.decode_stream(translated, target))
    assert failed.value.message == MESSAGE
    assert failed.value.partial.text == "Hel"
    assert not any(map(finishes, translated))


def test_an_error_inside_an_answer_chunk_is_read() -> None:
    frames: list[Any] = [{"choices": [{"index": 0, "delta": {"content": "Hel"}, "finish_reason": "error"}]}]
    frames[0]["error"] = {"code": 502, "message": MESSAGE}
    translated = list(il.translate_stream(frames, "openai_chat", "claude"))
    assert translated[-1] == {"type": "error", "error": {"type": "api_error", "message": MESSAGE}}
    assert not any(map(finishes, translated))


@pytest.fixture(name="here", scope="module")
def _here() -> Iterator[Provider]:
    with provider() as one:
        yield one


@pytest.mark.parametrize("source", DIALECTS)
@pytest.mark.parametrize("target", [name for name in DIALECTS if name in CLIENTS])
def test_the_official_client_raises_an_exception_for_an_interrupted_stream(
    source: str, target: str, here: Provider
) -> None:
    frames, _ = written(source, [START, TEXT, error_of("server_error")])
    here.stream(target, il.translate_stream(frames, source, target))
    with pytest.raises((openai.APIError, anthropic.APIError, gemini_errors.APIError, ollama.ResponseError)) as raised:
        CLIENTS[target](here, stream=True)
    assert MESSAGE in str(raised.value)
    if isinstance(raised.value, gemini_errors.APIError):
        assert raised.value.code == 500


@pytest.mark.parametrize(
    ("exception", "message", "category"),
    [
        ("validationException", "Input is too long for requested model.", "context_overflow"),
        ("validationException", "Bad.", "invalid_request"),
        ("modelStreamErrorException", "The model broke off.", "server_error"),
        ("throttlingException", "Too many requests.", "rate_limit"),
        ("serviceUnavailableException", "Wait.", "overloaded"),
    ],
)
def test_a_bedrock_stream_exception_is_read_like_the_same_error_body(
    exception: str, message: str, category: str
) -> None:
    frames: list[Any] = [{"messageStart": {"role": "assistant"}}, {exception: {"message": message}}]
    [read] = [event for event in il.decode_stream(frames, "bedrock_converse") if event.type == "error"]
    named = {"x-amzn-errortype": exception[0].upper() + exception[1:]}
    whole = il.decode_error({"message": message}, "bedrock_converse", headers=named)
    assert (read.category, read.message) == (whole.category, whole.message) == (category, message)
    assert list(il.translate_stream(frames, "bedrock_converse", "bedrock_converse")) == frames
    last: Any = [*il.translate_stream(frames, "bedrock_converse", "claude")][-1]
    assert last["error"] == il.encode_error(whole, "claude").body["error"]


def test_claudes_overloaded_error_keeps_its_category_in_a_bedrock_stream() -> None:
    words = "prompt is too long: 210000 tokens > 200000 maximum"
    stream = il.translate_stream(
        [{"type": "error", "error": {"type": "invalid_request_error", "message": words}}], "claude", "bedrock_converse"
    )
    last: Any = [*stream][-1]
    assert last["validationException"]["message"].startswith("Input is too long for requested model.")
    assert "/0/category" not in {loss.path for loss in stream.losses}


@pytest.mark.parametrize(("category", "code"), [("unavailable", "server_error"), ("invalid_request", "invalid_prompt")])
def test_an_error_in_a_responses_stream_has_the_code_of_the_failed_response(
    category: il.ErrorCategory, code: str
) -> None:
    """The AI SDK 5, as in Mastra, passes over an error without a code: half an answer was the whole."""
    *_, told, failed = il.encode_error_stream(il.ApiError(category=category, message=MESSAGE), "openai_responses")
    assert (told["code"], failed["response"]["error"]["code"]) == (code, code)
