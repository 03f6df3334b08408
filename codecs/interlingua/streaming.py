"""Translates streams, wire to wire and as plain events. Builds no model; `interlingua.stream_codec` adds models.

Frames are the parsed data objects of a stream, or the text `[DONE]`; `interlingua.frames` reads them from bytes.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.argument_checks import READ_FRAMES, check_each, check_exchange
from interlingua.carried_signatures import CarriedEvents
from interlingua.closing import aclose_all, close_all
from interlingua.errors import DecodeError, EncodeError, StreamError, UnsupportedError
from interlingua.events import accumulate
from interlingua.json_limits import undecodable
from interlingua.loss import LossLog, report_of
from interlingua.newer_members import ARE_POSSIBLE, reporting_newer_members
from interlingua.registry import dialects, known_descriptor, room
from interlingua.response_options import REASONING_CONTENT, ResponseOptions, event_options
from interlingua.spi.reading import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from interlingua.client_tools import CallsInStream
    from interlingua.exchange import Exchange
    from interlingua.loss import Loss
    from interlingua.registry import Dialect
    from interlingua.report import Report
    from interlingua.response_options import ReasoningMember
    from interlingua.restoration import EventRestorer
    from interlingua.spi.room import StreamWriter

__all__ = ["EncodedStream", "EventDecoder", "EventEncoder", "gather", "translate_stream"]

Event: TypeAlias = "dict[str, Any]"
Frame: TypeAlias = "dict[str, Any] | str"
_DEFAULT_OPTIONS: Final = ResponseOptions()
_LINES: Final = ("data:", "event:")  # prefixes of server-sent event lines


class EventDecoder:
    """Decodes one stream, frame by frame, to plain events.

    `close` returns the events that end a stream that has not ended. With `target`, the events are only for a stream of
    that dialect and need not keep how the frames were written. With `keeps`, all events are kept, so that an error can
    hold the response so far.
    """

    __slots__ = ("_abroad", "_dialect", "_events", "_keeps", "_read", "close")

    def __init__(self, dialect: str, target: str | None = None, *, keeps: bool = True) -> None:
        reader = room(dialect).decode_stream()
        set_cross_dialect = getattr(reader, "set_cross_dialect", None)
        if target is not None and set_cross_dialect is not None:  # optional for third-party readers
            set_cross_dialect(is_told=target != dialect)
            tell_failures = getattr(reader, "tell_failures", None) if target != dialect else None
            if tell_failures is not None:
                descriptor = room(target).DESCRIPTOR
                if descriptor.fails_silently:
                    tell_failures()
                elif descriptor.explains_failures:
                    tell_failures(explained_to=target)
        self._read: Callable[[Frame], list[Event]] = reader.feed
        self.close: Callable[[], list[Event]] = reader.close
        self._events: list[Event] = []  # all events so far
        self._keeps = keeps
        self._abroad = target is not None
        self._dialect = dialect

    def feed(self, frame: Frame) -> list[Event]:
        """Return the events of a frame. Raises `DecodeError`, with the response so far as `partial`."""
        if type(frame) is str:
            self._refuse_text(frame)
        try:
            events = self._read(frame)
        except DecodeError as error:
            from interlingua.detection import with_detected_kind  # noqa: PLC0415  # needed only for errors

            error.partial = accumulate(self._events) if self._abroad else _good_part(self._events)
            raise with_detected_kind(error, frame, "stream") from None
        if self._keeps:
            self._events += events
        return events

    def _refuse_text(self, frame: str) -> None:
        """Refuse an unparsed SSE line or JSON object, which would otherwise be ignored like any unknown text frame."""
        if frame.startswith(_LINES):
            reason = f"this is a line of server-sent events, not a frame; {READ_FRAMES}"
        elif frame.lstrip().startswith("{") and _is_object(frame):
            reason = f"this is the text of a frame, not a frame: parse it as JSON; {READ_FRAMES}"
        else:
            return
        raise DecodeError(self._dialect, "", reason, accumulate(self._events))


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


class EventEncoder:
    """Encodes one stream of plain events to frames.

    `feed` returns the frames for an event; `close` those that remain if no `end` event came. `restorer` restores the
    client's names and kinds.
    """

    __slots__ = ("close", "feed", "log")

    def __init__(
        self, dialect: str, restorer: EventRestorer | None = None, options: ResponseOptions | None = None
    ) -> None:
        self.log = (
            LossLog(is_answer=True)
            if restorer is None
            else LossLog(restorer.own_names, is_answer=True, asked=restorer.asked)
        )
        speaker = room(dialect)
        own: Any = speaker.encode_stream(self.log)
        if hasattr(own, "described"):  # third-party writers need not have it
            own.described = known_descriptor
        writer: StreamWriter | CarriedEvents = own
        self.feed: Callable[[Event], list[Frame]] = writer.feed
        if options is not None and options.seals(dialect):
            writer = CarriedEvents(dialect, writer, options.model)
            self.feed = writer.feed
        noted = None if options is None else event_options(dialect, options)
        if noted is not None:
            feed = self.feed
            self.feed = lambda event: feed(noted(event))
        if restorer is not None:
            write = self.feed
            self.feed = lambda event: [frame for one in restorer.feed(event) for frame in write(one)]
        if ARE_POSSIBLE:
            self.feed = reporting_newer_members(self.log, speaker.DESCRIPTOR.newer_members, self.feed)
        self.close: Callable[[], list[Frame]] = writer.close

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The losses so far; each path leads into the list of events."""
        return self.log.losses()


