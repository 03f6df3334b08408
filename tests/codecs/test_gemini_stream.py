"""Streams of Gemini: what their chunks say, and how the events of others become their chunks."""

from __future__ import annotations

from typing import Any, Final

import pytest
from google.genai.types import GenerateContentResponse

import interlingua as il
from interlingua.streaming import EventDecoder, EventEncoder, gather
from support.streams import assembled, read, said, write

COUNTS: Final = {"promptTokenCount": 7, "candidatesTokenCount": 2, "totalTokenCount": 9}


def chunk(*parts: dict[str, Any], finish: str | None = None, index: int = 0, **members: Any) -> dict[str, Any]:
    """Return a chunk with parts of one answer."""
    candidate: dict[str, Any] = {"content": {"parts": list(parts), "role": "model"}} if parts else {}
    if finish is not None:
        candidate["finishReason"] = finish
    candidate["index"] = index
    return {"candidates": [candidate], "modelVersion": "gemini-x", "responseId": "r1", **members}


def kept(frames: list[Any]) -> list[dict[str, Any]]:
    """Return the events of frames, having checked that they go out as they came, with nothing lost."""
    events = read("gemini", frames)
    assert write("gemini", events) == (frames, ())
    return events


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


def test_fragments_of_a_text_are_one_block_and_one_part() -> None:
    frames = [
        chunk({"text": "Hel"}, usageMetadata=COUNTS),
        chunk({"text": "lo"}, usageMetadata={**COUNTS, "candidatesTokenCount": 3, "totalTokenCount": 10}),
        chunk({"text": "!"}, finish="STOP", usageMetadata={**COUNTS, "candidatesTokenCount": 4, "totalTokenCount": 11}),
    ]
    events = kept(frames)
    assert list(said(events)) == [(0, "content", "Hel"), (0, "content", "lo"), (0, "content", "!")]
    assert {event["block"] for event in events if event["type"] == "content"} == {0}
    whole = gather(events)
    assert whole["messages"] == [{"role": "assistant", "content": "Hello!"}]
    assert whole["usage"] == {"input_tokens": 7, "output_tokens": 4, "total_tokens": 11}
    assert (whole["finish_reason"], whole["id"], whole["model"]) == ("stop", "r1", "gemini-x")


def test_str_8_chunk_counts_are_cumulative_and_thoughts_count_as_output() -> None:
    counts = [{**COUNTS, "thoughtsTokenCount": 5, "candidatesTokenCount": n} for n in (1, 2, 3)]
    events = kept([chunk({"text": "a"}, usageMetadata=one) for one in counts])
    told = [event["usage"]["output_tokens"] for event in events if event["type"] == "usage"]
    assert told == [6, 7, 8]
    assert gather(events)["usage"]["output_tokens"] == 8


def test_a_count_that_is_not_repeated_remains_valid() -> None:
    frames = [chunk({"text": "a"}, usageMetadata=COUNTS), chunk(finish="STOP", usageMetadata={"promptTokenCount": 7})]
    assert gather(kept(frames))["usage"] == {"input_tokens": 7, "output_tokens": 2, "total_tokens": 9}


def test_a_count_with_a_zero_fraction_round_trips() -> None:
    frames = [chunk({"text": "a"}, usageMetadata={**COUNTS, "promptTokenCount": n}) for n in (7, 7, 7.0, 7)]
    kept([chunk({"text": "b"}, usageMetadata=COUNTS), *frames])


def test_modality_counts_in_any_order_are_assigned_to_their_modality() -> None:
    kinds_of = [{"modality": kind, "tokenCount": count} for kind, count in (("IMAGE", 5), ("TEXT", 2))]
    for details in (kinds_of, kinds_of[::-1], kinds_of[:1]):
        events = kept([chunk({"text": "a"}, finish="STOP", usageMetadata={**COUNTS, "promptTokensDetails": details})])
        assert gather(events)["usage"]["input_image_tokens"] == 5


def test_thoughts_are_reasoning_in_a_separate_block() -> None:
    frames = [
        chunk({"text": "Let me ", "thought": True}),
        chunk({"text": "see.", "thought": True}),
        chunk({"text": "42"}, finish="STOP"),
    ]
    events = kept(frames)
    assert gather(events)["messages"] == [{"role": "assistant", "reasoning": "Let me see.", "content": "42"}]
    assert kinds(events) == ["start", "reasoning", "reasoning", "block_end", "content", "block_end", "finish", "end"]


