"""Gemini's grounding metadata: the sources of a text are its citations, and come back as they came."""

from __future__ import annotations

import copy
from typing import Any, Final

import pytest

import interlingua as il

TEXT: Final = "Grüße aus Lisbon. Es regnet 🌧 heute."
FIRST: Final = "Grüße aus Lisbon."
SECOND: Final = "Es regnet 🌧 heute."
START: Final = len(f"{FIRST} ".encode())
END: Final = len(TEXT.encode())
CHUNKS: Final[list[dict[str, Any]]] = [
    {"web": {"uri": "https://a.example", "title": "A"}},
    {"maps": {"uri": "https://b.example", "title": "B", "placeId": "p"}},
]
METADATA: Final[dict[str, Any]] = {
    "webSearchQueries": ["weather"],
    "groundingChunks": CHUNKS,
    "groundingSupports": [
        {"segment": {"endIndex": START - 1, "text": FIRST}, "groundingChunkIndices": [0]},
        {
            "segment": {"startIndex": START, "endIndex": END, "text": SECOND, "partIndex": 0},
            "groundingChunkIndices": [1, 0],
            "confidenceScores": [0.9, 0.1],
        },
    ],
}
SPANS: Final = [("https://a.example", 0, 17), ("https://b.example", 18, 36), ("https://a.example", 18, 36)]


def answer(metadata: Any, *parts: dict[str, Any]) -> dict[str, Any]:
    """Return an answer of one candidate with grounding metadata."""
    content = {"role": "model", "parts": list(parts or ({"text": TEXT},))}
    return {"candidates": [{"content": content, "finishReason": "STOP", "index": 0, "groundingMetadata": metadata}]}


def spans(response: il.ChatResponse) -> list[tuple[str | None, int | None, int | None]]:
    """Return what the citations of an answer say: address, start and end."""
    (message,) = response.messages
    assert isinstance(message, il.AssistantChatMessage)
    parts = message.content if isinstance(message.content, tuple) else ()
    cited = [one for part in parts if isinstance(part, il.TextPart) for one in part.citations or ()]
    return [(one.url, one.start_index, one.end_index) for one in cited]


def test_a_support_is_a_citation_for_each_source_in_characters() -> None:
    assert spans(il.decode_response(answer(METADATA), "gemini")) == SPANS


@pytest.mark.parametrize("dialect", ["openai_chat", "openai_responses", "claude"])
def test_an_explicit_zero_start_equals_an_absent_one(dialect: str) -> None:
    first = {"segment": {"startIndex": 0, "endIndex": START - 1, "text": FIRST}, "groundingChunkIndices": [0]}
    body = answer({**METADATA, "groundingSupports": [first, METADATA["groundingSupports"][1]]})
    response = il.decode_response(body, "gemini")
    assert spans(response) == SPANS
    assert il.encode_response(response, "gemini").body == body
    assert "https://a.example" in str(il.translate_response(body, "gemini", dialect).body)


THOUGHT: Final = {"text": "Let me see.", "thought": True}
KEPT: Final[list[Any]] = [
    {"webSearchQueries": ["weather"]},
    {**METADATA, "groundingSupports": []},
    {**METADATA, "groundingChunks": [{"retrievedContext": {"text": "no address"}}]},
    {**METADATA, "groundingChunks": [CHUNKS[0], CHUNKS[0]]},
    {**METADATA, "groundingChunks": [{}, CHUNKS[1]]},
    {**METADATA, "groundingSupports": [{"segment": {"endIndex": True, "text": "G"}, "groundingChunkIndices": [0]}]},
    {**METADATA, "groundingSupports": [{"segment": {"endIndex": 1, "text": "G"}, "groundingChunkIndices": [True]}]},
    {**METADATA, "groundingChunks": [CHUNKS[0], {"web": {"uri": "https://b.example"}, "more": {}}]},
    {**METADATA, "groundingChunks": [CHUNKS[0], {"web": {"uri": 7}}]},
    {**METADATA, "groundingSupports": [{"segment": {"endIndex": 2, "text": "G"}, "groundingChunkIndices": [0]}]},
    {**METADATA, "groundingSupports": [{"segment": {"endIndex": 99, "text": TEXT}, "groundingChunkIndices": [0]}]},
    {**METADATA, "groundingSupports": [{"segment": {"endIndex": END}, "groundingChunkIndices": [0]}]},
    {**METADATA, "groundingSupports": [{"segment": {"endIndex": END, "text": TEXT}, "groundingChunkIndices": [7]}]},
    {**METADATA, "groundingSupports": [1]},
    {**METADATA, "groundingSupports": {"segment": {}}},
    None,
    "metadata",
]


@pytest.mark.parametrize("metadata", [METADATA, *KEPT])
@pytest.mark.parametrize("parts", [(), (THOUGHT, {"text": TEXT}), ({"text": FIRST}, {"text": SECOND})])
def test_grounding_metadata_round_trip(metadata: Any, parts: tuple[dict[str, Any], ...]) -> None:
    body = answer(metadata, *parts)
    before = copy.deepcopy(body)
    encoded = il.encode_response(il.decode_response(body, "gemini"), "gemini")
    assert (encoded.body, encoded.losses, body) == (before, (), before)


@pytest.mark.parametrize("metadata", KEPT)
def test_supports_of_another_shape_become_no_citations(metadata: Any) -> None:
    assert spans(il.decode_response(answer(metadata), "gemini")) == []


