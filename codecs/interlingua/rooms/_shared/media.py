"""Media: their types, data URLs, who can fetch what an address names, and documents as text where there are none."""

from __future__ import annotations

import base64
import binascii
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import beyond, lost_members
from interlingua.media_types import AUDIO, DOCUMENT, IMAGE, VIDEO
from interlingua.rooms._shared.first_bytes import detected_media_type, is_pdf

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from interlingua.rooms._shared.writing import Target

_DATA_URL: Final = re.compile(r"data:([A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+);base64,")
_ANY_DATA_URL: Final = re.compile(r"data:([^,;]*)((?:;[^,;]*)*),", re.IGNORECASE)
_IS_BASE64: Final = re.compile(r"; *base64 *\Z", re.IGNORECASE)  # as browsers read it
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]*")
# What stands in base64 data that was written for addresses, lines or people.
_UNUSUAL: Final = ("-", "_", "%", " ", "\n", "\r")
_URL_ALPHABET: Final = str.maketrans("-_", "+/")
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]{1,15}://")

_UTF_8: Final = re.compile(r"\s*;\s*charset\s*=\s*\"?(?:utf-?8|us-ascii)\"?\s*\Z", re.IGNORECASE)

_CHARSET: Final = re.compile(r";\s*charset\s*=\s*\"?([\w.:-]+)", re.ASCII | re.IGNORECASE)
# Python knows others by such names, too, which are no charsets: `idna`, `unicode_escape`, `utf-7`.
_CHARSETS: Final = re.compile(
    r"(us-)?ascii|utf-?(8|16|32)(-?[lb]e)?|iso-?8859-?\d{1,2}|latin-?\d|(windows-?|cp)\d{3,4}"
    r"|shift[-_]?jis|euc-?(jp|kr)|gb(2312|k|18030)|big5|koi8-?[ru]",
    re.IGNORECASE,
)

# Media types by another name, which providers refuse.
_USUAL_TYPES: Final[Mapping[str, str]] = MappingProxyType({
    "image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/x-png": "image/png", "image/x-webp": "image/webp",
    "audio/x-wav": "audio/wav", "audio/wave": "audio/wav", "audio/vnd.wave": "audio/wav", "audio/x-mp3": "audio/mpeg",
    "audio/x-mpeg": "audio/mpeg", "audio/x-flac": "audio/flac", "audio/x-aac": "audio/aac",
    "audio/x-aiff": "audio/aiff", "application/x-pdf": "application/pdf", "application/csv": "text/csv",
    "text/x-csv": "text/csv", "text/x-markdown": "text/markdown",
})  # fmt: skip

# What a result says that holds nothing but pictures and files, and what stands before these in the user's message.
ATTACHED: Final = "The result is attached to the next message of the user."
ATTACHMENT: Final = "Attached to the result of the call {}:"
# What a `changed` loss says of such a result.
MEDIA_BESIDE: Final = "images and files of a tool result are sent in a user message"

# What a `changed` loss says of a media type by its usual name.
OTHER_TYPE: Final = "the media type has another name there"
# What is said of one that the first bytes of a picture or a PDF tell.
SEEN_TYPE: Final = "the media type was detected from the first bytes"
OTHER_BYTES: Final = "the first bytes are those of another media type"
# What is said of one that the ending of a file's name tells, where nothing else does.
NAMED_TYPE: Final = "the media type was detected from the file name"
TEXT_TYPE: Final = "nothing tells the media type of the data, which is text"
# What a `changed` loss says of a part that `with_data` made.
REENCODED_DATA: Final = "the data was converted to standard base64"

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
    if _IS_BASE64.search(match.group(2)) is None:
        from urllib.parse import unquote_to_bytes  # noqa: PLC0415  # nearly all data is base64

        return media_type, base64.b64encode(unquote_to_bytes(said)).decode()
    data = _as_base64(said)
    return None if data is None else (media_type, data)


def _as_base64(said: str) -> str | None:
    """Return base64 data as everybody reads it: no line ends, padded, in the usual alphabet; None for what is none."""
    from urllib.parse import unquote  # noqa: PLC0415  # nearly all data is base64 as everybody reads it

    data = "".join(unquote(said).split()).translate(_URL_ALPHABET).rstrip("=")
    if _BASE64.fullmatch(data) is None or len(data) % 4 == 1:
        return None
    return data + "=" * (-len(data) % 4)


