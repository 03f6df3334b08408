"""From a call to a function that only has to be called: the tool found, the arguments judged and read."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from interlingua.json_limits import unwritable
from interlingua.tools.arguments import check_arguments, read_arguments
from interlingua.tools.outcome import FAILURES, Failed, failed, of_exception
from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import read_as

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from interlingua.model import ToolCall
    from interlingua.tools.tool import Tool

__all__ = ["Prepared", "prepare"]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A call that may run: `invoke` calls the function with the arguments, and returns what that returns."""

    call: ToolCall
    tool: Tool
    invoke: Callable[[], Any]

    def __repr__(self) -> str:
        """Show the tool: what was bound to the function is content."""
        return f"Prepared(tool={self.tool.name!r})"


def prepare(call: ToolCall, tool: Tool | None, describe: Callable[[Exception], str]) -> Prepared | Failed:
    """Return a call that only has to be invoked, or why it cannot be.

    `describe` says what a model is told of an exception that a type of the tool's raises when it reads its arguments.
    """
    if tool is None:
        return failed("unknown_tool")
    try:
        return _prepared(call, tool)
    except RecursionError:
        return _too_deep()
    except Exception as error:  # noqa: BLE001  # whatever the tool's own code raises, the other calls go on
        return of_exception(error, describe)


def _prepared(call: ToolCall, tool: Tool) -> Prepared | Failed:
    if call.kind == "custom" and tool.argument_type is str:
        return Prepared(call, tool, partial(tool.function, call.arguments_text()))
    violations = check_arguments(call, tool.definition)
    if violations:
        return _refused(f"{one.path or 'at the top'}: {one.detail}" for one in violations)
    arguments = read_arguments(call, tool.definition)
    if any(kind == "depth" for _, kind in unwritable(arguments)):
        return _too_deep()
    try:
        return Prepared(call, tool, _bound(tool, arguments))
    except InvalidArgumentError as error:
        return _refused([str(error)])


def _bound(tool: Tool, arguments: dict[str, Any]) -> Callable[[], Any]:
    """Return the function with its arguments.

    Raises:
        InvalidArgumentError: they do not fit its parameters.
    """
    if tool.argument_type is not None:
        return partial(tool.function, read_as(tool.argument_type, arguments))
    if tool.reader is not None:
        return partial(tool.function, **tool.reader.read(arguments))
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
        # Outside the handler: the cause would name arguments that only the model knows.
        raise InvalidArgumentError("the function does not accept these arguments")
    return partial(tool.function, **arguments)


def _too_deep() -> Failed:
    return _refused(["nested too deeply"])


def _refused(reasons: Iterable[str]) -> Failed:
    """Return the failure of arguments that do not fit; the reasons show none of them."""
    return failed("arguments", f"{FAILURES['arguments'][0]} Why: {'; '.join(reasons)}.")
