"""`interlingua dialects`, and dialects that others bring."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import interlingua as il
from support.program import body, environment, run

ROOM = """
DIALECT = "theirs"
API_VERSIONS = ("2", "1")

def decode_request(body):
    if body["model"] == "mistake":
        raise KeyError("tell nobody")
    if body["model"] == "deep":
        return decode_request(body)
    return {"dialect": "theirs", "messages": []}

def encode_request(request, log, api_version=None):
    if api_version == "1":
        value = []
        for _ in range(100_000):
            value = [value]
        return {"deep": value}
    return {"said": "tell nobody"}
"""


@pytest.fixture
def third_party(tmp_path: Path) -> str:
    """Install a distribution with two dialects, one of which cannot be loaded; return where it is."""
    (tmp_path / "their_room.py").write_text(ROOM, encoding="utf-8")
    information = tmp_path / "theirs-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text(
        "[interlingua.dialects]\ntheirs = their_room\nbroken = nowhere_to_be_found\n", encoding="utf-8"
    )
    return str(tmp_path)


def test_each_dialect_is_a_line_with_its_capabilities() -> None:
    done = run("dialects")
    shown = [line.split(maxsplit=1) for line in done.out.decode().splitlines()]
    assert done.code == 0
    assert [name for name, _ in shown] == list(il.dialects())
    assert all("third party" not in title for _, title in shown)


def test_plugin_dialects_are_listed_and_a_broken_one_does_not_hide_the_others(third_party: str) -> None:
    done = run("dialects", PYTHONPATH=third_party)
    shown = dict(line.split(maxsplit=1) for line in done.out.decode().splitlines())
    assert done.code == 0
    assert set(shown) == {*il.dialects(), "theirs", "broken"}
    assert "cannot be loaded" in shown["broken"]


def test_a_dialect_that_cannot_be_loaded_is_a_usage_error(third_party: str) -> None:
    done = run("translate", "--from", "broken", "--to", "claude", "-", stdin=body(), PYTHONPATH=third_party)
    assert (done.code, done.out) == (2, b"")
    assert "Traceback" not in done.err


@pytest.mark.parametrize("model", ["mistake", "deep"])
def test_an_error_in_a_plugin_room_is_one_line_without_content(third_party: str, model: str) -> None:
    content = body(model=model) + body()
    done = run("translate", "--from", "theirs", "--to", "theirs", "-", stdin=content, PYTHONPATH=third_party)
    assert (done.code, done.bodies) == (3, [{"said": "tell nobody"}])
    assert len(done.err.splitlines()) == 1
    assert "nobody" not in done.err


def test_output_that_is_nested_too_deeply_is_one_error_line(third_party: str) -> None:
    command = ("translate", "--from", "theirs", "--to", "theirs", "--api-version", "1", "-")
    done = run(*command, stdin=body(), PYTHONPATH=third_party)
    assert (done.code, done.out, len(done.err.splitlines())) == (3, b"", 1)


def test_without_the_cli_extra_one_line_says_how_to_install_it(tmp_path: Path) -> None:
    shutil.copytree(Path(str(il.__file__)).parent, tmp_path / "interlingua")
    # -S: without the site-packages, and so without the libraries of the extra.
    done = subprocess.run(
        [sys.executable, "-S", "-m", "interlingua.cli", "dialects"],
        capture_output=True,
        check=False,
        env={**environment(), "PYTHONPATH": str(tmp_path)},
    )
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert b"pip install 'interlingua[cli]'" in done.stderr
