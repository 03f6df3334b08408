"""What the exit codes mean, and how `--help` says so."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

__all__ = ["EXPLANATION", "ExitCode"]


class ExitCode(IntEnum):
    """How a run went. Of several failures, the highest code counts."""

    FINE = 0
    REFUSED = 1
    USAGE = 2
    UNREADABLE = 3
    # What a shell reports for a program that was interrupted.
    INTERRUPTED = 130


# `\b` keeps the lines of a paragraph as they are.
EXPLANATION: Final = """\b
Exit codes:
  0  fine
  1  something would be lost under --strict, or a document or body breaks a rule
  2  usage: an unknown option or name, a file that cannot be read or written
  3  input that is empty, not JSON or cannot be decoded; the other lines are still processed
Of several failures, the highest code counts.
"""
