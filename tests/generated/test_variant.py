"""Adding a variant is one new file and one command: its class, its TypedDict and its TypeScript type appear."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.tree import ROOT, editable_version, object_file

pytestmark = pytest.mark.one_python

PROGRAM = """
import sys
from typing import get_args
from pydantic import TypeAdapter
from importlib import import_module
from interlingua_types import CURRENT, current

shapes = import_module(f"interlingua_types.v{CURRENT}.shapes")
part = current.VideoPart(url="https://example.com/a.mp4")
assert part.model_dump() == {"type": "video", "url": "https://example.com/a.mp4"}
assert type(TypeAdapter(current.Part).validate_python(part.model_dump())) is current.VideoPart
message = current.UserChatMessage(content=[part, current.TextPart(text="a")])
assert type(message.content[0]) is current.VideoPart
assert shapes.VideoPart.__required_keys__ == {"type", "url"}
assert shapes.VideoPart in get_args(shapes.Part)
assert "VideoPart" in current.__all__ and "VideoPart" in shapes.__all__
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the project's source, compiler and migration code."""
    shutil.copytree(ROOT / "schema", tmp_path / "schema", ignore=shutil.ignore_patterns("vectors", "__pycache__"))
    for path in (ROOT / "codecs" / "interlingua").glob("migrate*"):
        target = tmp_path / "codecs" / "interlingua" / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(path, target) if path.is_dir() else shutil.copy(path, target)
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(folder / "schema" / "compiler"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_a_new_variant_requires_one_file_and_one_command(copy: Path) -> None:
    number = editable_version(copy)
    assert run(copy, "generate").returncode == 0
    before = (copy / f"generated/interlingua_types/v{number}/models.py").read_text(encoding="utf-8")
    assert "VideoPart" not in before
    document = object_file(
        "VideoPart",
        {"type": {"const": "video"}, "url": {"type": "string"}},
        ["type", "url"],
        example={"type": "video", "url": "https://example.com/a.mp4"},
    )
    text = json.dumps(document, indent=2) + "\n"
    (copy / f"schema/v{number}/part/video.json").write_text(text, encoding="utf-8", newline="\n")

    done = run(copy, "generate")

    assert (done.returncode, done.stderr) == (0, "")
    environment = {**os.environ, "PYTHONPATH": str(copy / "generated")}
    subprocess.run([sys.executable, "-c", PROGRAM], check=True, env=environment)
    script = (copy / f"generated/typescript/v{number}.ts").read_text(encoding="utf-8")
    assert "export interface VideoPart {" in script
    assert 'readonly type: "video";' in script
    assert "| TextPart | VideoPart;" in script


def test_a_new_message_type_is_no_longer_unknown(copy: Path) -> None:
    number = editable_version(copy)
    document = json.loads((copy / f"schema/v{number}/message/opaque.json").read_text(encoding="utf-8"))
    document["title"] = "HologramMessage"
    document["properties"]["type"]["const"] = "hologram"
    document["examples"] = [{**document["examples"][0], "type": "hologram"}]
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    (copy / f"schema/v{number}/message/hologram.json").write_text(text, encoding="utf-8", newline="\n")
    done = run(copy, "generate")
    assert (done.returncode, done.stderr) == (0, "")
    bundled = json.loads((copy / f"generated/interlingua_types/v{number}/schema.json").read_bytes())
    unknown = bundled["$defs"]["UnknownMessage"]["anyOf"][0]["properties"]["type"]["not"]["enum"]
    assert "hologram" in unknown
    program = """
from pydantic import TypeAdapter, ValidationError
from interlingua_types import current
try:
    TypeAdapter(current.AnyMessage).validate_python({"type": "hologram"})
except ValidationError:
    raise SystemExit(0)
raise SystemExit(1)
"""
    environment = {**os.environ, "PYTHONPATH": str(copy / "generated")}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
