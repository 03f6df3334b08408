"""Decodes an image to greyscale pixels for OCR, with Pillow, after it has been inspected.

Pillow is told which format to expect, so that no other decoder sees the bytes; the size is checked once more by the
header before decoding. Pillow's own limits are not changed: they are global, and belong to the application.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageChops, ImageOps, ImageStat

from interlingua.errors import ImageError
from interlingua.resolve.image_failures import image_error

if TYPE_CHECKING:
    from interlingua.resolve.image_limits import ImageLimits
    from interlingua.resolve.picture import Picture

__all__ = ["enlarged", "grayscale_pixels"]

_FORMATS: Final[dict[str, tuple[str, ...]]] = {
    "image/png": ("PNG",),
    "image/jpeg": ("JPEG",),
    "image/gif": ("GIF",),
    "image/webp": ("WEBP",),
    "image/bmp": ("BMP", "DIB"),
    "image/tiff": ("TIFF",),
}
# Letters below about 16 pixels are misread, and at twice the size they are not; noise gets worse (measured).
_SMALL: Final = 1_000_000
_LIGHT: Final = 160


def grayscale_pixels(picture: Picture, limits: ImageLimits) -> Image.Image:
    """Return the first frame of an image, upright, in greyscale, on a background that contrasts with it.

    Raises:
        ImageError: `unsupported_format`, `damaged`, `too_many_pixels` or `too_wide`.
    """
    formats = _FORMATS.get(picture.media_type or "")
    if formats is None or picture.data is None:
        raise image_error("unsupported_format")
    try:
        with Image.open(io.BytesIO(picture.data), formats=formats) as opened:
            limits.check_size(*opened.size)
            opened.load()
            return _grayscale(_upright(opened))
    except ImageError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        refused = image_error("too_many_pixels", "The decoder refuses so many pixels.")
    except MemoryError:
        refused = image_error("too_many_pixels", "There is not enough memory for so many pixels.")
    except Exception:  # noqa: BLE001  # decoders may raise anything for damaged data
        refused = image_error("damaged")
    # Raised outside the handlers: a decoder's message may repeat data.
    raise refused


def _upright(image: Image.Image) -> Image.Image:
    """Rotate an image by its EXIF orientation; an unreadable one is ignored."""
    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # noqa: BLE001  # the orientation is optional, and hostile data may raise anything
        return image


def _grayscale(image: Image.Image) -> Image.Image:
    """Return the image in 8-bit greyscale."""
    if image.mode.startswith("I"):
        # 16 bits a pixel; Pillow would cut off what is above 255.
        grey = image.convert("I").point(lambda value: value / 256)  # pyright: ignore[reportUnknownMemberType]  # numpy's types
        return grey.convert("L")
    if image.mode == "F":
        return ImageOps.autocontrast(image.convert("L"))
    if "A" not in image.mode and "transparency" not in image.info:
        return image.convert("L")
    return _on_background(image.convert("RGBA"))


def _on_background(image: Image.Image) -> Image.Image:
    """Put a transparent image on black if its visible part is light, else on white."""
    alpha = image.getchannel("A")
    grey = image.convert("RGB").convert("L")
    visible = ImageStat.Stat(alpha).sum[0]
    light = ImageStat.Stat(ImageChops.multiply(grey, alpha)).sum[0] * 255 / visible if visible else 0.0
    ground = Image.new("L", image.size, 0 if light > _LIGHT else 255)
    ground.paste(grey, mask=alpha)
    return ground


def enlarged(image: Image.Image) -> Image.Image | None:
    """Return a small image at twice its size; None for one that is large enough."""
    if image.width * image.height > _SMALL:
        return None
    twice = (image.width * 2, image.height * 2)
    return image.resize(twice, Image.Resampling.LANCZOS)  # pyright: ignore[reportUnknownMemberType]  # numpy's types
