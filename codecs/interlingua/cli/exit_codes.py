"""The exit codes, and their description in `--help`."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

__all__ = ["EXPLANATION", "ExitCode"]


class ExitCode(IntEnum):
    """The result of a run. If several failures occur, the highest code is used."""

    FINE = 0
    REFUSED = 1
    USAGE = 2
    UNREADABLE = 3
    # The code by which shells report an interrupted program.
    INTERRUPTED = 130


# `\b` prevents the help from reflowing the lines of a paragraph.
EXPLANATION: Final = """\b
Exit codes:
  0  fine
  1  something would be lost under --strict, or a document or body breaks a rule
  2  usage: an unknown option or name, a file that cannot be read or written
  3  input that is empty, not JSON or cannot be decoded; the other lines are still processed
Of several failures, the highest code counts.
"""
