"""Servers of MCP that a provider asks itself: what its dialect says of one.

Source: docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class McpServer(NamedTuple):
    """A server of MCP whose tools the provider offers and runs, without asking anybody.

    `at`: the place of the tool that offers it; None where a member of the request alone names it. `place`: its place in
    that member. `tools`: the names of those that are offered; None for all. `is_whole`: whether that is all of it.
    """

    at: int | None
    place: int
    name: str
    url: str
    token: str = ""
    headers: Mapping[str, Any] | None = None
    tools: tuple[str, ...] | None = None
    is_whole: bool = True


def own_tools(request: Any, dialect: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the tools of a request that only this dialect has, each with its place."""
    for at, tool in enumerate(request.get("tools", ())):
        if tool["type"] == "opaque" and tool["dialect"] == dialect and type(tool["data"]) is dict:
            yield at, tool["data"]


def says(held: Mapping[str, Any], names: frozenset[str]) -> bool:
    """Tell whether an object says more than what these members do."""
    return any(value is not None for name, value in held.items() if name not in names)
