"""The one tool that OpenAI runs for Chat Completions: web search, a setting of the request.

Source: docs/wire/openai_chat.md, section 1.5.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.server_tools import (
    read_location,
    report_unplaced,
    write_context_size,
)
from interlingua.spi.extra import merge_own_extra
from interlingua.spi.reading import OBJECT, Unmapped, expect, read_text, rest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._chat_completions.vendor import Object, Vendor
    from interlingua.rooms._shared.writing import Target

OPTIONS: Final = "web_search_options"
_MEMBERS: Final = frozenset({"search_context_size", "user_location"})
_PLACED: Final = frozenset({"context_size", "user_location"})
_NESTED: Final = frozenset({"type", "approximate"})
_TYPE: Final[Mapping[str, str]] = MappingProxyType({"type": "approximate"})


def read_search(request: Object, value: Any, _body: Object, vendor: Vendor, _left: Unmapped) -> None:
    """Read `web_search_options` as a tool; any object, an empty one too, switches the search on."""
    wire = expect(value, OBJECT, OPTIONS)
    tool: Object = {"type": "web_search"}
    left = Unmapped()
    read_text(tool, "context_size", wire, "search_context_size", left)
    location = wire.get("user_location")
    if type(location) is dict and location.get("type") == "approximate" and type(location.get("approximate")) is dict:
        nested = Unmapped()
        read_location(tool, {**cast("Object", location["approximate"]), **_TYPE}, nested)
        if "type" in location["approximate"]:
            nested.keep_nested("user_location", {"type": location["approximate"]["type"]})
        others = rest(cast("Object", location), _NESTED)
        if nested.fields:
            others["approximate"] = nested.fields["user_location"]
        left.keep_nested("user_location", others)
    elif location is not None:
        left.fields["user_location"] = location
    elif "user_location" in wire:
        left.null("user_location")
    left.fields |= rest(wire, _MEMBERS)
    left.attach(tool, vendor.dialect)
    request.setdefault("tools", []).append(tool)


def write_search(out: Object, tool: Mapping[str, Any], path: str, vendor: Vendor, to: Target) -> None:
    """Write a web search as `web_search_options`; there is one at most."""
    if not vendor.searches or OPTIONS in out:
        detail = "a request has one web_search_options" if vendor.searches else "the target has no web search"
        to.log.lost("tool", path, detail)
        return
    options: Object = {}
    write_context_size(options, tool, path, to)
    if "user_location" in tool:
        options["user_location"] = {**_TYPE, "approximate": tool["user_location"]}
    report_unplaced(tool, _PLACED, path, to.log)
    merge_own_extra(options, tool, vendor.dialect, path, to.log)
    out[OPTIONS] = options
