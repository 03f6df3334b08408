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

# The server refuses a whole request with an image for a text-only model ("is not a multimodal model").
_TEXT_ALONE: Final[Mapping[str, Any]] = {"image_input": False}

FAMILIES: Final[tuple[Family, ...]] = (
    Family("gpt-oss", r"gpt-oss", "gpt-oss:20b", {"efforts": ("low", "medium", "high"), **_TEXT_ALONE}, "Ivo PX Ivt"),
    Family("qwen3-coder", r"qwen-?3-coder", "qwen3-coder",
        {"instructions": "of_the_system", "thinking": "none", **_TEXT_ALONE}, "PX Ivt"),
    Family("qwen3.8", r"qwen-?(?:3\.[89]|[4-9](?![0-9]*b))", "qwen3.8-32b",
        {"instructions": "first", "user_query": "require", "efforts": ("none", "low", "medium", "xhigh")},
        "Iqw PX Iuq Wct Iqe"),
    Family("qwen3.5, qwen3.6", r"qwen-?3\.[56]", "Qwen/Qwen3.5-27B",
        {"instructions": "first", "thinking": "template", "user_query": "require"}, "PX Wvl Iuq Wct"),
    Family("qwen3, that sees or hears", r"qwen-?3-(?:vl|omni|asr)", "Qwen/Qwen3-VL-8B-Instruct",
        {"instructions": "of_the_system", "thinking": "template"}, "PX Wvl"),
    Family("qwen3 -instruct / -thinking / hybrid", r"qwen-?3(?![.0-9])", "Qwen/Qwen3-8B",
        {"instructions": "of_the_system", "thinking": "template", **_TEXT_ALONE}, "PX Wvl Ivt"),
    Family("qwen2, qwen2.5, qwq", r"(?:qwen-?(?:1\.5|2|2\.5)-(?:coder-)?[0-9.]+b|qwq)", "Qwen/Qwen2.5-7B-Instruct",
        {"instructions": "of_the_system", **_TEXT_ALONE}, "PX Ivt"),
    Family("qwen, any other", r"qwen", "Qwen/Qwen2.5-VL-7B-Instruct", {"instructions": "of_the_system"}, "PX"),
    Family("deepseek, that sees", r"deepseek-(?:vl|ocr)", "deepseek-ai/deepseek-vl2",
        {"instructions": "of_the_system"}, "PX"),
    Family("deepseek-v4.1", r"deepseek-v(?:4\.[1-9]|[5-9])", "deepseek-ai/DeepSeek-V4.1",
        {"instructions": "of_the_system", "efforts": ("none", "low", "high", "xhigh", "max")}, "Wct Wdv"),
    Family("deepseek-v4", r"deepseek-v4", "deepseek-v4-flash",
        {"instructions": "of_the_system", **_TEXT_ALONE}, "PX Ivt"),
    Family("deepseek-v3.1", r"deepseek-v3\.1", "deepseek-ai/DeepSeek-V3.1",
        {"instructions": "of_the_system", "tool_members": "require", "thinking_argument": "thinking", **_TEXT_ALONE},
        "PX Wct Ivt"),
    Family("deepseek", r"deepseek", "deepseek-ai/DeepSeek-R1",
        {"instructions": "of_the_system", **_TEXT_ALONE}, "PX Ivt"),
    Family("mistral 7b, mixtral, nemo, codestral",
        r"(?:mistral-7b|mixtral|nemo-instruct-2407|mistral-nemo|large-(?:instruct-)?2407|codestral|mathstral)",
        "mistralai/Mistral-7B-Instruct-v0.3",
        {**_MISTRAL, "words_beside_calls": "refuse", "reasoning_in_history": "refuse"}, "Ivm Wvl Ivr Ilr PX Wmc"),
    Family("magistral, ministral 3",
        r"(?:magistral|ministral-3|(?:mi(?:ni)?stral|devstral)\S*-(?:2512|26\d\d)|mistral-medium-3\.5"
        r"|mistral-(?:small|medium|large)-[4-9](?![0-9]))",
        "mistralai/Ministral-3-14B-Reasoning-2512",
        _MISTRAL, "Ivm Wvl Ivr Ilr PX Wmc"),
    Family("mistral family",
        r"(?:mi(?:ni)?stral|pixtral|devstral|voxtral)", "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
        {**_MISTRAL, "reasoning_in_history": "refuse"}, "Ivm Wvl Ivr Ilr PX Wmc"),
    Family("hermes", r"hermes", "NousResearch/Hermes-3-Llama-3.1-8B",
        {"instructions": "of_the_system", "tool_members": "require"}, "Wct"),
    Family("llama 3.2, that sees", r"llama-?3[.-]2-(?:11b|90b)", "meta-llama/Llama-3.2-11B-Vision-Instruct",
        {"instructions": "of_the_system", "calls_at_once": "one"}, "Wvl PX Wct"),
    Family("llama 3", r"llama-?3", "meta-llama/Llama-3.3-70B-Instruct",
        {"instructions": "of_the_system", "calls_at_once": "one", **_TEXT_ALONE}, "Wvl PX Wct Ivt"),
    Family("llama", r"llama", "meta-llama/Llama-4-Scout-17B-16E-Instruct", {"instructions": "of_the_system"}, "Wvl PX"),
    Family("gemma", r"gemma", "gemma-3-27b-it", {"instructions": "of_the_user", "roles": "alternate"}, "Ivr PX"),
    Family("kimi-k3", r"kimi-k[3-9]", "moonshotai/Kimi-K3",
        {"instructions": "of_the_system", "efforts": ("none", "low", "high", "max")}, "Wct"),
    Family("kimi-k2.5, kimi-k2.6", r"kimi-k2\.[56]", "moonshotai/Kimi-K2.6",
        {"instructions": "of_the_system", "media_in_results": False, "thinking_argument": "thinking"}, "Wvl Ikv"),
    Family("kimi-k2", r"kimi-k2(?!\.)", "moonshotai/Kimi-K2-Instruct",
        {"instructions": "of_the_system", **_TEXT_ALONE}, "Wvl Ivt"),
    Family("kimi", r"kimi", "moonshotai/Kimi-VL-A3B-Instruct", {"instructions": "of_the_system"}, "Wvl"),
    Family("glm-5.3", r"(?<![a-z])glm-(?:5[.-][3-9](?![0-9])|[6-9])", "glm-5.3",
        {"instructions": "of_the_system", "schema_references": "refuse"}, "PX"),
    Family("glm, that sees", r"glm-[0-9.]+v", "zai-org/GLM-4.6V", {"instructions": "of_the_system"}, "PX"),
    Family("glm", r"glm", "glm-4.6", {"instructions": "of_the_system", **_TEXT_ALONE}, "PX Ivt"),
    Family("seed-oss", r"seed-oss", "ByteDance-Seed/Seed-OSS-36B-Instruct",
        {"instructions": "of_the_system", "tool_members": "require"}, "Wct"),
    Family("apertus", r"apertus", "swiss-ai/Apertus-8B-Instruct-2509",
        {"instructions": "first", "tool_members": "require"}, "Wct"),
    Family("hy3", r"\bhy-?3", "tencent/Hy3",
        {"instructions": "of_the_system", "thinking": "template", "efforts": ("low", "high")}, "Wct"),
)  # fmt: skip
