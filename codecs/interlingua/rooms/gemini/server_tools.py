"""Google's server tools that other providers have, too: Google Search and code execution.

Source: docs/wire/gemini.md, section 1.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.server_tools import read_domains, report_unplaced
from interlingua.rooms.gemini.snake_case import SEARCH, TOOL, with_camel_case, with_snake_case
from interlingua.rooms.gemini.tables import DIALECT
from interlingua.spi.extra import merge_own_extra, own_spelling
from interlingua.spi.reading import Unmapped, rest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.writing import Target

_TYPES: Final[Mapping[str, str]] = MappingProxyType({"googleSearch": "web_search", "codeExecution": "code_execution"})
_HABITS: Final[Mapping[str, str]] = MappingProxyType({name: word for word, name in _TYPES.items()})
_EXCLUDED: Final = frozenset({"excludeDomains"})
_PLACED: Final = frozenset({"blocked_domains"})


def decode_server_tool(wire: dict[str, Any]) -> dict[str, Any] | None:
    """Decode a Tool object that holds nothing but a search or a code execution; None for any other."""
    left = Unmapped()
    members = with_camel_case(wire, TOOL, left)
    word = next(iter(members), "")
    settings = members.get(word)
    if len(members) != 1 or word not in _TYPES or type(settings) is not dict:
        return None
    tool: dict[str, Any] = {"type": _TYPES[word]}
    settings = with_camel_case(cast("dict[str, Any]", settings), SEARCH, left) if word == "googleSearch" else settings
    if word == "googleSearch":
        read_domains(tool, "blocked_domains", settings.get("excludeDomains"), "excludeDomains", Unmapped())
    left.keep_nested(word, rest(settings, _EXCLUDED if "blocked_domains" in tool else frozenset()))
    left.attach(tool, DIALECT)
    return tool


def encode_server_tool(tool: Mapping[str, Any], path: str, to: Target) -> dict[str, Any]:
    """Return the Tool object of a web search or code execution tool."""
    settings = {"excludeDomains": tool["blocked_domains"]} if "blocked_domains" in tool else {}
    out: dict[str, Any] = {_HABITS[tool["type"]]: settings}
    report_unplaced(tool, _PLACED, path, to.log)
    merge_own_extra(out, tool, DIALECT, path, to.log)
    spelling = own_spelling(tool, DIALECT)
    return with_snake_case(out, spelling["snake"], TOOL) if "snake" in spelling else out
