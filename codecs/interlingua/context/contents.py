"""Token counts of parts, calls and tools: texts by a counter, everything else by documented constants."""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.errors import ImageError
from interlingua.resolve.picture_formats import inspect_image

if TYPE_CHECKING:
    from interlingua.context.counter import TokenCounter
    from interlingua.model import Content, FilePart, Part, Tool, ToolCall

__all__ = ["ContentCounter", "Costs", "picture_size"]


@dataclass(frozen=True, slots=True)
class Costs:
    """The token costs of a request beside its texts. Providers differ; the defaults are on the safe side.

    `request` is added once, `message` for each message (role and delimiters), `call` for each call and `result` for
    each result (ids and delimiters), `tool` for each offered tool.

    An image costs one token for `pixels_per_token` pixels after scaling into `picture_side` by `picture_side`, at most
    `picture`, which is also the cost of an image of unknown size; with detail `low` it costs `small_picture`. Other
    media cost one token for `media_bytes_per_token` bytes, or `media` if only a URL is known.

    Example:
        >>> il.context.Costs(message=3).picture
        1600
    """

    request: int = 3
    message: int = 4
    call: int = 8
    result: int = 6
    tool: int = 12
    picture: int = 1600
    small_picture: int = 85
    picture_side: int = 1568
    pixels_per_token: int = 750
    media: int = 1600
    media_bytes_per_token: int = 100


_PICTURE_HEAD: Final = 1 << 18
"""How much of an image's base64 text is inspected: in a JPEG, profile and preview come before the size."""
_BASE64_TEXT: Final = re.compile(r"\s*[A-Za-z0-9+/_=-]{512,}\s*")
"""Matches values in unknown JSON that are binary data rather than text."""


class ContentCounter:
    """Counts the tokens of message contents."""

    def __init__(self, counter: TokenCounter, costs: Costs) -> None:
        """Create a counter from a text counter and costs."""
        self.counter: Final = counter
        self.costs: Final = costs

    def count_text(self, text: str | None) -> int:
        """Return the tokens of a text; 0 for None."""
        return self.counter.count(text) if text else 0

    def count_name(self, name: str | None) -> int:
        """Return the tokens of a participant or tool name beside a message."""
        return 1 + self.counter.count(name) if name else 0

    def count_json(self, value: Any) -> int:
        """Return the tokens of a JSON value written as text."""
        if value is None:
            return 0
        if isinstance(value, str):
            return self.counter.count(value)
        try:
            return self.counter.count(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str))
        except (RecursionError, ValueError):
            return self.count_opaque(value)

    def count_opaque(self, value: Any) -> int:
        """Return the tokens of an opaque value: its texts, and `media` for each binary value."""
        total, waiting = 0, [value]
        # Shared objects are counted once, which also stops at circular ones.
        seen: set[int] = set()
        while waiting:
            one = waiting.pop()
            if isinstance(one, (dict, list, tuple)):
                if id(cast("object", one)) in seen:
                    continue
                seen.add(id(cast("object", one)))
            if isinstance(one, dict):
                members = cast("dict[str, Any]", one)
                total += len(members)
                waiting.extend(members.values())
            elif isinstance(one, (list, tuple)):
                waiting.extend(cast("list[Any]", one))
            elif isinstance(one, str):
                total += self.costs.media if _BASE64_TEXT.fullmatch(one) else self.counter.count(one)
            elif one is not None:
                total += 1
        return total

    def count_content(self, content: Content | None) -> int:
        """Return the tokens of a text or a list of parts."""
        if content is None:
            return 0
        if isinstance(content, str):
            return self.counter.count(content)
        return sum(self._count_part(part) for part in content)

    def count_picture(self, size: tuple[int, int] | None, detail: str | None) -> int:
        """Return the tokens of an image, by its size in pixels if known."""
        costs = self.costs
        if detail == "low":
            return costs.small_picture
        if size is None:
            return costs.picture
        scale = min(1.0, costs.picture_side / max(size))
        pixels = size[0] * scale * (size[1] * scale)
        return max(1, min(costs.picture, math.ceil(pixels / costs.pixels_per_token)))

    def _count_part(self, part: Part) -> int:
        match part.type:
            case "text":
                return self.counter.count(part.text)
            case "image":
                return self.count_picture(None if part.data is None else picture_size(part.data), part.detail)
            case "audio":
                return self.count_media(part.data)
            case "file":
                return self._count_file(part)
            case "opaque":
                return self.count_opaque(part.data)
            case "server_call":
                return self.count_text(part.code)
            case "server_result":
                return self.count_content(part.content) + self.count_text(part.error_output)

    def _count_file(self, part: FilePart) -> int:
        text_tokens = self.count_text(part.title) + self.count_text(part.context)
        if part.text is not None or part.content is not None:
            return text_tokens + self.count_content(part.text if part.text is not None else part.content)
        return text_tokens + self.count_media(part.data)

    def count_media(self, data: str | None) -> int:
        """Return the tokens of audio or a document, by the size of its base64 data if present."""
        if data is None:
            return self.costs.media
        return max(1, math.ceil(len(data) * 3 / 4 / self.costs.media_bytes_per_token))

    def count_tool(self, tool: Tool) -> int:
        """Return the tokens of an offered tool; a tool that the provider runs costs a constant."""
        if tool.type == "opaque":
            return self.costs.tool + self.count_opaque(tool.data)
        if tool.type == "web_search" or tool.type == "code_execution":  # noqa: PLR1714  # type checkers see this one
            return self.costs.tool
        count = self.costs.tool + self.counter.count(tool.name) + self.count_text(tool.description)
        if tool.type == "namespace":
            return count + sum(map(self.count_tool, tool.tools))
        if tool.type == "custom":
            return count + (0 if tool.grammar is None else self.counter.count(tool.grammar.definition))
        return count + self.count_json(tool.parameters)

    def count_call(self, call: ToolCall) -> int:
        """Return the tokens of a call."""
        arguments = self.count_json(call.arguments)
        return self.costs.call + self.counter.count(call.name) + arguments


def picture_size(data: str) -> tuple[int, int] | None:
    """Return width and height of a base64 image from its header, or None."""
    head = data[:_PICTURE_HEAD]
    try:
        seen = inspect_image(base64.b64decode(head[: len(head) // 4 * 4]))
    except (binascii.Error, ValueError, ImageError):
        return None
    size = (seen.width or 0, seen.height or 0)
    return size if min(size) > 0 else None
