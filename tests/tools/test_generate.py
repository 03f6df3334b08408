"""`nox -s generate`, once and with `--watch`: what a change starts, what is told, and how it ends."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from typing import IO, TYPE_CHECKING, Any, Final

import pytest

import generate
from support.program import SECONDS, ended
from support.tree import ROOT, Tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MODELS: Final = "generated/interlingua_types/v2/models.py"
# What the pages and the facade are made of is not in the small tree.
OTHER_STEPS: Final = ("tools/pages.py", "tools/facade.py")


@pytest.fixture
def project(tmp_path: Path) -> Tree:
    """Return a small source tree that has the compiler and the program itself."""
    tree = Tree(tmp_path / "project")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "schema" / "compiler", tree.path("schema/compiler"), ignore=ignored)
    for folder in ("tools", "codecs/interlingua/migrate"):
        tree.path(folder).mkdir()
    shutil.copy(ROOT / "tools" / "generate.py", tree.path("tools/generate.py"))
    for step in OTHER_STEPS:
        tree.write_text(step, f"print('did {step}')\n")
    return tree


def test_a_run_compiles_and_then_runs_every_other_step(project: Tree, capfd: pytest.CaptureFixture[str]) -> None:
    assert not project.path(MODELS).exists()
    assert generate.built(project.root)
    assert "class TextMessage" in project.path(MODELS).read_text(encoding="utf-8")
    told = capfd.readouterr().out.splitlines()
    assert f"wrote {MODELS}" in told
    assert told[-2:] == [f"did {step}" for step in OTHER_STEPS]


def test_the_steps_are_programs_of_the_project() -> None:
    assert all((ROOT / program).exists() for program, *_ in generate.STEPS)
    assert all((ROOT / folder).is_dir() for folder in generate.WATCHED)


def test_nothing_runs_after_a_failed_step(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    steps = [["-c", "print(1)"], ["-c", "import sys; sys.exit('wrong')"], ["-c", "print(3)"]]
    assert not generate.built(tmp_path, steps)
    assert capfd.readouterr() == ("1\n", "wrong\n")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("schema/v4/part/video.json", True),
        ("schema/settings.json", True),
        ("schema/compiler/bundle.py", True),
        ("codecs/interlingua/migrate/between_3_4.py", True),
        ("schema/vectors/v4/part/video/valid/plain.json", False),
        ("schema/README.md", False),
        ("schema/compiler/__pycache__/bundle.py", False),
        ("schema/v4/part/video.json~", False),
    ],
)
def test_only_changes_of_compiled_files_trigger_a_run(tmp_path: Path, name: str, *, expected: bool) -> None:
    assert generate.concerned(tmp_path, {(1, str(tmp_path / name))}) == [name] * expected


def _told(root: Path, *reports: set[str]) -> list[set[tuple[object, str]]]:
    return [{(number, str(root / name)) for number, name in enumerate(report)} for report in reports]


def _answers(*results: bool) -> Callable[[], bool]:
    return iter(results).__next__


def test_the_first_event_triggers_a_run_and_then_each_that_concerns_the_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reports: list[set[str]] = [
        set(),
        set(),
        {"schema/README.md"},
        {"schema/b.json", "schema/a.json"},
        {"schema/a.json"},
    ]
    generate.watch(tmp_path, _told(tmp_path, *reports), _answers(True, False, True))
    assert capsys.readouterr().out.splitlines() == [
        "Built; watching.",
        "changed: schema/a.json",
        "changed: schema/b.json",
        "Not built; watching: it is tried again at the next change.",
        "changed: schema/a.json",
        "Built; watching.",
    ]


def test_watching_reports_every_error_at_each_change_and_ends_cleanly_when_interrupted(project: Tree) -> None:
    project.edit("schema/v2/part/text.json", title="Text")
    command = [sys.executable, str(project.path("tools/generate.py")), "--watch"]
    options: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with ended(command, **options) as process:
        assert process.stdout is not None
        assert _errors(process.stdout) == ["schema/v2/part/text.json"]
        project.edit("schema/v2/shared/mood.json", title="Feeling")
        assert _errors(process.stdout) == ["schema/v2/part/text.json", "schema/v2/shared/mood.json"]
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 0
        assert process.stdout.read() == "Ended.\n"
    assert not project.path(MODELS).exists()


def _errors(output: IO[str]) -> list[str]:
    """Return the files of the errors that are told until the program waits for a change."""
    lines: list[str] = []
    while not lines or lines[-1] != "Not built; watching: it is tried again at the next change.\n":
        lines.append(output.readline())
        assert lines[-1], lines  # else it has ended
    return [line.split(": ")[1].partition("#")[0] for line in lines if line.startswith("error: ")]
