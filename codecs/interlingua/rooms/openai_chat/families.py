"""The model families of Chat Completions: what each takes, refuses or demands.

Data only; the first pattern found in a model's name, ignoring case, applies. The facts are listed in docs/families.md.
State of 2026-11-22; the words of the last column stand in `docs/family_sources.tsv`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.openai_families import BEFORE_5, MEDIUM_ALONE, NEVER_SAMPLES, NO_BREAKPOINTS, of_openai
from interlingua.rooms.openai_chat.families_hosted import HOSTED
from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

_NO_SEARCH: Final[Mapping[str, Any]] = {"web_search_options": "refuse"}
# Reasoning models: some accept functions only without reasoning, which is the default of some.
_REASONS: Final[Mapping[str, Any]] = {
    "penalties": "refuse", "stop": "refuse", "max_tokens_member": "refuse", **_NO_SEARCH
}  # fmt: skip
_CALLS_IF_TOLD: Final[Mapping[str, Any]] = {**_REASONS, "function_tools": "only_if_effort_none"}
_CALLS_UNTHINKING: Final[Mapping[str, Any]] = {**_REASONS, "function_tools": "only_if_effort_none_or_absent"}
# Searches for each answer, and accepts no sampling settings.
_SEARCHES: Final[Mapping[str, Any]] = {
    "efforts": (),
    **dict.fromkeys(("temperature", "top_p", "penalties", "logprobs", "stop", "function_tools"), "refuse"),
    "audio_input": False,
}
# Only served by Responses.
_ELSEWHERE: Final[Mapping[str, Any]] = {"served": False}

FAMILIES: Final[tuple[Family, ...]] = (
    of_openai("gpt-6-astra, gpt-6.1-sol, gpt-6-rosalind",
        {**_REASONS, "function_tools": "only_in_responses"}, "recorded LL LC PO Dodc LLc SO LI VA Woc D62 Igr6"),
    of_openai("gpt-6-sol, gpt-6-luna, gpt-6.1-terra", _CALLS_IF_TOLD, "recorded LL LC PO Dodc LLc SO LI VA Woc"),
    of_openai("gpt-5.6 (sol, terra, luna)", _CALLS_IF_TOLD, "recorded LL LC PO SO LI LLc Ilk Iln VA Woc"),
    of_openai("gpt-5.x-pro (5.2, 5.4, 5.5)", _ELSEWHERE, "LL Ipro"),
    of_openai("gpt-5.5", _CALLS_IF_TOLD, "recorded LL LC PO LLc SO LI Icr VA Woc"),
    of_openai("gpt-5.4 (mini, nano)", _CALLS_UNTHINKING, "recorded LL LC PO LLc SO LI VA Woc"),
    of_openai("gpt-5.3-codex", _ELSEWHERE, "LL Ipro"),
    of_openai("gpt-5-codex, 5.1-codex (mini, max), 5.2-codex", _ELSEWHERE, "LL Ipro SO"),
    of_openai("gpt-5.1/5.2/5.3-chat", _REASONS, "recorded LL LC SO PO LLc LI VA Woc"),
    of_openai("chat-latest, gpt-chat-latest", _REASONS, "LL2 Dlm"),
    of_openai("gpt-5.3", _REASONS, "recorded LL LC PO LLc SO LI VA Woc"),
    of_openai("gpt-5.2", _CALLS_UNTHINKING, "recorded LL LC PO LLc SO LI Ilk VA Woc"),
    of_openai("gpt-5.1", _REASONS, "recorded LL LC SO PO LLc LI MP VA Woc"),
    of_openai("gpt-5-pro", _ELSEWHERE, "LL Ipro SO"),
    of_openai("gpt-5-chat", _NO_SEARCH, "LL LC SO PO VA LLc Woc Ivb"),
    Family("gpt-5-search-api", r"(?<![a-z0-9])gpt-5-search", "gpt-5-search-api",
        {**NO_BREAKPOINTS, **_SEARCHES, "max_output_tokens": 128000}, "LL LC LLc PO SO VA Woc"),
    of_openai("gpt-5 (mini, nano)", _REASONS, "recorded LL LC SO PO MP Iq5 LLc LI VA Woc"),
    Family("gpt-audio, gpt-4o-audio", r"(?<![a-z0-9])gpt-(?:audio|4o(?:-mini)?-audio)", "gpt-4o-audio-preview",
        {**BEFORE_5, "efforts": (), "logprobs": "refuse", "structured_output": False, "json_mode": "refuse",
         "needs_sound": True, "image_input": False, "max_output_tokens": 16384, "web_search_options": "refuse"},
        "recorded LL LC Iau PO LLc MG SO VA Woc Ivb Ipc"),
    Family("gpt-4o-search-preview", r"(?<![a-z0-9])gpt-4o(?:-mini)?-search", "gpt-4o-search-preview",
        {**BEFORE_5, **_SEARCHES, "max_output_tokens": 16384}, "recorded LL LC SO LLc PO VA Woc Ivb Ipc"),
    Family("gpt-4.5-preview", r"(?<![a-z0-9])gpt-4\.5", "gpt-4.5-preview",
        {**MEDIUM_ALONE, "audio_input": False, **_NO_SEARCH, "efforts": (), "max_output_tokens": 16384},
        "LL LC SO PO LLc VA Woc Ivb"),
    of_openai("gpt-4.1 (mini, nano)", _NO_SEARCH, "LL LC PO LLc SO VA Woc Ivb"),
    of_openai("gpt-4o-2024-05-13", _NO_SEARCH, "LL LC PO LLc SO VA Woc Ivb Ipc Dost"),
    of_openai("gpt-4o (mini)", _NO_SEARCH, "recorded LL LC PO LLc SO VA Woc Ivb Ipc"),
    of_openai("gpt-4-turbo, gpt-4-vision, gpt-4-0125, gpt-4-1106", _NO_SEARCH, "LL LC SO PO LLc VA Woc Ivb Ipc"),
    of_openai("gpt-4", _NO_SEARCH, "LL LC SO PO LLc VA Woc Ivb Ipc"),
    of_openai("gpt-3.5-turbo", _NO_SEARCH, "LL LC SO PO LLc VA Woc Ivb Ipc"),
    Family("o1-pro, o3-pro, o3/o4 deep-research",
        r"(?:^|[/.:])(?:o(?:[13]-pro|[34](?:-mini)?-deep-research)|computer-use)", "o3-pro", _ELSEWHERE, "LL Ipro"),
    Family("o1-mini, o1-preview", r"(?:^|[/.:]|openai-)o1-(?:mini|preview)", "o1-mini",
        {**BEFORE_5, **_REASONS, **NEVER_SAMPLES, "efforts": (), "function_tools": "refuse",
         "parallel_tool_calls": "refuse", "developer_role": "refuse", "system_role": "refuse",
         "structured_output": False, "image_input": False, "pdf_input": False, "max_output_tokens": 65536},
        "recorded LL LC SO Ipt LLc PO LI MP VA Woc Ivb Ipc"),
    of_openai("o3-mini",
        {**_NO_SEARCH, "penalties": "refuse", "max_tokens_member": "refuse"},
        "recorded LL LC SO Ipt PO LLc LI VA Woc Ivb Ipc"),
    of_openai("o1, o3, o4-mini", _REASONS, "recorded LL LC SO Ipt PO Io4 LI LLc VA Woc Ivb Ipc"),
    of_openai("gpt, any other (newer than this table)",
        {"penalties": "refuse", "stop": "refuse", "max_tokens_member": "refuse", "function_tools": "accept"}, "PO D62"),
    *HOSTED,
)  # fmt: skip
