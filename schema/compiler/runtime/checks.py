"""The rules for values made by hand (004). No error repeats a value: it may be a secret."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from interlingua_types._base import InvalidArgumentError

T = TypeVar("T")

_NAME: Final = re.compile(r"[A-Za-z0-9_]+")
_NAME_LENGTH: Final = 64


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


def check_parameters(parameters: Any) -> None:
    """Check that parameters are the JSON Schema of an object, as far as its own members go (FR-004a-80, 81).

    Raises:
        InvalidArgumentError: they are not.
    """
    schema: Mapping[str, Any] = cast("Mapping[str, Any]", parameters) if isinstance(parameters, Mapping) else {}
    message = ""
    if schema.get("type") != "object":
        message = "parameters must be a JSON Schema of type object"
    elif not isinstance(schema.get("properties", {}), Mapping):
        message = "parameters must have an object as properties"
    elif not _is_list_of_text(schema.get("required", [])):
        message = "parameters must have a list of names as required"
    if message:
        raise InvalidArgumentError(message)


def _is_list_of_text(value: Any) -> bool:
    """Tell whether a value is a list of texts."""
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in cast("list[Any]", value))


def parse_arguments(arguments: Any) -> dict[str, Any]:
    """Return arguments as an object.

    Raises:
        InvalidArgumentError: they are neither an object nor the JSON text of one.
    """
    message = "arguments must be a JSON object"
    if isinstance(arguments, str):
        try:
            arguments = from_json(arguments, allow_inf_nan=False)
        except ValueError:
            # Without the cause: the parser's text says where, and its traceback would hold the arguments.
            raise InvalidArgumentError(message) from None
    if not isinstance(arguments, Mapping):
        raise InvalidArgumentError(message)
    return dict(cast("Mapping[str, Any]", arguments))


def read_as(target: type[T], value: Any) -> T:
    """Return a JSON value as a value of a type.

    Raises:
        InvalidArgumentError: it does not fit; the text names the rules that are broken.
    """
    try:
        return TypeAdapter(target).validate_python(value)
    except ValidationError as error:
        rules = {detail["type"]: None for detail in error.errors(include_input=False, include_context=False)}
    # Outside the handler, so that the traceback has no cause that shows the value.
    message = f"the value does not fit the type: {', '.join(rules)}"
    raise InvalidArgumentError(message)
