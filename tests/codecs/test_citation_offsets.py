"""What citations stand for, where the texts of an answer are joined; and texts that stop no answer."""

from __future__ import annotations

from typing import Any

import interlingua as il


def cited(text: str, *spans: tuple[int, int]) -> dict[str, Any]:
    annotations = [
        {"type": "url_citation", "url": "https://example.com", "title": "T", "start_index": start, "end_index": end}
        for start, end in spans
    ]
    return {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}


def message(number: int, *parts: dict[str, Any]) -> dict[str, Any]:
    known = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
    return {**known, "content": list(parts)}


def answer(*items: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": "completed",
        "output": list(items),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def spans(body: dict[str, Any]) -> list[str]:
    """Return what the annotations of a chat answer stand for."""
    said = body["choices"][0]["message"]
    anchors = [one["url_citation"] for one in said["annotations"]]
    return [said["content"][one["start_index"] : one["end_index"]] for one in anchors]


def test_the_citations_of_a_second_text_move_with_it() -> None:
    body = answer(message(1, cited("The Elbe. ", (4, 8)), cited("The Oder.", (4, 8), (0, 3))))
    encoded = il.translate_response(body, "openai_responses", "openai_chat")
    assert spans(encoded.body) == ["Elbe", "Oder", "The"]
    assert ("content", "/messages/0/content") in {(one.code, one.path) for one in encoded.losses}


def test_the_citations_of_a_second_message_move_with_it_and_none_is_left_out() -> None:
    body = answer(message(1, cited("The Elbe.", (4, 8))), message(2, cited("The Oder.", (4, 8))))
    encoded = il.translate_response(body, "openai_responses", "openai_chat")
    assert encoded.body["choices"][0]["message"]["content"] == "The Elbe.\n\nThe Oder."
    assert spans(encoded.body) == ["Elbe", "Oder"]
    assert ("content", "/messages/1/content") in {(one.code, one.path) for one in encoded.losses}


def test_a_whitespace_stop_sequence_is_not_sent_to_claude() -> None:
    messages = [{"role": "user", "content": "Hi"}]
    encoded = il.translate_request({"model": "m", "messages": messages, "stop": ["\n", "END"]}, "openai_chat", "claude")
    assert encoded.body["stop_sequences"] == ["END"]
    assert ("setting", "/stop/0", "lost") in {(one.code, one.path, one.severity) for one in encoded.losses}
    alone = il.translate_request({"model": "m", "messages": messages, "stop": "\n\n"}, "openai_chat", "claude")
    assert "stop_sequences" not in alone.body
