"""Decode Claude content blocks, citations and cache marks.

Every function raises `Malformed` with its own path.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms.claude.server_calls import CALL, decode_call, decode_result
from interlingua.rooms.claude.tables import CITATION_HABITS, CITATIONS, DIALECT, PLAIN, SEARCH_RESULT
from interlingua.spi.extra import NOTHING
from interlingua.spi.reading import TEXT, Malformed, Unmapped, decode_list, expect, read_mark, read_text, rest, take

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.spi.reading import Setting


_TEXT_MEMBERS: Final = frozenset({"type", "text", "citations", "cache_control"})

_IMAGE_MEMBERS: Final = frozenset({"type", "source", "cache_control"})

_DOCUMENT_MEMBERS: Final = frozenset({"type", "source", "cache_control", "title", "context"})

_SEARCH_RESULT_MEMBERS: Final = frozenset({"type", "source", "title", "content", "cache_control"})

# The members of a source, by its type.
_SOURCES: Final[Mapping[str, Mapping[str, Setting]]] = MappingProxyType({
    "base64": {"media_type": ("format", TEXT), "data": ("data", TEXT)},
    "url": {"url": ("url", TEXT)},
    "file": {"file_id": ("file_id", TEXT)},
})  # fmt: skip
_FORMAT: Final = frozenset({"format"})


def decode_content(content: Any, role: str) -> str | list[dict[str, Any]]:
    """Decode content: text, or a list of blocks that are all parts."""
    if type(content) is str:
        return content
    return decode_list(expect(content, (list,), "content"), "content", lambda block: decode_part(block, role))


def decode_part(block: Any, role: str) -> dict[str, Any]:
    """Decode one content block; a block without a canonical variant becomes an opaque part."""
    if type(block) is not dict:
        raise Malformed("", "expected an object")
    kind = block.get("type")
    if kind == "text" and len(block) == 2 and type(block.get("text")) is str:
        return block
    part: dict[str, Any] | None = None
    left = Unmapped()
    if kind == "text":
        part = {"type": "text", "text": expect(block.get("text"), TEXT, "text")}
        if "citations" in block:
            _decode_citations(part, block["citations"], left)
        left.fields |= rest(block, _TEXT_MEMBERS)
    elif kind == "image":
        part = _decode_image(block, left)
    elif kind == "document":
        part = _decode_document(block, role, left)
    elif kind == SEARCH_RESULT:
        part = _decode_search_result(block, role, left)
    elif kind == CALL:
        part = decode_call(block, left)
    elif type(kind) is str and kind.endswith("code_execution_tool_result"):
        part = decode_result(block, kind, left)
    if part is None:
        return {"type": "opaque", "dialect": DIALECT, "data": block}
    decode_cache(part, block, left)
    left.attach(part, DIALECT)
    return part


def decode_cache(value: dict[str, Any], wire: dict[str, Any], left: Unmapped) -> None:
    """Decode `cache_control`, whose type is always `ephemeral`."""
    mark = wire.get("cache_control")
    if mark is not None:
        read_mark(value, "cache_control", mark, ("type", "ephemeral"), left)
    elif "cache_control" in wire:
        left.null("cache_control")


def _decode_image(block: dict[str, Any], left: Unmapped) -> dict[str, Any] | None:
    part: dict[str, Any] = {"type": "image"}
    if not _decode_source(part, block.get("source"), left):
        return None
    left.fields |= rest(block, _IMAGE_MEMBERS)
    return part


def _decode_document(block: dict[str, Any], role: str, left: Unmapped) -> dict[str, Any] | None:
    part: dict[str, Any] = {"type": "file"}
    match block.get("source"):
        case {"type": "text", "data": str(text), **others}:
            part["text"] = text
            if "media_type" not in others:
                left.absent("media_type")
            elif others["media_type"] == PLAIN:
                del others["media_type"]
            left.keep_nested("source", others)
        case {"type": "content", "content": str() | list() as said, **others}:
            content = decode_content(said, role)
            if type(content) is str:
                left.spelling["content"] = "string"
                content = [{"type": "text", "text": content}]
            part["content"] = content
            left.keep_nested("source", others)
        case source:
            if not _decode_source(part, source, left):
                return None
    for name in ("title", "context"):
        read_text(part, name, block, name, left)
    left.fields |= rest(block, _DOCUMENT_MEMBERS)
    return part


def _decode_search_result(block: dict[str, Any], role: str, left: Unmapped) -> dict[str, Any] | None:
    """Decode a `search_result` block: a file of parts whose name is the source."""
    source, title, content = block.get("source"), block.get("title"), block.get("content")
    if type(source) is not str or type(title) is not str or type(content) is not list:
        return None
    left.spelling["type"] = SEARCH_RESULT
    left.fields |= rest(block, _SEARCH_RESULT_MEMBERS)
    return {"type": "file", "name": source, "title": title, "content": decode_content(content, role)}


def _decode_source(part: dict[str, Any], source: Any, left: Unmapped) -> bool:
    """Decode a source that images and documents share; return False for any other source."""
    if type(source) is not dict or type(source.get("type")) is not str:
        return False
    taken, others = take(source, _SOURCES.get(source["type"], NOTHING))
    if taken.keys() <= _FORMAT:
        return False
    part |= taken
    del others["type"]
    left.keep_nested("source", others)
    return True


def _decode_citations(part: dict[str, Any], citations: Any, left: Unmapped) -> None:
    if citations is None:
        left.null("citations")
    elif type(citations) is not list or not all(type(one) is dict and one for one in citations):
        left.fields["citations"] = citations
    elif not citations:
        left.empty("citations")
    else:
        part["citations"] = [decode_citation(one) for one in citations]


def decode_citation(wire: dict[str, Any]) -> dict[str, Any]:
    """Decode a citation; an unknown type is kept whole as `opaque`."""
    kind = wire.get("type")
    left = Unmapped()
    if type(kind) is not str or kind not in CITATIONS:
        citation: dict[str, Any] = {"kind": "opaque"}
        left.fields = wire
    else:
        canonical, names = CITATIONS[kind]
        citation = {"kind": canonical}
        for key, value in wire.items():
            if key == "type":
                if kind != CITATION_HABITS[canonical]:
                    left.fields["type"] = kind
            elif key in names and type(value) is (int if key.endswith("index") else str):
                citation[names[key]] = value
            elif key in names and value is None:
                left.null(key)
            else:
                left.fields[key] = value
    left.attach(citation, DIALECT)
    return citation
