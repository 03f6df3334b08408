"""Generates the schema reference: one page per version, from the published bundle."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

MARK: Final = "<!-- Made by `nox -s generate` from schema/. Do not edit. -->"
_LIMITS: Final = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "matches `{}`",
    "format": "as `{}`",
}


def render(bundle: Mapping[str, Any], key: str) -> str:
    """Return the page of one version; `key` is its folder name, such as `v3`."""
    definitions: dict[str, dict[str, Any]] = bundle["$defs"]
    unions = {name: schema for name, schema in definitions.items() if "discriminator" in schema}
    variants = {_name(target): name for name, schema in unions.items() for target in _targets(schema)}
    objects = [name for name, schema in definitions.items() if "properties" in schema and name not in variants]
    others = [name for name in definitions if name not in {*unions, *variants, *objects}]
    lines = [f"# {bundle['title']}", "", MARK, "", bundle["description"], "", *_bundle_facts(bundle, key)]
    lines += ["", "## Unions", "", *_index(definitions, unions), ""]
    for name, schema in unions.items():
        lines += [f"### {name}", "", schema["description"], "", *_variants(definitions, schema), ""]
    for title, names in (("Variants", sorted(variants)), ("Objects", objects), ("Words, texts and choices", others)):
        if names:
            lines += [f"## {title}", ""]
        for name in names:
            lines += [*_definition(name, definitions[name], variants.get(name)), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _bundle_facts(bundle: Mapping[str, Any], key: str) -> list[str]:
    root = bundle.get("$ref")
    facts = [f"The bundle is `interlingua_types/{key}/schema.json`, and its address is `{bundle['$id']}`."]
    if root:
        facts.append(f"A document without further word is a {_link(_name(root))}.")
    return [" ".join(facts)]


def _index(definitions: Mapping[str, Any], unions: Mapping[str, Any]) -> Iterator[str]:
    yield "| union | told apart by | variants |"
    yield "| --- | --- | ---: |"
    for name in unions:
        told = definitions[name]["discriminator"]["propertyName"]
        yield f"| {_link(name)} | `{told}` | {len(_targets(definitions[name]))} |"


def _variants(definitions: Mapping[str, Any], union: Mapping[str, Any]) -> Iterator[str]:
    tag = union["discriminator"]["propertyName"]
    yield f"| `{tag}` | class | what it is |"
    yield "| --- | --- | --- |"
    for word, target in union["discriminator"]["mapping"].items():
        name = _name(target)
        yield f"| `{word}` | {_link(name)} | {_cell(definitions[name]['description'])} |"


def _definition(name: str, schema: Mapping[str, Any], union: str | None) -> Iterator[str]:
    yield f"### {name}"
    yield ""
    yield schema["description"] + (f" A variant of {_link(union)}." if union else "")
    yield ""
    if "properties" in schema:
        yield from _members(schema)
    else:
        yield f"It is {_type(schema)}."
    for example in schema.get("examples", ())[:1]:
        yield from ("", "```json", json.dumps(example, indent=2, ensure_ascii=False), "```")


def _members(schema: Mapping[str, Any]) -> Iterator[str]:
    required = set(schema.get("required", ()))
    yield "| member | type | must be there | what it is |"
    yield "| --- | --- | --- | --- |"
    for name, member in schema["properties"].items():
        must = "yes" if name in required else ""
        yield f"| `{name}` | {_cell(_type(member))} | {must} | {_cell(member.get('description', ''))} |"
    yield ""
    if "oneOf" in schema:
        choices = ", ".join(f"`{choice['required'][0]}`" for choice in schema["oneOf"])
        yield f"Exactly one of {choices} is there."
    yield "Other members are allowed." if schema.get("additionalProperties", True) else "Other members are refused."


def _type(schema: Mapping[str, Any]) -> str:
    """Return the type in words, with its limits."""
    limits = [text.format(schema[key]) for key, text in _LIMITS.items() if key in schema]
    return _kind(schema) + (f", {', '.join(limits)}" if limits else "")


def _kind(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return _link(_name(schema["$ref"]))
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return "one of " + ", ".join(f"`{json.dumps(word)}`" for word in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema and "type" not in schema:
            return " or ".join(_type(choice) for choice in schema[key])
    return _plain(schema)


def _plain(schema: Mapping[str, Any]) -> str:
    stated: str | Sequence[str] = schema.get("type", ())
    types = [stated] if isinstance(stated, str) else list(stated)
    if "integer" in types and "number" in types:
        types.remove("integer")
    if not types:
        return "any JSON"
    if "array" in types and "items" in schema:
        types[types.index("array")] = f"list of {_type(schema['items'])}"
    return " or ".join(types)


def _targets(union: Mapping[str, Any]) -> list[str]:
    return list(union["discriminator"]["mapping"].values())


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
