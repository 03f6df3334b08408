"""Canonical to Chat Completions: parts and cache marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.dialects._chat_completions.tables import CACHE_TIMES, DETAILS, PDF
from interlingua.dialects._shared.extra import lay, lay_spelled, own_bag, report_foreign
from interlingua.dialects._shared.media import audio_media_type, audio_word, data_url
from interlingua.loss import beyond, lost_members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.target import Target
    from interlingua.model_shapes import AudioPart, FilePart, ImagePart, Part


_NOTHING: Final[Mapping[str, Any]] = {}

_PLAIN_TEXT: Final = frozenset({"type", "text"})


def encode_part(part: Part, index: int, at: int, role: str, vendor: Vendor, to: Target) -> list[dict[str, Any]] | None:
    """Return the wire parts of a part (a document can become several), or None where it has no place."""
    if part["type"] == "text" and len(part) == 2:
        return [part]  # type: ignore[list-item]  # the wire form of a plain text is its canonical form
    if vendor.encode_part is not None:
        own = vendor.encode_part(part, role, to.part(index, "content", at), to)
        if own is not None:
            return own
    if part["type"] == "text":
        out: dict[str, Any] = {"type": "text", "text": part["text"]}
        if "citations" in part and role != "assistant":
            to.log.lost("citation", f"{to.part(index, 'content', at)}/citations", "no citations in a question")
        return [_finish_part(out, part, index, at, vendor, to)]
    if part["type"] == "opaque":
        if part["dialect"] == vendor.dialect:
            return [part["data"]]
        lost_members(to.log, part, to.part(index, "content", at), "part", "only its own dialect understands it")
        return None
    if part["type"] == "file" and ("text" in part or "content" in part):
        return _encode_readable(part, index, at, vendor, to)
    if to.home or role == "user" or (role == "tool" and vendor.tool_media):
        return _encode_media(part, index, at, vendor, to)
    lost_members(to.log, part, to.part(index, "content", at), "part", f"a {role} message holds text alone")
    return None


def _encode_media(
    part: ImagePart | AudioPart | FilePart, index: int, at: int, vendor: Vendor, to: Target
) -> list[dict[str, Any]] | None:
    """Return the wire form of a picture, a sound or a file."""
    if part["type"] == "image":
        return _encode_image(part, index, at, vendor, to)
    if part["type"] == "audio":
        return _encode_audio(part, index, at, vendor, to)
    if part["type"] == "file":
        return _encode_file(part, index, at, vendor, to)
    assert_never(part)


def _encode_image(part: Any, index: int, at: int, vendor: Vendor, to: Target) -> list[dict[str, Any]] | None:
    if "file_id" in part:
        lost_members(to.log, part, to.part(index, "content", at), "part", "pictures are given by address or data")
        return None
    if "url" in part:
        url = part["url"]
        if "format" in part and not to.home:
            to.log.lost("part", f"{to.part(index, 'content', at)}/format", "an address has no media type")
    else:
        if "format" not in part:
            to.log.filled(f"{to.part(index, 'content', at)}/format", "a data URL has a media type")
        url = data_url(part.get("format", "image/png"), part["data"])
    if "name" in part:
        to.log.lost("part", f"{to.part(index, 'content', at)}/name", "pictures have no name")
    spelling = own_bag(part, vendor.dialect).get("spelling", _NOTHING)
    image: str | dict[str, Any] = {"url": url}
    if "detail" in part and (to.home or part["detail"] in DETAILS):
        image = {"url": url, "detail": part["detail"]}
    elif "detail" in part:
        to.log.lost("part", f"{to.part(index, 'content', at)}/detail", "the dialect has other words")
    elif spelling.get("image") == "string":
        image = url
    return [_finish_part({"type": "image_url", "image_url": image}, part, index, at, vendor, to)]


def _encode_audio(part: Any, index: int, at: int, vendor: Vendor, to: Target) -> list[dict[str, Any]] | None:
    word = audio_word(part["format"]) if "format" in part else None
    if "data" not in part or (not to.home and word not in {"wav", "mp3"}):
        lost_members(to.log, part, to.part(index, "content", at), "part", "sounds are given as wav or mp3 data")
        return None
    audio = {"data": part["data"]} | ({} if word is None else {"format": word})
    if not to.home and word is not None and audio_media_type(word) != part["format"]:
        path = f"{to.part(index, 'content', at)}/format"
        to.log.changed("member", path, "the word stands for another name of the media type")
    for name in ("name", "transcript", "expires_at"):
        if name in part:
            to.log.lost("part", f"{to.part(index, 'content', at)}/{name}", "a sound is data alone")
    return [_finish_part({"type": "input_audio", "input_audio": audio}, part, index, at, vendor, to)]


def _is_taken(part: Any, vendor: Vendor) -> bool:
    """Whether a file from abroad has a place."""
    return vendor.files and "url" not in part and ("data" not in part or part.get("format", PDF) == PDF)


def _encode_file(part: Any, index: int, at: int, vendor: Vendor, to: Target) -> list[dict[str, Any]] | None:
    path = to.part(index, "content", at)
    if not to.home and not _is_taken(part, vendor):
        lost_members(to.log, part, path, "part", "files are given by id or as PDF, if at all")
        return None
    file: dict[str, Any] = {}
    if "file_id" in part:
        file["file_id"] = part["file_id"]
        if "format" in part:
            to.log.lost("part", f"{path}/format", "an id has no media type")
    elif "url" in part:
        file["file_data"] = part["url"]
        if "format" in part:
            to.log.lost("part", f"{path}/format", "an address has no media type")
    else:
        file["file_data"] = data_url(part["format"], part["data"]) if "format" in part else part["data"]
    if "name" in part:
        file["filename"] = part["name"]
    elif "data" in part and not to.home:
        file["filename"] = part.get("title", "file")
        if "title" not in part:
            to.log.filled(f"{path}/name", "a file that is given as data has a name")
    for name in ("title", "context"):
        if name in part and file.get("filename") != part[name]:
            to.log.lost("part", f"{path}/{name}", "files have a name alone")
        elif name in part:
            to.log.changed("part", f"{path}/{name}", "the title became the name")
    return [_finish_part({"type": "file", "file": file}, part, index, at, vendor, to)]


def _encode_readable(part: Any, index: int, at: int, vendor: Vendor, to: Target) -> list[dict[str, Any]] | None:
    """Write a document that is text, or parts, as what it says."""
    path = to.part(index, "content", at)
    to.log.changed("part", path, "a document of text becomes text")
    lost_members(to.log, beyond(part, {"type", "text", "content", "extra", "cache"}), path, "part", "text has no name")
    if "extra" in part:
        report_foreign(part, vendor.dialect, path, to.log)
    if "cache" in part:
        to.log.lost("cache", f"{path}/cache", "no place for the mark")
    if "text" in part:
        return [{"type": "text", "text": part["text"]}]
    inner: list[dict[str, Any]] = []
    for which, one in enumerate(part["content"]):
        if one["type"] == "text" and len(one) == 2:
            inner.append(one)
        else:
            lost_members(to.log, one, f"{path}/content/{which}", "part", "only plain text inside a document")
    return inner


def _finish_part(out: dict[str, Any], part: Any, index: int, at: int, vendor: Vendor, to: Target) -> dict[str, Any]:
    bag = own_bag(part, vendor.dialect)
    spelling = bag.get("spelling", _NOTHING)
    if "cache" in part:
        path = f"{to.part(index, 'content', at)}/cache"
        if spelling.get("cache") == "cache_control":
            encode_cache_control(out, part["cache"], spelling, path, to)
        elif not (vendor.cache_marks or to.home):
            to.log.lost("cache", path, "the server caches as it likes")
        else:
            out["prompt_cache_breakpoint"] = {"mode": "explicit", **encode_time(part["cache"], path, to)}
    if bag:
        lay(out, bag.get("fields", _NOTHING))
        lay_spelled(out, spelling)
    if "extra" in part:
        report_foreign(part, vendor.dialect, to.part(index, "content", at), to.log)
    return out


def encode_cache_control(out: dict[str, Any], mark: Any, spelling: Mapping[str, Any], path: str, to: Target) -> None:
    if spelling.get("cache") == "cache_control":
        out["cache_control"] = {"type": "ephemeral", **mark}
    else:
        to.log.lost("cache", path, "no place for the mark")


def encode_time(mark: Any, path: str, to: Target) -> dict[str, Any]:
    """Return the time to live of a cache mark, where this dialect has it."""
    if "mode" in mark:
        to.log.lost("cache", f"{path}/mode", "only a request has a mode")
    if "ttl" not in mark:
        return {}
    if to.home or mark["ttl"] in CACHE_TIMES:
        return {"ttl": mark["ttl"]}
    to.log.lost("cache", f"{path}/ttl", "the dialect has other times to live")
    return {}
