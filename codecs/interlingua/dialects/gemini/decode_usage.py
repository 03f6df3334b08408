"""Gemini to canonical: usage."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import Any

from interlingua.dialects._shared.extra import Leftovers
from interlingua.dialects._shared.reading import OBJECT, expect, is_integer
from interlingua.dialects.gemini.counts import read_counts, write_counts
from interlingua.dialects.gemini.decode_config import whole
from interlingua.dialects.gemini.snake import USAGE as USAGE_NAMES
from interlingua.dialects.gemini.snake import camel
from interlingua.dialects.gemini.tables import DIALECT, TOOL_USE, USAGE, USAGE_DETAILS


def decode_usage(value: Any) -> dict[str, Any]:
    """Decode `usageMetadata`: thoughts count as output, and what server tools read as input."""
    left = Leftovers()
    wire = camel(expect(value, OBJECT), USAGE_NAMES, left)
    usage: dict[str, Any] = {}
    for key, count in wire.items():
        if key in USAGE or key in USAGE_DETAILS:
            if count is None:
                left.null(key)
            elif key in USAGE and is_integer(count):
                usage[USAGE[key]] = whole(count, key, left)
            elif key in USAGE_DETAILS and (counts := read_counts(count, USAGE_DETAILS[key])) is not None:
                usage |= counts
                if len(counts) > 1 and count != write_counts(counts, USAGE_DETAILS[key]):
                    left.spelling.setdefault("reversed", []).append(key)
            else:
                left.fields[key] = count
        else:
            left.fields[key] = count
    if "input_tokens" in usage and type(wire.get(TOOL_USE)) is int:
        usage["input_tokens"] += wire[TOOL_USE]
    if "reasoning_tokens" in usage:
        if usage.get("output_tokens", 0) < 0:  # no sum tells it again
            left.fields["candidatesTokenCount"] = wire["candidatesTokenCount"]
            del usage["output_tokens"]
        if "output_tokens" not in usage:
            left.absent("candidatesTokenCount")
        usage["output_tokens"] = usage.get("output_tokens", 0) + usage["reasoning_tokens"]
    left.attach(usage, DIALECT)
    return usage
