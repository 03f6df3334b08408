"""The wish for JSON in words, where a dialect has no other place for it, or wants to read it in a message as well."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.schema_adaption import MAX_SCHEMA_DEPTH, is_deeper

if TYPE_CHECKING:
    from collections.abc import Iterable

JSON_WISH: Final = "Answer with JSON alone."
_JSON: Final = "json"


def says_json(texts: Iterable[str]) -> bool:
    """Tell whether one of the texts has the word JSON."""
    return any(_JSON in text.lower() for text in texts)


def wish_for(schema: dict[str, Any]) -> str:
    """Return the wish for JSON of a schema; one that is nested too deeply is left out."""
    if is_deeper(schema, MAX_SCHEMA_DEPTH):
        return JSON_WISH
    return f"{JSON_WISH[:-1]}, of this schema: {json.dumps(schema, ensure_ascii=False)}"


def joined(said: str | None, wish: str) -> str:
    """Return a text with the wish behind it."""
    return f"{said}\n\n{wish}" if said else wish
