"""Law 4: what is not in the output is a loss, a loss is where it says, and nothing else is a loss."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.concerns import CONCERNS
from interlingua.loss import CODES
from interlingua.registry import room
from support import corpus
from support.accounting import (
    changeable,
    losses_with_content,
    unreported_values,
    unresolved_losses,
    values_without_effect,
)
from support.canonical import edited, pointer
from support.rooms import KINDS, PAIRS, ROWS, Kind, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from interlingua.loss import Loss
    from support.corpus import Line

pytestmark = [pytest.mark.laws]

CASES = [
    pytest.param(source, target, kind, id=f"{source}-to-{target}-{kind}") for source, target in PAIRS for kind in KINDS
]
# What may be lost, changed and filled between two dialects: every path of the corpus, with numbers and the names of
# free members as a star. The table is read by people: a new line in it is something that users lose.
EXPECTED: Final = Path(__file__).parent / "expected_losses.json"

STRICT: Final[tuple[tuple[Any, frozenset[str]], ...]] = (
    (True, frozenset({"content", "contract", "tuning"})),
    ("all", frozenset(CONCERNS)),
    ({"state"}, frozenset({"state"})),
    (["bookkeeping", "tuning"], frozenset({"bookkeeping", "tuning"})),
    (frozenset(), frozenset()),
)


def everything(dialect: str, kind: Kind) -> Iterator[tuple[str, Any, Any]]:
    """Yield id, body and canonical value of every body of the corpus that a dialect reads, those of vendors too."""
    return _readable(dialect, kind, corpus.lines)


def sampled(dialect: str, kind: Kind) -> Iterator[tuple[str, Any, Any]]:
    """Yield what `everything` yields, for a law that is slow: a sample, unless the laws run over the whole corpus."""
    return _readable(dialect, kind, partial(corpus.sample, size=10))


def _readable(dialect: str, kind: Kind, lines: Callable[[str, str], Iterator[Line]]) -> Iterator[tuple[str, Any, Any]]:
    row = ROWS[dialect]
    for folder in (row.folder, *row.compatible):
        for line in lines(folder, kind):
            if line["id"] not in row.unreadable:
                yield line["id"], line["body"], decode(dialect, kind, line["body"])


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target", "kind"), CASES)
def test_every_value_is_in_the_output_or_a_loss(source: str, target: str, kind: Kind) -> None:
    found = {}
    for identifier, _, canonical in everything(source, kind):
        missing = unreported_values(canonical, *encode(target, kind, canonical), target)
        if missing:
            found[identifier] = missing
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target", "kind"), CASES)
def test_every_value_that_is_no_loss_affects_the_output(source: str, target: str, kind: Kind) -> None:
    found = {}
    for identifier, _, canonical in sampled(source, kind):
        silent = values_without_effect(
            canonical, lambda value: encode(target, kind, value), changeable(canonical, target)
        )
        if silent:
            found[identifier] = silent
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target", "kind"), CASES)
def test_loss_paths_lead_to_the_lost_value_and_losses_contain_no_content(source: str, target: str, kind: Kind) -> None:
    found = {}
    for identifier, body, canonical in everything(source, kind):
        _, losses = encode(target, kind, canonical)
        wrong = [
            *unresolved_losses(canonical, losses),
            *losses_with_content(body, losses),
            *(loss.path for loss in losses if loss.code not in CODES),
        ]
        if wrong:
            found[identifier] = wrong
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target", "kind"), CASES)
def test_strict_refuses_exactly_losses_of_the_named_concerns(source: str, target: str, kind: Kind) -> None:
    translate = il.translate_request if kind == "request" else il.translate_response
    refused = 0
    for line in corpus.sample(ROWS[source].folder, kind, 60):  # fewer lose nothing in some pair
        if line["id"] in ROWS[source].unreadable:
            continue
        if kind == "response" and line["body"].get("status") in room(source).DESCRIPTOR.unfinished:
            continue  # a response on which the provider still works
        losses = translate(line["body"], source, target).losses
        for strict, concerns in STRICT:
            offending = tuple(loss for loss in losses if loss.severity == "lost" and loss.concern in concerns)
            if offending:
                refused += 1
                with pytest.raises(il.LossError) as raised:
                    translate(line["body"], source, target, strict=strict)
                assert (raised.value.losses, raised.value.offending) == (losses, offending)
            else:
                assert translate(line["body"], source, target, strict=strict).losses == losses
    assert refused or source == "vllm"  # of which there are few recordings


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target", "kind"), CASES)
def test_every_loss_is_in_the_table(source: str, target: str, kind: Kind) -> None:
    # An encoder that reports everything as lost keeps laws 3 and 4; this table does not let it.
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))[f"{source} -> {target}, {kind}"]
    found = {
        one for _, _, canonical in everything(source, kind) for one in kinds_of(encode(target, kind, canonical)[1])
    }
    assert sorted(found) == expected


def kinds_of(losses: Sequence[Loss]) -> set[str]:
    """Return losses without their places: severity, code, and the path with numbers and free names as a star."""
    found = set()
    for loss in losses:
        path = re.sub(r"/\d+(?=/|$)", "/*", loss.path)
        path = re.sub(r"(/extra/\w+/fields|/parameters|/schema)/.*", r"\1/*", path)
        found.add(f"{loss.severity} {loss.code} {path}")
    return found


CANONICAL: Final[dict[str, Any]] = {
    "model": "m",
    "max_tokens": 100,
    "seed": 7,
    "messages": [
        {"role": "user", "content": "What is the weather in Prague?"},
        {
            "role": "assistant",
            "content": "I shall look.",
            "tool_calls": [{"id": "call_1", "name": "look_outside", "arguments": '{"city":"Prague"}'}],
        },
        {"role": "tool", "call_id": "call_1", "content": "It is sunny there."},
    ],
}
FORGOTTEN: Final[list[tuple[tuple[str | int, ...], Any]]] = [
    (("messages", 0, "content"), "0"),
    (("messages", 1, "content"), "0"),
    (("messages", 1, "tool_calls", 0, "id"), "0"),
    (("messages", 1, "tool_calls", 0, "name"), "0"),
    (("messages", 1, "tool_calls", 0, "arguments"), "{}"),
    (("messages", 2, "content"), "0"),
    (("max_tokens",), 1),
]


@pytest.mark.parametrize(("path", "nothing"), FORGOTTEN)
def test_an_encoder_that_drops_a_value_silently_is_detected(path: tuple[str | int, ...], nothing: Any) -> None:
    # A test of the test: the encoder never sees one of the values, and reports nothing of it.
    def forgetful(canonical: Any) -> tuple[dict[str, Any], Sequence[Loss]]:
        return encode("claude", "request", edited(canonical, path, nothing))

    assert unreported_values(CANONICAL, *forgetful(CANONICAL)) != []
    assert values_without_effect(CANONICAL, forgetful, [path]) == [pointer(path)]


def test_a_correct_encoder_passes() -> None:
    body, losses = encode("claude", "request", CANONICAL)
    assert [loss.path for loss in losses if loss.severity == "lost"] == ["/seed"]
    assert unreported_values(CANONICAL, body, losses) == []
    assert (
        values_without_effect(CANONICAL, lambda value: encode("claude", "request", value), changeable(CANONICAL)) == []
    )


def test_a_loss_with_a_wrong_path_or_with_content_is_detected() -> None:
    lost = il.Loss("setting", "/messages/9/content", "no place", "lost")
    filled = il.Loss("required", "/max_tokens", "demanded", "filled")
    telling = il.Loss("setting", "/seed", "What is the weather in Prague?", "lost")
    assert unresolved_losses(CANONICAL, [lost, filled, telling]) == ["/messages/9/content", "/max_tokens"]
    assert losses_with_content(CANONICAL, [lost, filled, telling]) == ["/seed"]
