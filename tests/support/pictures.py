"""Pictures for tests, drawn with Pillow's own font, and messages that contain them."""

from __future__ import annotations

import base64
import io
import random
import struct
import zlib
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFont

from interlingua.model import Base64ImageSource, ImageData, ImageMessage

WORDS: Final = "The quick brown fox jumps over the lazy dog."
MOMENT: Final = "2026-05-04T22:45:15Z"


def drawn(
    text: str = WORDS, *, size: int = 28, ink: Any = 0, ground: Any = 255, mode: str = "L", noise: float = 0.0
) -> Image.Image:
    """Return a picture of a text."""
    font = ImageFont.load_default(size)
    ruler = ImageDraw.Draw(Image.new("L", (1, 1)))
    left, top, right, bottom = ruler.multiline_textbbox((0, 0), text, font=font, spacing=size)
    extent = (int(right - left) + 2 * size, int(bottom - top) + 2 * size)
    image = Image.new(mode, extent, ground)
    ImageDraw.Draw(image).multiline_text((size, size), text, font=font, fill=ink, spacing=size)
    chance = random.Random(1)
    for _ in range(int(extent[0] * extent[1] * noise)):
        image.putpixel((chance.randrange(extent[0]), chance.randrange(extent[1])), chance.randrange(256))
    return image


def saved(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    """Return the bytes of a picture in a format."""
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def message(data: bytes | str, mode: Any = "auto", *, declared: str | None = None, **members: Any) -> ImageMessage:
    """Return a message with an inline picture."""
    text = data if isinstance(data, str) else base64.b64encode(data).decode()
    source = Base64ImageSource(data=text, format=declared)
    return ImageMessage(id="m1", data=ImageData(source=source, mode=mode, **members))


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_bomb(width: int, height: int, rows: int) -> bytes:
    """Return a small PNG of one colour that declares a huge size; it has only `rows` rows of data."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    packer = zlib.compressobj(9)
    row = b"\0" * (width + 1)
    pixels = b"".join(packer.compress(row) for _ in range(rows)) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
