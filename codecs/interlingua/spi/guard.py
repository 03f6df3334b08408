"""Wraps third-party rooms, so that their faults become this library's errors, with the dialect's name and no content.

A missing operation raises `UnsupportedError`. A foreign exception becomes a `DialectError` with its cause, and so does
a result of the wrong type: what the room decodes is validated by the models.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from pydantic import TypeAdapter

from interlingua.argument_checks import check_kind_of
from interlingua.errors import DecodeError, DialectError, EncodeError, InterlinguaError, UnsupportedError
from interlingua.json_limits import undecodable, unencodable
from interlingua.model import ApiError, ChatRequest, ChatResponse, Event
from interlingua.spi.descriptor import Descriptor
from interlingua.spi.opaque_text import OpaqueText
from interlingua.spi.reading import Malformed
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from pydantic import BaseModel

    from interlingua import model_shapes
    from interlingua.loss import LossLog
    from interlingua.spi.families import Family
    from interlingua.spi.members import Members
    from interlingua.spi.room import Room, StreamReader, StreamWriter
    from interlingua.spi.signs import Signs

__all__ = ["GuardedRoom"]

T = TypeVar("T")
_EVENTS: Final[TypeAdapter[list[Any]]] = TypeAdapter(list[Event])


class GuardedRoom:
    """A third-party room with checked results."""

    __slots__ = ("DESCRIPTOR", "_dialect", "_room")

    def __init__(self, room: Any, dialect: str) -> None:
        self._room: Room = room
        self._dialect = dialect
        self.DESCRIPTOR = _descriptor(room, dialect)  # pyright: ignore[reportConstantRedefinition]  # the face of rooms

    @property
    def SIGNS(self) -> Signs | None:  # noqa: N802  # the face of rooms
        """The shapes by which the dialect's bodies are detected, or None."""
        return getattr(self._room, "SIGNS", None)

    @property
    def MEMBERS(self) -> Members | None:  # noqa: N802  # the face of rooms
        """The members that a request may have, or None."""
        return getattr(self._room, "MEMBERS", None)

    def decode_request(self, body: Any) -> model_shapes.ChatRequest:
        """Return the canonical request of a wire body."""
        return self._read("decode_request", _request, body)

    @property
    def FAMILIES(self) -> tuple[Family, ...]:  # noqa: N802  # the face of rooms
        """Return the model families of the room; most have none."""
        return getattr(self._room, "FAMILIES", ())

    def encode_request(
        self,
        request: model_shapes.ChatRequest,
        log: LossLog,
        api_version: str | None = None,
        family: Family | None = None,
    ) -> dict[str, Any]:
        """Return the wire body of a canonical request."""
        given = (request, log, api_version) if family is None else (request, log, api_version, family)
        return self._write("encode_request", _object, *given)

    def decode_response(self, body: Any) -> model_shapes.ChatResponse:
        """Return the canonical response of a wire body."""
        return self._read("decode_response", _response, body)

    def encode_response(self, response: model_shapes.ChatResponse, log: LossLog) -> dict[str, Any]:
        """Return the wire body of a canonical response."""
        return self._write("encode_response", _object, response, log)

    def decode_stream(self) -> StreamReader:
        """Return a decoder for one stream."""
        return _GuardedReader(self._read("decode_stream", _fed), self._dialect)

    def encode_stream(self, log: LossLog) -> StreamWriter:
        """Return an encoder for one stream."""
        return _GuardedWriter(self._write("encode_stream", _fed, log), self._dialect)

    def assemble_stream(self, frames: Iterable[dict[str, Any] | str]) -> dict[str, Any]:
        """Return the response body assembled from the frames of a stream."""
        return self._read("assemble_stream", _object, frames)

    def decode_error(
        self,
        body: Any,
        status: int | None = None,
        headers: Mapping[str, Any] | None = None,
        now: datetime | float | None = None,
    ) -> model_shapes.ApiError:
        """Return the canonical error of a body."""
        return self._read("decode_error", _error, body, status, headers, now)

    def encode_error(self, error: model_shapes.ApiError, log: LossLog) -> tuple[int, dict[str, str], Any]:
        """Return status, headers and body of a canonical error."""
        return self._write("encode_error", _answer, error, log)

    def check_request(self, body: Any, api_version: str | None = None, family: Family | None = None) -> list[Violation]:
        """Return what the provider would refuse in a wire body."""
        given = (body, api_version) if family is None else (body, api_version, family)
        return self._read("check_request", _violations, *given)

    def function_of_client_tool(self, data: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]] | None:
        """Return the function that stands for a client tool of the provider, and the members that it cannot express."""
        return self._read("function_of_client_tool", _function, data)

    def texts_of_opaque(self, values: Sequence[Any]) -> list[OpaqueText | None]:
        """Return the texts of opaque parts and messages for other dialects, None for those that have none."""
        return self._read("texts_of_opaque", lambda texts: _texts(texts, len(values)), values)

    def _read(self, operation: str, checked: Callable[[Any], T], *given: Any) -> T:
        return _guarded(DecodeError, self._dialect, operation, checked, self._with(operation), *given)

    def _write(self, operation: str, checked: Callable[[Any], T], *given: Any) -> T:
        return _guarded(EncodeError, self._dialect, operation, checked, self._with(operation), *given)

    def _with(self, operation: str) -> Any:
        """Return a function of the room. Raises `UnsupportedError` if it is missing."""
        if not hasattr(self._room, operation):
            raise UnsupportedError(self._dialect, operation)
        return getattr(self._room, operation)


