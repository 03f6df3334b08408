"""Documents in dialects that have none, or not of their kind: what they say becomes text, with what they are called."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import beyond, lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.writing import Target

# Media types of text that do not begin with `text/`.
_TEXT_TYPES: Final = frozenset({"application/json", "application/xml", "application/yaml", "application/x-ndjson"})
_AS_DATA: Final = frozenset({"data", "format"})
_HEADINGS: Final = (("title", "Title"), ("name", "Source"), ("context", "Context"))
_TOLD: Final = frozenset({"type", "text", "content", "extra", "cache", *(name for name, _ in _HEADINGS)})


def as_text(part: Any, to: Target) -> Any:
    """Return a file of text, given as data from abroad, as a document of text; any other one as it is."""
    media_type = part.get("format", "")
    if to.home or "data" not in part or not (media_type.startswith("text/") or media_type in _TEXT_TYPES):
        return part
    try:
        text = base64.b64decode(part["data"], validate=True).decode()
    except (binascii.Error, ValueError):
        return part
    if not text or "\0" in text:
        return part
    return {**{name: value for name, value in part.items() if name not in _AS_DATA}, "text": text}


def told_parts(part: Any, path: str, to: Target) -> list[tuple[str, Any]]:
    """Return a document of text, or of parts, as the parts that say it, each with its path; it was changed.

    What it is called, where it comes from and what is told about it stand in front.
    """
    to.log.changed("part", path, "a document of text becomes text")
    lost_members(to.log, beyond(part, _TOLD), path, "part", "text has no such member")
    if "text" in part:
        return [(path, {"type": "text", "text": heading(part) + part["text"]})]
    parts = [(f"{path}/content/{at}", one) for at, one in enumerate(part["content"])]
    if not heading(part):
        return parts
    if parts and len(parts[0][1]) == 2 and parts[0][1]["type"] == "text":
        where, first = parts[0]
        return [(where, {"type": "text", "text": heading(part) + first["text"]}), *parts[1:]]
    return [(path, {"type": "text", "text": heading(part)}), *parts]


def heading(part: Mapping[str, Any]) -> str:
    """Return what stands in front of the text of a document: a line for each that is known of it."""
    lines = [f"{word}: {part[name]}" for name, word in _HEADINGS if part.get(name)]
    return "\n".join(lines) + "\n\n" if lines else ""
