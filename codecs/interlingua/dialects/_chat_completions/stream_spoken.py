"""A spoken answer that comes in pieces: sound and transcript grow, all else is said once."""

from __future__ import annotations

from typing import Any, Final

_GROWING: Final = ("data", "transcript")


class Spoken:
    """The pieces of `delta.audio`, joined once."""

    def __init__(self, block: int) -> None:
        self.block = block
        self._said: dict[str, Any] = {}
        self._pieces: dict[str, list[str]] = {}

    def add(self, audio: dict[str, Any]) -> None:
        """Take a piece."""
        for name, value in audio.items():
            if name in _GROWING and type(value) is str:
                self._pieces.setdefault(name, []).append(value)
            elif value is not None:
                self._said[name] = value

    def made(self) -> dict[str, Any]:
        """Return the whole `audio` of a message."""
        return {**self._said, **{name: "".join(pieces) for name, pieces in self._pieces.items()}}
