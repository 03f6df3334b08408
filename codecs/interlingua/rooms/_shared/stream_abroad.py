"""A stream of another dialect that is written: its events in the order that the target takes, and what it says it cost.

`Sequence` is for dialects that have one block open at a time, `Paragraphs` for those that join the messages of an
answer to one, `CallText` for arguments that are written piece by piece, `WholeCalls` for calls written in one piece.
`StreamUsage` knows which event said what of the cost.
"""

from __future__ import annotations

from collections import deque
from json import dumps
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.arguments import are_whole, first_piece
from interlingua.events import RANKS
from interlingua.pointers import pointer
from interlingua.rooms._shared.refusals import SAID
from interlingua.rooms._shared.writing import PARAGRAPH_BREAK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from interlingua.loss import LossCode, LossLog
    from interlingua.rooms._shared.stream import FrameWriter

Event: TypeAlias = "dict[str, Any]"
# An event and its number in the stream, which is where losses lead.
Numbered: TypeAlias = tuple[int, Event]

# What the blocks after it wait for; all else ends where the next block opens.
_WHOLE: Final = frozenset({"tool_call_start", "part"})
_OPENING: Final = frozenset({"content", "reasoning", "refusal", "tool_call_start", "part", "state", "citation"})


class Sequence:
    """Puts the events of blocks in sequence; events without a block pass.

    Sources may leave blocks open, or write several at once (parallel calls of Chat Completions). What comes out is
    strictly sequential: each block opens once, ends once, and nothing of another block stands between. Texts and
    reasoning end where the next block opens, so that they stream; what follows a call waits until that has ended.
    """

    __slots__ = ("_kind", "_waiting", "current")

    def __init__(self) -> None:
        self.current: int | None = None  # the open block
        self._kind = ""
        self._waiting: dict[int, deque[Numbered]] = {}

    def feed(self, number: int, event: Event, *, opens: bool = False) -> list[Numbered]:
        """Return the events that may be written now; `opens`: this one opens its block, though not by its type."""
        block = event.get("block")
        if block is None:
            return [(number, event)]
        if block == self.current:
            return [(number, event), *self._next()] if self._closes(event) else [(number, event)]
        if block in self._waiting:
            self._waiting[block].append((number, event))
            return []
        if event["type"] not in _OPENING and not opens:  # it ends, or adds to, a block that is not open
            return [] if event["type"] == "block_end" else [(number, event)]
        if self.current is not None and self._kind in _WHOLE:
            self._waiting[block] = deque([(number, event)])
            return []
        closed = [] if self.current is None else self._end(number)
        self._open(event)
        return [*closed, (number, event)]

    def close(self, number: int) -> list[Numbered]:
        """Return what has been waiting, and the ends of all blocks: the stream is over."""
        out: list[Numbered] = []
        while self.current is not None:
            out.extend(self._end(number))
            out.extend(self._next())
        return out

    def given_up(self) -> list[Numbered]:
        """Return what has been waiting, which will not be written: the stream has failed."""
        waiting, self._waiting = self._waiting, {}
        return [one for events in waiting.values() for one in events]

    def _open(self, event: Event) -> None:
        self.current = event["block"]
        self._kind = event["type"]

    def _end(self, number: int) -> list[Numbered]:
        ended: Event = {"type": "block_end", "block": self.current}
        self.current = None
        return [(number, ended)]

    def _closes(self, event: Event) -> bool:
        if event["type"] != "block_end":
            return False
        self.current = None
        return True

    def _next(self) -> list[Numbered]:
        """Return the events of the next waiting blocks, as far as they go."""
        out: list[Numbered] = []
        while self.current is None and self._waiting:
            block = next(iter(self._waiting))
            events = self._waiting.pop(block)
            self._open(events[0][1])
            has_ended = False
            for number, event in events:
                if has_ended:  # this comes late
                    out.extend(self.feed(number, event))
                else:
                    out.append((number, event))
                    has_ended = self._closes(event)
        return out


