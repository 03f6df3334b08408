"""Requirements about what codecs and their types take and give, alike in all dialects."""

from __future__ import annotations

import ast
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from pydantic import TypeAdapter, ValidationError

import interlingua as il
import interlingua_types
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Callable

EVERY: Final = ("openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm")
CHAT: Final[TypeAdapter[Any]] = TypeAdapter(il.ChatMessage)
HIDDEN: Final = "hunter2"
SCHEMA: Final = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
FUNCTION: Final = {"name": "read_file", "description": "Reads a file.", "parameters": SCHEMA}
# The tool as each provider takes it. Gemini and Ollama have no place for `strict`; the former has a mode instead.
TOOLS: Final[dict[str, Any]] = {
    "openai_chat": {"type": "function", "function": {**FUNCTION, "strict": False}},
    "openai_responses": {"type": "function", **FUNCTION, "strict": False},
    "claude": {"name": "read_file", "description": "Reads a file.", "input_schema": SCHEMA, "strict": False},
    "gemini": {
        "functionDeclarations": [
            {"name": "read_file", "description": "Reads a file.", "parametersJsonSchema": SCHEMA},
        ]
    },
    "ollama": {"type": "function", "function": FUNCTION},
    "vllm": {"type": "function", "function": {**FUNCTION, "strict": False}},
}
CALL: Final = il.ToolCall(id="call_1", name="write_file", arguments={"path": "a.txt"})


def messages() -> tuple[il.ChatMessage, ...]:
    """Return messages of every role and form; made in a test, so that one that is refused fails it."""
    return (
        il.SystemChatMessage(content="You are a coding assistant."),
        il.UserChatMessage(content="Write a function"),
        il.AssistantChatMessage(tool_calls=[CALL]),
        il.ToolChatMessage(call_id="call_1", content="File written"),
        il.AssistantChatMessage(content="Done! The file has been written."),
        il.ToolChatMessage(call_id="call_2", content="", is_error=False),
        il.DeveloperChatMessage(content=[il.TextPart(text=""), il.ImagePart(url="https://example.com/a.png")]),
        il.AssistantChatMessage(content="", tool_calls=[il.ToolCall(id="call_3", name="f", arguments={})]),
    )


@pytest.mark.requirement("FR-004a-86")
@pytest.mark.parametrize("dialect", EVERY)
def test_a_tool_is_written_in_the_form_of_each_provider(dialect: str) -> None:
    tool = il.ToolDefinition.create("read_file", "Reads a file.", SCHEMA, strict=False)
    request = il.ChatRequest(model="m", messages=[il.UserChatMessage(content="Hi")], tools=[tool])
    body = il.encode_request(request, dialect).body
    assert body["tools"] == [TOOLS[dialect]]
    assert il.check_request(body, dialect) == []
    (again,) = il.decode_request(body, dialect).tools or ()
    assert isinstance(again, il.ToolDefinition)
    assert (again.name, again.description, again.parameters) == (tool.name, tool.description, SCHEMA)


def test_a_tool_has_a_name() -> None:
    with pytest.raises(ValidationError) as caught:
        il.ToolDefinition.model_validate({"type": "function", "parameters": SCHEMA})
    assert [error["loc"] for error in caught.value.errors()] == [("name",)]


@pytest.mark.requirement("FR-004a-40", "FR-004a-44", "FR-004a-45")
def test_a_call_has_a_name_and_json_arguments() -> None:
    values: dict[str, Any] = {"a": [1, 2.5, None, True, {"b": "c"}]}
    assert il.ToolCall(name="f", arguments=values).arguments == values
    for document, missing in (({"arguments": {}}, "name"), ({"name": "f"}, "arguments")):
        with pytest.raises(ValidationError) as caught:
            il.ToolCall.model_validate(document)
        assert [error["loc"] for error in caught.value.errors()] == [(missing,)]


@pytest.mark.requirement("FR-004a-60")
def test_a_result_has_a_text() -> None:
    assert il.ToolResult(call_id="call_1", result="done").result == "done"
    with pytest.raises(ValidationError) as caught:
        il.ToolResult.model_validate({"call_id": "call_1"})
    assert [error["loc"] for error in caught.value.errors()] == [("result",)]


@pytest.mark.requirement(
    "FR-004a-11",
    "FR-004a-14",
    "FR-004a-15",
    "FR-004a-16",
    "FR-004a-18",
    "MAN-3.5",
    "TEST-SerializationCompatibility.Should_Roundtrip_All_Types",
)
def test_a_chat_message_of_any_role_round_trips_through_json() -> None:
    restored = [CHAT.validate_json(CHAT.dump_json(message)) for message in messages()]
    assert restored == list(messages())
    assert [message.role for message in restored[:5]] == ["system", "user", "assistant", "tool", "assistant"]
    assert (restored[2].content, restored[4].tool_calls) == (None, None)
    assert restored[2].tool_calls == (CALL,)
    assert restored[3].tool_call_id == "call_1"
    with pytest.raises(ValidationError):
        CHAT.validate_python({"content": "Hello"})


