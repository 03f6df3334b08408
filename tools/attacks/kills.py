"""Kills writing processes: no acknowledged write may be lost, and the store must stay intact, at any moment.

Two processes at a time make a store together and write to it: one appends, the other saves a transcript with a branch
of its own. Each is killed at a moment of its own, from before the store is open to the middle of a write. The moments
are the same for the same seed, as far as processes allow.
"""

from __future__ import annotations

import os
import random
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from interlingua.errors import SessionExistsError, SessionNotFoundError, SessionStoreError
from interlingua.model import MessageRole, TextData, TextMessage
from interlingua.sessions import SessionStore
from interlingua.transcript.branch_tree import id_of

__all__ = ["attack"]

SESSION: Final = "s"
WRITES: Final = 400
"""After this many writes an empty store replaces the full one, so that checks after each kill stay short."""

_MOST: Final = 12
_MOMENT: Final = 0.004
_OPENING: Final = 0.05
_PATIENCE: Final = 60.0
_ACKNOWLEDGED: Final = b"."

Tell = Callable[[], object]
Write = Callable[[SessionStore, str, Tell], None]


def attack(seed: int, count: int) -> list[str]:
    """Kill that many writing processes, two at a time, and return what was lost or damaged."""
    failures: list[str] = []
    chance = random.Random(seed)  # noqa: S311  # the same moments for the same seed
    with tempfile.TemporaryDirectory() as folder:
        book = _Book(Path(folder, "0.db"))
        for first in range(0, count, 2):
            kinds = tuple(_WRITERS)[: count - first]
            found = _round(book, [(kind, f"{kind}-{first}", _moment(chance)) for kind in kinds])
            failures += (f"kill {first}, {line}" for line in found)
            if found or sum(book.kept.values()) > WRITES:
                book = _Book(Path(folder, f"{first + 2}.db"))
    return failures


@dataclass(slots=True)
class _Book:
    """The expected content of a store: the number of writes of each writer."""

    path: Path
    kept: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class _Moment:
    """When a process is killed: after a number of acknowledged writes, and some seconds."""

    writes: int
    seconds: float


def _moment(chance: random.Random) -> _Moment:
    writes = chance.randint(0, _MOST)
    return _Moment(writes, chance.uniform(0, _MOMENT if writes else _OPENING))


def _round(book: _Book, writers: list[tuple[str, str, _Moment]]) -> list[str]:
    """Let writers write to a store until they are killed, and return the failures."""
    killed = [_Killed(book.path, kind, name, moment) for kind, name, moment in writers]
    # Only here: a process must not be forked while threads of this one run.
    for one in killed:
        one.start()
    found = [f"{one.name}: {line}" for one in killed for line in one.ended()]
    acknowledged = {one.name: one.acknowledged for one in killed}
    try:
        found += _compared(book, acknowledged)
    except SessionStoreError as error:
        found.append(f"the store cannot be read: {type(error).__name__}")
    return found


def _compared(book: _Book, acknowledged: Mapping[str, int]) -> Iterator[str]:
    """Yield the differences from the acknowledged writes, and record what is there."""
    with SessionStore(book.path) as store:
        if problems := store.check():
            yield f"check finds {len(problems)} problems"
        ids = _ids(store)
    for name, count in acknowledged.items():
        kept = _count(name, ids)
        # One write may have been committed without its acknowledgement being received.
        if not count <= kept <= count + 1:
            yield f"{name}: {count} writes were acknowledged, and {kept} are there"
        book.kept[name] = kept
    for name, count in book.kept.items():
        if ids.get(name, []) != [part for number in range(count) for part in _parts(name, number)]:
            yield f"{name}: what is there are not the first {count} writes, whole and in order"


def _ids(store: SessionStore) -> dict[str, list[str]]:
    """Return the ids of the messages of each writer, in order."""
    found: dict[str, list[str]] = {}
    try:
        transcript = store.load(SESSION).transcript
    except SessionNotFoundError:
        return found
    for branch in transcript.branches:
        for message in transcript.messages_of(branch):
            identifier = id_of(message) or ""
            name = identifier.rsplit("/", 1)[0]
            # The branch of a writer begins with messages of others.
            if branch == (name if name.startswith("save") else "main"):
                found.setdefault(name, []).append(identifier)
    return found


def _count(name: str, ids: Mapping[str, list[str]]) -> int:
    """Return the number of writes found, including an incomplete one."""
    size = len(_parts(name, 0))
    return (len(ids.get(name, [])) + size - 1) // size


def _parts(name: str, number: int) -> tuple[str, ...]:
    """Return the ids of the messages of one write."""
    return tuple(f"{name}/{number}{part}" for part in (("a", "b") if name.startswith("save") else ("",)))


def _text(identifier: str) -> TextMessage:
    return TextMessage(id=identifier, data=TextData(role=MessageRole.USER, content="x" * 200))


def _append(store: SessionStore, name: str, tell: Tell) -> None:
    for number in range(WRITES):
        store.append(SESSION, [_text(part) for part in _parts(name, number)])
        tell()


def _save(store: SessionStore, name: str, tell: Tell) -> None:
    transcript = store.load(SESSION).transcript
    transcript.fork(name)
    for number in range(WRITES):
        for part in _parts(name, number):
            transcript.append(_text(part), branch=name)
        store.save(transcript)
        tell()


_WRITERS: Final[Mapping[str, Write]] = MappingProxyType({"append": _append, "save": _save})


class _Killed:
    """A process that writes until it is killed."""

    def __init__(self, path: Path, kind: str, name: str, moment: _Moment) -> None:
        self.name: Final = name
        self.acknowledged = 0
        self._error = b""
        self._moment: Final = moment
        reading, writing = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(reading)
            _write_until_killed(path, _WRITERS[kind], name, writing)
        os.close(writing)
        self._heard: Final = reading
        self._listener: Final = threading.Thread(target=self._listen)
        self._killer: Final = threading.Timer(moment.seconds, self._kill)
        # every wait has a time limit
        self._last: Final = threading.Timer(_PATIENCE, self._kill)

    def start(self) -> None:
        """Listen, and kill the process at its moment."""
        self._listener.start()
        self._last.start()

    def ended(self) -> Iterator[str]:
        """Wait for the end of the process; yield its failures."""
        self._listener.join()
        is_late = not self._last.is_alive()
        for timer in (self._killer, self._last):
            timer.cancel()
            if timer.ident is not None:
                timer.join()
        os.close(self._heard)
        code = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        if is_late:
            yield f"it was still writing after {_PATIENCE:g} seconds"
        elif code != -signal.SIGKILL:
            yield f"it ended by itself, with code {code} {self._error.decode('ascii', 'replace')}"

    def _listen(self) -> None:
        """Count acknowledged writes until the process is dead."""
        if not self._moment.writes:
            self._killer.start()
        while told := os.read(self._heard, 1):
            if told != _ACKNOWLEDGED:
                self._error += told
                continue
            self.acknowledged += 1
            if self.acknowledged == self._moment.writes:
                self._killer.start()

    def _kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)


def _write_until_killed(path: Path, write: Write, name: str, told: int) -> None:
    """Open the store, create the session if it is missing, and write; never returns."""
    try:
        with SessionStore(path, timeout=_PATIENCE) as store:
            with suppress(SessionExistsError):
                store.create(SESSION)
            write(store, name, lambda: os.write(told, _ACKNOWLEDGED))
    except BaseException as error:  # noqa: BLE001  # the parent must not go on here
        os.write(told, type(error).__name__.encode())
    finally:
        os._exit(1)
