"""Seals: one changed byte of a sealed version turns `compat` red. Sealing, opening, moving: a step each."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import packages
import seals
from problems import SchemaProblem
from support.tree import ROOT, Tree

FILE = "schema/v1/message/user.json"


@pytest.fixture
def sealed(tree: Tree) -> Tree:
    seals.seal(tree.root, "v1")
    return tree


def problem_of(root: Path) -> SchemaProblem:
    with pytest.raises(SchemaProblem) as caught:
        seals.verify(root)
    return caught.value


def test_a_sealed_version_verifies(sealed: Tree) -> None:
    assert list(seals.verify(sealed.root)) == ["v1"]
    done = sealed.run("compat")
    assert (done.returncode, done.stderr) == (0, "")


def test_every_byte_of_a_sealed_version_is_covered_by_its_digest(sealed: Tree) -> None:
    for path in sorted(sealed.path("schema/v1").rglob("*.json")):
        original = path.read_bytes()
        for position in (0, len(original) // 2, len(original) - 1):
            path.write_bytes(original[:position] + bytes([original[position] ^ 1]) + original[position + 1 :])
            assert problem_of(sealed.root).rule == "seal"
        path.write_bytes(original)
    assert seals.verify(sealed.root)


def test_the_error_names_the_command_and_the_version(sealed: Tree) -> None:
    sealed.edit(FILE, description="Another sentence.")
    done = sealed.run("compat")
    assert done.returncode == 1
    assert "seal" in done.stderr
    assert "v1" in done.stderr


@pytest.mark.parametrize("command", ["generate", "check", "compat", "seal", "open", "move"])
def test_nothing_is_generated_from_a_changed_sealed_version_and_the_error_says_what_to_do(
    sealed: Tree, command: str
) -> None:
    assert sealed.run("seal", "v2").returncode == 0
    sealed.edit("schema/v2/message/text.json", description="Another sentence.")
    before = {path: path.read_bytes() for path in sealed.root.rglob("*.*") if path.is_file()}
    done = sealed.run(command)
    assert done.returncode == 1
    assert "schema/v2: seal: v2 is sealed and was changed; take the change back" in done.stderr
    assert "make it in v3, which `nox -s open -- v3` opens" in done.stderr
    assert {path: path.read_bytes() for path in sealed.root.rglob("*.*") if path.is_file()} == before


def test_a_change_must_be_made_in_the_open_version(sealed: Tree) -> None:
    sealed.edit(FILE, description="Another sentence.")
    assert "make it in v2, which is open" in sealed.run("generate").stderr


@pytest.mark.parametrize("way", ["renamed", "removed", "added", "moved"])
def test_file_names_are_covered_by_the_digest(sealed: Tree, way: str) -> None:
    path = sealed.path(FILE)
    if way == "renamed":
        path.rename(path.with_name("person.json"))
    elif way == "removed":
        path.unlink()
    elif way == "added":
        shutil.copy(path, path.with_name("copy.json"))
    else:
        sealed.path("schema/v1/shared").mkdir()
        path.rename(sealed.path("schema/v1/shared/user.json"))
    assert problem_of(sealed.root).rule == "seal"


def test_a_missing_sealed_version_is_an_error(sealed: Tree) -> None:
    sealed.write(seals.SEALS_FILE, {**seals.read_seals(sealed.root), "v7": "0" * 64})
    assert problem_of(sealed.root).rule == "seal"


def test_only_the_newest_version_may_be_open(tree: Tree) -> None:
    problem = problem_of(tree.root)
    assert problem.rule == "seal"
    assert "v1 has no seal" in problem.detail


@pytest.mark.parametrize("key", ["v1", "v9"])
def test_a_version_is_sealed_once_and_must_exist(sealed: Tree, key: str) -> None:
    done = sealed.run("seal", key)
    assert done.returncode == 1
    assert "seal" in done.stderr


def test_sealing_changes_only_the_seals_file(sealed: Tree) -> None:
    done = sealed.run("seal", "v2")
    assert (done.returncode, done.stderr) == (0, "")
    assert list(seals.read_seals(sealed.root)) == ["v1", "v2"]
    assert [version.key for version in packages.read_versions(sealed.root)] == ["v1", "v2"]
    assert sealed.run("compat").returncode == 0


def test_opening_the_next_version_copies_the_newest_and_it_compiles(sealed: Tree) -> None:
    vector = {"schema_version": 2, "type": "text", "data": {"speaker": "user"}}
    sealed.write("schema/vectors/v2/message/text/valid/plain.json", vector)
    assert sealed.run("seal").returncode == 0
    done = sealed.run("open", "v3")
    assert (done.returncode, done.stderr) == (0, "")
    assert list(seals.read_seals(sealed.root)) == ["v1", "v2"]
    assert sealed.read("schema/v3/version.json")["version"] == 3
    assert sealed.read("schema/v3/version.json")["title"] == "Fixture 3"
    assert sealed.read("schema/v3/changes.json") == []
    text = sealed.read("schema/v3/message/text.json")
    assert text["properties"]["schema_version"]["const"] == 3
    assert text["examples"][0]["schema_version"] == 3
    # A document of a newer version must still be newer than this one.
    assert sealed.read("schema/v3/shared/unknown_message.json")["examples"][0]["schema_version"] == 4
    assert sealed.read("schema/vectors/v3/message/text/valid/plain.json")["schema_version"] == 3
    assert [version.key for version in packages.read_versions(sealed.root)] == ["v1", "v2", "v3"]
    assert sealed.run("check").returncode == 0


@pytest.mark.parametrize(
    ("commands", "told"), [(["open"], "seal it first"), (["seal", "open v5"], "the next version is v3")]
)
def test_a_version_can_be_opened_only_after_a_sealed_one(sealed: Tree, commands: list[str], told: str) -> None:
    results = [sealed.run(*command.split()) for command in commands]
    assert [done.returncode for done in results] == [0] * (len(commands) - 1) + [1]
    assert told in results[-1].stderr


def test_moving_makes_a_version_current_and_never_goes_back(sealed: Tree) -> None:
    assert [sealed.run(command).returncode for command in ("seal", "open")] == [0, 0]
    sealed.edit("schema/settings.json", current=2)
    for current in (2, 3):
        assert sealed.run("move", f"v{current}").returncode == 0
        assert f"CURRENT: Final = {current}" in sealed.path("generated/interlingua_types/__init__.py").read_text()
        assert f"v{current}.models" in sealed.path("generated/interlingua_types/current/__init__.py").read_text()
        assert sealed.run("check").returncode == 0
    back, nowhere = sealed.run("move", "v2"), sealed.run("move", "v9")
    assert (back.returncode, nowhere.returncode) == (1, 1)
    assert "do not go back" in back.stderr
    assert "there is no v9" in nowhere.stderr


def test_nothing_moves_while_the_declared_changes_are_invalid(sealed: Tree) -> None:
    assert [sealed.run(command).returncode for command in ("seal", "open")] == [0, 0]
    before = sealed.read("schema/settings.json")
    sealed.write("schema/v3/changes.json", [{"change": "AddVideoPart", "op": "add_variant", "where": "Part.video"}])
    done = sealed.run("move", "v3")
    assert done.returncode == 1
    assert "schema/v3/changes.json: required: /0: 'description'" in done.stderr
    assert sealed.read("schema/settings.json") == before


def test_a_newly_opened_version_has_no_breaking_changes(sealed: Tree) -> None:
    assert [sealed.run(command).returncode for command in ("seal", "open")] == [0, 0]
    done = sealed.run("compat")
    assert (done.returncode, done.stderr) == (0, "")
    assert "v2 -> v3: 0 additions, 0 undeclared breaks" in done.stdout


def test_a_version_with_an_undeclared_breaking_change_cannot_be_sealed(sealed: Tree) -> None:
    sealed.write("schema/v2/changes.json", [])
    assert sealed.run("seal").returncode == 1
    assert list(seals.read_seals(sealed.root)) == ["v1"]


def test_the_real_versions_1_and_2_are_sealed_and_a_changed_byte_is_detected(tmp_path: Path) -> None:
    assert list(seals.verify(ROOT))[:2] == ["v1", "v2"]
    shutil.copytree(ROOT / "schema", tmp_path / "schema", ignore=shutil.ignore_patterns("vectors", "compiler"))
    assert seals.verify(tmp_path) == seals.verify(ROOT)
    path = tmp_path / "schema" / "v2" / "part" / "text.json"
    path.write_bytes(path.read_bytes().replace(b"run", b"rum"))
    assert problem_of(tmp_path).rule == "seal"
