"""Recognize Claude's calls and results of server tools by their type."""

from __future__ import annotations

from typing import Any, Final

SERVER_CALLS: Final = frozenset({"server_tool_use", "mcp_tool_use"})
RESULT_OF: Final = "_tool_result"
"""The suffix of their types, behind the name of the tool."""


def is_server_result(kind: Any) -> bool:
    """Tell whether a type is a server tool's result: `web_search_tool_result`, but not the client's `tool_result`."""
    return type(kind) is str and kind.endswith(RESULT_OF)


def is_paused(blocks: Any) -> bool:
    """Tell whether an answer ends in the work of a server tool: its provider paused it (`pause_turn`), and goes on.

    Such an answer stays the last message, for models that refuse a prefill, too. Source:
    https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools, and
    anthropics/anthropic-sdk-python pull 1507.
    """
    last: Any = blocks[-1] if type(blocks) is list and blocks else None
    kind = last.get("type") if type(last) is dict else None
    return kind in SERVER_CALLS or is_server_result(kind)
