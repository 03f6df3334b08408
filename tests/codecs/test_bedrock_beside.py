"""What Claude's models say beside an answer of Converse: the count of their thoughts, and the stop text."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CLAUDE: Final = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
PATHS: Final = "additionalModelResponseFieldPaths"
BESIDE: Final = "additionalModelResponseFields"
THOUGHTS: Final = {"output_tokens_details": {"thinking_tokens": 5}}
USAGE: Final = {"inputTokens": 3, "outputTokens": 9, "totalTokens": 12}


def asked(model: str, **members: Any) -> il.Encoded:
    """Return what goes to a model of a request of Chat Completions."""
    body = {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}], **members}
    encoded = il.translate_request(body, "openai_chat", "bedrock_converse", model=model)
    assert il.check_request(encoded.body, "bedrock_converse") == []
    return encoded


def answer(**said: Any) -> dict[str, Any]:
    """Return an answer with what a model says beside it."""
    message = {"role": "assistant", "content": [{"text": "One"}]}
    return {
        "output": {"message": message},
        "stopReason": "stop_sequence",
        "usage": USAGE,
        "metrics": {"latencyMs": 1},
        BESIDE: said,
    }


def frames(said: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a stream with what a model says beside it."""
    return [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "One"}}},
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "stop_sequence", BESIDE: said}},
        {"metadata": {"usage": USAGE, "metrics": {"latencyMs": 1}}},
    ]


@pytest.mark.parametrize(
    ("model", "members", "paths"),
    [
        (CLAUDE, {"reasoning_effort": "high"}, ["/usage/output_tokens_details"]),
        (CLAUDE, {"reasoning_effort": "none"}, None),
        (CLAUDE, {"stop": ["END"]}, ["/stop_sequence", "/delta/stop_sequence"]),
        ("anthropic.claude-opus-5", {}, ["/usage/output_tokens_details"]),
        ("anthropic.claude-opus-5", {"reasoning_effort": "none"}, None),
        (CLAUDE, {}, None),
        ("amazon.nova-pro-v1:0", {"stop": ["END"]}, None),
        ("openai.gpt-oss-120b-1:0", {"reasoning_effort": "high"}, None),
    ],
)
def test_claude_models_on_bedrock_get_settings_that_converse_lacks_as_additional_fields(
    model: str, members: dict[str, Any], paths: list[str] | None
) -> None:
    encoded = asked(model, **members)
    assert encoded.body.get(PATHS) == paths
    told = [loss.severity for loss in encoded.losses if PATHS in loss.detail]
    assert told == ([] if paths is None else ["filled"])


@pytest.mark.parametrize("stop", [{"stop_sequence": "END"}, {"delta": {"stop_sequence": "END"}}])
def test_the_reasoning_token_count_and_the_stop_text_are_translated(stop: dict[str, Any]) -> None:
    body = answer(**stop, usage=THOUGHTS)
    claude = il.translate_response(body, "bedrock_converse", "claude").body
    assert (claude["stop_sequence"], claude["usage"]["output_tokens_details"]) == ("END", {"thinking_tokens": 5})
    chat = il.translate_response(body, "bedrock_converse", "openai_chat").body
    assert chat["usage"]["completion_tokens_details"] == {"reasoning_tokens": 5}
    gemini = il.translate_response(body, "bedrock_converse", "gemini").body
    assert gemini["usageMetadata"]["thoughtsTokenCount"] == 5


def test_the_reasoning_token_count_and_the_stop_text_of_a_stream_are_translated() -> None:
    said = frames({"delta": {"stop_sequence": "END"}, "usage": THOUGHTS})
    *_, last, _ = il.translate_stream(said, "bedrock_converse", "claude")
    assert last["delta"] == {"stop_reason": "stop_sequence", "stop_sequence": "END"}
    assert last["usage"] == {"input_tokens": 3, "output_tokens": 9, **THOUGHTS}
    *_, last, _ = il.translate_stream(said, "bedrock_converse", "openai_chat")
    assert last["usage"]["completion_tokens_details"] == {"reasoning_tokens": 5}


@pytest.mark.parametrize(
    "said",
    [
        {"stop_sequence": "END", "usage": THOUGHTS},
        {"delta": {"stop_sequence": "END"}},
        {"delta": {"stop_sequence": None}},
        {"stop_sequence": 1, "usage": {"output_tokens_details": {"thinking_tokens": "5"}}},
        {"usage": {"output_tokens_details": {"thinking_tokens": 5, "other": 1}}, "more": []},
        None,
    ],
)
def test_additional_response_fields_are_unchanged_within_the_dialect(said: Any) -> None:
    body = {**answer(), BESIDE: said}
    again = il.encode_response(il.decode_response(body, "bedrock_converse"), "bedrock_converse")
    assert (again.body, again.losses) == (body, ())
    stream = frames(said)
    events = [*il.decode_stream(stream, "bedrock_converse")]
    assert [*il.encode_stream(events, "bedrock_converse")] == stream
