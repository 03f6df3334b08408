"""What a room's face imports when it is first asked for: streams and rules, which most requests never need.

Type checkers see the same names imported under `TYPE_CHECKING`. Source: PEP 562.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

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

    def __getattr__(name: str) -> Any:  # noqa: N807  # it becomes the module's own
        if name not in _MODULES:
            raise AttributeError(f"module {room!r} has no attribute {name!r}", name=name, obj=sys.modules[room])
        function = getattr(import_module(f"{room}.{_MODULES[name]}"), name)
        setattr(sys.modules[room], name, function)
        return function

    return __getattr__
