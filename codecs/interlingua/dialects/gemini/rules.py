"""What Gemini refuses: the table of its rules.

Source: reference/wire/gemini.md section 4, and the limits of section 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.ruling import judged
from interlingua.dialects.gemini.rules_contents import (
    call_turns,
    calls_and_results,
    contents_and_roles,
    crowded_parts,
    echoed_ids,
    empty_parts,
    empty_texts,
    misshapen_parts,
    output_members,
    results_first,
    unsigned_calls,
)
from interlingua.dialects.gemini.rules_setting import (
    allowed_names,
    declarations,
    foreign_keywords,
    limits,
    many_stops,
    misshapen_settings,
    names,
    schemas_of_text,
    two_parameters,
)
from interlingua.dialects.gemini.tables import DIALECT

if TYPE_CHECKING:
    from interlingua.dialects._shared.ruling import Rule
    from interlingua.violation import Violation

RULES: Final[tuple[Rule, ...]] = (
    misshapen_settings,
    limits,
    many_stops,
    schemas_of_text,
    contents_and_roles,
    misshapen_parts,
    empty_parts,
    crowded_parts,
    empty_texts,
    output_members,
    calls_and_results,
    echoed_ids,
    results_first,
    call_turns,
    unsigned_calls,
    declarations,
    names,
    two_parameters,
    foreign_keywords,
    allowed_names,
)


def check_request(body: Any, api_version: str | None = None) -> list[Violation]:
    """Return what Gemini would refuse of the body of `generateContent`. Raises `DecodeError` for no object."""
    del api_version  # the dialect has one version
    return judged(body, DIALECT, RULES)
