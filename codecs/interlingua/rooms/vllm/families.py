"""The model families of vLLM: what each takes, refuses or demands.

Data only; the first pattern that is found in a name, ignoring case, holds. What the members say: docs/families.md.
State of 2026-11-22; the words of the last column stand in `rooms/_shared/family_sources.py`.
"""

from __future__ import annotations

from typing import Final

from interlingua.spi.families import Family

FAMILIES: Final[tuple[Family, ...]] = (
    Family(
        "gpt-oss",
        r"gpt-oss",
        "gpt-oss:20b",
        {"efforts": ("low", "medium", "high")},
        "Ivo PX",
    ),
    Family(
        "qwen3-coder",
        r"qwen-?3-coder",
        "qwen3-coder",
        {"instructions": "of_the_system", "thinking": "none"},
        "PX",
    ),
    Family(
        "qwen3.8",
        r"qwen-?3\.8",
        "qwen3.8-32b",
        {"instructions": "of_the_system", "user_query": "require"},
        "Iqw PX Iuq",
    ),
    Family(
        "qwen3.5, qwen3.6",
        r"qwen-?3\.[56]",
        "Qwen/Qwen3.5-27B",
        {"instructions": "of_the_system", "thinking": "template", "user_query": "require"},
        "PX Wvl Iuq",
    ),
    Family(
        "qwen3 -instruct / -thinking / hybrid",
        r"qwen-?3",
        "Qwen/Qwen3-8B",
        {"instructions": "of_the_system", "thinking": "template"},
        "PX Wvl",
    ),
    Family(
        "qwen2, qwen2.5, qwq",
        r"(?:qwen|qwq)",
        "Qwen/Qwen2.5-7B-Instruct",
        {"instructions": "of_the_system"},
        "PX",
    ),
    Family(
        "deepseek-v4",
        r"deepseek-v4",
        "deepseek-v4-flash",
        {"instructions": "of_the_system"},
        "PX",
    ),
    Family(
        "deepseek",
        r"deepseek",
        "deepseek-ai/DeepSeek-R1",
        {"instructions": "of_the_system"},
        "PX",
    ),
    Family(
        "mistral family",
        r"(?:mi(?:ni)?stral|mixtral|magistral|pixtral|devstral|voxtral)",
        "mistralai/Mistral-7B-Instruct-v0.3",
        {
            "call_ids": "nine_letters",
            "instructions": "first",
            "roles": "alternate",
            "assistant_prefill": "refuse",
        },
        "Ivm Wvl Ivr Ilr PX",
    ),
    Family(
        "llama",
        r"llama",
        "llama-3.3-70b",
        {"instructions": "of_the_system"},
        "Wvl PX",
    ),
    Family(
        "gemma",
        r"gemma",
        "gemma-3-27b-it",
        {"instructions": "of_the_user", "roles": "alternate"},
        "Ivr PX",
    ),
    Family(
        "kimi",
        r"kimi",
        "kimi-k2.6",
        {"instructions": "of_the_system"},
        "Wvl",
    ),
    Family(
        "glm-5.3",
        r"glm-5[.-]3",
        "glm-5.3",
        {"instructions": "of_the_system", "schema_references": "refuse"},
        "PX",
    ),
    Family(
        "glm",
        r"glm",
        "glm-4.6",
        {"instructions": "of_the_system"},
        "PX",
    ),
)
