"""A test kit for rooms: checks the laws of the built-in rooms against a room author's examples.

`check_room(room, requests=..., responses=..., streams=...)` returns the faults; a test asserts that there are none.
Examples are real wire bodies, as the provider accepts and sends them: the more, the better.
"""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import orjson
from pydantic import ValidationError

from interlingua.errors import DecodeError, InterlinguaError, UnsupportedError
from interlingua.events import accumulate
from interlingua.json_diff import differences
from interlingua.loss import LossLog
from interlingua.model import ChatRequest, ChatResponse
from interlingua.model_json import plain_json
from interlingua.normal import normal_form
from interlingua.pointers import pointer
from interlingua.spi.descriptor import Descriptor
from interlingua.spi.guard import GuardedRoom
from interlingua.spi.mutants import mutants
from interlingua.spi.probes import EVENT_PROBES, MEDIA_PROBES, REQUEST_PROBES, RESPONSE_PROBES, Probe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from interlingua.loss import Loss

__all__ = ["Fault", "Law", "check_room"]

Law = Literal[
    "face",  # the room has no descriptor, or one that is not true, or not the functions that each room has
    "canonical",  # what it decodes is no canonical value of its dialect
    "identity",  # a body does not come back as it was, or a loss is reported at home
    "storage",  # a decoded value that was stored does not make the same body
    "losses",  # something does not come along and no loss says so, or one says so and it does
    "purity",  # an input was changed, or the same value made two bodies
    "totality",  # a body of any shape makes another error than a `DecodeError` of the dialect
]
_NEEDED: Final = ("decode_request", "encode_request")


@dataclass(frozen=True, slots=True)
class Fault:
    """One violation of a law.

    `example` says where it was found: a kind and the index of the example, or `probe` and the kind. `path` is a JSON
    Pointer into the body or the canonical value, `detail` a short explanation for people. Neither repeats content.
    """

    law: Law
    example: str
    path: str
    detail: str


def check_room(
    room: Any, *, requests: Sequence[Any] = (), responses: Sequence[Any] = (), streams: Sequence[Sequence[Any]] = ()
) -> list[Fault]:
    """Return the faults of a room, which is a module or an object with the members of `Room`.

    `requests` and `responses` are wire bodies, `streams` lists of frames. What the room does not implement is not
    checked unless there are examples of it. Takes a few hundred times as long as decoding and encoding the examples
    once.
    """
    found = [*_face(room)]
    if found:
        return found
    speaker = GuardedRoom(room, room.DESCRIPTOR.dialect)
    kinds = (_requests(speaker), _responses(speaker))
    found += _of_media(kinds[0], speaker.DESCRIPTOR)
    for kind, bodies, probes in zip(kinds, (requests, responses), (REQUEST_PROBES, RESPONSE_PROBES), strict=True):
        for number, body in enumerate(bodies):
            found += _of_example(kind, body, f"{kind.name} {number}")
        for probe in probes if kind.is_there(room) else ():
            found += _of_probe(kind, probe)
    for number, frames in enumerate(streams):
        found += _of_stream(speaker, frames, f"stream {number}")
    if hasattr(room, "encode_stream") and hasattr(room, "decode_stream"):
        for probe in EVENT_PROBES:
            found += _of_events(speaker, probe)
    return found


def _face(room: Any) -> Iterator[Fault]:
    if not isinstance(getattr(room, "DESCRIPTOR", None), Descriptor):
        yield Fault("face", "room", "/DESCRIPTOR", "a room exports its descriptor under this name")
    for name in _NEEDED:
        if not hasattr(room, name):
            yield Fault("face", "room", pointer(name), "every room has this function")


@dataclass(frozen=True, slots=True)
class _Kind:
    """Requests or responses: a room's functions for them, and their model."""

    name: str
    dialect: str
    model: type[ChatRequest | ChatResponse]
    decode: Callable[[Any], Any]
    encode: Callable[[Any, LossLog], Any]

    def is_there(self, room: Any) -> bool:
        """Tell whether a room implements both directions."""
        return hasattr(room, f"decode_{self.name}") and hasattr(room, f"encode_{self.name}")

    def canonical(self, value: Any) -> Any:
        """Return a value after a round trip through its model. Raises `ValidationError`."""
        return plain_json(self.model.model_validate(value))

    def written(self, value: Any) -> tuple[Any, Sequence[Loss]]:
        """Return the wire body of a canonical value, and the losses."""
        log = LossLog()
        return self.encode(value, log), log.losses()


def _requests(speaker: GuardedRoom) -> _Kind:
    return _Kind("request", speaker.DESCRIPTOR.dialect, ChatRequest, speaker.decode_request, speaker.encode_request)


