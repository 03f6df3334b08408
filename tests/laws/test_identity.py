"""Laws 1 and 2: what was decoded goes out as it came, straight, through the models, and through storage."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import interlingua as il
from support import corpus
from support.canonical import difference, first_reordered, same
from support.rooms import KINDS, ROWS, Kind, Row, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.laws]

ROOMS = [pytest.param(row, row.folder, kind, id=f"{row.folder}-{kind}") for row in ROWS.values() for kind in KINDS]
VENDORS = [
    pytest.param(row, folder, kind, id=f"{folder}-{kind}")
    for row in ROWS.values()
    for folder in row.compatible
    for kind in KINDS
]
Changed = dict[str, str]


def changed(row: Row, folder: str, kind: Kind, there_and_back: Callable[[Any], Any]) -> tuple[Changed, int]:
    """Return where bodies of a folder come back changed, by id, and how many came back as they were."""
    found: Changed = {}
    read = 0
    for line in corpus.lines(folder, kind):
        if line["id"] in row.unreadable:
            with pytest.raises(il.DecodeError) as refused:
                there_and_back(line["body"])
            assert refused.value.dialect == row.dialect
            continue
        body = there_and_back(line["body"])
        where = difference(line["body"], body) or first_reordered(line["body"], body)
        if where:
            found[line["id"]] = where
        else:
            read += 1
    return found, read


def total(folder: str, kind: Kind) -> int:
    return sum(1 for _ in corpus.lines(folder, kind))


@pytest.mark.corpus
@pytest.mark.parametrize(("row", "folder", "kind"), [*ROOMS, *VENDORS])
def test_a_body_round_trips_without_losses(
    row: Row, folder: str, kind: Kind, record_property: Callable[[str, object], None]
) -> None:
    def there_and_back(body: Any) -> Any:
        encoded, losses = encode(row.dialect, kind, decode(row.dialect, kind, body))
        assert losses == ()
        return encoded

    found, read = changed(row, folder, kind, there_and_back)
    record_property("figures", [row.dialect, folder, kind, read, total(folder, kind)])
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("row", "folder", "kind"), [*ROOMS, *VENDORS])
def test_a_body_round_trips_through_the_models(row: Row, folder: str, kind: Kind) -> None:
    def there_and_back(body: Any) -> Any:
        if kind == "request":
            encoded = il.encode_request(il.decode_request(body, row.dialect), row.dialect)
        else:
            encoded = il.encode_response(il.decode_response(body, row.dialect), row.dialect)
        assert encoded.losses == ()
        return encoded.body

    found, _ = changed(row, folder, kind, there_and_back)
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("row", "folder", "kind"), [*ROOMS, *VENDORS])
def test_a_body_round_trips_through_storage(row: Row, folder: str, kind: Kind) -> None:
    def there_and_back(body: Any) -> Any:
        if kind == "request":
            request = il.decode_request(body, row.dialect)
            loaded = il.ChatRequest.model_validate_json(request.model_dump_json())
            assert loaded == request
            return il.encode_request(loaded, row.dialect).body
        response = il.decode_response(body, row.dialect)
        again = il.ChatResponse.model_validate_json(response.model_dump_json())
        assert again == response
        return il.encode_response(again, row.dialect).body

    found, _ = changed(row, folder, kind, there_and_back)
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize(("row", "folder", "kind"), ROOMS)
def test_plain_values_of_a_room_equal_its_models(row: Row, folder: str, kind: Kind) -> None:
    model = il.ChatRequest if kind == "request" else il.ChatResponse
    found = {}
    for line in corpus.lines(folder, kind):
        if line["id"] not in row.unreadable:
            canonical = decode(row.dialect, kind, line["body"])
            where = difference(canonical, model.model_validate(canonical).model_dump(mode="json"))
            if where:
                found[line["id"]] = where
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_every_exempt_body_exists_and_is_refused(row: Row) -> None:
    bodies = {
        line["id"]: (kind, line["body"])
        for folder in (row.folder, *row.compatible)
        for kind in KINDS
        for line in corpus.lines(folder, kind)
        if line["id"] in row.unreadable
    }
    assert bodies.keys() == row.unreadable.keys()
    for kind, body in bodies.values():
        with pytest.raises(il.DecodeError):
            decode(row.dialect, kind, body)


def test_the_comparison_distinguishes_number_types_and_order_of_verbatim_members() -> None:
    # A test of the test: if these were equal, the laws above would prove nothing.
    assert not same({"seed": 1}, {"seed": 1.0})
    assert not same({"flag": True}, {"flag": 1})
    assert difference({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2.0}]}) == "/a/1/b: int became float"
    assert difference({"a": None}, {}) == "/a: gone"
    assert difference({"a": [1]}, {"a": [1, 2]}) == "/a: 1 entries became 2"
    first = json.loads('{"parameters": {"a": 1, "b": 2}}')
    second = json.loads('{"parameters": {"b": 2, "a": 1}}')
    assert same(first, second)
    assert first_reordered(first, second) == "/parameters: keys in another order"