def test_rea_7_signatures_are_provider_state_of_their_parts() -> None:
    frames = [
        chunk({"functionCall": {"name": "f", "args": {"a": 1}}, "thoughtSignature": "c2ln"}),
        chunk({"functionCall": {"name": "g", "args": {}}}, finish="STOP"),
    ]
    events = kept(frames)
    states = [event for event in events if event["type"] == "state"]
    assert [(one["block"], one["extra"]["gemini"]["signature"]) for one in states] == [(0, "c2ln")]
    whole: Any = gather(events)
    signatures = whole["messages"][0]["extra"]["gemini"]["thought_signatures"]
    assert signatures == [{"at": "/tool_calls/0", "signature": "c2ln"}]
    assert whole["finish_reason"] == "tool_calls"


def test_rea_7_a_late_signature_on_an_empty_text_is_a_separate_part() -> None:
    frames = [chunk({"text": "Hi"}), chunk({"text": "", "thoughtSignature": "bGF0ZQ=="}, finish="STOP")]
    events = kept(frames)
    whole: Any = gather(events)
    assert whole["messages"][0]["content"] == [{"type": "text", "text": "Hi"}, {"type": "text", "text": ""}]
    again = il.encode_response(whole, "gemini").body
    assert again["candidates"][0]["content"]["parts"] == [{"text": "Hi"}, {"text": "", "thoughtSignature": "bGF0ZQ=="}]


def test_an_empty_text_after_a_call_is_ignored_and_more_calls_may_follow() -> None:
    frames = [chunk({"functionCall": {"name": "f", "args": {}}}), chunk({"text": ""}, finish="STOP")]
    events = kept(frames)
    assert "content" not in kinds(events)
    whole = gather(events)
    assert whole["finish_reason"] == "tool_calls"
    assert len(whole["messages"]) == 1


def test_str_4_two_calls_in_one_chunk_reach_claude_with_their_arguments() -> None:
    calls = [{"functionCall": {"name": name, "args": {"city": name * 3}}} for name in ("a", "b")]
    frames = [chunk({"text": "Both."}, *calls, finish="STOP", usageMetadata=COUNTS)]
    events = kept(frames)
    assert kinds(events)[:4] == ["start", "content", "block_end", "tool_call_start"]
    made = list(il.translate_stream(frames, "gemini", "claude"))
    calls_there = assembled("claude", made)["messages"][-1]["tool_calls"]
    assert [(call["name"], call["arguments"]) for call in calls_there] == [
        ("a", {"city": "aaa"}),
        ("b", {"city": "bbb"}),
    ]


def test_argument_fragments_become_the_arguments_of_one_call() -> None:
    def piece(text: str, *, on: bool = True, path: str = "$.city") -> dict[str, Any]:
        return {"partialArgs": [{"jsonPath": path, "stringValue": text, "willContinue": on}], "willContinue": True}

    calls = [
        {"name": "weather", "id": "c1", "willContinue": True},
        piece("New "),
        piece("York", on=False),
        piece("fog", path="$.what[0].kind"),
        {"partialArgs": [{"jsonPath": "$['days']", "numberValue": 3}], "willContinue": True},
        {},
    ]
    frames = [chunk({"functionCall": call}) for call in calls]
    frames.append(chunk(finish="STOP"))
    events = kept(frames)
    whole: Any = gather(events)
    arguments = {"city": "New York", "what": [{"kind": "fog"}], "days": 3}
    assert whole["messages"] == [
        {"role": "assistant", "tool_calls": [{"id": "c1", "name": "weather", "arguments": arguments}]}
    ]
    abroad = assembled("ollama", list(il.translate_stream(frames, "gemini", "ollama")))
    assert abroad["messages"][0]["tool_calls"][0]["arguments"] == arguments


def test_str_13_an_interrupted_call_keeps_its_fragments() -> None:
    first = {"name": "f", "partialArgs": [{"jsonPath": "$.a", "stringValue": "x"}], "willContinue": True}
    events = kept([chunk({"functionCall": first})])
    assert events[-1] == {"type": "end", "complete": False}
    whole: Any = gather(events)
    assert whole["messages"][0]["tool_calls"][0]["arguments"] == {"a": "x"}
    assert "finish_reason" not in whole


