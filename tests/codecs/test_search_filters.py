"""Perplexity's search: its domains beside the options, and the location without an object around it."""

from __future__ import annotations

import itertools
from typing import Any, Final, Literal

import pytest

import interlingua as il

ASKED: Final = [{"role": "user", "content": "Where?"}]
PLACE: Final = {"country": "US", "region": "California", "city": "San Francisco"}
LOCATIONS: Final[tuple[Any, ...]] = (
    None,
    {},
    PLACE,
    {**PLACE, "latitude": 37.77, "longitude": -122},
    {"latitude": 37.77},
    {"country": None, "city": "Paris"},
    {"type": "approximate", "approximate": PLACE},
    "Paris",
)
FILTERS: Final[tuple[Any, ...]] = (None, [], ["a.org"], ["-a.org", "-b.org"], ["a.org", "-b.org"], [3], "a.org")


def of_sonar(**members: Any) -> dict[str, Any]:
    return {"model": "sonar-pro", "messages": ASKED, **members}


def of_claude(**members: Any) -> dict[str, Any]:
    tool = {"type": "web_search_20250305", "name": "web_search", **members}
    return {"model": "claude-opus-5", "max_tokens": 9, "messages": ASKED, "tools": [tool]}


@pytest.mark.parametrize("dialect", ["openai_chat", "vllm"])
@pytest.mark.parametrize("names", [["domains"], ["options"], ["domains", "options"], ["options", "domains"]])
def test_they_come_back_within_the_dialect(dialect: Literal["openai_chat", "vllm"], names: list[str]) -> None:
    for location, domains in itertools.product(LOCATIONS, FILTERS):
        members = {
            "options": {"web_search_options": {"search_type": "pro", "user_location": location}},
            "domains": {"search_domain_filter": domains},
        }
        body = of_sonar(**{name: value for one in names for name, value in members[one].items()})
        encoded = il.encode_request(il.decode_request(body, dialect), dialect)
        assert (encoded.body, encoded.losses) == (body, ())


@pytest.mark.parametrize("options", [{}, {"web_search_options": {}}, {"web_search_options": None}])
@pytest.mark.parametrize(
    ("domains", "read"),
    [
        (["a.org", "b.org"], {"allowed_domains": ["a.org", "b.org"]}),
        (["-a.org", "-b.org"], {"blocked_domains": ["a.org", "b.org"]}),
    ],
)
def test_the_filter_is_the_domains_of_a_search_in_other_dialects(domains: Any, read: Any, options: Any) -> None:
    body = of_sonar(search_domain_filter=domains, **options)
    encoded = il.translate_request(body, "openai_chat", "claude", model="claude-opus-5")
    assert encoded.body["tools"] == [{"type": "web_search_20250305", "name": "web_search", **read}]
    assert not [loss for loss in encoded.losses if loss.severity == "lost"]


def test_a_filter_that_names_and_excludes_domains_is_lost() -> None:
    body = of_sonar(search_domain_filter=["a.org", "-b.org"])
    encoded = il.translate_request(body, "openai_chat", "claude", model="claude-opus-5")
    assert "tools" not in encoded.body
    assert [loss.detail for loss in encoded.losses if loss.severity == "lost"] == [
        "only its own dialect has this member: search_domain_filter"
    ]


def test_a_location_without_an_object_around_it_is_read() -> None:
    body = of_sonar(web_search_options={"user_location": {**PLACE, "latitude": 37.77}})
    encoded = il.translate_request(body, "openai_chat", "openai_responses", model="gpt-5.6")
    assert encoded.body["tools"] == [{"type": "web_search", "user_location": {"type": "approximate", **PLACE}}]
    assert [loss.path for loss in encoded.losses if loss.severity == "lost"] == ["/tools/0/extra/openai_chat"]


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"allowed_domains": ["a.org", "b.org"]}, ["a.org", "b.org"]),
        ({"blocked_domains": ["a.org", "b.org"]}, ["-a.org", "-b.org"]),
    ],
)
def test_sonar_gets_the_domains_and_the_location_of_a_search(given: Any, sent: Any) -> None:
    body = of_claude(**given, user_location={"type": "approximate", **PLACE})
    encoded = il.translate_request(body, "claude", "openai_chat", model="sonar-pro")
    assert encoded.body["search_domain_filter"] == sent
    assert encoded.body["web_search_options"] == {"user_location": PLACE}
    assert not [loss for loss in encoded.losses if loss.path.startswith("/tools")]


@pytest.mark.parametrize("model", ["perplexity/sonar-pro", "gpt-4o-search-preview"])
def test_others_get_a_search_in_the_form_of_openai(model: str) -> None:
    body = of_claude(allowed_domains=["a.org"], user_location={"type": "approximate", **PLACE})
    encoded = il.translate_request(body, "claude", "openai_chat", model=model)
    assert encoded.body["web_search_options"] == {"user_location": {"type": "approximate", "approximate": PLACE}}
    assert "search_domain_filter" not in encoded.body
    assert [loss.path for loss in encoded.losses if loss.severity == "lost"] == ["/tools/0/allowed_domains"]


def test_what_the_filter_cannot_say_is_reported() -> None:
    many = [f"{at}.org" for at in range(22)]
    location = {"type": "approximate", "country": "US", "timezone": "America/Los_Angeles"}
    body = of_claude(allowed_domains=many, blocked_domains=["b.org"], user_location=location)
    encoded = il.translate_request(body, "claude", "openai_chat", model="sonar")
    assert encoded.body["search_domain_filter"] == many[:20]
    assert sorted(loss.path for loss in encoded.losses if loss.severity == "lost") == [
        "/tools/0/allowed_domains/20",
        "/tools/0/allowed_domains/21",
        "/tools/0/blocked_domains",
        "/tools/0/user_location/timezone",
    ]
