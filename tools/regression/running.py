"""Runs workers for both checkouts in parallel, and caches the digests of a commit."""

# JSON of any shape: narrowing leaves the member types unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import getpass
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from regression.inputs import Selection, fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator

TOOLS: Final = Path(__file__).resolve().parents[1]
Digests = dict[str, dict[str, str]]
Outcomes = dict[str, dict[str, Any]]
Named = dict[str, list[str]]


class WorkerError(Exception):
    """A worker failed; the text is its last output."""


class Plan(NamedTuple):
    """What is run with a checkout, and by how many processes."""

    selection: Selection
    targets: tuple[str, ...]
    rules: bool
    processes: int


def digests(plan: Plan, top: Path) -> Digests:
    """Return the digests of every operation of every case, by the code of a checkout. Raises `WorkerError`."""
    with tempfile.TemporaryDirectory() as folder:
        return dict(orjson.loads(line) for path in _run(plan, top, None, Path(folder)) for line in _lines(path))


def explained(plan: Plan, top: Path, named: Named, folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the results of the named operations of the named cases, in a fixed order. Raises `WorkerError`."""
    for path in _run(plan, top, named, folder):
        for line in _lines(path):
            key, made = json.loads(line)  # it accepts whatever Python wrote
            yield key, made


def stored(plan: Plan, top: Path, folder: Path) -> Plan:
    """Return the plan with the values decoded by a checkout as inputs. Raises `WorkerError`."""
    whole = folder / "stored.jsonl"
    with whole.open("wb") as file:
        for path in _run(plan, top, None, folder, store=True):
            file.writelines(_lines(path))
    return plan._replace(selection=plan.selection._replace(stored=str(whole), mutants=0, sample=1))


def remembered(plan: Plan, commit: str) -> Path:
    """Return the cache path for the digests of a commit: by inputs, options, Python, and the code for them."""
    digest = hashlib.blake2b(fingerprint(plan.selection).encode(), digest_size=12)
    digest.update(repr((plan.targets, plan.rules, sys.version)).encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    folder = Path(tempfile.gettempdir(), f"interlingua-differential-{getpass.getuser()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{commit}-{digest.hexdigest()}.json"


def kept(path: Path) -> Digests | None:
    """Return cached digests, or None."""
    try:
        found: Digests = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    return found


def keep(path: Path, found: Digests) -> None:
    """Cache digests atomically: readers get the old or the new ones."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(orjson.dumps(found))
    Path(file.name).replace(path)


def _run(plan: Plan, top: Path, only: Named | None, folder: Path, *, store: bool = False) -> list[Path]:
    """Run all parts and return the files that they wrote."""
    with ThreadPoolExecutor(plan.processes) as pool:
        parts = range(plan.processes)
        return list(pool.map(_work, repeat(plan), repeat(top), parts, repeat(only), repeat(folder), repeat(store)))


def _work(plan: Plan, top: Path, part: int, only: Named | None, folder: Path, store: bool) -> Path:
    out = folder / f"{part}.jsonl"
    job = {
        "top": str(top),
        "selection": plan.selection._asdict(),
        "targets": plan.targets,
        "rules": plan.rules,
        "part": part,
        "parts": plan.processes,
        "only": only,
        "store": store,
        "out": str(out),
    }
    path = os.pathsep.join(map(str, (top / "generated", top / "codecs", TOOLS)))
    # Sets have the same order in both, so that only the code makes a difference.
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "regression.worker"],
        input=orjson.dumps(job),
        env=environment,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise WorkerError(done.stderr.decode(errors="replace").strip()[-2000:])
    return out


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from file
