"""Identifies image formats and sizes from headers and structure, without decoding.

The first bytes determine the format, and the data is read as that format only. Sizes come from the headers, so that a
decompression bomb is detected before a decoder allocates memory (libwebp does so on opening). Sources: PNG (W3C, 3rd
edition) 5, JPEG (ITU T.81) B, GIF89a, WebP container (RFC 9649), BMP, TIFF 6.0.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.resolve.image_failures import image_error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["ImageInfo", "inspect_image", "same_media_type"]

_PNG_END: Final = b"\x00\x00\x00\x00IEND\xaeB`\x82"
# An image has some dozens of segments; a malicious one may have millions of four bytes each.
_MAX_SEGMENTS: Final = 10_000
# How much of the data is read to identify an unsupported format.
_HEAD: Final = 4096
_FILL: Final = re.compile(rb"\xff+")
_UNKNOWN_TYPE: Final = "application/octet-stream"
# Common names of media types that are registered under another name.
_ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "image/jpg": "image/jpeg",
        "image/pjpeg": "image/jpeg",
        "image/x-png": "image/png",
        "image/apng": "image/png",
        "image/x-ms-bmp": "image/bmp",
        "image/x-bmp": "image/bmp",
        "image/tif": "image/tiff",
    }
)
# Other formats that people send as images, by their first bytes, so that the error can name them.
_OTHERS: Final[tuple[tuple[re.Pattern[bytes], str], ...]] = (
    (re.compile(rb"%PDF-"), "PDF"),
    (re.compile(rb"....ftyp(?:heic|heix|hevc|heim|heis|mif1|msf1)", re.DOTALL), "HEIC"),
    (re.compile(rb"....ftypavi[fs]", re.DOTALL), "AVIF"),
    (re.compile(rb"\xff\x0a|\x00\x00\x00\x0cJXL "), "JPEG XL"),
    (re.compile(rb"\x00\x00\x00\x0cjP  |\xff\x4f\xff\x51"), "JPEG 2000"),
    (re.compile(rb"\x00\x00[\x01\x02]\x00"), "icon"),
    (re.compile(rb"8BPS"), "Photoshop"),
    (re.compile(rb"%!PS|\xc5\xd0\xd3\xc6"), "PostScript"),
    (
        re.compile(
            # What may precede the root element, without backtracking.
            rb"(?:\xef\xbb\xbf)?+(?>\s++|<\?.*?\?>|<!--.*?-->)*+<(?:!DOCTYPE\s++)?svg[\s/>]",
            re.IGNORECASE | re.DOTALL,
        ),
        "SVG",
    ),
)


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """The result of an inspection: media type, size in pixels if known, and whether the data is complete."""

    media_type: str
    width: int | None
    height: int | None
    is_whole: bool


def inspect_image(data: bytes) -> ImageInfo:
    """Return the format and size of an image.

    Raises:
        ImageError: it is `empty`, `not_a_picture`, of an `unsupported_format`, or `damaged`: its header is incomplete.
    """
    if not data:
        raise image_error("empty")
    reader = next((read for head, read in _READERS if head.match(data)), None)
    if reader is not None:
        try:
            return reader(data)
        except (struct.error, IndexError):
            raise image_error("damaged", "Its header is cut off.") from None
    other = next((name for head, name in _OTHERS if head.match(data[:_HEAD])), None)
    if other is not None:
        raise image_error("unsupported_format", f"It is {other}.")
    raise image_error("not_a_picture")


def same_media_type(declared: str, seen: str) -> bool:
    """Tell whether a declared media type matches the detected one; a generic type matches everything."""
    bare_type = declared.partition(";")[0].strip().lower()
    return bare_type in {"", "image/*", _UNKNOWN_TYPE} or _ALIASES.get(bare_type, bare_type) == seen


def _inspect_png(data: bytes) -> ImageInfo:
    kind, width, height = struct.unpack_from(">4sII", data, 12)
    if kind != b"IHDR":
        raise image_error("damaged", "Its header is not where it must be.")
    return ImageInfo("image/png", width, height, _PNG_END in data)


def _inspect_gif(data: bytes) -> ImageInfo:
    """Walk the blocks to the trailer."""
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    position = 13 + _colours(flags)
    # Encoders fill their blocks of 255 bytes. Millions of tiny ones are an attack.
    for _ in range(_MAX_SEGMENTS + len(data) // 32):
        kind = data[position : position + 1]
        if kind not in {b",", b"!"}:
            return ImageInfo("image/gif", width, height, kind == b";")
        position += 11 + _colours(data[position + 9]) if kind == b"," else 2
        position = _after_blocks(data, position)
    raise image_error("damaged", "It has too many blocks.")


def _after_blocks(data: bytes, position: int) -> int:
    """Return the position after a sequence of GIF sub-blocks, which ends with an empty one.

    Raises:
        ImageError: `damaged`; there are too many for full blocks.
    """
    for _ in range(_MAX_SEGMENTS + len(data) // 32):
        length = data[position] if position < len(data) else 0
        position += length + 1
        if not length:
            return position
    raise image_error("damaged", "It has too many blocks.")


def _colours(flags: int) -> int:
    """Return the length of the colour table that the flags of a GIF announce."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _inspect_jpeg(data: bytes) -> ImageInfo:
    """Walk the segments to the start of the image data, past embedded thumbnails."""
    position, size = 2, None
    for _ in range(_MAX_SEGMENTS):
        fill = _FILL.match(data, position)
        if fill is None:
            break
        position = fill.end() - 1
        marker, length = data[position + 1], struct.unpack_from(">H", data, position + 2)[0]
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            size = struct.unpack_from(">HH", data, position + 5)
        elif marker == 0xDA:
            if size is None:
                break
            return ImageInfo("image/jpeg", size[1], size[0], data.find(b"\xff\xd9", position) > 0)
        position += 2 + max(length, 2)
    raise image_error("damaged", "Its segments are out of order.")


def _inspect_webp(data: bytes) -> ImageInfo:
    length, kind = struct.unpack_from("<I4x4s", data, 4)
    is_whole = length + 8 <= len(data)
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
    elif kind == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    return ImageInfo("image/webp", width, height, is_whole)


def _inspect_bmp(data: bytes) -> ImageInfo:
    header = struct.unpack_from("<I", data, 14)[0]
    width, height = struct.unpack_from("<HH" if header == 12 else "<ii", data, 18)
    return ImageInfo("image/bmp", abs(width), abs(height), is_whole=True)


def _inspect_tiff(_data: bytes) -> ImageInfo:
    """Leave the size to the decoder: it may be anywhere in the file, and opening the file decodes no pixels."""
    return ImageInfo("image/tiff", None, None, is_whole=True)


_READERS: Final[tuple[tuple[re.Pattern[bytes], Callable[[bytes], ImageInfo]], ...]] = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), _inspect_png),
    (re.compile(rb"\xff\xd8\xff"), _inspect_jpeg),
    (re.compile(rb"GIF8[79]a"), _inspect_gif),
    (re.compile(rb"RIFF....WEBPVP8[ LX]", re.DOTALL), _inspect_webp),
    (re.compile(rb"BM.{12}[\x0c\x10\x28\x34\x38\x40\x6c\x7c]\x00\x00\x00", re.DOTALL), _inspect_bmp),
    (re.compile(rb"II\x2a\x00|MM\x00\x2a"), _inspect_tiff),
)
