"""Canonical to Ollama: tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.arguments import arguments_object
from interlingua.dialects._shared.extra import lay_own, own_bag
from interlingua.dialects.ollama.tables import DIALECT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import ToolCall


_NOTHING: Final[Mapping[str, Any]] = {}


def plain_calls(calls: list[ToolCall]) -> list[dict[str, Any]] | None:
    """Return the wire form of the calls of a request, or None where any is more than a name, arguments and an id."""
    out: list[dict[str, Any]] = []
    for call in calls:
        arguments: Any = call["arguments"]
        if type(arguments) is str:
            arguments, faithful = arguments_object(arguments)
            if not faithful:
                return None
        if len(call) == 3 and "id" in call:
            out.append({"id": call["id"], "function": {"name": call["name"], "arguments": arguments}})
        elif len(call) == 2:
            out.append({"function": {"name": call["name"], "arguments": arguments}})
        else:
            return None
    return out


def encode_call(call: ToolCall, path: str, position: int, to: Target) -> dict[str, Any]:
    """Return the wire form of a tool call. An answer numbers its calls."""
    bag = own_bag(call, DIALECT)
    spelling = bag.get("spelling", _NOTHING)
    out: dict[str, Any] = {}
    if "type" in spelling:
        out["type"] = "function"
    if "id" in call:
        out["id"] = call["id"]
    function: dict[str, Any] = {}
    numbered = "index" not in spelling.get("absent", ()) if to.answer else "index" in spelling
    if numbered and "index" not in bag.get("fields", _NOTHING).get("function", _NOTHING):
        function["index"] = position
    function["name"] = call["name"]
    _write_arguments(function, call, spelling, path, to)
    out["function"] = function
    for name in ("call_id", "cache"):
        if name in call:
            to.log.lost("member" if name == "call_id" else "cache", f"{path}/{name}", "no place in a call")
    lay_own(out, call, DIALECT, path, to.log)
    return out


def _write_arguments(
    function: dict[str, Any], call: ToolCall, spelling: Mapping[str, Any], path: str, to: Target
) -> None:
    arguments = call["arguments"]
    form = spelling.get("arguments")
    if call.get("kind") == "custom":
        function["arguments"] = {"input": arguments}
        to.log.changed("arguments", f"{path}/arguments", "free text becomes an object with the member input")
        to.log.changed("arguments", f"{path}/kind", "every call has an object")
    elif type(arguments) is str:
        if form == "text":
            function["arguments"] = arguments
            return
        function["arguments"], faithful = arguments_object(arguments)
        if not faithful:
            to.log.changed("arguments", f"{path}/arguments", "the text is not faithfully an object")
    elif arguments or form not in {"absent", "null"}:
        function["arguments"] = arguments
    elif form == "null":
        function["arguments"] = None