@pytest.mark.requirement("NFR-004a-31", "TEST-SerializationCompatibility.Should_Handle_Provider_Extensions")
def test_provider_members_do_not_affect_other_code() -> None:
    extended = {
        "role": "assistant",
        "content": "Hello",
        "provider_specific_field": "ignored",
        "metadata": {"model": "test"},
    }
    (stored,) = il.load_message(extended)
    assert isinstance(stored, il.TextMessage)
    assert (stored.data.role, stored.data.content) == ("assistant", "Hello")
    for dialect in ("openai_chat", "vllm", "ollama"):
        body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}, extended]}
        (_, message) = il.decode_request(body, dialect).messages
        assert isinstance(message, il.AssistantChatMessage)
        assert message.content == "Hello"


@pytest.mark.requirement("NFR-004a-19", "NFR-004a-28", "NFR-004a-29")
@pytest.mark.parametrize("text", ["", "e\u0301", "\u00e9", "\ufb01", "\U0001f600\u200d", "\x00\u2028", "x" * 1_000_000])
def test_a_text_keeps_all_characters_and_any_length(text: str) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": text}]}
    for dialect in ("openai_chat", "ollama", "vllm", "claude"):
        request = il.decode_request(body, dialect)
        assert [message.content for message in request.messages if message.role == "user"] == [text]
        assert il.encode_request(request, dialect).body == body
    if text:
        for target in EVERY:
            there = il.translate_request(body, "openai_chat", target).body
            assert il.translate_request(there, target, "openai_chat").body["messages"] == body["messages"]


@pytest.mark.requirement("NFR-004a-30")
def test_a_surrogate_pair_is_a_character_and_a_lone_surrogate_is_refused() -> None:
    (message,) = il.load_message('{"role": "user", "content": "\\ud83d\\ude00"}')
    assert il.dump_message(message)["data"]["content"] == "\U0001f600"
    with pytest.raises(il.JsonDecodeError):
        il.load_message('{"role": "user", "content": "\\ud83d"}')


@pytest.mark.requirement("NFR-004a-25", "NFR-004a-26")
def test_invalid_input_raises_a_value_error() -> None:
    assert issubclass(il.JsonDecodeError, ValueError)
    with pytest.raises(il.JsonDecodeError):
        il.load_message("{")
    wrong: tuple[Callable[[], object], ...] = (
        lambda: il.ToolCall.create("", {}),
        lambda: il.ToolDefinition.create("f", "", SCHEMA),
        lambda: il.ToolResult.success("", "done"),
        lambda: il.UserChatMessage.model_validate({"role": "user", "content": 7}),
    )
    for make in wrong:
        with pytest.raises(ValueError):  # noqa: PT011  # that it is a ValueError is the requirement
            make()


@pytest.mark.requirement("NFR-004a-22")
def test_no_traceback_contains_content() -> None:
    told: list[Exception] = []
    for fail in (
        lambda: il.decode_request({"model": "m", "messages": [{"role": "user", "content": {"a": HIDDEN}}]}, "claude"),
        lambda: il.decode_response({"choices": HIDDEN}, "openai_chat"),
        lambda: list(il.decode_stream([{"choices": HIDDEN}], "openai_chat")),
        lambda: il.load_message(f'{{"role": "user", "content": "{HIDDEN}"'),
        lambda: il.load_message({"schema_version": CURRENT, "type": "text", "data": {"role": HIDDEN}}),
        lambda: il.ToolCall.create("f", f"[{HIDDEN!r}]"),
        lambda: il.UserChatMessage.model_validate({"role": "user", "content": [{"type": "text", "text": [HIDDEN]}]}),
    ):
        try:
            fail()
        except ValueError as error:
            told.append(error)
    assert len(told) == 7
    for one in told:
        lines = traceback.format_exception(one)
        # A line of this file, which shows what was tried, is no line of the error.
        shown = "".join(line for line in lines if f'File "{__file__}"' not in line)
        assert HIDDEN not in shown


# What would let a type run code, or read a file or the network.
FORBIDDEN: Final = frozenset(
    {"asyncio", "http", "io", "os", "pathlib", "pickle", "shutil", "socket", "ssl", "subprocess", "tempfile", "urllib"}
)
CALLS: Final = frozenset({"open", "exec", "eval", "compile", "__import__", "input"})
MODULES: Final = sorted(Path(str(interlingua_types.__file__)).parent.rglob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_types_run_no_code_and_touch_no_files_and_no_network(module: Path) -> None:
    assert reaches(module.read_text(encoding="utf-8")) == set()


def reaches(source: str) -> set[str]:
    """Return what a module imports or calls that a type must not."""
    nodes = list(ast.walk(ast.parse(source)))
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    return ({name.partition(".")[0] for name in imported} & FORBIDDEN) | (called & CALLS)


def test_a_type_that_reads_a_file_is_detected() -> None:
    assert reaches("import os.path\nfrom urllib import request\nopen('a')") == {"os", "urllib", "open"}
