"""The types of images and of reading results, and the protocols of readers, fetchers and file access."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable

__all__ = ["FileBytes", "OcrEngine", "OcrResult", "Picture", "UrlFetcher", "VisionModel", "VisionResult"]


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """An inspected image: its bytes, or, if it was not fetched, its URL.

    Exactly one of `data` and `url` is present. `media_type` is that of the bytes, not the declared one. `width` and
    `height` are in pixels, absent if only a decoder could tell. `caption` is the sender's, `detail` the requested image
    detail.

    Example:
        >>> il.resolve.Picture(url="https://example.com/sign.png").data is None
        True
    """

    data: bytes | None = None
    url: str | None = None
    media_type: str | None = None
    width: int | None = None
    height: int | None = None
    caption: str | None = None
    detail: str | None = None

    def base64(self) -> str:
        """Return the bytes as base64 text; an image with only a URL has none."""
        return base64.b64encode(self.data or b"").decode("ascii")

    def __repr__(self) -> str:
        """Show the type and size of the image, no content."""
        where = "url" if self.data is None else f"{len(self.data)} bytes"
        return f"Picture({self.media_type}, {where}, {self.width} x {self.height})"


@dataclass(frozen=True, slots=True, repr=False)
class VisionResult:
    """A vision model's result: the `description` of the image, and the `text` in it, or None if it did not say.

    Example:
        >>> il.resolve.VisionResult("A red sign.", text="STOP").text
        'STOP'
    """

    description: str
    text: str | None = None

    def __repr__(self) -> str:
        """Show lengths, no content."""
        return f"VisionResult(description={len(self.description)} characters, text={len(self.text or '')} characters)"


@dataclass(frozen=True, slots=True, repr=False)
class OcrResult:
    """An OCR result: the `text`, the `confidence` from 0 to 1, and the `language` (ISO 639) if known.

    An image without text has the text "" and no confidence.

    Example:
        >>> il.resolve.OcrResult("STOP", confidence=0.9, language="en")
        OcrResult(text=4 characters, confidence=0.9, language=en)
    """

    text: str
    confidence: float | None = None
    language: str | None = None

    def __repr__(self) -> str:
        """Show the length and the measures, no content."""
        return f"OcrResult(text={len(self.text)} characters, confidence={self.confidence}, language={self.language})"


class VisionModel(Protocol):
    """A vision model. Any client can be one: it needs only this method, which may be `async`.

    Example:
        >>> class Eye:
        ...     def describe(self, picture):
        ...         return il.resolve.VisionResult("A red sign.", text="STOP")
        >>> images = il.ImageResolver(Eye())
        >>> images.resolve(il.messages.image("https://example.com/sign.png")).data.recognition.vision_analysis
        'A red sign.'
    """

    def describe(self, picture: Picture, /) -> VisionResult | Awaitable[VisionResult]:
        """Return a description of an image.

        Raises:
            ImageError: it failed, with a code that says why. Any other exception counts as `vision_failed`.
        """
        ...


class OcrEngine(Protocol):
    """An OCR engine; the method may be `async`.

    Example:
        >>> import base64
        >>> class Reader:
        ...     def read(self, picture):
        ...         return il.resolve.OcrResult("STOP", confidence=0.9)
        >>> data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        >>> sign = il.messages.image(il.Base64ImageSource(data=data), mode="ocr")
        >>> il.ImageResolver(ocr=Reader()).resolve(sign).data.recognition.recognized_text
        'STOP'
    """

    def read(self, picture: Picture, /) -> OcrResult | Awaitable[OcrResult]:
        """Return the text in an image, which always has `data`.

        Raises:
            ImageError: it failed, with a code that says why. Any other exception counts as `ocr_failed`.
        """
        ...


class UrlFetcher(Protocol):
    """A fetcher of images from URLs; the method may be `async`.

    Example:
        >>> class Cache:
        ...     def fetch(self, url, *, max_bytes):
        ...         raise il.ImageError("not_found", "The cache has no such picture.")
        >>> images = il.ImageResolver(fetcher=Cache(), on_notice=lambda notice: None)
        >>> images.resolve(il.messages.image("https://example.com/sign.png")).data.status
        'failed'
    """

    def fetch(self, url: str, /, *, max_bytes: int) -> bytes | Awaitable[bytes]:
        """Return the content of a URL, at most `max_bytes`.

        Raises:
            ImageError: it is not allowed, failed, or is larger. Any other exception counts as `fetch_failed`.
        """
        ...


class FileBytes(Protocol):
    r"""A reader of files for an agent that enforces paths and permissions, such as `FileResolver`.

    Example:
        >>> from pathlib import Path
        >>> written = Path("sign.png").write_bytes(b"\x89PNG")
        >>> il.FileResolver(".").read_bytes("sign.png", agent_role="planner")
        b'\x89PNG'
    """

    def read_bytes(self, path: str, /, *, agent_role: str, max_bytes: int) -> bytes:
        """Return the bytes of a file, at most `max_bytes`.

        Raises:
            FileAccessError: the file cannot or must not be read.
        """
        ...
