"""The losses of a call as people read them: by kind, with a count, the weightiest first."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from interlingua.concerns import CONCERNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interlingua.loss_words import Concern, LossCode, Severity

__all__ = ["Report", "ReportRow", "starred"]

_NUMBER: Final = re.compile(r"/\d+(?=/|$)")
# Below these, names are the caller's own.
_FREE: Final = re.compile(r"(/extra/[^/]+/fields|/parameters|/schema|/metadata|/logit_bias)/.*", re.DOTALL)
_SEVERITIES: Final[tuple[Severity, ...]] = ("lost", "changed", "filled")


class Told(Protocol):
    """What a report reads of a loss."""

    @property
    def code(self) -> LossCode: ...  # what they mean, `Loss` says
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
    """A kind of loss: `path` has `*` for every number and every name that is the caller's own; `count` is how many.

    `detail` is that of the first one.

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
        """Return it as one line."""
        times = f" ({self.count} times)" if self.count > 1 else ""
        return f"{self.concern}: {self.severity} {self.code} at {self.path or 'the top'}{times}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Report:
    """The kinds of losses of a call, the weightiest first: by concern, then by severity. It can be iterated.

    Example:
        >>> body = {"messages": [{"role": "user", "content": "Hi"}], "seed": 7}
        >>> report = il.translate_request(body, "openai_chat", "claude").report()
        >>> [(row.concern, row.severity, row.path, row.count) for row in report]
        [('contract', 'filled', '/max_tokens', 1), ('tuning', 'lost', '/seed', 1), ('bookkeeping', 'filled',
        '/model', 1)]
    """

    rows: tuple[ReportRow, ...]

    @classmethod
    def of(cls, losses: Iterable[Told]) -> Report:
        """Return the report of losses."""
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
        """Yield its rows."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Return how many kinds of losses there are."""
        return len(self.rows)

    def __str__(self) -> str:
        """Return a line for each kind of loss."""
        return "\n".join(map(str, self.rows)) or "nothing is lost"


def starred(path: str) -> str:
    """Return the path of a loss with `*` for each number, and for names that are the caller's own."""
    return _FREE.sub(r"\1/*", _NUMBER.sub("/*", path))
