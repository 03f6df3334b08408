"""The rules for source files that a schema cannot express: names, closed objects, references, examples.

Each rule is one function that takes a version and yields what breaks it, all of it.
"""

from __future__ import annotations

import ast
import json
import keyword
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urljoin

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from problems import SchemaProblem, refuse
from sources import SHARED, VERSION_FILE, Document, Json, SourceFile, Version, camel_case, schema_errors

RUNTIME: Final = Path(__file__).parent / "runtime"


def check_version(version: Version) -> None:
    """Apply every rule to a version.

    Raises:
        SchemaProblem: files break rules; all of them are told.
    """
    rules = (check_unions, check_names, check_tags, check_envelopes, check_objects, check_mixins, check_words)
    problems = [problem for rule in rules for problem in rule(version)]
    references = list(check_references(version))
    problems += references
    if not references:  # an example cannot be checked against a missing reference
        problems += check_examples(version)
    refuse(problems)


def check_unions(version: Version) -> Iterator[SchemaProblem]:
    """Check that every union has variants, every fallback a file, and the root a class."""
    file = f"{version.path}/{VERSION_FILE}"
    for union in version.unions:
        if not version.variants(union):
            detail = f"the union {union} has no variant; put one into {version.path}/{union}/, or take the union out"
            yield SchemaProblem(version.path, "unions", detail, f"/unions/{union}")
    shared = {file.stem for file in version.files if file.folder == SHARED}
    for union, stem in version.fallback.items():
        if union not in version.unions or stem not in shared:
            detail = f"{union}: {stem} must be a union and a shared file"
            yield SchemaProblem(version.path, "fallback", detail, f"/fallback/{union}")
    if version.root is not None and version.root not in version.names.values():
        yield SchemaProblem(version.path, "root", f"there is no class {version.root}; {file} names it", "/root")


def check_names(version: Version) -> Iterator[SchemaProblem]:
    """Check names: the title is Stem + Union, no two files define one class, no name is reserved in Python."""
    seen = {camel_case(union): version.path for union in version.unions}
    seen |= {f"Any{camel_case(union)}": version.path for union in version.fallback}
    for file in version.files:
        if file.document["title"] != file.name:
            detail = f"must be {file.name}, the naming law says"
            yield SchemaProblem(file.path, "title", detail, "/title")
        elif file.name in seen:
            detail = f"{file.name} is also made by {seen[file.name]}; call one of the files otherwise"
            yield SchemaProblem(file.path, "title", detail, "/title")
        seen[file.name] = file.path
        for member in file.document.get("properties", {}):
            if keyword.iskeyword(member):
                detail = f"{member} is a word of Python's own; choose another name"
                yield SchemaProblem(file.path, "properties", detail, f"/properties/{member}")


def check_tags(version: Version) -> Iterator[SchemaProblem]:
    """Check that a variant's tag is the stem of its file, and required."""
    for union, tag in version.unions.items():
        for file in version.variants(union):
            const = file.document.get("properties", {}).get(tag, {}).get("const")
            if const != file.stem:
                detail = f"{tag} must have the const {file.stem}, not {const}"
                yield SchemaProblem(file.path, "tag", detail, f"/properties/{tag}")
            if tag not in file.document.get("required", ()):
                yield SchemaProblem(file.path, "tag", f"{tag} must be required; add it there", "/required")


def check_envelopes(version: Version) -> Iterator[SchemaProblem]:
    """Check that the variants of a union with a fallback share their envelope: members of most variants must be in all.

    Code that reads an unknown variant can still use these members.
    """
    for union in version.fallback:
        files = version.variants(union)
        envelope = _envelope([file.document for file in files], version.unions.get(union, ""))
        for file in files:
            members, required = file.document.get("properties", {}), file.document.get("required", ())
            for name, (schema, is_required) in envelope.items():
                place = f"/properties/{name}"
                if name not in members:
                    detail = f"{name} is missing, which the other variants of {union} have; copy it from one of them"
                    yield SchemaProblem(file.path, "envelope", detail, place)
                elif schema is not None and _without_prose(members[name]) != schema:
                    detail = f"{name} must be {json.dumps(schema)}, as in the other variants of {union}"
                    yield SchemaProblem(file.path, "envelope", detail, place)
                elif is_required and name not in required:
                    detail = f"{name} must be required, as in the other variants of {union}"
                    yield SchemaProblem(file.path, "envelope", detail, "/required")


def _envelope(documents: Sequence[Document], tag: str) -> dict[str, tuple[Document | None, bool]]:
    """Return the members that more than half of the objects have, without the tag.

    Each with its schema, None where they do not agree on it, and whether it is required.
    """
    most = len(documents) / 2
    names = Counter(name for document in documents for name in document.get("properties", {}) if name != tag)
    envelope: dict[str, tuple[Document | None, bool]] = {}
    for name in (name for name, count in names.items() if count > most):
        found = [
            _without_prose(document["properties"][name]) for document in documents if name in document["properties"]
        ]
        schema = next((one for one in found if found.count(one) > most), None)
        required = sum(name in document.get("required", ()) for document in documents)
        envelope[name] = schema, required > most
    return envelope


