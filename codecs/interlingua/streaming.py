"""Streams, wire to wire and as plain events. Builds no model; `interlingua.stream_codec` runs the same code for people.

Frames are the parsed data objects of a stream, or the text `[DONE]`; `interlingua.frames` makes them of bytes.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from interlingua.carrying import CarriedEvents
from interlingua.closing import aclose_all, close_all
from interlingua.errors import DecodeError, EncodeError, StreamError, UnsupportedError
from interlingua.events import accumulate
from interlingua.given import READ_FRAMES, check_each, check_exchange
from interlingua.json_limits import undecodable
from interlingua.loss import LossLog, report_of
from interlingua.registry import dialects, known_descriptor, room
from interlingua.showing import USUAL, Shown, shown_events
from interlingua.spi.reading import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from interlingua.client_tools import CallsInStream
    from interlingua.exchange import Exchange
    from interlingua.loss import Loss
    from interlingua.registry import Dialect
    from interlingua.report import Report
    from interlingua.restoring import EventRestorer
    from interlingua.showing import ReasoningMember
    from interlingua.spi.room import StreamWriter

__all__ = ["EncodedStream", "EventDecoder", "EventEncoder", "gather", "translate_stream"]

Event: TypeAlias = "dict[str, Any]"
Frame: TypeAlias = "dict[str, Any] | str"
_USUALLY: Final = Shown()
_LINES: Final = ("data:", "event:")  # how those of server-sent events begin


class EventDecoder:
    """Reads one stream, frame by frame, as plain events.

    `close` returns the events that end the stream, if it has not ended: no terminator came. `target`: they
    are for a stream of that dialect alone, and need not say how the frames were written. `keeps`: an error says what
    came before it, for which all of it is kept.
    """

    __slots__ = ("_abroad", "_dialect", "_events", "_keeps", "_read", "close")

    def __init__(self, dialect: str, target: str | None = None, *, keeps: bool = True) -> None:
        reader = room(dialect).decode_stream()
        set_cross_dialect = getattr(reader, "set_cross_dialect", None)
        if target is not None and set_cross_dialect is not None:  # a third party's reader need not know the difference
            set_cross_dialect(is_told=target != dialect)
            tell_failures = getattr(reader, "tell_failures", None)
            if tell_failures is not None and target != dialect:
                descriptor = room(target).DESCRIPTOR
                if descriptor.fails_silently:
                    tell_failures()
                elif descriptor.explains_failures:
                    tell_failures(explained_to=target)
        self._read: Callable[[Frame], list[Event]] = reader.feed
        self.close: Callable[[], list[Event]] = reader.close
        self._events: list[Event] = []  # all so far
        self._keeps = keeps
        self._abroad = target is not None
        self._dialect = dialect

    def feed(self, frame: Frame) -> list[Event]:
        """Return the events of a frame. Raises `DecodeError`, whose `partial` is the response so far."""
        if type(frame) is str:
            self._refuse_text(frame)
        try:
            events = self._read(frame)
        except DecodeError as error:
            from interlingua.detection import with_looks  # noqa: PLC0415  # what is well-formed needs none of it

            error.partial = accumulate(self._events) if self._abroad else _good_part(self._events)
            raise with_looks(error, frame, "stream") from None
        if self._keeps:
            self._events += events
        return events

    def _refuse_text(self, frame: str) -> None:
        """Refuse a line that is still to be read, and the text of an object: each would be passed over as a word."""
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
    """Writes one stream, plain event by plain event.

    `feed` returns the frames of an event; `close` what is still to be written where no `end` came. `restorer` makes
    the events the client's own.
    """

    __slots__ = ("close", "feed", "log")

    def __init__(self, dialect: str, restorer: EventRestorer | None = None, shown: Shown | None = None) -> None:
        self.log = (
            LossLog(is_answer=True)
            if restorer is None
            else LossLog(restorer.own_names, is_answer=True, asked=restorer.asked)
        )
        writer: StreamWriter | CarriedEvents = room(dialect).encode_stream(self.log)
        self.feed: Callable[[Event], list[Frame]] = writer.feed
        if shown is not None and shown.seals(dialect):
            writer = CarriedEvents(dialect, writer)
            self.feed = writer.feed
        noted = None if shown is None else shown_events(dialect, shown)
        if noted is not None:
            feed = self.feed
            self.feed = lambda event: feed(noted(event))
        if restorer is not None:
            write = self.feed
            self.feed = lambda event: [frame for one in restorer.feed(event) for frame in write(one)]
        self.close: Callable[[], list[Frame]] = writer.close

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What has not come along so far; a path leads into the list of events."""
        return self.log.losses()


