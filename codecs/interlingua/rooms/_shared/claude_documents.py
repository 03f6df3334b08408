"""Convert document members between Claude's Messages and Bedrock Converse that the canonical form does not have.

These are the citation settings of documents, search results, and the locations of citations.
Source: docs/wire/claude.md, sections 1.2 and 2; docs/wire/bedrock_converse.md, section 1.2.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.rooms._shared.writing import with_parts
from interlingua.spi.extra import NOTHING, own_extra, with_extras, with_fields_moved

if TYPE_CHECKING:
    from collections.abc import Mapping

_CLAUDE, _BEDROCK = "claude", "bedrock_converse"
_CHARS: Final = "char_location"
_FOUND: Final = "search_result"
_OF_FOUND: Final = frozenset({"source", "title", "content"})


class CitationLocation(NamedTuple):
    """A type of citation location: Bedrock's name and index member, and Claude's members for index, start and end."""

    bedrock: str
    which: str
    members: tuple[str, str, str]


# By the type of Claude's citation: start and end count characters, pages, or content blocks.
LOCATIONS: Final[Mapping[str, CitationLocation]] = MappingProxyType({
    _CHARS: CitationLocation(
        "documentChar", "documentIndex", ("document_index", "start_char_index", "end_char_index")
    ),
    "page_location": CitationLocation(
        "documentPage", "documentIndex", ("document_index", "start_page_number", "end_page_number")
    ),
    "content_block_location": CitationLocation(
        "documentChunk", "documentIndex", ("document_index", "start_block_index", "end_block_index")
    ),
    "search_result_location": CitationLocation(
        "searchResultLocation", "searchResultIndex", ("search_result_index", "start_block_index", "end_block_index")
    ),
})  # fmt: skip
_TYPES: Final[Mapping[str, str]] = MappingProxyType({place.bedrock: kind for kind, place in LOCATIONS.items()})


def location_for_claude(citation: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a citation with Bedrock's location in Claude's form; unchanged if the location is incomplete."""
    fields = own_extra(citation, _BEDROCK).get("fields", NOTHING)
    location = fields.get("location")
    named = next(iter(location), None) if type(location) is dict and len(location) == 1 else None
    kind = _TYPES.get(str(named))
    if kind is None or type(location) is not dict or type(location[named]) is not dict:
        return citation
    place, said = LOCATIONS[kind], location[named]
    values = (said.get(place.which), said.get("start"), said.get("end"))
    members = dict(zip(place.members, values, strict=True))
    if kind == _CHARS:  # start and end are canonical members
        members = {place.members[0]: values[0]}
        values = (values[0], citation.get("start_index"), citation.get("end_index"))
    if not _are_counts(values) or len(said) != len(members):
        return citation
    named_kind = {} if kind == _CHARS else {"type": kind}
    return with_fields_moved(citation, _BEDROCK, {"location"}, _CLAUDE, {**named_kind, **members})


