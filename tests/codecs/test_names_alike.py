"""Objects of a program whose names JSON would write alike: none is made, and no member is lost without a word."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

ALIKE: Final[list[Any]] = [
    {1: "a", "1": "b"},
    {"true": 1, True: 2},
    {"None": 1, None: 2},
    [{"deep": ({1: "a", "1": "b"},)}],
]


@pytest.mark.parametrize("alike", ALIKE)
def test_handwritten_values_cannot_have_two_names_with_the_same_json_form(alike: Any) -> None:
    for make in (
        lambda: il.ToolResultData(call_id="call_1", output=alike),
        lambda: il.OpaquePart(dialect="claude", data=alike),
        lambda: il.ToolResultMessage(data={"call_id": "call_1", "output": alike}),  # type: ignore[arg-type]
        lambda: il.ToolChatMessage(content=[{"type": "opaque", "dialect": "claude", "data": alike}]),  # type: ignore[list-item]
    ):
        with pytest.raises(ValueError, match="Two names of an object would be one in JSON"):
            make()


def test_a_non_text_name_without_a_conflict_is_written_as_text() -> None:
    data = il.ToolResultData(call_id="call_1", output={2025: 1, 2026: 2})
    assert data.model_dump(mode="json")["output"] == {"2025": 1, "2026": 2}


def test_a_cyclic_object_is_visited_once() -> None:
    circle: dict[Any, Any] = {}
    circle["again"] = [circle]
    assert il.OpaquePart(dialect="claude", data=circle).data is circle