class EncodedStream:
    """The frames of a stream, written as they are asked for, and what did not come along so far.

    Iterate it as its source can be iterated: with `for`, or with `async for`. It can be read once. Its source is closed
    as soon as the last frame has been read, or reading has failed; whoever stops earlier closes it: `close`, `aclose`,
    `with` or `async with`. A `for` that is left early closes it, too, as soon as nobody holds its iterator.

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
        """What has not come along so far; a path leads into the list of events."""
        return self._steps.losses

    def report(self) -> Report:
        """Return what has not come along so far by kind, the weightiest first, with a count."""
        return report_of(self.losses)

    @property
    def is_async(self) -> bool:
        """Whether only `async for` can read it, since its source is so."""
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
        """Close the source at once. Nothing more is read or written; reading the stream anew is an error.

        Raises:
            TypeError: only `aclose` can close the source.
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
    """From a frame of one dialect, or from an event, to frames of another; within one dialect they pass as they are."""

    __slots__ = ("_decoder", "_encoder", "_ending", "_is_same", "_read", "_write")

    def __init__(
        self,
        source: str | None,
        target: str,
        *,
        exchange: Exchange | None = None,
        input_tokens: int | None = None,
        shown: Shown = _USUALLY,
        keeps: bool = True,
    ) -> None:
        restorer = event_restorer(exchange, input_tokens, at_home=source == target)
        self._is_same = source == target and restorer is None
        # What is not passed on as it came is told in full, at home, too.
        told_to = None if source == target and not self._is_same else target
        self._decoder = None if source is None else EventDecoder(source, told_to, keeps=keeps)
        self._encoder = EventEncoder(target, restorer, None if source == target else shown.chosen(exchange))
        self._read = None if self._decoder is None else self._decoder.feed
        self._write = self._encoder.feed
        self._ending: list[Event] | None = None  # the events that end the stream, once they have been read
        if source != target and _has_own_calls(source):
            self._write = _with_calls(self._write, target, self._encoder.log)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What has not come along so far."""
        return self._encoder.losses

    def feed(self, one: Any) -> list[Frame]:
        """Return the frames that a frame of the source makes, or an event where there is no source."""
        if self._read is None:
            return self._write(one)
        events = self._read(one)
        if self._is_same:  # it has been read for its errors alone
            return [one]
        if len(events) == 1:  # nearly always
            return self._write(events[0])
        return [frame for event in events for frame in self._write(event)]

    def is_whole(self) -> bool:
        """Tell, of a source that has ended, whether its answer has. `close` or `break_off` comes next."""
        events = self._read_end()
        return not any(event["type"] == "end" and not event["complete"] for event in events)

    def close(self) -> list[Frame]:
        """Return the frames that end the stream."""
        events = self._read_end()
        if self._is_same:
            return []
        frames = [frame for event in events for frame in self._write(event)]
        return [*frames, *self._encoder.close()]

    def break_off(self, error: Event) -> list[Frame]:
        """Return the frames that say an error, the last of the stream; none where one has been said."""
        return [*self._write(error), *self._encoder.close()]

    def _read_end(self) -> list[Event]:
        if self._ending is None:
            self._ending = [] if self._decoder is None else self._decoder.close()
        return self._ending


def _has_own_calls(source: str | None) -> bool:
    """Tell whether a stream may have calls in items that only its dialect has; so may events of any source."""
    described = None if source is None else known_descriptor(source)
    return described is None or described.call_tool is not None


def _with_calls(write: Callable[[Event], list[Frame]], target: str, log: LossLog) -> Callable[[Event], list[Frame]]:
    """Return what writes events, with calls of functions for those that only the client of another dialect knows."""
    calls: CallsInStream | None = None
    number = -1  # of the event, as losses tell it

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
    """Return what makes events the client's own, or None where nothing is to be done.

    At home that is the name of the model, where another one was asked for, and of tools that were renamed for it.
    """
    check_exchange(exchange)
    restoration = None if exchange is None else exchange.restoration
    if (restoration is None and input_tokens is None) or (
        at_home and (restoration is None or not (restoration.model or restoration.tools))
    ):
        return None
    from interlingua.restoring import EventRestorer  # noqa: PLC0415  # a plain stream needs none of it

    return EventRestorer(restoration, input_tokens)


def translate_stream(
    frames: Iterable[Frame] | AsyncIterable[Frame],
    source: Dialect,
    target: Dialect,
    *,
    exchange: Exchange | None = None,
    input_tokens: int | None = None,
    reasoning_member: ReasoningMember = USUAL,
    carry_state: bool = False,
) -> EncodedStream:
    """Return the frames of a stream in another dialect, and what does not come along. Builds no model.

    A frame is written as soon as it can be. `exchange` says what its client is to find: its own names and kinds of
    tools, its name for the model, usage where it asked for it. `input_tokens` is the count of the prompt, for a dialect
    that tells it first and a source that does not. `reasoning_member` and `carry_state` are those of
    `translate_response`. Raises `DecodeError` where a frame is malformed, `UnknownDialectError`, and
    `InvalidArgumentError` for frames that do not come one by one, such as the text of a stream.

    Args:
        frames: The frames, in order: objects or texts as read from the wire; an iterable or an async iterable.
        source: The dialect that it comes in.
        target: The dialect that it goes out in.
        exchange: The exchange that the answer is for, which knows the names that the client is to find.
        input_tokens: How many tokens the prompt has, where the answer does not say.
        reasoning_member: Where Chat Completions shows reasoning from elsewhere: the name of the member, or None.
        carry_state: Whether a client is given what the provider signed, where it can keep it, to send it back.

    Example:
        >>> frames = [{"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]}, "[DONE]"]
        >>> stream = il.translate_stream(frames, "openai_chat", "claude")
        >>> [frame["type"] for frame in stream][:2]
        ['message_start', 'content_block_start']
    """
    room(source)  # in the place of none, events would be written
    shown = Shown(reasoning_member, carry_state)
    steps = StreamSteps(source, target, exchange=exchange, input_tokens=input_tokens, shown=shown)
    return EncodedStream(steps, check_each(frames, "frames"))


def gather(events: Iterable[Event], *, refused: bool = True) -> dict[str, Any]:
    """Return the canonical response that plain events make.

    It is the very value that `decode_response` gives for the same answer without a stream. A stream that was cut gives
    what came, without a finish reason. Raises `StreamError` where an error came, with all that came beside it, unless
    `refused` says not to; `DecodeError` where the frames make no response of their dialect.
    """
    taken = list(events)
    error = next((event for event in taken if event["type"] == "error"), None)
    if error is None or not refused:
        return _gathered(taken)
    code = error.get("code", error.get("error_type"))
    raise StreamError(code, error.get("message"), _good_part(taken), error.get("category"))


def _good_part(events: list[Event]) -> dict[str, Any]:
    """Return the response that events make where frames that came before have been strange, too."""
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
    except UnsupportedError:  # a room of a third party may have streams and no answers, or read only
        return accumulate(events)
    except Malformed as malformed:  # a shape that no JSON has, such as a set of calls, which was carried as it came
        raise malformed.error(speaker.DESCRIPTOR.dialect) from None
    except (EncodeError, RecursionError, TypeError, AttributeError) as error:
        raise undecodable(events, speaker.DESCRIPTOR.dialect, error) from None
