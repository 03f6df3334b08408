"""Law 10 and 1 for every variant that the official SDKs declare, whether the corpus has it or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from support import corpus, inventory, inventory_streams
from support.places_responses import RESPONSES_ELSEWHERE
from support.places_streams import Around

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


# Frames that may be opaque, and why: MAPPING has no equivalent for what they tell. Each begins with one of these.
MAY_BE_OPAQUE_IN_STREAMS: Final[dict[str, dict[str, str]]] = {
    "openai_chat": {},
    "openai_responses": {
        "response.audio.": "row generated audio: only these events hold it",
        "response.code_interpreter_call": "row code execution: progress of a server tool",
        "response.compaction.": "row compaction: progress of the server",
        "response.file_search_call.": "row file search: progress of a server tool",
        "response.image_generation_call.": "row generated image: progress of a server tool",
        "response.mcp_": "row remote MCP: progress of a server tool",
        "response.shell_call_": "row shell / edit tools: progress of a server tool",
        "response.web_search_call.": "row web search: progress of a server tool",
    },
    "claude": {
        "ping": "row keep-alive / padding: it is empty",
        "beta:compaction_delta": "row compaction: sealed for its provider",
    },
    "gemini": {
        "executableCode": "row code execution: code of a language that is not said",
        "toolCall": "row web search: a server tool",
        "toolResponse": "row web search: a server tool",
    },
    "ollama": {},
    "vllm": {},
}


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", MAY_BE_OPAQUE)
def test_every_variant_round_trips(dialect: str) -> None:
    lost = [variant.label for variant in inventory.variants(dialect) if inventory.fate(variant) == "unknown"]
    assert lost == []


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", MAY_BE_OPAQUE)
def test_every_stream_variant_round_trips_frame_by_frame(dialect: str) -> None:
    tried = [*inventory_streams.variants(dialect)]
    assert [variant.label for variant in tried if inventory_streams.fate(variant) == "unknown"] == []
    assert all(variant.made for variant in tried)


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", MAY_BE_OPAQUE)
def test_the_treatment_of_every_variant_matches_the_table(dialect: str) -> None:
    found = {
        variant.label: {"as": inventory.fate(variant), "extra": inventory.only_in_extra(variant)}
        for variant in inventory.variants(dialect)
    } | {
        variant.label: {"as": inventory_streams.fate(variant), "extra": inventory_streams.only_in_extra(variant)}
        for variant in inventory_streams.variants(dialect)
    }
    assert found == COMMITTED[dialect]


@pytest.mark.parametrize("dialect", MAY_BE_OPAQUE)
def test_only_variants_without_an_equivalent_are_opaque(dialect: str) -> None:
    opaque = {label.partition("/")[0] for label, variant in COMMITTED[dialect].items() if variant["as"] == "opaque"}
    assert opaque - set(inventory_streams.CATEGORIES) <= MAY_BE_OPAQUE[dialect]


@pytest.mark.parametrize("dialect", MAY_BE_OPAQUE)
def test_only_frames_without_an_equivalent_are_opaque(dialect: str) -> None:
    opaque = [
        label.partition("/")[2]
        for label, variant in COMMITTED[dialect].items()
        if variant["as"] == "opaque" and label.startswith(inventory_streams.CATEGORIES)
    ]
    excused = MAY_BE_OPAQUE_IN_STREAMS[dialect]
    assert [name for name in opaque if not name.startswith(tuple(excused))] == []
    assert [beginning for beginning in excused if not any(name.startswith(beginning) for name in opaque)] == []


@pytest.mark.parametrize("dialect", MAY_BE_OPAQUE)
def test_the_table_has_no_unknown_entries(dialect: str) -> None:
    assert {variant["as"] for variant in COMMITTED[dialect].values()} <= {"mapped", "opaque", "extra"}


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", MAY_BE_OPAQUE)
def test_no_category_is_missing(dialect: str) -> None:
    categories = {category for category, variants in inventory.inventory()[dialect].items() if variants}
    tried = {variant.category for variant in inventory.variants(dialect)}
    tried |= {variant.category for variant in inventory_streams.variants(dialect)}
    assert categories - tried == ELSEWHERE.get(dialect, set[str]())
    assert corpus.root() is not None


def test_a_variant_that_a_room_drops_is_detected() -> None:
    # A test of the test: a body that the room refuses.
    wrong = inventory.Variant("claude", "tools", "custom", "request", ("no tool",), lambda _, made: {"tools": [made]})
    assert inventory.fate(wrong) == "unknown"


def test_a_frame_that_a_room_drops_is_detected() -> None:
    # A test of the test: a frame that the room refuses.
    wrong = inventory_streams.Streamed("claude", "stream_events", "x", (7,), lambda _, made: Around([], made, []))
    assert inventory_streams.fate(wrong) == "unknown"
