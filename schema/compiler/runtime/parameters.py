"""The parameters of a tool from a Python type: its JSON Schema, without members that a model does not need."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Final

from pydantic import PydanticInvalidForJsonSchema, PydanticSchemaGenerationError, PydanticUserError, TypeAdapter
from pydantic.errors import PydanticUndefinedAnnotation
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import check_type

_NO_SCHEMA: Final = (
    PydanticInvalidForJsonSchema,
    PydanticSchemaGenerationError,
    PydanticUndefinedAnnotation,
    PydanticUserError,
)


class OpenParameters(GenerateJsonSchema):
    """Pydantic's schema without titles that repeat a name, and with alternatives that need no keyword of OpenAPI."""

    closed = False

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the signature is Pydantic's
        """Return False: no member gets its own name as title."""
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Return the schema of a model."""
        return self._object(super().model_schema(schema))

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """Return the schema of a dataclass."""
        return self._object(super().dataclass_schema(schema))

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """Return the schema of a TypedDict."""
        return self._object(super().typed_dict_schema(schema))

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Return the schema of a member with a default; a default of None is left out."""
        made = super().default_schema(schema)
        if made.get("default", self) is None:
            del made["default"]
        return made

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """Return the schema of alternatives: their tags tell them apart, and every provider reads `anyOf`."""
        made = super().tagged_union_schema(schema)
        made.pop("discriminator", None)
        return {"anyOf" if name == "oneOf" else name: value for name, value in made.items()}

    def _object(self, made: JsonSchemaValue) -> JsonSchemaValue:
        if self.closed and "properties" in made:
            made.setdefault("additionalProperties", False)
        return made


class ClosedParameters(OpenParameters):
    """The same, and each object refuses undeclared members, unless its type allows them."""

    closed = True


def parameters_of(target: Any, *, strict: bool) -> dict[str, Any]:
    """Return the JSON Schema for the input of a type; `strict` closes it at every depth.

    Raises:
        InvalidArgumentError: the type has no JSON Schema, or is a function.
    """
    if inspect.isroutine(target) or isinstance(target, functools.partial):
        raise InvalidArgumentError("a tool is made from a type; interlingua.tools.Tool.from_function takes a function")
    check_type(target)
    maker = ClosedParameters if strict else OpenParameters
    try:
        schema = TypeAdapter(target).json_schema(schema_generator=maker)
    except _NO_SCHEMA as error:
        message = f"the type has no JSON Schema ({type(error).__name__})"
        raise InvalidArgumentError(message) from error
    for name, definition in schema.get("$defs", {}).items():
        if definition.get("title") == name:
            del definition["title"]
    if "$ref" in schema and "$defs" in schema:
        # For a recursive type, its own schema is among the definitions.
        schema = {**schema["$defs"][schema["$ref"].rpartition("/")[2]], "$defs": schema["$defs"]}
    elif schema.get("title") == getattr(target, "__name__", None):
        schema.pop("title", None)
    return schema
