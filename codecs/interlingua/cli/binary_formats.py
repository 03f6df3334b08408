"""Recognises files that are not UTF-8 text by their first bytes, and says what to do about them."""

from __future__ import annotations

from typing import Final

__all__ = ["LOOKED_AT", "not_text"]

LOOKED_AT: Final = 512
"""The number of bytes that are inspected."""

_CONVERT: Final = "convert it to UTF-8 first, as with: iconv -f {0} -t UTF-8 FILE"
# The byte order marks of UTF-32 begin like those of UTF-16, so they come first.
_BEGINNINGS: Final[tuple[tuple[bytes, str, str], ...]] = (
    (b"\xff\xfe\x00\x00", "UTF-32", _CONVERT.format("UTF-32")),
    (b"\x00\x00\xfe\xff", "UTF-32", _CONVERT.format("UTF-32")),
    (b"\xff\xfe", "UTF-16", _CONVERT.format("UTF-16")),
    (b"\xfe\xff", "UTF-16", _CONVERT.format("UTF-16")),
    (b"\x1f\x8b", "gzip", "decompress it first, as with: gunzip -c FILE | interlingua ... -"),
    (b"\x28\xb5\x2f\xfd", "Zstandard", "decompress it first, as with: zstd -dc FILE | interlingua ... -"),
    (b"BZh", "bzip2", "decompress it first, as with: bunzip2 -c FILE | interlingua ... -"),
    (b"\xfd7zXZ\x00", "xz", "decompress it first, as with: xz -dc FILE | interlingua ... -"),
    (b"PK\x03\x04", "a ZIP archive", "decompress it first"),
)
_BINARY: Final = "give the JSON text itself: this may be compressed, or another kind of file"


def not_text(head: bytes) -> str | None:
    """Return what a file with these first bytes is, and what to do about it; None if it may be UTF-8 text."""
    for beginning, name, advice in _BEGINNINGS:
        if head.startswith(beginning):
            return f"this is {name}, not UTF-8; {advice}"
    looked = head[:LOOKED_AT]
    if b"\x00" not in looked:
        return None
    # In UTF-16, text of mostly Latin letters has a NUL in every second byte.
    for name, zeros, letters in (("UTF-16LE", looked[1::2], looked[::2]), ("UTF-16BE", looked[::2], looked[1::2])):
        if 2 * zeros.count(0) > len(zeros) and not letters.count(0):
            return f"this is UTF-16, not UTF-8; {_CONVERT.format(name)}"
    return f"this is binary data, not text; {_BINARY}"
