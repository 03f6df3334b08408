"""Write the log probabilities of another dialect's stream into the frames of a room.

Source: docs/design.md, section 6.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from interlingua.logprobs import taken
from interlingua.rooms._shared.stream_template import TEXTS
from interlingua.rooms._shared.stream_writer import FrameWriter

if TYPE_CHECKING:
    from interlingua.loss import LossLog
    from interlingua.rooms._shared.stream_writer import Event, Frame

__all__ = ["LogprobsWriter"]


class LogprobsWriter(FrameWriter):
    """A stream encoder for frames with log probabilities.

    If an event makes no frame that can hold its tokens (such as the mark before a thought), they wait for the next one.
    `HAS_BYTES`: whether the dialect has the bytes of a token beside its text.
    """

    HAS_BYTES: ClassVar[bool] = True

    def __init__(self, log: LossLog) -> None:
        super().__init__(log)
        self._waiting: dict[int, list[dict[str, Any]]] = {}  # by answer
        self._told: dict[int, str] = {}  # the paths of the tokens that wait

    @abstractmethod
    def lay_logprobs(self, frame: dict[str, Any], tokens: list[dict[str, Any]], which: int) -> bool:
        """Write tokens of an answer, in the form of Chat Completions, into a frame; return whether it can hold them."""

    def end_with(self, event: Event, tokens: list[dict[str, Any]]) -> bool:
        """Add tokens to the text that an event ends; return whether the frames of its end can hold them."""
        del event, tokens
        return False

    def written_with_extra(self, event: Event) -> list[Frame]:
        """Return the frames of an event, with its patch applied and another dialect's tokens added."""
        if event.get("dialect") == self.dialect if event["type"] == "start" else self.home:
            return self.written(event)
        found = taken(event["extra"], self.dialect, has_bytes=self.HAS_BYTES) if "extra" in event else None
        which = event.get("alternative", 0)
        if found is not None:
            tokens, extra, place = found
            event = {**event, "extra": extra}
            self._waiting.setdefault(which, []).extend(tokens)
            self._told.setdefault(which, self.path("extra", *place))
            self.has_waiting_tokens = True
        elif event["type"] in TEXTS:  # the frame is a template for the next ones
            return self.written(event)
        if event["type"] == "block_end" and which in self._waiting and self.end_with(event, self._waiting[which]):
            self._forget(which)
        frames = self.written(event)
        if event["type"] == "end":
            for waiting in tuple(self._waiting):
                self._lay(waiting, frames)
            self._lose()
        else:
            self._lay(which, frames)
        return frames

    def _lay(self, which: int, frames: list[Frame]) -> None:
        tokens = self._waiting.get(which)
        if tokens and any(
            type(frame) is dict and self.lay_logprobs(frame, tokens, which) for frame in reversed(frames)
        ):
            self._forget(which)

    def _forget(self, which: int) -> None:
        """Forget the tokens of an answer, which are written."""
        del self._waiting[which], self._told[which]
        self.has_waiting_tokens = bool(self._waiting)

    def _lose(self) -> None:
        for path in self._told.values():
            self.log.lost("extra", path, "no frame for this text delta has a place for log probabilities")
        self._waiting, self._told, self.has_waiting_tokens = {}, {}, False
