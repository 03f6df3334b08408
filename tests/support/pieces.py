"""How law 3 expects assistant messages that a client keeps in pieces: joined, with losses at the joined paths."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import interlingua as il
from interlingua.answer_fragments import with_fragments_joined
from interlingua.registry import descriptor

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.loss import Loss

__all__ = ["with_joined_messages"]


def with_joined_messages(before: Mapping[str, Any], losses: Iterable[Loss]) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a request with its assistant messages joined, and the losses with paths into it."""
    told = list(losses)
    source = before.get("dialect")
    if source not in il.dialects() or not descriptor(source).in_pieces:
        return before, told
    messages, joined = with_fragments_joined(before["messages"], source)

    def relocated(loss: Loss) -> Loss:
        holder, _, rest = loss.path.removeprefix("/").partition("/")
        index, slash, inner = rest.partition("/")
        if holder != "messages" or not index.isdecimal():
            return loss
        at = int(index) - sum(piece <= int(index) for piece in joined)
        return replace(loss, path=f"/messages/{at}{slash}{inner}")

    return {**before, "messages": messages}, [relocated(loss) for loss in told]
