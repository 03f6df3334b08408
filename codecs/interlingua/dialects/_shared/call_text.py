"""The arguments of a call that are written piece by piece to a dialect that they do not come from."""

from __future__ import annotations

from json import dumps


class CallText:
    """A call that is being written: the number of the event that began it, of the one that told its arguments first.

    `enclosed`: free text stands inside an object, since the dialect has no free text.
    """

    def __init__(self, number: int, *, enclosed: bool) -> None:
        self.number = self.told = number
        self.enclosed = enclosed
        self.pieces: list[str] = []

    def piece(self, text: str, number: int) -> str:
        """Return what is written for a piece of the arguments, which an event told."""
        opening = ""
        if not self.pieces:
            self.told = number
            opening = '{"input":"' if self.enclosed else ""
        self.pieces.append(text)
        return opening + dumps(text, ensure_ascii=False)[1:-1] if self.enclosed else text

    def ending(self) -> str:
        """Return what closes the object that free text stands in."""
        return '"}' if self.pieces else '{"input":""}'
