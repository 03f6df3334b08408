"""The model families of vLLM: what each accepts, refuses or demands.

Data only; the first pattern found in a model's name, ignoring case, applies. The facts are listed in docs/families.md.
State of 2026-11-22; the words of the last column stand in `docs/family_sources.tsv`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

_MISTRAL: Final[Mapping[str, Any]] = {
    "call_ids": "nine_letters", "tool_names": "word_characters", "instructions": "first", "roles": "alternate",
    "assistant_prefill": "refuse",
    "media_in_results": False,
}  # fmt: skip

# The server refuses a whole request with media that the model does not read ("is not a multimodal model").
_NO_AUDIO: Final[Mapping[str, Any]] = {"audio_input": False}
_IMAGES_ALONE: Final[Mapping[str, Any]] = {"video_input": False, **_NO_AUDIO}
_TEXT_ALONE: Final[Mapping[str, Any]] = {"image_input": False, **_IMAGES_ALONE}
_UNTHINKING: Final[Mapping[str, Any]] = {"thinking": "none"}
_OF_THE_SYSTEM: Final[Mapping[str, Any]] = {"instructions": "of_the_system"}
# The chat templates of Kimi before K3 name a called function by the id of the call alone.
_OF_KIMI: Final[Mapping[str, Any]] = {**_OF_THE_SYSTEM, "call_ids": "functions"}

FAMILIES: Final[tuple[Family, ...]] = (
    Family("gpt-oss", r"gpt-oss", "gpt-oss:20b",
        {"efforts": ("low", "medium", "high"), "thinking_budget": "as_effort", **_TEXT_ALONE}, "Ivo PX Ivt Ivg"),
    Family("qwen3-coder", r"qwen-?3-coder", "qwen3-coder", {**_OF_THE_SYSTEM, **_UNTHINKING, **_TEXT_ALONE}, "PX Ivt"),
    Family("qwen3.8", r"qwen-?(?:3\.[89]|[4-9](?![0-9]*b))", "qwen3.8-32b",
        {"instructions": "first", "user_query": "require", "efforts": ("none", "low", "medium", "xhigh")},
        "Iqw PX Iuq Wct Iqe"),
    Family("qwen3.5, qwen3.6", r"qwen-?3\.[56]", "Qwen/Qwen3.5-27B",
        {"instructions": "first", "thinking": "template", "user_query": "require", **_NO_AUDIO}, "PX Wvl Iuq Wct Ivs"),
    Family("qwen3-vl", r"qwen-?3-vl", "Qwen/Qwen3-VL-8B-Instruct",
        {**_OF_THE_SYSTEM, "thinking": "template", **_NO_AUDIO}, "PX Wvl Ivs"),
    Family("qwen3-omni, qwen3-asr", r"qwen-?3-(?:omni|asr)", "Qwen/Qwen3-Omni-30B-A3B-Instruct",
        {**_OF_THE_SYSTEM, "thinking": "template"}, "PX Wvl"),
    Family("qwen3 -instruct / -thinking / hybrid", r"qwen-?3(?![.0-9])", "Qwen/Qwen3-8B",
        {**_OF_THE_SYSTEM, "thinking": "template", **_TEXT_ALONE}, "PX Wvl Ivt"),
    Family("qwq", r"qwq", "Qwen/QwQ-32B", {**_OF_THE_SYSTEM, **_TEXT_ALONE}, "PX Ivt"),
    Family("qwen2, qwen2.5", r"qwen-?(?:1\.5|2|2\.5)-(?:coder-)?[0-9.]+b", "Qwen/Qwen2.5-7B-Instruct",
        {**_OF_THE_SYSTEM, **_UNTHINKING, **_TEXT_ALONE}, "PX Ivt"),
    Family("qwen2-vl, qwen2.5-vl", r"qwen-?(?:2|2\.5)-vl", "Qwen/Qwen2.5-VL-7B-Instruct",
        {**_OF_THE_SYSTEM, **_UNTHINKING, **_NO_AUDIO}, "PX Ivs"),
    Family("qwen, any other", r"qwen", "Qwen/Qwen2.5-Omni-7B", _OF_THE_SYSTEM, "PX"),
    Family("deepseek, that sees", r"deepseek-(?:vl|ocr)", "deepseek-ai/deepseek-vl2",
        {**_OF_THE_SYSTEM, **_UNTHINKING, **_IMAGES_ALONE}, "PX Ivs"),
    Family("deepseek-v4.1", r"deepseek-v(?:4\.[1-9]|[5-9])", "deepseek-ai/DeepSeek-V4.1",
        {**_OF_THE_SYSTEM, "efforts": ("none", "low", "high", "xhigh", "max"),
         "thinking_budget": "as_effort", **_IMAGES_ALONE}, "Wct Wdv Ivg"),
    Family("deepseek-v4", r"deepseek-v4", "deepseek-v4-flash",
        {**_OF_THE_SYSTEM, "thinking_budget": "as_effort", **_TEXT_ALONE}, "PX Ivt Ivg"),
    Family("deepseek-v3.1", r"deepseek-v3\.1", "deepseek-ai/DeepSeek-V3.1",
        {**_OF_THE_SYSTEM, "tool_members": "require", "thinking_argument": "thinking",
         "thinking_budget": "refuse", **_TEXT_ALONE}, "PX Wct Ivt Ivg"),
    Family("deepseek-v3, v2, coder", r"deepseek-(?:v2|v3(?![.0-9])|coder)", "deepseek-ai/DeepSeek-V3-0324",
        {**_OF_THE_SYSTEM, **_UNTHINKING, **_TEXT_ALONE}, "PX Ivt"),
    Family("deepseek", r"deepseek", "deepseek-ai/DeepSeek-R1",
        {**_OF_THE_SYSTEM, **_TEXT_ALONE}, "PX Ivt"),
    Family("mistral 7b, mixtral, nemo, codestral",
        r"(?:mistral-7b|mixtral|nemo-instruct-2407|mistral-nemo|large-(?:instruct-)?2407|codestral|mathstral)",
        "mistralai/Mistral-7B-Instruct-v0.3",
        {**_MISTRAL, "words_beside_calls": "refuse", "reasoning_in_history": "refuse", **_UNTHINKING, **_TEXT_ALONE},
        "Ivm Wvl Ivr Ilr PX Wmc Ivt"),
    Family("magistral, ministral 3",
        r"(?:magistral|ministral-3|(?:mi(?:ni)?stral|devstral)\S*-(?:2512|26\d\d)|mistral-medium-3\.5"
        r"|mistral-(?:small|medium|large)-[4-9](?![0-9]))",
        "mistralai/Ministral-3-14B-Reasoning-2512",
        {**_MISTRAL, **_IMAGES_ALONE}, "Ivm Wvl Ivr Ilr PX Wmc Ivs"),
    Family("voxtral", r"voxtral", "mistralai/Voxtral-Small-24B-2507",
        {**_MISTRAL, "reasoning_in_history": "refuse", **_UNTHINKING, "image_input": False, "video_input": False},
        "Ivm Wvl Ivr Ilr PX Wmc Ivs"),
    Family("mistral family",
        r"(?:mi(?:ni)?stral|pixtral|devstral)", "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
        {**_MISTRAL, "reasoning_in_history": "refuse", **_UNTHINKING, **_IMAGES_ALONE},
        "Ivm Wvl Ivr Ilr PX Wmc Ivs"),
    Family("hermes", r"hermes", "NousResearch/Hermes-3-Llama-3.1-8B",
        {**_OF_THE_SYSTEM, "tool_members": "require", **_TEXT_ALONE}, "Wct Ivt"),
    Family("llama 3.2, that sees", r"llama-?3[.-]2-(?:11b|90b)", "meta-llama/Llama-3.2-11B-Vision-Instruct",
        {**_OF_THE_SYSTEM, "calls_at_once": "one", **_UNTHINKING, **_IMAGES_ALONE}, "Wvl PX Wct Ivs"),
    Family("llama 3", r"llama-?3", "meta-llama/Llama-3.3-70B-Instruct",
        {**_OF_THE_SYSTEM, "calls_at_once": "one", **_UNTHINKING, **_TEXT_ALONE}, "Wvl PX Wct Ivt"),
    Family("llama", r"llama", "meta-llama/Llama-4-Scout-17B-16E-Instruct",
        {**_OF_THE_SYSTEM, **_UNTHINKING, **_IMAGES_ALONE}, "Wvl PX Ivs"),
    Family("gemma 4", r"gemma-?[4-9](?!b)", "google/gemma-4-E4B-it",
        {"instructions": "of_the_user", "roles": "alternate"}, "Ivr PX Ivs"),
    Family("gemma 3n", r"gemma-?3n", "google/gemma-3n-E4B-it",
        {"instructions": "of_the_user", "roles": "alternate", **_UNTHINKING, "video_input": False}, "Ivr PX Ivs"),
    Family("gemma 3, medgemma, paligemma", r"(?:gemma-?3|medgemma|paligemma)", "gemma-3-27b-it",
        {"instructions": "of_the_user", "roles": "alternate", **_UNTHINKING, **_IMAGES_ALONE}, "Ivr PX Ivs"),
    Family("gemma", r"gemma", "google/gemma-2-9b-it",
        {"instructions": "of_the_user", "roles": "alternate", **_UNTHINKING, **_TEXT_ALONE}, "Ivr PX Ivt"),
    Family("kimi-k3", r"kimi-k[3-9]", "moonshotai/Kimi-K3",
        {**_OF_THE_SYSTEM, "efforts": ("none", "low", "high", "max"), **_NO_AUDIO}, "Wct LL2"),
    Family("kimi-k2.5, kimi-k2.6", r"kimi-k2\.[56]", "moonshotai/Kimi-K2.6",
        {**_OF_KIMI, "media_in_results": False, "thinking_argument": "thinking", **_NO_AUDIO},
        "Wvl Ikv LL2 Iki"),
    Family("kimi-k2-thinking", r"kimi-k2-thinking", "moonshotai/Kimi-K2-Thinking",
        {**_OF_KIMI, **_TEXT_ALONE}, "Wvl Ivt Iki"),
    Family("kimi-k2", r"kimi-k2(?!\.)", "moonshotai/Kimi-K2-Instruct",
        {**_OF_KIMI, **_UNTHINKING, **_TEXT_ALONE}, "Wvl Ivt Iki"),
    Family("kimi", r"kimi", "moonshotai/Kimi-VL-A3B-Instruct", _OF_KIMI, "Wvl Iki"),
    Family("glm-5.3", r"(?<![a-z])glm-(?:5[.-][3-9](?![0-9])|[6-9])", "glm-5.3",
        {**_OF_THE_SYSTEM, "schema_references": "refuse", **_NO_AUDIO}, "PX LL2"),
    Family("glm, that sees", r"glm-[0-9.]+v", "zai-org/GLM-4.6V", {**_OF_THE_SYSTEM, **_NO_AUDIO},
        "PX Ivs"),
    Family("glm", r"glm", "glm-4.6", {**_OF_THE_SYSTEM, **_TEXT_ALONE}, "PX Ivt"),
    Family("seed-oss", r"seed-oss", "ByteDance-Seed/Seed-OSS-36B-Instruct",
        {**_OF_THE_SYSTEM, "tool_members": "require", **_TEXT_ALONE}, "Wct Ivt"),
    Family("apertus", r"apertus", "swiss-ai/Apertus-8B-Instruct-2509",
        {"instructions": "first", "tool_members": "require", **_TEXT_ALONE}, "Wct Ivt"),
    Family("granite 3.2, granite 3.3", r"granite-?3\.[23]", "ibm-granite/granite-3.2-8b-instruct",
        {"thinking_argument": "thinking", "thinking_budget": "refuse", **_TEXT_ALONE}, "Wvr Ivg Ivt"),
    Family("holo2", r"holo-?2", "Hcompany/Holo2-8B",
        {"thinking_argument": "thinking", "thinking_budget": "refuse"}, "Wvr Ivg"),
    Family("hy3", r"\bhy-?3", "tencent/Hy3",
        {**_OF_THE_SYSTEM, "thinking": "template", "efforts": ("low", "high"), **_TEXT_ALONE},
        "Wct Ivt"),
)  # fmt: skip
