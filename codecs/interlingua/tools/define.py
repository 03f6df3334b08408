"""Makes tool definitions from functions: from their name, docstring and annotated parameters."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.fields import FieldInfo
from pydantic_core import PydanticSerializationError, to_jsonable_python

from interlingua.argument_checks import check_mapping
from interlingua.model import ToolDefinition
from interlingua.tools.docstring import read_docstring
from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import check_type, read_by
from interlingua_types._parameters import parameters_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Function: TypeAlias = "Callable[..., Any]"

_BY_NAME: Final = frozenset({inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY})


def define(
    function: Function, *, name: str | None = None, description: str | None = None, strict: bool = True
) -> ToolDefinition:
    """Return the definition of a tool for a function, which may be async, a method or a partial.

    Use `Tool.from_function` for a tool that can also be run; this function is for programs that run their tools by
    other means.

    Name and description are the function's own unless given; its docstring also describes the parameters, in Google,
    NumPy or Sphinx style, unless `Annotated[..., Field(description=...)]` does. A parameter with a default is optional.
    Arguments bound by a partial are left out. `strict` closes the schema at every depth.

    Args:
        function: The function that the tool calls; its parameters need annotations.
        name: The tool name; None takes that of the function.
        description: The description for the model; None takes the docstring.
        strict: Whether the schema forbids additional properties and the tool is marked strict.

    Raises:
        InvalidArgumentError: it is not a function; a parameter has no annotation, has one without a JSON form, or is
            positional-only; there are `*` or `**` parameters; `ToolDefinition.create` refuses the name or description.

    Example:
        >>> def weather(city: str) -> str:
        ...     '''Return the weather of a city.'''
        ...     return f"Sunny in {city}"
        >>> il.tools.define(weather).name
        'weather'
    """
    if not callable(function):
        raise InvalidArgumentError(f"expected a function, not {type(function).__name__}")
    documentation = read_docstring(_documentation(function))
    if description is None and not documentation.description:
        raise InvalidArgumentError("description must not be empty: give the function a docstring, or a description")
    return ToolDefinition.from_type(
        _parameters_type(function, documentation.parameters),
        name=_name(function) if name is None else name,
        description=documentation.description if description is None else description,
        strict=strict,
    )


class ArgumentReader:
    """Converts the arguments of a call to the types of a function's parameters: models, dates, enumerations and so on.

    Example:
        >>> from datetime import date
        >>> def weather(day: date) -> str:
        ...     return "31 degrees"
        >>> il.tools.ArgumentReader(weather).read({"day": "2026-01-01"})
        {'day': datetime.date(2026, 1, 1)}
    """

    def __init__(self, function: Function) -> None:
        """Create a reader for a function.

        Raises:
            InvalidArgumentError: `define` refuses the function.
        """
        made = _parameters_type(function, {})
        parameters_of(made, strict=True)
        self._adapter: TypeAdapter[Any] = TypeAdapter(made)
        self._names = tuple(field.name for field in dataclasses.fields(made))

    def read(self, arguments: Mapping[str, Any], describe: Callable[[Exception], str] | None = None) -> dict[str, Any]:
        """Return the arguments for the function, by name; defaults are filled in.

        Args:
            arguments: The arguments, as JSON values.
            describe: Formats an error that a validator of an annotation raises; None names only the violated rule.

        Raises:
            InvalidArgumentError: they do not fit the annotations; the message names the violated rules and
                their places.
        """
        check_mapping(arguments, "arguments")
        value = read_by(self._adapter, dict(arguments), describe)
        return {name: getattr(value, name) for name in self._names}


def _parameters_type(function: Function, described: Mapping[str, str]) -> type[Any]:
    """Return a dataclass whose fields are the parameters of a function."""
    if inspect.isclass(_callable_object(function)):
        raise InvalidArgumentError("a tool is made from a function; for a type use ToolDefinition.from_type")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError("the parameters of the function cannot be read") from error
    bound = _bound(function)
    wanted = [parameter for parameter in signature.parameters.values() if parameter.name not in bound]
    for parameter in wanted:
        _check_parameter(parameter)
    hints = _annotations(function, wanted)
    fields = [_field(parameter, hints[parameter.name], described.get(parameter.name)) for parameter in wanted]
    # A function accepts no other arguments.
    namespace = {"__pydantic_config__": ConfigDict(extra="forbid")}
    return dataclasses.make_dataclass(_name(function) or "Arguments", fields, kw_only=True, namespace=namespace)


def _check_parameter(parameter: inspect.Parameter) -> None:
    if parameter.kind not in _BY_NAME:
        raise InvalidArgumentError(f"the parameter {parameter.name} cannot be passed by name")
    if parameter.annotation is inspect.Parameter.empty:
        hint = "; for a method, pass the method of an object" if parameter.name in {"self", "cls"} else ""
        raise InvalidArgumentError(f"the parameter {parameter.name} has no annotation{hint}")
    if isinstance(parameter.default, FieldInfo):
        raise InvalidArgumentError(
            f"the parameter {parameter.name} has a Field as its default: put the Field into Annotated"
        )


def _annotations(function: Function, wanted: Iterable[inspect.Parameter]) -> dict[str, Any]:
    """Return the annotations of parameters, with string annotations evaluated."""
    inner = _callable_object(function)
    inner = inspect.unwrap(inner if inspect.isroutine(inner) else type(inner).__call__)
    names = getattr(getattr(inner, "__func__", inner), "__globals__", {})
    holder = type("Annotations", (), {"__annotations__": {one.name: one.annotation for one in wanted}})
    try:
        hints = get_type_hints(holder, names, include_extras=True)
    except NameError as error:
        hint = "define it there, not in a function or under TYPE_CHECKING"
        message = f"an annotation uses {error.name}, which the function's module lacks: {hint}"
        raise InvalidArgumentError(message) from error
    except (SyntaxError, TypeError) as error:
        raise InvalidArgumentError("an annotation is not a type") from error
    for hint in hints.values():
        check_type(hint)
    return hints


def _bound(function: Any) -> Mapping[str, Any]:
    """Return the keyword arguments bound by a partial."""
    return function.keywords if isinstance(function, functools.partial) else {}


def _callable_object(function: Any) -> Any:
    """Return the function inside nested partials."""
    while isinstance(function, functools.partial):
        function = function.func
    return function


def _field(parameter: inspect.Parameter, hint: Any, described: str | None) -> Any:
    """Return the field of a dataclass for a parameter."""
    extra: dict[str, Any] = {}
    notes: dict[str, Any] = {}
    if described and not _is_described(hint):
        notes["description"] = described
    if parameter.default is inspect.Parameter.empty:
        return (parameter.name, Annotated[hint, Field(**notes)])
    default = parameter.default
    if default is not None:
        try:
            extra["default"] = to_jsonable_python(default)
        except PydanticSerializationError:
            extra = {}  # a default without a JSON form is left out of the schema
    if extra:
        notes["json_schema_extra"] = extra
    return (parameter.name, Annotated[hint, Field(**notes)], dataclasses.field(default_factory=lambda: default))


def _is_described(hint: Any) -> bool:
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return any(isinstance(note, FieldInfo) and note.description for note in notes)


def _name(function: Any) -> str:
    called = _callable_object(function)
    return str(getattr(called, "__name__", type(called).__name__))


def _documentation(function: Any) -> str | None:
    called = _callable_object(function)
    if inspect.isroutine(called):
        return inspect.getdoc(called)
    return inspect.getdoc(called.__call__) or inspect.getdoc(called)
