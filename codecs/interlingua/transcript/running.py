"""Runs the tool calls of a transcript: decides them by a policy, runs each once, and appends the results.

Before a call runs, a start mark is put into the transcript and saved. A call with a mark and no result is never run
again; it is answered as interrupted. A result that another branch has for the same call is copied. Source: TYPE-4.2 to
TYPE-4.4.
"""

from __future__ import annotations

import inspect
import warnings
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from interlingua.argument_checks import check_function
from interlingua.call_ids import call_id_of
from interlingua.clock import utc_now
from interlingua.errors import TranscriptError
from interlingua.model import ToolRequestMessage, ToolResultMessage
from interlingua.tools import apply_policy
from interlingua.tools.blocking import refuse_running_loop, run_in_own_loop
from interlingua_types._base import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from datetime import datetime

    from interlingua.model import AnyMessage, RequestedCall
    from interlingua.tools import ApprovalPolicy, ToolExecutor
    from interlingua.transcript.transcript import Transcript

_RUNNING_REQUESTS: Final[WeakKeyDictionary[Transcript, set[str]]] = WeakKeyDictionary()
_RUNNING_LOCK: Final = Lock()


async def run_tools_async(
    transcript: Transcript,
    executor: ToolExecutor,
    *,
    policy: ApprovalPolicy | None = None,
    save: Callable[[Transcript], object] | None = None,
    now: Callable[[], datetime] = utc_now,
) -> tuple[ToolResultMessage, ...]:
    """Run the approved calls of the active branch that have no result; return the results that it got.

    `policy` decides what waits for a decision, as far as it has an opinion; what it leaves open is left alone. `save`
    stores the transcript: it is called after every change, and above all before a call runs; what it raises stops the
    run, and a call that was not yet running is not marked then. The next run stores what that one could not. A request
    that another run of this process is working on is left to that one.

    Args:
        transcript: The transcript; results are appended to its active branch.
        executor: What runs the tools.
        policy: Decides calls that wait; None leaves them to people.
        save: Is given the transcript after each step that must not be forgotten.
        now: The clock: returns the moment with its time zone.

    Raises:
        InvalidArgumentError: there is no transcript or no executor; `save` is async: what must be stored before a call
            runs cannot wait for the event loop.
        Exception: what `save`, the policy or a cancellation raises; what has been done until then is in the transcript.

    Example:
        >>> def weather(city: str) -> str:
        ...     '''Return the weather of a city.'''
        ...     return f"Sunny in {city}"
        >>> executor = il.tools.ToolExecutor([il.tools.Tool.from_function(weather)])
        >>> call = il.ToolCall.create("weather", {"city": "Rome"}, "call_1")
        >>> story = il.Transcript([il.messages.tool_request(call, status="approved")])
        >>> import asyncio
        >>> asyncio.run(il.run_tools_async(story, executor))[0].data.output
        'Sunny in Rome'
    """
    if inspect.iscoroutinefunction(save):
        raise InvalidArgumentError(
            "save must be a plain function, not async: the transcript must be stored when it returns"
        )
    _check_given(transcript, executor)
    if save is not None:
        check_function(save, "save")
    branch = transcript.branch
    results: list[ToolResultMessage] = []
    waiting = _open_requests(transcript, branch)
    for message_id in waiting:
        # Old transcripts may have calls without ids. All ids are assigned before the first call runs, so that results
        # are paired with calls again only once.
        if _fill_stored_ids(transcript, message_id) and save is not None:
            save(transcript)
    for message_id in waiting:
        with _claimed(transcript, message_id) as is_claimed:
            if is_claimed:
                await _Step(transcript, branch, message_id, save, results).run(executor, policy, now)
    if save is not None and not results and transcript.is_dirty:
        save(transcript)  # the last save of an earlier run may have failed
    return tuple(results)