class EncodedStream:
    """The frames of a stream, encoded lazily, and the losses so far.

    Iterate it as its source can be iterated, with `for` or `async for`, and only once. The source is closed after the
    last frame or on an error. If you stop earlier, close it with `close`, `aclose`, `with` or `async with`; a `for`
    loop that is left early also closes it once its iterator is garbage-collected.

    Example:
        >>> frames = [{"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]}, "[DONE]"]
        >>> with il.translate_stream(frames, "openai_chat", "ollama") as stream:
        ...     texts = [frame["message"]["content"] for frame in stream]
        >>> texts, [loss.path for loss in stream.losses]
        (['Hello', ''], ['/0/model', '/0/created'])
    """

    def __init__(self, steps: StreamSteps, source: Iterable[Any] | AsyncIterable[Any]) -> None:
        self._steps = steps
        self._source = source
        self._iterator: Any = source
        self._has_ended = False
        self._is_closed = False

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The losses so far; each path leads into the list of events."""
        return self._steps.losses

    def report(self) -> Report:
        """Return the losses so far grouped by kind, the most serious first, with counts."""
        return report_of(self.losses)

    @property
    def is_async(self) -> bool:
        """Whether only `async for` can read it, because its source is asynchronous."""
        source = self._source
        return source.is_async if isinstance(source, EncodedStream) else not isinstance(source, Iterable)

    def __iter__(self) -> Iterator[Frame]:
        if not isinstance(self._source, Iterable):
            raise TypeError("an asynchronous source must be read with `async for`")
        if not self._begins():
            return
        self._iterator = iterator = iter(self._source)
        feed = self._steps.feed
        try:
            for one in iterator:
                yield from feed(one)
                if self._is_closed:
                    return
            self._has_ended = True
            yield from self._steps.close()
        finally:
            self.close()

    async def __aiter__(self) -> AsyncIterator[Frame]:
        if not self._begins():
            return
        feed = self._steps.feed
        try:
            if isinstance(self._source, AsyncIterable):
                self._iterator = iterator = aiter(self._source)
                async for one in iterator:
                    for frame in feed(one):
                        yield frame
                    if self._is_closed:
                        return
            else:
                self._iterator = ordinary = iter(self._source)
                for one in ordinary:
                    for frame in feed(one):
                        yield frame
                    if self._is_closed:
                        return
            self._has_ended = True
            for frame in self._steps.close():
                yield frame
        finally:
            await self.aclose()

    def close(self) -> None:
        """Close the source at once. Nothing more is read or encoded; iterating the stream again is an error.

        Raises:
            TypeError: the source can only be closed with `aclose`.
        """
        if self._is_closed:
            return
        if self.is_async:
            raise TypeError("an asynchronous source must be closed with `aclose`")
        self._is_closed = True
        close_all(self._iterator, self._source)

    async def aclose(self) -> None:
        """Close the source at once, whether it is asynchronous or not."""
        if not self._is_closed:
            self._is_closed = True
            await aclose_all(self._iterator, self._source)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    def _begins(self) -> bool:
        """Tell whether there is anything to read.

        Raises:
            ValueError: the stream was closed before its end.
        """
        if self._is_closed and not self._has_ended:
            raise ValueError("the stream is closed")
        return not self._is_closed


class StreamSteps:
    """Translates frames of one dialect, or events, to frames of another; within one dialect frames pass unchanged."""

    __slots__ = ("_decoder", "_encoder", "_ending", "_is_same", "_read", "_target", "_write")

    def __init__(
        self,
        source: str | None,
        target: str,
        *,
        exchange: Exchange | None = None,
        input_tokens: int | None = None,
        options: ResponseOptions = _DEFAULT_OPTIONS,
        keeps: bool = True,
    ) -> None:
        restorer = event_restorer(exchange, input_tokens, at_home=source == target)
        self._is_same = source is not None and source == target and restorer is None
        # Frames that are rewritten need complete events, at home, too.
        told_to = None if source == target and not self._is_same else target
        self._decoder = None if source is None else EventDecoder(source, told_to, keeps=keeps)
        self._read = None if self._decoder is None else self._decoder.feed
        self._ending: list[Event] | None = None  # the final events, once the source has ended
        self._target = target
        self._encoder: EventEncoder | None = None
        if self._is_same:  # nothing is written, unless the stream is broken off
            return
        self._encoder = EventEncoder(target, restorer, None if source == target else options.chosen(exchange))
        self._write = self._encoder.feed
        # Events without a source may have calls in items of another dialect, too.
        if source is None or (source != target and room(source).DESCRIPTOR.call_tool is not None):
            self._write = _with_calls(self._write, target, self._encoder.log)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The losses so far."""
        return () if self._encoder is None else self._encoder.losses

    def feed(self, one: Any) -> list[Frame]:
        """Return the frames for a frame of the source, or for an event if there is no source."""
        if self._read is None:
            return self._write(one)
        events = self._read(one)
        if self._is_same:  # it was decoded only to find errors
            return [one]
        if len(events) == 1:  # nearly always
            return self._write(events[0])
        return [frame for event in events for frame in self._write(event)]

    def is_whole(self) -> bool:
        """Tell, after the source has ended, whether its answer is complete. Call `close` or `break_off` next."""
        events = self._read_end()
        return not any(event["type"] == "end" and not event["complete"] for event in events)

    def close(self) -> list[Frame]:
        """Return the frames that end the stream."""
        events = self._read_end()
        if self._encoder is None:
            return []
        frames = [frame for event in events for frame in self._write(event)]
        return [*frames, *self._encoder.close()]

    def break_off(self, error: Event) -> list[Frame]:
        """Return the final frames, which report an error; none if one has already been reported."""
        if self._encoder is None:
            self._encoder = EventEncoder(self._target)
            self._write = self._encoder.feed
        return [*self._write(error), *self._encoder.close()]

    def _read_end(self) -> list[Event]:
        if self._ending is None:
            self._ending = [] if self._decoder is None else self._decoder.close()
        return self._ending


