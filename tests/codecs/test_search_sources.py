"""Sources that Perplexity and xAI list beside the choices of an answer: citations of its text, everywhere else."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

RESULTS: Final[list[dict[str, Any]]] = [
    {"title": "Paris", "url": "https://a.example", "date": "2026-01-01", "snippet": "The capital of France."},
    {"title": "France", "url": "https://b.example", "date": None, "snippet": ""},
]
URLS: Final = [result["url"] for result in RESULTS]
PERPLEXITY: Final = {"citations": URLS, "search_results": RESULTS}
LABELS: Final[dict[str, Any]] = {"id": "c", "created": 1, "model": "sonar"}
SAID: Final = "It is Paris [1][2]."


def answer(*messages: Any, **beside: Any) -> dict[str, Any]:
    given = messages or ({"role": "assistant", "content": SAID},)
    choices = [{"index": at, "message": one, "finish_reason": "stop"} for at, one in enumerate(given)]
    return {**LABELS, "object": "chat.completion", "choices": choices, **beside}


def stream(first: dict[str, Any], last: dict[str, Any], *deltas: dict[str, Any]) -> list[Any]:
    chunk = {**LABELS, "object": "chat.completion.chunk"}
    said = deltas or ({"role": "assistant", "content": "It is "}, {"content": "Paris "}, {"content": "[1][2]."})
    chunks = [{**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in said]
    end = {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    return [{**chunks[0], **first}, *chunks[1:], {**end, **last}, "[DONE]"]


def cited(body: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["url"], one["title"]) for one in body["content"][0].get("citations", ())]


@pytest.mark.parametrize("beside", [PERPLEXITY, {"search_results": RESULTS}, {"citations": URLS, "search_results": []}])
def test_sources_beside_the_choices_are_citations_of_the_text_in_their_order(beside: dict[str, Any]) -> None:
    body = answer(**beside)
    decoded = il.decode_response(body, "openai_chat")
    assert il.encode_response(decoded, "openai_chat").body == body
    told = [one.url for one in decoded.messages[0].content[0].citations]  # type: ignore[union-attr,index]
    assert told == URLS
    found = il.translate_response(body, "openai_chat", "claude").body
    titles = ["Paris", "France"] if beside.get("search_results") else URLS
    assert cited(found) == list(zip(URLS, titles, strict=True))
    assert (found["content"][0]["text"], len(found["content"])) == (SAID, 1)


def test_a_snippet_is_what_a_citation_quotes() -> None:
    found = il.translate_response(answer(**PERPLEXITY), "openai_chat", "claude").body
    assert [one["cited_text"] for one in found["content"][0]["citations"]] == ["The capital of France.", SAID]


@pytest.mark.parametrize(("first", "last"), [(PERPLEXITY, PERPLEXITY), (PERPLEXITY, {}), ({}, PERPLEXITY)])
@pytest.mark.parametrize("target", [one for one in il.dialects() if one != "openai_chat"])
def test_a_stream_has_them_as_the_whole_answer_has(first: dict[str, Any], last: dict[str, Any], target: str) -> None:
    frames = stream(first, last)
    assert list(il.encode_stream(il.decode_stream(frames, "openai_chat"), "openai_chat")) == frames
    collected = il.collect(il.decode_stream(frames, "openai_chat"))
    assert collected == il.decode_response(answer(**PERPLEXITY), "openai_chat")
    streamed = il.collect(il.decode_stream(list(il.translate_stream(frames, "openai_chat", target)), target))
    whole = il.decode_response(il.translate_response(answer(**PERPLEXITY), "openai_chat", target).body, target)
    assert _sources(streamed) == _sources(whole) == ([] if target == "ollama" else URLS)


def _sources(response: Any) -> list[str]:
    content = response.messages[0].content
    parts = [] if isinstance(content, str) else content
    return [one.url for part in parts for one in part.citations or ()]


@pytest.mark.parametrize(
    "body",
    [
        answer({"role": "assistant", "content": None}, **PERPLEXITY),
        answer({"role": "assistant", "content": [{"type": "text", "text": SAID}]}, **PERPLEXITY),
        answer(search_results=[{"title": "No address"}], citations=URLS),
        answer(citations=[1]),
        answer(citations="https://a.example"),
    ],
)
def test_sources_that_cannot_be_placed_or_read_stay_beside_the_choices(body: dict[str, Any]) -> None:
    assert il.encode_response(il.decode_response(body, "openai_chat"), "openai_chat").body == body
    encoded = il.translate_response(body, "openai_chat", "claude")
    assert not any("citations" in block for block in encoded.body["content"])
    assert any("citations" in loss.detail for loss in encoded.losses)


def test_only_the_first_of_several_answers_has_them_and_not_beside_annotations() -> None:
    note = {
        "type": "url_citation",
        "url_citation": {"url": "https://c.example", "title": "", "start_index": 0, "end_index": 5},
    }
    body = answer({"role": "assistant", "content": SAID, "annotations": [note]}, **PERPLEXITY)
    assert il.encode_response(il.decode_response(body, "openai_chat"), "openai_chat").body == body
    assert [url for url, _ in cited(il.translate_response(body, "openai_chat", "claude").body)] == ["https://c.example"]
    two = answer({"role": "assistant", "content": SAID}, {"role": "assistant", "content": "Lyon."}, **PERPLEXITY)
    assert il.encode_response(il.decode_response(two, "openai_chat"), "openai_chat").body == two
    found = il.translate_response(two, "openai_chat", "vllm").body["choices"]
    assert [len(choice["message"].get("annotations", ())) for choice in found] == [2, 0]


def test_a_stream_without_a_text_has_no_citations() -> None:
    call = {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    frames = stream(PERPLEXITY, PERPLEXITY, {"role": "assistant", "tool_calls": [call]})
    assert [event.type for event in il.decode_stream(frames, "openai_chat") if event.type == "citation"] == []