def run_tools(
    transcript: Transcript,
    executor: ToolExecutor,
    *,
    policy: ApprovalPolicy | None = None,
    save: Callable[[Transcript], object] | None = None,
    now: Callable[[], datetime] = utc_now,
) -> tuple[ToolResultMessage, ...]:
    """Run the approved calls of the active branch that have no result; return the new results.

    Does what `run_tools_async` does in a new event loop, and waits for it; async tools run, too.

    Args:
        transcript: The transcript; results are appended to its active branch.
        executor: The executor of the tools.
        policy: Decides pending calls; None leaves them to people.
        save: Stores the transcript; called after every change.
        now: The clock: returns a datetime with a time zone.

    Raises:
        RunningLoopError: an event loop is running here, which the call would block: use `run_tools_async`.
        InvalidArgumentError: `transcript` or `executor` is of the wrong type, or `save` is async.
        Exception: raised by `save` or the policy; the transcript has everything done until then.

    Example:
        >>> def weather(city: str) -> str:
        ...     '''Return the weather of a city.'''
        ...     return f"Sunny in {city}"
        >>> executor = il.tools.ToolExecutor([il.tools.Tool.from_function(weather)])
        >>> call = il.ToolCall.create("weather", {"city": "Rome"}, "call_1")
        >>> story = il.Transcript([il.messages.tool_request(call, status="approved")])
        >>> il.run_tools(story, executor)[0].data.output
        'Sunny in Rome'
    """
    refuse_running_loop("run_tools_async")
    _check_given(transcript, executor)
    running = run_tools_async(transcript, executor, policy=policy, save=save, now=now)
    return run_in_own_loop(running, executor.limits.grace_seconds)


def run_tools_sync(
    transcript: Transcript,
    executor: ToolExecutor,
    *,
    policy: ApprovalPolicy | None = None,
    save: Callable[[Transcript], object] | None = None,
    now: Callable[[], datetime] = utc_now,
) -> tuple[ToolResultMessage, ...]:
    """Do what `run_tools` does. Deprecated: the former name, to be removed in release 1.0.

    Args:
        transcript: The transcript; results are appended to its active branch.
        executor: The executor of the tools.
        policy: Decides pending calls; None leaves them to people.
        save: Stores the transcript; called after every change.
        now: The clock: returns a datetime with a time zone.

    Raises:
        Exception: raised by `run_tools`.

    Example:
        >>> import warnings
        >>> with warnings.catch_warnings(action="ignore"):
        ...     il.run_tools_sync(il.Transcript(), il.tools.ToolExecutor([]))
        ()
    """
    warnings.warn("run_tools_sync is now run_tools", DeprecationWarning, stacklevel=2)
    return run_tools(transcript, executor, policy=policy, save=save, now=now)


def _check_given(transcript: object, executor: object) -> None:
    """Raise `InvalidArgumentError` for arguments of the wrong type."""
    if not hasattr(transcript, "branch"):
        raise InvalidArgumentError(f"expected a Transcript, not {type(transcript).__name__}")
    if not hasattr(executor, "run_async"):
        wanted = "expected a ToolExecutor, such as il.tools.ToolExecutor(tools)"
        raise InvalidArgumentError(f"{wanted}, not {type(executor).__name__}")


class _Step:
    """The work on one tool request of a branch; new results are appended to `results`."""

    def __init__(
        self,
        transcript: Transcript,
        branch: str,
        message_id: str,
        save: Callable[[Transcript], object] | None,
        results: list[ToolResultMessage],
    ) -> None:
        self._transcript = transcript
        self._branch = branch
        self._id = message_id
        self._save = save
        self._results = results

    async def run(self, executor: ToolExecutor, policy: ApprovalPolicy | None, now: Callable[[], datetime]) -> None:
        """Take over, decide, run."""
        self._copy_results_of_other_branches()
        answered = self._answered_ids()
        if policy is not None:
            self._change(apply_policy(self._request(), policy, now=now, answered=answered))
        await executor.run_async(self._request(), answered=answered, on_start=self._mark, on_result=self._add)

    def _request(self) -> ToolRequestMessage:
        """Return the current request.

        Raises:
            TranscriptError: somebody has put another message in its place.
        """
        message = self._transcript.get(self._id)
        if not isinstance(message, ToolRequestMessage):
            raise TranscriptError("unknown_id", self._id)
        return message

    def _answered_ids(self) -> set[str]:
        calls = self._request().data.calls
        orders = self._transcript.results_for(self._id, branch=self._branch)
        return {call_id_of(calls[order].call) or "" for order in orders}

    def _copy_results_of_other_branches(self) -> None:
        """Append the results that other branches have for the same calls."""
        answered = set(self._transcript.results_for(self._id, branch=self._branch))
        for branch in self._transcript.branches:
            for order, result in sorted(self._transcript.results_for(self._id, branch=branch).items()):
                if order not in answered:
                    answered.add(order)
                    self._add(result.model_copy(update={"id": None, "created_at": None}))

    def _mark(self, marked: ToolRequestMessage) -> None:
        """Store start marks for calls that are about to run. If that fails, none will run, so the marks are removed."""
        before = self._request()
        self._merge(marked)
        try:
            self._store()
        except BaseException:
            self._transcript.update(self._id, lambda current: _unmarked(current, before))
            raise

    def _change(self, newer: ToolRequestMessage) -> None:
        if self._merge(newer):
            self._store()

    def _merge(self, newer: ToolRequestMessage) -> bool:
        """Merge a newer request into the transcript, and tell whether that changed it."""
        before = self._transcript.get(self._id)
        return self._transcript.update(self._id, lambda current: _merged(current, newer)) is not before

    def _add(self, result: ToolResultMessage) -> None:
        self._transcript.append(result, branch=self._branch)
        self._results.append(result)
        self._store()

    def _store(self) -> None:
        if self._save is not None:
            self._save(self._transcript)


