"""JSON values as the text of a tool's result, and back: where Gemini has an object, the canonical form has text."""

from __future__ import annotations

import json
from typing import Any

import orjson

from interlingua.arguments import WRITABLE_LEVELS, is_deeper


def written(value: Any) -> str | None:
    """Return the text of a JSON value, or None for one that has none: NaN, too many digits, nested too deep."""
    try:
        text = orjson.dumps(value)
        if b"null" not in text:  # what it makes of NaN and infinity without a word
            return text.decode()
    except TypeError:  # whole numbers beyond 64 bits, lone surrogates, or deep nesting
        text = b""
    if is_deeper(value, WRITABLE_LEVELS):
        return None
    try:
        strict = json.dumps(value, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError):
        return None
    return text.decode() or strict


def read(text: str) -> Any:
    """Return the JSON value of a text, with whole numbers of any length.

    Raises:
        ValueError: the text is not JSON.
    """
    try:
        value = orjson.loads(text)
        if orjson.dumps(value) == text.encode():
            return value
    except (ValueError, TypeError):  # lone surrogates stand in no bytes
        pass
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
