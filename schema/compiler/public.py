"""A bundle -> its published form and names, for generators and validators of other languages.

The same documents are valid; what changes is how the schema says so: keywords that only our own tools read are left
out, and what is said in two ways is said in the one that everybody understands. A demand on several members ("exactly
one of these") hangs on the tag, which is always there: validators enforce it, and generators, which would make a type
of each case, do not see it. Each public object gets a file of its own, with all that it refers to, so that a
generator makes its types and no others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias, TypeGuard
from urllib.parse import urljoin, urlsplit

# No module of the compiler is imported, so that publishing needs no dependency.
Json: TypeAlias = Any
Document: TypeAlias = dict[str, Any]

_PRIVATE_KEYS: Final = frozenset({"discriminator", "x-enum"})
_DATA_KEYS: Final = frozenset({"const", "enum", "default", "examples", "required"})
# Members that the source defines with `const`: tags and versions.
_TYPES: Final[Mapping[type, str]] = {str: "string", int: "integer", bool: "boolean"}
_DEFINITION: Final = "#/$defs/"
# Members that distinguish an independent object from one that is a part of others.
_STANDALONE_MEMBERS: Final = frozenset({"dialect", "schema_version"})


def go_module(base: str) -> str:
    """Return the path of the Go module, under the host of the published schemas."""
    return f"{urlsplit(base).hostname}/types"


def java_package(base: str) -> str:
    """Return the Java package, under the host of the published schemas."""
    return ".".join([*reversed(str(urlsplit(base).hostname).split(".")), "types"])


def public_bundle(bundled: Document) -> Document:
    """Return the published form of a bundle."""
    bundle_document: Document = _public(bundled)
    definitions: Mapping[str, Document] = bundle_document["$defs"]
    for name in definitions:
        # No document is both known and unknown, and generators treat `oneOf` as a choice.
        if (union := definitions.get(f"Any{name}")) is not None and "anyOf" in union:
            union["oneOf"] = union.pop("anyOf")
    return bundle_document


def public_roots(bundled: Document) -> dict[str, Document]:
    """Return a separate document for each public object of a bundle, by the name of its file without the suffix.

    Public are the unions, definitions without references to them, and objects that state a dialect or a version. A
    union with a fallback has it in its file.
    """
    bundle_document = public_bundle(bundled)
    definitions: Mapping[str, Document] = bundle_document["$defs"]
    roots = {_file_name(name): name for name in _public_names(bundled["$defs"])}
    for name in list(definitions):
        if f"Any{name}" in definitions:
            roots[_file_name(name)] = f"Any{name}"
    return {file: _root(bundle_document, file, name) for file, name in sorted(roots.items())}


def _public_names(definitions: Mapping[str, Document]) -> Iterator[str]:
    """Yield the names of the public objects."""
    unions = {name for name, body in definitions.items() if "discriminator" in body}
    variants = {reference for name in unions for reference in _references(definitions[name])}
    fallbacks = {
        reference
        for name in unions
        if (known := f"Any{name}") in definitions
        for reference in _references(definitions[known])
    }
    referred = {reference for body in definitions.values() for reference in _references(body)}
    for name, body in definitions.items():
        is_marked = bool(_STANDALONE_MEMBERS & body.get("properties", {}).keys())
        stands_alone = "properties" in body and (name not in referred or is_marked)
        if name in unions or (stands_alone and name not in variants | fallbacks):
            yield name


def _root(bundle_document: Document, file: str, name: str) -> Document:
    """Return the document of one public object, with the definitions that it needs."""
    definitions: Mapping[str, Document] = bundle_document["$defs"]
    needed: dict[str, None] = {}
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in needed:
            needed[one] = None
            waiting += _references(definitions[one])
    head = {
        "$schema": bundle_document["$schema"],
        "$id": urljoin(bundle_document["$id"], f"{file}.json"),
    }
    # No title and no description: with them, generators create a second type with the same name.
    return {**head, "$ref": f"{_DEFINITION}{name}", "$defs": {one: definitions[one] for one in sorted(needed)}}


def _file_name(name: str) -> str:
    """Return the name of the file of a class: `ChatRequest` is in `chat_request.json`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _public(node: Json) -> Any:
    """Return a schema without keywords that only this compiler knows."""
    if _is_array(node):
        return [_public(item) for item in node]
    if not _is_object(node):
        return node
    result: Document = {}
    for key, value in node.items():
        if key in {"properties", "$defs"}:
            result[key] = {name: _public(member) for name, member in value.items()}
        elif key == "const":
            result |= {"type": _TYPES[type(value)], "enum": [value]}
        elif key not in _PRIVATE_KEYS:
            result[key] = value if key in _DATA_KEYS else _public(value)
    if result.get("type") == ["integer", "number"]:
        result["type"] = "number"
    if "properties" in result and "oneOf" in result:
        result["dependentSchemas"] = {_tag(result): {"oneOf": [_one_of(option) for option in result.pop("oneOf")]}}
    return result


def _tag(schema: Document) -> str:
    """Return the schema of the tag of a variant."""
    names: list[str] = schema["required"]
    return next(name for name in names if len(schema["properties"][name].get("enum", ())) == 1)


def _one_of(option: Document) -> Document:
    """Return one of several requirements as a complete schema."""
    return {"type": "object", "properties": dict.fromkeys(option["required"], True), **option}


def _references(node: Json) -> list[str]:
    """Return the names of the definitions that a schema refers to."""
    if _is_array(node):
        return [name for item in node for name in _references(item)]
    if not _is_object(node):
        return []
    own = [node["$ref"].removeprefix(_DEFINITION)] if isinstance(node.get("$ref"), str) else []
    return own + [
        name for key, value in node.items() if key not in _DATA_KEYS | _PRIVATE_KEYS for name in _references(value)
    ]


def _is_object(node: Json) -> TypeGuard[Document]:
    return isinstance(node, dict)


def _is_array(node: Json) -> TypeGuard[list[Json]]:
    return isinstance(node, list)
