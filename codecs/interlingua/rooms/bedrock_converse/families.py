"""The model families behind Bedrock Converse: Claude's, and what is known of others.

What Claude's models take stands in one table, wherever they are served; here is what of it a call of Converse can say.
Data only. Source: docs/wire/bedrock_converse.md, sections 1.3 and 1.5; docs/families.md.
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


# Models that read texts alone.
_TEXTS: Final[Mapping[str, Any]] = {"image_input": False, "video_input": False, "audio_input": False}
_CALLS_NOTHING: Final[Mapping[str, Any]] = {"function_tools": "refuse"}
# A model may be offered tools and not be made to call one.
_CHOOSES: Final[Mapping[str, Any]] = {"forced_tool_choice": "refuse"}
# In a turn of results nothing else may stand, nor in one of calls.
_UNMIXED: Final[Mapping[str, Any]] = {"mixed_turns": "refuse"}
# The schema of a tool has few members at its top.
_NOVA: Final[Mapping[str, Any]] = {"tool_schemas": "plain"}

_OTHERS: Final = (
    Family(
        "titan text",
        r"titan-t(?:ext|g1)",
        "amazon.titan-text-premier-v1:0",
        {**_TEXTS, **_CALLS_NOTHING, "system_instruction": "refuse"},
        "BT Isy",
    ),
    Family("nova micro", r"nova-micro", "amazon.nova-micro-v1:0", {**_NOVA, **_TEXTS}, "recorded Inv"),
    Family("nova (lite, pro, premier, 2)", r"(?:^|[.:/])nova-", "amazon.nova-lite-v1:0", _NOVA, "recorded Inv"),
    Family(
        "mistral 7b, mixtral 8x7b",
        r"mistral-7b|mixtral-8x7b",
        "mistral.mistral-7b-instruct-v0:2",
        {**_TEXTS, **_CALLS_NOTHING, "system_instruction": "refuse"},
        "BT Isy",
    ),
    Family(
        "mistral large and small of 2024",
        r"mistral-(?:large|small)-24",
        "mistral.mistral-large-2407-v1:0",
        {**_TEXTS, **_UNMIXED, "forced_tool_choice": "any"},
        "BT LA Ibr Ibc",
    ),
    Family(
        "llama 3 (8b, 70b), 3.2 (1b, 3b)",
        r"llama3-(?:8b|70b|2-[13]b)",
        "meta.llama3-70b-instruct-v1:0",
        {**_TEXTS, **_CALLS_NOTHING, "assistant_prefill": "refuse"},
        "recorded BT LA Il2 Ilp",
    ),
    Family(
        "llama 3.1, 3.3",
        r"llama3-[13]-",
        "meta.llama3-3-70b-instruct-v1:0",
        {**_TEXTS, **_CHOOSES, **_UNMIXED, "assistant_prefill": "refuse"},
        "BT LA Ibr Ibc Ilp",
    ),
    Family(
        "llama 3.2 (11b, 90b), llama 4",
        r"llama(?:3-2|4)-",
        "meta.llama4-scout-17b-instruct-v1:0",
        {**_CHOOSES, **_UNMIXED, "video_input": False, "audio_input": False, "assistant_prefill": "refuse"},
        "BT LA Ibc Ilp",
    ),
    Family("deepseek r1", r"deepseek\.r1", "deepseek.r1-v1:0", {**_TEXTS, **_CALLS_NOTHING}, "BT Idt"),
    Family("command r", r"command-r", "cohere.command-r-plus-v1:0", {**_TEXTS, **_CHOOSES}, "BT LA"),
    Family("jamba instruct", r"jamba-instruct", "ai21.jamba-instruct-v1:0", {**_TEXTS, **_CALLS_NOTHING}, "BT"),
    Family("jamba 1.5", r"jamba-1-5", "ai21.jamba-1-5-large-v1:0", {**_TEXTS, **_CHOOSES}, "BT LA"),
)

FAMILIES: Final[tuple[Family, ...]] = (
    *(family._replace(example=f"anthropic.{family.example}-v1:0", facts=_facts(family.facts)) for family in CLAUDE),
    *_OTHERS,
    Family("any other name", r"(?!)", "qwen.qwen3-32b-v1:0", {}, "VA", newest=True),
)
