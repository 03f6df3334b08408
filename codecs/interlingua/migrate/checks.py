"""Validates documents before and after a migration, with the generated models.

The models are much faster than the JSON Schema validator and accept the same documents. If they refuse one, the
validator explains why.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic import ConfigDict, TypeAdapter, ValidationError

from interlingua.errors import MigrationError
from interlingua.json_types import is_list, is_object, is_text
from interlingua.validation import validate
from interlingua_types import CURRENT, VERSIONS
from interlingua_types.unions import UNIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic.plugin._schema_validator import PluggableSchemaValidator
    from pydantic_core import SchemaValidator

Json: TypeAlias = dict[str, Any]

OPEN_PARTS: Final = 2
"""The version in which parts of an unknown type are kept rather than refused."""

_CONTENTS: Final = ("content", "reasoning", "refusal")
_STAND_IN: Final = {"type": "text", "text": ""}


def accepts(document: Any, version: int) -> bool:
    """Tell whether a document is a message of a version."""
    try:
        adapter(version).validator.validate_python(_readable(document, version))
    except ValidationError:
        return False
    return True


def check(document: Any, version: int, path: str = "") -> None:
    """Check that a document is a message of a version.

    Raises:
        MigrationError: it is not; the path begins with `path`.
    """
    if not accepts(document, version):
        raise violation(document, version, path)


def violation(document: Any, version: int, path: str = "") -> MigrationError:
    """Return the first schema error of a document that a version does not accept."""
    found = validate(_readable(document, version), version)
    if not found:
        return MigrationError(version, path, "not a message of this version")
    return MigrationError(version, path + found[0].path, found[0].detail)


def is_part(value: Any) -> bool:
    """Tell whether a value can be a part in version 2: a valid part, or one of an unknown type."""
    if not is_object(value) or not is_text(value.get("type")):
        return False
    if _has_unknown_type(value):
        return True
    try:
        _adapters()["part"].validate_python(value)
    except ValidationError:
        return False
    return True


def adapter(version: int) -> TypeAdapter[Any]:
    """Return the reader of one message of a version; of the current one, unknown messages included."""
    return _adapters()[version]


def known_reader() -> SchemaValidator | PluggableSchemaValidator:
    """Return the reader of one message of the current version, unknown messages left out."""
    return _adapters()["known"].validator


def members(version: int, shape: str) -> frozenset[str]:
    """Return the members that a version knows of a shape, by the name of its class."""
    module = version_module(version)
    return frozenset(field.alias or name for name, field in getattr(module, shape).model_fields.items())


def version_module(version: int) -> Any:
    """Return the generated models of a version."""
    return import_module(f"interlingua_types.v{version}")


@cache
def _adapters() -> Mapping[int | str, TypeAdapter[Any]]:
    silent = ConfigDict(hide_input_in_errors=True)  # the classes have this set; a union of them needs its own
    modules = {version: version_module(version) for version in VERSIONS}
    unions: dict[int | str, Any] = {
        version: getattr(module, "AnyMessage", None) or module.Message for version, module in modules.items()
    }
    unions |= {"known": modules[CURRENT].Message, "part": modules[OPEN_PARTS].Part}
    return {name: TypeAdapter(union, config=silent) for name, union in unions.items()}


def _readable(document: Any, version: int) -> Any:
    """Return a document without the parts that are kept as they are."""
    if version != OPEN_PARTS or not is_object(document):
        return document
    readable = document
    for name in _CONTENTS:
        content = document.get(name)
        if is_list(content) and any(map(_has_unknown_type, content)):
            readable = {**readable, name: [_STAND_IN if _has_unknown_type(part) else part for part in content]}
    return readable


def _has_unknown_type(part: Any) -> bool:
    """Tell whether a part has a type that version 2 does not know."""
    return is_object(part) and is_text(part.get("type")) and part["type"] not in _PART_KINDS


_PART_KINDS: Final = UNIONS[OPEN_PARTS]["part"].variants.keys()
