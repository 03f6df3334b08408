"""Streams that nobody reads to the end: their source is closed at once, and not when the garbage is collected."""

from __future__ import annotations

import asyncio
import gc
from contextlib import aclosing, closing
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.frames import read_frames, read_frames_async, write_frames, write_frames_async

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    from interlingua.frames import Frame

FRAMES: Final[tuple[dict[str, Any], ...]] = tuple(
    {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}],
    }
    for text in ("a", "b", "c")
)
END: Final = {"type": "message_stop"}
LINES: Final = tuple(write_frames(FRAMES, "openai_chat"))


class Source:
    """A source of frames or bytes, read with `for` or `async for`, that knows whether it was closed and how often."""

    def __init__(self, content: tuple[Any, ...]) -> None:
        self.content = content
        self.closed = 0
        self.read = 0

    def frames(self) -> Iterator[Any]:
        """Yield the content."""
        try:
            for one in self.content:
                self.read += 1
                yield one
        finally:
            self.closed += 1

    async def frames_async(self) -> AsyncIterator[Any]:
        """Yield the content to `async for`."""
        try:
            for one in self.content:
                self.read += 1
                yield one
        finally:
            await asyncio.sleep(0)  # closing may have to wait
            self.closed += 1


class Connection:
    """A source that is no iterator of its own, and has a `close` or an `aclose`, as those of the official clients."""

    def __init__(self) -> None:
        self.closed = 0

    def __iter__(self) -> Iterator[Frame]:
        return iter(FRAMES)

    def close(self) -> None:
        """Close the connection."""
        self.closed += 1


class AsyncConnection:
    """The same for `async for`; its `close` is awaited."""

    def __init__(self) -> None:
        self.closed = 0

    async def __aiter__(self) -> AsyncIterator[Frame]:
        for frame in FRAMES:
            yield frame

    async def close(self) -> None:
        """Close the connection."""
        self.closed += 1


def events(frames: Any) -> Any:
    return il.decode_stream(frames, "openai_chat")


CHAINS: Final[Mapping[str, tuple[tuple[Any, ...], Callable[[Any], Any]]]] = MappingProxyType(
    {
        "decode_stream": (FRAMES, events),
        "translate_stream": (FRAMES, lambda source: il.translate_stream(source, "openai_chat", "claude")),
        "encode_stream of decode_stream": (FRAMES, lambda source: il.encode_stream(events(source), "claude")),
        "decode_stream of translate_stream": (
            FRAMES,
            lambda source: il.decode_stream(il.translate_stream(source, "openai_chat", "claude"), "claude"),
        ),
        "translate_stream twice": (
            FRAMES,
            lambda source: il.translate_stream(
                il.translate_stream(source, "openai_chat", "claude"), "claude", "openai_chat"
            ),
        ),
    }
)
BYTES: Final[Mapping[str, Callable[[Any], Any]]] = MappingProxyType(
    {
        "read_frames": read_frames,
        "write_frames": lambda chunks: write_frames(read_frames(chunks), "openai_chat"),
        "all the way": lambda chunks: write_frames(
            il.translate_stream(read_frames(chunks), "openai_chat", "claude"), "claude"
        ),
    }
)
BYTES_ASYNC: Final[Mapping[str, Callable[[Any], Any]]] = MappingProxyType(
    {
        "read_frames_async": read_frames_async,
        "write_frames_async": lambda chunks: write_frames_async(read_frames_async(chunks), "openai_chat"),
        "all the way": lambda chunks: write_frames_async(
            il.translate_stream(read_frames_async(chunks), "openai_chat", "claude"), "claude"
        ),
    }
)


@pytest.fixture(autouse=True)
def _uncollected() -> Iterator[None]:
    """Collect no garbage meanwhile: whatever is closed then is closed because somebody closed it."""
    gc.disable()
    yield
    gc.enable()


def read_one(stream: Any) -> tuple[Any, Any]:
    """Return the first of a stream, and the iterator, which is held so that nothing is closed by letting it go."""
    iterator = iter(stream)
    return next(iterator), iterator


async def read_one_async(stream: Any) -> tuple[Any, Any]:
    """Return the first of a stream that is read with `async for`, and the iterator."""
    iterator = aiter(stream)
    return await anext(iterator), iterator


