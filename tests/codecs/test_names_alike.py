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
def test_no_value_made_by_hand_has_two_names_that_are_written_alike(alike: Any) -> None:
    for make in (
        lambda: il.ToolResultData(call_id="call_1", output=alike),
        lambda: il.OpaquePart(dialect="claude", data=alike),
        lambda: il.ToolResultMessage(data={"call_id": "call_1", "output": alike}),  # type: ignore[arg-type]
        lambda: il.ToolChatMessage(content=[{"type": "opaque", "dialect": "claude", "data": alike}]),  # type: ignore[list-item]
    ):
        with pytest.raises(ValueError, match="Two names of an object would be one in JSON"):
            make()


def test_a_name_that_is_no_text_and_like_no_other_is_written_as_text() -> None:
    data = il.ToolResultData(call_id="call_1", output={2025: 1, 2026: 2})
    assert data.model_dump(mode="json")["output"] == {"2025": 1, "2026": 2}


def test_an_object_that_holds_itself_is_looked_at_once() -> None:
    circle: dict[Any, Any] = {}
    circle["again"] = [circle]
    assert il.OpaquePart(dialect="claude", data=circle).data is circle
