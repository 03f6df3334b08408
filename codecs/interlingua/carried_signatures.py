"""Carries one provider's signatures through clients that keep them in their own provider's signature members.

The rooms of such clients write and read them; the descriptor's `seals_state` says which dialects do this.
Source: docs/exchange.md, "What the provider signed".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from interlingua.loss import LossLog
from interlingua.registry import descriptor, known_descriptor, room
from interlingua.rooms._shared.sealed_state import MARKS, is_sealed
from interlingua.rooms._shared.thinking import NO_SIGNATURE
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatRequest

__all__ = [
    "MARKS",
    "NO_SIGNATURE",
    "CarriedEvents",
    "OwnState",
    "is_sealed",
    "log_withdrawn_state",
    "with_own_state",
    "with_signed_call",
    "without_carried_state",
]


def without_carried_state(body: Any, dialect: str) -> Any:
    """Return a request for the client's own provider without other providers' signatures, which it refuses.

    Returns the same object where there are none, and what is no request.
    """
    if not descriptor(dialect).seals_state or type(body) is not dict:
        return cast("object", body)
    speaker: Any = room(dialect)
    return speaker.without_carried_state(body)


_FIRST_CALL: Final = "/tool_calls/0"
_FOREIGN: Final = "another provider signed it, and the client's own provider would refuse it"


class OwnState(NamedTuple):
    """A request in which carried signatures stand again where the provider that made them expects them.

    `places` has the original index of each message; it is empty where no message was split.
    """

    request: ChatRequest
    places: list[int]

    def relocated(self, log: LossLog) -> LossLog:
        """Return a log whose paths lead into the original request instead of this one."""
        if not self.places:
            return log
        out = LossLog()
        out.renamed |= log.renamed
        out.optional |= log.optional
        log.move(out, self._place)
        return out

    def _place(self, path: str) -> str:
        holder, _, rest = path.removeprefix("/").partition("/")
        at, slash, inner = rest.partition("/")
        return f"/messages/{self.places[int(at)]}{slash}{inner}" if holder == "messages" and at else path


def with_own_state(canonical: ChatRequest, log: LossLog) -> OwnState | None:
    """Return a request with carried signatures restored to the providers that made them; None if it carries none."""
    if not any("extra" in message and _sealing_dialect(message) is not None for message in canonical["messages"]):
        return None  # nearly always
    messages: list[Any] = []
    places: list[int] = []
    for at, message in enumerate(canonical["messages"]):
        made = _messages_of(message, len(messages), canonical.get("model"), log) if "extra" in message else [message]
        messages += made
        places += [at] * len(made)
    split = len(messages) > len(canonical["messages"])
    return OwnState(cast("ChatRequest", {**canonical, "messages": messages}), places if split else [])


def _messages_of(message: Any, at: int, model: str | None, log: LossLog) -> list[Any]:
    keeper = _sealing_dialect(message)
    if keeper is None:
        return [message]
    speaker: Any = room(keeper)
    made: list[Any] = speaker.with_own_state(message, f"/messages/{at}", model, log)
    return made


def _sealing_dialect(message: Any) -> str | None:
    """Return the client dialect whose signature members hold sealed state of a message, or None."""
    for owner, bag in message["extra"].items():
        described = known_descriptor(owner)
        if described is not None and described.seals_state and _holds_sealed(bag.get(described.signed_state)):
            return str(owner)
    return None


def _holds_sealed(held: Any) -> bool:
    """Tell whether signed state, an object or a list of objects, holds another provider's sealed signature."""
    pieces = cast("list[dict[str, Any]]", held if type(held) is list else [held] if held else [])
    return any(is_sealed(text) for piece in pieces for text in piece.values())


def with_signed_call(before: Any, call: Any) -> tuple[Any, Any]:
    """Return a message without tool calls and the call that follows it, with the call's signature moved to the call.

    The call was a separate item, so its signature was stored in the message before it.
    """
    extra, moved = dict(before["extra"]), dict(call.get("extra", NOTHING))
    for owner, bag in before["extra"].items():
        described = known_descriptor(owner)
        member = "" if described is None else described.signed_state
        held: list[dict[str, Any]] = bag[member] if type(bag.get(member)) is list else []
        signed = [one for one in held if one.get("at") == _FIRST_CALL]
        if signed:
            left = [one for one in held if one.get("at") != _FIRST_CALL]
            others = {name: value for name, value in bag.items() if name != member}
            extra[owner] = {**others, **({member: left} if left else {})}
            moved[owner] = {**moved.get(owner, NOTHING), member: signed}
    if not moved:
        return before, call
    return {**before, "extra": {owner: bag for owner, bag in extra.items() if bag}}, {**call, "extra": moved}


def log_withdrawn_state(canonical: ChatRequest, log: LossLog) -> None:
    """Log as lost what `without_carried_state` removes from a request."""
    for at, message in enumerate(canonical["messages"]):
        keeper = _sealing_dialect(message) if "extra" in message else None
        if keeper is None:
            continue
        if "reasoning" in message and not descriptor(keeper).placed_state:
            log.lost("reasoning", f"/messages/{at}/reasoning", _FOREIGN)
        else:
            log.lost("provider_state", f"/messages/{at}/extra/{keeper}", _FOREIGN)


class CarriedEvents:
    """Writes a stream's events with its provider's signatures in the client's own signature members.

    Some events are held back until the next one; each reaches the writer with its own number, since losses refer to it.
    A piece of a block is passed on directly if the piece before it was: nothing is held back then, and only an event of
    another kind or block changes that. `model` is the one that the request named.
    """

    __slots__ = ("_block", "_carried", "_kind", "_model", "_number", "_speaker", "_writer")

    def __init__(self, dialect: str, writer: Any, model: str | None) -> None:
        self._speaker: Any = room(dialect)
        self._carried: Any = None
        self._model = model
        self._writer = writer
        self._number = -1
        self._kind = ""  # kind of the last event, if it was a piece that was passed on directly; else empty
        self._block: int | None = -1

    def feed(self, event: dict[str, Any]) -> list[Any]:
        """Return the frames for an event."""
        self._number += 1
        kind = event["type"]
        if kind == self._kind and event.get("block") == self._block and "extra" not in event:
            self._writer.number = self._number - 1
            frames: list[Any] = self._writer.feed(event)
            return frames
        left: list[Any] = []
        if kind == "start" or self._carried is None:
            left = self.left()
            self._carried = self._speaker.CarriedInStream(event.get("dialect"), self._model)
        events = self._carried.feed(self._number, event)
        is_passed_on = kind in self._carried.unread and len(events) == 1 and events[0][1] is event
        self._kind, self._block = (kind, event.get("block")) if is_passed_on else ("", -1)
        return [*left, *self._written(events)]

    def close(self) -> list[Any]:
        """Return the remaining frames of a stream that had no `end` event."""
        return [*self.left(), *self._writer.close()]

    def left(self) -> list[Any]:
        """Return the frames of the events that are still held back."""
        return [] if self._carried is None else self._written(self._carried.close(self._number))

    def _written(self, events: list[tuple[int, dict[str, Any]]]) -> list[Any]:
        out: list[Any] = []
        for number, event in events:
            self._writer.number = number - 1
            out += self._writer.feed(event)
        return out
