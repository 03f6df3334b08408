"""Fuzzes every decoder: `nox -s fuzz -- --runs 1000000`. Atheris is guided by code coverage.

An input is a line of JSON `[dialect, kind, value]`. An input that breaks a law is written to tests/vectors/fuzz as a
vector, which `tests/codecs/test_fuzz_vectors.py` runs from then on, and the session fails.
"""

# JSON of any shape: narrowing leaves the member types unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from fuzz_mutation import mutated, words

atheris: Any = importlib.import_module("atheris")  # it has no types
with atheris.instrument_imports(include=["interlingua"]):
    from fuzz_judge import DIALECTS, KINDS, judge
    from fuzz_seeds import FOUND, seeds
    from interlingua.registry import room

    for name in DIALECTS:
        room(name)  # rooms are imported on first use

LARGEST = 20_000


def parsed(data: bytes) -> tuple[str, Any, Any] | None:
    """Return the parsed input, or None if it is invalid."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if type(value) is not list or len(value) != 3 or value[0] not in DIALECTS or value[1] not in KINDS:
        return None
    return value[0], value[1], value[2]


def run(data: bytes) -> int:
    """Run one input; a failing one is stored as a vector before it ends the session."""
    said = parsed(data)
    if said is None:
        return -1  # not stored
    dialect, kind, value = said
    try:
        judge(dialect, kind, value)
    except Exception:
        name = f"{dialect}_{kind}_{hashlib.sha256(data).hexdigest()[:12]}.json"
        vector = {"description": "found by `nox -s fuzz`", "dialect": dialect, "kind": kind, "value": value}
        FOUND.joinpath(name).write_text(json.dumps(vector, indent=2) + "\n", encoding="utf-8")
        raise
    return 0


def main() -> None:
    """Run the session."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    given = [list(seed) for seed in seeds()]
    known = words([value for _, _, value in given])

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)  # noqa: S311  # inputs of a test, the same for the same seed
        said = parsed(data) or given[chance.randrange(len(given))]
        other = given[chance.randrange(len(given))][2]
        changed = json.dumps([said[0], said[1], mutated(said[2], chance, known, other)]).encode()
        return changed if len(changed) <= most else data

    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(given):
            Path(folder, str(number)).write_bytes(json.dumps(seed).encode())
        limits = [f"-runs={options.runs}", f"-seed={options.seed}", f"-max_len={LARGEST}", "-print_final_stats=1"]
        arguments = [sys.argv[0], *limits, "-len_control=0", f"-artifact_prefix={folder}/", folder]
        atheris.Setup(arguments, run, custom_mutator=mutate)
        atheris.Fuzz()


main()
