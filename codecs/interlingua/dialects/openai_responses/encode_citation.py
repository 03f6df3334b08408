"""Canonical to Responses: citations, as annotations of an output text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import lay, own_bag, report_foreign
from interlingua.dialects.openai_responses.tables import CITATION_TYPES, CITATIONS, DIALECT
from interlingua.loss import lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.target import Target


_NOTHING: Final[Mapping[str, Any]] = {}
# What every annotation of a type says beside its type; the span is that of the text.
_DEMANDED: Final[Mapping[str, tuple[tuple[str, Any], ...]]] = {
    "url_citation": (("title", ""),),
    "file_citation": (("filename", ""), ("index", 0)),
    "container_file_citation": (("container_id", ""), ("filename", "")),
    "file_path": (("index", 0),),
}


def encode_annotations(part: Any, path: str, to: Target) -> list[dict[str, Any]]:
    """Return the annotations of a text part; a citation without a place is a loss."""
    annotations: list[dict[str, Any]] = []
    for at, citation in enumerate(part["citations"]):
        encoded = encode_citation(citation, f"{path}/citations/{at}", part["text"], to)
        if encoded is not None:
            annotations.append(encoded)
    return annotations


def encode_citation(citation: Any, path: str, text: str, to: Target) -> dict[str, Any] | None:
    """Return the annotation of a citation, or None where it has no place; `text` is what it stands in."""
    bag = own_bag(citation, DIALECT)
    fields = bag.get("fields", _NOTHING)
    if citation["kind"] == "opaque" and bag:
        return dict(fields)
    word = CITATION_TYPES.get(citation["kind"])
    if word is None or not (bag or to.home or ("url" if word == "url_citation" else "file_id") in citation):
        lost_members(to.log, citation, path, "citation", "only addresses and files can be cited")
        return None
    names = {name: wire for wire, name in CITATIONS[word][1].items()}
    out: dict[str, Any] = {"type": word}
    for name, value in citation.items():
        if name in names:
            out[names[name]] = value
        elif name not in {"kind", "extra"}:
            to.log.lost("citation", f"{path}/{name}", "no place in this citation")
    lay(out, fields)
    if not to.home and not bag:
        _fill_citation(out, word, path, text, to)
    if "extra" in citation:
        report_foreign(citation, DIALECT, path, to.log)
    return out


def _fill_citation(out: dict[str, Any], word: str, path: str, text: str, to: Target) -> None:
    """Fill what every annotation of a type says."""
    names = CITATIONS[word][1]
    span = (("start_index", 0), ("end_index", len(text))) if "start_index" in names else ()
    for wire, value in (*_DEMANDED[word], *span):
        if wire not in out:
            out[wire] = value
            to.log.filled(f"{path}/{names.get(wire, f'extra/{DIALECT}/fields/{wire}')}", "annotations are whole")
