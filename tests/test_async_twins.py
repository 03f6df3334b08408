"""One convention: the plain name blocks, its twin with `_async` is awaited, and both take and return the same."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any, Final

import pytest
from mcp.server.mcpserver import MCPServer

import interlingua as il
from interlingua import tools

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OWNERS: Final = (il, tools.ToolExecutor, il.FileResolver, il.ImageResolver, il.McpResources, il.SessionStore)
WAIT: Final = 60.0


def public(owner: Any) -> dict[str, Callable[..., Any]]:
    """Return the public functions of a module or class."""
    return {name: value for name in dir(owner) if name[0] != "_" and inspect.isfunction(value := getattr(owner, name))}


def is_awaited(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def said(words: str) -> il.TextMessage:
    return il.TextMessage(data=il.TextData(role=il.MessageRole.USER, content=words))


def approved(**arguments: Any) -> il.ToolRequestMessage:
    call = il.ToolCall(id="c1", name="double", arguments=arguments)
    return tools.approve(tools.request([call]), "c1", decided_by="ada")


async def double(number: int) -> int:
    """Double a number."""
    return number * 2


EXECUTOR: Final = tools.ToolExecutor([tools.Tool.from_function(double)])


@pytest.mark.parametrize("owner", OWNERS, ids=lambda owner: owner.__name__)
def test_every_async_function_has_the_suffix_and_a_blocking_counterpart_with_the_same_parameters(owner: Any) -> None:
    named = public(owner)
    awaited = {name for name, value in named.items() if is_awaited(value)}
    assert awaited == {name for name in named if name.endswith("_async")}
    for name in awaited:
        plain, twin = (inspect.signature(named[one]) for one in (name.removesuffix("_async"), name))
        assert plain.parameters == twin.parameters
        assert str(plain.return_annotation).removeprefix("Async") == str(twin.return_annotation).removeprefix("Async")


def test_every_store_method_that_accesses_the_file_has_an_async_counterpart() -> None:
    named = public(il.SessionStore)
    assert {f"{name}_async" for name in named if not name.endswith("_async")} <= named.keys()


def test_a_deprecated_name_does_the_same_as_the_new_one_with_a_warning() -> None:
    story = il.Transcript([approved(number=2)])
    with pytest.warns(DeprecationWarning, match="run_tools"):
        (result,) = il.run_tools_sync(story, EXECUTOR)
    with pytest.warns(DeprecationWarning, match="is now run"):
        (again,) = EXECUTOR.run_sync(approved(number=2))
    assert result.data.output == again.data.output == 4


def test_a_blocking_call_inside_an_event_loop_names_its_async_counterpart() -> None:
    resources = il.McpResources({})

    async def main() -> None:
        with pytest.raises(il.RunningLoopError, match="run_tools_async"):
            il.run_tools(il.Transcript(), EXECUTOR)
        with pytest.raises(il.RunningLoopError, match="run_async"):
            EXECUTOR.run(approved(number=1))
        for name, arguments in (("get", ("s", "u")), ("get_all", ("s", "u")), ("inject", (il.Transcript(), "s", "u"))):
            with pytest.raises(il.RunningLoopError, match=f"{name}_async"):
                getattr(resources, name)(*arguments)

    asyncio.run(main())


def test_a_run_refuses_an_async_save_function_that_it_cannot_await(tmp_path: Path) -> None:
    with il.SessionStore(tmp_path / "store.db") as store:
        story = il.Transcript([approved(number=2)])
        with pytest.raises(il.InvalidArgumentError, match="plain function"):
            il.run_tools(story, EXECUTOR, save=store.save_async)
        assert len(story.messages) == 1


def test_async_store_methods_can_be_awaited(tmp_path: Path) -> None:
    async def main() -> None:
        with il.SessionStore(tmp_path / "store.db") as store:
            session = await store.create_async(metadata={"title": "t"})
            await store.append_async(session, [said("one"), said("two")])
            loaded = await store.load_async(session)
            loaded.transcript.append(said("three"))
            await store.save_async(loaded.transcript)
            await store.fork_async(session, "other")
            texts = [message.text async for message in store.iterate_async(session) if message.type == "text"]
            assert texts == ["one", "two", "three"]
            assert await store.branches_async(session) == ("main", "other")
            assert (await store.load_tail_async(session, 1)).messages == store.load_tail(session, 1).messages
            assert [info.id for info in await store.sessions_async()] == [session]
            exported = await store.export_jsonl_async(session, tmp_path / "lines.jsonl")
            imported = await store.import_jsonl_async(tmp_path / "lines.jsonl")
            assert imported.session_id != session
            assert exported == store.export_jsonl(session, tmp_path / "again.jsonl")
            assert await store.check_async() == []
            await store.delete_async(session)
            with pytest.raises(il.SessionNotFoundError):
                await store.load_async(session)
            await store.close_async()

    asyncio.run(asyncio.wait_for(main(), WAIT))


def test_async_file_methods_can_be_awaited(tmp_path: Path) -> None:
    tmp_path.joinpath("notes.txt").write_text("Buy milk.\n", encoding="utf-8")
    files = il.FileResolver(tmp_path)
    message = il.FileReferenceMessage.create("notes.txt")

    async def main() -> None:
        found = await files.resolve_async(message, agent_role="planner")
        assert found.data.content == "Buy milk.\n"
        assert await files.retry_async(message, agent_role="planner")
        assert await files.read_async("notes.txt", agent_role="planner", start_line=1) != ""
        assert await files.read_bytes_async("notes.txt", agent_role="planner") == b"Buy milk.\n"

    asyncio.run(asyncio.wait_for(main(), WAIT))


class Counted:
    """A server of one resource, which counts how often it is read."""

    def __init__(self) -> None:
        self.reads = 0
        self.server = MCPServer("demo")

        @self.server.resource("docs://api", mime_type="text/markdown")
        def api() -> str:
            """Return the page."""
            self.reads += 1
            return "# API"


def test_blocking_resource_methods_share_the_cache_with_async_ones() -> None:
    counted, story = Counted(), il.Transcript()
    with il.McpResources({"docs": counted.server}) as resources:
        assert resources.get("docs", "docs://api").data.content == "# API"
        assert resources.inject(story, "docs", "docs://api") in story.messages
        assert [one.data.content for one in resources.get_all("docs", "docs://api")] == ["# API"]
        assert asyncio.run(resources.get_async("docs", "docs://api")).data.content == "# API"
        assert counted.reads == 1
        resources.get("docs", "docs://api", refresh=True)
        with pytest.raises(il.ResourceError):
            resources.get("other", "docs://api")
    resources.close()
    resources.get("docs", "docs://api", refresh=True)  # connects again
    assert counted.reads == 3

    async def main() -> None:
        async with resources:
            await resources.get_async("docs", "docs://api", refresh=True)

    asyncio.run(asyncio.wait_for(main(), WAIT))  # closes both
    assert counted.reads == 4
