"""Calls whose result may be among what could not be read: they are marked as begun, so that none of them runs again.

The mark says no moment: nobody knows when, or whether, the call ran. It is answered as interrupted.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final

from interlingua.model import Execution, ToolRequestMessage, UnknownMessage
from interlingua.transcript.answers import Answers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from interlingua.model import AnyMessage, RequestedCall
    from interlingua.transcript.answers import Place

__all__ = ["Doubt", "mark_doubtful", "message_places"]

_BEGUN: Final = Execution()

Doubt = tuple[int, int]
"""A request with a marked call: the index of its row, and its own index among the messages of that row."""


def mark_doubtful(
    rows: Sequence[tuple[AnyMessage, ...]], unread: Collection[int], branches: Iterable[Sequence[int]] | None = None
) -> tuple[Sequence[tuple[AnyMessage, ...]], tuple[Doubt, ...]]:
    """Return the messages of the rows of a conversation with its doubtful calls marked, and where those are.

    A call is doubtful if it could still run, has no result, and something that could not be read comes later on one of
    its branches: that may have been the result. `unread` has the indexes of the rows of which nothing became; a result
    of a newer version cannot be read either. A branch is the indexes of its rows, in order; without branches all rows
    are one.
    """
    hidden = set(unread)
    hidden.update(index for index, messages in enumerate(rows) if any(map(_is_unread_result, messages)))
    if not hidden:
        return rows, ()
    found: dict[Doubt, set[int]] = {}
    for branch in [range(len(rows))] if branches is None else branches:
        for (row, order), call in _open_before(rows, branch, hidden):
            found.setdefault((row, order), set()).add(call)
    marked = list(rows)
    doubtful: list[Doubt] = []
    for (row, order), calls in sorted(found.items()):
        old = marked[row][order]
        new = _with_marks(old, calls)
        if new is not old:
            marked[row] = (*marked[row][:order], new, *marked[row][order + 1 :])
            doubtful.append((row, order))
    return marked, tuple(doubtful)


def message_places(rows: Sequence[Sequence[AnyMessage]], doubtful: Sequence[Doubt]) -> tuple[int, ...]:
    """Return where among all messages of the rows the doubtful requests stand."""
    if not doubtful:
        return ()
    starts = list(accumulate(map(len, rows), initial=0))
    return tuple(starts[row] + order for row, order in doubtful)


def _open_before(
    rows: Sequence[tuple[AnyMessage, ...]], branch: Sequence[int], hidden: Collection[int]
) -> Iterable[tuple[Doubt, int]]:
    """Yield the calls without a result that were made on a branch before the last row of it that cannot be read."""
    last = max((place for place, row in enumerate(branch) if row in hidden), default=-1)
    if last < 0:
        return
    answers = Answers()
    made: list[tuple[Place, Doubt]] = []
    position = 0
    for place, row in enumerate(branch):
        for order, message in enumerate(rows[row]):
            answers.take(position, message)
            if place < last and isinstance(message, ToolRequestMessage):
                made += [((position, call), (row, order)) for call in range(len(message.data.calls))]
            position += 1
    for call, where in made:
        if call not in answers.results:
            yield where, call[1]


def _with_marks(message: AnyMessage, calls: Collection[int]) -> AnyMessage:
    """Return a request with marks at those calls that could run, or itself where none could."""
    if not isinstance(message, ToolRequestMessage) or not any(_can_run(message.data.calls[call]) for call in calls):
        return message
    marked = tuple(
        requested.model_copy(update={"execution": _BEGUN}) if call in calls and _can_run(requested) else requested
        for call, requested in enumerate(message.data.calls)
    )
    return message.model_copy(update={"data": message.data.model_copy(update={"calls": marked})})


def _can_run(requested: RequestedCall) -> bool:
    return requested.execution is None and requested.approval.status != "denied"


def _is_unread_result(message: AnyMessage) -> bool:
    return isinstance(message, UnknownMessage) and message.type == "tool_result"