def test_snake_case_names_round_trip_and_are_read() -> None:
    frames = [
        {
            "candidates": [{"content": {"parts": [{"text": "a", "thought_signature": "cw=="}], "role": "model"}}],
            "usage_metadata": {"prompt_token_count": 3},
            "response_id": "r",
        },
        {
            "candidates": [
                {
                    "content": {"parts": [{"function_call": {"name": "f", "args": {"long_name": 1}}}], "role": "model"},
                    "finish_reason": "STOP",
                }
            ],
            "usage_metadata": {"prompt_token_count": 3},
            "response_id": "r",
        },
    ]
    events = kept(frames)
    whole: Any = gather(events)
    assert whole["messages"][0]["tool_calls"] == [{"name": "f", "arguments": {"long_name": 1}}]
    assert (whole["finish_reason"], whole["usage"]["input_tokens"]) == ("tool_calls", 3)
    assert not any("frame" in event.get("extra", {}).get("gemini", {}) for event in events)


def test_code_and_images_are_parts_and_end_the_text_before() -> None:
    code = {"executableCode": {"language": "PYTHON", "code": "1"}, "thoughtSignature": "cw=="}
    picture = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
    events = kept([chunk({"text": "a"}), chunk(code, picture), chunk({"text": "b"}, finish="STOP")])
    assert [event["block"] for event in events if event["type"] in {"content", "part"}] == [0, 1, 2, 3]
    whole: Any = gather(events)
    assert [part["type"] for part in whole["messages"][0]["content"]] == ["text", "server_call", "image", "text"]


def test_several_answers_are_alternatives() -> None:
    frames = [chunk({"text": text}, index=index) for index, text in ((0, "a"), (1, "x"), (0, "b"), (1, "y"))]
    last = chunk(finish="STOP")
    last["candidates"].append({"finishReason": "MAX_TOKENS", "index": 1})
    events = kept([*frames, last])
    whole: Any = gather(events)
    assert whole["messages"][0]["content"] == "ab"
    assert whole["alternatives"] == [{"messages": [{"role": "assistant", "content": "xy"}], "finish_reason": "length"}]


def test_two_candidates_of_one_index_are_refused() -> None:
    frame = chunk({"text": "a"})
    frame["candidates"].append(frame["candidates"][0])
    with pytest.raises(il.DecodeError) as caught:
        read("gemini", [frame])
    assert caught.value.path == "/0/candidates/1/index"


