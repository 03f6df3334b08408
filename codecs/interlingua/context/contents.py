"""How many tokens texts, parts, calls and tools take: the texts by a counter, the rest by documented sums."""

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
    """What a request takes beside its texts, in tokens. Providers differ; the defaults are on the safe side.

    `request` once a request, `message` each message (its role and its borders), `call` each call and `result` each
    result (ids and borders), `tool` each tool that is offered.
    A picture takes one token for `pixels_per_token` pixels after it is made to fit into `picture_side` by
    `picture_side`, at most `picture`, which is also what one of unknown size takes; with detail `low` it takes
    `small_picture`. Other media take one token for `media_bytes_per_token` bytes, or `media` where only an address is
    known.

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
"""How much of the base64 text of a picture is looked at: in a JPEG, profile and preview stand before the size."""
_BLOB: Final = re.compile(r"\s*[A-Za-z0-9+/_=-]{512,}\s*")
"""What is data and no text where nobody knows what it means."""


class ContentCounter:
    """Counts what messages are made of."""

    def __init__(self, counter: TokenCounter, costs: Costs) -> None:
        """Take the counter of a text, and what is added to it."""
        self.counter: Final = counter
        self.costs: Final = costs

    def count_text(self, text: str | None) -> int:
        """Return how many tokens a text takes; one that is not there takes nothing."""
        return self.counter.count(text) if text else 0

    def count_name(self, name: str | None) -> int:
        """Return how many tokens the name of a participant or tool takes beside a message."""
        return 1 + self.counter.count(name) if name else 0

    def count_json(self, value: Any) -> int:
        """Return how many tokens a JSON value takes that is written into the text."""
        if value is None:
            return 0
        if isinstance(value, str):
            return self.counter.count(value)
        try:
            return self.counter.count(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str))
        except (RecursionError, ValueError):
            return self.count_opaque(value)

    def count_opaque(self, value: Any) -> int:
        """Return what a value takes that only one dialect understands: its texts, and `media` for each run of data."""
        total, waiting = 0, [value]
        # What is shared is counted once, and so what holds itself has an end.
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
                total += self.costs.media if _BLOB.fullmatch(one) else self.counter.count(one)
            elif one is not None:
                total += 1
        return total

    def count_content(self, content: Content | None) -> int:
        """Return how many tokens a text or a list of parts takes."""
        if content is None:
            return 0
        if isinstance(content, str):
            return self.counter.count(content)
        return sum(self._count_part(part) for part in content)

    def count_picture(self, size: tuple[int, int] | None, detail: str | None) -> int:
        """Return how many tokens a picture takes, by its size in pixels where that is known."""
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
        told = self.count_text(part.title) + self.count_text(part.context)
        if part.text is not None or part.content is not None:
            return told + self.count_content(part.text if part.text is not None else part.content)
        return told + self.count_media(part.data)

    def count_media(self, data: str | None) -> int:
        """Return how many tokens sound or a document takes, by its size in base64 where its data is there."""
        if data is None:
            return self.costs.media
        return max(1, math.ceil(len(data) * 3 / 4 / self.costs.media_bytes_per_token))

    def count_tool(self, tool: Tool) -> int:
        """Return how many tokens a tool takes that is offered; of one that the provider runs only that it is there."""
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
        """Return how many tokens a call takes."""
        arguments = self.count_json(call.arguments)
        return self.costs.call + self.counter.count(call.name) + arguments


def picture_size(data: str) -> tuple[int, int] | None:
    """Return width and height of a picture in base64, read from the head of its file; None where it does not tell."""
    head = data[:_PICTURE_HEAD]
    try:
        seen = inspect_image(base64.b64decode(head[: len(head) // 4 * 4]))
    except (binascii.Error, ValueError, ImageError):
        return None
    size = (seen.width or 0, seen.height or 0)
    return size if min(size) > 0 else None