class Paragraphs:
    """Follows the blocks of one answer. A step back in rank begins the next message, and so does `new_message`.

    Texts of two messages have a blank line between them, and so have two thoughts.
    """

    def __init__(self) -> None:
        self.message = 0
        self._rank = -1
        self._begun: set[int] = set()
        self._last: dict[str, tuple[int, int]] = {}  # kind of text -> message and block that said it last

    def begin(self, event: Mapping[str, Any], kind: str | None = None) -> None:
        """Take note that a block begins: that of the event, which may count as one of another kind."""
        block = event["block"]
        if block in self._begun:
            return
        self._begun.add(block)
        rank = RANKS[kind or event["type"]]
        if rank < self._rank or event.get("new_message"):
            self.message += 1
        self._rank = rank

    def gap(self, event: Mapping[str, Any], kind: str | None = None) -> str:
        """Return what stands before a piece of text that is not empty: a blank line, or nothing."""
        word, block = kind or event["type"], event["block"]
        before = self._last.get(word)
        if before == (self.message, block):  # it goes on
            return ""
        self.begin(event, kind)
        self._last[word] = (self.message, block)
        if before is None:
            return ""
        return PARAGRAPH_BREAK if before[0] != self.message or (word == "reasoning" and before[1] != block) else ""

    def decline(self, event: Mapping[str, Any], path: str, log: LossLog) -> str:
        """Take note of a piece of a refusal that is said as content, and return what stands before it."""
        self.begin(event)
        before, block = self._last.get("content"), event["block"]
        self._last["content"] = (self.message, block)
        if before == (self.message, block):
            return ""
        log.changed("refusal", path, SAID)
        return "" if before is None else PARAGRAPH_BREAK


def said_event(event: Event, paragraphs: Paragraphs, path: str, log: LossLog) -> Event:
    """Return the event of content that says a refusal, where the dialect has none; a blank line stands before it."""
    text = event["text"]
    if text:
        text = paragraphs.decline(event, path, log) + text
    return {**event, "type": "content", "text": text}


# Members of the event that ends an answer, as a response says them.
END_MEMBERS: Final = {"reason": "finish_reason", "raw": "finish_reason_raw", "stop_sequence": "stop_sequence"}


def said_at_end(number: int, finish: Mapping[str, Any], log: LossLog, *, declined: bool) -> dict[str, Any]:
    """Return what the end of an answer says, as a response says it; one that `declined` does not just stop."""
    said = {member: finish[name] for name, member in END_MEMBERS.items() if name in finish}
    if declined and said.get("finish_reason") == "stop":
        said["finish_reason"] = "refusal"
        log.changed("finish_reason", f"/{number}/reason", "an answer with a refusal has the finish reason refusal")
    return said


def is_broken(text: str, *, is_free: bool) -> bool:
    """Tell whether the arguments of a call that is open where its stream was cut may go on; free text always may."""
    return is_free or not text.strip() or not are_whole(text)


class CallText:
    """A call that is being written: the number of the event that began it, of the one that told its arguments first.

    `enclosed`: free text stands inside an object, since the dialect has no free text.
    """

    def __init__(self, number: int, *, enclosed: bool) -> None:
        self.number = self.told = number
        self.enclosed = enclosed
        self.pieces: list[str] = []

    def piece(self, text: str, number: int) -> str:
        """Return what is written for a piece of the arguments, which an event told."""
        opening = ""
        if not self.pieces:
            self.told = number
            opening = '{"input":"' if self.enclosed else ""
            text = text if self.enclosed else first_piece(text)
        self.pieces.append(text)
        return opening + dumps(text, ensure_ascii=False)[1:-1] if self.enclosed else text

    def ending(self) -> str:
        """Return what closes the object that free text stands in."""
        return '"}' if self.pieces else '{"input":""}'


