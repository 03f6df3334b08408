"""Errors of tool calls, their approval and their execution."""

from __future__ import annotations

from typing import Literal

from interlingua.errors.base import InterlinguaError

__all__ = ["ApprovalError", "RunningLoopError", "ToolError", "ToolOutputError", "ToolRequestError", "ToolSetupError"]


class ApprovalError(InterlinguaError, ValueError):
    """A tool call cannot be approved or denied: `call_id` names it, `code` says why.

    `unknown_call`: the message has no such call. `decided`: it is already decided. `started`: it has been started.
    `answered`: it has a result.

    Example:
        >>> request = il.messages.tool_request(il.ToolCall.create("weather", {"city": "Rome"}, "call_1"))
        >>> try:
        ...     il.tools.approve(request, "call_2", decided_by="Ada")
        ... except il.ApprovalError as error:
        ...     print(error.code, error.call_id)
        unknown_call call_2
    """

    def __init__(self, code: Literal["unknown_call", "decided", "started", "answered"], call_id: str) -> None:
        self.code = code
        self.call_id = call_id
        super().__init__(f"the call {call_id[:64]!r} cannot be approved or denied: {code.replace('_', ' ')}")


class ToolRequestError(InterlinguaError, ValueError):
    """The calls of a tool request cannot be distinguished: `position` is the index of the call from 0, `code` says why.

    `missing_id`: it has no id. `duplicate_id`: an earlier call of the message has the same id.

    Example:
        >>> call = il.ToolCall.create("weather", {}, "call_1")
        >>> asked = il.RequestedCall(call=call, approval=il.Approval(status="pending"))
        >>> request = il.ToolRequestMessage(data=il.ToolRequestData(calls=(asked, asked)))
        >>> try:
        ...     il.tools.approve(request, "call_1", decided_by="Ada")
        ... except il.ToolRequestError as error:
        ...     print(error.code, error.position)
        duplicate_id 1
    """

    def __init__(self, code: Literal["missing_id", "duplicate_id"], position: int) -> None:
        self.code = code
        self.position = position
        super().__init__(f"the call at {position} cannot be told apart from others: {code.replace('_', ' ')}")


class ToolSetupError(InterlinguaError, ValueError):
    """Tools or their limits are configured so that they cannot run: `reason` says why.

    Example:
        >>> try:
        ...     il.tools.ExecutionLimits(timeout_seconds=0)
        ... except il.ToolSetupError as error:
        ...     print(error.reason)
        timeout_seconds must be more than 0
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class ToolError(InterlinguaError):
    """Raised by a tool to explain in its own words why it failed, and whether the model may try again.

    `message` is what the model reads and what is stored; it is the only error text here that comes from a user.

    Example:
        >>> def weather(city: str) -> str:
        ...     "Return the weather of a city."
        ...     raise il.ToolError("No such city.", recoverable=False)
        >>> executor = il.tools.ToolExecutor([il.tools.Tool.from_function(weather)])
        >>> call = il.ToolCall.create("weather", {"city": "Atlantis"}, "call_1")
        >>> story = il.Transcript([il.messages.tool_request(call, status="approved")])
        >>> il.run_tools(story, executor)[0].data.error.message
        'No such city.'
    """

    def __init__(self, message: str, *, recoverable: bool = True) -> None:
        self.message = message
        self.recoverable = recoverable
        super().__init__(message)


class ToolOutputError(InterlinguaError, ValueError):
    """What a tool gave back cannot be kept: `code` says why.

    `not_json`: it is nothing that JSON has, or nested too deeply. `repeated_name`: an object has two names that JSON
    writes alike, such as 1 and "1". `too_large`: it has `size` bytes, and `limit` are allowed.

    Example:
        >>> print(il.ToolOutputError("too_large", limit=10, size=12))
        the output of the tool has 12 bytes, but only 10 are allowed
    """

    def __init__(
        self, code: Literal["not_json", "repeated_name", "too_large"], *, limit: int = 0, size: int = 0
    ) -> None:
        self.code = code
        self.limit = limit
        self.size = size
        told = {
            "not_json": "is not JSON that can be stored",
            "repeated_name": "has an object with two names that become the same in JSON",
            "too_large": f"has {size} bytes, but only {limit} are allowed",
        }
        super().__init__(f"the output of the tool {told[code]}")


class RunningLoopError(InterlinguaError, RuntimeError):
    """A blocking function was called inside a running event loop: await its asynchronous form, `awaitable`, instead.

    Example:
        >>> import asyncio
        >>> async def main() -> None:
        ...     il.run_tools(il.Transcript(), il.tools.ToolExecutor([]))
        >>> try:
        ...     asyncio.run(main())
        ... except il.RunningLoopError as error:
        ...     print(error.awaitable)
        run_tools_async
    """

    def __init__(self, awaitable: str) -> None:
        self.awaitable = awaitable
        super().__init__(f"an event loop is already running: use `await {awaitable}(...)`")
