"""Mappings that both directions share and a table cannot hold: finish reasons, media types, token counts, JSON text.

Source: docs/wire/gemini.md, sections 1.2 and 2.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import orjson

from interlingua.rooms._shared.media import declared_type
from interlingua.rooms.gemini.tables import FINISH_NUMBERS, FINISH_REASONS, STOP, USUAL_TYPES
from interlingua.tool_arguments import WRITABLE_LEVELS, is_deeper, text_without_duplicates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.spi.reading import Unmapped


def reason_of(word: str | int, *, called: bool) -> str:
    """Return the canonical finish reason of a word or number; STOP means `tool_calls` if the answer ends with calls."""
    name = word if isinstance(word, str) else FINISH_NUMBERS.get(word, "")
    return "tool_calls" if name == STOP and called else FINISH_REASONS.get(name, "other")


def ends_with_calls(messages: Any) -> bool:
    """Return whether the last message of an answer has function calls."""
    return bool(messages and messages[-1].get("tool_calls"))


def is_prompt_blocked(holder: Mapping[str, Any]) -> bool:
    """Return whether the prompt was blocked: then there are no candidates."""
    feedback = holder.get("promptFeedback")
    return isinstance(feedback, dict) and bool(cast("dict[str, Any]", feedback).get("blockReason"))


def part_type_of(media_type: str) -> str:
    """Return the part type for a media type."""
    kind = media_type.partition("/")[0]
    return kind if kind in {"image", "audio"} else "file"


def media_type_of(part: Mapping[str, Any]) -> str:
    """Return a media type for a part without one: from its file name or URL, else the default of the part type.

    A file may turn out to be audio or an image; an image or audio part stays what it is.
    """
    media_type = declared_type(part)
    is_told = media_type and part["type"] in {"file", part_type_of(media_type)}
    return media_type if is_told else USUAL_TYPES[part["type"]]


def read_counts(details: Any, names: Mapping[str, str]) -> dict[str, int] | None:
    """Return the canonical counts, or None if they would not be written the same way, in this order or reversed."""
    counts: dict[str, int] = {}
    try:
        for one in details:
            if type(one["tokenCount"]) is not int:
                return None
            counts[names[one["modality"]]] = one["tokenCount"]
    except (KeyError, TypeError):
        return None
    written = write_counts(counts, names)
    return counts if counts and (details == written or details == written[::-1]) else None


def write_counts(usage: Mapping[str, Any], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the counts by modality as they stand on the wire."""
    return [{"modality": word, "tokenCount": usage[name]} for word, name in names.items() if name in usage]


def as_integer(value: Any, key: str, left: Unmapped) -> int:
    """Return a number as an integer; note if it was written with a fraction of zero."""
    if type(value) is not int:
        left.spelling.setdefault("float", []).append(key)
    return int(value)


def write_json(value: Any) -> str | None:
    """Return the text of a JSON value, or None for one that has none: NaN, a set, too many digits, nested too deep."""
    try:
        text = orjson.dumps(value)
        if b"null" not in text:  # what orjson silently makes of NaN and infinity
            return text.decode()
    except TypeError:  # whole numbers beyond 64 bits, lone surrogates, or deep nesting
        text = b""
    if is_deeper(value, WRITABLE_LEVELS):
        return None
    try:
        strict = json.dumps(value, separators=(",", ":"), allow_nan=False)
        return text.decode() or text_without_duplicates(strict)
    except (TypeError, ValueError, RecursionError):
        return None


def read_json(text: str) -> Any:
    """Return the JSON value of a text, with integers of any length.

    Raises:
        ValueError: the text is not JSON.
    """
    try:
        value = orjson.loads(text)
        if orjson.dumps(value) == text.encode():
            return value
    except (ValueError, TypeError):  # lone surrogates cannot be encoded
        pass
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
