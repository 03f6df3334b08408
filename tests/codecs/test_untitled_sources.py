"""Sources without a title, which clients of Claude read as no answer at all."""

from __future__ import annotations

from typing import Any

import interlingua as il

ADDRESS = "https://example.com/news"
SEARCHED: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "model": "grok-4",
    "status": "completed",
    "output": [
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [
                {
                    "type": "output_text",
                    "text": "It rained.",
                    "annotations": [
                        {"type": "url_citation", "url": ADDRESS, "title": None, "start_index": 0, "end_index": 10}
                    ],
                }
            ],
        }
    ],
    "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
}


def test_a_source_without_a_title_gets_its_url_as_title_for_claude_clients() -> None:
    encoded = il.translate_response(SEARCHED, "openai_responses", "claude")
    [block] = encoded.body["content"]
    [citation] = block["citations"]
    assert (citation["url"], citation["title"]) == (ADDRESS, ADDRESS)
    assert "/messages/0/content/0/citations/0/title" in [one.path for one in encoded.losses if one.severity == "filled"]


def test_a_source_without_a_title_gets_its_url_as_title_in_streams_for_claude_clients() -> None:
    cited = {"type": "url_citation", "url_citation": {"url": ADDRESS, "start_index": 0, "end_index": 10}}
    deltas = [{"role": "assistant", "content": "It rained."}, {"annotations": [cited]}, {}]
    chunks = [
        {"id": "x", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": None if delta else "stop"}]}
        for delta in deltas
    ]
    events = il.decode_stream(il.translate_stream(chunks, "openai_chat", "claude"), "claude")
    [source] = [event.citation for event in events if isinstance(event, il.CitationEvent)]
    assert (source.url, source.title) == (ADDRESS, ADDRESS)
