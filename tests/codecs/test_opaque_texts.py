"""What tools of the provider were asked and gave, in the history that another provider's model gets: told as text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.registry import room
from support import corpus
from support.program import environment
from support.rooms import ROWS

TARGETS: Final[dict[str, str]] = {
    "openai_chat": "gpt-5.2",
    "openai_responses": "gpt-5.2",
    "claude": "claude-opus-5",
    "gemini": "gemini-3-pro-preview",
    "ollama": "qwen3",
    "vllm": "Qwen/Qwen3-8B",
    "bedrock_converse": "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
}
PAIRS: Final = [
    pytest.param(source, target, id=f"{source}-to-{target}")
    for source in ("claude", "openai_responses", "gemini")
    for target in TARGETS
    if target != source
]
SEALED: Final = "Eo8BCioIEhgC"
SOURCES: Final = ({"type": "url", "url": "https://a.example/"}, {"type": "url", "url": "https://b.example/"})


def server_call(name: str, given: Any, identifier: str = "srvtoolu_1") -> dict[str, Any]:
    return {"type": "server_tool_use", "id": identifier, "name": name, "input": given}


def server_result(name: str, content: Any, identifier: str = "srvtoolu_1") -> dict[str, Any]:
    return {"type": f"{name}_tool_result", "tool_use_id": identifier, "content": content}


def page(source: Any) -> dict[str, Any]:
    document = {"type": "document", "source": source, "title": "Home"}
    return server_result(
        "web_fetch",
        {"type": "web_fetch_result", "url": "https://a.example/", "content": document, "retrieved_at": "2026-01-02"},
    )


def found(title: str, url: str, age: str | None = None) -> dict[str, Any]:
    return {"type": "web_search_result", "title": title, "url": url, "page_age": age, "encrypted_content": SEALED}


MCP_CALL: Final = {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "roll", "server_name": "dice", "input": {"n": 2}}
GIVEN: Final = [{"type": "text", "text": "6"}]
MCP_RESULT: Final = {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "is_error": False, "content": GIVEN}
LISTED: Final = found("Oslo", "https://a.example/", "May 26, 2022")
EDITS: Final = "text_editor_code_execution"
IMAGE: Final = {"type": "image", "source": {"type": "url", "url": "https://a.example/a.png"}}

# Claude's block, the text that it is, and the code of what is lost of it; no text, where nothing of it can be read.
BLOCKS: Final[dict[str, tuple[dict[str, Any], str | None, str | None]]] = {
    "a search": (server_call("web_search", {"query": "Øslo"}), 'Called web_search: {"query":"Øslo"}', None),
    "what it found": (
        server_result("web_search", [LISTED, found("", "https://b.example/")]),
        "```output\nOslo (May 26, 2022): https://a.example/\nhttps://b.example/\n```",
        "provider_state",
    ),
    "nothing found": (server_result("web_search", []), "```output\n```", None),
    "a search that failed": (
        server_result("web_search", {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}),
        "```error\nmax_uses_exceeded\n```",
        None,
    ),
    "a page": (
        page({"type": "text", "media_type": "text/plain", "data": "It rains.\n```sh\nls\n```"}),
        "````output\nHome\nhttps://a.example/\n\nIt rains.\n```sh\nls\n```\n````",
        None,
    ),
    "a page in blocks": (
        page({"type": "content", "content": [{"type": "text", "text": "It rains."}]}),
        "```output\nHome\nhttps://a.example/\n\nIt rains.\n```",
        None,
    ),
    "a PDF": (
        page({"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}),
        "```output\nHome\nhttps://a.example/\n(application/pdf, which is not text)\n```",
        "part",
    ),
    "a call of MCP": (MCP_CALL, 'Called roll of the MCP server dice: {"n":2}', None),
    "what it gave": (MCP_RESULT, "```output\n6\n```", None),
    "that it failed": ({**MCP_RESULT, "is_error": True, "content": "no dice"}, "```error\nno dice\n```", None),
    "an image of MCP": ({**MCP_RESULT, "content": [{"type": "text", "text": "6"}, IMAGE]}, "```output\n6\n```", "part"),
    "only an image": ({**MCP_RESULT, "content": [IMAGE]}, None, None),
    "tools found": (
        server_result(
            "tool_search",
            {
                "type": "tool_search_tool_search_result",
                "tool_references": [{"type": "tool_reference", "tool_name": "a"}],
            },
        ),
        "```output\na\n```",
        None,
    ),
    "an advisor": (
        server_result("advisor", {"type": "advisor_result", "text": "Four."}), "```output\nFour.\n```", None,
    ),
    "an advisor that nobody can read": (
        server_result("advisor", {"type": "advisor_redacted_result", "encrypted_content": SEALED}), None, None,
    ),
    "a file that is shown": (
        server_result(EDITS, {"type": f"{EDITS}_view_result", "file_type": "text", "content": "1 a"}),
        "```output\n1 a\n```",
        None,
    ),
    "an image that is shown": (
        server_result(EDITS, {"type": f"{EDITS}_view_result", "file_type": "image", "content": "iVBORw0KGgo="}),
        None,
        None,
    ),
    "a new file": (
        server_result(EDITS, {"type": f"{EDITS}_create_result", "is_file_update": False}),
        "```output\nThe file was created.\n```",
        None,
    ),
    "an edit": (
        server_result(EDITS, {"type": f"{EDITS}_str_replace_result", "lines": ["-a", "+b"], "old_lines": 1}),
        "```output\n-a\n+b\n```",
        None,
    ),
    "an edit that failed": (
        server_result(
            EDITS, {"type": f"{EDITS}_tool_result_error", "error_code": "unavailable", "error_message": "Down."}
        ),
        "```error\nunavailable: Down.\n```",
        None,
    ),
    "a marked call": (
        {**server_call("advisor", {}), "cache_control": {"type": "ephemeral"}},
        "Called advisor: {}",
        "provider_state",
    ),
    "a call without arguments": (server_call("advisor", None), None, None),
    "a result without content": (server_result("later", 7), None, None),
}  # fmt: skip

MCP_ITEM: Final = {"type": "mcp_call", "id": "mcp_1", "server_label": "dice", "name": "roll", "arguments": '{"n": 2}'}
APPROVAL: Final = {**MCP_ITEM, "type": "mcp_approval_request", "id": "mcpr_1"}
CALLED: Final = 'Called roll of the MCP server dice: {"n": 2}'
CONTAINER: Final = {"type": "container_reference", "container_id": "cntr_1"}

# An item of Responses, the text that it is, and the code of what is lost of it.
ITEMS: Final[dict[str, tuple[dict[str, Any], str | None, str | None]]] = {
    "a call of MCP": ({**MCP_ITEM, "output": "6", "error": None}, f"{CALLED}\n\n```output\n6\n```", None),
    "one without output": ({**MCP_ITEM, "output": None, "error": None}, CALLED, None),
    "one that failed": (
        {**MCP_ITEM, "error": {"type": "mcp_tool_execution_error", "content": [{"type": "text", "text": "no dice"}]}},
        f"{CALLED}\n\n```error\nno dice\n```",
        None,
    ),
    "one that the server refused": (
        {**MCP_ITEM, "error": {"type": "http_error", "code": 401, "message": "Unauthorized"}},
        f"{CALLED}\n\n```error\nUnauthorized\n```",
        None,
    ),
    "one that failed in words": ({**MCP_ITEM, "error": "no dice"}, f"{CALLED}\n\n```error\nno dice\n```", None),
    "one that failed without a word": ({**MCP_ITEM, "status": "failed"}, f"{CALLED}\n\n```error\nfailed\n```", None),
    "what needs approval": (
        APPROVAL, 'Asked for approval to call roll of the MCP server dice: {"n": 2}', None
    ),
    "the tools of a server": ({"type": "mcp_list_tools", "id": "l", "server_label": "dice", "tools": []}, None, None),
    "a search": (
        {"type": "web_search_call", "id": "ws", "status": "completed",
         "action": {"type": "search", "query": "Oslo", "queries": ["Oslo"], "sources": [*SOURCES]}},
        'Called web_search: {"query":"Oslo"}\n\n```output\nhttps://a.example/\nhttps://b.example/\n```',
        None,
    ),
    "several searches": (
        {"type": "web_search_call", "id": "ws", "action": {"type": "search", "query": "a", "queries": ["a", "b"]}},
        'Called web_search: {"queries":["a","b"]}',
        None,
    ),
    "a page": (
        {"type": "web_search_call", "id": "ws", "action": {"type": "open_page", "url": "https://a.example/"}},
        'Called open_page: {"url":"https://a.example/"}',
        None,
    ),
    "a search in a page": (
        {"type": "web_search_call", "id": "ws",
         "action": {"type": "find_in_page", "url": "https://a.example/", "pattern": "rain"}},
        'Called find_in_page: {"url":"https://a.example/","pattern":"rain"}',
        None,
    ),
    "a search of nothing": ({"type": "web_search_call", "id": "ws", "status": "completed"}, None, None),
    "a search in files": (
        {"type": "file_search_call", "id": "fs", "queries": ["rain"], "results": [
            {"file_id": "file_1", "filename": "a.md", "score": 0.9, "text": "It rains."},
            {"file_id": "file_2", "filename": "b.md", "score": 0.8, "text": "It snows."},
        ]},
        'Called file_search: {"queries":["rain"]}\n\n```output\na.md\nIt rains.\n\nb.md\nIt snows.\n```',
        None,
    ),
    "one without results": (
        {"type": "file_search_call", "id": "fs", "queries": ["rain"], "results": None},
        'Called file_search: {"queries":["rain"]}',
        None,
    ),
    "commands in a container": (
        {"type": "shell_call", "call_id": "c", "action": {"commands": ["ls", "pwd"]}, "environment": CONTAINER},
        "```bash\nls\npwd\n```",
        None,
    ),
    "a program": (
        {"type": "program", "id": "p", "call_id": "c", "code": "text(1)", "fingerprint": SEALED},
        "```javascript\ntext(1)\n```",
        "provider_state",
    ),
    "what it gave": (
        {"type": "program_output", "id": "o", "call_id": "c", "result": "1", "status": "completed"},
        "```output\n1\n```",
        None,
    ),
    "a call of xAI's": (
        {"type": "custom_tool_call", "call_id": "xs_call_1", "name": "x_search", "input": '{"query": "Oslo"}'},
        'Called x_search: {"query": "Oslo"}',
        None,
    ),
    "a sealed summary": ({"type": "compaction", "encrypted_content": SEALED}, None, None),
    "an item that nobody knows": ({"type": "later_call", "id": "x"}, None, None),
}  # fmt: skip

# A part of Gemini's, the text that it is, and the code of what is lost of it.
PARTS: Final[dict[str, tuple[dict[str, Any], str | None, str | None]]] = {
    "a search": (
        {
            "toolCall": {"id": "t", "toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["Oslo"]}},
            "thoughtSignature": SEALED,
        },
        'Called GOOGLE_SEARCH_WEB: {"queries":["Oslo"]}',
        "provider_state",
    ),
    "in snake case": ({"tool_call": {"id": "t", "tool_type": "FILE_SEARCH"}}, "Called FILE_SEARCH: {}", None),
    "what it found": (
        {"toolResponse": {"id": "t", "toolType": "FILE_SEARCH", "response": {"result": [{"text": "It rains."}]}}},
        '```output\n{"result":[{"text":"It rains."}]}\n```',
        None,
    ),
    "its markup alone": (
        {"toolResponse": {"id": "t", "toolType": "GOOGLE_SEARCH_WEB", "response": {"search_suggestions": "<div>"}}},
        None,
        None,
    ),
}  # fmt: skip


def history(source: str, *said: dict[str, Any]) -> dict[str, Any]:
    """Return a conversation with an answer that holds such blocks, items or parts between two texts."""
    if source == "gemini":
        parts = [{"text": "First."}, *said, {"text": "Then."}]
        contents = [("user", [{"text": "Go."}]), ("model", parts), ("user", [{"text": "On."}])]
        return {"contents": [{"role": role, "parts": held} for role, held in contents]}
    if source == "openai_responses":
        first, then = ({"role": "assistant", "content": text} for text in ("First.", "Then."))
        return {
            "model": "m",
            "input": [{"role": "user", "content": "Go."}, first, *said, then, {"role": "user", "content": "On."}],
        }
    texts = [{"type": "text", "text": text} for text in ("First.", "Then.")]
    turns = [("user", "Go."), ("assistant", [texts[0], *said, texts[1]]), ("user", "On.")]
    messages = [{"role": role, "content": content} for role, content in turns]
    return {"model": "m", "max_tokens": 99, "messages": messages}


def answer_in(body: dict[str, Any], target: str) -> str:
    """Return what the assistant has said in a request, all of its texts."""
    messages: list[Any] = il.normal_form(il.decode_request(body, target))["messages"]
    said = [one.get("content", "") for one in messages if one["role"] == "assistant"]
    return "\n\n".join(one if isinstance(one, str) else "".join(part["text"] for part in one) for one in said)


CASES: Final = [
    pytest.param(source, target, *row, id=f"{source}-to-{target}-{name}")
    for source, rows in (("claude", BLOCKS), ("openai_responses", ITEMS), ("gemini", PARTS))
    for target in ("openai_chat", "claude", "gemini", "openai_responses")
    if target != source
    for name, row in rows.items()
]


@pytest.mark.parametrize(("source", "target", "said", "text", "omitted"), CASES)
def test_server_tool_activity_becomes_text_at_its_place(
    source: Any, target: Any, said: dict[str, Any], text: str | None, omitted: str | None
) -> None:
    body = history(source, said)
    encoded = il.translate_request(body, source, target, model=TARGETS[target])
    assert answer_in(encoded.body, target) == "\n\n".join(["First.", *([text] if text else []), "Then."])
    assert SEALED not in json.dumps(encoded.body)
    path = "/messages/2" if source == "openai_responses" else "/messages/1/content/1"
    told = {loss.path: (loss.severity, loss.code) for loss in encoded.losses}
    assert told[path] == ("changed" if text else "lost", "message" if source == "openai_responses" else "part")
    assert told.get(f"{path}/data") == (("lost", omitted) if omitted else None)
    assert il.check_request(encoded.body, target) == []
    assert il.translate_request(body, source, source).body == body


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_server_tool_activity_becomes_the_same_text_in_every_dialect_and_no_call(source: Any, target: Any) -> None:
    said: dict[str, list[Any]] = {
        "claude": [MCP_CALL, MCP_RESULT],
        "openai_responses": [{**MCP_ITEM, "output": "6", "error": None}],
        "gemini": [PARTS["a search"][0], PARTS["what it found"][0]],
    }
    encoded = il.translate_request(history(source, *said[source]), source, target, model=TARGETS[target], strict=True)
    told = "Called GOOGLE_SEARCH_WEB" if source == "gemini" else "Called roll of the MCP server dice"
    answer = answer_in(encoded.body, target)
    assert answer.startswith(f"First.\n\n{told}: ")
    assert "\n\n```output\n" in answer
    assert answer.endswith("\n```\n\nThen.")
    decoded = il.decode_request(encoded.body, target)
    assert not any(getattr(message, "tool_calls", None) or message.role == "tool" for message in decoded.messages)


@pytest.mark.parametrize("target", ["openai_chat", "claude", "gemini"])
def test_the_users_answer_to_an_approval_request_becomes_user_text(target: Any) -> None:
    for asked, decision, text in (
        ([APPROVAL], {"approve": True}, "The call of roll of the MCP server dice is approved."),
        ([APPROVAL], {"approve": False, "reason": "No."}, "The call of roll of the MCP server dice is refused. No."),
        ([], {"approve": True}, "The call is approved."),
    ):
        said = {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", **decision}
        body = {"model": "m", "input": [{"role": "user", "content": "Go."}, *asked, said]}
        encoded = il.translate_request(body, "openai_responses", target, model=TARGETS[target])
        last = il.decode_request(encoded.body, target).messages[-1]
        assert last.role == "user"
        assert (last.text or "").removeprefix("Go.").strip() == text
        assert encoded.losses[0].severity == "changed"


def test_commands_run_by_the_provider_and_their_output_become_code_blocks() -> None:
    output = [
        {"outcome": {"type": "exit", "exit_code": 0}, "stdout": "a\n", "stderr": "b\n"},
        {"outcome": {"type": "exit", "exit_code": 1}, "stdout": "", "stderr": ""},
        {"outcome": {"type": "timeout"}, "stdout": "", "stderr": ""},
    ]
    items = [ITEMS["commands in a container"][0], {"type": "shell_call_output", "call_id": "c", "output": output}]
    body = il.translate_request(
        history("openai_responses", *items), "openai_responses", "openai_chat", model="gpt-5.2"
    ).body
    wrote = "```output\na\nb\nexit code 1\ntimeout\n```"
    assert answer_in(body, "openai_chat") == f"First.\n\n```bash\nls\npwd\n```\n\n{wrote}\n\nThen."


def test_a_bedrock_server_tool_becomes_text_without_encrypted_content() -> None:
    call = {
        "toolUse": {"toolUseId": "t", "name": "nova_grounding", "input": {"query": "Oslo"}, "type": "server_tool_use"}
    }
    for text, told in (("It rains.", "\n\n```output\nIt rains.\n```"), ("[HIDDEN]", "")):
        result = {"toolUseId": "t", "status": "success", "content": [{"text": text}], "type": "nova_grounding_result"}
        content = [{"text": "First."}, call, {"toolResult": result}, {"text": "Then."}]
        said = [("user", [{"text": "Go."}]), ("assistant", content), ("user", [{"text": "On."}])]
        body = {"messages": [{"role": role, "content": blocks} for role, blocks in said]}
        assert il.translate_request(body, "bedrock_converse", "bedrock_converse").body == body
        written = il.translate_request(body, "bedrock_converse", "openai_chat", model="gpt-5.2").body
        called = 'Called nova_grounding: {"query":"Oslo"}'
        assert answer_in(written, "openai_chat") == f"First.\n\n{called}{told}\n\nThen."


def test_a_part_is_sent_unchanged_to_its_own_provider_in_a_mixed_conversation() -> None:
    parts = [{"type": "opaque", "dialect": "claude", "data": block} for block in (MCP_CALL, MCP_RESULT)]
    item = {"role": "opaque", "dialect": "openai_responses", "data": {**MCP_ITEM, "output": "6"}}
    said = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": parts},
        item,
        {"role": "user", "content": "On."},
    ]
    request = {"model": "claude-opus-5", "messages": said, "max_tokens": 99}
    to_claude = il.encode_request(request, "claude").body["messages"][1]["content"]
    assert to_claude == [MCP_CALL, MCP_RESULT, {"type": "text", "text": f"{CALLED}\n\n```output\n6\n```"}]
    to_responses = il.encode_request(request, "openai_responses", model="gpt-5.2").body["input"]
    assert to_responses[1]["content"] == 'Called roll of the MCP server dice: {"n":2}\n\n```output\n6\n```'
    assert to_responses[2] == item["data"]


THEIRS: Final = """
from interlingua import spi

