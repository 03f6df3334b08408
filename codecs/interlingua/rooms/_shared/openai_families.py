"""OpenAI's own models: what of them Chat Completions and Responses accept, refuse or require alike.

Data only. The rooms list these models in the order in which their patterns are tried, with what only their own API has.
The facts are listed in docs/families.md.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping


class _Model(NamedTuple):
    pattern: str
    example: str
    facts: Mapping[str, Any]


TO_HIGH: Final = ("low", "medium", "high")
TO_XHIGH: Final = ("none", *TO_HIGH, "xhigh")
_NO_AUDIO: Final[Mapping[str, Any]] = {"audio_input": False}
# Cache marks exist from gpt-5.6 on, and the cache always lasts a day from gpt-5.5 on.
NO_BREAKPOINTS: Final[Mapping[str, Any]] = {"cache_breakpoints": "refuse"}
_LASTING: Final[Mapping[str, Any]] = {"short_cache": "refuse"}
# No `verbosity` but the default; models before GPT-5 do not keep a cache for a day.
MEDIUM_ALONE: Final[Mapping[str, Any]] = {"verbosity": "medium_only", **NO_BREAKPOINTS}
BEFORE_5: Final[Mapping[str, Any]] = {"verbosity": "medium_only", "long_cache": "refuse", **NO_BREAKPOINTS}
_SAMPLING: Final = ("temperature", "top_p", "logprobs")
# Only the default sampling settings.
NEVER_SAMPLES: Final[Mapping[str, Any]] = {
    "temperature": "default_only", "top_p": "refuse", "logprobs": "refuse", **_NO_AUDIO
}  # fmt: skip
_MEDIUM: Final[Mapping[str, Any]] = {"effort_default": "medium"}
# gpt-5 and its variants; from 5.1 on models do not reason by default, from 5.5 on they do again.
GPT_5: Final[Mapping[str, Any]] = {**NO_BREAKPOINTS, **NEVER_SAMPLES, "max_output_tokens": 128000}
# Sampling settings only without reasoning, which is the default.
_GPT_5_3: Final[Mapping[str, Any]] = {
    **NO_BREAKPOINTS, **dict.fromkeys(_SAMPLING, "only_if_effort_none_or_absent"), **_NO_AUDIO, "efforts": TO_XHIGH,
    "effort_default": "none",
}  # fmt: skip
GPT_5_1: Final[Mapping[str, Any]] = {**_GPT_5_3, "max_output_tokens": 128000}
# Sampling settings only if reasoning is switched off.
_SAMPLES_IF_TOLD: Final[Mapping[str, Any]] = {
    **dict.fromkeys(_SAMPLING, "only_if_effort_none"), "efforts": TO_XHIGH, **_MEDIUM, "max_output_tokens": 128000
}  # fmt: skip
_GPT_5_5: Final[Mapping[str, Any]] = {**_LASTING, **_NO_AUDIO, **_SAMPLES_IF_TOLD}
# Reasoning cannot be switched off, and there are no sampling settings.
_ALWAYS_REASONS: Final[Mapping[str, Any]] = {**dict.fromkeys(_SAMPLING, "refuse"), "efforts": (*TO_HIGH, "xhigh")}
# The models o1 to o4.
_O: Final[Mapping[str, Any]] = {
    **BEFORE_5, **NEVER_SAMPLES, "efforts": TO_HIGH, **_MEDIUM, "parallel_tool_calls": "refuse",
    "max_output_tokens": 100000,
}  # fmt: skip
_UNTHINKING: Final[Mapping[str, Any]] = {**_NO_AUDIO, "efforts": ()}
# The oldest models follow no schema, and read no PDF.
_PLAIN: Final[Mapping[str, Any]] = {**BEFORE_5, **_UNTHINKING, "structured_output": False, "pdf_input": False}
# Only Responses serves these in full: what they accept is in its table.
_OF_RESPONSES: Final[Mapping[str, Any]] = {}
# GPT-6 and every later version. A new model of a line counts as the newest one here: Sol since 6.1 as Astra.
_SIXTH: Final = r"(?:[6-9]|[1-9][0-9])(?:[.-][0-9]{1,2})?"
ASTRA: Final = rf"gpt-(?!6-sol){_SIXTH}-(?:astra|sol|rosalind)"

_MODELS: Final[Mapping[str, _Model]] = MappingProxyType({
    "gpt-6-astra, gpt-6.1-sol, gpt-6-rosalind": _Model(
        rf"(?<![a-z0-9]){ASTRA}", "gpt-6-astra", {**_GPT_5_5, **_ALWAYS_REASONS}),
    "gpt-6-sol, gpt-6-luna, gpt-6.1-terra": _Model(
        rf"(?<![a-z0-9])gpt-(?:6-sol|{_SIXTH}-(?:luna|terra))", "gpt-6-sol", _GPT_5_5),
    "gpt-5.6 (sol, terra, luna)": _Model(r"(?<![a-z0-9])gpt-5[.-][6-9](?![0-9])", "gpt-5.6-luna", _GPT_5_5),
    "gpt-5.x-pro (5.2, 5.4, 5.5)": _Model(r"(?<![a-z0-9])gpt-5[.-][245]-pro", "gpt-5.4-pro", _OF_RESPONSES),
    "gpt-5.5": _Model(r"(?<![a-z0-9])gpt-5[.-]5(?!-pro|[0-9])", "gpt-5.5", {**NO_BREAKPOINTS, **_GPT_5_5}),
    "gpt-5.4 (mini, nano)": _Model(r"(?<![a-z0-9])gpt-5[.-]4(?!-pro|[0-9])", "gpt-5.4-mini", GPT_5_1),
    "gpt-5.3-codex": _Model(r"(?<![a-z0-9])gpt-5[.-]3-codex", "gpt-5.3-codex", _OF_RESPONSES),
    "gpt-5-codex, 5.1-codex (mini, max), 5.2-codex": _Model(
        r"(?<![a-z0-9])(?:gpt-5(?:[.-][12])?-codex|codex-mini)", "gpt-5.1-codex", _OF_RESPONSES),
    "gpt-5.1/5.2/5.3-chat": _Model(r"(?<![a-z0-9])gpt-5[.-][123]-chat", "gpt-5.2-chat-latest",
        {**GPT_5, "efforts": ("medium",), **_MEDIUM, "max_output_tokens": 16384}),
    "chat-latest, gpt-chat-latest": _Model(r"(?:^|/)(?:gpt-)?chat-latest$", "chat-latest",
        {**NEVER_SAMPLES, "efforts": ("medium",), **_MEDIUM, "max_output_tokens": 128000}),
    "gpt-5.3": _Model(r"(?<![a-z0-9])gpt-5[.-]3(?![0-9])", "gpt-5.3", _GPT_5_3),
    "gpt-5.2": _Model(r"(?<![a-z0-9])gpt-5[.-]2(?![0-9])", "gpt-5.2", GPT_5_1),
    "gpt-5.1": _Model(r"(?<![a-z0-9])gpt-5[.-]1(?![0-9])", "gpt-5.1", {**GPT_5_1, "efforts": ("none", *TO_HIGH)}),
    "gpt-5-pro": _Model(r"(?<![a-z0-9])gpt-5-pro", "gpt-5-pro", _OF_RESPONSES),
    "gpt-5-chat": _Model(r"(?<![a-z0-9])gpt-5-chat", "gpt-5-chat-latest",
        {**MEDIUM_ALONE, **_UNTHINKING, "max_output_tokens": 16384}),
    "gpt-5 (mini, nano)": _Model(r"(?<![a-z0-9])gpt-5(?![.0-9]|-[0-9](?![0-9]))", "gpt-5-mini",
        {**GPT_5, "efforts": ("minimal", *TO_HIGH), **_MEDIUM}),
    "gpt-4.1 (mini, nano)": _Model(r"(?<![a-z0-9])gpt-4[.-]1(?![0-9])", "gpt-4.1-mini",
        {**MEDIUM_ALONE, **_UNTHINKING, "max_output_tokens": 32768}),
    "gpt-4o-2024-05-13": _Model(r"(?<![a-z0-9])gpt-4o-2024-05-13", "gpt-4o-2024-05-13",
        {**BEFORE_5, **_UNTHINKING, "structured_output": False, "max_output_tokens": 4096}),
    "gpt-4o (mini)": _Model(r"(?<![a-z0-9])(?:chat)?gpt-4o", "gpt-4o-mini",
        {**BEFORE_5, **_UNTHINKING, "max_output_tokens": 16384}),
    "gpt-4-turbo, gpt-4-vision, gpt-4-0125, gpt-4-1106": _Model(
        r"(?<![a-z0-9])gpt-4-(?:turbo|vision|0125|1106)", "gpt-4-turbo", {**_PLAIN, "max_output_tokens": 4096}),
    "gpt-4": _Model(r"(?<![a-z0-9])gpt-4(?![.o0-9])", "gpt-4",
        {**_PLAIN, "image_input": False, "max_output_tokens": 8192}),
    "gpt-3.5-turbo": _Model(r"(?<![a-z0-9])gpt-3\.?5-turbo", "gpt-3.5-turbo",
        {**_PLAIN, "image_input": False, "max_output_tokens": 4096}),
    "o1-pro": _Model(r"(?:^|[/.:]|openai-)o1-pro", "o1-pro", _O),
    "o3-pro, o3/o4 deep-research": _Model(r"(?:^|[/.:]|openai-)o(?:3-pro|[34](?:-mini)?-deep-research)", "o3-pro", _O),
    "o3-mini": _Model(r"(?:^|[/.:]|openai-)o3-mini", "o3-mini", {**_O, "image_input": False}),
    "o1, o3, o4-mini": _Model(r"(?:^|[/.:]|openai-)o(?:1|3|4-mini)(?=$|:|-[0-9]|-high|-fast)", "o4-mini", _O),
    "gpt, any other (newer than this table)": _Model(
        r"(?<![a-z0-9])gpt-(?:[6-9]|[1-9][0-9]|daybreak|rosalind)|(?:^|[/:.])o[4-9](?=$|-)", "gpt-7",
        {**_GPT_5_5, **_ALWAYS_REASONS}),
})  # fmt: skip


def of_openai(name: str, facts: Mapping[str, Any], sources: str) -> Family:
    """Return the row of a model of OpenAI's in the table of an API, with the facts that this API alone has."""
    model = _MODELS[name]
    return Family(name, model.pattern, model.example, {**model.facts, **facts}, sources)
