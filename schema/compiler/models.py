"""A bundle -> the module of its Pydantic models.

datamodel-code-generator writes the classes: order, optional members, defaults, aliases of awkward names, docstrings.
What it cannot say (integers as JSON Schema has them, limits inside unions, tuples, unions as plain aliases) goes
through placeholders and fixes, each of which counts how often it applied and refuses any other number.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from bundle import DIALECT
from examples import alias_example, class_example, with_example
from expressions import Anything, Choice, Map, Named, Scalar, Sequence, Type, Words, is_object, members_of, type_of
from fixes import GeneratedModule, apply_fixes, in_order_of_use, split_module
from problems import SchemaProblem
from rules import exactly_one_of, mixin_modules
from sources import Document, Version, camel_case
from toolchain import format_python, generate_models

_BASE: Final = "interlingua_types._base"
_LIMIT_NAMES: Final = {
    "minLength": "min_length",
    "maxLength": "max_length",
    "pattern": "pattern",
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
}
# The modules of the names that a module may use, in import order. Only used names are imported.
_IMPORTS: Final[tuple[Mapping[str, tuple[str, ...]], ...]] = (
    {"enum": ("StrEnum",), "typing": ("TYPE_CHECKING", "Annotated", "Any", "ClassVar", "Literal", "TypeAlias")},
    {"pydantic": ("ConfigDict", "Field", "StrictBool", "StrictStr", "StringConstraints")},
    {
        "interlingua_types._base": ("ExactlyOneModel", "InterlinguaModel"),
        **mixin_modules(),
        "interlingua_types._scalars": ("Integer", "Integral", "Number", "Numeric"),
    },
)


class _Placeholders:
    """Placeholder names for Python types that the generator does not know; it keeps them in its output."""

    def __init__(self, enumerations: frozenset[str]) -> None:
        self.enumerations = enumerations
        self.annotations: dict[str, str] = {}

    def scalar(self, kind: str, limits: Mapping[str, str | int | float]) -> Document:
        """Return the schema of a scalar. A constrained one is a placeholder for its annotation, one for each place."""
        if not limits and kind in {"integer", "number"}:
            return {"customTypePath": f"{_BASE}.{'Integer' if kind == 'integer' else 'Number'}"}
        if not limits:
            return {"type": kind}
        name = f"Scalar{len(self.annotations)}Placeholder"
        self.annotations[name] = _annotation(kind, limits)
        return {"customTypePath": f"{_BASE}.{name}"}


def models_module(version: Version, bundled: Document, header: str) -> str:
    """Return the text of `models.py` of one version.

    Raises:
        SchemaProblem: a shape has no file to take its class name from, or a fix did not apply as it must.
    """
    definitions: Mapping[str, Document] = bundled["$defs"]
    enumerations = frozenset(name for name, definition in definitions.items() if definition.get("x-enum"))
    placeholders = _Placeholders(enumerations)
    schema = _generator_schema(bundled, placeholders)
    module = split_module(generate_models(schema, _bases(version)))
    _check_names(version, module, definitions, enumerations)
    words = {name: definitions[name]["enum"] for name in enumerations}
    module = apply_fixes(module, schema, placeholders.annotations, _class_constants(version), words)
    names, ahead = in_order_of_use(module)
    body = [_enumeration(version, name, definitions[name]) for name in sorted(enumerations)]
    for name in names:
        alias = module.aliases.get(name)
        body.append(module.classes[name] if alias is None else _alias(name, alias, definitions))
    body = [_documented(text, definitions) for text in body]
    body += [f"{name}.model_rebuild()" for name in ahead]
    text = "\n\n\n".join(body)
    exports = ", ".join(f'"{name}"' for name in sorted(definitions))
    checked = "if TYPE_CHECKING:\n    from collections.abc import Sequence" if "Sequence[" in text else ""
    parts = [header, "from __future__ import annotations", _imports(text), checked, f"__all__ = [{exports}]", text, ""]
    return format_python("\n\n".join(parts))


def _generator_schema(bundled: Document, placeholders: _Placeholders) -> Document:
    """Return the bundle in the form from which the generator produces the wanted classes."""
    definitions: dict[str, Document] = {}
    for name, definition in bundled["$defs"].items():
        if name in placeholders.enumerations:
            continue
        described = {"description": definition["description"]}
        if is_object(definition):
            definitions[name] = described | _object_schema(definition, placeholders)
        elif len(definition.get("discriminator", {}).get("mapping", ())) > 1:
            definitions[name] = described | {key: definition[key] for key in ("oneOf", "discriminator")}
        else:
            definitions[name] = described | _schema(type_of(definition), placeholders)
    return {"$schema": DIALECT, "$id": bundled["$id"], "$defs": definitions}


def _object_schema(definition: Document, placeholders: _Placeholders) -> Document:
    """Return an object with its members; rules about several members are checked by the base class."""
    properties: dict[str, Document] = {}
    for member in members_of(definition):
        source = definition["properties"][member.name]
        kept = {key: source[key] for key in ("description", "default", "deprecated") if key in source}
        properties[member.name] = _schema(_without_null(member.type), placeholders) | kept
    return {
        "type": "object",
        "properties": properties,
        "required": definition.get("required", []),
        "additionalProperties": definition["additionalProperties"],
    }


def _without_null(kind: Type) -> Type:
    """Return the type of a nullable member without null: Python reads null and absence as None."""
    if not isinstance(kind, Choice):
        return kind
    options = tuple(option for option in kind.options if option != Scalar("null"))
    return options[0] if len(options) == 1 else Choice(options)


def _schema(kind: Type, placeholders: _Placeholders) -> Document:
    """Return a type as a schema for the generator."""
    match kind:
        case Named(name) if name in placeholders.enumerations:
            return {"customTypePath": f"{_BASE}.{name}"}
        case Named(name):
            return {"$ref": f"#/$defs/{name}"}
        case Scalar(name, limits):
            return placeholders.scalar(name, dict(limits))
        case Words((value,)):
            return {"const": value}
        case Words(values):
            return {"enum": list(values)}
        case Sequence(item, limits):
            return {"type": "array", "items": _schema(item, placeholders), **dict(limits)}
        case Map(Anything()):
            return {"type": "object"}
        case Map(value):
            return {"type": "object", "additionalProperties": _schema(value, placeholders)}
        case Anything():
            return {}
        case Choice(options):
            return {"anyOf": [_schema(option, placeholders) for option in options]}


def _annotation(kind: str, limits: Mapping[str, str | int | float]) -> str:
    """Return the Python type of a scalar with limits."""
    arguments = ", ".join(f"{_LIMIT_NAMES[name]}={value!r}" for name, value in limits.items())
    if kind == "string":
        return f"Annotated[str, StringConstraints(strict=True, {arguments})]"
    python, check = ("int", "Integral") if kind == "integer" else ("int | float", "Numeric")
    return f"Annotated[{python}, {check}({arguments})]"


def _bases(version: Version) -> dict[str, list[str]]:
    """Return the base classes of classes whose base is not the common one."""
    bases: dict[str, list[str]] = {}
    mixins = {name: f"{module}.{name}" for module, names in mixin_modules().items() for name in names}
    for file in version.files:
        mixin = [mixins[file.document["x-mixin"]]] if "x-mixin" in file.document else []
        rule = [f"{_BASE}.ExactlyOneModel"] if exactly_one_of(file.document) else []
        if (mixin or rule) and not file.document.get("x-enum"):
            bases[file.name] = mixin + rule
    return bases


def _class_constants(version: Version) -> dict[str, dict[str, tuple[str, str]]]:
    """Return the class variables (type and value) with rules that the base class checks."""
    constants: dict[str, dict[str, tuple[str, str]]] = {}
    for file in version.files:
        if names := exactly_one_of(file.document):
            constants[file.name] = {"exactly_one_of": ("tuple[str, ...]", repr(names))}
    for union, stem in version.fallback.items():
        known = sorted(file.stem for file in version.variants(union))
        constants[camel_case(stem)] = {
            "tag_member": ("str", repr(version.unions[union])),
            "known_tags": ("frozenset[str]", f"frozenset({known!r})"),
            "version": ("int", repr(version.number)),
        }
    return constants


def _check_names(
    version: Version, module: GeneratedModule, definitions: Mapping[str, Document], enumerations: frozenset[str]
) -> None:
    """Check that every class comes from a file, and every file has a class.

    Raises:
        SchemaProblem: a class has a name of its own making, or one is missing.
    """
    made = {*module.classes, *module.aliases}
    expected = set(definitions) - enumerations
    for name in sorted(made - expected):
        detail = f"the generator made {name}, which no file is called; give the shape a file of its own"
        raise SchemaProblem(version.path, "class name", detail)
    for name in sorted(expected - made):
        raise SchemaProblem(version.path, "class name", f"the generator made nothing of {name}")


def _enumeration(version: Version, name: str, definition: Document) -> str:
    """Return an enumeration class: members in capitals, values as in JSON."""
    file = next(file for file in version.files if file.name == name)
    base = file.document.get("x-mixin", "StrEnum")
    members = [f"    {value.upper()} = {value!r}" for value in definition["enum"]]
    return "\n".join([f"class {name}({base}):", f'    """{definition["description"]}"""', "", *members])


def _documented(text: str, definitions: Mapping[str, Document]) -> str:
    """Return a class whose docstring shows an example; an alias is returned as it is."""
    kind, _, rest = text.partition(" ")
    if kind != "class":
        return text
    name = rest.partition("(")[0]
    return with_example(text, definitions[name]["description"], class_example(name, definitions))


def _alias(name: str, value: str, definitions: Mapping[str, Document]) -> str:
    """Return a named type that is no class."""
    description, example = definitions[name]["description"], alias_example(name, definitions)
    return f'{name}: TypeAlias = {value}\n"""{description}\n\n{example}\n"""'


def _imports(text: str) -> str:
    """Return the imports of the names that a module uses."""
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    blocks: list[str] = []
    for group in _IMPORTS:
        wanted = {module: [name for name in names if name in used] for module, names in group.items()}
        lines = [f"from {module} import {', '.join(names)}" for module, names in wanted.items() if names]
        blocks += ["\n".join(lines)] if lines else []
    return "\n\n".join(blocks)
