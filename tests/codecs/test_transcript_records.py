"""What people's own records hold, in a transcript: answers, compactions, agents' transcripts, sources of records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import interlingua as il
from interlingua.context import HeuristicCounter, select
from support.cost import seconds
from support.transcripts import said, transcript, user

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = il.RecordSource(format="codex", id="r2", parent="r1")
ANSWER = il.Answer(model="m", finish_reason="stop", usage=il.Usage(input_tokens=5))
STOPPED = il.Answer(
    finish_reason="cancelled",
    cost_usd=0.0042,
    duration_ms=1830,
    error=il.ApiError(category="cancelled", message="The user stopped it."),
)


def compaction(summary: Any = "in short", **data: Any) -> il.CompactionMessage:
    return il.CompactionMessage(data=il.CompactionData(summary=summary, **data))


def told(*messages: Any) -> list[Any]:
    return [getattr(message, "content", None) for message in il.to_chat(messages)]


def response(*messages: il.ChatMessage, **members: Any) -> il.ChatResponse:
    return il.ChatResponse(messages=messages, **members)


def test_members_of_a_response_beside_its_messages_are_kept_on_the_first_message() -> None:
    answered = il.AssistantChatMessage(reasoning="hm", content="hello")
    usage = il.Usage(input_tokens=5, output_tokens=2)
    given = response(answered, id="r1", model="m", finish_reason="length", usage=usage, dialect="claude")
    first, second = il.from_chat(given)
    assert first.answer == il.Answer(dialect="claude", id="r1", model="m", finish_reason="length", usage=usage)
    assert second.answer is None
    assert il.to_chat([first, second]) == [answered]


def test_a_response_without_other_members_stores_no_answer_object() -> None:
    (message,) = il.from_chat(response(il.AssistantChatMessage(content="hello")))
    assert message.answer is None
    assert il.from_chat(response(model="m")) == []


def test_a_summary_replaces_everything_before_it_except_instructions() -> None:
    messages = (said("system", "rules"), user("a"), said("assistant", "b"), compaction(), user("c"))
    assert told(*messages) == ["rules", "in short", "c"]


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        ({"last_id": "1"}, ["in short", "c", "d"]),
        ({"first_id": "1", "last_id": "1"}, ["a", "in short", "c", "d"]),
        ({"first_id": "1"}, ["a", "in short", "d"]),
        ({"last_id": "elsewhere"}, ["in short", "a", "b", "c", "d"]),
        ({"first_id": "2", "last_id": "0"}, ["a", "b", "c", "in short", "d"]),
        ({"first_id": "elsewhere", "last_id": "0"}, ["in short", "b", "c", "d"]),
    ],
)
def test_summarised_messages_are_identified_by_id(data: dict[str, str], wanted: list[str]) -> None:
    before = [user(words, id=str(number)) for number, words in enumerate("abc")]
    assert told(*before, compaction(**data), user("d")) == wanted


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        ({"last_id": "question"}, ["user", "assistant", "tool", "tool", "user"]),
        ({"last_id": "thought"}, ["user", "assistant", "tool", "tool", "user"]),
        ({"last_id": "calls"}, ["user", "assistant", "tool", "tool", "user"]),
        ({"last_id": "first"}, ["user", "assistant", "tool", "tool", "user"]),
        ({"last_id": "second"}, ["user", "user"]),
        ({"first_id": "first"}, ["user", "assistant", "tool", "tool", "user", "user"]),
        ({"first_id": "second", "last_id": "second"}, ["user", "assistant", "tool", "tool", "user", "user"]),
    ],
)
def test_compaction_never_separates_a_call_from_its_results(data: dict[str, str], wanted: list[str]) -> None:
    asked = il.messages.tool_request(*(il.ToolCall(id=one, name="look", arguments={}) for one in ("c1", "c2")))
    messages: list[Any] = [
        user("a", id="question"),
        said("assistant", "Let me see.", id="thought"),
        asked.replace(id="calls", joins=True),
        il.messages.tool_result("c1", "1", id="first"),
        il.messages.tool_result("c2", "2", id="second"),
        compaction(**data),
        user("c"),
    ]
    chat = il.to_chat(messages)
    assert [message.role for message in chat] == wanted
    answers = [message for message in chat if isinstance(message, il.AssistantChatMessage)]
    assert all(answer.tool_calls and len(answer.tool_calls) == 2 for answer in answers)
    request = il.ChatRequest(model="gpt-5", messages=chat)
    assert il.repair_request(request, "openai_chat").repairs == ()


def test_a_result_after_the_compaction_of_its_call_is_written_with_the_call() -> None:
    asked = il.messages.tool_request(il.ToolCall(id="c1", name="look", arguments={}))
    chat = il.to_chat([user("a"), asked, compaction(), il.messages.tool_result("c1", "1"), user("b")])
    assert [message.role for message in chat] == ["user", "assistant", "tool", "user"]


def test_a_later_compaction_includes_an_earlier_one() -> None:
    assert told(user("a"), compaction("one"), user("b"), compaction("two"), user("c")) == ["two", "c"]


def test_a_summarised_range_may_end_with_a_message_of_an_unknown_type() -> None:
    documents = ({"schema_version": 3, "type": "hologram", "id": identifier} for identifier in ("last", ["last"]))
    unknown = il.load_messages(documents).messages
    assert told(user("a"), *unknown, compaction(last_id="last"), user("b")) == ["in short", "b"]


def test_many_compactions_cost_no_more_than_as_many_messages() -> None:
    messages = [one for number in range(10_000) for one in (user(str(number)), compaction(str(number)))]
    assert seconds(lambda: told(*messages)) < 2
    assert told(*messages) == ["9999"]


def test_a_compaction_without_a_summary_only_hides_messages() -> None:
    assert told(user("a"), compaction(None), user("b")) == ["b"]


def test_a_continuation_of_a_summarised_message_is_not_joined_to_another() -> None:
    before = [said("assistant", "a"), said("assistant", "b", id="b")]
    last = said("assistant", "c", joins=True)
    assert told(*before, last, compaction(first_id="b", last_id="b")) == ["a", "in short", "c"]


def test_a_selection_counts_the_summary_instead_of_the_summarised_messages() -> None:
    messages: list[Any] = [user("word " * 1000), compaction("short"), user("c")]
    found = select(messages, 100, HeuristicCounter())
    assert found.messages == tuple(messages)
    assert found.tokens < 100


def test_compactions_are_kept_in_documents_stores_and_exports(tmp_path: Path) -> None:
    link = il.TranscriptLink(id="agent-1", agent="tester")
    result = il.ToolResultData(call_id="c1", output="done", artifact={"added": 2}, subagents=(link,))
    worked = il.ToolResultMessage(data=result, source=SOURCE)
    answers = [said("assistant", "b", answer=ANSWER), said("assistant", "c", answer=STOPPED)]
    messages: list[Any] = [user("a", source=SOURCE), *answers, worked, compaction()]
    kept = transcript(messages)
    assert il.Transcript.from_document(kept.to_document()).messages == kept.messages
    with il.SessionStore(tmp_path / "sessions.db") as store:
        session = store.create()
        stored = store.append(session, messages)
        assert store.load(session).transcript.messages == stored.messages
        store.export_jsonl(session, tmp_path / "export.jsonl")
        imported = store.import_jsonl(tmp_path / "export.jsonl")
        again: Any = store.load(imported.session_id).transcript.messages
    assert [(one.type, one.data, one.answer, one.source) for one in again] == [
        (one.type, one.data, one.answer, one.source) for one in messages
    ]


def test_compactions_are_reported_as_losses_by_older_versions() -> None:
    link = il.TranscriptLink(id="agent-1")
    result = il.ToolResultData(call_id="c1", output="done", artifact={"added": 2}, subagents=(link,))
    worked = il.ToolResultMessage(data=result)
    messages: list[Any] = [
        user("a", source=SOURCE),
        said("assistant", "b", answer=ANSWER),
        worked,
        compaction(last_id="m1"),
    ]
    down = il.downgrade([il.dump_message(one) for one in messages], to=2)
    assert [one["content"] for one in down.documents] == ["a", "b", "done", "in short"]
    assert [(loss.path, loss.severity) for loss in down.losses] == [
        ("/0/source", "lost"),
        ("/1/answer", "lost"),
        ("/2/data/artifact", "lost"),
        ("/2/data/subagents", "lost"),
        ("/3/type", "changed"),
        ("/3/data/last_id", "lost"),
    ]
    assert not any(il.validate(one, version=2) for one in down.documents)


def test_a_tool_artifact_is_never_sent_to_a_model() -> None:
    result = il.ToolResultData(call_id="c1", output="done", artifact={"secret": "of the application"})
    (message,) = il.to_chat([il.ToolResultMessage(data=result)])
    assert message == il.ToolChatMessage(call_id="c1", content="done")


def test_each_part_of_a_summary_is_checked() -> None:
    assert il.check_message(compaction()) == []
    assert [one.path for one in il.check_message(compaction([{"type": "text", "text": ""}]))] == [
        "/data/summary/0/text"
    ]
