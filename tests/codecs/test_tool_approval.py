"""Approval of tool calls: pending, approved, denied; by hand and by policy; and what is never decided again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import interlingua as il
from interlingua.clock import timestamp_text, utc_now
from interlingua.errors import ApprovalError, ClockError, ToolRequestError
from interlingua.model import Approval, Execution, RequestedCall, ToolCall, ToolRequestMessage
from interlingua.tools import (
    AllowTools,
    AskAlways,
    DecideBy,
    DenyTools,
    FirstDecision,
    ToolExecutor,
    apply_policy,
    approve,
    deny,
    fill_call_ids,
    pending_calls,
    request,
)
from interlingua_types._base import InvalidArgumentError

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
NOON_TEXT = "2026-01-02T12:00:00Z"
HIDDEN = "for-the-tool-alone"


def noon() -> datetime:
    return NOON


def call(call_id: str | None, name: str = "read_file") -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments={"path": HIDDEN})


def statuses(message: ToolRequestMessage) -> list[str]:
    return [one.approval.status for one in message.data.calls]


def marked(message: ToolRequestMessage, position: int, **members: Any) -> ToolRequestMessage:
    """Return the request with members of one of its calls replaced."""
    calls = list(message.data.calls)
    calls[position] = calls[position].replace(**members)
    return message.replace(data=message.data.replace(calls=tuple(calls)))


CALL_IDS = ("call_Zx9", "call_0")


def spoken(words: str | None) -> list[ToolRequestMessage]:
    """Return the requests in an answer of OpenAI's with two calls, and words beside them or none."""
    functions = [
        {"name": "read_file", "arguments": '{"path": "a.txt", "lines": [1, 2]}'},
        {"name": "list_files", "arguments": "{}"},
    ]
    calls = [{"id": n, "type": "function", "function": one} for n, one in zip(CALL_IDS, functions, strict=True)]
    message = {"role": "assistant", "content": words, "tool_calls": calls}
    body = {
        "id": "answer_1",
        "object": "chat.completion",
        "created": 1,
        "model": "some-model",
        "choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}],
    }
    messages = il.from_chat(il.decode_response(body, "openai_chat").messages)
    return [one for one in messages if isinstance(one, ToolRequestMessage)]


@pytest.mark.requirement("TYPE-4.1.1", "TYPE-4.1.2", "TYPE-4.1.3", "TYPE-4.1.4")
@pytest.mark.parametrize("words", [None, "Let me look."])
def test_the_calls_of_an_answer_become_a_request_with_their_ids_and_arguments(words: str | None) -> None:
    (message,) = spoken(words)
    assert message.type == "tool_request"
    calls = [one.call for one in message.data.calls]
    assert all(isinstance(one, ToolCall) for one in calls)
    assert [(one.id, one.name) for one in calls] == [*zip(CALL_IDS, ("read_file", "list_files"), strict=True)]
    assert [one.arguments_object() for one in calls] == [{"path": "a.txt", "lines": [1, 2]}, {}]
    assert statuses(message) == ["pending", "pending"]


@pytest.mark.requirement("TYPE-4.4.1")
def test_pending_calls_returns_each_call_without_a_decision() -> None:
    message = request([call("a"), call("b"), call("c"), call("d")])
    message = marked(approve(message, "b", decided_by="ada"), 2, execution=Execution(started_at=NOON_TEXT))
    waiting = pending_calls(message, answered={"d"})
    assert [one.call for one in waiting] == [call("a")]
    assert waiting[0].call.arguments_object() == {"path": HIDDEN}


@pytest.mark.requirement("TYPE-4.4.2", "TYPE-4.4.3")
def test_each_call_is_decided_separately_with_who_when_and_why() -> None:
    message = request([call("a"), call("b"), call("c")])
    decided = approve(message, "b", decided_by="ada", now=noon)
    decided = deny(decided, "a", decided_by="bob", reason="Not there.", now=noon)
    assert [one.approval for one in decided.data.calls] == [
        Approval(status="denied", decided_by="bob", decided_at=NOON_TEXT, reason="Not there."),
        Approval(status="approved", decided_by="ada", decided_at=NOON_TEXT),
        Approval(status="pending"),
    ]
    assert statuses(message) == ["pending", "pending", "pending"]
    assert decided.replace(data=message.data) == message  # nothing else has changed
    assert il.load_message(il.dump_message_json(decided)) == (decided,)


