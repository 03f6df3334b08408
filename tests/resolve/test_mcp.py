"""Resources of MCP servers: fetched in this process and over stdio, cached, added to a transcript, never hanging."""

from __future__ import annotations

import asyncio
import base64
import gc
import http.server
import logging
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import pytest
from mcp import Client, StdioServerParameters

import interlingua as il
from interlingua.errors import MissingExtraError, ResourceError
from interlingua.resolve.mcp import McpResources, ResourceLimits, touch_resource
from interlingua.resolve.mcp_freshness import CachedResource, Freshness, ResourceCache
from interlingua.transcript import Transcript
from interlingua_types import CURRENT
from interlingua_types._base import InvalidArgumentError
from servers.mcp_resources import API, PICTURE, SECRET, Reads, make_server

T = TypeVar("T")
SCRIPT: Final = Path(__file__).parents[1] / "servers" / "mcp_resources.py"
OVER_STDIO: Final = StdioServerParameters(command=sys.executable, args=[str(SCRIPT)])


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def go(self, **time: float) -> None:
        self.moment += timedelta(**time)


def said(words: str) -> il.TextMessage:
    return il.TextMessage(data=il.TextData(role=il.MessageRole.USER, content=words))


class Bench:
    """One server in this process, a clock, and resources of both."""

    def __init__(self, **members: Any) -> None:
        self.reads = Reads()
        self.clock = Clock()
        self.resources = McpResources({"docs": make_server(self.reads)}, now=self.clock, **members)

    def run(self, work: Callable[[McpResources], Awaitable[T]]) -> T:
        async def whole() -> T:
            async with self.resources as resources:
                return await work(resources)

        return asyncio.run(whole())

    def get(self, *uris: str) -> list[il.McpResourceMessage]:
        async def work(resources: McpResources) -> list[il.McpResourceMessage]:
            return [await resources.get_async("docs", uri) for uri in uris]

        return self.run(work)

    def failure(self, uri: str) -> ResourceError:
        async def work(resources: McpResources) -> ResourceError:
            with pytest.raises(ResourceError) as caught:
                await resources.get_async("docs", uri)
            assert SECRET not in "".join(traceback.format_exception(caught.value))
            assert caught.value.__context__ is None
            return caught.value

        return self.run(work)


@pytest.mark.requirement(
    "TYPE-1.7.1",
    "TYPE-1.7.2",
    "TYPE-1.7.3",
    "TYPE-1.7.4",
    "TYPE-1.7.5",
    "TYPE-1.7.6",
    "TYPE-8.1.1",
    "TYPE-8.1.2",
    "TYPE-8.2.2",
)
def test_a_resource_is_fetched_from_its_server_and_becomes_a_message() -> None:
    (message,) = Bench().get("docs://api")
    assert type(message) is il.McpResourceMessage
    assert message.model_dump(mode="json") == {
        "schema_version": CURRENT,
        "type": "mcp_resource",
        "data": {
            "server_name": "docs",
            "resource_uri": "docs://api",
            "content": API,
            "mime_type": "text/markdown",
            "retrieved_at": "2026-05-01T12:00:00Z",
            "last_accessed_at": "2026-05-01T12:00:00Z",
        },
    }
    assert il.load_message(il.dump_message(message)) == (message,)


@pytest.mark.requirement("TYPE-1.7.2", "TYPE-1.7.3", "TYPE-8.1.2")
def test_each_server_is_asked_for_its_own_resources_and_named_in_the_message() -> None:
    reads = {"docs": Reads(), "tables": Reads()}
    asked = {"docs": ["docs://api"], "tables": ["db://schema", "docs://count"]}
    resources = McpResources({name: make_server(one) for name, one in reads.items()})

    async def work() -> list[tuple[str, str]]:
        async with resources:
            found = [await resources.get_async(name, uri) for name, uris in asked.items() for uri in uris]
        return [(one.data.server_name, one.data.resource_uri) for one in found]

    assert asyncio.run(work()) == [(name, uri) for name, uris in asked.items() for uri in uris]
    assert {name: list(one.count) for name, one in reads.items()} == asked


