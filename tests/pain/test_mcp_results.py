"""What users suffered from in the results of MCP tools (docs/pain.md, TOOL-14)."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from mcp_types import CallToolResult, TextContent

import interlingua as il
from interlingua.errors import DecodeError
from interlingua.resolve import tool_result_from_mcp, tool_result_to_mcp

Body = dict[str, Any]

BLOCKS: Final[list[Body]] = [
    {
        "type": "text",
        "text": "31 degrees",
        "annotations": {"audience": ["user"], "priority": 0.5},
        "_meta": {"k": None},
    },
    {"type": "image", "data": "aGk=", "mimeType": "image/png", "_meta": {"k": 1}},
    {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
    {
        "type": "resource_link",
        "uri": "docs://rome",
        "name": "rome",
        "title": "Rome",
        "mimeType": "text/plain",
        "size": 5,
    },
    {
        "type": "resource",
        "resource": {"uri": "docs://a", "mimeType": "text/plain", "text": "inside", "_meta": {"k": 2}},
    },
    {"type": "resource", "resource": {"uri": "docs://b", "blob": "aGk="}, "annotations": {"priority": 1}},
    {"type": "from_the_future", "words": ["one"]},
    {"type": "text", "text": 7},
    {"type": "image", "data": "aGk="},
    {"no": "type"},
]
RESULT: Final[Body] = {
    "content": BLOCKS,
    "structuredContent": {"degrees": 31, "unit": None},
    "isError": False,
    "_meta": {"trace": "t"},
}
ASKED: Final[Body] = {"role": "assistant", "tool_calls": [{"id": "call_1", "name": "f", "arguments": {}}]}


def test_tool_14_an_mcp_tool_result_round_trips() -> None:
    before = json.dumps(RESULT)
    message = tool_result_from_mcp("call_1", RESULT, name="f")
    assert tool_result_to_mcp(message) == RESULT
    assert json.dumps(RESULT) == before
    for block in BLOCKS:
        assert tool_result_to_mcp(tool_result_from_mcp("c", {"content": [block]})) == {"content": [block]}


def test_tool_14_input_and_output_share_no_values_with_the_message() -> None:
    given: Body = {
        "content": [{"type": "text", "text": "a", "annotations": {"audience": ["user"]}}],
        "_meta": {"k": [1]},
    }
    before = json.loads(json.dumps(given))
    message = tool_result_from_mcp("c", given)
    given["_meta"]["k"].append(2)
    written = tool_result_to_mcp(message)
    written["content"][0]["annotations"]["audience"].append("assistant")
    written["_meta"]["k"].append(3)
    assert tool_result_to_mcp(message) == before


@pytest.mark.parametrize("value", [{"degrees": 31, "unit": None}, ["Zürich", 1.0], 7, "a", False])
def test_tool_14_a_result_with_only_structured_content_is_readable_and_round_trips(value: Any) -> None:
    given = {"content": [], "structuredContent": value, "_meta": {"k": 1}}
    message = tool_result_from_mcp("call_1", given)
    assert json.loads(message.text) == value
    assert tool_result_to_mcp(message) == given
    edited = message.model_copy(update={"content": "[redacted"})
    assert tool_result_to_mcp(edited) == {"content": [{"type": "text", "text": "[redacted"}], "_meta": {"k": 1}}


@pytest.mark.parametrize("media_type", ["image/png", "application/png", None])
def test_tool_14_an_image_in_an_embedded_resource_is_an_image(media_type: str | None) -> None:
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC"
    said = {} if media_type is None else {"mimeType": media_type}
    given: Body = {"content": [{"type": "resource", "resource": {"uri": "shot://1", "blob": png, **said}}]}
    message = tool_result_from_mcp("call_1", given)
    assert tool_result_to_mcp(message) == given
    asked = {"model": "m", "messages": [{"role": "user", "content": "Go."}, ASKED, message]}
    body = il.encode_request(asked, "claude").body
    source = {"type": "base64", "media_type": "image/png", "data": png}
    assert body["messages"][2]["content"][0]["content"] == [{"type": "image", "source": source}]


def test_tool_14_audio_in_an_embedded_resource_is_audio() -> None:
    given = {"content": [{"type": "resource", "resource": {"uri": "a://1", "blob": "aGk=", "mimeType": "audio/wav"}}]}
    message = tool_result_from_mcp("call_1", given)
    assert [part.type for part in message.content or () if not isinstance(part, str)] == ["audio"]
    assert tool_result_to_mcp(message) == given


def test_tool_14_an_mcp_result_survives_storage() -> None:
    message = tool_result_from_mcp("call_1", RESULT, name="f")
    stored = [il.load_message(il.dump_message(one))[0] for one in il.from_chat([message])]
    (told,) = il.to_chat(stored)
    assert isinstance(told, il.ToolChatMessage)
    assert tool_result_to_mcp(told) == RESULT


def test_tool_14_objects_of_the_official_sdk_are_read_and_written() -> None:
    given = CallToolResult(content=[TextContent(type="text", text="no")], is_error=True, structured_content={"a": 1})
    message = tool_result_from_mcp("call_1", given)
    assert (message.is_error, message.call_id) == (True, "call_1")
    assert CallToolResult.model_validate(tool_result_to_mcp(message)) == given
    words = il.ToolChatMessage(call_id="c", content="words")
    assert CallToolResult.model_validate(tool_result_to_mcp(words)).content == [TextContent(type="text", text="words")]


@pytest.mark.parametrize("dialect", il.dialects())
def test_tool_14_everything_dropped_for_a_model_is_reported(dialect: str) -> None:
    result = tool_result_from_mcp("call_1", RESULT, name="f").model_dump(mode="json")
    messages = [{"role": "user", "content": "Go."}, ASKED, result]
    encoded = il.encode_request(il.ChatRequest.model_validate({"model": "m", "messages": messages}), dialect)
    written = json.dumps(encoded.body)
    assert il.check_request(encoded.body, dialect) == []
    assert "31 degrees" in written
    assert "docs://rome" in written  # the model can ask for it
    lost = {loss.path: loss.detail for loss in encoded.losses}
    assert "_meta" in lost["/messages/2/extra/mcp"]
    assert "structuredContent" in lost["/messages/2/extra/mcp"]
    for index, member in ((0, "annotations"), (3, "title")):
        assert member in lost[f"/messages/2/content/{index}/extra/mcp"], member
    assert "/messages/2/content/6" in lost


def nested(levels: int) -> Any:
    """Return a list in a list, and so on."""
    inner: Any = 1
    for _ in range(levels):
        inner = [inner]
    return inner


@pytest.mark.parametrize(
    "bad", [None, [], "text", {"content": "text"}, {"content": ["text"]}, {"_meta": {"k": nested(5000)}}]
)
def test_tool_14_an_invalid_mcp_result_raises_one_typed_error(bad: Any) -> None:
    with pytest.raises(DecodeError) as caught:
        tool_result_from_mcp("call_1", bad)
    assert caught.value.dialect == "mcp"


def test_tool_14_content_without_an_mcp_form_raises_an_error_with_its_path() -> None:
    far = il.ToolChatMessage(call_id="c", content=(il.ImagePart(url="https://example.com/a.png"),))
    with pytest.raises(DecodeError) as caught:
        tool_result_to_mcp(far)
    assert caught.value.path == "/content/0"
