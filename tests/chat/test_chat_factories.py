"""Chat messages made by hand: the rules of 004, each by the name that it has there."""

from __future__ import annotations

import inspect
import tracemalloc
from collections.abc import Callable
from typing import Any, Final

import pytest
from pydantic import ValidationError

import interlingua as il
from interlingua_types import CURRENT

HIDDEN: Final = "correct-horse-battery"
CALL: Final = il.ToolCall(id="call_001", name="write_file", arguments={"path": "fibonacci.cs"})
PICTURE: Final = {"type": "image", "url": "https://example.com/a.png"}
FACTORIES: Final = (
    il.chat.create_system,
    il.chat.create_developer,
    il.chat.create_user,
    il.chat.create_assistant,
    il.chat.create_tool_result,
    il.chat.create_message,
)
SPOKEN: Final = FACTORIES[:3]
NOTHING: Final[tuple[Any, ...]] = (None, "", [])


def refusal(make: Callable[..., Any], *given: Any, **named: Any) -> str:
    """Return what the refusal of a value made by hand says; it is a ValueError and shows no content."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - that it is a ValueError is the requirement
        make(*given, **named)
    assert isinstance(caught.value, il.InvalidArgumentError)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert HIDDEN not in str(caught.value)
    return str(caught.value)


# What is made.


@pytest.mark.requirement("FR-004a-27", "FR-004a-28", "MAN-3.1")
def test_a_system_message_is_created() -> None:
    assert il.chat.create_system(" You are\nhelpful. ").content == " You are\nhelpful. "
    message = il.chat.create_system("You are helpful.")
    assert message.role == il.MessageRole.SYSTEM.value
    assert message.content == "You are helpful."
    assert "tool_calls" not in message.model_dump()
    assert "system" in str(message)
    assert "content=<16 characters>" in str(message)


@pytest.mark.requirement("FR-004a-27", "FR-004a-29", "MAN-3.2")
def test_a_user_message_is_created_and_cannot_be_changed() -> None:
    assert il.chat.create_user(" Hello\n").content == " Hello\n"
    message = il.chat.create_user("Hello")
    assert (message.role, message.content) == (il.MessageRole.USER, "Hello")
    with pytest.raises(ValidationError):
        message.content = "Bye"
    assert message.content == "Hello"
    parts = [il.TextPart(text="Hello")]
    spoken = il.chat.create_user(parts)
    parts.clear()
    assert spoken.content == (il.TextPart(text="Hello"),)


@pytest.mark.requirement("FR-004a-30", "FR-004a-18", "MAN-3.3")
def test_an_assistant_message_calls_tools_without_content() -> None:
    call = il.ToolCall.create("write_file", {"path": "a.cs"}, "call_001")
    message = il.chat.create_assistant(None, [call])
    assert message.role == il.MessageRole.ASSISTANT.value
    assert message.content is None
    assert message.tool_calls == (call,)
    assert "content" not in message.model_dump()
    several = [call, il.ToolCall.create("read_file", {}, "call_003"), il.ToolCall.create("read_file", {}, "call_002")]
    assert il.chat.create_assistant(None, several).tool_calls == tuple(several)


@pytest.mark.requirement("FR-004a-30")
def test_an_assistant_message_has_content_calls_or_both() -> None:
    spoken = il.chat.create_assistant("Done.")
    assert (spoken.content, spoken.tool_calls) == ("Done.", None)
    both = il.chat.create_assistant("Let me see.", [CALL], reasoning="hm")
    assert (both.content, both.tool_calls, both.reasoning) == ("Let me see.", (CALL,), "hm")
    assert il.chat.create_assistant("", [CALL]).content == ""
    assert il.chat.create_assistant("Done.", []).tool_calls is None
    assert il.chat.create_assistant(refusal="No.").refusal == "No."


@pytest.mark.requirement("FR-004a-31")
def test_a_result_has_a_call_id_and_a_flag_only_for_an_error() -> None:
    message = il.chat.create_tool_result("call_001", "written")
    assert (message.role, message.tool_call_id, message.content) == ("tool", "call_001", "written")
    assert not message.is_error
    assert message.model_dump() == {"role": "tool", "call_id": "call_001", "content": "written"}
    assert il.chat.create_tool_result("call_001", "no such file", is_error=True).is_error is True
    assert il.chat.create_tool_result(call_id="call_001", result="").content == ""


def test_content_may_be_parts_given_as_models_or_as_json() -> None:
    text = il.TextPart(text="What is this?")
    for factory in SPOKEN:
        content = factory([text, PICTURE]).content
        assert content is not None
        assert [getattr(part, "type", None) for part in content] == ["text", "image"]
    assert il.chat.create_tool_result("call_1", [text]).content == (text,)
    assert il.chat.create_assistant([text]).content == (text,)


def test_a_developer_message_has_the_role_developer() -> None:
    assert il.chat.create_developer("Answer in French.", name="ops").model_dump() == {
        "role": "developer",
        "content": "Answer in French.",
        "name": "ops",
    }


@pytest.mark.requirement("FR-004a-27")
def test_the_classes_create_what_the_factories_create() -> None:
    assert il.SystemChatMessage.create("a") == il.chat.create_system("a")
    assert il.DeveloperChatMessage.create("a") == il.chat.create_developer("a")
    assert il.UserChatMessage.create("a") == il.chat.create_user("a")
    assert il.AssistantChatMessage.create("a", [CALL]) == il.chat.create_assistant("a", [CALL])
    assert il.ToolChatMessage.create("c", "a", is_error=True) == il.chat.create_tool_result("c", "a", is_error=True)


@pytest.mark.requirement("FR-004a-27")
@pytest.mark.parametrize("role", ["system", "DEVELOPER", "User", il.MessageRole.ASSISTANT])
def test_create_message_selects_the_factory_by_role(role: str) -> None:
    message = il.chat.create_message(role, "Hello", id="m1")
    assert (message.role, message.id) == (role.lower(), "m1")
    assert il.chat.create_message("tool", "ok", call_id="c") == il.chat.create_tool_result("c", "ok")
    assert il.chat.create_message("assistant", tool_calls=[CALL]) == il.chat.create_assistant(None, [CALL])


# What is refused.


@pytest.mark.requirement("MAN-1.1", "FR-004a-33")
def test_create_message_refuses_an_unknown_role() -> None:
    for role in ({}, {"role": None}, {"role": "robot"}, {"role": ""}, {"role": 1}):
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - that it is a ValueError is the requirement
            il.Conversation.model_validate({"schema_version": CURRENT, "messages": [{**role, "content": HIDDEN}]})
        assert HIDDEN not in str(caught.value)
        if "role" in role:
            assert "role" in refusal(il.chat.create_message, role["role"], HIDDEN)


@pytest.mark.requirement("MAN-1.2", "FR-004a-20", "FR-004a-32", "FR-004a-33")
def test_a_user_message_without_content_is_refused() -> None:
    for content in (None, "", [], [{"type": "text", "text": ""}]):
        assert "content" in refusal(il.chat.create_user, content)


@pytest.mark.requirement("MAN-1.3", "FR-004a-21", "FR-004a-32", "FR-004a-33")
def test_a_system_message_without_content_is_refused() -> None:
    for factory in (il.chat.create_system, il.chat.create_developer):
        for content in NOTHING:
            assert "content" in refusal(factory, content)


@pytest.mark.requirement("MAN-1.4", "FR-004a-17", "FR-004a-32", "FR-004a-33", "MAN-3.6")
def test_a_result_without_a_call_id_is_refused() -> None:
    for call_id in (None, "", 5):
        assert "call_id" in refusal(il.chat.create_tool_result, call_id, HIDDEN)
    assert "call_id" in refusal(il.chat.create_message, "tool", HIDDEN)
    # And content of null, the other half of the scenario.
    assert "content" in refusal(il.chat.create_user, None)


@pytest.mark.requirement("MAN-1.5", "FR-004a-22", "FR-004a-32", "FR-004a-33")
def test_a_result_without_content_is_refused() -> None:
    for result in (*NOTHING[::2], {"a": 1}, 5):
        assert "result" in refusal(il.chat.create_tool_result, "call_1", result)


@pytest.mark.requirement("MAN-1.6", "FR-004a-19", "FR-004a-32", "FR-004a-33")
def test_an_assistant_message_with_neither_content_nor_calls_is_refused() -> None:
    assert "content or tool_calls" in refusal(il.chat.create_assistant)
    assert "content or tool_calls" in refusal(il.chat.create_assistant, None, [])
    assert "content" in refusal(il.chat.create_assistant, "")
    assert "content" in refusal(il.chat.create_assistant, [], None)


def test_empty_content_is_accepted_with_allow_empty() -> None:
    assert il.chat.create_user("", allow_empty=True).content == ""
    assert il.chat.create_system([], allow_empty=True).content == ()
    assert il.chat.create_assistant("", allow_empty=True).content == ""
    assert il.chat.create_tool_result("c", [], allow_empty=True).content == ()
    for factory in SPOKEN:
        assert "content" in refusal(factory, None, allow_empty=True)


@pytest.mark.requirement("FR-004a-38")
def test_a_call_keeps_its_id_or_gets_one_from_its_history() -> None:
    assert "id" in refusal(il.chat.create_assistant, None, [{"id": "", "name": "f", "arguments": {}}])
    assert "same id" in refusal(il.chat.create_assistant, None, [CALL, CALL])
    nameless = il.ToolCall.create("write_file", {})
    history = il.ConversationHistory(new_id=iter(["id_1", "id_2"]).__next__)
    history.add(il.chat.create_system("s"))
    history.add(il.chat.create_user("u"))
    kept = history.add(il.chat.create_assistant(None, [nameless, CALL, nameless]))
    assert isinstance(kept, il.AssistantChatMessage)
    assert [call.id for call in kept.tool_calls or ()] == ["id_1", "call_001", "id_2"]
    assert nameless.id is None


@pytest.mark.requirement("FR-004a-32", "FR-004a-33")
@pytest.mark.parametrize(
    "bad",
    [
        {"content": 5},
        {"content": b"bytes"},
        {"content": {"type": "text", "text": HIDDEN}},
        {"content": [HIDDEN]},
        {"content": [{"type": "text"}]},
        {"content": [{"type": "image", "url": "a", "data": HIDDEN}]},
        {"content": "x", "name": 5},
        {"content": "x", "secret": HIDDEN},
        {"content": "x", "role": "robot"},
    ],
)
def test_values_that_the_schema_refuses_are_refused_with_the_same_error(bad: dict[str, Any]) -> None:
    for factory in (*SPOKEN, il.chat.create_assistant):
        refusal(factory, **bad)


@pytest.mark.requirement("FR-004a-32", "FR-004a-33")
def test_calls_must_be_a_list_of_calls() -> None:
    for calls in ("call", {"name": "f"}, 5, [5], [{"name": "f"}], [None]):
        refusal(il.chat.create_assistant, "Hi", calls)
    refusal(il.chat.create_tool_result, "c", "x", is_error="yes")
    refusal(il.chat.create_message, "user", "x", tool_calls=[CALL])
    refusal(il.chat.create_message, "user", "x", call_id="c")


@pytest.mark.requirement("NFR-004a-24")
@pytest.mark.parametrize("factory", FACTORIES, ids=lambda factory: factory.__name__)
def test_null_is_refused_with_an_error_of_the_library(factory: Callable[..., Any]) -> None:
    parameters = inspect.signature(factory).parameters.values()
    demanded = [one for one in parameters if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    refusal(factory, *(None for _ in demanded))


# What a factory costs, and what it says of itself.


@pytest.mark.requirement("NFR-004a-09")
def test_a_factory_copies_no_content() -> None:
    text = "x" * 1_000_000
    parts = [il.TextPart(text=text)]
    call = il.ToolCall(id="c", name="f", arguments="{}")
    tracemalloc.start()
    try:
        made: list[Any] = [factory(text) for factory in (*SPOKEN, il.chat.create_assistant)]
        made += [il.chat.create_tool_result("c", text), il.chat.create_user(parts)]
        calling = il.chat.create_assistant(None, [call])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert all(message.content is text for message in made[:5])
    assert made[5].content is not None
    assert made[5].content[0] is parts[0]
    assert (calling.tool_calls or ())[0] is call
    assert peak < 50_000


@pytest.mark.requirement("NFR-004a-38")
def test_every_factory_documents_its_arguments_and_errors() -> None:
    made_by_hand = [
        il.ToolCall.create,
        il.ToolResult.success,
        il.ToolResult.error,
        il.ToolDefinition.create,
        il.ToolDefinition.from_type,
        il.SystemChatMessage.create,
        il.AssistantChatMessage.create,
        il.ToolChatMessage.create,
    ]
    for factory in (*FACTORIES, *made_by_hand):
        text = inspect.getdoc(factory) or ""
        assert "InvalidArgumentError: " in text
        assert len(text.split("Raises:")[1].split()) > 5
