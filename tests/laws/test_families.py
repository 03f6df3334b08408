"""Law 12, as far as models go: what is translated for a model is what that model takes, and asks it for the same."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il
from interlingua.registry import room
from interlingua.spi.families import found as found_family
from support import corpus
from support.rooms import PAIRS, ROWS

pytestmark = [pytest.mark.laws, pytest.mark.corpus]

ANSWERED: Final = 200


def requests(dialect: str, size: int) -> list[tuple[str, Any]]:
    """Return id and body of recorded requests that the provider answered."""
    lines = corpus.sample(ROWS[dialect].folder, "request", size)
    return [(line["id"], line["body"]) for line in lines if line.get("response_status") == ANSWERED]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_translation_for_a_model_violates_none_of_its_rules(source: str, target: str) -> None:
    found: dict[tuple[str, str], Any] = {}
    # What nobody can write around: models that another dialect serves, and those that want a sound.
    able = [family for family in room(target).FAMILIES if family.facts.get("served", True)]
    families = [family for family in able if not family.facts.get("needs_sound")]
    for identifier, body in requests(source, 6):
        for family in families:
            profile = family.name if target == "gemini" or family.pattern == "(?!)" else "auto"
            encoded = il.translate_request(body, source, target, model=family.example, profile=profile)
            without = il.check_request(encoded.body, target, profile=None)
            wrong = [one for one in il.check_request(encoded.body, target, profile=profile) if one not in without]
            paths = [loss.path for loss in encoded.losses]
            if wrong or len(paths) != len({*paths}):
                found[identifier, family.name] = wrong or "a path is told twice"
    assert found == {}


@pytest.mark.parametrize("dialect", ROWS)
def test_a_request_fitted_to_a_model_violates_none_of_its_rules(dialect: str) -> None:
    found: dict[tuple[str, str], Any] = {}
    able = [family for family in room(dialect).FAMILIES if family.facts.get("served", True)]
    families = [family for family in able if not family.facts.get("needs_sound")]
    for identifier, body in requests(dialect, 20):
        for family in families:
            profile = family.name if family.pattern == "(?!)" else "auto"
            fitted = il.exchange(body, dialect, dialect, model=family.example, profile=profile, fit=True)
            without = il.check_request(fitted.body, dialect, profile=None)
            wrong = [one for one in il.check_request(fitted.body, dialect, profile=profile) if one not in without]
            paths = [loss.path for loss in fitted.losses]
            if wrong or len(paths) != len({*paths}):
                found[identifier, family.name] = wrong or "a path is told twice"
    assert found == {}


@pytest.mark.parametrize("dialect", ROWS)
def test_no_family_rule_refuses_what_its_provider_accepted(dialect: str) -> None:
    found = {}
    for folder in (ROWS[dialect].folder, *ROWS[dialect].compatible):
        for line in corpus.lines(folder, "request"):
            if line.get("response_status") != ANSWERED or type(line["body"]) is not dict:
                continue
            profile: str | None = "auto"
            if dialect == "gemini":  # the address names the model
                family = found_family(room(dialect).FAMILIES, line.get("model") or "")
                profile = None if family is None else family.name
            without = il.check_request(line["body"], dialect, profile=None)
            wrong = [one for one in il.check_request(line["body"], dialect, profile=profile) if one not in without]
            if wrong:
                found[line["id"]] = wrong
    assert found == {}


def thinks(reasoning: Any) -> bool | None:
    """Return whether settings of reasoning ask for thinking; None for neither."""
    if not reasoning:
        return None
    if reasoning.get("mode") == "disabled" or reasoning.get("effort") == "none" or reasoning.get("budget_tokens") == 0:
        return False
    return True if {"mode", "effort", "budget_tokens"} & reasoning.keys() else None


# Dialects that have no place of their own for it: each model has other members, and the whole wish is told as lost.
PLACELESS: Final = frozenset({"bedrock_converse"})


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_thinking_request_stays_one_in_other_dialects(source: str, target: str) -> None:
    found = {}
    for folder in (ROWS[source].folder, *ROWS[source].compatible):
        for line in corpus.lines(folder, "request"):
            if line["id"] in ROWS[source].unreadable:
                continue
            before = thinks(room(source).decode_request(line["body"]).get("reasoning"))
            encoded = il.translate_request(line["body"], source, target, profile=None)
            after = thinks(room(target).decode_request(encoded.body).get("reasoning"))
            lost = {loss.path for loss in encoded.losses if loss.severity == "lost"}
            asks = {f"/reasoning/{name}" for name in ("mode", "effort", "budget_tokens")}
            if target in PLACELESS:
                asks = {"/reasoning"}
            if before is not None and after is not before and not lost & asks:
                found[line["id"]] = (before, after)
    assert found == {}
