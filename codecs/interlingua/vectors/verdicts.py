"""Compares a translation with the expected one: equal, equivalent, or different."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from interlingua.error_codec import decode_error
from interlingua.errors import InterlinguaError, StreamError
from interlingua.json_diff import differences
from interlingua.model_json import plain_json
from interlingua.normal import normal_form
from interlingua.stream_codec import collect, decode_stream
from interlingua.translation import decode_canonical_request, decode_canonical_response
from interlingua.vectors.making import asks_for_a_stream, whole_body

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from interlingua.frames import Frame
    from interlingua.registry import Dialect
    from interlingua.vectors.files import Vector

__all__ = ["Judgement", "Verdict", "judge"]

Verdict: TypeAlias = Literal["equal", "equivalent", "different", "failed"]
"""`equal`: the same JSON. `equivalent`: the same meaning. `different`: another meaning. `failed`: not a valid value."""
# Members that a translator may choose freely: ids that the source lacks, and times.
_FREE: Final = frozenset({"id", "created", "request_id"})
_IDS: Final = frozenset({"id", "call_id"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result for one vector. `places` are the JSON Pointers of differences, without content."""

    verdict: Verdict
    places: tuple[str, ...] = ()


def judge(vector: Vector, found: Mapping[str, Any]) -> Judgement:
    """Return how a translation compares with the expected one.

    Values with the same normal form in the canonical format are equivalent: spelling, key order and the chunking of a
    stream do not matter, nor do made-up ids, nor values that are only filled in because the target requires them. An
    error is equivalent if a client would react in the same way: same status and same kind of error.

    Args:
        vector: The input and the expected output.
        found: The output to judge, in the form of `vector.expected`.

    Returns:
        The verdict, and where the two differ.

    Example:
        >>> from interlingua.vectors import judge, read_vectors
        >>> vector = read_vectors("claude", "openai_chat")[0]
        >>> judge(vector, vector.expected).verdict
        'equal'
    """
    if vector.given.kind == "error":
        return _judge_error(vector, found)
    if not any(differences(dict(vector.expected), dict(found))):
        return Judgement("equal")
    free = _filled(vector)
    try:
        wanted, had = (_said(vector, one, free) for one in (vector.expected, found))
    except (InterlinguaError, KeyError, TypeError, ValueError):
        return Judgement("failed")
    places = tuple(one.path for one in differences(wanted, had))
    return Judgement("different", places) if places else Judgement("equivalent")


def _judge_error(vector: Vector, found: Mapping[str, Any]) -> Judgement:
    wanted = vector.expected
    if (wanted["status"], wanted["body"]) == (found["status"], found["body"]):
        return Judgement("equal")
    target = vector.target
    try:
        errors = [decode_error(one["body"], target, status=one["status"]) for one in (wanted, found)]
    except InterlinguaError:
        return Judgement("failed")
    first, second = errors
    same = {"/status": first.status == second.status, "/category": first.category == second.category}
    places = tuple(place for place, is_same in same.items() if not is_same)
    return Judgement("different", places) if places else Judgement("equivalent")


def _filled(vector: Vector) -> frozenset[str]:
    """Return the top-level canonical members that the expected value has only because the target requires them."""
    return frozenset(loss["path"].split("/")[1] for loss in vector.losses if loss["severity"] == "filled")


def _said(vector: Vector, value: Mapping[str, Any], free: frozenset[str]) -> Any:
    """Return a value of the target in a form that is equal for equivalent values."""
    target = vector.target
    match vector.given.kind:
        case "request":
            canonical = decode_canonical_request(whole_body(value, target), target)
            said = {**normal_form(canonical), "stream": asks_for_a_stream(value, target)}
        case "response":
            said = normal_form(decode_canonical_response(value["body"], target))
        case _:
            said = _said_in_stream(value["frames"], target)
    left = {name: one for name, one in said.items() if name not in _FREE and name not in free}
    return _numbered(left, {})


def _said_in_stream(frames: list[Frame], target: Dialect) -> Any:
    """Return the response made of frames; if an error ends them, the part before it and the kind of error.

    Usage is ignored in that case, since counts before the end are estimates.
    """
    try:
        return normal_form(plain_json(collect(decode_stream(frames, target))))
    except StreamError as error:
        partial = normal_form(plain_json(error.partial))
        partial.pop("usage", None)
        return {"category": error.category, **partial}


def _numbered(value: object, seen: dict[str, str]) -> Any:
    """Return a value with ids replaced by numbers in order of appearance."""
    if isinstance(value, list):
        return [_numbered(one, seen) for one in cast("Sequence[Any]", value)]
    if not isinstance(value, dict):
        return value
    return dict(_members(cast("dict[str, Any]", value), seen))


def _members(value: dict[str, Any], seen: dict[str, str]) -> Iterator[tuple[str, Any]]:
    for name, one in value.items():
        is_id = name in _IDS and type(one) is str
        yield name, seen.setdefault(one, str(len(seen))) if is_id else _numbered(one, seen)
