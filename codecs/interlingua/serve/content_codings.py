"""Decompresses request bodies: Codex uses zstd by default."""

from __future__ import annotations

import zlib
from gzip import GzipFile
from io import BytesIO
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from zstandard import ZstdDecompressor, ZstdError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["CODINGS", "decompressed"]

CODINGS: Final[Mapping[str, Callable[[bytes, int], bytes]]] = MappingProxyType({
    "gzip": lambda data, most: GzipFile(fileobj=BytesIO(data)).read(most),
    "zstd": lambda data, most: ZstdDecompressor().stream_reader(data, read_across_frames=True).read(most),
})  # fmt: skip
"""Decompressors by content coding, with an output limit, since a few bytes may expand to gigabytes."""


def decompressed(data: bytes, coding: str, most: int) -> bytes:
    """Return a body decompressed; of one larger than `most`, the first `most` + 1 bytes.

    Raises:
        ValueError: it is not in this coding, or is damaged.
    """
    try:
        return CODINGS[coding](data, most + 1)
    except (OSError, EOFError, zlib.error, ZstdError) as error:
        raise ValueError(coding) from error
