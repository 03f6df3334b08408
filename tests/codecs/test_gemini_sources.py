"""What an answer of another dialect cites is grounding metadata for clients of Gemini, whole and in streams."""

from __future__ import annotations

from typing import Any, Final

import pytest
from google.genai.types import GenerateContentResponse

import interlingua as il
from interlingua.registry import room

A: Final = "https://a.example"
B: Final = "https://b.example"
TEXT: Final = "Well, é it rains and it is cold."
CHUNKS: Final = [{"web": {"uri": A, "title": "T"}}, {"web": {"uri": B, "title": "T"}}]
SUPPORTS: Final = [
    {"segment": {"startIndex": 9, "endIndex": 17, "text": "it rains"}, "groundingChunkIndices": [0, 1]},
    {"segment": {"startIndex": 22, "endIndex": 32, "text": "it is cold"}, "groundingChunkIndices": [1]},
]
METADATA: Final = {"groundingChunks": CHUNKS, "groundingSupports": SUPPORTS}


def found(url: str) -> dict[str, Any]:
    at = "web_search_result_location"
    return {"type": at, "url": url, "title": "T", "encrypted_index": "x", "cited_text": "It rained."}


CLAUDE: Final[dict[str, Any]] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [
        {"type": "text", "text": "Well, é "},
        {"type": "text", "text": "it rains", "citations": [found(A), found(B)]},
        {"type": "text", "text": " and "},
        {"type": "text", "text": "it is cold", "citations": [found(B)]},
        {"type": "text", "text": "."},
    ],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


def chat(*cited: tuple[str, int, int]) -> dict[str, Any]:
    annotations = [
        {"type": "url_citation", "url_citation": {"url": url, "title": "T", "start_index": start, "end_index": end}}
        for url, start, end in cited
    ]
    message = {"role": "assistant", "content": TEXT, "refusal": None, "annotations": annotations}
    choices = [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}]
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}


CHAT: Final = chat((A, 8, 16), (B, 8, 16), (B, 21, 31))
ANSWERS: Final = {
    "claude": CLAUDE,
    "openai_chat": CHAT,
    "openai_responses": il.translate_response(CHAT, "openai_chat", "openai_responses").body,
}


def events_of(body: dict[str, Any], dialect: str) -> list[dict[str, Any]]:
    """Return the events of an answer, each text in two pieces, its citations in between."""
    [message] = il.decode_response(body, dialect).model_dump(mode="json", exclude_unset=True)["messages"]
    events: list[dict[str, Any]] = [{"type": "start", "id": "1", "model": "m", "created": 1}]
    for block, part in enumerate(message["content"]):
        half = len(part["text"]) // 2
        events.append({"type": "content", "block": block, "text": part["text"][:half]})
        events += [{"type": "citation", "block": block, "citation": one} for one in part.get("citations", ())]
        events += [{"type": "content", "block": block, "text": letter} for letter in part["text"][half:]]
        events.append({"type": "block_end", "block": block})
    return [*events, {"type": "finish", "reason": "stop"}, {"type": "end", "complete": True}]


@pytest.mark.parametrize("source", ANSWERS)
def test_supports_have_byte_offsets_and_refer_to_sources(source: str) -> None:
    encoded = il.translate_response(ANSWERS[source], source, "gemini")
    [candidate] = encoded.body["candidates"]
    assert candidate["content"]["parts"] == [{"text": TEXT}]
    assert candidate["groundingMetadata"] == METADATA
    read = GenerateContentResponse.model_validate(encoded.body)
    said = TEXT.encode()
    metadata = (read.candidates or [])[0].grounding_metadata
    segments = [one.segment for one in (metadata and metadata.grounding_supports) or []]
    words = [said[one.start_index or 0 : one.end_index].decode() for one in segments if one is not None]
    assert words == ["it rains", "it is cold"]
    assert not [loss for loss in encoded.losses if loss.code == "citation" and loss.path.endswith("citations")]


@pytest.mark.parametrize("source", ANSWERS)
def test_a_stream_has_its_supports_in_the_last_chunk(source: str) -> None:
    stream = il.encode_stream(events_of(ANSWERS[source], source), "gemini")
    frames: list[Any] = list(stream)
    assert [frame for frame in frames if "groundingMetadata" in str(frame)] == frames[-1:]
    [candidate] = room("gemini").assemble_stream(frames)["candidates"]
    assert (candidate["content"]["parts"], candidate["groundingMetadata"]) == ([{"text": TEXT}], METADATA)
    assert "citation" not in {loss.code for loss in stream.losses}