def _with_calls(write: Callable[[Event], list[Frame]], target: str, log: LossLog) -> Callable[[Event], list[Frame]]:
    """Return a function that writes events, with function calls in place of another dialect's client tool calls."""
    calls: CallsInStream | None = None
    number = -1  # of the event, for losses

    def written(event: Event) -> list[Frame]:
        nonlocal calls, number
        number += 1
        if calls is None:
            if event["type"] != "opaque" or event["dialect"] == target:
                return write(event)
            from interlingua.client_tools import CallsInStream  # noqa: PLC0415  # few streams have such calls

            calls = CallsInStream(target, log)
        events = calls.feed(event, number)
        number += len(events) - 1
        return [frame for one in events for frame in write(one)]

    return written


def event_restorer(
    exchange: Exchange | None, input_tokens: int | None, *, at_home: bool = False
) -> EventRestorer | None:
    """Return what restores the client's names in events, or None if there is nothing to restore.

    At home that can be the model name, if it was replaced, and the names of tools that were renamed.
    """
    check_exchange(exchange)
    restoration = None if exchange is None else exchange.restoration
    if (restoration is None and input_tokens is None) or (
        at_home and (restoration is None or not (restoration.model or restoration.tools))
    ):
        return None
    from interlingua.restoration import EventRestorer  # noqa: PLC0415  # not needed for a plain stream

    return EventRestorer(restoration, input_tokens)


