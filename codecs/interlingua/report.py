"""Loss reports for people: losses grouped by kind, the most serious first, with counts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from interlingua.concerns import CONCERNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interlingua.loss_types import Concern, LossCode, Severity

__all__ = ["Report", "ReportRow", "starred"]

_NUMBER: Final = re.compile(r"/\d+(?=/|$)")
# Below these, member names are the caller's own.
_FREE: Final = re.compile(r"(/extra/[^/]+/fields|/parameters|/schema|/metadata|/logit_bias)/.*", re.DOTALL)
_SEVERITIES: Final[tuple[Severity, ...]] = ("lost", "changed", "filled")


class LossLike(Protocol):
    """The attributes of a loss that a report reads."""

    @property
    def code(self) -> LossCode: ...  # see `Loss`
    @property
    def path(self) -> str: ...
    @property
    def detail(self) -> str: ...
    @property
    def severity(self) -> Severity: ...
    @property
    def concern(self) -> Concern: ...


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A kind of loss and the number of losses of that kind.

    `path` has `*` in place of indexes and of names chosen by the caller. `detail` is that of the first loss.

    Example:
        >>> body = {"messages": [{"role": "user", "content": "Hi"}], "seed": 7}
        >>> row = il.translate_request(body, "openai_chat", "claude").report().rows[-1]
        >>> row.severity, row.path, row.count
        ('filled', '/model', 1)
    """

    concern: Concern
    severity: Severity
    code: LossCode
    path: str
    count: int
    detail: str

    def __str__(self) -> str:
        """Return the row as one line."""
        times = f" ({self.count} times)" if self.count > 1 else ""
        return f"{self.concern}: {self.severity} {self.code} at {self.path or 'the top'}{times}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Report:
    """The losses of a call grouped by kind, the most serious first: by concern, then by severity. It is iterable.

    Example:
        >>> body = {"messages": [{"role": "user", "content": "Hi"}], "seed": 7}
        >>> report = il.translate_request(body, "openai_chat", "claude").report()
        >>> [(row.concern, row.severity, row.path, row.count) for row in report]
        [('contract', 'filled', '/max_tokens', 1), ('tuning', 'lost', '/seed', 1), ('bookkeeping', 'filled',
        '/model', 1)]
    """

    rows: tuple[ReportRow, ...]

    @classmethod
    def of(cls, losses: Iterable[LossLike]) -> Report:
        """Return a report of the losses."""
        counts: Counter[tuple[Concern, Severity, LossCode, str]] = Counter()
        details: dict[tuple[Concern, Severity, LossCode, str], str] = {}
        for loss in losses:
            kind = (loss.concern, loss.severity, loss.code, starred(loss.path))
            counts[kind] += 1
            details.setdefault(kind, loss.detail)
        rows = [ReportRow(*kind, count=count, detail=details[kind]) for kind, count in counts.items()]
        rows.sort(key=lambda row: (CONCERNS.index(row.concern), _SEVERITIES.index(row.severity)))
        return cls(tuple(rows))

    def __iter__(self) -> Iterator[ReportRow]:
        """Yield the rows."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Return the number of kinds."""
        return len(self.rows)

    def __str__(self) -> str:
        """Return one line for each row."""
        return "\n".join(map(str, self.rows)) or "nothing is lost"


def starred(path: str) -> str:
    """Return the path of a loss with `*` in place of indexes and names chosen by the caller."""
    return _FREE.sub(r"\1/*", _NUMBER.sub("/*", path))
