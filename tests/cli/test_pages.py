"""Every command on the page about the command line gives what the page shows."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from support.program import COMMAND, environment

pytestmark = pytest.mark.one_python

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "cli.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the files that the page names are, and those that it writes may be."""
    place = tmp_path_factory.mktemp("page")
    shutil.copytree(ROOT / "docs" / "examples", place / "docs" / "examples")
    return place


def value(line: str) -> object:
    """Return what a line says: the order of an object's members is no promise."""
    return json.loads(line.rstrip(",")) if line.startswith("{") else line


def test_the_examples_of_the_page_match_the_output(folder: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    blocks = [block.splitlines() for block in BLOCK.findall(page) if "pip install" not in block]
    assert len(blocks) > 4
    for block in blocks:
        commands = [line[2:] for line in block if line.startswith("$ ")]
        expected = [value(line) for line in block if not line.startswith("$ ")]
        script = f'interlingua() {{ {shlex.join(COMMAND)} "$@"; }}\n' + "\n".join(commands)
        done = subprocess.run(
            ["/bin/sh", "-c", script],
            cwd=folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=True,
            text=True,
        )
        found = [value(line) for line in done.stdout.splitlines()]
        if expected[-1:] == ["..."]:  # the page leaves out the rest
            expected.pop()
            found = found[: len(expected)]
        assert found == expected
