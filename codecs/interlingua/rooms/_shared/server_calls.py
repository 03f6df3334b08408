"""Write server tool calls and their results as text if the target has no place for them.

The code goes into a fenced block of its language, its output into one labelled `output`, with blank lines around
them. A result is written in the same way as its call. Source: docs/decisions/0010-server-tools.md.
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
    """Tell whether a part is a server tool call or its result."""
    return part["type"] in SERVER_PARTS


class ServerCallTracker:
    """The server tool calls of a conversation or answer so far, and whether each was written natively.

    `is_native` tells whether the target has a place for a call; None if it has none for any. `alone`: whether a result
    without its call is written natively.
    """

    __slots__ = ("_is_native", "_last", "_written")

    def __init__(self, is_native: Callable[[Any], bool] | None = None, *, alone: bool = False) -> None:
        self._is_native = is_native
        self._written: dict[str, bool] = {}
        self._last = alone

    def take(self, part: Any) -> bool:
        """Take the next call or result; tell whether it is written natively."""
        if self._is_native is None:
            return False
        if part["type"] == RESULT:
            return self._written.get(part.get("call_id", ""), self._last)
        self._last = self._is_native(part)
        if "id" in part:
            self._written[part["id"]] = self._last
        return self._last


# For targets without server tool calls.
NO_SERVER_CALLS: Final = ServerCallTracker()


def with_server_calls_as_text(content: Any, path: str, to: Target, runs: ServerCallTracker) -> Any:
    """Return parts in which calls and results without a place in the target are texts."""
    if type(content) is str or SERVER_PARTS.isdisjoint([part["type"] for part in content]):
        return content
    told = {at: part for at, part in enumerate(content) if is_server_part(part) and not runs.take(part)}
    kept = [at for at, part in enumerate(content) if not is_lost(part, to.dialect)]
    texts_at = {at for at in kept if at in told or content[at]["type"] == "text"}
    out = [*content]
    for at, before, behind in zip(kept, [-1, *kept], [*kept[1:], -1], strict=False):
        if at in told:
            text = server_part_as_text(told[at], f"{path}/{at}", to)["text"]
            begin = PARAGRAPH_BREAK if before in texts_at else ""
            end = PARAGRAPH_BREAK if behind in texts_at and behind not in told else ""
            out[at] = {"type": "text", "text": f"{begin}{text}{end}"}
    return out


def server_part_as_text(part: Any, path: str, to: Target) -> dict[str, Any]:
    """Return a call or a result as a text part."""
    report_server_part(part, path, to.dialect, to.log)
    return {"type": "text", "text": server_part_text(part)}


def report_server_part(part: Any, path: str, dialect: str, log: LossLog) -> None:
    """Report that a call or a result is written as text, and the members that are lost."""
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


def server_part_text(part: Any) -> str:
    """Return the text of a call, its code, or of a result, its output."""
    if part["type"] == CALL:
        return fenced(part.get("code", ""), part.get("language", ""))
    return fenced(output_of(part), "output")


def output_of(part: Any) -> str:
    """Return all output of a run, including its errors, as one text."""
    said = [texts(part.get("content", "")), part.get("error_output", "")]
    if not any(said):
        said.append(part.get("error_code", ""))
    return "".join(f"{one}\n" if one and not one.endswith("\n") else one for one in said)


def texts(content: Any) -> str:
    """Return the text in the output of a run."""
    return content if type(content) is str else "".join(one["text"] for one in content if one["type"] == "text")


def fenced(text: str, word: str) -> str:
    """Return text in a fenced block whose fence is longer than any in the text."""
    longest = max((len(found) for found in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{word}\n{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{fence}"
