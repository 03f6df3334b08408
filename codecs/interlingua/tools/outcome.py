"""The outcomes of tool calls, and their result messages.

Unless the tool says otherwise, a failure is recoverable only if the call certainly did not run, so that the model may
try again.
"""

from __future__ import annotations

import asyncio
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from interlingua.call_ids import call_id_of
from interlingua.errors import ToolError, ToolOutputError
from interlingua.json_limits import replace_lone_surrogates
from interlingua.model import Execution, ToolFailure, ToolResultData, ToolResultMessage
from interlingua.tools.output import FAILED, Output

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.model import ToolCall

__all__ = [
    "FAILURES",
    "Failed",
    "FailureCode",
    "Outcome",
    "described",
    "exception_text",
    "failed",
    "failure_of_exception",
    "result_message",
]

FailureCode: TypeAlias = Literal[
    "arguments",  # arguments that the tool does not accept
    "busy",  # a tool that could not be stopped is still at work
    "cancelled",  # stopped with the run
    "denied",  # denied by a person or policy
    "exception",  # the tool raised an exception other than ToolError
    "interrupted",  # started before, with an unknown outcome
    "not_begun",  # the run was stopped before the call started
    "output",  # the tool returned a value that cannot be stored
    "time_limit",  # stopped because it took too long
    "tool",  # the tool raised ToolError
    "unknown_tool",  # there is no such tool
]

FAILURES: Final[Mapping[FailureCode, tuple[str, bool]]] = MappingProxyType(
    {
        "arguments": ("The arguments do not fit the tool. It did not run.", True),
        "busy": ("An earlier tool is still at work and cannot be stopped. The call did not run.", True),
        "cancelled": ("The call was cancelled while it ran. Its outcome is unknown.", False),
        "denied": ("The call was denied. It did not run.", False),
        "exception": (FAILED, False),
        "interrupted": ("The call was interrupted. Its outcome is unknown: it may have run.", False),
        "not_begun": ("The run was cancelled before the call was begun. It did not run.", True),
        "output": ("The tool ran, and what it gave back cannot be kept.", False),
        "time_limit": ("The tool took longer than it may. Its outcome is unknown.", False),
        "tool": (FAILED, False),
        "unknown_tool": ("There is no tool of this name. Nothing ran.", True),
    }
)
"""The default message of each failure, and whether the model may try again.

A denied call must not be tried again although it did not run.

Example:
    >>> text, may_try_again = il.tools.FAILURES["arguments"]
    >>> may_try_again
    True
"""

_OWN_FILES: Final = frozenset(str(Path(__file__).with_name(name)) for name in ("run.py", "running.py"))
_MESSAGE_LENGTH: Final = 10_000
_TRACE_LENGTH: Final = 50_000


@dataclass(frozen=True, slots=True)
class Failed:
    """An attempt that failed."""

    code: FailureCode
    message: str
    recoverable: bool
    stack_trace: str | None = None


Outcome: TypeAlias = Output | Failed


def failed(code: FailureCode, message: str | None = None) -> Failed:
    """Return the failure for a code, with the message of the table unless one is given."""
    usual, recoverable = FAILURES[code]
    return Failed(code, usual if message is None else message, recoverable)


def exception_text(error: Exception) -> str:
    """Return the text for the model for an exception of a tool: its type and message.

    The message may reveal more than a model should know; pass another function to the executor to change it.

    Args:
        error: The exception that the tool raised.

    Example:
        >>> il.tools.exception_text(KeyError("city"))
        "KeyError: 'city'"
    """
    return f"{type(error).__name__}: {error}"


def failure_of_exception(error: BaseException, describe: Callable[[Exception], str]) -> Failed:
    """Return the failure for an exception of a tool."""
    trace = _trace(error)
    if isinstance(error, ToolError):
        # A subclass may not have called `super().__init__`.
        return Failed("tool", described(error, _tool_message), bool(getattr(error, "recoverable", False)), trace)
    if isinstance(error, ToolOutputError):
        return Failed("output", f"{FAILURES['output'][0]} Why: {error}.", FAILURES["output"][1])
    if not isinstance(error, Exception):
        code: FailureCode = "cancelled" if isinstance(error, asyncio.CancelledError) else "interrupted"
        return Failed(code, *FAILURES[code], trace)
    return Failed("exception", described(error, describe), FAILURES["exception"][1], trace)


def result_message(call: ToolCall, outcome: Outcome, execution: Execution | None = None) -> ToolResultMessage:
    """Return the result message for a call."""
    data = ToolResultData(call_id=call_id_of(call), name=call.name, status="success", execution=execution)
    if isinstance(outcome, Output):
        data = data.replace(output=outcome.value, output_form=outcome.form, artifact=outcome.artifact)
        if outcome.failure is not None:
            data = data.replace(status="error", error=_reported(outcome.failure))
        return ToolResultMessage(data=data)
    failure = ToolFailure(
        code=outcome.code, message=outcome.message, recoverable=outcome.recoverable, stack_trace=outcome.stack_trace
    )
    return ToolResultMessage(data=data.replace(status="error", error=failure))


def _reported(message: str) -> ToolFailure:
    """Return the failure for a tool that reported one in its output, as if it had raised `ToolError`."""
    return ToolFailure(code="tool", message=_truncated(message, _MESSAGE_LENGTH), recoverable=True)


def _tool_message(error: Exception) -> str:
    return str(getattr(error, "message", error))


def described(error: Exception, describe: Callable[[Exception], str]) -> str:
    """Return the text for the model for an exception; the name of its type if formatting it fails."""
    try:
        return _truncated(describe(error), _MESSAGE_LENGTH)
    except Exception:  # noqa: BLE001  # formatting an exception may fail, too
        return type(error).__name__


def _trace(error: BaseException) -> str:
    """Return the traceback of an exception, without this library's frames and without locals."""
    inner = error.__traceback__
    while inner is not None and inner.tb_frame.f_code.co_filename in _OWN_FILES:
        inner = inner.tb_next
    lines = traceback.TracebackException(type(error), error, inner, compact=True).format()
    return _truncated("".join(lines), _TRACE_LENGTH)


def _truncated(text: str, length: int) -> str:
    """Return a text that can be stored; the middle of a long one is cut out, since its end says what went wrong."""
    text = replace_lone_surrogates(text)
    if len(text) <= length:
        return text
    half = length // 2
    return f"{text[:half]}\n... {len(text) - 2 * half} characters ...\n{text[-half:]}"
