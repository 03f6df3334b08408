"""Carry other providers' signatures in Gemini messages, as the signature of a call.

Without calls nothing is carried: Claude needs its thinking within a turn only. The text is base64, as Gemini's own
signatures, since its official clients keep bytes. Source: docs/exchange.md, "What the provider signed".
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.sealed_state import (
    BEDROCK,
    CLAUDE,
    MARK_OF_BYTES,
    RESPONSES,
    MemberOfThoughts,
    Stage,
    Stages,
    is_sealed,
    sealed,
    take_state,
    unsealed,
    unsigned,
    with_state,
)
from interlingua.rooms._shared.thinking import NO_SIGNATURE
from interlingua.rooms.gemini.snake_case import find_member
from interlingua.rooms.gemini.tables import DIALECT
from interlingua.spi.extra import own_extra, with_extras

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.sealed_state import Event

_SIGNATURES: Final = "thought_signatures"
_CALLS: Final = "/tool_calls/"
_ENDING: Final = frozenset({"finish", "error", "end"})
_OF_ITEM: Final = ("id", "encrypted_content")


def with_carried_state(message: Mapping[str, Any], model: str | None) -> Mapping[str, Any]:
    """Return an assistant message that carries another provider's state in the signature of its first call."""
    # Its clients do not send thoughts back.
    if not message.get("tool_calls"):
        return message
    taken = take_state(message, DIALECT, model, MARK_OF_BYTES, with_thoughts=True)
    if taken is None:
        return message
    out, text = taken
    signed = [{"at": f"{_CALLS}0", "signature": text}]
    return with_extras(out, {DIALECT: {**own_extra(out, DIALECT), _SIGNATURES: signed}})


def with_own_state(message: Mapping[str, Any], path: str, model: str | None, log: LossLog) -> list[dict[str, Any]]:
    """Return a request's message with carried state moved back to its own provider's place in `extra`.

    A call begins a message of its own if another one before it carries state, too: its thinking came after that.
    """
    carriers = sorted(_call_of(one) for one in own_extra(message, DIALECT)[_SIGNATURES] if is_sealed(one["signature"]))
    calls = message.get("tool_calls", ())
    bounds = [0, *(at for at in carriers[1:] if 0 < at < len(calls)), len(calls)]
    place = f"{path}/extra/{DIALECT}/{_SIGNATURES}"
    return [_with_state_of_calls(message, begin, end, place, model, log) for begin, end in pairwise(bounds)]


def _with_state_of_calls(
    message: Mapping[str, Any], begin: int, end: int, path: str, model: str | None, log: LossLog
) -> dict[str, Any]:
    """Return the message of some calls with their state; that of the first ones has everything else, too."""
    bag = own_extra(message, DIALECT)
    out: dict[str, Any] = {**message} if begin == 0 else {"role": message["role"], "extra": {}}
    if "tool_calls" in message:
        out["tool_calls"] = message["tool_calls"][begin:end]
    signed = [one for one in bag[_SIGNATURES] if begin <= max(_call_of(one), 0) < max(end, 1)]
    left = [
        {**one, "at": f"{_CALLS}{_call_of(one) - begin}"} if begin else one
        for one in signed
        if not is_sealed(one["signature"])
    ]
    others = bag if begin == 0 else {}
    found = [state for one in signed if (state := unsealed(one["signature"])) is not None]
    return with_state(with_extras(out, {DIALECT: {**others, _SIGNATURES: left}}), found, path, model, log)


def _call_of(signed: Mapping[str, Any]) -> int:
    """Return the index of the call that a signature belongs to; -1 if it belongs to something else."""
    index = str(signed["at"]).removeprefix(_CALLS)
    return int(index) if index.isdecimal() else -1


def without_carried_state(body: dict[str, Any]) -> dict[str, Any]:
    """Return a request body with Google's own placeholder in place of other providers' state, which Gemini refuses."""
    kept: dict[str, Any] = _with_each(body, "contents", lambda content: _with_each(content, "parts", _without_carrier))
    return kept


def _with_each(holder: Any, name: str, changed: Callable[[Any], Any]) -> Any:
    """Return an object with each item of a list changed; the object itself if no item changes."""
    items = holder.get(name) if type(holder) is dict else None
    if type(items) is not list:
        return holder
    kept = [changed(item) for item in items]
    same = all(one is item for one, item in zip(kept, items, strict=True))
    return holder if same else {**holder, name: kept}


def _without_carrier(part: Any) -> Any:
    if type(part) is not dict:
        return part
    name, signature = find_member(part, "thoughtSignature")
    return {**part, name: NO_SIGNATURE} if is_sealed(signature) else part


