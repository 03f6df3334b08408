"""The model families of Responses: what each accepts, refuses or requires.

Data only; the first pattern found in a model name, ignoring case, applies. The members are explained in
docs/families.md. State of 2026-11-22; the words of the last column stand in `docs/family_sources.tsv`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.ollama_tags import tagged_families
from interlingua.rooms._shared.openai_families import GPT_5, GPT_5_1, MEDIUM_ALONE, TO_HIGH, TO_XHIGH, of_openai
from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

# Whether `include` may ask for encrypted reasoning.
_REASONS: Final[Mapping[str, Any]] = {"encrypted_reasoning": "accept"}
_NEVER_REASONS: Final[Mapping[str, Any]] = {"encrypted_reasoning": "refuse"}
# Models since gpt-5.3-codex tell what they say between calls from their answers.
_SPEAKS_IN_PHASES: Final[Mapping[str, Any]] = {**_REASONS, "phases": "accept"}
# Cache marks within a text and Codex's metadata of items are OpenAI's own.
_UNMARKED: Final[Mapping[str, Any]] = {
    "cache_breakpoints": "refuse_by_some_hosts", "item_metadata": "refuse_by_some_hosts",
}  # fmt: skip
_XAI: Final[Mapping[str, Any]] = {
    **_UNMARKED, "served_tool_choice": "by_word", "live_search": "unsaid", "custom_tools": "refuse",
    "namespace_tools": "refuse", "tool_approval": "unsaid", "metadata": "refuse", "null_contents": "refuse",
}  # fmt: skip
# Pairs calls and results by their places, and wants its thoughts back in plain text.
_DEEPSEEK: Final[Mapping[str, Any]] = {
    **_UNMARKED, "unsigned_thinking": "accept", "reasoning_in_calls": "require", "call_results": "adjoin",
}  # fmt: skip
# Volcengine refuses members that it does not know.
_ARK: Final[Mapping[str, Any]] = {
    **_UNMARKED, **dict.fromkeys(("metadata", "verbosity", "prompt_cache_retention", "logprobs"), "refuse"),
    "custom_tools": "refuse", "reasoning_summary": "refuse",
}  # fmt: skip
# Ollama's endpoint knows functions alone, and no files.
_OLLAMA: Final[Mapping[str, Any]] = {
    **_UNMARKED, "pdf_input": False, "custom_tools": "refuse",
    "namespace_tools": "refuse", **_NEVER_REASONS,
}  # fmt: skip
FAMILIES: Final[tuple[Family, ...]] = (
    of_openai("gpt-6-astra, gpt-6.1-sol, gpt-6-rosalind",
        {**_SPEAKS_IN_PHASES, "efforts": (*TO_HIGH, "xhigh", "max")}, "recorded LL LC PO Dodc SO VA Woc D62 Dph"),
    of_openai("gpt-6-sol, gpt-6-luna, gpt-6.1-terra",
        {**_SPEAKS_IN_PHASES, "efforts": (*TO_XHIGH, "max")}, "recorded LL LC PO Dodc SO VA Woc Dph"),
    of_openai("gpt-5.6 (sol, terra, luna)",
        {**_SPEAKS_IN_PHASES, "efforts": (*TO_XHIGH, "max")}, "recorded LL LC PO SO LI Ilk Dodc VA Woc Dph"),
    of_openai("gpt-5.x-pro (5.2, 5.4, 5.5)",
        {**GPT_5, **_SPEAKS_IN_PHASES, "efforts": ("medium", "high", "xhigh"), "structured_output": False},
        "recorded LL LC PO Dodc SO VA Woc Dph"),
    of_openai("gpt-5.5", _SPEAKS_IN_PHASES, "recorded LL LC PO Dodc SO VA Woc Dph"),
    of_openai("gpt-5.4 (mini, nano)", _SPEAKS_IN_PHASES, "recorded LL LC PO Dodc SO VA Woc Dph"),
    of_openai("gpt-5.3-codex", {**GPT_5_1, **_SPEAKS_IN_PHASES}, "recorded LL LC PO Dodc SO VA Woc Dph"),
    of_openai("gpt-5-codex, 5.1-codex (mini, max), 5.2-codex",
        {**MEDIUM_ALONE, **GPT_5, **_REASONS, "efforts": TO_HIGH}, "recorded LL LC SO PO LI Dodc VA Woc Ivb"),
    of_openai("gpt-5.1/5.2/5.3-chat", _REASONS, "recorded LL LC SO PO Dodc VA Woc"),
    of_openai("chat-latest, gpt-chat-latest", _REASONS, "LL2 Dlm"),
    of_openai("gpt-5.3", _REASONS, "recorded LL LC PO Dodc SO VA Woc"),
    of_openai("gpt-5.2", _REASONS, "recorded LL LC PO LLc LI Dodc SO VA Woc"),
    of_openai("gpt-5.1", _REASONS, "recorded LL LC SO PO LLc LI MP Dodc VA Woc"),
    of_openai("gpt-5-pro",
        {**GPT_5, **_REASONS, "efforts": ("high",), "effort_default": "high", "max_output_tokens": 272000},
        "recorded LL LC SO Ipro PO Dodc VA Woc"),
    of_openai("gpt-5-chat",
        {**_NEVER_REASONS, "reasoning_summary": "refuse"}, "recorded LL LC SO PO VA Dodc Isum Woc Ivb"),
    of_openai("gpt-5 (mini, nano)", _REASONS, "recorded LL LC SO PO MP Iq5 LI Dodc VA Woc"),
    of_openai("gpt-4.1 (mini, nano)", _NEVER_REASONS, "recorded LL LC PO Dodc SO VA Woc Ivb"),
    of_openai("gpt-4o-2024-05-13", _NEVER_REASONS, "LL LC PO Dodc SO VA Woc Ivb Ipc Dost"),
    of_openai("gpt-4o (mini)", _NEVER_REASONS, "recorded LL LC PO Dodc SO VA Woc Ivb Ipc"),
    of_openai("gpt-4-turbo, gpt-4-vision, gpt-4-0125, gpt-4-1106", _NEVER_REASONS, "LL LC SO PO Dodc VA Woc Ivb Ipc"),
    of_openai("gpt-4", _NEVER_REASONS, "recorded LL LC SO PO Dodc VA Woc Ivb Ipc"),
    of_openai("gpt-3.5-turbo", _NEVER_REASONS, "recorded LL LC SO PO Dodc VA Woc Ivb Ipc"),
    of_openai("o1-pro",
        {**_REASONS, "reasoning_summary": "refuse"}, "recorded LL LC Ipt PO LLc Dodc SO VA Isum Woc Ivb Ipc"),
    of_openai("o3-pro, o3/o4 deep-research", _REASONS, "recorded LL LC Ipt PO LLc Dodc SO VA Isum Woc Ivb Ipc"),
    of_openai("o3-mini", _REASONS, "recorded LL LC SO Ipt PO LLc LI Dodc VA Woc Ivb Ipc"),
    of_openai("o1, o3, o4-mini", _REASONS, "recorded LL LC SO Ipt PO Io4 LI LLc Dodc VA Woc Ivb Ipc"),
    of_openai("gpt, any other (newer than this table)",
        {**_REASONS, "efforts": (*TO_HIGH, "xhigh", "max")}, "PO D62"),
    Family("computer-use-preview", r"computer-use-preview", "computer-use-preview",
        {"truncation": "auto"}, "recorded LL"),
    *tagged_families(_OLLAMA),
    Family("gpt-oss", r"gpt-oss", "gpt-oss-20b",
        {"efforts": TO_HIGH, "image_input": False, **_UNMARKED}, "PX Igc Iim"),
    Family("grok-4.6, 4.7 (xAI Responses)", r"grok-(?:4[.-][6-9](?![0-9])|[5-9])", "grok-4.6",
        {"efforts": (*TO_HIGH, "xhigh"), **_XAI}, "PX Dxr Ixt Ixw Ixn Dxm Ixa Ixb Iim"),
    Family("grok-4.5, grok-build (xAI Responses)", r"grok-(?:4[.-]5(?![0-9])|build-latest)", "grok-4.5",
        {"efforts": TO_HIGH, **_XAI}, "PX Dxr Ixt Ixw Ixn Dxm Ixa Ixb Iim"),
    Family("grok-4.20-multi-agent (xAI Responses)", r"grok-4[.-]20-multi", "grok-4.20-multi-agent-0309",
        {"efforts": (*TO_HIGH, "xhigh"), **_XAI}, "Dxr Ixe MD Ixt Ixw Ixn Dxm Ixa Ixb Iim"),
    Family("grok-4.20, grok-code, grok-build (xAI Responses)",
        r"grok-(?:4[.-]20|code|build)", "grok-4.20-0309-reasoning",
        {"efforts": (), "thinking": "unsaid", **_XAI}, "PX Ixe Ixt Ixw Ixn Dxm Ixa Ixb Iim"),
    Family("grok-3-mini (xAI Responses)", r"grok-3-mini", "grok-3-mini",
        {"efforts": ("none", "low", "high"), **_XAI}, "recorded PX Ixt Ixw Ixn Dxm Ixa Ixb Iim"),
    Family("grok (xAI Responses)", r"grok", "grok-4",
        {"efforts": ("none", *TO_HIGH), **_XAI}, "PX Ixt Ixw Ixn Dxm Ixa Ixb Iim"),
    Family("muse-spark (Meta's Responses)", r"(?<![a-z0-9])muse-spark", "muse-spark-1.3",
        {"efforts": ("minimal", *TO_HIGH, "xhigh")}, "Imsp"),
    Family("doubao, seed (Responses of Volcengine and BytePlus)", r"^(?:(?:doubao|dola)-|seed-(?!oss)|ep-20[0-9]{6})",
        "doubao-seed-2-0-pro-260215",
        {**_ARK, "efforts": ("none", "minimal", *TO_HIGH)}, "Sar Iar Iim"),
    Family("deepseek-flash (v4.1), deepseek-v4 that sees (DeepSeek's Responses)",
        r"^deepseek-(?:flash|v4[.-]1|v4[^/]*-vision|v[5-9])", "deepseek-flash", _DEEPSEEK, "Idr Ids41 Iim"),
    Family("deepseek-v4 (DeepSeek's Responses)", r"^deepseek-v4", "deepseek-v4-flash",
        {**_DEEPSEEK, "image_input": False, "pdf_input": False}, "recorded PO Idr Ids Iim"),
    Family("deepseek, through other hosts (Responses)", r"deepseek", "deepseek/deepseek-v4-pro", {}, "recorded PO"),
    Family("other weights, without a gateway (Bedrock, Alibaba, vLLM, LM Studio, ...)",
        r"^[^/]*(?:qwen|qwq|kimi|glm|minimax|mi(?:ni)?stral|llama|gemma|nemotron|mimo|hunyuan|step-?[0-9])[^/]*$",
        "glm-5.3", _UNMARKED, "LL2 Iar Iim"),
    Family("gemini, qwen and others through a gateway", r"(?:gemini|qwen)", "qwen/qwen3-max", {}, "LL"),
)  # fmt: skip
