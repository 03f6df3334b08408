"""Law 8: a known member of a shape that nobody expected is refused only where the body cannot be read without it.

Else it stays in `fields` at home and is a loss abroad.
"""

from __future__ import annotations

import contextlib
import json
import random
from typing import TYPE_CHECKING, Any, Final

import pytest
from pydantic import ValidationError

import interlingua as il
from interlingua.streaming import gather
from support import corpus
from support.canonical import difference, leaves, pointer, tokens, unchanged
from support.rooms import KINDS, PAIRS, ROWS, Kind, decode, encode
from support.shapes import (
    NEEDED,
    NEEDED_IN_FRAMES,
    SILENT,
    Place,
    frame_places,
    kind_of,
    places,
    reshaped,
    without,
)
from support.silence import is_idle, is_unsaid
from support.streams import read, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

pytestmark = [pytest.mark.laws]

CASES: Final = [pytest.param(dialect, kind, id=f"{dialect}-{kind}") for dialect in ROWS for kind in KINDS]
_ABSENT: Final = object()
_SAMPLE: Final = 75  # places a pair, unless the laws run as a whole


def carried(dialect: str, kind: Kind, place: Place, body: Any) -> str:
    """Return why a body does not come back as it was; empty where it does, or may be refused."""
    before = json.dumps(body)
    try:
        canonical = decode(dialect, kind, body)
        (il.ChatRequest if kind == "request" else il.ChatResponse).model_validate(canonical)
        encoded, losses = encode(dialect, kind, canonical)
    except il.DecodeError as error:
        return "" if allowed(dialect, kind, place, error) else f"refused at {error.path}"
    except ValidationError as error:
        return f"not canonical: {error.errors()[0]['loc']}"
    changed = "" if unchanged(before, body) else "the body was changed"
    return changed or difference(body, encoded) or ("a loss at home" if losses else "")


def allowed(dialect: str, kind: Kind, place: Place, error: il.DecodeError) -> bool:
    """Tell whether an error names a place that nothing can be read without, and which the shape has to do with."""
    return _needed(NEEDED[dialect, kind], place, kind_of(tuple(error.path.split("/")[1:])))


def _needed(needed: Mapping[str, str], place: Place, named: str) -> bool:
    """Tell whether a kind of place is needed, and holds the place of the shape or stands beside or in it."""
    at, holder = _steps(named), _steps(place.kind)[:-1]
    return named in needed and (at == holder[: len(at)] or holder == at[: len(holder)])


def _steps(kind: str) -> list[str]:
    """Return the names of a kind of place, in one spelling: errors name members in camelCase and as in lists."""
    return [step for step in kind.replace("_", "").lower().split("/") if step != "*"]


@pytest.mark.corpus
@pytest.mark.parametrize(("dialect", "kind"), CASES)
def test_a_member_of_an_unexpected_shape_round_trips_unless_it_is_required(dialect: str, kind: Kind) -> None:
    found: dict[str, str] = {}
    for place in places(ROWS[dialect], kind):
        for shape, body in [*reshaped(place), ("absent", without(place.body, place.path))]:
            where = carried(dialect, kind, place, body)
            if where:
                found[f"{place.kind} of {place.tag}, {shape!r}"] = where
    assert found == {}


@pytest.mark.corpus
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_member_of_an_unexpected_shape_is_read_or_lost_in_other_dialects(
    source: str, target: str, kind: Kind
) -> None:
    found: dict[str, str] = {}
    chosen = [*places(ROWS[source], kind)]
    if not corpus.whole():
        chosen = random.Random(f"{source} {target}").sample(chosen, min(_SAMPLE, len(chosen)))
    for place in chosen:
        for shape, body in reshaped(place):
            if shape not in SILENT and silently_lost(source, target, kind, place, body):
                found[f"{place.kind} of {place.tag}"] = repr(shape)
    assert found == {}


def silently_lost(source: str, target: str, kind: Kind, place: Place, body: Any) -> bool:
    """Tell whether what a shape adds to the canonical value is neither written nor lost."""
    try:
        canonical = decode(source, kind, body)
        bare = decode(source, kind, without(place.body, place.path))
    except il.DecodeError:
        return False
    added = [path for path in _additions(bare, canonical) if "/spelling" not in path]
    if kind == "request":
        added = [path for path in added if not _needs_no_word(tokens(path), canonical, target)]
    written, losses = encode(target, kind, canonical)
    told = [loss.path for loss in losses]
    if not added or any(path == one or path.startswith(f"{one}/") for path in added for one in told):
        return False
    return difference(encode(target, kind, bare)[0], written) == ""


def _needs_no_word(path: tuple[str, ...], request: Mapping[str, Any], target: str) -> bool:
    """Tell whether nothing need be said of a value: the target does so unasked, or nothing depends on it."""
    return is_unsaid(path, request, target) or is_idle(path, request, target)


def _additions(bare: Any, whole: Any, path: str = "") -> Iterator[str]:
    """Yield where a canonical value holds something that another one has not."""
    if isinstance(bare, dict) and isinstance(whole, dict):
        for name, value in whole.items():
            yield from _additions(bare.get(name, _ABSENT), value, path + pointer((name,)))
    elif isinstance(bare, list) and isinstance(whole, list) and len(bare) == len(whole):
        for at, (one, other) in enumerate(zip(bare, whole, strict=True)):
            yield from _additions(one, other, f"{path}/{at}")
    elif isinstance(bare, dict) != isinstance(whole, dict) or bare is _ABSENT or difference(bare, whole):
        yield from (path + pointer(one) for one, _ in leaves(whole))


@pytest.mark.corpus
@pytest.mark.parametrize("dialect", ROWS)
def test_a_frame_with_a_member_of_an_unexpected_shape_round_trips_unless_it_is_required(dialect: str) -> None:
    found: dict[str, str] = {}
    chosen = [*frame_places(ROWS[dialect])]
    if not corpus.whole():
        chosen = random.Random(dialect).sample(chosen, min(_SAMPLE, len(chosen)))
    for kind, place in chosen:
        for shape, came in [*reshaped(place), ("absent", without(place.body, place.path))]:
            where = streamed(dialect, place, came)
            if where:
                found[f"{place.kind} of {place.tag} in {kind}, {shape!r}"] = where
    assert found == {}


def streamed(dialect: str, place: Place, came: list[Any]) -> str:
    """Return why frames do not come back as they were; empty where they do, or may be refused."""
    try:
        events = read(dialect, came)
    except il.DecodeError as error:
        named = kind_of(tuple(error.path.split("/")[2:]))
        return "" if _needed(NEEDED_IN_FRAMES[dialect], place, named) else f"refused at {error.path}"
    with contextlib.suppress(il.DecodeError):  # of what is needed, or an error that came in mid-stream
        gather(events, refused=False)
    made, losses = write(dialect, events)
    return difference(came, made) or ("a loss at home" if losses else "")


REFUSED_AT: Final = [("/messages/0/content", True), ("/temperature", False), ("/messages/1/name", False)]


@pytest.mark.parametrize(("path", "needed"), REFUSED_AT)
def test_a_room_that_refuses_an_optional_member_is_detected(path: str, needed: bool) -> None:  # a row of the table
    # A test of the test: what may be refused is what is said, in the place that is of another shape.
    place = Place(path[1:].replace("0", "*").replace("1", "*"), "", {}, ())
    error = il.DecodeError("openai_chat", path, "expected text")
    assert allowed("openai_chat", "request", place, error) is needed
    elsewhere = Place("tools/*/function/description", "", {}, ())
    assert not allowed("openai_chat", "request", elsewhere, error)
