"""Law 13 over the recorded errors, and the cases that were written from them: at home equal, abroad of one category."""

from __future__ import annotations

from typing import Final

import pytest

import interlingua as il
from interlingua.error_translation import decode_canonical_error, encode_canonical_error
from support.errors import DIALECTS, READ_OTHERWISE, cases, leaves, recorded

pytestmark = pytest.mark.corpus
READS_INVENTORY: Final = True  # the cases lie beside it
# What came with a recorded error is not recorded.
HEADERS: Final = {"Retry-After": "17", "X-Request-Id": "r", "Request-Id": "r", "X-RateLimit-Remaining-Tokens": "0"}
FACTS: Final = {
    "used": "used_tokens",
    "limit": "limit_tokens",
    "requested": "requested_tokens",
    "retry_after": "retry_after",
}


def test_every_recorded_error_round_trips() -> None:
    count = 0
    for dialect, line in recorded():
        body, status = line["body"], line.get("status")
        for headers in ({}, HEADERS):
            error = il.decode_error(body, dialect, status=status, headers=headers)
            encoded = il.encode_error(error, dialect)
            assert encoded.body == body, line["id"]
            assert status in {None, encoded.status}, line["id"]
            assert encoded.losses == (), line["id"]
            given = {name.lower(): value for name, value in headers.items()}
            assert encoded.headers.items() <= given.items(), line["id"]
            assert ("retry-after" in encoded.headers) == bool(headers), line["id"]
            assert il.ApiError.model_validate_json(error.model_dump_json()) == error, line["id"]
        count += 1
    assert count > 200


def test_every_recorded_error_keeps_its_category_where_the_dialect_can_express_it() -> None:
    read_otherwise = set()
    for source, line in recorded():
        error = decode_canonical_error(line["body"], source, line.get("status"))
        for target in set(DIALECTS) - {source}:
            encoded = encode_canonical_error(error, target)
            again = decode_canonical_error(encoded.body, target, encoded.status, encoded.headers)
            if again["category"] != error["category"]:
                read_otherwise.add((target, error["category"]))
                assert READ_OTHERWISE[target, error["category"]] == again["category"], line["id"]
                assert "/category" in {loss.path for loss in encoded.losses}, line["id"]
            told = [(loss.path, loss.severity) for loss in encoded.losses]
            assert len(told) == len(set(told)), line["id"]
    assert ("claude", "unknown") in read_otherwise


def test_every_recorded_error_with_a_known_status_has_a_category() -> None:
    unknown = {
        line["id"]
        for dialect, line in recorded()
        if line.get("status") and il.decode_error(line["body"], dialect, status=line["status"]).category == "unknown"
    }
    assert unknown == set()


@pytest.mark.parametrize("name", ["category and facts", "status", "headers", "body"])
def test_every_case_holds(name: str) -> None:
    found = {}
    for case in cases():
        expect = case["expect"]
        error = il.decode_error(case["body"], case["source"], status=case["status"], headers=case["headers"])
        encoded = il.translate_error(
            case["body"], case["source"], case["target"], status=case["status"], headers=case["headers"]
        )
        facts = {short: value for short, member in FACTS.items() if (value := getattr(error, member)) is not None}
        pairs = {
            "category and facts": ((error.category, facts), (expect["category"], expect.get("facts", {}))),
            "status": (encoded.status, expect["status"]),
            "headers": (dict(encoded.headers), expect["headers"]),
            "body": (dict(leaves(encoded.body)), expect["body"]),
        }
        if pairs[name][0] != pairs[name][1]:
            found[case["name"]] = pairs[name]
    assert found == {}
    assert len(cases()) >= 40
