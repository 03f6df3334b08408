"""The results of a checkout's code for a case, by operation.

The operations are `decode`; `home`, encoding for its own dialect; `to:<dialect>`; `check`, the violations, and
`check:<dialect>` of the translation; `repair:<dialect>` of what is refused there; `collect`, the response made of a
stream. A result has one or more aspects: `body` (for a stream, its frames), `losses`, `canonical`, `events`,
`violations`, `repairs`, `error`.
"""

# JSON of any shape: narrowing leaves the member types unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import orjson

from regression.inputs import CANONICAL, Case
from regression.library import (
    check,
    checked_stream_encoder,
    collect,
    collect_checked,
    decode,
    encode,
    encode_checked,
    repair,
    stream_decoder,
    stream_encoder,
    translate,
    translated_stream,
)

Outcome = dict[str, Any]
Doors = Iterator[tuple[str, Outcome]]

ORDERED: Final = frozenset({"body"})
"""The aspects in which the order of members matters."""


class Ways(NamedTuple):
    """How a case is processed: the target dialects, and whether the providers' rules are applied."""

    targets: tuple[str, ...]
    rules: bool


def outcomes(case: Case, ways: Ways) -> Doors:
    """Yield the result of each operation for a case."""
    is_stream = case.kind == "stream"
    if case.stored:
        yield from _stored_events(case, ways) if is_stream else _stored_value(case, ways)
    elif case.source == CANONICAL:
        yield from _events(case, ways) if is_stream else _canonical(case, ways)
    else:
        yield from _stream(case, ways) if is_stream else _body(case, ways)


def decoded(case: Case) -> Any:
    """Return the decoded form of a wire body or of the frames of a stream, or None if it is refused."""
    if case.kind == "stream":
        outcome = _decoded_stream(_frames(case), case.source)
        return None if "error" in outcome else outcome["events"]
    return _tried(lambda: {"canonical": decode(case.kind, case.value, case.source)}).get("canonical")


def digest(outcome: Outcome) -> str:
    """Return a short digest of all aspects; equal results have equal digests."""
    total = hashlib.blake2b(digest_size=8)
    for aspect in sorted(outcome):
        total.update(aspect.encode())
        total.update(dumped(outcome[aspect], ordered=aspect in ORDERED))
    return total.hexdigest()


def dumped(value: Any, *, ordered: bool) -> bytes:
    """Return a value as JSON text, whatever it is."""
    try:
        return orjson.dumps(value, _plain, orjson.OPT_PASSTHROUGH_DATACLASS | (0 if ordered else orjson.OPT_SORT_KEYS))
    except TypeError:  # lone surrogates, and integers beyond 64 bits
        return json.dumps(value, sort_keys=not ordered, default=_plain).encode()


