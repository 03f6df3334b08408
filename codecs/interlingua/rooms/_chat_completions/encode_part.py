"""Canonical to Chat Completions: parts and cache marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, assert_never

from interlingua.loss import lost_members, lost_opaque
from interlingua.rooms._chat_completions.tables import DETAILS, DOCUMENT, DOCUMENT_NAME, ID_LIMIT, ORIGINAL, PDF
from interlingua.rooms._shared.cache_marks import claude_cache_mark
from interlingua.rooms._shared.media import (
    ANY_FILM,
    ATTACHED,
    ATTACHMENT,
    HELD_ELSEWHERE,
    MEDIA_BESIDE,
    NOT_OPENAIS,
    NOT_READ,
    add_ending,
    as_text,
    audio_media_type,
    audio_word,
    data_url,
    effective_type,
    is_unsupported_image,
    is_video,
    out_of_reach,
    texts_of_document,
    video_type,
    with_actual_type,
    with_standard_data,
    with_standard_type,
)
from interlingua.rooms._shared.names import acceptable_40, sanitized_name
from interlingua.rooms._shared.openai_settings import BREAKPOINT, cache_breakpoint, can_be_marked, with_mark_at_end
from interlingua.rooms._shared.server_calls import server_part_as_text
from interlingua.rooms._shared.writing import says_nothing
from interlingua.spi.extra import merge_own_extra, own_spelling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.model_shapes import AudioPart, ChatMessage, FilePart, ImagePart, Part
    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.rooms._shared.writing import ResultMatching, Target


_BY_ADDRESS: Final = "by_address"
_PLAIN: Final = frozenset({"type", "text"})


def content_of(parts: list[Any], to: Target) -> Any:
    """Return parts as the content of a message: abroad, a single text without other members is a string.

    Some servers refuse lists, in messages of the system or of tools above all.
    """
    if to.home or len(parts) != 1 or parts[0].keys() != _PLAIN or parts[0]["type"] != "text":
        return parts
    return parts[0]["text"]


def encode_part(part: Part, index: int, at: int, role: str, vendor: Vendor, to: Target) -> list[dict[str, Any]] | None:
    """Return the wire parts of a part (a document can become several), or None if it has no place."""
    if part["type"] == "text" and len(part) == 2:
        return [part]  # type: ignore[list-item]  # the wire form of a plain text is its canonical form
    path = to.part(index, "content", at)
    part = with_actual_type(part, path, to)
    if vendor.encode_part is not None:
        own = vendor.encode_part(part, role, path, to)
        if own is not None:
            return own
    if part["type"] == "text":
        return [_encode_text(part, path, role, vendor, to)]
    if part["type"] == "opaque":
        if part["dialect"] == vendor.dialect:
            return [part["data"]]
        lost_opaque(to.log, path, "part")
        return None
    if part["type"] == "server_call" or part["type"] == "server_result":
        return [server_part_as_text(part, path, to)]
    if part["type"] == "file" and becomes_text(part, vendor, to):
        return texts_of_document(as_text(part, to), path, to)
    if not (to.home or role == "user" or (role == "tool" and vendor.tool_media)):
        if role != "tool" or to.answer:  # else it is attached in a user message behind the results
            lost_members(to.log, part, path, "part", f"a message of the role {role} can only hold text")
        return None
    return _encode_media(part, path, vendor, to)


def _encode_media(
    given: ImagePart | AudioPart | FilePart, path: str, vendor: Vendor, to: Target
) -> list[dict[str, Any]] | None:
    part: ImagePart | AudioPart | FilePart = with_standard_data(given, path, to)
    if part["type"] == "image":
        return _encode_image(part, path, vendor, to)
    if part["type"] == "audio":
        return _encode_audio(part, path, vendor, to)
    if part["type"] == "file":
        if vendor.documents if not to.home else own_spelling(part, vendor.dialect).get("image") == "string":
            return _encode_document(part, path, vendor, to)
        if is_video(part) and "file_id" not in part and ("name" not in part if to.home else vendor.videos):
            return _encode_video(part, path, vendor, to)
        return _encode_file(part, path, vendor, to)
    assert_never(part)


def _encode_video(part: Any, path: str, vendor: Vendor, to: Target) -> list[dict[str, Any]] | None:
    """Write a video, as some hosts accept it: OpenAI itself accepts none."""
    if "url" in part and not to.home:
        reason = out_of_reach(part) or (
            "" if vendor.videos == _BY_ADDRESS else "the provider accepts videos as data only"
        )
        if reason:
            lost_members(to.log, part, path, "part", reason)
            return None
        report_media_type(part, path, to)
    for name in ("name", "title", "context"):
        if name in part and not to.home:
            to.log.lost("part", f"{path}/{name}", f"a video has no {name}")
    url = part["url"] if "url" in part else data_url(part["format"], part["data"])
    return [_finish_part({"type": "video_url", "video_url": {"url": url}}, part, path, vendor, to)]


def report_media_type(part: Any, path: str, to: Target) -> None:
    """Report the media type of media given by URL, unless the URL shows it."""
    told = (video_type(part["url"]) or ANY_FILM) if part["type"] == "file" else None
    if "format" in part and part["format"] != told:
        note = to.log.lost if told is None else to.log.changed
        note("member", f"{path}/format", "media by URL have no media type except the extension in the URL")


def _encode_text(part: Any, path: str, role: str, vendor: Vendor, to: Target) -> dict[str, Any]:
    if "citations" in part and role != "assistant":
        to.log.lost("citation", f"{path}/citations", "user messages have no citations")
    return _finish_part({"type": "text", "text": part["text"]}, part, path, vendor, to)


def encode_picture(part: Any, path: str, vendor: Vendor, to: Target) -> list[dict[str, Any]]:
    """Return the entry of `images` for an image of an answer; none if it has no place."""
    return _encode_image(with_standard_data(part, path, to), path, vendor, to) or []


def _encode_image(part: Any, path: str, vendor: Vendor, to: Target) -> list[dict[str, Any]] | None:
    if "file_id" in part:
        lost_members(to.log, part, path, "part", "images are sent by URL or as data, not by id")
        return None
    if is_unsupported_image(part, vendor.picture_types, to):
        lost_members(to.log, part, path, "part", NOT_READ)
        return None
    part = with_standard_type(part, path, to)
    if "url" in part:
        if not to.home and (reason := out_of_reach(part, is_local=not vendor.limited)):
            lost_members(to.log, part, path, "part", reason)
            return None
        url = part["url"]
        if "format" in part and not to.home:
            to.log.lost("part", f"{path}/format", "media by URL have no media type")
    else:
        if "format" not in part:
            to.log.filled(f"{path}/format", "a data URL needs a media type")
        url = data_url(part.get("format", "image/png"), part["data"])
    if "name" in part:
        to.log.lost("part", f"{path}/name", "images have no name")
    spelling = own_spelling(part, vendor.dialect)
    image: str | dict[str, Any] = {"url": url}
    if "detail" in part and (to.home or part["detail"] in DETAILS):
        detail = part["detail"]
        if detail == ORIGINAL and not (to.home or vendor.whole_pictures):
            detail = "high"
            to.log.changed("part", f"{path}/detail", "the server may not support a detail above high")
        image = {"url": url, "detail": detail}
    elif part.get("detail", "auto") != "auto":
        to.log.lost("part", f"{path}/detail", "the target does not have this value")
    elif spelling.get("image") == "string":
        image = url
    return [_finish_part({"type": "image_url", "image_url": image}, part, path, vendor, to)]


def _encode_audio(part: Any, path: str, vendor: Vendor, to: Target) -> list[dict[str, Any]] | None:
    word = audio_word(part["format"]) if "format" in part else None
    if to.home and own_spelling(part, vendor.dialect).get("image") == "string":
        said = part["url"] if "url" in part else part.get("data", "")
        text = data_url(part["format"], said) if "format" in part and "data" in part else said
        return [_finish_part({"type": "input_audio", "input_audio": text}, part, path, vendor, to)]
    if to.home and "url" in part:
        return [_finish_part({"type": "audio_url", "audio_url": {"url": part["url"]}}, part, path, vendor, to)]
    if "data" not in part or (not to.home and word not in {"wav", "mp3"}):
        lost_members(to.log, part, path, "part", "input_audio accepts only wav or mp3 data")
        return None
    audio = {"data": part["data"]} | ({} if word is None else {"format": word})
    if not to.home and word is not None and audio_media_type(word) != part["format"]:
        to.log.changed("member", f"{path}/format", "format is the short name of the media type")
    for name in ("name", "transcript", "expires_at"):
        if name in part:
            to.log.lost("part", f"{path}/{name}", "input_audio has only data and format")
    return [_finish_part({"type": "input_audio", "input_audio": audio}, part, path, vendor, to)]


def becomes_text(part: Any, vendor: Vendor, to: Target) -> bool:
    """Tell whether a part is a document that is written as text."""
    if "text" in part or "content" in part:
        return bool(part["type"] == "file")
    return part["type"] == "file" and not _is_taken(part, vendor) and "text" in as_text(part, to)


def _is_taken(part: Any, vendor: Vendor) -> bool:
    """Tell whether a file from abroad has a place."""
    if vendor.documents:
        return not is_video(part) and ("url" in part or effective_type(part) == PDF)
    return vendor.files and "url" not in part and ("data" not in part or effective_type(part) == PDF)


def _refusal_of(part: Any, vendor: Vendor) -> str:
    """Return why a file from abroad is refused, empty if it is accepted."""
    if not _is_taken(part, vendor):
        if vendor.documents:
            return HELD_ELSEWHERE if "file_id" in part else "files must be PDF, or documents by URL"
        by_address = vendor.files and "url" in part
        return f"files are accepted by id or as PDF, {'never by URL' if by_address else 'if at all'}"
    return HELD_ELSEWHERE if "file_id" in part and NOT_OPENAIS.match(part["file_id"]) is not None else ""


def _encode_document(part: Any, path: str, vendor: Vendor, to: Target) -> list[dict[str, Any]] | None:
    """Write a document as Mistral accepts it; one with a file id is written as a file."""
    if to.home and "file_id" in part:
        return _encode_file(part, path, vendor, to)
    if not to.home and (reason := _refusal_of(part, vendor) or out_of_reach(part)):
        lost_members(to.log, part, path, "part", reason)
        return None
    part = with_standard_type(part, path, to)
    if "url" in part and "format" in part:
        to.log.lost("part", f"{path}/format", "media by URL have no media type")
    out = {"type": DOCUMENT, DOCUMENT: part["url"] if "url" in part else data_url(part["format"], part["data"])}
    if "name" in part or "title" in part:
        out[DOCUMENT_NAME] = part["name"] if "name" in part else part["title"]
    if "title" in part and out[DOCUMENT_NAME] == part["title"]:
        to.log.changed("part", f"{path}/title", "the title is sent as the name")
    for name in ("title", "context"):
        if name in part and out.get(DOCUMENT_NAME) != part[name]:
            to.log.lost("part", f"{path}/{name}", f"a document has a name but no {name}")
    return [_finish_part(out, part, path, vendor, to)]


def _encode_file(part: Any, path: str, vendor: Vendor, to: Target) -> list[dict[str, Any]] | None:
    if not to.home and (reason := _refusal_of(part, vendor)):
        lost_members(to.log, part, path, "part", reason)
        return None
    part = with_standard_type(part, path, to)
    file: dict[str, Any] = {}
    if "file_id" in part:
        file["file_id"] = part["file_id"]
        if "format" in part:
            to.log.lost("part", f"{path}/format", "a file given by id has no media type")
    elif "url" in part:
        file["file_data"] = part["url"]
        if "format" in part:
            to.log.lost("part", f"{path}/format", "media by URL have no media type")
    else:
        file["file_data"] = data_url(part["format"], part["data"]) if "format" in part else part["data"]
    _name_file(file, part, path, to)
    return [_finish_part({"type": "file", "file": file}, part, path, vendor, to)]


def _name_file(file: dict[str, Any], part: Any, path: str, to: Target) -> None:
    if "name" in part:
        file["filename"] = part["name"]
    elif "data" in part and not to.home:
        file["filename"] = part.get("title", "file")
        if "title" not in part:
            to.log.filled(f"{path}/name", "file_data needs a filename: one was added")
    for name in ("title", "context"):
        if name in part and file.get("filename") != part[name]:
            to.log.lost("part", f"{path}/{name}", f"a file has a filename but no {name}")
        elif name in part:
            to.log.changed("part", f"{path}/{name}", "the title is sent as filename")
    if "filename" in file and not to.home:
        add_ending(file, part, path, to)


def _finish_part(out: dict[str, Any], part: Any, path: str, vendor: Vendor, to: Target) -> dict[str, Any]:
    spelling = own_spelling(part, vendor.dialect)
    if "cache" in part:
        if vendor.claude_marks:
            out["cache_control"] = claude_cache_mark(part["cache"], f"{path}/cache", to)
        elif spelling.get("cache") == "cache_control":
            encode_cache_control(out, part["cache"], spelling, f"{path}/cache", to)
        elif to.answer and not to.home:
            to.log.lost("cache", f"{path}/cache", "responses have no cache marks")
        elif not (vendor.cache_marks or to.home):
            to.log.lost("cache", f"{path}/cache", "the target has no cache marks: its server caches by itself")
        else:
            out[BREAKPOINT] = cache_breakpoint(part["cache"], f"{path}/cache", to)
    merge_own_extra(out, part, vendor.dialect, path, to.log)
    return out


def encode_cache_control(out: dict[str, Any], mark: Any, spelling: Mapping[str, Any], path: str, to: Target) -> None:
    if spelling.get("cache") == "cache_control":
        out["cache_control"] = {"type": "ephemeral", **mark}
    else:
        to.log.lost("cache", path, "cache marks are not allowed here")


def mark_result(
    out: dict[str, Any], mark: Any, spelling: Mapping[str, Any], path: str, vendor: Vendor, to: Target
) -> None:
    """Write the cache mark of a result: beside its content if it came so, else at its end, where gateways read it."""
    if "cache" in spelling or not (vendor.claude_marks or vendor.cache_marks) or not can_be_marked(out["content"]):
        encode_cache_control(out, mark, spelling, path, to)
        return
    content = out["content"]
    parts = [{"type": "text", "text": content}] if type(content) is str else content
    if vendor.claude_marks:
        *others, last = parts
        out["content"] = [*others, {"cache_control": claude_cache_mark(mark, path, to), **last}]
    else:
        out["content"] = with_mark_at_end(parts, mark, path, to)


_MEDIA: Final = frozenset({"image", "audio", "file"})


def finish_result(
    result: dict[str, Any], message: ChatMessage, index: int, answered: ResultMatching, vendor: Vendor, to: Target
) -> list[dict[str, Any]]:
    """Complete the id of a written tool result, and return media that it cannot hold, as parts of a user message.

    The text of the result refers to them.
    """
    if "tool_call_id" not in result:
        asked = answered.by(index)
        identifier = f"call_{index}" if asked is None else asked.id
        refused = vendor.limited and not acceptable_40(identifier)
        result["tool_call_id"] = sanitized_name(identifier, ID_LIMIT) if refused else identifier
        to.log.filled(f"{to.message(index)}/call_id", "each tool message needs tool_call_id")
    content: Any = message.get("content")
    attached: list[dict[str, Any]] = []
    for at, part in enumerate(content if type(content) is list and not vendor.tool_media else ()):
        if part["type"] in _MEDIA and not becomes_text(part, vendor, to):
            attached.extend(encode_part(part, index, at, "user", vendor, to) or ())
    if not attached:
        return []
    to.log.changed("content", f"{to.message(index)}/content", MEDIA_BESIDE)
    if says_nothing(result["content"]):
        result["content"] = ATTACHED
    return [{"type": "text", "text": ATTACHMENT.format(result["tool_call_id"])}, *attached]
