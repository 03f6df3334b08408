"""Images: what is taken for a picture, and what is refused before anything decodes it."""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from typing import Any, Final

import pytest
from PIL import Image

import interlingua as il
from interlingua.errors import ImageError
from interlingua.resolve import IMAGE_FAILURES, ImageLimits, ImageResolver, OcrResult, Picture
from interlingua.resolve.image_source import read_picture
from interlingua.resolve.picture_formats import inspect_image
from support.cost import seconds
from support.pictures import chunk, drawn, message, png_bomb, saved

LIMITS: Final = ImageLimits()
TYPES: Final = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "GIF": "image/gif",
    "WEBP": "image/webp",
    "BMP": "image/bmp",
    "TIFF": "image/tiff",
}
SVG: Final = b'<svg xmlns="http://www.w3.org/2000/svg"/>'


def refusal(data: bytes, limits: ImageLimits = LIMITS, declared: str | None = None) -> ImageError:
    with pytest.raises(ImageError) as caught:
        read_picture(data, limits, declared=declared)
    assert caught.value.code in IMAGE_FAILURES
    return caught.value


def failure(given: Any, **options: Any) -> str | None:
    """Return the code with which a resolver with a real engine fails."""
    found = ImageResolver(on_notice=lambda _notice: None, **options).resolve(given)
    return None if found.data.error is None else found.data.error.code


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("mode", ["L", "RGB"])
def test_each_format_is_recognised_by_its_bytes_with_its_size(kind: str, mode: str) -> None:
    image = drawn(mode=mode, ground=0)
    seen = inspect_image(saved(image, kind))
    assert seen.media_type == TYPES[kind]
    assert seen.is_whole
    if kind != "TIFF":
        assert (seen.width, seen.height) == image.size


@pytest.mark.parametrize(
    "options",
    [
        {"kind": "WEBP", "lossless": True},
        {"kind": "WEBP", "exif": b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0"},
        {"kind": "WEBP", "save_all": True, "append_images": [Image.new("L", (40, 30))]},
        {"kind": "JPEG", "progressive": True},
        {"kind": "GIF", "save_all": True, "append_images": [Image.new("L", (40, 30), 200)]},
    ],
)
def test_the_size_is_correct_in_every_variant_of_a_format(options: dict[str, Any]) -> None:
    image = Image.new("RGB", (40, 30), (1, 2, 3))
    seen = inspect_image(saved(image, **options))
    assert (seen.width, seen.height, seen.is_whole) == (40, 30, True)


def test_an_embedded_preview_does_not_affect_size_and_end_of_a_photo() -> None:
    preview = saved(Image.new("L", (16, 16)), "JPEG")
    note = b"Exif\0\0" + preview
    photo = saved(Image.effect_noise((200, 100), 50), "JPEG")
    whole = photo[:2] + b"\xff\xe1" + struct.pack(">H", len(note) + 2) + note + photo[2:]
    seen = inspect_image(whole)
    assert (seen.width, seen.height, seen.is_whole) == (200, 100, True)
    assert not inspect_image(whole[:-100]).is_whole


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\0", "not_a_picture"),
        (b"hello", "not_a_picture"),
        (b"<!DOCTYPE html><html><img src='data:image/png;base64,...'></html>", "not_a_picture"),
        (b'{"error": {"message": "not found"}}', "not_a_picture"),
        (b"PK\x03\x04" + saved(drawn()), "not_a_picture"),
        (SVG, "unsupported_format"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>' + SVG, "unsupported_format"),
        (b'<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE svg>' + SVG, "unsupported_format"),
        (b"  \n" + SVG.upper(), "unsupported_format"),
        (b"%PDF-1.7\n" + saved(drawn()), "unsupported_format"),
        (b"\0\0\0\x1cftypheic", "unsupported_format"),
        (b"\0\0\0\x1cftypavif", "unsupported_format"),
        (b"\0\0\x01\0\x01\0", "unsupported_format"),
        (b"8BPS\0\x01", "unsupported_format"),
        (b"%!PS-Adobe-3.0 EPSF-3.0", "unsupported_format"),
        (b"\x89PNG\r\n\x1a\n", "damaged"),
        (b"\x89PNG\r\n\x1a\n" + chunk(b"IDAT", b"x" * 20), "damaged"),
        (b"\xff\xd8\xff", "damaged"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "damaged"),
        (b"\xff\xd8" + b"\xff" * 1_000_000, "damaged"),
        (b"\xff\xd8" + b"\xff\xe0\0\x02" * 1_000_000, "damaged"),
        (b"\xff\xd8\xff\xda\0\x02", "damaged"),
        (b"GIF89a", "damaged"),
        (b"GIF89a\0\0\0\0\0\0\0\0;", "damaged"),
        (b"RIFF\x10\0\0\0WEBPVP8X", "damaged"),
        (b"RIFF\xff\xff\0\0WEBPVP8L" + b"\0" * 20, "damaged"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "damaged"),
        (b"BM" + b"\0" * 12 + b"\x28\0\0\0", "damaged"),
    ],
)
def test_an_unsupported_format_is_refused_by_its_header(data: bytes, code: str) -> None:
    assert refusal(data).code == code
    assert refusal(data).retryable is False


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_truncated_image_is_refused(kind: str, share: float) -> None:
    data = saved(Image.effect_noise((120, 90), 60), kind)
    assert failure(message(data[: int(len(data) * share)], "ocr")) == "damaged"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_truncated_image_is_refused_without_a_decoder(kind: str) -> None:
    data = saved(Image.effect_noise((120, 90), 60), kind)
    for share in (0.5, 0.8, 0.95):
        assert refusal(data[: int(len(data) * share)]).code == "damaged"


