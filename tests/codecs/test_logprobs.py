"""Log probabilities of tokens go from the place of one dialect to that of another, whole and in streams."""

from __future__ import annotations

import copy
from typing import Any, Final

import pytest

import interlingua as il

TEXT: Final = "Hello"
TOKENS: Final = [
    {
        "token": "Hel",
        "logprob": -0.5,
        "bytes": [72, 101, 108],
        "top_logprobs": [
            {"token": "Hel", "logprob": -0.5, "bytes": [72, 101, 108]},
            {"token": "Wor", "logprob": -1.5, "bytes": [87, 111, 114]},
        ],
    },
    {
        "token": "lo",
        "logprob": -0.25,
        "bytes": [108, 111],
        "top_logprobs": [{"token": "lo", "logprob": -0.25, "bytes": [108, 111]}],
    },
]
RESULT: Final = {
    "chosenCandidates": [{"token": "Hel", "logProbability": -0.5}, {"token": "lo", "logProbability": -0.25}],
    "topCandidates": [
        {"candidates": [{"token": "Hel", "logProbability": -0.5}, {"token": "Wor", "logProbability": -1.5}]},
        {"candidates": [{"token": "lo", "logProbability": -0.25}]},
    ],
}


def chat(tokens: Any, *, index: int = 0) -> dict[str, Any]:
    message = {"role": "assistant", "content": TEXT, "refusal": None}
    logprobs = {"content": tokens, "refusal": None}
    return {"index": index, "message": message, "finish_reason": "stop", "logprobs": logprobs}


CHAT: Final = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [chat(TOKENS)]}
ITEM: Final = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": TEXT, "annotations": [], "logprobs": TOKENS}],
}
ANSWERS: Final[dict[str, dict[str, Any]]] = {
    "openai_chat": CHAT,
    "vllm": CHAT,
    "openai_responses": {
        "id": "1", "object": "response", "created_at": 1, "model": "m", "status": "completed", "output": [ITEM]
    },
    "gemini": {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"text": TEXT}]},
                "finishReason": "STOP",
                "index": 0,
                "logprobsResult": RESULT,
            }
        ]
    },
    "ollama": {
        "model": "m",
        "created_at": "2026-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": TEXT},
        "logprobs": TOKENS,
        "done": True,
        "done_reason": "stop",
    },
}  # fmt: skip
STREAMED: Final[dict[str, list[Any]]] = {
    "openai_chat": [
        {**CHAT, "object": "chat.completion.chunk", "choices": [{"index": 0, **choice}]}
        for choice in (
            {"delta": {"role": "assistant", "content": ""}, "logprobs": None, "finish_reason": None},
            {"delta": {"content": "Hel"}, "logprobs": {"content": TOKENS[:1], "refusal": None}, "finish_reason": None},
            {"delta": {"content": "lo"}, "logprobs": {"content": TOKENS[1:], "refusal": None}, "finish_reason": None},
            {"delta": {}, "logprobs": None, "finish_reason": "stop"},
        )
    ]
    + ["[DONE]"],
    "ollama": [
        {
            "model": "m",
            "created_at": "2026-01-01T00:00:00Z",
            "message": {"role": "assistant", "content": text},
            **said,
        }
        for text, said in (
            ("Hel", {"done": False, "logprobs": TOKENS[:1]}),
            ("lo", {"done": False, "logprobs": TOKENS[1:]}),
            ("", {"done": True, "done_reason": "stop"}),
        )
    ],
    "gemini": [
        {
            "candidates": [
                {"content": {"role": "model", "parts": [{"text": TEXT}]}, "index": 0, "logprobsResult": RESULT}
            ]
        },
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "!"}]}, "index": 0, "finishReason": "STOP"}]},
    ],
}
STREAMED["vllm"] = STREAMED["openai_chat"]
STREAMED["openai_responses"] = list(il.translate_stream(STREAMED["openai_chat"], "openai_chat", "openai_responses"))
PLACES: Final = tuple(ANSWERS)
PAIRS: Final = [
    pytest.param(source, target, id=f"{source}-to-{target}")
    for source in PLACES
    for target in PLACES
    if source != target
]


def tokens_of(body: dict[str, Any], dialect: str) -> Any:
    """Return the tokens of an answer as its own clients read them."""
    if dialect == "openai_responses":
        return [token for part in body["output"][0]["content"] for token in part["logprobs"]]
    if dialect == "gemini":
        return body["candidates"][0]["logprobsResult"]
    return body["logprobs"] if dialect == "ollama" else body["choices"][0]["logprobs"]["content"]


