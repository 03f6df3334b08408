"""Server tools, web search and code execution: what their wire forms have in common."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.reading import TEXT, take

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.writing import Target
    from interlingua.spi.reading import Setting, Unmapped

SERVED: Final = frozenset({"web_search", "code_execution"})
"""The canonical types of server tools."""
LOCATION: Final[Mapping[str, Setting]] = MappingProxyType(
    {name: (name, TEXT) for name in ("city", "region", "country", "timezone")}
)
_APPROXIMATE: Final = "approximate"
_CONTEXT_SIZES: Final = frozenset({"low", "medium", "high"})
_OF_TOOL: Final = frozenset({"type", "extra", "cache"})


def read_domains(tool: dict[str, Any], name: str, wire: Any, key: str, left: Unmapped) -> bool:
    """Read a list of domains into a member of a tool; return whether it is valid. Null counts as absent."""
    if wire is None:
        left.null(key)
    elif type(wire) is list and all(type(one) is str for one in wire):
        tool[name] = wire
    else:
        return False
    return True


def read_location(tool: dict[str, Any], wire: Any, left: Unmapped) -> None:
    """Read `user_location`: `{"type": "approximate", "city": ...}`. Any other shape stays a leftover."""
    if wire is None:
        left.null("user_location")
    elif type(wire) is dict and wire.get("type") == _APPROXIMATE:
        tool["user_location"], others = take(wire, LOCATION)
        del others["type"]
        left.keep_nested("user_location", others)
    else:
        left.fields["user_location"] = wire


def written_location(location: Mapping[str, Any]) -> dict[str, Any]:
    """Return the wire form of a user's location."""
    return {"type": _APPROXIMATE, **location}


def report_unplaced(tool: Mapping[str, Any], placed: frozenset[str], path: str, log: LossLog) -> None:
    """Report members of a tool that the target's own tool of this kind does not have."""
    for name in tool:
        if name not in placed and name not in _OF_TOOL:
            log.lost("tool", f"{path}/{name}", f"the provider's own tool takes no {name}")
    if "cache" in tool and "cache" not in placed:
        log.lost("cache", f"{path}/cache", "cache marks are not allowed on the provider's own tools")


def write_context_size(out: dict[str, Any], tool: Mapping[str, Any], path: str, to: Target) -> None:
    """Write how much of the search results the model reads, as OpenAI's `search_context_size`."""
    if "context_size" not in tool:
        return
    if to.home or tool["context_size"] in _CONTEXT_SIZES:
        out["search_context_size"] = tool["context_size"]
    else:
        to.log.lost("tool", f"{path}/context_size", "search_context_size must be low, medium or high")
