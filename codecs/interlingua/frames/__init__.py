"""Bytes to the frames of a stream, and back: SSE, NDJSON, and Gemini's JSON array.

A frame is what `decode_stream` takes: the parsed JSON object, or the text `[DONE]`. Nothing here reads or waits: a
decoder is fed with bytes as they come, cut anywhere, and gives the frames that are complete.

SSE is read as the WHATWG standard says, with four differences, since a frame carries JSON and nobody reconnects:
- `event`, `id` and `retry` are ignored: in all dialects the data say their own type. Blank data are no frame.
- An event that ends with the stream instead of a blank line is a frame if its data are complete. The standard discards
  it, and with it the usage or the finish of providers that just stop. Data that are cut off are no frame, and counted.
- Bytes that are no UTF-8 are an error; nothing becomes U+FFFD.
- A JSON object behind the last event, without a field, in one line or several, is a frame: Gemini, for one, breaks a
  stream off so, and says why in it.

NDJSON has `[DONE]` as the JSON text `"[DONE]"`, so that every line is JSON; without its quotes it is read, too.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html, https://github.com/ndjson/ndjson-spec
"""

from __future__ import annotations

from interlingua.frames.decode import FrameDecoder, read_frames, read_frames_async
from interlingua.frames.encode import FrameEncoder, write_frames, write_frames_async
from interlingua.frames.forms import DONE, Form, Frame
from interlingua.registry import wire_of
from interlingua.spi.descriptor import Wire

__all__ = [
    "DONE",
    "Form",
    "Frame",
    "FrameDecoder",
    "FrameEncoder",
    "Wire",
    "read_frames",
    "read_frames_async",
    "wire_of",
    "write_frames",
    "write_frames_async",
]
