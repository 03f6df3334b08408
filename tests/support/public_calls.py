"""A call of each public function and method with arguments: its name, the function, and its arguments.

Objects are created for each call, so that no call is affected by another one.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import interlingua as il
from interlingua import chat, context, items, messages, resolve, sessions, tools

__all__ = ["PublicCall", "public_calls"]


class PublicCall(NamedTuple):
    """A public function or method, how to get it, and valid arguments."""

    name: str
    found: Callable[[], Callable[..., Any]]
    given: Mapping[str, Any]


BODY: Final[dict[str, Any]] = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}
ANSWER: Final = {
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}],
}
FRAMES: Final[list[Any]] = [
    {"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]},
    "[DONE]",
]
SEEN: Final = '{"description": "A sign.", "text": "Stop"}'
CLAUDE: Final = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": SEEN}]}
ERROR: Final = {"error": {"message": "x"}}
RETRY: Final = {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}
TEXT: Final = {"role": "user", "content": "Hi"}
REQUEST: Final = il.ChatRequest(model="m", messages=[chat.create_user("Hi")])
PICTURED: Final = il.ChatRequest(messages=[chat.create_user([il.ImagePart(url="https://example.com/a.png")])])
CALL: Final = il.ToolCall(id="c1", name="add", arguments={"a": 1})
STORED: Final = messages.user("Hi")
MOMENT: Final = datetime(2026, 1, 1, tzinfo=UTC)


def now() -> datetime:
    return MOMENT


def new_id() -> str:
    return "new"


def add(a: int) -> int:
    """Add."""
    return a


def nothing(*_given: Any) -> None:
    """Do nothing."""


def said(*_given: Any) -> Any:
    return CLAUDE


def asked() -> il.ToolRequestMessage:
    return tools.request([CALL])


def story() -> il.Transcript:
    resource = messages.resource("docs", "docs://a", "A", retrieved_at="2026-01-01T00:00:00Z")
    listed: list[Any] = [STORED.replace(id="a"), asked().replace(id="b"), resource.replace(id="r")]
    return il.Transcript(listed, id="t", now=now)


def public_calls(folder: Path) -> list[PublicCall]:
    """Return a call of each public function; files are created in the folder."""
    (folder / "a.txt").write_text("a\n")
    (folder / "a.jsonl").write_text('{"role": "user", "content": "Hi"}\n')
    return [*_of_codecs(), *_of_chat(), *_of_tools(), *_of_transcripts(), *_of_resolvers(folder), *_of_stores(folder)]


def _calls(table: Mapping[str, tuple[Callable[..., Any], Mapping[str, Any]]]) -> list[PublicCall]:
    return [PublicCall(name, partial(_itself, called), given) for name, (called, given) in table.items()]


def _itself(called: Callable[..., Any]) -> Callable[..., Any]:
    return called


def _of_codecs() -> list[PublicCall]:
    one = il.exchange(BODY, "openai_chat", "claude")
    events = list(il.decode_stream(FRAMES, "openai_chat"))
    response = il.decode_response(ANSWER, "openai_chat")
    error = il.decode_error(ERROR, "openai_chat", status=400)
    asking = {"strict": False, "model": "m", "defaults": {"max_tokens": 5}, "api_version": None, "profile": "auto"}
    told = {"exchange": one, "input_tokens": 3, "reasoning_member": "reasoning_content"}
    ways = {"source": "openai_chat", "target": "claude"}
    of_error = {"body": ERROR, "status": 400, "headers": RETRY, "now": MOMENT}
    pushed = [
        PublicCall("ExchangeStream.feed", lambda: one.push().feed, {"frame": {"type": "ping"}}),
        PublicCall("ExchangeStream.break_off", lambda: one.push().break_off, {"error": error}),
        PublicCall("StreamDecoder.feed", lambda: il.StreamDecoder("claude").feed, {"frame": {"type": "ping"}}),
        PublicCall("StreamEncoder.feed", lambda: il.StreamEncoder("claude").feed, {"event": events[0]}),
    ]
    return pushed + _calls(
        {
            "decode_request": (il.decode_request, {"body": BODY, "dialect": "openai_chat"}),
            "decode_response": (il.decode_response, {"body": ANSWER, "dialect": "openai_chat"}),
            "decode_stream": (il.decode_stream, {"frames": FRAMES, "dialect": "openai_chat"}),
            "decode_error": (il.decode_error, {"dialect": "openai_chat", **of_error}),
            "encode_request": (il.encode_request, {"request": REQUEST, "dialect": "claude", **asking}),
            "encode_response": (
                il.encode_response,
                {"response": response, "dialect": "claude", "strict": False, **told},
            ),
            "encode_stream": (il.encode_stream, {"events": events, "dialect": "claude", **told}),
            "encode_error": (il.encode_error, {"error": error, "dialect": "claude"}),
            "encode_error_stream": (il.encode_error_stream, {"error": error, "dialect": "claude"}),
            "translate_request": (il.translate_request, {"body": BODY, **ways, **asking}),
            "translate_response": (il.translate_response, {"body": ANSWER, **ways, "strict": False, **told}),
            "translate_stream": (il.translate_stream, {"frames": FRAMES, **ways, **told}),
            "translate_error": (il.translate_error, {**of_error, **ways}),
            "exchange": (il.exchange, {"body": BODY, **ways, **asking, "reasoning_member": "reasoning_content"}),
            "Exchange.response": (one.response, {"body": CLAUDE, "strict": False}),
            "Exchange.error": (one.error, of_error),
            "Exchange.stream": (one.stream, {"frames": []}),
            "Exchange.from_json": (il.Exchange.from_json, {"text": one.to_json()}),
            "StreamDecoder": (il.StreamDecoder, {"dialect": "claude"}),
            "StreamEncoder": (il.StreamEncoder, {"dialect": "claude", **told}),
            "check_request": (
                il.check_request,
                {"body": BODY, "dialect": "openai_chat", "api_version": None, "profile": "auto"},
            ),
            "find_misspelt": (il.find_misspelt, {"body": BODY, "dialect": "openai_chat"}),
            "repair_request": (il.repair_request, {"request": REQUEST, "dialect": "claude"}),
            "chat.repair_request": (chat.repair_request, {"request": REQUEST, "dialect": "claude"}),
            "restore_names": (il.restore_names, {"response": response, "renamed": {}}),
            "detect": (il.detect, {"body": BODY}),
            "dialect": (il.dialect, {"name": "claude"}),
            "collect": (il.collect, {"events": events}),
            "normal_form": (il.normal_form, {"value": REQUEST}),
            "show": (il.show, {"value": REQUEST, "file": io.StringIO()}),
            "items.from_events": (items.from_events, {"events": events, "losses": []}),
            "items.load": (items.load, {"document": {"type": "message", "role": "user", "content": "Hi"}}),
            "items.text": (items.text, {"item": items.from_events(events)[0]}),
        }
    )


def _of_chat() -> list[PublicCall]:
    rules = chat.rules_of("claude")
    listed = REQUEST.messages
    history = il.ConversationHistory(rules)
    history.add(chat.create_user("Hi"))
    counter = context.HeuristicCounter()
    counted = context.MessageCounter(counter)
    made = {"content": "x", "name": "n", "id": "i"}
    choice = {"budget": 100, "keep": ["x"], "keep_last": 1, "resource_limit": 5, "summary_tokens": 4}
    factories = {
        f"chat.create_{role}": (getattr(chat, f"create_{role}"), {**made, "allow_empty": False})
        for role in ("system", "developer", "user", "assistant")
    }
    results = {"call_id": "c", "result": "x", "is_error": False}
    kept = {"rules": rules, "new_id": new_id}
    added = [
        PublicCall("ConversationHistory.add", lambda: il.ConversationHistory(rules).add, {"message": listed[0]}),
        PublicCall(
            "ConversationHistory.add_turn", lambda: il.ConversationHistory(rules).add_turn, {"messages": listed}
        ),
    ]
    return added + _calls(
        {
            **factories,
            "chat.create_tool_result": (chat.create_tool_result, results),
            "chat.create_message": (chat.create_message, {"role": "tool", "content": "x", "call_id": "c"}),
            "chat.attributed": (chat.attributed, {"speaker": "Ada", "text": "Hi"}),
            "chat.check_order": (chat.check_order, {"messages": listed, "rules": rules, "continued": ()}),
            "chat.flatten": (chat.flatten, {"messages": listed}),
            "chat.flatten_contents": (chat.flatten_contents, {"messages": listed}),
            "chat.load": (chat.load, {"document": TEXT}),
            "chat.rules_of": (chat.rules_of, {"dialect": "claude"}),
            "chat.view_of": (chat.view_of, {"messages": listed, "speaker": "Ada", "say": chat.attributed}),
            "chat.HistoryRules": (chat.HistoryRules, {"name": "x", "roles": frozenset({"user"}), "results": "next"}),
            "chat.Messages": (chat.Messages, {"messages": listed}),
            "ConversationHistory": (il.ConversationHistory, {**kept, "id": "x", "metadata": {}}),
            "ConversationHistory.from_json": (il.ConversationHistory.from_json, {"text": history.to_json(), **kept}),
            "ConversationHistory.from_conversation": (
                il.ConversationHistory.from_conversation,
                {"conversation": history.to_conversation(), **kept},
            ),
            "ConversationHistory.validate": (history.validate, {"rules": rules}),
            "context.select": (context.select, {"messages": [STORED], "counter": counter, **choice}),
            "context.window": (context.window, {"messages": [STORED], "last": 1}),
            "context.Costs": (context.Costs, {"request": 3, "picture_side": 5}),
            "context.MessageCounter": (context.MessageCounter, {"counter": counter, "costs": context.Costs()}),
            "context.MessageCounter.count_message": (counted.count_message, {"message": STORED}),
            "context.MessageCounter.count_overhead": (counted.count_overhead, {"request": REQUEST}),
            "context.MessageCounter.count_request": (counted.count_request, {"request": REQUEST}),
            "context.HeuristicCounter.count": (counter.count, {"text": "x"}),
            "context.TiktokenCounter": (context.TiktokenCounter, {"vocabulary": "o200k_base"}),
            "context.TiktokenCounter.count": (context.TiktokenCounter().count, {"text": "x"}),
        }
    )


def _of_tools() -> list[PublicCall]:
    tool = tools.Tool.from_function(add)
    names = {"names": frozenset({"add"}), "decided_by": "x", "reason": "y"}
    decided = {"message": asked(), "call_id": "c1", "decided_by": "x", "reason": "y", "now": now, "answered": ()}
    approved = {"message": tools.approve(asked(), "c1", decided_by="Ada"), "answered": ()}
    executor = tools.ToolExecutor([tool])
    limits = {"timeout_seconds": 1.0, "grace_seconds": 1.0, "output_bytes": 5, "concurrent_calls": 4}
    calling = {"transcript": story(), "executor": executor, "policy": tools.AskAlways(), "save": nothing, "now": now}
    described = {"name": "x", "description": "d", "strict": True}
    return _calls(
        {
            "tools.AllowTools": (tools.AllowTools, names),
            "tools.AllowTools.decide": (tools.AllowTools(frozenset({"add"})).decide, {"call": CALL}),
            "tools.DenyTools": (tools.DenyTools, names),
            "tools.DenyTools.decide": (tools.DenyTools(frozenset({"add"})).decide, {"call": CALL}),
            "tools.AskAlways.decide": (tools.AskAlways().decide, {"call": CALL}),
            "tools.DecideBy": (tools.DecideBy, {"function": nothing}),
            "tools.DecideBy.decide": (tools.DecideBy(nothing).decide, {"call": CALL}),
            "tools.FirstDecision": (tools.FirstDecision, {"policies": (tools.AskAlways(),)}),
            "tools.FirstDecision.decide": (tools.FirstDecision((tools.AskAlways(),)).decide, {"call": CALL}),
            "tools.ArgumentReader": (tools.ArgumentReader, {"function": add}),
            "tools.ArgumentReader.read": (tools.ArgumentReader(add).read, {"arguments": {"a": 1}}),
            "tools.ExecutionLimits": (tools.ExecutionLimits, limits),
            "tools.Tool": (tools.Tool, {"definition": tool.definition, "function": add, "timeout_seconds": 1.0}),
            "tools.Tool.from_function": (
                tools.Tool.from_function,
                {"function": add, **described, "timeout_seconds": 1.0},
            ),
            "tools.define": (tools.define, {"function": add, **described}),
            "tools.ToolExecutor": (
                tools.ToolExecutor,
                {"tools": [tool], "limits": tools.ExecutionLimits(), "describe": str, "now": now},
            ),
            "tools.ToolExecutor.run": (executor.run, {**approved, "on_start": nothing, "on_result": nothing}),
            "tools.ToolExecutor.run_async": (
                executor.run_async,
                {**approved, "on_start": nothing, "on_result": nothing},
            ),
            "tools.apply_policy": (
                tools.apply_policy,
                {"message": asked(), "policy": tools.AskAlways(), "now": now, "answered": ()},
            ),
            "tools.approve": (tools.approve, decided),
            "tools.deny": (tools.deny, decided),
            "tools.call_id_of": (tools.call_id_of, {"call": CALL}),
            "tools.check_arguments": (tools.check_arguments, {"call": CALL, "definition": tool.definition}),
            "tools.read_arguments": (tools.read_arguments, {"call": CALL, "definition": tool.definition}),
            "tools.exception_text": (tools.exception_text, {"error": ValueError("x")}),
            "tools.fill_call_ids": (tools.fill_call_ids, {"message": asked(), "new_id": new_id}),
            "tools.pending_calls": (tools.pending_calls, {"message": asked(), "answered": ()}),
            "tools.request": (tools.request, {"calls": [CALL]}),
            "run_tools": (il.run_tools, calling),
            "run_tools_async": (il.run_tools_async, calling),
            "ToolCall.create": (il.ToolCall.create, {"name": "x", "arguments": {}, "id": "a"}),
            "ToolCall.arguments_as": (CALL.arguments_as, {"target": dict}),
            "ToolCall.get_argument": (CALL.get_argument, {"name": "a", "target": int}),
            "ToolCall.try_get_argument": (CALL.try_get_argument, {"name": "a", "target": int}),
            "ToolDefinition.create": (il.ToolDefinition.create, {**described, "parameters": {"type": "object"}}),
            "ToolDefinition.from_type": (il.ToolDefinition.from_type, {"target": dict[str, int], **described}),
            "ToolResult.error": (il.ToolResult.error, {"call_id": "c", "message": "m"}),
            "ToolResult.success": (il.ToolResult.success, {"call_id": "c", "result": "m"}),
        }
    )


def _of_transcripts() -> list[PublicCall]:
    switched = [STORED, messages.mode_change("a", "b")]
    factories = {
        f"messages.{role}": (getattr(messages, role), {"content": "x", "name": "n", "id": "i"})
        for role in ("system", "developer", "user", "assistant")
    }
    resource = {"server_name": "a", "resource_uri": "b", "content": "c", "retrieved_at": "2026-01-01T00:00:00Z"}
    made = {"new_id": new_id, "now": now}
    entries = {"entries": [STORED.replace(id="q")], "branches": {"main": [0]}, "branch": "main", "metadata": {}}
    steps: dict[str, dict[str, Any]] = {
        "answers": {"branch": "main"},
        "append": {"message": STORED, "branch": "main"},
        "extend": {"messages": [STORED]},
        "fork": {"name": "b", "after": "a"},
        "get": {"message_id": "a"},
        "mark_saved": {"count": 1},
        "messages_of": {"branch": "main"},
        "position_of": {"message_id": "a", "branch": "main"},
        "replace": {"message_id": "a", "message": STORED},
        "result_of": {"call_id": "c1"},
        "results_for": {"message_id": "b", "branch": "main"},
        "switch": {"name": "main"},
        "update": {"message_id": "a", "change": lambda message: message},
    }
    return _calls(
        {
            **factories,
            "messages.branch_switch": (messages.branch_switch, {"old_branch": "a", "new_branch": "b"}),
            "messages.compaction": (messages.compaction, {"summary": "x", "first_id": "a", "last_id": "b"}),
            "messages.control": (messages.control, {"name": "x", "parameters": {}}),
            "messages.file": (messages.file, {"path": "a", "start_line": 1, "end_line": 2}),
            "messages.image": (messages.image, {"source": "https://example.com/a", "mode": "auto", "caption": "x"}),
            "messages.mode_change": (messages.mode_change, {"old_mode": "a", "new_mode": "b"}),
            "messages.opaque": (messages.opaque, {"dialect": "claude", "data": {}}),
            "messages.reasoning": (messages.reasoning, {"content": "x"}),
            "messages.resource": (messages.resource, {**resource, "mime_type": "text/plain"}),
            "messages.tool_request": (_tool_request, {"call": CALL, "status": "pending"}),
            "messages.tool_result": (messages.tool_result, {"call_id": "c", "output": "x", "error": None}),
            "Transcript": (il.Transcript, {"messages": [STORED], "id": "a", "branch": "main", "metadata": {}, **made}),
            "Transcript.from_document": (il.Transcript.from_document, {"document": story().to_document(), **made}),
            "Transcript.restore": (il.Transcript.restore, {**entries, "id": "x", **made}),
            "check_message": (il.check_message, {"message": STORED}),
            "dump_message": (il.dump_message, {"message": STORED}),
            "dump_message_json": (il.dump_message_json, {"message": STORED}),
            "load_message": (il.load_message, {"document": TEXT, "version": 1, "dialect": None}),
            "load_messages": (il.load_messages, {"documents": [TEXT], "version": 1, "dialect": None}),
            "from_chat": (il.from_chat, {"chat_messages": REQUEST.messages}),
            "to_chat": (il.to_chat, {"messages": switched, "mode_prompts": {"b": "x"}}),
            "upgrade": (il.upgrade, {"documents": [TEXT], "version": 1}),
            "downgrade": (il.downgrade, {"documents": [il.dump_message(STORED)], "to": 1}),
            "validate": (il.validate, {"document": TEXT, "version": 1, "union": "message"}),
        }
    ) + [PublicCall(f"Transcript.{name}", partial(_of_story, name), given) for name, given in steps.items()]


def _of_story(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(story(), name)
    return found


def _tool_request(call: Any, status: str) -> il.ToolRequestMessage:
    return messages.tool_request(call, status=status)


def _of_resolvers(folder: Path) -> list[PublicCall]:
    files = il.FileResolver(folder)
    images = il.ImageResolver(on_notice=nothing)
    resources = il.McpResources({})
    picture = resolve.Picture(url="https://example.com/a.png")
    reading = {"path": "a.txt", "agent_role": "planner"}
    of_file = {"message": il.FileReferenceMessage.create("a.txt"), "agent_role": "planner"}
    of_image = {"message": messages.image("https://example.com/a.png"), "agent_role": "planner"}
    asked_for = {"server_name": "docs", "uri": "docs://a"}
    limits = resolve.ImageLimits()
    seen = {"dialect": "claude", "model": "m", "prompt": "x", "max_tokens": 5, "timeout_seconds": 5.0}
    fetching = {"timeout_seconds": 3.0, "max_redirects": 3, "ports": [80], "allowed": bool, "lookup": nothing}
    served: dict[str, Any] = {"servers": {}, "freshness": None, "limits": None, "when_unavailable": "raise", "now": now}
    return _calls(
        {
            "find_mentions": (il.find_mentions, {"text": "@a.py", "role": "user"}),
            "resolve.find_mentions": (resolve.find_mentions, {"text": "@a.py", "role": "user"}),
            "FileReferenceMessage.create": (
                il.FileReferenceMessage.create,
                {"path": "a", "start_line": 1, "end_line": 2, "role": "user"},
            ),
            "CodecVision": (il.CodecVision, {**seen, "endpoint": "https://example.com/", "headers": {}}),
            "CodecVision.describe": (_described, {"picture": picture}),
            "FileResolver": (il.FileResolver, {"workspace": str(folder), "policy": None, "max_bytes": 9, "now": now}),
            "FileResolver.read": (files.read, {**reading, "start_line": 1, "end_line": 1}),
            "FileResolver.read_bytes": (files.read_bytes, {**reading, "max_bytes": 100}),
            "FileResolver.resolve": (files.resolve, of_file),
            "FileResolver.retry": (files.retry, of_file),
            "ImageResolver": (il.ImageResolver, {"on_notice": nothing, "limits": limits, "now": now}),
            "ImageResolver.resolve": (images.resolve, of_image),
            "ImageResolver.retry": (images.retry, of_image),
            "McpResources": (il.McpResources, served),
            "McpResources.get": (resources.get, asked_for),
            "McpResources.get_all": (resources.get_all, asked_for),
            "McpResources.inject": (resources.inject, {"transcript": story(), **asked_for}),
            "RolePolicy": (il.RolePolicy, {"grants": {"a": ["read"]}, "outside": ["/tmp"], "hidden": [".env"]}),  # noqa: S108  # read by nobody
            "SafeFetcher": (il.SafeFetcher, fetching),
            "SafeFetcher.fetch": (_fetched, {"url": "http://127.0.0.1/", "max_bytes": 5}),
            "TesseractOcr": (il.TesseractOcr, {"languages": ["eng"], "data_folder": None, "timeout_seconds": 3.0}),
            "TesseractOcr.read": (_read, {"picture": picture}),
            "resolve.Freshness": (resolve.Freshness, {"default": timedelta(1), "by_mime_type": {}}),
            "resolve.Freshness.lifetime": (
                resolve.Freshness().lifetime,
                {"server_name": "a", "uri": "b", "mime_type": None},
            ),
            "resolve.ImageLimits": (resolve.ImageLimits, {"max_bytes": 5, "max_pixels": 5, "max_side": 5}),
            "resolve.ImageLimits.check_bytes": (limits.check_bytes, {"size": 5}),
            "resolve.ImageLimits.check_size": (limits.check_size, {"width": 5, "height": 5}),
            "resolve.Picture": (resolve.Picture, {"data": b"x", "media_type": "image/png"}),
            "resolve.ResourceCache": (resolve.ResourceCache, {"max_entries": 5, "max_characters": 5}),
            "resolve.ResourceLimits": (resolve.ResourceLimits, {"max_bytes": 5, "timeout_seconds": 3.0}),
            "resolve.check_pictures": (resolve.check_pictures, {"request": REQUEST, "limits": limits}),
            "resolve.stub_picture": (
                resolve.stub_picture,
                {"request": PICTURED, "path": "/messages/0/content/0", "text": "x"},
            ),
            "resolve.tool_result_from_mcp": (
                resolve.tool_result_from_mcp,
                {"call_id": "c", "result": {"content": []}, "name": "x"},
            ),
            "resolve.tool_result_to_mcp": (
                resolve.tool_result_to_mcp,
                {"message": chat.create_tool_result("c", "x")},
            ),
            "resolve.touch_resource": (resolve.touch_resource, {"transcript": story(), "message_id": "r", "now": now}),
        }
    )


def _described(picture: Any) -> Any:
    return il.CodecVision("claude", "m", send=said).describe(picture)


def _read(picture: Any) -> resolve.OcrResult:
    return il.TesseractOcr().read(picture)


def _fetched(url: Any, max_bytes: Any) -> bytes:
    return il.SafeFetcher(timeout_seconds=1).fetch(url, max_bytes=max_bytes)


def _of_stores(folder: Path) -> list[PublicCall]:
    source = folder / "a.jsonl"
    store = il.SessionStore(folder / "store.db", now=now)
    store.create("s")
    store.append("s", STORED)

    def method(name: str) -> Callable[..., Any]:
        return _read_to_its_end if name == "iterate" else getattr(store, name)

    def _read_to_its_end(**given: Any) -> list[Any]:
        return list(store.iterate(**given))

    def opened(**given: Any) -> None:
        il.SessionStore(**given).close()

    imported = {"source": source, "session_id": "imported", "branch": "main", "metadata": {}, "version": 1}
    steps: dict[str, dict[str, Any]] = {
        "append": {"messages": STORED, "branch": "main"},
        "branches": {},
        "export_jsonl": {"target": folder / "out.jsonl", "branch": "main", "version": 3},
        "fork": {"name": "b", "source": "main", "after": None},
        "info": {},
        "iterate": {"branch": "main", "on_skipped": None},
        "load": {"branch": "main"},
        "load_tail": {"count": 1, "branch": "main"},
        "set_metadata": {"metadata": {}},
        "switch": {"branch": "main"},
    }
    given: dict[str, dict[str, Any]] = {
        **{name: {"session_id": "s", **more} for name, more in steps.items()},
        "delete": {"session_id": "gone"},
        "create": {"session_id": "new", "branch": "main", "metadata": {}},
        "import_jsonl": imported,
        "save": {"transcript": il.Transcript(id="saved")},
    }
    opening = {"path": folder / "new.db", "timeout": 1.0, "redact": None, "new_id": new_id, "now": now}
    secrets = {"values": ["hunter2"], "patterns": ["b+"], "names": ["c"]}
    return _calls(
        {
            "SessionStore": (opened, opening),
            "sessions.Redactor": (sessions.Redactor, secrets),
            "sessions.read_jsonl": (sessions.read_jsonl, {"source": source, "longest": 1000}),
            "sessions.records": (sessions.records, {"source": source, "longest": 1000}),
            "sessions.restore_text": (sessions.restore_text, {"value": "x"}),
            "sessions.safe_text": (sessions.safe_text, {"value": "x"}),
            "sessions.tail_jsonl": (sessions.tail_jsonl, {"path": source, "count": 1}),
        }
    ) + [PublicCall(f"SessionStore.{name}", partial(method, name), one) for name, one in given.items()]
