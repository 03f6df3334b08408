"""Writes frames as bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import orjson

from interlingua.closing import aclose_all, close_all
from interlingua.errors import EncodeError
from interlingua.frames.forms import DONE
from interlingua.registry import wire_of
from interlingua.strict_json import compact

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable, Generator, Iterable

    from interlingua.frames.forms import Form, Frame

__all__ = ["FrameEncoder", "write_frames", "write_frames_async"]

_OTHER_LINE_ENDS: Final = (("\u0085", rb"\u0085"), ("\u2028", rb"\u2028"), ("\u2029", rb"\u2029"))
"""Unicode line separators, at which clients such as httpx split lines; JSON allows them unescaped in strings."""
_ESCAPED: Final = tuple((sign.encode(), escape) for sign, escape in _OTHER_LINE_ENDS)


class FrameEncoder:
    """Writes frames as bytes: each `feed` returns the bytes of one frame, `close` the rest.

    `dialect` decides whether SSE events are named after the `type` of their data, and the form if `form` is None.
    """

    def __init__(self, dialect: str, form: Form | None = None) -> None:
        wire = wire_of(dialect)
        self._dialect = dialect
        self._is_named = wire.is_named
        self._form: Form = form or wire.form
        self._is_empty = True

    def feed(self, frame: Frame) -> bytes:
        """Return the bytes of a frame.

        Raises:
            EncodeError: it is not JSON: a text other than `[DONE]`, a lone surrogate, or nested too deeply.
        """
        data = _one_line(self._json(frame))
        is_first, self._is_empty = self._is_empty, False
        match self._form:
            case "sse":
                return self._name(frame) + b"data: " + (DONE.encode() if frame == DONE else data) + b"\n\n"
            case "ndjson":
                return data + b"\n"
            case "json_array":
                return (b"[" if is_first else b",\n") + data

    def close(self) -> bytes:
        """Return the bytes that end the stream: the end of a JSON array, else none."""
        if self._form != "json_array":
            return b""
        return b"[]\n" if self._is_empty else b"]\n"

    def _json(self, frame: Frame) -> bytes:
        try:
            if type(frame) is dict:
                return orjson.dumps(frame)
        except orjson.JSONEncodeError:
            return self._rare_json(frame)
        if frame != DONE:
            raise EncodeError(self._dialect, "", f"a frame must be a JSON object or {DONE}")
        return compact(frame)

    def _rare_json(self, frame: Frame) -> bytes:
        """Return the JSON of a frame that orjson refuses, if it is valid."""
        try:
            return compact(frame)
        except UnicodeEncodeError:
            reason = "a text contains half a surrogate pair"
        except RecursionError:
            reason = "nested too deeply"
        except (TypeError, ValueError):
            reason = "a value cannot be written as JSON"
        raise EncodeError(self._dialect, "", reason)

    def _name(self, frame: Frame) -> bytes:
        """Return the `event` line; a name with a line break could forge fields, and is left out."""
        name = frame.get("type") if self._is_named and type(frame) is dict else None
        if type(name) is not str or not name or "\n" in name or "\r" in name:
            return b""
        return b"event: " + name.encode() + b"\n"


def _one_line(data: bytes) -> bytes:
    """Return the same JSON with all Unicode line separators escaped."""
    for sign, escape in _ESCAPED:
        if sign in data:
            data = data.replace(sign, escape)
    return data


def write_frames(frames: Iterable[Frame], dialect: str, form: Form | None = None) -> Generator[bytes]:
    """Yield the bytes of each frame, ready to be sent. Raises `EncodeError` as `FrameEncoder`.

    Closing the generator closes the source of the frames once reading has begun.
    """
    encoder = FrameEncoder(dialect, form)
    iterator = iter(frames)
    try:
        for frame in iterator:
            yield encoder.feed(frame)
        if end := encoder.close():
            yield end
    finally:
        close_all(iterator, frames)


async def write_frames_async(
    frames: AsyncIterable[Frame], dialect: str, form: Form | None = None
) -> AsyncGenerator[bytes]:
    """Yield the bytes of each frame of an asynchronous source, as `write_frames` does."""
    encoder = FrameEncoder(dialect, form)
    iterator = aiter(frames)
    try:
        async for frame in iterator:
            yield encoder.feed(frame)
        if end := encoder.close():
            yield end
    finally:
        await aclose_all(iterator, frames)
