"""Detects the contents of files by shape: requests, responses, streams, errors, stored messages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import interlingua as il
from interlingua.cli.reading import listed
from interlingua.cli.source_detection import source_of
from interlingua.cli.speakers import AUTO
from interlingua.cli.stream import FrameSource
from interlingua.detection import detect
from interlingua.errors import DecodeError
from interlingua.json_types import is_list
from interlingua.translation import decode_canonical_request, decode_canonical_response

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.cli.files import Input
    from interlingua.cli.reading import Document
    from interlingua.cli.run import Run

__all__ = ["STREAM_SIGNS", "Content", "contents"]

STREAM_SIGNS: Final = (b"data:", b"event:", b":", b"id:", b"retry:")
"""How server-sent events can begin; JSON never begins so."""
_MARK: Final = b"\xef\xbb\xbf"
_LINE: Final = 1


class Content(NamedTuple):
    """One item found in a file.

    Attributes:
        line: The line where it begins.
        kind: `request`, `response`, `stream`, `error` or `message`.
        dialect: Its dialect; empty for a stored message.
        value: The canonical request, response, error or message, as JSON.
        body: The JSON as it was read.
    """

    line: int
    kind: str
    dialect: str
    value: dict[str, Any]
    body: Any


def contents(run: Run, dialect: str) -> Iterator[Content]:
    """Yield the contents of the inputs; what cannot be read is reported, and reading continues.

    Args:
        run: The inputs.
        dialect: The dialect of the bodies, or `auto`.
    """
    for source in run.inputs():
        if _is_events(source):
            found = run.attempt(
                _LINE, partial(_of_stream, dialect=dialect), FrameSource(run.chunks_of(source), run.max_bytes)
            )
            if found is not None:
                yield found
        else:
            yield from _of_documents(run, run.documents_of(source), dialect)


def _is_events(source: Input) -> bool:
    """Tell whether an input is a stream of server-sent events."""
    try:
        begins = source.stream.peek(len(_MARK) + max(map(len, STREAM_SIGNS)))
    except OSError:
        return False  # reading it will report the error
    return begins.removeprefix(_MARK).startswith(STREAM_SIGNS)


def _of_documents(run: Run, documents: Iterator[Document], dialect: str) -> Iterator[Content]:
    """Yield the contents of an input's documents. Adjacent frames of a stream form one stream."""
    frames: list[Any] = []
    begin = _LINE
    for document in documents:
        if _is_frame(document.value, dialect):
            begin = begin if frames else document.line
            frames.append(document.value)
            continue
        is_last = bool(frames) and _is_last(frames[0], document.value, dialect)
        yield from _gathered(run, begin, [*frames, document.value] if is_last else frames, dialect)
        frames = []
        if is_last:
            continue
        for _, value in listed(document.value):
            found = run.attempt(document.line, partial(_of_value, line=document.line, dialect=dialect), value)
            if found is not None:
                yield found
    yield from _gathered(run, begin, frames, dialect)


def _gathered(run: Run, line: int, frames: list[Any], dialect: str) -> Iterator[Content]:
    """Yield the stream that the frames form, if there are any."""
    found = run.attempt(line, partial(_of_stream, dialect=dialect, line=line), frames) if frames else None
    if found is not None:
        yield found


def _is_frame(value: Any, dialect: str) -> bool:
    """Tell whether a value is most likely a frame of a stream, or a list of frames."""
    found = [one for one in detect(value) if dialect in {AUTO, one.dialect}]
    return bool(found) and found[0].kind == "stream"


def _is_last(first: Any, value: Any, dialect: str) -> bool:
    """Tell whether a value that looks more like a response may be the last frame of a stream, as with Ollama."""
    source = _dialect_of([first], "stream", dialect)
    return any((one.dialect, one.kind) == (source, "stream") for one in detect(value))


def _of_stream(frames: Any, dialect: str, line: int = _LINE) -> Content:
    """Return the response of a stream. Raises the errors of `decode_stream`."""
    held = [one for frame in frames for one in (frame if is_list(frame) else [frame])]
    source = _dialect_of(held, "stream", dialect)
    answer = il.collect(il.decode_stream(held, il.dialect(source)))
    return Content(line, "stream", source, answer.model_dump(mode="json", by_alias=True), held)


def _of_value(value: Any, line: int, dialect: str) -> Content:
    """Return the content of a document.

    Raises:
        DecodeError: its kind is not recognised, or it is not valid.
        MigrationError: it is a stored message that is not valid in its version.
    """
    if type(value) is not dict:
        raise DecodeError(dialect, "", "a body or a stored message must be a JSON object")
    body = cast("dict[str, Any]", value)
    if "schema_version" in body and "data" in body:
        return _stored(body, line)
    found = [one for one in detect(body) if dialect in {AUTO, one.dialect}]
    if not found:
        return _stored(body, line)
    kind, source = found[0].kind, found[0].dialect
    if kind == "stream":
        return _of_stream([body], source, line)
    if kind == "error":
        error = il.decode_error(body, il.dialect(source))
        return Content(line, kind, source, error.model_dump(mode="json", by_alias=True, exclude_none=True), body)
    decode: Any = decode_canonical_request if kind == "request" else decode_canonical_response
    canonical: Any = decode(body, source)
    return Content(line, kind, source, canonical, body)


def _stored(body: dict[str, Any], line: int) -> Content:
    """Return a stored message of any version. Raises the errors of `upgrade`."""
    if not body.keys() & {"schema_version", "type", "role"}:
        raise DecodeError(AUTO, "", "it looks neither like a body of a known dialect nor like a stored message")
    raised = il.upgrade([body]).documents
    return Content(line, "message", "", raised[0] if len(raised) == 1 else {"messages": raised}, body)


def _dialect_of(frames: list[Any], kind: str, dialect: str) -> str:
    """Return the dialect of the frames."""
    return source_of(frames, kind) if dialect == AUTO else dialect
