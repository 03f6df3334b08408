"""Obtains a message's image from its source: as inspected bytes, or as an allowed URL."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, TypeAlias

from interlingua.model import Base64ImageSource, FilePathImageSource, UrlImageSource
from interlingua.resolve.addresses import check_url
from interlingua.resolve.components import call_component
from interlingua.resolve.image_failures import image_error
from interlingua.resolve.picture import Picture
from interlingua.resolve.picture_formats import inspect_image, same_media_type
from interlingua.rooms._shared.media import read_data_url, with_data

if TYPE_CHECKING:
    from interlingua.model import ImageData
    from interlingua.resolve.image_limits import ImageLimits
    from interlingua.resolve.picture import FileBytes, UrlFetcher
    from interlingua.resolve.stepping import Steps

__all__ = ["Source", "from_base64", "from_data_url", "is_data_url", "obtain", "read_picture", "source_with_data"]

Source: TypeAlias = Base64ImageSource | FilePathImageSource | UrlImageSource


def obtain(
    data: ImageData, *, limits: ImageLimits, files: FileBytes | None, fetcher: UrlFetcher | None, agent_role: str
) -> Steps[Picture]:
    """Return the image of a message. Without a fetcher, a URL gives an image with only that URL.

    Data read by an earlier attempt is stored in the source, and is reused.

    Raises:
        ImageError: it cannot be obtained, or is not accepted.
        FileAccessError: its file cannot or must not be read.
    """
    source, limit = data.source, limits.most_bytes
    declared, base64_data = source.format, source.data
    if base64_data is not None:
        content = from_base64(base64_data, limits)
    elif isinstance(source, FilePathImageSource):
        if files is None:
            raise image_error("files_unavailable")
        path = source.path
        content = yield from call_component(
            lambda: files.read_bytes(path, agent_role=agent_role, max_bytes=limit), bytes, "files_unavailable"
        )
    elif not isinstance(source, UrlImageSource):
        raise image_error("empty")
    elif is_data_url(source.url):
        declared, content = from_data_url(source.url, limits)
    elif fetcher is None:
        check_url(source.url)
        return Picture(url=source.url, caption=data.caption, detail=data.detail)
    else:
        url = source.url
        content = yield from call_component(lambda: fetcher.fetch(url, max_bytes=limit), bytes, "fetch_failed")
    return read_picture(content, limits, declared=declared, caption=data.caption, detail=data.detail)


def read_picture(
    content: bytes,
    limits: ImageLimits,
    *,
    declared: str | None = None,
    caption: str | None = None,
    detail: str | None = None,
) -> Picture:
    """Return bytes as an image, after a check of its header, size and end; nothing is decoded.

    Raises:
        ImageError: they are not an accepted image, not of the `declared` media type, too large, or cut off.
    """
    limits.check_bytes(len(content))
    seen = inspect_image(content)
    if declared is not None and not same_media_type(declared, seen.media_type):
        raise image_error("mislabelled", f"It is {seen.media_type}.")
    if seen.width is not None and seen.height is not None:
        limits.check_size(seen.width, seen.height)
    if not seen.is_whole:
        raise image_error("damaged", "Its end is missing.")
    return Picture(content, None, seen.media_type, seen.width, seen.height, caption, detail)


def source_with_data(source: Source, picture: Picture) -> Source:
    """Return the source with the data that was read, so that the image can be sent to a model later."""
    if picture.data is None:
        return source
    if isinstance(source, UrlImageSource) and is_data_url(source.url):
        return Base64ImageSource(data=picture.base64(), format=picture.media_type)
    return source.replace(data=source.data or picture.base64(), format=picture.media_type)


def is_data_url(url: str) -> bool:
    """Tell whether a URL is a data URL."""
    return url[:5].lower() == "data:"


def from_base64(text: str, limits: ImageLimits) -> bytes:
    """Return the bytes of base64 text in any of its variants; the length is checked before decoding.

    Raises:
        ImageError: `invalid_base64`, `empty` or `too_large`.
    """
    if not text:
        raise image_error("empty")
    # Line breaks and percent-encoding make the text longer; twice as long is generous.
    limits.check_bytes(len(text) * 3 // 8)
    try:
        return base64.b64decode(with_data({"data": text})["data"], validate=True)
    except (binascii.Error, ValueError):
        raise image_error("invalid_base64") from None


def from_data_url(url: str, limits: ImageLimits) -> tuple[str, bytes]:
    """Return the declared media type, empty if there is none, and the bytes of a data URL.

    Raises:
        ImageError: `invalid_base64`, `empty` or `too_large`.
    """
    limits.check_bytes(len(url) * 3 // 8)
    read = read_data_url(url)
    if read is None:
        raise image_error("invalid_base64")
    # By RFC 2397 data without a media type is text, but this is given as an image.
    declared = "" if url[5:6] in {";", ","} else read[0]
    return declared, from_base64(read[1], limits)
