"""Optional recording of the traffic as JSON lines, without headers and URLs, and so without keys.

Each line is `{"call", "kind", "body"}`. `kind` is `asked` for the client's request, `sent` for the request to the
provider, `said` for the provider's response, and `answer` for the response to the client; streams have a line for each
frame. For relayed bytes, `body` is their text, or base64 if they are not text.
"""

from __future__ import annotations

import base64
import logging
import os
from itertools import count
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, TypeAlias

from interlingua.strict_json import compact

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Kind", "Recorder", "Recording"]

Kind: TypeAlias = Literal["asked", "sent", "said", "answer"]


_LOG: Final = logging.getLogger("interlingua.serve")


class Recorder:
    """Appends to a file that only its owner can read. Without a path it records nothing.

    If the file cannot be written, as on a full disk, this is logged, and nothing more is recorded: requests go on.
    """

    def __init__(self, path: str | Path | None) -> None:
        self._file: BinaryIO | None = None
        if path is not None:
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            self._file = os.fdopen(descriptor, "ab", buffering=0)
        self._numbers = count(1)

    @property
    def is_on(self) -> bool:
        """Whether anything is recorded."""
        return self._file is not None

    def call(self) -> Recording:
        """Return the recording of one request."""
        return Recording(self, next(self._numbers))

    def write(self, line: bytes) -> None:
        """Append a line, unless the file is closed."""
        if self._file is None:
            return
        try:
            self._file.write(line)
        except OSError as error:
            _LOG.error("nothing is recorded any more: %s", error.strerror)
            self.close()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


class Recording:
    """Records one request."""

    def __init__(self, recorder: Recorder, number: int) -> None:
        self._recorder = recorder
        self._number = number

    def note(self, kind: Kind, body: Any) -> None:
        """Record a body: JSON, or relayed bytes."""
        if self._recorder.is_on:
            said = _text(body) if isinstance(body, bytes) else body
            self._recorder.write(compact({"call": self._number, "kind": kind, "body": said}) + b"\n")


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return base64.b64encode(data).decode()
