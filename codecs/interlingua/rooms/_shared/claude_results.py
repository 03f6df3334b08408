"""Recognize Claude's result blocks of server tools by their type."""

from __future__ import annotations

from typing import Any, Final

RESULT_OF: Final = "_tool_result"
"""The suffix of their types, behind the name of the tool."""


def is_server_result(kind: Any) -> bool:
    """Tell whether a type is a server tool's result: `web_search_tool_result`, but not the client's `tool_result`."""
    return type(kind) is str and kind.endswith(RESULT_OF)
