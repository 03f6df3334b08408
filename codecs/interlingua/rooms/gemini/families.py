"""The model families of Gemini: what each accepts, refuses or requires.

Data only; the first pattern found in a model name, ignoring case, applies. The members are explained in
docs/families.md. State of 2026-11-22; the words of the last column stand in `docs/family_sources.tsv`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

# Gemini 3 and newer: thinking levels, signed calls, and functions beside the provider's own tools if the request says
# so.
_BY_LEVEL: Final[Mapping[str, Any]] = {
    "thinking": "level", "penalties": "refuse", "logprobs": "refuse", "signed_calls": True,
    "tool_invocations": "require_by_some_hosts", "max_output_tokens": 65536,
}  # fmt: skip
_TEXT: Final[Mapping[str, Any]] = {"modalities": ("text",)}
_THIRD: Final[Mapping[str, Any]] = {**_TEXT, **_BY_LEVEL}
# Models of July 2026 and later, and the aliases that lead to them, do not continue a prefill.
_LATEST: Final[Mapping[str, Any]] = {**_THIRD, "assistant_prefill": "refuse"}
_STRICT: Final[Mapping[str, Any]] = {**_LATEST, "result_roles": "user"}
# Before Gemini 3: no functions together with search or a JSON schema.
_SECOND: Final[Mapping[str, Any]] = {
    "logprobs": "refuse", "json_with_functions": "refuse", "search_with_functions": "refuse", "media_in_results": False,
    "media_resolution": "of_the_request",
}  # fmt: skip
# Before Gemini 3: no calls and results of Google's own tools in a request.
_UNINVOKED: Final[Mapping[str, Any]] = {"tool_invocations": "refuse"}
# Models with thinking budgets, which answer with text alone.
_BY_BUDGET: Final[Mapping[str, Any]] = {
    **_SECOND, **_TEXT, **_UNINVOKED, "thinking": "budget", "penalties": "refuse", "max_output_tokens": 65536
}  # fmt: skip
# Models that generate images or speech.
_PERFORMING: Final[Mapping[str, Any]] = {
    **_SECOND, "thinking": "none", "penalties": "refuse", "function_tools": "refuse", "audio_input": False
}  # fmt: skip
_UNTHINKING: Final[Mapping[str, Any]] = {"thinking": "none", "max_output_tokens": 8192}
_TO_HIGH: Final = ("low", "medium", "high")

FAMILIES: Final[tuple[Family, ...]] = (
    Family("image models (2.5, 3, 3.1 image, nano banana)",
        r"(?:^|[/:.])(?:gemini-[0-9.]+-(?:pro|flash|flash-lite)-image|(?:gemini-)?nano-banana)",
        "gemini-2.5-flash-image",
        {**_PERFORMING, "max_output_tokens": 32768}, "recorded PG LC Ipen Dts LL Imr VG"),
    Family("tts models",
        r"(?:^|[/:.])gemini-[0-9.]+-(?:pro|flash|flash-lite)-(?:preview-)?tts", "gemini-2.5-flash-preview-tts",
        {**_PERFORMING, "system_instruction": "refuse", "image_input": False, "pdf_input": False,
         "max_output_tokens": 16384}, "recorded PG LI LC Ipen Dts LL Imr"),
    Family("gemini-4 (hydrogen, neon)",
        r"(?:^|[/:.])gemini-(?:[4-9]|[1-9][0-9])(?:\.[0-9]+)?-(?:hydrogen|neon)", "gemini-4-hydrogen",
        {**_STRICT, "levels": (*_TO_HIGH, "xhigh")}, "Dg4h Dg4n LL Ith3 Ifn Wgm Ipm Irt"),
    Family("gemini-4 (argon, carbon)", r"(?:^|[/:.])gemini-4", "gemini-4-argon",
        {**_STRICT, "levels": _TO_HIGH}, "recorded PG Dvt LC Dg4b Ipen Dts Ith3 LL Ifn Wgm Ipm Irt"),
    Family("gemini-3.8-flash, 3.7-flash", r"(?:^|[/:.])gemini-3\.[78]-flash(?!-l)", "gemini-3.8-flash",
        {**_STRICT, "levels": _TO_HIGH}, "recorded PG Dvt LL Dg36 Ipen Dts Ith3 LC Ifn Wgm Ipm Irt"),
    Family("gemini-3.6-flash", r"(?:^|[/:.])gemini-3\.6-flash(?!-l)", "gemini-3.6-flash",
        {**_STRICT, "levels": ("minimal", *_TO_HIGH)},
        "recorded PG Dvt LC MP CP Dg36 LL Ipen Dts Ith3 Ifn Wgm Ipm Irt"),
    Family("gemini-3.5-flash-lite", r"(?:^|[/:.])gemini-3\.5-flash-lite", "gemini-3.5-flash-lite",
        {**_LATEST, "levels": ("minimal", *_TO_HIGH)}, "recorded PG Dvt LC CP Dg36 LL Ipen Dts Ith3 Ifn Wgm Ipm"),
    Family("gemini-3.5-flash", r"(?:^|[/:.])gemini-3\.5-flash", "gemini-3.5-flash",
        {**_LATEST, "levels": ("minimal", *_TO_HIGH)}, "recorded PG Dvt LC CP MP Ipen Dts Ith3 LL Ifn Wgm Dgl Ipm"),
    Family("gemini-3.1-flash-lite", r"(?:^|[/:.])gemini-3\.1-flash-lite", "gemini-3.1-flash-lite",
        {**_THIRD, "levels": ("minimal", *_TO_HIGH)}, "recorded PG Dvt LC Ipen Dts Ith3 LL Ifn Wgm"),
    Family("gemini-3.1-pro", r"(?:^|[/:.])gemini-3\.1-pro", "gemini-3.1-pro-preview",
        {**_THIRD, "levels": _TO_HIGH}, "recorded PG Dvt LC Ipen Dts Ith3 LL Ifn Wgm"),
    Family("gemini-3-pro", r"(?:^|[/:.])gemini-3-pro", "gemini-3-pro-preview",
        {**_THIRD, "levels": ("low", "high")}, "recorded PG Dvt LC Ipen Dts Ith3 LL Ifn Wgm Dgl"),
    Family("gemini-3-flash", r"(?:^|[/:.])gemini-3-flash", "gemini-3-flash-preview",
        {**_THIRD, "levels": ("minimal", *_TO_HIGH)}, "recorded PG Dvt LC CP Ipen Dts Ith3 LL Ifn Wgm"),
    Family("gemini-2.5-computer-use", r"(?:^|[/:.])gemini-2\.5-computer-use",
        "gemini-2.5-computer-use-preview-10-2025",
        {**_BY_BUDGET, "budgets": (128, 32768), "penalties": "refuse_by_some_hosts", "media_in_results": True},
        "Gcu PG Ilv Dgb MP Ibz Ipen Dts Ijf Isf LC LL Ifn Wgm Imo Imr VG Itc"),
    Family("gemini-2.5-pro", r"(?:^|[/:.])gemini-2\.5-pro", "gemini-2.5-pro",
        {**_BY_BUDGET, "budgets": (128, 32768), "penalties": "refuse_by_some_hosts"},
        "recorded PG Ilv Dgb MP Ibz Ipen Dts Ijf Isf LC LL Ifn Wgm Imo Imr VG Itc"),
    Family("gemini-2.5-flash-lite", r"(?:^|[/:.])gemini-2\.5-flash-lite", "gemini-2.5-flash-lite",
        {**_BY_BUDGET, "budgets": (512, 24576), "budget_zero": True},
        "recorded PG Ilv Dgb LI LC Ipen Dts Ijf Isf LL Ifn Wgm Imo Imr Itc"),
    Family("gemini-2.5-flash, robotics-er-1.5",
        r"(?:^|[/:.])gemini-(?:2\.5-flash|robotics-er-1\.5)", "gemini-2.5-flash",
        {**_BY_BUDGET, "budgets": (0, 24576), "budget_zero": True, "logprobs": "refuse_by_some_hosts"},
        "recorded PG Ilv Dgb CP LI LC Ipen Dts Ijf Isf LL Ifn Wgm Imo Imr VG Itc"),
    Family("gemini-2.0-flash-thinking-exp", r"(?:^|[/:.])gemini-2\.0-flash-thinking", "gemini-2.0-flash-thinking-exp",
        {**_SECOND, **_UNINVOKED, "thinking": "shown", "penalties": "refuse", "function_tools": "refuse",
         "max_output_tokens": 65536},
        "recorded LL Ipen Dts Ijf Isf PG LC Dgl Imr Itc"),
    Family("gemini-2.0 (flash, flash-lite, exp)", r"(?:^|[/:.])gemini-2\.0", "gemini-2.0-flash",
        {**_SECOND, **_UNTHINKING, **_UNINVOKED}, "recorded PG LL Ipen Dts Ijf Isf LC Ifn Wgm Dgl Imr Itc"),
    Family("gemini-1.5, gemini-1.0, gemini-pro", r"(?:^|[/:.])gemini-(?:1\.[05]|pro(?:-vision)?$)", "gemini-1.5-pro",
        {**_SECOND, **_UNTHINKING, **_UNINVOKED}, "recorded PG LL Ipen Dts Ijf Isf LC Ifn Wgm Dgl Imr Itc"),
    Family("gemini-*-latest (floating names)",
        r"(?:^|[/:.])gemini-(?:pro|flash|flash-lite)-latest", "gemini-flash-latest",
        {**_STRICT, "levels": _TO_HIGH}, "recorded LC PG LL Ipen Dts Ith3 Ifn Wgm Ipm Irt"),
    Family("gemini, any other (newer than this table)",
        r"(?:^|[/:.])gemini-(?:[0-9]|robotics|omni|live|exp|pro|flash)", "gemini-5-pro",
        {**_BY_LEVEL, "assistant_prefill": "refuse", "result_roles": "user", "levels": _TO_HIGH},
        "recorded PG VA Dg36 Ipen LC LL Ifn Wgm Ipm Irt", newest=True),
    Family("gemma 3 and older", r"(?:^|[/:.])gemma-[123](?![0-9])", "gemma-3-27b-it",
        {**_UNTHINKING, "system_instruction": "refuse", "function_tools": "refuse"}, "LL PG LC"),
    Family("gemma", r"(?:^|[/:.])gemma-", "gemma-4-31b-it",
        {"thinking": "level", "levels": ("minimal", "high"), "max_output_tokens": 32768}, "LL PG Dgem"),
)  # fmt: skip
