"""The model families of Responses: what each accepts, refuses or requires.

Data only; the first pattern found in a model name, ignoring case, applies. The members are explained in
docs/families.md. State of 2026-11-22; the words of the last column stand in `docs/family_sources.tsv`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

_SAMPLING: Final = ("temperature", "top_p", "logprobs")
# Only default sampling.
_NEVER_SAMPLES: Final[Mapping[str, Any]] = {"temperature": "default_only", "top_p": "refuse", "logprobs": "refuse"}
# Sampling settings only without reasoning, which is the default.
_SAMPLES_UNTHINKING: Final[Mapping[str, Any]] = dict.fromkeys(_SAMPLING, "only_if_effort_none_or_absent")
# Sampling settings only if reasoning is switched off.
_SAMPLES_IF_TOLD: Final[Mapping[str, Any]] = dict.fromkeys(_SAMPLING, "only_if_effort_none")
# No audio.
_NO_AUDIO: Final[Mapping[str, Any]] = {"audio_input": False}
# Cache breakpoints are accepted from gpt-5.6 on.
_NO_BREAKPOINTS: Final[Mapping[str, Any]] = {"cache_breakpoints": "refuse"}
# Whether `include` may ask for encrypted reasoning.
_REASONS: Final[Mapping[str, Any]] = {"encrypted_reasoning": "accept"}
_NEVER_REASONS: Final[Mapping[str, Any]] = {
    **_NO_BREAKPOINTS, **_NO_AUDIO, "encrypted_reasoning": "refuse", "efforts": ()
}  # fmt: skip
# A cache lasts a day from gpt-5.5 on.
_LASTING: Final[Mapping[str, Any]] = {"short_cache": "refuse"}
# No other `verbosity` than medium; and models before GPT-5 keep no cache for a day.
_MEDIUM_ALONE: Final[Mapping[str, Any]] = {"verbosity": "medium_only"}
_BEFORE_5: Final[Mapping[str, Any]] = {**_MEDIUM_ALONE, "long_cache": "refuse"}

_TO_HIGH: Final = ("low", "medium", "high")
_TO_XHIGH: Final = ("none", *_TO_HIGH, "xhigh")
_MEDIUM: Final[Mapping[str, Any]] = {"effort_default": "medium"}
_REASONS_AT_LENGTH: Final[Mapping[str, Any]] = {**_NO_AUDIO, **_REASONS, "max_output_tokens": 128000}
# gpt-5 and its variants; from 5.1 on models do not reason by default, from 5.5 on they do again.
_GPT_5: Final[Mapping[str, Any]] = {**_NO_BREAKPOINTS, **_NEVER_SAMPLES, **_REASONS_AT_LENGTH}
_GPT_5_1: Final[Mapping[str, Any]] = {
    **_NO_BREAKPOINTS, **_SAMPLES_UNTHINKING, **_REASONS_AT_LENGTH, "efforts": _TO_XHIGH, "effort_default": "none"
}  # fmt: skip
_GPT_5_5: Final[Mapping[str, Any]] = {**_LASTING, **_SAMPLES_IF_TOLD, **_REASONS_AT_LENGTH, **_MEDIUM}
_GPT_5_6: Final[Mapping[str, Any]] = {**_GPT_5_5, "efforts": (*_TO_XHIGH, "max")}
# The models o1 to o4.
_O: Final[Mapping[str, Any]] = {
    **_BEFORE_5, **_NO_BREAKPOINTS, **_NEVER_SAMPLES, **_NO_AUDIO, **_REASONS, "efforts": _TO_HIGH, **_MEDIUM,
    "parallel_tool_calls": "refuse", "max_output_tokens": 100000,
}  # fmt: skip
# The oldest models read only text, and follow no schema.
_TEXTS: Final[Mapping[str, Any]] = {
    **_BEFORE_5, **_NEVER_REASONS, "structured_output": False, "image_input": False, "pdf_input": False
}  # fmt: skip

_XAI: Final[Mapping[str, Any]] = {
    "served_tool_choice": "by_word", "live_search": "unsaid", "custom_tools": "refuse", "namespace_tools": "refuse",
    "tool_approval": "unsaid",
}  # fmt: skip
FAMILIES: Final[tuple[Family, ...]] = (
    Family("gpt-6-astra, gpt-6.1-sol, gpt-6-rosalind",
        r"(?<![a-z0-9])gpt-(?:6-astra|6[.-]1-sol|6-rosalind)", "gpt-6-astra",
        {**_GPT_5_5, **dict.fromkeys(_SAMPLING, "refuse"), "efforts": (*_TO_HIGH, "xhigh", "max")},
        "recorded LL LC PO Dodc SO VA Woc"),
    Family("gpt-6-sol, gpt-6-luna, gpt-6.1-terra", r"(?<![a-z0-9])gpt-(?:6-(?:sol|luna)|6[.-]1-terra)", "gpt-6-sol",
        _GPT_5_6, "recorded LL LC PO Dodc SO VA Woc"),
    Family("gpt-5.6 (sol, terra, luna)", r"(?<![a-z0-9])gpt-5[.-]6(?![0-9])", "gpt-5.6-luna",
        _GPT_5_6, "recorded LL LC PO SO LI Ilk Dodc VA Woc"),
    Family("gpt-5.x-pro (5.2, 5.4, 5.5)", r"(?<![a-z0-9])gpt-5[.-][245]-pro", "gpt-5.4-pro",
        {**_GPT_5, "efforts": ("medium", "high", "xhigh"), "structured_output": False},
        "recorded LL LC PO Dodc SO VA Woc"),
    Family("gpt-5.5", r"(?<![a-z0-9])gpt-5[.-]5(?!-pro|[0-9])", "gpt-5.5",
        {**_NO_BREAKPOINTS, **_GPT_5_5, "efforts": _TO_XHIGH}, "recorded LL LC PO Dodc SO VA Woc"),
    Family("gpt-5.4 (mini, nano)", r"(?<![a-z0-9])gpt-5[.-]4(?!-pro|[0-9])", "gpt-5.4-mini",
        _GPT_5_1, "recorded LL LC PO Dodc SO VA Woc"),
    Family("gpt-5.3-codex", r"(?<![a-z0-9])gpt-5[.-]3-codex", "gpt-5.3-codex",
        _GPT_5_1, "recorded LL LC PO Dodc SO VA Woc"),
    Family("gpt-5-codex, 5.1-codex (mini, max), 5.2-codex", r"(?<![a-z0-9])gpt-5(?:[.-][12])?-codex", "gpt-5.1-codex",
        {**_MEDIUM_ALONE, **_GPT_5, "efforts": _TO_HIGH}, "recorded LL LC SO PO LI Dodc VA Woc Ivb"),
    Family("gpt-5.1/5.2/5.3-chat", r"(?<![a-z0-9])gpt-5[.-][123]-chat", "gpt-5.2-chat-latest",
        {**_GPT_5, "efforts": ("medium",), **_MEDIUM, "max_output_tokens": 16384}, "recorded LL LC SO PO Dodc VA Woc"),
    Family("chat-latest, gpt-chat-latest", r"(?:^|/)(?:gpt-)?chat-latest$", "chat-latest",
        {**_NEVER_SAMPLES, **_REASONS_AT_LENGTH, "efforts": ("medium",), **_MEDIUM}, "LL2 Dlm"),
    Family("gpt-5.3", r"(?<![a-z0-9])gpt-5[.-]3(?![0-9])", "gpt-5.3",
        {name: said for name, said in _GPT_5_1.items() if name != "max_output_tokens"},
        "recorded LL LC PO Dodc SO VA Woc"),
    Family("gpt-5.2", r"(?<![a-z0-9])gpt-5[.-]2(?![0-9])", "gpt-5.2",
        _GPT_5_1, "recorded LL LC PO LLc LI Dodc SO VA Woc"),
    Family("gpt-5.1", r"(?<![a-z0-9])gpt-5[.-]1(?![0-9])", "gpt-5.1",
        {**_GPT_5_1, "efforts": ("none", *_TO_HIGH)}, "recorded LL LC SO PO LLc LI MP Dodc VA Woc"),
    Family("gpt-5-pro", r"(?<![a-z0-9])gpt-5-pro", "gpt-5-pro",
        {**_GPT_5, "efforts": ("high",), "effort_default": "high", "max_output_tokens": 272000},
        "recorded LL LC SO Ipro PO Dodc VA Woc"),
    Family("gpt-5-chat", r"(?<![a-z0-9])gpt-5-chat", "gpt-5-chat-latest",
        {**_MEDIUM_ALONE, **_NEVER_REASONS, "max_output_tokens": 16384, "reasoning_summary": "refuse"},
        "recorded LL LC SO PO VA Dodc Isum Woc Ivb"),
    Family("gpt-5 (mini, nano)", r"(?<![a-z0-9])gpt-5(?![.0-9]|-[0-9](?![0-9]))", "gpt-5-mini",
        {**_GPT_5, "efforts": ("minimal", *_TO_HIGH), **_MEDIUM}, "recorded LL LC SO PO MP Iq5 LI Dodc VA Woc"),
    Family("gpt-4.1 (mini, nano)", r"(?<![a-z0-9])gpt-4[.-]1(?![0-9])", "gpt-4.1-mini",
        {**_MEDIUM_ALONE, **_NEVER_REASONS, "max_output_tokens": 32768}, "recorded LL LC PO Dodc SO VA Woc Ivb"),
    Family("gpt-4o-2024-05-13", r"(?<![a-z0-9])gpt-4o-2024-05-13", "gpt-4o-2024-05-13",
        {**_BEFORE_5, **_NO_BREAKPOINTS, **_NO_AUDIO, **_NEVER_REASONS, "structured_output": False,
         "max_output_tokens": 4096}, "LL LC PO Dodc SO VA Woc Ivb Ipc Dost"),
    Family("gpt-4o (mini)", r"(?<![a-z0-9])gpt-4o", "gpt-4o-mini",
        {**_BEFORE_5, **_NEVER_REASONS, "max_output_tokens": 16384}, "recorded LL LC PO Dodc SO VA Woc Ivb Ipc"),
    Family("gpt-4-turbo, gpt-4-vision, gpt-4-0125, gpt-4-1106",
        r"(?<![a-z0-9])gpt-4-(?:turbo|vision|0125|1106)", "gpt-4-turbo",
        {**_BEFORE_5, **_NO_BREAKPOINTS, **_NO_AUDIO, **_NEVER_REASONS, "structured_output": False, "pdf_input": False,
         "max_output_tokens": 4096}, "LL LC SO PO Dodc VA Woc Ivb Ipc"),
    Family("gpt-4", r"(?<![a-z0-9])gpt-4(?![.o0-9])", "gpt-4",
        {**_TEXTS, "max_output_tokens": 8192}, "recorded LL LC SO PO Dodc VA Woc Ivb Ipc"),
    Family("gpt-3.5-turbo", r"(?<![a-z0-9])gpt-3\.?5-turbo", "gpt-3.5-turbo",
        {**_TEXTS, "max_output_tokens": 4096}, "recorded LL LC SO PO Dodc VA Woc Ivb Ipc"),
    Family("o1-pro", r"(?:^|[/.:])o1-pro", "o1-pro",
        {**_O, "reasoning_summary": "refuse"}, "recorded LL LC Ipt PO LLc Dodc SO VA Isum Woc Ivb Ipc"),
    Family("o3-pro, o3/o4 deep-research", r"(?:^|[/.:])o(?:3-pro|[34](?:-mini)?-deep-research)", "o3-pro",
        _O, "recorded LL LC Ipt PO LLc Dodc SO VA Isum Woc Ivb Ipc"),
    Family("o3-mini", r"(?:^|[/.:])o3-mini", "o3-mini",
        {**_O, "image_input": False}, "recorded LL LC SO Ipt PO LLc LI Dodc VA Woc Ivb Ipc"),
    Family("o1, o3, o4-mini", r"(?:^|[/.:])o(?:1|3|4-mini)(?=$|:|-[0-9]|-high)", "o4-mini",
        _O, "recorded LL LC SO Ipt PO Io4 LI LLc Dodc VA Woc Ivb Ipc"),
    Family("gpt, any other (newer than this table)",
        r"(?<![a-z0-9])gpt-(?:[6-9]|[1-9][0-9])|(?:^|[/:.])o[4-9](?=$|-)", "gpt-7",
        {**_NO_BREAKPOINTS, **_SAMPLES_IF_TOLD, **_REASONS, "efforts": _TO_XHIGH, **_MEDIUM,
         "max_output_tokens": 128000}, "PO"),
    Family("computer-use-preview", r"computer-use-preview", "computer-use-preview",
        {"truncation": "auto"}, "recorded LL"),
    Family("gpt-oss", r"gpt-oss", "gpt-oss:20b", {"efforts": _TO_HIGH, "image_input": False}, "PX"),
    Family("grok-4.6, 4.7 (xAI Responses)", r"grok-4[.-][67]", "grok-4.6",
        {"efforts": (*_TO_HIGH, "xhigh"), **_XAI}, "PX Dxr Ixt Ixw Ixn Dxm"),
    Family("grok-4.5, 5, grok-build (xAI Responses)", r"grok-(?:4[.-][5-9](?![0-9])|[5-9]|build-latest)", "grok-4.5",
        {"efforts": _TO_HIGH, **_XAI}, "PX Dxr Ixt Ixw Ixn Dxm"),
    Family("grok-4.20, grok-code, grok-build (xAI Responses)",
        r"grok-(?:4\.20(?!-multi)|code|build)", "grok-4.20-0309-reasoning",
        {"efforts": (), "thinking": "unsaid", **_XAI}, "PX Ixe Ixt Ixw Ixn Dxm"),
    Family("grok-3-mini (xAI Responses)", r"grok-3-mini", "grok-3-mini",
        {"efforts": ("none", "low", "high"), **_XAI}, "recorded PX Ixt Ixw Ixn Dxm"),
    Family("grok (xAI Responses)", r"grok", "grok-4", {"efforts": ("none", *_TO_HIGH), **_XAI}, "PX Ixt Ixw Ixn Dxm"),
    Family("muse-spark (Meta's Responses)", r"(?<![a-z0-9])muse-spark", "muse-spark-1.3",
        {"efforts": ("minimal", *_TO_HIGH, "xhigh")}, "Imsp"),
    Family("deepseek-v4 (Responses)", r"deepseek", "deepseek-v4-flash", {}, "recorded PO"),
    Family("gemini, qwen and others through a gateway", r"(?:gemini|qwen)", "qwen3-max", {}, "LL"),
)  # fmt: skip
