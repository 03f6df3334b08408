"""Declare the tools of earlier calls if the request offers none: Converse refuses such a conversation otherwise.

Source: docs/wire/bedrock_converse.md, section 1.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.rooms._shared.names import acceptable_64, sanitized_name
from interlingua.rooms.bedrock_converse.tables import CALLED_TOOL, DIALECT, NAME_LIMIT

if TYPE_CHECKING:
    from interlingua.rooms._shared.writing import Target


def name_called_tools(out: dict[str, Any], request: Any, to: Target) -> None:
    """Declare the tools that a request's tool calls name; only used abroad."""
    called = dict.fromkeys(call["name"] for message in request["messages"] for call in message.get("tool_calls", ()))
    if not called:
        return
    place = f"/extra/{DIALECT}" if "tools" in request else "/tools"
    to.log.filled(place, "a conversation with calls is refused without tools: the tools that were called were added")
    out["toolConfig"] = {"tools": [{"toolSpec": {"name": _written_name(name, to), **CALLED_TOOL}} for name in called]}


def _written_name(name: str, to: Target) -> str:
    """Return the name of a tool as it is written in its calls."""
    return name if name in to.log.own_names or acceptable_64(name) else sanitized_name(name, NAME_LIMIT)
