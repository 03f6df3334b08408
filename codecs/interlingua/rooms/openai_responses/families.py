"""The model families of Responses: what each takes, refuses or demands.

Data only; the first pattern that is found in a name, ignoring case, holds. What the members say: docs/families.md.
State of 2026-11-22; the words of the last column stand in `rooms/_shared/family_sources.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

# Only the default of sampling.
_NEVER_SAMPLES: Final[Mapping[str, Any]] = {"temperature": "default_only", "top_p": "refuse", "logprobs": "refuse"}
# Samples where it does not reason, which is the default.
_SAMPLES_UNTHINKING: Final[Mapping[str, Any]] = {
    "temperature": "only_if_effort_none_or_absent",
    "top_p": "only_if_effort_none_or_absent",
    "logprobs": "only_if_effort_none_or_absent",
}
# Samples where it is told not to reason.
_SAMPLES_IF_TOLD: Final[Mapping[str, Any]] = {
    "temperature": "only_if_effort_none",
    "top_p": "only_if_effort_none",
    "logprobs": "only_if_effort_none",
}
# No sounds.
_NO_AUDIO: Final[Mapping[str, Any]] = {"audio_input": False}
# Marks for a cache are taken from gpt-5.6 on.
_NO_BREAKPOINTS: Final[Mapping[str, Any]] = {"cache_breakpoints": "refuse"}
# Whether `include` may ask for reasoning in encrypted form.
_REASONS: Final[Mapping[str, Any]] = {"encrypted_reasoning": "accept"}
_NEVER_REASONS: Final[Mapping[str, Any]] = {"encrypted_reasoning": "refuse", "efforts": ()}
# A cache lasts a day from gpt-5.5 on.
_LASTING: Final[Mapping[str, Any]] = {"short_cache": "refuse"}
# No answers of another length than usual (`verbosity`); and models before GPT-5 keep no cache for a day.
_MEDIUM_ALONE: Final[Mapping[str, Any]] = {"verbosity": "medium_only"}
_BEFORE_5: Final[Mapping[str, Any]] = {**_MEDIUM_ALONE, "long_cache": "refuse"}

_XAI: Final[Mapping[str, Any]] = {
    "served_tool_choice": "by_word",
    "live_search": "unsaid",
    "custom_tools": "refuse",
    "namespace_tools": "refuse",
}
FAMILIES: Final[tuple[Family, ...]] = (
    Family(
        "gpt-6-astra, gpt-6.1-sol, gpt-6-rosalind",
        r"(?<![a-z0-9])gpt-(?:6-astra|6\.1-sol|6-rosalind)",
        "gpt-6-astra",
        {
            **_LASTING,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("low", "medium", "high", "xhigh", "max"),
            "effort_default": "medium",
            "temperature": "refuse",
            "top_p": "refuse",
            "logprobs": "refuse",
            "max_output_tokens": 128000,
        },
        "recorded LL LC PO Dodc SO VA Woc",
    ),
    Family(
        "gpt-6-sol, gpt-6-luna, gpt-6.1-terra",
        r"(?<![a-z0-9])gpt-(?:6-(?:sol|luna)|6\.1-terra)",
        "gpt-6-sol",
        {
            **_LASTING,
            **_SAMPLES_IF_TOLD,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("none", "low", "medium", "high", "xhigh", "max"),
            "effort_default": "medium",
            "max_output_tokens": 128000,
        },
        "recorded LL LC PO Dodc SO VA Woc",
    ),
    Family(
        "gpt-5.6 (sol, terra, luna)",
        r"(?<![a-z0-9])gpt-5[.-]6(?![0-9])",
        "gpt-5.6-luna",
        {
            **_LASTING,
            **_SAMPLES_IF_TOLD,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("none", "low", "medium", "high", "xhigh", "max"),
            "effort_default": "medium",
            "max_output_tokens": 128000,
        },
        "recorded LL LC PO SO LI Ilk Dodc VA Woc",
    ),
    Family(
        "gpt-5.x-pro (5.2, 5.4, 5.5)",
        r"(?<![a-z0-9])gpt-5\.[245]-pro",
        "gpt-5.4-pro",
        {
            **_NO_BREAKPOINTS,
            **_NEVER_SAMPLES,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("medium", "high", "xhigh"),
            "structured_output": False,
            "max_output_tokens": 128000,
        },
        "recorded LL LC PO Dodc SO VA Woc",
    ),
    Family(
        "gpt-5.5",
        r"(?<![a-z0-9])gpt-5\.5(?!-pro)",
        "gpt-5.5",
        {
            **_LASTING,
            **_NO_BREAKPOINTS,
            **_SAMPLES_IF_TOLD,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("none", "low", "medium", "high", "xhigh"),
            "effort_default": "medium",
            "max_output_tokens": 128000,
        },
        "recorded LL LC PO Dodc SO VA Woc",
    ),
    Family(
        "gpt-5.4 (mini, nano)",
        r"(?<![a-z0-9])gpt-5[.-]4(?!-pro|[0-9])",
        "gpt-5.4-mini",
        {
            **_NO_BREAKPOINTS,
            **_SAMPLES_UNTHINKING,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("none", "low", "medium", "high", "xhigh"),
            "effort_default": "none",
            "max_output_tokens": 128000,
        },
        "recorded LL LC PO Dodc SO VA Woc",
    ),
    Family(
        "gpt-5.3-codex",
        r"(?<![a-z0-9])gpt-5\.3-codex",
        "gpt-5.3-codex",
        {
            **_NO_BREAKPOINTS,
            **_SAMPLES_UNTHINKING,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("none", "low", "medium", "high", "xhigh"),
            "effort_default": "none",
            "max_output_tokens": 128000,
        },
        "recorded LL LC PO Dodc SO VA Woc",
    ),
    Family(
        "gpt-5-codex, 5.1-codex (mini, max), 5.2-codex",
        r"(?<![a-z0-9])gpt-5(?:\.[12])?-codex",
        "gpt-5.1-codex",
        {
            **_MEDIUM_ALONE,
            **_NO_BREAKPOINTS,
            **_NEVER_SAMPLES,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("low", "medium", "high"),
            "max_output_tokens": 128000,
        },
        "recorded LL LC SO PO LI Dodc VA Woc Ivb",
    ),
    Family(
        "gpt-5.1/5.2/5.3-chat",
        r"(?<![a-z0-9])gpt-5\.[123]-chat",
        "gpt-5.2-chat-latest",
        {
            **_NO_BREAKPOINTS,
            **_NEVER_SAMPLES,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("medium",),
            "effort_default": "medium",
            "max_output_tokens": 16384,
        },
        "recorded LL LC SO PO Dodc VA Woc",
    ),
    Family(
        "gpt-5.3",
        r"(?<![a-z0-9])gpt-5\.3",
        "gpt-5.3",
        {
            **_NO_BREAKPOINTS,
            **_SAMPLES_UNTHINKING,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("none", "low", "medium", "high", "xhigh"),
            "effort_default": "none",
        },
        "recorded LL LC PO Dodc SO VA Woc",
    ),
    Family(
        "gpt-5.2",
        r"(?<![a-z0-9])gpt-5[.-]2(?![0-9])",
        "gpt-5.2",
        {
            **_NO_BREAKPOINTS,
            **_SAMPLES_UNTHINKING,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("none", "low", "medium", "high", "xhigh"),
            "effort_default": "none",
            "max_output_tokens": 128000,
        },
        "recorded LL LC PO LLc LI Dodc SO VA Woc",
    ),
    Family(
        "gpt-5.1",
        r"(?<![a-z0-9])gpt-5[.-]1(?![0-9])",
        "gpt-5.1",
        {
            **_NO_BREAKPOINTS,
            **_SAMPLES_UNTHINKING,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("none", "low", "medium", "high"),
            "effort_default": "none",
            "max_output_tokens": 128000,
        },
        "recorded LL LC SO PO LLc LI MP Dodc VA Woc",
    ),
    Family(
        "gpt-5-pro",
        r"(?<![a-z0-9])gpt-5-pro",
        "gpt-5-pro",
        {
            **_NO_BREAKPOINTS,
            **_NEVER_SAMPLES,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("high",),
            "effort_default": "high",
            "max_output_tokens": 272000,
        },
        "recorded LL LC SO Ipro PO Dodc VA Woc",
    ),
    Family(
        "gpt-5-chat",
        r"(?<![a-z0-9])gpt-5-chat",
        "gpt-5-chat-latest",
        {
            **_MEDIUM_ALONE,
            **_NO_BREAKPOINTS,
            **_NO_AUDIO,
            **_NEVER_REASONS,
            "max_output_tokens": 16384,
            "reasoning_summary": "refuse",
        },
        "recorded LL LC SO PO VA Dodc Isum Woc Ivb",
    ),
    Family(
        "gpt-5 (mini, nano)",
        r"(?<![a-z0-9])gpt-5(?![.0-9]|-[0-9](?![0-9]))",
        "gpt-5-mini",
        {
            **_NO_BREAKPOINTS,
            **_NEVER_SAMPLES,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("minimal", "low", "medium", "high"),
            "effort_default": "medium",
            "max_output_tokens": 128000,
        },
        "recorded LL LC SO PO MP Iq5 LI Dodc VA Woc",
    ),
    Family(
        "gpt-4.1 (mini, nano)",
        r"(?<![a-z0-9])gpt-4\.1",
        "gpt-4.1-mini",
        {**_MEDIUM_ALONE, **_NO_BREAKPOINTS, **_NO_AUDIO, **_NEVER_REASONS, "max_output_tokens": 32768},
        "recorded LL LC PO Dodc SO VA Woc Ivb",
    ),
    Family(
        "gpt-4o (mini)",
        r"(?<![a-z0-9])gpt-4o",
        "gpt-4o-mini",
        {**_BEFORE_5, **_NO_BREAKPOINTS, **_NO_AUDIO, **_NEVER_REASONS, "max_output_tokens": 16384},
        "recorded LL LC PO Dodc SO VA Woc Ivb Ipc",
    ),
    Family(
        "gpt-4",
        r"(?<![a-z0-9])gpt-4(?![.o0-9])",
        "gpt-4",
        {
            **_BEFORE_5,
            **_NO_BREAKPOINTS,
            **_NO_AUDIO,
            **_NEVER_REASONS,
            "structured_output": False,
            "image_input": False,
            "pdf_input": False,
            "max_output_tokens": 8192,
        },
        "recorded LL LC SO PO Dodc VA Woc Ivb Ipc",
    ),
    Family(
        "gpt-3.5-turbo",
        r"(?<![a-z0-9])gpt-3\.?5-turbo",
        "gpt-3.5-turbo",
        {
            **_BEFORE_5,
            **_NO_BREAKPOINTS,
            **_NO_AUDIO,
            **_NEVER_REASONS,
            "structured_output": False,
            "image_input": False,
            "pdf_input": False,
            "max_output_tokens": 4096,
        },
        "recorded LL LC SO PO Dodc VA Woc Ivb Ipc",
    ),
    Family(
        "o1-pro",
        r"(?:^|[/.:])o1-pro",
        "o1-pro",
        {
            **_BEFORE_5,
            **_NO_BREAKPOINTS,
            **_NEVER_SAMPLES,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("low", "medium", "high"),
            "effort_default": "medium",
            "parallel_tool_calls": "refuse",
            "max_output_tokens": 100000,
            "reasoning_summary": "refuse",
        },
        "recorded LL LC Ipt PO LLc Dodc SO VA Isum Woc Ivb Ipc",
    ),
    Family(
        "o3-pro, o3/o4 deep-research",
        r"(?:^|[/.:])o(?:3-pro|[34](?:-mini)?-deep-research)",
        "o3-pro",
        {
            **_BEFORE_5,
            **_NO_BREAKPOINTS,
            **_NEVER_SAMPLES,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("low", "medium", "high"),
            "effort_default": "medium",
            "parallel_tool_calls": "refuse",
            "max_output_tokens": 100000,
        },
        "recorded LL LC Ipt PO LLc Dodc SO VA Isum Woc Ivb Ipc",
    ),
    Family(
        "o3-mini",
        r"(?:^|[/.:])o3-mini",
        "o3-mini",
        {
            **_BEFORE_5,
            **_NO_BREAKPOINTS,
            **_NEVER_SAMPLES,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("low", "medium", "high"),
            "effort_default": "medium",
            "parallel_tool_calls": "refuse",
            "image_input": False,
            "max_output_tokens": 100000,
        },
        "recorded LL LC SO Ipt PO LLc LI Dodc VA Woc Ivb Ipc",
    ),
    Family(
        "o1, o3, o4-mini",
        r"(?:^|[/.:])o(?:1|3|4-mini)(?=$|-[0-9])",
        "o4-mini",
        {
            **_BEFORE_5,
            **_NO_BREAKPOINTS,
            **_NEVER_SAMPLES,
            **_NO_AUDIO,
            **_REASONS,
            "efforts": ("low", "medium", "high"),
            "effort_default": "medium",
            "parallel_tool_calls": "refuse",
            "max_output_tokens": 100000,
        },
        "recorded LL LC SO Ipt PO Io4 LI LLc Dodc VA Woc Ivb Ipc",
    ),
    Family(
        "gpt, any other (newer than this table)",
        r"(?<![a-z0-9])gpt-(?:[6-9]|[1-9][0-9])|(?:^|[/:.])o[4-9](?=$|-)",
        "gpt-7",
        {
            **_NO_BREAKPOINTS,
            **_SAMPLES_IF_TOLD,
            **_REASONS,
            "efforts": ("none", "low", "medium", "high", "xhigh"),
            "effort_default": "medium",
            "max_output_tokens": 128000,
        },
        "PO",
    ),
    Family(
        "computer-use-preview",
        r"computer-use-preview",
        "computer-use-preview",
        {"truncation": "auto"},
        "recorded LL",
    ),
    Family(
        "gpt-oss",
        r"gpt-oss",
        "gpt-oss:20b",
        {"efforts": ("low", "medium", "high"), "image_input": False},
        "PX",
    ),
    Family(
        "grok-4.6, 4.7 (xAI Responses)",
        r"grok-4\.[67]",
        "grok-4.6",
        {"efforts": ("low", "medium", "high", "xhigh"), **_XAI},
        "PX Dxr Ixt Ixw Ixn",
    ),
    Family(
        "grok-4.5, 5, grok-build (xAI Responses)",
        r"grok-(?:4\.[5-9](?![0-9])|[5-9]|build-latest)",
        "grok-4.5",
        {"efforts": ("low", "medium", "high"), **_XAI},
        "PX Dxr Ixt Ixw Ixn",
    ),
    Family(
        "grok-4.20, grok-code, grok-build (xAI Responses)",
        r"grok-(?:4\.20(?!-multi)|code|build)",
        "grok-4.20-0309-reasoning",
        {"efforts": (), "thinking": "unsaid", **_XAI},
        "PX Ixe Ixt Ixw Ixn",
    ),
    Family(
        "grok (xAI Responses)",
        r"grok",
        "grok-4",
        {"efforts": ("none", "low", "medium", "high"), **_XAI},
        "PX Ixt Ixw Ixn",
    ),
    Family(
        "deepseek-v4 (Responses)",
        r"deepseek",
        "deepseek-v4-flash",
        {},
        "recorded PO",
    ),
    Family(
        "gemini, qwen and others through a gateway",
        r"(?:gemini|qwen)",
        "qwen3-max",
        {},
        "LL",
    ),
)
