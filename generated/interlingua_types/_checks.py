# Copied from schema/compiler/runtime/checks.py. Do not edit: edit that file and run `nox -s generate`.
"""The rules for values created by the caller (004). No error contains a value: it may be a secret."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Any, Final, TypeVar, cast

from pydantic import BaseModel, PydanticUserError, TypeAdapter, ValidationError
from pydantic.errors import PydanticUndefinedAnnotation
from pydantic_core import ErrorDetails, from_json

from interlingua_types._base import InterlinguaModel, InvalidArgumentError
from interlingua_types._json_schemas import broken_keyword

T = TypeVar("T")
Made = TypeVar("Made", bound=InterlinguaModel)

_NAME: Final = re.compile(r"[A-Za-z0-9_]+")
_NAME_LENGTH: Final = 64
_SHOWN_RULES: Final = 10
_UNDECLARED: Final = frozenset({"extra_forbidden", "unexpected_keyword_argument"})


def check_text(value: object, what: str, *, may_be_empty: bool = False) -> str:
    """Return a text.

    Raises:
        InvalidArgumentError: it is no text, or empty where it must say something.
    """
    if not isinstance(value, str):
        message = f"{what} must be text"
        raise InvalidArgumentError(message)
    if not value and not may_be_empty:
        message = f"{what} must not be empty"
        raise InvalidArgumentError(message)
    return value


def check_list(value: Any, what: str) -> Sequence[Any]:
    """Return a list or tuple.

    Raises:
        InvalidArgumentError: it is none.
    """
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes, bytearray)):
        message = f"{what} must be a list"
        raise InvalidArgumentError(message)
    return cast("list[Any]", value)


def check_content(value: object, what: str = "content", *, may_be_empty: bool = False) -> str | list[Any]:
    """Return content: text, or a list of parts, whose members the schema checks.

    Raises:
        InvalidArgumentError: it is neither, or says nothing where it must say something.
    """
    if value is None:
        message = f"{what} must be given"
        raise InvalidArgumentError(message)
    if isinstance(value, str):
        return check_text(value, what, may_be_empty=may_be_empty)
    if not isinstance(value, Sequence) or isinstance(value, (bytes, bytearray)):
        message = f"{what} must be text or a list of parts, not {type(value).__name__}"
        raise InvalidArgumentError(message)
    parts: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]  # of anything
    for number, part in enumerate(parts):
        if not isinstance(part, (Mapping, InterlinguaModel)):
            message = f"{what}.{number} must be a part, such as TextPart(text=...), not {type(part).__name__}"
            raise InvalidArgumentError(message)
    if not may_be_empty and all(_is_empty_text(part) for part in parts):
        message = f"{what} must not be empty"
        raise InvalidArgumentError(message)
    return parts


def _is_empty_text(part: Any) -> bool:
    """Tell whether a part, a model or a mapping, is an empty text."""
    members = cast("Mapping[str, Any]", part if isinstance(part, Mapping) else getattr(part, "__dict__", {}))
    return members.get("type") == "text" and members.get("text") == ""


def check_call_ids(calls: Iterable[Any]) -> None:
    """Check the ids of the calls of one message (FR-004a-39); a call without an id gets one from its history.

    Raises:
        InvalidArgumentError: an id is empty, or two calls have the same.
    """
    ids = [check_text(call.id, "id") for call in calls if call.id is not None]
    if len(set(ids)) < len(ids):
        message = "two calls have the same id"
        raise InvalidArgumentError(message)


def made(model: type[Made], members: Mapping[str, Any]) -> Made:
    """Return a value created from members.

    Raises:
        InvalidArgumentError: the members are not what the schema says.
    """
    try:
        return model(**members)
    except ValidationError as error:
        place, reason = first_problem(error, members)
    # Outside the handler, so that the traceback has no cause.
    message = f"{'.'.join(str(step) for step in place)}: {reason}"
    raise InvalidArgumentError(message)


def first_problem(error: ValidationError, value: Any = None) -> tuple[tuple[int | str, ...], str]:
    """Return the place of the first problem of a value, and what is wrong there; the tag of no variant is not said.

    With the value it is the problem that lies deepest in it: where a member may be of several kinds, that of the kind
    which was meant. The names of kinds are no part of its place then.
    """
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    place, at = furthest([one["loc"] for one in problems], value)
    reason = "the tag names no variant" if problems[at]["type"] == "union_tag_invalid" else problems[at]["msg"]
    return place, reason


def furthest(steps: Sequence[tuple[int | str, ...]], value: Any) -> tuple[tuple[int | str, ...], int]:
    """Return the place that is deepest in a value, with its index; the first one if no value is known."""
    if value is None:
        return steps[0], 0
    places = [place_of(one, value) for one in steps]
    at = max(range(len(places)), key=lambda one: len(places[one]))
    return places[at], at


def place_of(steps: tuple[int | str, ...], value: Any) -> tuple[int | str, ...]:
    """Return the steps that exist in a value, and the last one if it is a missing member."""
    place: list[int | str] = []
    for step in steps:
        inner = _inside(value, step)
        if inner is not _NOTHING:
            place.append(step)
            value = inner
    is_missing = bool(steps) and isinstance(steps[-1], str) and isinstance(value, (Mapping, BaseModel))
    if is_missing and (not place or steps[-1] != place[-1]):
        place.append(steps[-1])
    return tuple(place)


_NOTHING: Final = object()


def _inside(value: Any, step: int | str) -> Any:
    container = value  # whose members have any type
    if isinstance(value, BaseModel) and isinstance(step, str):
        return getattr(value, step, _NOTHING) if step in type(value).model_fields else _NOTHING
    if isinstance(value, Mapping):
        return container.get(step, _NOTHING)
    if isinstance(value, (list, tuple)) and isinstance(step, int) and step < len(container):
        return container[step]
    return _NOTHING


def check_name(name: Any) -> None:
    """Check the name of a tool (FR-004a-41..43, 74).

    Raises:
        InvalidArgumentError: it is empty, too long, or has other characters than letters, digits and underscores.
    """
    check_text(name, "name")
    if len(name) > _NAME_LENGTH:
        message = f"name must have at most {_NAME_LENGTH} characters"
        raise InvalidArgumentError(message)
    if not _NAME.fullmatch(name):
        message = "name must consist of ASCII letters, digits and underscores"
        raise InvalidArgumentError(message)


def checked_parameters(parameters: Any) -> dict[str, Any]:
    """Return a copy of parameters that are the JSON Schema of an object, by the metaschema that they name (FR-004a-80).

    Raises:
        InvalidArgumentError: they are none.
    """
    if not isinstance(parameters, Mapping):
        message = "parameters must be a JSON Schema of type object"
        raise InvalidArgumentError(message)
    schema = json_object(cast("dict[Any, Any]", parameters), "parameters")
    keyword = broken_keyword(schema)
    if keyword is not None:
        message = f"parameters must be a JSON Schema, and the value of {keyword} is none that a schema may have"
        raise InvalidArgumentError(message)
    if schema.get("type") != "object":
        message = "parameters must be a JSON Schema of type object"
        raise InvalidArgumentError(message)
    return schema


def parse_arguments(arguments: Any) -> dict[str, Any]:
    """Return arguments as an object.

    Raises:
        InvalidArgumentError: they are neither an object nor the JSON text of one.
    """
    message = "arguments must be a JSON object"
    if isinstance(arguments, str):
        text = arguments
        try:
            arguments = from_json(text, allow_inf_nan=False)
        except (TypeError, ValueError):  # the former for a lone surrogate
            # Without the cause: the parser's text says where, and its traceback would hold the arguments.
            raise InvalidArgumentError(message) from None
        _check_text_of_arguments(text)
    if not isinstance(arguments, Mapping):
        raise InvalidArgumentError(message)
    return dict(cast("Mapping[str, Any]", arguments))


def _check_text_of_arguments(text: str) -> None:
    """Refuse JSON text that parsers may read differently (VAL-5).

    Raises:
        InvalidArgumentError: an object says a member twice, or a number is beyond the largest.
    """
    try:
        json.loads(text, object_pairs_hook=_unrepeated, parse_float=_finite)
    except (ValueError, RecursionError):
        message = "arguments must say each member once, and no number beyond the largest"
        raise InvalidArgumentError(message) from None


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError
    return members


def _finite(number: str) -> None:
    if not math.isfinite(float(number)):
        raise ValueError


def json_object(members: Mapping[Any, Any], what: str) -> dict[str, Any]:
    """Return a copy of an object, as it would be read back from JSON.

    Raises:
        InvalidArgumentError: it holds what JSON has not, or two names that JSON writes alike.
    """
    try:
        text = json.dumps(dict(members), ensure_ascii=False, allow_nan=False)
        text.encode()
        copy: dict[str, Any] = json.loads(text, object_pairs_hook=_unrepeated)
    except (TypeError, ValueError, RecursionError):
        copy = {}
    if copy.keys() != members.keys():
        message = f"{what} must be a JSON object"
        raise InvalidArgumentError(message)
    return copy


def copied_json(value: Any) -> Any:
    """Return a deep copy of a JSON value; its depth is not limited."""
    top: list[Any] = [value]
    copies: dict[int, Any] = {}  # by identity: a value may contain itself
    waiting: list[Any] = [top]
    while waiting:
        holder = waiting.pop()
        for place, member in _members(holder):
            if not isinstance(member, (dict, list, tuple)):
                continue
            key = id(cast("object", member))
            if key not in copies:
                members = _members(member)
                copies[key] = dict(members) if isinstance(member, dict) else [one for _, one in members]
                waiting.append(copies[key])
            holder[place] = copies[key]
    return top[0]


def _members(value: Any) -> Iterable[tuple[Any, Any]]:
    """Return the members of an object by name, those of a list by place."""
    if isinstance(value, dict):
        return cast("dict[str, Any]", value).items()
    return enumerate(cast("Sequence[Any]", value))


def read_as(target: type[T], value: Any, describe: Callable[[Exception], str] | None = None) -> T:
    """Return a JSON value as a value of a type.

    Raises:
        InvalidArgumentError: it does not fit; the text names the rules that are broken. Or the type is none.
    """
    return read_by(type_adapter(target), value, describe)


def type_adapter(target: type[T]) -> TypeAdapter[T]:
    """Return the adapter that validates values of a type.

    Raises:
        InvalidArgumentError: it is no type, or one that Pydantic does not know.
    """
    check_type(target)
    try:
        return TypeAdapter(target)
    except (PydanticUserError, PydanticUndefinedAnnotation) as error:
        message = f"a type is wanted whose values can be read ({type(error).__name__})"
        raise InvalidArgumentError(message) from None


def check_type(target: object) -> None:
    """Refuse a value that is not a type.

    Raises:
        InvalidArgumentError: it is one.
    """
    kind: type[Any] = type(target)
    if issubclass(kind, (str, bytes, int, float, Mapping, Sequence, AbstractSet)):
        message = f"a type is wanted, not a value of {kind.__name__}"
        raise InvalidArgumentError(message)


def read_by(adapter: TypeAdapter[T], value: Any, describe: Callable[[Exception], str] | None = None) -> T:
    """Return a JSON value validated by an adapter.

    `describe` formats an error that a validator of the type raises. Without it only the rule is named, since the text
    of such an error may show the value.

    Raises:
        InvalidArgumentError: it does not fit; the text names the rules that are broken, and where.
    """
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        broken = dict.fromkeys(_broken_rule(detail, value, describe) for detail in details)
    # Outside the handler, so that the traceback has no cause that shows the value.
    message = f"the value does not fit the type: {'; '.join(islice(broken, _SHOWN_RULES))}"
    raise InvalidArgumentError(message)


def _broken_rule(detail: ErrorDetails, value: Any, describe: Callable[[Exception], str] | None) -> str:
    steps = detail["loc"][:-1] if detail["type"] in _UNDECLARED else detail["loc"]  # its name is not the type's
    place = place_of(steps, value)
    pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in place)
    raised = detail.get("ctx", {}).get("error")
    rule = describe(raised) if describe is not None and isinstance(raised, Exception) else detail["type"]
    return f"{pointer}: {rule}" if pointer else rule