def test_a_blocked_prompt_has_no_answer_but_a_reason() -> None:
    events = kept([{"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "m"}])
    assert [event["reason"] for event in events if event["type"] == "finish"] == ["content_filter"]
    assert gather(events)["finish_reason"] == "content_filter"


def test_sources_of_a_chunk_are_kept_with_it() -> None:
    last = chunk({"text": "b"}, finish="STOP")
    last["candidates"][0]["groundingMetadata"] = {"webSearchQueries": ["q"]}
    events = kept([chunk({"text": "a"}), last])
    whole: Any = gather(events)
    assert whole["extra"]["gemini"]["candidate"] == {"groundingMetadata": {"webSearchQueries": ["q"]}}


def test_dec_1_an_unknown_finish_reason_comes_back_as_other() -> None:
    events = kept([chunk({"text": "a"}, finish="BRAND_NEW")])
    finish = next(event for event in events if event["type"] == "finish")
    assert (finish["reason"], finish["raw"]) == ("other", "BRAND_NEW")


def test_str_14_a_stream_without_a_finish_reason_is_incomplete() -> None:
    assert kept([chunk({"text": "a"})])[-1] == {"type": "end", "complete": False}
    assert kept([chunk({"text": "a"}, finish="STOP")])[-1] == {"type": "end", "complete": True}


def test_an_error_within_a_stream_keeps_the_partial_answer() -> None:
    error = {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}
    events = kept([chunk({"text": "a"}), error])
    with pytest.raises(il.StreamError) as caught:
        gather(events)
    assert caught.value.code == "UNAVAILABLE"
    partial: Any = caught.value.partial
    assert partial["messages"] == [{"role": "assistant", "content": "a"}]


def test_an_unknown_frame_is_kept_unchanged() -> None:
    assert kinds(kept([chunk({"text": "a"}), {"keepalive": 1}, chunk({"text": "b"})])).count("opaque") == 1


@pytest.mark.parametrize("broken", [None, 1, [], {"candidates": 1}, {"candidates": [1]}, chunk({"text": 5})])
def test_a_malformed_chunk_raises_an_error_with_its_number(broken: Any) -> None:
    with pytest.raises(il.DecodeError) as caught:
        read("gemini", [chunk({"text": "a"}), broken])
    assert caught.value.path.startswith("/1")


def test_foreign_events_become_chunks_that_the_official_library_reads() -> None:
    events: list[dict[str, Any]] = [
        {"type": "start", "id": "r9", "model": "m", "created": 1700000000},
        {"type": "reasoning", "block": 0, "text": "Hm."},
        {"type": "block_end", "block": 0},
        {"type": "content", "block": 1, "text": ""},
        {"type": "content", "block": 1, "text": "Hi"},
        {"type": "tool_call_start", "block": 2, "id": "c1", "name": "f"},
        {"type": "tool_call_delta", "block": 2, "arguments": '{"a":'},
        {"type": "tool_call_delta", "block": 2, "arguments": "1}"},
        {"type": "finish", "reason": "tool_calls"},
        {"type": "usage", "usage": {"input_tokens": 4, "output_tokens": 6, "reasoning_tokens": 2}},
        {"type": "end", "complete": True},
    ]
    frames, losses = write("gemini", events)
    assert losses == ()
    for frame in frames:
        GenerateContentResponse.model_validate(frame, extra="forbid")
    contents = [one.get("content", {}) for frame in frames for one in frame["candidates"]]
    assert [part for content in contents for part in content.get("parts", ())] == [
        {"text": "Hm.", "thought": True},
        {"text": "Hi"},
        {"functionCall": {"id": "c1", "name": "f", "args": {"a": 1}}},
        {"text": ""},
    ]
    assert frames[-1]["candidates"] == [
        {"content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": "STOP", "index": 0}
    ]
    assert frames[-1]["usageMetadata"] == {
        "promptTokenCount": 4, "candidatesTokenCount": 4, "thoughtsTokenCount": 2, "totalTokenCount": 10,
    }  # fmt: skip
    assert {frame["responseId"] for frame in frames} == {"r9"}


def test_thoughts_of_two_blocks_are_separated_by_a_blank_line() -> None:
    events: list[dict[str, Any]] = [
        {"type": "start"},
        {"type": "reasoning", "block": 0, "text": "One."},
        {"type": "reasoning", "block": 1, "text": "Two."},
        {"type": "end", "complete": False},
    ]
    frames, _ = write("gemini", events)
    assert assembled("gemini", frames)["messages"] == [{"role": "assistant", "reasoning": "One.\n\nTwo."}]


def test_str_13_a_truncated_foreign_stream_has_no_finish_reason() -> None:
    events: list[dict[str, Any]] = [{"type": "start"}, {"type": "content", "block": 0, "text": "a"}]
    frames, _ = write("gemini", events)
    assert len(frames) == 1
    assert not any("finishReason" in one for frame in frames for one in frame["candidates"])


def test_an_untranslatable_refusal_is_a_loss_with_the_path_of_its_event() -> None:
    _, losses = write("gemini", [{"type": "start"}, {"type": "refusal", "block": 0, "text": "No."}])
    assert [(loss.code, loss.path) for loss in losses] == [("refusal", "/1/text")]


def test_unmapped_members_are_reported_once_and_repeated_ones_not_again() -> None:
    frames: list[Any] = [
        chunk({"text": "a"}, surprise=1, createTime="2026-01-02T03:04:05Z"),
        chunk({"text": "b", "thought": None, "newer": 1}, surprise=2, promptFeedback=None),
        chunk({"text": "c"}, finish="STOP", createTime="2026-01-02T03:04:06Z"),
    ]
    frames[1]["candidates"][0]["content"]["role"] = "user"
    encoded = il.translate_stream(frames, "gemini", "claude")
    assert [one["delta"]["text"] for one in encoded if type(one) is dict and "text" in one.get("delta", ())] == [*"abc"]
    told = [(loss.path, loss.detail.partition(": ")[2]) for loss in encoded.losses if "/extra/gemini" in loss.path]
    assert told == [("/1/extra/gemini", "surprise"), ("/2/extra/gemini", "newer"), ("/5/extra/gemini", "createTime")]


def test_a_chunk_with_two_fragments_is_not_used_as_a_template() -> None:
    events = kept([chunk({"text": "ab"}, {"text": "cd"}), chunk({"text": "ef"}), chunk({"text": "gh"})])
    assert [text for _, _, text in said(events)] == ["ab", "cd", "ef", "gh"]


@pytest.mark.parametrize(
    ("part", "members"),
    [
        ({"text": "Hi", "mediaResolution": {"level": "HIGH"}}, {}),
        ({"text": "Hi", "audioTranscription": {"text": "Hi"}}, {}),
        ({"text": "Hi", "media_resolution": {"level": "HIGH"}}, {}),
        ({"text": "Hi"}, {"createTime": "yesterday"}),
    ],
)
def test_text_members_without_a_place_in_other_dialects_are_reported(
    part: dict[str, Any], members: dict[str, Any]
) -> None:
    frames = [chunk(part, **members), chunk({"text": "."}, finish="STOP")]
    stream = il.translate_stream(frames, "gemini", "openai_chat")
    assert len(list(stream)) > 2
    assert [loss.path for loss in stream.losses if loss.severity == "lost"] == ["/1/extra/gemini"]


def test_members_beside_a_call_are_reported_once_in_other_dialects() -> None:
    call = {"functionCall": {"id": "a", "name": "look", "args": {}}, "x_new": 1}
    stream = il.translate_stream([chunk(call, finish="STOP")], "gemini", "openai_chat")
    assert len(list(stream)) > 1
    assert [loss.path for loss in stream.losses if loss.severity == "lost"] == ["/1/extra/gemini"]


def read_as(dialect: str, frames: list[Any]) -> list[Any]:
    decoder = EventDecoder(dialect)
    return [*(event for frame in frames for event in decoder.feed(frame)), *decoder.close()]


def grounded() -> list[Any]:
    """Return a stream in which a part of nobody's precedes the text, and the sources come with its end."""
    sources = {
        "groundingChunks": [{"web": {"uri": "https://example.com", "title": "Example"}}],
        "groundingSupports": [
            {"segment": {"endIndex": 2, "text": "Hi"}, "groundingChunkIndices": [0]},
        ],
    }
    last = chunk({"text": "", "thoughtSignature": "c2lnbmVk"}, finish="STOP")
    last["candidates"][0]["groundingMetadata"] = sources
    call = {"toolCall": {"toolType": "GOOGLE_SEARCH_WEB", "id": "a"}}
    return [chunk({"text": "Hm.", "thought": True}), chunk(call), chunk({"text": "Hi"}), chunk({"text": "."}), last]


@pytest.mark.parametrize("target", ["claude", "openai_responses", "openai_chat"])
def test_sources_in_the_last_chunk_of_a_text_are_translated(target: str) -> None:
    stream = il.translate_stream(grounded(), "gemini", target)
    answer = gather(read_as(target, list(stream)))
    found = [part.get("citations", []) for part in answer["messages"][-1]["content"]]
    assert [one["url"] for citations in found for one in citations] == ["https://example.com"]


@pytest.mark.parametrize("target", ["claude", "openai_responses"])
def test_a_text_after_the_state_of_another_block_is_written_immediately(target: str) -> None:
    encoder = EventEncoder(target)
    for event in (
        {"type": "start", "id": "a", "model": "m", "created": 1},
        {"type": "reasoning", "block": 0, "text": "Hm."},
        {"type": "state", "block": 1},
    ):
        encoder.feed(event)
    assert any("Hi" in str(frame) for frame in encoder.feed({"type": "content", "block": 2, "text": "Hi"}))


def test_a_source_after_its_text_is_translated_until_the_next_text_begins() -> None:
    cited = {"kind": "url", "url": "https://example.com", "title": "Example"}
    start = {"type": "start", "id": "a", "model": "m", "created": 1}
    text, ended = {"type": "content", "block": 0, "text": "Hi"}, {"type": "block_end", "block": 0}
    source = {"type": "citation", "block": 0, "citation": cited}
    further = [{"type": "content", "block": 1, "text": "there"}, {"type": "block_end", "block": 1}]
    silent = [{"type": "content", "block": 1, "text": ""}, {"type": "block_end", "block": 1}]
    ends = [{"type": "finish", "reason": "stop"}, {"type": "end", "complete": True}]
    for between, arrives in (([], True), (silent, True), (further, False)):
        encoder = EventEncoder("openai_responses")
        frames = [frame for event in [start, text, ended, *between, source, *ends] for frame in encoder.feed(event)]
        kinds = [frame["type"].removeprefix("response.") for frame in frames]
        lost = [loss.path for loss in encoder.losses if loss.code == "citation"]
        assert lost == ([] if arrives else [f"/{3 + len(between)}/citation"])
        [done] = [frame for frame in frames if frame["type"] == "response.completed"]
        annotations = done["response"]["output"][0]["content"][0]["annotations"]
        assert [one["url"] for one in annotations] == (["https://example.com"] if arrives else [])
        if arrives:
            assert kinds.index("output_text.annotation.added") < kinds.index("output_text.done")