@pytest.mark.requirement("TYPE-1.7.4")
def test_bytes_become_base64_and_an_empty_text_is_kept() -> None:
    picture, empty = Bench().get("docs://picture", "docs://empty")
    assert (picture.data.encoding, picture.data.mime_type) == ("base64", "image/png")
    assert base64.b64decode(picture.data.content) == PICTURE
    assert (empty.data.encoding, empty.data.content) == (None, "")


@pytest.mark.requirement("TYPE-8.1.3")
def test_an_injected_resource_is_appended_to_the_active_branch() -> None:
    transcript = Transcript()
    transcript.append(said("What is there?"))
    transcript.fork("try")
    transcript.switch("try")
    before = transcript.messages
    message = Bench().run(lambda resources: resources.inject_async(transcript, "docs", "docs://api"))
    assert transcript.messages == (*before, message)
    assert message.id is not None
    assert message.created_at is not None
    transcript.switch("main")
    assert message not in transcript.messages


def test_an_existing_resource_is_marked_as_used_and_not_added_again() -> None:
    transcript = Transcript()
    bench = Bench()

    async def work(resources: McpResources) -> None:
        first = await resources.inject_async(transcript, "docs", "docs://api")
        bench.clock.go(minutes=5)
        again = await resources.inject_async(transcript, "docs", "docs://api")
        assert again.id == first.id
        assert again.data.last_accessed_at == "2026-05-01T12:05:00Z"
        assert transcript.messages == (again,)
        await resources.inject_async(transcript, "docs", "docs://count")
        changed = await resources.inject_async(transcript, "docs", "docs://count", refresh=True)
        assert len(transcript) == 3
        assert transcript.messages[-1] == changed

    bench.run(work)


def test_older_versions_of_a_resource_stay_in_the_history_and_only_the_newest_is_sent() -> None:
    transcript = Transcript()

    async def work(resources: McpResources) -> None:
        for _ in range(3):
            await resources.inject_async(transcript, "docs", "docs://count", refresh=True)
        await resources.inject_async(transcript, "docs", "docs://api")

    Bench().run(work)
    held = [message.data.content for message in transcript.messages if isinstance(message, il.McpResourceMessage)]
    assert held == ["read 1", "read 2", "read 3", API]
    newest = [il.SystemChatMessage(content="read 3"), il.SystemChatMessage(content=API)]
    assert il.to_chat(transcript.messages) == newest
    stored = il.load_messages([il.dump_message(message) for message in transcript.messages])
    assert il.to_chat(stored.messages) == newest


def test_a_resource_that_returned_to_an_earlier_content_is_sent_as_the_newest() -> None:
    transcript = Transcript()

    async def work(resources: McpResources) -> il.McpResourceMessage:
        first = await resources.inject_async(transcript, "docs", "docs://count")
        transcript.append(first.replace(id=None, data=first.data.replace(content="meanwhile another")))
        return await resources.inject_async(transcript, "docs", "docs://count")

    again = Bench().run(work)
    assert transcript.messages[-1] == again
    assert il.to_chat(transcript.messages) == [il.SystemChatMessage(content="read 1")]


def test_several_contents_of_one_uri_are_sent_and_replaced_together() -> None:
    transcript = Transcript()

    async def work(resources: McpResources) -> None:
        for _ in range(2):
            for content in await resources.get_all_async("docs", "docs://twice", refresh=True):
                transcript.append(content)

    Bench().run(work)
    told = il.to_chat(transcript.messages)
    assert len(transcript) == 4
    assert [message.role for message in told] == ["system", "user"]
    assert told[0] == il.SystemChatMessage(content="read 2")


def test_a_failed_injection_does_not_change_the_transcript() -> None:
    transcript = Transcript()

    async def work(resources: McpResources) -> None:
        with pytest.raises(ResourceError):
            await resources.inject_async(transcript, "docs", "docs://broken")

    Bench().run(work)
    assert len(transcript) == 0


def test_touch_only_changes_the_time_of_use() -> None:
    transcript = Transcript()
    clock = Clock()
    message = Bench().run(lambda resources: resources.inject_async(transcript, "docs", "docs://api"))
    other = transcript.append(said("Go on."))
    clock.go(hours=3)
    touched = touch_resource(transcript, message.id or "", now=clock)
    assert touched == message.replace(data=message.data.replace(last_accessed_at="2026-05-01T15:00:00Z"))
    assert transcript.messages == (touched, other)
    with pytest.raises(InvalidArgumentError):
        touch_resource(transcript, getattr(other, "id", ""))


