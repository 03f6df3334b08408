"""Tools of Responses that the client runs: functions elsewhere, whose calls come back as the tools' own items."""

from __future__ import annotations

import json
from typing import Any, Final

import jsonschema
import pytest

import interlingua as il
from interlingua.rooms.openai_responses.client_tools import function_of_client_tool, message_of_client_item

TARGETS: Final[tuple[il.Dialect, ...]] = ("openai_chat", "claude", "gemini", "ollama", "vllm", "bedrock_converse")
PREVIEW: Final[dict[str, Any]] = {
    "type": "computer_use_preview", "display_width": 800, "display_height": 600, "environment": "linux"
}  # fmt: skip
TOOLS: Final[list[dict[str, Any]]] = [
    {"type": "shell"},
    {"type": "local_shell"},
    {"type": "apply_patch"},
    {"type": "computer"},
    PREVIEW,
]
CLICK: Final[dict[str, Any]] = {"type": "click", "button": "left", "x": 1, "y": 2}
PNG: Final = "iVBORw0KGgo="
SCREEN: Final = {"type": "computer_screenshot", "image_url": f"data:image/png;base64,{PNG}"}
# The type of a tool, what a model asks of its function, and the item that the client is to find.
CALLS: Final[list[tuple[str, dict[str, Any], dict[str, Any]]]] = [
    (
        "shell", {"commands": ["ls"]},
        {"type": "shell_call", "action": {"commands": ["ls"], "timeout_ms": None, "max_output_length": None}},
    ),
    (
        "local_shell", {"command": ["ls", "-l"], "env": {"A": "b"}},
        {"type": "local_shell_call", "action": {"type": "exec", "command": ["ls", "-l"], "env": {"A": "b"}}},
    ),
    (
        "apply_patch", {"type": "delete_file", "path": "a"},
        {"type": "apply_patch_call", "operation": {"type": "delete_file", "path": "a"}},
    ),
    ("computer", {"actions": [CLICK]}, {"type": "computer_call", "actions": [CLICK], "pending_safety_checks": []}),
    ("computer_use_preview", CLICK, {"type": "computer_call", "action": CLICK, "pending_safety_checks": []}),
]  # fmt: skip
# The output of each tool, as its client sends it, and what the model is told.
RESULTS: Final[list[tuple[str, dict[str, Any], Any]]] = [
    (
        "shell", {"output": [{"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]},
        '[{"stdout":"a","stderr":"","outcome":{"type":"exit","exit_code":0}}]',
    ),
    ("local_shell", {"output": '{"output": "a"}'}, '{"output": "a"}'),
    ("apply_patch", {"status": "failed", "output": "no such file"}, '{"status":"failed","output":"no such file"}'),
    ("computer", {"output": SCREEN}, [{"type": "image", "format": "image/png", "data": PNG}]),
]  # fmt: skip


def asked(*tools: dict[str, Any], items: Any = (), **members: Any) -> dict[str, Any]:
    return {"model": "gpt-5.1", "input": [{"role": "user", "content": "Go."}, *items], "tools": [*tools], **members}


def call(name: str, arguments: str) -> dict[str, Any]:
    return {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}


def answer(*calls: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": None, "tool_calls": [*calls]}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
    }  # fmt: skip


def frames(name: str, arguments: str) -> list[Any]:
    """Return the stream of an answer with one call, its arguments in pieces of three characters."""
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    pieces = [{"index": 0, **call(name, "")}]
    pieces += [{"index": 0, "function": {"arguments": arguments[at : at + 3]}} for at in range(0, len(arguments), 3)]
    deltas = [{**head, "choices": [{"index": 0, "delta": {"tool_calls": [piece]}}]} for piece in pieces]
    return [*deltas, {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}, "[DONE]"]


@pytest.mark.parametrize("target", TARGETS)
def test_client_tools_are_offered_as_functions(target: Any) -> None:
    encoded = il.translate_request(asked(*TOOLS), "openai_responses", target, model="m")
    offered = il.decode_request(encoded.body, target).tools or ()
    assert [tool.name for tool in offered if tool.type == "function"] == [tool["type"] for tool in TOOLS]
    told = {loss.path: (loss.severity, loss.detail) for loss in encoded.losses}
    assert [told[f"/tools/{at}"][0] for at in range(len(TOOLS))] == ["changed"] * len(TOOLS)
    assert told["/tools/4"][1].endswith("without environment")
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize(("word", "arguments", "item"), CALLS)
def test_a_call_is_returned_as_the_item_of_its_tool(word: str, arguments: dict[str, Any], item: dict[str, Any]) -> None:
    exchange = il.exchange(asked(*TOOLS), "openai_responses", "openai_chat", model="m")
    found: Any = function_of_client_tool({"type": word})
    assert found is not None
    assert jsonschema.Draft202012Validator(found[0]["parameters"]).is_valid(arguments)
    encoded = exchange.response(answer(call(word, json.dumps(arguments))))
    [made] = encoded.body["output"]
    assert made.pop("id")
    assert made == {**item, "call_id": "call_1", "status": "completed"}
    assert [loss for loss in encoded.losses if loss.severity != "filled"] == []


@pytest.mark.parametrize(("word", "arguments", "item"), CALLS)
def test_a_stream_writes_the_whole_item(word: str, arguments: dict[str, Any], item: dict[str, Any]) -> None:
    exchange = il.Exchange.from_json(il.exchange(asked(*TOOLS), "openai_responses", "openai_chat", model="m").to_json())
    text = json.dumps(arguments)
    told: list[Any] = list(exchange.stream(frames(word, text)))
    whole = exchange.response(answer(call(word, text))).body
    assert told[-1]["response"]["output"] == whole["output"]
    assert whole["output"][0]["type"] == item["type"]
    assert [frame["type"].removeprefix("response.") for frame in told[2:]] == [
        "output_item.added", "output_item.done", "completed"
    ]  # fmt: skip
    assert told[2]["item"]["status"] == "in_progress"
    assert told[3]["item"] == whole["output"][0]


ODD: Final = ('{"commands": []}', '{"commands": "ls"}', "no json", "", '["ls"]', '{"type": 1}')


@pytest.mark.parametrize("arguments", ODD)
def test_arguments_that_the_tool_does_not_accept_are_returned_as_a_function_call(arguments: str) -> None:
    exchange = il.exchange(asked(*TOOLS), "openai_responses", "openai_chat", model="m")
    [item] = exchange.response(answer(call("shell", arguments))).body["output"]
    assert (item["type"], item["name"], item["arguments"]) == ("function_call", "shell", arguments or "{}")
    told: list[Any] = list(exchange.stream(frames("shell", arguments)))
    assert told[-1]["response"]["output"] == [item]


def test_a_truncated_stream_completes_no_call() -> None:
    exchange = il.exchange(asked(*TOOLS), "openai_responses", "openai_chat", model="m")
    told: list[Any] = list(exchange.stream(frames("shell", '{"commands": ["rm -r a/b"]}')[:6]))
    assert "shell_call" not in {frame["item"]["type"] for frame in told if "item" in frame}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("word", "arguments", "item"), CALLS)
def test_items_in_the_history_become_calls_and_results(
    target: Any, word: str, arguments: dict[str, Any], item: dict[str, Any]
) -> None:
    tool = next(one for one in TOOLS if one["type"] == word)
    output, said = next((sent, said) for known, sent, said in RESULTS if word.startswith(known))
    result = {"type": f"{item['type']}_output", "call_id": "call_1", **output}
    body = asked(tool, items=[{**item, "id": "it_1", "call_id": "call_1", "status": "completed"}, result])
    encoded = il.translate_request(body, "openai_responses", target, model="m")
    messages: Any = il.normal_form(il.decode_request(encoded.body, target))["messages"]
    [one] = messages[1]["tool_calls"]
    kept = {name: value for name, value in arguments.items() if value is not None}
    assert (one["name"], one["arguments"]) == (word, kept)
    assert messages[2]["role"] == "tool"
    if word.startswith("computer"):
        assert PNG in json.dumps(messages)
    else:
        assert messages[2]["content"] == said
    assert [loss.path for loss in encoded.losses if loss.code == "message"] == ["/messages/1", "/messages/2"]
    assert {loss.severity for loss in encoded.losses if loss.concern == "content"} <= {"changed", "filled"}
    assert il.check_request(encoded.body, target) == []


def test_a_tool_run_in_a_provider_container_is_not_a_function() -> None:
    container = {"type": "container_reference", "container_id": "cntr_1"}
    items: list[dict[str, Any]] = [
        {"type": "shell_call", "call_id": "call_1", "action": {"commands": ["ls"]}, "environment": container},
        {"type": "shell_call_output", "call_id": "call_1", "output": []},
    ]
    body = asked({"type": "shell", "environment": container}, items=items)
    encoded = il.translate_request(body, "openai_responses", "claude", model="m")
    assert "tools" not in encoded.body
    assert encoded.body["messages"][1]["content"] == [{"type": "text", "text": "```bash\nls\n```\n\n```output\n```"}]
    assert [loss.path for loss in encoded.losses if loss.severity == "lost"] == ["/tools/0"]
    told = [loss.path for loss in encoded.losses if loss.code == "message" and loss.severity == "changed"]
    assert told[:2] == ["/messages/1", "/messages/2"]


def test_a_local_shell_is_a_function() -> None:
    local = {"type": "shell", "environment": {"type": "local"}, "allowed_callers": ["direct"]}
    assert (function_of_client_tool(local) or ({}, ["?"]))[1] == []
    skilled = {"type": "shell", "environment": {"type": "local", "skills": [{"name": "a"}]}}
    assert (function_of_client_tool(skilled) or ({}, []))[1] == ["environment"]


def test_a_function_with_the_same_name_stays_separate() -> None:
    function = {"type": "function", "name": "shell", "parameters": {"type": "object"}, "strict": False}
    items = [{"type": "shell_call", "call_id": "call_0", "action": {"commands": ["ls"]}}]
    exchange = il.exchange(
        asked(function, {"type": "shell"}, items=items), "openai_responses", "openai_chat", model="m"
    )
    assert [tool["function"]["name"] for tool in exchange.body["tools"]] == ["shell", "shell_2"]
    assert exchange.body["messages"][1]["tool_calls"][0]["function"]["name"] == "shell_2"
    arguments = '{"commands": ["ls"]}'
    made = exchange.response(answer(call("shell", arguments), {**call("shell_2", arguments), "id": "call_2"}))
    assert [item["type"] for item in made.body["output"]] == ["function_call", "shell_call"]


def test_computer_calls_use_the_version_of_the_offered_tool() -> None:
    older = {"type": "computer_call", "call_id": "call_1", "action": CLICK}
    newer = {"type": "computer_call", "call_id": "call_1", "actions": [CLICK]}
    for item, offered, arguments in (
        (older, {"computer"}, {"actions": [CLICK]}),
        (older, {"computer_use_preview"}, CLICK),
        (newer, {"computer_use_preview"}, CLICK),
        (newer, set[str](), {"actions": [CLICK]}),
    ):
        found = message_of_client_item(item, offered)
        assert found is not None
        assert found[0]["tool_calls"][0]["arguments"] == arguments


@pytest.mark.parametrize(
    "item",
    [
        {"type": "shell_call", "action": {"commands": []}},
        {"type": "shell_call", "call_id": "call_1", "action": None},
        {"type": "computer_call_output", "call_id": "call_1", "output": "x"},
        {"type": "computer_call_output", "call_id": "call_1", "output": {"type": "computer_screenshot"}},
        {"type": "web_search_call", "call_id": "call_1"},
        {"type": []},
    ],
)
def test_other_items_are_unchanged(item: dict[str, Any]) -> None:
    assert message_of_client_item(item, frozenset()) is None


def test_within_the_dialect_everything_is_unchanged() -> None:
    items = [{"type": "shell_call", "call_id": "call_1", "action": {"commands": ["ls"]}}]
    body = asked(*TOOLS, items=items)
    encoded = il.translate_request(body, "openai_responses", "openai_responses")
    assert (encoded.body, encoded.losses) == (body, ())


def function(name: str, **members: Any) -> dict[str, Any]:
    return {
        "type": "function", "name": name, "parameters": {"type": "object", "properties": {}}, "strict": False, **members
    }  # fmt: skip


def names_of(body: dict[str, Any], dialect: Any) -> list[Any]:
    return [tool.name for tool in il.decode_request(body, dialect).tools or () if tool.type == "function"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "item",
    [
        {"type": "additional_tools", "role": "developer"},
        {"type": "tool_search_output", "call_id": None, "execution": "server", "status": "completed"},
    ],
)
def test_tools_added_by_an_item_are_offered_from_the_beginning(target: Any, item: dict[str, Any]) -> None:
    brought = {**item, "tools": [function("known"), function("found", defer_loading=True)]}
    call_item = {"type": "function_call", "call_id": "call_1", "name": "found", "arguments": "{}"}
    result = {"type": "function_call_output", "call_id": "call_1", "output": "a"}
    body = asked(function("known"), items=[brought, call_item, result])
    encoded = il.translate_request(body, "openai_responses", target, model="m")
    assert names_of(encoded.body, target) == ["known", "found"]
    told = {loss.path: loss.severity for loss in encoded.losses if loss.path.startswith(("/messages/1", "/tools"))}
    assert (told["/messages/1"], told["/tools"]) == ("changed", "changed")
    assert not any(loss.path.startswith("/tools/1/") for loss in encoded.losses)
    assert il.check_request(encoded.body, target) == []
    assert il.translate_request(body, "openai_responses", "openai_responses").body == body


def test_losses_of_a_tool_added_by_an_item_have_the_path_of_the_item() -> None:
    item = {"type": "additional_tools", "role": "developer", "tools": [function("one", strict=True), {"type": "mcp"}]}
    encoded = il.translate_request(asked(items=[item]), "openai_responses", "ollama", model="qwen3")
    assert names_of(encoded.body, "ollama") == ["one"]
    found = {(loss.path, loss.severity) for loss in encoded.losses if loss.code == "tool"}
    assert found >= {("/messages/1/data/tools/0/strict", "lost"), ("/messages/1/data/tools/1", "lost")}


def test_tools_without_a_name_that_an_item_adds_are_offered_too() -> None:
    tools = [
        {"type": "custom", "name": "exec", "description": "Runs.", "format": {"type": "text"}},
        {"type": "web_search", "filters": {"allowed_domains": ["a.org"]}},
        {"type": "apply_patch"},
        {"type": "apply_patch"},
        {"type": "image_generation"},
    ]
    item = {"type": "additional_tools", "role": "developer", "tools": tools}
    body = {"model": "gpt-5.6", "input": [item, {"role": "user", "content": "Go."}]}
    encoded = il.translate_request(body, "openai_responses", "claude", model="claude-opus-4-8")
    assert [tool["name"] for tool in encoded.body["tools"]] == ["exec", "web_search", "apply_patch"]
    assert encoded.body["tools"][1]["allowed_domains"] == ["a.org"]
    found = {loss.path: loss.severity for loss in encoded.losses if loss.code == "tool"}
    place = "/messages/0/data/tools"
    assert found == {f"{place}/0": "changed", f"{place}/2": "changed", f"{place}/4": "lost"}
    exchange = il.exchange(body, "openai_responses", "openai_chat", model="m")
    text = json.dumps({"type": "delete_file", "path": "a"})
    [made] = exchange.response(answer(call("apply_patch", text))).body["output"]
    assert (made["type"], made["operation"]) == ("apply_patch_call", {"type": "delete_file", "path": "a"})


@pytest.mark.parametrize("settings", [{}, {"search_context_size": "low"}])
def test_a_tool_of_the_provider_that_an_item_adds_again_is_offered_once(settings: dict[str, Any]) -> None:
    item = {"type": "additional_tools", "role": "developer", "tools": [{"type": "web_search", **settings}]}
    encoded = il.translate_request(asked({"type": "web_search"}, items=[item]), "openai_responses", "claude", model="m")
    assert [tool["name"] for tool in encoded.body["tools"]] == ["web_search"]
    lost = [loss.path for loss in encoded.losses if loss.code == "tool"]
    assert lost == (["/messages/1/data/tools/0"] if settings else [])


def test_only_new_tools_of_an_offered_namespace_are_added() -> None:
    group = {"type": "namespace", "name": "crm", "description": "Customers."}
    found = {"type": "tool_search_output", "tools": [{**group, "tools": [function("get"), function("put")]}]}
    body = asked({**group, "tools": [function("get")]}, items=[found])
    encoded = il.translate_request(body, "openai_responses", "openai_chat", model="m")
    assert names_of(encoded.body, "openai_chat") == ["crm__get", "crm__put"]


SEARCH: Final[dict[str, Any]] = {
    "type": "tool_search", "execution": "client", "description": "Finds tools.",
    "parameters": {"type": "object", "properties": {"goal": {"type": "string"}}, "required": ["goal"]},
}  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
def test_a_client_side_tool_search_is_a_function(target: Any) -> None:
    asking = {"type": "tool_search_call", "call_id": "call_1", "execution": "client", "arguments": {"goal": "mail"}}
    found = {
        "type": "tool_search_output", "call_id": "call_1", "execution": "client",
        "tools": [function("send"), {"type": "namespace", "name": "crm", "tools": [function("get")]}],
    }  # fmt: skip
    body = asked(SEARCH, items=[asking, found])
    encoded = il.translate_request(body, "openai_responses", target, model="m")
    assert names_of(encoded.body, target) == ["tool_search", "send", "crm__get"]
    messages: Any = il.normal_form(il.decode_request(encoded.body, target))["messages"]
    [one] = messages[1]["tool_calls"]
    assert (one["name"], one["arguments"]) == ("tool_search", {"goal": "mail"})
    assert messages[2]["content"] == '{"tools":["send","crm__get"]}'
    assert il.check_request(encoded.body, target) == []


def test_a_tool_search_call_is_returned_as_its_item() -> None:
    exchange = il.exchange(asked(SEARCH), "openai_responses", "openai_chat", model="m")
    [offered] = exchange.body["tools"]
    assert offered["function"]["description"] == "Finds tools."
    [item] = exchange.response(answer(call("tool_search", '{"goal": "mail"}'))).body["output"]
    assert item.pop("id")
    assert item == {
        "type": "tool_search_call", "call_id": "call_1", "status": "completed", "execution": "client",
        "arguments": {"goal": "mail"},
    }  # fmt: skip
    told: list[Any] = list(exchange.stream(frames("tool_search", '{"goal": "mail"}')))
    assert told[-1]["response"]["output"][0]["arguments"] == {"goal": "mail"}
    [item] = exchange.response(answer(call("tool_search", "no json"))).body["output"]
    assert item["type"] == "function_call"


def test_a_server_side_tool_search_is_not_a_function() -> None:
    items = [
        {"type": "tool_search_call", "call_id": None, "execution": "server", "arguments": {}},
        {"type": "tool_search_output", "call_id": None, "execution": "server", "tools": [function("send")]},
    ]
    body = asked({"type": "tool_search"}, function("send", defer_loading=True), items=items)
    encoded = il.translate_request(body, "openai_responses", "claude", model="m")
    assert names_of(encoded.body, "claude") == ["send"]
    said = [{"type": "text", "text": "Called tool_search: {}\n\n```output\nsend\n```"}]
    assert encoded.body["messages"][1]["content"] == said
    told = {loss.path: loss.severity for loss in encoded.losses if loss.code == "message"}
    assert (told["/messages/1"], told["/messages/2"]) == ("changed", "changed")


# What Gemini and Claude answer with a call of the search, and where their signature of it stands in the next request.
SIGNED_SEARCHES: Final[list[tuple[Any, str, dict[str, Any]]]] = [
    (
        "gemini", "gemini-3.5-pro",
        {"candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [
            {"functionCall": {"name": "tool_search", "args": {"query": "x"}}, "thoughtSignature": "czM="}
        ]}}]},
    ),
    (
        "claude", "claude-sonnet-4-5",
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use", "content": [
            {"type": "thinking", "thinking": "Let me look.", "signature": "czM="},
            {"type": "tool_use", "id": "toolu_1", "name": "tool_search", "input": {"query": "x"}},
        ], "usage": {"input_tokens": 1, "output_tokens": 1}},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("provider", "model", "answer"), SIGNED_SEARCHES)
