"""Members of a later schema version, which are reported for the rooms that do not know them."""

from __future__ import annotations

from typing import Any, Final

import pytest

from interlingua.newer_members import ARE_POSSIBLE, kinds_of
from interlingua.registry import room
from interlingua.validation import bundle
from interlingua_types import CURRENT
from support.rooms import ROWS

DEFINITIONS: Final[dict[str, Any]] = bundle(CURRENT)["$defs"]


def with_member(kind: str, name: str) -> dict[str, Any]:
    """Return the definitions with another member of a type."""
    held = DEFINITIONS[kind]
    return {**DEFINITIONS, kind: {**held, "properties": {**held["properties"], name: {"type": "string"}}}}


def test_nothing_is_newer_than_the_version_itself() -> None:
    assert kinds_of(DEFINITIONS, DEFINITIONS) == {}


def test_a_newer_member_is_found_through_unions_and_lists() -> None:
    kinds = kinds_of(DEFINITIONS, with_member("TextPart", "language"))
    assert [name for name, kind in kinds.items() if kind.newer] == ["TextPart"]
    assert {"ChatRequest", "ChatMessage", "UserChatMessage", "Content", "Part", "TextPart", "Event"} <= kinds.keys()
    assert "Usage" not in kinds


def test_what_a_dialect_keeps_for_itself_is_not_searched() -> None:
    assert set(kinds_of(DEFINITIONS, with_member("ClaudeSpelling", "word"))) == {
        "ClaudeSpelling",
        "ClaudeExtra",
        "Extra",
    }


@pytest.mark.parametrize("dialect", ROWS)
def test_a_descriptor_lists_only_members_that_are_newer(dialect: str) -> None:
    known: dict[str, Any] = bundle(3)["$defs"]
    newer = {f"{name}.{member}" for name, kind in kinds_of(known, DEFINITIONS).items() for member in kind.newer}
    assert room(dialect).DESCRIPTOR.newer_members <= newer
    assert bool(newer) <= ARE_POSSIBLE