class CarriedInStream(Stages):
    """Writes other providers' signatures into a Gemini stream, as the signatures of calls."""

    unread = frozenset({"content", "tool_call_delta"})  # thoughts are carried, too

    def __init__(self, maker: str | None, model: str | None) -> None:
        stages: list[Stage] = []
        if maker == RESPONSES:
            stages.append(_EncryptedItems())
        elif maker != DIALECT:
            stages.append(_SignedThoughts(maker, model))
        super().__init__(*stages)


class _CarryingCalls(Stage):
    """Signs the next call with the state of the thoughts before it; without a call the state is reported as lost."""

    def __init__(self) -> None:
        self._held: list[Event] = []  # the events with the state

    def made(self, event: Event) -> list[Event]:
        """Return the events that replace an event."""
        if "alternative" in event:
            return [event]
        if event["type"] == "tool_call_start" and (text := self._text()):
            self._forget()
            carried = {DIALECT: {"signature": text}}
            return [event, {"type": "state", "block": event["block"], "extra": carried}]
        return [*self.waiting(), event] if event["type"] in _ENDING else self._kept(event)

    def _kept(self, event: Event) -> list[Event]:
        raise NotImplementedError

    def _text(self) -> str | None:
        """Return the sealed text of the state, if there is any."""
        raise NotImplementedError

    def _forget(self) -> None:
        self._held = []

    def waiting(self) -> list[Event]:
        """Return the events with state that no call carries."""
        held = self._held
        self._forget()
        return held


class _SignedThoughts(_CarryingCalls):
    """Keeps the thinking blocks of Claude's models, whose signatures are valid with their texts only.

    Claude's models answer through other dialects, too. Of other models it keeps the thoughts, which nobody signed.
    """

    def __init__(self, maker: str | None, model: str | None) -> None:
        super().__init__()
        self._maker = BEDROCK if maker == BEDROCK else CLAUDE
        self._member = MemberOfThoughts(maker)
        self._model = model
        self._blocks: dict[int, dict[str, str]] = {}
        self._has_text = False  # behind the blocks: Claude checks each sequence of thinking blocks by itself

    def _kept(self, event: Event) -> list[Event]:
        kind, block = event["type"], event.get("block")
        if kind == "reasoning":
            self._member.note(event)
            return [*self._add(event["block"], "thinking", event["text"]), event]
        if kind == "content":
            self._has_text = True
        elif kind == "state" and block is not None:
            bag = own_extra(event, self._maker)
            name = next((name for name in ("signature", "data") if type(bag.get(name)) is str), None)
            if name is not None:
                left = self._add(block, name, bag[name])
                self._held.append(event)
                return left
        return [event]

    def _add(self, block: int, name: str, piece: str) -> list[Event]:
        """Add a piece of a block, and return what no call can carry any more."""
        left = self.waiting() if self._has_text and block not in self._blocks else []
        held = self._blocks.setdefault(block, {"type": "redacted_thinking" if name == "data" else "thinking"})
        held[name] = held.get(name, "") + piece
        return left

    def _text(self) -> str | None:
        blocks = [{"thinking": "", **one} if one["type"] == "thinking" else one for one in self._blocks.values()]
        signed = ["signature" in one or "data" in one for one in blocks]
        if blocks and all(signed):  # Claude refuses some blocks without the others
            return sealed(self._maker, blocks, MARK_OF_BYTES)
        thoughts = [one["thinking"] for one in blocks if one.get("thinking")]
        if any(signed) or not thoughts:
            return None
        return unsigned(self._member.name, self._model, thoughts, MARK_OF_BYTES)

    def _forget(self) -> None:
        super()._forget()
        self._blocks = {}
        self._has_text = False


class _EncryptedItems(_CarryingCalls):
    """Keeps the encrypted content of the last reasoning item."""

    def __init__(self) -> None:
        super().__init__()
        self._item: dict[str, Any] | None = None

    def _kept(self, event: Event) -> list[Event]:
        item = own_extra(event, RESPONSES).get("item")
        if item is None or event["type"] not in {"reasoning", "state", "block_end"}:
            return [event]
        left: list[Event] = []
        if event["type"] == "reasoning" or item.get("type") == "reasoning":
            left = self.waiting()
            self._item = dict(item)
        elif self._item is None:
            return [event]
        else:
            self._item |= item
        self._held = [{"type": "state", "block": event["block"], "extra": {RESPONSES: {"item": self._item}}}]
        others = with_extras(event, {RESPONSES: {**own_extra(event, RESPONSES), "item": None}})
        return left if event["type"] == "state" else [*left, others]

    def _text(self) -> str | None:
        item = self._item or {}
        if not item.get("encrypted_content"):
            return None
        return sealed(RESPONSES, {name: item[name] for name in _OF_ITEM if item.get(name)}, MARK_OF_BYTES)

    def _forget(self) -> None:
        super()._forget()
        self._item = None
