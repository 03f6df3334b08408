"""Opens damaged store files: whatever a file contains, each method of the store returns a result or a documented error.

No error, and no report about a row, contains anything of the file, and no method takes longer than the size of the file
justifies.
"""

from __future__ import annotations

import base64
import io
import random
import sqlite3
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, cast

import interlingua as il
from interlingua.model import MessageRole, TextData, TextMessage
from interlingua.sessions import SessionStore, tables
from interlingua_types import CURRENT

__all__ = ["attack"]

WORD: Final = "quicksilver"
"""Is part of every content, name and id of the store, and must be in no error."""

STEPS: Final = 5_000_000
"""Far more SQLite steps than any function needs for a file of this size; an endless loop needs more."""

_GRAIN: Final = 1000
_PAGE: Final = 4096
_VALUES: Final = (
    *(0, 1, -1, 2, 7, 10**12, 2**63 - 1, -(2**63), 1.5, float("inf"), None),
    *("", "x", WORD, "{}", "[1]", "[[]]", "null", "\x00", b"", b"\xff\xfe", b"\x00" * 16, "[" * 5000),
)
_COLUMNS: Final[Mapping[str, Sequence[str]]] = MappingProxyType(
    {
        "store": ("identity",),
        "sessions": ("id", "branch", "metadata", "created_at", "updated_at", "revision", "generation", "number"),
        "branches": ("session", "name", "number"),
        "messages": ("session", "schema_version", "id", "revision", "is_escaped", "media", "document", "number"),
        "places": ("branch", "position", "message"),
        "blobs": ("digest", "data", "number"),
        "media": ("message", "place", "encoding", "blob"),
    }
)


@dataclass(frozen=True, slots=True)
class _Files:
    """An undamaged store: as a single file, and as a file with its log."""

    whole: bytes
    unfinished: bytes
    log: bytes


def _text(content: str, **members: Any) -> TextMessage:
    return TextMessage(data=TextData(role=MessageRole.USER, content=content), **members)


_OLD: Final = '{"role":"assistant","content":"' + WORD + '","tool_calls":[{"id":"c","name":"f","arguments":{}}]}'
_DOORS: Final[Mapping[str, Callable[[SessionStore], object]]] = MappingProxyType(
    {
        "sessions": lambda store: store.sessions(),
        "info": lambda store: store.info("s"),
        "check": lambda store: store.check(),
        "load": lambda store: store.load("s"),
        "load and recover": lambda store: store.load("s", recover=True).skipped,
        "load a branch": lambda store: store.load("s", branch="main", recover=True).skipped,
        "load old rows": lambda store: store.load("old", recover=True).skipped,
        "load_tail": lambda store: store.load_tail("s", 5).skipped,
        "iterate": lambda store: _iterated(store, "s"),
        "iterate old rows": lambda store: _iterated(store, "old"),
        "export_jsonl": lambda store: store.export_jsonl("s", io.BytesIO()),
        "append": lambda store: store.append("s", _text("new")),
        "fork": lambda store: store.fork("s", "third"),
        "fork after": lambda store: store.fork("s", "fourth", after="i3"),
        "save": lambda store: _saved(store, "s"),
        "save old rows": lambda store: _saved(store, "old"),
        "switch": lambda store: store.switch("s", "main"),
        "set_metadata": lambda store: store.set_metadata("s", {"a": 1}),
        "create": lambda store: store.create("new"),
        "import_jsonl": lambda store: store.import_jsonl(io.BytesIO(b'{"role":"user","content":"x"}\n')),
        "check again": lambda store: store.check(),
        "delete": lambda store: store.delete("s"),
    }
)


def attack(seed: int, count: int) -> list[str]:
    """Open that many damaged files with every method, and return the failures."""
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        files = _made(Path(folder))
        path = Path(folder) / "damaged.db"
        for number in range(count):
            chance = random.Random(f"{seed}/{number}")  # noqa: S311  # the same files for the same seed
            kind = tuple(_DAMAGES)[number % len(_DAMAGES)]
            for old in Path(folder).glob("damaged.db*"):
                old.unlink()
            _DAMAGES[kind](path, files, chance)
            failures += (f"file {number}, {kind}, {found}" for found in _tried(path))
    return failures


def _made(folder: Path) -> _Files:
    """Return a store with some data of every kind."""
    path = folder / "whole.db"
    picture = base64.b64encode(WORD.encode() * 500).decode()
    part = {"type": "image", "data": picture, "format": "image/png"}
    shown = {"schema_version": CURRENT, "type": "text", "data": {"role": "user", "content": [part]}}
    with SessionStore(path) as store:
        store.create("s", metadata={"title": WORD})
        store.append("s", [_text(f"{WORD} {number} " * 20, id=f"i{number}") for number in range(40)])
        store.append("s", il.load_message(shown))
        store.fork("s", "other", after="i20")
        store.append("s", _text(WORD), branch="other")
        store.create("old", metadata={"title": WORD})
        store.append("old", [_text(WORD), _text(WORD)])
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        statement = (
            "UPDATE messages SET schema_version = 1, document = ? WHERE number = (SELECT max(number) FROM messages)"
        )
        connection.execute(statement, (_OLD,))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        whole = path.read_bytes()
        with SessionStore(path) as store:
            store.append("s", [_text(f"{WORD} later {number}") for number in range(20)])
            return _Files(whole, path.read_bytes(), Path(f"{path}-wal").read_bytes())


