"""Deltas of calls put together, and streams that make responses."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.events import Calls
from support.cost import grows_at_most

if TYPE_CHECKING:
    from collections.abc import Callable

# Two calls whose pieces come in turn; id and name stand in the first piece of each.
PIECES: Final = [
    il.ToolCallDelta(index=1, id="call_b", name="look", arguments_delta=""),
    il.ToolCallDelta(index=0, id="call_a", name="read", arguments_delta='{"pa'),
    il.ToolCallDelta(index=1, arguments_delta='{"at": '),
    il.ToolCallDelta(index=0, arguments_delta='th": "a.txt"}'),
    il.ToolCallDelta(index=1, arguments_delta="1.0}"),
]
MADE: Final = [
    {"id": "call_a", "name": "read", "arguments": '{"path": "a.txt"}'},
    {"id": "call_b", "name": "look", "arguments": '{"at": 1.0}'},
]
MADE_TEXTS: Final = [call["arguments"] for call in MADE]


def made(deltas: list[Any]) -> list[dict[str, Any]]:
    calls = Calls()
    for delta in deltas:
        calls.add(delta)
    return calls.made()


@pytest.mark.requirement("FR-004a-93", "FR-004a-94", "FR-004a-100")
def test_the_index_identifies_the_call_of_a_delta() -> None:
    assert made(PIECES) == MADE
    assert made([piece.model_dump() for piece in PIECES]) == MADE


@pytest.mark.requirement("FR-004a-95", "FR-004a-96", "FR-004a-97", "FR-004a-98")
def test_the_first_fragment_names_the_call_and_later_ones_do_not_rename_it() -> None:
    first = il.ToolCallDelta(index=0, id="call_a", name="read")
    assert made([first]) == [{"id": "call_a", "name": "read", "arguments": ""}]
    assert made([first, il.ToolCallDelta(index=0, id="call_x", name="x", arguments_delta="{}")]) == [
        {"id": "call_a", "name": "read", "arguments": "{}"}
    ]
    # A provider that sends no id, or the name late: what is there is told.
    assert made([il.ToolCallDelta(index=0, arguments_delta="{"), il.ToolCallDelta(index=0, name="read")]) == [
        {"name": "read", "arguments": "{"}
    ]


def test_fragments_of_different_calls_may_be_interleaved() -> None:
    order = random.Random(7)
    for _ in range(50):
        queues = {index: [piece for piece in PIECES if piece.index == index] for index in (0, 1)}
        mixed = [queues[index].pop(0) for index in order.sample([0, 0, 1, 1, 1], 5)]
        assert made(mixed) == MADE


def test_the_partial_result_can_be_read_at_any_time() -> None:
    calls = Calls()
    texts = []
    for piece in PIECES:
        calls.add(piece)
        texts.append([call["arguments"] for call in calls.made()])
    assert texts == [[""], ['{"pa', ""], ['{"pa', '{"at": '], ['{"path": "a.txt"}', '{"at": '], MADE_TEXTS]


def _joining(count: int) -> Callable[[], Any]:
    """Return the work of joining a call of so many pieces."""
    deltas = [{"index": 0, "arguments_delta": "x" * 16}] * count
    assert len(made(deltas)[0]["arguments"]) == 16 * count
    return lambda: made(deltas)


def test_the_cost_per_fragment_does_not_grow() -> None:
    # Ten times the pieces cost about ten times as much; joining at each piece would cost about a hundred times.
    assert grows_at_most(_joining(20_000), _joining(200_000), 40)
