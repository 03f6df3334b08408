"""Signed state of other providers in chunks: beside calls and texts, in `reasoning_details`, and in thinking blocks.

It becomes `state` events like those of the makers' own decoders. Source: docs/wire/openai_chat.md, section 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.rooms._chat_completions.reasoning_details import (
    CARRIER,
    CLAUDE,
    ENCRYPTED,
    GEMINI,
    SIGNATURES,
    TEXT,
    carried,
    carrier,
    items_of,
    maker_of,
    state_in,
    text_in,
)
from interlingua.rooms._chat_completions.vendor_extensions import BLOCKS, DETAILS
from interlingua.rooms._shared.stream_notes import noted, spelled, spelling
from interlingua.spi.extra import NOTHING, own_extra

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.stream_writer import Event


_DELTA: Final = "/choices/delta/"
_OF_BLOCKS: Final = frozenset({"type", "thinking", "signature", "data"})
_HELD: Final = frozenset({"signature", "data"})  # members of a detail with state


class Signed(NamedTuple):
    """A piece of state in a detail: its maker, its member in an event, its value.

    `call` is the id of the call that Gemini signed.
    """

    maker: str
    member: str
    value: str
    call: str


def signed_details(details: Any) -> Iterator[Signed]:
    """Yield the state in a delta's details: Claude's signatures and redacted thoughts, Gemini's signatures of calls."""
    for detail in details if type(details) is list else ():
        if type(detail) is not dict:
            continue
        maker, (member, _) = maker_of(detail), state_in(detail)
        if member and maker == CLAUDE:
            yield Signed(CLAUDE, member, detail[member], "")
        elif member == "data" and maker == GEMINI and text_in(detail, "id"):
            yield Signed(GEMINI, "signature", detail["data"], detail["id"])


def blocks_of(blocks: Any) -> list[dict[str, Any]]:
    """Return the thinking blocks of a delta; none if one of them is invalid."""
    found: list[Any] = blocks if type(blocks) is list else []
    return found if all(map(_is_block, found)) else []


def _is_block(block: Any) -> bool:
    if type(block) is not dict or not all(type(block.get(name, "")) is str for name in _OF_BLOCKS):
        return False
    return block.keys() <= _OF_BLOCKS and block.get("type") in {"thinking", "redacted_thinking"}


class ThinkingBlocks:
    """Joins thinking blocks from pieces: an unsigned one continues, and its last piece may repeat the whole text."""

    def __init__(self) -> None:
        self._blocks: list[dict[str, Any]] = []

    def take(self, value: Any) -> bool:
        """Take the next pieces."""
        blocks = blocks_of(value)
        for block in blocks:
            last = self._blocks[-1] if self._blocks else {}
            if block["type"] == last.get("type") == "thinking" and not last.get("signature"):
                before, text = last.get("thinking", ""), block.get("thinking", "")
                again = block.get("signature") and text.startswith(before)
                self._blocks[-1] = {**last, **block, "thinking": text if again else before + text}
            else:
                self._blocks.append(block)
        return bool(blocks)

    def made(self) -> list[dict[str, Any]]:
        """Return the whole blocks."""
        return self._blocks


def carried_paths(frame: Mapping[str, Any]) -> frozenset[str]:
    """Return the paths of members of a chunk that become state events."""
    told: set[str] = set()
    for choice in frame.get("choices") or ():
        delta: Any = choice.get("delta") if type(choice) is dict else None
        if type(delta) is not dict:
            continue
        if signature_beside(delta):
            told.add(_DELTA + CARRIER)
        if blocks_of(delta.get(BLOCKS)):
            told.add(_DELTA + BLOCKS)
        calls: Any = delta.get("tool_calls")
        if type(calls) is list and any(type(call) is dict and signature_beside(call) for call in calls):
            told.add(f"{_DELTA}tool_calls/{CARRIER}")
        details: Any = delta.get(DETAILS)
        held = [one for one in details if not _HELD.isdisjoint(one)] if items_of(details) else []
        if held and len(held) == sum(1 for _ in signed_details(held)):
            told.update(f"{_DELTA}{DETAILS}/{name}" for name in _HELD)
    return frozenset(told)


def is_signed(delta: Mapping[str, Any]) -> bool:
    """Tell whether a detail of a delta is signed, so that it may repeat a whole thought."""
    details: Any = delta.get(DETAILS)
    return type(details) is list and any(type(detail) is dict and "signature" in detail for detail in details)


def state_event(block: int, maker: str, member: str, value: str) -> Event:
    """Return the state event for a block."""
    return noted({"type": "state", "block": block}, maker, member, value)


def detail_event(block: int, signed: Signed, dialect: str) -> Event:
    """Return the state event for a detail."""
    return spelled(state_event(block, signed.maker, signed.member, signed.value), dialect, SIGNATURES, DETAILS)


def block_event(block: int, member: str, value: str, dialect: str) -> Event:
    """Return the state event for a thinking block; a null in `fields` marks its origin."""
    return noted(state_event(block, CLAUDE, member, value), dialect, "fields", {BLOCKS: None})


def thinking_block_of(event: Event, dialect: str) -> dict[str, Any] | None:
    """Return the thinking block of a state event; None if it did not come from one."""
    if (own_extra(event, dialect).get("fields") or NOTHING).get(BLOCKS, "") is not None:
        return None
    held = own_extra(event, CLAUDE)
    if "data" in held:
        return {"type": "redacted_thinking", "data": held["data"]}
    return {"type": "thinking", "thinking": "", "signature": held.get("signature", "")}


def signature_beside(wire: Mapping[str, Any]) -> str:
    """Return the signature beside a call or a text, empty if there is none."""
    return carried(wire) if CARRIER in wire else ""


def detail_of(event: Event, dialect: str) -> dict[str, Any] | None:
    """Return the detail of a state event; None if it did not come from one."""
    if spelling(event, dialect).get(SIGNATURES) != DETAILS:
        return None
    claude = own_extra(event, CLAUDE)
    if "signature" in claude:
        return {"type": TEXT, "signature": claude["signature"]}
    data = claude.get("data", own_extra(event, GEMINI).get("signature"))
    return {"type": ENCRYPTED, "data": data}


def carrier_of(event: Event) -> dict[str, Any] | None:
    """Return the `extra_content` with the signature of an event; None if it has none."""
    signature = own_extra(event, GEMINI).get("signature")
    return None if signature is None else carrier(signature)


def unwritten(extra: Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return the `extra` of a state event without what a chunk of its own dialect has."""
    notes = extra.get(dialect, NOTHING).get("spelling", NOTHING)
    said = {GEMINI: "signature"}
    is_block = (extra.get(dialect, NOTHING).get("fields") or NOTHING).get(BLOCKS, "") is None
    if is_block or notes.get(SIGNATURES) == DETAILS:
        said[CLAUDE] = "data" if "data" in extra.get(CLAUDE, NOTHING) else "signature"
    return {
        owner: {name: held for name, held in bag.items() if name != said[owner]} if owner in said else bag
        for owner, bag in extra.items()
    }
