"""Encode parts, citations and cache marks for Claude."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.loss import beyond, lost_members, lost_opaque
from interlingua.rooms._shared.cache_marks import claude_cache_mark
from interlingua.rooms._shared.claude_documents import (
    LOCATIONS,
    citations_for_claude,
    is_search_result,
    location_for_claude,
    search_result_for_claude,
)
from interlingua.rooms._shared.media import (
    HELD_ELSEWHERE,
    NOT_CLAUDES,
    REENCODED_DATA,
    as_text,
    declared_type,
    out_of_reach,
    with_actual_type,
    with_data,
    with_standard_type,
)
from interlingua.rooms._shared.server_calls import with_server_calls_as_text
from interlingua.rooms._shared.writing import PLAIN_TEXT
from interlingua.rooms.claude.server_calls import encode_call, encode_result, written_runs
from interlingua.rooms.claude.tables import (
    CITATION_HABITS,
    CITATIONS,
    DIALECT,
    IMAGE_TYPES,
    NEWEST,
    PDF,
    PLAIN,
    SEARCH_RESULT,
    SEARCH_RESULT_PLACE,
)
from interlingua.spi.extra import NOTHING, merge_own_extra, own_extra, own_spelling, report_foreign

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import AudioPart, FilePart, ImagePart, Part
    from interlingua.rooms._shared.writing import Target

# Members of an empty text part; any further member is reported as a loss of its own.
_WITHOUT_WORDS: Final = frozenset({"type", "text", "extra"})


_SEARCHED: Final = frozenset({"content", "name", "title"})


def encode_texts(content: Any, path: str, to: Target) -> Any:
    """Encode the content of an instruction: text, or text blocks."""
    if type(content) is str:
        return content
    blocks: list[Any] = []
    for at, part in enumerate(content):
        if part["type"] == "text" or to.home or (part["type"] == "opaque" and part["dialect"] == DIALECT):
            blocks.extend(encode_part(part, f"{path}/{at}", "system", to))
        else:
            lost_members(to.log, part, f"{path}/{at}", "part", "system accepts only text")
    return blocks


def encode_parts(content: Any, path: str, role: str, to: Target) -> list[Any]:
    """Encode parts as blocks. White space that is a part between two texts begins the second one abroad."""
    blocks: list[Any] = []
    blank: list[tuple[str, str]] = []  # such white space, and its path
    for at, part in enumerate(with_server_calls_as_text(content, path, to, written_runs(to))):
        is_plain = part["type"] == "text" and len(part) == 2
        if is_plain and (to.home or (part["text"] and not part["text"].isspace())):
            more = [part]
        elif is_plain and part["text"] and blocks and blocks[-1]["type"] == "text":
            blank.append((part["text"], f"{path}/{at}/text"))
            continue
        else:
            more = encode_part(part, f"{path}/{at}", role, to)
        blocks.extend(_with_leading_whitespace(blank, more, to) if blank and more else more)
    _with_leading_whitespace(blank, [], to)
    return blocks


def _with_leading_whitespace(blank: list[tuple[str, str]], blocks: list[Any], to: Target) -> list[Any]:
    """Return the blocks of a part, a text with the white space before it, which waits no longer."""
    waiting, blank[:] = [*blank], []
    if not blocks or blocks[0]["type"] != "text":
        for text, path in waiting:
            report_empty(text, path, to)
        return blocks
    for _, path in waiting:
        to.log.changed("empty_text", path, BEGINS_NEXT)
    return [{**blocks[0], "text": "".join(text for text, _ in waiting) + blocks[0]["text"]}, *blocks[1:]]


def encode_part(part: Part, path: str, role: str, to: Target) -> list[dict[str, Any]]:
    """Return the content block of a part in a list, or an empty list if it has none."""
    if part["type"] == "text":
        if not to.home and (not part["text"] or part["text"].isspace()):
            report_empty(part["text"], f"{path}/text", to)
            detail = "the target refuses an empty text: it was left out"
            lost_members(to.log, beyond(part, _WITHOUT_WORDS), path, "empty_text", detail)
            if "extra" in part:
                report_foreign(part, DIALECT, path, to.log)
            return []
        out: dict[str, Any] = {"type": "text", "text": part["text"]}
        if "citations" in part:
            _encode_citations(out, part, path, role, to)
        return [_finish_part(out, part, path, to)]
    if part["type"] == "opaque":
        return _encode_opaque(part, path, role, to)
    if part["type"] == "image" or part["type"] == "audio" or part["type"] == "file":
        return _encode_media(with_actual_type(part, path, to), path, role, to)
    if part["type"] == "server_call" or part["type"] == "server_result":
        return [_encode_run(part, path, to)]
    assert_never(part)


def _encode_media(part: ImagePart | AudioPart | FilePart, path: str, role: str, to: Target) -> list[dict[str, Any]]:
    if part["type"] == "image":
        return _encode_image(part, path, role, to)
    if part["type"] == "audio":
        lost_members(to.log, part, path, "part", "the target does not support audio")
        return []
    return _encode_document(part if to.home else citations_for_claude(part), path, role, to)


def _encode_opaque(part: Any, path: str, role: str, to: Target) -> list[dict[str, Any]]:
    if part["dialect"] == DIALECT:
        return [part["data"]]
    found = search_result_for_claude(part)
    if found is not None:
        return _encode_document(found, path, role, to)
    lost_opaque(to.log, path, "part")
    return []


def _encode_run(part: Any, path: str, to: Target) -> dict[str, Any]:
    encode = encode_call if part["type"] == "server_call" else encode_result
    out = encode(part, path, to)
    encode_cache_mark(out, part, path, to)
    return out


def _encode_image(part: Any, path: str, role: str, to: Target) -> list[dict[str, Any]]:
    if not to.home and role == "assistant":
        lost_members(to.log, part, path, "part", "Claude's answers cannot hold images")
        return []
    source = _encode_source(part, path, to, IMAGE_TYPES)
    if source is None:
        return []
    for name in ("detail", "name"):
        if name in part and part[name] != "auto":  # `auto` is the default detail
            to.log.lost("part", f"{path}/{name}", f"an image has no {name} there")
    return [_finish_part({"type": "image", "source": source}, part, path, to)]


def _encode_source(part: Any, path: str, to: Target, accepted: frozenset[str]) -> dict[str, Any] | None:
    """Encode a source that images and documents share, or report the part as lost and return None."""
    given, part = part, part if to.home else with_data(part)
    if "data" in part:
        is_read = part is not given
        part = with_standard_type(part, path, to)
        media_type = part.get("format")
        if not to.home:
            if media_type is None and part["type"] == "image":
                media_type = "image/png"
                to.log.filled(f"{path}/format", "data needs a media_type")
            elif media_type not in accepted:
                lost_members(to.log, given, path, "part", "the target does not accept this media type")
                return None
        if is_read:
            to.log.changed("part", path, REENCODED_DATA)
        kind = {} if media_type is None else {"media_type": media_type}
        return {"type": "base64", **kind, "data": part["data"]}
    if not to.home:
        reason = _refusal_of(part, accepted)
        if reason:
            lost_members(to.log, given, path, "part", reason)
            return None
        if "format" in part:
            to.log.lost("part", f"{path}/format", "media_type is only sent with data")
    if "url" in part:
        return {"type": "url", "url": part["url"]}
    return {"type": "file", "file_id": part["file_id"]}


def _refusal_of(part: Any, accepted: frozenset[str]) -> str:
    """Return why a URL or file id is refused, or "" if it is accepted."""
    if "url" not in part:
        return HELD_ELSEWHERE if NOT_CLAUDES.match(part["file_id"]) is not None else ""
    if declared_type(part) in {"", *accepted}:
        return out_of_reach(part)
    return "the target does not accept such media by URL"


def _encode_document_source(part: Any, path: str, role: str, to: Target) -> dict[str, Any] | None:
    """Encode the source of a document, or report the part as lost and return None."""
    if "text" in part:
        return _encode_text_source(part, path, to)
    if "content" not in part:
        return _encode_source(part, path, to, frozenset({PDF}))
    content: Any = []
    for at, one in enumerate(part["content"]):
        if to.home or one["type"] in {"text", "image", "opaque"}:
            content.extend(encode_part(one, f"{path}/content/{at}", role, to))
        else:
            lost_members(to.log, one, f"{path}/content/{at}", "part", "a document can only hold texts and images")
    if not content and not to.home:
        lost_members(to.log, part, path, "part", "Claude refuses an empty document")
        return None
    if "format" in part:
        to.log.lost("part", f"{path}/format", "a document has no media type of its own: each of its parts has one")
    spelling = own_spelling(part, DIALECT)
    if "content" in spelling and len(content) == 1 and content[0].keys() == PLAIN_TEXT:
        content = content[0]["text"]
    return {"type": "content", "content": content}


def _encode_text_source(part: Any, path: str, to: Target) -> dict[str, Any]:
    if "format" in part and part["format"] != PLAIN:
        to.log.lost("part", f"{path}/format", "a text block can only hold text")
    bag = own_extra(part, DIALECT)
    unsaid = "media_type" in bag.get("spelling", NOTHING).get("absent", ())
    is_said = not (unsaid or "media_type" in bag.get("fields", NOTHING).get("source", NOTHING))
    return {"type": "text", **({"media_type": PLAIN} if is_said else {}), "data": part["text"]}


def _encode_document(part: Any, path: str, role: str, to: Target) -> list[dict[str, Any]]:
    if role == "assistant" and not to.home:
        lost_members(to.log, part, path, "part", "Claude's answers cannot hold documents")
        return []
    if is_search_result(part, DIALECT) and part.keys() >= _SEARCHED:
        return [_encode_search_result(part, path, role, to)]
    given, part = part, as_text(part, to)
    if part is not given:
        to.log.changed("part", path, "the file is sent as a text document")
    source = _encode_document_source(part, path, role, to)
    if source is None:
        return []
    out: dict[str, Any] = {"type": "document", "source": source}
    out |= {name: part[name] for name in ("title", "context") if name in part}
    if "name" in part:
        if "title" in part:
            to.log.lost("part", f"{path}/name", "a document has a title but no other name")
        else:
            out["title"] = part["name"]
            to.log.changed("part", f"{path}/name", "the name is sent as the title of the document")
    return [_finish_part(out, part, path, to)]


def _encode_search_result(part: Any, path: str, role: str, to: Target) -> dict[str, Any]:
    content = encode_parts(part["content"], f"{path}/content", role, to)
    out: dict[str, Any] = {"type": SEARCH_RESULT, "source": part["name"], "title": part["title"], "content": content}
    for name in ("context", "format"):
        if name in part:
            to.log.lost("part", f"{path}/{name}", f"a search result has no {name} there")
    return _finish_part(out, part, path, to)


def _finish_part(out: dict[str, Any], part: Any, path: str, to: Target) -> dict[str, Any]:
    encode_cache_mark(out, part, path, to)
    merge_own_extra(out, part, DIALECT, path, to.log)
    return out


def encode_cache_mark(out: dict[str, Any], value: Any, path: str, to: Target) -> None:
    """Write `cache_control` if the value has a cache mark."""
    if "cache" in value and to.answer and not to.home:
        to.log.lost("cache", f"{path}/cache", "responses have no cache marks")
    elif "cache" in value:
        out["cache_control"] = claude_cache_mark(value["cache"], f"{path}/cache", to)


def _encode_citations(out: dict[str, Any], part: Any, path: str, role: str, to: Target) -> None:
    citations: list[Any] = []
    for at, citation in enumerate(part["citations"]):
        where = f"{path}/citations/{at}"
        if role in {"user", "tool"} and to.version == NEWEST:
            lost_members(to.log, citation, where, "citation", "citations are only allowed in texts of the assistant")
            continue
        encoded = encode_citation(citation, where, part["text"], to)
        if encoded is not None:
            citations.append(encoded)
    if citations or not part["citations"]:
        out["citations"] = citations


def encode_citation(citation: Any, path: str, text: str, to: Target) -> dict[str, Any] | None:
    """Return the wire form of a citation, or None if it has none."""
    citation = citation if to.home else location_for_claude(citation)
    bag = own_extra(citation, DIALECT)
    fields = bag.get("fields", NOTHING)
    if citation["kind"] == "opaque" and bag:
        return {**fields}
    kind = fields.get("type", CITATION_HABITS.get(citation["kind"]))
    if kind not in CITATIONS or CITATIONS[kind][0] != citation["kind"] or not (bag or to.home or to.answer):
        lost_members(to.log, citation, path, "citation", "Claude accepts only its own citations")
        return None
    names = {canonical: wire for wire, canonical in CITATIONS[kind][1].items()}
    said = {names[name]: value for name, value in citation.items() if name in names}
    if not to.home and not _has_position(kind, {**fields, **said}):
        lost_members(to.log, citation, path, "citation", "Claude's citations need a location in a document")
        return None
    for name in citation:
        if name not in names and name not in {"kind", "extra"}:
            to.log.lost("citation", f"{path}/{name}", f"this citation has no {name}")
    out: dict[str, Any] = {"type": kind, **said}
    merge_own_extra(out, citation, DIALECT, path, to.log)
    if not to.home:
        _fill_citation(out, kind, citation, path, text, to)
    return out


def _has_position(kind: str, members: Mapping[str, Any]) -> bool:
    """Return whether a document citation says which document and where in it; web citations need not."""
    return kind not in LOCATIONS or all(type(members.get(name)) is int for name in LOCATIONS[kind].members)


def _fill_citation(out: dict[str, Any], kind: str, citation: Any, path: str, text: str, to: Target) -> None:
    """Fill in the members that Claude requires of each type of citation."""
    start, end = int(citation.get("start_index", 0)), int(citation.get("end_index", len(text)))
    if kind == CITATION_HABITS["url"]:
        # Clients take only a title that is a text, and show it: the address says at least where it leads.
        title = citation.get("url") if to.answer else None
        fills: dict[str, Any] = {"url": "", "title": title, "cited_text": text[start:end], "encrypted_index": ""}
    elif kind == SEARCH_RESULT_PLACE:
        fills = {"source": "", "title": None, "cited_text": ""}
    else:
        fills = {"document_title": None, "cited_text": "", **({"file_id": None} if to.answer else {})}
    names = CITATIONS[kind][1]
    for wire, value in fills.items():
        if wire not in out:
            out[wire] = value
            to.log.filled(
                f"{path}/{names.get(wire, f'extra/{DIALECT}/fields/{wire}')}",
                "every citation of Claude needs this member",
            )


BEGINS_NEXT: Final = "Claude refuses a text block of white space alone: it begins the next text"


def report_empty(text: str, path: str, to: Target) -> None:
    """Report text of white space alone, which Claude refuses; empty text says nothing and is no loss."""
    if text:
        to.log.lost("empty_text", path, "Claude refuses a text block of only white space")
