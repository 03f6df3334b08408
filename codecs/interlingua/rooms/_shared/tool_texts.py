"""Texts in requests of other dialects for calls and results of provider-run tools that have no canonical parts.

They read as the calls and results of `calls_as_text` and `server_calls` do.
"""

from __future__ import annotations

from typing import Any

from interlingua.rooms._shared.server_calls import fenced
from interlingua.tool_arguments import UnwritableError, arguments_text


def called(name: str, arguments: Any, said: str = "Called") -> str | None:
    """Return the text of a call of a tool that has no code; None if its arguments cannot be written as JSON."""
    if type(arguments) not in {dict, str}:
        return None
    try:
        return f"{said} {name}: {arguments_text(arguments)}"
    except UnwritableError:
        return None


def tool_of_mcp(name: str, server: Any) -> str:
    """Return how a tool is called in a text: by its name, and that of its MCP server, if it has one."""
    return f"{name} of the MCP server {server}" if type(server) is str else name


def source_line(url: Any, title: Any = None, age: Any = None) -> str | None:
    """Return a line with the title, age and address of a page; None if it has no address."""
    if type(url) is not str:
        return None
    name = f"{title} ({age})" if type(title) is str and type(age) is str else title
    return f"{name}: {url}" if type(name) is str and name else url


def outcome(text: str, *, is_error: bool = False) -> str:
    """Return the text of the output of a tool."""
    return fenced(text, "error" if is_error else "output")
