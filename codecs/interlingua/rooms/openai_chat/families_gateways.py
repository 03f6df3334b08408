"""The families of Claude's, Gemini's and other models as gateways serve them through Chat Completions.

Data only; these rows stand behind those of families_hosted.py, and what families.py says holds here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.claude_families import CLAUDE
from interlingua.rooms._shared.thinking import BUDGETS
from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

# Some hosts refuse settings that only OpenAI has.
NOT_OF_OPENAI: Final[Mapping[str, Any]] = {
    "openai_settings": "refuse_by_some_hosts", "cache_breakpoints": "refuse_by_some_hosts"
}  # fmt: skip
# Google's own endpoint and several gateways pass schemas on to Gemini, which does not follow references everywhere. Of
# several system messages, that endpoint reads the last one alone.
_OF_GEMINI: Final[Mapping[str, Any]] = {
    **NOT_OF_OPENAI, "schema_references": "refuse", "custom_tools": "refuse_by_some_hosts", "instructions": "first",
    "reasoning_in_history": "refuse",
}  # fmt: skip
# Thinking cannot be disabled.
_ALWAYS_THINKS: Final[Mapping[str, Any]] = {"efforts": ("low", "medium", "high")}
# Model names on hosts without web search, which may refuse the setting, and without PDF files: Hugging Face names,
# Fireworks, Groq. Other names of Groq's are known by a fact of their rows, `open_gateway`.
CLOSED_HOSTS: Final = re.compile(r"/[^/]*[A-Z]|(?:^|/)accounts/|^groq/")
# Of Claude's families: what its models refuse on any host.
_REFUSED_ANYWHERE: Final = (
    "temperature", "top_p", "assistant_prefill", "forced_tool_choice", "max_output_tokens",
)  # fmt: skip
_BESIDE_A_BUDGET: Final = "refuse_if_extended_thinking"
# Gateways pass on Claude's own cache marks; LiteLLM passes on none of OpenAI's, and refuses what Claude does not have.
_OF_CLAUDE: Final[Mapping[str, Any]] = {
    **NOT_OF_OPENAI, "audio_input": False, "cache_breakpoints": "of_claude", "service_tiers": (),
    "efforts": ("none", *BUDGETS),
    **dict.fromkeys(
        ("developer_role", "custom_tools", "seed", "n", "logprobs", "penalties"), "refuse_by_some_hosts"
    ),
}  # fmt: skip


def _through_a_gateway(family: Family) -> Family:
    """Return what Chat Completions can express of a Claude family."""
    refused = {name: family.facts[name] for name in _REFUSED_ANYWHERE if name in family.facts}
    facts = {**_OF_CLAUDE, **{name: word for name, word in refused.items() if word != _BESIDE_A_BUDGET}}
    kinds = family.facts.get("thinking", ())
    if not {"adaptive", "enabled"} & {*kinds}:
        facts["thinking"] = "none"
    elif "adaptive" not in kinds:  # an effort is passed on as a budget
        facts |= {"calls_after_thinking": True, "forced_tool_choice": "refuse_if_thinking"}
    return family._replace(name=f"{family.name}, through a gateway", facts=facts, sources=f"{family.sources} Iord Ilc")


def _as_openrouter_names(family: Family) -> Family:
    """Return the same for OpenRouter, which writes versions with a dot, and takes back what Claude signed."""
    row = _through_a_gateway(family)
    version = re.sub(r"-(?:[0-9]{8})$", "", family.example)
    return row._replace(
        name=", ".join(f"anthropic/{name}" for name in family.name.split(", ")) + ", as OpenRouter names it",
        pattern=rf"(?=^~?anthropic/claude-(?!.*\d-\d)).*?{family.pattern}",
        example="anthropic/" + re.sub(r"([0-9])-([0-9])", r"\1.\2", version),
        facts={**row.facts, "reasoning_details": "claude"},
        sources=f"{row.sources} Dord",
    )


GATEWAYS: Final[tuple[Family, ...]] = (
    *(_as_openrouter_names(family) for family in CLAUDE),
    *(_through_a_gateway(family) for family in CLAUDE),
    Family("gemini-3 and newer, as OpenRouter names it",
        r"^~?google/gemini-(?:[3-9]|[1-9][0-9]|[a-z-]+-latest)", "google/gemini-3.5-flash",
        {**_OF_GEMINI, **_ALWAYS_THINKS, "signed_calls": True, "reasoning_details": "gemini",
         "video_input": "by_address"},
        "recorded LL PO Igo Igs Igu Dord Ige Igd Dov Ils"),
    Family("gemini-3 and newer, through an OpenAI-compatible gateway",
        r"(?<![a-z0-9])gemini-(?:[3-9]|[1-9][0-9]|[a-z-]+-latest)", "gemini-3.5-flash",
        {**_OF_GEMINI, **_ALWAYS_THINKS, "signed_calls": True}, "LL PO Igo Igs Igu Ige Igd Ils"),
    Family("gemini-2.5-pro, through an OpenAI-compatible gateway",
        r"(?<![a-z0-9])gemini-2[.-]5-pro", "google/gemini-2.5-pro",
        {**_OF_GEMINI, **_ALWAYS_THINKS}, "LL PO Igo Igu Ige Igd Ils"),
    Family("gemini-2.5, through an OpenAI-compatible gateway",
        r"(?<![a-z0-9])gemini-2[.-]5-(?!.*image)", "google/gemini-2.5-flash",
        {**_OF_GEMINI, "efforts": ("none", "low", "medium", "high")}, "LL PO Igo Igu Ige Igd Ils"),
    Family("gemini, through an OpenAI-compatible gateway", r"(?<![a-z0-9])gemini-", "google/gemini-2.0-flash",
        {**_OF_GEMINI, "thinking": "none"}, "LL PO Igo Igu Ige Igd Ils"),
    Family("compatible", r"(?!)", "any-model",
        {"developer_role": "refuse", "custom_tools": "refuse", "max_completion_tokens_member": "refuse",
         "strict_tools": "refuse", "cache_marks": "refuse", "contents": "text"}, "recorded Woc"),
)  # fmt: skip
