"""The chunks that nearly all of a stream are: one piece of a text or of a call, all else as in the chunk before."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.dialects._chat_completions.accents import DETAILS

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from interlingua.dialects._shared.stream import Event

# Random padding against eavesdroppers: it is never expected.
PADDING: Final = "obfuscation"
LIKELINESS: Final = "logprobs"  # of the words of a piece: each chunk has its own
_NONE: Final[frozenset[str]] = frozenset()
# Members of a choice that are no texts.
OWN: Final = frozenset({"delta", "index", LIKELINESS})
_EMPTY: Final[dict[str, Any]] = {}
NOTHING_BESIDE: Final[tuple[None, None]] = (None, None)
# What a chunk that says nothing does not have.
_BARE: Final = ["choices"]


def calm(members: Mapping[str, Any], but: Container[str] = _NONE) -> bool:
    """Tell whether all members but some are texts or null.

    Equal texts and nulls are the same JSON; numbers are not (1, 1.0 and true are equal).
    """
    for name, value in members.items():  # a generator would cost more than what it goes through
        if value is not None and type(value) is not str and name not in but:
            return False
    return True


class Piece(NamedTuple):
    """The one piece that a choice says: its event, and where it stands in the delta.

    `held` is where a fragment of a call holds it, empty for a text. `again` are the members that repeat a text;
    `detail` is the name that it has in an item of the details, empty where they do not repeat it.
    """

    event: Event
    member: str
    held: str = ""
    again: tuple[str, ...] = ()
    detail: str = ""


class PlainChunk:
    """A chunk as the one before it but for its piece, its likeliness, and the padding.

    Everything beside `created` and `index` is a text or null. `said` is the name of the piece in the event.
    What is expected of the next chunk lies ready, and is filled anew for each comparison: nearly all are like it.
    """

    __slots__ = (
        "again",
        "block",
        "choice",
        "delta",
        "detail",
        "envelope",
        "fragment",
        "held",
        "inner",
        "item",
        "kind",
        "likely",
        "member",
        "padded",
        "said",
        "simple",
        "wanted_choice",
        "wanted_delta",
        "wanted_frame",
    )

    def __init__(self, alone: Piece, envelope: dict[str, Any], choice: dict[str, Any]) -> None:
        event, self.member, self.held, self.again, self.detail = alone
        self.envelope = envelope
        self.likely = LIKELINESS in choice
        self.choice = {**choice, LIKELINESS: None} if self.likely else choice
        self.delta: dict[str, Any] = choice["delta"]
        self.kind: str = event["type"]
        self.block: int = event["block"]
        self.said = "arguments" if self.held else "text"
        self.fragment = self.inner = self.item = _EMPTY
        self.padded = False
        self.simple = not (self.held or self.again or self.detail)  # the piece stands in the delta, and only once
        self.wanted_frame = self.wanted_choice = self.wanted_delta = _EMPTY

    def made(self, piece: str, likeliness: dict[str, Any] | None) -> dict[str, Any]:
        """Return the chunk that says a piece."""
        if self.simple:
            delta = {**self.delta, self.member: piece}
        elif self.held:
            inner = {**self.inner, self.member: piece}
            delta = {**self.delta, "tool_calls": [{**self.fragment, self.held: inner}]}
        else:
            delta = {**self.delta, self.member: piece}
            for name in self.again:
                delta[name] = piece
            if self.detail:
                delta[DETAILS] = [{**self.item, self.detail: piece}]
        choice = {**self.choice, "delta": delta}
        if likeliness is not None:
            choice[LIKELINESS] = likeliness
        return {**self.envelope, "choices": [choice]}

    def read(self, frame: dict[str, Any], choices: list[Any], delta: dict[str, Any]) -> str | None:
        """Return the piece that a chunk says, or None where it is more than plain, or says none."""
        if self.wanted_frame is _EMPTY:
            self.wanted_frame, self.wanted_choice, self.wanted_delta = (
                {**self.envelope},
                {**self.choice},
                {**self.delta},
            )
        if self.simple:
            piece = delta.get(self.member)
            if type(piece) is not str or not piece:
                return None
            self.wanted_delta[self.member] = piece
            if self.wanted_delta != delta:
                return None
        else:
            piece = self._fragment(delta) if self.held else self._repeated(delta)
            if not piece:
                return None
        choice, wanted, expected = choices[0], self.wanted_choice, self.wanted_frame
        wanted["delta"] = delta
        if self.likely:
            likeliness = choice.get(LIKELINESS)
            wanted[LIKELINESS] = likeliness if type(likeliness) is dict else None
        if wanted != choice:
            return None
        expected["choices"] = choices
        if self.padded:
            padding = frame.get(PADDING)
            if type(padding) is not str:
                return None
            expected[PADDING] = padding
        return piece if expected == frame and type(frame["created"]) is int else None

    def _repeated(self, delta: dict[str, Any]) -> str | None:
        """Return the text that a delta says more than once."""
        text = delta.get(self.member)
        if type(text) is not str:
            return None
        expected = self.wanted_delta
        expected[self.member] = text
        for name in self.again:
            expected[name] = text
        if self.detail:
            details = delta.get(DETAILS)
            if type(details) is not list or len(details) != 1 or type(details[0]) is not dict:
                return None
            if {**self.item, self.detail: text} != details[0] or not _same_index(self.item, details[0]):
                return None
            expected[DETAILS] = details
        return text if expected == delta else None

    def _fragment(self, delta: dict[str, Any]) -> str | None:
        fragments = delta.get("tool_calls")
        if type(fragments) is not list or len(fragments) != 1 or type(fragments[0]) is not dict:
            return None
        fragment = fragments[0]
        inner = fragment.get(self.held)
        if type(inner) is not dict or type(fragment.get("index")) is not int:
            return None
        text = inner.get(self.member)
        if type(text) is not str or {**self.inner, self.member: text} != inner:
            return None
        if {**self.fragment, self.held: inner} != fragment:
            return None
        self.wanted_delta["tool_calls"] = fragments
        return text if self.wanted_delta == delta else None


def plain_chunk(alone: Piece, envelope: dict[str, Any], choice: dict[str, Any], *, padded: bool) -> PlainChunk | None:
    """Return what the next chunk is like if it is plain, or None where this one is not."""
    delta = choice.get("delta")
    if type(delta) is not dict or type(choice.get("index")) is not int:
        return None
    if type(choice.get(LIKELINESS)) not in {dict, type(None)}:
        return None
    if not calm(choice, OWN):
        return None
    plain = PlainChunk(alone, envelope, choice)
    plain.padded = padded
    return plain if (_calm_fragment(plain, delta) if alone.held else _calm_text(plain, delta)) else None


def _calm_text(plain: PlainChunk, delta: dict[str, Any]) -> bool:
    """Tell whether a delta says a text, and says it again as it is known to; take note of the item of the details."""
    text = delta.get(plain.member)
    if type(text) is not str or any(delta.get(name) != text for name in plain.again):
        return False
    if not plain.detail:
        return calm(delta)
    details = delta.get(DETAILS)
    if type(details) is not list or len(details) != 1 or type(details[0]) is not dict:
        return False
    plain.item = details[0]
    return calm(plain.item, ("index",)) and calm(delta, (DETAILS,))


def _calm_fragment(plain: PlainChunk, delta: dict[str, Any]) -> bool:
    """Tell whether a delta says a piece of one call that has begun; take note of what stands beside the piece."""
    fragments = delta.get("tool_calls")
    if type(fragments) is not list or len(fragments) != 1 or type(fragments[0]) is not dict:
        return False
    plain.fragment = fragments[0]
    inner = plain.fragment.get(plain.held)
    if type(inner) is not dict or type(inner.get(plain.member)) is not str:
        return False
    if type(plain.fragment.get("index")) is not int:
        return False
    if inner.get("name") and not plain.fragment.get("id"):  # a name may begin another call
        return False
    plain.inner = inner
    return calm(inner) and calm(plain.fragment, ("index", plain.held)) and calm(delta, ("tool_calls",))


def _same_index(item: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Tell whether two items have an index of the same type, whose value is known to be equal."""
    return type(item.get("index")) is type(found.get("index"))


