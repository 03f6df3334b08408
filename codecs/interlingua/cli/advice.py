"""What to do next: each finding ends in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.errors import (
    DecodeError,
    EncodeError,
    FrameError,
    LossError,
    MigrationError,
    UnknownProfileError,
    UnknownVersionError,
)

if TYPE_CHECKING:
    from interlingua.errors import InterlinguaError

__all__ = ["of_error", "of_reason"]

_CUT: Final = "is the file cut off? Write it anew"
# Where a reason holds the words on the left, the right says what to do; the first row that fits counts.
_REASONS: Final[tuple[tuple[str, str], ...]] = (
    ("is empty", "give one JSON document, or one a line"),
    ("byte order mark", "only the first line may begin with one: take this one out"),
    ("not UTF-8", "save the file as UTF-8"),
    ("NaN and Infinity", "write a number there, or null"),
    ("nested deeper", "no provider takes that: make it flatter"),
    ("longer than the limit", "--max-bytes N takes more"),
    ("unexpected end of data", _CUT),
    ("unclosed", _CUT),
    ("not JSON", "correct the JSON there, or name the form of a stream with --kind stream"),
    ("stops inside", _CUT),
    ("holds no frame", "give the recorded stream: server-sent events, NDJSON or a JSON array"),
    ("internal error", "the other documents are not concerned"),
)
_ELSE: Final = "correct it there"


def of_reason(reason: str) -> str:
    """Return what to do where something cannot be read for a reason."""
    return next((advice for words, advice in _REASONS if words in reason), _ELSE)


def of_error(error: InterlinguaError) -> str:
    """Return what to do about an error of the library."""
    if isinstance(error, DecodeError):
        return _of_decoding(error)
    if isinstance(error, EncodeError):
        return "correct it there, or choose another target with --to"
    if isinstance(error, LossError):
        return "without --strict it is written all the same; --losses FILE has each loss"
    if isinstance(error, MigrationError):
        return "correct it there, or say what it is with --version or --dialect"
    if isinstance(error, UnknownVersionError):
        return "a newer interlingua may read it"
    if isinstance(error, UnknownProfileError):
        return "choose one of them, or --profile none"
    return of_reason(str(error)) if isinstance(error, FrameError) else _ELSE


def _of_decoding(error: DecodeError) -> str:
    """Return what to do about a body that is not what its dialect says."""
    if error.looks_like_dialect is None:
        return "correct it there, or say what it is with --from and --kind"
    if error.looks_like == "error":
        return "it has nothing to translate: leave it out, or read it with il.decode_error"
    return f"try --from {error.looks_like_dialect} --kind {error.looks_like}"
