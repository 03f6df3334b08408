"""Lazy imports of a room's public functions: a call needs only one direction of one kind.

Reading the descriptor imports nothing else of the room.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.lazy_imports import lazy_getattr as part_on_first_use

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Public name of a room -> its module.
_MODULES: Final[Mapping[str, str]] = MappingProxyType({
    "FAMILIES": "families",
    "MEMBERS": "members",
    "SIGNS": "detection",
    "assemble_stream": "stream_decoder",
    "check_request": "rules",
    "decode_error": "errors",
    "decode_request": "decode",
    "decode_response": "decode_answer",
    "decode_stream": "stream_decoder",
    "encode_error": "errors",
    "encode_request": "encode",
    "encode_response": "encode_answer",
    "encode_stream": "stream_encoder",
})  # fmt: skip


# The same for those of some rooms.
CARRIED_STATE: Final[Mapping[str, str]] = dict.fromkeys(
    ("CarriedInStream", "with_carried_state", "with_own_state", "without_carried_state"), "carried_state"
)
SERVERS: Final[Mapping[str, str]] = dict.fromkeys(("servers_of", "without_servers"), "mcp_servers")


def lazy_getattr(room: str, **elsewhere: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a room's package, which raises `AttributeError` for any other name.

    `elsewhere` names the modules of functions that are not where most rooms have them.
    """
    return part_on_first_use(room, {**_MODULES, **elsewhere})
