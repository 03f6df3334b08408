"""Writes Claude's blocks of server tools and MCP as text for other dialects: calls and results.

Sealed members (`encrypted_content`) are never text. Source: docs/wire/claude.md, section 1.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.rooms._shared.claude_results import is_server_result
from interlingua.rooms._shared.tool_texts import called, outcome, source_line, tool_of_mcp
from interlingua.rooms.claude.server_calls import CALL
from interlingua.spi.opaque_text import OpaqueText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.spi.opaque_text import Omission

_MCP_CALL: Final = "mcp_tool_use"
_SEALED: Final = "encrypted_"  # how the names of sealed members begin


class _Reading(NamedTuple):
    """What can be read of a result."""

    text: str
    omits: Omission | None = None
    is_error: bool = False


def texts_of_opaque(blocks: Sequence[Any]) -> list[OpaqueText | None]:
    """Return the texts of opaque blocks, None for those of which nothing can be read."""
    return [_text_of(block) if type(block) is dict else None for block in blocks]


def _text_of(block: dict[str, Any]) -> OpaqueText | None:
    kind, name = block.get("type"), block.get("name")
    mark: Omission | None = "state" if block.get("cache_control") is not None else None
    if kind in (CALL, _MCP_CALL) and type(name) is str:  # compared with a value of any type
        text = called(tool_of_mcp(name, block.get("server_name")), block.get("input"))
        return None if text is None else OpaqueText(text, omits=mark)
    read = _read_result(block.get("content")) if is_server_result(kind) else None
    if read is None:
        return None
    is_error = read.is_error or block.get("is_error") is True
    return OpaqueText(outcome(read.text, is_error=is_error), omits=read.omits or mark)


def _read_result(content: Any) -> _Reading | None:
    if type(content) is str:
        return _Reading(content)
    if type(content) is list:
        return _read_list(content)
    return _read_object(content) if type(content) is dict else None


def _read_list(content: list[Any]) -> _Reading | None:
    """Read texts, and what a search has found: titles and addresses."""
    texts = [_text_of_item(item) for item in content if type(item) is dict]
    said = [text for text in texts if text is not None]
    if content and not said:
        return None
    is_sealed = any(_is_sealed(item) for item in content if type(item) is dict)
    return _Reading("\n".join(said), "content" if len(said) < len(content) else "state" if is_sealed else None)


def _text_of_item(item: dict[str, Any]) -> str | None:
    text = item.get("text")
    return text if type(text) is str else source_line(item.get("url"), item.get("title"), item.get("page_age"))


def _read_object(content: dict[str, Any]) -> _Reading | None:
    error, found = content.get("error_code"), content.get("tool_references")
    if type(error) is str:
        message = content.get("error_message")
        return _Reading(f"{error}: {message}" if type(message) is str else error, is_error=True)
    if type(content.get("content")) is dict:
        return _read_page(content, content["content"])
    if type(found) is list:
        return _Reading("\n".join(_texts([one.get("tool_name") for one in found if type(one) is dict])))
    if type(content.get("is_file_update")) is bool:
        return _Reading("The file was changed." if content["is_file_update"] else "The file was created.")
    if content.get("file_type", "text") != "text":
        return None
    lines = content.get("lines")
    said = _texts([content.get(name) for name in ("content", "text", "stdout", "stderr")])
    if type(lines) is list:
        said.append("\n".join(_texts(lines)))
    return _Reading("\n".join(filter(None, said)), "state" if _is_sealed(content) else None) if said else None


def _read_page(content: dict[str, Any], document: dict[str, Any]) -> _Reading | None:
    """Read a fetched page: its title, its address and its text; of a PDF, that it is one."""
    head = [one for one in _texts([document.get("title"), content.get("url")]) if one]
    source: Any = document.get("source")
    source = source if type(source) is dict else {}
    said = source.get("data") if source.get("type") == "text" else source.get("content")
    if type(said) is list:
        said = "\n".join(_texts([one.get("text") for one in said if type(one) is dict]))
    if type(said) is str:
        return _Reading("\n\n".join(("\n".join(head), said)) if head else said)
    kind = source.get("media_type")
    head += [f"({kind}, which is not text)"] if type(kind) is str else []
    return _Reading("\n".join(head), "content") if head else None


def _texts(values: list[Any]) -> list[str]:
    return [value for value in values if type(value) is str]


def _is_sealed(value: dict[str, Any]) -> bool:
    return any(name.startswith(_SEALED) and value[name] is not None for name in value)
