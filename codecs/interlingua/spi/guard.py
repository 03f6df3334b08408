"""What stands around the room of a third party, so that its mistakes have our errors: never content, always a name.

What a room lacks is an `UnsupportedError`. What it raises that is not ours is a `DialectError` with its cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from interlingua.errors import DecodeError, DialectError, EncodeError, InterlinguaError, UnsupportedError
from interlingua.json_limits import undecodable, unencodable
from interlingua.spi.descriptor import Descriptor
from interlingua.spi.reading import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ApiError, ChatRequest, ChatResponse
    from interlingua.spi.families import Family
    from interlingua.spi.members import Members
    from interlingua.spi.room import Room, StreamReader, StreamWriter
    from interlingua.spi.signs import Signs
    from interlingua.violation import Violation

__all__ = ["GuardedRoom"]

T = TypeVar("T")


class GuardedRoom:
    """The room of a third party, as the house holds it."""

    __slots__ = ("DESCRIPTOR", "_dialect", "_room")

    def __init__(self, room: Any, dialect: str) -> None:
        self._room: Room = room
        self._dialect = dialect
        self.DESCRIPTOR = _descriptor(room, dialect)  # pyright: ignore[reportConstantRedefinition]  # the face of rooms

    @property
    def SIGNS(self) -> Signs | None:  # noqa: N802  # the face of rooms
        """What tells the bodies of the dialect from others; None where the room does not say."""
        return getattr(self._room, "SIGNS", None)

    @property
    def MEMBERS(self) -> Members | None:  # noqa: N802  # the face of rooms
        """Which members a request may have; None where the room does not say."""
        return getattr(self._room, "MEMBERS", None)

    def decode_request(self, body: Any) -> ChatRequest:
        """Return the canonical request of a wire body."""
        return _reading(self._dialect, "decode_request", self._with("decode_request").decode_request, body)

    @property
    def FAMILIES(self) -> tuple[Family, ...]:  # noqa: N802  # the face of rooms
        """Return the model families of the room; most have none."""
        return getattr(self._room, "FAMILIES", ())

    def encode_request(
        self, request: ChatRequest, log: LossLog, api_version: str | None = None, family: Family | None = None
    ) -> dict[str, Any]:
        """Return the wire body of a canonical request."""
        given = (request, log, api_version) if family is None else (request, log, api_version, family)
        return _writing(self._dialect, "encode_request", self._with("encode_request").encode_request, *given)

    def decode_response(self, body: Any) -> ChatResponse:
        """Return the canonical response of a wire body."""
        return _reading(self._dialect, "decode_response", self._with("decode_response").decode_response, body)

    def encode_response(self, response: ChatResponse, log: LossLog) -> dict[str, Any]:
        """Return the wire body of a canonical response."""
        return _writing(self._dialect, "encode_response", self._with("encode_response").encode_response, response, log)

    def decode_stream(self) -> StreamReader:
        """Return a reader of one stream."""
        reader = _reading(self._dialect, "decode_stream", self._with("decode_stream").decode_stream)
        return _GuardedReader(reader, self._dialect)

    def encode_stream(self, log: LossLog) -> StreamWriter:
        """Return a writer of one stream."""
        writer = _writing(self._dialect, "encode_stream", self._with("encode_stream").encode_stream, log)
        return _GuardedWriter(writer, self._dialect)

    def assemble_stream(self, frames: Iterable[dict[str, Any] | str]) -> dict[str, Any]:
        """Return the response body that the frames of one stream make."""
        return _reading(self._dialect, "assemble_stream", self._with("assemble_stream").assemble_stream, frames)

    def decode_error(
        self,
        body: Any,
        status: int | None = None,
        headers: Mapping[str, Any] | None = None,
        now: datetime | float | None = None,
    ) -> ApiError:
        """Return the canonical error of a body."""
        reader = self._with("decode_error")
        return _reading(self._dialect, "decode_error", reader.decode_error, body, status, headers, now)

    def encode_error(self, error: ApiError, log: LossLog) -> tuple[int, dict[str, str], Any]:
        """Return status, headers and body of a canonical error."""
        return _writing(self._dialect, "encode_error", self._with("encode_error").encode_error, error, log)

    def check_request(self, body: Any, api_version: str | None = None, family: Family | None = None) -> list[Violation]:
        """Return what the provider would refuse of a wire body."""
        given = (body, api_version) if family is None else (body, api_version, family)
        return _reading(self._dialect, "check_request", self._with("check_request").check_request, *given)

    def function_of_client_tool(self, data: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]] | None:
        """Return the function that stands for a tool of the provider's that the client runs, and what it cannot say."""
        reader: Any = self._with("function_of_client_tool")
        found: tuple[dict[str, Any], list[str]] | None = _reading(
            self._dialect, "function_of_client_tool", reader.function_of_client_tool, data
        )
        return found

    def _with(self, operation: str) -> Room:
        """Return the room if it has a function. Raises `UnsupportedError`."""
        if not hasattr(self._room, operation):
            raise UnsupportedError(self._dialect, operation)
        return self._room


