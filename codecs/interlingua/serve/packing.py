"""Bodies of requests that clients pack: Codex does so with zstd, unless it is told not to."""

from __future__ import annotations

import zlib
from gzip import GzipFile
from io import BytesIO
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from zstandard import ZstdDecompressor, ZstdError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["CODINGS", "unpacked"]

CODINGS: Final[Mapping[str, Callable[[bytes, int], bytes]]] = MappingProxyType({
    "gzip": lambda data, most: GzipFile(fileobj=BytesIO(data)).read(most),
    "zstd": lambda data, most: ZstdDecompressor().stream_reader(data, read_across_frames=True).read(most),
})  # fmt: skip
"""What unpacks a content coding, so many bytes at most: a few bytes may be packed gigabytes."""


def unpacked(data: bytes, coding: str, most: int) -> bytes:
    """Return a body as it was before it was packed; of one that is larger than `most`, one byte more than that.

    Raises:
        ValueError: it is not packed so, or is damaged.
    """
    try:
        return CODINGS[coding](data, most + 1)
    except (OSError, EOFError, zlib.error, ZstdError) as error:
        raise ValueError(coding) from error