def bare_patch(padding: str | None) -> dict[str, Any]:
    """Return the patch of a chunk that says nothing and has no choices."""
    return {"absent": [*_BARE]} if padding is None else {"put": {PADDING: padding}, "absent": [*_BARE]}


def beside_bare(event: Event, dialect: str) -> tuple[str | None] | None:
    """Return the padding of a chunk that says nothing and has no choices, if it has any; None for another event."""
    extra = event.get("extra")
    bag = extra.get(dialect) if extra is not None and len(extra) == 1 and len(event) == 2 else None
    patch = bag.get("frame") if type(bag) is dict and len(bag) == 1 else None
    if type(patch) is not dict or patch.get("absent") != _BARE:
        return None
    if len(patch) == 1:
        return (None,)
    put = patch.get("put")
    if len(patch) != 2 or type(put) is not dict or len(put) != 1 or type(put.get(PADDING)) is not str:
        return None
    return (put[PADDING],)


def beside_piece(extra: Mapping[str, Any], dialect: str) -> tuple[str | None, dict[str, Any] | None] | None:
    """Return the padding and the likeliness of a plain piece, if it has any; None for one that is more than plain."""
    bag = extra.get(dialect)
    if bag is None or len(extra) != 1:
        return None
    padding = likeliness = None
    known = 0
    patch = bag.get("frame")
    if patch is not None:
        put = patch.get("put") if type(patch) is dict and len(patch) == 1 else None
        if type(put) is not dict or len(put) != 1 or type(padding := put.get(PADDING)) is not str:
            return None
        known = 1
    if len(bag) != known:
        choice = bag.get("choice")
        likeliness = choice.get(LIKELINESS) if type(choice) is dict and len(choice) == 1 else None
        if type(likeliness) is not dict or len(bag) != known + 1:
            return None
    return padding, likeliness
