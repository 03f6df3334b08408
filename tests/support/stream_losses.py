"""Law 4 for streams: the stream of a response reports the same losses as the whole response.

The notes are compared value by value, before they become losses. Those of a whole response have paths into the
response, those of a stream into its events. Both are converted to the place that they are about: the third call, the
first source, the id of the response. A stream may report more: deltas that turned out not to be needed, and other
members of its frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from support.canonical import lookup, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interlingua.loss_consolidation import Note

Place = tuple[str, ...]


class Told(NamedTuple):
    """A loss by severity and code, and the place that it is about."""

    severity: str
    code: str
    place: Place


# Members of a response without a counterpart in its stream: severity, owner and member of a bag -> why.
SAID_OTHERWISE: Final[Mapping[tuple[str, str, str], str]] = {
    ("lost", "openai_chat", "p"): "it is padding, which a stream does not report",
    ("lost", "openai_responses", "content"): "it counts which thoughts are texts; the events are those texts",
    ("lost", "openai_responses", "error"): "an event of its own says it, and that is written",
    ("lost", "openai_responses", "status"): "the frame that ends an item says it, which is no member of an event",
}
_TEXTS: Final = frozenset({"content", "reasoning", "refusal"})
# Members of events -> those of a response.
_FINISH: Final[Mapping[str, str]] = {
    "reason": "finish_reason", "raw": "finish_reason_raw", "stop_sequence": "stop_sequence",
}  # fmt: skip
# Members of bags that hold the kind of the value, its position, or its spelling.
_HOLDERS: Final = frozenset({"fields", "choice", "candidate"})  # of the provider's own members
_TAGS: Final = frozenset({"type", "at", "said", "spelling", "fields"})
# Members that are filled in in a message, and their name in the event.
_FILLED: Final[Mapping[str, str]] = {"thinking_blocks": "signature"}


def silent(
    whole: Iterable[Note], answer: Mapping[str, Any], stream: Iterable[Note], events: Sequence[Mapping[str, Any]]
) -> list[Told]:
    """Return what the whole response lost, or what was filled in, without a loss in its stream.

    In a stream that was cut off nothing is filled in: its last frames were never written.
    """
    cut = not events[-1]["complete"]
    said = _Said(told_by_stream(stream, events))
    wanted = dict.fromkeys(
        one for one in told_by_answer(whole, answer) if one.severity == "lost" or (one.severity == "filled" and not cut)
    )
    return [one for one in wanted if not said.holds(one) and (one.severity, *one.place[1:3]) not in SAID_OTHERWISE]


class _Said:
    """What a stream reports as lost and as filled in."""

    def __init__(self, told: Iterable[Told]) -> None:
        self._told = set(told)
        self._places = {(one.severity, one.place) for one in self._told}

    def holds(self, wanted: Told) -> bool:
        """Return whether a loss is at a place, or at one of all places of its kind."""
        if wanted.place[0] == "extra":
            return (wanted.severity, wanted.place) in self._places
        above = (wanted.place[:length] for length in range(1, len(wanted.place)))
        return wanted in self._told or any((wanted.severity, place) in self._places for place in above)


def told_by_answer(losses: Iterable[Note], answer: Mapping[str, Any]) -> Iterator[Told]:
    """Yield the losses of a whole response by the places that they are about."""
    numbers = dict(_numbered(answer))
    for loss in losses:
        path = tokens(loss.path)
        if _says_nothing(path, loss, answer):
            continue
        code = {"tool": "part", "opaque": "extra"}.get(_role(answer, path), loss.code)
        for place in _answer_places(path, loss, answer, numbers):
            yield Told(loss.severity, code, place)


def _role(answer: Mapping[str, Any], path: Place) -> str:
    role: str = answer["messages"][int(path[1])]["role"] if path[0] == "messages" else ""
    return role


def _says_nothing(path: Place, loss: Note, answer: Mapping[str, Any]) -> bool:
    """Return whether a loss is of a value without meaning, or fills in a member of an empty text.

    A stream opens a text with its first delta.
    """
    if loss.severity == "lost":
        return lookup(answer, path) in ("", [], {})
    if path[0] != "messages" or path[2] != "extra":
        return False
    message = answer["messages"][int(path[1])]
    thinks = "reasoning" in path or "thinking_blocks" in path
    texts = [message.get(name) for name in (("reasoning",) if thinks else ("content", "refusal"))]
    said = [part.get("text", "") for text in texts if isinstance(text, list) for part in text]
    return not any(said) and not any(text for text in texts if isinstance(text, str))


def _numbered(answer: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Yield the path of each call, source and part of the first choice, and its number among those of its kind."""
    counts = {"call": 0, "citation": 0, "part": 0}

    def number(kind: str) -> str:
        counts[kind] += 1
        return str(counts[kind] - 1)

    for at, message in enumerate(answer["messages"]):
        base = ("messages", str(at))
        if message["role"] == "tool":
            yield base, number("part")
            continue
        content = message.get("content", ())
        for index, part in enumerate(content if isinstance(content, list) else ()):
            where = (*base, "content", str(index))
            if part["type"] != "text":
                yield where, number("part")
            for cited, _ in enumerate(part.get("citations", ())):
                yield (*where, "citations", str(cited)), number("citation")
        for index, _ in enumerate(message.get("tool_calls", ())):
            yield (*base, "tool_calls", str(index)), number("call")


