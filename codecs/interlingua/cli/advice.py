"""Advice for each error message: what to do next."""

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
    from collections.abc import Collection, Sequence

    from interlingua.errors import InterlinguaError

__all__ = ["BODY_WANTED", "of_error", "of_reason"]

BODY_WANTED: Final = "a body must be a JSON object"
_CUT: Final = "is the file incomplete? Write it again"
_SAID: Final = ""  # the reason says it
_BROKEN: Final = "correct the JSON there"
_STREAM: Final = "interlingua show and interlingua stats also read streams"
# If a reason contains the words on the left, the right is the advice; the first matching row applies.
_REASONS: Final[tuple[tuple[str, str], ...]] = (
    ("is empty", "give one JSON document, or one per line"),
    ("byte order mark", _SAID),
    ("decompress it first", _SAID),
    ("convert it to UTF-8", _SAID),
    ("not UTF-8", "save the file as UTF-8"),
    ("NaN and no Infinity", "write a number there, or null"),
    ("nested", "no provider accepts that: reduce the nesting"),
    ("longer than the limit", "raise the limit with --max-bytes N"),
    ("unexpected end of data", _CUT),
    ("unclosed", _CUT),
    ("number is infinity", "write a number that a double can hold, or text"),
    ("surrogate", "the text was cut off within a character: write it again"),
    ("server-sent events", _STREAM),
    ("not JSON", _BROKEN),
    ("ends within", _CUT),
    ("holds no frame", "give the recorded stream: server-sent events, NDJSON or a JSON array"),
    ("internal error", "the other documents are not affected"),
)
_KIND: Final = "--kind"
_ELSE: Final = "correct it there"


def of_reason(reason: str, options: Collection[str]) -> str:
    """Return the advice for input that cannot be read; "" if the reason itself contains it.

    Args:
        reason: Why the input cannot be read.
        options: The options of the command, such as `--kind`; the advice names no others.
    """
    advice = next((advice for words, advice in _REASONS if words in reason), _ELSE)
    if advice is _STREAM and _KIND in options:
        return "name it with --kind stream"
    is_broken = advice is _BROKEN and _KIND in options
    return f"{advice}, or name the form of a stream with --kind stream" if is_broken else advice


def of_error(error: InterlinguaError, options: Collection[str]) -> str:
    """Return the advice for an error of the library; it names only options of the command."""
    if isinstance(error, DecodeError):
        return _of_decoding(error, options)
    if isinstance(error, EncodeError):
        return _or("correct it there", "choose another target with", ["--to"], options)
    if isinstance(error, LossError):
        return "without --strict it is written all the same; --losses FILE lists each loss"
    if isinstance(error, MigrationError):
        if "it looks like" in error.reason:
            return "give only its messages; interlingua show displays it as it is"
        return _or("correct it there", "say what it is with", ["--version", "--dialect"], options, " or ")
    if isinstance(error, UnknownVersionError):
        return "a newer version of interlingua may be able to read it"
    if isinstance(error, UnknownProfileError):
        return "choose one of them, or --profile none"
    return of_reason(str(error), options) if isinstance(error, FrameError) else _ELSE


def _of_decoding(error: DecodeError, options: Collection[str]) -> str:
    """Return the advice for a body that is not valid in its dialect."""
    if error.reason == BODY_WANTED:
        return "give whole bodies, a JSON object each"
    if error.looks_like_dialect is None:
        return _or("correct it there", "say what it is with", ["--from", _KIND], options)
    if error.looks_like == "error":
        return "it is an error response, which is not translated: leave it out, or read it with il.decode_error"
    if _KIND in options:
        return f"try --from {error.looks_like_dialect} --kind {error.looks_like}"
    if error.looks_like == "request":
        return f"try --from {error.looks_like_dialect}"
    return f"leave it out; interlingua show --from {error.looks_like_dialect} displays it"


def _or(advice: str, other: str, wanted: Sequence[str], options: Collection[str], joint: str = " and ") -> str:
    """Return advice, with an alternative that names the wanted options which the command has, if any."""
    there = [one for one in wanted if one in options]
    return f"{advice}, or {other} {joint.join(there)}" if there else advice
