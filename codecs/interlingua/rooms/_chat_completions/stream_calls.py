"""Assemble tool calls from fragments in chunks: which fragment continues which call, and where a call begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.reading import OBJECT, TEXT, Malformed, expect
from interlingua.tool_arguments import arguments_object

if TYPE_CHECKING:
    from collections.abc import Sequence


# Finish reasons for tool calls.
_CALLED: Final = frozenset({"tool_calls", "function_call"})
# Placeholders for arguments that follow in pieces, as written by gateways that translate Claude's streams.
BLANK: Final[tuple[Any, ...]] = ("{}", {})


class Fragment:
    """One fragment of a call; empty texts stand for absent members.

    `held` is the member that holds name and arguments.
    """

    def __init__(self, index: int | None, identifier: str, held: str, name: str, piece: str | dict[str, Any]) -> None:
        self.index = index
        self.identifier = identifier
        self.held = held
        self.name = name
        self.piece = piece


class Call:
    """A call that is being assembled: its index, id and name on the wire, and its arguments so far."""

    def __init__(self, fragment: Fragment) -> None:
        self.index = fragment.index
        self.identifier = fragment.identifier
        self.name = fragment.name
        self.block = -1
        self.silent = True  # no argument has come yet
        self.blank = False  # whether an empty object has come, which may be a placeholder
        self.dropped = False  # whether it was a placeholder
        self.pieces: list[str] = []
        self._looked_at: list[str] = []
        self._free = fragment.held == "custom"
        self._depth = 0
        self._quoted = self._escaped = self._started = False

    def go_on(self, name: str) -> None:
        """Take a piece of the name, which ends where arguments begin; some servers repeat the whole name."""
        if self.silent and name != self.name:
            self.name = name if name.startswith(self.name) else self.name + name

    def add(self, piece: str | dict[str, Any]) -> None:
        """Take a piece of the arguments; an object is complete."""
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
        """Tell whether a piece repeats the complete arguments, perhaps with other white space."""
        if self.blank:
            return piece in BLANK
        if type(piece) is not str or not piece.startswith("{") or self._free or not self.complete:
            return False
        again, is_faithful = arguments_object(piece)
        return is_faithful and (again, True) == arguments_object(self.text())

    def text(self) -> str:
        """Return the arguments so far, without those that came as an object."""
        return "{}" if self.blank else "".join([*self._looked_at, *self.pieces])

    @property
    def complete(self) -> bool:
        """Whether the arguments are a complete JSON object. Each character is scanned only once, and on demand."""
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
    """The fragments of a call without a name so far."""

    def __init__(self) -> None:
        self.fragments: list[Fragment] = []
        self._identifier = ""

    def is_other(self, fragment: Fragment) -> bool:
        """Tell whether a fragment belongs to another call: the id of a call never changes."""
        return bool(self._identifier and fragment.identifier and fragment.identifier != self._identifier)

    def add(self, fragment: Fragment) -> None:
        """Take a fragment."""
        self.fragments.append(fragment)
        self._identifier = self._identifier or fragment.identifier

    def whole(self, last: Fragment) -> Fragment:
        """Return all fragments joined, with index and name of the last one."""
        pieces = [one.piece for one in self.fragments]
        objects = [piece for piece in pieces if type(piece) is not str]
        piece = objects[-1] if objects else "".join(piece for piece in pieces if type(piece) is str)
        return Fragment(last.index, self._identifier, last.held, last.name, piece)


class Calls:
    """The calls of one answer, assembled from fragments."""

    def __init__(self) -> None:
        self.all: list[Call] = []
        self._by_identifier: dict[str, Call] = {}
        self._begun_without_id: list[Call] = []
        self._by_index: dict[int, list[Call]] = {}
        self._is_named = False  # whether the last fragment had a name or an id
        # Calls without a name so far, by index, and those that were followed by another call.
        self._nameless: dict[int | None, _Nameless] = {}
        self._passed: list[_Nameless] = []

    def take(self, fragment: Fragment) -> tuple[Call, bool] | None:
        """Return the call of a fragment, and whether it is new; None if it has no name yet. Raises `Malformed`."""
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
        return self._started_call(fragment), True

    def _started_call(self, fragment: Fragment) -> Call:
        call = Call(fragment)
        call.add(fragment.piece)
        self.all.append(call)
        self._by_identifier[fragment.identifier] = call
        if not fragment.identifier:
            self._begun_without_id.append(call)
        if fragment.index is not None:
            self._by_index.setdefault(fragment.index, []).append(call)
        return call

    def nameless(self, reason: Any = None) -> list[tuple[Call, Fragment]]:
        """Return the calls that never got a name, each with its joined fragment.

        An empty one is ignored, unless the finish reason is a call and there is no other.
        """
        if not (self._nameless or self._passed):  # nearly always
            return []
        silent = not self.all and type(reason) is str and reason in _CALLED
        waiting = [*self._passed, *self._nameless.values()]
        self._passed, self._nameless = [], {}
        whole = [one.whole(one.fragments[-1]) for one in waiting]
        return [(self._started_call(one), one) for one in whole if silent or one.identifier or one.piece]

    def certain(self, block: int) -> Call | None:
        """Return the call of a block if the next fragment like the last one must belong to it; else None.

        A fragment may belong to another call if it has a name or an id, or no index of its own.
        """
        if self._is_named:
            return None
        call = self.of_block(block)
        if call is None:
            return None
        only = len(self.all) == 1 or (call.index is not None and len(self._by_index[call.index]) == 1)
        return call if only else None

    def of_block(self, block: int) -> Call | None:
        """Return the call of a block, nearly always one of the last."""
        return next((call for call in reversed(self.all) if call.block == block), None)

    def _found(self, fragment: Fragment) -> Call | None:
        """Return the call that a fragment continues, or None if it begins one."""
        index, identifier = fragment.index, fragment.identifier
        known = self._by_identifier.get(identifier) if identifier else None
        if known is not None:
            if index is not None and index != known.index:
                for call in self._by_index.get(index, ()):
                    if call.identifier == identifier:
                        return call
            # Some servers reuse an id for another call: they make it from the name of the tool alone.
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
        """Return the call whose name is repeated or continued, or None: any other name begins a call."""
        everywhere = self._begun_without_id if fragment.identifier else self.all
        pool: Sequence[Call] = everywhere if fragment.index is None else self._by_index.get(fragment.index, ())
        if pool and fragment.index is not None and not fragment.identifier and pool[-1].silent and pool[-1].identifier:
            return pool[-1]  # a new call would have an id, too
        same = [call for call in pool if call.name == fragment.name]
        if fragment.identifier:  # the id may come late, but never changes
            late = [call for call in same if not call.identifier and call.silent]
            if len(late) != 1:
                return None
            late[0].identifier = fragment.identifier
            self._by_identifier[fragment.identifier] = late[0]
            return late[0]
        # A name without arguments begins a call, even if the previous call has only a name so far.
        going = [call for call in same if not call.complete and not (call.silent and fragment.piece == "")]
        return _only(going, fragment) if going else None


def _only(pool: Sequence[Call], fragment: Fragment) -> Call:
    """Return the only call that a fragment can belong to. Raises `Malformed` if there are several."""
    if len(pool) == 1:
        return pool[0]
    going = [call for call in pool if not call.complete]
    if len(going) == 1:
        return going[0]
    if not going or fragment.piece == "":
        return pool[-1]
    raise Malformed("", "the fragment may belong to several calls: it has neither an id nor an index of its own")


def read_fragment(wire: Any) -> Fragment | None:
    """Parse a fragment; None for an unknown type. Raises `Malformed`."""
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
    """Return an index, which may be written as text."""
    if value is None or type(value) is int:
        return value
    if type(value) is str and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    raise Malformed("/index", "expected a whole number")
