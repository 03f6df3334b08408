"""Size limits for images, for each one and for all those of a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from interlingua.argument_checks import check_count
from interlingua.resolve.image_failures import image_error

__all__ = ["MAX_BYTES", "MAX_PIXELS", "ImageLimits"]

MAX_BYTES: Final = 20 * 1024 * 1024
# An image of this many pixels takes about 160 MB while it is decoded. Most cameras stay below.
MAX_PIXELS: Final = 40_000_000


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """Size limits for images; None means no limit.

    `max_bytes` limits the bytes of an image, `max_base64_bytes` those of its base64 text, which some providers count.
    `max_pixels` and `max_side` are checked by the header, before decoding. `max_images` and `max_total_base64_bytes`
    apply to a whole request, and only in `check_pictures`.

    Example:
        >>> il.resolve.ImageLimits(max_side=8_000, max_images=20).max_bytes
        20971520
    """

    max_bytes: int = MAX_BYTES
    max_pixels: int = MAX_PIXELS
    max_side: int | None = None
    max_base64_bytes: int | None = None
    max_images: int | None = None
    max_total_base64_bytes: int | None = None

    @property
    def most_bytes(self) -> int:
        """The maximum number of bytes by both limits."""
        return self.max_bytes if self.max_base64_bytes is None else min(self.max_bytes, self.max_base64_bytes // 4 * 3)

    def check_bytes(self, size: int) -> None:
        """Refuse too many bytes.

        Raises:
            ImageError: `too_large`.
        """
        if check_count(size, "size") > self.most_bytes:
            raise image_error("too_large", f"It has {size} bytes; at most {self.most_bytes} are allowed.")

    def check_size(self, width: int, height: int) -> None:
        """Refuse too many pixels, sides that are too long, and pictures without any pixel.

        Raises:
            ImageError: `too_many_pixels`, `too_wide` or `damaged`.
        """
        width, height = check_count(width, "width"), check_count(height, "height")
        if width < 1 or height < 1:
            raise image_error("damaged", "It has no pixels.")
        if width * height > self.max_pixels:
            raise image_error(
                "too_many_pixels", f"It has {width} x {height} pixels; at most {self.max_pixels} in total are allowed."
            )
        if self.max_side is not None and max(width, height) > self.max_side:
            raise image_error(
                "too_wide", f"It has {width} x {height} pixels; at most {self.max_side} per side are allowed."
            )
