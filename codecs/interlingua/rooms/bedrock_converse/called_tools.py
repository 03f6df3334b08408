"""Declare the tools of earlier calls if the request offers none: Converse refuses such a conversation otherwise.

Source: docs/wire/bedrock_converse.md, section 1.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.rooms._shared.names import acceptable_64, sanitized_name
from interlingua.rooms.bedrock_converse.tables import CALLED_TOOL, DIALECT, NAME_LIMIT
from interlingua.rooms.bedrock_converse.thinking import FIELDS, NO_CALL

if TYPE_CHECKING:
    from interlingua.rooms._shared.writing import Target


def name_called_tools(out: dict[str, Any], request: Any, to: Target, *, is_claudes: bool) -> None:
    """Declare the tools that a request's tool calls name, which Claude then may not call; only used abroad."""
    called = dict.fromkeys(call["name"] for message in request["messages"] for call in message.get("tool_calls", ()))
    if not called:
        return
    place = f"/extra/{DIALECT}" if "tools" in request else "/tools"
    to.log.filled(place, "a conversation with calls is refused without tools: the tools that were called were added")
    out["toolConfig"] = {"tools": [{"toolSpec": {"name": _written_name(name, to), **CALLED_TOOL}} for name in called]}
    if is_claudes:
        out[FIELDS] = {**out.get(FIELDS, {}), "tool_choice": {**NO_CALL}}
        to.log.filled("/tool_choice", "the request offers no tool: none may be called")


def no_call_instruction(out: dict[str, Any], choice: Any) -> str | None:
    """Return an instruction to call no tool, if the tools of earlier calls are sent although none may be called."""
    forbids = choice is not None and choice["mode"] == "none" and "toolConfig" in out
    return "Answer without a call of a tool." if forbids else None


def _written_name(name: str, to: Target) -> str:
    """Return the name of a tool as it is written in its calls."""
    return name if name in to.log.own_names or acceptable_64(name) else sanitized_name(name, NAME_LIMIT)
