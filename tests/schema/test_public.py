"""What is published of a bundle: the same documents are valid, said so that everybody understands it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from public import public_bundle, public_roots

ROOT: Final = Path(__file__).parents[2]
VERSIONS: Final = sorted(path.name for path in (ROOT / "generated" / "interlingua_types").glob("v*"))


def source(version: str) -> Any:
    path = ROOT / "generated" / "interlingua_types" / version / "schema.json"
    return json.loads(path.read_text(encoding="utf-8"))


def schemas(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every schema of a document; what is data in it stays unseen."""
    if isinstance(node, dict):
        yield node
        for key, value in node.items():
            if key in {"properties", "$defs", "dependentSchemas"}:
                for inner in value.values():
                    yield from schemas(inner)
            elif key not in {"enum", "examples", "default", "required"}:
                yield from schemas(value)
    elif isinstance(node, list):
        for inner in node:
            yield from schemas(inner)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_public_schema_has_no_private_members_and_every_tag_has_one_value(version: str) -> None:
    bundled = source(version)
    public = public_bundle(bundled)
    Draft202012Validator.check_schema(public)
    keywords = {key for schema in schemas(public) for key in schema}
    assert not keywords & {"discriminator", "const"}
    assert not [key for key in keywords if key.startswith("x-")]
    tags = 0
    for name, union in bundled["$defs"].items():
        for tag, reference in (union.get("discriminator") or {"mapping": {}})["mapping"].items():
            member = union["discriminator"]["propertyName"]
            said = public["$defs"][reference.rpartition("/")[2]]["properties"][member]
            assert (said["type"], said["enum"]) == ("string", [tag]), name
            tags += 1
    assert tags > 3
    assert not [schema for schema in schemas(public) if schema.get("type") == ["integer", "number"]]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_root_has_exactly_what_it_refers_to(version: str) -> None:
    roots = public_roots(source(version))
    assert "message" in roots
    for name, document in roots.items():
        used = {schema["$ref"].rpartition("/")[2] for schema in schemas(document) if "$ref" in schema}
        assert used == set(document["$defs"]), name
        assert document["$id"].endswith(f"/{version}/{name}.json")


def test_every_public_object_of_the_newest_version_has_a_root() -> None:
    bundled = source(VERSIONS[-1])
    roots = public_roots(bundled)
    assert {"message", "chat_message", "chat_request", "chat_response", "event", "api_error", "part", "tool"} <= set(
        roots
    )
    assert roots["message"]["$ref"] == "#/$defs/AnyMessage"
    assert not {"extra", "claude_extra", "text_part", "unknown_message", "message_type"} & set(roots)


def test_exactly_one_of_rules_are_kept() -> None:
    public = public_bundle(source("v3"))
    judge = Draft202012Validator({**public, "$ref": "#/$defs/ImagePart"})
    assert "oneOf" not in public["$defs"]["ImagePart"]
    assert judge.is_valid({"type": "image", "url": "https://example.com/a.png"})
    assert not judge.is_valid({"type": "image"})
    assert not judge.is_valid({"type": "image", "url": "https://example.com/a.png", "data": "AAAA"})
    anything = Draft202012Validator({**public, "$ref": "#/$defs/AnyMessage"})
    assert anything.is_valid({"type": "hologram"})
    assert not anything.is_valid({"schema_version": 3, "type": "text"})
