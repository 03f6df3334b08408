"""A bundle -> the module of its TypedDicts: the same names, for canonical JSON in plain dicts.

Rooms speak canonical JSON; these types let a type checker follow it. They cost nothing at run time.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from expressions import (
    Anything,
    Choice,
    Map,
    Member,
    Named,
    Scalar,
    Sequence,
    Type,
    Words,
    is_object,
    members_of,
    type_of,
)
from fixes import GeneratedModule, in_order_of_use
from sources import Document
from toolchain import format_python

_SCALARS: Final[Mapping[str, str]] = {
    "string": "str",
    "integer": "int",
    "number": "int | float",
    "boolean": "bool",
    "null": "None",
}
_IMPORTS: Final = ("Any", "Literal", "NotRequired", "TypeAlias", "TypedDict")


def shapes_module(bundled: Document, header: str) -> str:
    """Return the text of `shapes.py` of one version."""
    definitions: Mapping[str, Document] = bundled["$defs"]
    classes = {name: _typed_dict(name, body) for name, body in definitions.items() if is_object(body)}
    aliases = {name: python_type(type_of(body)) for name, body in definitions.items() if not is_object(body)}
    # Types in classes are quoted, so classes may come first; an alias is a value and comes after what it uses.
    names, _ = in_order_of_use(GeneratedModule(dict.fromkeys(classes, "pass"), aliases))
    body = [classes[name] for name in sorted(classes)]
    body += [_alias(name, aliases[name], definitions[name]) for name in names if name in aliases]
    text = "\n\n\n".join(body)
    exports = ", ".join(f'"{name}"' for name in sorted(definitions))
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    imports = ", ".join(name for name in _IMPORTS if name in used)
    parts = [header, f"from typing import {imports}", f"__all__ = [{exports}]"]
    return format_python("\n\n".join([*parts, text, ""]))


def python_type(kind: Type) -> str:
    """Return a type as Python writes it for plain JSON."""
    match kind:
        case Named(name):
            return name
        case Scalar(name):
            return _SCALARS[name]
        case Words(values):
            return f"Literal[{', '.join(map(repr, values))}]"
        case Sequence(item):
            return f"list[{python_type(item)}]"
        case Map(value):
            return f"dict[str, {python_type(value)}]"
        case Anything():
            return "Any"
        case Choice(options):
            return " | ".join(python_type(option) for option in options)


def _typed_dict(name: str, definition: Document) -> str:
    """Return the TypedDict of an object."""
    lines = [f"class {name}(TypedDict):", f"    {_docstring(definition['description'])}", ""]
    for member in members_of(definition):
        lines += [f"    {member.name}: {_member_type(member)}", f"    {_docstring(member.description)}"]
    return "\n".join(lines)


def _member_type(member: Member) -> str:
    """Return the type of a member; an optional one is NotRequired.

    Only the type inside is quoted, and only where it names a class: under `from __future__ import annotations`, or with
    all of it quoted, Python would take every member for a required one.
    """
    kind = python_type(member.type)
    quoted = f'"{kind}"' if _names_a_class(member.type) else kind
    return quoted if member.is_required else f"NotRequired[{quoted}]"


def _names_a_class(kind: Type) -> bool:
    """Tell whether a type refers to another definition."""
    match kind:
        case Named():
            return True
        case Sequence(item):
            return _names_a_class(item)
        case Map(value):
            return _names_a_class(value)
        case Choice(options):
            return any(_names_a_class(option) for option in options)
        case _:
            return False


def _alias(name: str, value: str, definition: Document) -> str:
    """Return a type alias."""
    return f"{name}: TypeAlias = {value}\n{_docstring(definition['description'])}"


def _docstring(text: str) -> str:
    """Return a text as a docstring in triple quotes, with escapes where needed."""
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{escaped[:-1]}\\""""' if escaped.endswith('"') else f'"""{escaped}"""'
