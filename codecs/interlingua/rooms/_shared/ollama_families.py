"""The model families of Ollama, behind its own API and OpenAI's: what each accepts, refuses or demands.

Data only; the first pattern found in a model's name, ignoring case, applies. The facts are listed in docs/families.md.
State of 2026-11-22; the words of the last column stand in `docs/family_sources.tsv`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

# Gemma 4 is the only model here that hears.
_DEAF: Final[Mapping[str, Any]] = {"audio_input": False}
_TEXT_ALONE: Final[Mapping[str, Any]] = {"image_input": False, **_DEAF}
# Efforts of models that ollama.com serves; older servers only have true and false.
_HOSTED: Final = ("low", "high", "max")

OLLAMA: Final[tuple[Family, ...]] = (
    Family("gpt-oss", r"(?:^|/)gpt-oss", "gpt-oss:20b", {"think": "levels", **_TEXT_ALONE}, "recorded Wol PX"),
    Family("qwen3-coder", r"(?:^|/)qwen3-coder", "qwen3-coder",
        {"think": "refuse", "instructions": "first", **_TEXT_ALONE}, "Iok Wor"),
    Family("qwen3-vl, qwen2.5-vl", r"(?:^|/)qwen(?:3-vl|2\.5-?vl)", "qwen2.5-vl:7b",
        {"think": "flag", **_DEAF}, "Wol Iov"),
    Family("qwen3.8", r"(?:^|/)qwen(?:3\.[89]|[4-9])", "qwen3.8:27b",
        {"efforts": ("low", "medium", "high", "max"), "user_query": "require", **_DEAF}, "Wol Iol Wor Iuq Iov"),
    Family("qwen3.5, qwen3.6", r"(?:^|/)qwen3\.[0-9]", "qwen3.5:2b",
        {"think": "flag", "user_query": "require", **_DEAF}, "recorded MG Iuq Iov"),
    Family("qwen3", r"(?:^|/)(?:qwen3|qwq)(?![.-](?:coder|vl))", "qwen3:4b",
        {"think": "flag", **_TEXT_ALONE}, "recorded Wol"),
    Family("qwen2.5, qwen2, codeqwen", r"(?:^|/)(?:codeqwen|qwen)", "qwen2.5:7b",
        {"think": "refuse", **_TEXT_ALONE}, "Iok Iot Wol"),
    Family("deepseek-r1", r"(?:^|/)deepseek-r1", "deepseek-r1:8b",
        {"think": "flag", "tools": "refuse", **_TEXT_ALONE}, "Wol Iot"),
    Family("deepseek-v4 and newer", r"(?:^|/)deepseek-v[4-9]", "deepseek-v4-flash:cloud",
        {"efforts": _HOSTED, **_TEXT_ALONE}, "Wol Iol"),
    Family("kimi-k3, glm-5.2, glm-5.3", r"(?:^|/)(?:kimi-k[3-9]|glm-(?:5\.[2-9]|[6-9])(?!.*-flash))", "kimi-k3:cloud",
        {"efforts": _HOSTED, **_DEAF}, "Wol Iol Dk3 LL2"),
    Family("deepseek-v3.1, deepseek-v3.2", r"(?:^|/)deepseek", "deepseek-v3.1:671b",
        {"think": "flag", **_TEXT_ALONE}, "Wol"),
    Family("gemma4", r"(?:^|/)gemma[4-9]", "gemma4:e2b", {"think": "flag"}, "recorded MG"),
    Family("gemma3", r"(?:^|/)gemma3(?!n|:(?:1b|270m))", "gemma3:4b",
        {"think": "refuse", "tools": "refuse", **_DEAF}, "Iok Iot Iov"),
    Family("gemma3n, gemma2, gemma", r"(?:^|/)gemma", "gemma2:9b",
        {"think": "refuse", "tools": "refuse", **_TEXT_ALONE}, "Iok Iot Iov"),
    Family("llama3.2-vision, llava, moondream, bakllava",
        r"(?:^|/)(?:llama3\.2-vision|llava|bakllava|moondream|minicpm-v)", "llava:7b",
        {"think": "refuse", "tools": "refuse", **_DEAF}, "recorded Iok Wol Iov"),
    Family("llama-guard", r"(?:^|/)llama-guard", "llama-guard3",
        {"think": "refuse", "tools": "refuse", **_TEXT_ALONE}, "Iok Wol"),
    Family("llama4", r"(?:^|/)llama[4-9]", "llama4:scout", {"think": "refuse", **_DEAF}, "Iok Wol Iov"),
    Family("llama3.1, llama3.2, llama3.3", r"(?:^|/)llama3\.[123]", "llama3.2",
        {"think": "refuse", **_TEXT_ALONE}, "Iok Wol"),
    Family("llama3, llama2", r"(?:^|/)llama", "llama3",
        {"think": "refuse", "tools": "refuse", **_TEXT_ALONE}, "Iok Iot Wol"),
    Family("mistral, mixtral, magistral, ministral",
        r"(?:^|/)(?:mi(?:ni)?stral|mixtral|magistral|devstral)", "mistral:7b",
        {"think": "flag", **_DEAF}, "Wol Iov"),
    Family("cogito, olmo 3", r"(?:^|/)(?:cogito|olmo-?3)", "olmo-3:7b",
        {"instructions": "first", **_TEXT_ALONE}, "Wor Iov"),
    Family("cloud models (their names end in cloud)", r"(?:^|/).*[-:]cloud$", "minimax-m2:cloud",
        {"think": "flag"}, "PX"),
    Family("any other (newer than this table)", r"(?!)", "new-model", {"think": "flag"}, "Wol", newest=True),
)  # fmt: skip
