"""Tools that call an MCP server and give its result back as it is, and tools that give one thing after the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from mcp.types import (
    AudioContent,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

import interlingua as il
from interlingua.tools import Tool, ToolExecutor
from interlingua.tools.output import output_of

PNG = "iVBORw0KGgo="


def ran(function: Callable[..., Any]) -> il.ToolResultData:
    tool = Tool.from_function(function, name="ask", description="Ask.")
    message = il.messages.tool_request(il.ToolCall(id="call_1", name="ask", arguments={}), status="approved")
    (result,) = ToolExecutor([tool]).run(message)
    return result.data


def test_the_content_of_an_mcp_result_is_sent_as_parts() -> None:
    def ask() -> CallToolResult:
        picture = ImageContent(type="image", data=PNG, mimeType="image/png")
        content = [TextContent(type="text", text="31 degrees"), picture]
        return CallToolResult(content=content, structuredContent={"degrees": 31})

    data = ran(ask)
    assert (data.status, data.output_form) == ("success", "parts")
    assert data.output == [
        {"type": "text", "text": "31 degrees"},
        {"type": "image", "data": PNG, "format": "image/png"},
    ]
    assert data.artifact["structuredContent"] == {"degrees": 31}
    told = il.to_chat([asked(), il.ToolResultMessage(data=data)])[-1]
    assert isinstance(told, il.ToolChatMessage)
    assert told.content == (il.TextPart(text="31 degrees"), il.ImagePart(data=PNG, format="image/png"))


def test_an_mcp_result_without_content_uses_its_structured_content() -> None:
    data = ran(lambda: CallToolResult(content=[], structuredContent={"degrees": 31}))
    assert [part["text"] for part in data.output] == ['{"degrees":31}']
    assert "structuredContent" not in (data.artifact or {})


def test_an_mcp_error_result_is_a_tool_failure() -> None:
    async def ask() -> CallToolResult:
        await asyncio.sleep(0)
        return CallToolResult(content=[TextContent(type="text", text="No such city.")], isError=True)

    data = ran(ask)
    assert (data.status, data.output) == ("error", None)
    assert data.error is not None
    assert (data.error.code, data.error.message) == ("tool", "No such city.")


def test_a_failed_mcp_result_keeps_its_images_and_structured_content() -> None:
    picture = ImageContent(type="image", data=PNG, mimeType="image/png")
    content = [TextContent(type="text", text="No such city: "), picture, TextContent(type="text", text="is the map.")]
    result = CallToolResult(content=content, structuredContent={"code": 7}, isError=True)
    data = ran(lambda: result)
    assert data.status == "error"
    assert data.error == il.ToolFailure(code="tool", message="No such city: ", recoverable=True)
    assert data.artifact["structuredContent"] == {"code": 7}
    told = il.to_chat([asked(), il.ToolResultMessage(data=data)])[-1]
    assert isinstance(told, il.ToolChatMessage)
    texts = il.TextPart(text="No such city: "), il.TextPart(text="is the map.")
    assert told == il.ToolChatMessage(
        call_id="call_1",
        name="ask",
        is_error=True,
        content=(texts[0], il.ImagePart(data=PNG, format="image/png"), texts[1]),
    )
    by_hand = il.messages.tool_result("call_1", result).data
    assert by_hand == data.replace(name=None, execution=None)


@pytest.mark.parametrize("content", [[], [ImageContent(type="image", data=PNG, mimeType="image/png")]], ids=len)
def test_a_failed_mcp_result_without_a_leading_text_states_the_failure(content: list[Any]) -> None:
    data = ran(lambda: CallToolResult(content=content, isError=True))
    assert data.error is not None
    assert data.error.message == "The tool failed."
    assert len(data.output or ()) == len(content)


def test_mcp_content_blocks_are_sent_as_parts() -> None:
    blocks = [
        TextContent(type="text", text="Rome"),
        ImageContent(type="image", data=PNG, mimeType="image/png"),
        AudioContent(type="audio", data="UklGRg==", mimeType="audio/wav"),
        ResourceLink(type="resource_link", uri="docs://rome", name="rome"),
        EmbeddedResource(type="resource", resource=TextResourceContents(uri="docs://api", text="# API")),
    ]
    whole = ran(lambda: CallToolResult(content=blocks))
    data = ran(lambda: blocks)
    assert (data.output, data.output_form) == (whole.output, "parts")
    assert [part["type"] for part in data.output] == ["text", "image", "audio", "text", "file"]
    assert ran(lambda: blocks[0]).output == [{"type": "text", "text": "Rome"}]
    mixed = ran(lambda: ["In", blocks[0], il.TextPart(text="!")])
    assert [part["text"] for part in mixed.output] == ["In", "Rome", "!"]
    assert ran(lambda: [blocks[0], 1]).output_form is None


def test_the_output_limit_applies_to_mcp_results() -> None:
    result = CallToolResult(content=[], structuredContent={"a": "x" * 100})
    with pytest.raises(il.ToolOutputError):
        output_of(result, 50)


async def numbers() -> AsyncIterator[int]:
    for number in range(3):
        await asyncio.sleep(0)
        yield number


def test_an_async_generator_becomes_a_list_like_a_generator() -> None:
    async def behind() -> AsyncIterator[int]:
        await asyncio.sleep(0)
        return numbers()

    def decorated() -> AsyncIterator[int]:
        return numbers()

    for function in (numbers, behind, decorated):
        assert ran(function).output == [0, 1, 2]
    assert ran(lambda: iter(range(3))).output == [0, 1, 2]


def test_an_endless_async_generator_is_stopped_by_the_timeout() -> None:
    ended: list[bool] = []

    async def forever() -> AsyncIterator[int]:
        try:
            while True:
                await asyncio.sleep(0.001)
                yield 1
        finally:
            ended.append(True)

    tool = Tool.from_function(forever, description="Go on.", timeout_seconds=0.05)
    message = il.messages.tool_request(il.ToolCall(id="call_1", name="forever", arguments={}), status="approved")
    (result,) = ToolExecutor([tool]).run(message)
    assert result.data.error is not None
    assert result.data.error.code == "time_limit"
    assert ended == [True]


def asked() -> il.ToolRequestMessage:
    return il.messages.tool_request(il.ToolCall(id="call_1", name="ask", arguments={}), status="approved")