def streamed_tokens(frames: list[Any], dialect: str) -> Any:
    """Return the tokens of a stream as its own clients put them together."""
    if dialect == "gemini":
        [found] = [one["logprobsResult"] for frame in frames for one in frame["candidates"] if "logprobsResult" in one]
        return found
    if dialect == "ollama":
        return [token for frame in frames for token in frame.get("logprobs", ())]
    if dialect == "openai_responses":
        deltas = [frame for frame in frames if frame["type"] == "response.output_text.delta"]
        return [token for frame in deltas for token in frame["logprobs"]]
    choices = [choice for frame in frames if type(frame) is dict for choice in frame["choices"]]
    return [token for choice in choices if choice["logprobs"] for token in choice["logprobs"]["content"]]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_logprobs_of_an_answer_are_translated(source: str, target: str) -> None:
    body = copy.deepcopy(ANSWERS[source])
    encoded = il.translate_response(body, source, target)
    assert tokens_of(encoded.body, target) == (RESULT if target == "gemini" else TOKENS)
    assert body == ANSWERS[source]
    assert not _lost(encoded.losses)


@pytest.mark.parametrize(("source", "target"), [pair for pair in PAIRS if "gemini" not in pair.values])
def test_a_stream_has_the_logprobs_of_each_fragment(source: str, target: str) -> None:
    stream = il.translate_stream(STREAMED[source], source, target)
    assert streamed_tokens(list(stream), target) == TOKENS
    assert not _lost(stream.losses)


@pytest.mark.parametrize("target", [dialect for dialect in PLACES if dialect != "gemini"])
def test_a_gemini_stream_has_logprobs_too(target: str) -> None:
    stream = il.translate_stream(STREAMED["gemini"], "gemini", target)
    assert streamed_tokens(list(stream), target) == TOKENS
    assert not _lost(stream.losses)


@pytest.mark.parametrize("source", [dialect for dialect in PLACES if dialect != "gemini"])
def test_a_gemini_client_gets_the_logprobs_of_each_chunk(source: str) -> None:
    frames = list(il.translate_stream(STREAMED[source], source, "gemini"))
    found = [one["logprobsResult"] for frame in frames for one in frame["candidates"] if "logprobsResult" in one]
    assert [one for result in found for one in result["chosenCandidates"]] == RESULT["chosenCandidates"]
    assert [one for result in found for one in result["topCandidates"]] == RESULT["topCandidates"]


def test_closing_events_of_responses_repeat_the_logprobs() -> None:
    frames = list(il.translate_stream(STREAMED["ollama"], "ollama", "openai_responses"))
    said = {frame["type"]: frame for frame in frames}
    assert said["response.output_text.done"]["logprobs"] == TOKENS
    assert said["response.content_part.done"]["part"]["logprobs"] == TOKENS
    assert tokens_of(said["response.completed"]["response"], "openai_responses") == TOKENS


def test_events_of_a_stored_stream_have_logprobs_too() -> None:
    events = list(il.decode_stream(STREAMED["ollama"], "ollama"))
    assert streamed_tokens(list(il.encode_stream(events, "openai_chat")), "openai_chat") == TOKENS


@pytest.mark.parametrize("source", PLACES)
@pytest.mark.parametrize("target", ["claude", "bedrock_converse"])
def test_logprobs_are_lost_in_a_dialect_without_a_place_for_them(source: str, target: str) -> None:
    assert _lost(il.translate_response(ANSWERS[source], source, target).losses)
    stream = il.translate_stream(STREAMED[source], source, target)
    list(stream)
    assert _lost(stream.losses)


def _lost(losses: tuple[il.Loss, ...]) -> list[il.Loss]:
    """Return the losses of what `extra` keeps of tokens."""
    return [loss for loss in losses if loss.severity == "lost" and "logprobs" in loss.detail]


def test_each_choice_has_its_own_logprobs() -> None:
    other = [{**TOKENS[1], "token": "la"}]
    body = {**CHAT, "choices": [chat(TOKENS), chat(other, index=1)]}
    found = il.translate_response(body, "openai_chat", "vllm").body["choices"]
    assert [choice["logprobs"]["content"] for choice in found] == [TOKENS, other]


