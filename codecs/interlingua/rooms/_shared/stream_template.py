"""The fast path of all streams: frames that differ from the one before only in their text.

Most frames of a stream are the next piece of one block, and nothing else differs. Such a frame is recognized by
comparing it with the previous one with the new text put in: it need not be decoded, or encoded, in full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from interlingua.rooms._shared.patch import PATCH, PUT
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class TextPieces(Protocol):
    """A collector of the pieces of a text: a list, or a counter."""

    def append(self, text: str, /) -> None:
        """Take the next piece."""


# Events that are a piece of text, and the member that holds it.
TEXTS: Final[Mapping[str, str]] = {
    "content": "text",
    "reasoning": "text",
    "refusal": "text",
    "tool_call_delta": "arguments",
}
_NUMBERS: Final = frozenset({int, float, bool})
_HOLDERS: Final = frozenset({dict, list})
# The first piece of a block that a template is made from: making one costs as much as several pieces without it.
LEARNT: Final = 3


class Piece:
    """What the events of one block's pieces have in common: everything but the text."""

    __slots__ = ("_alternative", "_block", "_kind", "_members", "said")

    def __init__(self, event: Mapping[str, Any]) -> None:
        self._kind: str = event["type"]
        self._block: int = event["block"]
        self._alternative: int = event.get("alternative", 0)
        self.said: str = TEXTS[self._kind]
        self._members = 4 if self._alternative else 3

    def is_next(self, event: Mapping[str, Any]) -> bool:
        """Tell whether an event is the next piece of the block, with no other members than `extra`."""
        return (
            event["type"] == self._kind
            and event["block"] == self._block
            and event.get("alternative", 0) == self._alternative
            and len(event) - ("extra" in event) == self._members
        )

    def event(self, text: str) -> dict[str, Any]:
        """Return the event of a piece."""
        event: dict[str, Any] = {"type": self._kind, "block": self._block, self.said: text}
        if self._alternative:
            event["alternative"] = self._alternative
        return event


class PieceCounter:
    """Counts the pieces of one block in a row, since most blocks have too few for a template."""

    __slots__ = ("_count", "_last")

    def __init__(self) -> None:
        self._last: Mapping[str, Any] | None = None
        self._count = 0

    def stop(self) -> None:
        """Note that something else than a piece came."""
        self._last = None

    def count(self, event: Mapping[str, Any]) -> Piece | None:
        """Count a piece; return it if a template is to be made from it.

        A text of one character cannot be found by identity.
        """
        text, last = event[TEXTS[event["type"]]], self._last
        goes_on = (
            last is not None
            and event["block"] == last["block"]
            and event["type"] == last["type"]
            and event.get("alternative") == last.get("alternative")
        )
        self._last = event if text else None
        self._count = self._count + 1 if goes_on else 1
        if self._count < LEARNT or len(text) < 2:
            return None
        piece = Piece(event)
        return piece if piece.is_next(event) else None  # else it has other members


class Template:
    """A frame with placeholders for one text, in one place or several.

    `free` is a member with arbitrary text (padding), `counted` a number that increases by one with each frame; both are
    "" if the frame has none. `held` are further collectors of the text's pieces.
    """

    __slots__ = (
        "_has_read",
        "_inner",
        "_key",
        "_levels",
        "_others",
        "_skeleton",
        "_walk",
        "counted",
        "free",
        "held",
        "piece",
    )

    def __init__(
        self, frame: dict[str, Any], places: list[tuple[Any, ...]], piece: Piece, free: str, counted: str
    ) -> None:
        self.piece = piece
        self.free = free
        self.counted = counted
        self._has_read = False  # whether the next number is known
        self.held: tuple[TextPieces, ...] = ()
        # Containers on the path to a text are changed, and therefore copied; the rest is shared.
        at: Any = frame.copy() if len(places) == 1 else _copied(frame)
        self._skeleton: dict[str, Any] = at
        levels: list[tuple[Any, Any]] = []
        walk: list[tuple[Any, tuple[tuple[Any, type], ...]]] = []
        *way, self._key = places[0]
        for key in way:
            walk.append((key, _numbers(at)))
            levels.append((at, key))
            if len(places) == 1:
                at[key] = at[key].copy()
            at = at[key]
        walk.append((self._key, _numbers(at)))
        levels.append((at, self._key))
        self._inner = at
        self._walk = tuple(walk)
        self._levels = tuple(reversed(levels))
        self._others = tuple((_at(self._skeleton, place[:-1]), place[-1]) for place in places[1:])

    def read(self, frame: dict[str, Any]) -> str | None:
        """Return the text of a frame that matches this one; None for any other frame, or an empty text.

        A frame that is too deep to compare does not match.
        """
        at: Any = frame
        try:
            for key, numbers in self._walk:
                for name, kind in numbers:
                    if type(at[name]) is not kind:  # 1 == 1.0 == True
                        return None
                at = at[key]
            if type(at) is not str or not at:
                return None
            if self.free:
                free = frame[self.free]
                if type(free) is not str:
                    return None
                self._skeleton[self.free] = free
            if self.counted:
                number = frame[self.counted]
                if self._has_read and number != self._skeleton[self.counted] + 1:
                    return None
                self._skeleton[self.counted] = number
            self._inner[self._key] = at
            for container, key in self._others:
                container[key] = at
            if self._skeleton != frame:
                return None
        except (KeyError, IndexError, TypeError, RecursionError):
            return None
        self._has_read = True
        text: str = at
        return text

    def made(self, text: str) -> dict[str, Any]:
        """Return the frame for a text; it shares nothing that is changed later."""
        if self.counted:
            self._skeleton[self.counted] += 1
        if self._others:
            self._inner[self._key] = text
            for container, key in self._others:
                container[key] = text
            whole: dict[str, Any] = _copied(self._skeleton)
            return whole
        below: Any = text
        for container, key in self._levels:
            outer = container.copy()
            outer[key] = below
            below = outer
        made: dict[str, Any] = below
        return made


