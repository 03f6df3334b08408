"""Every command of `interlingua` on the pages gives what the page shows."""

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
PAGES = {"cli.md": 15, "detection.md": 1, "streams.md": 1}  # the number of blocks that are run
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


@pytest.mark.parametrize("name", PAGES)
def test_the_examples_of_the_page_match_the_output(folder: Path, name: str) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    blocks = [block.splitlines() for block in BLOCK.findall(page) if "pip install" not in block]
    assert len(blocks) == PAGES[name]
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
        if not expected:
            assert found
            continue  # the page shows no output
        if expected[-1:] == ["..."]:  # the page leaves out the rest
            expected.pop()
            found = found[: len(expected)]
        assert found == expected
