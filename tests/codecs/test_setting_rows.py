"""A row of the settings' table is enough for the names that are known and the types that are checked."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il
from interlingua.rooms.claude.tables import SETTINGS as OF_CLAUDE
from interlingua.rooms.gemini.tables import SETTINGS as OF_GEMINI


@pytest.mark.parametrize("name", OF_CLAUDE)
def test_every_row_of_claude_is_a_known_member_with_a_checked_type(name: str) -> None:
    body: dict[str, Any] = {
        "model": "claude-opus-4-1",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": "Hi"}],
        name: {},
    }
    assert {(one.code, one.path) for one in il.check_request(body, "claude")} == {("shape", f"/{name}")}


@pytest.mark.parametrize("name", OF_GEMINI)
def test_every_row_of_gemini_is_a_known_member_with_a_checked_type(name: str) -> None:
    body: dict[str, Any] = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}], "generationConfig": {name: {}}}
    found = {(one.code, one.path) for one in il.check_request(body, "gemini", profile=None)}
    assert found == {("shape", f"/generationConfig/{name}")}
