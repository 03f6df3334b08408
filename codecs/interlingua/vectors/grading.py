"""Grade a proxy: ask it as its clients do, answer it as its provider does, and judge what comes out at both ends."""

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

# What is asked where the answer is what counts: it offers the tools that the answers call.
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
    """What the proxy said."""

    status: int
    headers: Mapping[str, str]
    data: bytes


def grade(
    url: str, speak: Dialect, provider: Upstream, *, folder: Path = FOLDER, timeout: float = 30.0
) -> Iterator[Grade]:
    """Yield how the proxy at an address does with each vector between its client's dialect and its provider's.

    Args:
        url: Where the proxy listens, without the path of a dialect.
        speak: The dialect in which it is asked.
        provider: The provider that it asks, as `upstream` runs it.
        folder: Where the vectors are.
        timeout: How many seconds to wait for an answer.

    Yields:
        A grade for each request of a client, and for each answer, stream and error of the provider.

    Raises:
        UnsupportedError: one of the dialects is not spoken over plain HTTP.
        ConnectionError: nobody listens at the address.
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
    """Judge what the provider was asked for a request of a client."""
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
    """Judge what the client hears for an answer, a stream or an error of the provider."""
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
