"""Function definitions that replace a provider's client-side tools (such as computer use) in other dialects."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["function_for", "object_schema"]


def object_schema(required: tuple[str, ...], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of an object."""
    return {"type": "object", "properties": {**properties}, "required": [*required]}


def function_for(
    data: Mapping[str, Any], name: str, description: str, parameters: dict[str, Any], size: tuple[str, str]
) -> tuple[dict[str, Any], frozenset[str]]:
    """Return the function for a tool, and the names of the tool's members that its description covers.

    `size` names the members for the width and the height of the tool's screen, in pixels.
    """
    width, height = (data.get(member) for member in size)
    says_size = type(width) is int and type(height) is int
    told = f" The screen has {width} x {height} pixels." if says_size else ""
    function = {
        "type": "function",
        "name": name,
        "description": f"{description}{told}",
        "parameters": deepcopy(parameters),
    }
    return function, frozenset(size) if says_size else frozenset()
