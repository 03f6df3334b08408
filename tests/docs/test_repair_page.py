"""The page about repair says what the table of demands and the list of codes say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from interlingua.chat import REPAIR_CODES
from interlingua.chat.repair_calls import UNANSWERED
from interlingua.chat.repair_order import OPENING
from interlingua.registry import descriptors
from interlingua.rooms._shared.writing import EMPTY_RESULT

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlingua.spi.demands import Demands, Limit

DEMANDS: Final = {one.dialect: one.demands for one in descriptors()}
PAGE: Final = (Path(__file__).parents[2] / "docs" / "repair.md").read_text(encoding="utf-8")
ROWS: Final = [
    tuple(cell.strip() for cell in line.strip("| ").split(" | ")) for line in PAGE.splitlines() if "|" in line
]
RESULTS: Final = {
    "unpaired": "anywhere, with calls or without",
    "anywhere": "anywhere after their calls",
    "after_turn": "directly after the turn of their calls",
    "after_message": "directly after the message of their calls",
}
DISTINCT: Final = {"nowhere": "", "turn": ", no two of a turn the same", "conversation": ", no two the same"}
TEXTS: Final = {"any": "any", "filled": "not empty, but for a signed one", "spoken": "more than white space"}
# For which dialects a repair is, by what they demand.
APPLIES: Final[dict[str, Callable[[Demands], bool]]] = {
    "unanswered_call": lambda demands: demands.results != "unpaired",
    "orphan_result": lambda demands: demands.results != "unpaired",
    "duplicate_result": lambda demands: demands.results != "unpaired" and not demands.several_results,
    "misplaced_result": lambda demands: demands.results != "unpaired",
    "misplaced_instruction": lambda demands: demands.placed_instructions,
    "split_results": lambda demands: demands.one_wire_message,
    "missing_id": lambda demands: demands.tied_by_id,
    "missing_name": lambda demands: demands.named_results == "demanded",
    "duplicate_id": lambda demands: demands.tied_by_id,
    "id": lambda demands: demands.ids is not None,
    "name": lambda demands: demands.names is not None or demands.speakers is not None,
    "empty_result": lambda demands: demands.failed_results,
    "empty_text": lambda demands: demands.texts != "any",
    "empty_message": lambda demands: demands.texts != "any" or demands.lists,
    "trailing_space": lambda demands: demands.trimmed_end,
    "unsigned_reasoning": lambda demands: demands.signed,
    "reasoning_setting": lambda demands: demands.signed,
    "orphan_reasoning": lambda demands: demands.followed_reasoning,
    "split_turn": lambda demands: demands.user_before_calls,
    "first_message": lambda demands: demands.user_before_calls or demands.user_first,
}


def limit(named: Limit | None) -> str:
    """Return a limit of names in words."""
    if named is None:
        return "any"
    length = "" if named.length is None else f", at most {named.length}"
    if named.any_character:
        return f"any characters{length}"
    also = "".join(f" `{character}`" for character in named.also)
    return f"letters, digits, `_` `-`{also}{length}{', first a letter or `_`' if named.leads else ''}"


def demanded(dialect: str, demands: Demands) -> tuple[str, ...]:
    """Return the row of a dialect."""
    ids = limit(demands.ids) + DISTINCT[demands.distinct_ids]
    results = RESULTS[demands.results] + (", also several" if demands.several_results else "")
    return (dialect, results, ids, limit(demands.names), TEXTS[demands.texts])


def test_each_code_has_one_row_with_its_dialects() -> None:
    found = {row[0].strip("`"): row[-1] for row in ROWS if len(row) == 4 and row[0].startswith("`")}
    assert found.keys() == REPAIR_CODES
    for code, named in found.items():
        applies = APPLIES.get(code)
        expected = "all" if applies is None else ", ".join(name for name, row in DEMANDS.items() if applies(row))
        assert named == expected, code


def test_the_row_of_each_dialect_matches_its_requirements() -> None:
    found = {row[0]: row for row in ROWS if len(row) == 5 and row[0] in DEMANDS}
    assert found == {dialect: demanded(dialect, demands) for dialect, demands in DEMANDS.items()}


def test_inserted_texts_match_the_page() -> None:
    assert [text for text in re.findall(r"`([^`]+[.)])`", PAGE) if " " in text and not text.startswith("{")] == [
        UNANSWERED,
        EMPTY_RESULT,
        OPENING,
    ]