def translate_stream(
    frames: Iterable[Frame] | AsyncIterable[Frame],
    source: Dialect,
    target: Dialect,
    *,
    exchange: Exchange | None = None,
    input_tokens: int | None = None,
    reasoning_member: ReasoningMember = REASONING_CONTENT,
    carry_state: bool = False,
) -> EncodedStream:
    """Return the frames of a stream translated to another dialect, together with the losses. Builds no model.

    Each frame is written as early as possible. `exchange` restores what the client used: its own tool names and kinds,
    its model name, and usage if it asked for it. `input_tokens` is the prompt's token count, for a target that reports
    it first and a source that does not. `reasoning_member` and `carry_state` are those of `translate_response`. Raises
    `DecodeError` if a frame is malformed, `UnknownDialectError`, and `InvalidArgumentError` if `frames` is not an
    iterable of frames, such as the text of a stream.

    Args:
        frames: An iterable or async iterable of frames, in order: parsed data objects or the text `[DONE]`.
        source: The dialect to translate from.
        target: The dialect to translate to.
        exchange: The exchange that this is the answer to; it restores the client's own tool and model names.
        input_tokens: The prompt's token count, used where the answer does not report it.
        reasoning_member: The Chat Completions member that shows another dialect's reasoning; None shows none.
        carry_state: Whether to give the client the provider's signatures, where it can keep them and send them back.

    Example:
        >>> frames = [{"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]}, "[DONE]"]
        >>> stream = il.translate_stream(frames, "openai_chat", "claude")
        >>> [frame["type"] for frame in stream][:2]
        ['message_start', 'content_block_start']
    """
    room(source)  # an invalid source would be taken for events
    options = ResponseOptions(reasoning_member, carry_state)
    steps = StreamSteps(source, target, exchange=exchange, input_tokens=input_tokens, options=options)
    return EncodedStream(steps, check_each(frames, "frames"))


def gather(events: Iterable[Event], *, refused: bool = True) -> dict[str, Any]:
    """Return the canonical response made of plain events.

    It equals what `decode_response` returns for the same answer without streaming. A stream that was cut off gives the
    response so far, without a finish reason. Raises `StreamError` for an error event, with the rest of the response as
    `partial`, unless `refused` is false; `DecodeError` if the frames do not make a response of their dialect.
    """
    taken = list(events)
    error = next((event for event in taken if event["type"] == "error"), None)
    if error is None or not refused:
        return _gathered(taken)
    code = error.get("code", error.get("error_type"))
    raise StreamError(code, error.get("message"), _good_part(taken), error.get("category"))


def _good_part(events: list[Event]) -> dict[str, Any]:
    """Return the response made of events, even if earlier frames were malformed, too."""
    try:
        return _gathered(events)
    except DecodeError:
        return accumulate(events)


def _gathered(events: list[Event]) -> dict[str, Any]:
    dialect = next((event.get("dialect") for event in reversed(events) if event["type"] == "start"), None)
    if dialect not in dialects():
        return accumulate(events)
    speaker = room(dialect)
    try:
        writer = speaker.encode_stream(LossLog())
        frames = [frame for event in events for frame in writer.feed(event)]
        frames.extend(writer.close())
        return cast("dict[str, Any]", speaker.decode_response(speaker.assemble_stream(frames)))
    except UnsupportedError:  # a third-party room may support streams but not responses, or only decode
        return accumulate(events)
    except Malformed as malformed:  # a Python value that is not JSON, such as a set of calls
        raise malformed.error(speaker.DESCRIPTOR.dialect) from None
    except (EncodeError, RecursionError, TypeError, AttributeError) as error:
        raise undecodable(events, speaker.DESCRIPTOR.dialect, error) from None
