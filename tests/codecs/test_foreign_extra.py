"""What other dialects said is a loss of its own abroad, whatever it is."""

from __future__ import annotations

from typing import Any

import pytest

from interlingua.translation import encode_canonical_request
from support.bodies import DIALECTS


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("bag", "places"),
    [
        ({"fields": {"a/b": 1, "c": None}}, ["/fields/a~1b", "/fields/c"]),
        ({"fields": True}, ["/fields"]),
        ({"fields": [1]}, ["/fields"]),
        ({"spelling": {"a": "b"}}, []),
        ({"spelling": {}, "signature": "s"}, ["/signature"]),
        ({}, []),
        ("text", [""]),
        (None, [""]),
    ],
)
def test_each_member_of_a_foreign_bag_is_lost_at_its_place(dialect: str, bag: Any, places: list[str]) -> None:
    message = {"role": "user", "content": "Hi.", "extra": {"the/one": bag}}
    request: Any = {"model": "m", "max_tokens": 9, "messages": [message]}
    encoded = encode_canonical_request(request, dialect, strict=False, model=None, defaults=None, api_version=None)
    paths = [loss.path for loss in encoded.losses if "/extra/" in loss.path]
    assert paths == [f"/messages/0/extra/the~1one{place}" for place in places]