def with_data(part: Any) -> Any:
    """Return a part with the data of its data URL, or with its data as everybody reads it; or the part as it is.

    A data URL may stand where the data should.
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


def with_usual_data(part: Any, path: str, to: Target) -> Any:
    """Return a part with its data as everybody reads it, abroad, and note the change; or the part as it is."""
    if to.home or "data" not in part:
        return part
    read = with_data(part)
    if read is not part:
        to.log.changed("part", path, REENCODED_DATA)
    return read


def with_usual_type(part: Any, path: str, to: Target) -> Any:
    """Return a part with the usual name of its media type, abroad, and note the change; or the part as it is.

    What the first bytes of a picture or a PDF tell goes before: some providers go by them, others refuse what says
    otherwise.
    """
    if to.home:
        return part
    if "format" not in part:
        told, why = _unsaid_type(part, to) if "data" in part else ("", "")
        if not told:
            return part
        to.log.filled(f"{path}/format", why)
        return {**part, "format": told}
    seen = seen_type(part)
    usual = usual_type(part["format"])
    if seen is not None and seen != usual:
        to.log.changed("member", f"{path}/format", OTHER_BYTES)
        return {**part, "format": seen}
    if usual == part["format"]:
        return part
    to.log.changed("member", f"{path}/format", OTHER_TYPE)
    return {**part, "format": usual}


def _unsaid_type(part: Any, to: Target) -> tuple[str, str]:
    """Return the media type of data that says none, and what tells it; empty where nothing does."""
    seen, named = seen_type(part), told_type(part)
    if part["type"] != "file" and not named.startswith(part["type"]):
        named = ""
    if seen or named:
        return seen or named, SEEN_TYPE if seen else NAMED_TYPE
    return (DOCUMENT["txt"], TEXT_TYPE) if part["type"] == "file" and "text" in as_text(part, to) else ("", "")


def seen_type(part: Mapping[str, Any]) -> str | None:
    """Return the media type of a picture, or of a PDF, as the first bytes of its data tell it, or None."""
    if "data" not in part:
        return None
    if part["type"] == "file":
        return DOCUMENT["pdf"] if is_pdf(part["data"]) else None
    told = detected_media_type(part["data"]) if part["type"] == "image" else None
    return told if told is not None and told.startswith("image/") else None


def shown_type(part: Mapping[str, Any]) -> str:
    """Return the media type that the first bytes of a part tell, or else the usual name of its own; empty for none."""
    return seen_type(part) or usual_type(told_type(part) if "data" in part else part.get("format", ""))


def usual_type(media_type: str) -> str:
    """Return the usual name of a media type, or the name as it is.

    That a text is UTF-8 goes without saying: providers refuse a type with what HTTP says of it.
    """
    plain = _UTF_8.sub("", media_type)
    return _USUAL_TYPES.get(plain.lower(), plain)


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


# The pictures that OpenAI reads, as it says where it refuses others. Source: docs/wire/openai_chat.md, section 7.
OPENAI_PICTURES: Final = frozenset(IMAGE[word] for word in ("png", "jpeg", "gif", "webp"))
NOT_READ: Final = "the target does not accept this media type"


def is_unread(part: Mapping[str, Any], taken: Collection[str], to: Target) -> bool:
    """Tell whether a picture, given as data from abroad, is of a media type that the target does not take."""
    return not (to.home or to.answer) and "data" in part and shown_type(part) not in {"", *taken}


# The ending of a name or an address -> media type.
ENDINGS: Final[Mapping[str, str]] = MappingProxyType({
    **{word: IMAGE[word] for word in ("png", "jpg", "jpeg", "gif", "webp", "heic")},
    **{word: AUDIO[word] for word in ("wav", "mp3", "ogg", "flac", "m4a")},
    **{word: VIDEO[word] for word in ("mp4", "mov", "webm")},
    **{word: DOCUMENT[word] for word in DOCUMENT.keys() - {"rtf", "xml"}},
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
HELD_ELSEWHERE: Final = "a file that another provider stores is not available here"


# What is said of a picture without a byte.
EMPTY_PICTURE: Final = "an image without data is refused: leave it out"


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


_HELD: Final = frozenset({"data", "url"})
_UNTOLD: Final = frozenset({"", "application/octet-stream"})
_OF_PICTURES: Final = frozenset({"type", "format", "name", "url", "data", "cache", "extra"})
_NO_PICTURES: Final = frozenset({*AUDIO.values(), *VIDEO.values(), *DOCUMENT.values()})


def as_named(part: Any, path: str, to: Target) -> Any:
    """Return what came as a picture and is named a document, a sound or a film as that, abroad; else the part as it is.

    Clients of gateways send documents so, and no provider takes one for a picture. An address tells no more than that
    it leads to a PDF: what ends otherwise may be a picture all the same. Pictures and sounds come as files, too.
    """
    if not to.home and part["type"] == "file":
        return _as_shown(part, path, to)
    if to.home or part["type"] != "image" or seen_type(part) is not None:
        return part
    media_type = usual_type(part["format"]) if "format" in part else told_type(part)
    if media_type not in _NO_PICTURES or not ("format" in part or media_type == DOCUMENT["pdf"]):
        return part
    to.log.changed("member", f"{path}/type", "the media type is not that of an image: the part is sent as what it is")
    if part.get("detail", "auto") != "auto":
        to.log.lost("part", f"{path}/detail", "only images have a detail")
    kind = "audio" if media_type.startswith("audio/") else "file"
    return {**{name: value for name, value in part.items() if name != "detail"}, "type": kind}


def _as_shown(part: Any, path: str, to: Target) -> Any:
    """Return a file that its bytes, its media type or its name tell to be a picture or a sound as that.

    A data URL in the place of its address is its data.
    """
    read = with_data(part) if "url" in part else part
    if read is not part:
        to.log.changed("part", path, REENCODED_DATA)
        part = read
    if part.keys().isdisjoint(_HELD) or not part.keys() <= _OF_PICTURES:
        return part
    told = usual_type(told_type(part))
    if told in _UNTOLD and "data" in part and "text" not in as_text(part, to):
        told = detected_media_type(part["data"]) or told
    kind = told.partition("/")[0]
    if kind not in {"image", "audio"}:
        return part
    to.log.changed("member", f"{path}/type", "the file is an image or audio, and is sent as such")
    return {**part, "type": kind}


def out_of_reach(part: Mapping[str, Any], *, is_local: bool = False) -> str:
    """Return why no other provider can fetch what an address names; empty where it can.

    `is_local`: the server may read files of its own machine.
    """
    address: str = part.get("url", "")
    if address.startswith(_HELD_BY_GEMINI):
        return HELD_ELSEWHERE
    if is_address(address) and not address.startswith(_WEB) and not (is_local and address.startswith("file://")):
        return "the provider fetches only http and https URLs"
    return ""


# Media types of text that do not begin with `text/`.
_TEXT_TYPES: Final = frozenset({"application/json", "application/xml", "application/yaml", "application/x-ndjson"})
_AS_DATA: Final = frozenset({"data", "format"})
_HEADINGS: Final = (("title", "Title"), ("name", "Source"), ("context", "Context"))
_TOLD: Final = frozenset({"type", "text", "content", "extra", "cache", *(name for name, _ in _HEADINGS)})


def as_text(part: Any, to: Target) -> Any:
    """Return a file of text, given as data from abroad, as a document of text; any other one as it is.

    One of which nothing tells the media type is text where it can be read as that.
    """
    media_type = shown_type(part)
    if to.home or "data" not in part or not (media_type.startswith("text/") or media_type in {"", *_TEXT_TYPES}):
        return part
    try:
        text = decoded_text(base64.b64decode(with_data(part)["data"], validate=True), part.get("format", ""))
    except (binascii.Error, ValueError):
        return part
    if not text or "\0" in text:
        return part
    return {**{name: value for name, value in part.items() if name not in _AS_DATA}, "text": text}


def decoded_text(data: bytes, media_type: str) -> str:
    """Return the text that bytes are, in the charset that their media type names, else in UTF-8.

    Raises:
        ValueError: they are none; or the charset is none of those that texts of the web are in.
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


