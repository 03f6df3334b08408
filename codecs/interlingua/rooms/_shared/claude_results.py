"""The blocks of Claude's that hold what a tool of the provider gave, told from all others by their type."""

from __future__ import annotations

from typing import Any, Final

RESULT_OF: Final = "_tool_result"
"""What their types end with, behind the name of the tool."""


def is_server_result(kind: Any) -> bool:
    """Tell whether a type is that of such a block: `web_search_tool_result`, but not the client's `tool_result`."""
    return type(kind) is str and kind.endswith(RESULT_OF)
