"""One HTTP exchange over the standard library: one deadline for all of it, one limit of size, no redirects.

Proxies, cookies, compression and sign-ins are not read from the environment: what is sent is what the caller says.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import socket
import ssl
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.resolve.addresses import WebAddress

__all__ = ["Answer", "Deadline", "ExchangeError", "exchange", "host_numbers"]

_CHUNK: Final = 65_536
# Longer than anybody waits, and no longer than sockets can.
_LONGEST: Final = 1_000_000.0
# A name may stand for many machines; the first that answers will do.
_MAX_TRIES: Final = 4


class ExchangeError(Exception):
    """An exchange came to nothing: `kind` says how. Who makes the exchange turns it into an error of its own."""

    def __init__(self, kind: Literal["unreachable", "timeout", "too_large", "broken"]) -> None:
        self.kind = kind
        super().__init__(kind)


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """What a server answered: the status, the headers in lower case, and the body where the status is a success."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Deadline:
    """The moment by which all must be done, however often the other side shows some life."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + min(seconds, _LONGEST)

    def remaining(self) -> float:
        """Return the seconds that remain.

        Raises:
            TimeoutError: none do.
        """
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds


def host_numbers(host: str, port: int) -> list[str]:
    """Return the numbers that a host's name stands for, as the system resolves it.

    Raises:
        OSError: it is not known.
    """
    return list(dict.fromkeys(str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))


def exchange(
    address: WebAddress,
    numbers: Sequence[str],
    deadline: Deadline,
    *,
    headers: Mapping[str, str],
    max_bytes: int,
    body: bytes | None = None,
) -> Answer:
    """Send one request, a POST where there is a body, to one of the numbers of a host, and return the answer.

    The certificate must be that of the host's name. The body of an answer that is no success is not read: servers
    repeat in it what they were sent.

    Raises:
        ExchangeError: nobody answered, the time is up, the answer is larger than `max_bytes`, or it broke off.
    """
    try:
        with contextlib.closing(_connect(address, numbers, deadline)) as line:
            return _ask(_TimedLine(line, deadline), address, headers, body, max_bytes)
    except TimeoutError:
        kind: Literal["unreachable", "timeout", "broken"] = "timeout"
    except ConnectionError:
        kind = "broken"
    except OSError:
        kind = "unreachable"
    except (http.client.HTTPException, ValueError):
        kind = "broken"
    # Outside the handlers: what the other side sent is no part of our error.
    raise ExchangeError(kind)


def _ask(
    line: _TimedLine, address: WebAddress, headers: Mapping[str, str], body: bytes | None, max_bytes: int
) -> Answer:
    connection = http.client.HTTPConnection(address.host, address.port)
    connection.sock = line
    sent = {"Host": address.host_header, "Accept-Encoding": "identity", "Connection": "close", **headers}
    connection.request("GET" if body is None else "POST", address.path, body, sent)
    response = connection.getresponse()
    told = {name.lower(): value for name, value in response.getheaders()}
    if not 200 <= response.status < 300:
        return Answer(response.status, told, b"")
    if told.get("content-encoding", "identity").lower() != "identity":
        raise ExchangeError("broken")
    if response.length is not None and response.length > max_bytes:
        raise ExchangeError("too_large")
    content = bytearray()
    while chunk := response.read1(_CHUNK):
        content += chunk
        if len(content) > max_bytes:
            raise ExchangeError("too_large")
    if response.length:
        raise ExchangeError("broken")
    return Answer(response.status, told, bytes(content))


def _connect(address: WebAddress, numbers: Sequence[str], deadline: Deadline) -> socket.socket:
    """Return a connection to the first number that takes one, encrypted where the address says so.

    Raises:
        OSError: none does, or the time is up.
    """
    line = _first_to_answer(address, numbers[:_MAX_TRIES], deadline)
    if address.scheme == "http":
        return line
    try:
        line.settimeout(deadline.remaining())
        return ssl.create_default_context().wrap_socket(line, server_hostname=address.host)
    except BaseException:
        line.close()
        raise


def _first_to_answer(address: WebAddress, numbers: Sequence[str], deadline: Deadline) -> socket.socket:
    """Return a connection to the first number that takes one; each has its share of the time that is left.

    Raises:
        OSError: none does, or the time is up.
    """
    failure: OSError = ConnectionError()
    for tried, number in enumerate(numbers):
        try:
            return socket.create_connection((number, address.port), deadline.remaining() / (len(numbers) - tried))
        except OSError as error:
            failure = error
    raise failure


class _TimedLine:
    """A connection as `http.client` uses one, on which every wait ends at the deadline."""

    def __init__(self, line: socket.socket, deadline: Deadline) -> None:
        self._line = line
        self._deadline = deadline

    def sendall(self, data: Any) -> None:
        """Send all of the data, a piece at a time: of TLS, each piece may wait as long as the whole."""
        view = memoryview(data)
        for start in range(0, len(view), _CHUNK):
            self._line.settimeout(self._deadline.remaining())
            self._line.sendall(view[start : start + _CHUNK])

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return a reader of what comes."""
        return io.BufferedReader(_TimedReader(self._line, self._deadline))

    def close(self) -> None:
        """Leave the connection open: who opened it closes it."""


class _TimedReader(io.RawIOBase):
    def __init__(self, line: socket.socket, deadline: Deadline) -> None:
        super().__init__()
        self._line = line
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._line.settimeout(self._deadline.remaining())
        return self._line.recv_into(buffer)
