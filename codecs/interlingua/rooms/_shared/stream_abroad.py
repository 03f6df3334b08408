"""Write a stream of another dialect: put its events into the order that the target needs, and merge its usage.

`BlockSequence` is for dialects that have one block open at a time, `Paragraphs` for those that join the messages of an
answer, `CallText` for arguments that are written piece by piece, `WholeCalls` for calls that are written at once.
`StreamUsage` knows which event set which count.
"""

from __future__ import annotations

from collections import deque
from json import dumps
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.events import RANKS
from interlingua.pointers import pointer
from interlingua.rooms._shared.refusals import SAID
from interlingua.rooms._shared.writing import PARAGRAPH_BREAK
from interlingua.spi.extra import NOTHING
from interlingua.tool_arguments import are_whole, arguments_object, first_piece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from interlingua.loss import LossCode, LossLog
    from interlingua.rooms._shared.stream_writer import FrameWriter

Event: TypeAlias = "dict[str, Any]"
# An event and its number in the stream, which the paths of losses use.
Numbered: TypeAlias = tuple[int, Event]

# Blocks that later ones wait for; all others end where the next block opens.
_WHOLE: Final = frozenset({"tool_call_start", "part"})
_OPENING: Final = frozenset({"content", "reasoning", "refusal", "tool_call_start", "part", "state", "citation"})


class BlockSequence:
    """Puts the blocks of a stream in sequence; events without a block pass through.

    Sources may leave blocks open, or interleave several (parallel calls of Chat Completions). The output is strictly
    sequential: each block opens and ends once, without events of others in between. Text and reasoning end where the
    next block opens, so that they are streamed; events behind a call are held until it has ended.
    """

    __slots__ = ("_kind", "_waiting", "current")

    def __init__(self) -> None:
        self.current: int | None = None  # the open block
        self._kind = ""
        self._waiting: dict[int, deque[Numbered]] = {}

    def feed(self, number: int, event: Event, *, opens: bool = False) -> list[Numbered]:
        """Return the events to write now; `opens`: the event opens its block even though its type does not."""
        block = event.get("block")
        if block is None:
            return [(number, event)]
        if block == self.current:
            return [(number, event), *self._next()] if self._closes(event) else [(number, event)]
        if block in self._waiting:
            self._waiting[block].append((number, event))
            return []
        if event["type"] not in _OPENING and not opens:  # its block is not open
            return [] if event["type"] == "block_end" else [(number, event)]
        if self.current is not None and self._kind in _WHOLE:
            self._waiting[block] = deque([(number, event)])
            return []
        closed = [] if self.current is None else self._end(number)
        self._open(event)
        return [*closed, (number, event)]

    def close(self, number: int) -> list[Numbered]:
        """Return the held events and the ends of all blocks, at the end of the stream."""
        out: list[Numbered] = []
        while self.current is not None:
            out.extend(self._end(number))
            out.extend(self._next())
        return out

    def given_up(self) -> list[Numbered]:
        """Return the held events, which will not be written because the stream has failed."""
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
        """Return the events of the next held blocks, up to one that is still open."""
        out: list[Numbered] = []
        while self.current is None and self._waiting:
            block = next(iter(self._waiting))
            events = self._waiting.pop(block)
            self._open(events[0][1])
            has_ended = False
            for number, event in events:
                if has_ended:  # an event behind the end of its block
                    out.extend(self.feed(number, event))
                else:
                    out.append((number, event))
                    has_ended = self._closes(event)
        return out


class Paragraphs:
    """Tracks the blocks of one answer. A lower rank begins the next message, and so does `new_message`.

    Texts of two messages, and two thoughts, are separated by a blank line.
    """

    def __init__(self) -> None:
        self.message = 0
        self._rank = -1
        self._begun: set[int] = set()
        self._last: dict[str, tuple[int, int]] = {}  # kind of text -> its last message and block

    def begin(self, event: Mapping[str, Any], kind: str | None = None) -> None:
        """Register the block of an event, which may count as another kind."""
        block = event["block"]
        if block in self._begun:
            return
        self._begun.add(block)
        rank = RANKS[kind or event["type"]]
        if rank < self._rank or event.get("new_message"):
            self.message += 1
        self._rank = rank

    def gap(self, event: Mapping[str, Any], kind: str | None = None) -> str:
        """Return the separator before a piece of text that is not empty: a blank line, or nothing."""
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
        """Register a piece of a refusal that is written as content, and return the separator before it."""
        self.begin(event)
        before, block = self._last.get("content"), event["block"]
        self._last["content"] = (self.message, block)
        if before == (self.message, block):
            return ""
        log.changed("refusal", path, SAID)
        return "" if before is None else PARAGRAPH_BREAK


def refusal_as_content(event: Event, paragraphs: Paragraphs, path: str, log: LossLog) -> Event:
    """Return a refusal event as a content event, with a blank line before it, for dialects without refusals."""
    text = event["text"]
    if text:
        text = paragraphs.decline(event, path, log) + text
    return {**event, "type": "content", "text": text}


# Member of a finish event -> member of a response.
END_MEMBERS: Final = {"reason": "finish_reason", "raw": "finish_reason_raw", "stop_sequence": "stop_sequence"}


def finish_members(number: int, finish: Mapping[str, Any], log: LossLog, *, declined: bool) -> dict[str, Any]:
    """Return a finish event as members of a response; if `declined`, the reason `stop` becomes `refusal`."""
    said = {member: finish[name] for name, member in END_MEMBERS.items() if name in finish}
    if declined and said.get("finish_reason") == "stop":
        said["finish_reason"] = "refusal"
        log.changed("finish_reason", f"/{number}/reason", "an answer with a refusal has the finish reason refusal")
    return said


