"""Text that any store can hold, and back."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlingua.sessions import restore_text, safe_text

ANY_TEXT = st.text(st.characters() | st.sampled_from("\x00\ud83d\ude00\udfff\ufffe\uffff␛0d8"))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_per_13_any_value_can_be_stored_and_round_trips(value: Any) -> None:
    before = json.dumps(value)
    safe = safe_text(value)
    assert json.dumps(value) == before
    written = json.dumps(safe, ensure_ascii=False)
    assert not {"\x00", "\ufffe", "\uffff"} & set(written)
    assert "\\u0000" not in json.dumps(safe)
    assert json.loads(written.encode("utf-8")) == safe
    assert restore_text(json.loads(written)) == value


@pytest.mark.parametrize("value", ["\x00", "\ud83d", "\ud83d\ude00", "\uffff", "␛0000", "␛", "␛␛", "a␛d83d"])
def test_per_13_unusual_characters_round_trip_through_a_database_column(value: str) -> None:
    connection = sqlite3.connect(":memory:")
    ((stored,),) = connection.execute("SELECT json_extract(json_array(?), '$[0]')", (safe_text(value),)).fetchall()
    connection.close()
    assert restore_text(stored) == value


def test_other_text_is_unchanged() -> None:
    plain = "Ärger, 😀 \u2028 \ufeff \x1b \\u0000"
    assert safe_text(plain) == plain
    assert restore_text(plain) == plain
