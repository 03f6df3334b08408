"""Claude's server tools that other providers have, too: web search and code execution.

Source: docs/wire/claude.md, section 1.3.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.cache_marks import claude_cache_mark
from interlingua.rooms._shared.server_tools import read_domains, read_location, report_unplaced, written_location
from interlingua.rooms.claude.decode_part import decode_cache
from interlingua.rooms.claude.tables import DIALECT
from interlingua.spi.extra import merge_own_extra, own_spelling
from interlingua.spi.reading import Unmapped, read_setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.writing import Target

# Canonical type -> the version written by habit: every model that has the tool accepts it.
_HABITS: Final[Mapping[str, str]] = MappingProxyType(
    {"web_search": "web_search_20250305", "code_execution": "code_execution_20250825"}
)
# Version -> canonical type. An unknown version stays opaque.
_TYPES: Final[Mapping[str, str]] = MappingProxyType({
    **{version: name for name, version in _HABITS.items()},
    "web_search_20260209": "web_search",
    "web_search_20260318": "web_search",
    "code_execution_20250522": "code_execution",
    "code_execution_20260120": "code_execution",
    "code_execution_20260521": "code_execution",
})  # fmt: skip
_DOMAINS: Final = ("allowed_domains", "blocked_domains")
_PLACED: Final = frozenset({*_DOMAINS, "max_uses", "user_location", "cache"})
_MAX_USES: Final = ("max_uses", (int,))


def decode_server_tool(wire: dict[str, Any]) -> dict[str, Any] | None:
    """Decode a web search or code execution tool; None for any other tool."""
    version = wire.get("type")
    kind = _TYPES.get(version) if type(version) is str else None
    if kind is None or wire.get("name") != kind:
        return None
    tool: dict[str, Any] = {"type": kind}
    left = Unmapped()
    if version != _HABITS[kind]:
        left.spelling["type"] = version
    for key, value in wire.items():
        if kind == "web_search" and key in _DOMAINS and read_domains(tool, key, value, key, left):
            continue
        if kind == "web_search" and key == "user_location":
            read_location(tool, value, left)
        elif kind == "web_search" and key == "max_uses":
            read_setting(tool, key, value, _MAX_USES, left)
        elif key not in {"type", "name", "cache_control"}:
            left.fields[key] = value
    decode_cache(tool, wire, left)
    left.attach(tool, DIALECT)
    return tool


def encode_server_tool(tool: Mapping[str, Any], path: str, to: Target) -> dict[str, Any]:
    """Return the wire form of a web search or code execution tool."""
    kind = tool["type"]
    version = own_spelling(tool, DIALECT).get("type", "")
    out: dict[str, Any] = {"type": version if _TYPES.get(version) == kind else _HABITS[kind], "name": kind}
    for name in (*_DOMAINS, "max_uses"):
        if name in tool:
            out[name] = tool[name]
    if not to.home and "allowed_domains" in out and "blocked_domains" in out:
        del out["blocked_domains"]
        detail = "allowed_domains and blocked_domains cannot both be sent: allowed_domains is kept"
        to.log.lost("tool", f"{path}/blocked_domains", detail)
    if "user_location" in tool:
        out["user_location"] = written_location(tool["user_location"])
    if "cache" in tool:
        out["cache_control"] = claude_cache_mark(tool["cache"], f"{path}/cache", to)
    report_unplaced(tool, _PLACED, path, to.log)
    merge_own_extra(out, tool, DIALECT, path, to.log)
    return out
