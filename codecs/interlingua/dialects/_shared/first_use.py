"""What a room's face imports when it is first asked for: streams and rules, which most requests never need."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.first_use import on_first_use as part_on_first_use

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# A function of the face -> the module of the room that has it.
_MODULES: Final[Mapping[str, str]] = MappingProxyType({
    "assemble_stream": "stream_assembly",
    "check_request": "rules",
    "decode_stream": "stream_decoder",
    "encode_stream": "stream_encoder",
})  # fmt: skip


def on_first_use(room: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a room's module, which raises `AttributeError` for any other name."""
    return part_on_first_use(room, _MODULES)
