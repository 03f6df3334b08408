"""What a run does without a corpus, and with one that is named but not there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import corpus

pytestmark = pytest.mark.one_python

TESTS = Path(__file__).parent
MODULE = """
import os
import pytest

@pytest.mark.corpus
def test_that_reads_the_corpus():
    assert False

@pytest.mark.laws
def test_that_reads_all_of_it():
    assert os.environ["INTERLINGUA_LAWS"] == "all"

def test_that_needs_nothing():
    pass
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a small checkout that has no corpus beside it."""
    root = tmp_path / "somewhere" / "main"
    (root / "tests" / "support").mkdir(parents=True)
    for name in (
        "conftest.py",
        "support/__init__.py",
        "support/corpus.py",
        "support/figures.py",
        "support/time_limit.py",
    ):
        shutil.copyfile(TESTS / name, root / "tests" / name)
    shutil.copyfile(TESTS.parent / "pyproject.toml", root / "pyproject.toml")
    (root / "tests" / "test_some.py").write_text(MODULE, encoding="utf-8")
    return root


def run(checkout: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    ours = {corpus.VARIABLE, corpus.LAWS_VARIABLE, "PYTEST_ADDOPTS"}
    environment = {name: value for name, value in os.environ.items() if name not in ours} | variables
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)


def test_without_a_corpus_the_tests_that_need_it_are_deselected_with_a_notice(checkout: Path) -> None:
    result = run(checkout, "-k", "not all_of_it")
    assert result.returncode == pytest.ExitCode.OK
    assert "1 passed, 2 deselected" in result.stdout
    assert "1 tests were left out: there is no corpus" in result.stdout.splitlines()[-2]


def test_parallel_test_processes_report_deselected_tests(checkout: Path, tmp_path: Path) -> None:
    report = tmp_path / "left_out.txt"
    result = run(checkout, "--numprocesses=2", "-k", "not all_of_it", INTERLINGUA_LEFT_OUT=str(report))
    assert result.returncode == pytest.ExitCode.OK
    assert "1 tests were left out: there is no corpus" in result.stdout.splitlines()[-2]
    assert report.read_text(encoding="utf-8").startswith("1 tests were left out")


def test_a_configured_but_missing_corpus_stops_the_run(checkout: Path) -> None:
    result = run(checkout, **{corpus.VARIABLE: str(checkout / "nowhere")})
    assert result.returncode == pytest.ExitCode.USAGE_ERROR
    assert corpus.VARIABLE in result.stderr


def test_a_run_of_only_the_laws_reads_the_whole_corpus(checkout: Path) -> None:
    result = run(checkout, "-m", "laws")
    assert result.returncode == pytest.ExitCode.OK
    assert "1 passed" in result.stdout
