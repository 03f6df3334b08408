"""Files that are whole or not there: what a killed export leaves is removed by the next one, and nothing else is."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interlingua.sessions import SessionStore
from interlingua.sessions.jsonl import write_lines
from support.sessions import Worker, text

# Python warns of a fork beside threads, from 3.12 on.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

Tell = Callable[[object], None]


class Halted:
    """A process that has begun to export, and goes on when it is told to."""

    def __init__(self, target: Path) -> None:
        waiting, self._going = os.pipe()

        def write(tell: Tell) -> None:
            os.close(self._going)

            def lines() -> Iterator[bytes]:
                yield b"begun" * 100_000
                tell("begun")
                os.read(waiting, 1)
                yield b"done"

            write_lines(target, lines())

        self.worker = Worker(write)
        os.close(waiting)
        assert next(self.worker.lines()) == "begun\n"

    def kill(self) -> None:
        self.worker.kill()
        assert self.worker.wait() == -signal.SIGKILL
        os.close(self._going)

    def finish(self) -> None:
        os.close(self._going)
        assert self.worker.wait() == 0


def parts(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.endswith(".part"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SessionStore]:
    with SessionStore(tmp_path / "sessions.db") as opened:
        opened.create("s")
        opened.append("s", text("x"))
        yield opened


def test_the_temporary_file_of_a_killed_export_is_removed_by_the_next_one(store: SessionStore, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    for halted in [Halted(folder / name) for name in ("a.jsonl", "a.jsonl", "b.jsonl")]:
        halted.kill()
    assert len(parts(folder)) == 3
    store.export_jsonl("s", folder / "a.jsonl")
    assert [name.split(".")[1] for name in parts(folder)] == ["b"]
    store.export_jsonl("s", folder / "b.jsonl")
    assert sorted(path.name for path in folder.iterdir()) == ["a.jsonl", "b.jsonl"]


def test_a_temporary_file_of_a_live_process_is_kept_and_renamed(store: SessionStore, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    live = Halted(target)
    for _ in range(3):
        store.export_jsonl("s", target)
        assert len(parts(tmp_path)) == 1
    live.finish()
    assert target.read_bytes().endswith(b"\ndone\n")
    assert parts(tmp_path) == []


def test_a_file_that_resembles_a_temporary_file_is_kept(store: SessionStore, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    kept = folder / "kept"
    kept.touch()
    (folder / ".a.jsonl.1.00000000.part").symlink_to(kept)
    os.mkfifo(folder / ".a.jsonl.2.00000000.part")
    (folder / ".a.jsonl.3.00000000.part").mkdir()
    for name in (
        ".a.jsonl.4.part",
        ".a.jsonl.x.00000000.part",
        ".a.jsonl.5.00000000.part.bak",
        "a.jsonl.6.00000000.part",
    ):
        (folder / name).touch()
    before = sorted(path.name for path in folder.iterdir())
    (folder / ".a.jsonl.7.00000000.part").touch()
    store.export_jsonl("s", folder / "a.jsonl")
    assert sorted(path.name for path in folder.iterdir()) == sorted([*before, "a.jsonl"])


def test_concurrent_writers_of_one_file_do_not_remove_each_others_temporary_files(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    lines = [b"line"] * 100

    def write(_tell: Tell) -> None:
        for _ in range(100):
            assert write_lines(target, lines) == 100

    workers = [Worker(write) for _ in range(4)]
    assert [worker.wait() for worker in workers] == [0] * 4
    assert target.read_bytes() == b"line\n" * 100
    assert parts(tmp_path) == []
