"""Answers of providers that give none an id: each gets one of its own, and so do what it says and calls."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

CLIENTS: Final = ("openai_chat", "openai_responses", "claude")
_FIRST: Final = {"model": "m", "messages": [{"role": "user", "content": "Where is it warmer?"}]}
_SECOND: Final = {**_FIRST, "messages": [*_FIRST["messages"], {"role": "assistant", "content": "Where from?"}]}
_BODIES: Final[dict[str, Any]] = {
    "openai_chat": lambda body: body,
    "openai_responses": lambda body: {"model": body["model"], "input": body["messages"]},
    "claude": lambda body: {**body, "max_tokens": 300},
}


def bedrock(said: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return an answer of Bedrock Converse, whole and as a stream; it has neither an id nor a moment."""
    usage = {"usage": {"inputTokens": 9, "outputTokens": 3, "totalTokens": 12}, "metrics": {"latencyMs": 70}}
    message = {"role": "assistant", "content": [{"text": said}]}
    frames: list[dict[str, Any]] = [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": said}}},
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "end_turn"}},
        {"metadata": usage},
    ]
    return {"output": {"message": message}, "stopReason": "end_turn", **usage}, frames


def ollama(moment: str, *, calls: bool = False) -> dict[str, Any]:
    """Return a whole answer of Ollama, made at a moment of one second."""
    message: dict[str, Any] = {"role": "assistant", "content": "Oslo."}
    if calls:
        message["tool_calls"] = [{"function": {"name": "look", "arguments": {}}}]
    made = f"2026-10-04T09:30:00{moment}Z"
    return {"model": "m", "created_at": made, "message": message, "done": True, "done_reason": "stop"}


def ids(value: Any) -> list[str]:
    """Return every id in an answer."""
    if isinstance(value, dict):
        own = [value["id"]] if isinstance(value.get("id"), str) else []
        return own + [one for member in value.values() for one in ids(member)]
    return [one for member in value for one in ids(member)] if isinstance(value, list) else []


def asked(client: str, body: dict[str, Any]) -> il.Exchange:
    model = "us.anthropic.claude-sonnet-4-5-v1:0"
    return il.exchange(_BODIES[client](body), il.dialect(client), "bedrock_converse", model=model)


@pytest.mark.parametrize("client", CLIENTS)
def test_answers_without_ids_to_two_requests_get_different_ids(client: str) -> None:
    whole, frames = bedrock("Oslo.")
    first, second = asked(client, _FIRST), asked(client, _SECOND)
    one, other = ids(first.response(whole).body), ids(second.response(whole).body)
    assert one
    assert set(one).isdisjoint(other)
    assert set(ids(list(first.stream(frames)))).isdisjoint(ids(list(second.stream(frames))))


@pytest.mark.parametrize("client", CLIENTS)
def test_an_answer_without_an_id_gets_the_same_id_whole_streamed_and_in_another_process(client: str) -> None:
    whole, frames = bedrock("Oslo.")
    one = asked(client, _FIRST)
    again = il.Exchange.from_json(one.to_json())
    made = ids(one.response(whole).body)
    assert ids(again.response(whole).body) == made == ids(asked(client, _FIRST).response(whole).body)
    assert set(ids(list(one.stream(frames)))) == set(made)


@pytest.mark.parametrize("client", CLIENTS)
def test_answers_of_ollama_within_one_second_have_different_ids(client: str) -> None:
    bodies = [ollama(moment, calls=True) for moment in (".104", ".105")]
    one, other = (ids(il.translate_response(body, "ollama", il.dialect(client)).body) for body in bodies)
    assert len(one) == len(other) > 1
    assert set(one).isdisjoint(other)


def test_the_exchange_holds_a_digest_of_the_request_and_no_content() -> None:
    text = asked("openai_chat", _FIRST).to_json()
    assert "warmer" not in text
    older = text.replace(', "asked": "', ', "as": "')
    whole, _ = bedrock("Oslo.")
    assert ids(il.Exchange.from_json(older).response(whole).body) != ids(
        asked("openai_chat", _FIRST).response(whole).body
    )
    with pytest.raises(il.JsonDecodeError):
        il.Exchange.from_json(text.replace('"asked": "', '"asked": 5, "as": "'))


# --- an empty id ------------------------------------------------------------------------------------------------------


def inference(said: str) -> tuple[dict[str, Any], list[Any]]:
    """Return an answer of Text Generation Inference, whole and as a stream: each has the same empty id."""
    label: dict[str, Any] = {"id": "", "created": 1, "model": "m", "system_fingerprint": "3.3.6-native"}
    message = {"role": "assistant", "content": said}
    whole = {
        "object": "chat.completion",
        **label,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12},
    }
    chunks = [
        {
            "object": "chat.completion.chunk",
            **label,
            "choices": [{"index": 0, "delta": {**message, "content": text}, "logprobs": None, "finish_reason": reason}],
            "usage": None,
        }
        for text, reason in ((said, None), ("", "stop"))
    ]
    return whole, [*chunks, "[DONE]"]


@pytest.mark.parametrize("host", ["openai_chat", "vllm"])
def test_an_empty_id_comes_back_at_home(host: il.Dialect) -> None:
    whole, frames = inference("Oslo.")
    answer = il.decode_response(whole, host)
    assert answer.id is None
    assert il.encode_response(answer, host).body == whole
    assert list(il.encode_stream(il.decode_stream(frames, host), host)) == frames


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("host", ["openai_chat", "vllm"])
def test_an_answer_with_an_empty_id_gets_one_of_its_own(host: il.Dialect, client: str) -> None:
    whole, frames = inference("Oslo.")
    made: list[str] = []
    for body in (_FIRST, _SECOND):
        exchange = il.exchange(
            _BODIES[client](body), il.dialect(client), host, model="meta-llama/Llama-3.3-70B-Instruct"
        )
        encoded = exchange.response(whole)
        if host == client:
            assert encoded.body["id"] == ""
            return
        [loss] = [loss for loss in encoded.losses if loss.path == "/id"]
        assert loss.severity == "filled"
        made.append(encoded.body["id"])
        assert encoded.body["id"] in ids(list(exchange.stream(frames)))
    assert "" not in made
    assert made[0] != made[1]
