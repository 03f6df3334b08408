"""Adding a variant is one new file and one command: its class, its TypedDict and its TypeScript type appear."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.tree import ROOT, object_file

PROGRAM = """
import sys
from typing import get_args
from pydantic import TypeAdapter
from interlingua_types import v3
from interlingua_types.v3 import shapes

part = v3.VideoPart(url="https://example.com/a.mp4")
assert part.model_dump() == {"type": "video", "url": "https://example.com/a.mp4"}
assert type(TypeAdapter(v3.Part).validate_python(part.model_dump())) is v3.VideoPart
message = v3.UserChatMessage(content=[part, v3.TextPart(text="a")])
assert type(message.content[0]) is v3.VideoPart
assert shapes.VideoPart.__required_keys__ == {"type", "url"}
assert shapes.VideoPart in get_args(shapes.Part)
assert "VideoPart" in v3.__all__ and "VideoPart" in shapes.__all__
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


def test_a_new_variant_is_one_file_and_one_command(copy: Path) -> None:
    assert run(copy, "generate").returncode == 0
    before = (copy / "generated/interlingua_types/v3/models.py").read_text(encoding="utf-8")
    assert "VideoPart" not in before
    document = object_file(
        "VideoPart",
        {"type": {"const": "video"}, "url": {"type": "string"}},
        ["type", "url"],
        example={"type": "video", "url": "https://example.com/a.mp4"},
    )
    text = json.dumps(document, indent=2) + "\n"
    (copy / "schema/v3/part/video.json").write_text(text, encoding="utf-8", newline="\n")

    done = run(copy, "generate")

    assert (done.returncode, done.stderr) == (0, "")
    environment = {**os.environ, "PYTHONPATH": str(copy / "generated")}
    subprocess.run([sys.executable, "-c", PROGRAM], check=True, env=environment)
    script = (copy / "generated/typescript/v3.ts").read_text(encoding="utf-8")
    assert "export interface VideoPart {" in script
    assert 'readonly type: "video";' in script
    assert "| TextPart | VideoPart;" in script
    # An addition breaks no stored document, so nothing has to be declared.
    compared = run(copy, "compat")
    assert (compared.returncode, compared.stderr) == (0, "")


def test_a_new_kind_of_message_is_no_longer_unknown(copy: Path) -> None:
    document = json.loads((copy / "schema/v3/message/opaque.json").read_text(encoding="utf-8"))
    document["title"] = "HologramMessage"
    document["properties"]["type"]["const"] = "hologram"
    document["examples"] = [{**document["examples"][0], "type": "hologram"}]
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    (copy / "schema/v3/message/hologram.json").write_text(text, encoding="utf-8", newline="\n")
    done = run(copy, "generate")
    assert (done.returncode, done.stderr) == (0, "")
    bundled = json.loads((copy / "generated/interlingua_types/v3/schema.json").read_bytes())
    unknown = bundled["$defs"]["UnknownMessage"]["anyOf"][0]["properties"]["type"]["not"]["enum"]
    assert "hologram" in unknown
    program = """
from pydantic import TypeAdapter, ValidationError
from interlingua_types import v3
try:
    TypeAdapter(v3.AnyMessage).validate_python({"type": "hologram"})
except ValidationError:
    raise SystemExit(0)
raise SystemExit(1)
"""
    environment = {**os.environ, "PYTHONPATH": str(copy / "generated")}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
