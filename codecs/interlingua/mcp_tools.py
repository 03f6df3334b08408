"""Servers of MCP that a provider asks itself, for another provider that does so, too.

The schema has no kind of its own for them: they stand in a request as tools, or members, of one dialect alone. What
their tools have given is text in later requests (`opaque_as_text`).
Source: docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.fetch_tools import SENT, with_fetch_tools
from interlingua.pointers import pointer
from interlingua.registry import room

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest
    from interlingua.spi.descriptor import Descriptor

__all__ = ["with_served_tools"]

_NOT_WHOLE: Final = "the target's own tool of this kind lacks some of its members"


def with_served_tools(request: ChatRequest, source: Descriptor | None, target: Descriptor, log: LossLog) -> ChatRequest:
    """Return a request that offers the target's own tools for those that the provider of another dialect runs."""
    if source is not None and source.names_servers and target.takes_servers:
        request = _with_servers(request, source, target, log)
    return with_fetch_tools(request, target, log)


def _with_servers(request: ChatRequest, source: Descriptor, target: Descriptor, log: LossLog) -> ChatRequest:
    """Return a request that offers servers of MCP as the target does, the same where there is none.

    One stays behind, as all tools do that only its own dialect has, where the target cannot say which of its tools are
    offered, or knows no such name, and where no tool may be called.
    """
    choice: Any = request.get("tool_choice")
    if choice is not None and choice["mode"] == "none":
        return request
    reader: Any = room(source.dialect)
    writer: Any = room(target.dialect)
    tools: list[Any] = [*request.get("tools", ())]
    taken: set[str] = set()
    places: set[int] = set()
    for server in reader.servers_of(request):
        data = writer.tool_of_server(server)
        if data is None or server.tools == () or server.name.lower() in taken:
            continue
        taken.add(server.name.lower())
        places.add(server.place)
        tool = {"type": "opaque", "dialect": target.dialect, "data": data}
        at = len(tools) if server.at is None else server.at
        tools[at:] = [tool, *tools[at + 1 :]]
        if server.at is None:
            log.filled(f"/tools/{at}", "the target declares MCP servers as tools: one was added")
            if not server.is_whole:
                log.lost("extra", f"/extra{pointer(source.dialect)}", _NOT_WHOLE)
        else:
            log.changed("tool", f"/tools/{at}", SENT)
            if not server.is_whole:
                log.lost("tool", f"/tools/{at}/data", _NOT_WHOLE)
    if not taken:
        return request
    return cast("ChatRequest", {**reader.without_servers(request, places), "tools": tools})
