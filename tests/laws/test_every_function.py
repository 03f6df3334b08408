"""Law 8 beyond decoding: whatever decode takes, every other door takes, or refuses by the error that it documents."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il
from attacks import bodies
from support import corpus

pytestmark = [pytest.mark.laws]

SEED = 11


def test_mutated_bodies_raise_only_documented_errors_in_every_function() -> None:
    many = 10_000 if corpus.whole() else 400
    found = {failure: number for number in range(many) for failure in bodies.failures_of(SEED, number)}
    assert found == {}


def test_most_mutated_bodies_can_be_decoded() -> None:
    taken = 0
    for number in range(100):
        body = bodies.mutant(SEED, number)
        try:
            _decode(body)
        except il.DecodeError:
            continue
        taken += 1
    assert taken > 50


def _decode(body: bodies.Body) -> Any:
    if body.kind == "request":
        return il.decode_request(body.value, body.dialect)
    if body.kind == "response":
        return il.decode_response(body.value, body.dialect)
    return list(il.decode_stream(body.value if isinstance(body.value, list) else [body.value], body.dialect))


def test_parallel_runs_equal_serial_ones_and_the_seed_determines_the_bodies() -> None:
    assert bodies.attack(SEED, 40) == []
    one, other = bodies.mutant(SEED, 7), bodies.mutant(SEED, 7)
    assert (one.dialect, one.kind, one.value == other.value) == (other.dialect, other.kind, True)
    assert bodies.mutant(SEED + 1, 7).value != one.value


def test_an_undocumented_error_and_a_modified_input_are_detected() -> None:
    # A test of the test: a door that breaks, one that refuses what it documents to take, one that changes its input.
    def refuse() -> None:
        raise il.EncodeError("claude", "/messages", "no")

    assert bodies.opened("door", bodies.never, int, "x") == (None, ["door: ValueError"])
    assert bodies.opened("door", bodies.never, refuse)[1] == ["door: EncodeError that it does not document"]
    assert bodies.opened("door", bodies.refused(il.EncodeError, "gemini"), refuse)[1] != []
    assert bodies.opened("door", bodies.refused(il.EncodeError, "claude"), refuse) == (None, [])
    value = {"a": [1, {"b": bodies.UNWRITABLE[-1]}]}
    kept = bodies.copied(value)
    assert bodies.is_same(value, kept)
    value["a"][1]["c"] = 1  # type: ignore[index, call-overload]
    assert not bodies.is_same(value, kept)
