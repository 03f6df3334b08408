"""Carry other providers' signatures in Responses, as the encrypted content of a reasoning item.

Source: docs/exchange.md, "What the provider signed".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.sealed_state import (
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
    take_state,
    thoughts_of,
    unsealed,
    with_state,
)
from interlingua.rooms.openai_responses.tables import DIALECT
from interlingua.spi.extra import NOTHING, own_extra, with_extras

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.sealed_state import Event

_REASONING: Final = "reasoning"
_ENCRYPTED: Final = "encrypted_content"
_OF_ITEM: Final = frozenset({"id", "encrypted_content", "status", "content"})  # members of such a carrier item
_ENDING: Final = frozenset({"finish", "error", "end"})


def with_carried_state(message: Mapping[str, Any], model: str | None) -> Mapping[str, Any]:
    """Return an assistant message that carries another provider's state in its reasoning's encrypted content."""
    taken = take_state(message, DIALECT, model)
    if taken is None:
        return message
    out, text = taken
    said = [thought for thought in thoughts_of(out) if thought]
    out.pop("reasoning", None)
    if said:
        out["reasoning"] = [{"type": "text", "text": thought} for thought in said]
    return with_extras(out, {DIALECT: {**own_extra(out, DIALECT), _REASONING: {_ENCRYPTED: text}}})


def with_own_state(message: Mapping[str, Any], path: str, model: str | None, log: LossLog) -> list[dict[str, Any]]:
    """Return a request's message with carried state moved back to its own provider's place in `extra`."""
    bag = own_extra(message, DIALECT)
    text = bag.get(_REASONING, NOTHING).get(_ENCRYPTED)
    if not is_sealed(text):
        return [dict(message)]
    found = unsealed(text)
    left = {name: held for name, held in bag[_REASONING].items() if name not in _OF_ITEM}
    out = with_extras(message, {DIALECT: {**bag, _REASONING: left}})
    place = f"{path}/extra/{DIALECT}/{_REASONING}/{_ENCRYPTED}"
    return [with_state(out, [] if found is None else [found], place, model, log)]


def without_carried_state(body: dict[str, Any]) -> dict[str, Any]:
    """Return a request body without reasoning items that carry other providers' state: OpenAI refuses them."""
    items = body.get("input")
    if type(items) is not list:
        return body
    kept = [item for item in items if not _carries_state(item)]
    return body if len(kept) == len(items) else {**body, "input": kept}


def _carries_state(item: Any) -> bool:
    return type(item) is dict and item.get("type") == "reasoning" and is_sealed(item.get(_ENCRYPTED))


class CarriedInStream(Stages):
    """Writes other providers' signatures into a Responses stream, as encrypted content of reasoning items."""

    def __init__(self, maker: str | None, model: str | None) -> None:
        stages: list[Stage] = [_SignedThoughts(BEDROCK if maker == BEDROCK else CLAUDE)]
        if maker in {GEMINI, CHAT}:
            stages.append(SignedCalls(_item, _signed_thought))
        super().__init__(EndedThoughts(), *stages, UnsignedThoughts(_signed_thought, maker, model))


def _item(text: str, block: int) -> list[Event]:
    """Return the events of a reasoning item without text."""
    item = {"type": "reasoning", _ENCRYPTED: text}
    return [
        {"type": "state", "block": block, "extra": {DIALECT: {"item": item}}},
        {"type": "block_end", "block": block},
    ]


def _signed_thought(end: Event, text: str) -> list[Event]:
    """Return the end of a thinking block, with the text as its item's encrypted content."""
    return [{**end, "extra": {**end.get("extra", NOTHING), DIALECT: {"item": {_ENCRYPTED: text}}}}]


class _SignedThoughts(Stage):
    """Joins consecutive thinking blocks into one reasoning item, which carries all their signatures."""

    def __init__(self, maker: str) -> None:
        self._maker = maker
        self._blocks: list[dict[str, str] | None] = []  # None for an unsigned one
        self._signature = ""
        self._is_spoken = False
        self._ends: list[dict[str, Any]] = []  # the ends of the blocks with text, of which the last is held
        self._open: int | None = None
        self._waits = 0  # the held block, if none has text

    def made(self, event: Event) -> list[Event]:
        """Return the events that replace an event; the end of a thinking block waits for the event after it."""
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
        if not self._blocks or (block is None and kind not in _ENDING):  # a ping may come between two thinking blocks
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
        """Return the held end of the item, with its signatures as encrypted content."""
        blocks, ends = self._blocks, self._ends
        self._blocks, self._ends = [], []
        if not blocks:
            return []
        if None in blocks:  # Claude refuses some without the others: reported as lost
            left = [block for block in blocks if block is not None]
            return [*(self._state(block) for block in left), *ends]
        text = sealed(self._maker, blocks)
        if not ends:
            return _item(text, self._waits)
        return [one for end in ends for one in _signed_thought(end, text)]

    def _state(self, block: Mapping[str, str]) -> Event:
        """Return a state event with a signature, as the maker's room writes it."""
        said = {name: held for name, held in block.items() if name in {"signature", "data"}}
        return {"type": "state", "block": self._waits, "extra": {self._maker: said}}
