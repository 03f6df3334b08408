"""Converts MCP tool results to tool messages and back, without losses (docs/pain.md, TOOL-14).

Text, images, audio and embedded resources become parts; a resource link becomes its URI as text. A result without
content becomes its `structuredContent` as text. What has no place (annotations, `_meta`, `structuredContent` beside
content) is kept under `extra.mcp`, which no dialect sends, so that encoding it for a provider reports a loss. Source:
MCP 2026-07-28, `CallToolResult` and `ContentBlock`.
"""

from __future__ import annotations

import json
from copy import deepcopy
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import ValidationError

from interlingua.argument_checks import check_kind_of
from interlingua.errors import DecodeError
from interlingua.model import AudioPart, FilePart, ImagePart, OpaquePart, TextPart, ToolChatMessage
from interlingua.rooms._shared.media_sniffing import kind_of_data

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.model import Part

__all__ = [
    "is_mcp_block",
    "is_mcp_result",
    "part_of_mcp",
    "tool_result_from_mcp",
    "tool_result_to_mcp",
    "unseen_mcp_data",
]

_MCP: Final = "mcp"
_RESULT: Final = "CallToolResult"
_SDK: Final = frozenset({"mcp", "mcp_types"})
_BLOCKS: Final = frozenset({"AudioContent", "EmbeddedResource", "ImageContent", "ResourceLink", "TextContent"})
_MEDIA: Final[Mapping[str, type[AudioPart | FilePart | ImagePart]]] = MappingProxyType(
    {"audio": AudioPart, "file": FilePart, "image": ImagePart}
)
_LINK: Final = "resource_link"
_EMBEDDED: Final = "resource"
_STRUCTURED: Final = "structuredContent"

_Block = dict[str, Any]


def is_mcp_result(value: object) -> bool:
    """Tell whether a value is the MCP SDK's `CallToolResult`, without importing the SDK."""
    return any(kind.__name__ == _RESULT for kind in type(value).__mro__) and hasattr(value, "model_dump")


def is_mcp_block(value: object) -> bool:
    """Tell whether a value is a content block of the MCP SDK, without importing the SDK."""
    kinds = type(value).__mro__
    return any(kind.__name__ in _BLOCKS and kind.__module__.partition(".")[0] in _SDK for kind in kinds)


def part_of_mcp(block: Any) -> Part:
    """Return a content block of the MCP SDK as a part.

    Args:
        block: A value for which `is_mcp_block` is true.
    """
    return _part(_json_of(block), 0)


def unseen_mcp_data(message: ToolChatMessage) -> dict[str, Any] | None:
    """Return the data of a result that models do not see, such as `structuredContent` beside content, or None."""
    return _bag(message).get("fields")


def tool_result_from_mcp(call_id: str, result: Any, *, name: str | None = None) -> ToolChatMessage:
    """Return the result of an MCP tool as a tool message.

    Args:
        call_id: The id of the call.
        result: The SDK's `CallToolResult`, or its JSON.
        name: The name of the tool.

    Raises:
        DecodeError: it is not a result: not an object, its content is not a list of objects, or it is nested too
            deeply.

    Example:
        >>> result = {"content": [{"type": "text", "text": "31 degrees"}]}
        >>> il.resolve.tool_result_from_mcp("call_1", result, name="weather").text
        '31 degrees'
    """
    body = _json_of(result) if hasattr(result, "model_dump") else result
    if not isinstance(body, dict):
        raise DecodeError(_MCP, "", "a result must be an object")
    left = _copied(cast("_Block", body))
    blocks: Any = left.pop("content", [])
    if not isinstance(blocks, list):
        raise DecodeError(_MCP, "/content", "a list of objects")
    parts = tuple(_part(one, index) for index, one in enumerate(cast("Any", blocks)))
    kind = _STRUCTURED if not parts and left.get(_STRUCTURED) is not None else None
    if kind is not None:
        parts = (TextPart(text=json.dumps(left.pop(_STRUCTURED), ensure_ascii=False, separators=(",", ":"))),)
    members: dict[str, Any] = {"call_id": call_id, "content": parts}
    if isinstance(left.get("isError"), bool):
        members["is_error"] = left.pop("isError")
    if name is not None:
        members["name"] = name
    return ToolChatMessage(**members, **_extra(kind=kind, fields=left))


def tool_result_to_mcp(message: ToolChatMessage) -> dict[str, Any]:
    """Return a tool message as the JSON of MCP's `CallToolResult`; exact for one from `tool_result_from_mcp`.

    Args:
        message: The tool message.

    Raises:
        DecodeError: a part has no form in MCP: a document made of parts, or media with only a URL.

    Example:
        >>> message = il.chat.create_tool_result("call_1", "31 degrees")
        >>> il.resolve.tool_result_to_mcp(message)
        {'content': [{'type': 'text', 'text': '31 degrees'}]}
    """
    check_kind_of(message, ToolChatMessage)
    content = message.content
    parts: tuple[Any, ...] = (TextPart(text=content),) if isinstance(content, str) else content or ()
    body: _Block = {"content": [_block(part, f"/content/{index}") for index, part in enumerate(parts)]}
    if message.is_error is not None:
        body["isError"] = message.is_error
    if _bag(message).get("kind") == _STRUCTURED and len(parts) == 1:
        body |= _structured(parts[0])
    fields: _Block = _bag(message).get("fields", {})
    return _copied(body | fields)