class _GuardedReader:
    __slots__ = ("_dialect", "_reader")

    def __init__(self, reader: StreamReader, dialect: str) -> None:
        self._reader = reader
        self._dialect = dialect

    def feed(self, frame: Any) -> list[dict[str, Any]]:
        """Return the events of a frame."""
        return _guarded(DecodeError, self._dialect, "decode_stream", _events, self._reader.feed, frame)

    def close(self) -> list[dict[str, Any]]:
        """Return the final events, if the stream has not ended."""
        return _guarded(DecodeError, self._dialect, "decode_stream", _events, self._reader.close)


class _GuardedWriter:
    __slots__ = ("_dialect", "_writer")

    def __init__(self, writer: StreamWriter, dialect: str) -> None:
        self._writer = writer
        self._dialect = dialect

    def feed(self, event: dict[str, Any]) -> list[dict[str, Any] | str]:
        """Return the frames of an event."""
        return _guarded(EncodeError, self._dialect, "encode_stream", _frames, self._writer.feed, event)

    def close(self) -> list[dict[str, Any] | str]:
        """Return the remaining frames of a stream that had no `end` event."""
        return _guarded(EncodeError, self._dialect, "encode_stream", _frames, self._writer.close)


def _guarded(
    kind: type[DecodeError | EncodeError],
    dialect: str,
    operation: str,
    checked: Callable[[Any], T],
    function: Callable[..., Any],
    *given: Any,
) -> T:
    """Call a function of the room and check its result; a `Malformed` becomes an error of `kind`."""
    try:
        return checked(function(*given))
    except InterlinguaError:
        raise
    except Malformed as malformed:
        raise kind(dialect, malformed.path, malformed.reason) from None
    except RecursionError as error:
        too_deep = undecodable if kind is DecodeError else unencodable
        found = too_deep(given[0] if given else None, dialect, error)
        raise _named(found, dialect, operation) from error
    except Exception as error:
        raise DialectError(dialect, operation) from error


def _canonical(model: type[BaseModel], value: Any) -> Any:
    check_kind_of(value, dict)
    model.model_validate(value)
    return value


def _request(value: Any) -> model_shapes.ChatRequest:
    return cast("model_shapes.ChatRequest", _canonical(ChatRequest, value))


def _response(value: Any) -> model_shapes.ChatResponse:
    return cast("model_shapes.ChatResponse", _canonical(ChatResponse, value))


def _error(value: Any) -> model_shapes.ApiError:
    return cast("model_shapes.ApiError", _canonical(ApiError, value))


def _events(value: Any) -> list[dict[str, Any]]:
    events = _each(value, dict)
    _EVENTS.validate_python(events)
    return events


def _frames(value: Any) -> list[dict[str, Any] | str]:
    return _each(value, object)  # of any type: an unknown frame passes through unchanged


def _violations(value: Any) -> list[Violation]:
    return _each(value, Violation)


def _each(value: Any, kind: Any) -> list[Any]:
    """Return a list of a room's results of a type. Raises `TypeError`."""
    if isinstance(value, (str, Mapping)):
        raise TypeError("expected a list")
    several = list(value)
    for one in several:
        if not isinstance(one, kind):
            raise TypeError("the list contains a value of another type")
    return several


def _object(value: Any) -> dict[str, Any]:
    check_kind_of(value, dict)
    return cast("dict[str, Any]", value)


def _fed(value: Any) -> Any:
    """Return a stream decoder or encoder. Raises `TypeError`."""
    if not callable(getattr(value, "feed", None)) or not callable(getattr(value, "close", None)):
        raise TypeError("expected an object with feed and close")
    return value


def _answer(value: Any) -> tuple[int, dict[str, str], Any]:
    status, headers, body = value
    check_kind_of(status, int)
    check_kind_of(headers, dict)
    return status, headers, body


def _function(value: Any) -> tuple[dict[str, Any], list[str]] | None:
    if value is None:
        return None
    function, lost = value
    return _object(function), _each(lost, str)


def _texts(value: Any, count: int) -> list[OpaqueText | None]:
    texts = _each(value, (OpaqueText, type(None)))
    if len(texts) != count:
        raise TypeError("expected as many texts as values")
    return texts


def _named(found: Exception, dialect: str, operation: str) -> InterlinguaError:
    """Return the error for an exception of a room; for a `RecursionError`, that the value is nested too deeply."""
    return found if isinstance(found, (DecodeError, EncodeError)) else DialectError(dialect, operation)


def _descriptor(room: Any, dialect: str) -> Descriptor:
    """Return the descriptor of a room; for a room without one, a descriptor made from its older attributes.

    Raises:
        DialectError: the descriptor is that of another dialect.
    """
    given: Descriptor | None = getattr(room, "DESCRIPTOR", None)
    if given is None:
        messages, versions = getattr(room, "MESSAGES", "messages"), getattr(room, "API_VERSIONS", ())
        return Descriptor(dialect=dialect, title="a dialect of a third party", messages=messages, api_versions=versions)
    if getattr(given, "dialect", None) != dialect:
        raise DialectError(dialect, "import")
    return given._replace(seals_state=False)  # its functions would need private parts of this library
