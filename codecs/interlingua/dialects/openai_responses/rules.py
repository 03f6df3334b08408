"""What OpenAI Responses refuses: the table of its rules.

Source: reference/wire/openai_responses.md sections 1 and 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.ruling import judged, metadata
from interlingua.dialects.openai_responses.rules_item import (
    arguments,
    calls_and_results,
    foreign_media,
    ids,
    item_ids,
    large_values,
    late_triggers,
    lone_reasoning,
    misplaced_parts,
    misshapen_items,
    repeated_ids,
    roles,
)
from interlingua.dialects.openai_responses.rules_setting import (
    choice_of_a_stranger,
    foreign_settings,
    json_without_the_word,
    limits,
    misshapen_settings,
    misshapen_tools,
    names,
    strict_schemas,
    two_memories,
)
from interlingua.dialects.openai_responses.tables import DIALECT

if TYPE_CHECKING:
    from interlingua.dialects._shared.ruling import Rule
    from interlingua.violation import Violation

RULES: Final[tuple[Rule, ...]] = (
    misshapen_settings,
    limits,
    metadata,
    two_memories,
    foreign_settings,
    json_without_the_word,
    misshapen_items,
    roles,
    misplaced_parts,
    foreign_media,
    large_values,
    arguments,
    calls_and_results,
    lone_reasoning,
    ids,
    item_ids,
    repeated_ids,
    late_triggers,
    names,
    misshapen_tools,
    choice_of_a_stranger,
    strict_schemas,
)


def check_request(body: Any, api_version: str | None = None) -> list[Violation]:
    """Return what OpenAI would refuse of the body of `POST /v1/responses`. Raises `DecodeError` for no object."""
    del api_version  # the dialect has one version
    return judged(body, DIALECT, RULES)
