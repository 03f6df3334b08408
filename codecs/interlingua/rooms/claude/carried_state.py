"""Carry other providers' signatures in Claude messages, as a thinking signature or as redacted thinking.

Source: docs/exchange.md, "What the provider signed".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.claude_signatures import CARRIED_FROM_BEDROCK, with_signatures
from interlingua.rooms._shared.sealed_state import (
    BEDROCK,
    CHAT,
    GEMINI,
    RESPONSES,
    UNSIGNED,
    EndedThoughts,
    Sealed,
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
from interlingua.rooms.claude.tables import DIALECT
from interlingua.spi.extra import own_extra, with_extras

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.sealed_state import Event

_BLOCKS: Final = "thinking_blocks"


def with_carried_state(message: Mapping[str, Any], model: str | None) -> Mapping[str, Any]:
    """Return an assistant message that carries another provider's state in the signature of its last thinking block.

    A message without reasoning carries it as redacted thinking instead.
    """
    if any(map(_signature_of, own_extra(message, BEDROCK).get(_BLOCKS, ()))):
        # Signed by Claude on Bedrock: valid as it is.
        alike: Mapping[str, Any] = with_signatures(message, CARRIED_FROM_BEDROCK)
        return alike
    taken = take_state(message, DIALECT, model)
    if taken is None:
        return message
    out, text = taken
    spoken = [said for said in thoughts_of(out) if said]
    if spoken:
        out["reasoning"] = [{"type": "text", "text": said} for said in spoken]
        blocks = [{"type": "thinking", "signature": UNSIGNED} for _ in spoken[1:]]
        blocks.append({"type": "thinking", "signature": text})
    else:
        out.pop("reasoning", None)
        blocks = [{"type": "redacted_thinking", "data": text}]
    return with_extras(out, {DIALECT: {**own_extra(out, DIALECT), _BLOCKS: blocks}})


def with_own_state(message: Mapping[str, Any], path: str, model: str | None, log: LossLog) -> list[dict[str, Any]]:
    """Return a request's message with carried state moved back to its own provider's place in `extra`.

    Responses needs one message for each reasoning item, so several messages may come back.
    """
    bag = own_extra(message, DIALECT)
    blocks: Sequence[Mapping[str, Any]] = bag.get(_BLOCKS, ())
    found = [unsealed(_signature_of(block)) for block in blocks]
    carried = [one for one in found if one is not None]
    left = [block for block in blocks if not is_sealed(_signature_of(block))]
    if len(left) == len(blocks):
        return [dict(message)]
    out = with_extras(message, {DIALECT: {**bag, _BLOCKS: left}})
    place = f"{path}/extra/{DIALECT}/{_BLOCKS}"
    if sum(one.maker == RESPONSES for one in carried) > 1:
        return _messages_of_items(out, blocks, found, place, log)
    return [with_state(out, carried, place, model, log)]


def _messages_of_items(
    message: Mapping[str, Any],
    blocks: Sequence[Mapping[str, Any]],
    found: Sequence[Sealed | None],
    path: str,
    log: LossLog,
) -> list[dict[str, Any]]:
    """Return one message per reasoning item, with the reasoning up to its carrier; the last gets everything else."""
    texts = thoughts_of(message)
    items: list[dict[str, Any]] = []
    said: list[str] = []
    for block, one in zip(blocks, found, strict=True):
        if block["type"] == "thinking" and texts:
            said.append(texts.pop(0))
        if one is not None:
            items.append(with_state({"role": "assistant", **_thinking(said)}, [one], path, None, log))
            said = []
    others = {name: held for name, held in message.items() if name != "reasoning"}
    last = items.pop()
    extra = message["extra"] | last.get("extra", {})
    thinking = _thinking([*thoughts_of(last), *said, *texts])
    return [*items, {**others, **last, **({"extra": extra} if extra else {}), **thinking}]


def _thinking(texts: Sequence[str]) -> dict[str, Any]:
    return {"reasoning": [{"type": "text", "text": text} for text in texts]} if texts else {}


def _signature_of(block: Mapping[str, Any]) -> Any:
    return block.get("signature", block.get("data"))


def without_carried_state(body: dict[str, Any]) -> dict[str, Any]:
    """Return a request body without thinking blocks that carry other providers' state: Claude refuses them."""
    messages = body.get("messages")
    if type(messages) is not list:
        return body
    kept = [_without_carriers(message) for message in messages]
    if all(one is message for one, message in zip(kept, messages, strict=True)):
        return body
    return {**body, "messages": [message for message in kept if message is not None]}


