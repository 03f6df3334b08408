"""What a store does grows with what it holds, and no faster: counted in steps of SQLite and calls of Python."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest

import interlingua as il
from interlingua.sessions import SessionStore, tables
from interlingua.sessions.documents import prepared
from interlingua.transcript.doubtful_calls import message_places
from support.cost import steps
from support.sessions import sql, text

FEW: Final = 2000


def filled(path: Path, count: int) -> Path:
    """Return the file of a store with a session of so many messages."""
    with SessionStore(path) as store:
        store.create("s")
        store.append("s", [text(f"m{number}", id=f"i{number}") for number in range(count)])
    return path


def damaged(path: Path, count: int) -> Path:
    """Return such a file, in which every third place is missing, and every row of another third is torn."""
    filled(path, count)
    sql(path, "DELETE FROM places WHERE position % 3 = 1")
    sql(path, "UPDATE messages SET document = 'torn' WHERE number % 3 = 2 AND number > 3")
    return path


def save(store: SessionStore, count: int) -> None:
    transcript = store.load("s").transcript
    transcript.extend([text(f"new {number}") for number in range(count)])
    store.save(transcript)


def save_changes(store: SessionStore, count: int) -> None:
    transcript = store.load("s").transcript
    for number in range(count):
        transcript.replace(f"i{number}", text(f"changed {number}"))
    store.save(transcript)


def save_anew(store: SessionStore, count: int) -> None:
    store.save(il.Transcript([text(f"new {number}") for number in range(count)]))


def append(store: SessionStore, count: int) -> None:
    store.append("s", [text(f"new {number}") for number in range(count)])


def bring_in(store: SessionStore, count: int) -> None:
    lines = b"".join(b'{"role":"user","content":"%d"}\n' % number for number in range(count))
    store.import_jsonl(io.BytesIO(lines))


def ignored(_row: object) -> None:
    """Be told of a row."""


LINEAR: Final[dict[str, Callable[[SessionStore, int], object]]] = {
    "load": lambda store, _: store.load("s", recover=True),
    "load_tail": lambda store, count: store.load_tail("s", count),
    "iterate": lambda store, _: sum(1 for _ in store.iterate("s", on_skipped=ignored)),
    "check": lambda store, _: store.check(),
    "fork": lambda store, _: store.fork("s", "other"),
    "fork after a message": lambda store, count: store.fork("s", "other", after=f"i{count - 2}"),
}
WHOLE: Final[dict[str, Callable[[SessionStore, int], object]]] = {
    "export_jsonl": lambda store, _: store.export_jsonl("s", io.BytesIO()),
    "export_jsonl of version 1": lambda store, _: store.export_jsonl("s", io.BytesIO(), version=1),
    "append": append,
    "save": save,
    "save changes": save_changes,
    "save anew": save_anew,
    "import_jsonl": bring_in,
    "delete": lambda store, _: store.delete("s"),
}
CONSTANT: Final[dict[str, Callable[[SessionStore], object]]] = {
    "append": lambda store: store.append("s", text("new")),
    "load_tail": lambda store: store.load_tail("s", 5),
    "info": lambda store: store.info("s"),
    "sessions": lambda store: store.sessions(),
    "switch": lambda store: store.switch("s", "main"),
    "set_metadata": lambda store: store.set_metadata("s", {"a": 1}),
}


Made = Callable[[Path, int], Path]
Files = dict[tuple[Made, int], bytes]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Return the stores, made once; whatever is imported at first use is imported."""
    folder = tmp_path_factory.mktemp("made")
    made: Files = {}
    for make in (filled, damaged):
        for count in (FEW, 2 * FEW):
            made[make, count] = make(folder / f"{make.__name__}{count}.db", count).read_bytes()
    for door, action in {**LINEAR, **WHOLE}.items():
        with SessionStore(filled(folder / f"{door}.db", 5)) as store:
            action(store, 5)
    return made


