"""A variant that nobody knows yet is an error of types wherever one must be decided about: none is silent."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from support.tree import ROOT, editable_version, object_file

pytestmark = pytest.mark.one_python

_COPIED: Final = ("schema", "codecs", "generated", "pyproject.toml")
# Rooms of a family leave the work to it.
_FAMILY: Final = {"openai_chat": "_chat_completions", "vllm": "_chat_completions"}
_COMPLAINT: Final = re.compile(r"interlingua/rooms/(\w+)/\w+\.py:\d+: error: .*VideoPart")
_PLACE: Final = re.compile(r"interlingua/((?!rooms)\w+/\w+\.py):\d+: error: ")
_PLACES: Final = {
    "context/contents.py",  # what a part costs
    "context/counting.py",  # what a message costs
    "context/facts.py",  # what a message is to the selection
    "migrate/pairing.py",  # whether a message stands within a turn
    "resolve/images.py",  # where a picture is fetched from
    "sessions/redaction.py",  # whether a part holds bytes
    "transcript/chat_out.py",  # whether a control turns a mode on
    "transcript/model_views.py",  # what a model is told of a message, and of a picture
    "transcript/rules.py",  # what is wrong with a message
    "transcript/rules_content.py",  # what is wrong with a control, and with where a picture is
}
# Variants that are made of others: union, old tag, new one.
_COPIES: Final = (
    ("message", "opaque", "hologram"),
    ("control", "mode_change", "theme_change"),
    ("image_source", "url", "cid"),
)


def rooms() -> set[str]:
    folders = (ROOT / "codecs/interlingua/rooms").glob("*/__init__.py")
    return {_FAMILY.get(path.parent.name, path.parent.name) for path in folders if path.parent.name != "_shared"}


def _class(tag: str) -> str:
    return tag.title().replace("_", "")


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)


def test_a_new_variant_causes_type_errors_wherever_it_must_be_handled(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("vectors", "__pycache__", ".*_cache", "node_modules")
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=ignored)
        else:
            shutil.copy(source, tmp_path / name)
    number = editable_version(tmp_path)
    document = object_file(
        "VideoPart",
        {"type": {"const": "video"}, "url": {"type": "string"}},
        ["type", "url"],
        example={"type": "video", "url": "https://example.com/a.mp4"},
    )
    text = json.dumps(document, indent=2) + "\n"
    (tmp_path / f"schema/v{number}/part/video.json").write_text(text, encoding="utf-8", newline="\n")
    for union, old, new in _COPIES:
        text = (tmp_path / f"schema/v{number}/{union}/{old}.json").read_text(encoding="utf-8")
        text = text.replace(f'"{old}"', f'"{new}"').replace(_class(old), _class(new))
        (tmp_path / f"schema/v{number}/{union}/{new}.json").write_text(text, encoding="utf-8", newline="\n")

    compiled = run(tmp_path, "schema/compiler", "generate")
    assert (compiled.returncode, compiled.stderr) == (0, "")
    checked = run(tmp_path, "-m", "mypy", "codecs/interlingua")

    assert checked.returncode == 1
    assert set(_COMPLAINT.findall(checked.stdout)) == rooms()
    assert set(_PLACE.findall(checked.stdout)) == _PLACES