def _json_of(value: Any) -> Any:
    """Return a value of the SDK as JSON, as on the wire."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


def _structured(part: Any) -> _Block:
    """Return the members of a result that had no content; empty if its text has been changed since."""
    try:
        return {"content": [], _STRUCTURED: json.loads(part.text)}
    except (AttributeError, TypeError, ValueError):
        return {}


def _copied(body: _Block) -> _Block:
    """Return a deep copy, so that the message and the input share nothing.

    Raises:
        DecodeError: it is nested too deeply.
    """
    try:
        return deepcopy(body)
    except RecursionError:
        pass
    raise DecodeError(_MCP, "", "nested too deeply")


def _part(block: Any, index: int) -> Part:
    """Return a block as a part; a block that is not valid MCP becomes an opaque part.

    Raises:
        DecodeError: it is not an object.
    """
    if not isinstance(block, dict):
        raise DecodeError(_MCP, f"/content/{index}", "a block must be an object")
    block = cast("_Block", block)
    reader = _READERS.get(str(block.get("type")))
    if reader is not None:
        try:
            return reader(dict(block))
        except (KeyError, TypeError, ValidationError):
            pass
    return OpaquePart(dialect=_MCP, data=block)


def _read_text(left: _Block) -> Part:
    return TextPart(text=left.pop("text"), **_extra(fields=_remaining_members(left)))


def _read_image(left: _Block) -> Part:
    return ImagePart(data=left.pop("data"), format=left.pop("mimeType"), **_extra(fields=_remaining_members(left)))


def _read_audio(left: _Block) -> Part:
    return AudioPart(data=left.pop("data"), format=left.pop("mimeType"), **_extra(fields=_remaining_members(left)))


def _read_link(left: _Block) -> Part:
    """Return the URI as text, with which a model may ask for the resource."""
    return TextPart(text=left.pop("uri"), **_extra(kind=_LINK, fields=_remaining_members(left)))


def _read_embedded(left: _Block) -> Part:
    """Return an embedded resource as an image, audio or file part; its name is the URI."""
    inner = dict(left.pop("resource"))
    members: dict[str, Any] = {"name": inner.pop("uri")}
    if isinstance(inner.get("mimeType"), str):
        members["format"] = inner.pop("mimeType")
    if "text" in inner:
        members["text"] = inner.pop("text")
    else:
        members["data"] = inner.pop("blob")
    kind = kind_of_data(members["data"], members.get("format", "")) if "data" in members else "file"
    return _MEDIA[kind](**members, **_extra(kind=_EMBEDDED, fields=_remaining_members(left), resource=inner))


_READERS: Final[Mapping[str, Callable[[_Block], Part]]] = {
    "text": _read_text,
    "image": _read_image,
    "audio": _read_audio,
    _LINK: _read_link,
    _EMBEDDED: _read_embedded,
}


def _block(part: Any, path: str) -> _Block:
    """Return a part as a block.

    Raises:
        DecodeError: it has no form in MCP.
    """
    bag = _bag(part)
    fields: _Block = bag.get("fields", {})
    match part.type:
        case "opaque" if part.dialect == _MCP:
            return cast("_Block", part.data)
        case "text" if bag.get("kind") == _LINK:
            return {"type": _LINK, "uri": part.text, **fields}
        case "text":
            return {"type": "text", "text": part.text, **fields}
        case "image" | "audio" if part.data is not None and bag.get("kind") != _EMBEDDED:
            return {"type": part.type, "data": part.data, "mimeType": part.format, **fields}
        case "file" | "image" | "audio" if part.data is not None or getattr(part, "text", None) is not None:
            resource_members = {"uri": part.name or "", "mimeType": part.format}
            resource_members |= {"text": part.text} if part.data is None else {"blob": part.data}
            resource = {key: value for key, value in resource_members.items() if value is not None} | bag.get(
                "resource", {}
            )
            return {"type": _EMBEDDED, "resource": resource, **fields}
        case _:
            raise DecodeError(_MCP, path, "a part that MCP has a form for")


def _remaining_members(block: _Block) -> _Block:
    """Return the remaining members of a block, without its type."""
    del block["type"]
    return block


def _extra(*, kind: str | None = None, **resource_members: _Block) -> dict[str, Any]:
    """Return an `extra` member with the remaining data, or nothing."""
    bag: dict[str, Any] = {name: left for name, left in resource_members.items() if left}
    if kind is not None:
        bag["kind"] = kind
    return {"extra": {_MCP: bag}} if bag else {}


def _bag(value: ToolChatMessage | Part) -> dict[str, Any]:
    """Return `extra.mcp` of a value."""
    extra: Any = getattr(value, "extra", None)
    others: dict[str, Any] = {} if extra is None else extra.__pydantic_extra__ or {}
    bag = others.get(_MCP)
    return cast("dict[str, Any]", bag) if isinstance(bag, dict) else {}
