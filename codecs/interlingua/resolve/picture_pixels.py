"""From the bytes of a picture to grey pixels that text recognition reads well. Pillow decodes, after we have looked.

Pillow is told which format to expect, so that no other decoder sees the bytes; the size is judged from the header once
more before a pixel is decoded. Its own guards stay as they are: they are global, and belong to the application.
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
# Letters of fewer than some 16 pixels are read wrongly, and twice as large they are not; noise gets worse (measured).
_SMALL: Final = 1_000_000
_LIGHT: Final = 160


def grayscale_pixels(picture: Picture, limits: ImageLimits) -> Image.Image:
    """Return the first frame of a picture, upright, grey, on a ground that its writing stands out from.

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
    except Exception:  # noqa: BLE001  # of damaged data, decoders raise whatever they stumble over
        refused = image_error("damaged")
    # Outside the handlers: what a decoder says may repeat what it read.
    raise refused


def _upright(image: Image.Image) -> Image.Image:
    """Turn a picture as its camera says it was held; a note that cannot be read turns nothing."""
    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # noqa: BLE001  # the note is of no weight, and hostile ones raise anything
        return image


def _grayscale(image: Image.Image) -> Image.Image:
    """Return the picture in grey of 8 bits."""
    if image.mode.startswith("I"):
        # 16 bits a pixel; Pillow would cut off what is above 255.
        grey = image.convert("I").point(lambda value: value / 256)  # pyright: ignore[reportUnknownMemberType]  # numpy's types
        return grey.convert("L")
    if image.mode == "F":
        return ImageOps.autocontrast(image.convert("L"))
    if "A" not in image.mode and "transparency" not in image.info:
        return image.convert("L")
    return _on_ground(image.convert("RGBA"))


def _on_ground(image: Image.Image) -> Image.Image:
    """Lay a picture that lets the ground through on black where its visible part is light, else on white."""
    alpha = image.getchannel("A")
    grey = image.convert("RGB").convert("L")
    visible = ImageStat.Stat(alpha).sum[0]
    light = ImageStat.Stat(ImageChops.multiply(grey, alpha)).sum[0] * 255 / visible if visible else 0.0
    ground = Image.new("L", image.size, 0 if light > _LIGHT else 255)
    ground.paste(grey, mask=alpha)
    return ground


def enlarged(image: Image.Image) -> Image.Image | None:
    """Return a small picture at twice its size; None for one that is large enough as it is."""
    if image.width * image.height > _SMALL:
        return None
    twice = (image.width * 2, image.height * 2)
    return image.resize(twice, Image.Resampling.LANCZOS)  # pyright: ignore[reportUnknownMemberType]  # numpy's types