@pytest.mark.parametrize("declared", [None, "", "image/png", "IMAGE/PNG; a=b", "image/x-png", "image/*"])
def test_a_compatible_declared_type_is_accepted_and_the_real_one_stored(declared: str | None) -> None:
    assert read_picture(saved(drawn()), LIMITS, declared=declared).media_type == "image/png"


@pytest.mark.parametrize(
    "declared", ["image/jpeg", "image/gif", "image/svg+xml", "text/html", "application/pdf", "png"]
)
def test_a_contradictory_declared_type_is_refused_with_a_specific_code(declared: str) -> None:
    error = refusal(saved(drawn()), declared=declared)
    assert error.code == "mislabelled"
    assert "image/png" in error.message
    assert declared not in error.message or declared == "png"


def test_image_jpg_is_an_alias_of_image_jpeg() -> None:
    assert read_picture(saved(drawn(), "JPEG"), LIMITS, declared="image/jpg").media_type == "image/jpeg"


@pytest.mark.parametrize("text", ["no base64!", "A", "====", "AAAA\0AAA", "ÄÄÄÄ", "data:image/png;base64,A"])
def test_data_that_is_not_base64_is_reported_as_such(text: str) -> None:
    assert failure(message(text, "ocr")) == "invalid_base64"


def test_every_base64_variant_is_read() -> None:
    text = message(saved(drawn("STOP"))).data.source.data
    assert text is not None
    spellings = [text.rstrip("="), text.replace("+", "-").replace("/", "_")]
    spellings.append(f"data:image/png;base64,{text}")
    spellings.append("\n".join(text[at : at + 76] for at in range(0, len(text), 76)))
    for spelling in spellings:
        assert failure(message(spelling, "ocr")) is None


# --- bombs ------------------------------------------------------------------------------------------------------------


def test_a_decompression_bomb_is_recognised_by_its_header_and_never_decoded() -> None:
    bomb = png_bomb(20_000, 20_000, 200)
    assert len(bomb) < 20_000
    assert refusal(bomb).code == "too_many_pixels"
    assert failure(message(bomb, "ocr")) == "too_many_pixels"


@pytest.mark.parametrize(
    "bomb",
    [
        b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\x3f\0\xff\x3f\0" + b"\0" * 8,
        b"RIFF\x1a\0\0\0WEBPVP8L\x0a\0\0\0\x2f\xff\xff\xff\x0f" + b"\0" * 20,
        b"RIFF\x1a\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\xff\x3f\xff\x3f" + b"\0" * 20,
        b"GIF89a\xff\xff\xff\xff\0\0\0;",
        b"\xff\xd8\xff\xc0\0\x0b\x08\xff\xff\xff\xff\x01\x01\x11\0\xff\xda\0\x02\xff\xd9",
        b"BM" + b"\0" * 12 + b"\x28\0\0\0\xff\xff\0\0\x01\0\0\x80" + b"\0" * 30,
    ],
    ids=["webp", "webp lossless", "webp lossy", "gif", "jpeg", "bmp"],
)
def test_too_many_pixels_in_the_header_are_refused_in_every_format(bomb: bytes) -> None:
    assert refusal(bomb).code == "too_many_pixels"


