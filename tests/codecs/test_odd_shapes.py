"""Members of unusual shapes that nobody has recorded: they come back as they came, and nothing is said to be lost."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il
from interlingua.registry import Dialect

SCHEMA = {"type": "object"}
QUESTION = {"role": "user", "content": "Hi"}


def claude(*blocks: dict[str, Any], role: str = "user", **members: Any) -> tuple[str, dict[str, Any]]:
    said = [{"role": role, "content": list(blocks)}] if blocks else []
    return "claude", {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [QUESTION, *said], **members}


def gemini(*parts: dict[str, Any], **config: Any) -> tuple[str, dict[str, Any]]:
    body: dict[str, Any] = {"contents": [{"role": "user", "parts": list(parts or ({"text": "Hi"},))}]}
    return "gemini", body | ({"generationConfig": config} if config else {})


def responses(*parts: dict[str, Any], **members: Any) -> tuple[str, dict[str, Any]]:
    said = [{"role": "user", "content": list(parts)}] if parts else [QUESTION]
    return "openai_responses", {"model": "gpt-5", "input": said, **members}


def result(**members: Any) -> dict[str, Any]:
    return {"functionResponse": {"name": "look", "response": {"output": "Fine."}, **members}}


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        claude(tools=[{"type": None, "name": "look", "input_schema": SCHEMA}]),
        claude(metadata={"user_id": 7}),
        claude(metadata={}),
        claude(output_config={"format": {"type": "json_schema", "schema": SCHEMA, "name": "answer"}}),
        claude({"type": "document", "source": {"type": "text", "data": "A text."}}),
        claude({"type": "document", "source": {"type": "content", "content": "A text."}}),
        claude({"type": "text", "text": "Fine.", "citations": []}, role="assistant"),
        gemini(result(parts=None)),
        gemini(result(parts=[])),
        gemini(result(parts=7)),
        gemini({"text": "Look.", "inlineData": {"mimeType": "image/png", "data": "aaaa"}}),
        gemini({"functionCall": {"name": "look", "args": {}}, "thought": True}),
        gemini(thinkingConfig={"thinkingBudget": -1}),
        gemini(responseFormat={"type": "x"}),
        gemini(responseMimeType="application/json", responseFormat=[{"text": {"mimeType": "application/json"}}]),
        gemini(responseSchema=7),
        responses({"type": "input_text", "text": "Hi", "prompt_cache_breakpoint": {"mode": "implicit"}}),
        responses({"type": "input_text", "text": "Hi", "prompt_cache_breakpoint": {"mode": "explicit", "ttl": "1h"}}),
        responses(tools=[{"type": "namespace", "name": "all", "description": None, "tools": []}]),
        responses(tools=[{"type": "namespace", "name": "all", "description": 7, "tools": []}]),
        responses(tools=[{"type": "custom", "name": "free", "description": 7, "format": {"type": "text"}}]),
    ],
)
def test_a_member_of_an_unusual_shape_round_trips(dialect: Dialect, body: dict[str, Any]) -> None:
    encoded = il.encode_request(il.decode_request(body, dialect), dialect)
    assert encoded.body == body
    assert encoded.losses == ()


@pytest.mark.parametrize("part", [{"image": {"format": "png", "source": {"bytes": b"\x89PNG"}}}])
def test_python_bytes_are_refused_where_bedrock_has_base64(part: dict[str, Any]) -> None:
    body = {"modelId": "amazon.nova-lite-v1:0", "messages": [{"role": "user", "content": [part]}]}
    with pytest.raises(il.DecodeError) as refused:
        il.decode_request(body, "bedrock_converse")
    assert refused.value.path == "/messages/0/content/0/image/source/bytes"
