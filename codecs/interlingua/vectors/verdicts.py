"""Judging what somebody made of what is given: equal to what is expected, the same said otherwise, or different."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from interlingua.comparing import differences
from interlingua.error_codec import decode_error
from interlingua.errors import InterlinguaError, StreamError
from interlingua.normal import normal_form
from interlingua.plain import plain_json
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
"""`equal`: the same JSON. `equivalent`: it says the same. `different`: it does not. `failed`: it is no such value."""
# What whoever translates may choose freely: ids that nobody gave, and the time.
_FREE: Final = frozenset({"id", "created", "request_id"})
_IDS: Final = frozenset({"id", "call_id"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came out for one vector. `places` says where it differs, as JSON Pointers, and never what stands there."""

    verdict: Verdict
    places: tuple[str, ...] = ()


def judge(vector: Vector, found: Mapping[str, Any]) -> Judgement:
    """Return how a translation compares with what is expected.

    Equivalent is what has the same normal form in the canonical format: spelling, the order of keys and the pieces of a
    stream do not matter, nor do ids that somebody had to make up, nor what the expected value only fills in because the
    target demands it. An error is equivalent if a client would act alike: the same status and the same kind of error.

    Args:
        vector: What is given, and what is expected.
        found: What somebody made of it, in the form of `vector.expected`.

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
    """Return the top members of the canonical value that the expected one has only because the target demands them."""
    return frozenset(loss["path"].split("/")[1] for loss in vector.losses if loss["severity"] == "filled")


def _said(vector: Vector, value: Mapping[str, Any], free: frozenset[str]) -> Any:
    """Return what a value of the target says, in a form in which two that say the same are equal."""
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
    """Return the answer that frames make; where an error ends them, what came before it and the kind of error.

    Tokens are counted at the end: what frames say of them before an error is an estimate.
    """
    try:
        return normal_form(plain_json(collect(decode_stream(frames, target))))
    except StreamError as error:
        partial = normal_form(plain_json(error.partial))
        partial.pop("usage", None)
        return {"category": error.category, **partial}


def _numbered(value: object, seen: dict[str, str]) -> Any:
    """Return a value with ids by the order in which they appear: what they are called is nobody's concern."""
    if isinstance(value, list):
        return [_numbered(one, seen) for one in cast("Sequence[Any]", value)]
    if not isinstance(value, dict):
        return value
    return dict(_members(cast("dict[str, Any]", value), seen))


def _members(value: dict[str, Any], seen: dict[str, str]) -> Iterator[tuple[str, Any]]:
    for name, one in value.items():
        is_id = name in _IDS and type(one) is str
        yield name, seen.setdefault(one, str(len(seen))) if is_id else _numbered(one, seen)
