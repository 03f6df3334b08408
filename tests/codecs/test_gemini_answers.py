"""The room `gemini`: answers, and bodies that are neither request nor answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from interlingua.errors import DecodeError
from interlingua.loss import LossLog
from interlingua.model import ChatResponse
from interlingua.rooms import gemini
from interlingua.translation import translate_response

if TYPE_CHECKING:
    from interlingua.registry import Dialect

Losses = dict[str, tuple[str, str]]


def encode_response(response: Any) -> tuple[dict[str, Any], Losses]:
    log = LossLog()
    return gemini.encode_response(response, log), {loss.path: (loss.code, loss.severity) for loss in log.losses()}


def messages_of(*contents: Any) -> Any:
    return gemini.decode_request({"contents": list(contents)})["messages"]


def said(role: str, *parts: Any) -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


def answer(*parts: Any, **members: Any) -> dict[str, Any]:
    candidate = {"content": said("model", *parts), "finishReason": "STOP", "index": 0, **members}
    return {"candidates": [candidate], "modelVersion": "gemini-2.5-flash"}


def answered(body: Any) -> Any:
    """Return an answer after a whole round, as `asked` does."""
    stored = ChatResponse.model_validate(gemini.decode_response(body)).model_dump_json()
    again, losses = encode_response(json.loads(stored))
    assert losses == {}
    return again


# Answers


@pytest.mark.parametrize(
    ("word", "reason", "raw"),
    [
        ("STOP", "stop", None),
        (1, "stop", 1),
        ("MAX_TOKENS", "length", None),
        (2, "length", 2),
        ("SAFETY", "content_filter", None),
        ("RECITATION", "content_filter", "RECITATION"),
        ("MALFORMED_FUNCTION_CALL", "error", "MALFORMED_FUNCTION_CALL"),
        ("OTHER", "other", None),
        ("SOMETHING_NEW", "other", "SOMETHING_NEW"),
        (99, "other", 99),
    ],
)
def test_finish_reasons_are_mapped(word: str | int, reason: str, raw: str | int | None) -> None:
    body = answer({"text": "hi"}, finishReason=word)
    response: Any = gemini.decode_response(body)
    assert (response["finish_reason"], response.get("finish_reason_raw")) == (reason, raw)
    assert answered(body) == body


def test_stop_with_calls_becomes_tool_calls() -> None:
    body = answer({"functionCall": {"name": "f", "args": {}}})
    response: Any = gemini.decode_response(body)
    assert response["finish_reason"] == "tool_calls"
    assert "finish_reason_raw" not in response
    assert answered(body) == body


@pytest.mark.parametrize("candidates", [{}, {"candidates": []}, {"candidates": None}])
def test_a_blocked_prompt_has_no_candidates(candidates: Any) -> None:
    body = {**candidates, "promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 6}}
    response: Any = gemini.decode_response(body)
    assert (response["messages"], response["finish_reason"]) == ([], "content_filter")
    assert answered(body) == body
    response["finish_reason"] = "stop"
    assert encode_response(response)[0]["candidates"] == [{"finishReason": "STOP", "index": 0}]


def test_usage_counts_thoughts_as_output_and_tool_use_as_input() -> None:
    usage = {
        "promptTokenCount": 10,
        "toolUsePromptTokenCount": 5,
        "candidatesTokenCount": 7,
        "thoughtsTokenCount": 3,
        "cachedContentTokenCount": 4,
        "totalTokenCount": 25,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 8}, {"modality": "AUDIO", "tokenCount": 2}],
    }
    body = {**answer({"text": "hi"}), "usageMetadata": usage}
    counted: Any = gemini.decode_response(body)["usage"]
    assert {name: counted[name] for name in counted if name != "extra"} == {
        "input_tokens": 15,
        "output_tokens": 10,
        "reasoning_tokens": 3,
        "cache_read_tokens": 4,
        "total_tokens": 25,
        "input_text_tokens": 8,
        "input_audio_tokens": 2,
    }
    assert answered(body) == body


@pytest.mark.parametrize(
    "usage",
    [
        {"thoughtsTokenCount": 19, "totalTokenCount": 36},
        {"thoughtsTokenCount": None, "candidatesTokenCount": 3},
        {"candidatesTokenCount": 0, "thoughtsTokenCount": 0},
        {"promptTokenCount": 3.0, "trafficType": 1},
        {"promptTokensDetails": [{"modality": 1, "tokenCount": 3}]},
        {"promptTokensDetails": [{"modality": "AUDIO", "tokenCount": 3}, {"modality": "TEXT", "tokenCount": 3}]},
        {"promptTokensDetails": [{"modality": "VIDEO", "tokenCount": 3}, {"modality": "TEXT"}]},
        {"candidatesTokensDetails": []},
        {"prompt_token_count": 3, "serviceTier": "standard"},
    ],
)
def test_usage_round_trips(usage: Any) -> None:
    body = {**answer({"text": "hi"}), "usageMetadata": usage}
    assert json.dumps(answered(body), sort_keys=True) == json.dumps(body, sort_keys=True)


def test_several_candidates_are_alternatives() -> None:
    body = answer({"text": "a"})
    grounded = {"content": said("model", {"text": "b"}), "finishReason": "STOP", "groundingMetadata": {"x": [1]}}
    body["candidates"].append(grounded)
    response: Any = gemini.decode_response(body)
    (other,) = response["alternatives"]
    assert other["messages"] == [{"role": "assistant", "content": "b"}]
    assert other["extra"]["gemini"]["candidate"] == {"groundingMetadata": {"x": [1]}}
    assert answered(body) == body


@pytest.mark.parametrize(
    ("moment", "created"),
    [
        ("2025-12-19T23:45:36.565494Z", 1766187936),
        ("2025-12-19T23:45:36Z", 1766187936),
        ("2025-12-19T23:45:36.565494123Z", 1766187936),
        ("yesterday", None),
    ],
)
def test_the_creation_time_is_translated(moment: str, created: int | None) -> None:
    body = {**answer({"text": "hi"}), "createTime": moment, "responseId": "r"}
    assert gemini.decode_response(body).get("created") == created
    assert answered(body) == body


@pytest.mark.parametrize(
    "candidate",
    [
        {"finishReason": "NO_IMAGE", "index": 0},
        {"content": {"role": "model"}, "finishReason": "MAX_TOKENS"},
        {"content": {"role": "model", "parts": []}, "finishReason": None, "index": None},
        {"content": {}, "finish_reason": "STOP", "index": 7, "finishMessage": "m"},
        {"content": None},
        {"content": said("model", {"text": "a", "thought": True}, {"text": "b"}, {"text": "c", "thought": True})},
    ],
)
def test_a_candidate_round_trips(candidate: Any) -> None:
    body = {"candidates": [candidate], "model_version": "gemini", "turnToken": "t"}
    assert answered(body) == body


# Malformed bodies


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ([], ""),
        ({}, "/contents"),
        ({"contents": ["hello"]}, "/contents/0"),
        ({"contents": [{"role": 1, "parts": []}]}, "/contents/0/role"),
        ({"contents": [{"role": "user", "parts": "hello"}]}, "/contents/0/parts"),
        ({"contents": [said("user", {"text": 1})]}, "/contents/0/parts/0/text"),
        ({"contents": [said("user", {"inlineData": {}})]}, "/contents/0/parts/0/inlineData/data"),
        ({"contents": [said("model", {"functionCall": {}})]}, "/contents/0/parts/0/functionCall/name"),
        (
            {"contents": [said("user", {"functionResponse": {"response": []}})]},
            "/contents/0/parts/0/functionResponse/response",
        ),
        ({"contents": [], "systemInstruction": "be brief"}, "/systemInstruction"),
        ({"contents": [], "tools": [{"functionDeclarations": [{}]}]}, "/tools/0/functionDeclarations/0/name"),
    ],
)
def test_a_malformed_request_is_an_error_with_a_path(body: Any, path: str) -> None:
    with pytest.raises(DecodeError) as refused:
        gemini.decode_request(body)
    assert (refused.value.dialect, refused.value.path) == ("gemini", path)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "/candidates"),
        ({"error": {"code": 400}}, "/candidates"),
        ({"candidates": {}}, "/candidates"),
        ({"candidates": [1]}, "/candidates/0"),
        ({"candidates": [{"content": {"parts": [1]}}]}, "/candidates/0/content/parts/0"),
    ],
)
def test_a_malformed_answer_is_an_error_with_a_path(body: Any, path: str) -> None:
    with pytest.raises(DecodeError) as refused:
        gemini.decode_response(body)
    assert (refused.value.dialect, refused.value.path) == ("gemini", path)


def test_an_infinitely_nested_result_is_an_error() -> None:
    response: dict[str, Any] = {}
    for _ in range(100_000):
        response = {"a": response}
    with pytest.raises(DecodeError) as refused:
        messages_of(said("user", {"functionResponse": {"name": "f", "response": response}}))
    assert refused.value.path == "/contents/0/parts/0/functionResponse/response"


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "claude", "ollama", "vllm", "bedrock_converse"])
def test_an_image_among_thoughts_is_one_loss_where_thoughts_are_text(target: Dialect) -> None:
    sketch = {"thought": True, "inlineData": {"mimeType": "image/png", "data": "AAEC"}}
    body = answer({"thought": True, "text": "Hm"}, sketch, {"text": "Yes"})
    losses = translate_response(body, "gemini", target).losses
    told = [loss.path for loss in losses if "/reasoning" in loss.path and loss.severity == "lost"]
    assert told == ["/messages/0/reasoning/1"]
