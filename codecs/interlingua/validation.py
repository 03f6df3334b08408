"""Validates JSON values against the JSON Schema, with short errors that hold no content.

The generated models enforce the same rules much faster when they load a document. This module explains what is wrong
with one, by the published bundle (`interlingua_types/vN/schema.json`), so its findings hold for any language. The
variants of a union are not all tried: the tag selects one, and only its errors are reported.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeGuard, cast

from jsonschema import validators
from jsonschema.exceptions import ValidationError
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from interlingua.errors import UnknownTypeError, UnknownVersionError
from interlingua.pointers import pointer
from interlingua_types import CURRENT, VERSIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = ["SchemaError", "validate"]

Json: TypeAlias = dict[str, Any]

LIMIT: Final = 10
"""The maximum number of errors: a document of the wrong kind would have hundreds that say the same."""

_DETAIL_LENGTH: Final = 120
_UNTAGGED: Final = "discriminator"
_OTHERWISE_NAMED: Final[Mapping[str, str]] = {"transcript": "TranscriptDocument"}
"""Files whose class has another name: `Transcript` is already the class that applications use."""

_OTHER_KIND: Final = frozenset({"type", "const", "not", "anyOf"})


@dataclass(frozen=True, slots=True)
class SchemaError:
    """One place where a value violates the schema.

    `path` is a JSON Pointer into the value. `rule` is the violated schema keyword, or `discriminator` for a missing or
    unknown tag, or `depth` for a value that is nested too deeply to be validated. `detail` says what the schema
    requires there, never what was found.

    Example:
        >>> [(one.path, one.rule) for one in il.validate({"type": "text"}, union="part")]
        [('', 'required')]
    """

    path: str
    rule: str
    detail: str


class _Validator(Protocol):
    """The part of a jsonschema validator that is used here; its own types are too loose."""

    def iter_errors(self, instance: Any) -> Iterator[ValidationError]: ...

    def descend(self, instance: Any, schema: Any) -> Iterator[ValidationError]: ...


def validate(document: Any, version: int = CURRENT, union: str = "message") -> list[SchemaError]:
    """Return the schema errors of a JSON value, at most `LIMIT`; an empty list if it is valid.

    `union` names a union or a shared object as the schema does (`message`, `chat_message`, `chat_request`) or by its
    class name (`ChatRequest`, `TextPart`).

    Args:
        document: Any JSON value.
        version: The schema version.
        union: The union or class to validate against, such as "part" or "TextPart".

    Raises:
        UnknownVersionError: there is no such version.
        UnknownTypeError: the version has no union or class of this name.

    Example:
        >>> il.validate({"type": "text"}, union="part")
        [SchemaError(path='', rule='required', detail='missing: text')]
    """
    validator = _validator(version, _class_name(version, union))
    try:
        found = [reported(error) for error in islice(leaves(validator.iter_errors(document)), LIMIT)]
    except RecursionError:
        return [SchemaError("", "depth", "nested too deeply to be checked")]
    return list(dict.fromkeys(found))


def fits(value: Any, schema: Json, version: int) -> bool:
    """Tell whether a value is valid by a schema from the bundle of a version."""
    try:
        return next(_inner_validator(schema, version).iter_errors(value), None) is None
    except RecursionError:
        return False


def _inner_validator(schema: Json, version: int) -> _Validator:
    """Return a validator for a schema whose references point into the bundle of a version."""
    return _TAGGED_VALIDATOR({**schema, "$defs": bundle(version)["$defs"]})


def _class_name(version: int, union: str) -> str:
    """Return the bundle's name for the union or class that a caller asks for."""
    if type(version) is not int or version not in VERSIONS:
        raise UnknownVersionError(version, VERSIONS)
    names = _names(version)
    given: Any = union  # callers may not be typed
    if not isinstance(given, str) or union not in names:
        raise UnknownTypeError(union, sorted(names))
    return names[union]


@cache
def _names(version: int) -> Mapping[str, str]:
    """Return the class name for every name that a caller may use."""
    classes = bundle(version)["$defs"]
    named = {word: name for word, name in _OTHERWISE_NAMED.items() if name in classes}
    return MappingProxyType({_stem(name): name for name in classes} | {name: name for name in classes} | named)


@cache
def bundle(version: int) -> Json:
    """Return the published bundle of a version. Do not modify it."""
    text = files("interlingua_types").joinpath(f"v{version}", "schema.json").read_text(encoding="utf-8")
    return cast("Json", json.loads(text))


