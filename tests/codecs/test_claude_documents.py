"""What Claude's Messages and Bedrock Converse say alike of documents: citations, their places, results of searches."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import interlingua as il

CLAUDE_ON_BEDROCK: Final = "anthropic.claude-opus-5"
COUNTS: Final = {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}
METRICS: Final = {"latencyMs": 3}
CITED: Final = {"title": "D", "sourceContent": [{"text": "sky"}]}
SAID: Final = {"cited_text": "sky", "document_title": "D", "file_id": None}

# As Bedrock says it, and as Claude does.
PLACES: Final[list[tuple[dict[str, Any], dict[str, Any]]]] = [
    (
        {"documentPage": {"documentIndex": 2, "start": 7, "end": 8}},
        {"type": "page_location", "document_index": 2, "start_page_number": 7, "end_page_number": 8, **SAID},
    ),
    (
        {"documentChar": {"documentIndex": 2, "start": 5, "end": 9}},
        {"type": "char_location", "document_index": 2, "start_char_index": 5, "end_char_index": 9, **SAID},
    ),
    (
        {"documentChunk": {"documentIndex": 1, "start": 0, "end": 1}},
        {"type": "content_block_location", "document_index": 1, "start_block_index": 0, "end_block_index": 1, **SAID},
    ),
    (
        {"searchResultLocation": {"searchResultIndex": 3, "start": 0, "end": 2}},
        {
            "type": "search_result_location",
            "search_result_index": 3,
            "start_block_index": 0,
            "end_block_index": 2,
            "cited_text": "sky",
            "title": "D",
            "source": "https://example.com",
        },
    ),
]
NAMES: Final = ["a page", "characters", "blocks", "a result of a search"]
places: Final = pytest.mark.parametrize(("location", "claudes"), PLACES, ids=NAMES)


def bedrocks(location: dict[str, Any]) -> dict[str, Any]:
    named = {"source": "https://example.com"} if "searchResultLocation" in location else {}
    return {**CITED, **named, "location": location}


def bedrock_answer(*citations: dict[str, Any]) -> dict[str, Any]:
    content = [{"citationsContent": {"content": [{"text": "Blue."}], "citations": [*citations]}}]
    message = {"role": "assistant", "content": content}
    return {"output": {"message": message}, "stopReason": "end_turn", "usage": COUNTS, "metrics": METRICS}


def bedrock_stream(citation: dict[str, Any]) -> list[dict[str, Any]]:
    deltas = [{"text": "Blue."}, {"citation": citation}]
    return [
        {"messageStart": {"role": "assistant"}},
        *({"contentBlockDelta": {"contentBlockIndex": 0, "delta": delta}} for delta in deltas),
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "end_turn"}},
        {"metadata": {"usage": COUNTS, "metrics": METRICS}},
    ]


def losses(encoded: Any, concern: str = "content") -> list[str]:
    return [loss.path for loss in encoded.losses if loss.severity == "lost" and loss.concern == concern]


@places
def test_citation_locations_are_translated_between_bedrock_and_claude(
    location: dict[str, Any], claudes: dict[str, Any]
) -> None:
    there = il.translate_response(bedrock_answer(bedrocks(location)), "bedrock_converse", "claude")
    assert there.body["content"][0]["citations"] == [claudes]
    back = il.translate_response(there.body, "claude", "bedrock_converse")
    assert back.body["output"]["message"] == bedrock_answer(bedrocks(location))["output"]["message"]
    assert losses(there) == losses(back) == []


@places
def test_citation_locations_are_translated_between_bedrock_and_claude_in_streams(
    location: dict[str, Any], claudes: dict[str, Any]
) -> None:
    stream = il.translate_stream(bedrock_stream(bedrocks(location)), "bedrock_converse", "claude")
    frames: list[Any] = [*stream]
    deltas = [frame["delta"] for frame in frames if frame["type"] == "content_block_delta"]
    assert {"type": "citations_delta", "citation": claudes} in deltas
    back: list[Any] = [*il.translate_stream(frames, "claude", "bedrock_converse")]
    said = [frame["contentBlockDelta"]["delta"] for frame in back if "contentBlockDelta" in frame]
    assert said == [{"text": "Blue."}, {"citation": bedrocks(location)}]


@places
def test_citation_locations_are_kept_in_later_requests(location: dict[str, Any], claudes: dict[str, Any]) -> None:
    cited = {name: value for name, value in claudes.items() if name != "file_id"}
    blocks = [{"type": "text", "text": "Blue.", "citations": [cited]}]
    ask = {"role": "user", "content": "What colour?"}
    messages = [ask, {"role": "assistant", "content": blocks}, ask]
    body = {"model": "claude-opus-5", "max_tokens": 10, "messages": messages}
    there = il.translate_request(body, "claude", "bedrock_converse", model=CLAUDE_ON_BEDROCK)
    assert there.body["messages"][1] == bedrock_answer(bedrocks(location))["output"]["message"]
    back = il.translate_request(there.body, "bedrock_converse", "claude", model="claude-opus-5")
    assert back.body["messages"][1]["content"] == blocks
    assert losses(there) == losses(back) == []


@pytest.mark.parametrize(
    "location",
    [{}, {"location": {"documentPage": {"documentIndex": 2}}}, {"location": {"documentChar": {"start": 5, "end": 9}}}],
    ids=["nowhere", "no page", "no document"],
)
def test_no_claude_citation_is_written_without_a_location(location: dict[str, Any]) -> None:
    encoded = il.translate_response(bedrock_answer({**CITED, **location}), "bedrock_converse", "claude")
    assert encoded.body["content"] == [{"type": "text", "text": "Blue."}]
    assert losses(encoded) == ["/messages/0/content/0/citations/0"]


FOUND: Final = {"type": "search_result", "source": "https://example.com", "title": "T"}
FOUND_BLOCK: Final = {"searchResult": {"source": "https://example.com", "title": "T", "content": [{"text": "Sky."}]}}
TEXTS: Final = [{"type": "text", "text": "Sky."}]
ENABLED: Final = {"enabled": True}
PDF: Final = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0xLjQK"}
# A block of Claude's, and of Bedrock's.
BLOCKS: Final[list[tuple[dict[str, Any], dict[str, Any]]]] = [
    (
        {"type": "document", "source": PDF, "title": "D", "citations": ENABLED},
        {"document": {"format": "pdf", "name": "D", "source": {"bytes": PDF["data"]}, "citations": ENABLED}},
    ),
    (
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": "Sky."},
            "title": "D",
            "citations": ENABLED,
        },
        {"document": {"format": "txt", "name": "D", "source": {"text": "Sky."}, "citations": ENABLED}},
    ),
    (
        {"type": "document", "source": {"type": "content", "content": TEXTS}, "title": "D", "citations": ENABLED},
        {"document": {"name": "D", "source": {"content": [{"text": "Sky."}]}, "citations": ENABLED}},
    ),
    ({**FOUND, "content": TEXTS}, FOUND_BLOCK),
    (
        {**FOUND, "content": TEXTS, "citations": {"enabled": False}},
        {"searchResult": {**FOUND_BLOCK["searchResult"], "citations": {"enabled": False}}},
    ),
]


@pytest.mark.parametrize("place", ["user", "result"])
@pytest.mark.parametrize(("claudes", "bedrocks"), BLOCKS, ids=["pdf", "text", "blocks", "found", "found, not cited"])
def test_citable_documents_and_search_results_are_translated_between_claude_and_bedrock(
    claudes: dict[str, Any], bedrocks: dict[str, Any], place: str
) -> None:
    there = il.translate_request(asked(claudes, place), "claude", "bedrock_converse", model=CLAUDE_ON_BEDROCK)
    block = there.body["messages"][-1]["content"][0]
    assert (block if place == "user" else block["toolResult"]["content"][0]) == bedrocks
    assert il.check_request(there.body, "bedrock_converse") == []
    back = il.translate_request(there.body, "bedrock_converse", "claude", model="claude-opus-5")
    block = back.body["messages"][-1]["content"][0]
    assert (block if place == "user" else block["content"][0]) == claudes
    assert losses(there) == losses(back) == []


def asked(block: dict[str, Any], place: str) -> dict[str, Any]:
    tool = {"name": "search", "input_schema": {"type": "object", "properties": {}}}
    body: dict[str, Any] = {"model": "claude-opus-5", "max_tokens": 10, "tools": [tool]}
    if place == "user":
        return {**body, "messages": [{"role": "user", "content": [block, {"type": "text", "text": "What colour?"}]}]}
    call = {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [block]}
    said = [("user", "What colour?"), ("assistant", [call]), ("user", [result])]
    return {**body, "messages": [{"role": role, "content": content} for role, content in said]}


def test_a_cache_mark_after_a_search_result_is_kept() -> None:
    marked = {**FOUND, "content": TEXTS, "cache_control": {"type": "ephemeral"}}
    there = il.translate_request(asked(marked, "user"), "claude", "bedrock_converse", model=CLAUDE_ON_BEDROCK)
    assert there.body["messages"][0]["content"][:2] == [FOUND_BLOCK, {"cachePoint": {"type": "default"}}]


@pytest.mark.parametrize("place", ["user", "result"])
@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "gemini", "ollama", "vllm"])
def test_a_search_result_of_bedrock_becomes_text_with_title_and_source(target: str, place: str) -> None:
    found = {**FOUND, "content": [*TEXTS, {"type": "text", "text": "Sea."}], "citations": ENABLED}
    given = il.translate_request(asked(found, place), "claude", "bedrock_converse", model=CLAUDE_ON_BEDROCK).body
    encoded = il.translate_request(given, "bedrock_converse", target, model="m")
    at = f"/messages/{0 if place == 'user' else 2}/content/0"
    assert json.dumps("Title: T\nSource: https://example.com\n\nSky.\n\nSea.")[1:-1] in json.dumps(encoded.body)
    assert [loss.path for loss in encoded.losses if (loss.code, loss.severity) == ("part", "changed")] == [at]
    assert f"{at}/data" in [loss.path for loss in encoded.losses]  # that it may be cited


@pytest.mark.parametrize("place", ["user", "result"])
def test_a_search_result_becomes_text_for_models_of_bedrock_other_than_claudes(place: str) -> None:
    found = {**FOUND, "content": TEXTS}
    body = il.translate_request(asked(found, place), "claude", "bedrock_converse", model=CLAUDE_ON_BEDROCK).body
    (refused,) = il.check_request({**body, "modelId": "amazon.nova-pro-v1:0"}, "bedrock_converse")
    at = "/messages/0/content/0" if place == "user" else "/messages/2/content/0/toolResult/content/0"
    assert (refused.code, refused.path) == ("part", at)
    fitted = il.exchange(body, "bedrock_converse", "bedrock_converse", model="amazon.nova-pro-v1:0", fit=True)
    assert il.check_request(fitted.body, "bedrock_converse") == []
    block = fitted.body["messages"][-1]["content"][0]
    inside = block if place == "user" else block["toolResult"]["content"][0]
    assert inside == {"text": "Title: T\nSource: https://example.com\n\nSky."}
    path = f"/messages/{0 if place == 'user' else 2}/content/0"
    assert [(loss.code, loss.severity) for loss in fitted.losses if loss.path == path] == [("part", "changed")]


def test_a_title_that_bedrock_accepts_as_name_is_not_reported_as_respelt() -> None:
    document = {"type": "document", "source": PDF, "title": "Annual report"}
    encoded = il.translate_request(asked(document, "user"), "claude", "bedrock_converse", model=CLAUDE_ON_BEDROCK)
    assert encoded.body["messages"][0]["content"][0]["document"]["name"] == "Annual report"
    (told,) = (loss for loss in encoded.losses if loss.path == "/messages/0/content/0/title")
    assert (told.code, told.severity, told.detail) == ("part", "changed", "the title is sent as the name")


@pytest.mark.parametrize("data", [{"source": "s"}, {"source": "s", "title": "T", "content": [{"text": "a", "b": 1}]}])
def test_a_search_result_of_an_unknown_form_is_lost(data: dict[str, Any]) -> None:
    content = [{"searchResult": data}, {"text": "What colour?"}]
    body = {"messages": [{"role": "user", "content": content}]}
    encoded = il.translate_request(body, "bedrock_converse", "claude", model="claude-opus-5")
    assert losses(encoded) == ["/messages/0/content/0"]


CREATION: Final = {"ephemeral_5m_input_tokens": 7351, "ephemeral_1h_input_tokens": 20}
DETAILS: Final = [{"ttl": "5m", "inputTokens": 7351}, {"ttl": "1h", "inputTokens": 20}]


def counted(details: Any) -> dict[str, Any]:
    written = {"cacheReadInputTokens": 0, "cacheWriteInputTokens": 7371, "cacheDetails": details}
    message = {"role": "assistant", "content": [{"text": "Blue."}]}
    usage = {**COUNTS, "totalTokens": 7374, **written}
    return {"output": {"message": message}, "stopReason": "end_turn", "usage": usage, "metrics": METRICS}


def test_cache_write_counts_by_lifetime_are_translated_between_claude_and_bedrock() -> None:
    there = il.translate_response(counted(DETAILS), "bedrock_converse", "claude")
    assert there.body["usage"]["cache_creation"] == CREATION
    back = il.translate_response(there.body, "claude", "bedrock_converse")
    assert back.body["usage"] == counted(DETAILS)["usage"]
    assert lost_counts(there) == lost_counts(back) == []


def lost_counts(encoded: Any) -> list[str]:
    return [loss.path for loss in encoded.losses if loss.severity == "lost" and "usage" in loss.path]


def test_cache_write_counts_by_lifetime_are_translated_from_bedrock_to_claude_in_streams() -> None:
    usage = counted(DETAILS)["usage"]
    frames = [*bedrock_stream(bedrocks(PLACES[0][0]))[:-1], {"metadata": {"usage": usage, "metrics": METRICS}}]
    stream = il.translate_stream(frames, "bedrock_converse", "claude")
    assert [
        frame["usage"]["cache_creation"] for frame in map(dict[str, Any], stream) if frame["type"] == "message_delta"
    ] == [CREATION]
    assert lost_counts(stream) == []


@pytest.mark.parametrize("details", [[{"ttl": "30m", "inputTokens": 1}], [{"ttl": "5m"}], {"5m": 1}])
def test_cache_write_counts_of_lifetimes_unknown_to_claude_are_lost(details: Any) -> None:
    encoded = il.translate_response(counted(details), "bedrock_converse", "claude")
    assert "cache_creation" not in encoded.body["usage"]
    assert lost_counts(encoded) == ["/usage"]


def test_zero_cache_write_counts_of_claude_are_no_details_on_bedrock() -> None:
    body = il.translate_response(counted(DETAILS), "bedrock_converse", "claude").body
    body = {**body, "usage": {**body["usage"], "cache_creation": dict.fromkeys(CREATION, 0)}}
    encoded = il.translate_response(body, "claude", "bedrock_converse")
    assert "cacheDetails" not in encoded.body["usage"]
    assert lost_counts(encoded) == []


@pytest.mark.parametrize("model", ["us.amazon.nova-pro-v1:0", "openai.gpt-oss-120b-1:0", "my-model"])
def test_a_search_result_is_text_with_its_title_and_source_for_models_without_search_results(model: str) -> None:
    found = {"source": "https://a.b/c", "title": "Weather", "content": [{"type": "text", "text": "Oslo: 7 C"}]}
    block = {"type": "search_result", **found, "cache_control": {"type": "ephemeral"}}
    call = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
    messages = [
        {"role": "user", "content": [block, {"type": "text", "text": "So?"}]},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [block]}]},
    ]
    tools = [{"name": "look", "input_schema": {"type": "object", "properties": {}}}]
    body = {"model": "m", "max_tokens": 9, "messages": messages, "tools": tools}
    encoded = il.translate_request(body, "claude", "bedrock_converse", model=model)
    [question, _, result] = encoded.body["messages"]
    text = {"text": "Title: Weather\nSource: https://a.b/c\n\nOslo: 7 C"}
    assert [one for one in question["content"] if "cachePoint" not in one] == [text, {"text": "So?"}]
    assert result["content"][0]["toolResult"]["content"] == [text]
    told = {loss.path: loss.severity for loss in encoded.losses if loss.code == "part"}
    assert told == {"/messages/0/content/0": "changed", "/messages/2/content/0": "changed"}
    assert il.check_request(encoded.body, "bedrock_converse") == []


def test_what_the_text_of_a_search_result_leaves_out_is_reported_and_later_parts_keep_their_places() -> None:
    cited = {"source": "s", "title": "T", "content": [{"text": "Found."}], "citations": {"enabled": True}}
    picture = {"image": {"format": "png", "source": {"bytes": "AAAA"}}}
    content = [{"searchResult": cited}, {"searchResult": {"odd": 1}}, {"text": "Well?"}, picture]
    body = {"modelId": "any", "messages": [{"role": "user", "content": content}]}
    model = "amazon.nova-micro-v1:0"
    sent = il.exchange(body, "bedrock_converse", "bedrock_converse", model=model, fit=True)
    assert sent.body["messages"][0]["content"] == [{"text": "Title: T\nSource: s\n\nFound."}, {"text": "Well?"}]
    assert [(loss.path.removeprefix("/messages/0/content"), loss.severity) for loss in sent.losses] == [
        ("/0", "changed"),
        ("/0/data", "lost"),
        ("/1", "lost"),
        ("/3", "lost"),
    ]