DESCRIPTOR = spi.Descriptor("theirs", "Theirs", tells_opaque=True)

def decode_request(body):
    opaque = [{"role": "opaque", "dialect": "theirs", "data": value} for value in body]
    return {"dialect": "theirs", "messages": [{"role": "user", "content": "Go."}, *opaque]}

def texts_of_opaque(values):
    return [spi.OpaqueText(value["told"], omits="state") if "told" in value else None for value in values]
"""


def test_a_plugin_room_can_describe_its_own_items(tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text(THEIRS, encoding="utf-8")
    information = tmp_path / "theirs-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text("[interlingua.dialects]\ntheirs = theirs\n", encoding="utf-8")
    program = f"""
import json, sys
sys.path[:] = {[str(tmp_path), *sys.path]!r}
import interlingua as il
encoded = il.translate_request([{{"told": "Called f: {{}}"}}, {{}}], "theirs", "openai_chat", model="gpt-5.2")
print(json.dumps([encoded.body["messages"], [(loss.severity, loss.path) for loss in encoded.losses]]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, env=environment())
    messages, losses = json.loads(done.stdout)
    assert messages == [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "Called f: {}"}]
    assert losses == [["changed", "/messages/1"], ["lost", "/messages/1/data"], ["lost", "/messages/2"]]