def _without_carriers(message: Any) -> Any:
    """Return a wire message without blocks that carry other providers' state; None if nothing else is left."""
    content = message.get("content") if type(message) is dict and message.get("role") == "assistant" else None
    if type(content) is not list:
        return message
    left = [block for block in content if not _carries_state(block)]
    if len(left) == len(content):
        return message
    return {**message, "content": left} if left else None


def _carries_state(block: Any) -> bool:
    return type(block) is dict and (
        (block.get("type") == "thinking" and is_sealed(block.get("signature")))
        or (block.get("type") == "redacted_thinking" and is_sealed(block.get("data")))
    )


class CarriedInStream(Stages):
    """Writes other providers' signatures into a Claude stream, as thinking signatures or redacted thinking."""

    def __init__(self, maker: str | None, model: str | None) -> None:
        stages: list[Stage] = []
        if maker in {GEMINI, CHAT}:
            stages.append(SignedCalls(_redacted_thinking, _signed_thought))
        elif maker == RESPONSES:
            stages.append(_EncryptedItems())
        elif maker == BEDROCK:
            stages.append(_BedrockSignatures())
        super().__init__(EndedThoughts(), *stages, UnsignedThoughts(_signed_thought, maker, model))


class _BedrockSignatures(Stage):
    """Writes signatures that Claude made on Bedrock as Claude's own, and others as text that carries them."""

    def made(self, event: Event) -> list[Event]:
        """Return the events that replace an event."""
        return [with_signatures(event, CARRIED_FROM_BEDROCK) if "extra" in event else event]


def _redacted_thinking(text: str, block: int) -> list[Event]:
    """Return the events of a redacted thinking block."""
    return [
        {"type": "state", "block": block, "extra": {DIALECT: {"data": text}}},
        {"type": "block_end", "block": block},
    ]


def _signed_thought(end: Event, text: str) -> list[Event]:
    """Return the end of a thinking block, preceded by its signature."""
    return [{"type": "state", "block": end["block"], "extra": {DIALECT: {"signature": text}}}, end]


class _EncryptedItems(Stage):
    """Holds back the end of a reasoning item's last thinking block until the item ends, then signs it."""

    def __init__(self) -> None:
        self._item: dict[str, Any] | None = None
        self._end: dict[str, Any] | None = None  # the held end of the item's last thinking block so far
        self._block = -1

    def made(self, event: Event) -> list[Event]:
        """Return the events that replace an event; the end of a thinking block waits for the event after it."""
        kind, own = event["type"], own_extra(event, RESPONSES)
        state = own.get("item")
        if self._item is None:
            if state is not None and (kind == "reasoning" or (kind == "state" and state.get("type") == "reasoning")):
                return self._begin(event, state)
            return [event]
        if kind == "block_end" and event["block"] == self._block and self._end is None:
            self._end = event
            if state is not None:
                self._item |= state
                self._end = _without_item(event)
            return []
        if kind == "reasoning" and event["block"] == self._block:
            return [event]
        if kind == "reasoning" and state is None:  # the item's next thinking block
            end, self._end, self._block = self._end, None, event["block"]
            return [event] if end is None else [end, event]
        return [*self.waiting(), *self.made(event)]

    def _begin(self, event: Event, state: dict[str, Any]) -> list[Event]:
        self._item, self._end, self._block = dict(state), None, event["block"]
        return [] if event["type"] == "state" else [_without_item(event)]

    def waiting(self) -> list[Event]:
        """Return the held end of the item, with its encrypted content as signature."""
        item, end, block = self._item, self._end, self._block
        self._item = self._end = None
        if item is None:
            return []
        state = {name: item[name] for name in ("id", "encrypted_content") if item.get(name)}
        is_wordless = item.get("type") == "reasoning"
        if "encrypted_content" not in state:  # only the server has the content: reported as lost
            told = {"type": "state", "block": block, "extra": {RESPONSES: {"item": item}}}
            return [told] if end is None else [told, end]
        text = sealed(RESPONSES, state)
        if is_wordless:
            return _redacted_thinking(text, block)
        if end is None:  # the stream was cut
            return []
        return _signed_thought(end, text)


def _without_item(event: Event) -> dict[str, Any]:
    out = with_extras(event, {RESPONSES: {**own_extra(event, RESPONSES), "item": None}})
    if not out["extra"]:
        del out["extra"]
    return out
