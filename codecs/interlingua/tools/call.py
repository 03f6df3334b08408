"""Prepares a tool call: finds the tool, checks and reads the arguments, and binds the function."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from interlingua.json_limits import unwritable
from interlingua.tools.arguments import check_arguments, read_arguments
from interlingua.tools.outcome import FAILURES, Failed, described, failed, failure_of_exception
from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import read_as

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from interlingua.model import ToolCall
    from interlingua.tools.tool import Tool

__all__ = ["Prepared", "prepare"]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A call that is ready to run: `invoke` calls the function with its arguments and returns the result."""

    call: ToolCall
    tool: Tool
    invoke: Callable[[], Any]

    def __repr__(self) -> str:
        """Show the tool only, since the arguments are content."""
        return f"Prepared(tool={self.tool.name!r})"


def prepare(call: ToolCall, tool: Tool | None, describe: Callable[[Exception], str]) -> Prepared | Failed:
    """Return a call that is ready to be invoked, or the failure.

    `describe` formats, for the model, an exception that a type of the tool raises while it reads the arguments.
    """
    if tool is None:
        return failed("unknown_tool")
    try:
        return _prepared(call, tool, partial(described, describe=describe))
    except RecursionError:
        return _too_deep()
    except Exception as error:  # noqa: BLE001  # an exception in the tool's code must not stop other calls
        return failure_of_exception(error, describe)


def _prepared(call: ToolCall, tool: Tool, describe: Callable[[Exception], str]) -> Prepared | Failed:
    if call.kind == "custom" and tool.argument_type is str:
        return Prepared(call, tool, partial(tool.function, call.arguments_text()))
    violations = check_arguments(call, tool.definition)
    if violations:
        return _refused(f"{one.path or 'at the top'}: {one.detail}" for one in violations)
    arguments = read_arguments(call, tool.definition)
    if any(kind == "depth" for _, kind in unwritable(arguments)):
        return _too_deep()
    try:
        return Prepared(call, tool, _bound(tool, arguments, describe))
    except InvalidArgumentError as error:
        return _refused([str(error)])


def _bound(tool: Tool, arguments: dict[str, Any], describe: Callable[[Exception], str]) -> Callable[[], Any]:
    """Return the function bound to its arguments.

    Raises:
        InvalidArgumentError: they do not fit its parameters.
    """
    if tool.argument_type is not None:
        return partial(tool.function, read_as(tool.argument_type, arguments, describe))
    if tool.reader is not None:
        return partial(tool.function, **tool.reader.read(arguments, describe))
    try:
        signature = inspect.signature(tool.function)
    except (TypeError, ValueError):
        return partial(tool.function, **arguments)
    try:
        signature.bind(**arguments)
    except TypeError:
        fits = False
    else:
        fits = True
    if not fits:
        # Raised outside the handler: the cause would show the arguments.
        raise InvalidArgumentError("the function does not accept these arguments")
    return partial(tool.function, **arguments)


def _too_deep() -> Failed:
    return _refused(["nested too deeply"])


def _refused(reasons: Iterable[str]) -> Failed:
    """Return the failure for invalid arguments; the reasons do not show their values."""
    return failed("arguments", f"{FAILURES['arguments'][0]} Why: {'; '.join(reasons)}.")
