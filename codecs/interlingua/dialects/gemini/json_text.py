"""JSON values as the text of a tool's result, and back: where Gemini has an object, the canonical form has text."""

from __future__ import annotations

import json
from typing import Any

import orjson


def written(value: Any) -> str | None:
    """Return the text of a JSON value, or None for one that is nested too deep, or has a number of too many digits."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # whole numbers beyond 64 bits, lone surrogates, or deep nesting
        pass
    try:
        return json.dumps(value, separators=(",", ":"))
    except (ValueError, RecursionError):
        return None


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
