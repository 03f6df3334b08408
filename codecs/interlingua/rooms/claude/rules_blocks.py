"""What a block of Claude's must have.

Source: docs/wire/claude.md, section 1.2.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.ruling import (
    LIST,
    OBJECT,
    TEXT,
    TEXT_OR_LIST,
    missing,
    object_of,
    text_of,
    word_of,
    wrong_types,
)
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.ruling import Object, Shapes

# Block type -> what it must have, and the JSON types of what the provider reads.
_REQUIRED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "text": ("text",),
    "image": ("source",),
    "document": ("source",),
    "thinking": ("thinking",),
    "redacted_thinking": ("data",),
    "tool_use": ("id", "name", "input"),
    "tool_result": ("tool_use_id",),
    "search_result": ("source", "title", "content"),
})  # fmt: skip
_BLOCK_SHAPES: Final[Mapping[str, Shapes]] = MappingProxyType({
    "text": {"text": TEXT, "citations": (list, dict)},
    "image": {"source": OBJECT},
    "document": {"source": OBJECT, "title": TEXT, "context": TEXT},
    "thinking": {"thinking": TEXT, "signature": TEXT},
    "redacted_thinking": {"data": TEXT},
    "tool_use": {"id": TEXT, "name": TEXT},
    "tool_result": {"tool_use_id": TEXT, "content": TEXT_OR_LIST, "is_error": (bool,)},
    "search_result": {"source": TEXT, "title": TEXT, "content": LIST},
})  # fmt: skip
# Type of the source of a picture or a document -> what it must have, and the JSON types of that.
_SOURCE_SHAPES: Final[Mapping[str, Shapes]] = MappingProxyType({
    "base64": {"data": TEXT},
    "url": {"url": TEXT},
    "file": {"file_id": TEXT},
    "text": {"data": TEXT},
    "content": {"content": TEXT_OR_LIST},
})  # fmt: skip
_WITH_SOURCE: Final = frozenset({"image", "document"})


def members_of_block(block: Object, path: str) -> Iterator[Violation]:
    """Yield what a block misses, and what in it is of another JSON type than the provider reads."""
    kind = word_of(block, "type")
    if kind is None:
        yield Violation("required", f"{path}/type", "each content block needs a type")
        return
    yield from missing(block, _REQUIRED.get(kind, ()), path)
    yield from wrong_types(block, _BLOCK_SHAPES.get(kind, {}), path)
    if kind == "tool_use" and type(block.get("input", {})) is not dict:
        yield Violation("arguments", f"{path}/input", "expected an object")
    if kind in _WITH_SOURCE and type(block.get("source")) is dict:
        source = object_of(block, "source")
        shapes = _SOURCE_SHAPES.get(text_of(source, "type"), {})
        yield from missing(source, ("type", *shapes), f"{path}/source")
        yield from wrong_types(source, shapes, f"{path}/source")
