"""`cache_control` beside a content, as gateways write it: it is the mark of its last part, at home and abroad."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

MARK: Final = {"type": "ephemeral"}
CALL: Final = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
CITED: Final = {
    "type": "url_citation",
    "url_citation": {"url": "https://example.org", "title": "A page", "start_index": 0, "end_index": 4},
}


def request(role: str, mark: Any) -> dict[str, Any]:
    marked = {"role": role, "content": "Be brief.", "cache_control": mark}
    return {"model": "m", "messages": [marked, {"role": "user", "content": "Hi"}]}


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize("role", ["system", "user", "developer", "assistant"])
@pytest.mark.parametrize("mark", [MARK, {**MARK, "ttl": "1h"}, {**MARK, "scope": "all"}, {"type": "other"}, None, 1])
def test_a_cache_mark_beside_a_text_round_trips(dialect: str, role: str, mark: Any) -> None:
    body = request(role, mark)
    assert il.encode_request(il.decode_request(body, dialect), dialect).body == body


def test_a_cache_mark_beside_a_text_belongs_to_the_text() -> None:
    canonical = il.decode_request(request("user", {**MARK, "ttl": "1h"}), "openai_chat").model_dump(mode="json")
    (part,) = canonical["messages"][0]["content"]
    assert (part["text"], part["cache"]) == ("Be brief.", {"ttl": "1h"})


@pytest.mark.parametrize("role", ["system", "user"])
def test_a_cache_mark_beside_a_text_is_translated_to_claude(role: str) -> None:
    encoded = il.translate_request(request(role, MARK), "openai_chat", "claude")
    marked = {"type": "text", "text": "Be brief.", "cache_control": MARK}
    said = encoded.body["system"] if role == "system" else encoded.body["messages"][0]["content"]
    assert marked in said
    assert "cache" not in {loss.code for loss in encoded.losses}


def test_a_text_edited_to_two_parts_is_written_as_two() -> None:
    decoded = il.decode_request(request("user", MARK), "openai_chat").model_dump(mode="json")
    decoded["messages"][0]["content"].append({"type": "text", "text": "Please."})
    body = il.encode_request(il.ChatRequest.model_validate(decoded), "openai_chat").body
    assert [part["text"] for part in body["messages"][0]["content"]] == ["Be brief.", "Please."]


@pytest.mark.parametrize("beside", [{}, {"tool_calls": [CALL]}, {"reasoning_content": "Hm."}, {"annotations": [CITED]}])
def test_a_cache_mark_on_an_assistant_message_belongs_to_its_text(beside: dict[str, Any]) -> None:
    said = {"role": "assistant", "content": "Look.", "cache_control": MARK, **beside}
    body = {"model": "m", "messages": [{"role": "user", "content": "Go."}, said]}
    request = il.decode_request(body, "openai_chat")
    again = il.encode_request(request, "openai_chat")
    assert (again.body, again.losses) == (body, ())
    assert request.model_dump(mode="json")["messages"][1]["content"][0]["cache"] == {}
    translated = il.translate_request(body, "openai_chat", "claude")
    texts = [block for block in translated.body["messages"][1]["content"] if block["type"] == "text"]
    assert [block["cache_control"] for block in texts] == [MARK]
    assert [
        loss.path for loss in il.translate_request(body, "openai_chat", "ollama").losses if loss.code == "cache"
    ] == ["/messages/1/content/0/cache"]


def _texts(*said: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text} for text in said]


PICTURE: Final = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
BLOCK: Final = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize(
    "said",
    [
        {"role": "system", "content": _texts("Be brief.", "Be kind.")},
        {"role": "developer", "content": _texts("Be brief.")},
        {"role": "user", "content": [*_texts("Look."), PICTURE], "name": "ada"},
        {"role": "user", "content": [*_texts("Hear."), {"type": "mood", "mood": "fine"}]},
        {"role": "user", "content": [{**_texts("Look.")[0], "cache_control": MARK}]},
        {"role": "user", "content": _texts("Look.", "")},
        {"role": "user", "content": []},
        {"role": "user", "content": None},
        {"role": "assistant", "content": _texts("a", "b"), "tool_calls": [CALL]},
        {"role": "assistant", "content": [*_texts("a", "b"), {"type": "refusal", "refusal": "No."}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "a"}, *_texts("b")]},
        {"role": "assistant", "content": [*_texts("b"), {"type": "thinking", "thinking": "a"}, *_texts("c", "d")]},
        {"role": "assistant", "content": None, "tool_calls": [CALL, {**CALL, "id": "d", "more": 1}]},
        {"role": "assistant", "content": None, "tool_calls": [{**CALL, "cache_control": MARK}]},
        {"role": "assistant", "content": None},
    ],
)
@pytest.mark.parametrize("mark", [MARK, {**MARK, "scope": "all"}, {"type": "other"}, None, 1])
def test_a_cache_mark_beside_any_content_round_trips(dialect: str, said: dict[str, Any], mark: Any) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Go."}, {**said, "cache_control": mark}]}
    home = il.encode_request(il.decode_request(body, dialect), dialect)
    assert (home.body, home.losses) == (body, ())


def test_a_cache_mark_beside_several_parts_belongs_to_the_last() -> None:
    said = {"role": "user", "content": [*_texts("Look."), PICTURE], "cache_control": MARK}
    body = {"model": "m", "messages": [{"role": "system", "content": _texts("A", "B"), "cache_control": MARK}, said]}
    claude = il.translate_request(body, "openai_chat", "claude")
    marked = {"type": "text", "text": "B", "cache_control": MARK}
    assert claude.body["system"] == [*_texts("A"), marked]
    assert claude.body["messages"][0]["content"] == [*_texts("Look."), {**BLOCK, "cache_control": MARK}]
    bedrock = il.translate_request(body, "openai_chat", "bedrock_converse")
    point = {"cachePoint": {"type": "default"}}
    assert bedrock.body["system"] == [{"text": "A"}, {"text": "B"}, point]
    assert [next(iter(block)) for block in bedrock.body["messages"][0]["content"]] == ["text", "image", "cachePoint"]
    for encoded in (claude, bedrock):
        assert not [loss for loss in encoded.losses if loss.concern == "state"]


def test_a_cache_mark_beside_only_calls_belongs_to_the_last_call() -> None:
    silent = {"role": "assistant", "content": None, "tool_calls": [CALL, {**CALL, "id": "d"}], "cache_control": MARK}
    results = [{"role": "tool", "tool_call_id": name, "content": "Done."} for name in ("c", "d")]
    body = {"model": "m", "messages": [{"role": "user", "content": "Go."}, silent, *results]}
    blocks = il.translate_request(body, "openai_chat", "claude").body["messages"][1]["content"]
    assert ["cache_control" in block for block in blocks] == [False, True]


def test_a_cache_mark_without_a_part_round_trips_and_is_lost_in_other_dialects() -> None:
    silent = {"role": "assistant", "content": _texts("a", ""), "cache_control": MARK}
    body = {"model": "m", "messages": [{"role": "user", "content": "Go."}, silent, {"role": "user", "content": "On."}]}
    again = il.encode_request(il.decode_request(body, "openai_chat"), "openai_chat")
    assert (again.body, again.losses) == (body, ())
    losses = il.translate_request(body, "openai_chat", "claude").losses
    assert ("/messages/1/extra/openai_chat", "state") in [(loss.path, loss.concern) for loss in losses]


def test_a_cache_mark_of_a_part_that_is_no_longer_last_is_written_on_the_part() -> None:
    said = {"role": "user", "content": _texts("A", "B"), "cache_control": MARK}
    decoded = il.decode_request({"model": "m", "messages": [said]}, "openai_chat").model_dump(mode="json")
    decoded["messages"][0]["content"] += _texts("C")
    body = il.encode_request(il.ChatRequest.model_validate(decoded), "openai_chat").body
    marked = {"type": "text", "text": "B", "cache_control": MARK}
    assert body["messages"] == [{"role": "user", "content": [*_texts("A"), marked, *_texts("C")]}]


@pytest.mark.parametrize("mark", [MARK, {"type": "ephemeral", "ttl": "1h", "x": 1}, {"type": "odd"}, None])
def test_a_cache_mark_inside_a_function_round_trips(mark: Any) -> None:
    function = {"name": "find", "parameters": {"type": "object", "properties": {}}, "cache_control": mark}
    body = {"model": "m", "messages": [{"role": "user", "content": "Go."}], "tools": [{"function": function}]}
    again = il.encode_request(il.decode_request(body, "openai_chat"), "openai_chat")
    assert (again.body, again.losses) == (body, ())


def test_a_cache_mark_inside_a_function_belongs_to_the_tool() -> None:
    function = {"name": "find", "parameters": {"type": "object", "properties": {}}, "cache_control": MARK}
    tool = {"type": "function", "function": function}
    body = {"model": "m", "messages": [{"role": "user", "content": "Go."}], "tools": [tool]}
    encoded = il.translate_request(body, "openai_chat", "claude")
    assert encoded.body["tools"][0]["cache_control"] == MARK
    assert [loss for loss in encoded.losses if loss.path.startswith("/tools")] == []


def _marked_turns(count: int) -> dict[str, Any]:
    mark = {"cache_control": {"type": "ephemeral"}}
    said = [{"type": "text", "text": f"Part {at}.", **mark} for at in range(count - 2)]
    tool = {
        "type": "function",
        "function": {"name": "find", "parameters": {"type": "object", "properties": {}}},
        **mark,
    }
    system = {"role": "system", "content": [{"type": "text", "text": "Be brief.", **mark}]}
    return {"model": "m", "messages": [system, {"role": "user", "content": said}], "tools": [tool]}


def test_of_too_many_cache_marks_for_claude_the_last_four_are_kept() -> None:
    encoded = il.translate_request(_marked_turns(7), "openai_chat", "claude", profile=None)
    blocks = encoded.body["messages"][0]["content"]
    assert ["cache_control" in block for block in blocks] == [False, True, True, True, True]
    assert "cache_control" not in encoded.body["tools"][0]
    assert encoded.body["system"] == [{"type": "text", "text": "Be brief."}]
    lost = [(loss.path, loss.concern) for loss in encoded.losses if loss.code == "cache" and loss.severity == "lost"]
    assert sorted(lost) == [
        ("/messages/0/content/0/cache", "state"),
        ("/messages/1/content/0/cache", "state"),
        ("/tools/0/cache", "state"),
    ]
    assert il.check_request(encoded.body, "claude", profile=None) == []


def test_four_cache_marks_are_kept() -> None:
    encoded = il.translate_request(_marked_turns(4), "openai_chat", "claude", profile=None)
    assert str(encoded.body).count("cache_control") == 4
    assert not [loss for loss in encoded.losses if loss.code == "cache"]


def test_of_too_many_cache_points_for_bedrock_the_last_four_are_kept() -> None:
    encoded = il.translate_request(_marked_turns(7), "openai_chat", "bedrock_converse", profile=None)
    kinds = [next(iter(block)) for block in encoded.body["messages"][0]["content"]]
    assert kinds == ["text", *["text", "cachePoint"] * 4]
    assert encoded.body["system"] == [{"text": "Be brief."}]
    assert [[*tool] for tool in encoded.body["toolConfig"]["tools"]] == [["toolSpec"]]
    lost = sorted(loss.path for loss in encoded.losses if loss.code == "cache" and loss.severity == "lost")
    assert lost == ["/messages/0/content/0/cache", "/messages/1/content/0/cache", "/tools/0/cache"]
    assert il.check_request(encoded.body, "bedrock_converse", profile=None) == []


def test_a_fifth_cache_point_is_a_violation_for_bedrock_and_unchanged_within_the_dialect() -> None:
    point = {"cachePoint": {"type": "default"}}
    content = [block for at in range(5) for block in ({"text": f"Part {at}."}, point)]
    body = {"modelId": "amazon.nova-pro-v1:0", "messages": [{"role": "user", "content": content}]}
    found = [(one.code, one.path) for one in il.check_request(body, "bedrock_converse")]
    assert found == [("cache", "/messages/0/content/9")]
    home = il.encode_request(il.decode_request(body, "bedrock_converse"), "bedrock_converse")
    assert (home.body, home.losses) == (body, ())