def _responses(speaker: GuardedRoom) -> _Kind:
    return _Kind("response", speaker.DESCRIPTOR.dialect, ChatResponse, speaker.decode_response, speaker.encode_response)


def _of_example(kind: _Kind, body: Any, example: str) -> Iterator[Fault]:
    """Yield the faults for a body and for all its mutants."""
    try:
        yield from _at_home(kind, body, example)
    except InterlinguaError as error:
        yield _uncanonical(error, example) or Fault("identity", example, getattr(error, "path", ""), _named(error))
        return
    told: set[tuple[Law, str]] = set()
    for path, mutant in mutants(body):
        for fault in _of_mutant(kind, mutant, example, path):
            if (fault.law, path) not in told:
                told.add((fault.law, path))
                yield fault


def _at_home(kind: _Kind, body: Any, example: str) -> Iterator[Fault]:
    given = copy.deepcopy(body)
    value = kind.decode(body)
    if not _same(body, given):
        yield Fault("purity", example, "", "decoding changed the body")
    stored = kind.canonical(value)
    if value.get("dialect") != kind.dialect:
        yield Fault("canonical", example, "/dialect", "names the dialect that it was decoded from")
    kept = copy.deepcopy(value)
    written, losses = kind.written(value)
    if not _same(value, kept):
        yield Fault("purity", example, "", "encoding changed the canonical value")
    if not _same(kind.written(kind.decode(body))[0], written):
        yield Fault("purity", example, "", "decoding the same body twice gave two results")
    yield from _unlike("identity", example, body, written)
    yield from (Fault("identity", example, loss.path, "a loss is reported within one dialect") for loss in losses)
    yield from _unlike("storage", example, body, kind.written(stored)[0])


def _of_mutant(kind: _Kind, mutant: Any, example: str, path: str) -> Iterator[Fault]:
    """Yield the faults for a mutant, which may be malformed: it must be refused or come back unchanged."""
    try:
        value = kind.decode(mutant)
    except DecodeError as error:
        if error.dialect != kind.dialect:
            yield Fault("totality", example, path, "refused with the name of another dialect")
        return
    except InterlinguaError as error:
        is_read = _uncanonical(error, example) is None
        detail = _named(error) if is_read else "not canonical after a change here"
        yield Fault("totality" if is_read else "canonical", example, path, detail)
        return
    try:
        written, losses = kind.written(value)
    except InterlinguaError as error:
        yield Fault("totality", example, path, _named(error))
        return
    if losses or not _same(mutant, written):
        yield Fault("identity", example, path, "does not come back as it was after a change here")


def _of_probe(kind: _Kind, probe: Probe) -> Iterator[Fault]:
    """Yield the unreported losses of a probe, and reported losses that did not happen."""
    given = copy.deepcopy(probe.value)
    example = f"probe {kind.name}"
    try:
        body, losses = kind.written(probe.value)
        back = kind.decode(body)
    except InterlinguaError as error:
        yield Fault("losses", example, probe.path, _named(error))
        return
    if not _same(given, probe.value):
        yield Fault("purity", example, probe.path, "encoding changed the canonical value")
    yield from _unreported(
        example, probe, [(loss.path, loss) for loss in losses], normal_form(probe.value), normal_form(back)
    )


def _unreported(
    example: str, probe: Probe, losses: Sequence[tuple[str, Loss]], first: Any, second: Any
) -> Iterator[Fault]:
    """Yield the unreported differences of two normal forms; each loss comes with its path in the normal form."""
    near = [loss for _, loss in losses if _is_near(loss.path, probe.path)]
    if probe.is_foreign and not near:
        yield Fault("losses", example, probe.path, "is not in the output, and no loss reports it")
    found = [*differences(first, second)]
    silent = [one.path for one in found if not near and not any(_is_near(path, one.path) for path, _ in losses)]
    yield from (Fault("losses", example, path, "is not in the output, and no loss reports it") for path in silent)
    has_come = not probe.is_foreign and all(one.kind == "second" for one in found)
    if has_come and any(loss.severity == "lost" for loss in near):
        yield Fault("losses", example, probe.path, "is reported as lost, but is in the output")


def _is_near(path: str, other: str) -> bool:
    """Tell whether one of two paths contains the other."""
    return path == other or path.startswith(f"{other}/") or other.startswith(f"{path}/")


