"""Any wish to think is written as the models take it, or told: words that nobody knows and contradictions as well."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.registry import room
from interlingua_types import CURRENT
from support.rooms import ROWS

pytestmark = [pytest.mark.laws]

EFFORTS: Final = (None, "none", "high", "endless")
MODES: Final = (None, "enabled", "disabled", "odd")
BUDGETS: Final = (None, 0, 100_000)
WISHES: Final[list[dict[str, Any]]] = [
    {name: value for name, value in zip(("effort", "mode", "budget_tokens"), wish, strict=True) if value is not None}
    for wish in product(EFFORTS, MODES, BUDGETS)
]


def asking(wish: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {
        "schema_version": CURRENT,
        "messages": [{"role": "user", "content": "x"}],
        "reasoning": wish,
        **members,
    }


@pytest.mark.parametrize("dialect", ROWS)
def test_any_thinking_setting_is_written_in_the_form_of_each_model_family(dialect: str) -> None:
    found: dict[tuple[str, str], Any] = {}
    for family in room(dialect).FAMILIES:
        taken = il.check_request(
            il.encode_request(asking({}, model=family.example), dialect, profile=family.name).body,
            dialect,
            profile=family.name,
        )
        for wish in WISHES:
            encoded = il.encode_request(asking(wish, model=family.example), dialect, profile=family.name)
            broken = [one for one in il.check_request(encoded.body, dialect, profile=family.name) if one not in taken]
            paths = [loss.path for loss in encoded.losses]
            if broken or len(paths) != len({*paths}):
                found[family.name, str(wish)] = broken or "a path is told twice"
    assert found == {}


@pytest.mark.parametrize("dialect", ROWS)
@pytest.mark.parametrize("budget", [None, 0])
def test_an_unknown_effort_is_lost_and_reported(dialect: str, budget: int | None) -> None:
    wish = {"effort": "endless"} if budget is None else {"effort": "endless", "budget_tokens": budget}
    encoded = il.encode_request(asking(wish), dialect, profile=None)
    assert "endless" not in str(encoded.body)
    assert any(loss.path.startswith("/reasoning") for loss in encoded.losses)
