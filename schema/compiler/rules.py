"""The house rules that a schema cannot say: names, closed objects, references, examples.

Each rule is one function that takes a version and raises at the first file that breaks it.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urljoin

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from problems import SchemaProblem
from sources import SHARED, Document, Json, SourceFile, Version, camel_case, schema_errors

RUNTIME: Final = Path(__file__).parent / "runtime"


def check_version(version: Version) -> None:
    """Apply every rule to a version.

    Raises:
        SchemaProblem: a file breaks a rule.
    """
    check_unions(version)
    check_names(version)
    check_tags(version)
    check_objects(version)
    check_mixins(version)
    check_references(version)
    check_examples(version)


def check_unions(version: Version) -> None:
    """Check that every union has variants, every fallback a file, and the root a class."""
    for union in version.unions:
        if not version.variants(union):
            raise SchemaProblem(version.path, "unions", f"the union {union} has no variant")
    shared = {file.stem for file in version.files if file.folder == SHARED}
    for union, stem in version.fallback.items():
        if union not in version.unions or stem not in shared:
            raise SchemaProblem(version.path, "fallback", f"{union}: {stem} must be a union and a shared file")
    if version.root is not None and version.root not in version.names.values():
        raise SchemaProblem(version.path, "root", f"there is no class {version.root}")


def check_names(version: Version) -> None:
    """Check the naming law: the title is Stem + Union, no two files make one class, no name is Python's own."""
    seen = {camel_case(union): version.path for union in version.unions}
    seen |= {f"Any{camel_case(union)}": version.path for union in version.fallback}
    for file in version.files:
        if file.document["title"] != file.name:
            raise SchemaProblem(file.path, "title", f"must be {file.name}, the naming law says")
        if file.name in seen:
            raise SchemaProblem(file.path, "title", f"{file.name} is also made by {seen[file.name]}")
        seen[file.name] = file.path
        for member in file.document.get("properties", {}):
            if keyword.iskeyword(member):
                raise SchemaProblem(file.path, "properties", f"{member} is a word of Python's own")


def check_tags(version: Version) -> None:
    """Check that a variant's tag is the stem of its file, and demanded."""
    for union, tag in version.unions.items():
        for file in version.variants(union):
            const = file.document.get("properties", {}).get(tag, {}).get("const")
            if const != file.stem:
                raise SchemaProblem(file.path, "tag", f"{tag} must have the const {file.stem}, not {const}")
            if tag not in file.document.get("required", ()):
                raise SchemaProblem(file.path, "tag", f"{tag} must be required")


def check_objects(version: Version) -> None:
    """Check what objects say: members that exist, open or closed as the version is, no null in a closed version."""
    for file in version.files:
        members = file.document.get("properties", {})
        demanded = [*file.document.get("required", ()), *exactly_one_of(file.document)]
        for name in demanded:
            if name not in members:
                raise SchemaProblem(file.path, "required", f"there is no member {name}")
        if version.is_open and members and file.document["additionalProperties"] is not True:
            raise SchemaProblem(file.path, "additionalProperties", "must be true: the version is open")
        if version.is_open:
            check_nulls(file)
        elif any("null" in _types(node) for node in _schemas(file.document)):
            raise SchemaProblem(file.path, "null", "what was not said is absent; no member is ever null")
        if file.document.get("x-enum") and _types(file.document) != ["string"]:
            raise SchemaProblem(file.path, "x-enum", "only words make an enumeration; the type must be string")


def check_nulls(file: SourceFile) -> None:
    """Check that only a member that may also be absent is ever null: null reads as absent, and is written so."""
    nulls = sum("null" in _types(node) for node in _schemas(file.document))
    optional = [
        member
        for name, member in file.document.get("properties", {}).items()
        if name not in file.document.get("required", ())
    ]
    allowed = sum("null" in _types(node) for member in optional for node in (member, *member.get("anyOf", ())))
    if nulls != allowed:
        raise SchemaProblem(file.path, "null", "only a member that is not required may be null, and nothing inside it")


def check_mixins(version: Version) -> None:
    """Check that every mixin that a file asks for exists."""
    known = frozenset(chain.from_iterable(mixin_modules().values()))
    for file in version.files:
        mixin = file.document.get("x-mixin")
        if mixin is not None and mixin not in known:
            raise SchemaProblem(file.path, "x-mixin", f"no module of runtime/ for mixins has a class {mixin}")


def check_references(version: Version) -> None:
    """Check that every `$ref` leads to a file or a union of the same version."""
    registry = registry_of(version)
    for file in version.files:
        resolver = registry.resolver(base_uri=file.uri)
        for node in _schemas(file.document):
            if "$ref" not in node:
                continue
            target = urljoin(file.uri, node["$ref"])
            if not target.startswith(version.address):
                raise SchemaProblem(file.path, "$ref", f"{node['$ref']} leads out of the version")
            try:
                resolver.lookup(node["$ref"])
            except Unresolvable as error:
                raise SchemaProblem(file.path, "$ref", f"{node['$ref']} leads nowhere") from error


def check_examples(version: Version) -> None:
    """Check every example, and every default, against the schema that it stands in."""
    registry = registry_of(version)
    for file in version.files:
        for place, schema, value in _samples(file):
            validator = Draft202012Validator({"$id": file.uri + "#", **schema}, registry=registry)
            for error in schema_errors(validator, value):
                raise SchemaProblem(file.path, "examples", f"{place}: {error.message}")


def registry_of(version: Version) -> Registry[Any]:
    """Return all files and unions of a version under their addresses."""
    contents: dict[str, Document] = {file.uri: file.document for file in version.files}
    for union in version.unions:
        contents[version.address + union] = {"oneOf": [{"$ref": file.uri} for file in version.variants(union)]}
    for union, stem in version.fallback.items():
        choices = [version.address + union, f"{version.address}{SHARED}/{stem}.json"]
        contents[f"{version.address}any_{union}"] = {"anyOf": [{"$ref": uri} for uri in choices]}
    registry: Registry[Any] = Registry()
    return registry.with_resources((uri, DRAFT202012.create_resource(content)) for uri, content in contents.items())


def exactly_one_of(document: Document) -> tuple[str, ...]:
    """Return the members of which exactly one must be present."""
    return tuple(choice["required"][0] for choice in document.get("oneOf", ()))


def mixin_modules() -> Mapping[str, tuple[str, ...]]:
    """Return the modules of runtime/ that hold mixins, by their names in the package, with their public classes."""
    modules: dict[str, tuple[str, ...]] = {}
    for path in sorted(RUNTIME.glob("*mixins.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = (node.name for node in tree.body if isinstance(node, ast.ClassDef))
        modules[f"interlingua_types._{path.stem}"] = tuple(sorted(name for name in names if not name.startswith("_")))
    return modules


def _types(node: Document) -> list[str]:
    """Return the types that a schema names."""
    types = node.get("type", [])
    return [types] if isinstance(types, str) else cast("list[str]", types)


def _schemas(schema: Json) -> Iterator[Document]:
    """Yield a schema and every schema inside it, but nothing of its examples and constants."""
    yield schema
    for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from _schemas(inner)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from _schemas(schema[key])


def _samples(file: SourceFile) -> Iterator[tuple[str, Document, Json]]:
    """Yield every example and default of a file, with its place and the schema that it must fit."""
    for index, value in enumerate(file.document["examples"]):
        yield f"/examples/{index}", file.document, value
    for name, member in file.document.get("properties", {}).items():
        values = [*member.get("examples", ()), *([member["default"]] if "default" in member else [])]
        for value in values:
            yield f"/properties/{name}", member, value
