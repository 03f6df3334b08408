"""Media: media types, data URLs, which URLs a provider can fetch, and documents converted to text."""

from __future__ import annotations

import base64
import binascii
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import beyond, lost_members
from interlingua.media_types import AUDIO, DOCUMENT, IMAGE, VIDEO
from interlingua.rooms._shared.media_sniffing import detected_media_type, is_pdf
from interlingua.spi.extra import report_foreign

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from interlingua.loss import LossLog
    from interlingua.rooms._shared.writing import Target

_DATA_URL: Final = re.compile(r"data:([A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+);base64,")
_ANY_DATA_URL: Final = re.compile(r"data:([^,;]*)((?:;[^,;]*)*),", re.IGNORECASE)
_IS_BASE64: Final = re.compile(r"; *base64 *\Z", re.IGNORECASE)  # as browsers read it
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]*")
# Characters of base64 data in a variant for URLs, or with line breaks.
_UNUSUAL: Final = ("-", "_", "%", " ", "\n", "\r")
_URL_ALPHABET: Final = str.maketrans("-_", "+/")
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]{1,15}://")

_UTF_8: Final = re.compile(r"\s*;\s*charset\s*=\s*\"?(?:utf-?8|us-ascii)\"?\s*\Z", re.IGNORECASE)

_CHARSET: Final = re.compile(r";\s*charset\s*=\s*\"?([\w.:-]+)", re.ASCII | re.IGNORECASE)
# Python has other codecs that are no charsets: `idna`, `unicode_escape`, `utf-7`.
_CHARSETS: Final = re.compile(
    r"(us-)?ascii|utf-?(8|16|32)(-?[lb]e)?|iso-?8859-?\d{1,2}|latin-?\d|(windows-?|cp)\d{3,4}"
    r"|shift[-_]?jis|euc-?(jp|kr)|gb(2312|k|18030)|big5|koi8-?[ru]",
    re.IGNORECASE,
)

# Aliases of media types, which providers refuse.
_USUAL_TYPES: Final[Mapping[str, str]] = MappingProxyType({
    "image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/x-png": "image/png", "image/x-webp": "image/webp",
    "audio/x-wav": "audio/wav", "audio/wave": "audio/wav", "audio/vnd.wave": "audio/wav", "audio/x-mp3": "audio/mpeg",
    "audio/x-mpeg": "audio/mpeg", "audio/x-flac": "audio/flac", "audio/x-aac": "audio/aac",
    "audio/x-aiff": "audio/aiff", "application/x-pdf": "application/pdf", "application/csv": "text/csv",
    "text/x-csv": "text/csv", "text/x-markdown": "text/markdown",
})  # fmt: skip

# The text of a result that held only media, and the text before these in the user message.
ATTACHED: Final = "The result is attached to the next message of the user."
ATTACHMENT: Final = "Attached to the result of the call {}:"
# Loss detail for such a result.
MEDIA_BESIDE: Final = "images and files of a tool result are sent in a user message"

# Loss detail for a media type that was an alias.
OTHER_TYPE: Final = "the media type has another name there"
# Loss details for a media type that was detected in an image or a PDF.
SEEN_TYPE: Final = "the media type was detected from the first bytes"
OTHER_BYTES: Final = "the first bytes are those of another media type"
# Loss detail for one that is only known by the file extension.
NAMED_TYPE: Final = "the media type was detected from the file name"
TEXT_TYPE: Final = "nothing tells the media type of the data, which is text"
# Loss detail for a part changed by `with_data`.
REENCODED_DATA: Final = "the data was converted to standard base64"

AUDIO_FORMATS: Final[Mapping[str, str]] = MappingProxyType({"wav": "audio/wav", "mp3": "audio/mpeg"})
_AUDIO_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {"audio/mp3": "mp3", "audio/x-wav": "wav", "audio/wave": "wav"}
    | {media_type: word for word, media_type in AUDIO_FORMATS.items()}
)


def split_data_url(url: str) -> tuple[str, str] | None:
    """Return media type and base64 data of a data URL in the usual form, which can be restored; else None."""
    if not url.startswith("data:"):
        return None
    match = _DATA_URL.match(url)
    return None if match is None else (match.group(1), url[match.end() :])


