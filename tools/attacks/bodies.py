"""Passes mutated bodies and streams to every public function: each must return a value or raise its documented error.

The recorded payloads of the corpus are mutated, or the vectors of the schema if there is no corpus. The same seed gives
the same bodies: `failures_of(seed, number)` repeats the one that a line names.
"""

# JSON of any shape: narrowing leaves the member types unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import copy
import math
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

TOOLS: Final = Path(__file__).resolve().parents[1]
for _folder in (TOOLS, TOOLS.parent / "tests"):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))

import interlingua as il  # noqa: E402  # found through the lines above where nothing is installed
from fuzz_judge import DIALECTS  # noqa: E402
from fuzz_mutation import mutated, places, words  # noqa: E402
from fuzz_seeds import seeds  # noqa: E402
from interlingua.errors import DecodeError, EncodeError, InterlinguaError, StreamError  # noqa: E402
from support import corpus  # noqa: E402
from support.mutations import NEWS, everywhere  # noqa: E402

LARGEST: Final = 20_000
"""Larger recordings find nothing more, and take long."""

MOST: Final = 200
"""The maximum number of recordings for each dialect and kind."""

CHUNK: Final = 250
KINDS: Final = ("request", "response", "stream")
FOLDERS: Final = {"claude": "anthropic"}
"""The corpus folder of each dialect that has another name there."""


def nested(levels: int, kind: type = dict) -> Any:
    """Return nested objects or lists of that many levels."""
    value: Any = "deep"
    for _ in range(levels):
        value = {"x": value} if kind is dict else [value]
    return value


# Deeper than Python can recurse: copying or comparing it fails.
ENDLESS: Final = (nested(5_000), nested(5_000, list), {"type": "object", "properties": {"x": nested(5_000)}})
UNWRITABLE: Final[tuple[Any, ...]] = (
    "half \ud83d", {"\ud800": 1}, {"a\ud800": {"b\udfff": 1}}, dict.fromkeys(("x\ud800", "x\udc00"), 1), math.nan,
    {"x": math.inf}, 10**400, {"x": -(10**5_000)}, nested(249), nested(260), *ENDLESS,
)  # fmt: skip
"""Python values that JSON text in UTF-8 cannot hold, or that no parser accepts."""


class Body(NamedTuple):
    """A recorded body, or the frames of a stream."""

    dialect: str
    kind: str
    value: Any


def attack(seed: int, count: int) -> list[str]:
    """Run that many mutated bodies through every function, on all cores; return a line for each kind of failure."""
    starts = range(0, count, CHUNK)
    sizes = [min(CHUNK, count - start) for start in starts]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        found = list(pool.map(_chunk, repeat(seed), starts, sizes))
    counted: Counter[str] = Counter()
    first: dict[str, int] = {}
    for number, failure in (one for of_chunk in found for one in of_chunk):
        counted[failure] += 1
        first.setdefault(failure, number)
    return [f"{failure}: {counted[failure]} times, first with seed={seed} number={first[failure]}" for failure in first]


def _chunk(seed: int, start: int, size: int) -> list[tuple[int, str]]:
    return [(number, failure) for number in range(start, start + size) for failure in failures_of(seed, number)]


def failures_of(seed: int, number: int) -> list[str]:
    """Return the failures for one mutated body: dialect, kind, function and exception class, no content."""
    body = mutant(seed, number)
    kept = copied(body.value)
    found = list(dict.fromkeys(_DOORS[body.kind](body.dialect, body.value)))
    if not is_same(body.value, kept):
        found.append("the input was changed")
    return [f"{body.dialect} {body.kind}: {failure}" for failure in found]


def mutant(seed: int, number: int) -> Body:
    """Return the mutated body with a number; the same seed gives the same body."""
    chance = random.Random(f"{seed}/{number}")  # noqa: S311  # inputs of a test, the same for the same seed
    bodies = recorded()
    dialect = chance.choice(DIALECTS)
    kind = chance.choice(KINDS)
    of_kind = bodies[dialect, kind]
    value = chance.choice(of_kind)
    if chance.random() < 0.3:  # most of these are accepted, and reach the other functions
        value = copy.deepcopy(everywhere(value, chance.randrange(len(NEWS))))
    else:
        value = mutated(value, chance, known_words(), chance.choice(of_kind))
    if chance.random() < 0.4:
        _plant_unwritable(value, chance)
    return Body(dialect, kind, value)


@cache
def recorded() -> dict[tuple[str, str], list[Any]]:
    """Return the recorded bodies by dialect and kind, or the vectors if there is no corpus."""
    found: dict[tuple[str, str], list[Any]] = {(dialect, kind): [] for dialect in DIALECTS for kind in KINDS}
    for dialect, kind, value in seeds():
        if kind in KINDS:
            found[dialect, kind].append(value)
    if corpus.root() is not None:
        for dialect, of_kind in found:
            found[dialect, of_kind] += _of_corpus(FOLDERS.get(dialect, dialect), of_kind)
    return found


@cache
def known_words() -> tuple[str, ...]:
    """Return the member names and short strings of recorded bodies."""
    return words([value for bodies in recorded().values() for value in bodies])


def _of_corpus(folder: str, kind: str) -> list[Any]:
    """Return recorded bodies of a folder, always the same ones."""
    lines = (line for line in corpus.few(folder, kind, MOST) if len(str(line)) < LARGEST)
    return [[event["data"] for event in line["events"]] if kind == "stream" else line["body"] for line in lines]


def _plant_unwritable(value: Any, chance: random.Random) -> None:
    """Insert a value that JSON text cannot hold somewhere; the value is modified, since it cannot be copied then."""
    here = list(places(value))
    if here:
        container, key = chance.choice(here)
        strange = chance.choice(UNWRITABLE)
        if isinstance(strange, dict) and isinstance(container, dict) and chance.random() < 0.5:
            container.update(strange)
        else:
            container[key] = strange


