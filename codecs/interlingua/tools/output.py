"""What a tool gives back as JSON that can be stored, sent and loaded again, or the reason why it cannot."""

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
from interlingua.model import AudioPart, FilePart, ImagePart, OpaquePart, TextPart
from interlingua.strict_json import RefusedError, parse
from interlingua.tools.mcp_results import is_mcp_block, is_mcp_result, left_of_mcp, part_of_mcp, tool_result_from_mcp

__all__ = ["Output", "output_of"]

_PARTS: Final = (AudioPart, FilePart, ImagePart, OpaquePart, TextPart)
# Stored messages are read up to 200 levels, and `parse` goes to 250. A message has some of its own around an output.
_LEVELS: Final = 60
FAILED: Final = "The tool failed."
_PLAIN: Final = SchemaSerializer(core_schema.any_schema())


@dataclass(frozen=True, slots=True)
class Output:
    """Plain JSON, and how it is to be read; `value` is None where the tool gave nothing.

    `artifact` is what is for the application alone. `failure` is what a tool that reports a failure, and raises
    nothing, says of it.
    """

    value: Any
    form: Literal["parts"] | None = None
    artifact: Any = None
    failure: str | None = None


def output_of(value: Any, limit: int) -> Output:
    """Return what a tool gave back as JSON of at most `limit` bytes.

    Models, dataclasses, dates, enumerations and the like become what Pydantic makes of them. One part, or a list of
    nothing but parts (`TextPart`, `ImagePart`, ...) and texts between them, stays parts; the content blocks of MCP
    (`TextContent`, ...) become parts. Of the `CallToolResult` of an MCP client the content becomes parts, and what no
    model is told is kept as the artifact.

    Raises:
        ToolOutputError: it is nothing that JSON has, such as NaN, half a surrogate pair, a coroutine or another
            object without a JSON form; it has two names that JSON writes alike; it is nested too deeply; it is too
            large.
    """
    if value is None:
        return Output(None)
    if inspect.iscoroutine(value):
        value.close()  # or Python would warn that nobody has awaited it
    if is_mcp_result(value):
        return _of_mcp(value, limit)
    parts = _parts_of(value)
    form: Literal["parts"] | None = None if parts is None else "parts"
    text = _json_of(value if parts is None else parts)
    if len(text) > limit:
        raise ToolOutputError("too_large", limit=limit, size=len(text))
    return Output(_read(text), form)


def _of_mcp(result: Any, limit: int) -> Output:
    """Return what an MCP client gave back; raises what `output_of` raises.

    Of a failure, the texts that the content begins with say why; only what follows them is the output.
    """
    message = tool_result_from_mcp("", result)
    parts: list[Any] = list(message.content or ())
    failure: str | None = None
    if message.is_error:
        reasons: list[str] = [part.text for part in takewhile(_is_text, parts)]
        failure = "".join(reasons) or FAILED
        parts = parts[len(reasons) :]
    output = output_of(parts, limit) if parts or failure is None else Output(None)
    left = left_of_mcp(message)
    return replace(output, artifact=None if left is None else output_of(left, limit).value, failure=failure)


def _parts_of(value: Any) -> list[Any] | None:
    """Return parts, and texts between them, as parts; None for anything else."""
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
    """Return a part, a text, or a content block of MCP as a part."""
    if isinstance(value, _PARTS):
        return value
    return TextPart(text=value) if isinstance(value, str) else part_of_mcp(value)


def _json_of(value: Any) -> bytes:
    """Return a value as JSON text.

    Raises:
        ToolOutputError: it has none.
    """
    try:
        # Each value is written as what it is, not as what a field was said to hold: no warnings, which show content.
        text = to_json(value, by_alias=True, serialize_as_any=True, inf_nan_mode="constants")
        # A model writes NaN as null without a word; a null is worth a second look.
        is_whole = b"null" not in text or not any(unwritable(_PLAIN.to_python(value, serialize_as_any=True)))
    except (PydanticSerializationError, ValueError, RecursionError):
        is_whole, text = False, b""
    if not is_whole:
        # Outside the handler, so that the traceback has no cause that shows the value.
        raise ToolOutputError("not_json")
    return text


def _read(text: bytes) -> Any:
    """Return JSON as it will be read from a store.

    Raises:
        ToolOutputError: it will not: a number that is none, too many levels, or a member that is said twice.
    """
    try:
        value = parse(b"[" * _LEVELS + text + b"]" * _LEVELS)
    except RefusedError:
        value = None
    if value is None:
        raise ToolOutputError("not_json")
    for _ in range(_LEVELS):
        value = value[0]
    if not _says_all(value, text):
        raise ToolOutputError("repeated_name")
    return value


def _says_all(value: Any, text: bytes) -> bool:
    """Tell whether a value has all members of the text that it was read from: none was said twice."""
    try:
        if b"{" not in text or orjson.dumps(value) == text:
            return True
    except TypeError:  # whole numbers beyond 64 bits
        pass
    try:
        json.loads(text, object_pairs_hook=_unrepeated, parse_int=str, parse_float=str)
    except ValueError:
        return False
    return True


def _unrepeated(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError
