"""A server of MCP as a tool of Responses. Source: docs/wire/openai_responses.md, section 1."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from interlingua.rooms._shared.mcp_servers import McpServer

_LABEL: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def tool_of_server(server: McpServer) -> dict[str, Any] | None:
    """Return the tool that offers a server, whose calls nobody is asked to approve; None where its name is no label."""
    if _LABEL.fullmatch(server.name) is None:
        return None
    tool: dict[str, Any] = {
        "type": "mcp", "server_label": server.name, "server_url": server.url, "require_approval": "never"
    }  # fmt: skip
    if server.tools is not None:
        tool["allowed_tools"] = list(server.tools)
    if server.token:
        tool["authorization"] = server.token
    if server.headers:
        tool["headers"] = dict(server.headers)
    return tool
