"""An MCP server with resources of every kind, good and bad. `python mcp_resources.py` serves it over stdio."""

from __future__ import annotations

import base64
import os
from typing import Any, Final

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, BlobResourceContents, ReadResourceResult, TextResourceContents

PICTURE: Final = b"\x89PNG\r\n\x1a\n" + bytes(16)
SECRET: Final = "what-the-server-says"  # noqa: S105  # what must not be repeated
API: Final = "# API\nGET /users returns the users."


class Reads:
    """The resources of one server, and how often each was read; `is_broken` makes all of them fail."""

    def __init__(self) -> None:
        self.count: dict[str, int] = {}
        self.is_broken = False

    async def read(self, _context: Any, params: Any) -> ReadResourceResult:
        """Answer one request."""
        uri = str(params.uri)
        self.count[uri] = self.count.get(uri, 0) + 1
        if self.is_broken or uri == "docs://broken":
            raise MCPError(INTERNAL_ERROR, SECRET)
        return ReadResourceResult(contents=await self._contents(uri))

    async def _contents(self, uri: str) -> list[TextResourceContents | BlobResourceContents]:
        match uri:
            case "docs://never":
                await anyio.sleep_forever()
            case "docs://gone":
                os._exit(3)
            case "docs://nothing":
                return []
            case "docs://parts":
                return [text("docs://parts/1", "one"), text("docs://parts/2", "two", "text/markdown")]
            case "docs://mixed":
                return [text("docs://mixed/1", "one"), blob("docs://mixed/2", base64.b64encode(PICTURE).decode())]
            case "docs://twice":
                return [text(uri, f"read {self.count[uri]}"), blob(uri, base64.b64encode(PICTURE).decode())]
            case "docs://picture":
                return [blob(uri, base64.b64encode(PICTURE).decode())]
            case "docs://moved":
                return [text("docs://here", "moved")]
            case "docs://bad":
                return [blob(uri, "no base64!")]
            case _:
                pass
        texts = {
            "docs://api": API,
            "docs://empty": "",
            "docs://huge": "x" * 100_000,
            "docs://long": "word " * 10_000,
            "docs://count": f"read {self.count[uri]}",
            "db://schema": "CREATE TABLE users (id INTEGER)",
        }
        if uri not in texts:
            raise MCPError(INVALID_PARAMS, SECRET)
        return [text(uri, texts[uri], "text/markdown" if uri == "docs://api" else "text/plain")]


def text(uri: str, content: str, mime_type: str = "text/plain") -> TextResourceContents:
    """Return a text."""
    return TextResourceContents(uri=uri, text=content, mime_type=mime_type)


def blob(uri: str, content: str) -> BlobResourceContents:
    """Return bytes, in base64."""
    return BlobResourceContents(uri=uri, blob=content, mime_type="image/png")


def make_server(reads: Reads) -> Server[Any]:
    """Return a server of these resources."""
    return Server("demo", version="1.0.0", on_read_resource=reads.read)


async def serve() -> None:
    """Serve over stdio."""
    server = make_server(Reads())
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(serve)