def test_the_size_is_checked_before_decoding_where_only_the_decoder_knows_it() -> None:
    data = saved(Image.new("1", (2000, 1000)), "TIFF", compression="group4")
    assert failure(message(data, "ocr"), limits=ImageLimits(max_pixels=1_000_000)) == "too_many_pixels"


def test_limits_above_those_of_the_decoder_do_not_disable_them() -> None:
    bomb = png_bomb(20_000, 20_000, 1)
    assert failure(message(bomb, "ocr"), limits=ImageLimits(max_pixels=10**12)) == "too_many_pixels"


def test_bytes_are_limited_before_base64_decoding_and_sides_if_configured() -> None:
    limits = ImageLimits(max_bytes=1000)
    assert failure(message("A" * 10_000, "ocr"), limits=limits) == "too_large"
    assert failure(message(b"\0" * 1001, "ocr"), limits=limits) == "too_large"
    assert refusal(saved(drawn()), ImageLimits(max_side=100)).code == "too_wide"
    assert refusal(b"\0" * 4, ImageLimits(max_base64_bytes=4)).code == "too_large"
    assert refusal(b"\0" * 3, ImageLimits(max_base64_bytes=4)).code == "not_a_picture"


def test_compressed_text_chunks_are_not_decompressed() -> None:
    text = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"A" * 50_000_000, 9))
    data = saved(drawn("STOP"))
    assert failure(message(data[:33] + text + data[33:], "ocr")) in {"damaged", None}


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xd8" + b"\xff" * 20_000_000,
        b"\xff\xd8" + b"\xff\xe0\0\x02" * 5_000_000,
        b"GIF89a\1\0\1\0\0\0\0!\xff" + b"\1x" * 10_000_000,
        b"GIF89a\1\0\1\0\0\0\0" + b"!\xff\0" * 6_000_000,
        b" " * 20_000_000,
        b"<?xml " * 3_000_000,
        b"<?xml ?>" + b"<!---->" * 3_000_000,
        b"<!--" * 5_000_000,
    ],
    ids=["fill", "segments", "tiny blocks", "empty blocks", "spaces", "heads", "comments", "open comments"],
)
def test_data_crafted_to_be_slow_is_checked_quickly(data: bytes) -> None:
    def refuse() -> None:
        assert refusal(data).code in {"damaged", "not_a_picture", "too_large"}

    assert seconds(refuse) < 5


# --- two things at once -----------------------------------------------------------------------------------------------


def test_an_image_that_is_also_an_archive_is_only_an_image() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr("a.svg", SVG)
    data = saved(drawn("STOP")) + archive.getvalue()
    assert zipfile.is_zipfile(io.BytesIO(data))
    assert read_picture(data, LIMITS).media_type == "image/png"
    assert refusal(archive.getvalue() + saved(drawn())).code == "not_a_picture"


def test_the_decoder_is_chosen_by_the_header() -> None:
    # Pillow alone would try every format that it has; this one is told by its extension to be a script (EPS).
    for data in (b"GIF89a\x10\0\x10\0\0\0\0;%!PS-Adobe", saved(drawn(), "TIFF")[:8] + b"%!PS"):
        assert failure(message(data, "ocr")) == "damaged"


def test_damaged_images_of_every_kind_are_failures_without_an_exception() -> None:
    chance = random.Random(7)

    class Engine:
        def read(self, _picture: Picture) -> OcrResult:
            return OcrResult("x")

    light = ImageResolver(ocr=Engine(), on_notice=lambda _notice: None)
    real = ImageResolver(on_notice=lambda _notice: None)
    for kind in TYPES:
        whole = saved(drawn("STOP", size=12), kind)
        for turn in range(60):
            data = bytearray(whole)
            for _ in range(chance.randrange(1, 8)):
                data[chance.randrange(min(len(data), 300))] = chance.randrange(256)
            one = real if turn < 12 else light
            found = one.resolve(message(bytes(data), "ocr"))
            assert found.data.status in {"resolved", "failed"}
            assert found.data.error is None or found.data.error.code in IMAGE_FAILURES


def test_the_failure_of_a_hostile_image_contains_none_of_its_data() -> None:
    found = ImageResolver(on_notice=lambda _notice: None).resolve(message(b"%PDF-SECRET", "ocr", declared="SECRET/x"))
    assert found.data.error is not None
    assert "SECRET" not in found.data.error.model_dump_json()
    assert isinstance(found, il.ImageMessage)
