"""Detects the dialect and kind of a body from its shape, by the shapes that each room declares."""

from __future__ import annotations

from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from interlingua.argument_checks import READ_FRAMES, instead, misuse_within_json
from interlingua.errors import DecodeError, InterlinguaError
from interlingua.json_types import is_list, is_object
from interlingua.pointers import pointer_tokens, value_at
from interlingua.registry import descriptor, dialects, room

if TYPE_CHECKING:
    from interlingua.registry import Dialect
    from interlingua.spi.signs import Shape, Signs

__all__ = ["Detection", "detect", "detection_text", "likeliest", "with_detected_kind"]

Kind: TypeAlias = Literal["request", "response", "stream", "error"]

_KINDS: Final[tuple[Kind, ...]] = ("response", "request", "stream", "error")
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "text": (str,), "number": (int, float), "object": (dict,), "list": (list,)
}  # fmt: skip
_JSON: Final = frozenset({str, int, float, bool, list, type(None)})
_DONE: Final = "[DONE]"
_ANY: Final = "*"
_FRAMES: Final = 50  # frames of a stream that are looked at
_ITEMS: Final = 200  # items of a list that are looked at
_LEAST: Final = 0.05
_SURE: Final = 0.5


class Detection(NamedTuple):
    """What a body may be: its `dialect`, its `kind`, and a `certainty` from 0 to 1.

    Example:
        >>> found = il.detect({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]})[0]
        >>> found.dialect, found.kind, found.certainty > 0.5
        ('gemini', 'request', True)
    """

    dialect: Dialect
    kind: Kind
    certainty: float


def detect(body: Any) -> tuple[Detection, ...]:
    """Return what a body may be, the likeliest first; empty if it looks like nothing known.

    `body` is a parsed request, response or error, a frame of a stream, or a list of frames. If several dialects share a
    format, as OpenAI and vLLM do, all of them are returned.

    Args:
        body: The parsed JSON: an object, or a list of frames.

    Example:
        >>> il.detect({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]})[0].dialect
        'gemini'
    """
    found = _detections(body, _KINDS)
    return tuple(sorted(found, key=lambda one: -one.certainty))  # stable: ties stay in order


def likeliest(body: Any, kind: Kind) -> Dialect | None:
    """Return the likeliest dialect of a body of a given kind, or None: as `detect` does, but for one kind only."""
    found = _detections(body, (kind,))
    return max(found, key=lambda one: one.certainty).dialect if found else None  # ties: the first


def with_detected_kind(error: DecodeError, body: Any, wanted: Kind) -> DecodeError:
    """Return a decoding error that adds what the body looks like, if that differs from what was expected."""
    other = _misuse(body, pointer_tokens(error.path)[1 if wanted == "stream" else 0 :])
    if other:
        reason = READ_FRAMES if wanted == "stream" and type(body) is bytes else other
        return DecodeError(error.dialect, error.path, f"{error.reason}; {reason}", error.partial)
    found = detect(body)
    taken = max((one.certainty for one in found if (one.dialect, one.kind) == (error.dialect, wanted)), default=0.0)
    if not found or found[0].certainty < max(_SURE, 2 * taken):
        return error
    best = found[0]
    reason = f"{error.reason}; it looks like {detection_text(best)}"
    if best.kind == "error":
        reason += ", which `decode_error` reads"
    return DecodeError(
        error.dialect, error.path, reason, error.partial, looks_like=best.kind, looks_like_dialect=best.dialect
    )


def _misuse(body: Any, steps: list[str]) -> str:
    """Describe a value at `steps` that is not JSON, or a top-level value that is not an object; else return ""."""
    value = body
    for step in steps:
        value = value_at(value, (step,), value)
    if value is body:
        return "" if is_object(value) else instead(value)
    return "" if is_object(value) or type(value) in _JSON else misuse_within_json(value)


