"""Short names of media types, as file extensions and wire formats write them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["AUDIO", "DOCUMENT", "IMAGE", "VIDEO"]

_OFFICE: Final = "application/vnd.openxmlformats-officedocument"

IMAGE: Final[Mapping[str, str]] = MappingProxyType({
    **{word: f"image/{word}" for word in ("avif", "bmp", "gif", "heic", "jpeg", "png", "tiff", "webp")},
    "jpg": "image/jpeg", "svg": "image/svg+xml", "tif": "image/tiff",
})  # fmt: skip
AUDIO: Final[Mapping[str, str]] = MappingProxyType({
    **{word: f"audio/{word}" for word in ("aac", "aiff", "flac", "ogg", "opus", "wav", "webm")},
    "m4a": "audio/mp4", "mp3": "audio/mpeg", "pcm16": "audio/pcm",
})  # fmt: skip
VIDEO: Final[Mapping[str, str]] = MappingProxyType({
    **{word: f"video/{word}" for word in ("mp4", "mpeg", "mpg", "webm")},
    "flv": "video/x-flv", "mkv": "video/x-matroska", "mov": "video/quicktime", "wmv": "video/x-ms-wmv",
})  # fmt: skip
DOCUMENT: Final[Mapping[str, str]] = MappingProxyType({
    "csv": "text/csv", "html": "text/html", "md": "text/markdown", "txt": "text/plain",
    "json": "application/json", "pdf": "application/pdf", "rtf": "application/rtf", "xml": "application/xml",
    "doc": "application/msword", "docx": f"{_OFFICE}.wordprocessingml.document",
    "ppt": "application/vnd.ms-powerpoint", "pptx": f"{_OFFICE}.presentationml.presentation",
    "xls": "application/vnd.ms-excel", "xlsx": f"{_OFFICE}.spreadsheetml.sheet",
})  # fmt: skip
