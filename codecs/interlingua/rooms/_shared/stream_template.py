"""The fast path of all streams: frames that differ from the one before only in their text.

Most frames of a stream are the next piece of one block, and nothing else differs. Such a frame is recognized by
comparing it with the previous one with the new text put in: it need not be decoded, or encoded, in full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from interlingua.rooms._shared.patch import PATCH, PUT
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping


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
_Walk: TypeAlias = "tuple[tuple[Any, tuple[tuple[Any, type], ...]], ...]"
_NUMBERS: Final = frozenset({int, float, bool})
_HOLDERS: Final = frozenset({dict, list})
# The first piece of a block in a row that a template is made from. Making one costs as much as reading a frame or
# writing several without it.
LEARNT_READING, LEARNT_WRITING = 2, 3


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

    __slots__ = ("_count", "_learnt", "last")

    def __init__(self, learnt: int) -> None:
        self._learnt = learnt
        self.last: Mapping[str, Any] | None = None  # None if something else than a piece came
        self._count = 0

    def count(self, event: Mapping[str, Any]) -> Piece | None:
        """Count a piece; return it if a template is to be made from it.

        A text of one character cannot be found by identity.
        """
        text, last = event[TEXTS[event["type"]]], self.last
        goes_on = (
            last is not None
            and event["block"] == last["block"]
            and event["type"] == last["type"]
            and event.get("alternative") == last.get("alternative")
        )
        self.last = event if text else None
        self._count = self._count + 1 if goes_on else 1
        if self._count < self._learnt or len(text) < 2:
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

    def __init__(self, frame: dict[str, Any], found: _Found, piece: Piece, free: str, counted: str) -> None:
        self.piece = piece
        self.free = free
        self.counted = counted
        self._has_read = False  # whether the next number is known
        self.held: tuple[TextPieces, ...] = ()
        self._walk = found.walk
        self._key = found.walk[-1][0]
        is_alone = len(found.places) == 1
        # Containers on the path to a text are changed, and therefore copied; the rest is shared.
        at: Any = frame.copy() if is_alone else _copied(frame)
        self._skeleton: dict[str, Any] = at
        levels: list[tuple[Any, Any]] = []
        for key, _ in found.walk[:-1]:
            levels.append((at, key))
            if is_alone:
                at[key] = at[key].copy()
            at = at[key]
        levels.append((at, self._key))
        self._inner = at
        self._levels = tuple(reversed(levels))
        self._others = tuple([(_at(self._skeleton, place[:-1]), place[-1]) for place in found.places[1:]])

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


def template(
    frame: Any, text: str, piece: Piece, free: str, counted: str = "", *, fresh: bool = False
) -> Template | None:
    """Return the template of a frame that has a text; None if there is none.

    `fresh`: the text is a distinct object, and others that are equal to it are not the text. That matters only for
    frames that are made: one that is read must have the next text in the same places.
    """
    if type(frame) is not dict:
        return None
    found = _Found(text, fresh=fresh)
    try:
        found.walk, has_stray_number = found.search(frame, ())
    except RecursionError:  # no piece is nested so deeply
        return None
    if has_stray_number or not found.walk:
        return None
    has_number = type(frame.get(counted)) is int
    return Template(frame, found, piece, free if free in frame else "", counted if has_number else "")


def padding(extra: Mapping[str, Any], dialect: str, name: str, note: str) -> str | None:
    """Return the text of the free member, if the `extra` of an event holds nothing else; else None."""
    extra_of = extra.get(dialect, NOTHING) if len(extra) == 1 else NOTHING
    kept: Any = extra_of.get(note) if len(extra_of) == 1 else None
    if note == PATCH:
        put = kept.get(PUT) if type(kept) is dict and len(kept) == 1 else None
        kept = put.get(name) if type(put) is dict and len(put) == 1 else None
    return kept if type(kept) is str else None


def fresh(text: str) -> str:
    """Return a text as a distinct object, which can be found by identity; empty for a single character."""
    return (text + " ")[:-1] if len(text) > 1 else ""


class _Found:
    """The places of a text in a frame, and the way to the first: each key, with the numbers beside it.

    Numbers are noted with their types, since equal numbers may differ in type.
    """

    def __init__(self, text: str, *, fresh: bool) -> None:
        self._text = text
        self._fresh = fresh
        self.places: list[tuple[Any, ...]] = []
        self.walk: _Walk = ()

    def search(self, value: Any, at: tuple[Any, ...]) -> tuple[_Walk, bool]:
        """Return the way from a container to the first text in it, and whether there are numbers beside that way."""
        numbers: list[tuple[Any, type]] = []
        first: Any = None
        below: _Walk = ()
        has_stray_number = False
        for key, one in value.items() if type(value) is dict else enumerate(value):
            kind = type(one)
            if kind is str:
                if one is self._text or (one == self._text and not self._fresh):
                    first = key if not self.places else first
                    self.places.append((*at, key))
            elif kind in _NUMBERS:
                numbers.append((key, kind))
            elif kind in _HOLDERS:
                is_first = not self.places
                walk, is_stray = self.search(one, (*at, key))
                has_stray_number = has_stray_number or is_stray
                if is_first and walk:
                    first, below = key, walk
        if first is None:
            return (), has_stray_number or bool(numbers)
        return ((first, tuple(numbers)), *below), has_stray_number


def _at(value: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        value = value[key]
    return value


def _copied(value: Any) -> Any:
    if type(value) is dict:
        return {name: _copied(one) for name, one in value.items()}
    return [_copied(one) for one in value] if type(value) is list else value
