"""Detect the media type of base64 data by its first bytes: Ollama's `images` have none, others may be wrong.

Source: https://github.com/ollama/ollama/blob/main/llm/media.go; https://mimesniff.spec.whatwg.org
"""

from __future__ import annotations

import base64
import binascii
from typing import Final, Literal

# Base64 characters for the twelve bytes that are inspected.
_SIGNATURE_LENGTH: Final = 16
_FILE_SIGNATURES: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"ID3", "audio/mpeg"),
)
_RIFF: Final[tuple[tuple[bytes, str], ...]] = ((b"WEBP", "image/webp"), (b"WAVE", "audio/wav"))
_FRAME_SYNC: Final = 0xE0


def is_pdf(data: str) -> bool:
    """Tell whether data in base64 begins as a PDF does."""
    return (_first(data) or b"").startswith(b"%PDF-")


def detected_media_type(data: str) -> str | None:
    """Return the media type of base64 image or audio data, or None if the first bytes do not show it."""
    first = _first(data)
    if first is None:
        return None
    for beginning, media_type in _FILE_SIGNATURES:
        if first.startswith(beginning):
            return media_type
    if first[:4] == b"RIFF":
        return next((media_type for word, media_type in _RIFF if first[8:12] == word), None)
    if len(first) > 1 and first[0] == 0xFF and first[1] & _FRAME_SYNC == _FRAME_SYNC:
        return "audio/mpeg"
    return None


def kind_of_data(data: str, media_type: str) -> Literal["audio", "file", "image"]:
    """Return the kind of part for base64 data, by its first bytes or else its media type."""
    match (detected_media_type(data) or media_type.lower()).partition("/")[0]:
        case "audio":
            return "audio"
        case "image":
            return "image"
        case _:
            return "file"


def _first(data: str) -> bytes | None:
    try:
        return base64.b64decode(data[:_SIGNATURE_LENGTH], validate=True)
    except (binascii.Error, ValueError):
        return None
