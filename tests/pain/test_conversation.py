"""Pains of a conversation in memory: several speakers, and values that no file can hold."""

from __future__ import annotations

import datetime as dt
import decimal
import uuid
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.chat import create_assistant, create_system, create_tool_result, create_user, rules_of

CALL: Final = il.ToolCall.create("search", {"query": "tides"}, "call_b")
ROOM: Final = (
    create_system("You are in a room with others."),
    create_user("Plan the trip."),
    create_assistant("I suggest the coast.", name="A"),
    create_assistant("Let me look.", [CALL], name="B", reasoning="B thinks."),
    create_tool_result("call_b", "High at noon."),
    create_assistant(
        [
            {"type": "text", "text": "Go at noon."},
            {"type": "image", "url": "https://example.com/map.png"},
            {"type": "opaque", "dialect": "claude", "data": {"type": "server_tool_use"}},
        ],
        name="B",
        extra={"claude": {"thinking_blocks": [{"type": "thinking", "signature": "c2ln"}]}},
    ),
)


def test_his_9_messages_of_other_assistants_become_user_messages() -> None:
    view = il.chat.view_of(ROOM, "A")
    assert [message.role for message in view.messages] == ["system", "user", "assistant", "user", "user", "user"]
    assert all(view.messages[place] is ROOM[place] for place in range(3))
    said = view.messages[3]
    assert isinstance(said, il.UserChatMessage)
    assert said.name == "B"
    assert said.content == 'B: Let me look.\n\nB: (calls search with {"query":"tides"})'
    result = view.messages[4]
    assert isinstance(result, il.UserChatMessage)
    assert result.content == "B: (result of search: High at noon.)"
    shown = view.messages[5]
    assert isinstance(shown, il.UserChatMessage)
    assert [part if isinstance(part, str) else part.type for part in shown.content or ()] == ["text", "image"]


@pytest.mark.parametrize("dialect", ["openai_chat", "openai_responses", "claude", "gemini", "ollama", "vllm"])
def test_his_9_a_view_is_encoded_in_every_dialect_with_all_its_content(dialect: str) -> None:
    for speaker in ("A", "B", "C"):
        request = il.ChatRequest(model="m", messages=il.chat.view_of(ROOM[:5], speaker).messages)
        body = il.encode_request(request, dialect).body
        assert il.check_request(body, dialect) == []
        text = repr(body)
        assert all(words in text for words in ("suggest the coast", "Let me look", "search", "High at noon"))


def test_his_9_dropped_content_of_other_assistants_is_reported() -> None:
    losses = {(loss.path, loss.code, loss.severity) for loss in il.chat.view_of(ROOM, "A").losses}
    assert losses == {
        ("/3/reasoning", "reasoning", "lost"),
        ("/3/content", "content", "changed"),
        ("/3/tool_calls", "member", "changed"),
        ("/3/role", "role", "changed"),
        ("/4/content", "content", "changed"),
        ("/4/role", "role", "changed"),
        ("/5/content", "content", "changed"),
        ("/5/content/2", "part", "lost"),
        ("/5/role", "role", "changed"),
        ("/5/extra", "extra", "lost"),
    }
    assert not any("High" in repr(loss) for loss in il.chat.view_of(ROOM, "A").losses)


def test_his_9_each_speaker_keeps_its_own_texts_and_calls() -> None:
    view = il.chat.view_of(ROOM, "B")
    assert [message.role for message in view.messages] == ["system", "user", "user", "assistant", "tool", "assistant"]
    assert all(view.messages[place] is ROOM[place] for place in (0, 1, 3, 4, 5))
    assert [loss.path for loss in view.losses] == ["/2/content", "/2/role"]
    history = il.ConversationHistory(rules_of("claude"))
    history.add_turn(view.messages)
    assert history.validate() == []


def test_his_9_attribution_and_unnamed_answers_are_configurable() -> None:
    room = (create_user("u"), create_assistant("x"), create_assistant("only thought", name="B"))
    view = il.chat.view_of(room, "A", say=lambda speaker, text: f"<{speaker}>{text}</{speaker}>")
    assert view.messages[2] == create_user("<B>only thought</B>", name="B")
    assert view.messages[1] is room[1]
    (_, told, _) = il.chat.view_of(room, "A", unnamed="C").messages
    assert told == create_user("C: x", name="C")
    thinking = (create_user("u"), il.AssistantChatMessage(reasoning="hm", name="B"))
    silent = il.chat.view_of(thinking, "A")
    assert silent.messages == thinking[:1]
    assert {loss.path for loss in silent.losses if loss.severity == "lost"} == {"/1"}


class Foreign:
    """An object of somebody's SDK."""


NO_JSON: Final[tuple[Any, ...]] = (
    dt.datetime.now(dt.UTC),
    dt.time(1, 2),
    b"bytes",
    (1, 2),
    {1, 2},
    {1: "a"},
    float("nan"),
    decimal.Decimal("1.5"),
    uuid.UUID(int=1),
    Foreign(),
    create_user("a model"),
)


@pytest.mark.parametrize("value", NO_JSON, ids=lambda value: type(value).__name__)
def test_per_10_a_value_that_json_cannot_represent_is_refused_when_added(value: Any) -> None:
    history = il.ConversationHistory()
    history.add_turn([create_system("s"), create_user("u")])
    bad = [
        il.AssistantChatMessage(tool_calls=(il.ToolCall(id="c", name="f", arguments={"deep": [{"in": value}]}),)),
        il.AssistantChatMessage(content="x", extra={"mine": {"deep": [value]}}),  # type: ignore[arg-type]  # by a mapping
        il.AssistantChatMessage(content=[{"type": "opaque", "dialect": "claude", "data": {"a": value}}]),  # type: ignore[arg-type]  # by a mapping
    ]
    for message in bad:
        with pytest.raises(il.InvalidArgumentError, match=" is no JSON: at /") as caught:
            history.add(message)
        assert "bytes'" not in str(caught.value)
        with pytest.raises(il.InvalidArgumentError):
            history.add_turn([create_assistant("x"), message])
    with pytest.raises(il.InvalidArgumentError, match="at /when"):
        il.ConversationHistory(metadata={"when": value})
    assert history.count == 2
    # What was taken can always be saved.
    assert il.ConversationHistory.from_json(history.to_json()).count == 2


def test_per_10_an_accepted_value_round_trips() -> None:
    arguments = {"a": [1, 2.5, True, None, {"b": "\u2603"}], "big": 2**70, "empty": {}}
    history = il.ConversationHistory(metadata={"deep": arguments})
    history.add_turn(
        [create_system("s"), create_user("u"), create_assistant(None, [il.ToolCall.create("f", arguments)])]
    )
    again = il.ConversationHistory.from_json(history.to_json())
    assert (again.get_messages(), again.metadata) == (history.get_messages(), history.metadata)
