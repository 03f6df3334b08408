"""What supports the text of an answer: grounding metadata as the citations of its text.

A support says which bytes of the text rest on which sources; a citation says so in characters. What a support says
beyond that goes with the first citation that it makes. Supports that citations could not make again stay as they came.
Source: docs/wire/gemini.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.rooms.gemini.tables import DIALECT
from interlingua.spi.extra import NOTHING, merge_extra, own_extra, report_foreign, report_members
from interlingua.spi.reading import rest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.rooms._shared.writing import Target

METADATA: Final = "groundingMetadata"
_CHUNKS, _SUPPORTS = "groundingChunks", "groundingSupports"
_SUPPORT_MEMBERS: Final = frozenset({"segment", "groundingChunkIndices"})
_PLACED: Final = frozenset({"kind", "url", "title", "start_index", "end_index", "extra"})
_SEGMENT_MEMBERS: Final = frozenset({"startIndex", "endIndex", "text"})


def read_grounding(messages: Sequence[dict[str, Any]], candidate: dict[str, Any]) -> None:
    """Move what supports the one text of an answer from the members of its candidate to the citations of the text."""
    metadata = candidate.get(METADATA)
    place = _only_text(messages)
    if type(metadata) is not dict or place is None:
        return
    message, text = place
    citations = read_citations(cast("dict[str, Any]", metadata), text)
    if not citations:
        return
    if type(message["content"]) is str:
        message["content"] = [{"type": "text", "text": text, "citations": citations}]
    else:
        part = next(part for part in message["content"] if part.get("text") == text)
        part["citations"] = citations
    candidate[METADATA] = rest(cast("dict[str, Any]", metadata), frozenset({_SUPPORTS}))


def _only_text(messages: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], str] | None:
    """Return the message with the one text of an answer, and the text; None where there is none, or several.

    A text that is empty is none.
    """
    found: list[tuple[dict[str, Any], str]] = []
    for message in messages:
        content = message.get("content")
        if message["role"] != "assistant" or content is None:
            continue
        if type(content) is str:
            if "spelling" in own_extra(message, DIALECT):
                return None
            found.append((message, content))
        else:
            found += [(message, part["text"]) for part in content if part["type"] == "text" and part["text"]]
    return found[0] if len(found) == 1 else None


def read_citations(metadata: Mapping[str, Any], text: str) -> list[dict[str, Any]]:
    """Return the citations of a text; none where they could not make the supports again."""
    chunks, supports = metadata.get(_CHUNKS), metadata.get(_SUPPORTS)
    if type(chunks) is not list or type(supports) is not list:
        return []
    said = text.encode("utf-8", "surrogatepass")
    try:
        citations = [one for support in supports for one in _read_support(support, chunks, said)]
    except (KeyError, IndexError, TypeError, AttributeError, ValueError):
        return []  # of another shape: it stays as it came
    if not all(map(_is_source, chunks)) or any(
        type(one[name]) is not str for one in citations for name in ("url", "title") if name in one
    ):
        return []
    made = written_grounding(citations, text, chunks)
    return citations if made == {_CHUNKS: chunks, _SUPPORTS: supports} else []


def _read_support(support: dict[str, Any], chunks: list[Any], said: bytes) -> list[dict[str, Any]]:
    """Return the citations of a support: one for each source."""
    segment: dict[str, Any] = support["segment"]
    start, end = (_characters(said, segment.get(name, 0)) for name in ("startIndex", "endIndex"))
    citations: list[dict[str, Any]] = []
    for index in support["groundingChunkIndices"]:
        (source,) = chunks[_whole(index)].values()
        title = {"title": source["title"]} if "title" in source else {}
        citations.append({"kind": "url", "url": source["uri"], **title, "start_index": start, "end_index": end})
    fields = rest(support, _SUPPORT_MEMBERS)
    beside = rest(segment, _SEGMENT_MEMBERS)
    if "startIndex" in segment and start == 0:
        beside["startIndex"] = 0  # the habit leaves it out
    if beside:
        fields["segment"] = beside
    if fields:
        citations[0]["extra"] = {DIALECT: {"fields": fields}}
    return citations


def _characters(said: bytes, index: int) -> int:
    """Return how many characters stand before a byte."""
    return len(said[: _whole(index)].decode("utf-8", "surrogatepass"))


def _whole(index: Any) -> int:
    """Return an index that is a whole number. Raises `TypeError`."""
    if type(index) is not int:
        raise TypeError  # true is no index, though Python takes it for 1
    return index


def written_grounding(citations: Sequence[Any], text: str, chunks: Sequence[Any]) -> dict[str, Any]:
    """Return sources and supports of the citations of a text; a source that is not among the chunks is added."""
    sources = list(chunks)
    supports: list[dict[str, Any]] = []
    last: tuple[int, int] | None = None
    for citation in citations:
        span = (citation.get("start_index", 0), citation.get("end_index", len(text)))
        fields = own_extra(citation, DIALECT).get("fields", NOTHING)
        if span != last or fields:
            supports.append({"segment": _segment(text, *span), "groundingChunkIndices": []})
            last = span
        supports[-1]["groundingChunkIndices"].append(_source(citation, sources))
        merge_extra(supports[-1], fields)
    return {_CHUNKS: sources, _SUPPORTS: supports}


def _segment(text: str, start: int, end: int) -> dict[str, Any]:
    """Return which bytes of a text are meant; a start of 0 is left out."""
    first = len(text[:start].encode("utf-8", "surrogatepass"))
    said = text[start:end]
    where = {"startIndex": first} if first else {}
    return {**where, "endIndex": first + len(said.encode("utf-8", "surrogatepass")), "text": said}


def _source(citation: Any, sources: list[Any]) -> int:
    """Return which of the sources a citation names; one that is not there is added."""
    wanted = {wire: citation[name] for wire, name in (("uri", "url"), ("title", "title")) if name in citation}
    for index, chunk in enumerate(sources):
        (source,) = chunk.values()
        if {name: source[name] for name in ("uri", "title") if name in source} == wanted:
            return index
    sources.append({"web": wanted})
    return len(sources) - 1


def write_grounding(out: dict[str, Any], messages: Sequence[Any], candidate: Mapping[str, Any], to: Target) -> None:
    """Write the citations of an answer of Gemini's own beside the answer, with the sources that it named."""
    cited = [
        (part, f"{to.part(index, 'content', at)}/citations")
        for index, message in enumerate(messages)
        if type(message.get("content")) is list
        for at, part in enumerate(message["content"])
        if "citations" in part
    ]
    if not cited:
        return
    part, path = cited[0]
    metadata = candidate.get(METADATA, NOTHING)
    chunks = metadata.get(_CHUNKS, ()) if isinstance(metadata, dict) else ()
    addresses = all(one["kind"] == "url" and "url" in one for one in part["citations"])
    if _only_text(messages) is None or not addresses or not all(map(_is_source, chunks)):
        for _, path in cited:
            to.log.lost("citation", path, "sources support the one text of an answer, by their addresses")
        return
    out[METADATA] = written_grounding(part["citations"], part["text"], chunks)
    length = len(part["text"])
    for which, citation in enumerate(part["citations"]):
        for name in ("start_index", "end_index"):
            if not 0 <= citation.get(name, 0) <= length:
                to.log.changed(
                    "citation", f"{path}/{which}/{name}", "start_index and end_index must lie within the text"
                )
        report_members(
            [name for name in citation if name not in _PLACED],
            f"{path}/{which}",
            to.log,
            "Gemini's citations have no such member",
        )
        if "extra" in citation:
            report_foreign(citation, DIALECT, f"{path}/{which}", to.log)


def _is_source(chunk: Any) -> bool:
    return type(chunk) is dict and len(chunk) == 1 and type(next(iter(chunk.values()))) is dict


class Spoken:
    """What an answer has said so far in a stream: the pieces of its one text, and the citations that were told."""

    __slots__ = ("_block", "_is_one", "_told", "pieces")

    def __init__(self, block: int) -> None:
        self.pieces: list[str] = []
        self._block = block
        self._is_one = True
        self._told: list[dict[str, Any]] = []

    def add(self, text: str, block: int) -> None:
        """Take a piece of a text; of several texts none is cited."""
        self.pieces.append(text)
        self._is_one = self._is_one and block == self._block

    def citations(self, metadata: Any) -> list[dict[str, Any]]:
        """Return the events of the citations that the metadata of a chunk adds."""
        if not self._is_one or type(metadata) is not dict:
            return []
        found = read_citations(cast("dict[str, Any]", metadata), "".join(self.pieces))
        new = [citation for citation in found if citation not in self._told]
        self._told += new
        return [{"type": "citation", "block": self._block, "citation": citation} for citation in new]
