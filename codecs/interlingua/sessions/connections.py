"""A pool of connections to one file; each is used by one thread at a time, and none survives a fork.

SQLite holds locks per process. With a connection that is open during a fork, the child would believe that it holds the
parent's locks, and could damage the file. So the forking thread waits until all connections have been returned and
closes them; both processes open new ones when needed.
"""

from __future__ import annotations

import os
import threading
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from interlingua.errors import SessionStoreError
from interlingua.sessions.read_only_folder import is_current

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Generator

_MAX_IDLE: Final = 4


class Connections:
    """A pool of a few open connections; `open_connection` opens a new one."""

    def __init__(self, open_connection: Callable[[], sqlite3.Connection], fork_timeout: float) -> None:
        self._open_connection: Final = open_connection
        self._fork_timeout: Final = fork_timeout
        self._idle: list[sqlite3.Connection] = []
        self._in_use = 0
        self._is_closed = False
        self._is_forking = False
        self._changed = threading.Condition()
        # A store that nobody closed must not leave its connections to the garbage collector, which warns of them.
        weakref.finalize(self, _close_all, self._idle)
        with _POOLS_LOCK:
            _POOLS.add(self)

    @contextmanager
    def borrowed(self) -> Generator[sqlite3.Connection]:
        """Lend a connection to the block.

        Raises:
            SessionStoreError: the store is closed.
            sqlite3.Error: no connection can be opened.
        """
        with self._changed:
            self._changed.wait_for(lambda: not self._is_forking)
            if self._is_closed:
                raise SessionStoreError("the store is closed")
            connection = self._idle.pop() if self._idle else None
            self._in_use += 1
        try:
            if connection is not None and not is_current(connection):
                connection.close()
                connection = None
            if connection is None:
                connection = self._open_connection()
            yield connection
        finally:
            with self._changed:
                self._in_use -= 1
                if connection is not None:
                    self._release(connection)
                self._changed.notify_all()

    def close(self) -> None:
        """Close every connection; those in use are closed when they are returned."""
        with self._changed:
            self._is_closed = True
            self._close_idle()

    def before_fork(self) -> None:
        """Stop lending, wait until all connections are returned, and close them. The lock is held across the fork."""
        self._changed.acquire()
        self._is_forking = True
        self._changed.wait_for(lambda: self._in_use == 0, self._fork_timeout)
        self._close_idle()

    def after_fork_in_parent(self) -> None:
        """Allow lending again."""
        self._is_forking = False
        self._changed.notify_all()
        self._changed.release()

    def after_fork_in_child(self) -> None:
        """Start without the parent's connections. If the parent had one in use, the store is unusable in the child."""
        self._changed = threading.Condition()
        self._is_forking = False
        self._is_closed = self._is_closed or self._in_use > 0
        self._in_use = 0

    def _release(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            connection.rollback()
        if self._is_closed or len(self._idle) >= _MAX_IDLE:
            connection.close()
        else:
            self._idle.append(connection)

    def _close_idle(self) -> None:
        _close_all(self._idle)


def _close_all(connections: list[sqlite3.Connection]) -> None:
    while connections:
        connections.pop().close()


_POOLS: Final[weakref.WeakSet[Connections]] = weakref.WeakSet()
_POOLS_LOCK: Final = threading.Lock()
_FORKING_POOLS: Final[list[Connections]] = []


def _before_fork() -> None:
    _POOLS_LOCK.acquire()
    _FORKING_POOLS[:] = _POOLS
    for pool in _FORKING_POOLS:
        pool.before_fork()


def _after_fork_in_parent() -> None:
    while _FORKING_POOLS:
        _FORKING_POOLS.pop().after_fork_in_parent()
    _POOLS_LOCK.release()


def _after_fork_in_child() -> None:
    while _FORKING_POOLS:
        _FORKING_POOLS.pop().after_fork_in_child()
    _POOLS_LOCK.release()


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)
