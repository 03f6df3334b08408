"""Values of the schema that no provider sends, found by generating them: what is said of each is true."""

from __future__ import annotations

from typing import Any

import pytest

from interlingua.loss import LossLog
from interlingua.registry import room
from interlingua.streaming import EventDecoder, EventEncoder
from interlingua.translation import encode_canonical_request

CALL = {"id": "call_1", "name": "look", "arguments": "{}"}


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm", "claude"])
@pytest.mark.parametrize("raw", [7.0, -580223.0, 7, "odd"])
def test_a_numeric_raw_finish_reason_is_written_readably_or_not_at_all(dialect: str, raw: Any) -> None:
    writer, reader = EventEncoder(dialect), EventDecoder(dialect)
    frames = [*writer.feed({"type": "finish", "reason": "other", "raw": raw}), *writer.close()]
    events = [event for frame in frames for event in reader.feed(frame)]
    (finish,) = [event for event in events if event["type"] == "finish"]
    lost = dialect == "claude" and raw != "odd"
    assert finish.get("raw") == (None if lost else raw)
    assert any(loss.path == "/0/raw" for loss in writer.losses) == lost


def encoded_answer(dialect: str, message: dict[str, Any], **more: Any) -> tuple[dict[str, Any], dict[str, str], Any]:
    log = LossLog()
    response: Any = {"dialect": "the/one", "id": "i", "model": "m", "created": 1, "messages": [message], **more}
    body = room(dialect).encode_response(response, log)
    return body, {loss.path: loss.severity for loss in log.losses()}, room(dialect).decode_response(body)


def test_a_refusal_without_a_place_in_responses_loses_its_reason_with_a_report() -> None:
    message = {"role": "assistant", "refusal": [{"type": "image", "file_id": "f"}]}
    body, losses, read = encoded_answer("openai_responses", message, finish_reason="refusal")
    assert body["status"] == "incomplete"
    assert losses["/finish_reason"] == "changed"
    assert read["finish_reason"] == "content_filter"


@pytest.mark.parametrize("held", [{"text": "Hm."}, {"content": [{"type": "text", "text": "Hm."}]}])
def test_a_document_among_thoughts_stays_a_gemini_thought(held: dict[str, Any]) -> None:
    message = {"role": "assistant", "reasoning": [{"type": "file", **held}], "content": "Yes."}
    body, losses, read = encoded_answer("gemini", message, finish_reason="stop")
    assert body["candidates"][0]["content"]["parts"] == [{"text": "Hm.", "thought": True}, {"text": "Yes."}]
    assert losses["/messages/0/reasoning/0"] == "changed"
    assert read["messages"][0]["reasoning"] == "Hm."


@pytest.mark.parametrize("data", [{"text": "as it is"}, "no object", None])
def test_opaque_content_of_a_document_among_thoughts_is_unchanged(data: Any) -> None:
    inner = [{"type": "opaque", "dialect": "gemini", "data": data}, {"type": "text", "text": "Hm."}]
    log = LossLog()
    message = {"role": "assistant", "reasoning": [{"type": "file", "content": inner}]}
    response: Any = {"dialect": "the/one", "id": "i", "model": "m", "created": 1, "messages": [message]}
    body = room("gemini").encode_response(response, log)
    assert body["candidates"][0]["content"]["parts"] == [data, {"text": "Hm.", "thought": True}]


@pytest.mark.parametrize(("content", "severity"), [({}, "filled"), ({"content": []}, None), ({"content": "x"}, None)])
def test_an_empty_gemini_error_is_reported(content: dict[str, Any], severity: str | None) -> None:
    result = {"role": "tool", "call_id": "call_1", "name": "look", "is_error": True, **content}
    request: Any = {
        "dialect": "the/one",
        "model": "m",
        "messages": [{"role": "assistant", "tool_calls": [CALL]}, result],
    }
    encoded = encode_canonical_request(request, "gemini", strict=False, model=None, defaults=None, api_version=None)
    losses = {loss.path: loss.severity for loss in encoded.losses}
    assert losses.get("/messages/1/content") == severity
