"""Chat Completions to canonical: parts, citations, cache marks. Every function raises `Malformed` with its own path."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._chat_completions.tables import CITED, DOCUMENT, DOCUMENT_NAME, QUOTED
from interlingua.rooms._shared.media import ANY_FILM, audio_media_type, is_address, is_video, split_data_url, video_type
from interlingua.spi.reading import INTEGER, OBJECT, TEXT, Malformed, Unmapped, expect, read_mark, rest, take

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.rooms._chat_completions.vendor import Vendor
    from interlingua.spi.reading import Setting


_URL, _URL_AND_DETAIL = frozenset({"url"}), frozenset({"url", "detail"})
_PART_MEMBERS: Final = frozenset({"type", "prompt_cache_breakpoint", "cache_control"})
_CITATION_MEMBERS: Final[Mapping[str, Setting]] = MappingProxyType({
    "url": ("url", TEXT),
    "title": ("title", TEXT),
    "start_index": ("start_index", INTEGER),
    "end_index": ("end_index", INTEGER),
    QUOTED: ("cited_text", TEXT),
})  # fmt: skip
_SPOKEN_MEMBERS: Final[Mapping[str, Setting]] = MappingProxyType({
    "id": ("file_id", TEXT),
    "data": ("data", TEXT),
    "transcript": ("transcript", TEXT),
    "expires_at": ("expires_at", INTEGER),
})  # fmt: skip


def decode_part(wire: Any, role: str, vendor: Vendor) -> dict[str, Any]:
    """Decode one content part. An unknown type makes an opaque part."""
    if vendor.decode_part is not None:
        own = vendor.decode_part(wire, role)
        if own is not None:
            return own
    if type(wire) is not dict:
        raise Malformed("", "expected an object")
    kind = wire.get("type")
    part: dict[str, Any] | None = None
    if kind == "text":
        text = wire.get("text")
        if len(wire) == 2 and type(text) is str:
            return wire
        part = {"type": "text", "text": expect(text, TEXT, "text")}
    left = Unmapped()
    if part is None and role != "assistant" and type(kind) is str and kind in _PART_READERS:
        part = _PART_READERS[kind](wire, left) if vendor.files or kind not in _NAMES else None
        if kind == "file" and not vendor.files:
            left.spelling["part"] = kind
    if part is None:
        return {"type": "opaque", "dialect": vendor.dialect, "data": wire}
    named = _NAMES.get(kind) if "name" in part else None
    left.fields |= {key: value for key, value in wire.items() if key not in _PART_MEMBERS and key not in {kind, named}}
    _decode_marks(part, wire, left)
    left.attach(part, vendor.dialect)
    return part


def _decode_marks(part: dict[str, Any], wire: dict[str, Any], left: Unmapped) -> None:
    """Decode the cache mark; of two, the second one stays a leftover."""
    if "prompt_cache_breakpoint" in wire:
        read_mark(part, "prompt_cache_breakpoint", wire["prompt_cache_breakpoint"], ("mode", "explicit"), left)
        if "cache_control" in wire:
            left.fields["cache_control"] = wire["cache_control"]
    elif "cache_control" in wire:
        decode_cache_control(part, wire["cache_control"], left)


def _decode_image(wire: dict[str, Any], left: Unmapped) -> dict[str, Any] | None:
    image = wire.get("image_url")
    if type(image) is str:
        left.spelling["image"] = "string"
        return {"type": "image", **_address(image)}
    if type(image) is not dict or type(image.get("url")) is not str:
        return None
    part = {"type": "image", **_address(image["url"])}
    if type(image.get("detail")) is str:
        part["detail"] = image["detail"]
    left.keep_nested("image_url", rest(image, _URL_AND_DETAIL if "detail" in part else _URL))
    return part


def _decode_audio(wire: dict[str, Any], left: Unmapped) -> dict[str, Any]:
    """Read audio; Mistral accepts its data, or its URL, as a text.

    Source: https://docs.mistral.ai/capabilities/audio
    """
    audio = wire.get("input_audio")
    if type(audio) is str:
        left.spelling["image"] = "string"
        return {"type": "audio", **({"data": audio} if ":" not in audio else _address(audio))}
    audio = expect(audio, OBJECT, "input_audio")
    part = {"type": "audio", "data": expect(audio.get("data"), TEXT, "input_audio", "data")}
    word = audio.get("format")
    media_type = audio_media_type(word) if type(word) is str else None
    if media_type is not None:
        part["format"] = media_type
    left.keep_nested("input_audio", rest(audio, frozenset({"data", "format"} if media_type is not None else {"data"})))
    return part


def _decode_sound_at(wire: dict[str, Any], left: Unmapped) -> dict[str, Any] | None:
    """Read audio by URL; a data URL stays as it came."""
    url = _url_in(wire, "audio_url", left)
    return None if url is None or not is_address(url) else {"type": "audio", "url": url}


def _decode_video(wire: dict[str, Any], left: Unmapped) -> dict[str, Any] | None:
    """Read a video, as OpenRouter, Together and others accept it.

    Source: https://openrouter.ai/docs/features/multimodal/videos
    """
    url = _url_in(wire, "video_url", left)
    if url is None:
        return None
    media = _address(url)
    if "url" in media:
        return {"type": "file", "format": video_type(url) or ANY_FILM, **media}
    part = {"type": "file", **media}
    return part if is_video(part) else None


def _url_in(wire: dict[str, Any], kind: str, left: Unmapped) -> str | None:
    """Return the URL in the object of a part; other members of that object stay leftovers."""
    holder = wire.get(kind)
    if type(holder) is not dict or type(holder.get("url")) is not str:
        return None
    left.keep_nested(kind, rest(holder, _URL))
    return str(holder["url"])


def _decode_file(wire: dict[str, Any], left: Unmapped) -> dict[str, Any] | None:
    file = wire.get("file")
    if type(file) is not dict:
        return None
    part: dict[str, Any] = {"type": "file"}
    known = set()
    if type(file.get("file_id")) is str:
        part["file_id"] = file["file_id"]
        known.add("file_id")
    elif type(file.get("file_data")) is str:
        data = file["file_data"]
        split = split_data_url(data)
        if split is not None:
            part["format"], part["data"] = split
        else:  # some vendors accept a URL in its place
            part["url" if is_address(data) else "data"] = data
        known.add("file_data")
    else:
        return None
    if type(file.get("filename")) is str:
        part["name"] = file["filename"]
        known.add("filename")
    elif is_video(part):
        return None  # a video without a name is another type of part
    left.keep_nested("file", rest(file, frozenset(known)))
    return part


def _decode_document(wire: dict[str, Any], left: Unmapped) -> dict[str, Any] | None:
    """Read a document, as Mistral accepts it: its URL, or data URL, as a text.

    Source: https://docs.mistral.ai/capabilities/document_ai/document_qna
    """
    url, name = wire.get(DOCUMENT), wire.get(DOCUMENT_NAME)
    if type(url) is not str:
        return None
    part = {"type": "file", **_address(url)}
    if type(name) is str:
        part["name"] = name
    left.spelling["image"] = "string"
    return part


def _address(url: str) -> dict[str, Any]:
    """Return the canonical members for a URL: the URL itself, or the data of a data URL."""
    split = split_data_url(url)
    return {"url": url} if split is None else {"format": split[0], "data": split[1]}


# Part type -> the member beside it that holds the file name.
_NAMES: Final[Mapping[Any, str]] = MappingProxyType({DOCUMENT: DOCUMENT_NAME})
_PART_READERS: Final[Mapping[str, Callable[[dict[str, Any], Unmapped], dict[str, Any] | None]]] = MappingProxyType({
    "image_url": _decode_image,
    "input_audio": _decode_audio,
    "audio_url": _decode_sound_at,
    "video_url": _decode_video,
    "file": _decode_file,
    DOCUMENT: _decode_document,
})  # fmt: skip


def decode_cache_control(value: dict[str, Any], mark: Any, left: Unmapped) -> None:
    """Decode `cache_control`, an extension of gateways that pass it on to Claude: always `type: ephemeral`."""
    if read_mark(value, "cache_control", mark, ("type", "ephemeral"), left):
        left.spelling["cache"] = "cache_control"


def decode_citations(annotations: Any, vendor: Vendor) -> list[dict[str, Any]] | None:
    """Decode `annotations`, or return None if none is a URL citation, or one is no object with a type.

    An annotation of unknown type beside citations is kept as an opaque citation.
    """
    if type(annotations) is not list:
        return None
    citations: list[dict[str, Any]] = []
    for wire in annotations:
        kind = wire.get("type") if type(wire) is dict else None
        if type(kind) is not str:
            return None
        cited = _decode_cited(wire, vendor) if kind == CITED else None
        citations.append(cited or {"kind": "opaque", "extra": {vendor.dialect: {"fields": wire}}})
    is_read = not citations or any(citation["kind"] == "url" for citation in citations)
    return citations if is_read else None


def _decode_cited(wire: dict[str, Any], vendor: Vendor) -> dict[str, Any] | None:
    """Decode a URL citation; some servers have its members beside the type (Xiaomi)."""
    left = Unmapped()
    cited = wire.get(CITED)
    if type(cited) is dict:
        taken, nested = take(cited, _CITATION_MEMBERS)
        left.fields = rest(wire, frozenset({"type", CITED}))
        left.keep_nested(CITED, nested)
    elif CITED not in wire and type(wire.get("url")) is str:
        taken, left.fields = take(wire, _CITATION_MEMBERS)
        del left.fields["type"]
        left.absent(CITED)
    else:
        return None
    citation: dict[str, Any] = {"kind": "url", **taken}
    left.attach(citation, vendor.dialect)
    return citation


def decode_pictures(images: Any, vendor: Vendor) -> list[dict[str, Any]] | None:
    """Decode `images` of an assistant message, or return None if one is no image, or the room reads none.

    OpenRouter and LiteLLM have generated images there: https://openrouter.ai/docs/features/multimodal/image-generation
    """
    if not vendor.pictures or type(images) is not list or any(type(wire) is not dict for wire in images):
        return None
    pictures: list[dict[str, Any]] = []
    for wire in images:
        left = Unmapped()
        picture = _decode_image(wire, left) if wire.get("type") == "image_url" else None
        if picture is None:
            return None
        left.fields |= rest(wire, frozenset({"type", "image_url"}))
        left.attach(picture, vendor.dialect)
        pictures.append(picture)
    return pictures


def decode_spoken_answer(audio: Any, vendor: Vendor) -> dict[str, Any] | None:
    """Decode `audio` of an assistant message: a whole audio answer, or the id of an earlier one."""
    if type(audio) is not dict:
        raise Malformed("/audio", "expected an object")
    if not audio.get("id") and audio.get("data") == "":  # Snowflake writes empty values
        return None
    left = Unmapped()
    taken, left.fields = take(audio, _SPOKEN_MEMBERS)
    part: dict[str, Any] = {"type": "audio", **taken}
    if "data" in part:
        if "file_id" in part:
            left.typed["id"] = part.pop("file_id")
    elif "file_id" not in part:
        return None
    left.attach(part, vendor.dialect)
    return part