def read_data_url(url: str) -> tuple[str, str] | None:
    """Return media type and base64 data of a data URL in any form, or None if it is none. Source: RFC 2397."""
    match = _ANY_DATA_URL.match(url)
    if match is None:
        return None
    media_type, said = match.group(1).strip().lower() or "text/plain", url[match.end() :]
    if _IS_BASE64.search(match.group(2)) is None:
        from urllib.parse import unquote_to_bytes  # noqa: PLC0415  # nearly all data is base64

        return media_type, base64.b64encode(unquote_to_bytes(said)).decode()
    data = _as_base64(said)
    return None if data is None else (media_type, data)


def _as_base64(said: str) -> str | None:
    """Return standard base64 data: no line breaks, padded, in the standard alphabet; None if it is not base64."""
    from urllib.parse import unquote  # noqa: PLC0415  # nearly all data is standard base64

    data = "".join(unquote(said).split()).translate(_URL_ALPHABET).rstrip("=")
    if _BASE64.fullmatch(data) is None or len(data) % 4 == 1:
        return None
    return data + "=" * (-len(data) % 4)


def with_data(part: Any) -> Any:
    """Return a part with the data of its data URL, or with its data as standard base64; unchanged if it has neither.

    The data may itself be a data URL.
    """
    if "data" in part:
        said = part["data"]
        if said.startswith("data:") and (inside := read_data_url(said)) is not None:
            return {**part, "format": inside[0], "data": inside[1]}
        is_usual = len(said) % 4 == 0 and not any(mark in said for mark in _UNUSUAL)
        data = None if is_usual else _as_base64(said)
        return part if data is None else {**part, "data": data}
    read = read_data_url(part["url"]) if "url" in part else None
    if read is None:
        return part
    return {**{name: value for name, value in part.items() if name != "url"}, "format": read[0], "data": read[1]}


def with_standard_data(part: Any, path: str, to: Target) -> Any:
    """Return a part with standard base64 data, abroad, and report the change; else unchanged."""
    if to.home or "data" not in part:
        return part
    read = with_data(part)
    if read is not part:
        to.log.changed("part", path, REENCODED_DATA)
    return read


def with_standard_type(part: Any, path: str, to: Target) -> Any:
    """Return a part with the standard name of its media type, abroad, and report the change; else unchanged.

    The type detected in an image or a PDF takes precedence: some providers go by it, others refuse a mismatch.
    """
    if to.home:
        return part
    if "format" not in part:
        told, why = _missing_type(part, to) if "data" in part else ("", "")
        if not told:
            return part
        to.log.filled(f"{path}/format", why)
        return {**part, "format": told}
    seen = detected_type(part)
    usual = standard_type(part["format"])
    if seen is not None and seen != usual:
        to.log.changed("member", f"{path}/format", OTHER_BYTES)
        return {**part, "format": seen}
    if usual == part["format"]:
        return part
    to.log.changed("member", f"{path}/format", OTHER_TYPE)
    return {**part, "format": usual}


def _missing_type(part: Any, to: Target) -> tuple[str, str]:
    """Return the media type of data without one, and the loss detail that says how it was found; empty if unknown."""
    seen, named = detected_type(part), declared_type(part)
    if part["type"] != "file" and not named.startswith(part["type"]):
        named = ""
    if seen or named:
        return seen or named, SEEN_TYPE if seen else NAMED_TYPE
    return (DOCUMENT["txt"], TEXT_TYPE) if part["type"] == "file" and "text" in as_text(part, to) else ("", "")


def detected_type(part: Mapping[str, Any]) -> str | None:
    """Return the media type detected in the data of an image or a PDF, or None."""
    if "data" not in part:
        return None
    if part["type"] == "file":
        return DOCUMENT["pdf"] if is_pdf(part["data"]) else None
    told = detected_media_type(part["data"]) if part["type"] == "image" else None
    return told if told is not None and told.startswith("image/") else None


