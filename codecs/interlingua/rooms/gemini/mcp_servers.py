"""The servers of MCP of a request of Gemini's: `mcpServers` of a tool. Source: docs/wire/gemini.md, section 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.mcp_servers import McpServer, own_tools, says
from interlingua.rooms.gemini.tables import DIALECT

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatRequest

_NAMES: Final = ("mcpServers", "mcp_servers")
_TRANSPORTS: Final = ("streamableHttpTransport", "streamable_http_transport")
_SERVER: Final = frozenset({"name", *_TRANSPORTS})
_TRANSPORT: Final = frozenset({"url", "headers"})


def servers_of(request: ChatRequest) -> list[McpServer]:
    """Return the servers of tools that name one each."""
    found = (_read(at, data) for at, data in own_tools(request, DIALECT) if len(data) == 1)
    return [server for server in found if server is not None]


def without_servers(request: ChatRequest, places: set[int]) -> ChatRequest:  # noqa: ARG001  # as all rooms have it
    """Return the request: its tools alone name servers."""
    return request


def _read(at: int, data: dict[str, Any]) -> McpServer | None:
    servers: Any = next((data[name] for name in _NAMES if name in data), None)
    server = servers[0] if type(servers) is list and len(servers) == 1 else None
    if type(server) is not dict:
        return None
    transport: Any = next((server[name] for name in _TRANSPORTS if name in server), None)
    if type(transport) is not dict or type(server.get("name")) is not str or type(transport.get("url")) is not str:
        return None
    headers: Any = transport.get("headers")
    held = headers if type(headers) is dict else None
    is_whole = not (says(server, _SERVER) or says(transport, _TRANSPORT)) and held is headers
    return McpServer(at, 0, server["name"], transport["url"], headers=held, is_whole=is_whole)
