"""Rules for content blocks: required members, JSON types and media types.

Source: docs/wire/claude.md, sections 1 and 7.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.media import EMPTY_PICTURE
from interlingua.rooms._shared.media_sniffing import detected_media_type
from interlingua.rooms._shared.rule_helpers import (
    LIST,
    OBJECT,
    TEXT,
    TEXT_OR_LIST,
    message_parts,
    missing,
    object_of,
    objects,
    text_of,
    word_of,
    wrong_types,
)
from interlingua.rooms.claude.tables import IMAGE_TYPES, PDF, PLAIN
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.rule_helpers import Object, Shapes

# Block type -> required members, and the JSON types of the members that the provider reads.
_BLOCKS: Final[Mapping[str, tuple[tuple[str, ...], Shapes]]] = MappingProxyType({
    "text": (("text",), {"text": TEXT, "citations": (list, dict)}),
    "image": (("source",), {"source": OBJECT}),
    "document": (("source",), {"source": OBJECT, "title": TEXT, "context": TEXT}),
    "thinking": (("thinking",), {"thinking": TEXT, "signature": TEXT}),
    "redacted_thinking": (("data",), {"data": TEXT}),
    "tool_use": (("id", "name", "input"), {"id": TEXT, "name": TEXT}),
    "tool_result": (("tool_use_id",), {"tool_use_id": TEXT, "content": TEXT_OR_LIST, "is_error": (bool,)}),
    "search_result": (("source", "title", "content"), {"source": TEXT, "title": TEXT, "content": LIST}),
})  # fmt: skip
# Source type of an image or document -> its required members and their JSON types.
_SOURCE_SHAPES: Final[Mapping[str, Shapes]] = MappingProxyType({
    "base64": {"data": TEXT},
    "url": {"url": TEXT},
    "file": {"file_id": TEXT},
    "text": {"data": TEXT},
    "content": {"content": TEXT_OR_LIST},
})  # fmt: skip
_WITH_SOURCE: Final = frozenset({"image", "document"})
# Accepted media types, by block type and source type.
_MEDIA: Final[Mapping[tuple[str, str], frozenset[str]]] = MappingProxyType({
    ("image", "base64"): IMAGE_TYPES,
    ("document", "base64"): frozenset({PDF}),
    ("document", "text"): frozenset({PLAIN}),
})  # fmt: skip


def all_blocks(body: Object) -> Iterator[tuple[str, str, Object]]:
    """Yield the blocks of `system`, of all messages, and of their tool results, whose role is `result`."""
    for path, block in objects(body.get("system"), "/system"):
        yield path, "system", block
    for path, role, block in message_parts(body):
        yield path, role, block
        if block.get("type") == "tool_result":
            for where, inner in objects(block.get("content"), f"{path}/content"):
                yield where, "result", inner


def foreign_media(body: Object) -> Iterator[Violation]:
    """Images are JPEG, PNG, GIF or WebP, as `media_type` says, and not empty; base64 documents are PDF (section 7)."""
    for path, _, block in all_blocks(body):
        source = object_of(block, "source")
        accepted = _MEDIA.get((text_of(block, "type"), text_of(source, "type")))
        said, where = text_of(source, "media_type"), f"{path}/source/media_type"
        if accepted is not None and said not in accepted:
            yield Violation("media_type", where, "the provider does not accept this media type")
        elif accepted is IMAGE_TYPES and (detected_media_type(text_of(source, "data")) or said) != said:
            yield Violation("media_type", where, "the first bytes are those of another media type")
        elif accepted is IMAGE_TYPES and source.get("data") == "":
            yield Violation("empty", f"{path}/source/data", EMPTY_PICTURE)


def members_of_block(block: Object, path: str) -> Iterator[Violation]:
    """Yield the required members that a block lacks, and the members of another JSON type."""
    kind = word_of(block, "type")
    if kind is None:
        yield Violation("required", f"{path}/type", "each content block needs a type")
        return
    required, shapes = _BLOCKS.get(kind, ((), {}))
    yield from missing(block, required, path)
    yield from wrong_types(block, shapes, path)
    if kind == "tool_use" and type(block.get("input", {})) is not dict:
        yield Violation("arguments", f"{path}/input", "expected an object")
    if kind in _WITH_SOURCE and type(block.get("source")) is dict:
        source = object_of(block, "source")
        shapes = _SOURCE_SHAPES.get(text_of(source, "type"), {})
        yield from missing(source, ("type", *shapes), f"{path}/source")
        yield from wrong_types(source, shapes, f"{path}/source")