def _of_media(kind: _Kind, described: Descriptor) -> Iterator[Fault]:
    """Yield the media about which the descriptor is wrong."""
    media = described.media
    if media is None:
        return
    for name, probe in MEDIA_PROBES.items():
        try:
            losses = kind.written(probe.value)[1]
        except InterlinguaError:  # reported with the other probes
            continue
        is_lost = any(loss.severity == "lost" and _is_near(loss.path, probe.path) for loss in losses)
        if is_lost == (name in media):
            detail = (
                "the descriptor lists it, but it is lost"
                if is_lost
                else "it is accepted, but the descriptor does not list it"
            )
            yield Fault("face", "probe request", f"/DESCRIPTOR/media/{name}", detail)


def _of_stream(speaker: GuardedRoom, frames: Sequence[Any], example: str) -> Iterator[Fault]:
    given = copy.deepcopy(frames)
    try:
        events = _events(speaker, frames)
        yield from _of_shapes(events, example)
        written, losses = _frames(speaker, events)
    except InterlinguaError as error:
        yield _uncanonical(error, example) or Fault("identity", example, getattr(error, "path", ""), _named(error))
        return
    if not _same(given, frames):
        yield Fault("purity", example, "", "decoding changed the frames")
    yield from _unlike("identity", example, [*frames], written)
    yield from (Fault("identity", example, loss.path, "a loss is reported within one dialect") for loss in losses)
    told: set[str] = set()
    for number, frame in enumerate(frames):
        for path, mutant in mutants(frame, f"/{number}"):
            for fault in _of_mutated_stream(speaker, [*frames[:number], mutant, *frames[number + 1 :]], example, path):
                if path not in told:
                    told.add(path)
                    yield fault


def _of_shapes(events: list[dict[str, Any]], example: str) -> Iterator[Fault]:
    if [number for number, event in enumerate(events) if event["type"] == "end"] != [len(events) - 1]:
        yield Fault("canonical", example, "", "the last event must be the only `end`")


def _of_mutated_stream(speaker: GuardedRoom, frames: list[Any], example: str, path: str) -> Iterator[Fault]:
    try:
        _frames(speaker, _events(speaker, frames))
    except DecodeError:
        return
    except InterlinguaError as error:
        yield Fault("totality", example, path, _named(error))


def _of_events(speaker: GuardedRoom, probe: Probe) -> Iterator[Fault]:
    given = copy.deepcopy(probe.value)
    try:
        frames, losses = _frames(speaker, probe.value)
        back = _events(speaker, frames)
    except UnsupportedError:
        return
    except InterlinguaError as error:
        yield Fault("losses", "probe stream", probe.path, _named(error))
        return
    if not _same(given, probe.value):
        yield Fault("purity", "probe stream", probe.path, "encoding changed the events")
    first, second = (normal_form(accumulate(events)) for events in (probe.value, back))
    placed = [("/" + loss.path[1:].partition("/")[2], loss) for loss in losses]  # without the event's index
    yield from _unreported("probe stream", probe, placed, first, second)


def _events(speaker: GuardedRoom, frames: Iterable[Any]) -> list[dict[str, Any]]:
    reader = speaker.decode_stream()
    return [*(event for frame in frames for event in reader.feed(frame)), *reader.close()]


def _frames(speaker: GuardedRoom, events: Iterable[dict[str, Any]]) -> tuple[list[Any], Sequence[Loss]]:
    log = LossLog()
    writer = speaker.encode_stream(log)
    frames = [*(frame for event in events for frame in writer.feed(event)), *writer.close()]
    return frames, log.losses()


def _unlike(law: Law, example: str, body: Any, written: Any) -> Iterator[Fault]:
    if _same(body, written):
        return
    found = [one.path for one in differences(body, written)] or [""]
    yield from (Fault(law, example, path, "does not come back as it was") for path in found)


def _uncanonical(error: InterlinguaError, example: str) -> Fault | None:
    """Return the fault for a decoded value that is not canonical; None for any other error."""
    if not isinstance(error.__cause__, ValidationError):
        return None
    place = pointer(*error.__cause__.errors(include_input=False)[0]["loc"])
    return Fault("canonical", example, place, "not canonical")


def _same(first: Any, second: Any) -> bool:
    """Tell whether two values are the same JSON, where 1, 1.0 and true are different."""
    try:
        return orjson.dumps(first, option=orjson.OPT_SORT_KEYS) == orjson.dumps(second, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # integers beyond 64 bits, and values of a room that are not JSON
        return json.dumps(first, sort_keys=True, default=repr) == json.dumps(second, sort_keys=True, default=repr)


def _named(error: InterlinguaError) -> str:
    """Return the type of an error; for a `DialectError`, that of its cause, without the message."""
    cause = error.__cause__
    return type(error).__name__ if cause is None else f"{type(error).__name__}: {type(cause).__name__}"
