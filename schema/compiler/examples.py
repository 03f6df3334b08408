"""Converts the examples of a schema to Python code for the docstrings of generated classes.

They are doctests with the names of the module of the models; `tests/docs/test_examples_of_names.py` runs them.
"""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

import expressions
from expressions import Anything, Choice, Map, Named, Scalar, Type, Words, is_object, members_of, type_of
from problems import SchemaProblem
from sources import Document

_WIDTH: Final = 100
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


@dataclass(frozen=True)
class _Group:
    """Code in brackets, on one line or with one line for each part."""

    opening: str
    parts: tuple[tuple[str, _Group | str], ...]
    closing: str


def class_example(name: str, definitions: Mapping[str, Document]) -> str:
    """Return the docstring lines that create the first example of a class and show its JSON."""
    definition = definitions[name]
    value = definition["examples"][0]
    if definition.get("x-enum"):
        lines = [f">>> {name}({value!r})", f"<{name}.{value.upper()}: {value!r}>"]
    else:
        built = _lines(_code(Named(name), value, definitions), tail=".model_dump(mode='json')")
        code = "\n... ".join(built)
        lines = [f">>> {code}", *_wrapped(repr(_ordered(Named(name), value, definitions)))]
    section = "\n".join(["Example:", textwrap.indent("\n".join(lines), "    ")])
    return textwrap.indent(section, "    ").replace("\\", "\\\\")


def alias_example(name: str, definitions: Mapping[str, Document]) -> str:
    """Return the docstring lines that show the use of a union, or the words of a type."""
    definition = definitions[name]
    if isinstance(type_of(definition), Words):
        words = ", ".join(repr(word) for word in definition["enum"])
        lines = [">>> from typing import get_args", f">>> get_args({name})", *_wrapped(f"({words})")]
    else:
        value = _example_of(definition, definitions)
        made = _lines(_code(Named(name), value, definitions), f"TypeAdapter({name}).validate_python(value) == ")
        plain = "\n... ".join(_lines(_code(Anything(), value, definitions), "value = "))
        start = [">>> from pydantic import TypeAdapter", f">>> {plain}"]
        lines = [*start, ">>> " + "\n... ".join(made), "True"]
    return "\n".join(["Example:", textwrap.indent("\n".join(lines), "    ")]).replace("\\", "\\\\")


def _example_of(definition: Document, definitions: Mapping[str, Document]) -> Any:
    """Return an example of a definition, or of the first of its variants that has one."""
    if "examples" in definition:
        return definition["examples"][0]
    options = definition.get("oneOf") or definition["anyOf"]
    return _example_of(definitions[options[0]["$ref"].rpartition("/")[2]], definitions)


def with_example(text: str, description: str, example: str) -> str:
    """Return the text of a class with an example added to its docstring.

    Raises:
        SchemaProblem: the class does not begin with its description.
    """
    head, docstring, rest = text.partition(f'    """{description}"""\n')
    if not docstring or head.count("\n") != 1:
        raise SchemaProblem("", "examples", f"no class of the docstring {description!r} was generated")
    return f'{head}    """{description}\n\n{example}\n    """\n{rest}'


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _code(kind: Type, value: Any, definitions: Mapping[str, Document]) -> _Group | str:
    """Return the code that creates a value of a type."""
    match kind:
        case Named(name):
            definition = definitions[name]
            if definition.get("x-enum"):
                return repr(value)
            if is_object(definition):
                return _Group(f"{name}(", tuple(_arguments(definition, value, definitions)), ")")
            return _code(_variant(definition, value), value, definitions)
        case expressions.Sequence(item):
            parts = tuple(("", _code(item, one, definitions)) for one in value)
            return _Group("(", parts, ",)" if len(parts) == 1 else ")")
        case Map(item):
            return _Group("{", tuple((f"{key!r}: ", _code(item, one, definitions)) for key, one in value.items()), "}")
        case Choice(options):
            return _code(_option(options, value, definitions), value, definitions)
        case Anything() if isinstance(value, dict):
            return _code(Map(Anything()), value, definitions)
        case Anything() if _is_list(value):
            return _Group("[", tuple(("", _code(Anything(), one, definitions)) for one in value), "]")
        case _:
            return repr(value)


