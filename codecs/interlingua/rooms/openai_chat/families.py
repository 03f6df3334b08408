"""The model families of Chat Completions: what each takes, refuses or demands.

Data only; the first pattern found in a model's name, ignoring case, applies. The facts are listed in docs/families.md.
State of 2026-11-22; the words of the last column stand in `docs/family_sources.tsv`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms.openai_chat.families_hosted import HOSTED
from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

# Cache marks exist from gpt-5.6 on, and the cache always lasts a day from gpt-5.5 on.
_NO_BREAKPOINTS: Final[Mapping[str, Any]] = {"cache_breakpoints": "refuse"}
_LASTING: Final[Mapping[str, Any]] = {"short_cache": "refuse"}
# No `verbosity` but the default; models before GPT-5 do not keep a cache for a day.
_MEDIUM_ALONE: Final[Mapping[str, Any]] = {"verbosity": "medium_only", **_NO_BREAKPOINTS}
_BEFORE_5: Final[Mapping[str, Any]] = {"verbosity": "medium_only", "long_cache": "refuse", **_NO_BREAKPOINTS}
# Reasoning models.
_REASONS: Final[Mapping[str, Any]] = {"penalties": "refuse", "stop": "refuse", "max_tokens_member": "refuse"}
# No audio input, no web search.
_NO_SEARCH_AUDIO: Final[Mapping[str, Any]] = {"audio_input": False, "web_search_options": "refuse"}
# Only the default sampling settings.
_NEVER_SAMPLES: Final[Mapping[str, Any]] = {
    "temperature": "default_only", "top_p": "refuse", "logprobs": "refuse", **_NO_SEARCH_AUDIO
}  # fmt: skip
_SAMPLING: Final = ("temperature", "top_p", "logprobs")
_EFFORTS: Final = ("none", "low", "medium", "high", "xhigh")
# Sampling settings and functions only with the effort none.
_SAMPLES_IF_TOLD: Final[Mapping[str, Any]] = {
    **_REASONS, **dict.fromkeys((*_SAMPLING, "function_tools"), "only_if_effort_none"), "efforts": _EFFORTS,
    "effort_default": "medium", "max_output_tokens": 128000,
}  # fmt: skip
# Sampling settings only without reasoning, which is the default.
_SAMPLES_UNTHINKING: Final[Mapping[str, Any]] = {
    **_NO_BREAKPOINTS, **_REASONS, **dict.fromkeys(_SAMPLING, "only_if_effort_none_or_absent"), **_NO_SEARCH_AUDIO,
    "efforts": _EFFORTS, "effort_default": "none",
}  # fmt: skip
# The same, also for functions.
_CALLS_UNTHINKING: Final[Mapping[str, Any]] = {
    **_SAMPLES_UNTHINKING, "function_tools": "only_if_effort_none_or_absent", "max_output_tokens": 128000
}  # fmt: skip
# Searches for each answer, and accepts no sampling settings.
_SEARCHES: Final[Mapping[str, Any]] = {
    "efforts": (),
    **dict.fromkeys(("temperature", "top_p", "penalties", "logprobs", "stop", "function_tools"), "refuse"),
    "audio_input": False,
}
# Neither structured output nor PDF input.
_PLAIN: Final[Mapping[str, Any]] = {"efforts": (), "structured_output": False, "pdf_input": False}
# Only served by Responses.
_ELSEWHERE: Final[Mapping[str, Any]] = {"served": False}

FAMILIES: Final[tuple[Family, ...]] = (
    Family("gpt-6-astra, gpt-6.1-sol, gpt-6-rosalind",
        r"(?<![a-z0-9])gpt-(?:6-astra|6[.-]1-sol|6-rosalind)", "gpt-6-astra",
        {**_LASTING, **_REASONS, **_NO_SEARCH_AUDIO, "efforts": ("low", "medium", "high", "xhigh"),
         "effort_default": "medium", "temperature": "refuse", "top_p": "refuse", "logprobs": "refuse",
         "function_tools": "refuse", "max_output_tokens": 128000}, "recorded LL LC PO Dodc LLc SO LI VA Woc"),
    Family("gpt-6-sol, gpt-6-luna, gpt-6.1-terra", r"(?<![a-z0-9])gpt-(?:6-(?:sol|luna)|6[.-]1-terra)", "gpt-6-sol",
        {**_LASTING, **_NO_SEARCH_AUDIO, **_SAMPLES_IF_TOLD}, "recorded LL LC PO Dodc LLc SO LI VA Woc"),
    Family("gpt-5.6 (sol, terra, luna)", r"(?<![a-z0-9])gpt-5[.-]6(?![0-9])", "gpt-5.6-luna",
        {**_LASTING, **_NO_SEARCH_AUDIO, **_SAMPLES_IF_TOLD}, "recorded LL LC PO SO LI LLc Ilk Iln VA Woc"),
    Family("gpt-5.x-pro (5.2, 5.4, 5.5)", r"(?<![a-z0-9])gpt-5[.-][245]-pro", "gpt-5.4-pro", _ELSEWHERE, "LL Ipro"),
    Family("gpt-5.5", r"(?<![a-z0-9])gpt-5[.-]5(?!-pro|[0-9])", "gpt-5.5",
        {**_LASTING, **_NO_BREAKPOINTS, **_NO_SEARCH_AUDIO, **_SAMPLES_IF_TOLD},
        "recorded LL LC PO LLc SO LI Icr VA Woc"),
    Family("gpt-5.4 (mini, nano)", r"(?<![a-z0-9])gpt-5[.-]4(?!-pro|[0-9])", "gpt-5.4-mini",
        _CALLS_UNTHINKING, "recorded LL LC PO LLc SO LI VA Woc"),
    Family("gpt-5.3-codex", r"(?<![a-z0-9])gpt-5[.-]3-codex", "gpt-5.3-codex", _ELSEWHERE, "LL Ipro"),
    Family("gpt-5-codex, 5.1-codex (mini, max), 5.2-codex", r"(?<![a-z0-9])gpt-5(?:[.-][12])?-codex", "gpt-5.1-codex",
        _ELSEWHERE, "LL Ipro SO"),
    Family("gpt-5.1/5.2/5.3-chat", r"(?<![a-z0-9])gpt-5[.-][123]-chat", "gpt-5.2-chat-latest",
        {**_NO_BREAKPOINTS, **_REASONS, **_NEVER_SAMPLES, "efforts": ("medium",), "effort_default": "medium",
         "max_output_tokens": 16384}, "recorded LL LC SO PO LLc LI VA Woc"),
    Family("chat-latest, gpt-chat-latest", r"(?:^|/)(?:gpt-)?chat-latest$", "chat-latest",
        {**_REASONS, **_NEVER_SAMPLES, "efforts": ("medium",), "effort_default": "medium", "max_output_tokens": 128000},
        "LL2 Dlm"),
    Family("gpt-5.3", r"(?<![a-z0-9])gpt-5[.-]3(?![0-9])", "gpt-5.3",
        _SAMPLES_UNTHINKING, "recorded LL LC PO LLc SO LI VA Woc"),
    Family("gpt-5.2", r"(?<![a-z0-9])gpt-5[.-]2(?![0-9])", "gpt-5.2",
        _CALLS_UNTHINKING, "recorded LL LC PO LLc SO LI Ilk VA Woc"),
    Family("gpt-5.1", r"(?<![a-z0-9])gpt-5[.-]1(?![0-9])", "gpt-5.1",
        {**_SAMPLES_UNTHINKING, "efforts": _EFFORTS[:-1], "max_output_tokens": 128000},
        "recorded LL LC SO PO LLc LI MP VA Woc"),
    Family("gpt-5-pro", r"(?<![a-z0-9])gpt-5-pro", "gpt-5-pro", _ELSEWHERE, "LL Ipro SO"),
    Family("gpt-5-chat", r"(?<![a-z0-9])gpt-5-chat", "gpt-5-chat-latest",
        {**_MEDIUM_ALONE, **_NO_SEARCH_AUDIO, "efforts": (), "max_output_tokens": 16384}, "LL LC SO PO VA LLc Woc Ivb"),
    Family("gpt-5-search-api", r"(?<![a-z0-9])gpt-5-search", "gpt-5-search-api",
        {**_NO_BREAKPOINTS, **_SEARCHES, "max_output_tokens": 128000}, "LL LC LLc PO SO VA Woc"),
    Family("gpt-5 (mini, nano)", r"(?<![a-z0-9])gpt-5(?![.0-9]|-[0-9](?![0-9]))", "gpt-5-mini",
        {**_NO_BREAKPOINTS, **_REASONS, **_NEVER_SAMPLES, "efforts": ("minimal", "low", "medium", "high"),
         "effort_default": "medium", "max_output_tokens": 128000}, "recorded LL LC SO PO MP Iq5 LLc LI VA Woc"),
    Family("gpt-audio, gpt-4o-audio", r"(?<![a-z0-9])gpt-(?:audio|4o(?:-mini)?-audio)", "gpt-4o-audio-preview",
        {**_BEFORE_5, "efforts": (), "logprobs": "refuse", "structured_output": False, "json_mode": "refuse",
         "needs_sound": True, "image_input": False, "max_output_tokens": 16384, "web_search_options": "refuse"},
        "recorded LL LC Iau PO LLc MG SO VA Woc Ivb Ipc"),
    Family("gpt-4o-search-preview", r"(?<![a-z0-9])gpt-4o(?:-mini)?-search", "gpt-4o-search-preview",
        {**_BEFORE_5, **_SEARCHES, "max_output_tokens": 16384}, "recorded LL LC SO LLc PO VA Woc Ivb Ipc"),
    Family("gpt-4.5-preview", r"(?<![a-z0-9])gpt-4\.5", "gpt-4.5-preview",
        {**_MEDIUM_ALONE, **_NO_SEARCH_AUDIO, "efforts": (), "max_output_tokens": 16384}, "LL LC SO PO LLc VA Woc Ivb"),
    Family("gpt-4.1 (mini, nano)", r"(?<![a-z0-9])gpt-4[.-]1(?![0-9])", "gpt-4.1-mini",
        {**_MEDIUM_ALONE, **_NO_SEARCH_AUDIO, "efforts": (), "max_output_tokens": 32768}, "LL LC PO LLc SO VA Woc Ivb"),
    Family("gpt-4o-2024-05-13", r"(?<![a-z0-9])gpt-4o-2024-05-13", "gpt-4o-2024-05-13",
        {**_BEFORE_5, **_NO_BREAKPOINTS, **_NO_SEARCH_AUDIO, "efforts": (), "structured_output": False,
         "max_output_tokens": 4096}, "LL LC PO LLc SO VA Woc Ivb Ipc Dost"),
    Family("gpt-4o (mini)", r"(?<![a-z0-9])gpt-4o", "gpt-4o-mini",
        {**_BEFORE_5, **_NO_SEARCH_AUDIO, "efforts": (), "max_output_tokens": 16384},
        "recorded LL LC PO LLc SO VA Woc Ivb Ipc"),
    Family("gpt-4-turbo, gpt-4-vision, gpt-4-0125, gpt-4-1106",
        r"(?<![a-z0-9])gpt-4-(?:turbo|vision|0125|1106)", "gpt-4-turbo",
        {**_BEFORE_5, **_NO_SEARCH_AUDIO, **_PLAIN, "max_output_tokens": 4096}, "LL LC SO PO LLc VA Woc Ivb Ipc"),
    Family("gpt-4", r"(?<![a-z0-9])gpt-4(?![.o0-9])", "gpt-4",
        {**_BEFORE_5, **_NO_SEARCH_AUDIO, **_PLAIN, "image_input": False, "max_output_tokens": 8192},
        "LL LC SO PO LLc VA Woc Ivb Ipc"),
    Family("gpt-3.5-turbo", r"(?<![a-z0-9])gpt-3\.?5-turbo", "gpt-3.5-turbo",
        {**_BEFORE_5, **_NO_SEARCH_AUDIO, **_PLAIN, "image_input": False, "max_output_tokens": 4096},
        "LL LC SO PO LLc VA Woc Ivb Ipc"),
    Family("o1-pro, o3-pro, o3/o4 deep-research", r"(?:^|[/.:])o(?:[13]-pro|[34](?:-mini)?-deep-research)", "o3-pro",
        _ELSEWHERE, "LL Ipro"),
    Family("o1-mini, o1-preview", r"(?:^|[/.:])o1-(?:mini|preview)", "o1-mini",
        {**_BEFORE_5, **_REASONS, **_NEVER_SAMPLES, "efforts": (), "function_tools": "refuse",
         "parallel_tool_calls": "refuse", "developer_role": "refuse", "system_role": "refuse",
         "structured_output": False, "image_input": False, "pdf_input": False, "max_output_tokens": 65536},
        "recorded LL LC SO Ipt LLc PO LI MP VA Woc Ivb Ipc"),
    Family("o3-mini", r"(?:^|[/.:])o3-mini", "o3-mini",
        {**_BEFORE_5, **_NEVER_SAMPLES, "efforts": ("low", "medium", "high"), "effort_default": "medium",
         "penalties": "refuse", "parallel_tool_calls": "refuse", "max_tokens_member": "refuse", "image_input": False,
         "max_output_tokens": 100000}, "recorded LL LC SO Ipt PO LLc LI VA Woc Ivb Ipc"),
    Family("o1, o3, o4-mini", r"(?:^|[/.:])o(?:1|3|4-mini)(?=$|:|-[0-9]|-high)", "o4-mini",
        {**_BEFORE_5, **_REASONS, **_NEVER_SAMPLES, "efforts": ("low", "medium", "high"), "effort_default": "medium",
         "parallel_tool_calls": "refuse", "max_output_tokens": 100000},
        "recorded LL LC SO Ipt PO Io4 LI LLc VA Woc Ivb Ipc"),
    Family("gpt, any other (newer than this table)",
        r"(?<![a-z0-9])gpt-(?:[6-9]|[1-9][0-9])|(?:^|[/:.])o[4-9](?=$|-)", "gpt-7",
        {**_NO_BREAKPOINTS, "audio_input": False, **_SAMPLES_IF_TOLD, "function_tools": "accept"}, "PO"),
    *HOSTED,
)  # fmt: skip
