"""The calls of an answer in chunks: which fragment continues which call, and where a call begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.arguments import arguments_object
from interlingua.spi.reading import OBJECT, TEXT, Malformed, expect

if TYPE_CHECKING:
    from collections.abc import Sequence


# Reasons why an answer ended that say that it calls.
_CALLED: Final = frozenset({"tool_calls", "function_call"})
# Arguments that hold the place of those that come in pieces, as servers in between write them that translate Claude's.
BLANK: Final[tuple[Any, ...]] = ("{}", {})


class Fragment:
    """What one fragment of a call says: empty texts say nothing.

    `held` is the member that holds name and piece, empty for a fragment that says neither.
    """

    def __init__(self, index: int | None, identifier: str, held: str, name: str, piece: str | dict[str, Any]) -> None:
        self.index = index
        self.identifier = identifier
        self.held = held
        self.name = name
        self.piece = piece


class Call:
    """A call that grows: how it is named on the wire, and how far its arguments have come."""

    def __init__(self, fragment: Fragment) -> None:
        self.index = fragment.index
        self.identifier = fragment.identifier
        self.name = fragment.name
        self.block = -1
        self.silent = True  # no argument has come yet
        self.blank = False  # whether an empty object has come, which may only hold the place of the arguments
        self.dropped = False  # whether it did
        self.pieces: list[str] = []
        self._looked_at: list[str] = []
        self._free = fragment.held == "custom"
        self._depth = 0
        self._quoted = self._escaped = self._started = False

    def go_on(self, name: str) -> None:
        """Take a piece of the name, which ends where an argument comes; servers say the whole name again, too."""
        if self.silent and name != self.name:
            self.name = name if name.startswith(self.name) else self.name + name

    def add(self, piece: str | dict[str, Any]) -> None:
        """Take a piece of the arguments; an object is whole."""
        if self.silent and not self.blank and piece in BLANK and not self._free:
            self.blank = True
            return
        if self.blank and piece:
            self.dropped = type(piece) is not str or piece.lstrip().startswith("{")
            if not self.dropped:
                self.pieces.append("{}")
        if type(piece) is not str:
            self._started = True
        elif piece:
            self.pieces.append(piece)
        else:
            return
        self.silent = self.blank = False

    def repeats(self, piece: str | dict[str, Any]) -> bool:
        """Tell whether a piece says again what was whole before it, perhaps in other white space."""
        if self.blank:
            return piece in BLANK
        if type(piece) is not str or not piece.startswith("{") or self._free or not self.complete:
            return False
        again, is_faithful = arguments_object(piece)
        return is_faithful and (again, True) == arguments_object(self.text())

    def text(self) -> str:
        """Return the arguments so far, but for those that came as an object."""
        return "{}" if self.blank else "".join([*self._looked_at, *self.pieces])

    @property
    def complete(self) -> bool:
        """Whether the arguments are a whole JSON object. Each character is looked at once, and only if it is asked."""
        for piece in self.pieces:
            for character in piece:
                self._step(character)
        self._looked_at += self.pieces
        self.pieces.clear()
        return (self._started or self.blank) and self._depth == 0 and not self._quoted

    def _step(self, character: str) -> None:
        if self._escaped:
            self._escaped = False
        elif self._quoted:
            self._escaped = character == "\\"
            self._quoted = character != '"'
        elif character == '"':
            self._quoted = True
        elif character in "{[":
            self._depth += 1
            self._started = True
        elif character in "}]":
            self._depth -= 1


class _Nameless:
    """The fragments of a call that has no name yet."""

    def __init__(self) -> None:
        self.fragments: list[Fragment] = []
        self._identifier = ""

    def is_other(self, fragment: Fragment) -> bool:
        """Tell whether a fragment is of another call: the id of a call never changes."""
        return bool(self._identifier and fragment.identifier and fragment.identifier != self._identifier)

    def add(self, fragment: Fragment) -> None:
        """Take a fragment."""
        self.fragments.append(fragment)
        self._identifier = self._identifier or fragment.identifier

    def whole(self, last: Fragment) -> Fragment:
        """Return what all fragments say, as one that is named like the last."""
        pieces = [one.piece for one in self.fragments]
        objects = [piece for piece in pieces if type(piece) is not str]
        piece = objects[-1] if objects else "".join(piece for piece in pieces if type(piece) is str)
        return Fragment(last.index, self._identifier, last.held, last.name, piece)


class Calls:
    """The calls of one answer, as their fragments come."""

    def __init__(self) -> None:
        self.all: list[Call] = []
        self._by_identifier: dict[str, Call] = {}
        self._by_index: dict[int, list[Call]] = {}
        self._is_named = False  # whether the last fragment had a name or an id
        # What begins a call and does not name it yet, by its index, and those that another one has followed.
        self._nameless: dict[int | None, _Nameless] = {}
        self._passed: list[_Nameless] = []

    def take(self, fragment: Fragment) -> tuple[Call, bool] | None:
        """Return the call of a fragment, and whether it begins; None where it has no name yet. Raises `Malformed`."""
        self._is_named = bool(fragment.name or fragment.identifier)
        call = self._found(fragment)
        if call is not None:
            if fragment.name:
                call.go_on(fragment.name)
            if call.repeats(fragment.piece):
                fragment.piece = ""
            call.add(fragment.piece)
            return call, False
        waiting = self._nameless.get(fragment.index)
        if waiting is not None and waiting.is_other(fragment):
            self._passed.append(self._nameless.pop(fragment.index))
            waiting = None
        if not fragment.name:
            if waiting is None:
                waiting = self._nameless[fragment.index] = _Nameless()
            waiting.add(fragment)
            return None
        if waiting is not None:
            del self._nameless[fragment.index]
            waiting.add(fragment)
            whole = waiting.whole(fragment)
            fragment.identifier, fragment.piece = whole.identifier, whole.piece
        return self._begun(fragment), True

    def _begun(self, fragment: Fragment) -> Call:
        call = Call(fragment)
        call.add(fragment.piece)
        self.all.append(call)
        self._by_identifier[fragment.identifier] = call
        if fragment.index is not None:
            self._by_index.setdefault(fragment.index, []).append(call)
        return call

    def nameless(self, reason: Any = None) -> list[tuple[Call, Fragment]]:
        """Return the calls whose name has never come, each with all that it says.

        One that says nothing is none, unless the answer ended for a call and there is no other.
        """
        if not (self._nameless or self._passed):  # nearly always
            return []
        silent = not self.all and type(reason) is str and reason in _CALLED
        waiting = [*self._passed, *self._nameless.values()]
        self._passed, self._nameless = [], {}
        whole = [one.whole(one.fragments[-1]) for one in waiting]
        return [(self._begun(one), one) for one in whole if silent or one.identifier or one.piece]

    def certain(self, block: int) -> Call | None:
        """Return the call of a block where a fragment like the last one is its own, too; None where it may not be.

        A fragment may be of another call where it repeats a name or an id, or where it has no index of its own.
        """
        if self._is_named:
            return None
        for call in reversed(self.all):
            if call.block == block:
                only = len(self.all) == 1 or (call.index is not None and len(self._by_index[call.index]) == 1)
                return call if only else None
        return None

    def _found(self, fragment: Fragment) -> Call | None:
        """Return the call that a fragment continues, or None where it begins one."""
        index, identifier = fragment.index, fragment.identifier
        known = self._by_identifier.get(identifier) if identifier else None
        if known is not None:
            if index is not None and index != known.index:
                for call in self._by_index.get(index, ()):
                    if call.identifier == identifier:
                        return call
            # An id may be used again for another call: some servers make it of the name of the tool alone.
            is_new = index != known.index and (index is not None or fragment.name != known.name)
            return None if is_new and fragment.name and known.complete else known
        if fragment.name:
            return self._named(fragment)
        if index is not None and index in self._by_index:
            return _only(self._by_index[index], fragment)
        if not self.all or index in self._nameless or (identifier and index is not None):
            return None
        return _only(self.all, fragment)

    def _named(self, fragment: Fragment) -> Call | None:
        """Return the call whose name is repeated, or goes on, or None: a name begins a call."""
        pool: Sequence[Call] = self.all if fragment.index is None else self._by_index.get(fragment.index, ())
        if pool and fragment.index is not None and not fragment.identifier and pool[-1].silent and pool[-1].identifier:
            return pool[-1]  # another call would have an id, too
        same = [call for call in pool if call.name == fragment.name]
        if fragment.identifier:  # the id of a call may come late, but never changes
            late = [call for call in same if not call.identifier and call.silent]
            if len(late) != 1:
                return None
            late[0].identifier = fragment.identifier
            self._by_identifier[fragment.identifier] = late[0]
            return late[0]
        # A name beside nothing begins a call, though the one before it has said nothing but its name either.
        going = [call for call in same if not call.complete and not (call.silent and fragment.piece == "")]
        return _only(going, fragment) if going else None


def _only(pool: Sequence[Call], fragment: Fragment) -> Call:
    """Return the one call that a fragment can belong to. Raises `Malformed` where there are several."""
    if len(pool) == 1:
        return pool[0]
    going = [call for call in pool if not call.complete]
    if len(going) == 1:
        return going[0]
    if not going or fragment.piece == "":
        return pool[-1]
    raise Malformed("", "the fragment may belong to several calls: it has neither an id nor an index of its own")


def read_fragment(wire: Any) -> Fragment | None:
    """Return what a fragment says, or None for one of an unknown type. Raises `Malformed`."""
    expect(wire, OBJECT)
    kind = wire.get("type") if type(wire.get("type")) is str else None
    held = "custom" if "custom" in wire and kind != "function" else "function"
    if held not in wire and kind not in {None, "", "function"}:
        return None
    inner = wire.get(held)
    if inner is None:
        inner = {}
    expect(inner, OBJECT, held)
    piece = inner.get("input" if held == "custom" else "arguments")
    return Fragment(
        _index(wire.get("index")),
        wire["id"] if type(wire.get("id")) is str else "",
        held,
        "" if inner.get("name") is None else expect(inner["name"], TEXT, held, "name"),
        "" if piece is None else expect(piece, (str, dict), held, "input" if held == "custom" else "arguments"),
    )


def _index(value: Any) -> int | None:
    """Return an index, also one that is written as text."""
    if value is None or type(value) is int:
        return value
    if type(value) is str and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    raise Malformed("/index", "expected a whole number")