def _without_prose(schema: Document) -> Document:
    """Return a schema without descriptions and examples."""
    return {key: value for key, value in schema.items() if key not in {"description", "examples"}}


def check_objects(version: Version) -> Iterator[SchemaProblem]:
    """Check objects: required members exist, open or closed as the version is, no null in a closed version."""
    for file in version.files:
        members = file.document.get("properties", {})
        demanded = [*file.document.get("required", ()), *exactly_one_of(file.document)]
        for name in demanded:
            if name not in members:
                yield SchemaProblem(
                    file.path, "required", f"there is no member {name}; declare it, or take it out", "/required"
                )
        if version.is_open and members and file.document["additionalProperties"] is not True:
            yield SchemaProblem(
                file.path, "additionalProperties", "must be true: the version is open", "/additionalProperties"
            )
        if version.is_open:
            yield from check_nulls(file)
        elif any("null" in _types(node) for node in _schemas(file.document)):
            detail = "what was not said is absent; no member is ever null. Take the null out, and do not require it"
            yield SchemaProblem(file.path, "null", detail)
        if file.document.get("x-enum") and _types(file.document) != ["string"]:
            yield SchemaProblem(file.path, "x-enum", "only words make an enumeration; the type must be string", "/type")


def check_nulls(file: SourceFile) -> Iterator[SchemaProblem]:
    """Check that only optional members are nullable: null is read as absent, and written so."""
    nulls = sum("null" in _types(node) for node in _schemas(file.document))
    optional = [
        member
        for name, member in file.document.get("properties", {}).items()
        if name not in file.document.get("required", ())
    ]
    allowed = sum("null" in _types(node) for member in optional for node in (member, *member.get("anyOf", ())))
    if nulls != allowed:
        yield SchemaProblem(file.path, "null", "only a member that is not required may be null, and nothing inside it")


def check_mixins(version: Version) -> Iterator[SchemaProblem]:
    """Check that every mixin that a file names exists."""
    known = frozenset(chain.from_iterable(mixin_modules().values()))
    for file in version.files:
        mixin = file.document.get("x-mixin")
        if mixin is not None and mixin not in known:
            detail = f"no module of runtime/ for mixins has a class {mixin}; there is: {', '.join(sorted(known))}"
            yield SchemaProblem(file.path, "x-mixin", detail, "/x-mixin")


def check_words(version: Version) -> Iterator[SchemaProblem]:
    """Check that no description contains the version's own number: it would be wrong in the copy for the next version.

    Documents of the examples name it in members, which the copy raises.
    """
    number = version.number
    if version.is_open:
        return
    own = re.compile(rf"\b(?:v{number}|version {number}|version of the schema: {number})\b", re.IGNORECASE)
    for file in version.files:
        for place, text in _prose(file.document):
            if own.search(text):
                detail = f"names version {number}, which a copy for the next version would say, too; leave it out"
                yield SchemaProblem(file.path, "words", detail, place)


def _prose(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the descriptions of a file and of its members, with their places."""
    yield "/description", document["description"]
    for name, member in document.get("properties", {}).items():
        yield f"/properties/{name}/description", member.get("description", "")


def check_references(version: Version) -> Iterator[SchemaProblem]:
    """Check that every `$ref` leads to a file or a union of the same version."""
    registry = registry_of(version)
    for file in version.files:
        resolver = registry.resolver(base_uri=file.uri)
        for node in _schemas(file.document):
            if "$ref" not in node:
                continue
            target = urljoin(file.uri, node["$ref"])
            if not target.startswith(version.address):
                detail = f"{node['$ref']} leads out of the version; copy what it means into this one"
                yield SchemaProblem(file.path, "$ref", detail)
                continue
            try:
                resolver.lookup(node["$ref"])
            except Unresolvable:
                detail = f"{node['$ref']} leads nowhere: there is no file {target.removeprefix(version.address)}"
                yield SchemaProblem(file.path, "$ref", detail)


def check_examples(version: Version) -> Iterator[SchemaProblem]:
    """Check every example, and every default, against its schema."""
    registry = registry_of(version)
    for file in version.files:
        for place, schema, value in _samples(file):
            validator = Draft202012Validator({"$id": file.uri + "#", **schema}, registry=registry)
            for error in schema_errors(validator, value):
                inside = "".join(f"/{step}" for step in error.absolute_path)
                yield SchemaProblem(file.path, "examples", f"{place}: {error.message}", f"{place}{inside}")


def registry_of(version: Version) -> Registry[Any]:
    """Return all files and unions of a version by URL."""
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
    """Return the modules of runtime/ with mixins, by their names in the package, with their public classes."""
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
