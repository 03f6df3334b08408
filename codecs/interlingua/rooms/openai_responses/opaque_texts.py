"""Writes items of tools that the provider ran as text for other dialects: calls and results.

Source: docs/wire/openai_responses.md, section 1.1; docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.rooms._shared.server_calls import fenced
from interlingua.rooms._shared.tool_texts import called, outcome, source_line, tool_of_mcp
from interlingua.rooms._shared.writing import PARAGRAPH_BREAK
from interlingua.rooms.openai_responses.client_tools import names_of_tools
from interlingua.rooms.openai_responses.tables import CUSTOM_CALL, CUSTOM_RESULT
from interlingua.spi.opaque_text import OpaqueText
from interlingua.tool_arguments import exact_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Item: TypeAlias = Mapping[str, Any]

_REQUEST: Final = "mcp_approval_request"
_RESPONSE: Final = "mcp_approval_response"
_SOURCES: Final = "sources"
_QUERIES: Final = "queries"
_FAILED: Final = "failed"


def texts_of_opaque(items: Sequence[Any]) -> list[OpaqueText | None]:
    """Return the texts of opaque items, None for those of which nothing can be read."""
    known: list[Item] = [item if type(item) is dict else {} for item in items]
    requests = {item["id"]: item for item in known if item.get("type") == _REQUEST and type(item.get("id")) is str}
    return [_text_of(item, requests) for item in known]


def _text_of(item: Item, requests: Mapping[str, Item]) -> OpaqueText | None:
    kind = item.get("type")
    if kind == _RESPONSE:
        asked = item.get("approval_request_id")
        return OpaqueText(_decision(item, requests.get(asked, {}) if type(asked) is str else {}), "user")
    reader = _READERS.get(kind) if type(kind) is str else None
    texts = [] if reader is None else [text for text in reader(item) if text is not None]
    if not texts:
        return None
    return OpaqueText(PARAGRAPH_BREAK.join(texts), omits="state" if "fingerprint" in item else None)


def _decision(item: Item, request: Item) -> str:
    """Return what the user has decided about a call of an MCP server."""
    name, reason = request.get("name"), item.get("reason")
    call = f"The call of {tool_of_mcp(name, request.get('server_label'))}" if type(name) is str else "The call"
    said = f"{call} is {'approved' if item.get('approve') is True else 'refused'}."
    return f"{said} {reason}" if type(reason) is str and reason else said


def _read_approval_request(item: Item) -> list[str | None]:
    return [_mcp_call(item, "Asked for approval to call")]


def _read_mcp_call(item: Item) -> list[str | None]:
    return [_mcp_call(item, "Called"), _result(item, item.get("output"), item.get("error"))]


def _mcp_call(item: Item, said: str) -> str | None:
    name = item.get("name")
    if type(name) is not str:
        return None
    return called(tool_of_mcp(name, item.get("server_label")), item.get("arguments"), said)


def _result(item: Item, output: Any, error: Any = None) -> str | None:
    """Return the output of an item, or its error; None if it has neither."""
    if error is None and item.get("status") == _FAILED and not output:
        error = _FAILED
    if error is not None:
        return outcome(_text_of_error(error), is_error=True)
    return outcome(output) if type(output) is str else None


def _text_of_error(error: Any) -> str:
    """Return the text of an error of MCP: a text, or an object with a message or the content of a result."""
    said = error.get("message", error.get("content", error.get("type"))) if type(error) is dict else error
    if type(said) is list:
        return "\n".join(one["text"] for one in said if type(one) is dict and type(one.get("text")) is str)
    return said if type(said) is str else _FAILED


def _read_web_search(item: Item) -> list[str | None]:
    action = item.get("action")
    if type(action) is not dict or not action:
        return []
    asked = {name: value for name, value in action.items() if name not in {"type", _SOURCES} and value is not None}
    several = asked.get(_QUERIES)
    if type(several) is list and asked.get("query") in several:
        del asked["query" if len(several) > 1 else _QUERIES]
    kind = action.get("type")
    name = kind if type(kind) is str and kind != "search" else "web_search"
    found = action.get(_SOURCES) or item.get("results")
    if not found or type(found) is not list:
        return [called(name, asked), _result(item, None)]
    lines = [source_line(one.get("url"), one.get("title")) for one in found if type(one) is dict]
    return [called(name, asked), _result(item, "\n".join(filter(None, lines)))]


def _read_file_search(item: Item) -> list[str | None]:
    found = item.get("results")
    texts = [_found_text(one) for one in found if type(one) is dict] if type(found) is list else None
    asked = {_QUERIES: item[_QUERIES]} if item.get(_QUERIES) is not None else {}
    return [called("file_search", asked), _result(item, None if texts is None else PARAGRAPH_BREAK.join(texts))]


def _found_text(result: Item) -> str:
    return "\n".join(text for text in (result.get("filename"), result.get("text")) if type(text) is str)


def _read_shell_call(item: Item) -> list[str | None]:
    action = item.get("action")
    commands = action.get("commands") if type(action) is dict else None
    if type(commands) is not list:
        return []
    return [fenced("\n".join(command for command in commands if type(command) is str), "bash")]


def _read_shell_output(item: Item) -> list[str | None]:
    output = item.get("output")
    if type(output) is not list:
        return []
    chunks = [_chunk(one) for one in output if type(one) is dict]
    return [outcome("".join(one if one.endswith("\n") else f"{one}\n" for one in chunks if one))]


def _chunk(chunk: Item) -> str:
    """Return what a command wrote, or how it ended if it wrote nothing."""
    said = "".join(text for text in (chunk.get("stdout"), chunk.get("stderr")) if type(text) is str)
    end = chunk.get("outcome")
    if said or type(end) is not dict:
        return said
    return "timeout" if end.get("type") == "timeout" else f"exit code {exact_text(end.get('exit_code'))}"


def _read_program(item: Item) -> list[str | None]:
    code = item.get("code")
    return [fenced(code, "javascript")] if type(code) is str else []


def _read_program_output(item: Item) -> list[str | None]:
    return [_result(item, item.get("result"))]


def _read_custom_call(item: Item) -> list[str | None]:
    name = item.get("name")
    return [called(name, item.get("input")) if type(name) is str else None]


def _read_custom_result(item: Item) -> list[str | None]:
    return [_result(item, item.get("output"))]


def _read_tool_search(item: Item) -> list[str | None]:
    return [called("tool_search", item.get("arguments"))]


def _read_found_tools(item: Item) -> list[str | None]:
    return [outcome("\n".join(names_of_tools(item.get("tools"))))]


_READERS: Final[Mapping[str, Callable[[Item], list[str | None]]]] = MappingProxyType({
    CUSTOM_CALL: _read_custom_call,  # of xAI
    CUSTOM_RESULT: _read_custom_result,
    "file_search_call": _read_file_search,
    _REQUEST: _read_approval_request,
    "mcp_call": _read_mcp_call,
    "program": _read_program,
    "program_output": _read_program_output,
    "shell_call": _read_shell_call,
    "shell_call_output": _read_shell_output,
    "tool_search_call": _read_tool_search,
    "tool_search_output": _read_found_tools,
    "web_search_call": _read_web_search,
})  # fmt: skip
