"""Calls that Gemini has run itself (MCP servers that it asks): no client gets them, in whole answers and in streams."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

TARGETS: Final = ["openai_chat", "openai_responses", "claude", "ollama", "vllm", "bedrock_converse"]
ASKED: Final[dict[str, Any]] = {"functionCall": {"id": "c1", "name": "look", "args": {"a": 1}}}
FOUND: Final[dict[str, Any]] = {"functionResponse": {"id": "c1", "name": "look", "response": {"output": "It is."}}}
OTHER: Final[dict[str, Any]] = {"functionCall": {"id": "c2", "name": "go", "args": {}}, "thoughtSignature": "czM="}
TEXT: Final[dict[str, Any]] = {"text": "Yes."}


def without_ids(part: dict[str, Any]) -> dict[str, Any]:
    """Return a call or a result as older models write it."""
    return {name: {key: value for key, value in held.items() if key != "id"} for name, held in part.items()}


def chunks(*contents: list[Any], end: str = "STOP") -> list[Any]:
    """Return a stream of a chunk for each content, which ends with the last one."""
    candidates: list[Any] = [{"content": {"role": "model", "parts": parts}, "index": 0} for parts in contents]
    if end:
        candidates[-1]["finishReason"] = end
    counts = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return [{"responseId": "r", "candidates": [one], "usageMetadata": counts} for one in candidates]


def heard(frames: list[Any], target: str) -> tuple[list[str], str, Any]:
    """Return what a client hears of a stream: the calls by name, the text and the reason for the end."""
    answer = il.collect(il.decode_stream(il.translate_stream(frames, "gemini", target), target))
    said = [message for message in answer.messages if isinstance(message, il.AssistantChatMessage)]
    calls = [call.name for message in said for call in message.tool_calls or ()]
    return calls, "".join(message.text or "" for message in said), answer.finish_reason


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "contents",
    [
        [[ASKED], [FOUND], [TEXT]],
        [[ASKED, FOUND, TEXT]],
        [[{"text": "Wait. "}, ASKED], [FOUND, TEXT]],
        [[without_ids(ASKED)], [{"text": ""}], [without_ids(FOUND)], [TEXT]],
    ],
)
def test_a_call_with_a_result_in_the_stream_is_not_sent_to_the_client(contents: list[Any], target: str) -> None:
    calls, text, reason = heard(chunks(*contents), target)
    assert (calls, text.endswith("Yes."), reason) == ([], True, "stop")
    encoded = il.translate_stream(chunks(*contents), "gemini", target)
    list(encoded)
    lost = [loss.path for loss in encoded.losses if loss.path.endswith("/part") and loss.severity == "lost"]
    assert len(lost) == 2
    parts = [part for content in contents for part in content]
    whole = {"responseId": "r", "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]}
    answer = il.decode_response(il.translate_response(whole, "gemini", target).body, target)
    assert not any(message.tool_calls for message in answer.messages if isinstance(message, il.AssistantChatMessage))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("ended", [0, 1, 2])
def test_a_finish_reason_before_the_result_does_not_send_the_call_to_the_client(ended: int, target: str) -> None:
    """As Gemini was recorded: the chunk with the call ends with STOP, the result and the text follow."""
    frames = chunks([ASKED], [FOUND], [TEXT])
    frames[ended]["candidates"][0]["finishReason"] = "STOP"
    assert heard(frames, target) == ([], "Yes.", "stop")


def test_an_error_after_a_call_and_its_finish_reason_loses_no_usage() -> None:
    """The usage comes before the error, after which nothing is written."""
    error = {"error": {"code": 503, "message": "x", "status": "UNAVAILABLE"}}
    stream = il.translate_stream([*chunks([OTHER]), error], "gemini", "openai_responses")
    list(stream)
    assert [loss.path for loss in stream.losses if loss.path.endswith("/usage")] == []


@pytest.mark.parametrize("target", TARGETS)
def test_a_call_that_ends_its_stream_is_sent_to_the_client_with_its_finish_reason(target: str) -> None:
    stream = il.translate_stream(chunks([TEXT], [OTHER]), "gemini", target)
    written = [*stream]
    assert heard(chunks([TEXT], [OTHER]), target)[::2] == (["go"], "tool_calls")
    assert next(event for event in il.decode_stream(written, target) if event.type == "end").complete


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "contents",
    [
        [[ASKED], [OTHER], [FOUND]],
        [[OTHER, ASKED], [FOUND]],
        [[ASKED], [FOUND], [OTHER], [TEXT]],
        [[OTHER], [TEXT], [ASKED, FOUND]],
    ],
)
def test_calls_of_client_tools_are_sent_to_the_client(contents: list[Any], target: str) -> None:
    assert heard(chunks(*contents), target)[0] == ["go"]


@pytest.mark.parametrize("target", TARGETS)
def test_a_delayed_call_is_written_when_its_stream_is_truncated_or_fails(target: str) -> None:
    cut = il.translate_stream(chunks([TEXT], [OTHER], end=""), "gemini", target)
    error = {"error": {"code": 503, "message": "Overloaded.", "status": "UNAVAILABLE"}}
    failed = il.translate_stream([*chunks([TEXT], [OTHER], end=""), error], "gemini", target)
    for encoded in (cut, failed):
        assert '"go"' in str(list(encoded)).replace("'", '"')


def test_within_the_dialect_such_a_stream_round_trips() -> None:
    frames = chunks([ASKED], [FOUND], [TEXT])
    assert list(il.encode_stream(il.decode_stream(frames, "gemini"), "gemini")) == frames


def test_calls_of_two_alternatives_are_delayed_separately() -> None:
    def both(first: list[Any], second: list[Any], **end: str) -> dict[str, Any]:
        contents = ({"role": "model", "parts": parts} for parts in (first, second))
        return {"candidates": [{"content": one, "index": at, **end} for at, one in enumerate(contents)]}

    frames = [both([ASKED], [OTHER]), both([FOUND], []), both([TEXT], [TEXT], finishReason="STOP")]
    chat: list[Any] = list(il.translate_stream(frames, "gemini", "openai_chat"))
    called = [
        (choice["index"], call["function"]["name"])
        for frame in chat
        if isinstance(frame, dict)
        for choice in frame["choices"]
        for call in choice["delta"].get("tool_calls", ())
    ]
    assert called == [(1, "go")]


@pytest.mark.parametrize("target", ["openai_chat", "claude", "ollama"])
def test_the_text_of_a_failed_answer_precedes_a_call_of_an_earlier_chunk(target: str) -> None:
    frames = chunks([TEXT], [OTHER], [], end="MALFORMED_FUNCTION_CALL")
    told = str(list(il.translate_stream(frames, "gemini", target)))
    assert told.index("The answer failed.") < told.index("'go'")