@pytest.mark.requirement("TYPE-8.3.1")
def test_a_fresh_resource_is_not_fetched_again() -> None:
    bench = Bench()
    first, second = bench.get("docs://count", "docs://count")
    assert first == second
    assert second.data.content == "read 1"
    assert bench.reads.count == {"docs://count": 1}


@pytest.mark.requirement("TYPE-1.7.6", "TYPE-8.3.2", "TYPE-8.3.3")
def test_a_resource_older_than_an_hour_is_fetched_again() -> None:
    bench = Bench()

    async def work(resources: McpResources) -> list[tuple[str, str, str | None]]:
        found: list[tuple[str, str, str | None]] = []
        for minutes in (0, 60, 1):
            bench.clock.go(minutes=minutes)
            data = (await resources.get_async("docs", "docs://count")).data
            found.append((data.content, data.retrieved_at[11:16], (data.last_accessed_at or "")[11:16]))
        return found

    assert bench.run(work) == [("read 1", "12:00", "12:00"), ("read 1", "12:00", "13:00"), ("read 2", "13:01", "13:01")]


def test_a_resource_with_a_future_timestamp_is_fetched_again() -> None:
    bench = Bench()

    async def work(resources: McpResources) -> str:
        await resources.get_async("docs", "docs://count")
        bench.clock.go(days=-1)
        return (await resources.get_async("docs", "docs://count")).data.content

    assert bench.run(work) == "read 2"


@pytest.mark.requirement("TYPE-8.3.4")
@pytest.mark.parametrize(
    ("uri", "mime_type", "hours"),
    [
        ("docs://a", "text/markdown; charset=utf-8", 1),
        ("docs://a", "TEXT/Plain", 2),
        ("db://a", "text/html", 2),
        ("db://a", "application/json", 3),
        ("DB://a", None, 3),
        ("docs://a", "application/json", 4),
        ("other:a", None, 4),
    ],
)
def test_the_lifetime_depends_on_the_media_type(uri: str, mime_type: str | None, hours: int) -> None:
    freshness = Freshness(
        by_mime_type={"text/markdown": timedelta(hours=1), "text/*": timedelta(hours=2)},
        by_scheme={"db": timedelta(hours=3)},
        by_server={"docs": timedelta(hours=4)},
    )
    assert freshness.lifetime("docs", uri, mime_type) == timedelta(hours=hours)
    assert Freshness().lifetime("docs", uri, mime_type) == timedelta(hours=1)


@pytest.mark.requirement("TYPE-8.3.4")
def test_each_type_of_resource_is_cached_for_its_configured_lifetime() -> None:
    bench = Bench(freshness=Freshness(by_scheme={"db": timedelta.max}, by_mime_type={"text/markdown": timedelta(0)}))

    async def work(resources: McpResources) -> None:
        for _ in range(3):
            for uri in ("db://schema", "docs://api", "docs://count"):
                await resources.get_async("docs", uri)
            bench.clock.go(minutes=40)
        await resources.get_async("docs", "db://schema", refresh=True)

    bench.run(work)
    # Plain text goes by the hour: "text/markdown" is asked for each time, "db" once, and again on demand.
    assert bench.reads.count == {"db://schema": 2, "docs://api": 3, "docs://count": 2}


def test_a_shared_cache_is_used_by_several_objects_and_can_be_cleared() -> None:
    cache = ResourceCache()
    Bench(cache=cache).get("docs://count")
    second = Bench(cache=cache)
    second.get("docs://count")
    assert second.reads.count == {}
    cache.discard(("docs", "docs://count"))
    cache.discard(("docs", "docs://count"))
    third = Bench(cache=cache)
    third.get("docs://count")
    assert third.reads.count == {"docs://count": 1}
    cache.clear()
    assert len(cache) == 0


