"""`interlingua explain`: what a code means, and what to do."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest

import interlingua as il
from interlingua.chat import REPAIR_CODES
from interlingua.cli.explain import KINDS
from interlingua.concerns import CONCERNS, RULES
from interlingua.loss_types import Concern, LossCode, Severity
from interlingua.violation import MESSAGE_CODES, VIOLATION_CODES
from support.program import run

LISTS: Mapping[str, frozenset[str]] = {
    "loss": frozenset(get_args(LossCode)),
    "violation": VIOLATION_CODES,
    "repair": REPAIR_CODES,
    "message": MESSAGE_CODES,
    "severity": frozenset(get_args(Severity)),
    "concern": frozenset(get_args(Concern)),
}
SOURCES = Path(str(il.__file__)).parent
MEANING = re.compile(r'^    "(\w+)",  # (.+)$', re.MULTILINE)


def test_every_code_of_every_list_is_explained() -> None:
    assert {kind: frozenset(table) for kind, table in KINDS.items()} == LISTS
    codes = sorted(frozenset[str]().union(*LISTS.values()))
    done = run("explain", "--json", *codes)
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert (done.code, done.err) == (0, "")
    assert sorted((one["kind"], one["code"]) for one in lines) == sorted(
        (kind, code) for kind, table in LISTS.items() for code in table
    )
    assert all(one["means"] and one["advice"] and one["means"] != one["advice"] for one in lines)


def test_the_explanation_of_a_code_equals_the_text_beside_its_list() -> None:
    violations, _, messages = (SOURCES / "violation.py").read_text(encoding="utf-8").partition("MessageCode = ")
    losses = (SOURCES / "loss_types.py").read_text(encoding="utf-8")
    repairs = (SOURCES / "chat" / "repair_log.py").read_text(encoding="utf-8")
    said = {kind: {code: one.means for code, one in table.items()} for kind, table in KINDS.items()}
    assert said["loss"] == dict(MEANING.findall(losses))
    assert said["repair"] == dict(MEANING.findall(repairs))
    assert said["violation"] == dict(MEANING.findall(violations))
    assert said["message"] == dict(MEANING.findall(messages))


def test_the_explanation_of_a_loss_says_who_is_affected() -> None:
    (line,) = run("explain", "--json", "part").out.splitlines()[:1]
    touched = {rule.concern for rule in RULES if rule.code == "part"}
    assert json.loads(line)["concerns"] == [one for one in CONCERNS if one in touched]


def test_a_code_that_occurs_in_several_lists_is_explained_for_each() -> None:
    out = run("explain", "role").out.decode()
    assert [line for line in out.splitlines() if not line.startswith(" ")] == [
        "role: a loss in a translation",
        "role: what a provider would refuse in a request",
        "role: what is wrong with a stored message",
    ]


@pytest.mark.parametrize(
    ("code", "hint"), [("dangling_cal", "did you mean 'dangling_call'"), ("Lost", "did you mean 'lost'"), ("", "known")]
)
def test_an_unknown_code_suggests_the_nearest_known_one(code: str, hint: str) -> None:
    done = run("explain", "part", code)
    assert (done.code, done.out) == (2, b"")
    assert hint in " ".join(done.err.split())
