"""Chat Completions to canonical: usage."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.dialects._chat_completions.tables import USAGE
from interlingua.dialects._shared.extra import Leftovers
from interlingua.dialects._shared.reading import OBJECT, expect, is_integer

if TYPE_CHECKING:
    from interlingua.dialects._chat_completions.vendor import Vendor


def decode_usage(wire: Any, vendor: Vendor) -> dict[str, Any]:
    """Decode `usage`; input and output are inclusive on both sides."""
    usage: dict[str, Any] = {}
    left = Leftovers()
    expect(wire, OBJECT, "usage")
    details = dict(vendor.usage_details)
    for key, value in wire.items():
        if key in USAGE and is_integer(value):
            usage[USAGE[key]] = value
        elif key in details and type(value) is dict:
            nested = {}
            for name, count in value.items():
                if name in details[key] and type(count) is int:
                    usage[details[key][name]] = count
                elif count is None and name in details[key]:
                    left.null(f"{key}.{name}")
                else:
                    nested[name] = count
            if nested or not value:
                left.fields[key] = nested
        elif value is None and (key in USAGE or key in details):
            left.null(key)
        else:
            left.fields[key] = value
    left.attach(usage, vendor.dialect)
    return usage