def test_a_cache_discards_the_least_recently_used_entry() -> None:
    def entry(size: int) -> CachedResource:
        data = il.McpResourceData(server_name="s", resource_uri="u", content="x" * size, retrieved_at="2026-01-01")
        return CachedResource((data,), datetime(2026, 1, 1, tzinfo=UTC))

    cache = ResourceCache(max_entries=2, max_characters=100)
    cache.put(("s", "a"), entry(10))
    cache.put(("s", "b"), entry(10))
    assert cache.get(("s", "a")) is not None
    cache.put(("s", "c"), entry(10))
    assert [cache.get(("s", name)) is not None for name in "abc"] == [True, False, True]
    cache.put(("s", "c"), entry(95))
    assert [cache.get(("s", name)) is not None for name in "ac"] == [False, True]
    cache.put(("s", "d"), entry(101))
    assert len(cache) == 0


def test_concurrent_requests_for_one_resource_fetch_it_once_even_if_one_is_cancelled() -> None:
    bench = Bench()

    async def work(resources: McpResources) -> list[Any]:
        waiting = [asyncio.ensure_future(resources.get_async("docs", "docs://count")) for _ in range(4)]
        await asyncio.sleep(0)  # all of them have begun
        waiting[0].cancel()
        return await asyncio.gather(*waiting, return_exceptions=True)

    first, *others = bench.run(work)
    assert isinstance(first, asyncio.CancelledError)
    assert {message.data.content for message in others} == {"read 1"}


class Endless:
    """A client whose server never answers; `words` is what it raises where it is told to stop."""

    def __init__(self, words: str = "") -> None:
        self.words = words
        self.asked = asyncio.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        return None

    async def read_resource(self, _uri: str, *, cache_mode: str) -> Any:
        assert cache_mode == "bypass"
        self.asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if self.words:
                raise RuntimeError(self.words) from None
            raise


def test_a_request_waiting_during_close_raises_an_error_and_is_not_cancelled() -> None:
    async def work() -> ResourceError:
        client = Endless()
        resources = McpResources({"docs": lambda: client})
        waiting = asyncio.ensure_future(resources.get_async("docs", "docs://api"))
        await asyncio.wait_for(client.asked.wait(), 60)
        await resources.close_async()
        with pytest.raises(ResourceError) as caught:
            await waiting
        return caught.value

    error = asyncio.run(work())
    assert (error.code, error.retryable, error.__context__) == ("unreachable", True, None)


