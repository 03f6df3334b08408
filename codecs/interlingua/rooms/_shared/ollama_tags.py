"""Ollama's models behind its OpenAI endpoints, which their names tell by a tag: `qwen3:8b`, `llama3.2:latest`.

Data only, derived from Ollama's own families: they think, call tools and see as behind its own API. Its endpoints fetch
no images, and refuse an effort for models that do not think; older ones refuse it for all models but gpt-oss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.ollama_families import OLLAMA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.spi.families import Family

# A name and a tag, but neither OpenAI's name of a fine-tuned model nor an id of Bedrock.
_TAGGED: Final = r"^(?!ft:|.*:[0-9]+$)(?=[^/:]+:[^/:]+$)"
_ANYWHERE: Final = "(?:^|/)"
# Whether `think` is a level, a flag or refused -> what may be said of it by an effort. Without a word it is a flag.
_EFFORTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "levels": {"efforts": ("low", "medium", "high")}, "flag": {"thinking": "off_alone"}, "refuse": {"thinking": "none"},
}  # fmt: skip
_OTHERS: Final = "any other name with a tag (Ollama)"
_ALIKE: Final = ("instructions", "user_query")
# A server may ignore what a model cannot read (recorded), or refuse it.
_UNREAD: Final = "refuse_by_some_hosts"
_TOOLLESS: Final[Mapping[str, Any]] = {"function_tools": "refuse", "calls_in_history": "refuse"}


def tagged_families(hosted: Mapping[str, Any]) -> tuple[Family, ...]:
    """Return the rows of Ollama's models for an API of OpenAI, where `hosted` holds for all of them."""
    return tuple(_tagged(family, hosted) for family in OLLAMA)


def _tagged(family: Family, hosted: Mapping[str, Any]) -> Family:
    given = family.facts
    facts: dict[str, Any] = {**hosted, "image_input": "as_data"}
    facts |= {name: given[name] for name in _ALIKE if name in given}
    facts |= {name: _UNREAD for name in ("image_input", "audio_input") if given.get(name) is False}
    if given.get("tools") == "refuse":
        facts |= _TOOLLESS
    if "efforts" in given:
        facts["efforts"] = ("none", *given["efforts"])
    else:
        facts |= _EFFORTS[given.get("think", "flag")]
    return family._replace(
        name=_OTHERS if family.newest else ", ".join(f"{name} (Ollama)" for name in family.name.split(", ")),
        pattern=_TAGGED if family.newest else rf"{_TAGGED}{family.pattern.removeprefix(_ANYWHERE)}",
        example=family.example if ":" in family.example else f"{family.example}:latest",
        facts=facts,
        sources=f"{family.sources} Ioe",
        newest=False,
    )
