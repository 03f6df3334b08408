"""Checks the images of a request before it is sent, since one refused image blocks the conversation for good.

Limits differ by provider and model, so the caller gives them; invalid images are reported whatever the limits are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from interlingua.argument_checks import check_kind_of
from interlingua.errors import ImageError
from interlingua.model import ChatRequest, ImagePart, TextPart
from interlingua.resolve.image_limits import ImageLimits
from interlingua.resolve.image_source import from_base64, from_data_url, is_data_url, read_picture
from interlingua.violation import Violation
from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.model import ChatMessage
    from interlingua.violation import ViolationCode

__all__ = ["check_pictures", "stub_picture"]

LEFT_OUT: Final = "[A picture was left out here.]"
"""The default text in place of an image that was left out."""

_PLACE: Final = re.compile(r"/messages/(\d{1,9})/content/(\d{1,9})(?:/.*)?")
_CODES: Final[Mapping[str, ViolationCode]] = {
    "mislabelled": "media_type",
    "unsupported_format": "media_type",
    "not_a_picture": "media_type",
    "too_large": "limit",
    "too_many_pixels": "limit",
    "too_wide": "limit",
    "empty": "empty",
}


def check_pictures(request: ChatRequest, limits: ImageLimits) -> list[Violation]:
    """Return the violations of a request's images: exceeded limits and invalid images; paths lead to the parts.

    Nothing is fetched or decoded: an image URL only counts towards `max_images`. Limits for the whole request are
    reported at the first image that exceeds them.

    Args:
        request: The request.
        limits: The size limits, and the maximum number of images.

    Example:
        >>> request = il.ChatRequest(messages=(il.UserChatMessage(content=(il.ImagePart(data="bm8gcGljdHVyZQ=="),)),))
        >>> [(one.code, one.path) for one in il.resolve.check_pictures(request, il.resolve.ImageLimits())]
        [('media_type', '/messages/0/content/0')]
    """
    check_kind_of(request, ChatRequest)
    check_kind_of(limits, ImageLimits)
    found: list[Violation] = []
    total = 0
    for count, (path, part) in enumerate(_pictures(request), start=1):
        if count - 1 == limits.max_images:
            found.append(Violation("limit", path, f"more than {limits.max_images} images in the request"))
        size = 0 if part.data is None else len(part.data)
        most = limits.max_total_base64_bytes
        if most is not None and total <= most < total + size:
            found.append(Violation("limit", path, f"more than {most} bytes of base64 in the request"))
        total += size
        try:
            _inspect(part, limits)
        except ImageError as error:
            found.append(Violation(_CODES.get(error.code, "part"), path, f"{error.code}: {error.message}"))
    return found


def stub_picture(request: ChatRequest, path: str, *, text: str = LEFT_OUT) -> ChatRequest:
    """Return the request with a text in place of one image, given by its path, as in a violation.

    Args:
        request: The request.
        path: A JSON Pointer to the part, such as `/messages/0/content/1`.
        text: The replacement text.

    Raises:
        InvalidArgumentError: there is no image at the path.

    Example:
        >>> request = il.ChatRequest(messages=(il.UserChatMessage(content=(il.ImagePart(data="bm8gcGljdHVyZQ=="),)),))
        >>> il.resolve.stub_picture(request, "/messages/0/content/0").messages[0].text
        '[A picture was left out here.]'
    """
    check_kind_of(request, ChatRequest)
    check_text(text, "text", may_be_empty=True)
    match = _PLACE.fullmatch(check_text(path, "path", may_be_empty=True))
    where = None if match is None else f"/messages/{match[1]}/content/{match[2]}"
    if match is None or where not in {place for place, _ in _pictures(request)}:
        raise InvalidArgumentError("path must point to an image of the request")
    index, order = int(match[1]), int(match[2])
    messages = list(request.messages)
    messages[index] = _with_text(messages[index], order, text)
    return request.replace(messages=tuple(messages))


def _with_text(message: ChatMessage, order: int, text: str) -> ChatMessage:
    if message.role == "opaque" or not isinstance(message.content, tuple):
        return message
    content = [*message.content[:order], TextPart(text=text), *message.content[order + 1 :]]
    return message.replace(content=tuple(content))


def _pictures(request: ChatRequest) -> Iterator[tuple[str, ImagePart]]:
    for index, message in enumerate(request.messages):
        if message.role != "opaque" and isinstance(message.content, tuple):
            for order, part in enumerate(message.content):
                if isinstance(part, ImagePart):
                    yield f"/messages/{index}/content/{order}", part


def _inspect(part: ImagePart, limits: ImageLimits) -> None:
    """Check the data of a part.

    Raises:
        ImageError: it is not an image, or exceeds a limit.
    """
    if part.data is not None:
        read_picture(from_base64(part.data, limits), limits, declared=part.format)
    elif part.url is not None and is_data_url(part.url):
        declared, content = from_data_url(part.url, limits)
        read_picture(content, limits, declared=declared)
