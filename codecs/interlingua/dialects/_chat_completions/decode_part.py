"""Chat Completions to canonical: parts, citations, cache marks. Every function raises `Malformed` with its own path."""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import Leftovers, rest
from interlingua.dialects._shared.media import audio_media_type, is_address, split_data_url
from interlingua.dialects._shared.reading import OBJECT, TEXT, Malformed, expect

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.dialects._chat_completions.vendor import Vendor


_CITATION_MEMBERS: Final = frozenset({"url", "title", "start_index", "end_index"})


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
    left = Leftovers()
    if kind == "text":
        text = wire.get("text")
        if type(text) is not str:
            raise Malformed("/text", "expected text")
        if len(wire) == 2:
            return wire
        part = {"type": "text", "text": text}
        left.fields = rest(wire, frozenset({"type", "text", "prompt_cache_breakpoint", "cache_control"}))
    elif role != "assistant" and type(kind) is str and kind in _PART_READERS:
        part = _PART_READERS[kind](wire, left)
        if kind == "file" and not vendor.files:
            left.spelling["part"] = kind
    if part is None:
        return {"type": "opaque", "dialect": vendor.dialect, "data": wire}
    _decode_marks(part, wire, left)
    left.attach(part, vendor.dialect)
    return part


def _decode_marks(part: dict[str, Any], wire: dict[str, Any], left: Leftovers) -> None:
    """Decode the mark for the cache; where there are two, the second one stays a leftover."""
    if "prompt_cache_breakpoint" in wire:
        _decode_breakpoint(part, wire["prompt_cache_breakpoint"], left)
        if "cache_control" in wire:
            left.fields["cache_control"] = wire["cache_control"]
    elif "cache_control" in wire:
        decode_cache_control(part, wire["cache_control"], left)


def _decode_image(wire: dict[str, Any], left: Leftovers) -> dict[str, Any] | None:
    image = wire.get("image_url")
    if type(image) is str:
        left.spelling["image"] = "string"
        url, detail = image, None
    else:
        if type(image) is not dict or type(image.get("url")) is not str:
            return None
        url, detail = image["url"], image.get("detail")
        left.nest("image_url", rest(image, frozenset({"url", "detail"} if type(detail) is str else {"url"})))
    part: dict[str, Any] = {"type": "image"}
    split = split_data_url(url)
    if split is None:
        part["url"] = url
    else:
        part["format"], part["data"] = split
    if type(detail) is str:
        part["detail"] = detail
    left.fields |= rest(wire, frozenset({"type", "image_url", "prompt_cache_breakpoint", "cache_control"}))
    return part


def _decode_audio(wire: dict[str, Any], left: Leftovers) -> dict[str, Any]:
    audio = expect(wire.get("input_audio"), OBJECT, "input_audio")
    part = {"type": "audio", "data": expect(audio.get("data"), TEXT, "input_audio", "data")}
    word = audio.get("format")
    media_type = audio_media_type(word) if type(word) is str else None
    if media_type is not None:
        part["format"] = media_type
    left.nest("input_audio", rest(audio, frozenset({"data", "format"} if media_type is not None else {"data"})))
    left.fields |= rest(wire, frozenset({"type", "input_audio", "prompt_cache_breakpoint", "cache_control"}))
    return part


def _decode_file(wire: dict[str, Any], left: Leftovers) -> dict[str, Any] | None:
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
        else:  # some vendors take an address in its place
            part["url" if is_address(data) else "data"] = data
        known.add("file_data")
    else:
        return None
    if type(file.get("filename")) is str:
        part["name"] = file["filename"]
        known.add("filename")
    left.nest("file", rest(file, frozenset(known)))
    left.fields |= rest(wire, frozenset({"type", "file", "prompt_cache_breakpoint", "cache_control"}))
    return part


_PART_READERS: Final[Mapping[str, Callable[[dict[str, Any], Leftovers], dict[str, Any] | None]]] = MappingProxyType({
    "image_url": _decode_image,
    "input_audio": _decode_audio,
    "file": _decode_file,
})  # fmt: skip


def _decode_breakpoint(part: dict[str, Any], mark: Any, left: Leftovers) -> None:
    """Decode `prompt_cache_breakpoint`: always `mode: explicit`."""
    if type(mark) is not dict or mark.get("mode") != "explicit":
        left.fields["prompt_cache_breakpoint"] = mark
        return
    known = {"mode"}
    part["cache"] = {}
    if type(mark.get("ttl")) is str:
        part["cache"]["ttl"] = mark["ttl"]
        known.add("ttl")
    left.nest("prompt_cache_breakpoint", rest(mark, frozenset(known)))


def decode_cache_control(value: dict[str, Any], mark: Any, left: Leftovers) -> None:
    """Decode `cache_control`, the accent of gateways that pass it on to Claude: always `type: ephemeral`."""
    if type(mark) is not dict or mark.get("type") != "ephemeral":
        left.fields["cache_control"] = mark
        return
    known = {"type"}
    value["cache"] = {}
    left.spelling["cache"] = "cache_control"
    if type(mark.get("ttl")) is str:
        value["cache"]["ttl"] = mark["ttl"]
        known.add("ttl")
    left.nest("cache_control", rest(mark, frozenset(known)))


def decode_citations(annotations: Any, vendor: Vendor) -> list[dict[str, Any]] | None:
    """Decode `annotations`, or return None where one of them is not a well-formed `url_citation`."""
    if type(annotations) is not list:
        return None
    citations = []
    for wire in annotations:
        cited = wire.get("url_citation") if type(wire) is dict and wire.get("type") == "url_citation" else None
        if type(cited) is not dict:
            return None
        citation: dict[str, Any] = {"kind": "url"}
        left = Leftovers()
        left.fields = rest(wire, frozenset({"type", "url_citation"}))
        nested = {}
        for key, value in cited.items():
            if key in _CITATION_MEMBERS and type(value) is (int if key.endswith("index") else str):
                citation[key] = value
            else:
                nested[key] = value
        left.nest("url_citation", nested)
        left.attach(citation, vendor.dialect)
        citations.append(citation)
    return citations


def decode_spoken_answer(audio: Any, vendor: Vendor) -> dict[str, Any] | None:
    """Decode `audio` of an assistant: the whole answer, or the id of an earlier one."""
    if type(audio) is not dict:
        raise Malformed("/audio", "expected an object")
    part: dict[str, Any] = {"type": "audio"}
    left = Leftovers()
    for key, value in audio.items():
        if (key in {"data", "transcript"} and type(value) is str) or (key == "expires_at" and type(value) is int):
            part[key] = value
        elif key == "id" and type(value) is str:
            left.typed["id"] = value
        else:
            left.fields[key] = value
    if "data" not in part:
        if "id" not in left.typed:
            return None
        part["file_id"] = left.typed.pop("id")
    left.attach(part, vendor.dialect)
    return part
