"""The session that compares the code of two commits: it finds what differs and where, and nothing else."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from differential import differing
from mutation.edits import ROOT
from regression.differences import Difference, differences
from regression.inputs import Selection, cases
from regression.intended import Intended, NamedError, read
from regression.mutating import mutants
from regression.summary import Found

if TYPE_CHECKING:
    from collections.abc import Iterator

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
REQUEST = {
    "model": "m",
    "max_tokens": 5,
    "top_k": 3,
    "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
    "messages": [{"role": "user", "content": "Where is the secret garden?"}],
}
FRAMES = [
    {"type": "message_start", "message": {"id": "i", "type": "message", "role": "assistant", "content": [],
     "model": "m", "stop_reason": None, "usage": {"input_tokens": 1, "output_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Behind the wall."}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2ln"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
    {"type": "message_stop"},
]  # fmt: skip


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a corpus of one request and one stream."""
    folder = tmp_path_factory.mktemp("corpus") / "dev" / "anthropic"
    folder.mkdir(parents=True)
    stream = [{"event": frame["type"], "data": frame} for frame in FRAMES]
    folder.joinpath("request.jsonl").write_text(json.dumps({"body": REQUEST}) + "\n", encoding="utf-8")
    folder.joinpath("stream.jsonl").write_text(json.dumps({"events": stream}) + "\n", encoding="utf-8")
    return folder.parents[1]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small repository with the code of this checkout: HEAD, and behind it a commit that does not run."""
    top = tmp_path_factory.mktemp("repository")
    for folder in ("codecs", "generated", "tools", "tests/vectors"):
        shutil.copytree(ROOT / folder, top / folder, ignore=shutil.ignore_patterns("__pycache__"))
    facade = top / "codecs/interlingua/__init__.py"
    good = facade.read_text(encoding="utf-8")
    facade.write_text("1 / 0\n", encoding="utf-8")
    git(top, "init", "--quiet")
    for text in ("1 / 0\n", good):
        facade.write_text(text, encoding="utf-8")
        git(top, "add", ".")
        git(top, "commit", "--quiet", "-m", "Go on")
    return top


@pytest.fixture
def edited(repository: Path) -> Iterator[Path]:
    """Return the repository with an edit that is not committed: losses have other words."""
    path = repository / "codecs/interlingua/loss.py"
    text = path.read_text(encoding="utf-8")
    old = 'self._noted.append((code, path, detail, "lost"))'
    assert text.count(old) == 1
    path.write_text(text.replace(old, 'self._noted.append((code, path, "gone", "lost"))'), encoding="utf-8")
    yield repository
    path.write_text(text, encoding="utf-8")


def git(top: Path, *arguments: str) -> str:
    settings = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    command = ["git", *settings, *arguments]
    return subprocess.run(command, cwd=top, check=True, capture_output=True, text=True).stdout


def run(top: Path, corpus: Path | str, *options: str, ref: str = "HEAD") -> subprocess.CompletedProcess[str]:
    """Run the session; what it remembers, and its worktrees, lie beside the repository."""
    temporary = top.with_name("temporary")
    temporary.mkdir(exist_ok=True)
    command = [sys.executable, "tools/differential.py", ref, "--corpus", str(corpus), "--processes", "1", *options]
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": ""}
    done = subprocess.run(command, cwd=top, env=environment, capture_output=True, text=True, check=False)
    assert len(git(top, "worktree", "list").splitlines()) == 1, "the worktree is gone"
    assert not list(temporary.glob("differential-*"))
    return done


def test_equal_code_has_no_differences_and_runs_once(repository: Path) -> None:
    options = ("--sample", "4", "--mutants", "2", "--processes", "2")
    first, second = (run(repository, "", *options) for _ in range(2))
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert re.search(r"\d+ cases, \d[\d,]+ outcomes: [0-9a-f]{9} asked", first.stdout)
    assert " remembered " in second.stdout


@pytest.mark.parametrize("way", [(), ("--stored",)])
def test_the_effect_of_an_edit_is_found_and_content_shown_only_on_request(
    edited: Path, recordings: Path, way: tuple[str, ...]
) -> None:
    options = ("--dialect", "claude", "--target", "gemini", "--first", "1000", *way)
    found = run(edited, recordings, *options)
    assert found.returncode == 1, found.stderr
    for kind in ("request", "stream"):
        assert re.search(rf"{kind} +claude +to:gemini +losses +[-+]lost ", found.stdout)
        assert re.search(rf"\n{kind}/claude/anthropic/1/to:gemini: losses at -lost .*\+lost \S+ \S+ gone", found.stdout)
    assert "secret" not in found.stdout + found.stderr
    assert " now: " not in found.stdout
    assert " now: " in run(edited, recordings, *options, "--show").stdout


def test_a_named_difference_is_no_failure_and_an_unused_name_is_one(
    edited: Path, recordings: Path, tmp_path: Path
) -> None:
    names = tmp_path / "names.toml"
    options = ("--dialect", "claude", "--target", "gemini", "--kind", "request", "--named", str(names))
    meant = '[[difference]]\nkeys = "request/claude/*/to:gemini"\nwhat = ["losses"]\nreason = "another word"\n'
    names.write_text(meant, encoding="utf-8")
    found = run(edited, recordings, *options)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "meant: another word" in found.stdout
    names.write_text(meant + meant.replace("losses", "body").replace("another", "no"), encoding="utf-8")
    found = run(edited, recordings, *options)
    assert found.returncode == 1
    assert "no difference is: no word" in found.stdout


def test_a_missing_or_broken_commit_and_an_empty_selection_are_errors(repository: Path, recordings: Path) -> None:
    assert run(repository, recordings, ref="no-such-commit").returncode == 2
    broken = run(repository, recordings, "--dialect", "claude", ref="HEAD~1")
    assert (broken.returncode, "ZeroDivisionError" in broken.stderr) == (2, True)
    nothing = run(repository, "", "--dialect", "bedrock_converse")
    assert (nothing.returncode, "no case" in nothing.stderr) == (2, True)


def test_a_missing_function_is_a_difference_unless_an_earlier_step_differs() -> None:
    before = {"k/s/f/1": {"decode": "1", "check:ollama": "1", "repair:ollama": "1"}, "k/s/f/2": {"decode": "1"}}
    found = Found(())
    assert differing(before, {"k/s/f/1": {"decode": "1", "check:ollama": "2"}}, found) == {"k/s/f/1": ["check:ollama"]}
    assert found.unnamed == 1
    assert "k/s/f/2/decode: missing" in list(found.lines(show=False))
    found = Found(())
    assert not differing(before, {**before, "k/s/f/3": {"decode": "1"}}, found)
    assert not found.unnamed


BEFORE = {"body": {"a": 1, "b": [{"c": 1, "d": 2}]}, "losses": []}


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ({"body": {"a": 1, "b": [{"c": 1, "d": 2}]}, "losses": []}, []),
        ({"body": {"b": [{"d": 2, "c": 1}], "a": 1}, "losses": []}, [("order", ("", "/b/0"))]),
        ({"body": {"a": 1.0, "b": [{"c": True, "d": 2}]}, "losses": []}, [("body", ("/a", "/b/0/c"))]),
        ({"body": {"a": 1, "b": [], "x/y": 0}, "losses": []}, [("body", ("/b/0", "/x~1y"))]),
        ({"error": {"type": "DecodeError"}}, [("body", ("",)), ("error", ("",)), ("losses", ("",))]),
    ],
)
def test_a_difference_has_an_aspect_and_places(now: dict[str, object], expected: list[object]) -> None:
    assert [(one.what, one.places) for one in differences("k", BEFORE, now)] == expected
    assert not list(differences("k", {"canonical": {"a": 1, "b": 2}}, {"canonical": {"b": 2, "a": 1}}))


def test_recorded_event_streams_are_compared_as_decoded_by_boto3(tmp_path: Path) -> None:
    folder = tmp_path / "dev" / "bedrock_converse"
    folder.mkdir(parents=True)
    events = [{"event": "messageStart", "data": {"role": "assistant"}}]
    (folder / "stream.jsonl").write_text(json.dumps({"events": events}) + "\n", encoding="utf-8")
    selection = Selection(str(tmp_path), ("stream",), ("bedrock_converse",), 1, 0, 0)
    recorded = [case.value for case in cases(selection, 0, 1) if "/bedrock_converse/bedrock_converse/" in case.key]
    assert recorded == [[{"messageStart": {"role": "assistant"}}]]


def test_mutants_are_deterministic_and_change_one_place() -> None:
    value = {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}], "n": 1}
    kept = copy.deepcopy(value)
    made = list(mutants(value, "seed", 200))
    assert value == kept
    assert json.dumps(made) == json.dumps(list(mutants(value, "seed", 200)))
    assert made[:20] != list(mutants(value, "other seed", 20))
    assert any("n" not in one for one in made), "a member is deleted"
    assert any(len(one) == 3 for one in made), "a member is added"
    assert any(one.get("messages") == [] for one in made), "an element is deleted"
    for one in made:
        # An object that stands in the place of a value has places of its own, all below that one.
        (difference,) = [*differences("k", {"canonical": value}, {"canonical": one})] or [None]
        assert difference is None or len({place.rsplit("/", 1)[0] for place in difference.places}) == 1


def test_a_mutant_of_an_intended_difference_is_intended() -> None:
    meant = Intended("request/claude/*/7/to:gemini", ("body",), "/contents/*", "why")
    one = Difference("request/claude/anthropic/7/m3/to:gemini", "body", ("/contents/1",), None, None)
    assert meant.covers(one)
    assert not meant.covers(one._replace(what="order"))
    assert not meant.covers(one._replace(places=("/contents/1", "/model")))
    assert not meant.covers(one._replace(key="request/claude/anthropic/8/m3/to:gemini"))


@pytest.mark.parametrize(
    "text",
    [
        "[[difference]",
        "x = 1",
        '[[difference]]\nkeys = "*"\nwhat = ["body"]',
        '[[difference]]\nkeys = "*"\nwhat = "body"\nreason = "r"',
        '[[difference]]\nkeys = "*"\nwhat = ["body"]\nreason = "r"\nwhere = "x"',
    ],
)
def test_a_file_without_named_differences_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "names.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NamedError):
        read(path)


def test_a_group_shows_its_most_frequent_paths_without_indexes() -> None:
    found = Found(())
    for key, place in (
        ("request/claude/anthropic/1/home", "/messages/12"),
        ("request/claude/anthropic/2/home", "/n0/3"),
    ):
        found.add(Difference(key, "order", (place, "/messages/2"), None, None))
    (group, *_) = found.lines(show=False)
    assert group.split() == ["2", "request", "claude", "home", "order", "/messages/*", "(2),", "/n0/*", "(1)"]
