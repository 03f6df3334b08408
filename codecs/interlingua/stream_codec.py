"""Decodes stream frames to event models, and encodes events to frames."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Coroutine, Generator, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast, overload

from pydantic import BaseModel, TypeAdapter, ValidationError

from interlingua.argument_checks import check_each, instead
from interlingua.canonical_input import first_finding, undecodable
from interlingua.closing import aclose_all, close_all
from interlingua.errors import EncodeError, StreamError
from interlingua.model import ChatResponse
from interlingua.model import Event as AnyEvent
from interlingua.model_json import plain_json
from interlingua.response_options import REASONING_CONTENT, ResponseOptions
from interlingua.streaming import EncodedStream, EventDecoder, EventEncoder, StreamSteps, event_restorer, gather

if TYPE_CHECKING:
    from interlingua.exchange import Exchange
    from interlingua.loss import Loss
    from interlingua.model import Event
    from interlingua.registry import Dialect
    from interlingua.response_options import ReasoningMember

__all__ = ["StreamDecoder", "StreamEncoder", "collect", "decode_stream", "encode_stream"]

Frame: TypeAlias = "dict[str, Any] | str"
_EVENTS: Final[TypeAdapter[list[Any]]] = TypeAdapter(list[AnyEvent])


class StreamDecoder:
    """Decodes one stream: `feed` it each frame, then call `close`.

    Example:
        >>> decoder = il.StreamDecoder("openai_chat")
        >>> events = decoder.feed({"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]})
        >>> events += decoder.feed("[DONE]") + decoder.close()
        >>> il.collect(events).text
        'Hello'
    """

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._decoder = EventDecoder(dialect)

    def feed(self, frame: Frame) -> list[Event]:
        """Return the events of a frame: a parsed data object, or the text `[DONE]`.

        Raises `DecodeError` if the frame is malformed; its `partial` is the response so far.
        """
        return self._models(self._decoder.feed(frame))

    def close(self) -> list[Event]:
        """Return the events that end the stream; `end` says whether it is complete."""
        return self._models(self._decoder.close())

    def _models(self, events: list[dict[str, Any]]) -> list[Event]:
        try:
            return _EVENTS.validate_python(events)
        except ValidationError as error:
            raise undecodable(error, self._dialect) from None


class StreamEncoder:
    """Encodes one stream: `feed` it each event, then call `close`; `losses` has the losses so far.

    Options are those of `encode_stream`.

    Example:
        >>> encoder = il.StreamEncoder("ollama")
        >>> frames = encoder.feed({"type": "start", "model": "llama"})
        >>> frames += encoder.feed({"type": "content", "block": 0, "text": "Hi"})
        >>> frames[-1]["message"], [loss.path for loss in encoder.losses]
        ({'role': 'assistant', 'content': 'Hi'}, ['/0/created'])
    """

    def __init__(
        self,
        dialect: Dialect,
        *,
        exchange: Exchange | None = None,
        input_tokens: int | None = None,
        reasoning_member: ReasoningMember = REASONING_CONTENT,
        carry_state: bool = False,
    ) -> None:
        self._dialect = dialect
        options = ResponseOptions(reasoning_member, carry_state).chosen(exchange)
        self._encoder = EventEncoder(dialect, event_restorer(exchange, input_tokens), options)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The losses so far; each path leads into the list of events."""
        return self._encoder.losses

    def feed(self, event: Event | Mapping[str, Any]) -> list[Frame]:
        """Return the frames for an event, a model or its plain JSON. Raises `EncodeError` for anything else."""
        return self._encoder.feed(_plain(event, self._dialect))

    def close(self) -> list[Frame]:
        """Return the remaining frames of a stream that was cut off before its `end` event."""
        return self._encoder.close()


def _plain(event: object, dialect: str) -> dict[str, Any]:
    if isinstance(event, BaseModel):
        return plain_json(event)
    if not isinstance(event, Mapping):
        raise EncodeError(dialect, "", f"expected an event; {instead(event)}")
    try:
        checked = _EVENTS.validate_python([event])
    except ValidationError as error:
        path, reason = first_finding(error, value=[event])
        advice = "" if "type" in cast("Mapping[str, Any]", event) else "; decode frames to events with decode_stream"
        raise EncodeError(dialect, path.removeprefix("/0"), f"{reason}{advice}") from None
    return plain_json(checked[0])


@overload
def decode_stream(frames: Iterable[Frame], dialect: Dialect) -> Generator[Event]: ...
@overload
def decode_stream(frames: AsyncIterable[Frame], dialect: Dialect) -> AsyncGenerator[Event]: ...
def decode_stream(
    frames: Iterable[Frame] | AsyncIterable[Frame], dialect: Dialect
) -> Generator[Event] | AsyncGenerator[Event]:
    """Yield the events of a stream as its frames arrive; `end` is always the last.

    Frames are the parsed data objects, or the text `[DONE]`. Once reading has begun, closing the generator (`close`,
    `aclose`), the end of the stream, or an error closes the source of the frames at once. Raises `DecodeError` if a
    frame is malformed, with the response so far as `partial`; `UnknownDialectError`; `InvalidArgumentError` if `frames`
    is not an iterable of frames, such as the text of a stream.

    Args:
        frames: An iterable or async iterable of frames, in order: parsed data objects or the text `[DONE]`.
        dialect: The wire format: one of `il.dialects()`.

    Example:
        >>> frames = [{"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]}, "[DONE]"]
        >>> [event.type for event in il.decode_stream(frames, "openai_chat")]
        ['start', 'content', 'block_end', 'finish', 'end']
    """
    decoder = StreamDecoder(dialect)
    check_each(frames, "frames")
    if isinstance(frames, EncodedStream):  # it may be readable both ways
        return _decode_async(frames, decoder) if frames.is_async else _decode(frames, decoder)
    if isinstance(frames, AsyncIterable):
        return _decode_async(frames, decoder)
    return _decode(frames, decoder)


def _decode(frames: Iterable[Frame], decoder: StreamDecoder) -> Generator[Event]:
    iterator = iter(frames)
    try:
        for frame in iterator:
            yield from decoder.feed(frame)
        yield from decoder.close()
    finally:
        close_all(iterator, frames)


async def _decode_async(frames: AsyncIterable[Frame], decoder: StreamDecoder) -> AsyncGenerator[Event]:
    iterator = aiter(frames)
    try:
        async for frame in iterator:
            for event in decoder.feed(frame):
                yield event
        for event in decoder.close():
            yield event
    finally:
        await aclose_all(iterator, frames)


def encode_stream(
    events: Iterable[Event | Mapping[str, Any]] | AsyncIterable[Event | Mapping[str, Any]],
    dialect: Dialect,
    *,
    exchange: Exchange | None = None,
    input_tokens: int | None = None,
    reasoning_member: ReasoningMember = REASONING_CONTENT,
    carry_state: bool = False,
) -> EncodedStream:
    """Return the frames of events, encoded lazily, together with the losses.

    `exchange`, `input_tokens`, `reasoning_member` and `carry_state` are those of `translate_stream`. Raises
    `UnknownDialectError`, and `InvalidArgumentError` if `events` is not an iterable of events; reading raises
    `EncodeError` for an item that is not an event.

    Args:
        events: An iterable or async iterable of events, in order: models or plain JSON.
        dialect: The wire format: one of `il.dialects()`.
        exchange: The exchange that this is the answer to; it restores the client's own tool and model names.
        input_tokens: The prompt's token count, used where the answer does not report it.
        reasoning_member: The Chat Completions member that shows another dialect's reasoning; None shows none.
        carry_state: Whether to give the client the provider's signatures, where it can keep them and send them back.

    Example:
        >>> frames = [{"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]}, "[DONE]"]
        >>> events = il.decode_stream(frames, "openai_chat")
        >>> [frame["type"] for frame in il.encode_stream(events, "claude")][:2]
        ['message_start', 'content_block_start']
    """
    steps = _ModelSteps(dialect, exchange, input_tokens, ResponseOptions(reasoning_member, carry_state))
    return EncodedStream(steps, check_each(events, "events"))


class _ModelSteps(StreamSteps):
    """Encodes events, models or plain JSON, to frames."""

    def __init__(
        self, target: str, exchange: Exchange | None, input_tokens: int | None, options: ResponseOptions
    ) -> None:
        super().__init__(None, target, exchange=exchange, input_tokens=input_tokens, options=options)
        self._dialect = target

    def feed(self, one: Any) -> list[Frame]:
        """Return the frames for an event."""
        return super().feed(_plain(one, self._dialect))


@overload
def collect(events: Iterable[Event | Mapping[str, Any]]) -> ChatResponse: ...
@overload
def collect(events: AsyncIterable[Event | Mapping[str, Any]]) -> Coroutine[Any, Any, ChatResponse]: ...
def collect(
    events: Iterable[Event | Mapping[str, Any]] | AsyncIterable[Event | Mapping[str, Any]],
) -> ChatResponse | Coroutine[Any, Any, ChatResponse]:
    """Return the response made of events: what `decode_response` returns for the same answer without streaming.

    With an async iterable, await it: `await collect(decode_stream(frames, dialect))`. A stream that was cut off gives
    the response so far, without a finish reason. Raises `StreamError` for an error in mid-stream, with the response so
    far as `partial`; `EncodeError` for an item that is not an event; `DecodeError` if the events' frames do not make a
    response of their dialect; `InvalidArgumentError` if `events` is not an iterable of events.

    Args:
        events: An iterable or async iterable of events, in order: models or plain JSON.

    Example:
        >>> frames = [{"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]}, "[DONE]"]
        >>> il.collect(il.decode_stream(frames, "openai_chat")).text
        'Hello'
    """
    check_each(events, "events")
    return _collected(events) if isinstance(events, Iterable) else _collect_async(events)


async def _collect_async(events: AsyncIterable[Event | Mapping[str, Any]]) -> ChatResponse:
    return _collected([event async for event in events])


def _collected(events: Iterable[Event | Mapping[str, Any]]) -> ChatResponse:
    try:
        return ChatResponse.model_validate(gather(_plain(event, "") for event in events))
    except StreamError as error:
        error.partial = ChatResponse.model_validate(error.partial)
        raise
