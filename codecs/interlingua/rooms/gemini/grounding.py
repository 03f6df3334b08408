"""Grounding metadata of an answer as citations of its text.

A support names the bytes of the text that rest on a list of sources; a citation counts characters. What else a support
holds is kept with the first citation made of it. Supports that could not be rebuilt from citations stay as they came.
Source: docs/wire/gemini.md, section 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from interlingua.loss import beyond, lost_members
from interlingua.rooms.gemini.tables import DIALECT
from interlingua.spi.extra import NOTHING, merge_extra, own_extra, report_foreign
from interlingua.spi.reading import rest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.writing import Target

METADATA: Final = "groundingMetadata"
CHUNKS, SUPPORTS = "groundingChunks", "groundingSupports"
_SUPPORT_MEMBERS: Final = frozenset({"segment", "groundingChunkIndices"})
_PLACED: Final = frozenset({"kind", "url", "title", "start_index", "end_index", "extra"})
# What reading a support or chunk of another shape raises.
_OTHER_SHAPE: Final = (KeyError, IndexError, TypeError, AttributeError, ValueError)
_SEGMENT_MEMBERS: Final = frozenset({"startIndex", "endIndex", "text"})


class _Text(NamedTuple):
    """A text of an answer: its message, its index in the content (-1 if the content is this string), and the text."""

    message: dict[str, Any]
    at: int
    text: str


def read_grounding(messages: Sequence[dict[str, Any]], candidate: dict[str, Any], parts: Any) -> None:
    """Move supports from the candidate's grounding metadata to citations of the answer's texts.

    `parts` are the wire parts: a support names the part whose bytes it counts.
    """
    metadata = candidate.get(METADATA)
    texts = _texts(messages)
    if type(metadata) is not dict or not texts:
        return
    known = cast("dict[str, Any]", metadata)
    cited = (
        [(texts[0], read_citations(known, texts[0].text))]
        if len(texts) == 1
        else _citations_by_text(known, texts, parts)
    )
    if not any(citations for _, citations in cited):
        return
    for (message, at, text), citations in cited:
        if citations and at < 0:
            message["content"] = [{"type": "text", "text": text, "citations": citations}]
        elif citations:
            message["content"][at]["citations"] = citations
    candidate[METADATA] = rest(known, frozenset({SUPPORTS}))


def _texts(messages: Sequence[dict[str, Any]]) -> list[_Text]:
    """Return the non-empty texts of an answer; an empty list if one was spelled in a way of its own."""
    found: list[_Text] = []
    for message in messages:
        content = message.get("content")
        if message["role"] != "assistant" or content is None:
            continue
        if type(content) is str:
            if "spelling" in own_extra(message, DIALECT):
                return []
            found.append(_Text(message, -1, content))
        else:
            said = ((at, part["text"]) for at, part in enumerate(content) if part["type"] == "text" and part["text"])
            found += [_Text(message, at, text) for at, text in said]
    return found


def _citations_by_text(
    metadata: Mapping[str, Any], texts: list[_Text], parts: Any
) -> list[tuple[_Text, list[dict[str, Any]]]]:
    """Return the citations of each of several texts; an empty list if the supports could not be rebuilt from them."""
    chunks, supports = metadata.get(CHUNKS), metadata.get(SUPPORTS)
    if type(chunks) is not list or type(supports) is not list or type(parts) is not list:
        return []
    said = [(place, part["text"]) for place, part in enumerate(parts) if _is_answer_text(part)]
    if [text for _, text in said] != [one.text for one in texts]:
        return []
    cited: list[tuple[_Text, list[dict[str, Any]]]] = []
    try:
        of = [_checked_index(support["segment"].get("partIndex", 0)) for support in supports]
        for one, (place, _) in zip(texts, said, strict=True):
            own = [support for support, index in zip(supports, of, strict=True) if index == place]
            cited.append((one, _citations(own, chunks, one.text)))
    except _OTHER_SHAPE:
        return []
    if not _are_sources(chunks, [citation for _, some in cited for citation in some]):
        return []
    known = Chunks(chunks)
    made = [support for one, some in cited for support in build_supports(some, one.text, known)]
    return cited if made == supports else []


def _is_answer_text(part: Any) -> bool:
    """Return whether a wire part is non-empty text of the answer."""
    said = part.get("text") if type(part) is dict and part.get("thought") is not True else None
    return type(said) is str and bool(said)


def read_citations(metadata: Mapping[str, Any], text: str) -> list[dict[str, Any]]:
    """Return the citations of a text; an empty list if the supports could not be rebuilt from them."""
    chunks, supports = metadata.get(CHUNKS), metadata.get(SUPPORTS)
    if type(chunks) is not list or type(supports) is not list:
        return []
    try:
        citations = _citations(supports, chunks, text)
    except _OTHER_SHAPE:
        return []  # it stays as it came
    if not _are_sources(chunks, citations):
        return []
    known = Chunks(chunks)
    return citations if build_supports(citations, text, known) == supports and known.chunks == chunks else []


def _citations(supports: list[Any], chunks: list[Any], text: str) -> list[dict[str, Any]]:
    said = text.encode("utf-8", "surrogatepass")
    return [one for support in supports for one in _read_support(support, chunks, said)]


def _are_sources(chunks: list[Any], citations: list[dict[str, Any]]) -> bool:
    """Return whether each chunk is a source, and the URLs and titles of all citations are text."""
    return all(map(_is_source, chunks)) and all(
        type(one[name]) is str for one in citations for name in ("url", "title") if name in one
    )


def _read_support(support: dict[str, Any], chunks: list[Any], said: bytes) -> list[dict[str, Any]]:
    """Return the citations of a support: one for each source."""
    segment: dict[str, Any] = support["segment"]
    start, end = (_characters(said, segment.get(name, 0)) for name in ("startIndex", "endIndex"))
    citations: list[dict[str, Any]] = []
    for index in support["groundingChunkIndices"]:
        (source,) = chunks[_checked_index(index)].values()
        title = {"title": source["title"]} if "title" in source else {}
        citations.append({"kind": "url", "url": source["uri"], **title, "start_index": start, "end_index": end})
    fields = rest(support, _SUPPORT_MEMBERS)
    beside = rest(segment, _SEGMENT_MEMBERS)
    if "startIndex" in segment and start == 0:
        beside["startIndex"] = 0  # left out by habit
    if beside:
        fields["segment"] = beside
    if fields:
        citations[0]["extra"] = {DIALECT: {"fields": fields}}
    return citations


def _characters(said: bytes, index: int) -> int:
    """Return the number of characters before a byte."""
    return len(said[: _checked_index(index)].decode("utf-8", "surrogatepass"))


def _checked_index(index: Any) -> int:
    """Return an index that is an integer. Raises `TypeError`."""
    if type(index) is not int:
        raise TypeError  # a bool is not an index
    return index


class Chunks:
    """The grounding chunks of an answer: those that came with it, and those added for its citations."""

    __slots__ = ("_places", "chunks")

    def __init__(self, chunks: Sequence[Any] = ()) -> None:
        self.chunks = [*chunks]
        self._places: dict[tuple[Any, ...], int] = {}
        for place, chunk in enumerate(chunks):
            (source,) = chunk.values()
            named = tuple((name, source[name]) for name in ("uri", "title") if name in source)
            if all(type(value) is str for _, value in named):  # others equal no citation
                self._places.setdefault(named, place)

    def place(self, citation: Any) -> int:
        """Return the index of the chunk that a citation names, adding the chunk if it is missing."""
        named = tuple((wire, citation[name]) for wire, name in (("uri", "url"), ("title", "title")) if name in citation)
        place = self._places.setdefault(named, len(self.chunks))
        if place == len(self.chunks):
            self.chunks.append({"web": dict(named)})
        return place


def has_address(citation: Any) -> bool:
    """Return whether a citation names its source by a URL, as a chunk of grounding does."""
    return citation["kind"] == "url" and "url" in citation


def build_supports(citations: Sequence[Any], text: str, chunks: Chunks) -> list[Any]:
    """Return the supports for the citations of a text; sources that are not among the chunks are added to them."""
    supports: list[dict[str, Any]] = []
    last: tuple[int, int] | None = None
    for citation in citations:
        span = (citation.get("start_index", 0), citation.get("end_index", len(text)))
        fields = own_extra(citation, DIALECT).get("fields", NOTHING)
        if span != last or fields:
            supports.append({"segment": _segment(text, *span), "groundingChunkIndices": []})
            last = span
        supports[-1]["groundingChunkIndices"].append(chunks.place(citation))
        merge_extra(supports[-1], fields)
    return supports


def _segment(text: str, start: int, end: int) -> dict[str, Any]:
    """Return the segment of bytes for a span of characters; a start of 0 is left out."""
    first = len(text[:start].encode("utf-8", "surrogatepass"))
    said = text[start:end]
    where = {"startIndex": first} if first else {}
    return {**where, "endIndex": first + len(said.encode("utf-8", "surrogatepass")), "text": said}


def write_grounding(out: dict[str, Any], messages: Sequence[Any], candidate: Mapping[str, Any], to: Target) -> None:
    """Write the citations of a Gemini answer as grounding metadata, with the chunks that came with it."""
    cited = [
        (part, f"{to.part(index, 'content', at)}/citations")
        for index, message in enumerate(messages)
        if type(message.get("content")) is list
        for at, part in enumerate(message["content"])
        if "citations" in part
    ]
    if not cited:
        return
    metadata = candidate.get(METADATA, NOTHING)
    came: Any = metadata.get(CHUNKS, ()) if isinstance(metadata, dict) else ()
    texts = _texts(messages)
    addresses = all(has_address(one) for part, _ in cited for one in part["citations"])
    if not texts or not addresses or not all(map(_is_source, came)) or not _are_placed(cited, texts):
        for _, path in cited:
            to.log.lost(
                "citation", path, "sources are sent by their URLs, for the text of the answer that they support"
            )
        return
    chunks = Chunks(came)
    supports: list[Any] = []
    for part, path in cited:
        supports += build_supports(part["citations"], part["text"], chunks)
        for which, citation in enumerate(part["citations"]):
            report_citation(citation, len(part["text"]), f"{path}/{which}", to.log)
    out[METADATA] = {CHUNKS: chunks.chunks, SUPPORTS: supports}


def _are_placed(cited: list[tuple[Any, str]], texts: list[_Text]) -> bool:
    """Return whether each citation is of the only text, or names its part."""
    return len(texts) == 1 or all(
        part["text"] == texts[0].text or "partIndex" in _noted_segment(part["citations"][0]) for part, _ in cited
    )


def _noted_segment(citation: Any) -> Mapping[str, Any]:
    """Return the noted segment of one of Gemini's own citations."""
    segment: Mapping[str, Any] = own_extra(citation, DIALECT).get("fields", NOTHING).get("segment", NOTHING)
    return segment