def test_a_blank_line_inserted_between_two_messages_is_counted_in_offsets() -> None:
    cited = {"kind": "url", "url": A, "title": "T"}
    events: list[dict[str, Any]] = [
        {"type": "start", "id": "1"},
        {"type": "content", "block": 0, "text": "One."},
        {"type": "block_end", "block": 0},
        {"type": "content", "block": 1, "text": "Two.", "new_message": True},
        {"type": "citation", "block": 1, "citation": cited},
        {"type": "block_end", "block": 1},
        {"type": "end", "complete": True},
    ]
    [candidate] = room("gemini").assemble_stream(list(il.encode_stream(events, "gemini")))["candidates"]
    [support] = candidate["groundingMetadata"]["groundingSupports"]
    assert candidate["content"]["parts"] == [{"text": "One.\n\nTwo."}]
    assert support["segment"] == {"startIndex": 6, "endIndex": 10, "text": "Two."}
    messages = [{"role": "assistant", "content": "One."}]
    messages += [{"role": "assistant", "content": [{"type": "text", "text": "Two.", "citations": [cited]}]}]  # type: ignore[dict-item]  # its content is a list
    [whole] = il.encode_response({"messages": messages}, "gemini").body["candidates"]
    [again] = whole["groundingMetadata"]["groundingSupports"]
    [said] = [part["text"] for part in whole["content"]["parts"]]
    assert said.encode()[again["segment"]["startIndex"] : again["segment"]["endIndex"]] == b"Two."


def test_a_support_of_a_text_after_an_image_has_a_part_index() -> None:
    picture = {"type": "image", "format": "image/png", "data": "iVBORw0KGgo="}
    second = {"type": "text", "text": "Two.", "citations": [{"kind": "url", "url": A}]}
    content = [{"type": "text", "text": "One."}, picture, second]
    body = il.encode_response({"messages": [{"role": "assistant", "content": content}]}, "gemini").body
    [support] = body["candidates"][0]["groundingMetadata"]["groundingSupports"]
    assert support["segment"] == {"partIndex": 2, "endIndex": 4, "text": "Two."}
    [message] = il.decode_response(body, "gemini").model_dump(mode="json", exclude_unset=True)["messages"]
    assert message["content"][2]["citations"][0]["url"] == A


def test_a_citation_of_a_document_has_no_place_and_is_lost() -> None:
    location = {"type": "char_location", "cited_text": "It rained.", "document_index": 0, "document_title": "D",
                "start_char_index": 0, "end_char_index": 10}  # fmt: skip
    body = {**CLAUDE, "content": [{"type": "text", "text": TEXT, "citations": [location, found(A)]}]}
    encoded = il.translate_response(body, "claude", "gemini")
    assert encoded.body["candidates"][0]["groundingMetadata"]["groundingChunks"] == CHUNKS[:1]
    told = [loss.path for loss in encoded.losses if loss.severity == "lost" and loss.code == "citation"]
    assert "/messages/0/content/0/citations/0" in told


def test_citations_of_a_truncated_stream_are_lost() -> None:
    events = [event for event in events_of(CLAUDE, "claude") if event["type"] not in {"finish", "end"}]
    stream = il.encode_stream([*events, {"type": "end", "complete": False}], "gemini")
    assert "groundingMetadata" not in str(list(stream))
    told = [loss.path for loss in stream.losses if loss.code == "citation"]
    assert len(told) == 3


def test_citations_of_earlier_answers_in_a_request_are_lost() -> None:
    asked = {"role": "user", "content": "Hi"}
    messages = [asked, {"role": "assistant", "content": CLAUDE["content"]}, asked]
    encoded = il.translate_request({"model": "m", "max_tokens": 9, "messages": messages}, "claude", "gemini")
    assert "grounding" not in str(encoded.body)
    assert [loss.path for loss in encoded.losses if loss.code == "citation"]


def test_citations_of_a_thought_and_inside_a_document_are_lost() -> None:
    cited = {"type": "text", "text": "Hm.", "citations": [{"kind": "url", "url": A}]}
    document = {"type": "file", "title": "D", "content": [cited]}
    for message, path in (
        ({"reasoning": [cited], "content": "Hi"}, "/messages/0/reasoning/0/citations"),
        ({"content": [document]}, "/messages/0/content/0/content/0/citations"),
    ):
        encoded = il.encode_response({"messages": [{"role": "assistant", **message}]}, "gemini")
        assert path in [loss.path for loss in encoded.losses if loss.severity == "lost"]


def test_a_rewritten_text_does_not_shift_the_offsets_of_the_next() -> None:
    signed = {"type": "text", "text": "One.", "citations": [{"kind": "url", "url": B}]}
    plain = {"type": "text", "text": "Two.", "citations": [{"kind": "url", "url": A}]}
    state = {"thought_signatures": [{"at": "/content/0", "signature": "c2ln"}]}
    message = {"role": "assistant", "content": [signed, plain], "extra": {"gemini": state}}
    encoded = il.encode_response({"messages": [message]}, "gemini")
    [support] = encoded.body["candidates"][0]["groundingMetadata"]["groundingSupports"]
    assert support["segment"]["text"] == "Two."
    assert "/messages/0/content/0/citations/0" in [loss.path for loss in encoded.losses if loss.code == "citation"]
