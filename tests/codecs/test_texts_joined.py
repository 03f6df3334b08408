"""A text that its provider says in several parts is one text for clients of others, as it is in a stream."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il

CALL: Final[dict[str, Any]] = {"functionCall": {"id": "c1", "name": "look", "args": {}}}
PARTS: Final[list[dict[str, Any]]] = [{"text": "Here"}, {"text": "'s a "}, {"text": "text."}, CALL]
WHOLE: Final = "Here's a text."
TEXTS: Final = {
    "claude": lambda body: [one["text"] for one in body["content"] if one["type"] == "text"],
    "openai_responses": lambda body: [part["text"] for one in body["output"] for part in one.get("content", ())],
    "bedrock_converse": lambda body: [one["text"] for one in body["output"]["message"]["content"] if "text" in one],
    "openai_chat": lambda body: [body["choices"][0]["message"]["content"]],
    "ollama": lambda body: [body["message"]["content"]],
}


def gemini(parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]}


@pytest.mark.parametrize("target", sorted(TEXTS))
def test_adjacent_text_parts_are_joined_in_other_dialects(target: str) -> None:
    told = il.translate_response(gemini(PARTS), "gemini", target)
    assert TEXTS[target](told.body) == [WHOLE]
    assert not [loss for loss in told.losses if loss.path.startswith("/messages/0/content")]


@pytest.mark.parametrize("target", ["claude", "openai_responses", "bedrock_converse"])
def test_adjacent_text_parts_are_joined_in_streams_too(target: str) -> None:
    pieces = [{"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in PARTS[:-1]]
    frames = [*pieces, gemini([{"text": ""}])]
    told = il.collect(il.decode_stream(list(il.translate_stream(frames, "gemini", target)), target))
    assert [part.text for message in told.messages for part in message.content or ()] == [WHOLE]


def test_separated_texts_stay_separate_and_losses_have_the_original_part_path() -> None:
    signed = {"text": "Signed.", "thoughtSignature": "c2lnbmVk"}
    body = gemini([{"text": "One "}, {"text": "text."}, signed, CALL, {"text": "Behind "}, {"text": "it."}])
    told = il.translate_response(body, "gemini", "openai_responses")
    assert TEXTS["openai_responses"](told.body)[-1] == "Behind it."
    assert "".join(TEXTS["openai_responses"](told.body)) == "One text.Signed.Behind it."


def test_within_the_dialect_the_parts_round_trip() -> None:
    assert il.translate_response(gemini(PARTS), "gemini", "gemini").body == gemini(PARTS)


def test_losses_of_citations_have_the_original_part_path() -> None:
    where = {"documentChar": {"documentIndex": 0, "start": 0, "end": 4}}
    cited = {"citationsContent": {"content": [{"text": "Cited."}], "citations": [{"location": where, "title": "Doc"}]}}
    message = {"role": "assistant", "content": [{"text": "One "}, {"text": "text. "}, cited]}
    body = {"output": {"message": message}, "stopReason": "end_turn", "usage": {}, "metrics": {"latencyMs": 1}}
    told = il.translate_response(body, "bedrock_converse", "openai_responses")
    assert TEXTS["openai_responses"](told.body) == ["One text. ", "Cited."]
    assert "/messages/0/content/2/citations/0" in [loss.path for loss in told.losses]


WHERE: Final = {"location": {"documentChar": {"documentIndex": 0, "start": 0, "end": 4}}, "title": "Doc"}


def cited(text: str) -> dict[str, Any]:
    return {"citationsContent": {"content": [{"text": text}], "citations": [WHERE]}}


def converse(*blocks: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": [*blocks]}
    return {"output": {"message": message}, "stopReason": "end_turn", "usage": {}, "metrics": {"latencyMs": 1}}


def converse_frames(*blocks: dict[str, Any]) -> list[dict[str, Any]]:
    frames: list[dict[str, Any]] = [{"messageStart": {"role": "assistant"}}]
    for index, block in enumerate(blocks):
        said = block.get("citationsContent", {"content": [block], "citations": []})
        deltas = [{"citation": one} for one in said["citations"]] + [{"text": one["text"]} for one in said["content"]]
        frames += [{"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}} for delta in deltas]
        frames.append({"contentBlockStop": {"contentBlockIndex": index}})
    return [*frames, {"messageStop": {"stopReason": "end_turn"}}]


def claude_texts(frames: list[Any]) -> list[str]:
    texts: dict[int, str] = {}
    for frame in frames:
        if frame["type"] == "content_block_delta" and frame["delta"]["type"] == "text_delta":
            texts[frame["index"]] = texts.get(frame["index"], "") + frame["delta"]["text"]
    return [*texts.values()]


@pytest.mark.parametrize(
    ("blocks", "texts", "severities"),
    [
        ((cited("One."), {"text": " "}, cited("Two.")), ["One.", " Two."], ["changed"]),
        ((cited("One."), {"text": "\n"}, cited("Two."), {"text": " "}), ["One.", "\nTwo."], ["changed", "lost"]),
        (({"text": " "}, cited("One.")), ["One."], ["lost"]),
    ],
)
def test_whitespace_between_two_texts_is_joined_to_the_second_where_claude_refuses_it_alone(
    blocks: tuple[dict[str, Any], ...], texts: list[str], severities: list[str]
) -> None:
    told = il.translate_response(converse(*blocks), "bedrock_converse", "claude")
    stream = il.translate_stream(converse_frames(*blocks), "bedrock_converse", "claude")
    assert TEXTS["claude"](told.body) == claude_texts(list(stream)) == texts
    for losses in (told.losses, stream.losses):
        assert [loss.severity for loss in losses if loss.code == "empty_text"] == severities


def test_whitespace_texts_in_requests_are_joined_too() -> None:
    parts = [{"type": "text", "text": text} for text in ("One", " ", "\n", "two", " ")]
    body = {"model": "m", "messages": [{"role": "user", "content": parts}]}
    sent = il.translate_request(body, "openai_chat", "claude")
    assert [block["text"] for block in sent.body["messages"][0]["content"]] == ["One", " \ntwo"]


SIGNED: Final[list[dict[str, Any]]] = [
    {"text": '{"a": 1'},
    {"text": "2, "},
    {"text": '"b": 3', "thoughtSignature": "c2lnbmVk"},
    {"text": "4}"},
    {"text": "", "thoughtSignature": "c2lnbmVkIHRvbw=="},
]


def one_by_one(parts: list[dict[str, Any]], **last: Any) -> list[Any]:
    pieces = [{"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts]
    return [*pieces, {"candidates": [{"finishReason": "STOP", **last}]}]


@pytest.mark.parametrize("target", sorted(TEXTS))
def test_a_partly_signed_gemini_text_is_one_text_in_streams_too(target: str) -> None:
    frames = list(il.translate_stream(one_by_one(SIGNED), "gemini", target))
    told = il.collect(il.decode_stream(frames, target))
    [text] = [message.text for message in told.messages]
    assert json.loads(text) == {"a": 12, "b": 34}
    parts = [message.content for message in told.messages]
    assert parts in ([text], [(il.TextPart(text=text),)])


@pytest.mark.parametrize("target", ["claude", "openai_responses"])
def test_citations_of_a_joined_text_have_shifted_offsets(target: str) -> None:
    support = {"segment": {"partIndex": 1, "startIndex": 0, "endIndex": 3, "text": "it "}, "groundingChunkIndices": [0]}
    metadata = {"groundingChunks": [{"web": {"uri": "https://a.b", "title": "A"}}], "groundingSupports": [support]}
    parts = [{"text": "Wäre "}, {"text": "it ", "thoughtSignature": "c2lnbmVk"}]
    stream = il.translate_stream(one_by_one(parts, groundingMetadata=metadata), "gemini", target)
    told = il.collect(il.decode_stream(list(stream), target))
    cited = [part for message in told.messages for part in message.content or () if part.citations]
    for part in cited:
        [citation] = part.citations
        words = citation.cited_text or part.text[citation.start_index : citation.end_index]
        assert words == "it "
    assert cited or [loss.code for loss in stream.losses if loss.severity == "lost" and loss.code == "citation"]


def test_a_signed_text_stays_separate_within_the_dialect() -> None:
    frames = one_by_one(SIGNED)
    assert list(il.translate_stream(frames, "gemini", "gemini")) == frames
