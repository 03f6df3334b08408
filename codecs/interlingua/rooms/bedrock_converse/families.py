"""The model families behind Bedrock Converse: Claude's, and what is known of others.

What Claude's models accept stands in one table, wherever they are served; used here is what Converse can express of it.
Data only. Source: docs/wire/bedrock_converse.md, sections 1.3 and 1.5; docs/families.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.claude_families import CLAUDE
from interlingua.rooms._shared.openai_families import ASTRA
from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

# What Converse has no member for, so that it says nothing there.
_UNSAID: Final = frozenset({"system_in_messages"})
# What all Claude models refuse, and other models on Converse may accept.
_EVERY: Final[Mapping[str, Any]] = {
    "audio_input": False, "video_input": False, "blank_stops": "refuse", "call_ids": "letters",
    "space_at_end": "refuse", "documents_beside_results": "refuse", "cache_behind_texts": "refuse",
}  # fmt: skip
# Claude models with a cache of five minutes only, and those for which Bedrock enforces no schema.
_SHORT_CACHES: Final = frozenset({
    "claude-opus-4.1", "claude-opus-4", "claude-sonnet-4", "claude-3.7-sonnet", "claude-3.5 (sonnet, haiku)",
    "claude-3 (opus, sonnet, haiku)", "claude-2, claude-instant",
})  # fmt: skip
_UNENFORCED: Final = frozenset({"claude-opus-4.1", "claude-opus-4.7"})
# Models whose tools Converse passes on without `strict`; for newer ones there is no report that they accept it.
_NEVER_STRICT: Final = frozenset({
    "claude-opus-4.7", "claude-opus-4.8", "claude-opus-5", "claude-opus-5.5", "claude-sonnet-5", "claude-sonnet-5.5",
    "claude-haiku-5.5", "claude, any other (newer than this table)",
})  # fmt: skip
_FABLE: Final = "claude-fable-5"
# Neither response schemas nor strict tools.
_UNENFORCING: Final[Mapping[str, Any]] = {"structured_output": False, "strict_tools": "refuse"}
# Models that do not reason refuse reasoning of earlier answers; DeepSeek R1 refuses even its own.
_UNREASONING: Final[Mapping[str, Any]] = {"reasoning_in_history": "refuse"}


def _of_claude(family: Family) -> tuple[Family, ...]:
    """Return what Converse can express of a Claude family; effort beside a budget would need a beta header."""
    said = {**_EVERY, **{name: value for name, value in family.facts.items() if name not in _UNSAID}}
    if "adaptive" not in family.facts.get("thinking", ("adaptive",)):
        said["efforts"] = ()
    if family.name in _SHORT_CACHES:
        said["cache_times"] = ("5m",)
    if family.name in _UNENFORCED:
        said["structured_output"] = False
    thinks = not {"adaptive", "enabled"}.isdisjoint(family.facts.get("thinking", ("adaptive",)))
    if not thinks:
        said |= _UNREASONING
    if family.name in _NEVER_STRICT or said.get("structured_output") is False:
        said["strict_tools"] = "refuse"
    sources = f"{family.sources} PB Ibd Iba" + (" Ist Vbs" if family.name in _NEVER_STRICT else "")
    sources += "" if thinks else " Irh"
    row = family._replace(example=f"anthropic.{family.example}-v1:0", facts=said, sources=sources)
    if not family.name.startswith(_FABLE):
        return (row,)
    fable, mythos = family.name.split(", ")
    other = row._replace(name=mythos, example=row.example.replace("fable", "mythos"))
    unenforced = {**said, **_UNENFORCING}
    return (row._replace(name=fable, pattern=f"(?=.*fable){family.pattern}", facts=unenforced), other)


# Models that read text alone.
_TEXTS: Final[Mapping[str, Any]] = {"image_input": False, "video_input": False, "audio_input": False}
# Only Nova reads video, and only Voxtral and Nova 2 Omni read audio.
_DEAF: Final[Mapping[str, Any]] = {"audio_input": False}
_HEARS: Final[Mapping[str, Any]] = {"video_input": False}
_SEES: Final[Mapping[str, Any]] = {**_HEARS, **_DEAF}
_CALLS_NOTHING: Final[Mapping[str, Any]] = {"function_tools": "refuse"}
# Models that have tools, but cannot be forced to call one.
_CHOOSES: Final[Mapping[str, Any]] = {"forced_tool_choice": "refuse"}
# A turn with tool results, or with tool calls, may hold nothing else.
_UNMIXED: Final[Mapping[str, Any]] = {"mixed_turns": "refuse"}
# Only Claude and Nova accept cache points.
_UNCACHED: Final[Mapping[str, Any]] = {"cache_points": "refuse"}
_OLDER: Final[Mapping[str, Any]] = {**_UNCACHED, **_UNENFORCING, **_UNREASONING}
# Tool schemas have few members at the top; a cache lasts five minutes, and tools have no cache points.
_NOVA: Final[Mapping[str, Any]] = {
    "tool_schemas": "plain", **_UNENFORCING, "cache_points": "not_in_tools", "cache_times": ("5m",),
    "cache_behind_texts": "refuse", "top_k_member": "inferenceConfig.topK", "media_in_results": ("image", "text"),
}  # fmt: skip
_NOVA_1: Final[Mapping[str, Any]] = {**_NOVA, **_UNREASONING, "max_output_tokens": 10_000}
_NOVA_2: Final[Mapping[str, Any]] = {
    **_NOVA, "effort_member": "reasoningConfig.maxReasoningEffort", "efforts": ("none", "low", "medium", "high"),
    "temperature": "refuse_if_effort_high", "top_p": "refuse_if_effort_high", "max_tokens": "refuse_if_effort_high",
    "system_tools": "accept",
}  # fmt: skip
# Ids of calls and results have nine letters and digits.
_SHORT_IDS: Final[Mapping[str, Any]] = {"call_ids": "nine_letters"}
# Only their highest effort makes these models reason.
_AT_HIGH: Final[Mapping[str, Any]] = {"efforts": ("none", "high")}
_FLAT: Final[Mapping[str, Any]] = {"effort_member": "reasoning_effort"}
_NESTED: Final[Mapping[str, Any]] = {"effort_member": "reasoning.effort"}
# Of OpenAI and xAI: no sampling, no stop sequences, a minimum of output tokens. No report on cache points.
_UNSAMPLED: Final[Mapping[str, Any]] = {
    "redacted_thinking": "own",
    "temperature": "refuse", "top_p": "refuse", "stop": "refuse", "least_output_tokens": 16,
    "cache_points": "refuse_by_some_hosts", "tool_schemas": "no_lookaround", **_SEES,
}  # fmt: skip
# Tool results hold no images and files: they stand behind the results.
_BARE_RESULTS: Final[Mapping[str, Any]] = {"media_in_results": ()}
_FILES_IN_RESULTS: Final[Mapping[str, Any]] = {"media_in_results": ("document",)}
_LATER_MISTRAL: Final[Mapping[str, Any]] = {
    **_SHORT_IDS, "mixed_turns": "results_alone", **_FILES_IN_RESULTS, **_UNCACHED, **_UNREASONING,
}  # fmt: skip
_KIMI: Final[Mapping[str, Any]] = {**_FLAT, "efforts": ("low", "high", "max"), **_BARE_RESULTS}

_OTHERS: Final = (
    Family("titan text", r"titan-t(?:ext|g1)", "amazon.titan-text-premier-v1:0",
        {**_TEXTS, **_CALLS_NOTHING, "system_instruction": "refuse", **_OLDER}, "BT Isy Ibn Irh"),
    Family("nova micro", r"nova-micro", "amazon.nova-micro-v1:0",
        {**_NOVA_1, **_TEXTS, "empty_results": "refuse"}, "recorded Inv Inw PB Ibn Ibv Ier Irh"),
    Family("nova 2 omni", r"(?:^|[.:/])nova-2-omni", "amazon.nova-2-omni-v1:0", _NOVA_2, "Inv PB Dn2 Dnt Ibh Ibv"),
    Family("nova 2", r"(?:^|[.:/])nova-[2-9]", "amazon.nova-2-lite-v1:0",
        {**_NOVA_2, **_DEAF}, "recorded Inv PB Dn2 Dnt Ibh Ibv LL2"),
    Family("nova (lite, pro, premier)", r"(?:^|[.:/])nova-", "amazon.nova-lite-v1:0",
        {**_NOVA_1, **_DEAF, "efforts": ()}, "recorded Inv Inw PB Ibh Ibn Ibv LL2 Irh"),
    Family("mistral 7b, mixtral 8x7b", r"mistral-7b|mixtral-8x7b", "mistral.mistral-7b-instruct-v0:2",
        {**_TEXTS, **_CALLS_NOTHING, "system_instruction": "refuse", **_OLDER}, "BT Isy Ibn Irh"),
    Family("mistral large and small of 2024", r"mistral-(?:large|small)-24", "mistral.mistral-large-2407-v1:0",
        {**_TEXTS, **_UNMIXED, **_SHORT_IDS, "forced_tool_choice": "any", **_OLDER}, "BT LA Ibr Ibc Ibn Ib9 Irh"),
    Family("pixtral", r"mistral\.pixtral", "mistral.pixtral-large-2502-v1:0",
        {**_SEES, **_SHORT_IDS, "mixed_turns": "results_alone", **_FILES_IN_RESULTS, **_OLDER},
        "recorded PB Ibn Ib9 Irh"),
    Family("voxtral", r"(?:^|[.:/])mistral\.voxtral", "mistral.voxtral-small-24b-2507",
        {**_HEARS, **_LATER_MISTRAL}, "PB Ibn Ib9 Ibp LL2 Irh"),
    Family("devstral", r"(?:^|[.:/])mistral\.devstral", "mistral.devstral-2-123b",
        {**_TEXTS, **_LATER_MISTRAL}, "PB Ibn Ib9 Ibp LL2 Irh"),
    Family("mistral, ministral, magistral, of later years",
        r"(?:^|[.:/])mistral\.", "mistral.mistral-large-3-675b-instruct",
        {**_SEES, **_LATER_MISTRAL}, "PB Ibn Ib9 Ibp LL2 Irh"),
    Family("llama 3 (8b, 70b), 3.2 (1b, 3b)", r"llama3-(?:8b|70b|2-[13]b)", "meta.llama3-70b-instruct-v1:0",
        {**_TEXTS, **_CALLS_NOTHING, "assistant_prefill": "refuse", **_OLDER}, "recorded BT LA Il2 Ilp Ibn Irh"),
    Family("llama 3.1, 3.3", r"llama3-[13]-", "meta.llama3-3-70b-instruct-v1:0",
        {**_TEXTS, **_CHOOSES, **_UNMIXED, "assistant_prefill": "refuse", **_OLDER}, "BT LA Ibr Ibc Ilp Ibn Irh"),
    Family("llama 3.2 (11b, 90b), llama 4", r"llama(?:3-2|4)-", "meta.llama4-scout-17b-instruct-v1:0",
        {**_CHOOSES, **_UNMIXED, "video_input": False, "audio_input": False, "assistant_prefill": "refuse", **_OLDER},
        "BT LA Ibc Ilp Ibn PB Irh"),
    Family("deepseek r1", r"deepseek\.r1", "deepseek.r1-v1:0",
        {**_TEXTS, **_CALLS_NOTHING, **_OLDER}, "BT Idt Ibn Irh"),
    Family("deepseek v3", r"deepseek\.v3", "deepseek.v3.2", {**_TEXTS, **_UNCACHED, **_FLAT, **_AT_HIGH}, "PB LB Ibn"),
    Family("command r", r"command-r", "cohere.command-r-plus-v1:0", {**_TEXTS, **_CHOOSES, **_OLDER}, "BT LA Ibn Irh"),
    Family("jamba instruct", r"jamba-instruct", "ai21.jamba-instruct-v1:0",
        {**_TEXTS, **_CALLS_NOTHING, **_OLDER}, "BT Ibn Irh"),
    Family("jamba 1.5", r"jamba-1-5", "ai21.jamba-1-5-large-v1:0", {**_TEXTS, **_CHOOSES, **_OLDER}, "BT LA Ibn Irh"),
    Family("palmyra", r"writer\.palmyra", "writer.palmyra-x5-v1:0",
        {**_SEES, "mixed_turns": "results_alone", "result_status": "refuse", **_FILES_IN_RESULTS, **_OLDER},
        "PB Ibn Ibp Irh"),
    Family("gpt-oss", r"openai\.gpt-oss", "openai.gpt-oss-120b-1:0",
        {**_TEXTS, "stop": "refuse", **_UNCACHED, **_FLAT, "efforts": ("low", "medium", "high")},
        "recorded PB LB Ibs Ibn"),
    Family("gpt-6-astra, gpt-6.1-sol", rf"openai\.{ASTRA}", "openai.gpt-6-astra",
        {**_UNSAMPLED, **_NESTED, "efforts": ("low", "medium", "high", "xhigh", "max"), **_FILES_IN_RESULTS},
        "PB LB LLb Ibe Ibp"),
    Family("gpt-5.4, gpt-5.5", r"openai\.gpt-5\.[45]", "us.openai.gpt-5.5",
        {**_UNSAMPLED, **_NESTED, "efforts": ("low", "medium", "high", "xhigh"), **_BARE_RESULTS}, "LL LLb"),
    Family("gpt-5.6, gpt-6 and newer", r"openai\.gpt-(?:5\.[6-9]|[6-9])", "openai.gpt-5.6-sol",
        {**_UNSAMPLED, **_NESTED, "efforts": ("none", "low", "medium", "high", "xhigh", "max"), **_FILES_IN_RESULTS},
        "PB LB LLb Ibe Ibp LL2"),
    Family("grok", r"xai\.grok", "xai.grok-4.6",
        {**_UNSAMPLED, **_UNENFORCING, **_NESTED, "efforts": ("low", "medium", "high", "xhigh"), **_FILES_IN_RESULTS},
        "PB LLb Ibp"),
    Family("qwen3-coder", r"qwen\.qwen3-coder", "qwen.qwen3-coder-30b-a3b-v1:0",
        {**_TEXTS, **_UNCACHED, **_UNREASONING, "efforts": (), **_BARE_RESULTS}, "PB Ibn Irh"),
    Family("qwen3-vl", r"qwen\.qwen3-vl", "qwen.qwen3-vl-235b-a22b",
        {**_SEES, **_UNCACHED, "effort_member": "reasoning_config", **_AT_HIGH, **_BARE_RESULTS}, "PB Ibn"),
    Family("qwen3", r"qwen\.qwen3", "qwen.qwen3-32b-v1:0",
        {**_TEXTS, **_UNCACHED, "effort_member": "reasoning_config", **_AT_HIGH, **_BARE_RESULTS}, "recorded PB Ibn"),
    Family("kimi-k3", r"moonshotai\.kimi-k[3-9]", "moonshotai.kimi-k3",
        {**_SEES, "cache_points": "refuse_by_some_hosts", "least_output_tokens": 16, "tool_schemas": "no_lookaround",
         **_BARE_RESULTS}, "PB LL LLb"),
    Family("kimi-k2-thinking", r"moonshot(?:ai)?\.kimi-k2-thinking", "moonshot.kimi-k2-thinking",
        {**_TEXTS, **_UNCACHED, **_KIMI}, "recorded PB LB Ibn"),
    Family("kimi", r"moonshot(?:ai)?\.kimi", "moonshotai.kimi-k2.5",
        {**_SEES, **_UNCACHED, **_KIMI, "thinks_unasked": False}, "PB LB Ibk Ibn"),
    Family("glm-5.3", r"zai\.glm-(?:5\.[3-9]|[6-9])", "zai.glm-5.3",
        {**_SEES, **_UNCACHED, **_FLAT, "efforts": ("low", "medium", "high", "xhigh", "max"), **_FILES_IN_RESULTS},
        "PB LB Ibn Ibp"),
    Family("glm", r"zai\.glm", "zai.glm-4.7", {**_TEXTS, **_UNCACHED, **_FLAT, **_AT_HIGH}, "PB LB Ibn"),
    Family("minimax", r"minimax\.minimax", "minimax.minimax-m2.5", {**_TEXTS, **_UNCACHED}, "PB LB Ibn"),
    Family("nemotron (nano 9b, nano 3, super)", r"nvidia\.nemotron-(?!nano-12b)", "nvidia.nemotron-super-3-120b",
        {**_TEXTS, **_UNCACHED, **_UNREASONING, "empty_results": "refuse"}, "PB Ibn LL2 Ier Irh"),
    Family("gemma, nemotron nano 12b", r"google\.gemma|nvidia\.nemotron", "google.gemma-3-27b-it",
        {**_SEES, **_UNCACHED, **_UNREASONING, **_FILES_IN_RESULTS}, "PB Ibn Ibp LL2 Irh"),
)  # fmt: skip

FAMILIES: Final[tuple[Family, ...]] = (
    *(row for family in CLAUDE for row in _of_claude(family)),
    *_OTHERS,
    Family("any other name", r"(?!)", "any-maker.any-model", {}, "VA", newest=True),
)
