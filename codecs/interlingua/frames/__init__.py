"""Parses bytes into stream frames and writes frames as bytes: SSE, NDJSON, and Gemini's JSON array.

A frame is what `decode_stream` takes: the parsed JSON object, or the text `[DONE]`. The decoder does no I/O: it is fed
chunks of bytes, split anywhere, and returns the frames that are complete.

SSE is read by the WHATWG standard, with four differences, since frames are JSON and clients do not reconnect:
- `event`, `id` and `retry` are ignored: in all dialects the data hold their own type. Blank data are not a frame.
- An event that ends with the stream instead of a blank line is a frame if its data are complete. The standard discards
  it, and with it the usage or the finish of providers that just stop. Data that are cut off are dropped and counted.
- Invalid UTF-8 is an error; nothing becomes U+FFFD.
- A JSON object after the last event, without a field name, on one line or several, is a frame: Gemini ends a failed
  stream with its error in this form.

NDJSON writes `[DONE]` as the JSON string `"[DONE]"`, so that every line is JSON; without quotes it is read, too.

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
