"""Dialects through which the same models sign: what one holds of it is the other's own, and goes to nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SIGNED_ALIKE: Final = frozenset({"claude", "bedrock_converse"})
_SIGNED: Final = frozenset({"thinking_blocks", "signature", "data"})


def is_signed_alike(source: str, target: str, member: str) -> bool:
    """Tell whether a member of the source's `extra` is signed state that the target's models take, too."""
    return source != target and {source, target} <= SIGNED_ALIKE and member in _SIGNED


def signatures(messages: Sequence[Any]) -> list[Any]:
    """Return what such dialects hold of signed thinking in messages, whoever holds it."""
    return [*_signatures(messages)]


def _signatures(messages: Sequence[Any]) -> Iterator[Any]:
    for message in messages:
        for owner in sorted(SIGNED_ALIKE & message.get("extra", {}).keys()):
            for block in message["extra"][owner].get("thinking_blocks", ()):
                signed = {name: block[name] for name in ("signature", "data") if block.get(name)}
                if signed:
                    yield signed
