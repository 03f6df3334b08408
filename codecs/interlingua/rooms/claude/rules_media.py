"""The blocks of a request to Claude, and the media in them.

Source: docs/wire/claude.md, sections 1 and 7.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.first_bytes import detected_media_type
from interlingua.rooms._shared.media import EMPTY_PICTURE
from interlingua.rooms._shared.ruling import object_of, objects, text_of
from interlingua.rooms.claude.tables import IMAGE_TYPES, PDF, PLAIN
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.ruling import Object

__all__ = ["all_blocks", "blocks", "foreign_media"]

# Media of a source, by the type of its block and its own.
_MEDIA: Final[Mapping[tuple[str, str], frozenset[str]]] = MappingProxyType({
    ("image", "base64"): IMAGE_TYPES,
    ("document", "base64"): frozenset({PDF}),
    ("document", "text"): frozenset({PLAIN}),
})  # fmt: skip


def blocks(body: Object) -> Iterator[tuple[str, str, Object]]:
    """Yield path, role and value of the blocks of all messages."""
    for path, message in objects(body.get("messages"), "/messages"):
        role = text_of(message, "role")
        for where, block in objects(message.get("content"), f"{path}/content"):
            yield where, role, block


def all_blocks(body: Object) -> Iterator[tuple[str, str, Object]]:
    """Yield the blocks of the system text, of all messages, and of their results, whose role is `result`."""
    for path, block in objects(body.get("system"), "/system"):
        yield path, "system", block
    for path, role, block in blocks(body):
        yield path, role, block
        if block.get("type") == "tool_result":
            for where, inner in objects(block.get("content"), f"{path}/content"):
                yield where, "result", inner


def foreign_media(body: Object) -> Iterator[Violation]:
    """Pictures are jpeg, png, gif or webp, as they say, with data; base64 documents are PDF (section 7)."""
    for path, _, block in all_blocks(body):
        source = object_of(block, "source")
        accepted = _MEDIA.get((text_of(block, "type"), text_of(source, "type")))
        said, where = text_of(source, "media_type"), f"{path}/source/media_type"
        if accepted is not None and said not in accepted:
            yield Violation("media_type", where, "the provider does not take this type")
        elif accepted is IMAGE_TYPES and (detected_media_type(text_of(source, "data")) or said) != said:
            yield Violation("media_type", where, "the first bytes tell another media type")
        elif accepted is IMAGE_TYPES and source.get("data") == "":
            yield Violation("empty", f"{path}/source/data", EMPTY_PICTURE)
