"""The counts of each kind of content in `usageMetadata`, between a list of objects and canonical members."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_counts(details: Any, names: Mapping[str, str]) -> dict[str, int] | None:
    """Return the canonical counts, or None where they would not be written in the same way again, or turned round."""
    counts: dict[str, int] = {}
    if type(details) is list and len(details) == 1 and type(details[0]) is dict and len(details[0]) == 2:  # mostly
        count, word = details[0].get("tokenCount"), details[0].get("modality")
        return {names[word]: count} if type(count) is int and type(word) is str and word in names else None
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
    """Return the counts as they stand on the wire."""
    return [{"modality": word, "tokenCount": usage[name]} for word, name in names.items() if name in usage]
