"""The servers of MCP of a request of Claude's: members of the request, each offered by a toolset, or in an older way.

Source: docs/wire/claude.md, section 1.3; https://platform.claude.com/docs/en/agents-and-tools/mcp-connector
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms._shared.mcp_servers import McpServer, own_tools, says
from interlingua.rooms.claude.tables import DIALECT
from interlingua.spi.extra import own_extra, with_extras

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatRequest

_MEMBER: Final = "mcp_servers"
_SERVER: Final = frozenset({"type", "url", "name", "authorization_token", "tool_configuration"})
_OLDER: Final = frozenset({"enabled", "allowed_tools"})
_SWITCH: Final = frozenset({"enabled"})
_TOOLSET: Final = frozenset({"type", "mcp_server_name", "default_config", "configs"})


def servers_of(request: ChatRequest) -> list[McpServer]:
    """Return the servers whose tools are all offered, or those of a list of names."""
    toolsets: dict[str, tuple[int, dict[str, Any]]] = {}
    for at, data in own_tools(request, DIALECT):
        if data.get("type") == "mcp_toolset" and type(data.get("mcp_server_name")) is str:
            toolsets.setdefault(data["mcp_server_name"], (at, data))
    found = (_read(place, server, toolsets) for place, server in enumerate(_named(request)))
    return [server for server in found if server is not None]


def without_servers(request: ChatRequest, places: set[int]) -> ChatRequest:
    """Return a request whose member names the servers at these places no longer."""
    kept = [server for place, server in enumerate(_named(request)) if place not in places]
    bag = own_extra(request, DIALECT)
    fields: dict[str, Any] = {**bag["fields"], _MEMBER: kept}
    if not kept:
        del fields[_MEMBER]
    return cast("ChatRequest", with_extras(request, {DIALECT: {**bag, "fields": fields}}))


def _named(request: ChatRequest) -> list[Any]:
    fields = own_extra(request, DIALECT).get("fields")
    servers = fields.get(_MEMBER) if type(fields) is dict else None
    return servers if type(servers) is list else []


def _read(place: int, server: Any, toolsets: dict[str, tuple[int, dict[str, Any]]]) -> McpServer | None:
    """Return what is said of a server; None where it is switched off, or some of its tools are and others are not."""
    if type(server) is not dict or server.get("type") != "url":
        return None
    name, url, token = server.get("name"), server.get("url"), server.get("authorization_token") or ""
    if type(name) is not str or type(url) is not str or type(token) is not str:
        return None
    at, toolset = toolsets.get(name, (None, {}))
    allowed = _all_or_named(toolset)
    older: Any = server.get("tool_configuration") or {}
    if allowed is False or type(older) is not dict or older.get("enabled") is False:
        return None
    if type(older.get("allowed_tools")) is list:
        allowed = [one for one in older["allowed_tools"] if type(one) is str and (allowed is None or one in allowed)]
    is_whole = not (
        says(server, _SERVER) or says(older, _OLDER) or says(toolset, _TOOLSET) or _has_other_settings(toolset)
    )
    names = None if allowed is None else tuple(allowed)
    return McpServer(at, place, name, url, token, tools=names, is_whole=is_whole)


def _has_other_settings(toolset: dict[str, Any]) -> bool:
    """Tell whether a toolset says more of its tools than which are offered, such as which are loaded late."""
    configs = [toolset.get("default_config"), *(toolset.get("configs") or {}).values()]
    return any(says(one, _SWITCH) for one in configs if type(one) is dict)


def _all_or_named(toolset: dict[str, Any]) -> Any:
    """Return the names of the tools that a toolset offers, None for all of them, and False where only some are not."""
    default: Any = toolset.get("default_config") or {}
    configs: Any = toolset.get("configs") or {}
    if type(default) is not dict or type(configs) is not dict:
        return False
    switched = {name: one.get("enabled") for name, one in configs.items() if type(one) is dict}
    if default.get("enabled") is False:
        return [name for name, is_on in switched.items() if is_on is True]
    return False if False in switched.values() else None
