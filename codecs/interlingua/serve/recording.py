"""A record of what was said, for whoever asks for it: lines of JSON, without headers and addresses, so without keys.

Each line is `{"call", "kind", "body"}`. `kind` is `asked` and `answer` for what the client says and hears, `sent` and
`said` for what the provider is asked and says; `said` and `answer` of a stream have a line a frame. Where bytes pass as
they are, `body` is their text, or their base64 where they are none.
"""

from __future__ import annotations

import base64
import os
from itertools import count
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias

from interlingua.strict_json import compact

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Kind", "Recorder", "Recording"]

Kind: TypeAlias = Literal["asked", "sent", "said", "answer"]


class Recorder:
    """Appends to one file, which only its owner can read. Without a path it records nothing."""

    def __init__(self, path: str | Path | None) -> None:
        self._file: BinaryIO | None = None
        if path is not None:
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            self._file = os.fdopen(descriptor, "ab", buffering=0)
        self._numbers = count(1)

    def call(self) -> Recording:
        """Return what records one request."""
        return Recording(self._file, next(self._numbers))

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


class Recording:
    """Records one request."""

    def __init__(self, file: BinaryIO | None, number: int) -> None:
        self._file = file
        self._number = number

    @property
    def is_on(self) -> bool:
        """Whether anything is recorded."""
        return self._file is not None

    def note(self, kind: Kind, body: Any) -> None:
        """Record what was said: JSON, or bytes as they passed."""
        if self._file is not None and not self._file.closed:
            said = _text(body) if isinstance(body, bytes) else body
            self._file.write(compact({"call": self._number, "kind": kind, "body": said}) + b"\n")


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return base64.b64encode(data).decode()
