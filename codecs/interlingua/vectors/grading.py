"""Grades a proxy: acts as its client and as its provider, and compares what it sends to both with the vectors."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from interlingua.errors import FrameError, InterlinguaError, UnsupportedError
from interlingua.frames import read_frames, wire_of
from interlingua.vectors.addresses import HEADERS, SERVED, asked_value, path_of, streamed
from interlingua.vectors.files import FOLDER, KINDS, Given, Kind, Vector, read_given, read_vectors
from interlingua.vectors.making import asks_for_a_stream
from interlingua.vectors.verdicts import Judgement, Verdict, judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from interlingua.registry import Dialect
    from interlingua.vectors.upstream import Upstream

__all__ = ["Grade", "Summary", "grade", "summary"]

# The request used to test responses: it offers the tools that the responses call.
_QUESTION: Final = "tools"
_ANSWERS: Final[Mapping[bool, str]] = {False: "answer_text", True: "stream_text"}
_FAILED: Final = Judgement("failed")


@dataclass(frozen=True, slots=True)
class Grade:
    """How a proxy did with one vector."""

    vector: Vector
    judgement: Judgement


class Summary(NamedTuple):
    """How many vectors of one kind had each verdict."""

    kind: Kind
    counts: Mapping[Verdict, int]


class _Heard(NamedTuple):
    """The proxy's HTTP response."""

    status: int
    headers: Mapping[str, str]
    data: bytes


def grade(
    url: str, speak: Dialect, provider: Upstream, *, folder: Path = FOLDER, timeout: float = 30.0
) -> Iterator[Grade]:
    """Yield a grade for each vector between a proxy's client dialect and its provider dialect.

    Args:
        url: The proxy's base URL, without the path of a dialect.
        speak: The dialect of its clients.
        provider: Its provider, as run by `upstream`.
        folder: The folder of the vectors.
        timeout: How many seconds to wait for a response.

    Yields:
        A grade for each request of a client, and for each answer, stream and error of the provider.

    Raises:
        UnsupportedError: one of the dialects does not use plain HTTP.
        ConnectionError: nothing listens at the URL.
    """
    backend = provider.dialect
    for dialect in (speak, backend):
        if dialect not in SERVED:
            raise UnsupportedError(dialect, "an interface of plain HTTP")
    there = _Proxy(url, speak, timeout)
    canned = {one.id: one for one in read_given(backend, folder)}
    question = next(one for one in read_given(speak, folder) if one.id == _QUESTION)
    for vector in read_vectors(speak, backend, folder):
        if vector.given.kind == "request":
            yield Grade(vector, _of_request(there, provider, vector, canned))
    for vector in read_vectors(backend, speak, folder):
        if vector.given.kind != "request":
            yield Grade(vector, _of_answer(there, provider, vector, question))


def summary(grades: Iterable[Grade]) -> list[Summary]:
    """Return how many vectors of each kind had which verdict."""
    counted: dict[Kind, Counter[Verdict]] = {kind: Counter() for kind in KINDS}
    for one in grades:
        counted[one.vector.given.kind][one.judgement.verdict] += 1
    return [Summary(kind, counts) for kind, counts in counted.items() if counts]


@dataclass(frozen=True, slots=True)
class _Proxy:
    url: str
    dialect: Dialect
    timeout: float

    def ask(self, request: Mapping[str, Any]) -> _Heard:
        """Send a request in the form of `Given.value`, and return what comes back."""
        where = urlsplit(self.url)
        connect = HTTPSConnection if where.scheme == "https" else HTTPConnection
        link = connect(where.hostname or "", where.port, timeout=self.timeout)
        headers = {"content-type": "application/json", **HEADERS[self.dialect]}
        try:
            path = where.path.rstrip("/") + path_of(self.dialect, request)
            link.request("POST", path, json.dumps(request["body"]).encode(), headers)
            answer = link.getresponse()
            return _Heard(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            link.close()


def _of_request(there: _Proxy, provider: Upstream, vector: Vector, canned: Mapping[str, Given]) -> Judgement:
    """Judge the request that the provider received for a client's request."""
    is_stream = asks_for_a_stream(vector.given.value, there.dialect)
    answer = canned[_ANSWERS[is_stream]]
    provider.says(answer.kind, answer.value)
    try:
        there.ask(vector.given.value)
    except (TimeoutError, HTTPException):
        return _FAILED
    if not provider.asked:
        return _FAILED
    return judge(vector, asked_value(provider.dialect, *provider.asked[0]))


def _of_answer(there: _Proxy, provider: Upstream, vector: Vector, question: Given) -> Judgement:
    """Judge what the client received for a response, a stream or an error of the provider."""
    kind = vector.given.kind
    provider.says(kind, vector.given.value)
    asked = streamed(there.dialect, question.value) if kind == "stream" else question.value
    try:
        heard = there.ask(asked)
        found = _value(kind, heard, there.dialect)
    except (TimeoutError, HTTPException, ValueError, InterlinguaError):
        return _FAILED
    return judge(vector, found)


def _value(kind: Kind, heard: _Heard, dialect: str) -> dict[str, Any]:
    """Return what was heard in the form of `Given.value`."""
    match kind:
        case "stream":
            frames = list(read_frames([heard.data], wire_of(dialect).form))
            if not frames:
                raise FrameError(1, "none came")
            return {"frames": frames}
        case "error":
            return {"status": heard.status, "headers": heard.headers, "body": json.loads(heard.data)}
        case _:
            return {"body": json.loads(heard.data)}
