"""Claude to canonical: blocks that are parts, citations, cache marks.

Every function raises `Malformed` with its own path.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.reading import Malformed, expect
from interlingua.dialects.claude.tables import CITATION_HABITS, CITATIONS, DIALECT, PLAIN

if TYPE_CHECKING:
    from collections.abc import Mapping


_TEXT_MEMBERS: Final = frozenset({"type", "text", "citations", "cache_control"})

_IMAGE_MEMBERS: Final = frozenset({"type", "source", "cache_control"})

_DOCUMENT_MEMBERS: Final = frozenset({"type", "source", "cache_control", "title", "context"})

# The member that holds what a source of a type says.
_SOURCE_MEMBERS: Final[Mapping[str, str]] = MappingProxyType({"base64": "data", "url": "url", "file": "file_id"})


def decode_content(content: Any, role: str) -> str | list[dict[str, Any]]:
    """Decode text or a list of blocks that are all parts."""
    if type(content) is str:
        return content
    parts = []
    for index, block in enumerate(expect(content, (list,), "content")):
        try:
            parts.append(decode_part(block, role))
        except Malformed as malformed:
            raise malformed.under("content", index) from None
    return parts


def decode_part(block: Any, role: str) -> dict[str, Any]:
    """Decode one content block. A block without a canonical place makes an opaque part."""
    if type(block) is not dict:
        raise Malformed("", "expected an object")
    kind = block.get("type")
    if kind == "text":
        text = block.get("text")
        if type(text) is not str:
            raise Malformed("/text", "expected text")
        if len(block) == 2:
            return block
    part: dict[str, Any] | None = None
    left = Leftovers()
    if kind == "text":
        part = {"type": "text", "text": block["text"]}
        if "citations" in block:
            _decode_citations(part, block["citations"], left)
        left.fields |= rest(block, _TEXT_MEMBERS)
    elif kind == "image":
        part = _decode_image(block, left)
    elif kind == "document":
        part = _decode_document(block, role, left)
    if part is None:
        return {"type": "opaque", "dialect": DIALECT, "data": block}
    decode_cache(part, block, left)
    left.attach(part, DIALECT)
    return part


def decode_cache(value: dict[str, Any], wire: dict[str, Any], left: Leftovers) -> None:
    """Decode `cache_control`: always `type: ephemeral`."""
    if "cache_control" not in wire:
        return
    mark = wire["cache_control"]
    if mark is None:
        left.null("cache_control")
    elif type(mark) is dict and mark.get("type") == "ephemeral":
        known = {"type"}
        value["cache"] = {}
        if type(mark.get("ttl")) is str:
            value["cache"]["ttl"] = mark["ttl"]
            known.add("ttl")
        left.nest("cache_control", rest(mark, frozenset(known)))
    else:
        left.fields["cache_control"] = mark


def _decode_image(block: dict[str, Any], left: Leftovers) -> dict[str, Any] | None:
    part: dict[str, Any] = {"type": "image"}
    if not _decode_source(part, block.get("source"), left):
        return None
    left.fields |= rest(block, _IMAGE_MEMBERS)
    return part


def _decode_document(block: dict[str, Any], role: str, left: Leftovers) -> dict[str, Any] | None:
    part: dict[str, Any] = {"type": "file"}
    source = block.get("source")
    kind = source.get("type") if type(source) is dict else None
    if kind == "text" and type(source) is dict and type(source.get("data")) is str:
        part["text"] = source["data"]
        known = {"type", "data"}
        if source.get("media_type") == PLAIN:
            known.add("media_type")
        elif "media_type" not in source:
            left.absent("media_type")
        left.nest("source", rest(source, frozenset(known)))
    elif kind == "content" and type(source) is dict and type(source.get("content")) in {str, list}:
        content = decode_content(source["content"], role)
        if type(content) is str:
            left.spelling["content"] = "string"
            content = [{"type": "text", "text": content}]
        part["content"] = content
        left.nest("source", rest(source, frozenset({"type", "content"})))
    elif not _decode_source(part, source, left):
        return None
    for name in ("title", "context"):
        if name in block:
            if block[name] is None:
                left.null(name)
            elif type(block[name]) is str:
                part[name] = block[name]
            else:
                left.fields[name] = block[name]
    left.fields |= rest(block, _DOCUMENT_MEMBERS)
    return part


def _decode_source(part: dict[str, Any], source: Any, left: Leftovers) -> bool:
    """Decode the sources that pictures and documents share; tell whether it is one of them."""
    if type(source) is not dict or type(source.get("type")) is not str:
        return False
    member = _SOURCE_MEMBERS.get(source["type"])
    if member is None or type(source.get(member)) is not str:
        return False
    known = {"type", member}
    if member == "data" and type(source.get("media_type")) is str:
        part["format"] = source["media_type"]
        known.add("media_type")
    part[member] = source[member]
    left.nest("source", rest(source, frozenset(known)))
    return True


def _decode_citations(part: dict[str, Any], citations: Any, left: Leftovers) -> None:
    if citations is None:
        left.null("citations")
    elif type(citations) is not list or not all(type(one) is dict and one for one in citations):
        left.fields["citations"] = citations
    elif not citations:
        left.empty("citations")
    else:
        part["citations"] = [decode_citation(one) for one in citations]


def decode_citation(wire: dict[str, Any]) -> dict[str, Any]:
    """Decode a citation; one of an unknown type is kept whole as `opaque`."""
    kind = wire.get("type")
    left = Leftovers()
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
