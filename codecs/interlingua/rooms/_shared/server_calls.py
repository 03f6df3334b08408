"""Calls of tools that the provider runs, and what came of them, where the target has no place: as text.

The code stands in a fenced block of its language, and what it wrote in one called `output`; a blank line stands before
and behind. A result goes where its call went. Source: docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from interlingua.events import RANKS
from interlingua.loss import beyond, lost_members
from interlingua.rooms._shared.seams import is_lost
from interlingua.rooms._shared.stream_abroad import PARAGRAPH_BREAK
from interlingua.spi.extra import report_foreign

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.stream import FrameWriter
    from interlingua.rooms._shared.writing import Target

CALL, RESULT = "server_call", "server_result"
SERVER_PARTS: Final = frozenset({CALL, RESULT})
_LAST: Final = frozenset({"finish", "error", "end"})
SAID: Final = "what the provider's tool did is sent as text"

_TICKS: Final = re.compile(r"`{3,}")
_TOLD: Final = {
    CALL: frozenset({"type", "id", "language", "code", "extra", "cache"}),
    RESULT: frozenset({"type", "call_id", "content", "error_output", "exit_code", "is_error", "error_code",
                       "extra", "cache"}),
}  # fmt: skip


def is_server_part(part: Any) -> bool:
    """Tell whether a part is a call of a tool that the provider runs, or its result."""
    return part["type"] in SERVER_PARTS


def is_run(event: Any) -> bool:
    """Tell whether an event is a call of a tool that the provider runs, or its result."""
    return event["type"] == "part" and event["part"]["type"] in SERVER_PARTS


class Runs:
    """The calls of one conversation or answer so far: whether each went as a call, and the id that it has there.

    `is_native` says whether the target can hold a call as one; None where it holds none. `alone`: so it holds a result
    whose call is not there.
    """

    __slots__ = ("_is_native", "_last", "_written")

    def __init__(self, is_native: Callable[[Any], bool] | None = None, *, alone: bool = False) -> None:
        self._is_native = is_native
        self._written: dict[str, bool] = {}
        self._last = alone

    def take(self, part: Any) -> bool:
        """Take the next call or result; tell whether the target holds it as one."""
        if self._is_native is None:
            return False
        if part["type"] == RESULT:
            return self._written.get(part.get("call_id", ""), self._last)
        self._last = self._is_native(part)
        if "id" in part:
            self._written[part["id"]] = self._last
        return self._last


# Of a target that holds no calls of such tools.
NO_RUNS: Final = Runs()


def with_runs_told(content: Any, path: str, to: Target, runs: Runs) -> Any:
    """Return parts with the calls and results that the target cannot hold as texts, each in its place."""
    if type(content) is str or SERVER_PARTS.isdisjoint([part["type"] for part in content]):
        return content
    told = {at: part for at, part in enumerate(content) if is_server_part(part) and not runs.take(part)}
    kept = [at for at, part in enumerate(content) if not is_lost(part, to.dialect)]
    texts_at = {at for at in kept if at in told or content[at]["type"] == "text"}
    out = [*content]
    for at, before, behind in zip(kept, [-1, *kept], [*kept[1:], -1], strict=False):
        if at in told:
            text = told_part(told[at], f"{path}/{at}", to)["text"]
            begin = PARAGRAPH_BREAK if before in texts_at else ""
            end = PARAGRAPH_BREAK if behind in texts_at and behind not in told else ""
            out[at] = {"type": "text", "text": f"{begin}{text}{end}"}
    return out


def told_part(part: Any, path: str, to: Target) -> dict[str, Any]:
    """Return a call or a result as a text."""
    report_told(part, path, to.dialect, to.log)
    return {"type": "text", "text": run_as_text(part)}


def report_told(part: Any, path: str, dialect: str, log: LossLog) -> None:
    """Note that a call or a result is told as text, and what of it no text tells."""
    log.changed("part", path, SAID)
    if "cache" in part:
        log.lost("cache", f"{path}/cache", "cache marks cannot stand here")
    lost_members(log, beyond(part, _TOLD[part["type"]]), path, "part", "text has no such member")
    content = part.get("content", "")
    for at, one in enumerate(() if type(content) is str else content):
        if one["type"] != "text":
            lost_members(log, one, f"{path}/content/{at}", "part", "what the code printed is sent as text")
    if "extra" in part:
        report_foreign(part, dialect, path, log)


def run_as_text(part: Any) -> str:
    """Return a call as its code, a result as what the code wrote."""
    if part["type"] == CALL:
        return fenced(part.get("code", ""), part.get("language", ""))
    return fenced(output_of(part), "output")


def output_of(part: Any) -> str:
    """Return all that a run wrote or failed with as one text."""
    said = [texts(part.get("content", "")), part.get("error_output", "")]
    if not any(said):
        said.append(part.get("error_code", ""))
    return "".join(f"{one}\n" if one and not one.endswith("\n") else one for one in said)


def texts(content: Any) -> str:
    """Return the texts of what a run wrote."""
    return content if type(content) is str else "".join(one["text"] for one in content if one["type"] == "text")


def fenced(text: str, word: str) -> str:
    """Return text between fences that are longer than any in it."""
    longest = max((len(found) for found in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{word}\n{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{fence}"


@dataclass(slots=True, repr=False, eq=False)
class _Told:
    """What one answer of a stream has said last: the rank of its last block, and whether that is text.

    `ending` is the end of a run that is told as text, which waits for what follows.
    """

    rank: int = -1
    is_text: bool = False
    ending: tuple[int, Any] | None = None
    seen: set[int] = field(default_factory=set[int])

    def open(self, event: Any) -> bool:
        """Take note of a block that opens; tell whether it begins a message."""
        self.seen.add(event["block"])
        before, self.rank = self.rank, RANKS[event["type"]]
        begins = self.rank < before or bool(event.get("new_message"))
        self.is_text = self.is_text and not begins
        return begins

    def ended(self, *, joined: bool = False) -> list[tuple[int, Any]]:
        """Return the end that waits, behind a blank line where a text follows."""
        if self.ending is None:
            return []
        number, end = self.ending
        self.ending = None
        gap = {**end, "type": "content", "text": PARAGRAPH_BREAK}
        return [*([(number, gap)] if joined else []), (number, end)]


class RunsInStream:
    """Holds the calls and results of a stream abroad until they are whole, and tells them as text where need be."""

    __slots__ = ("_answers", "_dialect", "_held", "_log", "_runs")

    def __init__(self, runs: Runs, dialect: str, log: LossLog) -> None:
        self._runs, self._dialect, self._log = runs, dialect, log
        self._held: dict[int, tuple[int, Any]] = {}
        self._answers: dict[int, _Told] = {}

    def feed(self, number: int, event: Any) -> Sequence[tuple[int, Any]]:
        """Return the events that may be written now, with their numbers."""
        kind, block = event["type"], event.get("block")
        if kind == "start":
            self._answers.clear()
        elif kind in _LAST:
            return [*self._finished(), (number, event)]
        told = self._answers.setdefault(event.get("alternative", 0), _Told())
        if is_run(event):
            self._held[block] = (number, event)
            return ()
        if kind == "block_end" and block in self._held:
            return self._released(told, block, (number, event))
        if kind not in RANKS or block in told.seen or (kind == "part" and is_lost(event["part"], self._dialect)):
            return ((number, event),)
        begins = told.open(event)
        before = told.ended(joined=kind == "content" and not begins)
        told.is_text = kind == "content"
        return [*before, (number, event)]

    def _finished(self) -> list[tuple[int, Any]]:
        """Return what waits at the end of the stream, or of an answer."""
        out: list[tuple[int, Any]] = []
        for block in list(self._held):
            number, event = self._held[block]
            told = self._answers.setdefault(event.get("alternative", 0), _Told())
            out += self._released(told, block, (number, {"type": "block_end", "block": block}))
        return [*out, *(one for told in self._answers.values() for one in told.ended())]

    def _released(self, told: _Told, block: int, end: tuple[int, Any]) -> list[tuple[int, Any]]:
        number, event = self._held.pop(block)
        part = event["part"]
        before = told.ended()
        told.open(event)
        if self._runs.take(part):
            told.is_text = False
            return [*before, (number, event), end]
        report_told(part, f"/{number}/part", self._dialect, self._log)
        text = f"{PARAGRAPH_BREAK if told.is_text else ''}{run_as_text(part)}"
        told.is_text, told.ending = True, end
        made = {name: value for name, value in event.items() if name not in {"part", "extra"}}
        return [*before, (number, {**made, "type": "content", "text": text})]


def with_runs(writer: FrameWriter, event: Any) -> list[Any]:
    """Write an event of a stream abroad that calls, or has called, a tool of the provider."""
    runs = writer.runs
    if runs is None:
        runs = writer.runs = RunsInStream(Runs(writer.holds_call), writer.dialect, writer.log)
        for opened in writer.opened.values():
            runs.feed(writer.number, opened)
    frames: list[Any] = []
    now = writer.number
    for number, one in runs.feed(now, event):
        writer.number = number
        frames += writer.written_now(one)
    writer.number = now
    return frames
