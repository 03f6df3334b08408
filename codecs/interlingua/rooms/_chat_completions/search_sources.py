"""Read the sources that an answer lists beside its choices: those of Perplexity and of xAI's search.

They become citations of the text, in their order, since it refers to them as [1], [2] and so on. At home they are
written where they came from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.spi.extra import NOTHING, own_spelling

if TYPE_CHECKING:
    from collections.abc import Mapping

RESULTS, URLS = "search_results", "citations"
_ANNOTATIONS: Final = "annotations"
# Member of a result -> member of a citation.
_MEMBERS: Final = (("url", "url"), ("title", "title"), ("snippet", "cited_text"))


def has_sources(wire: Mapping[str, Any]) -> bool:
    """Tell whether a response or a chunk may list sources."""
    return RESULTS in wire or URLS in wire


def sources_of(wire: Mapping[str, Any], dialect: str) -> list[dict[str, Any]]:
    """Return the sources of a response or a chunk as citations; none unless all of them have an address."""
    results, urls = wire.get(RESULTS), wire.get(URLS)
    found: list[Any] = results if type(results) is list else []
    if not found and type(urls) is list:
        found = [{"url": url} for url in urls]
    citations: list[dict[str, Any]] = []
    for result in found:
        if type(result) is not dict or type(result.get("url")) is not str:
            return []
        members = {name: result[said] for said, name in _MEMBERS if type(result.get(said)) is str and result[said]}
        extra = {dialect: {"spelling": {"absent": [_ANNOTATIONS]}}}
        citations.append({"kind": "url", **members, "extra": extra})
    return citations


def is_beside(citation: Mapping[str, Any], dialect: str) -> bool:
    """Tell whether a citation was listed beside the choices."""
    return "extra" in citation and _ANNOTATIONS in own_spelling(citation, dialect).get("absent", ())


def add_sources(response: dict[str, Any], wire: Mapping[str, Any], dialect: str) -> None:
    """Put the sources of a response on the text of its first answer, unless that has citations of its own."""
    last: dict[str, Any] = response["messages"][-1] if response["messages"] else {}
    said = last.get("content")
    citations = sources_of(wire, dialect) if type(said) is str and said else []
    if citations:
        bag = last.get("extra", NOTHING).get(dialect, NOTHING)
        spelling = {**bag.get("spelling", NOTHING), "content": "string"}
        last["content"] = [{"type": "text", "text": said, "citations": citations}]
        last["extra"] = {**last.pop("extra", NOTHING), dialect: {**bag, "spelling": spelling}}
