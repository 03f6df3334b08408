"""Marks calls as started if their result may be among rows that could not be read, so that they do not run again.

The mark has no time, since it is unknown when, or whether, the call ran. The call is answered as interrupted.
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

__all__ = ["DoubtfulCall", "mark_doubtful", "message_places"]

_STARTED: Final = Execution()

DoubtfulCall = tuple[int, int]
"""A request with a marked call: the index of its row, and its own index among the messages of that row."""


def mark_doubtful(
    rows: Sequence[tuple[AnyMessage, ...]], unread: Collection[int], branches: Iterable[Sequence[int]] | None = None
) -> tuple[Sequence[tuple[AnyMessage, ...]], tuple[DoubtfulCall, ...]]:
    """Return the messages of a conversation's rows with doubtful calls marked, and the indexes of these calls.

    A call is doubtful if it could still run, has no result, and an unreadable row, which may have been its result,
    comes later on one of its branches. `unread` are the indexes of the unreadable rows; a result of a newer version is
    unreadable, too. A branch is the list of its row indexes; without branches, all rows are one branch.
    """
    hidden = set(unread)
    hidden.update(index for index, messages in enumerate(rows) if any(map(_is_unread_result, messages)))
    if not hidden:
        return rows, ()
    found: dict[DoubtfulCall, set[int]] = {}
    for branch in [range(len(rows))] if branches is None else branches:
        for (row, order), call in _open_before(rows, branch, hidden):
            found.setdefault((row, order), set()).add(call)
    marked = list(rows)
    doubtful: list[DoubtfulCall] = []
    for (row, order), calls in sorted(found.items()):
        old = marked[row][order]
        new = _with_marks(old, calls)
        if new is not old:
            marked[row] = (*marked[row][:order], new, *marked[row][order + 1 :])
            doubtful.append((row, order))
    return marked, tuple(doubtful)


def message_places(rows: Sequence[Sequence[AnyMessage]], doubtful: Sequence[DoubtfulCall]) -> tuple[int, ...]:
    """Return the indexes of the doubtful requests among all messages of the rows."""
    if not doubtful:
        return ()
    starts = list(accumulate(map(len, rows), initial=0))
    return tuple(starts[row] + order for row, order in doubtful)


def _open_before(
    rows: Sequence[tuple[AnyMessage, ...]], branch: Sequence[int], hidden: Collection[int]
) -> Iterable[tuple[DoubtfulCall, int]]:
    """Yield the open calls on a branch before its last unreadable row."""
    last = max((place for place, row in enumerate(branch) if row in hidden), default=-1)
    if last < 0:
        return
    answers = Answers()
    made: list[tuple[Place, DoubtfulCall]] = []
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
    """Return a request with start marks at those of the calls that could run; the same object if there are none."""
    if not isinstance(message, ToolRequestMessage) or not any(_can_run(message.data.calls[call]) for call in calls):
        return message
    marked = tuple(
        requested.model_copy(update={"execution": _STARTED}) if call in calls and _can_run(requested) else requested
        for call, requested in enumerate(message.data.calls)
    )
    return message.model_copy(update={"data": message.data.model_copy(update={"calls": marked})})


def _can_run(requested: RequestedCall) -> bool:
    return requested.execution is None and requested.approval.status != "denied"


def _is_unread_result(message: AnyMessage) -> bool:
    return isinstance(message, UnknownMessage) and message.type == "tool_result"
