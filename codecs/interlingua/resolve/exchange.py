"""A single HTTP exchange with the standard library: one deadline, one size limit, no redirects.

Nothing is read from the environment, such as proxies, cookies or credentials: only what the caller gives is sent.
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

__all__ = ["Answer", "Deadline", "ExchangeError", "exchange", "resolve_host"]

_CHUNK: Final = 65_536
# Longer than anyone waits, and within the limit of sockets.
_LONGEST: Final = 1_000_000.0
# A host may have many addresses; the first that answers will do.
_MAX_TRIES: Final = 4


class ExchangeError(Exception):
    """An exchange failed: `kind` says how. Callers turn it into their own error."""

    def __init__(self, kind: Literal["unreachable", "timeout", "too_large", "broken"]) -> None:
        self.kind = kind
        super().__init__(kind)


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """A server's response: the status code, the headers in lower case, and the body if the status is a success."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Deadline:
    """The time by which the whole exchange must be done, regardless of progress."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + min(seconds, _LONGEST)

    def remaining(self) -> float:
        """Return the remaining seconds.

        Raises:
            TimeoutError: none remain.
        """
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds


def resolve_host(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host name, as the system resolves it.

    Raises:
        OSError: the name is unknown.
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
    """Send one request, a POST if there is a body, to one of a host's addresses, and return the response.

    The certificate must match the host name. The body of an error response is not read, since servers may repeat in it
    what they were sent.

    Raises:
        ExchangeError: there was no response, it took too long, was larger than `max_bytes`, or was cut off.
    """
    try:
        with contextlib.closing(_connect(address, numbers, deadline)) as line:
            return _send_request(_TimedLine(line, deadline), address, headers, body, max_bytes)
    except TimeoutError:
        kind: Literal["unreachable", "timeout", "broken"] = "timeout"
    except ConnectionError:
        kind = "broken"
    except OSError:
        kind = "unreachable"
    except (http.client.HTTPException, ValueError):
        kind = "broken"
    # Raised outside the handlers: the cause would show what the server sent.
    raise ExchangeError(kind)


def _send_request(
    line: _TimedLine, address: WebAddress, headers: Mapping[str, str], body: bytes | None, max_bytes: int
) -> Answer:
    connection = http.client.HTTPConnection(address.host, address.port)
    connection.sock = line
    sent = {"Host": address.host_header, "Accept-Encoding": "identity", "Connection": "close", **headers}
    connection.request("GET" if body is None else "POST", address.path, body, sent)
    response = connection.getresponse()
    response_headers = {name.lower(): value for name, value in response.getheaders()}
    if not 200 <= response.status < 300:
        return Answer(response.status, response_headers, b"")
    if response_headers.get("content-encoding", "identity").lower() != "identity":
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
    return Answer(response.status, response_headers, bytes(content))


def _connect(address: WebAddress, numbers: Sequence[str], deadline: Deadline) -> socket.socket:
    """Return a connection to the first address that accepts one, with TLS for https.

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
    """Return a connection to the first address that accepts one; each gets its share of the remaining time.

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
    """A connection for `http.client` on which every wait ends at the deadline."""

    def __init__(self, line: socket.socket, deadline: Deadline) -> None:
        self._line = line
        self._deadline = deadline

    def sendall(self, data: Any) -> None:
        """Send all data in pieces, since with TLS the timeout applies to each call."""
        view = memoryview(data)
        for start in range(0, len(view), _CHUNK):
            self._line.settimeout(self._deadline.remaining())
            self._line.sendall(view[start : start + _CHUNK])

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return a buffered reader of the response."""
        return io.BufferedReader(_TimedReader(self._line, self._deadline))

    def close(self) -> None:
        """Do nothing: whoever opened the connection closes it."""


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
