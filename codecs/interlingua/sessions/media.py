"""Extracts long base64 texts from documents, and puts them back.

An image of a megabyte that occurs a hundred times in a conversation is stored once. Every long base64 text is
extracted, wherever it is: data of parts, image sources, data URLs, blobs of MCP resources, provider blocks. The
document keeps the member, empty or with the prefix of its data URL. The places are stored beside the document, so that
nothing in a document can be mistaken for a reference.
"""

from __future__ import annotations

import binascii
import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from interlingua.json_types import is_list, is_object, is_text

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "MIN_LENGTH",
    "DamagedRowError",
    "Medium",
    "digest_of",
    "extract_media",
    "may_hold_media",
    "media_text",
    "restore_media",
]

Encoding: TypeAlias = Literal["base64", "text"]

MIN_LENGTH: Final = 1024
"""Shorter texts are not moved to blobs."""

# Only the prefix of a data URL, which is much shorter than half of it, may hold a quotation mark.
_LONG_TEXT: Final = re.compile(rb'"[^"]{%d}' % (MIN_LENGTH // 2))
_DATA_URL_PREFIX: Final = re.compile(r"data:[^,\s]{0,256},")
_BASE64_CHARACTERS: Final = re.compile(r"[A-Za-z0-9+/_=\r\n-]*")
_DAMAGED_MEDIA: Final = "its media are damaged"


class DamagedRowError(ValueError):
    """A stored row is damaged; the message says how, without content."""


@dataclass(frozen=True, slots=True)
class Medium:
    """A text extracted from a document: its place, as JSON, its bytes, and how the document writes them."""

    place: str
    encoding: Encoding
    data: bytes
    digest: bytes


def digest_of(data: bytes) -> bytes:
    """Return the digest that identifies the bytes."""
    return hashlib.sha256(data).digest()


def may_hold_media(text: bytes) -> bool:
    """Tell, without parsing it, whether the JSON text of a document may hold a long base64 text."""
    return len(text) >= MIN_LENGTH and _LONG_TEXT.search(text) is not None


def extract_media(document: Any) -> tuple[Any, tuple[Medium, ...]]:
    """Return a document without its long base64 texts, and these texts. The input is not modified."""
    media: list[Medium] = []
    return _extract_from(document, [], media), tuple(media)


def restore_media(document: Any, texts: Iterable[tuple[str, str]]) -> None:
    """Put texts back into a document, each at its place; modifies the document.

    Raises:
        DamagedRowError: a place does not exist.
    """
    for place, text in texts:
        try:
            _append_text(document, place, text)
        except (LookupError, TypeError, ValueError, RecursionError):
            raise DamagedRowError(_DAMAGED_MEDIA) from None


def _append_text(document: Any, place: str, text: str) -> None:
    """Append a text to the text at a place of the document.

    Raises:
        LookupError: the place does not exist.
        TypeError: the value there is not a text.
        ValueError: the place is not JSON.
    """
    *path, last = json.loads(place)
    target = document
    for step in path:
        target = target[step]
    if not is_text(target[last]):
        raise TypeError
    target[last] += text


def media_text(encoding: Any, data: Any, digest: Any) -> str:
    """Return the text of stored bytes.

    Raises:
        DamagedRowError: the bytes are not those that were stored.
    """
    if not isinstance(data, bytes) or digest_of(data) != digest:
        raise DamagedRowError(_DAMAGED_MEDIA)
    if encoding == "text" and not data.isascii():
        raise DamagedRowError(_DAMAGED_MEDIA)
    return binascii.b2a_base64(data, newline=False).decode("ascii") if encoding == "base64" else data.decode("ascii")


def _extract_from(value: Any, path: list[str | int], media: list[Medium]) -> Any:
    """Return a value without its long base64 texts, which are added to `media`."""
    if is_text(value):
        return value if len(value) < MIN_LENGTH else _extract_payload(value, path, media)
    if is_object(value):
        return {name: _extract_from(member, [*path, name], media) for name, member in value.items()}
    if is_list(value):
        return [_extract_from(item, [*path, index], media) for index, item in enumerate(value)]
    return value


def _extract_payload(text: str, path: list[str | int], media: list[Medium]) -> str:
    """Return what remains of a text: all of it, or only the data URL prefix if the rest is base64."""
    found = _DATA_URL_PREFIX.match(text)
    prefix = found.group() if found else ""
    payload = text[len(prefix) :]
    encoded = _stored_form(payload)
    if encoded is None:
        return text
    encoding, data = encoded
    media.append(Medium(json.dumps(path), encoding, data, digest_of(data)))
    return prefix


def _stored_form(payload: str) -> tuple[Encoding, bytes] | None:
    """Return the bytes of a base64 text, or the text itself if they do not encode back to it; else None."""
    if not payload.isascii():
        return None
    ascii_bytes = payload.encode("ascii")
    try:
        data = binascii.a2b_base64(ascii_bytes, strict_mode=True)
    except binascii.Error:
        return ("text", ascii_bytes) if _BASE64_CHARACTERS.fullmatch(payload) else None
    # The bytes of a strictly decoded text can differ from it only in the last bits, which have no meaning.
    last = data[len(data) - (len(data) % 3 or 3) :]
    return ("base64", data) if ascii_bytes.endswith(binascii.b2a_base64(last, newline=False)) else ("text", ascii_bytes)
