"""Validates a value against an untrusted JSON Schema, without fetching anything and in bounded time.

A tool's schema may come from an untrusted server. References are followed only inside the schema, and only a limited
number of times; patterns are matched in linear time, and patterns that cannot be (look-around, back references) are not
checked, nor is `unevaluatedProperties`, which would match them in another way.
"""

from __future__ import annotations

import json
import math
from contextvars import ContextVar
from fractions import Fraction
from functools import cache, lru_cache
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from jsonschema import SchemaError as BrokenSchemaError
from jsonschema import validators
from jsonschema.exceptions import ValidationError
from pydantic_core import SchemaError as BrokenPatternError
from pydantic_core import SchemaValidator, core_schema
from referencing import Registry
from referencing.exceptions import Unresolvable

from interlingua.json_types import is_list, is_object
from interlingua.pointers import pointer
from interlingua.strict_json import compact
from interlingua.validation import LIMIT, leaves, reported
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from interlingua.violation import ViolationCode

Json: TypeAlias = dict[str, Any]

# Nested references can double the work with each step; this is the maximum for one value.
_MOST_REFERENCES: Final = 50_000
_references_left: ContextVar[int] = ContextVar("references that may still be followed")
# What jsonschema raises for an invalid schema that its meta-schema accepts, such as a reference to a non-schema.
_BROKEN: Final = (BrokenSchemaError, Unresolvable, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
_DEPTH: Final = Violation("limit", "", "nested too deeply to be checked")
_BROKEN_SCHEMA: Final = Violation("schema", "", "the tool's schema is not a valid JSON Schema")
# Violated schema keyword -> violation code; `arguments` for all others.
_CODES: Final[Mapping[str, ViolationCode]] = MappingProxyType({
    "type": "shape",
    "additionalProperties": "member",
    **dict.fromkeys((
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems",
        "minProperties", "maxProperties",
    ), "limit"),
})  # fmt: skip
_LIBRARY: Final[Any] = validators  # its own types are too loose


class _TooManyReferencesError(Exception):
    """Too many references were followed."""


def schema_violations(value: Any, schema: Json) -> list[Violation]:
    """Return the violations of a value, at most `LIMIT`, without its content.

    An invalid schema, or one with unresolvable or endless references, is a violation with the code `schema`.
    """
    mark = _references_left.set(_MOST_REFERENCES)
    try:
        kind = validators.validator_for(schema, default=_LIBRARY.Draft202012Validator)
        _check_schema(kind, compact(schema))
        validator = _bounded(kind)(schema, registry=Registry[Any]())
        errors = islice(leaves(validator.iter_errors(value)), LIMIT)
        found = [violation for error in errors for violation in _violations(error)]
    except RecursionError:
        return [_DEPTH]
    except (_TooManyReferencesError, *_BROKEN):
        return [_BROKEN_SCHEMA]
    finally:
        _references_left.reset(mark)
    return list(dict.fromkeys(found))[:LIMIT]


def _violations(error: ValidationError) -> Iterator[Violation]:
    """Yield an error as violations, each missing member by its own path."""
    report = reported(error)
    if report.rule == "required":
        wanted, given = cast("list[str]", error.validator_value), cast("Json", error.instance)
        absent = [name for name in wanted if name not in given]
        yield from (Violation("required", report.path + pointer(name), "the tool requires it") for name in absent)
    else:
        yield Violation(_CODES.get(report.rule, "arguments"), report.path, report.detail)


@lru_cache(maxsize=256)
def _check_schema(kind: Any, schema: bytes) -> None:
    """Check a schema. The result is cached, since the check takes longer than validating a value.

    Raises:
        jsonschema.SchemaError: it is not a valid schema.
    """
    kind.check_schema(json.loads(schema))


@cache
def _bounded(kind: Any) -> Callable[..., Any]:
    """Return a validator of a draft whose keywords take bounded time."""
    follow = kind.VALIDATORS["$ref"]

    def reference(validator: Any, target: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        left = _references_left.get()
        if not left:
            raise _TooManyReferencesError
        _references_left.set(left - 1)
        yield from follow(validator, target, instance, schema) or ()

    own_checks = {
        "$ref": reference,
        "multipleOf": _multiple_of,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "unevaluatedProperties": _not_checked,
        "uniqueItems": _unique_items,
    }
    made: Callable[..., Any] = _LIBRARY.extend(kind, own_checks)
    return made


def _multiple_of(validator: Any, step: Any, instance: Any, _schema: Json) -> Iterator[ValidationError]:
    """Validate `multipleOf` in decimal: in binary, 19.99 would not be a multiple of 0.01."""
    if validator.is_type(instance, "number") and not _is_multiple(instance, step):
        yield ValidationError("", validator="multipleOf", validator_value=step, instance=instance)


def _is_multiple(number: Any, step: Any) -> bool:
    if isinstance(number, float) and not math.isfinite(number):
        return False
    return (_written(number) / _written(step)).denominator == 1


def _written(number: Any) -> Fraction:
    """Return a number as the fraction of its shortest decimal form."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


@lru_cache(maxsize=256)
def _matcher(pattern: str) -> SchemaValidator | None:
    """Return a linear-time matcher for a pattern, or None if there is none."""
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except BrokenPatternError:
        return None


def _matches(pattern: str, text: str) -> bool:
    matcher = _matcher(pattern)
    return matcher is None or matcher.isinstance_python(text)


def _pattern(_validator: Any, pattern: str, instance: Any, _schema: Json) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not _matches(pattern, instance):
        yield ValidationError("", validator="pattern", validator_value=pattern, instance=instance)


def _pattern_properties(validator: Any, patterns: Json, instance: Any, _schema: Json) -> Iterator[ValidationError]:
    if is_object(instance):
        for pattern, inner in patterns.items():
            for name, value in instance.items():
                if _matcher(pattern) is not None and _matches(pattern, name):
                    yield from validator.descend(value, inner, path=name, schema_path=pattern)


def _additional_properties(validator: Any, others: Any, instance: Any, schema: Json) -> Iterator[ValidationError]:
    if not is_object(instance):
        return
    named = schema.get("properties", {})
    unnamed = [name for name in instance if name not in named]
    for pattern in schema.get("patternProperties", {}):  # more than are cached are compiled once, not for each name
        unnamed = [name for name in unnamed if not _matches(pattern, name)]
    if is_object(others):
        for name in unnamed:
            yield from validator.descend(instance[name], others, path=name)
    elif others is False and unnamed:
        declared = {"properties": dict.fromkeys(instance.keys() - unnamed)}
        yield ValidationError(
            "", validator="additionalProperties", validator_value=False, instance=instance, schema=declared
        )


def _unique_items(_validator: Any, is_wanted: Any, instance: Any, _schema: Json) -> Iterator[ValidationError]:
    """Validate `uniqueItems` in linear time: `jsonschema` compares each object with each other."""
    if is_wanted and is_list(instance) and len(set(map(_identity, instance))) < len(instance):
        yield ValidationError("", validator="uniqueItems", validator_value=True, instance=instance)


def _identity(value: Any) -> Hashable:
    """Return what equals that of another value if both are the same in JSON: 1 and 1.0 are, 1 and true are not."""
    if is_object(value):
        return frozenset((name, _identity(inner)) for name, inner in value.items())
    if is_list(value):
        return tuple(map(_identity, value))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    # As text, since integers can be chosen so that Python's hashes of them are all the same.
    return f"{value:x}" if type(value) is int else (isinstance(value, bool), value)


def _not_checked(_validator: Any, _value: Any, _instance: Any, _schema: Json) -> Iterable[ValidationError]:
    return ()
