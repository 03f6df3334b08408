"""Canonical to Responses: streams. What came from this dialect is written as it came, all else by its whole lifecycle.

Source: reference/wire/openai_responses.md section 3; PAIN STR-10.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from interlingua.dialects._shared.stream import FrameWriter
from interlingua.dialects.openai_responses.stream_abroad import AbroadWriter
from interlingua.dialects.openai_responses.stream_assembly import Part
from interlingua.dialects.openai_responses.stream_frames import FrameMaker
from interlingua.dialects.openai_responses.stream_home import HomeWriter
from interlingua.dialects.openai_responses.tables import DIALECT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.dialects._shared.stream import Event, Frame
    from interlingua.loss import LossLog

# Events that stand by themselves: they begin no stream.
_ALONE: Final = frozenset({"opaque", "error", "end"})
# Events that are nearly all of a stream, and the member that holds their text.
_PIECES: Final[Mapping[str, str]] = MappingProxyType(
    {"content": "text", "reasoning": "text", "refusal": "text", "tool_call_delta": "arguments"}
)
_STARTED: Final[Mapping[str, Any]] = MappingProxyType({"type": "start"})


def encode_stream(log: LossLog) -> StreamEncoder:
    """Return a writer of one stream of Responses; what does not come along is noted in the log."""
    return StreamEncoder(log)


class StreamEncoder(FrameWriter):
    """Writes the events of a stream as frames of Responses."""

    dialect: ClassVar[str] = DIALECT

    def __init__(self, log: LossLog) -> None:
        super().__init__(log)
        self.maker = FrameMaker()
        self._started = False
        self._at_home = HomeWriter(self.maker)
        self._abroad = AbroadWriter(self.maker, self)

    def feed(self, event: Event) -> list[Frame]:
        """Return the frames that an event makes, and take note of them: most frames repeat what came before."""
        member = _PIECES.get(event["type"])
        if member is not None and self.home and self._started:
            frame = self._plain_piece(event, event[member])
            if frame is not None:
                return [frame]
        frames = super().feed(event)
        if self.home:
            self.maker.learn(frames)
        return frames

    def _plain_piece(self, event: Event, text: str) -> Frame | None:
        """Return a piece of an open text, if no more than padding was added to it: nearly all of a stream."""
        part = self.maker.blocks.get(event["block"])
        if not isinstance(part, Part) or part.voice is None or part.closed or part.item.done:
            return None
        extra = event.get("extra")
        if extra is None:
            self.number += 1
            return self.maker.piece(part, part.voice, text)
        padding = _padding(extra)
        if padding is None:
            return None
        self.number += 1
        frame = self.maker.piece(part, part.voice, text)
        frame["obfuscation"] = padding
        return frame

    def write(self, event: Event) -> list[Frame]:
        """Return the frames that an event makes by habit."""
        kind = event["type"]
        if kind == "start":
            # What was made by hand says nothing of its own: it is written as from abroad.
            self.home = event.get("dialect") == DIALECT and DIALECT in event.get("extra", {})
            self._started, self.ended = True, False
        elif kind == "opaque":
            return self._opaque(event)
        elif kind == "end":
            self.ended = True
        began: list[Frame] = []
        if not self._started and kind not in _ALONE:
            self._started, self.home = True, False
            began = self._abroad.write(dict(_STARTED))
        return [*began, *(self._at_home.write(event) if self.home else self._abroad.write(event))]

    def _opaque(self, event: Event) -> list[Frame]:
        if event["dialect"] == DIALECT:
            return [event["data"]]
        self.lost_frame(event)
        return []


def _padding(extra: Mapping[str, Any]) -> str | None:
    """Return the padding of a piece, if that is all that was added to it."""
    if len(extra) != 1 or DIALECT not in extra:
        return None
    bag = extra[DIALECT]
    patch = bag.get("frame") if len(bag) == 1 else None
    put = patch.get("put") if type(patch) is dict and len(patch) == 1 else None
    padding = put.get("obfuscation") if type(put) is dict and len(put) == 1 else None
    return padding if type(padding) is str else None
