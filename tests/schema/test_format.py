"""One way to write a source file: anything else is an error, and one command puts it right."""

from __future__ import annotations

import json

import pytest

import packages
import sources
from problems import SchemaProblem
from support.tree import ROOT, Tree

FILE = "schema/v2/part/text.json"


def ways_to_write(text: str) -> dict[str, str]:
    document = json.loads(text)
    return {
        "four spaces": json.dumps(document, indent=4) + "\n",
        "one line": json.dumps(document) + "\n",
        "no last newline": text.rstrip("\n"),
        "two last newlines": text + "\n",
        "a byte order mark": "\ufeff" + text,
        "line ends of another system": text.replace("\n", "\r\n"),
        "escaped letters": text.replace("fixture.", "fixture \\u00e9."),
    }


@pytest.mark.parametrize("way", ways_to_write("{}"))
def test_a_file_in_another_format_is_an_error(tree: Tree, way: str) -> None:
    text = tree.path(FILE).read_text(encoding="utf-8")
    tree.write_text(FILE, ways_to_write(text)[way])
    with pytest.raises(SchemaProblem) as caught:
        packages.read_versions(tree.root)
    assert caught.value.file == FILE
    assert caught.value.rule in {"format", "json"}


def test_a_formatting_error_hides_no_other_error(tree: Tree) -> None:
    assert tree.run("seal", "v1").returncode == 0
    wrong = tree.read(FILE)
    wrong["properties"]["text"]["type"] = "wibble"
    tree.write_text(FILE, json.dumps(wrong))
    other = "schema/v2/part/image.json"
    tree.edit(other, title=None)
    for command in ("generate", "check", "compat"):
        told = tree.run(command).stderr.splitlines()
        assert [line.split(": ")[1:3] for line in told] == [
            [FILE, "format"],
            [other, "required"],
            [FILE, "anyOf"],
        ]


def test_a_file_that_is_not_json_is_reported_once(tree: Tree) -> None:
    tree.write_text(FILE, "{")
    (line,) = tree.run("generate").stderr.splitlines()
    assert line.startswith(f"error: {FILE}: json: ")


def test_the_format_option_formats_every_file_without_changing_its_meaning(tree: Tree) -> None:
    before = tree.read(FILE)
    tree.write_text(FILE, json.dumps(before))
    assert tree.run("generate").returncode == 1
    done = tree.run("generate", "--format")
    assert done.returncode == 0
    assert f"formatted {FILE}" in done.stdout
    assert tree.read(FILE) == before
    assert list(tree.read(FILE)) == list(before)


def test_every_file_of_the_real_source_is_formatted() -> None:
    files = [path for path in (ROOT / "schema").glob("**/*.json") if "vectors" not in path.parts]
    assert files
    for path in files:
        assert path.read_bytes().decode() == sources.canonical_text(json.loads(path.read_bytes()))
