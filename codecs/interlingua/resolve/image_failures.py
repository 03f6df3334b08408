"""The closed table of codes for failed images, with their messages and whether trying again may help."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, get_args

from interlingua.errors import ImageError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["IMAGE_FAILURES", "ImageFailureCode", "image_error", "status_is_retryable"]

ImageFailureCode = Literal[
    # The image itself.
    "invalid_base64",
    "empty",
    "not_a_picture",
    "unsupported_format",
    "mislabelled",
    "damaged",
    "too_large",
    "too_many_pixels",
    "too_wide",
    # Its source.
    "files_unavailable",
    "url_not_fetched",
    "url_refused",
    "fetch_failed",
    "fetch_timeout",
    # Its reader.
    "vision_unavailable",
    "vision_unsupported",
    "vision_failed",
    "vision_timeout",
    "vision_unreadable",
    "ocr_unavailable",
    "ocr_failed",
    "ocr_timeout",
    "recognition_failed",
]
"""The code of an `ImageError`.

Example:
    >>> from typing import get_args
    >>> set(get_args(il.resolve.ImageFailureCode)) == set(il.resolve.IMAGE_FAILURES)
    True
"""
_TEXTS: Final[Mapping[ImageFailureCode, str]] = MappingProxyType(
    {
        "invalid_base64": "The image data is not base64.",
        "empty": "The image has no data.",
        "not_a_picture": "The data is not an image.",
        "unsupported_format": "Images of this format are not supported.",
        "mislabelled": "The image is not of the declared media type.",
        "damaged": "The image is damaged or incomplete.",
        "too_large": "The image has too many bytes.",
        "too_many_pixels": "The image has too many pixels.",
        "too_wide": "A side of the image is too long.",
        "files_unavailable": "The file reader is missing or failed, so the image could not be read.",
        "url_not_fetched": "No URL fetcher is set, so images at URLs cannot be fetched.",
        "url_refused": "The image's URL is not allowed.",
        "fetch_failed": "The image could not be fetched.",
        "fetch_timeout": "Fetching the image took too long.",
        "vision_unavailable": "Vision is not available: there is no vision model.",
        "vision_unsupported": "This image cannot be sent to the model.",
        "vision_failed": "The model could not process the image.",
        "vision_timeout": "The model took too long to process the image.",
        "vision_unreadable": "The model's answer about the image could not be read.",
        "ocr_unavailable": "Text recognition is not available: install interlingua[ocr].",
        "ocr_failed": "Text recognition failed.",
        "ocr_timeout": "Text recognition took too long.",
        "recognition_failed": "Neither a model nor text recognition could read the image.",
    }
)
_RETRYABLE: Final[frozenset[ImageFailureCode]] = frozenset(
    {"fetch_failed", "fetch_timeout", "vision_failed", "vision_timeout", "vision_unreadable", "ocr_failed"}
)

IMAGE_FAILURES: Final[Mapping[str, str]] = MappingProxyType({code: _TEXTS[code] for code in get_args(ImageFailureCode)})
"""Every code of a failure, and what it says to people. A picture in a file can also fail with a code of files.

Example:
    >>> il.resolve.IMAGE_FAILURES["url_not_fetched"]
    'No URL fetcher is set, so images at URLs cannot be fetched.'
"""


def image_error(code: ImageFailureCode, detail: str = "", *, retryable: bool | None = None) -> ImageError:
    """Return the error for a code; `detail` adds facts to its message, never content."""
    text = f"{_TEXTS[code]} {detail}" if detail else _TEXTS[code]
    return ImageError(code, text, retryable=code in _RETRYABLE if retryable is None else retryable)


def status_is_retryable(status: int) -> bool:
    """Tell whether a request that failed with this status may succeed later (RFC 9110, RFC 6585)."""
    return status in {408, 409, 425, 429} or status >= 500
