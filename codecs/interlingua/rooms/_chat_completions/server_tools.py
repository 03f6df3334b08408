"""Server tools of Chat Completions: OpenAI's web search, a setting of the request, and those of other servers.

Other servers have theirs as entries of `tools`. Source: docs/wire/openai_chat.md, sections 1.3 and 1.5.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.server_tools import (
    read_domains,
    read_location,
    report_unplaced,
    write_context_size,
    written_location,
)
from interlingua.spi.extra import NOTHING, merge_own_extra, own_extra
from interlingua.spi.reading import INTEGER, OBJECT, Unmapped, expect, read_setting, read_text, rest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._chat_completions.vendor import Object, Vendor
    from interlingua.rooms._shared.writing import Target

OPTIONS: Final = "web_search_options"
_MEMBERS: Final = frozenset({"search_context_size", "user_location"})
# Members of Claude's web search, which clients send to gateways.
_DOMAINS: Final = ("allowed_domains", "blocked_domains")
_OF_ENTRIES: Final = frozenset({*_MEMBERS, *_DOMAINS, "max_uses"})
_PLACED: Final = frozenset({"context_size", "user_location"})
_PLACED_IN_ENTRIES: Final = _PLACED | {*_DOMAINS, "max_uses"}
_NESTED: Final = frozenset({"type", "approximate"})
_TYPE: Final[Mapping[str, str]] = MappingProxyType({"type": "approximate"})
# Type of an entry of `tools`, or its only member -> canonical type of the server tool.
_MARKS: Final[Mapping[str, str]] = MappingProxyType({
    **dict.fromkeys(
        (
            "web_search", "web_search_2025_08_26", "web_search_preview", "web_search_preview_2025_03_11",
            "web_search_20250305", "web_search_20260209", "web_search_20260318", "openrouter:web_search",
            "browser_search", "google_search", "googleSearch",
        ),
        "web_search",
    ),
    **dict.fromkeys(
        ("code_interpreter", "code_execution", "codeExecution", "code_execution_20250825"), "code_execution"
    ),
})  # fmt: skip

_WORDS: Final = tuple(_MARKS)  # a tuple, since the compared value may be unhashable
_NAMED: Final = ".name"  # suffix of the note for a tool that also has a name


def read_search(request: Object, value: Any, _body: Object, vendor: Vendor, unread: Unmapped) -> None:
    """Read `web_search_options` as a tool; any object, even an empty one, enables the search."""
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
    if _server_tool_type(left.fields) is not None:  # it would be written as an entry of `tools`
        unread.fields[OPTIONS] = value
        return
    left.attach(tool, vendor.dialect)
    request.setdefault("tools", []).append(tool)


def _write_search(out: Object, tool: Mapping[str, Any], path: str, vendor: Vendor, to: Target) -> None:
    """Write a web search as `web_search_options`, of which there is at most one."""
    if not vendor.searches or OPTIONS in out:
        detail = "a request has only one web_search_options" if vendor.searches else "the target has no web search"
        to.log.lost("tool", path, detail)
        return
    options: Object = {}
    write_context_size(options, tool, path, to)
    if "user_location" in tool:
        options["user_location"] = {**_TYPE, "approximate": tool["user_location"]}
    report_unplaced(tool, _PLACED, path, to.log)
    merge_own_extra(options, tool, vendor.dialect, path, to.log)
    out[OPTIONS] = options


def _server_tool_type(wire: Mapping[str, Any]) -> str | None:
    """Return the canonical type of a server tool, or None; a disabled one is none."""
    word = wire.get("type")
    if word is None and len(wire) == 1:
        word = next((name for name, held in wire.items() if type(held) is dict), None)
    if type(word) is not str or any(type(held) is dict and held.get("enable") is False for held in wire.values()):
        return None
    return _MARKS.get(word)


def read_server_tool(wire: Object, vendor: Vendor) -> Object | None:
    """Read an entry of `tools` that is a server tool; None for any other.

    Its type, and its name if it has one, are kept as a note on spelling.
    """
    kind = _server_tool_type(wire)
    if kind is None:
        return None
    tool: Object = {"type": kind}
    left = Unmapped()
    left.fields |= rest(wire, _OF_ENTRIES if kind == "web_search" else frozenset())
    if wire.get("type") in _WORDS:
        named = left.fields.get("name") == kind
        left.absent(left.fields.pop("type") + (_NAMED if named else ""))
        if named:
            del left.fields["name"]
    if kind == "web_search":
        for name in _DOMAINS:
            if name in wire and not read_domains(tool, name, wire[name], name, left) and wire[name] is not None:
                left.fields[name] = wire[name]
        if "max_uses" in wire:
            read_setting(tool, "max_uses", wire["max_uses"], ("max_uses", INTEGER), left)
        read_text(tool, "context_size", wire, "search_context_size", left)
        if "user_location" in wire:
            read_location(tool, wire["user_location"], left)
    left.attach(tool, vendor.dialect)
    return tool


def write_server_tool(
    out: Object, tools: list[Object], tool: Mapping[str, Any], path: str, vendor: Vendor, to: Target
) -> None:
    """Write a server tool as an entry of `tools` if it came as one, else as a setting or not at all."""
    bag = own_extra(tool, vendor.dialect)
    notes = [note.partition(_NAMED) for note in bag.get("spelling", NOTHING).get("absent", ())]
    typed: Object = next(
        ({"type": word, **({"name": tool["type"]} if named else {})} for word, named, _ in notes if word in _MARKS), {}
    )
    if _server_tool_type(typed or bag.get("fields", {})) != tool["type"]:
        if tool["type"] == "web_search":
            _write_search(out, tool, path, vendor, to)
        else:
            to.log.lost("tool", path, "the target does not run code")
        return
    wire: Object = typed | {name: tool[name] for name in (*_DOMAINS, "max_uses") if name in tool}
    write_context_size(wire, tool, path, to)
    if "user_location" in tool:
        wire["user_location"] = written_location(tool["user_location"])
    report_unplaced(tool, _PLACED_IN_ENTRIES, path, to.log)
    merge_own_extra(wire, tool, vendor.dialect, path, to.log)
    tools.append(wire)
