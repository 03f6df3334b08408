"""Parses bytes into frames."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from interlingua.argument_checks import named
from interlingua.closing import aclose_all, close_all
from interlingua.errors import FrameError
from interlingua.frames.readers import READERS, Collected
from interlingua.strict_json import BYTE_ORDER_MARK, MAX_BYTES
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable, Generator, Iterable, Mapping

    from interlingua.frames.forms import Form, Frame
    from interlingua.frames.readers import Reader

__all__ = ["FrameDecoder", "read_frames", "read_frames_async"]

_BYTES: Final = (bytes, bytearray, memoryview)
_CHUNK: Final = 64 * 1024
_FORMS_BY_FIRST_BYTE: Final[Mapping[bytes, Form]] = MappingProxyType({b"{": "ndjson", b"[": "json_array"})
_NOT_BLANK: Final = re.compile(rb"[^ \t\r\n]")


class FrameDecoder:
    """Parses bytes into frames incrementally: `feed` each chunk, then call `close`.

    How the bytes are split into chunks affects neither frames nor errors. With `form` None the first byte decides: `{`
    is NDJSON, `[` a JSON array, anything else SSE. A frame of more than `max_bytes` is an error.

    An invalid frame raises in the call after the one that returns the frames before it, and in every later call. If the
    stream ends inside a frame, that frame is dropped: after `close`, `cut` is its number of bytes.
    """

    def __init__(self, form: Form | None = None, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._form: Form | None = form
        self._frames = Collected(max_bytes)
        self._reader: Reader | None = None
        self._head = bytearray()
        self._blanks = 0
        self._error: FrameError | None = None

    @property
    def cut(self) -> int:
        """The number of bytes of an incomplete last frame, which were dropped."""
        return 0 if self._reader is None else self._reader.cut

    def feed(self, chunk: bytes) -> list[Frame]:
        """Return the frames that these bytes complete.

        Raises:
            FrameError: a frame is not a JSON object, or is larger than the limit.
            InvalidArgumentError: the chunk is a string.
        """
        return self._give(chunk, is_last=False)

    def close(self) -> list[Frame]:
        """Return the frames that the end of the stream completes.

        Raises:
            FrameError: the rest is neither a frame nor the beginning of one.
        """
        return self._give(b"", is_last=True)

    def _give(self, chunk: bytes, *, is_last: bool) -> list[Frame]:
        given: Any = chunk  # callers may not be typed
        if isinstance(given, str):
            raise InvalidArgumentError(
                "frames are read from bytes, and this is text: pass the bytes as they were received"
            )
        if not isinstance(given, _BYTES):
            raise InvalidArgumentError(f"frames are read from bytes, not from {named(given)}")
        if self._error is None:
            try:
                self._take(chunk, is_last=is_last)
            except FrameError as error:
                self._error = error
        frames = self._frames.taken()
        if self._error is not None and not frames:
            raise self._error
        return frames

    def _take(self, chunk: bytes, *, is_last: bool) -> None:
        if self._reader is None:
            chunk = self._begin(chunk, is_last=is_last)
        if self._reader is not None:
            if chunk:
                self._reader.feed(chunk)
            if is_last:
                self._reader.close()

    def _begin(self, chunk: bytes, *, is_last: bool) -> bytes:
        """Choose the reader once the format is known, and return the bytes for it."""
        head = self._head
        head += chunk
        if BYTE_ORDER_MARK.startswith(head):
            return b""
        start = len(BYTE_ORDER_MARK) if head.startswith(BYTE_ORDER_MARK) else 0
        form = self._form or self._detected_form(start)
        if form is None and not is_last:
            return b""
        self._reader = READERS[form or "sse"](self._frames)
        return bytes(head[start:])

    def _detected_form(self, start: int) -> Form | None:
        """Return the form by the first non-blank byte, or None if there is none yet.

        Neither `{` nor `[` begins an SSE field name.
        """
        found = _NOT_BLANK.search(self._head, max(start, self._blanks))
        self._blanks = len(self._head) if found is None else found.start()
        if self._blanks > self._max_bytes:
            raise self._frames.too_long()
        return None if found is None else _FORMS_BY_FIRST_BYTE.get(found[0], "sse")


def read_frames(
    chunks: bytes | Iterable[bytes] | BinaryIO, form: Form | None = None, max_bytes: int = MAX_BYTES
) -> Generator[Frame]:
    """Yield the frames of a byte source, each as soon as it is complete; a file is read as data becomes available.

    Once reading has begun, closing the generator closes the source, but not a file.

    Raises:
        FrameError: a frame is invalid; raised after the frames before it.
    """
    decoder = FrameDecoder(form, max_bytes)
    pieces = _chunks(chunks)
    try:
        for chunk in pieces:
            yield from decoder.feed(chunk)
        yield from decoder.close()
    finally:
        pieces.close()


async def read_frames_async(
    chunks: AsyncIterable[bytes], form: Form | None = None, max_bytes: int = MAX_BYTES
) -> AsyncGenerator[Frame]:
    """Yield the frames of an asynchronous source of bytes, as `read_frames` does."""
    decoder = FrameDecoder(form, max_bytes)
    _check_source(chunks, "aiter_bytes", "__aiter__")
    pieces = aiter(chunks)
    try:
        async for chunk in pieces:
            for frame in decoder.feed(chunk):
                yield frame
        for frame in decoder.close():
            yield frame
    finally:
        await aclose_all(pieces, chunks)


def _check_source(source: object, giving: str, *ways: str) -> None:
    """Refuse a source that is not an iterable of bytes, such as an HTTP response, which has a method for them.

    Raises:
        InvalidArgumentError: it is not one.
    """
    advice = f": give what its {giving}() returns" if hasattr(source, giving) else ""
    if advice or not any(hasattr(source, way) for way in ways):
        raise InvalidArgumentError(f"frames are read from bytes, not from {named(source)}{advice}")


def _chunks(source: bytes | Iterable[bytes] | BinaryIO) -> Generator[bytes]:
    """Yield bytes as they become available; a file is not read by lines, whose length is unlimited."""
    if isinstance(source, _BYTES):
        yield bytes(source)
        return
    _check_source(source, "iter_bytes", "__iter__", "read")
    read: Any = getattr(source, "read1", None) or getattr(source, "read", None)
    if read is None:
        iterator = iter(source)
        try:
            yield from iterator
        finally:
            close_all(iterator, source)
    else:
        while chunk := read(_CHUNK):
            yield chunk
