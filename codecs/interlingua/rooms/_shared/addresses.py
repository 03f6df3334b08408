"""What a picture or file that is given by its address is, and who can fetch it."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.media import is_address

if TYPE_CHECKING:
    from collections.abc import Mapping

# The ending of a name or an address -> media type.
ENDINGS: Final[Mapping[str, str]] = MappingProxyType({
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "heic": "image/heic",
    "wav": "audio/wav",
    "mp3": "audio/mpeg",
    "ogg": "audio/ogg",
    "flac": "audio/flac",
    "m4a": "audio/mp4",
    "mp4": "video/mp4",
    "mov": "video/quicktime",
    "webm": "video/webm",
    "pdf": "application/pdf",
    "txt": "text/plain",
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
})  # fmt: skip
_FILM_HOSTS: Final = re.compile(r"https?://(?:(?:www\.|m\.)?youtube\.com|youtu\.be)/")
_WEB: Final = ("http://", "https://")
# Files that Gemini's service holds: only a key of their owner opens them. Source: docs/wire/gemini.md, section 7.
_HELD_BY_GEMINI: Final = "https://generativelanguage.googleapis.com/"
# How the ids of files are written that one provider holds: nobody else can open them.
OPENAI_FILE: Final = r"file-"
CLAUDE_FILE: Final = r"file_01[A-Za-z0-9]{16}"
GEMINI_FILE: Final = r"files/|[a-z]+://"
NOT_CLAUDES: Final = re.compile(f"{OPENAI_FILE}|{GEMINI_FILE}")
NOT_OPENAIS: Final = re.compile(f"{CLAUDE_FILE}|{GEMINI_FILE}")
HELD_ELSEWHERE: Final = "the file of another provider cannot be reached"


def told_type(part: Mapping[str, Any]) -> str:
    """Return the media type that a part says, or else the ending of its name or address; empty where none does."""
    if "format" in part:
        return str(part["format"])
    address: str = part.get("url", "")
    if _FILM_HOSTS.match(address):
        return "video/mp4"
    name: str = part.get("name", address or part.get("file_id", ""))
    path = name.partition("?")[0].partition("#")[0]
    return ENDINGS.get(path.rpartition(".")[2].lower(), "")


def out_of_reach(part: Mapping[str, Any], *, is_local: bool = False) -> str:
    """Return why no other provider can fetch what an address names; empty where it can.

    `is_local`: the server may read files of its own machine.
    """
    address: str = part.get("url", "")
    if address.startswith(_HELD_BY_GEMINI):
        return HELD_ELSEWHERE
    if is_address(address) and not address.startswith(_WEB) and not (is_local and address.startswith("file://")):
        return "only addresses of the web are fetched"
    return ""
