"""Canonical to Chat Completions: streams. At home as the provider wrote them, abroad as OpenAI would write them.

Source: reference/wire/openai_chat.md section 3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from interlingua.arguments import UnwritableError
from interlingua.dialects._chat_completions.stream_abroad import ChunksAbroad
from interlingua.dialects._chat_completions.stream_chunk import Chunks
from interlingua.dialects._chat_completions.stream_plain import NOTHING_BESIDE, PADDING, beside_bare, beside_piece
from interlingua.dialects._chat_completions.stream_usual import only_patch
from interlingua.dialects._shared.stream import FrameWriter, spelling

if TYPE_CHECKING:
    from typing import Any

    from interlingua.dialects._chat_completions.vendor import Vendor
    from interlingua.dialects._shared.stream import Event, Frame
    from interlingua.loss import LossLog

DONE: Final = "[DONE]"
_USUAL: Final = frozenset({"content", "state", "finish", "usage"})
_FRAMING: Final = frozenset({"start", "end", "opaque"})


class StreamEncoder(FrameWriter):
    """Writes the events of a stream as chunks; each room of the family names its dialect and vendor."""

    vendor: ClassVar[Vendor]

    def __init__(self, log: LossLog) -> None:
        super().__init__(log)
        self.chunks = Chunks(self.vendor)
        self._abroad: ChunksAbroad | None = None  # made where a stream begins abroad

    def feed(self, event: Event) -> list[Frame]:
        """Return the frames that an event makes, as they came where they came from this dialect."""
        if not self.home:
            if self._abroad is not None and "extra" not in event and event["type"] not in _FRAMING:
                self.number += 1
                try:
                    return self._abroad.write(event)
                except (UnwritableError, RecursionError, OverflowError) as error:
                    raise self.unencodable(event, error) from None
        elif self.chunks.plain and not self.chunks.pending:
            plain = self.chunks.plain.get(event.get("alternative", 0))
            if plain is not None and plain.kind == event["type"] and plain.block == event.get("block"):
                extra = event.get("extra")
                beside = NOTHING_BESIDE if extra is None else beside_piece(extra, self.dialect)
                piece = event[plain.said]
                if beside is not None and piece and (plain.likely or beside[1] is None):
                    self.number += 1
                    frame = plain.made(piece, beside[1])
                    if beside[0] is not None:
                        frame[PADDING] = beside[0]
                    return [frame]
        usual = self._usual(event) if self.home and event["type"] in _USUAL else None
        if usual is not None:
            self.number += 1
            return [usual]
        frames = super().feed(event)
        if frames and self.home and event["type"] not in {"opaque", "end"}:
            self.chunks.learn(frames[0])
        return frames

    def _usual(self, event: Event) -> dict[str, Any] | None:
        """Return the chunk of an event that comes once in nearly every stream, or None for another event."""
        kind, chunks = event["type"], self.chunks
        if kind == "state" and not chunks.pending:
            return self.bare(event)
        patch = only_patch(event, self.dialect)
        if patch is None:
            return None
        if kind == "finish":
            return chunks.last(event, patch)
        if kind == "state":
            return chunks.first(event, patch)
        if chunks.pending:
            return None
        return chunks.count(event, patch) if kind == "usage" else chunks.first_text(event, patch)

    def bare(self, event: Event) -> dict[str, Any] | None:
        """Return the chunk that says nothing and has no choices, or None for one that is more."""
        beside = beside_bare(event, self.dialect)
        frame = None if beside is None else self.chunks.bare()
        if frame is not None and beside is not None and beside[0] is not None:
            frame[PADDING] = beside[0]
        return frame

    def write(self, event: Event) -> list[Frame]:
        """Return the frames that an event makes by habit."""
        kind = event["type"]
        if kind == "start":
            self.home = event.get("dialect") == self.dialect
            self.ended = False
            if not self.home and self._abroad is None:
                self._abroad = ChunksAbroad(self, self.vendor)
        elif kind == "end":
            return self._end(event)
        elif kind == "opaque":
            return self._opaque(event)
        return self._abroad.write(event) if self._abroad is not None and not self.home else self.chunks.write(event)

    def _opaque(self, event: Event) -> list[Frame]:
        if event["dialect"] == self.dialect:
            return [event["data"]]
        self.lost_frame(event)
        return []

    def _end(self, event: Event) -> list[Frame]:
        self.ended = True
        self.chunks.plain = {}  # a chunk behind the end begins anew
        if self._abroad is not None and not self.home:
            return [*self._abroad.end(), DONE] if event["complete"] else self._abroad.cut()
        rest = self.chunks.flush()
        silent = not event["complete"] or spelling(event, self.dialect).get("end") == "absent"
        return rest if silent else [*rest, DONE]