@pytest.mark.parametrize(
    "odd",
    [[{"logprob": -0.5, "token": None}], [{"token": 1, "logprob": -0.5}], ["Hel"], [{"token": "Hel", "logprob": "low"}],
     [{"token": "Hel", "logprob": -0.5, "top_logprobs": [1]}]],
)  # fmt: skip
def test_an_invalid_logprob_stays_in_place_and_is_reported(odd: list[Any]) -> None:
    encoded = il.translate_response({**CHAT, "choices": [chat(odd)]}, "openai_chat", "ollama")
    assert "logprobs" not in encoded.body
    assert _lost(encoded.losses)


def test_logprobs_of_an_answer_without_a_text_are_reported_at_their_usual_path() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "refusal": None, "tool_calls": [call]}
    body = {**CHAT, "choices": [{**chat(TOKENS), "message": message, "finish_reason": "tool_calls"}]}
    assert _lost(il.translate_response(body, "openai_chat", "openai_responses").losses)


def test_logprobs_without_bytes_get_those_of_their_token() -> None:
    body = copy.deepcopy(ANSWERS["ollama"])
    body["logprobs"] = [{"token": "é", "logprob": -1}]
    found = tokens_of(il.translate_response(body, "ollama", "openai_responses").body, "openai_responses")
    assert found == [{"token": "é", "logprob": -1, "bytes": [195, 169], "top_logprobs": []}]


def test_an_omitted_logprob_is_zero() -> None:
    result = {"chosenCandidates": [{"token": "Hel"}, {"logProbability": -1}]}
    body = {"candidates": [{**ANSWERS["gemini"]["candidates"][0], "logprobsResult": result}]}
    found = tokens_of(il.translate_response(body, "gemini", "openai_chat").body, "openai_chat")
    assert [(token["token"], token["logprob"]) for token in found] == [("Hel", 0), ("", -1)]


def test_additional_members_of_logprobs_are_reported() -> None:
    result = {**RESULT, "logProbabilitySum": -0.75}
    numbered = {**RESULT, "chosenCandidates": [{**one, "tokenId": 7} for one in RESULT["chosenCandidates"]]}
    for said in (result, numbered):
        body = {"candidates": [{**ANSWERS["gemini"]["candidates"][0], "logprobsResult": said}]}
        encoded = il.translate_response(body, "gemini", "openai_chat")
        assert tokens_of(encoded.body, "openai_chat") == TOKENS
        assert _lost(encoded.losses)
        stream = il.translate_stream([{"candidates": body["candidates"]}], "gemini", "openai_chat")
        assert streamed_tokens(list(stream), "openai_chat") == TOKENS
        assert _lost(stream.losses)


@pytest.mark.parametrize("target", ["vllm", "gemini"])
def test_logprobs_in_the_last_chunk_of_several_choices_belong_to_their_choice(target: str) -> None:
    words = ("first", "second")
    opening = {"delta": {"role": "assistant", "content": "Hi"}, "logprobs": None, "finish_reason": None}
    tokens = [{**TOKENS[1], "token": word} for word in words]
    ends = [{"delta": {}, "finish_reason": "stop", "logprobs": {"content": [token]}} for token in tokens]
    chunk = {**CHAT, "object": "chat.completion.chunk"}
    frames = [
        {**chunk, "choices": [{"index": at, **opening} for at in (0, 1)]},
        {**chunk, "choices": [{"index": at, **end} for at, end in enumerate(ends)]},
        "[DONE]",
    ]
    answers: list[Any] = [
        answer
        for frame in il.translate_stream(frames, "openai_chat", target)
        if type(frame) is dict
        for answer in frame.get("choices", frame.get("candidates", ()))
    ]
    said = [(answer["index"], word) for answer in answers for word in words if f"'{word}'" in str(answer)]
    assert sorted(said) == [(0, "first"), (1, "second")]


def test_bytes_that_differ_from_the_token_are_reported_for_gemini() -> None:
    half = {**TOKENS[0], "token": "\\xc3", "bytes": [195], "top_logprobs": []}
    body = {**CHAT, "choices": [chat([half])]}
    encoded = il.translate_response(body, "openai_chat", "gemini")
    assert encoded.body["candidates"][0]["logprobsResult"]["chosenCandidates"][0]["token"] == half["token"]
    assert _lost(encoded.losses)
    assert tokens_of(il.translate_response(body, "openai_chat", "ollama").body, "ollama") == [half]
    assert not _lost(il.translate_response(body, "openai_chat", "ollama").losses)