def template(frame: Any, text: str, piece: Piece, free: str, counted: str = "") -> Template | None:
    """Return the template of a frame, in which the text is found by object identity; None if there is none."""
    if type(frame) is not dict:
        return None
    try:
        places = _places(frame, text, ())
        if not places or not _numbers_only_beside_text(frame, places):
            return None
    except RecursionError:  # no piece is nested so deeply
        return None
    has_number = type(frame.get(counted)) is int
    return Template(frame, places, piece, free if free in frame else "", counted if has_number else "")


def padding(extra: Mapping[str, Any], dialect: str, name: str, note: str) -> str | None:
    """Return the text of the free member, if the `extra` of an event holds nothing else; else None."""
    extra_of = extra.get(dialect, NOTHING) if len(extra) == 1 else NOTHING
    kept: Any = extra_of.get(note) if len(extra_of) == 1 else None
    if note == PATCH:
        put = kept.get(PUT) if type(kept) is dict and len(kept) == 1 else None
        kept = put.get(name) if type(put) is dict and len(put) == 1 else None
    return kept if type(kept) is str else None


def with_text(value: Any, text: str, new: str) -> Any:
    """Return a value with each occurrence of a text replaced."""
    kind = type(value)
    if kind is str:
        return new if value == text else value
    if kind is dict:
        return {name: with_text(one, text, new) for name, one in value.items()}
    return [with_text(one, text, new) for one in value] if kind is list else value


def fresh(text: str) -> str:
    """Return a text as a distinct object, which can be found by identity; empty for a single character."""
    return (text + " ")[:-1] if len(text) > 1 else ""


def _places(value: Any, text: str, at: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    places: list[tuple[Any, ...]] = []
    for key, one in _members(value):
        if one is text:
            places.append((*at, key))
        elif type(one) in _HOLDERS:
            places += _places(one, text, (*at, key))
    return places


def _members(value: Any) -> Iterable[tuple[Any, Any]]:
    return value.items() if type(value) is dict else enumerate(value)


def _numbers(value: Any) -> tuple[tuple[Any, type], ...]:
    """Return the keys and types of numbers in an object or a list: equal numbers may differ in type."""
    return tuple([(name, type(one)) for name, one in _members(value) if type(one) in _NUMBERS])


def _numbers_only_beside_text(frame: Any, places: list[tuple[Any, ...]]) -> bool:
    """Tell whether all numbers are in containers on the path to the first text, where their types are checked."""
    at = frame
    for key in places[0]:
        for name, one in _members(at):
            if name != key and type(one) in _HOLDERS and _has_number_below(one):
                return False
        at = at[key]
    return True


def _has_number_below(value: Any) -> bool:
    return any(
        type(one) in _NUMBERS or (type(one) in _HOLDERS and _has_number_below(one)) for _, one in _members(value)
    )


def _at(value: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        value = value[key]
    return value


def _copied(value: Any) -> Any:
    if type(value) is dict:
        return {name: _copied(one) for name, one in value.items()}
    return [_copied(one) for one in value] if type(value) is list else value