def test_sources_are_translated_to_annotations() -> None:
    for target, found_in in (
        ("openai_responses", lambda body: body["output"][0]["content"][0]["annotations"]),
        ("openai_chat", lambda body: [one["url_citation"] for one in body["choices"][0]["message"]["annotations"]]),
    ):
        found = found_in(il.translate_response(answer(METADATA), "gemini", target).body)
        assert [(one["url"], one["start_index"], one["end_index"]) for one in found] == SPANS
        assert [one["title"] for one in found] == ["A", "B", "A"]


def test_a_changed_citation_changes_the_supports() -> None:
    response = il.decode_response(answer(METADATA), "gemini").model_dump(mode="json")
    citations = response["messages"][0]["content"][0]["citations"]
    citations[0]["url"] = "https://c.example"
    citations[1]["start_index"] = 21
    grounding = il.encode_response(response, "gemini").body["candidates"][0]["groundingMetadata"]
    assert grounding["groundingChunks"] == [*CHUNKS, {"web": {"uri": "https://c.example", "title": "A"}}]
    assert [one["groundingChunkIndices"] for one in grounding["groundingSupports"]] == [[2], [1], [0]]
    assert grounding["groundingSupports"][1]["segment"]["text"] == TEXT[21:]


def chunk(text: str, **candidate: Any) -> dict[str, Any]:
    """Return a chunk of a stream."""
    return {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "index": 0, **candidate}]}


def test_a_stream_contains_its_sources_once_and_round_trips_frame_by_frame() -> None:
    pieces = [chunk(TEXT[:7]), chunk(TEXT[7:20]), chunk(TEXT[20:])]
    told = chunk("", groundingMetadata=METADATA)
    frames = [*pieces, told, copy.deepcopy(told) | {"modelVersion": "m"}, chunk("", finishReason="STOP")]
    events = list(il.decode_stream(frames, "gemini"))
    citations = [event.citation for event in events if event.type == "citation"]
    assert [(one.url, one.start_index, one.end_index) for one in citations] == SPANS
    encoded = il.encode_stream(events, "gemini")
    assert (list(encoded), encoded.losses) == (frames, ())
    assert spans(il.collect(events)) == SPANS
    there = list(il.translate_stream(frames, "gemini", "openai_responses"))
    assert sum(frame["type"] == "response.output_text.annotation.added" for frame in there) == len(SPANS)


def grounded(parts: list[dict[str, Any]], supports: list[dict[str, Any]]) -> dict[str, Any]:
    metadata = {
        "groundingChunks": [{"web": {"uri": "https://a.example", "title": "A"}}],
        "groundingSupports": supports,
    }
    content = {"role": "model", "parts": parts}
    candidate = {"content": content, "finishReason": "STOP", "index": 0, "groundingMetadata": metadata}
    return {"candidates": [candidate], "modelVersion": "g", "responseId": "r"}


def support(text: str, start: int, end: int, part: int = 0, **others: Any) -> dict[str, Any]:
    where = {name: value for name, value in (("partIndex", part), ("startIndex", start)) if value}
    return {"segment": {**where, "endIndex": end, "text": text}, "groundingChunkIndices": [0], **others}


SEVERAL: Final = grounded(
    [{"text": "Héllo."}, {"text": " Wörld."}, {"text": "Hm.", "thought": True}, {"text": "Ende."}],
    [
        support("Héllo", 0, 6),
        support("Wörld", 1, 7, 1, confidenceScores=[0.5]),
        support("Wör", 1, 5, 1),
        support("Ende", 0, 4, 3),
    ],
)
# Supports of other texts, out of order, of a part that says nothing, and of no shape that is known.
UNREADABLE: Final = (
    grounded([{"text": "Héllo."}], [support("Wörld", 0, 99)]),
    grounded([{"text": "A."}, {"text": "B."}], [support("B", 0, 1, 1), support("A", 0, 1)]),
    grounded([{"text": "A."}, {"text": "B."}], [support("B", 0, 1, 7)]),
    grounded([{"text": "A."}, {"text": "B."}], [{"segment": {"partIndex": True}, "groundingChunkIndices": [0]}]),
)


def test_sources_of_several_texts_belong_to_their_texts() -> None:
    message = il.translate_response(SEVERAL, "gemini", "openai_chat", strict=True).body["choices"][0]["message"]
    cited = [annotation["url_citation"] for annotation in message["annotations"]]
    assert [message["content"][one["start_index"] : one["end_index"]] for one in cited] == [
        "Héllo",
        "Wörld",
        "Wör",
        "Ende",
    ]
    output = il.translate_response(SEVERAL, "gemini", "openai_responses").body["output"]
    texts = [part for item in output if item["type"] == "message" for part in item["content"]]
    said = [part["text"][one["start_index"] : one["end_index"]] for part in texts for one in part["annotations"]]
    assert said == ["Héllo", "Wörld", "Wör", "Ende"]


@pytest.mark.parametrize("body", [SEVERAL, *UNREADABLE])
def test_within_the_dialect_sources_of_several_texts_round_trip(body: dict[str, Any]) -> None:
    encoded = il.encode_response(il.decode_response(body, "gemini"), "gemini")
    assert (encoded.body, encoded.losses) == (body, ())
    assert list(il.encode_stream(il.decode_stream([body], "gemini"), "gemini")) == [body]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "claude", "bedrock_converse"])
@pytest.mark.parametrize("body", UNREADABLE)
def test_unreadable_sources_are_lost_content(body: dict[str, Any], target: str) -> None:
    whole = il.translate_response(body, "gemini", target)
    stream = il.translate_stream([body], "gemini", target)
    list(stream)
    for losses in (whole.losses, stream.losses):
        assert "content" in {loss.concern for loss in losses if loss.severity == "lost"}
    with pytest.raises(il.LossError):
        il.translate_response(body, "gemini", target, strict=True)
