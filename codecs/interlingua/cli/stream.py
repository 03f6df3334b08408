"""`interlingua translate --kind stream`: translate one stream, frame by frame as it arrives."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import interlingua as il
from interlingua.cli.binary_formats import not_text
from interlingua.cli.exit_codes import ExitCode
from interlingua.cli.source_detection import source_of_stream
from interlingua.cli.speakers import AUTO
from interlingua.errors import DecodeError, FrameError
from interlingua.frames import FrameDecoder, FrameEncoder
from interlingua.loss import enforce

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interlingua.cli.files import Input
    from interlingua.cli.run import Run
    from interlingua.frames import Form, Frame
    from interlingua.loss_types import Strict
    from interlingua.streaming import EncodedStream

__all__ = ["FrameSource", "translate_streams"]

# A stream is the only body of its input.
_LINE = 1


class FrameSource:
    """The frames of the input; `count` is their number so far."""

    def __init__(self, chunks: Iterator[bytes], max_bytes: int) -> None:
        self.count = 0
        self._chunks = chunks
        self._decoder = FrameDecoder(max_bytes=max_bytes)

    @property
    def cut(self) -> int:
        """The number of bytes of an incomplete last frame."""
        return self._decoder.cut

    def __iter__(self) -> Iterator[Frame]:
        is_first = True
        for chunk in self._chunks:
            if is_first and (reason := not_text(chunk)):
                raise FrameError(1, reason)
            is_first = False
            yield from self._counted(self._decoder.feed(chunk))
        yield from self._counted(self._decoder.close())
        if not self.count:
            raise FrameError(1, "the input holds no frame")

    def _counted(self, frames: list[Frame]) -> Iterator[Frame]:
        for frame in frames:
            self.count += 1
            yield frame


def translate_streams(run: Run, source: str, target: str, *, form: Form | None, strict: Strict) -> None:
    """Translate the stream of the input, write it, and report the losses.

    There may be only one input, since concatenated streams are not a stream.
    """
    inputs = list(run.listed())
    if len(inputs) > 1:
        run.outcome.fail(ExitCode.USAGE, f"the files hold {len(inputs)} streams: translate each on its own")
        return
    for given in run.inputs():
        _translate_frames(run, given, source, target, form=form, strict=strict)


def _translate_frames(run: Run, opened: Input, source: str, target: str, *, form: Form | None, strict: Strict) -> None:
    """Translate one stream. An error ends it, but the frames before it have been written.

    Under `strict` all frames are held back until the end, and none is written if there is an error or a loss that is
    not allowed.
    """
    before = run.outcome.failures
    frames = FrameSource(run.chunks_of(opened), run.max_bytes)
    given: Iterable[Frame] = frames
    if source == AUTO:
        looked = run.attempt(_LINE, source_of_stream, frames)
        if looked is None:
            return
        source, given = looked
    encoded = run.attempt(_LINE, partial(il.translate_stream, given, il.dialect(source)), il.dialect(target))
    if encoded is None:
        return
    pieces = _pieces(encoded, frames, FrameEncoder(target, form))
    held: list[bytes] = []
    while piece := run.attempt(_LINE, _next, pieces):
        if strict:
            held.append(piece)
        else:
            run.write_bytes(piece)
    if frames.cut:
        run.unreadable(_LINE, f"frame {frames.count + 1}: the stream ends within this frame, after {frames.cut} bytes")
    losses = run.attempt(_LINE, partial(enforce, strict=strict), encoded.losses)
    if losses is not None:
        run.losses(_LINE, losses)
    if run.outcome.failures == before:
        for piece in held:
            run.write_bytes(piece)


def _next(pieces: Iterator[bytes]) -> bytes:
    """Return the bytes of the next frame; empty at the end."""
    return next(pieces, b"")


def _pieces(encoded: EncodedStream, source: FrameSource, encoder: FrameEncoder) -> Iterator[bytes]:
    """Yield the bytes of each frame, and those that end the stream.

    Raises:
        FrameError: a frame is not valid in its dialect; the error has its number.
    """
    try:
        for frame in encoded:
            yield encoder.feed(frame)
    except DecodeError as error:
        raise FrameError(source.count, str(error)) from None
    if end := encoder.close():
        yield end
