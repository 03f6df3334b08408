"""Bad input of every kind causes one message that says what to do; docs/bad_input.md is generated from the messages."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import pytest

import docs_bad_input
from support.bad_input import CASES, SAID, Answer

# The message and, after a semicolon or as a separate sentence, what to do.
ADVICE: Final = re.compile(r"; .+|\? |[Dd]id you mean|known are")


@cache
def answers() -> dict[str, Answer]:
    return docs_bad_input.answers()


@pytest.mark.parametrize("name", CASES)
def test_bad_input_produces_one_message_that_says_what_to_do(name: str) -> None:
    answer = answers()[name]
    if CASES[name].is_taken:
        assert (answer.code, answer.lines) == (0, ())
        return
    assert answer.code in {1, 2, 3}
    assert len(answer.lines) == 1
    assert ADVICE.search(answer.lines[0])
    assert SAID not in answer.lines[0]
    assert "Traceback" not in answer.lines[0]
    assert "internal error" not in answer.lines[0]


def test_valid_input_next_to_bad_input_is_processed() -> None:
    assert answers()["one invalid line of many"].bodies == 2
    assert answers()["a missing file and an existing one"].bodies == 1


def test_the_page_shows_the_messages() -> None:
    assert docs_bad_input.PAGE.read_text(encoding="utf-8") == docs_bad_input.page(answers())
