"""`cache_control` beside a text, as gateways write it: it is the mark of the text, at home and abroad."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

MARK: Final = {"type": "ephemeral"}


def request(role: str, mark: Any) -> dict[str, Any]:
    marked = {"role": role, "content": "Be brief.", "cache_control": mark}
    return {"model": "m", "messages": [marked, {"role": "user", "content": "Hi"}]}


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize("role", ["system", "user", "developer"])
@pytest.mark.parametrize("mark", [MARK, {**MARK, "ttl": "1h"}, {**MARK, "scope": "all"}, {"type": "other"}, None, 1])
def test_a_mark_beside_a_text_comes_back_as_it_was(dialect: str, role: str, mark: Any) -> None:
    body = request(role, mark)
    assert il.encode_request(il.decode_request(body, dialect), dialect).body == body


def test_a_mark_beside_a_text_is_that_of_the_text() -> None:
    canonical = il.decode_request(request("user", {**MARK, "ttl": "1h"}), "openai_chat").model_dump(mode="json")
    (part,) = canonical["messages"][0]["content"]
    assert (part["text"], part["cache"]) == ("Be brief.", {"ttl": "1h"})


@pytest.mark.parametrize("role", ["system", "user"])
def test_a_mark_beside_a_text_reaches_claude(role: str) -> None:
    encoded = il.translate_request(request(role, MARK), "openai_chat", "claude")
    marked = {"type": "text", "text": "Be brief.", "cache_control": MARK}
    said = encoded.body["system"] if role == "system" else encoded.body["messages"][0]["content"]
    assert marked in said
    assert "cache" not in {loss.code for loss in encoded.losses}


def test_a_text_that_is_edited_to_two_is_written_as_two() -> None:
    decoded = il.decode_request(request("user", MARK), "openai_chat").model_dump(mode="json")
    decoded["messages"][0]["content"].append({"type": "text", "text": "Please."})
    body = il.encode_request(il.ChatRequest.model_validate(decoded), "openai_chat").body
    assert [part["text"] for part in body["messages"][0]["content"]] == ["Be brief.", "Please."]
