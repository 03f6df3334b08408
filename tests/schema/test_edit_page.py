"""What `docs/how-to/edit-the-schema.md` says happens: its edits are made in a copy, and its commands run there."""

from __future__ import annotations

import json
import shlex
import sys
from typing import Final

import pytest

from support.next_version import Rehearsal
from support.pages import ROOT, snippets
from support.program import COMMAND

PAGE: Final = (ROOT / "docs" / "how-to" / "edit-the-schema.md").read_text(encoding="utf-8")
MEMBER, VECTOR, CHANGES = (one.code for one in snippets(PAGE) if one.language == "json")
CONSOLE: Final = [one.code.splitlines() for one in snippets(PAGE) if one.language == "console"]
TEXT: Final = "schema/v4/part/text.json"
APPROVAL: Final = "schema/v4/shared/approval.json"


def shown(command: str) -> list[list[str]]:
    """Return what the page shows below a command, each time that it stands on the page."""
    found: list[list[str]] = []
    for block in CONSOLE:
        for at, line in enumerate(block):
            if line == f"$ {command}":
                after = block[at + 1 :]
                found.append(after[: next((n for n, one in enumerate(after) if one.startswith("$ ")), len(after))])
    return found


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    """Return a copy in which the version of the page is open, and the member added."""
    tree = Rehearsal(tmp_path_factory.mktemp("page") / "project")
    tree.done("open", "v4")
    tree.edit_member(TEXT, "language", **json.loads(f"{{{MEMBER}}}")["language"])
    tree.done("generate", "--format")
    return tree


def test_the_edits_on_the_page_have_the_shown_results(opened: Rehearsal) -> None:
    first, refused, declared = shown("nox -s compat")
    assert opened.done("compat").splitlines()[-len(first) :] == first
    opened.path("schema/vectors/v4/part/text/valid/language.json").write_text(VECTOR, encoding="utf-8")
    approval = opened.path(APPROVAL)
    approval.write_text(approval.read_text(encoding="utf-8").replace('"reason"', '"note"'), encoding="utf-8")
    assert opened.tried("compat").stderr.splitlines() == refused
    opened.path("schema/v4/changes.json").write_text(CHANGES, encoding="utf-8")
    assert opened.done("compat").splitlines()[-len(declared) :] == declared
    opened.done("move", "v4")

    (block,) = (block for block in CONSOLE if any(line.startswith("$ interlingua") for line in block))
    script = [f'interlingua() {{ {shlex.join(COMMAND)} "$@"; }}', f'python() {{ {shlex.quote(sys.executable)} "$@"; }}']
    script += [line[2:] for line in block if line.startswith("$ ")]
    done = opened.ran(["/bin/sh", "-c", "exec 2>&1\n" + "\n".join(script)])
    assert done.returncode == 0
    assert [value(line) for line in done.stdout.splitlines()] == [
        value(line) for line in block if not line.startswith("$ ")
    ]


def value(line: str) -> object:
    """Return what a line says: the order of an object's members is no promise."""
    return json.loads(line) if line.startswith("{") else line
