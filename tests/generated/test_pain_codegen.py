"""What people suffer with generated code, as far as schema and generated code can answer for it."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from pydantic import BaseModel, TypeAdapter

from interlingua_types import VERSIONS, current, v2
from support.bundles import bundle, classes
from support.tree import ROOT

PACKAGE = ROOT / "generated" / "interlingua_types"
TYPESCRIPT = ROOT / "generated" / "typescript"


def unions(number: int) -> list[str]:
    return [name for name, body in bundle(number)["$defs"].items() if "discriminator" in body]


def variants(number: int, union: str) -> dict[str, str]:
    mapping: dict[str, str] = bundle(number)["$defs"][union]["discriminator"]["mapping"]
    return {tag: reference.rpartition("/")[2] for tag, reference in mapping.items()}


@pytest.mark.parametrize("number", VERSIONS)
def test_gen_1_every_variant_of_a_discriminated_union_has_a_literal_tag(number: int) -> None:
    package = importlib.import_module(f"interlingua_types.v{number}")
    assert unions(number)
    for union in unions(number):
        tag = bundle(number)["$defs"][union]["discriminator"]["propertyName"]
        adapter = TypeAdapter(getattr(package, union))
        for word, name in variants(number, union).items():
            variant = getattr(package, name)
            annotation = variant.model_fields[tag].annotation
            assert (get_origin(annotation), get_args(annotation)) == (Literal, (word,))
            for example in bundle(number)["$defs"][name]["examples"]:
                assert type(adapter.validate_python(example)) is variant


@pytest.mark.parametrize("number", VERSIONS)
def test_gen_1_the_mapping_of_a_discriminator_is_complete(number: int) -> None:
    for union in unions(number):
        body = bundle(number)["$defs"][union]
        listed = [choice["$ref"] for choice in body["oneOf"]]
        assert sorted(body["discriminator"]["mapping"].values()) == sorted(listed)


@pytest.mark.parametrize("number", VERSIONS)
def test_gen_2_circular_references_can_be_imported_in_any_order(number: int) -> None:
    # Each class is used first in a process of its own: none depends on another one having been completed before.
    names = [name for name, body in bundle(number)["$defs"].items() if "properties" in body and body["examples"]]
    circular = [name for name in names if _reaches_itself(number, name)]
    for name in circular or names[:1]:
        example = bundle(number)["$defs"][name]["examples"][0]
        program = f"from interlingua_types.v{number} import {name}; {name}.model_validate({example!r})"
        subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_gen_2_the_only_circular_references_are_parts_and_tool_namespaces() -> None:
    circles = {name for name in bundle(3)["$defs"] if _reaches_itself(3, name)}
    assert circles == {"FilePart", "ServerResultPart", "Content", "Part", "NamespaceTool", "Tool"}
    assert not [name for number in (1, 2) for name in bundle(number)["$defs"] if _reaches_itself(number, name)]


def _reaches_itself(number: int, start: str) -> bool:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        references = set(re.findall(r"'#/\$defs/(\w+)'", repr(bundle(number)["$defs"][waiting.pop()])))
        waiting += references - found
        found |= references
    return start in found


def test_gen_3_absent_and_present_are_distinguished_and_null_is_absent() -> None:
    document: dict[str, Any] = {"role": "assistant"}
    absent = v2.AssistantMessage.model_validate(document)
    null = v2.AssistantMessage.model_validate({**document, "content": None})
    empty = v2.AssistantMessage.model_validate({**document, "content": ""})
    present = v2.AssistantMessage.model_validate({**document, "content": "a"})
    assert absent == null
    assert absent.model_dump() == null.model_dump() == document
    assert len({absent, empty, present}) == 3
    assert empty.model_dump() == {**document, "content": ""}


def test_gen_3_plain_json_distinguishes_absent_null_and_present() -> None:
    shapes = importlib.import_module("interlingua_types.v2.shapes")
    assert "content" in shapes.AssistantMessage.__optional_keys__
    assert get_type_hints(shapes.AssistantMessage)["content"] == str | list[shapes.Part] | None


@pytest.mark.parametrize("number", VERSIONS)
def test_gen_4_every_typescript_variant_requires_its_literal_tag(number: int) -> None:
    text = (TYPESCRIPT / f"v{number}.ts").read_text(encoding="utf-8")
    for union in unions(number):
        tag = bundle(number)["$defs"][union]["discriminator"]["propertyName"]
        found = re.search(rf"^export type {union} = (.+);$", text, re.MULTILINE)
        assert found is not None
        assert found[1].split(" | ") == list(variants(number, union).values())
        for word, name in variants(number, union).items():
            body = text.partition(f"export interface {name} {{")[2].partition("\n}")[0]
            assert f'  readonly {tag}: "{word}";' in body
            assert f"readonly {tag}?" not in body


@pytest.mark.parametrize("number", VERSIONS)
def test_gen_4_typescript_names_every_definition_once(number: int) -> None:
    text = (TYPESCRIPT / f"v{number}.ts").read_text(encoding="utf-8")
    names = re.findall(r"^export (?:interface|type) (\w+)", text, re.MULTILINE)
    assert names == list(bundle(number)["$defs"])


@pytest.mark.parametrize("number", VERSIONS)
def test_gen_5_members_have_the_order_of_the_schema_and_every_class_can_be_created(number: int) -> None:
    # Members with a default come before demanded ones all the time: that must be no error, and no reason to reorder.
    package = importlib.import_module(f"interlingua_types.v{number}")
    for name, body in bundle(number)["$defs"].items():
        if "properties" not in body:
            continue
        fields = getattr(package, name).model_fields
        assert [field.alias or attribute for attribute, field in fields.items()] == list(body["properties"])


def test_gen_5_a_member_with_a_default_may_precede_a_required_one() -> None:
    # `type` has a default for the constructor, `text` has none.
    part = list(current.TextPart.model_fields.items())
    assert [(name, field.is_required()) for name, field in part][:2] == [("type", False), ("text", True)]
    assert current.TextPart(text="a").text == "a"


def test_gen_5_every_generated_module_compiles() -> None:
    for path in PACKAGE.rglob("*.py"):
        compile(path.read_text(encoding="utf-8"), path.name, "exec")


def test_no_class_is_named_by_position() -> None:
    for number in VERSIONS:
        names = {
            model.__name__ for model in classes(number) if isinstance(model, type) and issubclass(model, BaseModel)
        }
        assert names <= set(bundle(number)["$defs"])
        module = ast.parse((PACKAGE / f"v{number}" / "models.py").read_text(encoding="utf-8"))
        made = {node.name for node in module.body if isinstance(node, ast.ClassDef)}
        assert made <= set(bundle(number)["$defs"])
