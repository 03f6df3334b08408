"""The interface for dialect rooms, built-in and third-party: docs/adding-a-dialect.md has a complete example.

A room is any object with the members of `Room`; calling one that it lacks raises `UnsupportedError`. A package adds a
room by an entry point in the group `interlingua.dialects`. `interlingua.spi.testing` checks a room.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from interlingua.errors import DecodeError, DialectError, EncodeError, UnsupportedError
    from interlingua.loss import Loss, LossCode, LossLog
    from interlingua.pointers import pointer
    from interlingua.spi.demands import Demands, Limit
    from interlingua.spi.descriptor import Descriptor, FetchTool, Wire
    from interlingua.spi.extra import merge_extra, merge_own_extra, own_extra, report_foreign
    from interlingua.spi.families import Family
    from interlingua.spi.marks import Marks, NestedCall
    from interlingua.spi.members import Members
    from interlingua.spi.opaque_text import OpaqueText
    from interlingua.spi.reading import Malformed, expect, top_object
    from interlingua.spi.room import Room, StreamReader, StreamWriter
    from interlingua.spi.signs import Shape, Signs
    from interlingua.spi.streams import FrameReader, FrameWriter
    from interlingua.violation import Violation, ViolationCode

_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "interlingua.errors": ("DecodeError", "DialectError", "EncodeError", "UnsupportedError"),
    "interlingua.loss": ("Loss", "LossCode", "LossLog"),
    "interlingua.pointers": ("pointer",),
    "interlingua.violation": ("Violation", "ViolationCode"),
    "interlingua.spi.demands": ("Demands", "Limit"),
    "interlingua.spi.descriptor": ("Descriptor", "FetchTool", "Wire"),
    "interlingua.spi.extra": ("merge_extra", "merge_own_extra", "own_extra", "report_foreign"),
    "interlingua.spi.families": ("Family",),
    "interlingua.spi.marks": ("Marks", "NestedCall"),
    "interlingua.spi.members": ("Members",),
    "interlingua.spi.opaque_text": ("OpaqueText",),
    "interlingua.spi.reading": ("Malformed", "expect", "top_object"),
    "interlingua.spi.room": ("Room", "StreamReader", "StreamWriter"),
    "interlingua.spi.signs": ("Shape", "Signs"),
    "interlingua.spi.streams": ("FrameReader", "FrameWriter"),
}
_HOMES: Final = {name: home for home, names in _NAMES.items() for name in names}

__all__ = [
    "DecodeError",
    "Demands",
    "Descriptor",
    "DialectError",
    "EncodeError",
    "Family",
    "FetchTool",
    "FrameReader",
    "FrameWriter",
    "Limit",
    "Loss",
    "LossCode",
    "LossLog",
    "Malformed",
    "Marks",
    "Members",
    "NestedCall",
    "OpaqueText",
    "Room",
    "Shape",
    "Signs",
    "StreamReader",
    "StreamWriter",
    "UnsupportedError",
    "Violation",
    "ViolationCode",
    "Wire",
    "expect",
    "merge_extra",
    "merge_own_extra",
    "own_extra",
    "pointer",
    "report_foreign",
    "top_object",
]


if not TYPE_CHECKING:
    # Hidden from type checkers: with a module `__getattr__` they would accept any name.

    def __getattr__(name: str) -> Any:
        """Import a public name on first use: rooms import parts of this package, which need none of the others."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