def is_broken(text: str, *, is_free: bool) -> bool:
    """Tell whether arguments of a call are incomplete because the stream was cut; free text may always be."""
    return is_free or not text.strip() or not are_whole(text)


class CallText:
    """A call that is being written: the numbers of its start event, and of the first event with arguments.

    `enclosed`: free text is wrapped in an object, since the dialect has no free text.
    """

    def __init__(self, number: int, *, enclosed: bool) -> None:
        self.number = self.told = number
        self.enclosed = enclosed
        self.pieces: list[str] = []

    def piece(self, text: str, number: int) -> str:
        """Return the text to write for a piece of the arguments; `number` is that of its event."""
        opening = ""
        if not self.pieces:
            self.told = number
            opening = '{"input":"' if self.enclosed else ""
            text = text if self.enclosed else first_piece(text)
        self.pieces.append(text)
        return opening + dumps(text, ensure_ascii=False)[1:-1] if self.enclosed else text

    def ending(self, log: LossLog) -> str:
        """Return the end of the object that wraps free text, and report that it is one."""
        if self.pieces:
            log.changed("arguments", f"/{self.told}/arguments", "the text is sent as the argument input of a function")
        log.changed("arguments", f"/{self.number}/kind", "it is sent as a call of a function")
        return '"}' if self.pieces else '{"input":""}'

    def report_inexact(self, text: str, log: LossLog) -> None:
        """Report arguments that are not exactly a JSON object."""
        if not arguments_object(text)[1]:
            detail = "the arguments must be a JSON object, and this text is not exactly one"
            log.changed("arguments", f"/{self.told}/arguments", detail)


class WholeCalls:
    """Collects the fragments of each call until its block ends; `stray` is called for those of no open call."""

    def __init__(self, stray: Callable[[Event], None]) -> None:
        self._stray = stray
        self._open: dict[int, tuple[int, Event, list[str]]] = {}
        self._told: dict[int, int] = {}

    def feed(self, number: int, event: Event) -> tuple[int, Event] | None:
        """Take an event of a call; return number and completed start event once the call has ended, else None."""
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
        """Return the number of the first event with arguments of a call; `number` is that of its start."""
        return self._told.get(event["block"], number)

    def broken(self) -> list[tuple[int, Event]]:
        """Remove and return the calls that are incomplete because the stream was cut: nobody may run them."""
        broken: list[int] = []
        for block, (_, event, pieces) in self._open.items():
            given = event.get("arguments", "")
            if type(given) is str and is_broken(given + "".join(pieces), is_free=event.get("kind") == "custom"):
                broken.append(block)
        return [self._whole(block) for block in broken]

    def close(self) -> list[tuple[int, Event]]:
        """Return the calls that are still open at the end of the stream, in order."""
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
    """The merged usage of a stream, in which later counts replace earlier ones, and the event of each member.

    The `extra` of several events is merged.
    """

    __slots__ = ("_extras", "_kept", "_last", "_numbers", "begun", "usage")

    def __init__(self, number: int = 0, usage: Mapping[str, Any] = NOTHING) -> None:
        self.begun = number
        self.usage: dict[str, Any] = {}
        self._numbers: dict[str, int] = {}
        self._extras: list[tuple[int, Mapping[str, Any]]] = []
        self._kept: dict[str, int] | None = None  # path of a member in `extra` of a response -> number of the event
        self.add(number, usage)

    def add(self, number: int, usage: Mapping[str, Any]) -> None:
        """Merge the usage of an event."""
        self._last = number
        before = self.usage.get("extra")
        self.usage |= usage
        self._numbers |= dict.fromkeys(usage, number)
        if "extra" in usage:
            self._extras.append((number, usage["extra"]))
            self._kept = None
            if before is not None:
                self.usage["extra"] = _both(before, usage["extra"])

    def _paths(self) -> dict[str, int]:
        """Return the paths of `extra` members in a response, with the numbers of their events."""
        if self._kept is None:
            self._kept = {}
            for number, extra in self._extras:
                for owner, extra_of in extra.items():
                    fields = extra_of.get("fields") if type(extra_of) is dict else None
                    for name in fields if type(fields) is dict else ():
                        self._kept[f"/usage/extra{pointer(owner, 'fields', name)}"] = number
        return self._kept

    def path_of(self, path: str) -> str:
        """Return where a path of a response stands in the events: in the one that says it, the last where none does."""
        member = path.split("/")[2]
        number = self._numbers.get(member, self._last)
        return f"/{self._paths().get(path, number) if member == 'extra' else number}{path}"

    def told(self) -> Iterator[tuple[LossCode, str, int]]:
        """Yield loss code, path and event number of each member that is not 0."""
        for name, number in self._numbers.items():
            if name != "extra" and self.usage[name]:
                yield "member", f"/usage{pointer(name)}", number
        for path, number in self._paths().items():
            yield "extra", path, number


def _both(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return the merged `extra` of two events; the later one takes precedence."""
    out = {**before}
    for key, value in now.items():
        old = out.get(key)
        out[key] = _both(old, value) if type(old) is dict and type(value) is dict and key != "spelling" else value
    return out


def report_unplaced_state(bag: Mapping[str, Any], writer: FrameWriter) -> None:
    """Report signed state as lost that belongs to no block."""
    for name in ("signature", "data", "item"):
        if name in bag:
            path = writer.path("extra", writer.dialect, name)
            writer.log.lost("provider_state", path, "it belongs to no block of the stream")
