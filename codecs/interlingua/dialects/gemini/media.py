"""Media types: what they tell of a part, and what is told of them where they are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.dialects.gemini.tables import SUFFIXES, USUAL_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping


def kind_of(media_type: str) -> str:
    """Return the type of the part that a media type tells."""
    kind = media_type.partition("/")[0]
    return kind if kind in {"image", "audio"} else "file"


def media_type_of(part: Mapping[str, Any]) -> str:
    """Return a media type for a part that has none: from the suffix of its name or address, else from its type."""
    name: str = part.get("name", part.get("url", part.get("file_id", "")))
    suffix = name.partition("?")[0].rpartition(".")[2].lower()
    media_type = SUFFIXES.get(suffix, "")
    return media_type if kind_of(media_type) == part["type"] and media_type else USUAL_TYPES[part["type"]]
