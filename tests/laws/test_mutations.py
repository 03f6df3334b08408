"""Law 1 and law 8 for bodies as tomorrow's providers may send them."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from support import corpus, inventory
from support.canonical import difference
from support.mutations import everywhere, mutations
from support.rooms import KINDS, PAIRS, RECORDED, ROWS, Kind, Row, decode, encode
from support.saying import outside

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.laws]
READS_INVENTORY = True  # left out with a notice where there is none (conftest.py)

MANY: Final = 60


@pytest.mark.corpus
@pytest.mark.parametrize(("row", "folder", "kind"), RECORDED)
def test_unknown_members_parts_roles_and_words_round_trip_at_every_place(
    row: Row, folder: str, kind: Kind, record_property: Callable[[str, object], None]
) -> None:
    words = inventory.words(row.dialect)
    found: dict[str, str] = {}
    tried: Counter[str] = Counter()
    for line in corpus.sample(folder, kind):
        if line["id"] in row.unreadable:
            continue
        attempts = list(mutations(line["body"], words))
        if not corpus.whole():
            attempts = random.Random(line["id"]).sample(attempts, min(MANY, len(attempts)))
        for mutation in attempts:
            tried[mutation.kind] += 1
            where = carried(row.dialect, kind, mutation.body)
            if where:
                place = re.sub(r"\d+", "*", f"{mutation.kind} at {mutation.path}")
                found.setdefault(place, f"{line['id']}: {where}")
    record_property("mutations", [folder, kind, dict(tried)])
    assert found == {}


def carried(dialect: str, kind: Kind, body: Any) -> str:
    """Return where a body comes back changed, or why it does not come back; empty where it is as it was."""
    try:
        encoded, losses = encode(dialect, kind, decode(dialect, kind, body))
    except il.DecodeError as error:
        return f"refused at {error.path}: {error.reason}"
    return difference(body, encoded) or ("a loss at home" if losses else "")


@pytest.mark.corpus
@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
@pytest.mark.parametrize("kind", KINDS)
def test_unknown_members_do_not_move_known_content_into_extra(row: Row, kind: Kind) -> None:
    found = {}
    for line in corpus.lines(row.folder, kind):
        if line["id"] not in row.unreadable:
            body = everywhere(line["body"])
            hidden = Counter(row.says(kind, body)) - Counter(outside(decode(row.dialect, kind, body)))
            hidden.pop("", None)
            if hidden:
                found[line["id"]] = sum(hidden.values())
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
@pytest.mark.parametrize("kind", KINDS)
def test_unknown_members_are_lost_in_other_dialects_and_never_sent(source: str, target: str, kind: Kind) -> None:
    for line in corpus.sample(ROWS[source].folder, kind):
        if line["id"] not in ROWS[source].unreadable:
            plain, known = encode(target, kind, decode(source, kind, line["body"]))
            body, losses = encode(target, kind, decode(source, kind, everywhere(line["body"])))
            # Not a greater number: beside an unknown member, a known one may be carried unread and be one loss.
            assert set(losses) - set(known), line["id"]
            assert body.keys() <= plain.keys(), line["id"]


def test_a_room_that_drops_an_unknown_member_is_detected() -> None:
    # A test of the test: what is compared is the whole body.
    body = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}
    kinds = {mutation.kind for mutation in mutations(body, {})}
    assert kinds == {"members everywhere", "member", "first member", "entry"}
    assert all(difference(body, mutation.body) for mutation in mutations(body, {}))
    assert carried("openai_chat", "request", everywhere(body)) == ""
