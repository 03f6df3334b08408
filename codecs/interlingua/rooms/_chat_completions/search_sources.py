"""Sources of a search that a server lists beside the choices of its answer, as citations of the text.

The response keeps the place of each list as a null in `fields`, and the message notes that its citations are no
`annotations`. What a result says beyond a citation is kept with the citation, so that the lists are rebuilt from
citations. Source: docs/wire/openai_chat.md, section 9.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from interlingua.loss import beyond, lost_members
from interlingua.pointers import pointer
from interlingua.rooms._shared.media import is_address
from interlingua.rooms._shared.stream_notes import spelling
from interlingua.spi.extra import NOTHING, merge_extra, own_extra, own_spelling, report_foreign
from interlingua.spi.reading import TEXT, take

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatResponse
    from interlingua.spi.reading import Setting, Unmapped

_Place: TypeAlias = tuple[str, str]  # the member around a list, if there is one, and its name
_Names: TypeAlias = "Mapping[str, Setting]"

ANNOTATIONS: Final = "annotations"
_URLS: Final = ("", "citations")  # of addresses alone: Perplexity, xAI, OpenRouter
_TITLE, _URL, _CITED = ("title", TEXT), ("url", TEXT), ("cited_text", TEXT)
_USUAL: Final[_Names] = MappingProxyType({"title": _TITLE, "url": _URL, "snippet": _CITED})
# Each list of results, and the names of its members.
_RESULTS: Final[tuple[tuple[_Place, _Names], ...]] = (
    (("", "search_results"), _USUAL),  # Perplexity, Baidu
    (("search_info", "search_results"), _USUAL),  # Hunyuan, Qwen
    (("", "web_search"), MappingProxyType({"title": _TITLE, "link": _URL, "content": _CITED})),  # Z.ai
    (
        ("venice_parameters", "web_search_citations"),
        MappingProxyType({"title": _TITLE, "url": _URL, "content": _CITED}),
    ),
)
_LISTS: Final[tuple[tuple[_Place, _Names], ...]] = (*_RESULTS, (_URLS, MappingProxyType({"": _URL})))
MEMBERS: Final = frozenset(outer or name for (outer, name), _ in _LISTS)
_MISSING: Final = object()


class Sources(NamedTuple):
    """The sources that were found, and the lists that hold nothing else."""

    citations: list[dict[str, Any]]
    lists: list[_Place]


def sources_of(wire: Mapping[str, Any], dialect: str) -> Sources:
    """Return the sources of a response or chunk; none unless each of them has a URL."""
    urls = _at(wire, _URLS)
    for place, names in _RESULTS:
        results = _at(wire, place)
        if type(results) is list and results:
            citations = [one for one in (_read_result(result, names, dialect) for result in results) if one is not None]
            if len(citations) < len(results):
                break
            is_repeated = urls == [one["url"] for one in citations]
            return Sources(citations, [place, _URLS] if is_repeated else [place])
    else:
        if type(urls) is list and urls and all(type(url) is str and is_address(url) for url in urls):
            return Sources([{"kind": "url", "url": url} for url in urls], [_URLS])
    return Sources([], [])


def _at(wire: Mapping[str, Any], place: _Place) -> Any:
    outer, name = place
    holder = wire.get(outer) if outer else wire
    return holder.get(name, _MISSING) if isinstance(holder, dict) else _MISSING


def _read_result(result: Any, names: _Names, dialect: str) -> dict[str, Any] | None:
    """Return the citation of a result, or None if it has no URL; empty texts stay leftovers."""
    if type(result) is not dict:
        return None
    taken, fields = take({name: value for name, value in result.items() if value}, names)
    if not is_address(taken.get("url", "")):
        return None
    fields |= {name: value for name, value in result.items() if not value}
    citation: dict[str, Any] = {"kind": "url", **taken}
    if fields:
        citation["extra"] = {dialect: {"fields": fields}}
    return citation


def read_sources(response: dict[str, Any], left: Unmapped, dialect: str) -> None:
    """Move sources from the leftovers of a response to citations of its last text, unless it has citations."""
    citations, lists = sources_of(left.fields, dialect)
    nulls = [place for place, _ in _LISTS if citations and _at(left.fields, place) is None]
    if not citations or any(outer for outer, _ in nulls) or not _cite(response["messages"], citations, dialect):
        return
    for _, name in nulls:
        del left.fields[name]
        left.null(name)
    for outer, name in lists:
        if outer:
            left.fields[outer] = {**left.fields[outer], name: None}
        else:
            left.fields[name] = None


def _cite(messages: Sequence[dict[str, Any]], citations: list[dict[str, Any]], dialect: str) -> bool:
    """Put citations on the last text of an answer; return whether there is one, and none has citations."""
    contents = [message.get("content") for message in messages]
    if any("citations" in part for content in contents if type(content) is list for part in content):
        return False
    for message, content in zip(reversed(messages), reversed(contents), strict=True):
        if not content or message["role"] != "assistant":
            continue
        parts: list[Any] = [{"type": "text", "text": content}] if type(content) is str else [*content]
        for at in range(len(parts) - 1, -1, -1):
            if parts[at]["type"] == "text" and parts[at]["text"]:
                parts[at] = {**parts[at], "citations": citations}
                _note(message, dialect, is_string=type(content) is str)
                message["content"] = parts
                return True
    return False


def _note(message: dict[str, Any], dialect: str, *, is_string: bool) -> None:
    """Note that a message has no annotations for its citations."""
    bag = own_extra(message, dialect)
    notes = bag.get("spelling", NOTHING)
    notes = {**notes, "absent": [*notes.get("absent", ()), ANNOTATIONS], **({"content": "string"} if is_string else {})}
    message["extra"] = {**message.get("extra", NOTHING), dialect: {**bag, "spelling": notes}}


def is_beside(event: Mapping[str, Any], dialect: str) -> bool:
    """Tell whether the source of a citation event stands beside the choices."""
    return "extra" in event and ANNOTATIONS in spelling(event, dialect).get("absent", ())


def take_sources(response: ChatResponse, dialect: str, log: LossLog) -> tuple[ChatResponse, dict[str, Any]]:
    """Return a response without the citations that stand beside its choices, and the lists of these sources."""
    fields = own_extra(response, dialect)["fields"]
    lists = [(place, names) for place, names in _LISTS if _at(fields, place) is None]
    noted = [ANNOTATIONS in own_spelling(message, dialect).get("absent", ()) for message in response["messages"]]
    if not lists or not any(noted):
        return response, {}
    messages: list[Any] = [*response["messages"]]
    sources: list[Any] = []
    told = {name for _, names in lists for name, _ in names.values()}
    for index, message in enumerate(response["messages"]):
        if noted[index] and type(content := message.get("content")) is list:
            messages[index] = {**message, "content": [_without_citations(part) for part in content]}
            for at, part in enumerate(content):
                for which, citation in enumerate(part.get("citations", ())):
                    path = f"/messages/{index}/content/{at}/citations/{which}"
                    if _is_told(citation, path, told, dialect, log):
                        sources.append(citation)
    out: dict[str, Any] = {}
    for (outer, name), names in lists:
        holder = out.setdefault(outer, {}) if outer else out
        holder[name] = [_write_source(citation, names, dialect) for citation in sources]
    return {**response, "messages": messages}, out


def _without_citations(part: Any) -> Any:
    return {name: held for name, held in part.items() if name != "citations"} if "citations" in part else part


def _is_told(citation: Any, path: str, told: set[str], dialect: str, log: LossLog) -> bool:
    """Return whether a citation can stand in the lists; report what cannot."""
    if citation["kind"] != "url" or "url" not in citation:
        lost_members(log, citation, path, "citation", "the sources beside the choices are URLs")
        return False
    lost_members(log, beyond(citation, {"kind", "extra", *told}), path, "citation", "its list has no such member")
    if "extra" in citation:
        report_foreign(citation, dialect, path, log)
    return True


def _write_source(citation: Any, names: _Names, dialect: str) -> Any:
    """Return a source as an item of a list: an address, or a result."""
    if "" in names:
        return citation["url"]
    result = {wire: citation[name] for wire, (name, _) in names.items() if name in citation}
    merge_extra(result, own_extra(citation, dialect).get("fields", NOTHING))
    return result


class StreamedSources:
    """The sources that the chunks of a stream list; many list all of them in each chunk."""

    __slots__ = ("_dialect", "_found", "_told", "lost", "paths")

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        self._found = Sources([], [])
        self._told: set[str] = set()  # the URLs of those that were returned
        self.paths: list[str] = []  # of the members that are read
        self.lost: list[str] = []  # of those that no text cites

    def take(self, chunk: Mapping[str, Any]) -> None:
        """Take the sources of a chunk, if it lists any: they replace the earlier ones."""
        found = sources_of(chunk, self._dialect)
        if found.citations:
            self._found = found
            self.paths = [pointer(outer or name) for outer, name in found.lists if not outer or len(chunk[outer]) == 1]

    def uncited(self) -> list[str]:
        """Return the paths of the lists that no text cites, once the stream has ended."""
        return self.lost or ([] if self._told else self.paths)

    def events(self, block: int | None) -> list[dict[str, Any]]:
        """Return the citation events of new sources, for the block of a text, if there is one."""
        if block is None:
            self.lost += self.paths
            self.paths = []
            return []
        new = [citation for citation in self._found.citations if citation["url"] not in self._told]
        self._told.update(citation["url"] for citation in new)
        return [
            {
                "type": "citation",
                "block": block,
                "citation": citation,
                "extra": {self._dialect: {"spelling": {"absent": [ANNOTATIONS]}}},
            }
            for citation in new
        ]
