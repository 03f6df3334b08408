"""The model families of Claude, on every host: what each accepts, refuses or demands.

Data only; the first pattern found in a model's name, ignoring case, applies. The facts are listed in docs/families.md.
State of 2026-11-22; the words of the last column stand in `docs/family_sources.tsv`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

# Claude 4.7 and newer: no sampling, no prefill.
_NEWEST: Final[Mapping[str, Any]] = {
    "temperature": "default_only", "top_p": "refuse", "top_k": "refuse", "assistant_prefill": "refuse",
    "max_output_tokens": 128000,
}  # fmt: skip
# All effort levels.
ALL_EFFORTS: Final[Mapping[str, Any]] = {"efforts": ("low", "medium", "high", "xhigh", "max")}
# Always thinks.
_ALWAYS: Final[Mapping[str, Any]] = {"thinking": ("adaptive",), "thinks_unasked": True}
# Thinks unless thinking is disabled.
_UNASKED: Final[Mapping[str, Any]] = {"thinking": ("adaptive", "disabled"), "thinks_unasked": True}
# Thinks with a token budget.
_FIXED: Final[Mapping[str, Any]] = {
    "thinking": ("enabled", "disabled"), "temperature": "default_only_if_thinking", "top_k": "refuse_if_thinking",
    "forced_tool_choice": "refuse_if_extended_thinking", "system_in_messages": "refuse",
    "assistant_prefill": "accept_alone",
}  # fmt: skip
# Thinks with a token budget, or adaptively.
_BOTH_WAYS: Final[Mapping[str, Any]] = {
    "thinking": ("adaptive", "enabled", "disabled"), "efforts": ("low", "medium", "high", "max"),
    "forced_tool_choice": "refuse_if_extended_thinking", "temperature": "default_only_if_thinking",
    "top_p": "not_with_temperature", "top_k": "refuse_if_thinking", "assistant_prefill": "refuse",
    "system_in_messages": "refuse", "max_output_tokens": 128000,
}  # fmt: skip
# Does not think, and has no setting for it.
_UNTHINKING: Final[Mapping[str, Any]] = {
    "thinking": (), "efforts": (), "system_in_messages": "refuse", "structured_output": False, "pdf_input": False,
    "assistant_prefill": "accept_alone", "max_output_tokens": 4096,
}  # fmt: skip


def _since(line: str, minor: int) -> str:
    """Return the pattern of a line's newest model, 5 and `minor`, and of every later one, which counts as that."""
    return rf"(?<![a-z0-9])claude-{line}-(?:5[-.](?:[{minor}-9]|[1-9][0-9])|[6-9]|[1-9][0-9])(?![0-9])"


