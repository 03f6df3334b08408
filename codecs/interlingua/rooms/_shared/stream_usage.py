"""What a stream says of its cost, and which of its events said what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interlingua.loss import pointer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.loss import LossCode

__all__ = ["StreamUsage"]


class StreamUsage:
    """The usage of a stream, whose members overwrite, and the event that said each.

    What an earlier event keeps for its dialect stays beside what a later one does.
    """

    __slots__ = ("_bags", "_last", "_numbers", "begun", "usage")

    def __init__(self, number: int, usage: Mapping[str, Any]) -> None:
        self.begun = self._last = number
        self.usage: dict[str, Any] = {**usage}
        self._numbers: dict[str, int] = dict.fromkeys(usage, number)
        self._bags: dict[str, int] = {}  # paths of what is kept for a dialect
        if "extra" in usage:
            self._bags = dict.fromkeys(_kept(usage["extra"]), number)

    def add(self, number: int, usage: Mapping[str, Any]) -> None:
        """Take what an event says."""
        self._last = number
        before = self.usage.get("extra")
        self.usage |= usage
        self._numbers |= dict.fromkeys(usage, number)
        if "extra" in usage:
            self._bags |= dict.fromkeys(_kept(usage["extra"]), number)
            if before is not None:
                self.usage["extra"] = _both(before, usage["extra"])

    def number(self, path: str) -> int:
        """Return the event that says what stands at a path of a response, or the last one where none does."""
        number = self._bags.get(path)
        return self._numbers.get(path.split("/")[2], self._last) if number is None else number

    def told(self) -> Iterator[tuple[LossCode, str, int]]:
        """Yield the path of each member that says something, the event that said it, and the code of its loss."""
        for name, number in self._numbers.items():
            if name != "extra" and self.usage[name]:
                yield "member", f"/usage{pointer(name)}", number
        for path, number in self._bags.items():
            yield "extra", path, number


def _kept(extra: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paths of what usage keeps for a dialect, as losses of a whole answer tell them."""
    for owner, extra_of in extra.items():
        fields = extra_of.get("fields") if type(extra_of) is dict else None
        for name in fields if type(fields) is dict else ():
            yield "/usage/extra" + pointer(owner, "fields", name)


def _both(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return what two events keep for dialects; the later one counts where both say something."""
    out = {**before}
    for key, value in now.items():
        old = out.get(key)
        out[key] = _both(old, value) if type(old) is dict and type(value) is dict and key != "spelling" else value
    return out
