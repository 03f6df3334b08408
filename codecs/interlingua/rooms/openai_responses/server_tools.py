"""OpenAI's server tools that other providers have, too (web search, code execution), and the choice of one of them.

Source: docs/wire/openai_responses.md, section 1.
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
from interlingua.rooms.openai_responses.tables import DIALECT
from interlingua.spi.extra import merge_own_extra, own_spelling
from interlingua.spi.reading import Unmapped, read_text, rest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.writing import Target

# Canonical type -> the wire type written by habit.
_HABITS: Final[Mapping[str, str]] = MappingProxyType({"web_search": "web_search", "code_execution": "code_interpreter"})
_TYPES: Final[Mapping[str, str]] = MappingProxyType({
    **{word: name for name, word in _HABITS.items()},
    "web_search_2025_08_26": "web_search",
    "web_search_preview": "web_search",
    "web_search_preview_2025_03_11": "web_search",
})  # fmt: skip
# Wire types that a choice may use although the tool has another one.
_SPELT: Final = frozenset(_TYPES) - frozenset(_HABITS.values())
# Wire type used to choose a tool: the older one for web search is accepted whatever type the tool has.
_CHOICES: Final[Mapping[str, str]] = MappingProxyType(
    {"web_search": "web_search_preview", "code_execution": "code_interpreter"}
)
_SEARCH_MEMBERS: Final = frozenset({"type", "filters", "user_location", "search_context_size"})
_PLACED: Final = frozenset({"context_size", "user_location"})
# Members of `filters`. The official types have only the first, so abroad only that is written.
_DOMAINS: Final = ("allowed_domains", "blocked_domains")
# The default container of a code interpreter.
_AUTOMATIC: Final[Mapping[str, Any]] = MappingProxyType({"type": "auto"})


def decode_server_tool(wire: dict[str, Any]) -> dict[str, Any] | None:
    """Decode a web search or code interpreter tool; None for any other tool."""
    word = wire.get("type")
    kind = _TYPES.get(word) if type(word) is str else None
    if kind is None:
        return None
    tool: dict[str, Any] = {"type": kind}
    left = Unmapped()
    if word != _HABITS[kind]:
        left.spelling["type"] = word
    if kind == "web_search":
        _read_search(tool, wire, left)
    else:
        left.fields |= {name: value for name, value in wire.items() if name != "type"}
        if wire.get("container") == _AUTOMATIC:
            del left.fields["container"]
        elif "container" not in wire:
            left.absent("container")
    left.attach(tool, DIALECT)
    return tool


def _read_search(tool: dict[str, Any], wire: dict[str, Any], left: Unmapped) -> None:
    """Read the members of a web search."""
    left.fields |= rest(wire, _SEARCH_MEMBERS)
    read_text(tool, "context_size", wire, "search_context_size", left)
    if "user_location" in wire:
        read_location(tool, wire["user_location"], left)
    filters = wire.get("filters")
    if type(filters) is dict:
        said = cast("dict[str, Any]", filters)
        nested = Unmapped()
        taken = {name for name in _DOMAINS if name in said and read_domains(tool, name, said[name], name, nested)}
        if taken:
            others = rest(said, frozenset(taken))
            others |= dict.fromkeys(nested.spelling.get("null", ()))
            left.keep_nested("filters", others)
            return
    if filters is None and "filters" in wire:
        left.null("filters")
    elif "filters" in wire:
        left.fields["filters"] = filters


def encode_server_tool(tool: Mapping[str, Any], path: str, to: Target) -> dict[str, Any]:
    """Return the wire form of a web search or code interpreter tool."""
    kind = tool["type"]
    spelling = own_spelling(tool, DIALECT)
    word = spelling.get("type", "")
    out: dict[str, Any] = {"type": word if _TYPES.get(word) == kind else _HABITS[kind]}
    domains = {name: tool[name] for name in (_DOMAINS if to.home else _DOMAINS[:1]) if name in tool}
    if domains:
        out["filters"] = domains
    if "user_location" in tool:
        out["user_location"] = written_location(tool["user_location"])
    write_context_size(out, tool, path, to)
    report_unplaced(tool, _PLACED | domains.keys(), path, to.log)
    merge_own_extra(out, tool, DIALECT, path, to.log)
    if kind == "code_execution" and "container" not in out and "container" not in spelling.get("absent", ()):
        out["container"] = dict(_AUTOMATIC)
    return out


def decode_server_tool_choice(word: str, tools: Any, left: Unmapped) -> dict[str, Any] | None:
    """Decode a tool choice by type; None if no such tool is offered, or a type alone cannot choose it.

    The canonical choice names the tool by its canonical type, a client tool by its own type.
    """
    from interlingua.rooms.openai_responses.client_tools import function_of_client_tool  # noqa: PLC0415  # few requests choose so

    offered = [tool for tool in tools if type(tool) is dict] if type(tools) is list else []
    name = _TYPES.get(word, word)
    if any(tool.get("name") == name for tool in offered):
        return None
    for tool in offered:
        known = tool.get("type")
        if known == word and (word in _TYPES or function_of_client_tool(tool) is not None):
            return {"mode": "named", "name": name}
        if type(known) is str and _TYPES.get(known) == name and word in _SPELT:
            left.spelling["type"] = word
            return {"mode": "named", "name": name}
    return None


def write_server_tool_choice(out: dict[str, Any], request: Any, to: Target, *, by_word: bool) -> None:
    """Write the choice of a tool that is chosen by its type; `by_word`: the provider cannot force a single one."""
    choice = request.get("tool_choice")
    if choice is None or choice["mode"] != "named" or "kind" in choice:
        return
    name = choice["name"]
    tools: Any = out.get("tools", ())
    if any(tool.get("name") == name for tool in tools if type(tool) is dict):
        return
    for tool in tools:
        known = tool.get("type") if type(tool) is dict else None
        if type(known) is str and _TYPES.get(known, known) == name:
            if by_word:
                out["tool_choice"] = "required"
                if len(tools) > 1:
                    detail = "a tool that the server runs cannot be named: any tool must be called instead"
                    to.log.changed("setting", "/tool_choice", detail)
                return
            habit = known if to.home else _CHOICES.get(name, known)
            spelt = own_spelling(request, DIALECT).get("type", "")
            out["tool_choice"] = {"type": spelt if _TYPES.get(spelt) == name else habit}
            return
