"""What type checkers do not know of a public name is found, and what is promised to be any JSON is not."""

from __future__ import annotations

import pytest

import check_names
import docs_api


@pytest.mark.parametrize(
    "revealed",
    [
        {},
        {4: "def () -> str"},
        {3: "Any"},
        {3: "Unknown"},
        {3: "type[Any]"},
        {3: "(body) -> Unknown"},
        {3: "(rows: list[Unknown]) -> None"},
    ],
)
def test_a_name_with_an_unknown_type_is_reported(revealed: dict[int, str]) -> None:
    assert [told.partition(":")[0] for told in check_names.unknown(revealed, ["il.detect"])] == ["il.detect"]


@pytest.mark.parametrize(
    "revealed", ["def (body: Any) -> tuple[Detection, ...]", "type[UnknownDialectError]", "type[Selection[Unknown]]"]
)
def test_a_name_with_an_annotated_type_is_not_reported(revealed: str) -> None:
    assert [*check_names.unknown({3: revealed}, ["il.detect"])] == []


def test_every_public_name_and_method_is_checked() -> None:
    asked = {*check_names.asked()}
    assert {*docs_api.public()} <= asked
    assert {"interlingua.translate_request", "interlingua.Transcript.get", "interlingua.ToolCall.create"} <= asked
