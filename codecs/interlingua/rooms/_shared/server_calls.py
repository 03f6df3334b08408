"""Calls of tools that the provider runs, and what came of them, where the target has no place: as text.

The code stands in a fenced block of its language, and what it wrote in one called `output`; a blank line stands before
and behind. A result goes where its call went. Source: docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import beyond, lost_members
from interlingua.rooms._shared.writing import PARAGRAPH_BREAK, is_lost
from interlingua.spi.extra import report_foreign

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.writing import Target

CALL, RESULT = "server_call", "server_result"
SERVER_PARTS: Final = frozenset({CALL, RESULT})
SAID: Final = "the call and result of the provider's tool are sent as text"

_TICKS: Final = re.compile(r"`{3,}")
_TOLD: Final = {
    CALL: frozenset({"type", "id", "language", "code", "extra", "cache"}),
    RESULT: frozenset({"type", "call_id", "content", "error_output", "exit_code", "is_error", "error_code",
                       "extra", "cache"}),
}  # fmt: skip


def is_server_part(part: Any) -> bool:
    """Tell whether a part is a call of a tool that the provider runs, or its result."""
    return part["type"] in SERVER_PARTS


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
        log.lost("cache", f"{path}/cache", "cache marks are not allowed here")
    lost_members(log, beyond(part, _TOLD[part["type"]]), path, "part", "text has no such member")
    content = part.get("content", "")
    for at, one in enumerate(() if type(content) is str else content):
        if one["type"] != "text":
            lost_members(log, one, f"{path}/content/{at}", "part", "the output of the code is sent as text")
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