def _answer_places(path: Place, loss: Note, answer: Mapping[str, Any], numbers: Mapping[Place, str]) -> Iterator[Place]:
    if path[0] == "alternatives" and (loss.code == "message" or "extra" not in path):
        yield ("another answer",) if loss.code == "message" else ("another answer", *path[2:])
    elif _role(answer, path) == "opaque":
        yield _frame(lookup(answer, path[:2]))
    elif path[:2] in numbers:
        yield ("part", numbers[path[:2]], "data")
    elif path[:4] in numbers and (path[2] == "content" or "extra" not in path):
        yield ("part" if path[2] == "content" else "call", numbers[path[:4]], *path[4:])
    elif path[2:3] == ("content",) and path[4:5] == ("citations",):
        cited = [numbers[one] for one in numbers if one[: len(path)] == path] if len(path) == 5 else [numbers[path[:6]]]
        yield from (("citation", number, *path[6:]) for number in cited)
    elif "extra" in path[:-2] and path[0] != "usage":
        at = path.index("extra")
        yield from (("extra", path[at + 1], name) for name in _bag_names(path[at + 2 :], path, loss, answer))
    else:
        yield path if path[0] != "messages" else path[2:3]


def _bag_names(names: Place, path: Place, loss: Note, answer: Mapping[str, Any]) -> list[str]:
    """Return what a loss of a bag, or of a member of one, is about."""
    if loss.severity == "filled":
        return [_FILLED.get(names[-1], names[-1])]
    if names[0] in _HOLDERS and len(names) > 1:
        return [names[1]]
    held = lookup(answer, path)
    inner = [one for one in (held if isinstance(held, list) else [held]) if isinstance(one, Mapping)]
    inner += [one["fields"] for one in inner if "fields" in one]
    return [name for one in inner for name in one if name not in _TAGS] or [names[0]]


def _frame(opaque: Mapping[str, Any]) -> Place:
    """Return the place of an item that only its own dialect understands, and that has its own frames."""
    data = opaque["data"]
    return ("frame", opaque["dialect"], _type(data.get("item", data) if isinstance(data, Mapping) else data))


def _type(data: Any) -> str:
    return str(data.get("type", "")) if isinstance(data, Mapping) else ""


def told_by_stream(losses: Iterable[Note], events: Sequence[Mapping[str, Any]]) -> Iterator[Told]:
    """Yield the losses of a stream by the places that they are about."""
    numbers = dict(_event_numbers(events))
    for loss in losses:
        number, *rest = tokens(loss.path)
        event = events[int(number)]
        if rest[:1] == ["extra"] or event["type"] == "opaque":
            for name in _event_bag(rest, event, events, loss):
                yield Told(loss.severity, loss.code, name)
        for place in _event_places(tuple(rest), loss.code, int(number), event, numbers):
            yield Told(loss.severity, loss.code, place)


def _event_numbers(events: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, str]]:
    """Yield the index of each event about a call, a source or a part, and the number of that."""
    counts = {"call": 0, "citation": 0, "part": 0}
    calls: dict[int, str] = {}
    begun: dict[int, str] = {}  # blocks of parts: a later event of a block has the same part, complete
    for at, event in enumerate(events):
        if event.get("alternative"):
            continue
        kind = {"tool_call_start": "call"}.get(event["type"], event["type"])
        if kind == "tool_call_delta":
            yield at, calls.get(event["block"], "")
        elif kind == "part" and event["part"]["type"] == "text":
            yield at, str(counts["citation"])
            counts["citation"] += len(event["part"].get("citations", ()))
        elif kind == "part" and event.get("block") in begun:
            yield at, begun[event["block"]]
        elif kind in counts:
            yield at, str(counts[kind])
            if kind == "part" and "block" in event:
                begun[event["block"]] = str(counts[kind])
            if kind == "call":
                calls[event["block"]] = str(counts[kind])
            counts[kind] += 1


def _event_places(
    rest: Place, code: str, at: int, event: Mapping[str, Any], numbers: Mapping[int, str]
) -> Iterator[Place]:
    kind = event["type"]
    if event.get("alternative"):
        yield ("another answer",) if code == "message" else ("another answer", _FINISH.get(rest[0], rest[0]))
    elif kind == "finish":
        yield (_FINISH.get(rest[0], rest[0]),)
    elif rest == ("reason",):  # of every choice without one
        yield from (("finish_reason",), ("another answer", "finish_reason"))
    elif kind in _TEXTS and rest == ("text",):
        yield (kind,)
    elif kind in {"tool_call_start", "tool_call_delta"}:
        yield ("call", numbers[at], *rest)
    elif kind == "part" and event["part"]["type"] == "text" and rest[1:2] == ("citations",):
        cited = [rest[2]] if rest[2:] else map(str, range(len(event["part"]["citations"])))
        yield from (("citation", str(int(numbers[at]) + int(one)), *rest[3:]) for one in cited)
    elif kind in {"citation", "part"}:
        yield (kind, numbers[at], *rest[1:])
    else:
        yield rest


def _event_bag(
    rest: Sequence[str], event: Mapping[str, Any], events: Sequence[Mapping[str, Any]], loss: Note
) -> Iterator[Place]:
    """Yield what a loss of a bag is about: every name in the bags of that name of all events of that kind.

    Members of every frame are noted once for each kind of event.
    """
    alike = [one for one in events if one["type"] == event["type"]]
    if event["type"] == "opaque":
        for one in alike:
            if _type(one["data"]) == _type(event["data"]):
                yield _frame(one)
                yield from (("extra", one["dialect"], name) for name in _names(one["data"]))
        return
    _, owner, name, *_ = rest[rest.index("extra") :]
    yield ("extra", owner, rest[-1] if loss.severity == "filled" else name)
    for one in alike:
        yield from (("extra", owner, inner) for inner in _names(one.get("extra", {}).get(owner, {}).get(name)))


def _names(value: Any) -> Iterator[str]:
    """Yield every name in a value."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from _names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner)