@pytest.mark.parametrize("chain", [*CHAINS, *BYTES])
def test_closing_a_stream_closes_its_source_immediately(chain: str) -> None:
    content, make = CHAINS.get(chain) or (LINES, BYTES[chain])
    source = Source(content)
    frames = source.frames()
    with closing(make(frames)) as stream:
        _, iterator = read_one(stream)
        assert (source.closed, source.read) == (0, 1)
        stream.close()
        assert source.closed == 1
        assert END not in list(iterator)  # what was written already may still come
        stream.close()
    assert (source.closed, source.read) == (1, 1)


@pytest.mark.parametrize("chain", [*CHAINS, *BYTES_ASYNC])
def test_closing_an_async_stream_closes_its_source_immediately(chain: str) -> None:
    content, make = CHAINS.get(chain) or (LINES, BYTES_ASYNC[chain])
    source = Source(content)

    async def main() -> None:
        frames = source.frames_async()
        async with aclosing(make(frames)) as stream:
            _, iterator = await read_one_async(stream)
            assert (source.closed, source.read) == (0, 1)
            await stream.aclose()
            assert source.closed == 1
            assert END not in [one async for one in iterator]
            await stream.aclose()
        assert (source.closed, source.read) == (1, 1)

    asyncio.run(main())


@pytest.mark.parametrize("chain", [name for name in CHAINS if not name.startswith("decode")])
def test_leaving_the_context_closes_a_stream_and_ends_iteration(chain: str) -> None:
    content, make = CHAINS[chain]
    source, other, later = Source(content), Source(content), Source(content)
    frames = source.frames()
    with make(frames) as stream:
        _, iterator = read_one(stream)
    assert source.closed == 1
    assert END not in list(iterator)
    with pytest.raises(ValueError, match="closed"):
        list(stream)

    async def main() -> None:
        async with make(other.frames_async()) as stream:
            await read_one_async(stream)
        assert other.closed == 1
        async with make(later.frames()) as stream:  # an ordinary source, read with `async for`
            if not chain.startswith("encode"):
                await read_one_async(stream)
        assert later.closed == (0 if chain.startswith("encode") else 1)

    asyncio.run(main())


def test_leaving_a_loop_early_closes_the_source_even_if_the_stream_is_still_referenced() -> None:
    source = Source(FRAMES)
    frames = source.frames()
    stream = il.translate_stream(frames, "openai_chat", "claude")
    for _ in stream:
        break
    assert source.closed == 1
    with pytest.raises(ValueError, match="closed"):
        next(iter(stream))


@pytest.mark.parametrize("chain", CHAINS)
def test_an_invalid_frame_closes_the_source(chain: str) -> None:
    source = Source((*FRAMES, {"choices": 7}, *FRAMES))
    frames = source.frames()
    with pytest.raises(il.DecodeError):
        list(CHAINS[chain][1](frames))
    assert (source.closed, source.read) == (1, 4)


@pytest.mark.parametrize("chain", CHAINS)
def test_an_exhausted_stream_is_closed_and_yields_nothing_more(chain: str) -> None:
    source = Source(FRAMES)
    stream = CHAINS[chain][1](source.frames())
    assert list(stream) != []
    assert list(stream) == []
    assert source.closed == 1


def test_a_source_that_is_not_an_iterator_is_closed_with_its_own_method() -> None:
    connection, later = Connection(), AsyncConnection()
    with il.translate_stream(connection, "openai_chat", "claude"):
        assert connection.closed == 0
    assert connection.closed == 1

    async def main() -> None:
        stream = il.translate_stream(later, "openai_chat", "claude")
        with pytest.raises(TypeError):
            stream.close()
        async with stream:
            await read_one_async(stream)
            assert later.closed == 0
        assert later.closed == 1

    asyncio.run(main())


def test_an_error_while_closing_is_raised_after_everything_is_closed() -> None:
    class Failing(Connection):
        def __iter__(self) -> Iterator[Frame]:
            try:
                yield from FRAMES
            finally:
                self.closed += 1
                raise OSError("the line is dead")

    connection = Failing()
    stream = il.translate_stream(connection, "openai_chat", "claude")
    _, iterator = read_one(stream)
    with pytest.raises(OSError, match="dead"):
        stream.close()
    assert connection.closed == 2
    assert END not in list(iterator)
