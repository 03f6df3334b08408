"""A store in a folder that may not be written is read, whatever was left beside it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import interlingua as il
from interlingua.sessions import SessionStore
from support.sessions import Worker, contents, sql, text

# Python warns of a fork beside threads, from 3.12 on.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

Tell = Callable[[object], None]
NOBODY = 65534


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder that anybody may look into, which pytest's own may be not."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    for place in (made, *made.iterdir()):
        place.chmod(0o755)
    shutil.rmtree(made)


@pytest.fixture
def path(folder: Path) -> Path:
    """Return a store that was closed."""
    path = folder / "writable" / "sessions.db"
    path.parent.mkdir()
    with SessionStore(path) as store:
        store.create("s")
        store.append("s", [text("m0"), text("m1")])
    return path


def locked(path: Path, *suffixes: str) -> Path:
    """Return a copy of some files of a store, in a folder that may not be written."""
    folder = path.parent.parent / "locked"
    folder.mkdir()
    for suffix in ("", *suffixes):
        shutil.copyfile(f"{path}{suffix}", folder / f"sessions.db{suffix}")
        (folder / f"sessions.db{suffix}").chmod(0o444)
    folder.chmod(0o555)
    return folder / "sessions.db"


def without_rights(work: Callable[[Tell], None], tell: Tell) -> None:
    """Do some work in a process that the rights of files stop: root they do not."""
    tempfile.tempdir = tempfile.mkdtemp()  # what is the usual one may belong to root
    if os.geteuid() == 0:
        Path(tempfile.tempdir).chmod(0o777)
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    work(tell)


def told(work: Callable[[Tell], None]) -> list[str]:
    """Return what such a process tells."""
    worker = Worker(lambda tell: without_rights(work, tell))
    lines = [line.strip() for line in worker.lines()]
    assert worker.wait() == 0
    return lines


def read(path: Path) -> Callable[[Tell], None]:
    """Return the work of a process that reads a store in every way, and is refused when it writes."""

    def work(tell: Tell) -> None:
        with SessionStore(path, read_only=True) as store:
            tell(*contents(store.load("s").transcript)[-1:])
            tell(len(list(store.iterate("s"))))
            tell(store.check())
            try:
                store.append("s", text("x"))
            except il.SessionStoreReadOnlyError:
                tell("refused")
        tell(
            sorted(file.name for file in Path(tempfile.gettempdir()).glob("interlingua-*") if os.access(file, os.R_OK))
        )

    return work


def test_a_closed_store_is_read_in_a_read_only_folder(path: Path) -> None:
    there = locked(path)
    assert told(read(there)) == ["m1", "2", "[]", "refused", "[]"]
    assert [file.name for file in there.parent.iterdir()] == ["sessions.db"]


@pytest.mark.parametrize("suffixes", [("-wal",), ("-wal", "-shm")], ids=["log", "log and index"])
def test_the_log_of_a_killed_process_is_read_in_a_read_only_folder(path: Path, suffixes: tuple[str, ...]) -> None:
    with SessionStore(path) as store:
        store.append("s", text("in the log"))
        there = locked(path, *suffixes)
    assert told(read(there)) == ["in the log", "3", "[]", "refused", "[]"]
    assert len(list(there.parent.iterdir())) == 1 + len(suffixes)


def test_a_hot_journal_is_rolled_back_in_a_copy(path: Path) -> None:
    with SessionStore(path) as store:
        store.append("s", [text("long text. " * 50) for _ in range(500)])
        store.append("s", text("last"))
    sql(path, "PRAGMA journal_mode=DELETE")
    writer = Worker(lambda tell: half_written(path, tell))
    assert next(writer.lines()) == "half\n"
    writer.kill()
    writer.wait()
    there = locked(path, "-journal")
    assert told(read(there)) == ["last", "503", "[]", "refused", "[]"]


def half_written(path: Path, tell: Tell) -> None:
    """Write a part of a transaction to the disk, and wait to be killed."""
    import sqlite3  # noqa: PLC0415
    import threading  # noqa: PLC0415

    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA cache_size=1")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE messages SET document = hex(zeroblob(500))")
    tell("half")
    threading.Event().wait()


def test_concurrent_writes_are_seen_or_refused_and_never_partly_read(path: Path) -> None:
    there = locked(path)
    waiting, going = os.pipe()

    def work(tell: Tell) -> None:
        with SessionStore(there, read_only=True) as store:
            tell(len(store.load("s").transcript))
            os.read(waiting, 1)
            tell(len(store.load("s").transcript))
            try:
                for _ in store.iterate("s", on_skipped=tell):
                    pass
                with store._file.reading():  # noqa: SLF001  # a reading that goes on as long as it must here
                    tell("reading")
                    os.read(waiting, 1)
            except il.SessionStoreBusyError:
                tell("busy")
            tell(len(store.load("s").transcript))

    reader = Worker(lambda tell: without_rights(work, tell))
    lines = reader.lines()
    found: list[str] = []
    for content in ("m2", "m3"):
        found.append(next(lines).strip())
        if content == "m3":
            found.append(next(lines).strip())
        with SessionStore(path) as writer:
            writer.append("s", text(content))
        overwrite(there, path.read_bytes())
        os.write(going, b"x")
    found += [line.strip() for line in lines]
    assert reader.wait() == 0
    assert found == ["2", "3", "reading", "busy", "4"]


def overwrite(path: Path, content: bytes) -> None:
    """Write to a file in place, as a database does, with rights that the reader does not have."""
    path.chmod(0o644)
    with path.open("r+b") as file:
        file.write(content)
    path.chmod(0o444)


def test_an_empty_log_file_is_ignored(path: Path) -> None:
    Path(f"{path}-wal").touch()
    assert told(read(locked(path, "-wal"))) == ["m1", "2", "[]", "refused", "[]"]


def test_an_unreadable_store_is_a_typed_error(path: Path) -> None:
    there = locked(path)
    there.chmod(0)

    def work(tell: Tell) -> None:
        try:
            SessionStore(there, read_only=True)
        except il.SessionStoreMissingError:
            tell("missing")

    assert told(work) == ["missing"]


def test_a_store_that_can_neither_be_read_in_place_nor_copied_is_a_typed_error(path: Path) -> None:
    def work(tell: Tell) -> None:
        tempfile.tempdir = str(there.parent)  # nothing can be written there
        try:
            SessionStore(there, read_only=True)
        except il.SessionStoreMissingError:
            tell("missing")

    with SessionStore(path) as store:
        store.append("s", text("in the log"))
        there = locked(path, "-wal")
    assert told(work) == ["missing"]
