"""What Claude refuses: the table of its rules.

Source: reference/wire/claude.md section 4; section 0 for what changed with 2026-10-21.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.ruling import judged
from interlingua.dialects.claude.rules_block import (
    assistant_documents,
    cache_places,
    cache_times,
    empty_texts,
    foreign_media,
    many_cache_marks,
    misplaced_blocks,
    misshapen_blocks,
    unsigned_thinking,
    user_citations,
)
from interlingua.dialects.claude.rules_conversation import (
    calls_and_results,
    ends_in_white_space,
    late_results,
    messages_and_roles,
    prefill_beside_thinking,
    refused_ids,
    repeated_ids,
    server_results,
    thinking_before_calls,
)
from interlingua.dialects.claude.rules_setting import (
    forced_choice,
    foreign_settings,
    limits,
    misshapen_settings,
    required_settings,
    sampling,
    thinking_budget,
)
from interlingua.dialects.claude.rules_tool import (
    choice_and_tools,
    circular_schemas,
    domains,
    loose_schemas,
    many_optional_members,
    many_strict_tools,
    tool_names,
    tool_references,
    tool_schemas,
)
from interlingua.dialects.claude.tables import DIALECT, NEWEST

if TYPE_CHECKING:
    from interlingua.dialects._shared.ruling import Rule
    from interlingua.violation import Violation

RULES: Final[tuple[Rule, ...]] = (
    required_settings,
    misshapen_settings,
    limits,
    foreign_settings,
    thinking_budget,
    forced_choice,
    messages_and_roles,
    calls_and_results,
    repeated_ids,
    late_results,
    refused_ids,
    server_results,
    ends_in_white_space,
    prefill_beside_thinking,
    thinking_before_calls,
    misshapen_blocks,
    misplaced_blocks,
    empty_texts,
    unsigned_thinking,
    foreign_media,
    many_cache_marks,
    cache_places,
    cache_times,
    tool_names,
    tool_schemas,
    loose_schemas,
    circular_schemas,
    many_optional_members,
    many_strict_tools,
    choice_and_tools,
    tool_references,
    domains,
)
# Rules that hold from one version of the API on.
NEWEST_RULES: Final[tuple[Rule, ...]] = (*RULES, sampling, assistant_documents, user_citations)


def check_request(body: Any, api_version: str | None = None) -> list[Violation]:
    """Return what Claude would refuse of the body of `POST /v1/messages`. Raises `DecodeError` for no object.

    `api_version` None means the rules that hold in every version.
    """
    return judged(body, DIALECT, NEWEST_RULES if api_version == NEWEST else RULES)
