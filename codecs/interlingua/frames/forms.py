"""What a frame is, and the form in which each dialect streams."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DONE", "Form", "Frame", "Wire", "wire_of"]

Form: TypeAlias = Literal["sse", "ndjson", "json_array"]
Frame: TypeAlias = dict[str, Any] | str

DONE: Final = "[DONE]"


@dataclass(frozen=True, slots=True)
class Wire:
    """How a dialect streams: the form, and whether each SSE event is named as its data's `type`."""

    form: Form = "sse"
    is_named: bool = False


_UNNAMED: Final = Wire()
_WIRES: Final[Mapping[str, Wire]] = MappingProxyType(
    {
        "claude": Wire(is_named=True),
        "openai_responses": Wire(is_named=True),
        "ollama": Wire("ndjson"),
    }
)


def wire_of(dialect: str) -> Wire:
    """Return how a dialect streams: SSE without names, unless the table says otherwise."""
    return _WIRES.get(dialect, _UNNAMED)