def effective_type(part: Mapping[str, Any]) -> str:
    """Return the detected media type of a part, or else the standard name of its own; empty if unknown."""
    return detected_type(part) or standard_type(declared_type(part) if "data" in part else part.get("format", ""))


def standard_type(media_type: str) -> str:
    """Return the standard name of a media type, or the name as it is.

    A UTF-8 charset parameter is removed, since providers refuse parameters.
    """
    plain = _UTF_8.sub("", media_type)
    return _USUAL_TYPES.get(plain.lower(), plain)


def is_address(text: str) -> bool:
    """Tell whether a text starts like a URL (`https://`, `gs://`), which no base64 data does."""
    return _ADDRESS.match(text) is not None


def data_url(media_type: str, data: str) -> str:
    """Return the data URL of base64 data."""
    return f"data:{media_type};base64,{data}"


def audio_media_type(word: str) -> str | None:
    """Return the media type of an audio format (`wav`), or None if it would not convert back to the same word."""
    media_type = AUDIO_FORMATS.get(word, f"audio/{word}")
    return media_type if audio_word(media_type) == word else None


def audio_word(media_type: str) -> str | None:
    """Return the format (`wav`) of an audio media type, or None for anything else."""
    word = _AUDIO_WORDS.get(media_type)
    if word is not None:
        return word
    return media_type.removeprefix("audio/") if media_type.startswith("audio/") else None


# Image types that OpenAI reads, from its error messages. Source: docs/wire/openai_chat.md, section 7.
OPENAI_PICTURES: Final = frozenset(IMAGE[word] for word in ("png", "jpeg", "gif", "webp"))
NOT_READ: Final = "the target does not accept this media type"


def is_unsupported_image(part: Mapping[str, Any], taken: Collection[str], to: Target) -> bool:
    """Tell whether an image, given as data from abroad, has a media type that the target does not accept."""
    return not (to.home or to.answer) and "data" in part and effective_type(part) not in {"", *taken}


# File extension -> media type.
ENDINGS: Final[Mapping[str, str]] = MappingProxyType({
    **{word: IMAGE[word] for word in ("png", "jpg", "jpeg", "gif", "webp", "heic")},
    **{word: AUDIO[word] for word in ("wav", "mp3", "ogg", "flac", "m4a")},
    **{word: VIDEO[word] for word in ("mp4", "mov", "webm")},
    **{word: DOCUMENT[word] for word in DOCUMENT.keys() - {"rtf", "xml"}},
})  # fmt: skip
_ENDING_OF: Final[Mapping[str, str]] = MappingProxyType({media_type: word for word, media_type in DOCUMENT.items()})
ENDING_ADDED: Final = "OpenAI knows the type of a file by the ending of its name: the ending was added"


def add_ending(file: dict[str, Any], part: Mapping[str, Any], path: str, to: Target) -> None:
    """Give the `filename` of a document the ending of its media type, unless it has one of a document."""
    name, media_type = file["filename"], part.get("format", "")
    ending = _ENDING_OF.get(media_type)
    said = name.rpartition(".")[2].lower() if "." in name else ""
    if ending is None or said in DOCUMENT or (said.isalpha() and media_type.startswith("text/")):
        return
    file["filename"] = f"{name}.{ending}"
    if "name" in part:
        to.log.changed("name", f"{path}/name", ENDING_ADDED)


_FILM_HOSTS: Final = re.compile(r"https?://(?:(?:www\.|m\.)?youtube\.com|youtu\.be)/")
_WEB: Final = ("http://", "https://")
# Files stored at Gemini: only their owner's key opens them. Source: docs/wire/gemini.md, section 7.
_HELD_BY_GEMINI: Final = "https://generativelanguage.googleapis.com/"
# Patterns of file ids of one provider: no other can open the files.
OPENAI_FILE: Final = r"file-"
CLAUDE_FILE: Final = r"file_01[A-Za-z0-9]{16}"
GEMINI_FILE: Final = r"files/|[a-z]+://"
NOT_CLAUDES: Final = re.compile(f"{OPENAI_FILE}|{GEMINI_FILE}")
NOT_OPENAIS: Final = re.compile(f"{CLAUDE_FILE}|{GEMINI_FILE}")
HELD_ELSEWHERE: Final = "a file that another provider stores is not available here"
VIDEO_PAGE: Final = "the URL is that of a page that shows a video, not of a video file"


