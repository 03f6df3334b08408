"""The page of details lists every sentence that a loss or a violation says, and each is one that a stranger reads."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.cli.code_meanings import LOSSES, VIOLATIONS
from interlingua.loss import CODES
from interlingua.registry import room
from interlingua.vectors import files, making
from interlingua.violation import VIOLATION_CODES
from support import corpus
from support.canonical import edited, objects
from support.rooms import ROWS, decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interlingua.loss import Loss
    from interlingua.violation import Violation

ROOT: Final = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import docs_details  # noqa: E402  # found through the line above

SENTENCES: Final = sorted(docs_details.said(ROOT))
MOST_WORDS: Final = 20
# Words of ours that nobody knows who has not read the code, with what is meant.
PRIVATE: Final = {
    "abroad": "in another dialect",
    "accent": "what a vendor spells otherwise",
    "bag": "extra",
    "home": "the same dialect",
    "house": "a member",
    "ledger": "the table of losses",
    "lowering": "sent as a function",
    "rooms": "the codecs of dialects",
    "told": "said or sent",
    "wish": "a setting",
    "wishes": "settings",
}
BODIES: Final = 20
# What a member may not hold, whichever it is: nothing that a provider would read there fits them all.
WRONG: Final[tuple[Any, ...]] = (None, "", " ", [], {}, [{}], -1, 10**7, "x" * 200)


@cache
def pattern(*, is_loss: bool) -> re.Pattern[str]:
    """Return what matches every sentence of the page: what differs is any text, and names may stand behind it."""
    found = [one.detail for one in SENTENCES if one.is_loss is is_loss]
    sentences = "|".join(".+".join(map(re.escape, detail.split(docs_details.PLACE))) for detail in found)
    return re.compile(f"(?:{sentences})(?:: .+)?", re.DOTALL)


def unlisted(found: Iterable[Loss | Violation], *, is_loss: bool) -> set[str]:
    return {one.detail for one in found if not pattern(is_loss=is_loss).fullmatch(one.detail)}


def families(dialect: str) -> tuple[str, ...]:
    return tuple(family.name for family in getattr(room(dialect), "FAMILIES", ()))


def losses_of(given: files.Given, source: il.Dialect, target: il.Dialect) -> Iterator[Loss]:
    """Yield the losses of what a vector gives; of a request for each family of the target, too."""
    value = given.value
    match given.kind:
        case "request":
            body = making.whole_body(value, source)
            for profile in (None, *families(target)):
                yield from il.translate_request(body, source, target, profile=profile).losses
        case "response":
            yield from il.translate_response(value["body"], source, target).losses
        case "stream":
            stream = il.translate_stream(value["frames"], source, target)
            assert list(stream)
            yield from stream.losses
        case "error":
            told = il.translate_error(value["body"], source, target, status=value["status"], headers=value["headers"])
            yield from told.losses


def spoilt(body: Any) -> Iterator[dict[str, Any]]:
    """Yield a body with one member taken away, or replaced by what may not stand there."""
    for path, members in objects(body):
        for name in members:
            yield edited(body, path, {key: value for key, value in members.items() if key != name})
            for wrong in WRONG:
                yield edited(body, path, {**members, name: wrong})


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda one: f"{one.code}-{one.detail[:30]}")
def test_a_detail_is_short_and_has_no_internal_terms(sentence: docs_details.Said) -> None:
    """A hint of one line, in words of the field."""
    words = re.findall(r"[\w$.]+", sentence.detail)
    assert len(words) <= MOST_WORDS
    assert not PRIVATE.keys() & {word.lower() for word in words}
    assert not sentence.detail.endswith(".")


def test_a_detail_names_the_member_without_a_place() -> None:
    message = {"role": "user", "content": [{"type": "image", "url": "https://example.com/a.png", "detail": "low"}]}
    encoded = il.encode_request({"messages": [message]}, "claude")
    assert ("/messages/0/content/0/detail", "an image has no detail there") in [
        (loss.path, loss.detail) for loss in encoded.losses
    ]
    assert not any(one.detail.endswith("has no such member there") for one in SENTENCES if one.is_loss)


def test_the_page_explains_every_code() -> None:
    """All codes of the closed lists, in their order."""
    text = (ROOT / docs_details.PAGE).read_text(encoding="utf-8")
    codes = [*(f"Losses: `{one}`" for one in LOSSES), *(f"Violations: `{one}`" for one in VIOLATIONS)]
    assert re.findall(r"^### (.+)$", text, re.MULTILINE) == codes
    assert (LOSSES.keys(), VIOLATIONS.keys()) == (CODES, VIOLATION_CODES)


@pytest.mark.parametrize("source", il.dialects())
def test_the_page_lists_the_details_of_the_vectors(source: il.Dialect) -> None:
    """Every loss of every vector, toward each other dialect, and for each family of models there."""
    found: list[Loss] = []
    for given in files.read_given(source):
        for target in il.dialects():
            found += losses_of(given, source, target)
    assert found
    assert unlisted(found, is_loss=True) == set()


@pytest.mark.parametrize("dialect", il.dialects())
def test_the_page_lists_the_details_of_bad_bodies(dialect: il.Dialect) -> None:
    """Every violation of the vectors' requests, changed at random and for each family of models."""
    found: list[Violation] = []
    for given in files.read_given(dialect):
        if given.kind == "request":
            body = making.whole_body(given.value, dialect)
            for profile in (None, *families(dialect)):
                found += il.check_request(body, dialect, profile=profile)
            for changed in spoilt(body):
                found += il.check_request(changed, dialect, profile=None)
    assert found
    assert unlisted(found, is_loss=False) == set()


@pytest.mark.corpus
@pytest.mark.parametrize("source", ROWS)
def test_the_page_lists_the_details_of_recorded_bodies(source: str) -> None:
    """Every loss of recorded requests and answers toward each other dialect."""
    row = ROWS[source]
    found = [
        loss
        for kind in ("request", "response")
        for line in corpus.few(row.folder, kind, BODIES)
        if line["id"] not in row.unreadable
        for target in ROWS
        for loss in encode(target, kind, decode(source, kind, line["body"]))[1]  # type: ignore[arg-type]
    ]
    assert unlisted(found, is_loss=True) == set()