def _open_requests(transcript: Transcript, branch: str) -> list[str]:
    """Return the ids of the requests that have a call without a result."""
    answered = transcript.answers(branch)
    return [
        message.id
        for position, message in enumerate(transcript.messages_of(branch))
        if isinstance(message, ToolRequestMessage)
        and message.id is not None
        and any((position, order) not in answered for order in range(len(message.data.calls)))
    ]


def _fill_stored_ids(transcript: Transcript, message_id: str) -> bool:
    """Assign ids to the calls of a request that have none, and tell whether there were any."""
    stored = transcript.get(message_id)
    return transcript.update(message_id, lambda current: current) is not stored


def _merged(current: AnyMessage, newer: ToolRequestMessage) -> ToolRequestMessage:
    """Return the request with new decisions and start marks; concurrent decisions are kept.

    Raises:
        TranscriptError: the message was replaced by a request for other calls, or by another message.
    """
    request = _same_request(current, newer)
    return _with_calls(request, list(map(_merged_call, request.data.calls, newer.data.calls)))


def _merged_call(own: RequestedCall, other: RequestedCall) -> RequestedCall:
    """Return the call with a newer decision and start mark; the same object if there is none."""
    approval = other.approval if own.approval.status == "pending" else own.approval
    execution = own.execution or other.execution
    if approval is own.approval and execution is own.execution:
        return own
    return own.model_copy(update={"approval": approval, "execution": execution})


def _unmarked(current: AnyMessage, before: ToolRequestMessage) -> ToolRequestMessage:
    """Return the request without the marks that it did not have before.

    Raises:
        TranscriptError: as `_merged`.
    """
    request = _same_request(current, before)
    calls = [
        own.model_copy(update={"execution": old.execution})
        for own, old in zip(request.data.calls, before.data.calls, strict=True)
    ]
    return _with_calls(request, calls)


def _same_request(current: AnyMessage, other: ToolRequestMessage) -> ToolRequestMessage:
    """Return the current message if it still has the same calls as the other request."""
    if isinstance(current, ToolRequestMessage):
        own = [requested.call for requested in current.data.calls]
        if own == [requested.call for requested in other.data.calls]:
            return current
    raise TranscriptError("unknown_id", other.id or "")


def _with_calls(message: ToolRequestMessage, calls: Sequence[RequestedCall]) -> ToolRequestMessage:
    return message.model_copy(update={"data": message.data.model_copy(update={"calls": tuple(calls)})})


@contextmanager
def _claimed(transcript: Transcript, message_id: str) -> Generator[bool]:
    """Claim a request against other runs in this process; yields False if one of them has it."""
    with _RUNNING_LOCK:
        running_requests = _RUNNING_REQUESTS.setdefault(transcript, set())
        is_claimed = message_id not in running_requests
        running_requests.add(message_id)
    try:
        yield is_claimed
    finally:
        if is_claimed:
            with _RUNNING_LOCK:
                running_requests.discard(message_id)
