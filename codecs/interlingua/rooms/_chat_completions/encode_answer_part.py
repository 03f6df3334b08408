"""Canonical to Chat Completions: parts of answers, with citations, images and audio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import beyond, lost_members
from interlingua.rooms._chat_completions.encode_part import content_of, encode_part, encode_picture
from interlingua.rooms._chat_completions.search_sources import ANNOTATIONS
from interlingua.rooms._chat_completions.tables import CITED, QUOTED
from interlingua.rooms._shared.media import with_standard_data
from interlingua.rooms._shared.server_calls import NO_SERVER_CALLS, with_server_calls_as_text
from interlingua.spi.extra import NOTHING, merge_extra, own_extra, report_foreign
from interlingua.tool_arguments import json_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.rooms._shared.writing import Target


_UNCITED: Final = "only an answer whose content is one text has annotations"
_ANCHORS: Final = frozenset({"start_index", "end_index"})


def encode_answer_parts(
    out: dict[str, Any], content: Any, index: int, vendor: Vendor, to: Target, spelling: Mapping[str, Any]
) -> None:
    """Encode an assistant's parts: text in the content, images and the audio answer beside it."""
    parts: list[Any] = []
    texts: list[Any] = []
    content = with_server_calls_as_text(content, f"{to.message(index)}/content", to, NO_SERVER_CALLS)
    for at, part in enumerate(content):
        if _wrote_beside_content(part, out, index, at, vendor, to):
            continue
        encoded = encode_part(part, index, at, "assistant", vendor, to)
        if encoded is not None:
            parts.extend(encoded)
            texts.append((at, part, encoded))
    form = spelling.get("content")
    if form == "object" and to.home and len(parts) == 1:
        out["content"] = _object_of(texts[0][1], parts[0])
    elif parts and to.answer and not to.home:
        _join_answer(out, texts, index, to)
    elif form == "string" and len(texts) == 1 and texts[0][1]["type"] == "text":
        out["content"] = texts[0][1]["text"]
        if "cache_control" in parts[0] and to.home:  # it was beside the text
            out["cache_control"] = parts[0]["cache_control"]
        if "citations" in texts[0][1]:
            _write_annotations(out, texts[0][1], to.part(index, "content", texts[0][0]), to, spelling)
    elif parts or ((form == "list" or not content) and to.home):
        out["content"] = content_of(parts, to)
        for at, part, _ in texts:
            if part.get("citations"):
                to.log.lost("citation", f"{to.part(index, 'content', at)}/citations", _UNCITED)


def _object_of(part: Any, wire: Any) -> Any:
    """Return the one part of a content that was an object as this object; a text that is none now stays text."""
    if part["type"] != "text":
        return wire
    said, is_object = json_object(part["text"])
    return said if is_object else part["text"]


def _wrote_beside_content(part: Any, out: dict[str, Any], index: int, at: int, vendor: Vendor, to: Target) -> bool:
    """Write an image or an audio answer beside the content, and return whether the part is one."""
    if part["type"] == "audio" and "audio" not in out:
        audio = _encode_spoken_answer(part, index, at, vendor, to)
        if audio is not None:
            out["audio"] = audio
        return True
    if part["type"] != "image" or not vendor.pictures or not (to.home or to.answer):
        return False
    for picture in encode_picture(part, to.part(index, "content", at), vendor, to):
        shown = out.setdefault("images", [])
        shown.append(picture if to.home else {**picture, "index": len(shown)})
    return True


def _join_answer(out: dict[str, Any], texts: list[tuple[int, Any, list[Any]]], index: int, to: Target) -> None:
    """Join the texts of an answer into the one string of a response, with annotations at their spans."""
    annotations: list[dict[str, Any]] = []
    joined = ""
    for at, part, encoded in texts:
        if part["type"] == "text":
            annotations += _annotations(part, to.part(index, "content", at), len(joined), to)
            joined += part["text"]
            if "cache" in part:
                to.log.lost("cache", f"{to.part(index, 'content', at)}/cache", "responses have no cache marks")
        else:  # a text document has become text
            joined += "".join(one["text"] for one in encoded if one.get("type") == "text")
    out["content"] = joined
    if annotations:
        out["annotations"] = annotations
        if len(texts) > 1:
            to.log.changed("content", f"{to.message(index)}/content", "texts with annotations are joined into one")


