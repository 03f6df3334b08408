"""Bytes to frames."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from interlingua.closing import aclose_all, close_all
from interlingua.errors import FrameError
from interlingua.frames.readers import READERS, Collected
from interlingua.given import named
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
    """Bytes to frames, push by push: `feed` the bytes as they come, then `close`.

    Where the bytes are cut never matters, neither to the frames nor to the error. `form` None means that the first byte
    tells: `{` is NDJSON, `[` a JSON array, anything else SSE. A frame of more than `max_bytes` is an error.

    A broken frame is raised by the call after the one that gives the frames before it, and by every later one. Where
    the stream stopped inside a frame, that one is thrown away: after `close`, `cut` is how many bytes it had.
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
        """How many bytes of a last frame were thrown away because the stream stopped inside it."""
        return 0 if self._reader is None else self._reader.cut

    def feed(self, chunk: bytes) -> list[Frame]:
        """Return the frames that are complete with these bytes.

        Raises:
            FrameError: a frame is no JSON object, or larger than the limit.
            InvalidArgumentError: it is text.
        """
        return self._give(chunk, is_last=False)

    def close(self) -> list[Frame]:
        """Return the frames that are complete now that the stream has ended.

        Raises:
            FrameError: what is left is no frame, and no beginning of one.
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
        """Choose the reader as soon as the bytes tell, and return what it is to read first."""
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
        """Return the form that the first byte tells, None if all are blank so far.

        Neither `{` nor `[` begins a field of SSE that means anything.
        """
        found = _NOT_BLANK.search(self._head, max(start, self._blanks))
        self._blanks = len(self._head) if found is None else found.start()
        if self._blanks > self._max_bytes:
            raise self._frames.too_long()
        return None if found is None else _FORMS_BY_FIRST_BYTE.get(found[0], "sse")


def read_frames(
    chunks: bytes | Iterable[bytes] | BinaryIO, form: Form | None = None, max_bytes: int = MAX_BYTES
) -> Generator[Frame]:
    """Yield the frames of a source of bytes, each as soon as it is complete; a file is read as its bytes come.

    Closing the generator closes the source once reading has begun; a file stays open, for whoever opened it.

    Raises:
        FrameError: as `FrameDecoder`, after the frames before it.
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
    """Refuse what gives no bytes one after the other; an answer of an HTTP client gives them when it is asked.

    Raises:
        InvalidArgumentError: it gives none.
    """
    advice = f": give what its {giving}() returns" if hasattr(source, giving) else ""
    if advice or not any(hasattr(source, way) for way in ways):
        raise InvalidArgumentError(f"frames are read from bytes, not from {named(source)}{advice}")


def _chunks(source: bytes | Iterable[bytes] | BinaryIO) -> Generator[bytes]:
    """Yield bytes as they come: a file by what it has, never by its lines, which have no limit."""
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
