"""`--from auto`: detects the dialect of the input by its shape."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.cli.advice import BODY_WANTED
from interlingua.cli.speakers import AUTO
from interlingua.detection import detect, detection_text, likeliest
from interlingua.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.detection import Kind
    from interlingua.frames import Frame

__all__ = ["body_of", "source_of", "source_of_stream"]

_FRAMES: Final = 8  # how many frames are read before the dialect is determined


def body_of(value: Any, dialect: str, kind: str) -> tuple[dict[str, Any], str]:
    """Return a body and its dialect, which is detected if `dialect` is `auto`.

    Raises:
        DecodeError: it is not an object, or its dialect cannot be detected.
    """
    if type(value) is not dict:
        raise DecodeError(dialect, "", BODY_WANTED)
    return cast("dict[str, Any]", value), source_of(value, kind) if dialect == AUTO else dialect


def source_of(body: Any, kind: str) -> str:
    """Return the most likely dialect of a body.

    Raises:
        DecodeError: it does not look like a body of that kind in any dialect.
    """
    dialect = likeliest(body, cast("Kind", kind))
    if dialect is not None:
        return dialect
    found = detect(body)
    reason = f"the body does not look like a {kind} of a known dialect"
    if not found:
        raise DecodeError(AUTO, "", reason)
    reason += f"; it looks like {detection_text(found[0])}"
    raise DecodeError(AUTO, "", reason, looks_like=found[0].kind, looks_like_dialect=found[0].dialect)


def source_of_stream(frames: Iterable[Frame]) -> tuple[str, Iterable[Frame]]:
    """Return the most likely dialect of a stream, and all its frames.

    Raises:
        DecodeError: the first frames do not look like a stream of any dialect.
    """
    iterator = iter(frames)
    held = list(islice(iterator, _FRAMES))
    return source_of(held, "stream"), chain(held, iterator)