def costs(
    tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch, action: Callable[[SessionStore], object]
) -> dict[str, int]:
    """Return what an action costs on a store: steps of SQLite, on every connection, and calls of functions."""
    path = tmp_path / "sessions.db"
    path.write_bytes(content)
    count = 0
    connect = tables.connect

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    def connected(*arguments: Any, **options: Any) -> Any:
        connection = connect(*arguments, **options)
        connection.set_progress_handler(step, 5)
        return connection

    def work() -> None:
        with SessionStore(path) as store:
            action(store)

    with monkeypatch.context() as patched:
        patched.setattr(tables, "connect", connected)
        calls = steps(work)
    return {"steps": count, "calls": calls}


@pytest.mark.parametrize(
    ("made", "door"),
    [(made, door) for made in (filled, damaged) for door in LINEAR] + [(filled, door) for door in WHOLE],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_the_cost_of_saving_is_linear(
    tmp_path: Path, files: Files, monkeypatch: pytest.MonkeyPatch, made: Made, door: str
) -> None:
    action = {**LINEAR, **WHOLE}[door]
    few = costs(tmp_path, files[made, FEW], monkeypatch, lambda store: action(store, FEW))
    many = costs(tmp_path, files[made, 2 * FEW], monkeypatch, lambda store: action(store, 2 * FEW))
    for unit in ("steps", "calls"):
        assert 1.6 <= many[unit] / few[unit] <= 2.4, unit


@pytest.mark.parametrize("door", CONSTANT)
def test_operations_on_one_message_have_constant_cost(
    tmp_path: Path, files: Files, monkeypatch: pytest.MonkeyPatch, door: str
) -> None:
    few = costs(tmp_path, files[filled, FEW], monkeypatch, CONSTANT[door])
    many = costs(tmp_path, files[filled, 2 * FEW], monkeypatch, CONSTANT[door])
    for unit in ("steps", "calls"):
        assert many[unit] / few[unit] <= 1.2, unit


class Row(tuple[Any, ...]):
    """The messages of a row. It counts how often somebody asks how many they are."""

    __slots__ = ()
    asked: ClassVar[Counter[str]] = Counter()

    def __len__(self) -> int:
        Row.asked["len"] += 1
        return super().__len__()


def test_the_places_of_doubtful_calls_are_found_in_one_pass() -> None:
    rows = [Row([text("x")] * (number % 3)) for number in range(FEW)]
    doubtful = [(number, order) for number in range(FEW) for order in range(number % 3)]
    Row.asked.clear()
    assert message_places(rows, doubtful) == tuple(range(len(doubtful)))
    assert Row.asked["len"] == FEW


def test_saving_a_fork_costs_the_same_beside_many_branches(tmp_path: Path) -> None:
    transcript = il.Transcript([text("m")], id="s")

    def fork() -> int:
        transcript.fork(f"b{len(transcript.branches)}")
        return steps(lambda: store.save(transcript))

    with SessionStore(tmp_path / "sessions.db") as store:
        store.save(transcript)
        costs_of_forks = [fork() for _ in range(40)]
    assert costs_of_forks[-1] == costs_of_forks[1]


def test_a_fork_in_the_store_costs_the_same_beside_many_branches(tmp_path: Path) -> None:
    with SessionStore(filled(tmp_path / "sessions.db", 1)) as store:
        costs_of_forks = [steps(lambda name=f"b{number}": store.fork("s", name)) for number in range(40)]
    assert costs_of_forks[-1] == costs_of_forks[1]


def test_a_message_without_long_texts_is_stored_without_walking_it() -> None:
    def work(calls: int) -> int:
        listed = [il.ToolCall(id=f"c{number}", name="f", arguments={"a": [1, "b"]}) for number in range(calls)]
        message = il.tools.request(listed)
        return steps(lambda: prepared(message, None))

    work(200)
    assert work(2000) == work(200)
