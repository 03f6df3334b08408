"""What stays of a conversation under a budget, case by case."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.context import Costs, HeuristicCounter, MessageCounter, Selection, select, window
from interlingua.errors import ContextBudgetError
from interlingua.transcript import Transcript
from interlingua_types import CURRENT
from interlingua_types._base import InvalidArgumentError
from support.cost import seconds

Body = dict[str, Any]


class Letters:
    """One token a character, so that a reader can add up."""

    def count(self, text: str) -> int:
        return len(text)


COUNTER: Final = MessageCounter(Letters(), Costs(request=0, message=0, call=0, result=0, tool=0))


def chat(*messages: Body, **members: Any) -> il.ChatRequest:
    return il.ChatRequest.model_validate({"messages": list(messages), **members})


def user(words: str) -> Body:
    return {"role": "user", "content": words}


def answer(words: str, **members: Any) -> Body:
    return {"role": "assistant", "content": words, **members}


def calling(*identifiers: str, thinks: bool = False, **members: Any) -> Body:
    calls = [{"id": one, "name": "f", "arguments": "{}"} for one in identifiers]
    return {"role": "assistant", "tool_calls": calls, **({"reasoning": "hmm"} if thinks else {}), **members}


def result(identifier: str, words: str = "r") -> Body:
    return {"role": "tool", "call_id": identifier, "content": words}


def kept(messages: Sequence[Body], budget: int, **options: Any) -> list[int]:
    """Return which messages stay, by index."""
    request = chat(*messages)
    selection = select(request, budget, COUNTER, **options)
    left = {one.index for one in selection.omitted}
    stay = [index for index in range(len(messages)) if index not in left]
    assert selection.messages == tuple(request.messages[index] for index in stay)
    assert selection.tokens == sum(COUNTER.count_message(message) for message in selection.messages) <= budget
    return stay


TURNS: Final = [user("11"), answer("1"), user("22"), answer("2"), user("33"), answer("3")]


def test_whole_turns_are_dropped_oldest_first() -> None:
    assert kept(TURNS, 9) == [0, 1, 2, 3, 4, 5]
    assert kept(TURNS, 8) == kept(TURNS, 6) == [2, 3, 4, 5]
    assert kept(TURNS, 5) == kept(TURNS, 3) == [4, 5]


def test_required_messages_over_the_budget_raise_an_error_with_both_numbers() -> None:
    with pytest.raises(ContextBudgetError) as caught:
        select(chat({"role": "system", "content": "sss"}, *TURNS), 5, COUNTER)
    assert (caught.value.needed, caught.value.budget) == (6, 5)
    assert "33" not in str(caught.value)


def test_instructions_are_kept_wherever_they_are() -> None:
    messages = [
        {"role": "system", "content": "s"},
        {"role": "developer", "content": "d"},
        *TURNS[:2],
        {"role": "system", "content": "t"},
        *TURNS[2:],
    ]
    assert kept(messages, 6) == [0, 1, 4, 7, 8]


def test_a_call_and_its_results_are_kept_or_dropped_together() -> None:
    messages = [user("1"), calling("a", "b"), result("a"), result("b"), user("2")]
    assert kept(messages, 10) == [0, 1, 2, 3, 4]
    for budget in range(1, 10):
        assert kept(messages, budget) == [4]


def test_steps_of_the_newest_turn_may_be_dropped_but_not_its_user_message() -> None:
    step = 4  # "f", "{}" and the result
    messages = [user("go"), *(one for name in "abc" for one in (calling(name), result(name)))]
    assert kept(messages, 2 + 3 * step) == [0, 1, 2, 3, 4, 5, 6]
    assert kept(messages, 2 + 2 * step) == [0, 3, 4, 5, 6]
    assert kept(messages, 2 + 1 * step) == [0, 5, 6]
    with pytest.raises(ContextBudgetError):
        kept(messages, 1 + 1 * step)


def test_a_late_result_keeps_all_messages_since_its_call_together() -> None:
    messages = [user("1"), calling("a"), user("2"), result("a"), user("3")]
    assert kept(messages, 7) == [0, 1, 2, 3, 4]
    assert kept(messages, 6) == [4]


def test_a_reused_id_refers_to_the_nearest_call() -> None:
    messages = [user("1"), calling("x"), result("x"), user("2"), calling("x"), result("x")]
    assert kept(messages, 9) == [3, 4, 5]


def test_results_without_an_id_belong_to_the_preceding_step() -> None:
    anonymous = {
        "role": "assistant",
        "tool_calls": [{"name": "f", "arguments": "{}"}, {"name": "g", "arguments": "{}"}],
    }
    results: list[Body] = [{"role": "tool", "name": name, "content": "r"} for name in ("g", "f")]
    messages = [user("1"), anonymous, *results, user("2"), anonymous, *results]
    assert kept(messages, 1000) == list(range(8))
    assert kept(messages, 25) == kept(messages, 13) == [4, 5, 6, 7]
    assert kept([user("1"), results[0], user("2")], 10) == [0, 2]


@pytest.mark.parametrize("ids", [{"call_id": "x"}, {"id": "", "call_id": "x"}, {"id": "y", "call_id": "x"}])
def test_a_result_may_refer_to_its_call_by_either_id(ids: dict[str, str]) -> None:
    asked = {"role": "assistant", "tool_calls": [{**ids, "name": "f", "arguments": "{}"}]}
    assert kept([user("1"), asked, result("x")], 99) == [0, 1, 2]
    call = il.ToolCall.model_validate({**ids, "name": "f", "arguments": {}})
    request = il.tools.request([call])
    answered = il.ToolResultMessage(data=il.ToolResultData(call_id="x", name="f", status="success", output="r"))
    assert select((request, answered), 99, COUNTER).omitted == ()


def test_a_result_without_a_call_is_dropped_and_reported() -> None:
    selection = select(chat(user("1"), result("gone", "words"), user("2")), 100, COUNTER)
    assert [(one.index, one.kind, one.reason, one.tokens) for one in selection.omitted] == [
        (1, "tool", "orphan_result", 5)
    ]


def test_a_result_whose_call_the_server_stores_is_kept() -> None:
    state = {"openai_responses": {"server_state": {"previous_response_id": "resp_1"}}}
    request = chat(result("far"), user("2"), dialect="openai_responses", extra=state)
    assert select(request, 100, COUNTER).omitted == ()
    assert select(request, 2, COUNTER).omitted == ()


def test_signed_thoughts_are_kept_with_the_steps_that_continue_them() -> None:
    messages = [user("1"), calling("a", thinks=True), result("a"), calling("b"), result("b"), calling("c"), result("c")]
    everything = 1 + (3 + 4) + 4 + 4
    assert kept(messages, everything) == [0, 1, 2, 3, 4, 5, 6]
    # The step in the middle goes; the first one, whose thoughts the last one goes on from, stays.
    assert kept(messages, everything - 1) == [0, 1, 2, 5, 6]
    with pytest.raises(ContextBudgetError):
        kept(messages, everything - 5)


def test_a_step_with_its_own_thoughts_does_not_depend_on_earlier_ones() -> None:
    messages = [user("1"), calling("a", thinks=True), result("a"), calling("b", thinks=True), result("b")]
    assert kept(messages, 8) == [0, 3, 4]


def test_redacted_thoughts_count_as_thoughts() -> None:
    redacted = {"claude": {"thinking_blocks": [{"type": "redacted_thinking", "data": "ZGF0YQ=="}]}}
    messages = [user("1"), calling("a", extra=redacted), result("a"), calling("b"), result("b")]
    assert kept(messages, 9) == [0, 1, 2, 3, 4]
    with pytest.raises(ContextBudgetError):
        kept(messages, 8)


def test_redacted_thoughts_in_a_transcript_count_as_thoughts() -> None:
    redacted = {"claude": {"thinking_blocks": [{"type": "redacted_thinking", "data": "ZGF0YQ=="}]}}
    for first in (calling("a", extra=redacted), {**calling("a", extra=redacted), "content": "so"}):
        messages = chat(user("1"), first, result("a"), calling("b"), result("b")).messages
        stored: list[Any] = il.from_chat(messages)
        whole = select(stored, 1000, COUNTER).tokens
        with pytest.raises(ContextBudgetError):
            select(stored, whole - 1, COUNTER)


def test_messages_can_be_kept_by_id_and_the_newest_turns_by_number() -> None:
    messages = [{**TURNS[0], "id": "first"}, *TURNS[1:]]
    assert kept(messages, 6, keep=["first"]) == [0, 1, 4, 5]
    assert kept(messages, 6, keep_last=2) == [2, 3, 4, 5]
    with pytest.raises(ContextBudgetError):
        kept(messages, 5, keep_last=2)
    assert kept(messages, 0, keep_last=0) == []
    assert kept([user("1"), result("gone"), user("2")], 9, keep_last=0) == [0, 2]


def test_a_selection_begins_with_a_user_message_unless_everything_is_kept() -> None:
    greeting = [answer("hello"), *TURNS]
    assert kept(greeting, 14) == [0, 1, 2, 3, 4, 5, 6]
    assert kept(greeting, 13) == [1, 2, 3, 4, 5, 6]
    cut = [calling("a"), result("a"), answer("so"), *TURNS]
    selection = select(chat(*cut), 1000, COUNTER)
    assert [one.reason for one in selection.omitted] == ["headless"] * 3
    alone = [answer("hello"), calling("a"), result("a")]
    assert kept(alone, 100) == [0, 1, 2]


def test_an_image_is_kept_or_dropped_with_the_text_about_it() -> None:
    picture = {"role": "user", "content": [{"type": "image", "url": "https://example.com/a.png", "detail": "low"}]}
    assert kept([user("1"), picture, user("what?")], 90) == [1, 2]
    with pytest.raises(ContextBudgetError):
        kept([user("1"), picture, user("what?")], 89)


def test_opaque_calls_and_results_are_kept_or_dropped_together() -> None:
    def item(kind: str, **members: Any) -> Body:
        return {"role": "opaque", "dialect": "openai_responses", "data": {"type": kind, **members}}

    call, output = item("computer_call", call_id="c"), item("computer_call_output", call_id="c")
    messages = [user("1"), call, output, user("2")]
    assert kept(messages, 1000) == [0, 1, 2, 3]
    assert kept(messages, COUNTER.count_message(chat(call).messages[0]) + 2) == [3]
    assert [one.reason for one in select(chat(output, user("2")), 99, COUNTER).omitted] == ["orphan_result"]


def test_a_providers_compaction_item_is_kept_first() -> None:
    item = {"role": "opaque", "dialect": "openai_responses", "data": {"type": "compaction", "encrypted_content": "e"}}
    part = {"type": "opaque", "dialect": "claude", "data": {"type": "compaction", "content": "c"}}
    for compaction in (item, {"role": "assistant", "content": [part]}):
        stay = kept([compaction, *TURNS], COUNTER.count_message(chat(compaction).messages[0]) + 3)
        assert stay == [0, 5, 6]


def test_tools_are_counted_and_the_request_is_returned_with_the_selection() -> None:
    tool = {"type": "function", "name": "ff", "parameters": {}}
    request = chat(*TURNS, tools=[tool], model="m")
    selection = select(request, 7, COUNTER)
    assert selection.tokens == 4 + 3
    assert selection.request == request.replace(messages=selection.messages)
    with pytest.raises(ContextBudgetError):
        select(request, 6, COUNTER)
    assert select(request.messages, 7, COUNTER).request is None


def test_empty_messages_and_empty_conversations_are_accepted() -> None:
    assert kept([], 0) == []
    assert kept([user("")], 0) == [0]
    assert window((), 3).messages == ()


def test_the_cost_of_selecting_is_linear() -> None:
    messages = [one for turn in range(3000) for one in (user("go"), calling(f"c{turn}"), result(f"c{turn}"))]
    request = chat(*messages)
    one_turn = chat(user("go"), *(one for at in range(4500) for one in (calling(f"c{at}"), result(f"c{at}"))))
    assert seconds(lambda: [select(one, 9000, COUNTER) for one in (request, one_turn)]) < 5


def test_the_input_is_not_modified_and_the_result_is_deterministic() -> None:
    request = chat(*TURNS)
    before = request.model_dump_json()
    assert select(request, 6, COUNTER) == select(request, 6, COUNTER)
    assert request.model_dump_json() == before


# Windows.


def test_a_window_has_the_newest_messages_and_the_instructions() -> None:
    request = chat({"role": "system", "content": "s"}, *TURNS)
    for last, stay in ((6, 7), (5, 5), (4, 5), (3, 3), (2, 3), (1, 3), (0, 3)):
        selection = window(request, last)
        assert len(selection.messages) == stay
        assert selection.messages[0] == request.messages[0]
        assert selection.request is not None


# Summaries.


def test_dropped_messages_are_summarised_before_the_kept_ones() -> None:
    asked: list[tuple[int, int]] = []

    def summarize(messages: Sequence[Any], max_tokens: int) -> str:
        asked.append((len(messages), max_tokens))
        return "sum"

    request = chat({"role": "system", "content": "s"}, *TURNS)
    selection = select(request, 9, COUNTER, summarize=summarize, summary_tokens=3)
    assert asked == [(4, 3)]  # with room for a summary, one more turn goes
    assert [getattr(message, "content", None) for message in selection.messages] == ["s", "sum", "33", "3"]
    assert selection.summary == il.UserChatMessage(content="sum")
    assert selection.tokens == 7
    assert len(selection.omitted) == 4


@pytest.mark.parametrize(("words", "room"), [("far too long", 3), ("", 3), (None, 3), ("sum", 7)])
def test_a_summary_that_is_too_long_or_missing_changes_nothing(words: str | None, room: int) -> None:
    without = select(chat(*TURNS), 8, COUNTER)
    assert select(chat(*TURNS), 8, COUNTER, summarize=lambda *_: words, summary_tokens=room) == without


def test_an_invalid_summary_and_an_invalid_list_of_ids_are_refused() -> None:
    async def later(_messages: Any, _tokens: int) -> str:
        return "words"

    for wrong in (later, lambda _messages, _tokens: 5):
        summarize: Any = wrong
        with pytest.raises(InvalidArgumentError, match="summarize"):
            select(chat(*TURNS), 6, COUNTER, summarize=summarize, summary_tokens=1)
    with pytest.raises(InvalidArgumentError, match="keep"):
        select(chat(*TURNS), 6, COUNTER, keep="m1")


def test_the_summarizer_is_not_called_without_dropped_messages() -> None:
    def summarize(*_: Any) -> str:
        raise AssertionError

    assert select(chat(*TURNS), 9, COUNTER, summarize=summarize).summary is None
    orphan = chat(result("gone"), *TURNS)
    assert select(orphan, 9, COUNTER, summarize=summarize).omitted[0].reason == "orphan_result"


# Transcripts and resources.


def said(role: str, words: str, at: str | None = None) -> il.TextMessage:
    data = il.TextData(role=il.MessageRole.parse(role), content=words)
    return il.TextMessage(id=words, data=data, created_at=at and f"2026-05-01T{at}:00Z")


def resource(letter: str, size: int, used: str | None = None, **members: Any) -> il.McpResourceMessage:
    """Return a resource that was used last at an hour, and never where none is named."""
    used_at = used and f"2026-05-01T{used}:00Z"
    data = il.McpResourceData(
        server_name="docs",
        resource_uri=f"docs://secret/{letter}",
        content=letter * size,
        retrieved_at="2026-05-01T00:00:00Z",
        last_accessed_at=used_at,
        **members,
    )
    return il.McpResourceMessage(id=letter, data=data)


def names(selection: Selection[Any]) -> list[str | None]:
    return [message.id for message in selection.messages]


DAY: Final[list[Any]] = [
    said("user", "u1", "08:00"),
    said("assistant", "a1", "08:01"),
    said("user", "u2", "10:00"),
    said("assistant", "a2", "10:01"),
    said("user", "u3", "12:00"),
]


@pytest.mark.requirement("TYPE-8.4.1", "TYPE-8.4.2", "TYPE-8.4.3")
def test_least_recently_used_resources_are_dropped_first() -> None:
    old, new, never = resource("o", 3, "09:00"), resource("n", 3, "12:30"), resource("x", 3)
    messages = [never, new, old, *DAY]
    assert names(select(messages, 19, COUNTER)) == ["x", "n", "o", "u1", "a1", "u2", "a2", "u3"]
    assert names(select(messages, 5, COUNTER)) == ["n", "u3"]
    # The newer turn goes before a resource that was not used since; that one before the older turn.
    assert names(select(messages, 9, COUNTER)) == ["n", "u2", "a2", "u3"]
    assert names(select(messages, 12, COUNTER)) == ["n", "o", "u2", "a2", "u3"]
    for budget in range(2, 20):
        stay = names(select(messages, budget, COUNTER))
        assert [name for name in "nox" if name in stay] == list("nox"[: len({*stay} & {*"nox"})]), budget


def test_the_order_of_use_applies_without_timestamps() -> None:
    messages = [
        resource("n", 3, "12:00"),
        said("user", "u1"),
        said("assistant", "a1"),
        resource("o", 3, "09:00"),
        said("user", "u2"),
    ]
    assert names(select(messages, 5, COUNTER)) == ["n", "u2"]
    undated = [
        one.replace(data=one.data.replace(last_accessed_at="yesterday")) for one in (resource("a", 3), resource("b", 3))
    ]
    assert names(select([*undated, said("user", "u2")], 5, COUNTER)) == ["b", "u2"]


@pytest.mark.requirement("TYPE-8.4.1")
def test_dropped_resources_are_not_summarised() -> None:
    asked: list[list[str | None]] = []

    def summarize(messages: Sequence[Any], _: int) -> str:
        asked.append([message.id for message in messages])
        return "z"

    messages = [resource("o", 30), *DAY]
    selection = select(messages, 5, COUNTER, summarize=summarize, summary_tokens=1)
    assert [one.id for one in selection.omitted] == ["o", "u1", "a1", "u2", "a2"]
    assert asked == [["u1", "a1", "u2", "a2"]]
    # Where nothing but resources goes, there is nothing to be said.
    assert select(messages, 10, COUNTER, summarize=summarize, summary_tokens=1).summary is None
    assert len(asked) == 1


@pytest.mark.requirement("TYPE-8.4.4")
def test_each_dropped_resource_is_logged_and_reported_without_uri_or_content(
    caplog: pytest.LogCaptureFixture,
) -> None:
    messages = [resource("o", 30), resource("n", 30), *DAY]
    with caplog.at_level(logging.INFO, "interlingua"):
        selection = select(messages, 11, COUNTER)
    assert [(one.id, one.kind, one.reason, one.tokens) for one in selection.omitted] == [
        ("o", "mcp_resource", "limit", 30),
        ("n", "mcp_resource", "limit", 30),
    ]
    assert [record.getMessage() for record in caplog.records] == [
        f"resource removed from the context (limit): server 'docs', message {name}, 30 tokens" for name in ("o", "n")
    ]
    assert "secret" not in caplog.text


@pytest.mark.requirement("TYPE-8.2.2", "TYPE-8.2.4")
def test_a_resource_that_does_not_fit_is_shortened_to_its_summary() -> None:
    large = resource("l", 50, "12:30", summary="in short", mime_type="text/markdown", name="Large")
    selection = select([large, *DAY], 18, COUNTER)
    short = selection.messages[0]
    assert short == large.replace(data=large.data.replace(content="in short", mime_type="text/plain"))
    assert [(one.index, one.id, one.tokens_before, one.tokens) for one in selection.shortened] == [(0, "l", 50, 8)]
    assert selection.tokens == 18
    assert selection.omitted == ()
    assert il.to_chat(selection.messages)[0] == il.SystemChatMessage(content="in short")
    whole = select([large, *DAY], 60, COUNTER)
    assert whole.messages[0] is large
    limited = select([large, *DAY], 60, COUNTER, resource_limit=49)
    assert limited.shortened == selection.shortened


def test_a_resource_over_its_own_limit_is_dropped_even_within_the_budget() -> None:
    selection = select([resource("l", 50), *DAY], 1000, COUNTER, resource_limit=49)
    assert [(one.id, one.reason) for one in selection.omitted] == [("l", "resource_limit")]
    assert select([resource("l", 50), *DAY], 52, COUNTER, keep=["l"]).messages[0].id == "l"


@pytest.mark.parametrize("budget", [1000, 60, 20, 11])
def test_an_outdated_resource_is_never_kept(budget: int) -> None:
    old, new = resource("o", 5), resource("n", 30)
    new = new.replace(data=new.data.replace(resource_uri=old.data.resource_uri))
    for selection in (select([old, *DAY, new], budget, COUNTER), window([old, *DAY, new], budget)):
        assert [(one.id, one.reason) for one in selection.omitted if one.id == "o"] == [("o", "stale_resource")]
        assert "o" not in names(selection)
    assert "n" in names(select([old, *DAY, new], 1000, COUNTER, keep=["o"]))


def test_a_transcript_can_be_selected_from_directly() -> None:
    control = il.load_message(
        {
            "schema_version": CURRENT,
            "type": "system_control",
            "data": {"control": {"kind": "mode_change", "old_mode": "plan", "new_mode": "act"}},
        }
    )[0]
    unknown = il.load_message({"schema_version": CURRENT, "type": "from_the_future", "words": "x" * 50})[0]
    thought, request, output = il.from_chat([*chat(calling("a", thinks=True)).messages, *chat(result("a")).messages])
    transcript = Transcript(
        [said("system", "s"), said("user", "u1"), control, thought, request, output, unknown, said("user", "u2")]
    )
    whole = select(transcript.messages, 1000, COUNTER)
    assert whole.messages == transcript.messages
    least = select(transcript.messages, 3, COUNTER)
    assert [message.type for message in least.messages] == ["text", "system_control", "from_the_future", "text"]
    assert [one.kind for one in least.omitted] == ["text", "reasoning", "tool_request", "tool_result"]
    summed = select(transcript.messages, 4, COUNTER, summarize=lambda *_: "z", summary_tokens=1)
    assert summed.summary == il.TextMessage(data=il.TextData(role=il.MessageRole.USER, content="z"))
    assert summed.messages[-2] == summed.summary
    with pytest.raises(TypeError):
        select([{"role": "user"}], 9, COUNTER)  # type: ignore[type-var]


def test_messages_that_are_joined_when_sent_are_never_separated() -> None:
    answer_parts = il.from_chat(
        chat(user("1"), answer("so", reasoning="hm", tool_calls=calling("a")["tool_calls"])).messages
    )
    results = il.from_chat(chat(result("a"), user("2")).messages)
    messages = [*answer_parts, *results]
    assert any(message.joins for message in messages if message.type != "opaque")
    for budget in range(1, 12):
        roles = [message.role for message in il.to_chat(select(messages, budget, COUNTER).messages)]
        assert roles in (["user"], ["user", "assistant", "tool", "user"])


def test_any_object_with_a_count_method_can_be_the_counter() -> None:
    request = chat(*TURNS)
    assert select(request, 1000, HeuristicCounter()).messages == request.messages
    assert json.loads(json.dumps(select(request, 1000, HeuristicCounter()).tokens)) == 3 + 6 * (4 + 1)


def test_summarised_messages_stay_out_when_the_call_that_ends_the_summarised_range_is_left_out() -> None:
    story = [
        il.messages.user("a long story", id="story"),
        il.messages.assistant("I see.", id="seen"),
        il.messages.user("look it up", id="order"),
        il.messages.tool_request(il.ToolCall(id="c1", name="f", arguments={}), id="call"),
        il.CompactionMessage(data=il.CompactionData(summary="SUM", first_id="story", last_id="call")),
        il.messages.tool_result("c1", "found" * 20),
        il.messages.user("and now?"),
    ]
    assert [message.text for message in il.to_chat(story)] == ["SUM", "", "found" * 20, "and now?"]
    selection = select(story, 60, COUNTER)
    said = [message.text for message in il.to_chat(selection.messages)]
    assert said == ["SUM", "and now?"] == [message.text for message in il.to_chat(window(story, 1).messages)]
    assert selection.tokens == len("".join(said))
    assert [one.index for one in selection.omitted] == [0, 1, 2, 3, 5]
    assert select(story, 1000, COUNTER).messages == tuple(story)


@pytest.mark.parametrize("thinks", [False, True])
def test_the_work_after_a_summary_is_kept_when_the_user_speaks_again(thinks: bool) -> None:
    thought = [il.messages.reasoning("hmm")] if thinks else []
    story = [
        il.messages.system("s"),
        il.messages.user("a long task", id="task"),
        il.CompactionMessage(data=il.CompactionData(summary="SUM", last_id="task")),
        *thought,
        il.messages.tool_request(il.ToolCall(id="c1", name="f", arguments={})),
        il.messages.tool_result("c1", "found"),
        il.messages.assistant("half done"),
        il.messages.user("go on"),
    ]
    assert select(story, 1000, COUNTER).messages == tuple(story)
    chosen = [message.text for message in il.to_chat(select(story, 11, COUNTER).messages)]
    assert chosen == ["s", "SUM", "go on"]


@pytest.mark.parametrize("data", [{"summary": "SUM", "role": "system"}, {}])
def test_answers_after_a_summary_that_is_no_user_message_do_not_begin_the_selection(data: Body) -> None:
    compaction = il.CompactionMessage(data=il.CompactionData(**data))
    story = [
        il.messages.user("a long task"),
        compaction,
        il.messages.tool_request(il.ToolCall(id="c1", name="f", arguments={})),
        il.messages.tool_result("c1", "found"),
        il.messages.user("go on"),
    ]
    omitted = select(story, 1000, COUNTER).omitted
    assert [(one.index, one.reason) for one in omitted] == [(2, "headless"), (3, "headless")]
