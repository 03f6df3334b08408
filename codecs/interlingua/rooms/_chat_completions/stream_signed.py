"""What chunks carry for other providers: signatures beside calls and texts, and those in `reasoning_details`.

They become `state` events as their makers' own decoders tell them. Source: docs/wire/openai_chat.md, section 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.rooms._chat_completions.accents import DETAILS
from interlingua.rooms._chat_completions.details import (
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
)
from interlingua.rooms._shared.stream_notes import noted, spelled, spelling
from interlingua.spi.extra import NOTHING, own_extra

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.rooms._shared.stream import Event


_DELTA: Final = "/choices/delta/"
_HELD: Final = frozenset({"signature", "data"})  # members of a detail that hold state


class Signed(NamedTuple):
    """A piece of state in a detail: its maker, the member of an event that says it, and what it belongs to.

    `call` is the id of the call that Gemini signed.
    """

    maker: str
    member: str
    value: str
    call: str


def signed_details(details: Any) -> Iterator[Signed]:
    """Yield what the details of a delta carry: signatures of thoughts of Claude's and of calls, and hidden thoughts."""
    for detail in details if type(details) is list else ():
        if type(detail) is not dict:
            continue
        maker, kind = maker_of(detail), detail.get("type")
        signature, data = detail.get("signature"), detail.get("data")
        if maker == CLAUDE and kind == TEXT and type(signature) is str and signature:
            yield Signed(CLAUDE, "signature", signature, "")
        elif maker == CLAUDE and kind == ENCRYPTED and type(data) is str and data:
            yield Signed(CLAUDE, "data", data, "")
        elif maker == GEMINI and kind == ENCRYPTED and type(data) is str and data:
            identifier = detail.get("id")
            if identifier and type(identifier) is str:
                yield Signed(GEMINI, "signature", data, identifier)


def carried_paths(frame: Mapping[str, Any]) -> frozenset[str]:
    """Return where the members of a chunk stand that events say as state."""
    told: set[str] = set()
    for choice in frame.get("choices") or ():
        delta: Any = choice.get("delta") if type(choice) is dict else None
        if type(delta) is not dict:
            continue
        if signature_beside(delta):
            told.add(_DELTA + CARRIER)
        calls: Any = delta.get("tool_calls")
        if type(calls) is list and any(type(call) is dict and signature_beside(call) for call in calls):
            told.add(f"{_DELTA}tool_calls/{CARRIER}")
        details: Any = delta.get(DETAILS)
        held = [one for one in details if not _HELD.isdisjoint(one)] if items_of(details) else []
        if held and len(held) == sum(1 for _ in signed_details(held)):
            told.update(f"{_DELTA}{DETAILS}/{name}" for name in _HELD)
    return frozenset(told)


def is_signed(delta: Mapping[str, Any]) -> bool:
    """Tell whether a detail of a delta is signed: then it may say a thought again, whole."""
    details: Any = delta.get(DETAILS)
    return type(details) is list and any(type(detail) is dict and "signature" in detail for detail in details)


def state_event(block: int, maker: str, member: str, value: str) -> Event:
    """Return the event of a piece of state that belongs to a block."""
    return noted({"type": "state", "block": block}, maker, member, value)


def detail_event(block: int, signed: Signed, dialect: str) -> Event:
    """Return the event of a piece of state that came in a detail."""
    return spelled(state_event(block, signed.maker, signed.member, signed.value), dialect, SIGNATURES, DETAILS)


def signature_beside(wire: Mapping[str, Any]) -> str:
    """Return the signature that stands beside a call or a text, empty where there is none."""
    return carried(wire) if CARRIER in wire else ""


def detail_of(event: Event, dialect: str) -> dict[str, Any] | None:
    """Return the detail that says the state of an event; None where no detail did."""
    if spelling(event, dialect).get(SIGNATURES) != DETAILS:
        return None
    claude = own_extra(event, CLAUDE)
    if "signature" in claude:
        return {"type": TEXT, "signature": claude["signature"]}
    data = claude.get("data", own_extra(event, GEMINI).get("signature"))
    return {"type": ENCRYPTED, "data": data}


def carrier_of(event: Event) -> dict[str, Any] | None:
    """Return the member that says the signature of an event; None where it has none."""
    signature = own_extra(event, GEMINI).get("signature")
    return None if signature is None else carrier(signature)


def unwritten(extra: Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return what a state holds for others that no chunk of its own dialect says."""
    notes = extra.get(dialect, NOTHING).get("spelling", NOTHING)
    said = {GEMINI: "signature"}
    if notes.get(SIGNATURES) == DETAILS:
        said[CLAUDE] = "data" if "data" in extra.get(CLAUDE, NOTHING) else "signature"
    return {
        owner: {name: held for name, held in bag.items() if name != said[owner]} if owner in said else bag
        for owner, bag in extra.items()
    }