@pytest.mark.requirement("TYPE-4.4.4")
def test_a_decision_marks_the_transcript_as_changed_and_is_stored() -> None:
    transcript = il.Transcript([request([call("a")])])
    transcript.mark_saved(len(transcript.changes))
    assert list(transcript.changes) == []
    (message,) = transcript.messages
    assert isinstance(message, ToolRequestMessage)
    assert message.id is not None
    transcript.replace(message.id, approve(message, "a", decided_by="ada", now=noon))
    assert transcript.is_dirty
    (change,) = transcript.changes
    assert isinstance(change.message, ToolRequestMessage)
    assert statuses(change.message) == ["approved"]


@pytest.mark.parametrize("decide", [approve, deny])
@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"approval": Approval(status="approved")}, "decided"),
        ({"approval": Approval(status="denied")}, "decided"),
        ({"execution": Execution(started_at=NOON_TEXT)}, "started"),
        ({"approval": Approval(status="approved"), "execution": Execution(started_at=NOON_TEXT)}, "started"),
    ],
)
def test_a_decided_or_started_call_cannot_be_decided_again(decide: Any, members: dict[str, Any], code: str) -> None:
    message = marked(request([call("a"), call("b")]), 1, **members)
    with pytest.raises(ApprovalError) as caught:
        decide(message, "b", decided_by="ada")
    assert (caught.value.code, caught.value.call_id) == (code, "b")
    assert isinstance(caught.value, ValueError)


def test_a_decision_with_any_text_can_be_stored() -> None:
    decided = deny(request([call("a")]), "a", decided_by="ad\udc80a", reason="no\ud83d")
    assert il.load_message(il.dump_message_json(decided)) == (decided,)
    assert decided.data.calls[0].approval.reason == "no\ufffd"


@pytest.mark.parametrize("decide", [approve, deny])
def test_an_answered_or_missing_call_cannot_be_decided(decide: Any) -> None:
    message = request([call("a")])
    with pytest.raises(ApprovalError) as caught:
        decide(message, "a", decided_by="ada", answered=["a"])
    assert caught.value.code == "answered"
    with pytest.raises(ApprovalError) as caught:
        decide(message, "A", decided_by="ada")
    assert caught.value.code == "unknown_call"


def test_calls_with_the_same_id_cannot_be_decided() -> None:
    for calls, code, position in [
        ([call("a"), call("b"), call("a")], "duplicate_id", 2),
        ([call("a"), call(None)], "missing_id", 1),
        ([call(""), call("a")], "missing_id", 0),
    ]:
        with pytest.raises(ToolRequestError) as caught:
            approve(request(calls), "a", decided_by="ada")
        assert (caught.value.code, caught.value.position) == (code, position)


def test_missing_ids_are_filled_and_existing_ones_kept() -> None:
    numbers = iter(range(9))
    message = request([call("a"), call(None), ToolCall(call_id="b", name="f", arguments={}), call("")])
    filled = fill_call_ids(message, new_id=lambda: f"made_{next(numbers)}")
    assert [(one.call.id, one.call.call_id) for one in filled.data.calls] == [
        ("a", None),
        ("made_0", None),
        (None, "b"),
        ("made_1", None),
    ]
    assert fill_call_ids(filled) is filled
    assert statuses(approve(filled, "b", decided_by="ada")) == ["pending", "pending", "approved", "pending"]


def test_built_in_policies_match_the_exact_tool_name() -> None:
    names = ["read_file", "rm", "other", "READ_FILE", "read_file ", "r\u0435ad_file"]
    message = request([call(str(at), name) for at, name in enumerate(names)])
    policy = FirstDecision(
        (DenyTools(frozenset({"rm"})), AllowTools(frozenset({"read_file", "rm"}), decided_by="list"))
    )
    decided = apply_policy(message, policy, now=noon)
    assert statuses(decided) == ["approved", "denied", "pending", "pending", "pending", "pending"]
    first = decided.data.calls[0].approval
    assert (first.decided_by, first.decided_at, bool(first.reason)) == ("list", NOON_TEXT, True)
    assert apply_policy(decided, AskAlways(), now=noon) is decided


@pytest.mark.parametrize("kind", [AllowTools, DenyTools])
def test_a_single_string_is_not_accepted_as_a_list_of_tools(kind: Any) -> None:
    # `"read" in "read_file"` is true: tools that nobody named would be approved.
    with pytest.raises(InvalidArgumentError, match="names"):
        kind("read_file")
    policy = kind(["read_file"])
    assert policy == kind(frozenset({"read_file"}))
    assert [policy.decide(call("a", name)) is None for name in ("read_file", "read", "")] == [False, True, True]


def test_a_single_string_is_not_accepted_as_a_list_of_answered_calls() -> None:
    # Its letters would be the ids, and the call would run once more.
    message = request([call("a_1")])
    uses: list[Callable[[], object]] = [
        lambda: pending_calls(message, answered="a_1"),
        lambda: approve(message, "a_1", decided_by="ada", answered="a_1"),
        lambda: deny(message, "a_1", decided_by="ada", answered="a_1"),
        lambda: apply_policy(message, AskAlways(), answered="a_1"),
        lambda: ToolExecutor([]).run(message, answered="a_1"),
    ]
    for use in uses:
        with pytest.raises(InvalidArgumentError, match="answered"):
            use()


