"""Cache write counts by lifetime: convert between Claude's `cache_creation` and Bedrock Converse's `cacheDetails`.

Source: docs/wire/claude.md, section 2; docs/wire/bedrock_converse.md, section 2.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.extra import NOTHING, own_extra, with_fields_moved

if TYPE_CHECKING:
    from collections.abc import Mapping

_CLAUDE, _BEDROCK = "claude", "bedrock_converse"
_CREATION, _DETAILS = "cache_creation", "cacheDetails"
# Lifetime -> Claude's member for its count.
_TIMES: Final[Mapping[str, str]] = MappingProxyType(
    {"5m": "ephemeral_5m_input_tokens", "1h": "ephemeral_1h_input_tokens"}
)


def counted_for_claude(usage: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return usage with Bedrock's counts by lifetime in Claude's form; unchanged if they have another shape."""
    details = own_extra(usage, _BEDROCK).get("fields", NOTHING).get(_DETAILS)
    if type(details) is not list or not all(map(_is_detail, details)):
        return usage
    counts = dict.fromkeys(_TIMES.values(), 0)
    for one in details:
        counts[_TIMES[one["ttl"]]] += one["inputTokens"]
    return with_fields_moved(usage, _BEDROCK, {_DETAILS}, _CLAUDE, {_CREATION: counts})


def counted_for_bedrock(usage: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return usage with Claude's counts by lifetime in Bedrock's form; unchanged if they have another shape."""
    counts = own_extra(usage, _CLAUDE).get("fields", NOTHING).get(_CREATION)
    known = _TIMES.values()
    if type(counts) is not dict or not all(name in known and type(count) is int for name, count in counts.items()):
        return usage
    details = [{"ttl": time, "inputTokens": counts[name]} for time, name in _TIMES.items() if counts.get(name)]
    return with_fields_moved(usage, _CLAUDE, {_CREATION}, _BEDROCK, {_DETAILS: details} if details else {})


def _is_detail(one: Any) -> bool:
    return type(one) is dict and len(one) == 2 and str(one.get("ttl")) in _TIMES and type(one.get("inputTokens")) is int
