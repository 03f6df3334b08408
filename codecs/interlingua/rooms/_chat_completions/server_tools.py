"""Server tools of Chat Completions: OpenAI's web search, a setting of the request, and those of other servers.

Other servers have theirs as entries of `tools`. Source: docs/wire/openai_chat.md, sections 1.3, 1.5 and 9.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.loss import lost_members
from interlingua.rooms._shared.server_tools import (
    LOCATION,
    read_domains,
    read_location,
    report_unplaced,
    write_context_size,
    written_location,
)
from interlingua.spi.extra import NOTHING, merge_own_extra, own_extra, own_spelling
from interlingua.spi.reading import INTEGER, OBJECT, Unmapped, expect, read_setting, read_text, rest, take

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._chat_completions.vendor import Object, Vendor
    from interlingua.rooms._shared.writing import Target

OPTIONS: Final = "web_search_options"
# Perplexity's list of domains, beside the options: the only ones, or those to leave out, with a sign before each.
FILTER: Final = "search_domain_filter"
_EXCLUDED: Final = "-"
_MAX_DOMAINS: Final = 20
# Notes in `spelling.absent` of Perplexity's forms: a location without an object around it, and domains in the filter.
_BARE_LOCATION: Final = "user_location.approximate"
_FILTERED: Final = "allowed_domains"
_MEMBERS: Final = frozenset({"search_context_size", "user_location"})
# Members of Claude's web search, which clients send to gateways.
_DOMAINS: Final = ("allowed_domains", "blocked_domains")
_OF_ENTRIES: Final = frozenset({*_MEMBERS, *_DOMAINS, "max_uses"})
_PLACED: Final = frozenset({"context_size", "user_location"})
_PLACED_FLAT: Final = _PLACED | {*_DOMAINS}
_PLACED_IN_ENTRIES: Final = _PLACED_FLAT | {"max_uses"}
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


def read_search(request: Object, value: Any, body: Object, vendor: Vendor, unread: Unmapped) -> None:
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
    elif type(location) is dict and _NESTED.isdisjoint(location) and (found := take(location, LOCATION))[0]:
        tool["user_location"], others = found
        left.absent(_BARE_LOCATION)
        left.keep_nested("user_location", others)
    elif location is not None:
        left.fields["user_location"] = location
    elif "user_location" in wire:
        left.null("user_location")
    left.fields |= rest(wire, _MEMBERS)
    domains = _domains_of(body.get(FILTER))
    if _server_tool_type(left.fields) is not None:  # it would be written as an entry of `tools`
        unread.fields |= {OPTIONS: value, **({FILTER: body[FILTER]} if domains else {})}
        return
    if domains:
        tool |= domains
        left.absent(_FILTERED)
    left.attach(tool, vendor.dialect)
    request.setdefault("tools", []).append(tool)


def read_domain_filter(request: Object, value: Any, body: Object, vendor: Vendor, unread: Unmapped) -> None:
    """Read Perplexity's list of domains as those of a search, which Perplexity makes for each answer."""
    domains = _domains_of(value)
    if not domains:
        unread.fields[FILTER] = value
    elif type(body.get(OPTIONS)) is not dict:  # else they are read with these
        left = Unmapped()
        left.absent(OPTIONS)
        left.absent(_FILTERED)
        tool: Object = {"type": "web_search", **domains}
        left.attach(tool, vendor.dialect)
        request.setdefault("tools", []).append(tool)


def _domains_of(value: Any) -> Object:
    """Return a list of domains as a member of a tool; empty if it is none, or excludes some and names others."""
    if type(value) is not list or not value or not all(type(one) is str for one in value):
        return {}
    excluded = [one.removeprefix(_EXCLUDED) for one in value if one.startswith(_EXCLUDED)]
    if not excluded:
        return {"allowed_domains": value}
    return {"blocked_domains": excluded} if len(excluded) == len(value) else {}


def _write_search(out: Object, tool: Mapping[str, Any], path: str, vendor: Vendor, to: Target) -> None:
    """Write a web search as `web_search_options`, of which there is at most one."""
    has_search = to.home or vendor.searches
    if not has_search or OPTIONS in out:
        detail = "a request has only one web_search_options" if has_search else "the target has no web search"
        to.log.lost("tool", path, detail)
        return
    options: Object = {}
    absent = own_spelling(tool, vendor.dialect).get("absent", ()) if to.home else ()
    write_context_size(options, tool, path, to)
    if "user_location" in tool and (vendor.flat_searches or _BARE_LOCATION in absent):
        _write_bare_location(options, tool["user_location"], f"{path}/user_location", to)
    elif "user_location" in tool:
        options["user_location"] = {**_TYPE, "approximate": tool["user_location"]}
    is_filtered = vendor.flat_searches or _FILTERED in absent
    if is_filtered:
        _write_domains(out, tool, path, to)
    report_unplaced(tool, _PLACED_FLAT if is_filtered else _PLACED, path, to.log)
    merge_own_extra(options, tool, vendor.dialect, path, to.log)
    if options or OPTIONS not in absent:
        out[OPTIONS] = options


def _write_bare_location(options: Object, location: Mapping[str, Any], path: str, to: Target) -> None:
    """Write where the user is as Perplexity has it: without an object around it, and without a time zone."""
    told = location if to.home else {name: said for name, said in location.items() if name != "timezone"}
    if len(told) < len(location):
        to.log.lost("tool", f"{path}/timezone", "the target's location has no time zone")
    if told or to.home:
        options["user_location"] = told


def _write_domains(out: Object, tool: Mapping[str, Any], path: str, to: Target) -> None:
    """Write the domains of a search as Perplexity's filter, which either names or excludes some."""
    for name in _DOMAINS:
        if name not in tool:
            continue
        if FILTER in out:
            to.log.lost("tool", f"{path}/{name}", "the filter either names the domains or excludes some")
            continue
        domains = tool[name] if to.home else tool[name][:_MAX_DOMAINS]
        if len(domains) < len(tool[name]):
            gone = [str(at) for at in range(len(domains), len(tool[name]))]
            lost_members(to.log, gone, f"{path}/{name}", "tool", f"at most {_MAX_DOMAINS} domains are accepted")
        out[FILTER] = domains if name == _DOMAINS[0] else [_EXCLUDED + one for one in domains]


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