def told_parts(part: Any, path: str, to: Target) -> list[tuple[str, Any]]:
    """Return a document of text, or of parts, as the parts that say it, each with its path; it was changed.

    What it is called, where it comes from and what is told about it stand in front.
    """
    to.log.changed("part", path, "a text document is sent as text")
    lost_members(to.log, beyond(part, _TOLD), path, "part", "text has no such member")
    if "text" in part:
        return [(path, {"type": "text", "text": heading(part) + part["text"]})]
    parts = [(f"{path}/content/{at}", one) for at, one in enumerate(part["content"])]
    if not heading(part):
        return parts
    if parts and len(parts[0][1]) == 2 and parts[0][1]["type"] == "text":
        where, first = parts[0]
        return [(where, {"type": "text", "text": heading(part) + first["text"]}), *parts[1:]]
    return [(path, {"type": "text", "text": heading(part)}), *parts]


def heading(part: Mapping[str, Any]) -> str:
    """Return what stands in front of the text of a document: a line for each that is known of it."""
    lines = [f"{word}: {part[name]}" for name, word in _HEADINGS if part.get(name)]
    return "\n".join(lines) + "\n\n" if lines else ""


# Endings of the addresses of videos, which say no media type.
_FILM_ENDINGS: Final[Mapping[str, str]] = MappingProxyType({
    **{f".{word}": VIDEO[word] for word in ("mp4", "webm", "mov", "mkv", "mpeg")},
    ".mpg": VIDEO["mpeg"], ".avi": "video/x-msvideo",
})  # fmt: skip
MP4: Final = VIDEO["mp4"]
# The format of a film of which nobody has said in which form it is.
ANY_FILM: Final = "video/*"


def is_video(part: Mapping[str, Any]) -> bool:
    """Tell whether a part is a film."""
    return part["type"] == "file" and str(part.get("format", "")).startswith("video/")


def video_type(url: str) -> str | None:
    """Return the media type that the address of a video tells by its ending, or None."""
    path = url.partition("?")[0].partition("#")[0].lower()
    return next((media_type for ending, media_type in _FILM_ENDINGS.items() if path.endswith(ending)), None)