def detection_text(found: Detection) -> str:
    """Return a detection in words: "a Claude request"."""
    title = descriptor(found.dialect).title.partition(" (")[0]
    return f"{'an' if title[:1] in 'AEIOU' else 'a'} {title} {found.kind}"


def _detections(body: Any, kinds: tuple[Kind, ...]) -> list[Detection]:
    """Return the detections of a body for the given kinds, in the order of kinds and dialects."""
    shapes: dict[tuple[Kind, Dialect], Shape] = {
        (kind, dialect): shape for kind in kinds for dialect in dialects() if (shape := _shape(dialect, kind))
    }
    places = _places(tuple(shapes.values()))
    bodies = {kind: _bodies(body, kind) for kind in kinds}
    # Each body is walked once, for all dialects and kinds.
    seen = {id(one): _found_paths(one, places) for several in bodies.values() for one in several}
    found: list[Detection] = []
    for (kind, dialect), shape in shapes.items():
        in_array = kind == "error" and is_list(body)  # more likely the only frame of a stream
        certainty = _certainty(shape, [seen[id(one)] for one in bodies[kind]], less=int(in_array))
        if certainty >= _LEAST:
            found.append(Detection(dialect, kind, certainty))
    return found


def _shape(dialect: str, kind: Kind) -> Shape | None:
    """Return the shape of a dialect's bodies of a kind, or None if its room declares none."""
    try:
        signs: Signs | None = getattr(room(dialect), "SIGNS", None)
    except InterlinguaError:  # a third-party room that cannot be loaded must not hide the others
        return None
    return None if signs is None else getattr(signs, kind)


def _bodies(body: Any, kind: Kind) -> list[Any]:
    """Return the values that must have the shape: the body, or the frames of a stream."""
    if is_list(body):
        if kind == "stream":
            return list(islice(body, _FRAMES))
        return body if kind == "error" and len(body) == 1 else []  # the error of a stream in the form of a JSON array
    return [body] if is_object(body) or (kind == "stream" and body == _DONE) else []


def _certainty(shape: Shape, seen: list[set[str]], less: int) -> float:
    """Return the certainty that bodies with these paths have a shape; 0 if they do not.

    Each step of `less` halves it.
    """
    fitting = sum(any(paths.issuperset(demanded) for demanded in shape.demands) for paths in seen)
    if not fitting or 2 * fitting < len(seen):
        return 0
    anywhere = set[str]().union(*seen)
    doubt = (1 - shape.certainty) * 0.5 ** len(anywhere.intersection(shape.own))
    less += len(anywhere.intersection(shape.foreign)) + len(shape.usual) - len(anywhere.intersection(shape.usual))
    return round((1 - doubt) * 0.5**less, 3)


class _Place(NamedTuple):
    """A node in the tree of known paths: the paths that end here, with their expected values, and its children."""

    ends: dict[str, str]
    below: dict[str, _Place]


@cache
def _places(shapes: tuple[Shape, ...]) -> _Place:
    """Return the tree of the paths of shapes; the root is the body itself."""
    top = _Place({}, {})
    for shape in shapes:
        for path in chain(*shape.demands, shape.own, shape.foreign, shape.usual):
            names, _, word = path.partition("=")
            place = top
            for name in names.split("/"):
                place = place.below.setdefault(name, _Place({}, {}))
            place.ends[path] = word
    return top


def _found_paths(body: Any, top: _Place) -> set[str]:
    """Return the known paths that a body has."""
    if body == _DONE:
        return {_DONE}
    found = set[str]()
    _look(body, top, found)
    return found


def _look(value: Any, place: _Place, found: set[str]) -> None:
    for path, word in place.ends.items():
        if path not in found and _is_said(value, word):
            found.add(path)
    if is_object(value):
        for name in place.below.keys() & value.keys():
            if name != _ANY:
                _look(value[name], place.below[name], found)
    elif is_list(value) and _ANY in place.below:
        for item in islice(value, _ITEMS):
            _look(item, place.below[_ANY], found)


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
