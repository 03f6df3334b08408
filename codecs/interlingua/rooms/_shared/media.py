"""Media types and data URLs."""

from __future__ import annotations

import base64
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, unquote_to_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.writing import Target

_DATA_URL: Final = re.compile(r"data:([A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+);base64,")
_ANY_DATA_URL: Final = re.compile(r"data:([^,;]*)((?:;[^,;]*)*),", re.IGNORECASE)
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]*")
# What stands in base64 data that was written for addresses, lines or people.
_UNUSUAL: Final = ("-", "_", "%", " ", "\n", "\r")
_URL_ALPHABET: Final = str.maketrans("-_", "+/")
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]{1,15}://")

# Media types by another name, which providers refuse.
_USUAL_TYPES: Final[Mapping[str, str]] = MappingProxyType({
    "image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/x-png": "image/png"
})  # fmt: skip

# What a `changed` loss says of a part that `with_data` made.
REENCODED_DATA: Final = "the data stands in the part, in base64 as everybody reads it"

AUDIO_FORMATS: Final[Mapping[str, str]] = MappingProxyType({"wav": "audio/wav", "mp3": "audio/mpeg"})
_AUDIO_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {"audio/mp3": "mp3", "audio/x-wav": "wav", "audio/wave": "wav"}
    | {media_type: word for word, media_type in AUDIO_FORMATS.items()}
)


def split_data_url(url: str) -> tuple[str, str] | None:
    """Return media type and base64 data of a data URL that can be put together again, else None."""
    if not url.startswith("data:"):
        return None
    match = _DATA_URL.match(url)
    return None if match is None else (match.group(1), url[match.end() :])


def read_data_url(url: str) -> tuple[str, str] | None:
    """Return media type and base64 data of a data URL in any spelling, or None for what is none. Source: RFC 2397."""
    match = _ANY_DATA_URL.match(url)
    if match is None:
        return None
    media_type, said = match.group(1).strip().lower() or "text/plain", url[match.end() :]
    if not match.group(2).lower().endswith(";base64"):
        return media_type, base64.b64encode(unquote_to_bytes(said)).decode()
    data = _as_base64(said)
    return None if data is None else (media_type, data)


def _as_base64(said: str) -> str | None:
    """Return base64 data as everybody reads it: no line ends, padded, in the usual alphabet; None for what is none."""
    data = "".join(unquote(said).split()).translate(_URL_ALPHABET).rstrip("=")
    if _BASE64.fullmatch(data) is None or len(data) % 4 == 1:
        return None
    return data + "=" * (-len(data) % 4)


def with_data(part: Any) -> Any:
    """Return a part with the data of its data URL, or with its data as everybody reads it; or the part as it is."""
    if "data" in part:
        said = part["data"]
        is_usual = len(said) % 4 == 0 and not any(mark in said for mark in _UNUSUAL)
        data = None if is_usual else _as_base64(said)
        return part if data is None else {**part, "data": data}
    read = read_data_url(part["url"]) if "url" in part else None
    if read is None:
        return part
    return {**{name: value for name, value in part.items() if name != "url"}, "format": read[0], "data": read[1]}


def with_usual_type(part: Any, path: str, to: Target) -> Any:
    """Return a part with the usual name of its media type, abroad, and note the change; or the part as it is."""
    if to.home or part.get("format") not in _USUAL_TYPES:
        return part
    to.log.changed("member", f"{path}/format", "the media type has this name")
    return {**part, "format": _USUAL_TYPES[part["format"]]}


def is_address(text: str) -> bool:
    """Tell whether a text starts as an address does (`https://`, `gs://`), which no base64 data does."""
    return _ADDRESS.match(text) is not None


def data_url(media_type: str, data: str) -> str:
    """Return the data URL of base64 data."""
    return f"data:{media_type};base64,{data}"


def audio_media_type(word: str) -> str | None:
    """Return the media type of an audio format's word (`wav`), or None where the word would not come back."""
    media_type = AUDIO_FORMATS.get(word, f"audio/{word}")
    return media_type if audio_word(media_type) == word else None


def audio_word(media_type: str) -> str | None:
    """Return the word (`wav`) of an audio media type, or None for anything else."""
    word = _AUDIO_WORDS.get(media_type)
    if word is not None:
        return word
    return media_type.removeprefix("audio/") if media_type.startswith("audio/") else None
