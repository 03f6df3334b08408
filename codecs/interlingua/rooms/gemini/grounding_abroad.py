"""Citations of another dialect's answer as grounding metadata: of a whole answer, and in the last chunk of a stream.

Gemini clients look up segments in the text of the whole answer, or in the part that is named. So adjacent texts become
one part if they are cited. Source: docs/wire/gemini.md, section 2.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms.gemini.grounding import (
    CHUNKS,
    METADATA,
    SUPPORTS,
    Chunks,
    build_supports,
    has_address,
    report_citation,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.writing import Target

__all__ = ["StreamedCitations", "write_grounding_abroad"]

_ADDRESSES: Final = "sources are sent by their URLs, for the text of the answer that they support"


def write_grounding_abroad(out: dict[str, Any], messages: Sequence[Any], to: Target) -> None:
    """Write the citations of an answer's texts as grounding metadata; the content has been written before."""
    if not any(map(_is_cited, messages)):  # the usual case
        return
    texts = list(_texts(messages, to))
    parts = _joined(out["content"]["parts"])
    if len(parts) != len(out["content"]["parts"]):
        out["content"]["parts"] = parts
        for index, message in enumerate(messages):
            if type(message.get("content")) is list:
                to.log.changed("content", f"{to.message(index)}/content", "texts with sources are joined into one part")
    written = [(at, part["text"]) for at, part in enumerate(parts) if _is_text(part)]
    is_one = len(written) == 1
    sources, end = _Sources(to.log), 0
    for part, path in texts:
        said = part["text"]
        cited = [(citation, f"{path}/{index}") for index, citation in enumerate(part.get("citations", ()))]
        # In the part where the previous text ended, or in a later one.
        places = (n for n, (_, text) in enumerate(written) if text.find(said, 0 if n else end) >= 0)
        if (place := next(places, None)) is not None:
            start = written[place][1].find(said, 0 if place else end)
            written, end = written[place:], start + len(said)
            at, text = written[0]
            sources.add(cited, part["text"], text[:start], part_index=0 if is_one else at)
        else:  # the text was written in another form
            sources.lose(cited)
    sources.write(out)


def _is_cited(message: Any) -> bool:
    """Return whether a text of a message has citations."""
    content = message.get("content") if message["role"] == "assistant" else None
    return type(content) is list and any("citations" in part and part.get("text") for part in content)


def _texts(messages: Sequence[Any], to: Target) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the non-empty texts of an answer, each with the path of its citations."""
    for index, message in enumerate(messages):
        content = message.get("content") if message["role"] == "assistant" else None
        parts: list[Any] = [{"type": "text", "text": content}] if type(content) is str else content or []
        for at, part in enumerate(parts):
            if part["type"] == "text" and part["text"]:
                yield part, f"{to.part(index, 'content', at)}/citations"


def _is_text(part: dict[str, Any]) -> bool:
    return len(part) == 1 and "text" in part


def _joined(parts: list[Any]) -> list[Any]:
    """Return the parts of a content with adjacent texts joined into one."""
    out: list[Any] = []
    for part in parts:
        if out and _is_text(part) and _is_text(out[-1]):
            out[-1] = {"text": out[-1]["text"] + part["text"]}
        else:
            out.append(part)
    return out


class StreamedCitations:
    """The texts of one streamed answer so far, by block, and their citations."""

    def __init__(self) -> None:
        self._pieces: dict[int, list[str]] = {}
        self._cited: dict[int, list[tuple[Any, str]]] = {}  # each with its path

    def pieces(self, block: int) -> list[str]:
        """Return the list of pieces of a block's text, to add to."""
        return self._pieces.setdefault(block, [])

    def say(self, block: int, text: str, written: str) -> None:
        """Add a piece of a block's text; `written` may have a blank line before it."""
        if len(written) > len(text):
            self.pieces(-1 - block).append(written.removesuffix(text))
        self.pieces(block).append(text)

    def cite(self, block: int, citation: Any, path: str) -> None:
        """Add a citation of a block's text, with its path in the events."""
        self._cited.setdefault(block, []).append((citation, path))

    def write(self, out: dict[str, Any], log: LossLog) -> None:
        """Write the grounding metadata into the last candidate; losses are reported at the paths of the events."""
        if not self._cited:
            return
        sources, before = _Sources(log), ""
        for block, pieces in self._pieces.items():
            text = "".join(pieces)
            sources.add(self._cited.pop(block, []), text, before)
            before += text
        for cited in self._cited.values():
            sources.lose(cited)
        sources.write(out)

    def cut(self, log: LossLog) -> None:
        """Report the citations of a stream that was cut."""
        for _, path in itertools.chain(*self._cited.values()):
            log.lost("citation", path, "the stream was cut before its end")


class _Sources:
    """Grounding chunks and supports being built."""

    def __init__(self, log: LossLog) -> None:
        self._log = log
        self._chunks = Chunks()
        self._supports: list[Any] = []

    def add(self, cited: list[tuple[Any, str]], text: str, before: str, part_index: int = 0) -> None:
        """Add the citations of a text, each with its path; `before` is the part's text before it."""
        placed = [(one, path) for one, path in cited if has_address(one)]
        self.lose([(one, path) for one, path in cited if not has_address(one)])
        first = len(before.encode("utf-8", "surrogatepass"))
        for support in build_supports([one for one, _ in placed], text, self._chunks):
            segment = support["segment"]
            start, end = first + segment.pop("startIndex", 0), first + segment.pop("endIndex")
            where = {"partIndex": part_index} if part_index else {}
            where |= {"startIndex": start} if start else {}
            self._supports.append({**support, "segment": {**where, "endIndex": end, **segment}})
        for one, path in placed:
            for name in ("start_index", "end_index"):
                if name not in one:
                    self._log.filled(f"{path}/{name}", "a segment needs its start and its end")
            report_citation(one, len(text), path, self._log)

    def lose(self, cited: list[tuple[Any, str]]) -> None:
        """Report citations that have no place."""
        for _, path in cited:
            self._log.lost("citation", path, _ADDRESSES)

    def write(self, out: dict[str, Any]) -> None:
        """Write the grounding metadata into a candidate, if there is any."""
        if self._supports:
            out[METADATA] = {CHUNKS: self._chunks.chunks, SUPPORTS: self._supports}
