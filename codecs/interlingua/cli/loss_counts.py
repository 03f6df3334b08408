"""Losses of many bodies by kind, the weightiest first, in memory that does not grow with them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from interlingua.concerns import CONCERNS
from interlingua.report import starred

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.cli.writing import LossLike

__all__ = ["SEVERITIES", "Kind", "Tally", "order_of"]

SEVERITIES: Final = ("lost", "changed", "filled")
# A path may be made of names that somebody else has chosen. Beyond so many kinds only their number is kept.
_MOST_KINDS: Final = 1000
_folded: Final = lru_cache(maxsize=4096)(starred)


class _Key(NamedTuple):
    concern: str
    severity: str
    code: str
    path: str


@dataclass(slots=True)
class Kind:
    """A kind of loss: `path` is folded; `detail` and the place (`file`, `line`) are those of the first one."""

    concern: str
    severity: str
    code: str
    path: str
    detail: str
    file: str
    line: int
    count: int = 0

    @property
    def told(self) -> str:
        """Return its detail, with how many there are."""
        return f"{self.count} times: {self.detail}" if self.count > 1 else self.detail


class Tally:
    """Counts losses by kind. `bodies` is of how many bodies they are, `count` how many there are in all."""

    def __init__(self) -> None:
        self.bodies = 0
        self.count = 0
        self.beyond = 0
        self._kinds: dict[_Key, Kind] = {}

    def add(self, file: str, line: int, losses: Iterable[LossLike]) -> None:
        """Count the losses of a body."""
        before = self.count
        for loss in losses:
            self.count += 1
            key = _Key(loss.concern, loss.severity, loss.code, _folded(loss.path))
            kind = self._kinds.get(key)
            if kind is None:
                if len(self._kinds) == _MOST_KINDS:
                    self.beyond += 1
                    continue
                kind = self._kinds[key] = Kind(*key, loss.detail, file, line)
            kind.count += 1
        self.bodies += self.count > before

    def kinds(self) -> list[Kind]:
        """Return the kinds, the weightiest first."""
        return sorted(self._kinds.values(), key=order_of)


def order_of(loss: LossLike | Kind) -> tuple[int, int]:
    """Return what losses are sorted by: whom they touch, then how badly. What was repaired comes first."""
    concern = CONCERNS.index(loss.concern) if loss.concern in CONCERNS else -1
    return concern, SEVERITIES.index(loss.severity) if loss.severity in SEVERITIES else -1
