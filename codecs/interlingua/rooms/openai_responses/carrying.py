"""What other providers signed, as clients of Responses keep it: in the encrypted content of a reasoning item.

Source: docs/exchange.md, "What the provider signed".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.carried_state import (
    BEDROCK,
    CHAT,
    CLAUDE,
    GEMINI,
    EndedThoughts,
    SignedCalls,
    Stage,
    Stages,
    UnsignedThoughts,
    is_sealed,
    sealed,
    taken_state,
    thoughts_of,
    unsealed,
    with_own_bag,
    with_state,
)
from interlingua.rooms.openai_responses.tables import DIALECT
from interlingua.spi.extra import NOTHING, own_extra

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.carried_state import Event

_REASONING: Final = "reasoning"
_ENCRYPTED: Final = "encrypted_content"
_OF_ITEM: Final = frozenset({"id", "encrypted_content", "status", "content"})  # what such an item has
_ENDING: Final = frozenset({"finish", "error", "end"})


def with_carried_state(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a message of an answer with what another provider signed as the encrypted content of its reasoning."""
    taken = taken_state(message, DIALECT)
    if taken is None:
        return message
    out, text = taken
    said = [thought for thought in thoughts_of(out) if thought]
    out.pop("reasoning", None)
    if said:
        out["reasoning"] = [{"type": "text", "text": thought} for thought in said]
    own = out["extra"].get(DIALECT, NOTHING)
    return {**out, "extra": {**out["extra"], DIALECT: {**own, _REASONING: {_ENCRYPTED: text}}}}


def with_own_state(message: Mapping[str, Any], path: str, log: LossLog) -> list[dict[str, Any]]:
    """Return a message of a request with what its reasoning carries where its maker's state stands."""
    bag = own_extra(message, DIALECT)
    text = bag.get(_REASONING, NOTHING).get(_ENCRYPTED)
    if not is_sealed(text):
        return [dict(message)]
    found = unsealed(text)
    left = {name: held for name, held in bag[_REASONING].items() if name not in _OF_ITEM}
    others = {name: held for name, held in bag.items() if name != _REASONING} | ({_REASONING: left} if left else {})
    out = with_own_bag(message, DIALECT, others)
    place = f"{path}/extra/{DIALECT}/{_REASONING}/{_ENCRYPTED}"
    return [with_state(out, [] if found is None else [found], place, log)]


def without_carried_state(body: dict[str, Any]) -> dict[str, Any]:
    """Return a request for the client's own provider, which cannot read what others signed."""
    items = body.get("input")
    if type(items) is not list:
        return body
    kept = [item for item in items if not _carries(item)]
    return body if len(kept) == len(items) else {**body, "input": kept}


def _carries(item: Any) -> bool:
    return type(item) is dict and item.get("type") == "reasoning" and is_sealed(item.get(_ENCRYPTED))


class CarriedInStream(Stages):
    """Writes what another provider signs in a stream as the encrypted content of reasoning items."""

    def __init__(self, maker: str | None) -> None:
        stages: list[Stage] = [_SignedThoughts(BEDROCK if maker == BEDROCK else CLAUDE)]
        if maker in {GEMINI, CHAT}:
            stages.append(SignedCalls(_item, _signed_thought))
        super().__init__(EndedThoughts(), *stages, UnsignedThoughts(_signed_thought))


def _item(text: str, block: int) -> list[Event]:
    """Return the events of a reasoning item without words."""
    item = {"type": "reasoning", _ENCRYPTED: text}
    return [
        {"type": "state", "block": block, "extra": {DIALECT: {"item": item}}},
        {"type": "block_end", "block": block},
    ]


def _signed_thought(end: Event, text: str) -> list[Event]:
    """Return the end of a thought, of whose item the text is the encrypted content."""
    return [{**end, "extra": {**end.get("extra", NOTHING), DIALECT: {"item": {_ENCRYPTED: text}}}}]


class _SignedThoughts(Stage):
    """Gathers the blocks of thinking that follow each other: they are one reasoning item, which carries all of them."""

    def __init__(self, maker: str) -> None:
        self._maker = maker
        self._blocks: list[dict[str, str] | None] = []  # None for one that is not signed
        self._signature = ""
        self._is_spoken = False
        self._ends: list[dict[str, Any]] = []  # the ends of the blocks with words, of which the last waits
        self._open: int | None = None
        self._waits = 0  # the block that waits, where none has words

    def made(self, event: Event) -> list[Event]:
        """Return what becomes of an event; the end of a thought waits until another one, or something else, begins."""
        kind, block = event["type"], event.get("block")
        if kind == "reasoning":
            return self._thought(event)
        bag = event.get("extra", NOTHING).get(self._maker, NOTHING)
        if kind == "state" and block is not None and type(bag.get("signature")) is str:
            self._open = block
            self._signature += bag["signature"]
            return []
        if kind == "state" and block is not None and type(bag.get("data")) is str:
            self._open = block
            self._blocks.append({"type": "redacted_thinking", "data": bag["data"]})
            self._waits = block
            return []
        if kind == "block_end" and block is not None and block == self._open:
            return self._end(event)
        if not self._blocks or (block is None and kind not in _ENDING):  # a ping comes between two thoughts, too
            return [event]
        return [*self.waiting(), event]

    def _thought(self, event: Event) -> list[Event]:
        self._open = event["block"]
        if not event["text"]:
            return []
        self._is_spoken = True
        ends, self._ends = self._ends, []
        return [*ends, event]

    def _end(self, event: Event) -> list[Event]:
        signature, is_spoken, ends = self._signature, self._is_spoken, self._ends
        self._open, self._signature, self._is_spoken = None, "", False
        if is_spoken:
            self._blocks.append({"type": "thinking", "signature": signature} if signature else None)
            self._ends = [event]
            return ends
        if signature:
            self._blocks.append({"type": "thinking", "thinking": "", "signature": signature})
            self._waits = event["block"]
        return []

    def waiting(self) -> list[Event]:
        """Return the end of the item, with all that was signed of it, before what comes behind it."""
        blocks, ends = self._blocks, self._ends
        self._blocks, self._ends = [], []
        if not blocks:
            return []
        if None in blocks:  # Claude would refuse some without the others: what is signed is told as lost
            left = [block for block in blocks if block is not None]
            return [*(self._state(block) for block in left), *ends]
        text = sealed(self._maker, blocks)
        if not ends:
            return _item(text, self._waits)
        return [one for end in ends for one in _signed_thought(end, text)]

    def _state(self, block: Mapping[str, str]) -> Event:
        """Return an event of what is signed, as the maker's room tells it."""
        said = {name: held for name, held in block.items() if name in {"signature", "data"}}
        return {"type": "state", "block": self._waits, "extra": {self._maker: said}}
