"""The families of Claude's, Gemini's and other models as gateways serve them through Chat Completions.

Data only; these rows stand behind those of families_hosted.py, and what families.py says holds here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

# Some hosts refuse settings that only OpenAI has.
NOT_OF_OPENAI: Final[Mapping[str, Any]] = {
    "openai_settings": "refuse_by_some_hosts", "cache_breakpoints": "refuse_by_some_hosts"
}  # fmt: skip
_DEAF: Final[Mapping[str, Any]] = {"audio_input": False}
# Of several system messages, Google's endpoint reads the last one alone.
_OF_GOOGLE: Final[Mapping[str, Any]] = {**NOT_OF_OPENAI, "instructions": "first"}
# Thinking cannot be disabled.
_ALWAYS_THINKS: Final[Mapping[str, Any]] = {"efforts": ("low", "medium", "high")}
# Model names on hosts without web search, which may refuse the setting, and without PDF files: Hugging Face names,
# Fireworks, Groq.
SEARCHLESS: Final = re.compile(
    r"/[^/]*[A-Z]|(?:^|/)accounts/|^(?:openai/gpt-oss-|moonshotai/kimi-k2-instruct|meta-llama/llama-4-[a-z]+-17b-)"
    r"|^qwen/qwen3(?:-32b|\.[68]-27b)$"
)
GATEWAYS: Final[tuple[Family, ...]] = (
    Family("claude up to 4.5, as OpenRouter names it",
        r"^~?anthropic/claude-(?:(?:3(?:\.\d)?|4(?:\.[0-5])?)-(?:sonnet|opus|haiku)|(?:opus|sonnet|haiku)-4(?:\.[0-5])?)(?:$|:)",
        "anthropic/claude-sonnet-4.5",
        {**_DEAF, "reasoning_details": "claude", "calls_after_thinking": True}, "LL Iord Dord"),
    Family("claude, as OpenRouter names it", r"^~?anthropic/claude-(?!.*\d-\d)", "anthropic/claude-sonnet-5",
        {**_DEAF, "reasoning_details": "claude"}, "LL Dord"),
    Family("claude up to 4.5, through an OpenAI-compatible gateway",
        r"(?<![a-z0-9])claude-(?:3[.-]|4(?:[.-][0-5])?-[a-z]|(?:opus|sonnet|haiku)-4(?:[.-][0-5](?!\d)|(?![.-]\d(?!\d))))",
        "claude-sonnet-4-5",
        {**_DEAF, "calls_after_thinking": True}, "LL Iord"),
    Family("claude, through an OpenAI-compatible gateway", r"(?<![a-z0-9])claude-", "claude-opus-4-8", _DEAF, "LL"),
    Family("gemini-3 and newer, as OpenRouter names it",
        r"^~?google/gemini-(?:[3-9]|[1-9][0-9]|[a-z-]+-latest)", "google/gemini-3.5-flash",
        {**_OF_GOOGLE, **_ALWAYS_THINKS, "signed_calls": True, "reasoning_details": "gemini"},
        "recorded LL PO Igo Igs Dord Ige Ils"),
    Family("gemini-3 and newer, through an OpenAI-compatible gateway",
        r"(?<![a-z0-9])gemini-(?:[3-9]|[1-9][0-9]|[a-z-]+-latest)", "gemini-3.5-flash",
        {**_OF_GOOGLE, **_ALWAYS_THINKS, "signed_calls": True}, "LL PO Igo Igs Ige Ils"),
    Family("gemini-2.5-pro, through an OpenAI-compatible gateway",
        r"(?<![a-z0-9])gemini-2[.-]5-pro", "google/gemini-2.5-pro",
        {**_OF_GOOGLE, **_ALWAYS_THINKS}, "LL PO Igo Ige Ils"),
    Family("gemini-2.5, through an OpenAI-compatible gateway",
        r"(?<![a-z0-9])gemini-2[.-]5-(?!.*image)", "google/gemini-2.5-flash",
        {**_OF_GOOGLE, "efforts": ("none", "low", "medium", "high")}, "LL PO Igo Ige Ils"),
    Family("gemini, through an OpenAI-compatible gateway", r"(?<![a-z0-9])gemini-", "google/gemini-2.0-flash",
        {**_OF_GOOGLE, "thinking": "none"}, "LL PO Igo Ige Ils"),
    Family("compatible", r"(?!)", "any-model",
        {"developer_role": "refuse", "custom_tools": "refuse", "max_completion_tokens_member": "refuse",
         "strict_tools": "refuse", "cache_marks": "refuse"}, "recorded Woc"),
)  # fmt: skip
