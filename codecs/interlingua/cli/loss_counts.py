"""Counts the losses of many bodies by kind, the most serious first, in bounded memory."""

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
# Paths may contain arbitrary names. Beyond this many kinds, further losses are only counted in total.
_MOST_KINDS: Final = 1000
_folded: Final = lru_cache(maxsize=4096)(starred)


class _Key(NamedTuple):
    concern: str
    severity: str
    code: str
    path: str


@dataclass(slots=True)
class Kind:
    """A kind of loss: `path` has `*` for indexes and names; `detail`, `file` and `line` are those of the first loss."""

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
        """Its detail, with the number of losses if there are several."""
        return f"{self.count} times: {self.detail}" if self.count > 1 else self.detail


class Tally:
    """Counts losses by kind. `bodies` is the number of bodies with losses, `count` the number of losses."""

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
        """Return the kinds, the most serious first."""
        return sorted(self._kinds.values(), key=order_of)


def order_of(loss: LossLike | Kind) -> tuple[int, int]:
    """Return the sort key of a loss: by concern, then by severity. Repairs come first."""
    concern = CONCERNS.index(loss.concern) if loss.concern in CONCERNS else -1
    return concern, SEVERITIES.index(loss.severity) if loss.severity in SEVERITIES else -1