# Detail for an image without any data.
EMPTY_PICTURE: Final = "an image without data is refused: leave it out"


def declared_type(part: Mapping[str, Any]) -> str:
    """Return the media type of a part, or else that of the extension of its name or URL; empty if unknown."""
    if "format" in part:
        return str(part["format"])
    address: str = part.get("url", "")
    if _FILM_HOSTS.match(address):
        return "video/mp4"
    name: str = part.get("name", address or part.get("file_id", ""))
    path = name.partition("?")[0].partition("#")[0]
    return ENDINGS.get(path.rpartition(".")[2].lower(), "")


_HELD: Final = frozenset({"data", "url"})
_UNTOLD: Final = frozenset({"", "application/octet-stream"})
_OF_PICTURES: Final = frozenset({"type", "format", "name", "url", "data", "cache", "extra"})
_NO_PICTURES: Final = frozenset({*AUDIO.values(), *VIDEO.values(), *DOCUMENT.values()})


def with_actual_type(part: Any, path: str, to: Target) -> Any:
    """Return an image part that is labelled as a document, audio or video as such a part, abroad; else unchanged.

    Clients of gateways send documents as images, and no provider accepts that. Of URL extensions only `.pdf` counts:
    one with another may still be an image. Likewise, images and audio that came as files change their kind.
    """
    if not to.home and part["type"] == "file":
        return _as_shown(part, path, to)
    media_type = "" if to.home or part["type"] != "image" else mislabelled_type(part)
    if not media_type:
        return part
    to.log.changed("member", f"{path}/type", "the media type is not that of an image: the part is sent as another kind")
    if part.get("detail", "auto") != "auto":
        to.log.lost("part", f"{path}/detail", "only images have a detail")
    kind = "audio" if media_type.startswith("audio/") else "file"
    return {**{name: value for name, value in part.items() if name != "detail"}, "type": kind}


def mislabelled_type(part: Mapping[str, Any]) -> str:
    """Return the media type of an image part that is a document, audio or video; empty if it is an image."""
    media_type = standard_type(part["format"]) if "format" in part else declared_type(part)
    is_told = media_type in _NO_PICTURES and ("format" in part or media_type == DOCUMENT["pdf"])
    return media_type if is_told and detected_type(part) is None else ""


def _as_shown(part: Any, path: str, to: Target) -> Any:
    """Return a file part as an image or audio part, if its bytes, media type or name show that it is one.

    A data URL in place of its address becomes its data.
    """
    read = with_data(part) if "url" in part else part
    if read is not part:
        to.log.changed("part", path, REENCODED_DATA)
        part = read
    if part.keys().isdisjoint(_HELD) or not part.keys() <= _OF_PICTURES:
        return part
    told = standard_type(declared_type(part))
    if told in _UNTOLD and "data" in part and "text" not in as_text(part, to):
        told = detected_media_type(part["data"]) or told
    kind = told.partition("/")[0]
    if kind not in {"image", "audio"}:
        return part
    to.log.changed("member", f"{path}/type", "the file is an image or audio, and is sent as such")
    return {**part, "type": kind}


def out_of_reach(part: Mapping[str, Any], *, is_local: bool = False) -> str:
    """Return the reason why the target cannot fetch a URL; empty if it can.

    `is_local`: the server may read files of its own machine.
    """
    address: str = part.get("url", "")
    if address.startswith(_HELD_BY_GEMINI):
        return HELD_ELSEWHERE
    if is_address(address) and not address.startswith(_WEB) and not (is_local and address.startswith("file://")):
        return "the provider fetches only http and https URLs"
    return VIDEO_PAGE if _FILM_HOSTS.match(address) else ""


# Text media types outside `text/`.
_TEXT_TYPES: Final = frozenset({"application/json", "application/xml", "application/yaml", "application/x-ndjson"})
_AS_DATA: Final = frozenset({"data", "format"})
_HEADINGS: Final = (("title", "Title"), ("name", "Source"), ("context", "Context"))
_TOLD: Final = frozenset({"type", "text", "content", "extra", "cache", *(name for name, _ in _HEADINGS)})