def _plain(value: Any) -> Any:
    """Return a stand-in for a value that JSON does not have, without addresses or anything random."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    return type(value).__name__


def _body(case: Case, ways: Ways) -> Doors:
    """Yield the operations of a request or a response."""
    is_request = case.kind == "request"
    if is_request and ways.rules:
        yield "check", _tried(lambda: _checked(case.value, case.source))
    came = _tried(lambda: {"canonical": decode(case.kind, case.value, case.source)})
    yield "decode", came
    if "error" in came:  # no other operation is possible
        return
    canonical = came["canonical"]
    yield "home", _tried(lambda: _encoded(encode(case.kind, _stored(canonical), case.source)))
    for target in ways.targets:
        encoded = _tried(lambda: _encoded(translate(case.kind, case.value, case.source, target)))  # noqa: B023  # called at once
        yield f"to:{target}", encoded
        if is_request and ways.rules:
            yield from _ruled(canonical, encoded, target)


def _ruled(canonical: Any, encoded: Outcome, target: str) -> Doors:
    """Yield the violations of an encoded body, and the repair if there are any."""
    if "body" in encoded:
        checked = _tried(lambda: _checked(encoded["body"], target))
        yield f"check:{target}", checked
        if not checked.get("violations", True):
            return
    yield f"repair:{target}", _tried(lambda: _repaired(canonical, target))


def _canonical(case: Case, ways: Ways) -> Doors:
    """Yield the operations of a canonical request or response."""
    for target in ways.targets:
        encoded = _tried(lambda: _encoded(encode_checked(case.kind, case.value, target)))  # noqa: B023  # called at once
        yield f"to:{target}", encoded


def _stream(case: Case, ways: Ways) -> Doors:
    """Yield the operations of the frames of a stream."""
    frames = _frames(case)
    came = _decoded_stream(frames, case.source)
    yield "decode", came
    events = came["events"]
    if "error" not in came:
        yield "home", _encoded_stream(stream_encoder(case.source), _stored(events))
        yield "collect", _tried(lambda: {"canonical": collect(events)})
    for target in ways.targets:
        yield f"to:{target}", _translated_stream(frames, case.source, target)


def _events(case: Case, ways: Ways) -> Doors:
    """Yield the operations of canonical events."""
    events = _frames(case)
    yield "collect", _tried(lambda: {"canonical": collect_checked(events)})
    for target in ways.targets:
        yield f"to:{target}", _encoded_stream(checked_stream_encoder(target), events)


def _stored_value(case: Case, ways: Ways) -> Doors:
    """Yield the operations of a stored decoded request or response."""
    for target in _with_home(ways, case.source):
        encoded = _tried(lambda: _encoded(encode(case.kind, case.value, target)))  # noqa: B023  # called at once
        yield "home" if target == case.source else f"to:{target}", encoded


def _stored_events(case: Case, ways: Ways) -> Doors:
    """Yield the operations of a stored decoded stream."""
    yield "collect", _tried(lambda: {"canonical": collect(case.value)})
    for target in _with_home(ways, case.source):
        yield (
            "home" if target == case.source else f"to:{target}",
            _encoded_stream(stream_encoder(target), case.value),
        )


def _with_home(ways: Ways, source: str) -> list[str]:
    return list(dict.fromkeys((source, *ways.targets)))


def _frames(case: Case) -> list[Any]:
    """Return the frames or events of a stream; a value that is no list is a single one."""
    return case.value if isinstance(case.value, list) else [case.value]


def _stored(value: Any) -> Any:
    """Return a value after writing and reading it, so that no object identity is preserved."""
    try:
        return orjson.loads(orjson.dumps(value))
    except TypeError:  # lone surrogates, and integers beyond 64 bits
        return json.loads(json.dumps(value))


def _tried(work: Callable[[], Outcome]) -> Outcome:
    """Return the result of a function, or the error that it raises."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001  # a crash is an outcome, too
        return {"error": _error(error)}


def _error(error: Exception) -> dict[str, Any]:
    """Return type, text and fields of an error."""
    name = type(error).__name__
    if isinstance(error, RecursionError):  # its text and location depend on the machine
        return {"type": name}
    fields = {field: value for field, value in vars(error).items() if not field.startswith("_")}
    return {"type": name, "text": str(error), "fields": fields}


def _encoded(encoded: Any) -> Outcome:
    return {"body": encoded.body, "losses": _facts(encoded.losses, "severity", "code", "path", "detail")}


def _checked(body: Any, dialect: str) -> Outcome:
    return {"violations": _facts(check(body, dialect), "code", "path", "detail")}


def _repaired(canonical: Any, dialect: str) -> Outcome:
    mended, repairs = repair(canonical, dialect)
    return {"canonical": mended, "repairs": [_plain(repair) for repair in repairs]}


def _facts(found: Any, *names: str) -> list[list[str]]:
    """Return the fields of losses or violations, sorted."""
    return sorted([str(getattr(one, name)) for name in names] for one in found)


def _decoded_stream(frames: list[Any], source: str) -> Outcome:
    events: list[Any] = []
    return _fed(lambda: stream_decoder(source), frames, events) | {"events": events}


def _encoded_stream(encoder: Any, events: list[Any]) -> Outcome:
    frames: list[Any] = []
    outcome = _fed(lambda: encoder, events, frames)
    return outcome | {"body": frames, "losses": _facts(encoder.losses, "severity", "code", "path", "detail")}


def _fed(made: Callable[[], Any], given: list[Any], written: list[Any]) -> Outcome:
    """Push all inputs, collecting the outputs; return the error that ended this, if any."""

    def push() -> Outcome:
        machine = made()
        for one in given:
            written.extend(machine.feed(one))
        written.extend(machine.close())
        return {}

    return _tried(push)


def _translated_stream(frames: list[Any], source: str, target: str) -> Outcome:
    written: list[Any] = []
    stream = translated_stream(frames, source, target)

    def read() -> Outcome:
        for frame in stream:
            written.append(frame)  # noqa: PERF402  # what came before an error counts
        return {}

    outcome = _tried(read)
    return outcome | {"body": written, "losses": _facts(stream.losses, "severity", "code", "path", "detail")}