class _GuardedReader:
    __slots__ = ("_dialect", "_reader")

    def __init__(self, reader: StreamReader, dialect: str) -> None:
        self._reader = reader
        self._dialect = dialect

    def feed(self, frame: Any) -> list[dict[str, Any]]:
        """Return the events of a frame."""
        return _reading(self._dialect, "decode_stream", self._reader.feed, frame)

    def close(self) -> list[dict[str, Any]]:
        """Return the events that end the stream, if it has not ended."""
        return _reading(self._dialect, "decode_stream", self._reader.close)


class _GuardedWriter:
    __slots__ = ("_dialect", "_writer")

    def __init__(self, writer: StreamWriter, dialect: str) -> None:
        self._writer = writer
        self._dialect = dialect

    def feed(self, event: dict[str, Any]) -> list[dict[str, Any] | str]:
        """Return the frames of an event."""
        return _writing(self._dialect, "encode_stream", self._writer.feed, event)

    def close(self) -> list[dict[str, Any] | str]:
        """Return what is still to be written where no `end` came."""
        return _writing(self._dialect, "encode_stream", self._writer.close)


def _reading(dialect: str, operation: str, function: Callable[..., T], *given: Any) -> T:
    """Return what a function makes of a wire value; a shape that it calls malformed is a `DecodeError`."""
    try:
        return function(*given)
    except InterlinguaError:
        raise
    except Malformed as malformed:
        raise malformed.error(dialect) from None
    except RecursionError as error:
        found = undecodable(given[0] if given else None, dialect, error)
        raise _named(found, dialect, operation) from error
    except Exception as error:
        raise DialectError(dialect, operation) from error


def _writing(dialect: str, operation: str, function: Callable[..., T], *given: Any) -> T:
    """Return what a function makes of a canonical value; a shape that it calls malformed is an `EncodeError`."""
    try:
        return function(*given)
    except InterlinguaError:
        raise
    except Malformed as malformed:
        raise EncodeError(dialect, malformed.path, malformed.reason) from None
    except RecursionError as error:
        found = unencodable(given[0] if given else None, dialect, error)
        raise _named(found, dialect, operation) from error
    except Exception as error:
        raise DialectError(dialect, operation) from error


def _named(found: Exception, dialect: str, operation: str) -> InterlinguaError:
    """Return the error of a value that nests too deeply, or that of a room which does so by itself."""
    return found if isinstance(found, (DecodeError, EncodeError)) else DialectError(dialect, operation)


def _descriptor(room: Any, dialect: str) -> Descriptor:
    """Return the descriptor of a room; of one that was written before there were any, what it says elsewhere.

    Raises:
        DialectError: it is that of another dialect.
    """
    given: Descriptor | None = getattr(room, "DESCRIPTOR", None)
    if given is None:
        messages, versions = getattr(room, "MESSAGES", "messages"), getattr(room, "API_VERSIONS", ())
        return Descriptor(dialect=dialect, title="a dialect of a third party", messages=messages, api_versions=versions)
    if given.dialect != dialect:
        raise DialectError(dialect, "import")
    return given._replace(seals_state=False)  # what its functions would need is not public