CLAUDE: Final[tuple[Family, ...]] = (
    Family("claude-fable-5.2, claude-mythos-5.2", _since("(?:fable|mythos)", 2), "claude-fable-5-2",
        {**_NEWEST, **ALL_EFFORTS, **_ALWAYS, "forced_tool_choice": "refuse"}, "PA Df52 Ipf MP LC LL VA Dso PAp"),
    Family("claude-fable-5.1, claude-mythos-5.1",
        r"(?<![a-z0-9])claude-(?:fable|mythos)-5[-.]1(?![0-9])", "claude-fable-5-1",
        {**_NEWEST, **ALL_EFFORTS, **_ALWAYS, "forced_tool_choice": "refuse"}, "PA Df51 Ipf MP LC Ds55 LL VA Dso PAp"),
    Family("claude-fable-5, claude-mythos-5", r"(?<![a-z0-9])claude-(?:fable|mythos)-5(?![0-9])", "claude-fable-5",
        {**_NEWEST, **ALL_EFFORTS, **_ALWAYS}, "recorded PA Df5 Ipf MP LC CP LL VA Dso PAp"),
    Family("claude-mythos-preview", r"(?<![a-z0-9])claude-mythos-preview", "claude-mythos-preview",
        {**_NEWEST, **ALL_EFFORTS, "thinking": ("adaptive", "enabled"), "thinks_unasked": True},
        "Dtt PA SA LL VA Dso LC PAp"),
    Family("claude-opus-5.5", _since("opus", 5), "claude-opus-5-5",
        {**_NEWEST, **ALL_EFFORTS, **_ALWAYS, "forced_tool_choice": "refuse"},
        "Do55 PA Ipf MP LC Ds55 Ivc LL VA Dso PAp"),
    Family("claude-opus-5", r"(?<![a-z0-9])claude-opus-5(?![0-9])", "claude-opus-5",
        {**_NEWEST, **ALL_EFFORTS, **_UNASKED, "effort_unthinking": "high"}, "PA VA MG Ipf MP LC Ivc LL Dso PAp"),
    Family("claude-sonnet-5.5", _since("sonnet", 5), "claude-sonnet-5-5",
        {**_NEWEST, **ALL_EFFORTS, "thinking": ("adaptive", "between_tools"), "thinks_unasked": True,
         "effort_unthinking": "high", "forced_tool_choice": "refuse"}, "PA Ds55 Ipf MP LC LL VA Dso PAp"),
    Family("claude-sonnet-5", r"(?<![a-z0-9])claude-sonnet-5(?![0-9])", "claude-sonnet-5",
        {**_NEWEST, **ALL_EFFORTS, **_UNASKED, "system_in_messages": "accepted_but_not_followed"},
        "PA Ds5 MG Ipf MP LC Ds55 VA LL Ims Dso PAp"),
    Family("claude-haiku-5.5", _since("haiku", 5), "claude-haiku-5-5",
        {**_NEWEST, **ALL_EFFORTS, **_UNASKED, "effort_unthinking": "high"}, "PA Dh55 Ipf MP LL LC VA PAp"),
    Family("claude-opus-4.8", r"(?<![a-z0-9])claude-(?:opus-4[-.]8|4[-.]8-opus)(?![0-9])", "claude-opus-4-8",
        {**_NEWEST, **ALL_EFFORTS, "thinking": ("adaptive", "disabled")},
        "recorded PA Dtt Ipf MP LC MP238 LL VA Dso PAp"),
    Family("claude-opus-4.7", r"(?<![a-z0-9])claude-(?:opus-4[-.]7|4[-.]7-opus)(?![0-9])", "claude-opus-4-7",
        {**_NEWEST, **ALL_EFFORTS, "thinking": ("adaptive", "disabled"), "system_in_messages": "refuse"},
        "recorded Ipi PA Dtt Ipf MP LC LL LI Ims VA Dso PAp"),
    Family("claude-opus-4.6", r"(?<![a-z0-9])claude-(?:opus-4[-.]6|4[-.]6-opus)(?![0-9])", "claude-opus-4-6",
        _BOTH_WAYS, "recorded PA Dtt SA Ipf MP LC PAp Ith Itp46 Itk LL LI Ims VA Dso"),
    Family("claude-sonnet-4.6", r"(?<![a-z0-9])claude-(?:sonnet-4[-.]6|4[-.]6-sonnet)(?![0-9])", "claude-sonnet-4-6",
        _BOTH_WAYS, "recorded PA Dtt SA Ipf MP LC PAp Ith Itp46 Itk LL LI Ims VA Dso"),
    Family("claude-opus-4.5", r"(?<![a-z0-9])claude-(?:opus-4[-.]5|4[-.]5-opus)(?![0-9])", "claude-opus-4-5-20251101",
        {**_FIXED, "efforts": ("low", "medium", "high"), "top_p": "not_with_temperature", "max_output_tokens": 64000},
        "PA Dtt SA LC Dfd PAp Ith Itp45 Itk LL LI Ims VA Dso"),
    Family("claude-sonnet-4.5",
        r"(?<![a-z0-9])claude-(?:sonnet-4[-.]5|4[-.]5-sonnet)(?![0-9])", "claude-sonnet-4-5-20250929",
        {**_FIXED, "efforts": (), "top_p": "not_with_temperature", "max_output_tokens": 64000},
        "recorded PA Dtt SA LL Dfd PAp Ith Itp D45 Itk LI Ims VA Dso LC"),
    Family("claude-haiku-4.5",
        r"(?<![a-z0-9])claude-(?:haiku-4[-.]5|4[-.]5-haiku)(?![0-9])", "claude-haiku-4-5-20251001",
        {**_FIXED, "efforts": (), "top_p": "not_with_temperature", "max_output_tokens": 64000},
        "recorded Iel Dtt SA PA Dfd PAp Ith MP Itk LL LI Ims VA LC"),
    Family("claude-opus-4.1", r"(?<![a-z0-9])claude-(?:opus-4[-.]1|4[-.]1-opus)(?![0-9])", "claude-opus-4-1-20250805",
        {**_FIXED, "efforts": (), "top_p": "not_with_temperature", "max_output_tokens": 32000},
        "MP Dtt SA PA Dfd PAp Ith Itp1 Itk LL LI Ims VA LC CP"),
    Family("claude-opus-4",
        r"(?<![a-z0-9])claude-(?:opus-4(?:[-.]0)?(?![0-9.]|-[1-9](?![0-9]))|4-opus)", "claude-opus-4-20250514",
        {**_FIXED, "efforts": (), "top_p": "ge_0.95_if_thinking", "structured_output": False,
         "max_output_tokens": 32000}, "MP SA PA Dfd PAp Ith Itk LL Ims VA LC CP"),
    Family("claude-sonnet-4",
        r"(?<![a-z0-9])claude-(?:sonnet-4(?:[-.]0)?(?![0-9.]|-[1-9](?![0-9]))|4-sonnet)", "claude-sonnet-4-20250514",
        {**_FIXED, "efforts": (), "structured_output": False, "max_output_tokens": 64000},
        "recorded MP SA PA Dfd PAp Ith Itk LL LI Ims VA LC CP"),
    Family("claude-3.7-sonnet", r"(?<![a-z0-9])claude-3[-.]7-sonnet", "claude-3-7-sonnet-20250219",
        {**_FIXED, "efforts": (), "top_p": "ge_0.95_if_thinking", "structured_output": False,
         "max_output_tokens": 64000}, "recorded SA PA Dfd PAp Ith Itk LL Ims VA LC"),
    Family("claude-3.5 (sonnet, haiku)", r"(?<![a-z0-9])claude-3[-.]5-(?:sonnet|haiku)", "claude-3-5-haiku-20241022",
        {"thinking": ("disabled",), "efforts": (), "system_in_messages": "refuse", "structured_output": False,
         "assistant_prefill": "accept_alone", "max_output_tokens": 8192}, "recorded PA LL Ims VA LC CP PAp SA"),
    Family("claude-3 (opus, sonnet, haiku)", r"(?<![a-z0-9])claude-3-(?:opus|sonnet|haiku)", "claude-3-haiku-20240307",
        _UNTHINKING, "recorded PA LL Ims VA LC PAp SA"),
    Family("claude-2, claude-instant", r"(?<![a-z0-9])claude-(?:v?2|instant)", "claude-2.1",
        _UNTHINKING, "recorded VA Ims PAp LC LL SA"),
    Family("claude, any other (newer than this table)", r"(?<![a-z0-9])claude-", "claude-next",
        {**ALL_EFFORTS, **_ALWAYS, "forced_tool_choice": "refuse", "temperature": "refuse", "top_p": "refuse",
         "top_k": "refuse", "assistant_prefill": "refuse", "max_output_tokens": 128000}, "VA PA LI PAp LC LL"),
)  # fmt: skip
