"""The losses of a run as a JSON file."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from interlingua.strict_json import compact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.loss import Loss

__all__ = ["LossFile"]


class LossFile:
    """A JSON array of losses, one a line, written one by one so that memory stays constant.

    Every method raises `OSError` where the file takes no more.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._is_empty = True

    def add(self, line: int, losses: Iterable[Loss]) -> None:
        """Write the losses of the body that begins on this line."""
        for loss in losses:
            entry = {
                "body": line,
                "code": loss.code,
                "path": loss.path,
                "detail": loss.detail,
                "severity": loss.severity,
            }
            self._stream.write((b"[\n" if self._is_empty else b",\n") + compact(entry))
            self._is_empty = False

    def close(self) -> None:
        """Finish the array, and close the file."""
        with self._stream:
            self._stream.write(b"[]\n" if self._is_empty else b"\n]\n")
