"""Converts a tool's return value to JSON that can be stored, sent and loaded again."""

from __future__ import annotations

import inspect
import json
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final, Literal, cast

import orjson
from pydantic_core import PydanticSerializationError, SchemaSerializer, core_schema, to_json

from interlingua.errors import ToolOutputError
from interlingua.json_limits import unwritable
from interlingua.model import AudioPart, FilePart, ImagePart, OpaquePart, TextPart, ToolChatMessage, ToolResult
from interlingua.strict_json import RefusedError, parse
from interlingua.tools.mcp_results import (
    is_mcp_block,
    is_mcp_result,
    part_of_mcp,
    tool_result_from_mcp,
    unseen_mcp_data,
)

__all__ = ["Output", "output_of"]

_PARTS: Final = (AudioPart, FilePart, ImagePart, OpaquePart, TextPart)
# Stored messages are read up to 200 levels, and `parse` goes to 250; the message adds levels around an output.
_LEVELS: Final = 60
FAILED: Final = "The tool failed."
_PLAIN: Final = SchemaSerializer(core_schema.any_schema())


@dataclass(frozen=True, slots=True)
class Output:
    """A tool's output as plain JSON, and its form; `value` is None if the tool returned nothing.

    `artifact` is for the application only. `failure` is the message of a tool that reports a failure without raising.
    """

    value: Any
    form: Literal["parts"] | None = None
    artifact: Any = None
    failure: str | None = None


def output_of(value: Any, limit: int) -> Output:
    """Return a tool's return value as JSON of at most `limit` bytes.

    Models, dataclasses, dates, enumerations and the like are serialised by Pydantic. A part, or a list of parts
    (`TextPart`, `ImagePart`, ...) and strings, stays parts; MCP content blocks (`TextContent`, ...) become parts. The
    content of an MCP client's `CallToolResult` becomes parts, and its data that models do not see becomes the artifact.
    Of a `ToolResult` or a tool message the content is the output; if it is marked as an error, the tool has failed.

    Raises:
        ToolOutputError: it has no JSON form (NaN, a lone surrogate, a coroutine or another object); it has two member
            names that are the same in JSON; it is nested too deeply; it is too large.
    """
    if value is None:
        return Output(None)
    if inspect.iscoroutine(value):
        value.close()  # avoids Python's warning about a coroutine that was never awaited
    if isinstance(value, ToolResult):
        return _output_of_result(value.result, limit, is_error=value.is_error)
    if isinstance(value, ToolChatMessage):
        return _output_of_message(value, limit)
    if is_mcp_result(value):
        return _output_of_message(tool_result_from_mcp("", value), limit)
    parts = _parts_of(value)
    form: Literal["parts"] | None = None if parts is None else "parts"
    text = _json_of(value if parts is None else parts)
    if len(text) > limit:
        raise ToolOutputError("too_large", limit=limit, size=len(text))
    return Output(_read(text), form)


def _output_of_message(message: ToolChatMessage, limit: int) -> Output:
    """Return the output for a tool message, its MCP data as the artifact. Raises the errors of `output_of`."""
    content = message.content if message.content is None or isinstance(message.content, str) else list(message.content)
    output = _output_of_result(content, limit, is_error=message.is_error is True)
    left = unseen_mcp_data(message)
    return output if left is None else replace(output, artifact=output_of(left, limit).value)


def _output_of_result(content: str | list[Any] | None, limit: int, *, is_error: bool) -> Output:
    """Return the output for a result, as text or parts. Raises the errors of `output_of`.

    For a failure, the texts at the start of the content are the failure message, and only the rest is the output.
    """
    if not is_error:
        return output_of(content, limit)
    parts = [TextPart(text=content)] if isinstance(content, str) else content or []
    reasons: list[str] = [part.text for part in takewhile(_is_text, parts)]
    rest = parts[len(reasons) :]
    return replace(output_of(rest, limit) if rest else Output(None), failure="".join(reasons) or FAILED)


def _parts_of(value: Any) -> list[Any] | None:
    """Return a part, or a list of parts and strings, as parts; None for anything else."""
    if _is_part(value):
        return [_part(value)]
    if not isinstance(value, (list, tuple)):
        return None
    given = cast("list[Any]", value)
    if not any(map(_is_part, given)) or not all(isinstance(one, str) or _is_part(one) for one in given):
        return None
    return [_part(one) for one in given]


def _is_text(part: Any) -> bool:
    return isinstance(part, TextPart)


def _is_part(value: Any) -> bool:
    return isinstance(value, _PARTS) or is_mcp_block(value)


def _part(value: Any) -> Any:
    """Return a part, a string, or an MCP content block as a part."""
    if isinstance(value, _PARTS):
        return value
    return TextPart(text=value) if isinstance(value, str) else part_of_mcp(value)


def _json_of(value: Any) -> bytes:
    """Return a value as JSON text.

    Raises:
        ToolOutputError: it has no JSON form.
    """
    try:
        # Values are serialised by their actual type, to avoid warnings that show content.
        text = to_json(value, by_alias=True, serialize_as_any=True, inf_nan_mode="constants")
        # Models silently write NaN as null, so a null needs a closer look.
        is_whole = b"null" not in text or not any(unwritable(_PLAIN.to_python(value, serialize_as_any=True)))
    except (PydanticSerializationError, ValueError, RecursionError):
        is_whole, text = False, b""
    if not is_whole:
        # Raised outside the handler, so that the traceback has no cause that shows the value.
        raise ToolOutputError("not_json")
    return text


def _read(text: bytes) -> Any:
    """Return JSON text as it will be read from a store.

    Raises:
        ToolOutputError: it cannot be read: an invalid number, too many levels, or a duplicate member.
    """
    try:
        value = parse(b"[" * _LEVELS + text + b"]" * _LEVELS)
    except RefusedError:
        value = None
    if value is None:
        raise ToolOutputError("not_json")
    for _ in range(_LEVELS):
        value = value[0]
    if not _has_all_members(value, text):
        raise ToolOutputError("repeated_name")
    return value


def _has_all_members(value: Any, text: bytes) -> bool:
    """Tell whether a value has all members of the text that it was read from, so that none was a duplicate."""
    try:
        if b"{" not in text or orjson.dumps(value) == text:
            return True
    except TypeError:  # integers beyond 64 bits
        pass
    try:
        json.loads(text, object_pairs_hook=_unrepeated, parse_int=str, parse_float=str)
    except ValueError:
        return False
    return True


def _unrepeated(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError
