"""Whose a body is, and what: told by its shape alone, by what each room says of itself."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from interlingua.errors import DecodeError, InterlinguaError
from interlingua.migrate.kinds import is_list, is_object
from interlingua.registry import descriptor, dialects, room

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.registry import Dialect
    from interlingua.spi.signs import Shape, Signs

__all__ = ["Detection", "described", "detect", "with_looks"]

Kind: TypeAlias = Literal["request", "response", "stream", "error"]

_KINDS: Final[tuple[Kind, ...]] = ("response", "request", "stream", "error")
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "text": (str,), "number": (int, float), "object": (dict,), "list": (list,)
}  # fmt: skip
_DONE: Final = "[DONE]"
_FRAMES: Final = 50  # so many of a stream tell what it is
_ITEMS: Final = 200  # so many of a list
_LEAST: Final = 0.05
_SURE: Final = 0.5


class Detection(NamedTuple):
    """What a body may be: of a `dialect`, of a `kind`, with a `certainty` from 0 to 1.

    Example:
        >>> found = il.detect({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]})[0]
        >>> found.dialect, found.kind, found.certainty > 0.5
        ('gemini', 'request', True)
    """

    dialect: Dialect
    kind: Kind
    certainty: float


def detect(body: Any) -> tuple[Detection, ...]:
    """Return what a body may be, the likeliest first; nothing where it looks like nothing that is known.

    `body` is a parsed request, response or error, a frame of a stream, or a list of frames. Dialects that write the
    same, such as those of OpenAI and vLLM, are all named.

    Args:
        body: What came: plain JSON, an object, or a list of frames.

    Example:
        >>> il.detect({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]})[0].dialect
        'gemini'
    """
    found = [one for kind in _KINDS for dialect in dialects() if (one := _judged(body, dialect, kind)) is not None]
    return tuple(sorted(found, key=lambda one: -one.certainty))  # of equals the dialect that is listed first


def with_looks(error: DecodeError, body: Any, wanted: Kind) -> DecodeError:
    """Return an error of decoding that says what the body looks like, where that is not what it was taken for."""
    found = detect(body)
    taken = max((one.certainty for one in found if (one.dialect, one.kind) == (error.dialect, wanted)), default=0.0)
    if not found or found[0].certainty < max(_SURE, 2 * taken):
        return error
    best = found[0]
    reason = f"{error.reason}; it looks like {described(best)}"
    if best.kind == "error":
        reason += ", which `decode_error` reads"
    return DecodeError(
        error.dialect, error.path, reason, error.partial, looks_like=best.kind, looks_like_dialect=best.dialect
    )


def described(found: Detection) -> str:
    """Return in words what a body is: "a Claude request"."""
    title = descriptor(found.dialect).title.partition(" (")[0]
    return f"{'an' if title[:1] in 'AEIOU' else 'a'} {title} {found.kind}"


def _judged(body: Any, dialect: Dialect, kind: Kind) -> Detection | None:
    """Return how sure it is that a body is of a kind and a dialect, or None where it is not."""
    shape = _shape(dialect, kind)
    if shape is None:
        return None
    bodies = _bodies(body, kind)
    if not bodies:
        return None
    fitting = sum(_fits(one, shape) for one in bodies)
    if 2 * fitting < len(bodies):
        return None
    doubt = 1 - shape.certainty
    doubt *= 0.5 ** _count(bodies, shape.own)
    less = _count(bodies, shape.foreign) + len(shape.usual) - _count(bodies, shape.usual)
    if kind == "error" and is_list(body):  # rather the only frame of a stream
        less += 1
    certainty = round((1 - doubt) * 0.5**less, 3)
    return Detection(dialect, kind, certainty) if certainty >= _LEAST else None


def _shape(dialect: str, kind: Kind) -> Shape | None:
    """Return the shape of a dialect's bodies, or None where its room says none."""
    try:
        signs: Signs | None = getattr(room(dialect), "SIGNS", None)
    except InterlinguaError:  # a room of a third party that cannot be loaded hides no other
        return None
    return None if signs is None else getattr(signs, kind)


def _bodies(body: Any, kind: Kind) -> list[Any]:
    """Return what has to have the shape: the body, or the frames of a stream."""
    if is_list(body):
        if kind == "stream":
            return list(islice(body, _FRAMES))
        return body if kind == "error" and len(body) == 1 else []  # the error of a stream that is an array
    return [body] if is_object(body) or (kind == "stream" and body == _DONE) else []


def _fits(body: Any, shape: Shape) -> bool:
    if body == _DONE:
        return any(_DONE in paths for paths in shape.demands)
    return any(all(_is_found(body, path) for path in paths) for paths in shape.demands)


def _count(bodies: list[Any], paths: tuple[str, ...]) -> int:
    """Return how many of the paths are found in any of the bodies."""
    return sum(any(_is_found(body, path) for body in bodies) for path in paths)


def _is_found(body: Any, path: str) -> bool:
    steps, word = _parsed(path)
    return any(_is_said(value, word) for value in _at(body, steps))


@cache
def _parsed(path: str) -> tuple[tuple[str, ...], str]:
    """Return the steps of a path, and what is to stand at its end."""
    places, _, word = path.partition("=")
    return tuple(places.split("/")), word


def _at(value: Any, steps: tuple[str, ...]) -> Iterator[Any]:
    """Yield what stands where the steps lead."""
    if not steps:
        yield value
    elif steps[0] == "*":
        for item in islice(value, _ITEMS) if is_list(value) else ():
            yield from _at(item, steps[1:])
    elif is_object(value) and steps[0] in value:
        yield from _at(value[steps[0]], steps[1:])


def _is_said(value: Any, word: str) -> bool:
    if value is None:
        return word == "null"
    if not word:
        return True
    if type(value) is bool:
        return word == ("true" if value else "false")
    types = _TYPES.get(word)
    if types is not None:
        return type(value) in types
    if type(value) is not str:
        return False
    return value.startswith(word[:-1]) if word.endswith("*") else value == word