@cache
def _validator(version: int, name: str) -> _Validator:
    """Return the validator for one class of a version."""
    document = bundle(version)
    registry: Registry[Any] = Registry[Any]().with_resource(document["$id"], DRAFT202012.create_resource(document))
    reference = {"$ref": f"{document['$id']}#/$defs/{name}"}
    return _TAGGED_VALIDATOR(reference, registry=registry)


def _one_of(validator: _Validator, variants: list[Any], instance: Any, schema: Json) -> Iterator[ValidationError]:
    """Validate `oneOf` by the variant that the tag names; without a tag in the schema, as JSON Schema defines it."""
    discriminator = schema.get("discriminator")
    if discriminator is None:
        yield from _PLAIN_ONE_OF(validator, variants, instance, schema)
        return
    if not _is_object(instance):
        yield ValidationError("", validator="type", validator_value="object", instance=instance)
        return
    tag, mapping = discriminator["propertyName"], discriminator["mapping"]
    named = instance.get(tag)
    if type(named) is not str or named not in mapping:
        yield ValidationError("", validator=_UNTAGGED, validator_value=tag, instance=instance, path=[tag])
        return
    yield from validator.descend(instance, {"$ref": mapping[named]})


def _pattern(_validator: _Validator, pattern: str, instance: Any, _schema: Json) -> Iterator[ValidationError]:
    """Validate `pattern` as ECMAScript does: Python's `$` would also match before a final newline."""
    if type(instance) is str and re.search(pattern.replace("$", r"\Z"), instance) is None:
        yield ValidationError("", validator="pattern", validator_value=pattern, instance=instance)


def _is_object(instance: Any) -> TypeGuard[Json]:
    """Tell whether jsonschema takes a value for an object: unlike `json_kinds`, it accepts subclasses of dict."""
    return isinstance(instance, dict)


_LIBRARY: Final[Any] = validators  # its own types are too loose
_PLAIN_ONE_OF: Final[Callable[..., Iterable[ValidationError]]] = _LIBRARY.Draft202012Validator.VALIDATORS["oneOf"]
_TAGGED_VALIDATOR: Final[Callable[..., _Validator]] = _LIBRARY.extend(
    _LIBRARY.Draft202012Validator, {"oneOf": _one_of, "pattern": _pattern}
)


def leaves(errors: Iterable[ValidationError]) -> Iterator[ValidationError]:
    """Yield the most specific errors: of alternatives, those of the one that the value is closest to."""
    for error in errors:
        nearest = _nearest(error) if error.validator == "anyOf" else None
        if nearest is None:
            yield error
        else:
            yield from leaves(nearest)


def _nearest(error: ValidationError) -> list[ValidationError] | None:
    """Return the errors of the only alternative whose type fits the value; None if none or several fit."""
    branches: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    fitting = [
        found
        for found in branches.values()
        if all(one.relative_path or one.validator not in _OTHER_KIND for one in found)
    ]
    return fitting[0] if len(fitting) == 1 else None


def reported(error: ValidationError) -> SchemaError:
    """Return an error without content: only what the schema requires."""
    path = pointer(*error.absolute_path)
    rule, wanted = str(error.validator), error.validator_value
    if rule == "required":
        missing = [name for name in cast("list[str]", wanted) if name not in cast("Json", error.instance)]
        return SchemaError(path, rule, _shortened(f"missing: {', '.join(missing)}"))
    if rule == "additionalProperties":
        declared = cast("Json", error.schema).get("properties", {})
        count = sum(name not in declared for name in cast("Json", error.instance))
        return SchemaError(path, rule, f"{count} member(s) that the schema does not declare")
    if rule == _UNTAGGED:
        return SchemaError(path, rule, f"`{wanted}` must name one of the variants")
    if rule in {"anyOf", "oneOf"}:
        return SchemaError(path, rule, _shortened(_alternatives(rule, wanted)))
    return SchemaError(path, rule, _shortened(f"{rule}: {json.dumps(wanted)}"))


def _alternatives(rule: str, wanted: Any) -> str:
    """Describe the schema's alternatives, as far as that is possible in few words."""
    required = [", ".join(one["required"]) for one in wanted if set(one) == {"required"}]
    if rule == "oneOf" and len(required) == len(wanted):
        return f"exactly one of: {', '.join(required)}"
    kinds = [str(one.get("type") or one.get("$ref", "").rpartition("/")[2]) for one in wanted]
    return f"none of: {', '.join(kinds)}"


def _shortened(text: str) -> str:
    return text if len(text) <= _DETAIL_LENGTH else text[: _DETAIL_LENGTH - 3] + "..."


def _stem(name: str) -> str:
    """Return a class name as files and folders write it: ChatRequest -> chat_request."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