def test_only_true_returned_by_a_function_approves() -> None:
    answers: dict[str, Any] = {"a": True, "b": False, "c": None, "d": "no", "e": 1, "f": 0}
    policy = DecideBy(lambda one: answers[one.id or ""], decided_by="rules", reason="Because.")
    decided = apply_policy(request([call(one) for one in answers]), policy)
    assert statuses(decided) == ["approved", "denied", "pending", "denied", "denied", "denied"]
    assert decided.data.calls[1].approval.reason == "Because."


def test_a_policy_is_asked_only_for_pending_calls() -> None:
    asked: list[str | None] = []

    def note(one: ToolCall) -> bool:
        asked.append(one.id)
        return True

    message = marked(request([call("a"), call("b"), call("c"), call("d")]), 1, execution=Execution())
    message = deny(message, "a", decided_by="ada")
    decided = apply_policy(message, DecideBy(note), answered={"c"})
    assert asked == ["d"]
    assert statuses(decided) == ["denied", "pending", "pending", "approved"]


def test_a_custom_policy_may_set_the_time_and_pending_is_no_decision() -> None:
    class Mine:
        def decide(self, call: ToolCall) -> Approval | None:
            status = "approved" if call.id == "a" else "pending"
            return Approval.model_validate({"status": status, "decided_at": "2020-01-01T00:00:00Z"})

    message = request([call("a"), call("b")])
    decided = apply_policy(message, FirstDecision((Mine(),)), now=noon)
    assert decided.data.calls[0].approval.decided_at == "2020-01-01T00:00:00Z"
    assert decided.data.calls[1] == message.data.calls[1]


def test_a_policy_that_fails_decides_nothing() -> None:
    with pytest.raises(ZeroDivisionError):
        apply_policy(request([call("a"), call("b")]), DecideBy(lambda _: bool(1 / 0)))


def test_timestamps_are_utc_and_a_clock_without_a_time_zone_is_refused() -> None:
    assert timestamp_text(lambda: NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))) == NOON_TEXT
    assert utc_now().utcoffset() == timedelta()
    with pytest.raises(ClockError):
        approve(request([call("a")]), "a", decided_by="ada", now=lambda: NOON.replace(tzinfo=None))


def test_repr_errors_and_logs_contain_no_arguments_or_reasons(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    message = deny(request([call("a"), call("b")]), "a", decided_by="ada", reason=HIDDEN)
    shown = [repr(message), str(message), f"{message.data.calls!r}"]
    for wrong in ("a", "z"):
        with pytest.raises(ApprovalError) as caught:
            approve(message, wrong, decided_by=HIDDEN, reason=HIDDEN)
        shown += [repr(caught.value), str(caught.value)]
    assert not any(HIDDEN in text for text in [*shown, caplog.text])


DECISIONS = st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["approve", "deny", "start"])), max_size=12)


@given(DECISIONS)
def test_any_order_of_decisions_matches_a_simple_model(decisions: list[tuple[int, str]]) -> None:
    message = request([call(str(number)) for number in range(4)])
    model: dict[int, str] = dict.fromkeys(range(4), "pending")
    for number, act in decisions:
        if act == "start":
            if number < 4:
                message = marked(message, number, execution=Execution(started_at=NOON_TEXT))
                model[number] = model[number].partition("+")[0] + "+started"
            continue
        before = message
        try:
            message = (approve if act == "approve" else deny)(message, str(number), decided_by="ada")
        except ApprovalError:
            assert model.get(number) != "pending"
            assert message is before
        else:
            assert model[number] == "pending"
            model[number] = "approved" if act == "approve" else "denied"
    found = [one.approval.status + ("+started" if one.execution is not None else "") for one in message.data.calls]
    assert found == list(model.values())
    assert {one.call.id for one in pending_calls(message)} == {str(at) for at, is_ in model.items() if is_ == "pending"}


def test_a_policy_over_a_thousand_calls_keeps_their_order() -> None:
    message = request([call(f"c{number}", "odd" if number % 2 else "even") for number in range(1000)])
    decided = apply_policy(message, FirstDecision((AllowTools(frozenset({"odd"})), DenyTools(frozenset({"even"})))))
    assert statuses(decided) == ["denied", "approved"] * 500
    assert [one.call for one in decided.data.calls] == [one.call for one in message.data.calls]
    assert isinstance(decided.data.calls[0], RequestedCall)