def _spoilt(content: bytes, start: int, end: int, chance: random.Random) -> bytes:
    """Return bytes with a few changes within a range."""
    found = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(start, end)
        match chance.randrange(4):
            case 0:
                found[place] ^= 1 << chance.randrange(8)
            case 1:
                found[place] = chance.randrange(256)
            case 2:
                size = min(chance.randint(1, 64), end - place)
                found[place : place + size] = chance.randbytes(size)
            case _:
                size = min(chance.randint(1, 64), end - place)
                other = chance.randrange(len(content) - size)
                found[place : place + size] = content[other : other + size]
    return bytes(found)


def _first_page(path: Path, files: _Files, chance: random.Random) -> None:
    path.write_bytes(_spoilt(files.whole, 0, _PAGE, chance))


def _other_page(path: Path, files: _Files, chance: random.Random) -> None:
    path.write_bytes(_spoilt(files.whole, _PAGE, len(files.whole), chance))


def _cut_off(path: Path, files: _Files, chance: random.Random) -> None:
    path.write_bytes(files.whole[: chance.randrange(len(files.whole))])


def _moved_page(path: Path, files: _Files, chance: random.Random) -> None:
    """Overwrite a page with another one."""
    pages = [files.whole[start : start + _PAGE] for start in range(0, len(files.whole), _PAGE)]
    pages[chance.randrange(len(pages))] = chance.choice(pages)
    path.write_bytes(b"".join(pages))


def _log(path: Path, files: _Files, chance: random.Random) -> None:
    path.write_bytes(files.unfinished)
    Path(f"{path}-wal").write_bytes(_spoilt(files.log, 0, len(files.log), chance))


def _values(path: Path, files: _Files, chance: random.Random) -> None:
    """Write values that no store writes, into an undamaged database."""
    path.write_bytes(files.whole)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for _ in range(chance.randint(1, 3)):
            table = chance.choice(tuple(_COLUMNS))
            column, value = chance.choice(_COLUMNS[table]), chance.choice(_VALUES)
            one = (
                f"rowid = {chance.randrange(60)}"
                if table not in {"places", "media"}
                else f"message = {chance.randrange(60)}"
            )
            _forced(connection, table, column, value, one if chance.random() < 0.8 else "1")
        if chance.random() < 0.3:
            _forced(connection, "places", "position", chance.choice(_VALUES), f"position = {chance.randrange(40)}")
        if chance.random() < 0.3:
            connection.execute("DELETE FROM places WHERE position = ?", (chance.randrange(40),))


def _forced(connection: sqlite3.Connection, table: str, column: str, value: Any, rows: str) -> None:
    """Write a value, if SQLite accepts it there."""
    try:
        connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {rows}", (value,))  # noqa: S608  # our names
    except sqlite3.Error:
        connection.rollback()


_DAMAGES: Final[Mapping[str, Callable[[Path, _Files, random.Random], None]]] = MappingProxyType(
    {
        "first page": _first_page,
        "other page": _other_page,
        "values": _values,
        "cut off": _cut_off,
        "moved page": _moved_page,
        "log": _log,
    }
)


@contextmanager
def _bounded() -> Generator[Callable[[], bool]]:
    """Stop SQLite after a number of steps; the result tells whether that happened since the last call."""
    connect, steps = tables.connect, [0]

    def step() -> bool:
        steps[0] += _GRAIN
        return steps[0] > STEPS

    def connected(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.set_progress_handler(step, _GRAIN)
        return connection

    def asked() -> bool:
        was_stopped, steps[0] = steps[0] > STEPS, 0
        return was_stopped

    tables.connect = connected
    try:
        yield asked
    finally:
        tables.connect = connect


def _tried(path: Path) -> Iterator[str]:
    """Yield the failures of all methods."""
    with _bounded() as was_stopped:
        try:
            store = SessionStore(path)
        except Exception as error:  # noqa: BLE001  # that is the question
            yield from _judged("open", error)
            return
        with store:
            for door, action in _DOORS.items():
                try:
                    found: object = action(store)
                except Exception as error:  # noqa: BLE001  # as above
                    found = error
                if was_stopped():
                    yield f"{door}: it takes more than {STEPS} steps"
                yield from _judged(door, found)


def _judged(door: str, found: object) -> Iterator[str]:
    if isinstance(found, Exception):
        if not isinstance(found, il.SessionStoreError):
            yield f"{door}: {type(found).__name__} is not documented"
        if any(_shows(text) for text in _texts(found)):
            yield f"{door}: {type(found).__name__} shows content"
    elif isinstance(found, (list, tuple)) and _shows_any(cast("Sequence[object]", found)):
        yield f"{door}: a report shows content"


def _texts(error: BaseException | None) -> Iterator[str]:
    """Yield the texts of an error and of its chained errors."""
    while error is not None:
        yield f"{error}{getattr(error, 'reason', '')}"
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _shows_any(reports: Iterable[object]) -> bool:
    return any(_shows(str(getattr(report, "reason", ""))) for report in reports)


def _shows(text: str) -> bool:
    return WORD in text or not text.isascii()


def _iterated(store: SessionStore, session_id: str) -> object:
    skipped: list[object] = []
    for _ in store.iterate(session_id, on_skipped=skipped.append):
        pass
    return skipped


def _saved(store: SessionStore, session_id: str) -> object:
    transcript = store.load(session_id, recover=True).transcript
    transcript.append(_text("new"))
    transcript.fork("fifth")
    for message in transcript.messages[:2]:
        if isinstance(message, TextMessage) and message.id is not None:
            transcript.replace(message.id, _text("changed"))
    return store.save(transcript)
