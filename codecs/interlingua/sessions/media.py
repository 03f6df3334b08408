"""Long base64 texts, cut out of documents and put back.

A picture of a megabyte that stands a hundred times in a conversation is stored once. Cut out is every long text that is
base64, wherever it stands: data of parts, sources of images, data URLs, blobs of MCP resources, blocks of a provider.
The document keeps the member, empty or with the head of its data URL; where the cut was stands beside the document and
never in it, so that nothing in a document can be taken for a reference.
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

__all__ = ["SHORTEST", "DamagedRowError", "Medium", "cut", "digest_of", "restored", "text_of"]

Encoding: TypeAlias = Literal["base64", "text"]

SHORTEST: Final = 1024
"""Shorter texts stay where they are."""

_HEAD: Final = re.compile(r"data:[^,\s]{0,256},")
_ALPHABET: Final = re.compile(r"[A-Za-z0-9+/_=\r\n-]*")
_LOST: Final = "its media are damaged"


class DamagedRowError(ValueError):
    """A stored row is not what was written: the text says why, and shows no content."""


@dataclass(frozen=True, slots=True)
class Medium:
    """What was cut out of a document: the place, as JSON, the bytes and how they are spelt in the document."""

    place: str
    encoding: Encoding
    data: bytes
    digest: bytes


def digest_of(data: bytes) -> bytes:
    """Return what names some bytes."""
    return hashlib.sha256(data).digest()


def cut(document: Any) -> tuple[Any, tuple[Medium, ...]]:
    """Return a document without its long base64 texts, and those. The document given is not changed."""
    media: list[Medium] = []
    return _without(document, [], media), tuple(media)


def restored(document: Any, texts: Iterable[tuple[str, str]]) -> None:
    """Put texts back into a document, each at its place.

    Raises:
        DamagedRowError: a place is not there.
    """
    for place, text in texts:
        try:
            _put_back(document, place, text)
        except (LookupError, TypeError, ValueError, RecursionError):
            raise DamagedRowError(_LOST) from None


def _put_back(document: Any, place: str, text: str) -> None:
    """Put a text behind what stands at its place.

    Raises:
        LookupError: the place is not there.
        TypeError: no text is there.
        ValueError: the place is no JSON.
    """
    *path, last = json.loads(place)
    target = document
    for step in path:
        target = target[step]
    if not is_text(target[last]):
        raise TypeError
    target[last] += text


def text_of(encoding: Any, data: Any, digest: Any) -> str:
    """Return the text of stored bytes.

    Raises:
        DamagedRowError: the bytes are not those that were stored.
    """
    if not isinstance(data, bytes) or digest_of(data) != digest:
        raise DamagedRowError(_LOST)
    if encoding == "text" and not data.isascii():
        raise DamagedRowError(_LOST)
    return binascii.b2a_base64(data, newline=False).decode("ascii") if encoding == "base64" else data.decode("ascii")


def _without(value: Any, path: list[str | int], media: list[Medium]) -> Any:
    """Return a value without its long base64 texts, which are added to `media`."""
    if is_text(value):
        return value if len(value) < SHORTEST else _head(value, path, media)
    if is_object(value):
        return {name: _without(member, [*path, name], media) for name, member in value.items()}
    if is_list(value):
        return [_without(item, [*path, index], media) for index, item in enumerate(value)]
    return value


def _head(text: str, path: list[str | int], media: list[Medium]) -> str:
    """Return what stays of a text: all of it, or its head if the rest is base64."""
    found = _HEAD.match(text)
    head = found.group() if found else ""
    payload = text[len(head) :]
    encoded = _encoded(payload)
    if encoded is None:
        return text
    encoding, data = encoded
    media.append(Medium(json.dumps(path), encoding, data, digest_of(data)))
    return head


def _encoded(payload: str) -> tuple[Encoding, bytes] | None:
    """Return the bytes of a base64 text, itself where it is spelt in a way of its own; None if it is another text."""
    if not payload.isascii():
        return None
    written = payload.encode("ascii")
    try:
        data = binascii.a2b_base64(written, strict_mode=True)
    except binascii.Error:
        return ("text", written) if _ALPHABET.fullmatch(payload) else None
    # What can differ in a text that is read strictly is the last few bits, which mean nothing.
    last = data[len(data) - (len(data) % 3 or 3) :]
    return ("base64", data) if written.endswith(binascii.b2a_base64(last, newline=False)) else ("text", written)
