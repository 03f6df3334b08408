"""Law 10: `extra` and opaque parts hold only what the canonical form cannot say."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import orjson
import pytest

from support import corpus
from support.accounting import changeable, values_without_effect
from support.rooms import RECORDED, Kind, Row, decode, encode
from support.saying import outside

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.laws]

LARGEST: Final = 1.4
SMALL: Final = 1024


def readable(row: Row, folder: str, kind: Kind) -> Iterator[tuple[str, Any, Any]]:
    for line in corpus.lines(folder, kind):
        if line["id"] not in row.unreadable:
            yield line["id"], line["body"], decode(row.dialect, kind, line["body"])


@pytest.mark.corpus
@pytest.mark.parametrize(("row", "folder", "kind"), RECORDED)
def test_canonical_json_is_not_much_longer_than_the_body(row: Row, folder: str, kind: Kind) -> None:
    found = {}
    for identifier, body, canonical in readable(row, folder, kind):
        size = len(orjson.dumps(body))
        if size > SMALL and len(orjson.dumps(canonical)) > LARGEST * size:
            found[identifier] = round(len(orjson.dumps(canonical)) / size, 2)
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("row", "folder", "kind"), RECORDED)
def test_content_is_outside_extra_and_opaque_parts(row: Row, folder: str, kind: Kind) -> None:
    found = {}
    for identifier, body, canonical in readable(row, folder, kind):
        hidden = Counter(row.says(kind, body)) - Counter(outside(canonical))
        hidden.pop("", None)
        if hidden:
            found[identifier] = sum(hidden.values())
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("row", "folder", "kind"), RECORDED)
def test_a_changed_value_changes_the_body(row: Row, folder: str, kind: Kind) -> None:
    found = {}
    for identifier, _, canonical in readable(row, folder, kind):
        silent = values_without_effect(canonical, lambda value: encode(row.dialect, kind, value), changeable(canonical))
        if silent:
            found[identifier] = silent
    assert found == {}


def test_an_encoder_that_prefers_extra_to_canonical_members_is_detected() -> None:
    # A test of the test: a body that is carried whole in `extra` would keep law 1 and say nothing.
    canonical = {"dialect": "openai_chat", "model": "m", "messages": [{"role": "user", "content": "Hello"}]}
    assert values_without_effect(canonical, lambda _: ({"model": "m"}, ()), changeable(canonical)) == [
        "/model",
        "/messages/0/content",
    ]
    hidden = {"extra": {"fields": {"content": "Hello"}}, "content": [{"type": "opaque", "data": "Hello"}], "id": "m"}
    assert [*outside(hidden)] == ["m"]