def report_citation(citation: Any, length: int, path: str, log: LossLog) -> None:
    """Report what grounding metadata cannot express of a citation; `length` is that of the cited text."""
    for name in ("start_index", "end_index"):
        if not 0 <= citation.get(name, 0) <= length:
            log.changed("citation", f"{path}/{name}", "start_index and end_index must lie within the text")
    lost_members(log, beyond(citation, _PLACED), path, "member", "Gemini's citations have no such member")
    if "extra" in citation:
        report_foreign(citation, DIALECT, path, log)


def _is_source(chunk: Any) -> bool:
    return type(chunk) is dict and len(chunk) == 1 and type(next(iter(chunk.values()))) is dict


class StreamedText:
    """The text of an answer in a stream so far, and the citations already returned."""

    __slots__ = ("_block", "_is_one", "_told", "_unread", "pieces")

    def __init__(self, block: int) -> None:
        self.pieces: list[str] = []
        self._block = block
        self._is_one = True
        self._told: list[dict[str, Any]] = []
        self._unread: Any = None  # supports that could not be read as citations of the text so far

    def add(self, text: str, block: int) -> None:
        """Add a piece of text; nothing is cited if there are several texts."""
        self.pieces.append(text)
        self._is_one = self._is_one and block == self._block

    def citations(self, metadata: Any) -> list[dict[str, Any]]:
        """Return the events of the citations that a chunk's metadata adds."""
        if type(metadata) is not dict:
            return []
        known = cast("dict[str, Any]", metadata)
        found = read_citations(known, "".join(self.pieces)) if self._is_one else []
        self._unread = None if found else known.get(SUPPORTS) or self._unread
        new = [citation for citation in found if citation not in self._told]
        self._told += new
        return [{"type": "citation", "block": self._block, "citation": citation} for citation in new]

    def unread_supports(self) -> list[dict[str, Any]]:
        """Return opaque citation events for supports that could not be read, so that they are reported."""
        supports, self._unread = self._unread, None
        cited: list[Any] = supports if type(supports) is list else []
        kept = [{"kind": "opaque", "extra": {DIALECT: {"fields": one}}} for one in cited if type(one) is dict]
        return [{"type": "citation", "block": self._block, "citation": citation} for citation in kept]
