"""schema/vectors through every judge that Python has: JSON Schema, and the generated models on objects and on bytes.

`schema/vectors/<version>/<union>/<variant>/{valid,invalid}/<name>.json`: the folders are the list, nothing registers.
"""

from __future__ import annotations

import importlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter, ValidationError

from interlingua_types import VERSIONS

ROOT: Final = Path(__file__).parents[2]
SCHEMA: Final = ROOT / "schema"
VECTORS: Final = SCHEMA / "vectors"
SHARED: Final = "shared"
# Objects that travel alone. Every variant of every union has vectors; of the shared types, these.
SHARED_WITH_VECTORS: Final = ("chat_request", "chat_response", "conversation", "transcript")
JUDGES: Final = ("JSON Schema", "model, from objects", "model, from bytes")


@dataclass(frozen=True)
class Folder:
    """The vectors of one variant, or of one shared type."""

    version: str
    union: str
    variant: str

    def __str__(self) -> str:
        return f"{self.version}/{self.union}/{self.variant}"

    def files(self, verdict: str) -> list[Path]:
        return sorted((VECTORS / self.version / self.union / self.variant / verdict).glob("*.json"))

    def class_names(self) -> list[str]:
        """Return what judges a document: the variant's class, and the union, which must agree with it."""
        source = SCHEMA / self.version / self.union / f"{self.variant}.json"
        own: str = json.loads(source.read_text(encoding="utf-8"))["title"]
        return [own] if self.union == SHARED else [own, "".join(map(str.capitalize, self.union.split("_")))]


def folders() -> list[Folder]:
    return [Folder(*path.relative_to(VECTORS).parts) for path in sorted(VECTORS.glob("v*/*/*"))]


@cache
def judge(version: str, class_name: str, kind: str) -> Callable[[bytes], bool]:
    """Return what tells whether a document, as bytes, is accepted."""
    if kind == "JSON Schema":
        bundle = ROOT / "generated" / "interlingua_types" / version / "schema.json"
        whole = json.loads(bundle.read_text(encoding="utf-8"))
        validator = Draft202012Validator({**whole, "$ref": f"#/$defs/{class_name}"})
        return lambda document: validator.is_valid(json.loads(document))
    adapter: TypeAdapter[Any] = TypeAdapter(
        getattr(importlib.import_module(f"interlingua_types.{version}"), class_name)
    )

    def accepts(document: bytes) -> bool:
        try:
            if kind == "model, from bytes":
                adapter.validate_json(document)
            else:
                adapter.validate_python(json.loads(document))
        except ValidationError:
            return False
        return True

    return accepts


def misjudged(folder: Folder, accepts: Callable[[bytes], bool]) -> list[str]:
    """Return the vectors on which a judge is wrong."""
    wrong = [path for path in folder.files("valid") if not accepts(path.read_bytes())]
    wrong += [path for path in folder.files("invalid") if accepts(path.read_bytes())]
    return [path.relative_to(VECTORS).as_posix() for path in wrong]


@pytest.mark.parametrize("kind", JUDGES)
@pytest.mark.parametrize("folder", folders(), ids=str)
def test_every_validator_accepts_valid_and_refuses_invalid_vectors(folder: Folder, kind: str) -> None:
    for class_name in folder.class_names():
        assert misjudged(folder, judge(folder.version, class_name, kind)) == []


@pytest.mark.parametrize("folder", folders(), ids=str)
def test_a_validator_that_accepts_or_refuses_everything_is_detected(folder: Folder) -> None:
    assert misjudged(folder, lambda _: True)
    assert misjudged(folder, lambda _: False)


def test_every_variant_of_every_version_has_vectors_and_every_folder_a_variant() -> None:
    wanted = {f"v{VERSIONS[-1]}/{SHARED}/{name}" for name in SHARED_WITH_VECTORS}
    for number in VERSIONS:
        unions = json.loads((SCHEMA / f"v{number}" / "version.json").read_text(encoding="utf-8"))["unions"]
        wanted |= {
            f"v{number}/{union}/{path.stem}" for union in unions for path in (SCHEMA / f"v{number}" / union).glob("*")
        }
    found = {str(folder) for folder in folders()}
    assert wanted <= found
    assert {name for name in found - wanted if f"/{SHARED}/" not in name} == set()


def test_a_vector_is_one_document_in_a_file_with_a_descriptive_name() -> None:
    files = [path for path in VECTORS.glob("v*/**/*") if path.is_file()]
    for path in files:
        assert path.parent.name in {"valid", "invalid"}
        assert path.suffix == ".json"
        assert path.stem.replace("_", "").isalnum()
    assert len(files) >= 250
    assert min(Counter(path.parent.name for path in files).values()) >= 100
