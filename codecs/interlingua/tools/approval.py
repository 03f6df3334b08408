"""Approval of tool calls as immutable state: pending, approved or denied, by whom, when and why.

A decision returns a new message. A call that is decided, started or answered is never decided again. Source: TYPE-4.2
to TYPE-4.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from interlingua.argument_checks import check_kind_of, check_method, check_several, string_tuple
from interlingua.call_ids import call_id_of
from interlingua.clock import timestamp_text, utc_now
from interlingua.errors import ApprovalError
from interlingua.json_limits import replace_lone_surrogates
from interlingua.model import Approval, RequestedCall, ToolRequestData, ToolRequestMessage
from interlingua.tools.identity import check_call_ids
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from datetime import datetime

    from interlingua.model import ToolCall
    from interlingua.tools.policies import ApprovalPolicy

__all__ = ["apply_policy", "approve", "deny", "pending_calls", "request"]


def request(calls: Iterable[ToolCall]) -> ToolRequestMessage:
    """Return a tool request for calls, in order, all pending.

    Args:
        calls: The tool calls of a response, in order.

    Example:
        >>> call = il.ToolCall.create("weather", {"city": "Rome"}, "call_1")
        >>> il.tools.request([call]).data.calls[0].approval.status
        'pending'
    """
    listed = check_several(calls, "calls")
    requested = [RequestedCall(call=call, approval=Approval(status="pending")) for call in listed]
    return ToolRequestMessage(data=ToolRequestData(calls=tuple(requested)))


def pending_calls(message: ToolRequestMessage, *, answered: Collection[str] = ()) -> tuple[RequestedCall, ...]:
    """Return the calls that await a decision, in order: neither decided nor started nor `answered`.

    Args:
        message: The tool request.
        answered: The ids of calls that have a result.

    Raises:
        InvalidArgumentError: `answered` is a string instead of a collection of ids.
        TypeError: it is not a tool request.

    Example:
        >>> request = il.messages.tool_request(il.ToolCall.create("weather", {"city": "Rome"}, "call_1"))
        >>> [one.call.name for one in il.tools.pending_calls(request)]
        ['weather']
    """
    check_kind_of(message, ToolRequestMessage)
    answered = frozenset(string_tuple(answered, "answered"))
    return tuple(requested for requested in message.data.calls if _is_open(requested, answered))


def approve(  # who, why, when and what has been answered are facts of their own
    message: ToolRequestMessage,
    call_id: str,
    *,
    decided_by: str,
    reason: str | None = None,
    now: Callable[[], datetime] = utc_now,
    answered: Collection[str] = (),
) -> ToolRequestMessage:
    """Return the request with one call approved.

    `decided_by` and `reason` are kept for the audit and not sent to models. `answered` are the ids of calls that have a
    result.

    Args:
        message: The tool request.
        call_id: The id of the call to approve.
        decided_by: Who decides: the name of a person, or "policy".
        reason: The reason, for people.
        now: The clock: returns a datetime with a time zone.
        answered: The ids of calls that have a result.

    Raises:
        ApprovalError: there is no such call, or it is already decided, started or answered.
        ToolRequestError: the calls have no distinct ids.
        InvalidArgumentError: `answered` is a string instead of a collection of ids.
        TypeError: it is not a tool request.

    Example:
        >>> request = il.messages.tool_request(il.ToolCall.create("weather", {"city": "Rome"}, "call_1"))
        >>> approval = il.tools.approve(request, "call_1", decided_by="Ada").data.calls[0].approval
        >>> approval.status, approval.decided_by
        ('approved', 'Ada')
    """
    return _decide(message, call_id, _decision("approved", decided_by, reason, now), answered)


def deny(  # as `approve`
    message: ToolRequestMessage,
    call_id: str,
    *,
    decided_by: str,
    reason: str | None = None,
    now: Callable[[], datetime] = utc_now,
    answered: Collection[str] = (),
) -> ToolRequestMessage:
    """Return the request with one call denied. Arguments and errors are those of `approve`.

    Args:
        message: The tool request.
        call_id: The id of the call to deny.
        decided_by: Who decides: the name of a person, or "policy".
        reason: The reason, for people.
        now: The clock: returns a datetime with a time zone.
        answered: The ids of calls that have a result.

    Example:
        >>> request = il.messages.tool_request(il.ToolCall.create("delete", {"path": "/"}, "call_1"))
        >>> il.tools.deny(request, "call_1", decided_by="Ada", reason="Too much.").data.calls[0].approval.status
        'denied'
    """
    return _decide(message, call_id, _decision("denied", decided_by, reason, now), answered)


def apply_policy(
    message: ToolRequestMessage,
    policy: ApprovalPolicy,
    *,
    now: Callable[[], datetime] = utc_now,
    answered: Collection[str] = (),
) -> ToolRequestMessage:
    """Return the request with every pending call decided on which the policy makes a decision.

    A decision without a time gets the current one. If nothing changes, the same message is returned. An exception of
    the policy is raised, and nothing is decided.

    Args:
        message: The tool request.
        policy: The policy; it may leave a call undecided.
        now: The clock: returns a datetime with a time zone.
        answered: The ids of calls that have a result.

    Raises:
        InvalidArgumentError: `answered` is a string instead of a collection of ids.
        TypeError: it is not a tool request.

    Example:
        >>> request = il.messages.tool_request(il.ToolCall.create("delete", {"path": "/"}, "call_1"))
        >>> decided = il.tools.apply_policy(request, il.tools.DenyTools(frozenset({"delete"})))
        >>> decided.data.calls[0].approval.status
        'denied'
    """
    check_kind_of(message, ToolRequestMessage)
    check_method(policy, "policy", "decide")
    answered = frozenset(string_tuple(answered, "answered"))
    calls = tuple(
        _decided_by_policy(requested, policy, now) if _is_open(requested, answered) else requested
        for requested in message.data.calls
    )
    return message if calls == message.data.calls else with_calls(message, calls)


def with_calls(message: ToolRequestMessage, calls: tuple[RequestedCall, ...]) -> ToolRequestMessage:
    """Return the request with other calls."""
    return message.replace(data=message.data.replace(calls=calls))


def _decision(
    status: Literal["approved", "denied"], decided_by: str, reason: str | None, now: Callable[[], datetime]
) -> Approval:
    # User input may hold lone surrogates, and a message with one cannot be stored.
    stored_reason = None if reason is None else replace_lone_surrogates(check_text(reason, "reason", may_be_empty=True))
    decided_by_text = replace_lone_surrogates(check_text(decided_by, "decided_by", may_be_empty=True))
    return Approval(status=status, decided_by=decided_by_text, decided_at=timestamp_text(now), reason=stored_reason)


def _decide(
    message: ToolRequestMessage, call_id: str, decision: Approval, answered: Collection[str]
) -> ToolRequestMessage:
    check_call_ids(message)
    check_text(call_id, "call_id", may_be_empty=True)
    calls = message.data.calls
    position = next((place for place, one in enumerate(calls) if call_id_of(one.call) == call_id), None)
    if position is None:
        raise ApprovalError("unknown_call", call_id)
    requested = calls[position]
    if call_id in string_tuple(answered, "answered"):
        raise ApprovalError("answered", call_id)
    if requested.execution is not None:
        raise ApprovalError("started", call_id)
    if requested.approval.status != "pending":
        raise ApprovalError("decided", call_id)
    decided = requested.replace(approval=decision)
    return with_calls(message, (*calls[:position], decided, *calls[position + 1 :]))


def _decided_by_policy(requested: RequestedCall, policy: ApprovalPolicy, now: Callable[[], datetime]) -> RequestedCall:
    """Return a call with the policy's decision."""
    decision = policy.decide(requested.call)
    if decision is None or decision.status == "pending":
        return requested
    if decision.decided_at is None:
        decision = decision.replace(decided_at=timestamp_text(now))
    return requested.replace(approval=decision)


def _is_open(requested: RequestedCall, answered: Collection[str]) -> bool:
    """Tell whether a call may still be decided."""
    is_undecided = requested.approval.status == "pending" and requested.execution is None
    return is_undecided and call_id_of(requested.call) not in answered
