"""Generated names, implemented a second time for the laws: the canonical value gets the names that must arrive.

A tool of a group is called by the group's name and its own. A number is appended to the name of a free-text tool if a
function has the same, and to the id of a call if an earlier one has it. The target may refuse a generated name, which
is then made acceptable like any other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.loss import Loss

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interlingua.loss_types import LossCode

# The code of a loss of a generated name that is in the value: not a code of the library.
GIVEN: Final = "given"
_REPEATED: Final = "two calls had the same id"  # the detail of a loss of a repeated id
_CALL: Final = re.compile(r"/messages/(\d+)/tool_calls/(\d+)/id")
_RESULT: Final = re.compile(r"/messages/(\d+)/(call_id|id)")


class Names:
    """The names of the tools of a request; no generated name is used twice."""

    def __init__(self, tools: Iterable[Mapping[str, Any]]) -> None:
        self._taken = {tool["name"] for tool in tools if tool["type"] in {"function", "custom"}}
        self._apart: dict[str, str] = {}
        self._grouped: dict[tuple[str, str], str] = {}

    def apart(self, name: str) -> str:
        """Return the name for a free-text tool whose own name a function has."""
        if name not in self._apart:
            self._apart[name] = _free(name, self._taken)
        return self._apart[name]

    def grouped(self, group: str, name: str) -> str:
        """Return the name for a tool of a group."""
        if (group, name) not in self._grouped:
            self._grouped[group, name] = _free(f"{group}__{name}", self._taken)
        return self._grouped[group, name]

    def only(self, name: str) -> str:
        """Return the name for the only tool of a group that has a name of its own."""
        (made,) = (made for (_, own), made in self._grouped.items() if own == name)
        return made


def given(loss: Loss) -> Loss:
    """Return the loss of a generated name."""
    return Loss(cast("LossCode", GIVEN), loss.path, loss.detail, loss.severity)


def with_unique_call_ids(before: Mapping[str, Any], losses: Sequence[Loss]) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a canonical value with unique call ids, as they must arrive, and their losses."""
    repeated = [loss for loss in losses if loss.code == "name" and _REPEATED in loss.detail]
    if not repeated:
        return before, list(losses)
    messages = [*before["messages"]]
    taken = {call["id"] for message in messages for call in message.get("tool_calls", ()) if "id" in call}
    identifier = ""
    for loss in repeated:  # the id of a result follows that of its call
        if (found := _CALL.fullmatch(loss.path)) is not None:
            index, at = int(found[1]), int(found[2])
            calls = [*messages[index]["tool_calls"]]
            identifier = _free(calls[at]["id"], taken)
            calls[at] = {**calls[at], "id": identifier}
            messages[index] = {**messages[index], "tool_calls": calls}
        elif (found := _RESULT.fullmatch(loss.path)) is not None:
            messages[int(found[1])] = {**messages[int(found[1])], found[2]: identifier}
    return {**before, "messages": messages}, [given(loss) if loss in repeated else loss for loss in losses]


def _free(identifier: str, taken: set[str]) -> str:
    """Return a name, or the name with the lowest free number from 2, and register it."""
    free, number = identifier, 2
    while free in taken:
        free, number = f"{identifier}_{number}", number + 1
    taken.add(free)
    return free
