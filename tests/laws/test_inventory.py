"""Law 10 and 1 for every variant that the official SDKs declare, whether the corpus has it or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from support import corpus, inventory
from support.places_responses import RESPONSES_ELSEWHERE
from support.rooms import ROWS

pytestmark = [pytest.mark.laws]
READS_INVENTORY = True  # left out with a notice where there is none (conftest.py)

# Written by `python tools/inventory.py --write`, and read by people: what is `opaque` here has no equivalent, it says.
COMMITTED: Final[dict[str, dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "inventory.json").read_text(encoding="utf-8")
)
# Categories whose variants may be opaque: server tools with their results, tools with a grammar, and what only one
# server computes with (embeddings).
MAY_BE_OPAQUE: Final = {
    "openai_chat": {"tools", "custom_tool_format"},
    "openai_responses": {"input_items", "output_items", "tools"},
    "claude": {
        "input_content_parts", "output_content_parts", "server_tool_result_content", "tool_result_content", "tools",
    },
    "gemini": {"input_content_parts", "output_content_parts", "tools"},
    "ollama": set[str](),
    "vllm": {"input_content_parts"},
}  # fmt: skip
# What a server has at another address, where the room claude speaks it, and what goes over a socket.
ELSEWHERE: Final = {"vllm": {"anthropic_endpoint"}, "openai_responses": RESPONSES_ELSEWHERE}


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", ROWS)
def test_every_variant_is_carried_home_unchanged(dialect: str) -> None:
    lost = [variant.label for variant in inventory.variants(dialect) if inventory.fate(variant) == "unknown"]
    assert lost == []


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", ROWS)
def test_what_becomes_of_every_variant_is_what_the_table_says(dialect: str) -> None:
    found = {
        variant.label: {"as": inventory.fate(variant), "extra": inventory.kept_aside(variant)}
        for variant in inventory.variants(dialect)
    }
    assert found == COMMITTED[dialect]


@pytest.mark.parametrize("dialect", ROWS)
def test_only_what_has_no_equivalent_is_opaque(dialect: str) -> None:
    opaque = {label.partition("/")[0] for label, variant in COMMITTED[dialect].items() if variant["as"] == "opaque"}
    assert opaque <= MAY_BE_OPAQUE[dialect]


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", ROWS)
def test_no_category_of_requests_and_responses_is_left_out(dialect: str) -> None:
    categories = {category for category, variants in inventory.inventory()[dialect].items() if variants}
    tried = {variant.category for variant in inventory.variants(dialect)}
    streamed = {"stream_events", "stream_deltas"}
    assert categories - tried - streamed == ELSEWHERE.get(dialect, set[str]())
    assert corpus.root() is not None


def test_a_variant_that_a_room_does_not_carry_is_found_out() -> None:
    # A test of the test: a body that the room refuses.
    wrong = inventory.Variant("claude", "tools", "custom", "request", ("no tool",), lambda _, made: {"tools": [made]})
    assert inventory.fate(wrong) == "unknown"
