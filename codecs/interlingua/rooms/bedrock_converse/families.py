"""The model families behind Bedrock Converse whose ways of thinking are known: Claude's.

What the models take stands in one table, wherever they are served; here is what of it a call of Converse can say. Data
only. Source: docs/wire/bedrock_converse.md, section 1.5; docs/families.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.claude_families import CLAUDE
from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

_SAID: Final = (
    "thinking", "thinks_unasked", "efforts", "effort_unthinking", "forced_tool_choice", "temperature", "top_p", "top_k",
    "assistant_prefill", "structured_output", "pdf_input", "max_output_tokens",
)  # fmt: skip
# What all of Claude's models refuse, and others may take that Converse serves.
_EVERY: Final[Mapping[str, Any]] = {
    "audio_input": False, "video_input": False, "blank_stops": "refuse", "call_ids": "letters",
    "space_at_end": "refuse",
}  # fmt: skip


def _facts(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what Converse can say; beside a budget an effort wants a mark of a beta."""
    said = {**_EVERY, **{name: facts[name] for name in _SAID if name in facts}}
    return said if "adaptive" in facts["thinking"] else {**said, "efforts": ()}


FAMILIES: Final[tuple[Family, ...]] = (
    *(family._replace(example=f"anthropic.{family.example}-v1:0", facts=_facts(family.facts)) for family in CLAUDE),
    Family("any other name", r"(?!)", "amazon.nova-pro-v1:0", {}, "VA", newest=True),
)