def as_text(part: Any, to: Target) -> Any:
    """Return a text file, given as data from abroad, as a document with `text`; any other one as it is."""
    return part if to.home else with_text(part)


def with_text(part: Any) -> Any:
    """Return a text file, given as data, as a document with `text`; any other one as it is.

    A file without any known media type counts as text if it can be decoded.
    """
    media_type = effective_type(part)
    if "data" not in part or not (media_type.startswith("text/") or media_type in {"", *_TEXT_TYPES}):
        return part
    try:
        text = decoded_text(base64.b64decode(with_data(part)["data"], validate=True), part.get("format", ""))
    except (binascii.Error, ValueError):
        return part
    if not text or "\0" in text:
        return part
    return {**{name: value for name, value in part.items() if name not in _AS_DATA}, "text": text}


def decoded_text(data: bytes, media_type: str) -> str:
    """Decode bytes with the charset of their media type, else with UTF-8.

    Raises:
        ValueError: the bytes cannot be decoded, or the charset is not one that is used on the web.
    """
    named = _CHARSET.search(media_type)
    if named is None:
        return data.decode()
    if _CHARSETS.fullmatch(named[1]) is None:
        raise ValueError
    try:
        return data.decode(named[1])
    except LookupError:
        raise ValueError from None


def told_parts(part: Any, path: str, log: LossLog) -> list[tuple[str, Any]]:
    """Return a document of text or parts as plain parts, each with its path, and report the change.

    Its title, name and context come first.
    """
    log.changed("part", path, "a text document is sent as text")
    lost_members(log, beyond(part, _TOLD), path, "part", "text has no such member")
    if "text" in part:
        return [(path, {"type": "text", "text": heading(part) + part["text"]})]
    parts = [(f"{path}/content/{at}", one) for at, one in enumerate(part["content"])]
    if not heading(part):
        return parts
    if parts and len(parts[0][1]) == 2 and parts[0][1]["type"] == "text":
        where, first = parts[0]
        return [(where, {"type": "text", "text": heading(part) + first["text"]}), *parts[1:]]
    return [(path, {"type": "text", "text": heading(part)}), *parts]


def texts_of_document(document: Any, path: str, to: Target) -> list[Any]:
    """Return a document of text or parts as plain text parts; report everything else of it."""
    if "extra" in document:
        report_foreign(document, to.dialect, path, to.log)
    if "cache" in document:
        to.log.lost("cache", f"{path}/cache", "cache marks are not allowed here")
    texts: list[Any] = []
    for where, one in told_parts(document, path, to.log):
        if one["type"] == "text" and len(one) == 2:
            texts.append(one)
        else:
            lost_members(to.log, one, where, "part", "a document can only hold plain text here")
    return texts


def heading(part: Mapping[str, Any]) -> str:
    """Return the lines with title, name and context that are put before a document's text."""
    lines = [f"{word}: {part[name]}" for name, word in _HEADINGS if part.get(name)]
    return "\n".join(lines) + "\n\n" if lines else ""


# Extensions of video URLs, which have no media type.
_FILM_ENDINGS: Final[Mapping[str, str]] = MappingProxyType({
    **{f".{word}": VIDEO[word] for word in ("mp4", "webm", "mov", "mkv", "mpeg")},
    ".mpg": VIDEO["mpeg"], ".avi": "video/x-msvideo",
})  # fmt: skip
MP4: Final = VIDEO["mp4"]
# The format of a video of unknown type.
ANY_FILM: Final = "video/*"


def is_video(part: Mapping[str, Any]) -> bool:
    """Tell whether a part is a video."""
    return part["type"] == "file" and str(part.get("format", "")).startswith("video/")


def video_type(url: str) -> str | None:
    """Return the media type for the extension of a video URL, or None."""
    path = url.partition("?")[0].partition("#")[0].lower()
    return next((media_type for ending, media_type in _FILM_ENDINGS.items() if path.endswith(ending)), None)
