"""The corpus of recorded payloads: its folders and their lines.

It is outside the repository and is never committed: in the folder that `INTERLINGUA_CORPUS` names, or in
`../shared/corpus` next to the checkout. Tests that read it have the mark `corpus`. Without a corpus they are skipped
with a notice (tests/conftest.py). A line is a dict with `id`, `source` and `body` (or `events`), and if known
`request`, `model`, `status` and `response_status`.
"""

from __future__ import annotations

import json
import os
import random
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE: Final = "INTERLINGUA_CORPUS"
LAWS_VARIABLE: Final = "INTERLINGUA_LAWS"
KINDS: Final = ("request", "response", "stream", "error")
REPOSITORY: Final = Path(__file__).resolve().parents[2]
SAMPLE_SIZE: Final = 40

Line: TypeAlias = dict[str, Any]


class CorpusNotFoundError(Exception):
    """`INTERLINGUA_CORPUS` names a folder that does not exist."""


def root() -> Path | None:
    """Return the folder of the corpus, or None if there is none.

    Raises:
        CorpusNotFoundError: the variable is set, but its folder has no `dev` folder.
    """
    named = os.environ.get(VARIABLE)
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "corpus"
    if (folder / "dev").is_dir():
        return folder
    if named:
        raise CorpusNotFoundError(f"{VARIABLE} is set, but the folder that it names has no folder `dev`.")
    return None


def inventory() -> Path | None:
    """Return the folder of the inventory of the wire formats, next to the corpus, or None if there is none."""
    found = root()
    path = None if found is None else found.parent / "reference" / "wire" / "INVENTORY.json"
    return path if path is not None and path.is_file() else None


def folders() -> list[str]:
    """Return the names of the dialect folders, in alphabetical order."""
    return sorted(path.name for path in _dev().iterdir() if path.is_dir())


def kinds(folder: str) -> list[str]:
    """Return the kinds of payload in a dialect folder."""
    return [kind for kind in KINDS if (_dev() / folder / f"{kind}.jsonl").is_file()]


def lines(folder: str, kind: str) -> Iterator[Line]:
    """Yield every line of one kind, in the order of the file; nothing if the folder has none of that kind.

    Each line is parsed for each caller, so that a test that changes a line does not affect another test.

    Raises:
        ValueError: `kind` is not one of `KINDS`.
        FileNotFoundError: the corpus has no such folder, so that a misspelt name cannot make a test pass on nothing.
    """
    return (_as_given(json.loads(text), folder) for text in _texts(folder, kind))


def sample(folder: str, kind: str, size: int = SAMPLE_SIZE) -> Iterator[Line]:
    """Yield the sample of a slow law: every line under `-m laws`, else the same random lines in each run.

    Raises:
        ValueError: `kind` is not one of `KINDS`.
        FileNotFoundError: the corpus has no such folder.
    """
    return lines(folder, kind) if whole() else few(folder, kind, size)


def few(folder: str, kind: str, size: int) -> Iterator[Line]:
    """Yield the same random lines in each run, also under `-m laws`: enough to test a test.

    Errors are those of `sample`.
    """
    texts = _texts(folder, kind)
    chosen = sorted(random.Random(f"{folder}/{kind}").sample(range(len(texts)), min(size, len(texts))))
    return (_as_given(json.loads(texts[index]), folder) for index in chosen)


def _as_given(line: Line, folder: str) -> Line:
    """Return a line; frames of an AWS event stream are as in boto3: objects with one member."""
    if folder == "bedrock_converse" and "events" in line:
        line["events"] = [{**one, "data": {one["event"]: one["data"]}} for one in line["events"]]
    return line


def whole() -> bool:
    """Return whether the laws run over the whole corpus."""
    return os.environ.get(LAWS_VARIABLE) == "all"


def _texts(folder: str, kind: str) -> list[str]:
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no kind of payload; there are {', '.join(KINDS)}.")
    place = _dev() / folder
    if not place.is_dir():
        raise FileNotFoundError(f"The corpus has no folder {folder!r}.")
    return _read(place / f"{kind}.jsonl")


@cache
def _read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1] if path.is_file() else []


def _dev() -> Path:
    found = root()
    if found is None:
        raise CorpusNotFoundError(f"There is no corpus: set {VARIABLE}, and mark the test with `corpus`.")
    return found / "dev"
