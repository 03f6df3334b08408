"""Media types and data URLs."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_DATA_URL: Final = re.compile(r"data:([A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+);base64,")
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]{1,15}://")

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
