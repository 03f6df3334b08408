"""Encode parts, citations and cache marks for Responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.loss import beyond, lost_members, lost_opaque
from interlingua.rooms._shared.media import (
    HELD_ELSEWHERE,
    NOT_OPENAIS,
    NOT_READ,
    OPENAI_PICTURES,
    add_ending,
    data_url,
    declared_type,
    is_unsupported_image,
    out_of_reach,
    texts_of_document,
    with_actual_type,
    with_standard_data,
    with_standard_type,
)
from interlingua.rooms._shared.openai_settings import BREAKPOINT, cache_breakpoint
from interlingua.rooms._shared.server_calls import NO_SERVER_CALLS, server_part_as_text, with_server_calls_as_text
from interlingua.rooms.openai_responses.generated_images import encode_generated_image, is_generated_image
from interlingua.rooms.openai_responses.tables import (
    CITATION_TYPES,
    CITATIONS,
    DETAILS,
    DIALECT,
    FILLS,
    INPUT_TEXT,
    NO_FILES,
    OUTPUT_TEXT,
    TEXT_TYPES,
)
from interlingua.spi.extra import NOTHING, merge_extra, merge_own_extra, own_extra, own_spelling, report_foreign

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import AudioPart, FilePart, ImagePart, Part
    from interlingua.rooms._shared.writing import Target


_PLAIN_TEXT: Final = frozenset({"type", "text"})
# Sources of images and files: (canonical member, wire member). Data comes first.
_IMAGE_SOURCES: Final = (("data", "image_url"), ("url", "image_url"), ("file_id", "file_id"))
_FILE_SOURCES: Final = (("data", "file_data"), ("file_id", "file_id"), ("url", "file_url"))
# Required members by annotation type, with fills; a missing span is that of the whole text.
_DEMANDED: Final[Mapping[str, tuple[tuple[str, Any], ...]]] = {
    "url_citation": (("title", ""),),
    "file_citation": (("filename", ""), ("index", 0)),
    "container_file_citation": (("container_id", ""), ("filename", "")),
    "file_path": (("index", 0),),
}


def encode_content(content: Any, path: str, role: str, to: Target) -> Any:
    """Encode message content or tool output: text, or parts.

    Abroad, a result that is a single text is written as a string, since some servers read no other output.
    """
    if type(content) is str:
        return content
    if not content and not to.home:
        return ""
    parts = encode_parts(content, path, role, to, whole=False)
    if role == "tool" and not to.home and len(parts) == 1 and parts[0].keys() == _PLAIN_TEXT:
        return parts[0]["text"]
    return parts if parts or not content else ""


def encode_parts(content: Any, path: str, role: str, to: Target, *, whole: bool) -> list[dict[str, Any]]:
    """Encode a list of parts; in a `whole` message, one with an id, they are written in full."""
    parts: list[dict[str, Any]] = []
    for at, part in enumerate(with_server_calls_as_text(content, path, to, NO_SERVER_CALLS)):
        if role != "assistant" and part["type"] == "text" and len(part) == 2:
            parts.append({"type": INPUT_TEXT, "text": part["text"]})
        else:
            parts.extend(encode_part(part, f"{path}/{at}", role, to, whole=whole))
    return parts


def encode_part(part: Part, path: str, role: str, to: Target, *, whole: bool) -> list[dict[str, Any]]:
    """Return the wire parts of a part: one; several for a document; none if it has none."""
    if part["type"] == "text":
        return [_encode_text(part, path, role, to, whole=whole)]
    if part["type"] == "opaque":
        if part["dialect"] == DIALECT:
            return [part["data"]]
        lost_opaque(to.log, path, "part")
        return []
    if part["type"] == "server_call" or part["type"] == "server_result":
        return [_encode_text(server_part_as_text(part, path, to), path, role, to, whole=whole)]
    if part["type"] == "file" and ("text" in part or "content" in part):
        return _encode_readable(part, path, role, to, whole=whole)
    if role == "assistant" and not to.home and not own_extra(part, DIALECT):
        if is_generated_image(part, to):
            return [encode_generated_image(part, path, to)]
        lost_members(to.log, part, path, "part", "output messages can only hold text and refusals")
        return []
    if not to.home and (reason := _refusal_of(part)):
        lost_members(to.log, part, path, "part", reason)
        return []
    return _encode_media(part, path, role, to)


def _encode_media(given: ImagePart | AudioPart | FilePart, path: str, role: str, to: Target) -> list[dict[str, Any]]:
    part: ImagePart | AudioPart | FilePart = with_actual_type(given, path, to)
    if part["type"] == "image":
        if is_unsupported_image(part, OPENAI_PICTURES, to):
            lost_members(to.log, part, path, "part", NOT_READ)
            return []
        return [_finish_part(_encode_image(part, path, role, to), part, path, to)]
    if part["type"] == "file":
        if not to.home and declared_type(part).startswith(NO_FILES):
            lost_members(to.log, part, path, "part", "the target does not support audio and video")
            return []
        return [_finish_part(_encode_file(part, path, to), part, path, to)]
    if part["type"] == "audio":
        lost_members(to.log, part, path, "part", "the target does not support audio")
        return []
    assert_never(part)


def _refusal_of(part: Any) -> str:
    """Return why a URL or file id is refused, or "" if it is accepted."""
    if "file_id" in part:
        return HELD_ELSEWHERE if NOT_OPENAIS.match(part["file_id"]) is not None else ""
    return out_of_reach(part)


def _encode_text(part: Any, path: str, role: str, to: Target, *, whole: bool) -> dict[str, Any]:
    spelling = own_spelling(part, DIALECT)
    kind = spelling.get("type")
    if kind not in TEXT_TYPES:
        kind = OUTPUT_TEXT if role == "assistant" else INPUT_TEXT
    out: dict[str, Any] = {"type": kind, "text": part["text"]}
    if "citations" in part:
        if kind == OUTPUT_TEXT:
            out["annotations"] = encode_annotations(part, path, to)
        else:
            to.log.lost("citation", f"{path}/citations", "user messages have no citations")
    if len(part) > 2:
        _finish_part(out, part, path, to)
    if whole and kind == OUTPUT_TEXT:
        for name in ("annotations", "logprobs"):
            if name not in out and name not in spelling.get("absent", ()):
                out[name] = []
    return out


def _encode_image(part: Any, path: str, role: str, to: Target) -> dict[str, Any]:
    out: dict[str, Any] = {"type": "input_image"}
    part = with_standard_type(part, path, to)
    if "data" in part and "format" not in part:
        to.log.filled(f"{path}/format", "a data URL needs a media type")
        part = {"format": "image/png", **part}
    _write_source(out, part, _IMAGE_SOURCES, path, to)
    if "name" in part:
        to.log.lost("part", f"{path}/name", "images have no name")
    _write_detail(out, part, path, role, to)
    return out


def _write_source(out: dict[str, Any], part: Any, sources: tuple[tuple[str, str], ...], path: str, to: Target) -> None:
    """Write the source of an image or file; data of a known type becomes a data URL."""
    part = with_standard_data(part, path, to)
    for name, wire in sources:
        if name in part:
            out[wire] = part[name]
            break
    if "format" in part:
        if "data" in part:
            out[sources[0][1]] = data_url(part["format"], part["data"])
        else:
            to.log.lost("part", f"{path}/format", "the media type is only sent with data")


def _write_detail(out: dict[str, Any], part: Any, path: str, role: str, to: Target) -> None:
    """Write the detail of an image, which every image of a request has."""
    detail = part.get("detail")
    if detail is not None and (to.home or detail in DETAILS):
        out["detail"] = detail
    elif not to.home and role != "tool" and not own_extra(part, DIALECT):
        out["detail"] = FILLS["detail"]
        if detail is None:
            to.log.filled(f"{path}/detail", "every input_image needs detail: auto was added")
        else:
            to.log.lost("part", f"{path}/detail", "the target does not have this value: auto was used")
    elif detail is not None:
        to.log.lost("part", f"{path}/detail", "the target does not have this value")


def _encode_file(part: Any, path: str, to: Target) -> dict[str, Any]:
    out: dict[str, Any] = {"type": "input_file"}
    part = with_standard_type(part, path, to)
    _write_source(out, part, _FILE_SOURCES, path, to)
    if "name" in part and not (to.home or "data" in part):
        to.log.lost("part", f"{path}/name", "input_file has a filename only beside file_data")
    elif "name" in part:
        out["filename"] = part["name"]
    elif "data" in part and not to.home and not own_extra(part, DIALECT):
        out["filename"] = part.get("title", FILLS["filename"])
        if "title" not in part:
            to.log.filled(f"{path}/name", "file_data needs a filename: one was added")
    for name in ("title", "context"):
        if name in part and out.get("filename") != part[name]:
            to.log.lost("part", f"{path}/{name}", f"input_file has a filename but no {name}")
        elif name in part:
            to.log.changed("part", f"{path}/{name}", "the title is sent as the name")
    if "filename" in out and not to.home:
        add_ending(out, part, path, to)
    return out


def _encode_readable(part: Any, path: str, role: str, to: Target, *, whole: bool) -> list[dict[str, Any]]:
    """Write a document of text or parts as its content."""
    frame: dict[str, Any] = {"type": OUTPUT_TEXT if role == "assistant" else INPUT_TEXT}
    beside: dict[str, Any] = {}
    if to.answer or (whole and role == "assistant"):
        beside = {"annotations": [], "logprobs": []}
    return [{**frame, "text": one["text"], **beside} for one in texts_of_document(part, path, to)]


def _finish_part(out: dict[str, Any], part: Any, path: str, to: Target) -> dict[str, Any]:
    if "cache" in part:
        if out["type"] == OUTPUT_TEXT and not to.home:
            to.log.lost("cache", f"{path}/cache", "cache marks are only allowed in the input, not in answers")
        else:
            out[BREAKPOINT] = cache_breakpoint(part["cache"], f"{path}/cache", to)
    merge_own_extra(out, part, DIALECT, path, to.log)
    return out


def encode_refusals(refusal: Any, path: str, to: Target) -> list[dict[str, Any]]:
    """Encode a refusal, each text as a part."""
    if type(refusal) is str:
        return [{"type": "refusal", "refusal": refusal}]
    encoded: list[dict[str, Any]] = []
    for at, part in enumerate(refusal):
        if part["type"] != "text":
            lost_members(to.log, part, f"{path}/{at}", "refusal", "a refusal can only be one plain text")
            continue
        out = {"type": "refusal", "refusal": part["text"]}
        others = beyond(part, {"type", "text", "extra"})
        lost_members(to.log, others, f"{path}/{at}", "refusal", "a refusal can only be one plain text")
        merge_own_extra(out, part, DIALECT, f"{path}/{at}", to.log)
        encoded.append(out)
    return encoded


def encode_annotations(part: Any, path: str, to: Target) -> list[dict[str, Any]]:
    """Return the annotations of a text part; citations without a wire form are reported as lost."""
    annotations: list[dict[str, Any]] = []
    for at, citation in enumerate(part["citations"]):
        encoded = encode_citation(citation, f"{path}/citations/{at}", part["text"], to)
        if encoded is not None:
            annotations.append(encoded)
    return annotations


def encode_citation(citation: Any, path: str, text: str, to: Target) -> dict[str, Any] | None:
    """Return the annotation of a citation, or None if it has none; `text` is the cited text."""
    bag = own_extra(citation, DIALECT)
    fields = bag.get("fields", NOTHING)
    if citation["kind"] == "opaque" and bag:
        return dict(fields)
    word = CITATION_TYPES.get(citation["kind"])
    if word is None or not (bag or to.home or ("url" if word == "url_citation" else "file_id") in citation):
        lost_members(to.log, citation, path, "citation", "only URLs and files can be cited")
        return None
    names = {name: wire for wire, name in CITATIONS[word][1].items()}
    out: dict[str, Any] = {"type": word}
    for name, value in citation.items():
        if name in names:
            out[names[name]] = value
        elif name not in {"kind", "extra"}:
            to.log.lost("citation", f"{path}/{name}", f"this citation has no {name}")
    merge_extra(out, fields)
    if not to.home and not bag:
        _fill_citation(out, word, path, text, to)
    if "extra" in citation:
        report_foreign(citation, DIALECT, path, to.log)
    return out


def _fill_citation(out: dict[str, Any], word: str, path: str, text: str, to: Target) -> None:
    """Fill in the members that every annotation of a type has."""
    names = CITATIONS[word][1]
    span = (("start_index", 0), ("end_index", len(text))) if "start_index" in names else ()
    for wire, value in (*_DEMANDED[word], *span):
        if wire not in out:
            out[wire] = value
            to.log.filled(
                f"{path}/{names.get(wire, f'extra/{DIALECT}/fields/{wire}')}",
                "every annotation needs this member: a value was added",
            )
