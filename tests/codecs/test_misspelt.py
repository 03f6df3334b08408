"""A misspelt member of a request: refused by some providers, passed over by others, and told of each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.registry import room
from support import corpus
from support.rooms import ROWS

if TYPE_CHECKING:
    from interlingua.spi.members import Members
    from support.rooms import Row

WIRE: Final = Path(__file__).parents[2] / "docs" / "wire"
# The page of a dialect that tells only how it differs from another one.
PAGES: Final = {"vllm": ("vllm", "openai_chat")}
DIALECTS: Final = il.dialects()
PLACES: Final = [(dialect, place) for dialect in DIALECTS for place in room(dialect).MEMBERS.known]


def members(dialect: str) -> Members:
    found: Members = room(dialect).MEMBERS
    return found


def holding(place: str, value: Any) -> Any:
    """Return a request that holds a value at a place."""
    for name in reversed(place.split("/") if place else []):
        value = [value] if name == "*" else {name: value}
    return value


@pytest.mark.parametrize(("dialect", "place"), PLACES)
def test_a_name_with_a_doubled_letter_is_found_at_every_known_place(dialect: il.Dialect, place: str) -> None:
    longest = max(members(dialect).known[place], key=len)
    path = "".join(f"/{'0' if name == '*' else name}" for name in place.split("/")) if place else ""
    wrong = longest + longest[-1]
    (found,) = il.find_misspelt(holding(place, {wrong: 1}), dialect)
    assert (found.path, found.is_refused) == (f"{path}/{wrong}", members(dialect).refuses_others)
    assert longest.replace("_", "").casefold() in {one.replace("_", "").casefold() for one in found.meant}
    assert il.find_misspelt(holding(place, {longest: 1}), dialect) == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_misspelt_member_is_a_violation_only_if_the_provider_refuses_unknown_members(
    dialect: il.Dialect,
) -> None:
    longest = max(members(dialect).known[""], key=len)
    found = il.check_request({longest + longest[-1]: 1}, dialect)
    told = [one for one in found if (one.code, one.path) == ("member", f"/{longest}{longest[-1]}")]
    assert len(told) == members(dialect).refuses_others


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ["provider", "$schema", "x", "", "a" * 200, "reasoning_format"])
def test_an_unknown_member_unlike_any_known_one_is_not_reported(dialect: il.Dialect, name: str) -> None:
    assert il.find_misspelt({name: 1}, dialect) == []


def test_values_that_are_not_objects_are_not_searched() -> None:
    assert il.find_misspelt({"messages": {"0": {"rol": 1}}, "tools": [None, 1], "options": []}, "ollama") == []
    with pytest.raises(il.DecodeError):
        il.find_misspelt([], "ollama")  # type: ignore[arg-type]  # what is wrong is the point


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_known_member_is_on_the_page_of_its_dialect(dialect: str) -> None:
    page = "".join((WIRE / f"{name}.md").read_text(encoding="utf-8") for name in PAGES.get(dialect, (dialect,)))
    known = {name for names in members(dialect).known.values() for name in names}
    written = {name for name in known if name in page or name.replace("_", "") in page.casefold()}
    assert known - written == set()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_setting_that_a_room_reads_is_a_known_member(dialect: str) -> None:
    tables = __import__(f"interlingua.rooms.{dialect}.tables", fromlist=["SETTINGS"])
    known = {name for names in members(dialect).known.values() for name in names}
    read = {path.rsplit(".", 1)[-1] for path in getattr(tables, "SETTINGS", {})}
    assert read - known == set()


@pytest.mark.corpus
@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_no_recorded_request_has_a_misspelt_member(row: Row) -> None:
    found = {}
    for folder in (row.folder, *row.compatible):
        for line in corpus.lines(folder, "request"):
            if type(line["body"]) is dict and (wrong := il.find_misspelt(line["body"], row.dialect)):
                found[line["id"]] = wrong
    assert found == {}
