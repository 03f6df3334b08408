"""Finds where tool results belong: directly after the turn that called the tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.migrate.pairing import OpenCalls, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.model import ChatMessage


class ResultPlacement:
    """The calls and results in a list of chat messages.

    `answered` are the calls that have a result. `late` maps the index of each result that does not follow the turn of
    its call to the index of that turn's last message. A turn is a run of assistant and opaque messages with the results
    that follow.
    """

    __slots__ = ("answered", "late")

    def __init__(self, messages: Sequence[ChatMessage]) -> None:
        self.answered: Final[set[Place]] = set()
        self.late: Final[dict[int, int]] = {}
        calls = OpenCalls()
        turns: dict[int, int] = {}
        ends: dict[int, int] = {}
        turn = -1
        is_called = is_speaking = False
        for index, message in enumerate(messages):
            if message.role == "assistant":
                turn = turn if is_speaking else index
                is_called = is_speaking = True
                turns[index], ends[turn] = turn, index
                for order, call in enumerate(message.tool_calls or ()):
                    calls.add((index, order), {"name": call.name, "id": call.id, "call_id": call.call_id})
            elif message.role == "tool":
                is_speaking = False
                called = calls.answer(message.call_id, message.name)
                if called is not None:
                    self.answered.add(called)
                if called is not None and not (is_called and turns[called[0]] == turn):
                    self.late[index] = ends[turns[called[0]]]
                elif is_called:
                    ends[turn] = index
            elif message.role != "opaque":
                calls.end_turn()
                is_called = is_speaking = False
            elif is_called:
                ends[turn] = index