def test_the_module_for_item_texts_is_imported_only_if_needed() -> None:
    program = f"""
import sys
import interlingua as il
for source in ("claude", "openai_chat"):
    il.translate_request({history("claude")!r}, source, "openai_responses", model="gpt-5.2")
print([name for name in sys.modules if "opaque_as_text" in name or "opaque_texts" in name])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, env=environment())
    assert done.stdout.split() == [b"[]"]


@pytest.mark.parametrize("target", ["openai_chat", "gemini", "claude"])
def test_an_answer_contains_only_the_text_of_the_model(target: Any) -> None:
    item = {**MCP_ITEM, "output": "6", "error": None, "status": "completed"}
    text = {"type": "output_text", "text": "Six.", "annotations": []}
    message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [text]}
    answer = {"id": "r", "object": "response", "created_at": 1, "model": "m", "status": "completed"}
    encoded = il.translate_response({**answer, "output": [item, message]}, "openai_responses", target)
    assert il.decode_response(encoded.body, target).text == "Six."
    assert [loss.severity for loss in encoded.losses if loss.path == "/messages/0"] == ["lost"]


def test_malformed_item_values_are_read_as_far_as_possible() -> None:
    members = [
        "content",
        "input",
        "output",
        "error",
        "results",
        "queries",
        "action",
        "arguments",
        "tools",
        "code",
        "name",
        "result",
        "response",
        "toolCall",
        "toolResponse",
        "toolUse",
        "toolResult",
        "approval_request_id",
        "sources",
        "url",
        "title",
        "type",
        "commands",
        "outcome",
        "exit_code",
        "tool_references",
        "is_file_update",
        "lines",
        "source",
        "data",
        "error_code",
        "error_message",
        "message",
        "args",
        "toolType",
    ]
    odd: list[Any] = [
        None,
        1,
        "x",
        [],
        {},
        {"a": 1},
        [None],
        [{"text": 1}],
        [{"url": None}],
        {"type": 1},
        {"content": {}},
    ]
    kinds = [
        *("server_tool_use", "x_tool_result", "mcp_tool_use", *(item["type"] for item, _, _ in ITEMS.values())),
        *("shell_call_output", "tool_search_call", "tool_search_output", "mcp_approval_response"),
    ]
    big = 10**5000
    odd += [big, [big], {"text": big, "exit_code": big, "outcome": {"exit_code": big}, "type": big}]
    odd += [dict.fromkeys(members, value) for value in (1, "a", [1], [{}], {"a": 1})]
    values = [
        {"type": kind, "name": "n", name: value} for kind in (*kinds, [], {}, big) for name in members for value in odd
    ]
    for dialect in ("claude", "openai_responses", "gemini", "bedrock_converse"):
        speaker: Any = room(dialect)
        texts = speaker.texts_of_opaque([*odd, *values])
        assert len(texts) == len(odd) + len(values)
        assert all(text is None or type(text.text) is str for text in texts)


READABLE: Final = ("text", "query", "url", "title", "output", "pattern")
HELD: Final = ("server_tool_use", "mcp_tool_use", "_tool_result", "mcp_call", "web_search_call", "file_search_call")


def readable(data: Any, member: str = "") -> list[str]:
    """Return what a model can read in a block or an item: its texts, addresses and queries."""
    if isinstance(data, dict):
        return [text for name, value in data.items() for text in readable(value, name)]
    if isinstance(data, list):
        return [text for value in data for text in readable(value, member)]
    return [data] if member in READABLE and isinstance(data, str) and data else []


def opaque(messages: list[Any]) -> list[dict[str, Any]]:
    """Return the data of the opaque messages and parts."""
    parts = [part for one in messages if isinstance(one.get("content"), list) for part in one["content"]]
    return [one["data"] for one in (*messages, *parts) if one.get("type", one.get("role")) == "opaque"]


def is_of_tool(data: dict[str, Any]) -> bool:
    """Tell whether a block or an item is a call of a tool of the provider, or what it gave."""
    return bool({"toolCall", "tool_call", "toolResponse", "tool_response"} & data.keys()) or str(
        data.get("type")
    ).endswith(HELD)


@pytest.mark.corpus
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_recorded_conversation_keeps_its_server_tool_results_in_other_dialects(source: Any, target: Any) -> None:
    seen = 0
    for folder in (ROWS[source].folder, *ROWS[source].compatible):
        for line in corpus.lines(folder, "request"):
            if line["id"] in ROWS[source].unreadable:
                continue
            request = il.decode_request(line["body"], source).model_dump(mode="json", exclude_none=True)
            held = [data for data in opaque(request["messages"]) if is_of_tool(data)]
            if held:
                seen += 1
                encoded = il.translate_request(line["body"], source, target, model=TARGETS[target])
                said = answer_in(encoded.body, target)
                texts = [text for data in held for text in readable(data)]
                assert [text for text in texts if not _is_in(text, said)] == []
    assert seen > 0


def _is_in(text: str, said: str) -> bool:
    """Tell whether a text is in what is said, as it is or as JSON writes it."""
    return text.strip() in said or json.dumps(text, ensure_ascii=False)[1:-1] in said


def test_losses_of_an_item_text_have_the_path_of_the_item() -> None:
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    items: list[Any] = [
        {"role": "user", "content": "Draw a cat."},
        {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": png},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "cats"}},
        {"role": "user", "content": "Go on."},
    ]
    encoded = il.translate_request({"model": "m", "input": items}, "openai_responses", "ollama", model="llava")
    paths = [loss.path for loss in encoded.losses]
    assert "/messages/2" in paths
    assert not [path for path in paths if path.startswith("/messages/2/content")]
