"""Whose a body is, and what: told by its shape."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.detection import likeliest
from support import corpus
from support.cost import steps
from support.rooms import ROWS

HELLO: Final = {"role": "user", "content": "Hello"}
CASES: Final[dict[tuple[str, str], list[Any]]] = {
    ("claude", "request"): [
        {"model": "m", "max_tokens": 9, "system": "Be brief.", "messages": [HELLO]},
        {"max_tokens": 9, "messages": [HELLO], "tools": [{"name": "f", "input_schema": {"type": "object"}}]},
        *(
            {"max_tokens": 9, "messages": [HELLO, {"role": "assistant", "content": [block]}]}
            for block in (
                {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "f", "server_name": "s", "input": {}},
                {"type": "code_execution_tool_result", "tool_use_id": "srvtoolu_1", "content": {}},
                {"type": "redacted_thinking", "data": "c2ln"},
            )
        ),
    ],
    ("claude", "response"): [
        {"type": "message", "role": "assistant", "content": [], "stop_reason": "end_turn", "usage": {"input_tokens": 1}}
    ],
    ("claude", "stream"): [
        {"type": "message_start", "message": {}},
        [{"type": "message_start", "message": {}}, {"type": "error", "error": {"type": "api_error", "message": "No."}}],
        [{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}}],
    ],
    ("claude", "error"): [{"type": "error", "error": {"type": "api_error", "message": "No."}}],
    ("openai_chat", "request"): [
        {"model": "m", "messages": [HELLO]},
        {"model": "m", "messages": [{"role": "system", "content": "Be brief."}, HELLO], "max_completion_tokens": 9},
    ],
    ("openai_chat", "response"): [
        {"object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}}]}
    ],
    ("openai_chat", "stream"): [
        {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "Hi"}}]},
        [{"choices": [{"index": 0, "delta": {"content": "Hi"}}]}, "[DONE]"],
        [{"error": {"message": "No.", "type": "server_error", "param": None, "code": None}}],
        "[DONE]",
    ],
    ("openai_chat", "error"): [{"error": {"message": "No.", "type": "server_error", "param": None, "code": None}}],
    ("openai_responses", "request"): [{"model": "m", "input": "Hello"}, {"model": "m", "input": [HELLO]}],
    ("openai_responses", "response"): [{"object": "response", "id": "resp_1", "status": "completed", "output": []}],
    ("openai_responses", "stream"): [
        {"type": "response.created", "sequence_number": 0, "response": {}},
        [{"type": "error", "code": "server_error", "message": "No.", "param": None, "sequence_number": 3}],
    ],
    ("openai_responses", "error"): [
        {"error": {"message": "No.", "type": "invalid_request_error", "param": "input[0]", "code": None}}
    ],
    ("gemini", "request"): [{"contents": [{"role": "user", "parts": [{"text": "Hello"}]}]}],
    ("gemini", "response"): [{"candidates": [{"content": {"role": "model", "parts": [{"text": "Hi"}]}}]}],
    ("gemini", "stream"): [[{"candidates": [{"content": {"role": "model", "parts": [{"text": "Hi"}]}}]}]],
    ("gemini", "error"): [
        {"error": {"code": 503, "message": "No.", "status": "UNAVAILABLE"}},
        [{"error": {"code": 503, "message": "No.", "status": "UNAVAILABLE"}}],
    ],
    ("ollama", "request"): [{"model": "m", "messages": [HELLO], "options": {"num_ctx": 9}, "keep_alive": "5m"}],
    ("ollama", "response"): [{"model": "m", "message": {"role": "assistant", "content": "Hi"}, "done": True}],
    ("ollama", "stream"): [
        [{"model": "m", "message": {"role": "assistant", "content": "Hi"}, "done": False}],
    ],
    ("ollama", "error"): [{"error": "No."}],
    ("vllm", "request"): [{"model": "m", "messages": [HELLO], "chat_template_kwargs": {"enable_thinking": False}}],
    ("vllm", "response"): [
        {
            "object": "chat.completion",
            "choices": [{"message": {"role": "assistant", "content": "Hi"}, "stop_reason": None}],
            "prompt_logprobs": None,
        }
    ],
    ("vllm", "stream"): [[{"object": "chat.completion.chunk", "choices": [{"delta": {}, "stop_reason": None}]}]],
    ("vllm", "error"): [{"error": {"message": "No.", "type": "BadRequestError", "param": None, "code": 400}}],
}


@pytest.mark.parametrize(("dialect", "kind"), CASES)
def test_a_body_is_detected_by_its_shape(dialect: str, kind: str) -> None:
    for body in CASES[dialect, kind]:
        found = il.detect(body)
        assert (found[0].dialect, found[0].kind) == (dialect, kind), (body, found)
        assert [one.certainty for one in found] == sorted((one.certainty for one in found), reverse=True)
        assert all(0 < one.certainty <= 1 for one in found)
        assert len({(one.dialect, one.kind) for one in found}) == len(found)


@pytest.mark.parametrize(
    ("thought", "dialect"),
    [
        ({"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, "openai_chat"),
        ({"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, "claude"),
    ],
)
def test_a_mistral_thinking_part_is_not_detected_as_claude(thought: dict[str, Any], dialect: str) -> None:
    said = [thought, {"type": "text", "text": "4"}]
    messages = [{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": said}]
    assert il.detect({"model": "m", "messages": [*messages, messages[0]]})[0].dialect == dialect


def test_all_dialects_of_an_ambiguous_body_are_returned() -> None:
    found = il.detect({"model": "m", "max_tokens": 9, "messages": [HELLO]})
    assert {one.dialect for one in found} >= {"openai_chat", "vllm", "claude"}
    assert {one.kind for one in found} == {"request"}


@pytest.mark.parametrize("body", [None, 7, "Hello", [], {}, [7], {"a": 1}, [[]], {"messages": 7}, {"error": None}])
def test_a_body_of_no_dialect_is_not_detected(body: Any) -> None:
    assert il.detect(body) == ()


@pytest.mark.one_python
@pytest.mark.parametrize("length", [1, 40])
def test_detecting_a_request_takes_at_most_twice_as_long_as_translating_it(length: int) -> None:
    body = {"model": "m", "messages": [HELLO] * length, "seed": 7, "temperature": 0.5, "tools": []}
    il.translate_request(body, "openai_chat", "claude")
    assert likeliest(body, "request") == "openai_chat"
    looking = steps(lambda: likeliest(body, "request"))
    assert looking < 2 * steps(lambda: il.translate_request(body, "openai_chat", "claude"))


@pytest.mark.parametrize(("dialect", "kind"), CASES)
def test_the_most_likely_dialect_is_returned_first(dialect: str, kind: Any) -> None:
    for body in CASES[dialect, kind]:
        assert likeliest(body, kind) == next(one.dialect for one in il.detect(body) if one.kind == kind)
    assert likeliest(7, kind) is None


def test_detection_changes_nothing_and_is_repeatable() -> None:
    for bodies in CASES.values():
        for body in bodies:
            before = repr(body)
            assert il.detect(body) == il.detect(body)
            assert repr(body) == before


@pytest.mark.parametrize(
    ("read", "body", "dialect", "looks"),
    [
        (il.decode_request, CASES["claude", "request"][0], "gemini", ("request", "claude")),
        (il.decode_request, CASES["openai_responses", "response"][0], "claude", ("response", "openai_responses")),
        (il.decode_response, CASES["claude", "request"][1], "openai_chat", ("request", "claude")),
        (il.decode_response, CASES["gemini", "response"][0], "claude", ("response", "gemini")),
        (il.decode_request, CASES["claude", "error"][0], "claude", ("error", "claude")),
        (il.decode_response, CASES["openai_chat", "stream"][0], "openai_chat", ("stream", "openai_chat")),
        (il.decode_response, CASES["openai_chat", "stream"][0], "vllm", ("stream", "openai_chat")),
    ],
)
def test_a_decode_error_names_the_detected_dialect(read: Any, body: Any, dialect: str, looks: tuple[str, str]) -> None:
    with pytest.raises(il.DecodeError) as refused:
        read(body, dialect)
    assert (refused.value.looks_like, refused.value.looks_like_dialect) == looks
    assert refused.value.dialect == dialect
    assert "looks like" in str(refused.value)


def test_a_frame_of_another_dialect_raises_an_error_that_names_the_detected_dialect() -> None:
    reader = il.StreamDecoder("claude")
    with pytest.raises(il.DecodeError) as refused:
        reader.feed(CASES["openai_chat", "stream"][0])
    assert (refused.value.looks_like, refused.value.looks_like_dialect) == ("stream", "openai_chat")


def test_a_broken_body_of_the_given_dialect_is_not_detected_as_another() -> None:
    with pytest.raises(il.DecodeError) as refused:
        il.decode_request({"model": "m", "messages": [HELLO, 7]}, "openai_chat")
    assert refused.value.looks_like is None
    assert "looks like" not in str(refused.value)


# What is told right of recorded bodies: as the likeliest, and among those that are named. Requests and errors that
# several dialects write alike are told by their names alone.
@pytest.mark.corpus
@pytest.mark.parametrize("dialect", ROWS)
@pytest.mark.parametrize(
    ("kind", "first", "named"), [("request", 0.9, 1.0), ("response", 1.0, 1.0), ("stream", 0.98, 0.98)]
)
def test_recorded_bodies_are_detected(dialect: str, kind: str, first: float, named: float) -> None:
    folder = ROWS[dialect].folder
    seen = right = listed = 0
    for line in corpus.lines(folder, kind):
        if (line.get("response_status") or 200) >= 400:
            continue
        found = il.detect([one["data"] for one in line["events"]] if kind == "stream" else line["body"])
        seen += 1
        right += bool(found) and (found[0].dialect, found[0].kind) == (dialect, kind)
        listed += any((one.dialect, one.kind) == (dialect, kind) for one in found)
    assert listed >= named * seen
    if (dialect, kind) != ("vllm", "request"):  # nothing tells it from OpenAI's
        assert right >= first * seen
