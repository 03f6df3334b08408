"""A small MCP server with one resource, for the agent of `agent_loop.py`. It speaks over stdin and stdout."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("docs")


@server.resource("docs://style", mime_type="text/plain")
def style() -> str:
    """Return how answers shall be written."""
    return "Answer in one short sentence."


if __name__ == "__main__":
    server.run()