def location_for_bedrock(citation: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a citation with Claude's location in Bedrock's form; unchanged if the location is incomplete."""
    fields = own_extra(citation, _CLAUDE).get("fields", NOTHING)
    kind = fields.get("type", _CHARS)
    place = LOCATIONS.get(kind) if type(kind) is str and citation["kind"] == "document" else None
    if place is None:
        return citation
    values = tuple(fields.get(name) for name in place.members)
    said = dict(zip((place.which, "start", "end"), values, strict=True))
    if kind == _CHARS:
        values = (values[0], citation.get("start_index"), citation.get("end_index"))
        said = {place.which: values[0]}
    if not _are_counts(values):
        return citation
    return with_fields_moved(citation, _CLAUDE, {"type", *place.members}, _BEDROCK, {"location": {place.bedrock: said}})


def _are_counts(values: tuple[Any, ...]) -> bool:
    return all(type(value) is int for value in values)


def is_search_result(part: Mapping[str, Any], dialect: str) -> bool:
    """Tell whether a part is marked as a search result in the `extra` of the dialect."""
    return bool(own_extra(part, dialect).get("spelling", NOTHING).get("type") == _FOUND)


def has_citations_enabled(part: Mapping[str, Any]) -> bool:
    """Tell whether a document has citations enabled on Bedrock."""
    return bool(_citation_setting_of(own_extra(part, _BEDROCK), "document") == {"enabled": True})


def messages_for_bedrock(messages: list[Any]) -> list[Any]:
    """Return messages with Claude's members of documents and citations in Bedrock's form."""
    return with_parts(messages, lambda part, _path: _part_for_bedrock(part))


def _part_for_bedrock(part: Any) -> Any:
    if part["type"] == "text" and "citations" in part:
        return {**part, "citations": [location_for_bedrock(one) for one in part["citations"]]}
    bag = own_extra(part, _CLAUDE)
    if part["type"] != "file" or not bag or own_extra(part, _BEDROCK):
        return part
    fields, spelling = bag.get("fields", NOTHING), bag.get("spelling", NOTHING)
    given: dict[str, Any] = {}
    if spelling.get("type") == _FOUND and part.keys() >= {"name", "title", "content"}:
        given["spelling"] = {"type": _FOUND}
    if _is_citation_setting(fields.get("citations")):
        given["fields"] = {"searchResult" if given else "document": {"citations": fields["citations"]}}
    if not given:
        return part
    left = {
        "fields": {
            name: held for name, held in fields.items() if name != "citations" or not _is_citation_setting(held)
        },
        "spelling": {name: held for name, held in spelling.items() if name != "type"},
    }
    return with_extras(part, {_CLAUDE: left, _BEDROCK: given})


def citations_for_claude(part: Any) -> Any:
    """Return a document with Bedrock's citation setting in Claude's form."""
    bag = own_extra(part, _BEDROCK)
    if own_extra(part, _CLAUDE) or not _is_citation_setting(setting := _citation_setting_of(bag, "document")):
        return part
    document = {name: held for name, held in bag["fields"]["document"].items() if name != "citations"}
    fields = {**bag["fields"], "document": document}
    left = {**bag, "fields": {name: held for name, held in fields.items() if held}}
    return with_extras(part, {_BEDROCK: left, _CLAUDE: {"fields": {"citations": setting}}})


def search_result_for_claude(part: Any) -> Any:
    """Return the document of a Bedrock search result kept as an opaque part; None for any other opaque part."""
    data = part["data"] if part["dialect"] == _BEDROCK else None
    said = data.get("searchResult") if type(data) is dict and len(data) == 1 else None
    if (
        type(said) is not dict
        or not _OF_FOUND <= said.keys() <= _OF_FOUND | {"citations"}
        or type(said["content"]) is not list
    ):
        return None
    setting = said.get("citations")
    texts = [one.get("text") for one in said["content"] if type(one) is dict and len(one) == 1]
    is_whole = len(texts) == len(said["content"]) and ("citations" not in said or _is_citation_setting(setting))
    if not is_whole or not all(type(one) is str for one in (said["source"], said["title"], *texts)):
        return None
    cited = {"fields": {"citations": setting}} if "citations" in said else {}
    content = [{"type": "text", "text": text} for text in texts]
    extra = {_CLAUDE: {**cited, "spelling": {"type": _FOUND}}}
    return {"type": "file", "name": said["source"], "title": said["title"], "content": content, "extra": extra}


def _citation_setting_of(bag: Mapping[str, Any], kind: str) -> Any:
    said = bag.get("fields", NOTHING).get(kind)
    return said.get("citations") if type(said) is dict else None


def _is_citation_setting(value: Any) -> bool:
    """Tell whether a value is a citation setting, `{"enabled": bool}`, and nothing else."""
    return type(value) is dict and len(value) == 1 and type(value.get("enabled")) is bool