def test_an_abandoned_read_ends_without_a_log_entry(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        resources = McpResources({"docs": lambda: Endless(SECRET)}, limits=ResourceLimits(timeout_seconds=0.01))
        with pytest.raises(ResourceError, match="timeout"):
            await resources.get_async("docs", "docs://api")
        await resources.close_async()

    asyncio.run(work())
    gc.collect()  # the loop reports a task whose error nobody looked at when it is collected
    assert [record.getMessage() for record in caplog.records] == []


def test_a_read_left_by_another_event_loop_does_not_prevent_closing() -> None:
    client = Endless()
    resources = McpResources({"docs": lambda: client})

    async def begin() -> asyncio.Task[Any]:
        task = asyncio.create_task(resources.get_async("docs", "docs://api"))
        await asyncio.wait_for(client.asked.wait(), 60)
        return task

    other = asyncio.new_event_loop()
    try:
        waiting = other.run_until_complete(begin())
        asyncio.run(resources.close_async())
        other.run_until_complete(resources.close_async())
        with pytest.raises(ResourceError, match="unreachable"):
            other.run_until_complete(waiting)
        assert not asyncio.all_tasks(other)
    finally:
        other.close()


def test_a_stale_resource_that_cannot_be_fetched_is_an_error_or_marked_as_stale(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for when, expected in (("raise", None), ("use_stale", "read 1")):
        bench = Bench(when_unavailable=when)
        assert bench.get("docs://count")[0].data.error is None
        bench.clock.go(hours=2)
        bench.reads.is_broken = True
        if expected is None:
            assert bench.failure("docs://count").code == "refused"
            continue
        with caplog.at_level(logging.WARNING, "interlingua"):
            (stale,) = bench.get("docs://count")
        assert (stale.data.content, stale.data.retrieved_at) == (expected, "2026-05-01T12:00:00Z")
        assert stale.data.error == il.Failure(
            code="refused", message="a resource of the server 'docs' could not be read: refused", retryable=True
        )
        assert [record.getMessage() for record in caplog.records if record.name.startswith("interlingua")] == [
            "a stale resource of the server 'docs' is used: refused"
        ]
        bench.reads.is_broken = False
        assert bench.get("docs://count")[0].data.error is None


@pytest.mark.requirement("TYPE-1.7.3")
def test_a_resource_keeps_the_requested_uri_whatever_uri_its_server_returns() -> None:
    bench = Bench()
    transcript = il.Transcript()

    async def work(resources: McpResources) -> None:
        for _ in range(2):
            await resources.inject_async(transcript, "docs", "docs://moved")

    bench.run(work)
    (message,) = transcript.messages
    assert isinstance(message, il.McpResourceMessage)
    assert (message.data.resource_uri, message.data.content) == ("docs://moved", "moved")


@pytest.mark.requirement("TYPE-1.7.3")
def test_several_texts_of_a_resource_are_joined_or_become_separate_messages() -> None:
    bench = Bench()
    (joined,) = bench.get("docs://parts")
    assert joined.data.resource_uri == "docs://parts"
    assert joined.data.content == "docs://parts/1\none\n\ndocs://parts/2\ntwo"
    each = bench.run(lambda resources: resources.get_all_async("docs", "docs://parts"))
    assert [(one.data.resource_uri, one.data.content, one.data.mime_type) for one in each] == [
        ("docs://parts/1", "one", "text/plain"),
        ("docs://parts/2", "two", "text/markdown"),
    ]
    assert bench.reads.count == {"docs://parts": 1}


def test_contents_that_cannot_be_joined_require_get_all() -> None:
    bench = Bench()
    assert bench.failure("docs://mixed").code == "several"
    each = bench.run(lambda resources: resources.get_all_async("docs", "docs://mixed"))
    assert [one.data.encoding for one in each] == [None, "base64"]


@pytest.mark.parametrize(
    ("uri", "code", "retryable"),
    [
        ("docs://broken", "refused", True),
        ("docs://not-there", "refused", False),
        ("docs://nothing", "empty", False),
        ("docs://huge", "too_large", False),
        ("docs://bad", "bad_content", False),
        ("docs://never", "timeout", True),
    ],
)
def test_an_unavailable_resource_raises_one_typed_error_without_the_servers_text(
    uri: str, code: str, retryable: bool
) -> None:
    bench = Bench(limits=ResourceLimits(max_bytes=50_000, timeout_seconds=0.3))
    failure = bench.failure(uri)
    assert (failure.code, failure.server_name, failure.retryable) == (code, "docs", retryable)
    assert "docs://" not in str(failure)
    assert bench.get("docs://api")[0].data.content == API


def test_an_unknown_server_or_invalid_uri_is_refused_without_a_request() -> None:
    bench = Bench()

    async def work(resources: McpResources) -> None:
        with pytest.raises(ResourceError) as caught:
            await resources.get_async("other", "docs://api")
        assert caught.value.code == "unknown_server"
        with pytest.raises(InvalidArgumentError):
            await resources.get_async("docs", "")

    bench.run(work)
    assert bench.reads.count == {}


class Short:
    """Summarises by the number of words; async or not; or fails; or takes for ever."""

    def __init__(self, how: str) -> None:
        self.how = how
        self.asked: list[str] = []

    def summarize(self, resource: il.McpResourceMessage, /) -> Any:
        self.asked.append(resource.data.resource_uri)
        if self.how == "fails":
            raise RuntimeError(SECRET)
        words = f"{len(resource.data.content.split())} words"
        return words if self.how == "at once" else self.later(words)

    async def later(self, words: str) -> str:
        if self.how == "never":
            await asyncio.Event().wait()
        return words


@pytest.mark.requirement("TYPE-8.2.2", "TYPE-8.2.4")
@pytest.mark.parametrize(
    ("how", "summary"), [("at once", "10000 words"), ("later", "10000 words"), ("fails", None), ("never", None)]
)
def test_a_large_text_gets_a_summary_unless_the_summarizer_fails(
    how: str, summary: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    summarizer = Short(how)
    bench = Bench(summarizer=summarizer, limits=ResourceLimits(summary_timeout_seconds=0.1))
    with caplog.at_level(logging.DEBUG, "interlingua"):
        long, short, picture, again = bench.get("docs://long", "docs://api", "docs://picture", "docs://long")
    assert long == again
    assert long.data.summary == summary
    assert long.data.content == "word " * 10_000
    assert (short.data.summary, picture.data.summary) == (None, None)
    assert summarizer.asked == ["docs://long"]
    assert SECRET not in caplog.text


def test_a_stdio_server_gives_texts_and_bytes_and_is_restarted_after_it_died() -> None:
    async def work() -> list[Any]:
        async with McpResources({"docs": OVER_STDIO}) as resources:
            found: list[Any] = [await resources.get_async("docs", uri) for uri in ("docs://api", "docs://picture")]
            with pytest.raises(TimeoutError):  # the caller's own limit holds, too, and the connection stays
                await asyncio.wait_for(resources.get_async("docs", "docs://never"), 0.2)
            for uri in ("docs://broken", "docs://gone"):
                with pytest.raises(ResourceError) as caught:
                    await resources.get_async("docs", uri)
                found.append((caught.value.code, caught.value.retryable))
            found.append(await resources.get_async("docs", "docs://count"))
            return found

    api, picture, broken, gone, count = asyncio.run(work())
    assert api.data.content == API
    assert base64.b64decode(picture.data.content) == PICTURE
    assert (broken, gone) == (("refused", True), ("unreachable", True))
    assert count.data.content == "read 1"


def test_a_silent_or_missing_program_is_a_typed_error() -> None:
    silent = StdioServerParameters(command=sys.executable, args=["-c", "import time; time.sleep(60)"])
    missing = StdioServerParameters(command=str(SCRIPT.with_name("no-such-program")))

    async def work() -> list[str]:
        codes = []
        servers = {"silent": silent, "missing": missing}
        async with McpResources(servers, limits=ResourceLimits(timeout_seconds=0.3)) as resources:
            for name in servers:
                with pytest.raises(ResourceError) as caught:
                    await resources.get_async(name, "docs://api")
                codes.append(caught.value.code)
        return codes

    assert asyncio.run(work()) == ["timeout", "unreachable"]


def test_a_function_may_create_the_client_and_the_next_event_loop_reconnects() -> None:
    reads = Reads()
    made: list[Client] = []

    def connect() -> Client:
        made.append(Client(make_server(reads), cache=None))
        return made[-1]

    resources = McpResources({"docs": connect})
    for _ in range(2):
        asyncio.run(_get(resources, "docs://count"))  # left open: the end of the loop closes it
    assert reads.count == {"docs://count": 2}
    assert len(made) == 2


async def _get(resources: McpResources, uri: str) -> il.McpResourceMessage:
    return await resources.get_async("docs", uri, refresh=True)


class Refusing(http.server.BaseHTTPRequestHandler):
    """Answers that it does not want to."""

    def do_POST(self) -> None:
        self.send_response(500)
        self.end_headers()

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


@contextmanager
def listening() -> Iterator[int]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_no_log_and_no_error_contains_the_key_of_a_resource(caplog: pytest.LogCaptureFixture) -> None:
    async def work(port: int) -> str:
        async with McpResources({"docs": f"http://127.0.0.1:{port}/mcp"}) as resources:
            with pytest.raises(ResourceError) as caught:
                await resources.get_async("docs", f"docs://api?key={SECRET}")
            assert caught.value.code == "unreachable"
            return "".join(traceback.format_exception(caught.value))

    with caplog.at_level(logging.INFO), caplog.at_level(logging.DEBUG, "interlingua"), listening() as port:
        shown = asyncio.run(work(port))
    assert "HTTP Request: POST" in caplog.text  # the server was asked, and the SDK says so
    assert SECRET not in caplog.text
    assert SECRET not in shown


@pytest.mark.parametrize("where", ["https://user:{}@example.com/mcp", "https://example.com/mcp?token={}"])
def test_a_url_with_a_key_in_it_is_refused_because_the_sdk_logs_urls(where: str) -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        McpResources({"docs": where.format(SECRET)})
    assert SECRET not in str(refused.value)


def test_without_the_sdk_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(MissingExtraError) as caught:
        bench.get("docs://api")
    assert (caught.value.extra, caught.value.package) == ("mcp", "mcp")
    assert "interlingua[mcp]" in str(caught.value)
