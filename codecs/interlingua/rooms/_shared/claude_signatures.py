"""What Claude's models signed: a signature that one of their providers gave is taken by the others.

Source: https://platform.claude.com/docs/en/build-with-claude/extended-thinking, "Thinking encryption": values of
`signature` are compatible across platforms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_BLOCKS: Final = "thinking_blocks"
_OF_MESSAGE: Final = (_BLOCKS,)
_OF_EVENT: Final = ("signature", "data")


def with_signatures_of(value: Any, other: str, dialect: str) -> Any:
    """Return a message or an event with what the other dialect holds of signed thinking as this dialect's own.

    The same value where it holds nothing signed, or what this dialect has no place for: members of the other's blocks
    that nobody knows, a block whose text is gone.
    """
    extra = value.get("extra", NOTHING)
    bag, own = extra.get(other), extra.get(dialect, NOTHING)
    names = _OF_MESSAGE if "role" in value else _OF_EVENT
    if type(bag) is not dict or any(name in own for name in names):
        return value
    signed = {name: bag[name] for name in names if name in bag}
    if not signed or not _is_whole(signed.get(_BLOCKS, ()), value.get("reasoning", ())):
        return value
    left = {name: held for name, held in bag.items() if name not in signed}
    others = {owner: held for owner, held in extra.items() if owner != other}
    return {**value, "extra": {**others, **({other: left} if left else {}), dialect: {**own, **signed}}}


def messages_with_signatures_of(messages: Sequence[Any], other: str, dialect: str) -> list[Any]:
    """Return messages with what the other dialect holds of signed thinking as this dialect's own."""
    return [with_signatures_of(message, other, dialect) if "extra" in message else message for message in messages]


def _is_whole(blocks: Sequence[Mapping[str, Any]], reasoning: str | Sequence[Any]) -> bool:
    """Tell whether each block is signed and has its text, and no text is left over."""
    texts = 1 if type(reasoning) is str else len(reasoning)
    thoughts = sum(block["type"] == "thinking" for block in blocks)
    are_signed = all(("signature" in block or "data" in block) and "fields" not in block for block in blocks)
    return are_signed and (not blocks or thoughts == texts)