class WholeCalls:
    """Gathers the fragments of each call until its block ends; `stray` is told those that belong to no open call."""

    def __init__(self, stray: Callable[[Event], None]) -> None:
        self._stray = stray
        self._open: dict[int, tuple[int, Event, list[str]]] = {}
        self._told: dict[int, int] = {}

    def feed(self, number: int, event: Event) -> tuple[int, Event] | None:
        """Take an event of a call; return its number and whole start event once the call has ended, else None."""
        kind, block = event["type"], event.get("block")
        if kind == "tool_call_start":
            self._open[block] = (number, event, [])  # type: ignore[index]  # the events of calls have a block
        elif kind == "tool_call_delta":
            self._add(number, event)
        elif kind == "block_end" and block in self._open:
            return self._whole(block)
        return None

    def _add(self, number: int, event: Event) -> None:
        block = event["block"]
        if block not in self._open:
            self._stray(event)
            return
        self._open[block][2].append(event["arguments"])
        self._told.setdefault(block, number)

    def is_open(self, block: int) -> bool:
        """Tell whether a call has not ended."""
        return block in self._open

    def told(self, event: Event, number: int) -> int:
        """Return the number of the event that told the arguments of a call, first: its start has the number given."""
        return self._told.get(event["block"], number)

    def broken(self) -> list[tuple[int, Event]]:
        """Return the calls that the cut of their stream has broken, which are no longer open: nobody may run them."""
        broken: list[int] = []
        for block, (_, event, pieces) in self._open.items():
            given = event.get("arguments", "")
            if type(given) is str and is_broken(given + "".join(pieces), is_free=event.get("kind") == "custom"):
                broken.append(block)
        return [self._whole(block) for block in broken]

    def close(self) -> list[tuple[int, Event]]:
        """Return the calls that are still open, in the order of their opening: the stream is over."""
        return [self._whole(block) for block in list(self._open)]

    def _whole(self, block: int) -> tuple[int, Event]:
        number, event, pieces = self._open.pop(block)
        if pieces:
            text = "".join(pieces)
            given = event.get("arguments")
            event = {**event, "arguments": given + text if type(given) is str else text}
        elif "arguments" not in event:
            event = {**event, "arguments": ""}
        return number, event


class StreamUsage:
    """The usage of a stream, whose members overwrite, and the event that said each.

    What an earlier event keeps for its dialect stays beside what a later one does.
    """

    __slots__ = ("_kept", "_last", "_numbers", "begun", "usage")

    def __init__(self, number: int, usage: Mapping[str, Any]) -> None:
        self.begun = self._last = number
        self.usage: dict[str, Any] = {**usage}
        self._numbers: dict[str, int] = dict.fromkeys(usage, number)
        self._kept: dict[tuple[str, str], int] = {}  # what is kept for a dialect: its name, and that of the member
        if "extra" in usage:
            self._keep(number, usage["extra"])

    def add(self, number: int, usage: Mapping[str, Any]) -> None:
        """Take what an event says."""
        self._last = number
        before = self.usage.get("extra")
        self.usage |= usage
        for name in usage:
            self._numbers[name] = number
        if "extra" in usage:
            self._keep(number, usage["extra"])
            if before is not None:
                self.usage["extra"] = _both(before, usage["extra"])

    def _keep(self, number: int, extra: Mapping[str, Any]) -> None:
        for owner, extra_of in extra.items():
            fields = extra_of.get("fields") if type(extra_of) is dict else None
            for name in fields if type(fields) is dict else ():
                self._kept[owner, name] = number

    def _paths(self) -> dict[str, int]:
        """Return the paths of what is kept for dialects, as losses of a whole answer tell them, and its events."""
        return {f"/usage/extra{pointer(owner, 'fields', name)}": at for (owner, name), at in self._kept.items()}

    def path_of(self, path: str) -> str:
        """Return where a path of a response stands in the events: in the one that says it, the last where none does."""
        number = self._paths().get(path, self._numbers.get(path.split("/")[2], self._last))
        return f"/{number}{path}"

    def told(self) -> Iterator[tuple[LossCode, str, int]]:
        """Yield the path of each member that says something, the event that said it, and the code of its loss."""
        for name, number in self._numbers.items():
            if name != "extra" and self.usage[name]:
                yield "member", f"/usage{pointer(name)}", number
        for path, number in self._paths().items():
            yield "extra", path, number


def _both(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return what two events keep for dialects; the later one counts where both say something."""
    out = {**before}
    for key, value in now.items():
        old = out.get(key)
        out[key] = _both(old, value) if type(old) is dict and type(value) is dict and key != "spelling" else value
    return out


def report_unplaced_state(bag: Mapping[str, Any], writer: FrameWriter) -> None:
    """Note as lost what is signed and says no block that it belongs to."""
    for name in ("signature", "data", "item"):
        if name in bag:
            path = writer.path("extra", writer.dialect, name)
            writer.log.lost("provider_state", path, "it does not name the block that it signs")