def _arguments(
    definition: Document, value: Mapping[str, Any], definitions: Mapping[str, Document]
) -> Iterator[tuple[str, _Group | str]]:
    """Yield the constructor arguments of a class; constants are left out."""
    members = {member.name: member for member in members_of(definition)}
    awkward: dict[str, Any] = {}
    for name in _in_order(definition, value):
        member = members.get(name)
        if member and member.is_required and isinstance(member.type, Words) and len(member.type.values) == 1:
            continue
        if not name.isidentifier() or keyword.iskeyword(name):
            awkward[name] = value[name]
        else:
            yield f"{name}=", repr(value[name]) if member is None else _code(member.type, value[name], definitions)
    if awkward:
        yield "**", repr(awkward)


def _ordered(kind: Type, value: Any, definitions: Mapping[str, Document]) -> Any:
    """Return a value with its members in the order in which the class writes them."""
    match kind:
        case Named(name) if is_object(definitions[name]):
            return _ordered_object(definitions[name], value, definitions)
        case Named(name) if not definitions[name].get("x-enum"):
            return _ordered(_variant(definitions[name], value), value, definitions)
        case expressions.Sequence(item):
            return [_ordered(item, one, definitions) for one in value]
        case Map(item):
            return {key: _ordered(item, one, definitions) for key, one in value.items()}
        case Choice(options):
            return _ordered(_option(options, value, definitions), value, definitions)
        case _:
            return value


def _ordered_object(
    definition: Document, value: Mapping[str, Any], definitions: Mapping[str, Document]
) -> dict[str, Any]:
    """Return an object as its class writes it: with defaults, and without members that are null."""
    members = {member.name: member for member in members_of(definition)}
    defaults = {name: schema["default"] for name, schema in definition["properties"].items() if "default" in schema}
    written: dict[str, Any] = {}
    for name in _in_order(definition, defaults | dict(value)):
        member = members.get(name)
        given = value.get(name, defaults.get(name))
        if member is None:
            written[name] = given
        elif given is not None or member.is_required:
            written[name] = _ordered(member.type, given, definitions)
    return written


def _in_order(definition: Document, value: Mapping[str, Any]) -> list[str]:
    """Return the names of an object's members in the order of its class; undeclared ones are last."""
    declared = [name for name in definition["properties"] if name in value]
    return [*declared, *(name for name in value if name not in definition["properties"])]


def _variant(definition: Document, value: Any) -> Type:
    """Return the variant of a union for a value, by its tag; a type without tags is an alias."""
    tags = definition.get("discriminator")
    if not tags:
        return type_of(definition)
    reference = tags["mapping"].get(value[tags["propertyName"]])
    return type_of({"$ref": reference}) if reference else type_of(definition)


def _option(options: Sequence[Type], value: Any, definitions: Mapping[str, Document]) -> Type:
    """Return the first of several types that fits a value."""
    return next((option for option in options if _fits(option, value, definitions)), options[-1])


def _fits(kind: Type, value: Any, definitions: Mapping[str, Document]) -> bool:
    match kind:
        case Scalar(name):
            return isinstance(value, _KINDS[name]) and (name == "boolean" or not isinstance(value, bool))
        case Words(values):
            return value in values
        case expressions.Sequence(item):
            return _is_list(value) and all(_fits(item, one, definitions) for one in value)
        case Map():
            return isinstance(value, dict)
        case Choice(options):
            return any(_fits(option, value, definitions) for option in options)
        case Named(name) if is_object(definitions[name]):
            required = definitions[name].get("required", ())
            return isinstance(value, dict) and all(member in value for member in required)
        case Named(name) if definitions[name].get("x-enum"):
            return value in definitions[name]["enum"]
        case Named(name):
            return _fits(_variant(definitions[name], value), value, definitions)
        case _:
            return True


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _lines(code: _Group | str, lead: str = "", tail: str = "") -> Iterator[str]:
    """Yield code on one line, or with a line for each part if one is too long."""
    flat = lead + _flat(code) + tail
    if isinstance(code, str) or len(flat) <= _WIDTH or not code.parts:
        yield flat
        return
    yield lead + code.opening
    for name, part in code.parts:
        yield from (f"    {line}" for line in _lines(part, name, ","))
    yield code.closing.removeprefix(",") + tail


def _flat(code: _Group | str) -> str:
    if isinstance(code, str):
        return code
    return code.opening + ", ".join(name + _flat(part) for name, part in code.parts) + code.closing