def _write_annotations(out: dict[str, Any], part: Any, path: str, to: Target, spelling: Mapping[str, Any]) -> None:
    """Write the annotations of a text; a request repeats no sources that stood beside the choices."""
    if ANNOTATIONS in spelling.get("absent", ()) and not to.answer:
        to.log.lost("extra", f"{path}/citations", "a request has no place for the sources beside earlier choices")
    elif annotations := _annotations(part, path, 0, to):
        out["annotations"] = annotations


def _annotations(part: Any, path: str, start: int, to: Target) -> list[dict[str, Any]]:
    """Return the annotations of a text that begins at an offset of the answer."""
    end = start + len(part["text"])
    encoded = [
        encode_citation(citation, f"{path}/citations/{which}", to, start, end)
        for which, citation in enumerate(part.get("citations", ()))
    ]
    return [annotation for annotation in encoded if annotation is not None]


def encode_citation(citation: Any, path: str, to: Target, start: int, end: int) -> dict[str, Any] | None:
    """Return an annotation for the text from start to end, or None for a citation without a URL.

    The anchors of a citation are relative to its own text, those of an annotation to the answer.
    """
    bag = own_extra(citation, to.dialect)
    if citation["kind"] == "opaque" and bag:
        return {**bag.get("fields", NOTHING)}
    if citation["kind"] != "url" or ("url" not in citation and not to.home):
        lost_members(to.log, citation, path, "citation", "annotations can only cite URLs")
        return None
    cited: dict[str, Any] = {}
    for name, default in (("url", ""), ("title", ""), ("start_index", start), ("end_index", end)):
        if name in citation:
            cited[name] = citation[name] + start if name in _ANCHORS and start else citation[name]
        elif not to.home:
            cited[name] = default
            to.log.filled(f"{path}/{name}", "a url_citation needs url, title, start_index and end_index")
    if to.home and "cited_text" in citation:
        cited[QUOTED] = citation["cited_text"]
    for name in ("file_id", "name") if to.home else ("cited_text", "file_id", "name"):
        if name in citation:
            to.log.lost("citation", f"{path}/{name}", f"a citation has no {name} there")
    if "extra" in citation:
        report_foreign(citation, to.dialect, path, to.log)
    is_flat = CITED in bag.get("spelling", NOTHING).get("absent", ())
    out: dict[str, Any] = {"type": CITED, **(cited if is_flat else {CITED: cited})}
    if to.home or not to.answer:
        merge_extra(out, bag.get("fields", NOTHING))
    return out


def _encode_spoken_answer(part: Any, index: int, at: int, vendor: Vendor, to: Target) -> dict[str, Any] | None:
    """Encode `audio`; abroad, a request refers to it by the id that this provider assigned."""
    path = to.part(index, "content", at)
    part = with_standard_data(part, path, to)
    bag = own_extra(part, vendor.dialect)
    audio: dict[str, Any] = {}
    if "id" in bag or "file_id" in part:
        audio["id"] = bag["id"] if "id" in bag else part["file_id"]
    if to.home or to.answer:
        audio.update({name: part[name] for name in ("data", "transcript", "expires_at") if name in part})
        merge_extra(audio, bag.get("fields", NOTHING))
    elif audio:
        kept = beyond(part, {"type", "extra", "file_id"})
        lost_members(to.log, kept, path, "part", "a request refers to an audio answer only by audio.id")
    if not audio or not (to.home or (("data" in part) if to.answer else vendor.spoken)):
        lost_members(to.log, part, path, "part", "audio can only refer to an audio answer of this provider")
        return None
    for name in ("format", "name", "url", "cache"):
        if name in part:
            to.log.lost("part", f"{path}/{name}", f"an audio answer has no {name} there")
    if "extra" in part:
        report_foreign(part, vendor.dialect, path, to.log)
    if to.answer and not to.home:
        for name, fill in (("id", f"audio_{index}_{at}"), ("transcript", ""), ("expires_at", 0)):
            if name not in audio:
                audio[name] = fill
                to.log.filled(
                    f"{path}/extra/{vendor.dialect}/id" if name == "id" else f"{path}/{name}",
                    "an answer's audio needs its id, data, transcript and expires_at",
                )
    return audio
