"""Law 7: no input is changed, and the same value gives the same bytes, in every process."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import orjson
import pytest

import interlingua as il
from support import corpus
from support.canonical import unchanged
from support.rooms import KINDS, ROWS, Kind, decode, encode

pytestmark = [pytest.mark.laws]

CASES = [pytest.param(dialect, kind, id=f"{dialect}-{kind}") for dialect in ROWS for kind in KINDS]
MODULES = sorted((Path(str(il.__file__)).parent / "rooms").rglob("*.py"))
# What would let a room know more than its input, or remember.
IMPURE: Final = frozenset(
    {
        "asyncio", "contextvars", "ctypes", "getpass", "glob", "http", "inspect", "io", "locale", "logging", "mmap",
        "multiprocessing", "os", "pathlib", "pickle", "platform", "queue", "random", "secrets", "select", "shelve",
        "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading", "time", "urllib",
        "uuid", "weakref",
    }
)  # fmt: skip
PURE: Final = frozenset({"urllib.parse"})  # it takes addresses apart, and asks none of them
IMPURE_CALLS: Final = frozenset({"open", "print", "input", "exec", "eval", "hash", "id", "globals", "__import__"})
IMPURE_METHODS: Final = frozenset({"now", "today", "utcnow"})


@pytest.mark.corpus
@pytest.mark.parametrize(("dialect", "kind"), CASES)
def test_no_input_is_modified_and_the_output_is_deterministic(dialect: str, kind: Kind) -> None:
    row = ROWS[dialect]
    for folder in (row.folder, *row.compatible):
        for line in corpus.lines(folder, kind):
            if line["id"] in row.unreadable:
                continue
            before = json.dumps(line["body"])
            canonical = decode(dialect, kind, line["body"])
            decoded = json.dumps(canonical)
            for target in ROWS:
                first, losses = encode(target, kind, canonical)
                again, losses_again = encode(target, kind, decode(dialect, kind, json.loads(before)))
                assert json.dumps(first) == json.dumps(again), (line["id"], target)
                assert losses == losses_again, (line["id"], target)
                assert unchanged(decoded, canonical), (line["id"], target)
                assert unchanged(before, line["body"]), (line["id"], target)


# Prints one line of JSON a body: what it becomes in every dialect, with the losses.
PROGRAM: Final = """
import dataclasses, json, sys
from support import corpus
from support.rooms import KINDS, ROWS, decode, encode
for row in ROWS.values():
    for kind in KINDS:
        for line in corpus.sample(row.folder, kind, 12):
            if line["id"] not in row.unreadable:
                for target in ROWS:
                    body, losses = encode(target, kind, decode(row.dialect, kind, line["body"]))
                    print(json.dumps([body, [dataclasses.astuple(loss) for loss in losses]]))
"""


@pytest.mark.corpus
def test_every_process_gives_the_same_bytes() -> None:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) > 100


def test_values_shared_with_the_input_are_plain_json() -> None:
    # Results may share objects with the input; a value that orjson refuses would be no JSON at all.
    body = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}
    for target in ROWS:
        orjson.dumps(encode(target, "request", decode("openai_chat", "request", body))[0])


@pytest.mark.parametrize("module", MODULES, ids=lambda path: "/".join(path.parts[-2:]))
def test_a_room_uses_no_clock_randomness_network_or_files(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    imported = {
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert {name.partition(".")[0] for name in imported - PURE} & IMPURE == set()
    assert {call.id for call in calls if isinstance(call, ast.Name)} & IMPURE_CALLS == set()
    assert {call.attr for call in calls if isinstance(call, ast.Attribute)} & IMPURE_METHODS == set()
    assert not any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in ast.walk(tree))