def test_a_call_returned_as_an_item_keeps_its_signature(provider: Any, model: str, answer: dict[str, Any]) -> None:
    search = {"type": "tool_search", "execution": "client", "parameters": {"type": "object", "properties": {}}}
    opening = il.exchange(asked(search, reasoning={"effort": "high"}), "openai_responses", provider, model=model)
    output = opening.response(answer).body["output"]
    assert [item["type"] for item in output] == ["reasoning", "tool_search_call"]
    found = {"type": "tool_search_output", "call_id": output[1]["call_id"], "execution": "client", "tools": []}
    again = asked(search, items=[*output, found], reasoning={"effort": "high"})
    closing = il.exchange(again, "openai_responses", provider, model=model)
    assert il.check_request(closing.body, provider) == []
    if provider == "gemini":
        [part] = closing.body["contents"][1]["parts"]
        assert part["thoughtSignature"] == "czM="
    else:
        assert closing.body["messages"][1]["content"][0] == answer["content"][0]
        assert closing.body["thinking"]["type"] == "enabled"


TASK: Final[dict[str, Any]] = {
    "type": "agent_message", "author": "/root", "recipient": "/root/t", "content": [
        {"type": "input_text", "text": "NEW_TASK\n"},
        {"type": "encrypted_content", "encrypted_content": "Count them."},
    ],
}  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
def test_agent_messages_become_user_messages(target: Any) -> None:
    """Codex writes what its agents say to each other where OpenAI's models encrypt it, in words for other models."""
    encoded = il.translate_request({"model": "m", "input": [TASK]}, "openai_responses", target)
    [message] = il.decode_request(encoded.body, target).messages
    assert message.role == "user"
    assert "NEW_TASK\\nCount them." in json.dumps(message.model_dump(mode="json"))
    assert [loss.detail for loss in encoded.losses if loss.path == "/messages/0"] == [
        "what another agent wrote is sent as a user message, without author, recipient"
    ]


def test_encrypted_agent_content_is_lost() -> None:
    sealed = {"type": "encrypted_content", "encrypted_content": "gAAAABsealed"}
    half = {**TASK, "content": [TASK["content"][0], sealed]}
    encoded = il.translate_request({"model": "m", "input": [half]}, "openai_responses", "claude")
    assert "gAAAA" not in json.dumps(encoded.body)
    assert any("encrypted_content" in loss.detail for loss in encoded.losses)
    nothing = il.translate_request(
        {"model": "m", "input": [{**TASK, "content": [sealed]}]}, "openai_responses", "claude"
    )
    assert ("/messages/0", "lost") in [(loss.path, loss.severity) for loss in nothing.losses]


def test_an_image_in_an_agent_message_is_reported_by_type() -> None:
    picture = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}
    told = {**TASK, "content": [*TASK["content"], picture]}
    encoded = il.translate_request({"model": "m", "input": [told]}, "openai_responses", "claude")
    assert [loss.detail for loss in encoded.losses if loss.path == "/messages/0"] == [
        "what another agent wrote is sent as a user message, without author, recipient, input_image"
    ]