def copied(value: Any) -> Any:
    """Return a copy that shares only values which cannot be copied."""
    return copy.deepcopy(value, {id(one): one for one in _planted()})


def _planted() -> Iterator[Any]:
    """Yield the inserted values and what they contain, since members may be inserted one by one."""
    for one in UNWRITABLE:
        yield one
        if isinstance(one, (dict, list)):
            yield from one.values() if isinstance(one, dict) else one


def is_same(one: Any, other: Any) -> bool:
    """Tell whether two values are equal; shared objects are compared by identity only."""
    return type(one) is type(other) and (one is other or bool(one == other))


def _requests(dialect: str, body: Any) -> Iterator[str]:
    """Yield the failures for a request."""
    undecodable = refused(DecodeError, dialect)
    yield from _tried("check", undecodable, il.check_request, body, dialect)
    request, failures = opened("decode", undecodable, il.decode_request, body, dialect)
    yield from failures
    for target in DIALECTS:
        documented = undecodable if request is None else _unencodable(dialect, target)
        yield from _tried(
            f"translate to {target}", documented, _translated, il.translate_request, body, dialect, target
        )
    if request is None:
        return
    yield from _home(body, _body, il.encode_request, request, dialect)
    for target in DIALECTS:
        repaired, failures = opened(f"repair for {target}", never, il.repair_request, request, target)
        yield from failures
        if repaired is not None:
            door = f"encode what was repaired for {target}"
            yield from _tried(door, _unencodable("", target), _translated, il.encode_request, repaired.request, target)


def _responses(dialect: str, body: Any) -> Iterator[str]:
    """Yield the failures for a response."""
    undecodable = refused(DecodeError, dialect)
    response, failures = opened("decode", undecodable, il.decode_response, body, dialect)
    yield from failures
    for target in DIALECTS:
        documented = undecodable if response is None else _unanswerable(dialect, target, response)
        yield from _tried(
            f"translate to {target}", documented, _translated, il.translate_response, body, dialect, target
        )
    if response is not None:
        yield from _home(body, _body, il.encode_response, response, dialect)


def _streams(dialect: str, frames: Any) -> Iterator[str]:
    """Yield the failures for the frames of a stream."""
    given = frames if isinstance(frames, list) else [frames]
    undecodable = refused(DecodeError, dialect)
    events, failures = opened("decode", undecodable, _listed, il.decode_stream, given, dialect)
    yield from failures
    for target in DIALECTS:
        documented = undecodable if events is None else _unencodable(dialect, target)
        yield from _tried(f"translate to {target}", documented, _listed, il.translate_stream, given, dialect, target)
    if events is None:
        return
    yield from _tried("collect", lambda error: isinstance(error, StreamError) or undecodable(error), il.collect, events)
    yield from _home(given, _listed, il.encode_stream, events, dialect)


def _translated(work: Callable[..., Any], *given: Any) -> Any:
    """Return the losses of an encoded result, which are computed when they are read."""
    return work(*given).losses


def _body(work: Callable[..., Any], *given: Any) -> Any:
    """Return the body of an encoded result."""
    return work(*given).body


def _listed(work: Callable[..., Any], *given: Any) -> list[Any]:
    """Return all items of an iterator."""
    return list(work(*given))


_DOORS: Final[dict[str, Callable[[str, Any], Iterator[str]]]] = {
    "request": _requests,
    "response": _responses,
    "stream": _streams,
}

Documented = Callable[[InterlinguaError], bool]


def refused(kind: type[DecodeError | EncodeError], dialect: str) -> Documented:
    """Return a check for an error of a class, which must have the dialect, a path and a reason."""

    def is_documented(error: InterlinguaError) -> bool:
        if not isinstance(error, (DecodeError, EncodeError)) or type(error) is not kind or error.dialect != dialect:
            return False
        return (not error.path or error.path.startswith("/")) and bool(error.reason)

    return is_documented


def _unencodable(source: str, target: str) -> Documented:
    """Return a check for errors of encoding a decoded value; none is allowed within one dialect."""
    return never if source == target else refused(EncodeError, target)


def _unanswerable(source: str, target: str, response: Any) -> Documented:
    """Return a check for errors of a decoded answer: a failed one may be an error body."""
    unencodable = _unencodable(source, target)
    if source == target or response.finish_reason != "error":
        return unencodable
    failed = refused(DecodeError, source)
    return lambda error: unencodable(error) or (failed(error) and getattr(error, "looks_like", None) == "error")


def never(_error: InterlinguaError) -> bool:
    """Return False: no error is documented."""
    return False


def _tried(door: str, is_documented: Documented, work: Callable[..., Any], *given: Any) -> list[str]:
    """Return the failures of one function."""
    return opened(door, is_documented, work, *given)[1]


def opened(door: str, is_documented: Documented, work: Callable[..., Any], *given: Any) -> tuple[Any, list[str]]:
    """Return the result of a function, None for an error, and the failures."""
    try:
        return work(*given), []
    except InterlinguaError as error:
        return None, [] if is_documented(error) else [f"{door}: {type(error).__name__} that it does not document"]
    except Exception as error:  # noqa: BLE001  # whatever it is, it is what this looks for
        return None, [f"{door}: {type(error).__name__}"]


def _home(came: Any, work: Callable[..., Any], *given: Any) -> list[str]:
    """Return the failures if a value does not round-trip within its dialect."""
    door = "encode at home"
    goes, failures = opened(door, never, work, *given)
    return failures or ([] if is_same(goes, came) else [f"{door}: it does not come back as it was"])
