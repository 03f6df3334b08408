"""tests/vectors/fuzz: what fuzzing sessions found, run for ever; each was an exception or a loss at home once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.registry import room
from support.canonical import difference
from support.rooms import decode, encode
from support.streams import read, write

VECTORS: Final = Path(__file__).parents[1] / "vectors" / "fuzz"
FILES: Final = sorted(VECTORS.glob("*.json"))


def there_and_back(dialect: str, kind: str, value: Any) -> tuple[Any, Any]:
    """Return a value and what a room makes of it at home. Raises `DecodeError`."""
    if kind == "stream":
        frames = value if isinstance(value, list) else [value]
        return frames, write(dialect, read(dialect, frames))[0]
    if kind == "check":
        room(dialect).check_request(value)
        return None, None
    side = "request" if kind == "request" else "response"
    return value, encode(dialect, side, decode(dialect, side, value))[0]


def test_the_fuzz_vectors_are_present_and_well_formed() -> None:
    assert FILES
    assert set(VECTORS.iterdir()) == set(FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_fuzz_vectors_have_documented_results(path: Path) -> None:
    vector = json.loads(path.read_text(encoding="utf-8"))
    try:
        came, goes = there_and_back(vector["dialect"], vector["kind"], vector["value"])
    except il.DecodeError as error:
        came, goes = vector["dialect"], error.dialect
    assert difference(came, goes) == ""
