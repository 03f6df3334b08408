"""The benchmark has the cases that 004 lists for messages and histories."""

from __future__ import annotations

import pytest

from benchmark import cases


@pytest.mark.requirement(
    "TEST-SerializationCompatibility.Setup", "TEST-SerializationCompatibility.Benchmark_ConversationAdd"
)
def test_every_benchmark_of_004_is_a_row_with_a_figure() -> None:
    rows = list(cases.GROUPS["history"](cases.Effort(1, messages=(40, 80)), []))
    assert [(row.case, row.size) for row in rows] == [
        ("make a user message", "1 message"),
        ("write a user message", "1 message"),
        ("read a user message", "1 message"),
        ("compare a user message", "1 message"),
        ("a conversation of three messages", "3 messages"),
        ("add a question and its answer", "40 messages"),
        ("add a question and its answer", "80 messages"),
    ]
    assert all(row.value > 0 and row.unit == "us" for row in rows)
    assert rows[-1].must == rows[-2].value * cases.SAME_COST
