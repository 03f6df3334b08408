"""Thoughts that Claude signed: on Bedrock it signs as it does elsewhere, so that a signature goes where Claude is.

In the canonical message they stand under Claude's name, so that every dialect that carries them for Claude carries
these, too. Source: docs/wire/bedrock_converse.md, section 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms.bedrock_converse.tables import DIALECT
from interlingua.spi.extra import own_extra

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAKER: Final = "claude"
_BLOCKS: Final = "thinking_blocks"
_SIGNED: Final = frozenset({"type", "signature"})


def _are_signed(blocks: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether all thoughts are signed, and hold nothing else: what is hidden is written otherwise elsewhere."""
    return bool(blocks) and all(frozenset(block) == _SIGNED and block["signature"] for block in blocks)


def _moved(message: Mapping[str, Any], source: str, target: str) -> dict[str, Any]:
    """Return a message with its thoughts under another dialect's name."""
    extra: Mapping[str, Any] = message["extra"]
    left = {name: held for name, held in extra[source].items() if name != _BLOCKS}
    others = {name: bag for name, bag in extra.items() if name != source}
    moved = {**others, target: {**others.get(target, {}), _BLOCKS: extra[source][_BLOCKS]}}
    return {**message, "extra": {**moved, source: left} if left else moved}


def under_claude(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message that has been read with what Claude signed under Claude's name."""
    return _moved(message, DIALECT, MAKER) if _are_signed(own_extra(message, DIALECT).get(_BLOCKS, ())) else message


def under_own(message: Any) -> Any:
    """Return a message that is to be written with what Claude signed under the name of this dialect."""
    if "extra" not in message or own_extra(message, DIALECT).get(_BLOCKS):
        return message
    return _moved(message, MAKER, DIALECT) if _are_signed(own_extra(message, MAKER).get(_BLOCKS, ())) else message
