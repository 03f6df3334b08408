"""Gemini to canonical: parts that are text, pictures, sounds and files.

Every function raises `Malformed` with its own path. Source: reference/wire/gemini.md section 1.2.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.extra import rest
from interlingua.dialects._shared.reading import OBJECT, TEXT, expect
from interlingua.dialects.gemini.media import kind_of
from interlingua.dialects.gemini.snake import BLOB, FILE, camel
from interlingua.dialects.gemini.tables import DATA, DIALECT, RESOLUTIONS

if TYPE_CHECKING:
    from interlingua.dialects._shared.extra import Leftovers

# What else a part can say, and has a canonical place or a note.
_MODIFIERS: Final = frozenset({"thought", "thoughtSignature", "mediaResolution", "audioTranscription"})

_TRANSCRIPT: Final = "audioTranscription"


def data_of(part: dict[str, Any], left: Leftovers) -> str | None:
    """Return the name of the one member that holds data, or None where none or several do; note those that are null."""
    found = None
    for name in DATA:
        if name in part:
            if part[name] is None:
                left.null(name)
            elif found is not None:
                return None
            else:
                found = name
    return found


def decode_modifiers(part: dict[str, Any], left: Leftovers) -> tuple[bool, str | None]:
    """Decode what every part can say: whether it is a thought, and its signature."""
    thought, signature = part.get("thought"), part.get("thoughtSignature")
    if thought is False:
        left.spelling["thought"] = "false"
    elif thought is not None and thought is not True:
        left.fields["thought"] = thought
    elif thought is None and "thought" in part:
        left.null("thought")
    if type(signature) is str:
        return thought is True, signature
    if signature is not None:
        left.fields["thoughtSignature"] = signature
    elif "thoughtSignature" in part:
        left.null("thoughtSignature")
    return thought is True, None


def opaque(data: Any) -> dict[str, Any]:
    """Return the part that keeps a wire part verbatim."""
    return {"type": "opaque", "dialect": DIALECT, "data": data}


def decode_data(wire: dict[str, Any], data: str, left: Leftovers) -> dict[str, Any]:
    """Decode a part with text, inline data or the address of a file, with names in camelCase."""
    if data == "text":
        part: dict[str, Any] = {"type": "text", "text": expect(wire["text"], TEXT, "text")}
        known = _MODIFIERS - {"mediaResolution", _TRANSCRIPT}
    else:
        part = _decode_inline(wire, left) if data == "inlineData" else _decode_address(wire, left)
        known = _MODIFIERS
        _decode_resolution(part, wire, left)
        _decode_transcript(part, wire, left)
    left.fields |= {key: value for key, value in wire.items() if key not in known and key not in DATA}
    return part


def _decode_inline(wire: dict[str, Any], left: Leftovers) -> dict[str, Any]:
    blob = camel(expect(wire["inlineData"], OBJECT, "inlineData"), BLOB, left)
    part = _typed(blob)
    part["data"] = expect(blob.get("data"), TEXT, "inlineData", "data")
    _decode_name(part, blob, "inlineData", left, "data")
    return part


def _decode_address(wire: dict[str, Any], left: Leftovers) -> dict[str, Any]:
    file = camel(expect(wire["fileData"], OBJECT, "fileData"), FILE, left)
    part = _typed(file)
    part["url"] = expect(file.get("fileUri"), TEXT, "fileData", "fileUri")
    _decode_name(part, file, "fileData", left, "fileUri")
    return part


def _typed(source: dict[str, Any]) -> dict[str, Any]:
    """Return the beginning of a part, of the type that the media type tells."""
    media_type = source.get("mimeType")
    if type(media_type) is not str:
        return {"type": "file"}
    return {"type": kind_of(media_type), "format": media_type}


def _decode_name(part: dict[str, Any], source: dict[str, Any], outer: str, left: Leftovers, data: str) -> None:
    """Decode the name, and keep what else the source says."""
    known = {data}
    if "format" in part:
        known.add("mimeType")
    name = source.get("displayName")
    if type(name) is str:
        part["name"] = name
        known.add("displayName")
    left.nest(outer, rest(source, frozenset(known)))


def _decode_resolution(part: dict[str, Any], wire: dict[str, Any], left: Leftovers) -> None:
    resolution = wire.get("mediaResolution")
    if part["type"] == "image" and type(resolution) is dict:
        level = resolution.get("level")
        if type(level) is str and level in RESOLUTIONS:
            part["detail"] = RESOLUTIONS[level]
            left.nest("mediaResolution", rest(resolution, frozenset({"level"})))
            return
    if "mediaResolution" in wire:
        left.fields["mediaResolution"] = resolution


def _decode_transcript(part: dict[str, Any], wire: dict[str, Any], left: Leftovers) -> None:
    transcription = wire.get(_TRANSCRIPT)
    if part["type"] == "audio" and type(transcription) is dict and type(transcription.get("text")) is str:
        part["transcript"] = transcription["text"]
        left.nest(_TRANSCRIPT, rest(transcription, frozenset({"text"})))
    elif _TRANSCRIPT in wire:
        left.fields[_TRANSCRIPT] = transcription
