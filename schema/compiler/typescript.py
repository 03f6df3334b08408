"""A bundle -> TypeScript: interfaces, discriminated unions, constants as literal types.

What Pydantic checks at run time (limits, patterns, exactly one of several) stays with the JSON Schema; these types say
what a compiler can check.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Final

from expressions import Anything, Choice, Map, Named, Scalar, Sequence, Type, Words, is_object, members_of, type_of
from sources import Document

_SCALARS: Final[Mapping[str, str]] = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def typescript_module(bundled: Document, header: str) -> str:
    """Return the TypeScript module of one version."""
    definitions: Mapping[str, Document] = bundled["$defs"]
    parts = [header]
    for name, definition in definitions.items():
        comment = _comment(definition["description"], "")
        if is_object(definition):
            parts.append(comment + _interface(name, definition))
        else:
            parts.append(f"{comment}export type {name} = {typescript_type(type_of(definition))};")
    return "\n\n".join(parts) + "\n"


def typescript_index(keys: Iterable[str], current: int, header: str) -> str:
    """Return the module that exports the versions by name; `current` is the one that the codecs use."""
    versions = list(keys)
    lines = [f'export * as {key} from "./{key}.js";' for key in versions]
    numbers = ", ".join(key[1:] for key in versions)
    lines += [
        "",
        "/** The versions of the format, oldest first. */",
        f"export const VERSIONS = [{numbers}] as const;",
        "",
        "/** The version of the format that is spoken and written; a newer one is being made. */",
        f"export const CURRENT = {current};",
    ]
    return f"{header}\n\n" + "\n".join(lines) + "\n"


def typescript_type(kind: Type) -> str:
    """Return a type as TypeScript writes it."""
    match kind:
        case Named(name):
            return name
        case Scalar(name):
            return _SCALARS[name]
        case Words(values):
            return " | ".join(json.dumps(value, ensure_ascii=False) for value in values)
        case Sequence(item):
            text = typescript_type(item)
            return f"readonly ({text})[]" if " | " in text else f"readonly {text}[]"
        case Map(value):
            return f"Readonly<Record<string, {typescript_type(value)}>>"
        case Anything():
            return "unknown"
        case Choice(options):
            return " | ".join(typescript_type(option) for option in options)


def _interface(name: str, definition: Document) -> str:
    """Return the interface of an object; an open one accepts any other member."""
    lines = [f"export interface {name} {{"]
    for member in members_of(definition):
        name = member.name if member.is_required else f"{member.name}?"
        lines.append(f"{_comment(member.description, '  ')}  readonly {name}: {typescript_type(member.type)};")
    if definition["additionalProperties"]:
        lines.append("  readonly [member: string]: unknown;")
    return "\n".join([*lines, "}"])


def _comment(text: str, indent: str) -> str:
    """Return a documentation comment; `*/` inside the text is escaped."""
    return f"{indent}/** {text.replace('*/', '* /')} */\n"
