"""Join the files of a version into one self-contained document.

Every file and every union becomes one entry of `$defs`, under its class name; every reference becomes local. Unions are
`oneOf` with a discriminator, written from the folder: nobody keeps a list by hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urljoin

from sources import Document, Json, Version, camel_case, is_json_array, is_json_object

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_PRIVATE_KEYS: Final = frozenset({"$schema", "x-mixin"})
_DATA: Final = frozenset({"const", "enum", "default", "examples", "required"})


def bundle(version: Version) -> Document:
    """Return the flat bundle of a version."""
    definitions: dict[str, Document] = {}
    for file in version.files:
        document = {key: value for key, value in file.document.items() if key not in _PRIVATE_KEYS}
        definitions[file.name] = _with_local_references(document, file.uri, version.names)
    for union in version.unions:
        definitions[camel_case(union)] = _union(version, union)
    for union, stem in version.fallback.items():
        known, rest = camel_case(union), camel_case(stem)
        definitions[rest] |= _unknown_variant(version, union)
        definitions[f"Any{known}"] = _with_fallback(known, rest)
    head = {
        "$schema": DIALECT,
        "$id": f"{version.address}schema.json",
        "title": version.title,
        "description": version.description,
    }
    root = {} if version.root is None else {"$ref": _local(version.root)}
    return {**head, **root, "$defs": {name: definitions[name] for name in sorted(definitions)}}


def bundle_text(document: Document) -> str:
    """Return the text of the published bundle."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _local(name: str) -> str:
    """Return the reference to a class of the same bundle."""
    return f"#/$defs/{name}"


def _with_local_references(node: Json, base: str, names: Mapping[str, str]) -> Any:
    """Return a schema with references into the bundle. Data (examples, defaults, constants) is unchanged."""
    if is_json_array(node):
        return [_with_local_references(item, base, names) for item in node]
    if not is_json_object(node):
        return node
    result: Document = {}
    for key, value in node.items():
        if key == "$ref":
            result[key] = _local(names[urljoin(base, value)])
        elif key == "properties":
            result[key] = {name: _with_local_references(member, base, names) for name, member in value.items()}
        else:
            result[key] = value if key in _DATA else _with_local_references(value, base, names)
    return result


def _union(version: Version, union: str) -> Document:
    """Return the union of a folder: its variants in the order of their tags."""
    variants = version.variants(union)
    words = ", ".join(f"`{file.stem}`" for file in variants)
    return {
        "title": camel_case(union),
        "description": f"One of the variants that `{version.unions[union]}` tells apart: {words}.",
        "oneOf": [{"$ref": _local(file.name)} for file in variants],
        "discriminator": {
            "propertyName": version.unions[union],
            "mapping": {file.stem: _local(file.name) for file in variants},
        },
    }


def _unknown_variant(version: Version, union: str) -> Document:
    """Return the condition for an unknown variant of a union: another tag, or a newer version."""
    tag = version.unions[union]
    known = [file.stem for file in version.variants(union)]
    return {
        "anyOf": [
            {"properties": {tag: {"type": "string", "not": {"enum": known}}}, "required": [tag]},
            {
                "properties": {"schema_version": {"type": "integer", "exclusiveMinimum": version.number}},
                "required": ["schema_version"],
            },
        ]
    }


def _with_fallback(known: str, rest: str) -> Document:
    """Return the schema of a union with a fallback variant."""
    return {
        "title": f"Any{known}",
        "description": f"{known}, or what this version does not know.",
        "anyOf": [{"$ref": _local(known)}, {"$ref": _local(rest)}],
    }
